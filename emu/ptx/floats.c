/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic on f32, and conversions. Every NaN that an operation makes or passes on is 0x7fffffff (PTX
 * ISA 9.1, "Floating-Point Instructions"); .ftz flushes subnormal sources and results to zeros of their sign.
 * Whether a result is subnormal is judged after rounding, which nobody has measured.
 */
#include "emu/ptx/handlers.h"

static uint64_t flushed(const lw_ptx_record *r, uint64_t x)
{
    return lw_fp_flush_in(r->fmt, &r->env, x);
}

/* .sat: from +0 to 1; a NaN becomes +0. */
static uint64_t result(const lw_ptx_record *r, uint64_t v)
{
    const uint64_t one = (uint64_t)r->fmt->bias << r->fmt->frac_bits;
    if (!r->sat)
        return v;
    return lw_fp_is_nan(r->fmt, v) || lw_fp_neg(r->fmt, v) ? 0 : v > one ? one : v;
}

/* Of two numbers; one NaN gives the other operand, or, with .NaN, a NaN. */
static uint64_t select(const lw_ptx_record *r, uint64_t a, uint64_t b, bool larger)
{
    a = flushed(r, a);
    b = flushed(r, b);
    const bool nan_a = lw_fp_is_nan(r->fmt, a), nan_b = lw_fp_is_nan(r->fmt, b);
    if (nan_a || nan_b)
        return (nan_a && nan_b) || r->word == LW_PTX_WORD_NAN ? lw_fp_nan(r->fmt, &r->env) : nan_a ? b : a;
    if (lw_fp_is_zero(r->fmt, a) && lw_fp_is_zero(r->fmt, b))
        return lw_fp_neg(r->fmt, a) == larger ? b : a;
    const bool a_less = lw_fp_compare(r->fmt, &r->env, a, b) == LW_FP_LESS;
    return a_less == larger ? b : a;
}

static uint64_t negated(const lw_ptx_record *r, uint64_t a)
{
    if (lw_fp_is_nan(r->fmt, a))
        return lw_fp_pass_nan(r->fmt, &r->env, a);
    return flushed(r, a) ^ lw_fp_sign_bit(r->fmt);
}

static uint64_t magnitude(const lw_ptx_record *r, uint64_t a)
{
    if (lw_fp_is_nan(r->fmt, a))
        return lw_fp_pass_nan(r->fmt, &r->env, a);
    return lw_fp_magnitude(r->fmt, flushed(r, a));
}

LW_PTX_LANE(add_f32, result(r, lw_fp_add(r->fmt, &r->env, a, b)))
LW_PTX_LANE(sub_f32, result(r, lw_fp_sub(r->fmt, &r->env, a, b)))
LW_PTX_LANE(mul_f32, result(r, lw_fp_mul(r->fmt, &r->env, a, b)))
LW_PTX_LANE(fma_f32, result(r, lw_fp_fma(r->fmt, &r->env, a, b, c)))
LW_PTX_LANE(min_f32, select(r, a, b, false))
LW_PTX_LANE(max_f32, select(r, a, b, true))
LW_PTX_LANE(neg_f32, negated(r, a))
LW_PTX_LANE(abs_f32, magnitude(r, a))

/* ---- Conversions ---- */

static uint64_t from_int(const lw_ptx_record *r, uint64_t a)
{
    const bool negative = r->src_signed && (int64_t)a < 0;
    const uint64_t v = lw_fp_from_u64(r->fmt, &r->env, negative, negative ? 0 - a : a);
    return r->sat ? result(r, v) : v;
}

/* To 32 bits and fewer: limited to the range, NaN gives 0. */
static uint64_t to_int(const lw_ptx_record *r, uint64_t a)
{
    const lw_fp_rounding round = (lw_fp_rounding)r->round;
    return r->dst_signed ? (uint64_t)lw_fp_to_int(r->src_fmt, &r->env, round, r->dst_bits, a)
                         : lw_fp_to_uint(r->src_fmt, &r->env, round, r->dst_bits, a);
}

/* The same format: .rni and the like round to a whole number. */
static uint64_t same_f32(const lw_ptx_record *r, uint64_t a)
{
    if (lw_fp_is_nan(r->fmt, a))
        return result(r, lw_fp_pass_nan(r->fmt, &r->env, a));
    a = flushed(r, a);
    return result(r, r->word == LW_PTX_WORD_RNI   ? lw_fp_rndne(r->fmt, &r->env, a)
                     : r->word == LW_PTX_WORD_RZI ? lw_fp_trunc(r->fmt, &r->env, a)
                     : r->word == LW_PTX_WORD_RMI ? lw_fp_floor(r->fmt, &r->env, a)
                     : r->word == LW_PTX_WORD_RPI ? lw_fp_ceil(r->fmt, &r->env, a)
                                                  : a);
}

static uint64_t from_f64(const lw_ptx_record *r, uint64_t a)
{
    const lw_fp_env whole = { .keep_in = true, .keep_out = true };
    return result(r, lw_fp_convert(&lw_fp_f64, &whole, r->fmt, &r->env, a));
}

LW_PTX_LANE(cvt_from_int, from_int(r, a))
LW_PTX_LANE(cvt_to_int, to_int(r, a))
LW_PTX_LANE(cvt_f32, same_f32(r, a))
LW_PTX_LANE(cvt_narrow, from_f64(r, a))
