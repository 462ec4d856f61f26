/* SPDX-License-Identifier: MIT */
#include "emu/num/fp_div.h"

/* How far apart exponents must be to cause trouble, and the power of two that corrects it. */
static int far_apart(const lw_format *f)
{
    return f->frac_bits == 52 ? 768 : 96;
}

static int cure(const lw_format *f)
{
    return f->frac_bits == 52 ? 128 : 64;
}

static int scale_of(const lw_format *f, int e_d, int e_n, bool is_den, bool *post)
{
    const int delta = e_n - e_d, far = far_apart(f), k = cure(f);
    *post = false;
    if (delta >= far) {
        *post = true;
        return is_den ? k : 0;
    }
    if (e_d == 0)
        return k;
    if (e_d >= 2 * f->bias - 1) {
        *post = delta <= -far;
        return *post && !is_den ? 0 : -k;
    }
    if (delta <= -far) {
        *post = true;
        return is_den ? 0 : k;
    }
    return e_n <= (f->frac_bits == 52 ? 53 : 24) ? k : 0;
}

uint64_t lw_fp_div_scale(const lw_format *f, const lw_fp_env *e, uint64_t value, uint64_t d, uint64_t n,
                         bool *post)
{
    const bool is_den = value == d;
    d = lw_fp_flush_in(f, e, d);
    n = lw_fp_flush_in(f, e, n);
    const int scale = scale_of(f, lw_fp_field(f, d), lw_fp_field(f, n), is_den, post);
    if (lw_fp_is_zero(f, d) || lw_fp_is_zero(f, n))
        return lw_fp_nan(f, e);
    if (lw_fp_is_nan(f, value))
        return lw_fp_pass_nan(f, e, value);
    return lw_fp_ldexp(f, e, value, scale);
}

uint64_t lw_fp_div_fmas(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c, bool post)
{
    if (lw_fp_is_nan(f, a))
        return lw_fp_pass_nan(f, e, a);
    if (lw_fp_is_nan(f, b))
        return lw_fp_pass_nan(f, e, b);
    const int scale = lw_fp_field(f, c) > f->bias ? cure(f) : -cure(f);
    return lw_fp_fma_scaled(f, e, a, b, c, post ? scale : 0);
}

/* The correctly rounded result of something too large or too small for the format. */
static uint64_t out_of_range(const lw_format *f, const lw_fp_env *e, bool neg, bool large)
{
    const lw_fp_num v = { neg, large ? 8 * f->bias : -8 * f->bias, (uint64_t)1 << 63, 0 };
    return lw_fp_pack(f, e, &v);
}

uint64_t lw_fp_div_fixup(const lw_format *f, const lw_fp_env *e, uint64_t q, uint64_t d, uint64_t n)
{
    if (lw_fp_is_nan(f, n))
        return lw_fp_pass_nan(f, e, n) | lw_fp_quiet_bit(f);
    if (lw_fp_is_nan(f, d))
        return lw_fp_pass_nan(f, e, d) | lw_fp_quiet_bit(f);
    d = lw_fp_flush_in(f, e, d);
    n = lw_fp_flush_in(f, e, n);
    const uint64_t sign = (n ^ d) & lw_fp_sign_bit(f);
    const bool zero_d = lw_fp_is_zero(f, d), zero_n = lw_fp_is_zero(f, n);
    const bool inf_d = lw_fp_is_inf(f, d), inf_n = lw_fp_is_inf(f, n);
    if ((zero_d && zero_n) || (inf_d && inf_n))
        return lw_fp_nan(f, e);
    if (zero_d || inf_n)
        return sign | lw_fp_inf(f);
    if (zero_n || inf_d)
        return sign;
    /* not for f16 (captures of a gfx1201) */
    if (f->frac_bits != 10 && lw_fp_field(f, n) - lw_fp_field(f, d) < -(f->bias + f->frac_bits))
        return out_of_range(f, e, sign != 0, false);
    if (lw_fp_magnitude(f, q) >= lw_fp_inf(f))
        return out_of_range(f, e, sign != 0, true);
    return sign | lw_fp_magnitude(f, q);
}

/* The constant ends at fraction bit 1184 on gfx1201; the printed pseudo-code has 1201 bits. */
static const uint64_t two_over_pi[] = {
#define WORD(value) value,
#include "two_over_pi.inc"
#undef WORD
};

uint64_t lw_fp_trig_preop(uint64_t x, uint32_t segment)
{
    enum { BITS = 53, WORDS = sizeof(two_over_pi) / sizeof(two_over_pi[0]) };
    static const lw_fp_env exact = { .round = LW_FP_ZERO, .keep_in = true, .keep_out = true };
    const int field = lw_fp_field(&lw_fp_f64, x);
    const int shift = BITS * (int)(segment & 31) + (field > 1077 ? field - 1077 : 0);
    uint64_t bits = 0;
    for (int i = 0; i < BITS; i++) {
        const unsigned at = (unsigned)(shift + i);
        const uint64_t bit = at / 64 < WORDS ? two_over_pi[at / 64] >> (63 - at % 64) & 1 : 0;
        bits = bits << 1 | bit;
    }
    if (bits == 0)
        return 0;
    const lw_fp_num v = lw_fp_from_int(false, bits, -BITS - shift + (field >= 1968 ? 128 : 0));
    return lw_fp_pack(&lw_fp_f64, &exact, &v);
}
