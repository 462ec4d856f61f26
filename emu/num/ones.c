/* SPDX-License-Identifier: MIT */
/*
 * RDNA3: two products and the accumulator on a common grid, added in one's complement around the
 * accumulator's sign (rocjitsu's model; captures from a Radeon Pro W7900 and, for f32, from a gfx1151).
 */
#include "emu/num/rdna.h"

enum { TERMS = 3, PRODUCT_FRAC = 24, LEAD_FRAC = 26, F16_MIN_EXP = -14, NO_EXP = -100000 };

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* The exponent of a unit, or NO_EXP when all terms are zero. t[0] is the accumulator. */
static int grid_of(const lw_rdna_term *t, lw_dot_acc format)
{
    int nominal = NO_EXP, lead = NO_EXP;
    for (int i = 0; i < TERMS; i++) {
        if (!t[i].sig)
            continue;
        lead = larger(lead, lw_rdna_lead(&t[i]));
        if (i > 0)
            nominal = larger(nominal, t[i].nominal);
    }
    if (lead == NO_EXP)
        return NO_EXP;
    if (format == LW_ACC_F16)
        lead = larger(lead, F16_MIN_EXP);
    return larger(nominal - PRODUCT_FRAC, lead - LEAD_FRAC);
}

/* The magnitude in units of 2^grid, cut towards zero. */
static int64_t aligned(const lw_rdna_term *t, int grid, bool *cut)
{
    const int shift = t->exp - grid;
    if (!t->sig)
        return 0; /* its exponent may be far above the grid */
    if (shift >= 0)
        return (int64_t)(t->sig << shift);
    const uint64_t units = shift > -64 ? t->sig >> -shift : 0;
    *cut = shift <= -64 || units << -shift != t->sig;
    return (int64_t)units;
}

/* Terms with the accumulator's sign count as m units, the others, including zeros, as -m - 1. */
static int64_t add_terms(const lw_rdna_term *t, int grid, const lw_dot_log *log)
{
    int64_t units = 0;
    for (int i = 0; i < TERMS; i++) {
        bool cut = false;
        const int64_t m = aligned(&t[i], grid, &cut);
        const bool with = t[i].neg == t[0].neg;
        const int64_t counted = with ? m : -m - 1;
        units += counted;
        lw_dot_tell(log, (lw_dot_event){ .kind = i ? LW_EVENT_PRODUCT : LW_EVENT_C,
                                         .index = i ? i - 1 : 0,
                                         .value = i == 0     ? (t[i].neg ? -m : m)
                                                  : t[i].neg ? -(int64_t)t[i].sig
                                                             : (int64_t)t[i].sig,
                                         .exp = i ? t[i].exp : grid,
                                         .top = t[i].nominal,
                                         .grid = grid,
                                         .cut = cut,
                                         .units = t[0].neg ? -counted : counted });
    }
    return units;
}

static void take_terms(const lw_dot_unit *unit, const lw_dot_group *g, lw_dot_acc format, uint32_t acc,
                       lw_rdna_term *t)
{
    t[0] = lw_rdna_acc(format, acc, true);
    for (int i = 1; i < TERMS; i++)
        t[i] = lw_rdna_product(unit, g, i - 1);
}

uint32_t lw_dot_step_ones(const lw_dot_unit *unit, const lw_dot_group *groups, int count, lw_dot_acc format,
                          uint32_t acc, const lw_dot_env *env, const lw_dot_log *log)
{
    (void)count; /* one pair per step */
    uint32_t code;
    if (lw_rdna_special(unit, groups, format, acc, env, &code)) {
        lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_SPECIAL, .bits = code });
        return code;
    }
    lw_rdna_term t[TERMS];
    take_terms(unit, groups, format, acc, t);
    const int grid = grid_of(t, format);
    code = 0;
    if (grid != NO_EXP) {
        const int64_t units = add_terms(t, grid, log);
        const bool neg = t[0].neg != (units < 0);
        const uint64_t magnitude = (uint64_t)(units < 0 ? -units : units);
        lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_TOTAL,
                                         .value = neg ? -(int64_t)magnitude : (int64_t)magnitude,
                                         .exp = grid,
                                         .top = grid });
        code = lw_rdna_narrow(format, neg, magnitude, grid, true, env);
    }
    lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_ROUNDED, .bits = code });
    return code;
}
