/* SPDX-License-Identifier: MIT */
/* Minimum, maximum, median, comparison, class. */
#include "emu/num/fp.h"

/* Orders numbers (not NaNs) with -0 below +0: turns a sign-magnitude code into two's complement. */
static int64_t rank_of(const lw_format *f, uint64_t x)
{
    const int64_t m = (int64_t)lw_fp_magnitude(f, x);
    return lw_fp_neg(f, x) ? -m - 1 : m;
}

static uint64_t pick(const lw_format *f, bool want_max, uint64_t a, uint64_t b)
{
    return (rank_of(f, a) > rank_of(f, b)) == want_max ? a : b;
}

/* CDNA3 ISA manual, V_MIN_F32 and V_MAX_F32. That a quiet NaN loses to the number was observed on gfx1100. */
static uint64_t legacy(const lw_format *f, const lw_fp_env *e, bool want_max, uint64_t a, uint64_t b)
{
    a = lw_fp_flush_in(f, e, a);
    b = lw_fp_flush_in(f, e, b);
    if (e->ieee && lw_fp_is_snan(f, a))
        return lw_fp_pass_nan(f, e, a);
    if (e->ieee && lw_fp_is_snan(f, b))
        return lw_fp_pass_nan(f, e, b);
    if (lw_fp_is_nan(f, a))
        return b;
    if (lw_fp_is_nan(f, b))
        return a;
    return pick(f, want_max, a, b);
}

/* NaNs win; of several the first in source order, as on gfx1201 (the CDNA4 manual prefers signalling
 * ones). */
static uint64_t propagating3(const lw_format *f, const lw_fp_env *e, bool want_max, const uint64_t s[3])
{
    for (int i = 0; i < 3; i++)
        if (lw_fp_is_nan(f, s[i]))
            return lw_fp_pass_nan(f, e, s[i]) | lw_fp_quiet_bit(f);
    const uint64_t first = pick(f, want_max, lw_fp_flush_in(f, e, s[0]), lw_fp_flush_in(f, e, s[1]));
    return pick(f, want_max, first, lw_fp_flush_in(f, e, s[2]));
}

uint64_t lw_fp_min(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    return legacy(f, e, false, a, b);
}

uint64_t lw_fp_max(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    return legacy(f, e, true, a, b);
}

uint64_t lw_fp_min3(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    return lw_fp_min(f, e, lw_fp_min(f, e, a, b), c);
}

uint64_t lw_fp_max3(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    return lw_fp_max(f, e, lw_fp_max(f, e, a, b), c);
}

/* A true median with -0 < +0, as on gfx1201; the printed pseudo-code gives +0 for (-0, +0, -0). */
uint64_t lw_fp_med3(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    if (lw_fp_is_nan(f, a) || lw_fp_is_nan(f, b) || lw_fp_is_nan(f, c))
        return lw_fp_min3(f, e, a, b, c);
    const uint64_t low = lw_fp_min(f, e, a, b), high = lw_fp_max(f, e, a, b);
    return lw_fp_max(f, e, low, lw_fp_min(f, e, high, c));
}

uint64_t lw_fp_minimum3(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    return propagating3(f, e, false, (const uint64_t[3]){ a, b, c });
}

uint64_t lw_fp_maximum3(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    return propagating3(f, e, true, (const uint64_t[3]){ a, b, c });
}

/* A number wins against any NaN; of two NaNs the first, quieted (AMD RDNA4 ISA manual; gfx1201 silicon,
 * rocjitsu). */
static uint64_t number(const lw_format *f, const lw_fp_env *e, bool want_max, uint64_t a, uint64_t b)
{
    a = lw_fp_flush_in(f, e, a);
    b = lw_fp_flush_in(f, e, b);
    if (lw_fp_is_nan(f, a))
        return lw_fp_is_nan(f, b) ? a | lw_fp_quiet_bit(f) : b;
    return lw_fp_is_nan(f, b) ? a : pick(f, want_max, a, b);
}

uint64_t lw_fp_min_num(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    return number(f, e, false, a, b);
}

uint64_t lw_fp_max_num(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    return number(f, e, true, a, b);
}

uint64_t lw_fp_min3_num(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    return lw_fp_min_num(f, e, lw_fp_min_num(f, e, a, b), c);
}

uint64_t lw_fp_max3_num(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    return lw_fp_max_num(f, e, lw_fp_max_num(f, e, a, b), c);
}

uint64_t lw_fp_med3_num(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    if (lw_fp_is_nan(f, a) || lw_fp_is_nan(f, b) || lw_fp_is_nan(f, c))
        return lw_fp_min3_num(f, e, a, b, c);
    return lw_fp_med3(f, e, a, b, c);
}

uint64_t lw_fp_minmax_num(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    return lw_fp_max_num(f, e, lw_fp_min_num(f, e, a, b), c);
}

uint64_t lw_fp_maxmin_num(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    return lw_fp_min_num(f, e, lw_fp_max_num(f, e, a, b), c);
}

uint64_t lw_fp_minimum(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    return propagating3(f, e, false, (const uint64_t[3]){ a, b, b });
}

uint64_t lw_fp_maximum(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    return propagating3(f, e, true, (const uint64_t[3]){ a, b, b });
}

uint64_t lw_fp_minimummaximum(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    return lw_fp_maximum(f, e, lw_fp_minimum(f, e, a, b), c);
}

uint64_t lw_fp_maximumminimum(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    return lw_fp_minimum(f, e, lw_fp_maximum(f, e, a, b), c);
}

unsigned lw_fp_compare(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    a = lw_fp_flush_in(f, e, a);
    b = lw_fp_flush_in(f, e, b);
    if (lw_fp_is_nan(f, a) || lw_fp_is_nan(f, b))
        return LW_FP_UNORDERED;
    if (lw_fp_is_zero(f, a) && lw_fp_is_zero(f, b))
        return LW_FP_EQUAL;
    const int64_t ra = rank_of(f, a), rb = rank_of(f, b);
    return ra < rb ? LW_FP_LESS : ra > rb ? LW_FP_GREATER : LW_FP_EQUAL;
}

unsigned lw_fp_class(const lw_format *f, uint64_t x)
{
    enum { SNAN = 1, QNAN = 2, NEG_INF = 4, POS_INF = 1 << 9 };
    const bool neg = lw_fp_neg(f, x);
    if (lw_fp_is_nan(f, x))
        return lw_fp_is_snan(f, x) ? SNAN : QNAN;
    if (lw_fp_is_inf(f, x))
        return neg ? NEG_INF : POS_INF;
    const unsigned size = lw_fp_is_zero(f, x) ? 0 : lw_fp_is_subnormal(f, x) ? 1 : 2;
    return neg ? 1u << (5 - size) : 1u << (6 + size);
}
