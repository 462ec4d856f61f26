/* SPDX-License-Identifier: MIT */
/* Comparisons against the host's own floating point: values by reinterpretation, neighbours by nextafter. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare.h"

static const arg_type *type_named(const char *name)
{
    return arg_type_find(name, strlen(name));
}

static uint32_t float_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

static compare_result compare_two(const char *type, uint64_t got, uint64_t expected, compare_limits limits)
{
    const arg_type *t = type_named(type);
    const lw_npy a = { .dtype = t->dtype, .count = 1, .data = &got };
    const lw_npy b = { .dtype = t->dtype, .count = 1, .data = &expected };
    compare_result r;
    compare_arrays(t, &a, &b, &limits, &r);
    return r;
}

START_TEST(values_are_the_hosts)
{
    uint32_t code = 1;
    for (int i = 0; i < 200000; i++) {
        float f;
        code = code * 1664525u + 1013904223u;
        memcpy(&f, &code, sizeof(f));
        const double d = compare_value(type_named("f32"), code);
        ck_assert_msg(isnan(f) ? isnan(d) : d == (double)f, "0x%08x", code);
    }
    for (uint32_t h = 0; h < 65536; h++) { /* bf16 is the upper half of f32 */
        float f;
        const uint32_t wide = h << 16;
        memcpy(&f, &wide, sizeof(f));
        const double d = compare_value(type_named("bf16"), h);
        ck_assert_msg(isnan(f) ? isnan(d) : d == (double)f, "bf16 0x%04x", h);
    }
}
END_TEST

/* f16 by the formula of IEEE 754: sign, 2^(e-15), fraction in 1/1024. */
START_TEST(f16_values_follow_the_formula)
{
    for (uint32_t h = 0; h < 65536; h++) {
        const int e = h >> 10 & 31, f = h & 1023;
        const double sign = h >> 15 ? -1 : 1;
        const double d = compare_value(type_named("f16"), h);
        if (e == 31)
            ck_assert(f ? isnan(d) : isinf(d) && (d < 0) == (sign < 0));
        else
            ck_assert(d == sign * ldexp(e ? 1024 + f : f, (e ? e : 1) - 25));
    }
}
END_TEST

START_TEST(neighbours_are_one_ulp_apart)
{
    const float starts[] = { 0.0f, 1.0f, -1.0f, 1e-45f, -1e-45f, 1.17549435e-38f, 3e38f, 0.1f };
    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        float f = starts[i];
        for (uint64_t steps = 1; steps < 40; steps++) {
            f = nextafterf(f, INFINITY);
            const compare_result r = compare_two("f32", float_bits(f), float_bits(starts[i]),
                                                 (compare_limits){ .has_ulp = true, .ulp = steps });
            ck_assert_uint_eq(r.worst_ulp, steps);
            ck_assert_uint_eq(r.outside, 0);
        }
    }
    ck_assert_uint_eq(compare_two("f32", 0x80000000u, 0, (compare_limits){ 0 }).outside, 1);
    ck_assert_uint_eq(compare_two("f32", 0x80000000u, 0, (compare_limits){ .has_ulp = true }).outside, 0);
    ck_assert_uint_eq(compare_two("i8", 0xff, 0x01, (compare_limits){ .has_ulp = true, .ulp = 2 }).outside,
                      0);
    ck_assert_uint_eq(compare_two("i8", 0xff, 0x01, (compare_limits){ .has_ulp = true, .ulp = 1 }).outside,
                      1);
    ck_assert_uint_eq(compare_two("u8", 0xff, 0x01, (compare_limits){ .has_ulp = true, .ulp = 253 }).outside,
                      1);
}
END_TEST

START_TEST(nan_and_infinity)
{
    const uint64_t nan1 = 0x7fc00000, nan2 = 0xffc00001, inf = 0x7f800000, big = 0x7f7fffff;
    ck_assert_uint_eq(compare_two("f32", nan1, nan1, (compare_limits){ 0 }).outside, 0);
    ck_assert_uint_eq(compare_two("f32", nan1, nan2, (compare_limits){ 0 }).outside, 1);
    ck_assert_uint_eq(compare_two("f32", nan1, nan2, (compare_limits){ .has_rtol = true }).outside, 0);
    ck_assert_uint_eq(compare_two("f32", nan1, nan2, (compare_limits){ .has_ulp = true }).outside, 0);
    ck_assert_uint_eq(
        compare_two("f32", nan1, big, (compare_limits){ .has_rtol = true, .rtol = 1e6 }).outside, 1);
    ck_assert_uint_eq(
        compare_two("f32", nan1, inf, (compare_limits){ .has_ulp = true, .ulp = 1u << 30 }).outside, 1);
    ck_assert_uint_eq(compare_two("f32", big, inf, (compare_limits){ .has_rtol = true, .rtol = 1e6 }).outside,
                      1);
    ck_assert_uint_eq(compare_two("f32", inf, big, (compare_limits){ .has_rtol = true, .rtol = 1e6 }).outside,
                      1);
}
END_TEST

START_TEST(relative_tolerance)
{
    const uint64_t one = float_bits(1.0f), near_one = float_bits(1.001f);
    ck_assert_uint_eq(
        compare_two("f32", near_one, one, (compare_limits){ .has_rtol = true, .rtol = 1.1e-3 }).outside, 0);
    ck_assert_uint_eq(
        compare_two("f32", near_one, one, (compare_limits){ .has_rtol = true, .rtol = 0.9e-3 }).outside, 1);
    ck_assert_uint_eq(
        compare_two("f32", near_one, one, (compare_limits){ .has_rtol = true, .rtol = 0.9e-3 }).differ, 1);
    ck_assert_uint_eq(
        compare_two("f32", one | 1u << 31, one, (compare_limits){ .has_rtol = true, .rtol = 1.9 }).outside,
        1);
}
END_TEST

/* The samples are the first elements outside the tolerance; without one, the first that differ. */
START_TEST(samples_are_the_first)
{
    const arg_type *t = type_named("u8");
    uint8_t got[64], expected[64] = { 0 };
    for (unsigned i = 0; i < 64; i++)
        got[i] = (uint8_t)(i % 10 == 3 ? 9 : i % 2);
    const lw_npy a = { .dtype = t->dtype, .count = 64, .data = got },
                 b = { .dtype = t->dtype, .count = 64, .data = expected };
    compare_result r;
    compare_arrays(t, &a, &b, &(compare_limits){ .has_ulp = true, .ulp = 1 }, &r);
    ck_assert_uint_eq(r.outside, 7);
    ck_assert_uint_eq(r.samples, 4);
    for (size_t i = 0; i < r.samples; i++)
        ck_assert_uint_eq(r.sample[i].index, 3 + 10 * i);
    compare_arrays(t, &a, &b, &(compare_limits){ .has_ulp = true, .ulp = 9 }, &r);
    ck_assert_uint_eq(r.outside, 0);
    ck_assert_uint_eq(r.samples, 4);
    ck_assert_uint_eq(r.sample[1].index, 3);
    ck_assert_uint_eq(r.worst_ulp, 9);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_compare");
    TCase *tc = tcase_create("arrays");
    tcase_add_test(tc, values_are_the_hosts);
    tcase_add_test(tc, f16_values_follow_the_formula);
    tcase_add_test(tc, neighbours_are_one_ulp_apart);
    tcase_add_test(tc, nan_and_infinity);
    tcase_add_test(tc, relative_tolerance);
    tcase_add_test(tc, samples_are_the_first);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    const int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
