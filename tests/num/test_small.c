/* SPDX-License-Identifier: MIT */
/* Small formats compared with a search over all their values, the stochastic rule written again, and
 * published points. */
#include <check.h>
#include <stdbool.h>
#include <stdio.h>

#include "emu/num/small.h"
#include "tests/num/oracle.h"

/* The formats as the manuals state them, independent of the library's rows. Magnitude codes 0..max are
 * finite. */
typedef struct target {
    const char *name;
    const lw_small *small;
    int exp_bits, frac_bits, bias;
    uint32_t max, overflow, saturated, inf, nan;
    bool fnuz;
} target;

static const target targets[] = {
    { "fp8", &lw_small_fp8, 4, 3, 7, 0x7e, 0x7f, 0x7e, 0x7f, 0x7f, false },
    { "bf8", &lw_small_bf8, 5, 2, 15, 0x7b, 0x7c, 0x7b, 0x7c, 0x7e, false },
    { "fp8 fnuz", &lw_small_fp8_fnuz, 4, 3, 8, 0x7f, 0x80, 0x7f, 0x80, 0x80, true },
    { "bf8 fnuz", &lw_small_bf8_fnuz, 5, 2, 16, 0x7f, 0x80, 0x7f, 0x80, 0x80, true },
    { "fp6", &lw_small_fp6, 2, 3, 1, 0x1f, 0x1f, 0x1f, 0x1f, 0x1f, false },
    { "bf6", &lw_small_bf6, 3, 2, 3, 0x1f, 0x1f, 0x1f, 0x1f, 0x1f, false },
    { "fp4", &lw_small_fp4, 2, 1, 1, 0x7, 0x7, 0x7, 0x7, 0x7, false },
};

enum { TARGETS = sizeof(targets) / sizeof(targets[0]) };

static uint64_t seed = 0x853c49e6748fea9bu;

/* Also for the code after the largest, as if the exponent field had one more bit. */
static double magnitude(const target *t, uint32_t code)
{
    return small_value(code, t->exp_bits + 1, t->frac_bits, t->bias);
}

static uint32_t signed_code(const target *t, bool neg, uint32_t code)
{
    if (t->fnuz && (code == 0 || code == 0x80))
        return code;
    return neg ? code | 1u << (t->exp_bits + t->frac_bits) : code;
}

/* Nearest code, ties to the even one; one step beyond the largest code means overflow. */
static uint32_t narrow_want(const target *t, bool ovfl, double v)
{
    const bool neg = signbit(v);
    const double m = fabs(v);
    if (isnan(v))
        return signed_code(t, neg, t->nan);
    if (isinf(v))
        return signed_code(t, neg, ovfl && t->fnuz ? t->saturated : t->inf);
    uint32_t code = 0;
    while (code <= t->max && magnitude(t, code + 1) <= m)
        code++;
    if (code <= t->max) {
        const double low = magnitude(t, code), high = magnitude(t, code + 1), mid = (low + high) / 2;
        code += m > mid || (m == mid && (code & 1));
    }
    return signed_code(t, neg, code > t->max ? (ovfl ? t->saturated : t->overflow) : code);
}

START_TEST(every_f16_narrows_to_the_nearest)
{
    const target *t = &targets[_i];
    for (int scale = -9; scale <= 9; scale += 3)
        for (uint32_t x = 0; x < 0x10000; x++) {
            const bool ovfl = x & 1;
            const uint32_t got = lw_small_narrow(t->small, ovfl, &lw_fp_f16, x, scale);
            double v = ldexp(f16_value(x), -scale);
            if (isnan(v) && x & 0x8000)
                v = copysign(v, -1);
            const uint32_t want = narrow_want(t, ovfl, isnan(v) ? copysign(NAN, x & 0x8000 ? -1.0 : 1.0) : v);
            ck_assert_msg(got == want, "%s of f16 %04x / 2^%d is %02x, not %02x", t->name, x, scale, got,
                          want);
        }
}
END_TEST

START_TEST(f32_and_bf16_narrow_to_the_nearest)
{
    const target *t = &targets[_i];
    for (int i = 0; i < 200000; i++) {
        uint32_t x = (uint32_t)nasty(&seed, 8, 23);
        if (i % 3)
            x = (x & 0x80ffffff) + ((0x3au + (x >> 24 & 7)) << 24);
        const int scale = i % 5 ? (int)(next_random(&seed) % 13) - 6 : (int)(next_random(&seed) % 255) - 127;
        const double v = (double)f32_of(x);
        if (isnan(v))
            continue;
        ck_assert_uint_eq(lw_small_narrow(t->small, i & 1, &lw_fp_f32, x, scale),
                          narrow_want(t, i & 1, ldexp(v, -scale)));
        const double cut = (double)f32_of(x & 0xffff0000u);
        ck_assert_uint_eq(lw_small_narrow(t->small, i & 1, &lw_fp_bf16, x >> 16, scale),
                          narrow_want(t, i & 1, ldexp(cut, -scale)));
    }
    for (uint32_t sign = 0; sign < 2; sign++) {
        const uint32_t bad = signed_code(t, sign, t->nan), s = sign << 31;
        ck_assert_uint_eq(lw_small_narrow(t->small, false, &lw_fp_f32, s | 0x7fc00000, 0), bad);
        ck_assert_uint_eq(lw_small_narrow(t->small, false, &lw_fp_f32, s, LW_SCALE_NAN), bad);
        ck_assert_uint_eq(lw_small_narrow(t->small, false, &lw_fp_f32, s | 0x3f800000, LW_SCALE_NAN), bad);
    }
}
END_TEST

/* Thresholds of fp4 as published by projects that compare with gfx950 (RNE, ties to the even code). */
START_TEST(fp4_thresholds)
{
    static const struct {
        double at;
        uint32_t code, above;
    } points[] = { { 0.25, 0, 1 }, { 0.75, 2, 2 }, { 1.25, 2, 3 }, { 1.75, 4, 4 },
                   { 2.5, 4, 5 },  { 3.5, 6, 6 },  { 5.0, 6, 7 },  { 1e9, 7, 7 } };
    for (unsigned i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
        const uint32_t x = bits_of_f32((float)points[i].at);
        ck_assert_uint_eq(lw_small_narrow(&lw_small_fp4, false, &lw_fp_f32, x, 0), points[i].code);
        ck_assert_uint_eq(lw_small_narrow(&lw_small_fp4, false, &lw_fp_f32, x + 1, 0), points[i].above);
        ck_assert_uint_eq(lw_small_narrow(&lw_small_fp4, false, &lw_fp_f32, x | 0x80000000, 0),
                          points[i].code | 8);
    }
    ck_assert_uint_eq(lw_small_narrow(&lw_small_fp8, false, &lw_fp_f32, bits_of_f32(464), 0), 0x7e);
    ck_assert_uint_eq(lw_small_narrow(&lw_small_fp8, false, &lw_fp_f32, bits_of_f32(464) + 1, 0), 0x7f);
    ck_assert_uint_eq(lw_small_narrow(&lw_small_bf8, false, &lw_fp_f32, bits_of_f32(61440), 0), 0x7c);
    ck_assert_uint_eq(lw_small_narrow(&lw_small_bf8, false, &lw_fp_f32, bits_of_f32(61439), 0), 0x7b);
    ck_assert_int_eq(lw_scale_of_f32(0xbf9fffff), 0);
    ck_assert_int_eq(lw_scale_of_f32(1), -127);
    ck_assert_int_eq(lw_scale_of_f32(0x7f800000), LW_SCALE_NAN);
}
END_TEST

/*
 * Stochastic rounding as a statement about values: with u the step at the result, the quotient of the dropped
 * part and u, cut to n bits, plus the seed's top n bits carries or not. Exact in binary64 for sources of 24
 * bits.
 */
static uint32_t stochastic_want(const target *t, bool ovfl, double v, int source_frac, uint32_t random)
{
    const int n = source_frac - t->frac_bits;
    const double m = fabs(v);
    int e;
    frexp(m, &e);
    e -= 1;
    const int emin = 1 - t->bias, at = e < emin ? emin : e;
    const double unit = ldexp(1, at - source_frac);
    const double sum = floor(m / unit) + (double)(random >> (32 - n));
    const double steps = floor(ldexp(sum, -n));
    const double value = ldexp(steps, at - t->frac_bits);
    uint32_t code = 0;
    while (code <= t->max && magnitude(t, code + 1) <= value)
        code++;
    return signed_code(t, v<0, code> t->max ? (ovfl ? t->saturated : t->overflow) : code);
}

START_TEST(stochastic_rounding)
{
    const target *t = &targets[_i];
    for (int i = 0; i < 200000; i++) {
        uint32_t x = ((uint32_t)next_random(&seed) & 0x80ffffff) + ((0x3au + (uint32_t)(i % 9)) << 24);
        const uint32_t random = (uint32_t)(next_random(&seed) >> 20);
        const int scale = (int)(next_random(&seed) % 9) - 4;
        const double v = (double)f32_of(x);
        ck_assert_msg(lw_small_narrow_sr(t->small, i & 1, &lw_fp_f32, x, scale, random) ==
                          stochastic_want(t, i & 1, ldexp(v, -scale), 23, random),
                      "%s of %a seed %08x", t->name, v, random);
        const double cut = (double)f32_of(x & 0xffff0000u);
        ck_assert_uint_eq(lw_small_narrow_sr(t->small, i & 1, &lw_fp_bf16, x >> 16, scale, random),
                          stochastic_want(t, i & 1, ldexp(cut, -scale), 7, random));
        const uint32_t half = (x & 0xffff) % 0x7c00;
        if (half)
            ck_assert_uint_eq(lw_small_narrow_sr(t->small, i & 1, &lw_fp_f16, half, scale, random),
                              stochastic_want(t, i & 1, ldexp(f16_value(half), -scale), 10, random));
    }
}
END_TEST

/* f32 to f16 with seed bits 31:19, to bf16 with 31:16. */
START_TEST(stochastic_halves)
{
    const lw_fp_env e = { .keep_in = true, .keep_out = true }, ovfl = { .saturate = true };
    ck_assert_uint_eq(lw_fp_convert_sr(&lw_fp_bf16, &e, 0x3f808000, 0x7fffffff), 0x3f80);
    ck_assert_uint_eq(lw_fp_convert_sr(&lw_fp_bf16, &e, 0x3f808000, 0x80000000), 0x3f81);
    ck_assert_uint_eq(lw_fp_convert_sr(&lw_fp_bf16, &e, 0x3f800001, 0xfffe0000), 0x3f80);
    ck_assert_uint_eq(lw_fp_convert_sr(&lw_fp_bf16, &e, 0x3f800001, 0xffff0000), 0x3f81);
    ck_assert_uint_eq(lw_fp_convert_sr(&lw_fp_bf16, &e, 0x7f7fffff, 0x00010000), 0x7f80);
    ck_assert_uint_eq(lw_fp_convert_sr(&lw_fp_f16, &e, 0x3f801000, 0x7fffffff), 0x3c00);
    ck_assert_uint_eq(lw_fp_convert_sr(&lw_fp_f16, &e, 0x3f801000, 0x80000000), 0x3c01);
    ck_assert_uint_eq(lw_fp_convert_sr(&lw_fp_f16, &e, 0x477fffff, 0x80000000), 0x7c00);
    ck_assert_uint_eq(lw_fp_convert_sr(&lw_fp_f16, &ovfl, 0x477fffff, 0x80000000), 0x7bff);
    ck_assert_uint_eq(lw_fp_convert_sr(&lw_fp_f16, &e, 0xff800000, 5), 0xfc00);
    ck_assert_uint_eq(lw_prng(0x80000001), 0x2 ^ 0xc5);
    ck_assert_uint_eq(lw_prng(0x00000003), 0x6);
    ck_assert_uint_eq(lw_prng(0), 0);
}
END_TEST

START_TEST(every_code_widens)
{
    const target *t = &targets[_i];
    const uint32_t sign = 1u << (t->exp_bits + t->frac_bits);
    for (uint32_t code = 0; code < 2 * sign; code++)
        for (int scale = -127; scale <= 128; scale++) {
            const uint32_t m = code & (sign - 1), s = code & sign ? 0x80000000u : 0;
            const bool code_nan =
                t->fnuz ? code == 0x80 : t->max > 0x70 && m > (t->inf == t->nan ? t->max : t->inf);
            const bool nan = scale == LW_SCALE_NAN || code_nan;
            const uint32_t f32 = (uint32_t)lw_small_widen(t->small, code, scale, &lw_fp_f32);
            const uint32_t f16 = (uint32_t)lw_small_widen(t->small, code, scale, &lw_fp_f16);
            const uint32_t bf16 = (uint32_t)lw_small_widen(t->small, code, scale, &lw_fp_bf16);
            if (nan) {
                ck_assert_uint_eq(f32, s | 0x7fc00000);
                ck_assert_uint_eq(f16, s >> 16 | 0x7fff);
                ck_assert_uint_eq(bf16, s >> 16 | 0x7fff);
                continue;
            }
            const bool inf = t->max == 0x7b && m == 0x7c;
            const double v = inf ? INFINITY : ldexp(magnitude(t, m), scale);
            const uint32_t want = bits_of_f32((float)v) | s;
            ck_assert_msg(f32 == want, "%s %02x * 2^%d = %08x", t->name, code, scale, f32);
            const uint32_t low =
                want & 0xffff; /* the significand has few bits: in bf16 at most a tie is lost */
            const uint32_t up = low > 0x8000 || (low == 0x8000 && want & 0x10000);
            ck_assert_uint_eq(bf16, (want >> 16) + up);
            if (v >= 65520)
                ck_assert_uint_eq(f16, s >> 16 | 0x7c00);
            else
                ck_assert(fabs(f16_value(f16 & 0x7fff) - v) <= (v < ldexp(1, -14) ? ldexp(1, -25) : 0));
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("small");
    TCase *tc = tcase_create("small");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, every_f16_narrows_to_the_nearest, 0, TARGETS);
    tcase_add_loop_test(tc, f32_and_bf16_narrow_to_the_nearest, 0, TARGETS);
    tcase_add_loop_test(tc, stochastic_rounding, 0, TARGETS);
    tcase_add_loop_test(tc, every_code_widens, 0, TARGETS);
    tcase_add_test(tc, stochastic_halves);
    tcase_add_test(tc, fp4_thresholds);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
