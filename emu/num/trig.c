/* SPDX-License-Identifier: MIT */
/* Sine and cosine of an angle in turns, in 64-bit fixed point. */
#include "emu/num/transc.h"

#include "emu/num/u128.h"

static uint64_t mul_high(uint64_t a, uint64_t b)
{
    return lw_u128_mul(a, b).hi;
}

/* 1 - z/((2n-2+first)(2n-1+first)) (1 - ...), z with 64 fraction bits, the result with 63. */
static uint64_t series(uint64_t z, uint64_t first)
{
    const uint64_t one = (uint64_t)1 << 63;
    uint64_t sum = one;
    for (uint64_t n = 10; n > 0; n--)
        sum = one - mul_high(z, sum) / ((2 * n - 2 + first) * (2 * n - 1 + first));
    return sum;
}

/* sin (or cos) of an angle of |turns| * 2^-64 turns, which is at most 1/8 turn; false when the result is
 * zero. */
static bool octant(uint64_t turns, bool cosine, lw_fp_num *v)
{
    const uint64_t two_pi = 0xc90fdaa22168c234u; /* 61 fraction bits */
    const unsigned up = turns ? lw_clz64(turns) : 63;
    const uint64_t angle = mul_high(turns << up, two_pi); /* 61 + up fraction bits */
    const uint64_t fixed = up >= 3 ? angle >> (up - 3) : angle << (3 - up);
    const uint64_t z = mul_high(fixed, fixed);
    if (cosine) {
        *v = lw_fp_from_int(false, series(z, 1), -63);
        return true;
    }
    if (turns == 0)
        return false;
    *v = lw_fp_from_int(false, mul_high(angle, series(z, 2)), -60 - (int)up);
    return true;
}

/* |x| turns modulo 1, in units of 2^-64 turns; exact from 2^-41 on. */
static uint64_t phase_of(uint32_t x)
{
    const lw_fp_num v = lw_fp_unpack(&lw_fp_f32, x);
    if (v.exp < -64)
        return 0;
    return v.exp < 0 ? v.hi >> (-1 - v.exp) : v.hi << v.exp << 1;
}

static uint32_t wave(uint32_t x, bool cosine)
{
    const uint64_t phase = phase_of(x);
    const uint64_t quarter = (phase + ((uint64_t)1 << 61)) >> 62;
    const uint64_t rest = phase - (quarter << 62);
    const bool rest_neg = rest >> 63;
    const unsigned turn = (unsigned)(quarter + cosine) & 3;
    lw_fp_num v;
    if (!octant(rest_neg ? 0 - rest : rest, turn & 1, &v))
        return 0;
    const bool odd = !cosine && x >> 31;
    v.neg = (turn >> 1 != 0) != (!(turn & 1) && rest_neg);
    v.neg = v.neg != odd;
    return (v.neg ? 0x80000000u : 0) | (uint32_t)lw_fp_round_code(&lw_fp_f32, LW_FP_ZERO, &v);
}

enum { FIELD_WHOLE = 127 + 23 }; /* from this exponent on, every f32 is a whole number of turns */

static bool trig_special(uint32_t x, uint32_t whole, uint32_t *r)
{
    static const lw_fp_env quieting = { .ieee = true };
    if (lw_fp_is_nan(&lw_fp_f32, x))
        *r = (uint32_t)lw_fp_pass_nan(&lw_fp_f32, &quieting, x);
    else if (lw_fp_is_inf(&lw_fp_f32, x))
        *r = (uint32_t)lw_fp_nan(&lw_fp_f32, &quieting);
    else if (lw_fp_field(&lw_fp_f32, x) >= FIELD_WHOLE)
        *r = whole;
    else
        return false;
    return true;
}

uint32_t lw_sin_f32(const lw_fp_env *e, uint32_t x)
{
    uint32_t r;
    x = (uint32_t)lw_fp_flush_in(&lw_fp_f32, e, x);
    if (trig_special(x, 0, &r))
        return r;
    if ((x & 0x7fffffffu) == 0)
        return x;
    if ((x & 0x7fffffffu) >= 0x39c00000u)
        return wave(x, false);
    /* Below 1.5 * 2^-12 turns: x times 2 pi in 24 bits, to nearest even (measured on gfx1100 and gfx1201). */
    const lw_fp_env out = { .keep_out = e->keep_out };
    const lw_fp_num v = lw_fp_unpack(&lw_fp_f32, x), two_pi = lw_fp_from_int(false, 0xc90fd5, -21);
    const lw_fp_num p = lw_fp_product(&v, &two_pi);
    return (uint32_t)lw_fp_pack(&lw_fp_f32, &out, &p);
}

uint32_t lw_cos_f32(const lw_fp_env *e, uint32_t x)
{
    uint32_t r;
    x = (uint32_t)lw_fp_flush_in(&lw_fp_f32, e, x);
    if (trig_special(x, 0x3f800000u, &r))
        return r;
    return (x & 0x7fffffffu) == 0 ? 0x3f800000u : wave(x, true);
}

static uint32_t through_f32(const lw_fp_env *e, uint32_t x, uint32_t (*model)(const lw_fp_env *, uint32_t))
{
    static const lw_fp_env keep = { .keep_in = true, .keep_out = true, .ieee = true };
    const lw_fp_env in = { .keep_in = e->keep_in, .keep_out = true, .ieee = true };
    const lw_fp_env out = { .keep_in = true, .keep_out = e->keep_out, .ieee = true };
    const uint32_t wide = (uint32_t)lw_fp_convert(&lw_fp_f16, &in, &lw_fp_f32, &in, x);
    return (uint32_t)lw_fp_convert(&lw_fp_f32, &out, &lw_fp_f16, &out, model(&keep, wide));
}

uint32_t lw_sin_f16(const lw_fp_env *e, uint32_t x)
{
    return through_f32(e, x, lw_sin_f32);
}

uint32_t lw_cos_f16(const lw_fp_env *e, uint32_t x)
{
    return through_f32(e, x, lw_cos_f32);
}
