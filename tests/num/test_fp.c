/* SPDX-License-Identifier: MIT */
/* Scalar arithmetic compared with the host's hardware in all rounding modes, with exact integers for f16, and
 * with worked examples. */
#include <check.h>
#include <fenv.h>
#include <stdbool.h>
#include <stdio.h>

#include "emu/num/fp.h"
#include "emu/num/fp_div.h"
#include "emu/num/transc.h"
#include "tests/num/oracle.h"

enum { ROUNDS = 100000 };

static const int host_round[4] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
static uint64_t seed = 0x853c49e6748fea9bu;

static lw_fp_env env_of(unsigned round, bool keep)
{
    return (lw_fp_env){
        .round = (uint8_t)round, .keep_in = keep, .keep_out = keep, .ieee = true, .dx10_clamp = true
    };
}

/* The rule for NaNs, written again: 0 * Inf, then the first NaN source quieted, then Inf - Inf. */
static bool nan_rule32(bool has_c, uint32_t a, uint32_t b, uint32_t c, uint32_t *r)
{
    const float fa = f32_of(a), fb = f32_of(b), fc = f32_of(c);
    if ((isinf(fa) && fb == 0) || (isinf(fb) && fa == 0))
        *r = 0xffc00000;
    else if (isnan(fa))
        *r = a | 0x400000;
    else if (isnan(fb))
        *r = b | 0x400000;
    else if (has_c && isnan(fc))
        *r = c | 0x400000;
    else
        return false;
    return true;
}

START_TEST(f32_against_the_host)
{
    const lw_fp_env e = env_of((unsigned)_i, true);
    for (int i = 0; i < ROUNDS; i++) {
        const uint32_t a = (uint32_t)nasty(&seed, 8, 23), b = (uint32_t)nasty(&seed, 8, 23);
        uint32_t c = (uint32_t)nasty(&seed, 8, 23);
        if (i % 3 == 0) { /* close to -a*b, so that the sum cancels */
            const volatile float p = -(f32_of(a) * f32_of(b));
            c = bits_of_f32(p) ^ (uint32_t)(next_random(&seed) & 1);
        }
        const volatile float fa = f32_of(a), fb = f32_of(b), fc = f32_of(c);
        fesetround(host_round[_i]);
        const volatile float sum = fa + fb, product = fa * fb, fused = fmaf(fa, fb, fc);
        fesetround(FE_TONEAREST);
        uint32_t want_add = bits_of_f32(sum), want_mul = bits_of_f32(product), want_fma = bits_of_f32(fused);
        if (isnan(fa) || isnan(fb))
            want_add = (isnan(fa) ? a : b) | 0x400000;
        else if (isnan(sum))
            want_add = 0xffc00000;
        if (!nan_rule32(false, a, b, 0, &want_mul) && isnan(product))
            want_mul = 0xffc00000;
        if (!nan_rule32(true, a, b, c, &want_fma) && isnan(fused))
            want_fma = 0xffc00000;
        ck_assert_msg(lw_fp_add(&lw_fp_f32, &e, a, b) == want_add, "add %08x %08x", a, b);
        ck_assert_msg(lw_fp_mul(&lw_fp_f32, &e, a, b) == want_mul, "mul %08x %08x", a, b);
        ck_assert_msg(lw_fp_fma(&lw_fp_f32, &e, a, b, c) == want_fma, "fma %08x %08x %08x", a, b, c);
    }
}
END_TEST

START_TEST(f64_against_the_host)
{
    const lw_fp_env e = env_of((unsigned)_i, true);
    for (int i = 0; i < ROUNDS; i++) {
        const uint64_t a = nasty(&seed, 11, 52), b = nasty(&seed, 11, 52);
        uint64_t c = nasty(&seed, 11, 52);
        if (i % 3 == 0) {
            const volatile double p = -(f64_of(a) * f64_of(b));
            c = bits_of_f64(p) ^ (next_random(&seed) & 1);
        }
        const volatile double fa = f64_of(a), fb = f64_of(b), fc = f64_of(c);
        if (isnan(fa) || isnan(fb) || isnan(fc))
            continue;
        fesetround(host_round[_i]);
        const volatile double sum = fa + fb, product = fa * fb, fused = fma(fa, fb, fc);
        const volatile float narrow = (float)fa;
        fesetround(FE_TONEAREST);
        const uint64_t none = 0xfff8000000000000u;
        ck_assert_msg(lw_fp_add(&lw_fp_f64, &e, a, b) == (isnan(sum) ? none : bits_of_f64(sum)), "add %a %a",
                      fa, fb);
        ck_assert_msg(lw_fp_mul(&lw_fp_f64, &e, a, b) == (isnan(product) ? none : bits_of_f64(product)),
                      "mul %a %a", fa, fb);
        ck_assert_msg(lw_fp_fma(&lw_fp_f64, &e, a, b, c) == (isnan(fused) ? none : bits_of_f64(fused)),
                      "fma %a %a %a", fa, fb, fc);
        ck_assert_msg(lw_fp_convert(&lw_fp_f64, &e, &lw_fp_f32, &e, a) == bits_of_f32(narrow), "narrow %a",
                      fa);
    }
}
END_TEST

/*
 * Flushing, f32: sources by hand; whether the result is tiny is judged by rounding a copy scaled away from
 * the subnormals.
 */
START_TEST(f32_flushes_what_is_tiny_after_rounding)
{
    const lw_fp_env e = env_of((unsigned)_i, false);
    int flushed = 0, border = 0;
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t a = 0x1f800000 + ((uint32_t)next_random(&seed) & 0x80ffffff);
        const uint32_t b = 0x1f800000 + ((uint32_t)next_random(&seed) & 0x80ffffff);
        if (i % 2) /* products within an ulp or two of the smallest normal number */
            a = ((a & 0x80000000) | bits_of_f32((float)(ldexp(1, -126) / fabs((double)f32_of(b))))) -
                (i >> 1 & 1);
        const volatile double exact = (double)f32_of(a) * (double)f32_of(b), scaled = exact * ldexp(1, 100);
        fesetround(host_round[_i]);
        const volatile float wide = (float)scaled, direct = (float)exact;
        fesetround(FE_TONEAREST);
        const bool tiny = fabs((double)wide) < ldexp(1, -26);
        const uint32_t want = tiny ? bits_of_f32(direct) & 0x80000000 : bits_of_f32(direct);
        flushed += tiny;
        border += tiny && fabs((double)direct) >= ldexp(1, -126);
        ck_assert_msg(lw_fp_mul(&lw_fp_f32, &e, a, b) == want, "mul %08x %08x", a, b);
    }
    ck_assert_int_gt(flushed, 1000);
    ck_assert_int_gt(border + (_i == 3), 0); /* rounding to zero never reaches the border */
    ck_assert_uint_eq(lw_fp_add(&lw_fp_f32, &e, 0x80000001, 0x80000001), 0x80000000);
    ck_assert_uint_eq(lw_fp_mul(&lw_fp_f32, &e, 0x007fffff, 0x7f000000), 0);
}
END_TEST

__extension__ typedef __int128 wide_int;

/* A finite f16 in units of 2^-24. */
static wide_int f16_units(uint32_t code)
{
    const int field = code >> 10 & 31;
    const wide_int m = field ? (wide_int)((code & 0x3ff) | 0x400) << (field - 1) : (wide_int)(code & 0x3ff);
    return code & 0x8000 ? -m : m;
}

/* The f16 nearest to v * 2^-48, found by searching all magnitudes; the caller handles zero results. */
static uint32_t f16_round(wide_int v, unsigned round)
{
    const bool neg = v < 0;
    const wide_int m = neg ? -v : v, two16 = (wide_int)1 << 64;
    uint32_t low = 0, high = 0x7c00;
    while (high - low > 1) {
        const uint32_t mid = (low + high) / 2;
        if (f16_units(mid) * (1 << 24) <= m)
            low = mid;
        else
            high = mid;
    }
    const wide_int below = f16_units(low) << 24, above = high == 0x7c00 ? two16 : f16_units(high) << 24;
    bool up = false;
    if (m != below) {
        const wide_int twice = 2 * m - below - above;
        up = round == 0   ? twice > 0 || (twice == 0 && (low & 1))
             : round == 1 ? !neg
             : round == 2 ? neg
                          : false;
    }
    return (neg ? 0x8000 : 0) | (up ? high : low);
}

START_TEST(f16_fma_is_exact)
{
    const lw_fp_env e = env_of((unsigned)_i, true);
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t s[3];
        for (int j = 0; j < 3; j++)
            s[j] = (uint32_t)nasty(&seed, 5, 10);
        if ((s[0] & 0x7c00) == 0x7c00 || (s[1] & 0x7c00) == 0x7c00 || (s[2] & 0x7c00) == 0x7c00)
            continue;
        const wide_int v = f16_units(s[0]) * f16_units(s[1]) + f16_units(s[2]) * (1 << 24);
        const uint32_t got = (uint32_t)lw_fp_fma(&lw_fp_f16, &e, s[0], s[1], s[2]);
        const uint32_t once = (uint32_t)lw_fp_fma_f32_to(&lw_fp_f16, &e, bits_of_f32((float)f16_value(s[0])),
                                                         bits_of_f32((float)f16_value(s[1])),
                                                         bits_of_f32((float)f16_value(s[2])));
        if (v == 0) {
            ck_assert_msg((got & 0x7fff) == 0, "fma %04x %04x %04x = %04x", s[0], s[1], s[2], got);
            continue;
        }
        ck_assert_msg(got == f16_round(v, (unsigned)_i), "fma %04x %04x %04x = %04x", s[0], s[1], s[2], got);
        ck_assert_msg(once == got, "mixed fma %04x %04x %04x = %04x", s[0], s[1], s[2], once);
    }
}
END_TEST

START_TEST(f16_unary_over_all_inputs)
{
    const lw_fp_env e = env_of((unsigned)_i, true);
    for (uint32_t x = 0; x < 0x10000; x++) {
        const double v = f16_value(x);
        if (isnan(v))
            continue;
        const double sign = x & 0x8000 ? -1.0 : 1.0;
        const struct {
            uint64_t got;
            double want;
        } cases[] = { { lw_fp_trunc(&lw_fp_f16, &e, x), trunc(v) },
                      { lw_fp_ceil(&lw_fp_f16, &e, x), ceil(v) },
                      { lw_fp_floor(&lw_fp_f16, &e, x), floor(v) },
                      { lw_fp_rndne(&lw_fp_f16, &e, x), nearbyint(v) } };
        for (int j = 0; j < 4; j++) {
            const double got = f16_value((uint32_t)cases[j].got);
            ck_assert_msg(got == cases[j].want && signbit(got) == signbit(copysign(cases[j].want, sign)),
                          "case %d of %04x", j, x);
        }
        int n;
        const double m = frexp(v, &n);
        const bool plain = v != 0 && !isinf(v);
        ck_assert_int_eq(lw_fp_frexp_exp(&lw_fp_f16, &e, x), plain ? n : 0);
        ck_assert(f16_value((uint32_t)lw_fp_frexp_mant(&lw_fp_f16, &e, x)) == (plain ? m : v));
        const double fract = isinf(v) ? 0 : v - floor(v);
        if (_i == LW_FP_ZERO && !isinf(v)) {
            const double got = f16_value((uint32_t)lw_fp_fract(&lw_fp_f16, &e, x));
            ck_assert_msg(got <= fract && fract - got < ldexp(1, -11) && got < 1, "fract %04x", x);
        }
        ck_assert_uint_eq(lw_fp_convert(&lw_fp_f16, &e, &lw_fp_f32, &e, x), bits_of_f32((float)v));
        const double clipped = trunc(v) < -32768 ? -32768 : trunc(v) > 32767 ? 32767 : trunc(v);
        ck_assert_int_eq(lw_fp_to_int(&lw_fp_f16, &e, LW_FP_ZERO, 16, x), (int)clipped);
        ck_assert_uint_eq(lw_fp_to_uint(&lw_fp_f16, &e, LW_FP_ZERO, 16, x), v < 0       ? 0u
                                                                            : v > 65535 ? 65535u
                                                                                        : (unsigned)v);
        const double norm = nearbyint((v > 1 ? 1 : v < -1 ? -1 : v) * 32767);
        ck_assert_int_eq(lw_fp_to_norm(&lw_fp_f16, &e, 32767, true, x), (int)norm);
    }
}
END_TEST

START_TEST(mad_rounds_product_and_sum)
{
    const lw_format *f = &lw_fp_f16;
    const lw_fp_env e = { .keep_in = true, .keep_out = true, .ieee = true };
    lw_fp_env saturate = e;
    saturate.saturate = true;
    ck_assert_uint_eq(lw_fp_mad(f, &e, 0x3c01, 0x3c01, 0xbc02), 0x0000); /* fused: 2^-20 */
    ck_assert_uint_eq(lw_fp_fma(f, &e, 0x3c01, 0x3c01, 0xbc02), 0x0010);
    ck_assert_uint_eq(lw_fp_mad(f, &e, 0x7bff, 0x4000, 0xfc00), 0xfe00); /* Inf - Inf; fused: -Inf */
    ck_assert_uint_eq(lw_fp_fma(f, &e, 0x7bff, 0x4000, 0xfc00), 0xfc00);
    ck_assert_uint_eq(lw_fp_mad(f, &saturate, 0x7bff, 0x4000, 0xfc00), 0xfc00);
    ck_assert_uint_eq(lw_fp_mad(f, &e, 0x7bff, 0x4000, 0xfbff), 0x7c00); /* fused: 65504 */
    ck_assert_uint_eq(lw_fp_mad(f, &e, 0x7bff, 0x3c00, 0xfc00), 0xfc00);
    ck_assert_uint_eq(lw_fp_mad(f, &e, 0x7c00, 0x3c00, 0xfc00), 0xfe00);
    ck_assert_uint_eq(lw_fp_mad(f, &e, 0x7c00, 0x0000, 0x7d01), 0xfe00); /* Inf * 0 before a NaN addend */
    ck_assert_uint_eq(lw_fp_mad(f, &e, 0x3c00, 0x3c00, 0x7d01), 0x7f01);
    ck_assert_uint_eq(lw_fp_mad(f, &e, 0x3c00, 0x7d02, 0x7d01), 0x7f02);
}
END_TEST

START_TEST(f32_to_f16_and_back_to_integers)
{
    const lw_fp_env e = env_of((unsigned)_i, true);
    for (int i = 0; i < ROUNDS; i++) {
        const uint32_t x = (uint32_t)nasty(&seed, 8, 23);
        const double v = (double)f32_of(x);
        if (isnan(v))
            continue;
        if (fabs(v) < 1e6 && fabs(v) >= ldexp(1, -48) && v == ldexp(nearbyint(ldexp(v, 48)), -48)) {
            const uint32_t want = f16_round((wide_int)ldexp(v, 48), (unsigned)_i);
            ck_assert_msg(lw_fp_convert(&lw_fp_f32, &e, &lw_fp_f16, &e, x) == want, "f16 of %a", v);
        }
        const double whole = trunc(v), low = floor(v), half = floor(v + 0.5);
        ck_assert_int_eq(lw_fp_to_int(&lw_fp_f32, &e, LW_FP_ZERO, 32, x), whole < INT32_MIN ? INT32_MIN
                                                                          : whole > INT32_MAX
                                                                              ? INT32_MAX
                                                                              : (int32_t)whole);
        ck_assert_int_eq(lw_fp_to_int_floor(&lw_fp_f32, &e, x), low < INT32_MIN   ? INT32_MIN
                                                                : low > INT32_MAX ? INT32_MAX
                                                                                  : (int32_t)low);
        if (fabs(v) > 1e-8) /* v + 0.5 is exact in binary64 */
            ck_assert_int_eq(lw_fp_to_int_half_up(&lw_fp_f32, &e, x), half < INT32_MIN   ? INT32_MIN
                                                                      : half > INT32_MAX ? INT32_MAX
                                                                                         : (int32_t)half);
        const int n = (int)(next_random(&seed) % 300) - 150;
        fesetround(host_round[_i]);
        const volatile double scaled = ldexp(v, n);
        const volatile float rounded = (float)scaled, from = (float)(int32_t)x;
        fesetround(FE_TONEAREST);
        ck_assert_msg(lw_fp_ldexp(&lw_fp_f32, &e, x, n) == bits_of_f32(rounded), "ldexp %a %d", v, n);
        const int64_t k = (int32_t)x;
        ck_assert_uint_eq(lw_fp_from_u64(&lw_fp_f32, &e, k < 0, (uint64_t)(k < 0 ? -k : k)),
                          bits_of_f32(from));
    }
}
END_TEST

typedef struct pick_case {
    unsigned ieee;
    uint32_t a, b, min, max;
} pick_case;

/* NaN and zero rules of the gfx9 min and max (CDNA3 ISA manual). */
static const pick_case pick_cases[] = {
    { 1, 0x3f800000, 0x40000000, 0x3f800000, 0x40000000 },
    { 1, 0x80000000, 0x00000000, 0x80000000, 0x00000000 },
    { 1, 0x00000000, 0x80000000, 0x80000000, 0x00000000 },
    { 1, 0x7fc00001, 0x40000000, 0x40000000, 0x40000000 },
    { 1, 0x40000000, 0xffc00001, 0x40000000, 0x40000000 },
    { 1, 0x7f800001, 0x40000000, 0x7fc00001, 0x7fc00001 },
    { 1, 0x40000000, 0xff800001, 0xffc00001, 0xffc00001 },
    { 1, 0x7fc00001, 0x7f800002, 0x7fc00002, 0x7fc00002 },
    { 1, 0x7fc00001, 0x7fc00002, 0x7fc00002, 0x7fc00002 },
    { 0, 0x7f800001, 0x40000000, 0x40000000, 0x40000000 },
    { 0, 0x40000000, 0x7f800001, 0x40000000, 0x40000000 },
    { 0, 0x7f800001, 0x7f800002, 0x7f800002, 0x7f800002 },
    { 1, 0xff800000, 0xbf800000, 0xff800000, 0xbf800000 },
    { 1, 0x7f800000, 0x00000001, 0x00000001, 0x7f800000 },
};

START_TEST(min_max_rules)
{
    const pick_case *p = &pick_cases[_i];
    const lw_fp_env e = { .keep_in = true, .keep_out = true, .ieee = p->ieee };
    ck_assert_uint_eq(lw_fp_min(&lw_fp_f32, &e, p->a, p->b), p->min);
    ck_assert_uint_eq(lw_fp_max(&lw_fp_f32, &e, p->a, p->b), p->max);
}
END_TEST

START_TEST(selection_of_three)
{
    const lw_fp_env e = env_of(0, true);
    const lw_format *f = &lw_fp_f32;
    ck_assert_uint_eq(lw_fp_med3(f, &e, 0x80000000, 0, 0x80000000), 0x80000000);
    ck_assert_uint_eq(lw_fp_med3(f, &e, 0x40400000, 0x3f800000, 0x40000000), 0x40000000);
    ck_assert_uint_eq(lw_fp_med3(f, &e, 0x7fc00000, 0xc3700000, 0x43700000), 0xc3700000);
    ck_assert_uint_eq(lw_fp_minimum3(f, &e, 0x3f800000, 0xffc00005, 0x7f800001), 0xffc00005);
    ck_assert_uint_eq(lw_fp_maximum3(f, &e, 0x3f800000, 0x7f800001, 0x7fc00009), 0x7fc00001);
    ck_assert_uint_eq(lw_fp_maximum3(f, &e, 0x80000000, 0, 0x80000000), 0);
    ck_assert_uint_eq(lw_fp_mul_legacy(f, &e, 0x80000000, 0x7f800000), 0);
    ck_assert_uint_eq(lw_fp_mul_legacy(f, &e, 0x7fc00001, 0), 0);
    ck_assert_uint_eq(lw_fp_mul_legacy(f, &e, 0xc0000000, 0x40400000), 0xc0c00000);
}
END_TEST

START_TEST(output_modifiers)
{
    const lw_fp_env e = env_of(0, false), no_dx10 = { .round = 0 };
    const lw_format *f = &lw_fp_f32;
    ck_assert_uint_eq(lw_fp_omod(f, &e, 0x3fc00000, 1), 0x40400000);
    ck_assert_uint_eq(lw_fp_omod(f, &e, 0x3fc00000, 2), 0x40c00000);
    ck_assert_uint_eq(lw_fp_omod(f, &e, 0xbfc00000, 3), 0xbf400000);
    ck_assert_uint_eq(lw_fp_omod(f, &e, 0x80000000, 1), 0); /* the zero loses its sign */
    ck_assert_uint_eq(lw_fp_omod(f, &e, 0x80ffffff, 3), 0x80000000);
    ck_assert_uint_eq(lw_fp_omod(f, &e, 0x7f7fffff, 1), 0x7f800000);
    ck_assert_uint_eq(lw_fp_omod(f, &e, 0xffc12345, 2), 0xffc12345);
    ck_assert_uint_eq(lw_fp_clamp(f, &e, 0x7fc00000), 0);
    ck_assert_uint_eq(lw_fp_clamp(f, &no_dx10, 0x7fc00000), 0x7fc00000);
    ck_assert_uint_eq(lw_fp_clamp(f, &e, 0x80000000), 0);
    ck_assert_uint_eq(lw_fp_clamp(f, &e, 0x3f800001), 0x3f800000);
    ck_assert_uint_eq(lw_fp_clamp(f, &e, 0x3f000000), 0x3f000000);
    const lw_fp_env ovfl = { .keep_in = true, .keep_out = true, .saturate = true };
    ck_assert_uint_eq(lw_fp_add(&lw_fp_f16, &ovfl, 0x7bff, 0x7bff), 0x7bff);
    ck_assert_uint_eq(lw_fp_add(&lw_fp_f16, &ovfl, 0x7c00, 0x7bff), 0x7c00);
    ck_assert_uint_eq(lw_fp_fract(f, &e, 0xb3000000), 0x3f7fffff);
    ck_assert_uint_eq(lw_fp_fract(f, &e, 0x7f800000), 0xffc00000);
}
END_TEST

START_TEST(classes_and_orders)
{
    static const uint32_t of_class[10] = { 0x7f800001, 0x7fc00000, 0xff800000, 0xbf800000, 0x80000001,
                                           0x80000000, 0x00000000, 0x00000001, 0x3f800000, 0x7f800000 };
    const lw_fp_env e = env_of(0, true), flush = env_of(0, false);
    for (unsigned i = 0; i < 10; i++)
        ck_assert_uint_eq(lw_fp_class(&lw_fp_f32, of_class[i]), 1u << i);
    for (int i = 0; i < ROUNDS; i++) {
        const uint32_t a = (uint32_t)nasty(&seed, 8, 23);
        const uint32_t b = i % 5 ? (uint32_t)nasty(&seed, 8, 23) : a;
        const float fa = f32_of(a), fb = f32_of(b);
        const unsigned want = isnan(fa) || isnan(fb) ? LW_FP_UNORDERED
                              : fa < fb              ? LW_FP_LESS
                              : fa > fb              ? LW_FP_GREATER
                                                     : LW_FP_EQUAL;
        ck_assert_uint_eq(lw_fp_compare(&lw_fp_f32, &e, a, b), want);
    }
    ck_assert_uint_eq(lw_fp_compare(&lw_fp_f32, &flush, 1, 0x80000003), LW_FP_EQUAL);
}
END_TEST

/* A whole division as LLVM emits it, starting from the approximate reciprocal, must give the correctly
 * rounded quotient. */
static uint64_t divide(const lw_format *f, const lw_fp_env *e, uint64_t n, uint64_t d)
{
    bool post, ignored;
    const bool wide = f == &lw_fp_f64;
    const uint64_t sign = lw_fp_sign_bit(f), one = (uint64_t)f->bias << f->frac_bits;
    const uint64_t ds = lw_fp_div_scale(f, e, d, d, n, &ignored), ns = lw_fp_div_scale(f, e, n, d, n, &post);
    uint64_t r = wide ? lw_rcp_f64(e, ds) : lw_rcp_f32((uint32_t)ds);
    for (int i = 0; i < 1 + wide; i++)
        r = lw_fp_fma(f, e, lw_fp_fma(f, e, ds ^ sign, r, one), r, r);
    uint64_t q = lw_fp_mul(f, e, ns, r);
    if (!wide)
        q = lw_fp_fma(f, e, lw_fp_fma(f, e, ds ^ sign, q, ns), r, q);
    const uint64_t rest = lw_fp_fma(f, e, ds ^ sign, q, ns);
    return lw_fp_div_fixup(f, e, lw_fp_div_fmas(f, e, rest, r, q, post), d, n);
}

START_TEST(division_is_correctly_rounded)
{
    const lw_fp_env e = env_of(0, true);
    for (int i = 0; i < 60000; i++) {
        const uint32_t n = (uint32_t)nasty(&seed, 8, 23), d = (uint32_t)nasty(&seed, 8, 23);
        const volatile float want = f32_of(n) / f32_of(d);
        const uint32_t got = (uint32_t)divide(&lw_fp_f32, &e, n, d);
        if (isnan(want))
            ck_assert_msg(isnan(f32_of(got)), "%08x / %08x = %08x", n, d, got);
        else
            ck_assert_msg(got == bits_of_f32(want), "%08x / %08x = %08x, not %a", n, d, got, (double)want);
    }
    for (int i = 0; i < 60000; i++) {
        const uint64_t n = nasty(&seed, 11, 52), d = nasty(&seed, 11, 52);
        const volatile double want = f64_of(n) / f64_of(d);
        const uint64_t got = divide(&lw_fp_f64, &e, n, d);
        if (!isnan(want))
            ck_assert_msg(got == bits_of_f64(want), "%a / %a = %a", f64_of(n), f64_of(d), f64_of(got));
    }
    ck_assert_uint_eq(lw_fp_div_fixup(&lw_fp_f32, &e, 0, 0, 0), 0xffc00000);
    ck_assert_uint_eq(lw_fp_div_fixup(&lw_fp_f32, &e, 0, 0x80000000, 0x3f800000), 0xff800000);
    ck_assert_uint_eq(lw_fp_div_fixup(&lw_fp_f32, &e, 0, 0x7f800001, 0x7f800002), 0x7fc00002);
}
END_TEST

START_TEST(two_over_pi_segments)
{
    /* 2/pi = 0x0.a2f9836e4e441529fc2757d1f534ddc0...; segment 0 of a small argument is its first 53 bits. */
    ck_assert(fabs(f64_of(lw_fp_trig_preop(0x3ff0000000000000u, 0)) - 0.63661977236758134308) < 2e-16);
    const double first = f64_of(lw_fp_trig_preop(0x3ff0000000000000u, 0));
    const double second = f64_of(lw_fp_trig_preop(0x3ff0000000000000u, 1));
    ck_assert(second > 0 && second < ldexp(1, -53));
    ck_assert(first * 3.141592653589793116 + second * 3.14159265 - 2 < 1e-15);
    /* 3.14159... at exponent field 1078: one bit further in */
    const uint64_t shifted = lw_fp_trig_preop((uint64_t)1078 << 52, 0);
    ck_assert_uint_eq(shifted >> 52, 1020); /* 0.1010...: the first digit is dropped, the third leads */
    ck_assert_uint_eq(lw_fp_trig_preop((uint64_t)1078 << 52, 31), 0); /* beyond the stored digits */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fp");
    TCase *tc = tcase_create("fp");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, f32_against_the_host, 0, 4);
    tcase_add_loop_test(tc, f64_against_the_host, 0, 4);
    tcase_add_loop_test(tc, f32_flushes_what_is_tiny_after_rounding, 0, 4);
    tcase_add_loop_test(tc, f16_fma_is_exact, 0, 4);
    tcase_add_loop_test(tc, f16_unary_over_all_inputs, 0, 4);
    tcase_add_test(tc, mad_rounds_product_and_sum);
    tcase_add_loop_test(tc, f32_to_f16_and_back_to_integers, 0, 4);
    tcase_add_loop_test(tc, min_max_rules, 0, (int)(sizeof(pick_cases) / sizeof(pick_cases[0])));
    tcase_add_test(tc, selection_of_three);
    tcase_add_test(tc, output_modifiers);
    tcase_add_test(tc, classes_and_orders);
    tcase_add_test(tc, division_is_correctly_rounded);
    tcase_add_test(tc, two_over_pi_segments);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
