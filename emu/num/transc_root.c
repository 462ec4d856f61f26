/* SPDX-License-Identifier: MIT */
/*
 * The reciprocal and the roots of f32 and f64: one cubic in fixed point, whose coefficients are those of the
 * f32 operations. f64 enters with the top 28 or 29 fraction bits and leaves with 35 or 36 bits; f32 is the
 * same sum rounded to 24. AMD's rocjitsu carries f32 rcp and rsq as a coarser cubic and lists of 2761 and
 * 2484 exceptions; the steps below reproduce both without a list, and the digests of captured results
 * (tests/num/test_captured.c).
 */
#include "emu/num/transc.h"

enum { OFFSET_BITS = 24, OFFSET = (1 << OFFSET_BITS) - 1 };

#define F32_SIGN 0x80000000u
#define F32_HIDDEN 0x00800000u
#define F64_SIGN (UINT64_C(1) << 63)
#define F64_HIDDEN (UINT64_C(1) << 52)

typedef struct cubic_row {
    uint32_t c0, c1, c2, c3;
} cubic_row;

#define ROW(c0, c1, c2, c3) { c0, c1, c2, c3 },
static const cubic_row sqrt_rows[] = {
#include "sqrt_f32.inc"
};
static const cubic_row rcp_rows[] = {
#include "rcp_f32.inc"
};
static const cubic_row rsq_rows[] = {
#include "rsq_f32.inc"
};
#undef ROW

/* v / 2^s to nearest even. */
static uint64_t rne(uint64_t v, unsigned s)
{
    const uint64_t half = (uint64_t)1 << (s - 1);
    return (v + half - 1 + (v >> s & 1)) >> s;
}

/* The terms of second and third degree at offset t: the square keeps 24 bits, the product 24 or 23. */
static uint64_t upper_terms(const cubic_row *r, uint64_t t, unsigned up, unsigned down)
{
    const uint64_t half = t >> 7, square = half * half >> 10;
    const uint64_t inner = ((uint64_t)r->c2 << up) - rne(r->c3 * ((t >> 4) + 1), down);
    const uint64_t q = inner * square;
    return q >> 47 ? 2 * rne(q, 24) : rne(q, 23);
}

/* 2^35 / (1 + m / 2^29). The line is subtracted: rounded to 24 bits first, then up. */
static uint64_t rcp_sum(uint32_t m)
{
    const cubic_row *r = &rcp_rows[m >> OFFSET_BITS];
    const uint64_t t = m & OFFSET, p = r->c1 * t;
    const uint64_t line = p >> 44 ? rne(p, 21) : (p + 0x17ffff) >> 21;
    return ((uint64_t)r->c0 << 9) - (line << 6) + upper_terms(r, t, 8, 12);
}

/* 2^36 / sqrt(1 + m / 2^29), for odd exponents / sqrt(2 + m / 2^28); `odd` is in bit 29 of m. In the last
 * row, two bits of the offset do not reach the line (f32 has none there). */
static uint64_t rsq_sum(uint32_t m)
{
    enum { LAST = 31, UNSEEN = 0x30 };
    const cubic_row *r = &rsq_rows[m >> OFFSET_BITS];
    const uint64_t t = m & OFFSET, seen = (m >> OFFSET_BITS & LAST) == LAST ? t & ~(uint64_t)UNSEEN : t;
    const uint64_t p = r->c1 * seen, line = (p + (p >> 43 ? 0x17ffff : 0x1bffff)) >> 21;
    return ((uint64_t)r->c0 << 10) - (line << 7) + upper_terms(r, t, 9, 11);
}

/* 2^35 * sqrt(1 + m / 2^28), for odd exponents * sqrt(2 + m / 2^27); `odd` is in bit 28 of m. */
static uint64_t sqrt_sum(uint32_t m)
{
    const cubic_row *r = &sqrt_rows[m >> OFFSET_BITS];
    const uint64_t t = m & OFFSET, p = r->c1 * t;
    const uint64_t line = p >> 45 ? rne(p, 22) : (p + (1 << 20)) >> 22;
    return ((uint64_t)r->c0 << 10) + (line << 7) - upper_terms(r, t, 8, 11);
}

/* ---- f32: subnormals count as zero and are never returned; NaNs are quieted ---- */

typedef enum kind {
    RCP,
    RSQ,
    SQRT,
} kind;

/* What a zero, an infinity, a NaN or a negative radicand gives; true if x is one of them. */
static bool special(const lw_format *f, kind k, uint64_t x, uint64_t *r)
{
    static const lw_fp_env quieting = { .ieee = true };
    const uint64_t sign = x & lw_fp_sign_bit(f);
    if (lw_fp_is_nan(f, x))
        *r = lw_fp_pass_nan(f, &quieting, x);
    else if (lw_fp_is_zero(f, x))
        *r = k == SQRT ? x : sign | lw_fp_inf(f);
    else if (sign && k != RCP)
        *r = lw_fp_nan(f, &quieting);
    else if (lw_fp_is_inf(f, x))
        *r = k == SQRT ? x : sign;
    else
        return false;
    return true;
}

static bool special_f32(kind k, uint32_t *x, uint32_t *r)
{
    static const lw_fp_env flush = { .keep_in = false };
    uint64_t wide;
    *x = (uint32_t)lw_fp_flush_in(&lw_fp_f32, &flush, *x);
    if (!special(&lw_fp_f32, k, *x, &wide))
        return false;
    *r = (uint32_t)wide;
    return true;
}

/* The exponent, and its parity above the fraction. */
static int exponent_f32(uint32_t x, uint32_t *index)
{
    const int e = (int)(x >> 23 & 0xff) - 127;
    *index = (uint32_t)(e & 1) << 23 | (x & (F32_HIDDEN - 1));
    return e;
}

uint32_t lw_rcp_f32(uint32_t x)
{
    uint32_t r;
    if (special_f32(RCP, &x, &r))
        return r;
    const uint32_t sign = x & F32_SIGN;
    const int e = (int)(x >> 23 & 0xff) - 127;
    const int64_t sig = (int64_t)rne(rcp_sum((x & (F32_HIDDEN - 1)) << 6), 11); /* of 1/x * 2^(24 + e) */
    const int64_t bits = (int64_t)(125 - e) * F32_HIDDEN + sig;
    return bits < F32_HIDDEN ? sign : sign | (uint32_t)bits;
}

uint32_t lw_rsq_f32(uint32_t x)
{
    uint32_t r, index;
    if (special_f32(RSQ, &x, &r))
        return r;
    const int e = exponent_f32(x, &index), half = (e - (e & 1)) / 2;
    return (uint32_t)(125 - half) * F32_HIDDEN + (uint32_t)rne(rsq_sum(index << 6), 12);
}

uint32_t lw_sqrt_f32(uint32_t x)
{
    uint32_t r, index;
    if (special_f32(SQRT, &x, &r))
        return r;
    const int e = exponent_f32(x, &index), half = (e - (e & 1)) / 2;
    return (uint32_t)(126 + half) * F32_HIDDEN + (uint32_t)rne(sqrt_sum(index << 5), 12);
}

/* ---- f64 ---- */

/* x is positive and finite: (1 + *fraction / 2^52) * 2^exponent. */
static int exponent_f64(uint64_t x, uint64_t *fraction)
{
    const lw_fp_num v = lw_fp_unpack(&lw_fp_f64, x);
    *fraction = v.hi << 1 >> 12;
    return v.exp;
}

/* v * 2^exp, which is a number of f64, a subnormal one, or overflows. */
static uint64_t pack_f64(uint64_t v, int exp)
{
    static const lw_fp_env exact = { .keep_in = true, .keep_out = true };
    const lw_fp_num n = lw_fp_from_int(false, v, exp);
    return lw_fp_pack(&lw_fp_f64, &exact, &n);
}

static uint64_t below_power(int exp)
{
    return exp > 1023 ? lw_fp_inf(&lw_fp_f64) : pack_f64(1, exp) - 1;
}

static uint64_t rcp_f64(uint64_t x)
{
    uint64_t fraction;
    const int e = exponent_f64(x, &fraction);
    const uint32_t m = (uint32_t)(fraction >> 23);
    if (fraction == 0)
        return pack_f64(1, -e);
    if (fraction == F64_HIDDEN - 1)
        return pack_f64(1, -e - 1) + 1;
    if (m == 0)
        return below_power(-e);
    return pack_f64(rcp_sum(m) + (m >> OFFSET_BITS ? 256 : 0),
                    -35 - e); /* all rows but the first: a half more */
}

static uint64_t rsq_f64(uint64_t x)
{
    uint64_t fraction;
    const int e = exponent_f64(x, &fraction), odd = e & 1, half = (e - odd) / 2;
    const uint32_t m = (uint32_t)(fraction >> 23);
    if (!odd && fraction == 0)
        return pack_f64(1, -half);
    if (!odd && m == 0)
        return below_power(-half);
    return pack_f64(rsq_sum((uint32_t)odd << 29 | m) + (m >> OFFSET_BITS ? 512 : 0), -36 - half);
}

static uint64_t sqrt_f64(uint64_t x)
{
    enum { LAST = 15 };
    uint64_t fraction;
    const int e = exponent_f64(x, &fraction), odd = e & 1, half = (e - odd) / 2;
    const uint32_t m = (uint32_t)(fraction >> 24);
    return pack_f64(sqrt_sum((uint32_t)odd << 28 | m) + (m >> OFFSET_BITS == LAST ? 0 : 512), -35 + half);
}

static uint64_t wide(const lw_fp_env *e, kind k, uint64_t x, uint64_t (*run)(uint64_t))
{
    const lw_fp_env out = { .keep_in = e->keep_out };
    uint64_t r;
    x = lw_fp_flush_in(&lw_fp_f64, e, x);
    if (lw_fp_is_nan(&lw_fp_f64, x))
        return lw_fp_pass_nan(&lw_fp_f64, e, x);
    if (special(&lw_fp_f64, k, x, &r))
        return r;
    return (x & F64_SIGN) | lw_fp_flush_in(&lw_fp_f64, &out, run(x & ~F64_SIGN));
}

uint64_t lw_rcp_f64(const lw_fp_env *e, uint64_t x)
{
    return wide(e, RCP, x, rcp_f64);
}

uint64_t lw_rsq_f64(const lw_fp_env *e, uint64_t x)
{
    return wide(e, RSQ, x, rsq_f64);
}

uint64_t lw_sqrt_f64(const lw_fp_env *e, uint64_t x)
{
    return wide(e, SQRT, x, sqrt_f64);
}

/* ---- f16: the f32 model of the promoted source, rounded once ---- */

uint32_t lw_through_f32(const lw_fp_env *e, uint32_t x, uint32_t (*model)(uint32_t))
{
    static const lw_fp_env keep = { .keep_in = true, .keep_out = true, .ieee = true };
    const lw_fp_env out = { .keep_in = true, .keep_out = e->keep_out, .saturate = e->saturate };
    x = (uint32_t)lw_fp_flush_in(&lw_fp_f16, e, x);
    if (lw_fp_is_nan(&lw_fp_f16, x))
        return (uint32_t)lw_fp_pass_nan(&lw_fp_f16, e, x);
    const uint32_t wide = (uint32_t)lw_fp_convert(&lw_fp_f16, &keep, &lw_fp_f32, &keep, x);
    return (uint32_t)lw_fp_convert(&lw_fp_f32, &keep, &lw_fp_f16, &out, model(wide));
}

/* FP16_OVFL turns the infinity of a division by zero into the largest finite number (measured on gfx1201). */
static uint32_t saturate_pole(const lw_fp_env *e, uint32_t x, uint32_t r)
{
    const bool pole = lw_fp_is_zero(&lw_fp_f16, lw_fp_flush_in(&lw_fp_f16, e, x));
    return pole && e->saturate ? r - 1 : r;
}

uint32_t lw_log2_f16(const lw_fp_env *e, uint32_t x)
{
    return saturate_pole(e, x, lw_through_f32(e, x, lw_log2_f32));
}

uint32_t lw_sqrt_f16(const lw_fp_env *e, uint32_t x)
{
    return lw_through_f32(e, x, lw_sqrt_f32);
}

uint32_t lw_rcp_f16(const lw_fp_env *e, uint32_t x)
{
    return saturate_pole(e, x, lw_through_f32(e, x, lw_rcp_f32));
}

uint32_t lw_rsq_f16(const lw_fp_env *e, uint32_t x)
{
    return saturate_pole(e, x, lw_through_f32(e, x, lw_rsq_f32));
}
