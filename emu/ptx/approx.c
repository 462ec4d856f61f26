/* SPDX-License-Identifier: MIT */
/*
 * Operations for which the PTX ISA promises only an error bound. Here they are correctly rounded, which is
 * within every bound (rcp 1 ulp, sqrt 2^-23, rsqrt 2^-22.9 relative, div 2 ulp; ex2 2 ulp, lg2 2^-22, sin and
 * cos 2^-20.5 within 2 pi and 2^-14.7 within 100 pi, none beyond, tanh 2^-11; of f16 and bf16 ex2 2^-9.9 and
 * 2^-7, tanh 2^-10.987 and 2^-8). The .ftz forms of f64 use only the upper word of their source and return a
 * lower word of zeros: the same with 20 fraction bits. Hardware differs in some of the last bits; tables of
 * its unit were published only for targets before sm_80.
 */
#include "emu/num/ieee.h"
#include "emu/num/near.h"
#include "emu/num/u128.h"
#include "emu/ptx/floats.h"

/* Beyond 2^126 the divisor's reciprocal would be subnormal: the result is zero, or NaN for an infinity. */
static uint64_t divided(const lw_ptx_record *r, uint64_t a, uint64_t b)
{
    enum { LARGE = 0x7e800000 }; /* 2^126 */
    const uint64_t m = lw_fp_magnitude(r->fmt, b);
    if (m <= LARGE || lw_fp_is_inf(r->fmt, b) || lw_fp_is_nan(r->fmt, b) || lw_fp_is_nan(r->fmt, a))
        return lw_fp_div(r->fmt, &r->env, a, b);
    if (lw_fp_is_inf(r->fmt, a))
        return lw_fp_nan(r->fmt, &r->env);
    return (a ^ b) & lw_fp_sign_bit(r->fmt);
}

/* A subnormal source is first multiplied by 2^24, and the root accordingly by 2^12. */
static uint64_t inverse_root(const lw_ptx_record *r, uint64_t a)
{
    enum { UP = 24 };
    static const lw_fp_env exact = { .keep_in = true, .keep_out = true };
    const lw_format *f = r->fmt;
    a = lw_fp_flush_in(f, &r->env, a);
    if (lw_fp_is_nan(f, a) || (lw_fp_neg(f, a) && !lw_fp_is_zero(f, a)))
        return lw_fp_nan(f, &r->env);
    if (!lw_fp_is_subnormal(f, a))
        return lw_near_rsqrt_f32((uint32_t)a);
    const uint32_t root = lw_near_rsqrt_f32((uint32_t)lw_fp_ldexp(f, &exact, a, UP));
    return lw_fp_ldexp(f, &exact, root, UP / 2);
}

/* The upper word of f64 as a format. */
static const lw_format upper = {
    .bits = 32, .exp_bits = 11, .frac_bits = 20, .bias = 1023, .top = LW_TOP_IEEE
};
static const lw_fp_env flushing = { .nan = LW_NAN_ONES };

/*
 * 1 / sqrt(v) to 54 bits and a sticky bit. With v = m * 2^(2k) and m of at most 54 bits, the root is the
 * largest q with q * q * m <= 2^160.
 */
static lw_fp_num reciprocal_root(const lw_fp_num *v)
{
    enum { FRACTION = 52, TWICE = 160 };
    const uint64_t limit = UINT64_C(1) << (TWICE - 128);
    const int even = (v->exp - FRACTION) % 2 ? v->exp - FRACTION - 1 : v->exp - FRACTION;
    const uint64_t m = v->hi >> (63 - FRACTION) << (v->exp - FRACTION - even);
    uint64_t q = 0;
    bool exact = false;
    for (uint64_t bit = UINT64_C(1) << 54; bit; bit >>= 1) {
        const lw_u128 square = lw_u128_mul(q | bit, q | bit), low = lw_u128_mul(square.lo, m);
        const lw_u128 high =
            lw_u128_add(lw_u128_mul(square.hi, m), (lw_u128){ 0, low.hi }); /* from bit 64 upwards */
        const bool equal = high.hi == limit && !high.lo && !low.lo;
        if (high.hi < limit || equal)
            q |= bit;
        exact = exact || equal;
    }
    return lw_fp_from_int(false, q << 1 | !exact, -even / 2 - TWICE / 2 - 1);
}

static uint64_t f64_root(const lw_format *f, const lw_fp_env *e, uint64_t a)
{
    a = lw_fp_flush_in(f, e, a);
    if (lw_fp_is_nan(f, a) || (lw_fp_neg(f, a) && !lw_fp_is_zero(f, a)))
        return lw_fp_nan(f, e);
    if (lw_fp_is_zero(f, a))
        return lw_fp_inf(f) | (a & lw_fp_sign_bit(f));
    if (lw_fp_is_inf(f, a))
        return 0;
    const lw_fp_num v = lw_fp_unpack(f, a), root = reciprocal_root(&v);
    return lw_fp_pack(f, e, &root);
}

LW_PTX_LANE(rcp_coarse, lw_fp_div(&upper, &flushing, lw_fp_one(&upper), a >> 32) << 32)
LW_PTX_LANE(rsqrt_coarse, f64_root(&upper, &flushing, a >> 32) << 32)
LW_PTX_LANE(rsqrt_f64, f64_root(r->fmt, &r->env, a))
LW_PTX_LANE(rcp_approx, lw_ptx_result(r, lw_fp_div(r->fmt, &r->env, lw_fp_one(r->fmt), a)))
LW_PTX_LANE(sqrt_approx, lw_ptx_result(r, lw_fp_sqrt(r->fmt, &r->env, a)))
LW_PTX_LANE(rsqrt, lw_ptx_result(r, inverse_root(r, a)))
LW_PTX_LANE(ex2, lw_ptx_result(r, lw_near_exp2(r->fmt, &r->env, a)))
LW_PTX_LANE(lg2, lw_ptx_result(r, lw_near_log2(r->fmt, &r->env, a)))
LW_PTX_LANE(sin, lw_ptx_result(r, lw_near_sin(r->fmt, &r->env, a)))
LW_PTX_LANE(cos, lw_ptx_result(r, lw_near_cos(r->fmt, &r->env, a)))
LW_PTX_LANE(tanh, lw_ptx_result(r, lw_near_tanh(r->fmt, &r->env, a)))
LW_PTX_LANE(div_approx, lw_ptx_result(r, divided(r, a, b)))
LW_PTX_LANE(div_full, lw_ptx_result(r, lw_fp_div(r->fmt, &r->env, a, b)))
