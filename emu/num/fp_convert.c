/* SPDX-License-Identifier: MIT */
/* Conversions between IEEE formats, and to and from integers. */
#include "emu/num/fp.h"

static uint64_t convert_nan(const lw_format *from, const lw_fp_env *e, const lw_format *to,
                            const lw_fp_env *e_to, uint64_t x)
{
    if (lw_fp_has_one_nan(e_to))
        return lw_fp_one_nan(to, (lw_nan_rule)e_to->nan);
    const uint64_t sign = lw_fp_neg(from, x) ? lw_fp_sign_bit(to) : 0;
    const uint64_t payload = x & (((uint64_t)1 << from->frac_bits) - 1);
    if (to->frac_bits >= from->frac_bits)
        return lw_fp_pass_nan(to, e, sign | lw_fp_inf(to) | payload << (to->frac_bits - from->frac_bits));
    return sign | lw_fp_inf(to) | lw_fp_quiet_bit(to) | payload >> (from->frac_bits - to->frac_bits);
}

uint64_t lw_fp_convert(const lw_format *from, const lw_fp_env *e_from, const lw_format *to,
                       const lw_fp_env *e_to, uint64_t x)
{
    if (lw_fp_is_nan(from, x))
        return convert_nan(from, e_from, to, e_to, x);
    x = lw_fp_flush_in(from, e_from, x);
    const uint64_t sign = lw_fp_neg(from, x) ? lw_fp_sign_bit(to) : 0;
    if (lw_fp_is_inf(from, x))
        return sign | lw_fp_inf(to);
    if (lw_fp_is_zero(from, x))
        return sign;
    const lw_fp_num v = lw_fp_unpack(from, x);
    return lw_fp_pack(to, e_to, &v);
}

uint64_t lw_fp_from_u64(const lw_format *f, const lw_fp_env *e, bool neg, uint64_t magnitude)
{
    if (magnitude == 0)
        return 0;
    const lw_fp_num v = lw_fp_from_int(neg, magnitude, 0);
    return lw_fp_pack(f, e, &v);
}

/* The rounded magnitude of a number or an infinity, at most `limit`. */
static uint64_t magnitude_up_to(const lw_format *f, lw_fp_rounding round, uint64_t limit, uint64_t x)
{
    if (lw_fp_is_zero(f, x))
        return 0;
    if (lw_fp_is_inf(f, x))
        return limit;
    const lw_fp_num v = lw_fp_unpack(f, x);
    if (v.exp > 40)
        return limit;
    const uint64_t n = lw_fp_round_int(&v, round);
    return n > limit ? limit : n;
}

uint32_t lw_fp_to_uint(const lw_format *f, const lw_fp_env *e, lw_fp_rounding round, unsigned bits,
                       uint64_t x)
{
    x = lw_fp_flush_in(f, e, x);
    if (lw_fp_is_nan(f, x) || lw_fp_neg(f, x))
        return 0;
    return (uint32_t)magnitude_up_to(f, round, ((uint64_t)1 << bits) - 1, x);
}

int32_t lw_fp_to_int(const lw_format *f, const lw_fp_env *e, lw_fp_rounding round, unsigned bits, uint64_t x)
{
    x = lw_fp_flush_in(f, e, x);
    if (lw_fp_is_nan(f, x))
        return 0;
    const uint64_t half = (uint64_t)1 << (bits - 1);
    if (lw_fp_neg(f, x))
        return (int32_t) - (int64_t)magnitude_up_to(f, round, half, x);
    return (int32_t)magnitude_up_to(f, round, half - 1, x);
}

static int32_t nan_by_sign(const lw_format *f, uint64_t x)
{
    return lw_fp_neg(f, x) ? INT32_MIN : INT32_MAX;
}

int32_t lw_fp_to_int_floor(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return lw_fp_is_nan(f, x) ? nan_by_sign(f, x) : lw_fp_to_int(f, e, LW_FP_DOWN, 32, x);
}

int32_t lw_fp_to_int_half_up(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    if (lw_fp_is_nan(f, x))
        return nan_by_sign(f, x);
    x = lw_fp_flush_in(f, e, x);
    if (lw_fp_is_zero(f, x) || lw_fp_is_inf(f, x))
        return lw_fp_to_int(f, e, LW_FP_DOWN, 32, x);

    const lw_fp_num v = lw_fp_unpack(f, x), half = lw_fp_from_int(false, 1, -1);
    lw_fp_num sum;
    if (!lw_fp_sum(&v, &half, &sum))
        return 0;
    if (sum.exp > 31)
        return sum.neg ? INT32_MIN : INT32_MAX;
    const int64_t n = (int64_t)lw_fp_round_int(&sum, LW_FP_DOWN);
    if (sum.neg)
        return n > INT32_MAX ? INT32_MIN : (int32_t)-n;
    return n > INT32_MAX ? INT32_MAX : (int32_t)n;
}

int32_t lw_fp_to_norm(const lw_format *f, const lw_fp_env *e, uint32_t steps, bool is_signed, uint64_t x)
{
    x = lw_fp_flush_in(f, e, x);
    const bool neg = lw_fp_neg(f, x);
    if (lw_fp_is_nan(f, x) || lw_fp_is_zero(f, x) || (neg && !is_signed))
        return 0;
    uint64_t n = steps;
    if (!lw_fp_is_inf(f, x)) {
        const lw_fp_num v = lw_fp_unpack(f, x), scale = lw_fp_from_int(false, steps, 0);
        const lw_fp_num p = lw_fp_product(&v, &scale);
        n = p.exp > 40 ? steps : lw_fp_round_int(&p, LW_FP_RNE);
        n = n > steps ? steps : n;
    }
    return neg ? -(int32_t)n : (int32_t)n;
}
