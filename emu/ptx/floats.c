/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic on f16, bf16, f32 and f64. A NaN that an operation generates or passes on is 0x7fff or
 * 0x7fffffff (PTX ISA 9.1, "Floating-Point Instructions"). The ISA does not say which NaN f64 has; here it is
 * the first source's, quieted, or else 0xfff8000000000000. .ftz flushes subnormal sources and results to
 * zeros of their sign. That a result is judged subnormal after rounding has not been measured.
 */
#include "emu/num/ieee.h"
#include "emu/ptx/floats.h"

static uint64_t flushed(const lw_ptx_record *r, uint64_t x)
{
    return lw_fp_flush_in(r->fmt, &r->env, x);
}

static uint64_t nan_of(const lw_format *f, uint64_t v)
{
    return f == &lw_fp_f64 ? v : lw_fp_sign_bit(f) - 1;
}

uint64_t lw_ptx_result(const lw_ptx_record *r, uint64_t v)
{
    const lw_format *f = r->fmt;
    const uint64_t one = lw_fp_one(f);
    if (lw_fp_is_nan(f, v))
        return r->sat ? 0 : nan_of(f, v);
    if ((r->sat || r->relu) && lw_fp_neg(f, v))
        return 0;
    return r->sat && v > one ? one : v;
}

uint64_t lw_ptx_chosen(const lw_ptx_record *r, uint64_t a, uint64_t b, bool larger)
{
    const lw_format *f = r->fmt;
    a = flushed(r, a);
    b = flushed(r, b);
    const bool nan_a = lw_fp_is_nan(f, a), nan_b = lw_fp_is_nan(f, b);
    if ((nan_a && nan_b) || ((nan_a || nan_b) && lw_ptx_has(r, LW_PTX_GROUP_NAN)))
        return nan_of(f, lw_fp_pass_nan(f, &r->env, nan_a ? a : b));
    if (nan_a || nan_b)
        return nan_a ? b : a;
    if (lw_fp_is_zero(f, a) && lw_fp_is_zero(f, b))
        return lw_fp_neg(f, a) == larger ? b : a;
    const bool a_less = lw_fp_compare(f, &r->env, a, b) == LW_FP_LESS;
    return a_less == larger ? b : a;
}

/* The minimum or maximum of two or three; .abs takes their magnitudes. */
static uint64_t chosen_of(const lw_ptx_record *r, const uint64_t *in, bool larger)
{
    const bool abs = lw_ptx_has(r, LW_PTX_GROUP_ABS);
    uint64_t v[3];
    for (unsigned i = 0; i < 3; i++)
        v[i] = abs ? lw_fp_magnitude(r->fmt, in[i]) : in[i];
    const uint64_t two = lw_ptx_chosen(r, v[0], v[1], larger);
    return r->src_count > 2 ? lw_ptx_chosen(r, two, v[2], larger) : two;
}

/* .xorsign.abs: the minimum or maximum of the magnitudes, with the sign of the product. */
static uint64_t with_sign(const lw_ptx_record *r, uint64_t a, uint64_t b, bool larger)
{
    const lw_format *f = r->fmt;
    const uint64_t v = lw_ptx_chosen(r, lw_fp_magnitude(f, a), lw_fp_magnitude(f, b), larger);
    return lw_fp_is_nan(f, v) ? v : lw_fp_magnitude(f, v) | ((a ^ b) & lw_fp_sign_bit(f));
}

static uint64_t negated(const lw_ptx_record *r, uint64_t a)
{
    return lw_fp_is_nan(r->fmt, a) && r->fmt != &lw_fp_f64 ? nan_of(r->fmt, a)
                                                           : flushed(r, a) ^ lw_fp_sign_bit(r->fmt);
}

static uint64_t magnitude(const lw_ptx_record *r, uint64_t a)
{
    return lw_fp_is_nan(r->fmt, a) && r->fmt != &lw_fp_f64 ? nan_of(r->fmt, a)
                                                           : lw_fp_magnitude(r->fmt, flushed(r, a));
}

static uint64_t inverse(const lw_ptx_record *r, uint64_t a)
{
    return lw_fp_div(r->fmt, &r->env, lw_fp_one(r->fmt), a);
}

/* Every f16 and bf16 value is exact in f32. */
static uint64_t wide(const lw_ptx_record *r, uint64_t a)
{
    static const lw_fp_env keep = { .keep_in = true, .keep_out = true, .nan = LW_NAN_ONES };
    return lw_fp_convert(r->src_fmt, &keep, r->fmt, &keep, a);
}

/* Without flushing; NaNs keep their payload. */
static uint64_t signed_as(const lw_ptx_record *r, uint64_t a, uint64_t b)
{
    return (a & lw_fp_sign_bit(r->fmt)) | lw_fp_magnitude(r->fmt, b);
}

static bool is_kind(const lw_ptx_record *r, uint64_t a)
{
    enum { NAN_ = 1, INF = 2, ZERO = 4, SUBNORMAL = 8, NORMAL = 16 };
    static const uint8_t kinds[LW_PTX_WORD_COUNT] = {
        [LW_PTX_WORD_FINITE] = ZERO | SUBNORMAL | NORMAL,
        [LW_PTX_WORD_INFINITE] = INF,
        [LW_PTX_WORD_NUMBER] = INF | ZERO | SUBNORMAL | NORMAL,
        [LW_PTX_WORD_NOTANUMBER] = NAN_,
        [LW_PTX_WORD_NORMAL] = NORMAL,
        [LW_PTX_WORD_SUBNORMAL] = SUBNORMAL,
    };
    const lw_format *f = r->fmt;
    const unsigned kind = lw_fp_is_nan(f, a)         ? NAN_
                          : lw_fp_is_inf(f, a)       ? INF
                          : lw_fp_is_zero(f, a)      ? ZERO
                          : lw_fp_is_subnormal(f, a) ? SUBNORMAL
                                                     : NORMAL;
    return kinds[r->word] & kind;
}

LW_PTX_LANE(add_float, lw_ptx_result(r, lw_fp_add(r->fmt, &r->env, a, b)))
LW_PTX_LANE(sub_float, lw_ptx_result(r, lw_fp_sub(r->fmt, &r->env, a, b)))
LW_PTX_LANE(mul_float, lw_ptx_result(r, lw_fp_mul(r->fmt, &r->env, a, b)))
LW_PTX_LANE(fma_float, lw_ptx_result(r, lw_fp_fma(r->fmt, &r->env, a, b, c)))
LW_PTX_LANE(add_mixed, lw_ptx_result(r, lw_fp_add(r->fmt, &r->env, wide(r, a), b)))
LW_PTX_LANE(sub_mixed, lw_ptx_result(r, lw_fp_sub(r->fmt, &r->env, wide(r, a), b)))
LW_PTX_LANE(fma_mixed, lw_ptx_result(r, lw_fp_fma(r->fmt, &r->env, wide(r, a), wide(r, b), c)))
LW_PTX_LANE(div_float, lw_ptx_result(r, lw_fp_div(r->fmt, &r->env, a, b)))
LW_PTX_LANE(rcp, lw_ptx_result(r, inverse(r, a)))
LW_PTX_LANE(sqrt, lw_ptx_result(r, lw_fp_sqrt(r->fmt, &r->env, a)))
LW_PTX_LANE(min_float, lw_ptx_chosen(r, a, b, false))
LW_PTX_LANE(max_float, lw_ptx_chosen(r, a, b, true))
LW_PTX_LANE(min_f32, chosen_of(r, in, false))
LW_PTX_LANE(max_f32, chosen_of(r, in, true))
LW_PTX_LANE(min_xorsign, with_sign(r, a, b, false))
LW_PTX_LANE(max_xorsign, with_sign(r, a, b, true))
LW_PTX_LANE(neg_float, negated(r, a))
LW_PTX_LANE(abs_float, magnitude(r, a))
LW_PTX_LANE(copysign, signed_as(r, a, b))

/* The result is a predicate, whatever the type. */
static lw_ptx_step testp(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if (lanes >> lane & 1)
            lw_ptx_put(w, &r->dst[0], lane, is_kind(r, lw_ptx_get(w, &r->src[0], lane)));
    return LW_PTX_STEP_NEXT;
}

const lw_ptx_handler lw_ptx_sem_testp = { .exec = testp };

/* ---- Conversions ---- */

static uint64_t from_int(const lw_ptx_record *r, uint64_t a)
{
    const bool negative = r->src_signed && (int64_t)a < 0;
    return lw_ptx_result(r, lw_fp_from_u64(r->fmt, &r->env, negative, negative ? 0 - a : a));
}

/* Limited to the range. A NaN gives 0 or, from f64 or to 64 bits, only the sign bit (PTX ISA, "cvt"). */
static uint64_t to_int(const lw_ptx_record *r, uint64_t a)
{
    if (lw_fp_is_nan(r->src_fmt, a))
        return r->src_bits == 64 || r->dst_bits == 64 ? UINT64_C(1) << (r->dst_bits - 1) : 0;
    return lw_fp_to_whole(r->src_fmt, &r->env, (lw_fp_rounding)r->round, r->dst_bits, r->dst_signed, a);
}

/* To the same format: .rni and the like round to an integer. */
static uint64_t same(const lw_ptx_record *r, uint64_t a)
{
    typedef uint64_t integral(const lw_format *, const lw_fp_env *, uint64_t);
    static integral *const ways[LW_PTX_WORD_COUNT] = {
        [LW_PTX_WORD_RNI] = lw_fp_rndne,
        [LW_PTX_WORD_RZI] = lw_fp_trunc,
        [LW_PTX_WORD_RMI] = lw_fp_floor,
        [LW_PTX_WORD_RPI] = lw_fp_ceil,
    };
    a = flushed(r, a);
    if (lw_fp_is_nan(r->fmt, a) || !ways[r->word])
        return lw_ptx_result(r, a);
    return lw_ptx_result(r, ways[r->word](r->fmt, &r->env, a));
}

/* .satfinite: values beyond the largest number become the largest number. .ftz flushes only f32. */
static uint64_t converted(const lw_ptx_record *r, uint64_t a)
{
    lw_fp_env from = r->env, to = r->env;
    from.keep_in = from.keep_in || r->src_fmt != &lw_fp_f32;
    to.keep_out = to.keep_out || r->fmt != &lw_fp_f32;
    const uint64_t v = lw_fp_convert(r->src_fmt, &from, r->fmt, &to, a);
    if (lw_ptx_has(r, LW_PTX_GROUP_SATFINITE) && lw_fp_is_inf(r->fmt, v))
        return lw_ptx_result(r, v - 1);
    return lw_ptx_result(r, v);
}

/* f32 with ten fraction bits; the bits below are zeros. */
static uint64_t to_tf32(const lw_ptx_record *r, uint64_t a, bool away)
{
    enum { LOST = 13 };
    static const lw_format tf32 = {
        .bits = 19, .exp_bits = 8, .frac_bits = 10, .bias = 127, .top = LW_TOP_IEEE
    };
    uint64_t v;
    if (lw_fp_is_nan(&lw_fp_f32, a))
        return UINT64_C(0x7fffffff) >> LOST << LOST;
    if (away)
        v = lw_fp_is_inf(&lw_fp_f32, a) ? a >> LOST : (a + (UINT64_C(1) << (LOST - 1))) >> LOST;
    else
        v = lw_fp_convert(&lw_fp_f32, &r->env, &tf32, &r->env, a);
    if (lw_ptx_has(r, LW_PTX_GROUP_SATFINITE) && lw_fp_is_inf(&tf32, v))
        v--;
    return r->relu && lw_fp_neg(&tf32, v) ? 0 : v << LOST;
}

LW_PTX_LANE(cvt_from_int, from_int(r, a))
LW_PTX_LANE(cvt_to_int, to_int(r, a))
LW_PTX_LANE(cvt_same, same(r, a))
LW_PTX_LANE(cvt_float, converted(r, a))
LW_PTX_LANE(cvt_pair, converted(r, a) << r->dst_bits | converted(r, b))
LW_PTX_LANE(cvt_tf32, to_tf32(r, a, false))
LW_PTX_LANE(cvt_tf32_away, to_tf32(r, a, true))
