/* SPDX-License-Identifier: MIT */
/* Integral parts, fraction, exponent and mantissa, scaling, output modifiers. */
#include "emu/num/fp.h"

static uint64_t to_integral(const lw_format *f, const lw_fp_env *e, lw_fp_rounding round, uint64_t x)
{
    if (lw_fp_is_nan(f, x))
        return lw_fp_pass_nan(f, e, x);
    x = lw_fp_flush_in(f, e, x);
    if (lw_fp_is_zero(f, x) || lw_fp_field(f, x) >= f->bias + f->frac_bits)
        return x;
    const lw_fp_num v = lw_fp_unpack(f, x);
    const uint64_t n = lw_fp_round_int(&v, round);
    const uint64_t sign = x & lw_fp_sign_bit(f);
    if (n == 0)
        return sign;
    const lw_fp_num whole = lw_fp_from_int(false, n, 0);
    return sign | lw_fp_round_code(f, LW_FP_ZERO, &whole);
}

uint64_t lw_fp_trunc(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return to_integral(f, e, LW_FP_ZERO, x);
}

uint64_t lw_fp_ceil(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return to_integral(f, e, LW_FP_UP, x);
}

uint64_t lw_fp_floor(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return to_integral(f, e, LW_FP_DOWN, x);
}

uint64_t lw_fp_rndne(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return to_integral(f, e, LW_FP_RNE, x);
}

uint64_t lw_fp_fract(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    if (lw_fp_is_nan(f, x))
        return lw_fp_pass_nan(f, e, x);
    if (lw_fp_is_inf(f, x))
        return lw_fp_nan(f, e);
    const uint64_t below_one = lw_fp_one(f) - 1;
    const uint64_t r = lw_fp_sub(f, e, x, lw_fp_floor(f, e, x));
    return !lw_fp_neg(f, r) && r > below_one ? below_one : r;
}

static bool has_no_exponent(const lw_format *f, uint64_t x)
{
    return lw_fp_is_zero(f, x) || lw_fp_magnitude(f, x) >= lw_fp_inf(f);
}

uint64_t lw_fp_frexp_mant(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    x = lw_fp_flush_in(f, e, x);
    if (lw_fp_is_nan(f, x))
        return x | lw_fp_quiet_bit(f);
    if (has_no_exponent(f, x))
        return x;
    lw_fp_num v = lw_fp_unpack(f, x);
    v.exp = -1;
    return (x & lw_fp_sign_bit(f)) | lw_fp_round_code(f, LW_FP_ZERO, &v);
}

int lw_fp_frexp_exp(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    x = lw_fp_flush_in(f, e, x);
    return has_no_exponent(f, x) ? 0 : lw_fp_unpack(f, x).exp + 1;
}

uint64_t lw_fp_ldexp(const lw_format *f, const lw_fp_env *e, uint64_t x, int n)
{
    if (lw_fp_is_nan(f, x))
        return lw_fp_pass_nan(f, e, x);
    x = lw_fp_flush_in(f, e, x);
    if (has_no_exponent(f, x))
        return x;
    lw_fp_num v = lw_fp_unpack(f, x);
    enum { FAR = 5000 }; /* beyond every format's range, subnormals included */
    v.exp += n > FAR ? FAR : n < -FAR ? -FAR : n;
    return lw_fp_pack(f, e, &v);
}

uint64_t lw_fp_omod(const lw_format *f, const lw_fp_env *e, uint64_t x, unsigned omod)
{
    static const int8_t steps[4] = { 0, 1, 2, -1 };
    if (omod == 0 || lw_fp_magnitude(f, x) >= lw_fp_inf(f))
        return x;
    const int field = lw_fp_field(f, x);
    if (field == 0)
        return 0;
    const uint64_t sign = x & lw_fp_sign_bit(f);
    if (field + steps[omod] <= 0)
        return sign;
    const lw_fp_env out = { .round = e->round, .keep_out = true, .saturate = e->saturate };
    lw_fp_num v = lw_fp_unpack(f, x);
    v.exp += steps[omod];
    return lw_fp_pack(f, &out, &v);
}

uint64_t lw_fp_clamp(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    const uint64_t one = lw_fp_one(f);
    if (lw_fp_is_nan(f, x))
        return e->dx10_clamp ? 0 : x;
    if (lw_fp_neg(f, x))
        return 0;
    return x > one ? one : x;
}
