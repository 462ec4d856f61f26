/* SPDX-License-Identifier: MIT */
#include "emu/num/near.h"

#define LN2 UINT64_C(0xb17217f7d1cf79ab)    /* 2^64 ln 2 */
#define LOG2_E UINT64_C(0xb8aa3b295c17f0bb) /* 2^63 / ln 2 */
#define TOP ((uint64_t)1 << 63)

const uint64_t lw_near_factorials[21] = { 0x8000000000000000, 0x8000000000000000, 0x4000000000000000,
                                          0x1555555555555555, 0x0555555555555555, 0x0111111111111111,
                                          0x002d82d82d82d82d, 0x0006806806806806, 0x0000d00d00d00d00,
                                          0x0000171de3a556c7, 0x0000024fc9f6ef13, 0x00000035cc8acfea,
                                          0x000000047bb63bfe, 0x000000005849184e, 0x00000000064e5d2a,
                                          0x00000000006b9fcf, 0x000000000006b9fc, 0x000000000000654b,
                                          0x00000000000005a0, 0x000000000000004b, 0x0000000000000003 };

lw_fp_num lw_near_times(bool neg, uint64_t a, int exp, uint64_t factor)
{
    lw_u128 p = lw_u128_mul(a, factor);
    const unsigned zeros = lw_clz64(p.hi);
    p = lw_u128_shl(p, zeros);
    return (lw_fp_num){ .neg = neg, .exp = exp + 1 - (int)zeros, .hi = p.hi, .lo = p.lo | 1 };
}

/* a / b to 64 bits, not negative. */
static lw_fp_num divided(const lw_fp_num *a, const lw_fp_num *b)
{
    const bool large = a->hi >= b->hi;
    uint64_t num = large ? a->hi - b->hi : a->hi, q = 0;
    for (int i = 0; i < 64; i++) {
        const bool fits = num >> 63 || num << 1 >= b->hi;
        num = (num << 1) - (fits ? b->hi : 0);
        q = q << 1 | fits;
    }
    return (lw_fp_num){ .exp = a->exp - b->exp - !large, .hi = large ? TOP | q >> 1 : q, .lo = 1 };
}

static uint64_t infinity(const lw_format *f, bool neg)
{
    return lw_fp_inf(f) | (neg ? lw_fp_sign_bit(f) : 0);
}

/* ---- 2^x ---- */

/* 2^63 e^(t / 2^64), t below ln 2. */
static uint64_t exp_of(uint64_t t)
{
    uint64_t sum = 0;
    for (int n = 20; n >= 0; n--)
        sum = lw_near_factorials[n] + lw_near_high(t, sum);
    return sum;
}

/* The magnitude of v as whole + fraction / 2^64; *cut: it has more bits below. From 2^11 on the result is
 * 2^11. */
static int split(const lw_fp_num *v, uint64_t *fraction, bool *cut)
{
    enum { MOST = 11 };
    *fraction = 0;
    *cut = false;
    if (v->exp >= MOST)
        return 1 << MOST;
    const unsigned down = (unsigned)(63 - v->exp);
    const lw_u128 fixed = lw_u128_shr((lw_u128){ v->hi, 0 }, down);
    *fraction = fixed.lo;
    *cut = down > 127 || lw_u128_shl(fixed, down).hi != v->hi;
    return (int)fixed.hi;
}

uint64_t lw_near_exp2(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    uint64_t fraction;
    bool cut;
    x = lw_fp_flush_in(f, e, x);
    if (lw_fp_is_nan(f, x))
        return lw_fp_pass_nan(f, e, x);
    if (lw_fp_is_inf(f, x))
        return lw_fp_neg(f, x) ? 0 : x;
    if (lw_fp_is_zero(f, x))
        return lw_fp_one(f);
    const lw_fp_num v = lw_fp_unpack(f, x);
    int whole = split(&v, &fraction, &cut);
    const bool inexact = fraction || cut;
    if (v.neg) {
        whole = -whole - (inexact ? 1 : 0);
        fraction = inexact ? -fraction - cut : 0;
    }
    const lw_fp_num r = { .exp = whole, .hi = exp_of(lw_near_high(fraction, LN2)), .lo = inexact };
    return lw_fp_pack(f, e, &r);
}

/* ---- log2 ---- */

/* The sum of u^k / (2k + 1), u = square / 2^64 below 1/32: atanh(s) / s, times 2^63. */
static uint64_t atanh_of(uint64_t square)
{
    uint64_t sum = 0;
    for (unsigned k = 14; k-- > 0;)
        sum = TOP / (2 * k + 1) + lw_near_high(square, sum);
    return sum;
}

/* log2 of hi / 2^63, or of half of that, as 2 atanh((m - 1) / (m + 1)); for m between sqrt(1/2) and sqrt(2),
 * except 1. */
static lw_fp_num log2_of(uint64_t hi, bool half)
{
    const lw_fp_num num = lw_fp_from_int(false, half ? -hi : hi - TOP, half ? -64 : -63);
    const lw_fp_num den = { .exp = !half, .hi = (hi >> 1) + (half ? TOP : TOP >> 1) };
    const lw_fp_num s = divided(&num, &den);
    const unsigned down = (unsigned)(-2 * s.exp - 2);
    const uint64_t square = down < 64 ? lw_near_high(s.hi, s.hi) >> down : 0;
    const lw_fp_num series = lw_near_times(half, s.hi, s.exp, atanh_of(square));
    return lw_near_times(half, series.hi, series.exp + 1, LOG2_E);
}

uint64_t lw_near_log2(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    const uint64_t sqrt_2 = UINT64_C(0xb504f333f9de6484);
    x = lw_fp_flush_in(f, e, x);
    if (lw_fp_is_nan(f, x))
        return lw_fp_pass_nan(f, e, x);
    if (lw_fp_is_zero(f, x))
        return infinity(f, true);
    if (lw_fp_neg(f, x))
        return lw_fp_nan(f, e);
    if (lw_fp_is_inf(f, x))
        return x;
    const lw_fp_num v = lw_fp_unpack(f, x);
    const bool half = v.hi > sqrt_2;
    const int whole = v.exp + half;
    const lw_fp_num steps = lw_fp_from_int(whole < 0, whole ? (uint64_t)(whole < 0 ? -whole : whole) : 1, 0);
    lw_fp_num sum = steps;
    if (v.hi == TOP)
        return whole ? lw_fp_pack(f, e, &steps) : 0;
    const lw_fp_num part = log2_of(v.hi, half);
    if (!whole)
        sum = part;
    else
        lw_fp_sum(&steps, &part, &sum);
    return lw_fp_pack(f, e, &sum);
}

/* ---- tanh ---- */

/* 2^63 (e^y - 1) / y, y = t / 2^64. */
static uint64_t expm1_of(uint64_t t)
{
    uint64_t sum = 0;
    for (int n = 20; n >= 1; n--)
        sum = lw_near_factorials[n] + lw_near_high(t, sum);
    return sum;
}

/* d / (d + 2), d = e^2x - 1; for x below 1/2. */
static lw_fp_num tanh_small(const lw_fp_num *v)
{
    const int exp = v->exp + 1; /* of 2x */
    const unsigned down = (unsigned)(-1 - exp);
    const lw_fp_num d = lw_near_times(false, v->hi, exp, expm1_of(down < 64 ? v->hi >> down : 0));
    const unsigned apart = (unsigned)(1 - d.exp);
    const lw_fp_num more = { .exp = 1, .hi = TOP + (apart < 64 ? d.hi >> apart : 0) };
    return divided(&d, &more);
}

/* 1 - 2 / (e^2x + 1); for x from 1/2 up to 32, exclusive. */
static lw_fp_num tanh_large(const lw_fp_num *v)
{
    static const lw_fp_num two = { .exp = 1, .hi = TOP };
    const lw_u128 power = lw_u128_shr(lw_u128_mul(v->hi, LOG2_E), (unsigned)(61 - v->exp)); /* 2x log2(e) */
    const unsigned whole = (unsigned)power.hi;
    const uint64_t half = exp_of(lw_near_high(power.lo, LN2)) >> 1; /* e^2x is 2^(whole - 62) * half */
    const lw_fp_num sum = lw_fp_from_int(false, half + (whole < 63 ? TOP >> 1 >> whole : 0), (int)whole - 62);
    const lw_fp_num part = divided(&two, &sum);
    const unsigned down = (unsigned)(-1 - part.exp);
    const uint64_t rest = ~(down < 64 ? part.hi >> down : 0);
    const unsigned zeros = lw_clz64(rest);
    return (lw_fp_num){ .exp = -1 - (int)zeros, .hi = rest << zeros, .lo = 1 };
}

uint64_t lw_near_tanh(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    enum { ONE_FROM = 5 }; /* tanh(32) rounds to one in every format */
    x = lw_fp_flush_in(f, e, x);
    if (lw_fp_is_nan(f, x))
        return lw_fp_pass_nan(f, e, x);
    if (lw_fp_is_zero(f, x))
        return x;
    if (lw_fp_is_inf(f, x))
        return lw_fp_one(f) | (x & lw_fp_sign_bit(f));
    const lw_fp_num v = lw_fp_unpack(f, x);
    if (v.exp >= ONE_FROM)
        return lw_fp_one(f) | (x & lw_fp_sign_bit(f));
    lw_fp_num r = v.exp < -1 ? tanh_small(&v) : tanh_large(&v);
    r.neg = v.neg;
    return lw_fp_pack(f, e, &r);
}

/* ---- 1 / sqrt ---- */

/* 1/sqrt(v) to 30 bits and a sticky bit, by integer search. */
static lw_fp_num rsqrt_num(const lw_fp_num *v)
{
    const lw_u128 one = { (uint64_t)1 << 58, 0 }; /* 2^60 * 2^62 */
    const bool odd = v->exp & 1;
    const int exp = (v->exp - odd) / 2;
    const uint64_t want = odd ? v->hi : v->hi >> 1; /* in [2^62, 2^64): v is this times a power of four */
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 30; bit; bit >>= 1) {
        const uint64_t next = root | bit;
        if (next <= (uint64_t)1 << 30 && !lw_u128_less(one, lw_u128_mul(next * next, want)))
            root = next;
    }
    const lw_u128 got = lw_u128_mul(root * root, want);
    lw_fp_num r = lw_fp_from_int(false, root, -30 - exp);
    r.lo = got.hi != one.hi || got.lo != one.lo;
    return r;
}

uint32_t lw_near_rsqrt_f32(uint32_t x)
{
    static const lw_fp_env flush = { .ieee = true };
    const lw_format *f = &lw_fp_f32;
    x = (uint32_t)lw_fp_flush_in(f, &flush, x);
    if (lw_fp_is_nan(f, x))
        return (uint32_t)lw_fp_pass_nan(f, &flush, x);
    if (lw_fp_is_zero(f, x))
        return x | (uint32_t)lw_fp_inf(f);
    if (lw_fp_neg(f, x))
        return (uint32_t)lw_fp_nan(f, &flush);
    if (lw_fp_is_inf(f, x))
        return 0;
    const lw_fp_num v = lw_fp_unpack(f, x), root = rsqrt_num(&v);
    return (uint32_t)lw_fp_round_code(f, LW_FP_RNE, &root);
}
