/* SPDX-License-Identifier: MIT */
/*
 * RDNA4: up to four products, floored on the grid of their pair (fp8: one grid for all), then together with
 * the accumulator on a common grid (rocjitsu's model; captures from a Radeon AI Pro R9700). Everything is cut
 * towards minus infinity.
 */
#include "emu/num/rdna.h"

enum {
    MAX_PRODUCTS = 4,
    PRODUCT_FRAC = 24,
    C_FRAC = 26,
    F32_MIN_EXP = -126,
    F16_MIN_EXP = -14,
    NO_EXP = -100000
};

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* v * 2^shift towards minus infinity; left shifts stay small by the choice of grids. */
static int64_t shift_floor(int64_t v, int shift, bool *cut)
{
    if (!v)
        return 0; /* a zero's exponent may be far above the grid */
    if (shift >= 0)
        return v * ((int64_t)1 << shift);
    const int right = -shift > 62 ? 62 : -shift;
    const int64_t kept = v < 0 ? ~(~v >> right) : v >> right;
    *cut = *cut || kept * ((int64_t)1 << right) != v;
    return kept;
}

static int64_t signed_sig(const lw_rdna_term *t)
{
    return t->neg ? -(int64_t)t->sig : (int64_t)t->sig;
}

/* Consecutive products that share a grid. */
typedef struct pair {
    int first, count, grid; /* NO_EXP: all products are zero */
} pair;

static pair make_pair(const lw_rdna_term *p, int first, int count)
{
    pair q = { first, count, NO_EXP };
    for (int i = first; i < first + count; i++)
        if (p[i].sig)
            q.grid = larger(q.grid, p[i].nominal - PRODUCT_FRAC);
    return q;
}

/* The pair's sum in units of 2^grid. */
static int64_t add_pair(const pair *q, const lw_rdna_term *p, int grid, const lw_dot_log *log)
{
    if (q->grid == NO_EXP)
        return 0;
    int64_t sum = 0;
    for (int i = q->first; i < q->first + q->count; i++) {
        bool cut = false;
        const int64_t units = shift_floor(signed_sig(&p[i]), p[i].exp - q->grid, &cut);
        sum += units;
        if (p[i].sig)
            lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_PRODUCT,
                                             .index = i,
                                             .value = signed_sig(&p[i]),
                                             .exp = p[i].exp,
                                             .top = p[i].nominal,
                                             .grid = q->grid,
                                             .cut = cut,
                                             .units = units });
    }
    bool cut = false;
    const int64_t joined = shift_floor(sum, q->grid - grid, &cut);
    lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_PAIR,
                                     .index = q->first / 2,
                                     .value = sum,
                                     .exp = q->grid,
                                     .grid = q->grid,
                                     .cut = cut,
                                     .units = joined });
    return joined;
}

/*
 * C in units of 2^grid. When products have raised the grid above the least exponent, a negative C smaller
 * than one unit is lost instead of floored to -1.
 */
static int64_t aligned_c(const lw_rdna_term *c, int grid, int least, const lw_dot_log *log)
{
    const bool lost = c->sig && grid > least && lw_rdna_lead(c) < grid;
    bool cut = lost;
    const int64_t units = lost || !c->sig ? 0 : shift_floor(signed_sig(c), c->exp - grid, &cut);
    lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_C,
                                     .index = lost,
                                     .value = units,
                                     .exp = grid,
                                     .top = c->nominal,
                                     .grid = grid,
                                     .cut = cut,
                                     .units = units });
    return units;
}

static int64_t add_all(const lw_dot_unit *unit, const lw_rdna_term *p, int count, const lw_rdna_term *c,
                       int least, int *grid, const lw_dot_log *log)
{
    pair pairs[MAX_PRODUCTS];
    const int size = unit->classes == 2 ? 2 : count;
    int n = 0;
    *grid = larger(least, c->sig ? lw_rdna_lead(c) : least) - C_FRAC;
    for (int first = 0; first < count; first += size) {
        pairs[n] = make_pair(p, first, count - first < size ? count - first : size);
        *grid = larger(*grid, pairs[n++].grid);
    }
    int64_t total = 0;
    for (int i = 0; i < n; i++)
        total += add_pair(&pairs[i], p, *grid, log);
    total += aligned_c(c, *grid, least, log);
    lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_TOTAL, .value = total, .exp = *grid, .top = *grid });
    return total;
}

uint32_t lw_dot_step_pairs(const lw_dot_unit *unit, const lw_dot_group *groups, int count, lw_dot_acc format,
                           uint32_t acc, const lw_dot_env *env, const lw_dot_log *log)
{
    (void)count; /* one group per step */
    uint32_t code;
    if (lw_rdna_special(unit, groups, format, acc, env, &code)) {
        lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_SPECIAL, .bits = code });
        return code;
    }
    lw_rdna_term p[MAX_PRODUCTS];
    for (int i = 0; i < groups->count; i++)
        p[i] = lw_rdna_product(unit, groups, i);
    const lw_rdna_term c = lw_rdna_acc(format, acc, false);
    int grid;
    const int64_t total =
        add_all(unit, p, groups->count, &c, format == LW_ACC_F16 ? F16_MIN_EXP : F32_MIN_EXP, &grid, log);
    code = lw_rdna_narrow(format, total < 0, (uint64_t)(total < 0 ? -total : total), grid, false, env);
    lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_ROUNDED, .bits = code });
    return code;
}
