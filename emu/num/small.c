/* SPDX-License-Identifier: MIT */
#include "emu/num/small.h"

const lw_small lw_small_fp8 = { &lw_fp_fp8, 0x7e, 0x7f, 0x7f, 0x7f };
const lw_small lw_small_bf8 = { &lw_fp_bf8, 0x7b, 0x7c, 0x7c, 0x7e };
const lw_small lw_small_fp8_rdna = { &lw_fp_fp8, 0x7e, 0x7f, 0x7f, 0xff };
const lw_small lw_small_bf8_rdna = { &lw_fp_bf8, 0x7b, 0x7c, 0x7c, 0xfe };
const lw_small lw_small_fp8_fnuz = { &lw_fp_fp8_fnuz, 0x7f, 0x80, 0x80, 0x80 };
const lw_small lw_small_bf8_fnuz = { &lw_fp_bf8_fnuz, 0x7f, 0x80, 0x80, 0x80 };
const lw_small lw_small_fp6 = { &lw_fp_fp6, 0x1f, 0x1f, 0x1f, 0x1f };
const lw_small lw_small_bf6 = { &lw_fp_bf6, 0x1f, 0x1f, 0x1f, 0x1f };
const lw_small lw_small_fp4 = { &lw_fp_fp4, 0x7, 0x7, 0x7, 0x7 };

static uint32_t with_sign(const lw_small *to, bool neg, uint32_t code)
{
    const uint32_t sign = (uint32_t)lw_fp_sign_bit(to->fmt);
    if (to->fmt->top == LW_TOP_FNUZ && (code == 0 || code == sign))
        return code;
    return neg ? sign | code : code;
}

/* Results that need no rounding; false for a finite number other than zero. */
static bool narrow_special(const lw_small *to, bool ovfl, const lw_format *from, uint64_t x, int scale,
                           uint32_t *code)
{
    const bool neg = lw_fp_neg(from, x);
    const bool fnuz = to->fmt->top == LW_TOP_FNUZ;
    if (lw_fp_is_nan(from, x) || scale == LW_SCALE_NAN)
        *code = with_sign(to, neg, to->nan);
    else if (lw_fp_is_inf(from, x))
        *code = with_sign(to, neg, ovfl && fnuz ? to->max : to->inf);
    else if (lw_fp_is_zero(from, x))
        *code = with_sign(to, neg, 0);
    else
        return false;
    return true;
}

static uint32_t finish(const lw_small *to, bool ovfl, bool neg, uint64_t code)
{
    if (code > to->max)
        return with_sign(to, neg, ovfl ? to->max : to->overflow);
    return with_sign(to, neg, (uint32_t)code);
}

uint32_t lw_small_narrow(const lw_small *to, bool ovfl, const lw_format *from, uint64_t x, int scale)
{
    uint32_t code;
    if (narrow_special(to, ovfl, from, x, scale, &code))
        return code;
    lw_fp_num v = lw_fp_unpack(from, x);
    v.exp -= scale;
    return finish(to, ovfl, v.neg, lw_fp_round_code(to->fmt, LW_FP_RNE, &v));
}

/*
 * Stochastic rounding of a number with `from_bits` fraction bits. A value below the normal range is first
 * aligned to it, dropping bits; then the seed's top bits are added under the last place and the rest is cut.
 */
static uint64_t round_sr_code(const lw_format *to, const lw_fp_num *v, unsigned from_bits, uint32_t seed)
{
    const int emin = 1 - to->bias;
    const unsigned n = from_bits - to->frac_bits;
    const int below = v->exp < emin ? emin - v->exp : 0;
    uint64_t sig = v->hi >> (63 - from_bits);
    sig = below > 63 ? 0 : sig >> below;
    sig = (sig + (seed >> (32 - n))) >> n;
    return below ? sig : ((uint64_t)(v->exp - emin) << to->frac_bits) + sig;
}

uint32_t lw_small_narrow_sr(const lw_small *to, bool ovfl, const lw_format *from, uint64_t x, int scale,
                            uint32_t seed)
{
    uint32_t code;
    if (narrow_special(to, ovfl, from, x, scale, &code))
        return code;
    lw_fp_num v = lw_fp_unpack(from, x);
    v.exp -= scale;
    return finish(to, ovfl, v.neg, round_sr_code(to->fmt, &v, from->frac_bits, seed));
}

uint64_t lw_fp_convert_sr(const lw_format *to, const lw_fp_env *e, uint32_t x, uint32_t seed)
{
    static const lw_fp_env keep = { .keep_in = true, .keep_out = true, .ieee = true };
    const lw_format *from = &lw_fp_f32;
    if (lw_fp_is_zero(from, x) || lw_fp_magnitude(from, x) >= lw_fp_inf(from))
        return lw_fp_convert(from, &keep, to, &keep, x);
    const lw_fp_num v = lw_fp_unpack(from, x);
    const uint64_t sign = v.neg ? lw_fp_sign_bit(to) : 0;
    const uint64_t code = round_sr_code(to, &v, from->frac_bits, seed);
    return sign | (code >= lw_fp_inf(to) ? lw_fp_inf(to) - e->saturate : code);
}

/* The NaN of a widening conversion, without its sign: f32 7fc00000, f16 and bf16 7fff (AMD's host
 * reference). */
static uint64_t widened_nan(const lw_format *to)
{
    return lw_fp_one_nan(to, to->bits == 32 ? LW_NAN_QUIET : LW_NAN_ONES);
}

uint64_t lw_small_widen(const lw_small *from, uint32_t code, int scale, const lw_format *to)
{
    const lw_format *f = from->fmt;
    const uint64_t sign = lw_fp_neg(f, code) ? lw_fp_sign_bit(to) : 0;
    if (lw_format_is_nan(f, code) || scale == LW_SCALE_NAN)
        return sign | widened_nan(to);
    if (lw_format_is_inf(f, code))
        return sign | lw_fp_inf(to);
    if (lw_fp_is_zero(f, code))
        return sign;
    static const lw_fp_env nearest = { .keep_in = true, .keep_out = true };
    lw_fp_num v = lw_fp_unpack(f, code);
    v.exp += scale;
    return lw_fp_pack(to, &nearest, &v);
}
