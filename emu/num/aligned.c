/* SPDX-License-Identifier: MIT */
/*
 * Units that add products on common grids (arXiv 2511.10909, the models of CDNA3). Products are cut towards
 * zero, everything else towards minus infinity.
 */
#include <stddef.h>

#include "emu/num/dot.h"
#include "emu/num/fp.h"

enum { F32_MIN_EXP = -126, F32_FRAC = 23, F32_OVERFLOW = 128, NO_EXP = -100000 };

/* The sum of a group's products: value * 2^(top - product_frac). */
typedef struct dot_sum {
    int64_t value;
    int top;            /* largest nominal exponent plus scale; meaningless unless `any` */
    bool any;           /* at least one product is not zero */
    bool nan, pos, neg; /* NaN; infinite products by sign */
    bool infinite;      /* an operand was infinite, not just a product too large */
} dot_sum;

/* v * 2^shift towards minus infinity; left shifts stay below 2^63 by the callers' bounds. */
static int64_t shift_floor(int64_t v, int shift, bool *cut)
{
    if (shift >= 0)
        return v * ((int64_t)1 << shift);
    const int right = -shift > 63 ? 63 : -shift;
    const int64_t kept = v < 0 ? ~(~v >> right) : v >> right;
    *cut = *cut || kept * ((int64_t)1 << (right > 62 ? 62 : right)) != v;
    return kept;
}

static uint64_t shift_cut(uint64_t sig, int shift, bool *cut)
{
    if (shift >= 0)
        return sig << shift;
    const uint64_t kept = shift > -64 ? sig >> -shift : 0;
    *cut = (shift > -64 ? kept << -shift : 0) != sig;
    return kept;
}

static int bit_length(uint64_t v)
{
    int n = 0;
    for (int step = 32; step; step >>= 1)
        if (v >> step) {
            v >>= step;
            n += step;
        }
    return v ? n + 1 : 0;
}

static bool class_of(const lw_dot_unit *unit, const lw_dot_group *g, int i)
{
    return unit->classes == 2 && (g->odd >> i & 1);
}

/* Records NaNs and infinities of product i; true if the product is ordinary and not zero. */
static bool product_counts(const lw_dot_group *g, int i, dot_sum *sum)
{
    const lw_part *a = &g->a[i], *b = &g->b[i];
    const bool special = a->kind >= LW_PART_INF || b->kind >= LW_PART_INF;
    if (!special && (!a->sig || !b->sig))
        return false;
    if (special) {
        const bool zero = a->kind == LW_PART_ZERO || b->kind == LW_PART_ZERO;
        sum->nan |= zero || a->kind == LW_PART_NAN || b->kind == LW_PART_NAN;
        sum->infinite |= a->kind == LW_PART_INF || b->kind == LW_PART_INF;
    } else {
        /* A product of at least 2^128 counts as infinite; only bf16 and xf32 reach that. With a nominal
         * exponent of at most 126 it is impossible. */
        const int nominal = a->exp + b->exp;
        if (nominal < F32_OVERFLOW - 1 ||
            bit_length((uint64_t)a->sig * b->sig) - 1 + nominal - g->frac < F32_OVERFLOW)
            return true;
    }
    if (a->neg != b->neg)
        sum->neg = true;
    else
        sum->pos = true;
    return false;
}

static int64_t aligned_product(const lw_dot_unit *unit, const lw_dot_group *g, int i, int top,
                               const lw_dot_log *log)
{
    const lw_part *a = &g->a[i], *b = &g->b[i];
    const uint64_t sig = (uint64_t)a->sig * b->sig;
    const int exp = a->exp + b->exp;
    bool cut = false;
    const int64_t units = (int64_t)shift_cut(sig, exp - g->frac - (top - unit->product_frac), &cut);
    const bool neg = a->neg != b->neg;
    lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_PRODUCT,
                                     .index = g->first + i,
                                     .value = neg ? -(int64_t)sig : (int64_t)sig,
                                     .exp = exp - g->frac,
                                     .top = exp,
                                     .grid = top - unit->product_frac,
                                     .cut = cut,
                                     .units = neg ? -units : units });
    return neg ? -units : units;
}

/* Adds the products of a group on its grid. */
static dot_sum add_products(const lw_dot_unit *unit, const lw_dot_group *g, const lw_dot_log *log)
{
    dot_sum sum = { .top = NO_EXP };
    int top[2] = { NO_EXP, NO_EXP };
    uint32_t counts = 0;
    for (int i = 0; i < g->count; i++) {
        if (!product_counts(g, i, &sum))
            continue;
        counts |= 1u << i;
        const int e = g->a[i].exp + g->b[i].exp, cls = class_of(unit, g, i);
        top[cls] = e > top[cls] ? e : top[cls];
    }
    for (int i = 0; unit->zero_terms && i < g->count; i++)
        if (g->a[i].kind == LW_PART_ZERO || g->b[i].kind == LW_PART_ZERO) {
            int *t = &top[class_of(unit, g, i)];
            *t = *t < F32_MIN_EXP ? F32_MIN_EXP : *t;
        }
    sum.any = counts != 0;
    if (!sum.any || sum.nan || sum.pos || sum.neg)
        return sum;

    int64_t partial[2] = { 0, 0 };
    for (int i = 0; i < g->count; i++)
        if (counts >> i & 1) {
            const int cls = class_of(unit, g, i);
            partial[cls] += aligned_product(unit, g, i, top[cls], log);
        }
    const int largest = top[0] > top[1] ? top[0] : top[1];
    for (int cls = 0; cls < unit->classes; cls++) {
        if (top[cls] == NO_EXP)
            continue;
        bool cut = false;
        sum.value += shift_floor(partial[cls], top[cls] - largest, &cut);
        lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_CLASS,
                                         .index = cls,
                                         .value = partial[cls],
                                         .exp = top[cls] - unit->product_frac,
                                         .top = top[cls],
                                         .cut = cut });
    }
    sum.top = largest + g->scale;
    return sum;
}

/* The NaN or infinity that is the result, or 0. */
static uint32_t special_result(const dot_sum *sums, int count, uint32_t c, bool clamp)
{
    const uint32_t magnitude = c & 0x7fffffff;
    bool nan = magnitude > 0x7f800000, infinite = magnitude == 0x7f800000;
    bool pos = c == 0x7f800000, neg = c == 0xff800000;
    for (int i = 0; i < count; i++) {
        nan |= sums[i].nan;
        pos |= sums[i].pos;
        neg |= sums[i].neg;
        infinite |= sums[i].infinite;
    }
    if (nan || (pos && neg))
        return LW_DOT_NAN32;
    if (!pos && !neg)
        return 0;
    return (neg ? UINT32_C(0x80000000) : 0) | (clamp && !infinite ? 0x7f7fffff : 0x7f800000);
}

/* All sums on the grid of the largest one; a single sum passes unchanged. */
static dot_sum join(const lw_dot_unit *unit, const dot_sum *sums, int count, const lw_dot_log *log)
{
    dot_sum all = { .top = NO_EXP };
    for (int i = 0; i < count; i++)
        if (sums[i].any) {
            all.any = true;
            all.top = sums[i].top > all.top ? sums[i].top : all.top;
        }
    bool cut = false;
    for (int i = 0; i < count; i++)
        if (sums[i].any)
            all.value += shift_floor(sums[i].value, sums[i].top - all.top, &cut);
    if (all.any)
        lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_JOINED,
                                         .value = all.value,
                                         .exp = all.top - unit->product_frac,
                                         .top = all.top,
                                         .cut = cut });
    return all;
}

/* C in units of 2^(top - c_frac). */
static int64_t aligned_c(const lw_dot_unit *unit, const lw_part *c, int top, const lw_dot_log *log)
{
    const bool ignored = unit->drop && c->exp < top - unit->drop;
    const int64_t sig = c->neg ? -(int64_t)c->sig : (int64_t)c->sig;
    bool cut = false;
    int64_t units = shift_floor(sig, c->exp - F32_FRAC - (top - unit->c_frac), &cut);
    if (ignored) {
        units = 0;
        cut = sig != 0;
    }
    lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_C,
                                     .index = ignored,
                                     .value = units,
                                     .exp = top - unit->c_frac,
                                     .top = top,
                                     .cut = cut });
    return units;
}

static uint32_t round32(bool neg, uint64_t magnitude, int exp, bool clamp)
{
    static const lw_fp_env keep = { .round = LW_FP_RNE, .keep_in = true, .keep_out = true };
    const lw_fp_num v = lw_fp_from_int(neg, magnitude, exp);
    const uint32_t bits = (uint32_t)lw_fp_pack(&lw_fp_f32, &keep, &v);
    return clamp && (bits & 0x7fffffff) == 0x7f800000 ? bits - 1 : bits;
}

/*
 * Adds the sums of `count` groups (one, unless the recipe fuses groups) to C and rounds to binary32. With
 * `clamp` (FP16_OVFL), an overflow of finite operands gives the largest finite number.
 */
static uint32_t accumulate(const lw_dot_unit *unit, const dot_sum *sums, int count, uint32_t c_bits,
                           bool clamp, const lw_dot_log *log)
{
    const uint32_t special = special_result(sums, count, c_bits, clamp);
    if (special) {
        lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_SPECIAL, .bits = special });
        return special;
    }
    const lw_part c = lw_part_make(&lw_formats[LW_FORMAT_F32], c_bits, false);
    const dot_sum all = join(unit, sums, count, log);
    const int top = all.any && all.top > c.exp ? all.top : c.exp;
    const int grid = top - unit->sum_frac;

    bool cut = false;
    int64_t total = 0;
    if (all.any)
        total = shift_floor(all.value, all.top - unit->product_frac - grid, &cut);
    total += aligned_c(unit, &c, top, log) * ((int64_t)1 << (unit->sum_frac - unit->c_frac));

    uint32_t result = 0;
    if (total) {
        const int lead = bit_length((uint64_t)(total < 0 ? -total : total)) - 1 + grid;
        const int normal = lead > F32_MIN_EXP ? lead : F32_MIN_EXP;
        const int post = normal - unit->post_frac - grid > 0 ? normal - unit->post_frac - grid : 0;
        total = shift_floor(total, -post, &cut);
        lw_dot_tell(
            log, (lw_dot_event){
                     .kind = LW_EVENT_TOTAL, .value = total, .exp = grid + post, .top = lead, .cut = cut });
        if (total) /* a tiny positive total may have been cut to zero */
            result = round32(total < 0, (uint64_t)(total < 0 ? -total : total), grid + post, clamp);
    }
    lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_ROUNDED, .bits = result });
    return result;
}

uint32_t lw_dot_step_aligned(const lw_dot_unit *unit, const lw_dot_group *groups, int count,
                             lw_dot_acc format, uint32_t acc, const lw_dot_env *env, const lw_dot_log *log)
{
    (void)format; /* these units have f32 accumulators only */
    dot_sum sums[LW_DOT_MAX_GROUPS];
    for (int i = 0; i < count; i++) {
        sums[i] = add_products(unit, &groups[i], log);
        sums[i].nan |= groups[i].scale_nan;
    }
    return accumulate(unit, sums, count, acc, env->clamp, log);
}
