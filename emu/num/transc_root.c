/* SPDX-License-Identifier: MIT */
/* Correctly rounded roots and reciprocals by integer search, and the f16 forms based on the f32 models. */
#include "emu/num/transc.h"

#include "emu/num/u128.h"

/* The significand as a 64-bit integer in [2^62, 2^64), such that v is this times a power of four; *half_exp
 * is half of v's exponent. */
static uint64_t radicand(const lw_fp_num *v, int *half_exp)
{
    const bool odd = v->exp & 1;
    *half_exp = (v->exp - odd) / 2;
    return odd ? v->hi : v->hi >> 1;
}

/* sqrt(v) to 32 bits and a sticky bit. */
static lw_fp_num sqrt_num(const lw_fp_num *v)
{
    int exp;
    const uint64_t want = radicand(v, &exp);
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= want)
            root |= bit;
    lw_fp_num r = lw_fp_from_int(false, root, exp - 31);
    r.lo = root * root != want;
    return r;
}

/* 1/sqrt(v) to 30 bits and a sticky bit. */
static lw_fp_num rsqrt_num(const lw_fp_num *v)
{
    const lw_u128 one = { (uint64_t)1 << 58, 0 }; /* 2^60 * 2^62 */
    int exp;
    const uint64_t want = radicand(v, &exp);
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

/* 1/v to 32 bits and a sticky bit. */
static lw_fp_num rcp_num(const lw_fp_num *v)
{
    uint64_t rest = (uint64_t)1 << 63, quotient = 0;
    bool carry = false; /* bit 64 of the remainder */
    for (int i = 0; i < 33; i++) {
        const bool fits = carry || rest >= v->hi;
        quotient = quotient << 1 | fits;
        rest -= fits ? v->hi : 0;
        carry = rest >> 63;
        rest <<= 1;
    }
    lw_fp_num r = lw_fp_from_int(v->neg, quotient, 0);
    r.lo = carry || rest != 0;
    return r;
}

/* Rounds to 24 significant bits in the f64 range: as a format with f64's exponents and 23 fraction bits. */
static uint64_t pack_short_f64(const lw_fp_env *e, const lw_fp_num *v)
{
    static const lw_format coarse = { .exp_bits = 11, .frac_bits = 23, .bias = 1023, .top = LW_TOP_IEEE };
    enum { LOST = 52 - 23 };
    const lw_fp_env out = { .keep_out = e->keep_out };
    return lw_fp_pack(&coarse, &out, v) << LOST;
}

/* NaNs are quieted, whatever MODE.IEEE says. */
static const lw_fp_env quieting = { .ieee = true };

/* The NaN, zero or infinity of a root; true if x is one of them or negative. */
static bool root_special(const lw_format *f, uint64_t x, bool reciprocal, uint64_t *r)
{
    const uint64_t sign = x & lw_fp_sign_bit(f);
    if (lw_fp_is_nan(f, x))
        *r = lw_fp_pass_nan(f, &quieting, x);
    else if (lw_fp_is_zero(f, x))
        *r = sign | (reciprocal ? lw_fp_inf(f) : 0);
    else if (sign)
        *r = lw_fp_nan(f, &quieting);
    else if (lw_fp_is_inf(f, x))
        *r = reciprocal ? 0 : x;
    else
        return false;
    return true;
}

uint32_t lw_rsq_f32(uint32_t x)
{
    static const lw_fp_env flush = { .round = LW_FP_RNE };
    uint64_t r;
    if (root_special(&lw_fp_f32, lw_fp_flush_in(&lw_fp_f32, &flush, x), true, &r))
        return (uint32_t)r;
    const lw_fp_num v = lw_fp_unpack(&lw_fp_f32, x), root = rsqrt_num(&v);
    return (uint32_t)lw_fp_round_code(&lw_fp_f32, LW_FP_RNE, &root);
}

uint64_t lw_sqrt_f64(const lw_fp_env *e, uint64_t x)
{
    uint64_t r;
    x = lw_fp_flush_in(&lw_fp_f64, e, x);
    if (root_special(&lw_fp_f64, x, false, &r))
        return r;
    const lw_fp_num v = lw_fp_unpack(&lw_fp_f64, x), root = sqrt_num(&v);
    return pack_short_f64(e, &root);
}

uint64_t lw_rsq_f64(const lw_fp_env *e, uint64_t x)
{
    uint64_t r;
    x = lw_fp_flush_in(&lw_fp_f64, e, x);
    if (root_special(&lw_fp_f64, x, true, &r))
        return r;
    const lw_fp_num v = lw_fp_unpack(&lw_fp_f64, x), root = rsqrt_num(&v);
    return pack_short_f64(e, &root);
}

uint64_t lw_rcp_f64(const lw_fp_env *e, uint64_t x)
{
    const lw_format *f = &lw_fp_f64;
    x = lw_fp_flush_in(f, e, x);
    const uint64_t sign = x & lw_fp_sign_bit(f);
    if (lw_fp_is_nan(f, x))
        return lw_fp_pass_nan(f, &quieting, x);
    if (lw_fp_is_zero(f, x))
        return sign | lw_fp_inf(f);
    if (lw_fp_is_inf(f, x))
        return sign;
    const lw_fp_num v = lw_fp_unpack(f, x);
    lw_fp_num r = rcp_num(&v);
    r.exp = -v.exp - (v.hi << 1 ? 1 : 0);
    return pack_short_f64(e, &r);
}

/* An f16 operation by its f32 model: exact promotion, one rounding to nearest even. */
static uint32_t through_f32(const lw_fp_env *e, uint32_t x, uint32_t (*model)(uint32_t))
{
    const lw_fp_env in = { .keep_in = e->keep_in, .keep_out = true, .ieee = true };
    const lw_fp_env out = { .keep_in = true, .keep_out = e->keep_out, .ieee = true, .saturate = e->saturate };
    const uint32_t wide = (uint32_t)lw_fp_convert(&lw_fp_f16, &in, &lw_fp_f32, &in, x);
    return (uint32_t)lw_fp_convert(&lw_fp_f32, &out, &lw_fp_f16, &out, model(wide));
}

/* FP16_OVFL turns the infinity of a division by zero into the largest finite number (measured on gfx1201). */
static uint32_t saturate_pole(const lw_fp_env *e, uint32_t x, uint32_t r)
{
    const bool pole = lw_fp_is_zero(&lw_fp_f16, lw_fp_flush_in(&lw_fp_f16, e, x));
    return pole && e->saturate ? r - 1 : r;
}

uint32_t lw_log2_f16(const lw_fp_env *e, uint32_t x)
{
    return saturate_pole(e, x, through_f32(e, x, lw_log2_f32));
}

uint32_t lw_sqrt_f16(const lw_fp_env *e, uint32_t x)
{
    return through_f32(e, x, lw_sqrt_f32);
}

uint32_t lw_rcp_f16(const lw_fp_env *e, uint32_t x)
{
    return saturate_pole(e, x, through_f32(e, x, lw_rcp_f32));
}

uint32_t lw_rsq_f16(const lw_fp_env *e, uint32_t x)
{
    return saturate_pole(e, x, through_f32(e, x, lw_rsq_f32));
}
