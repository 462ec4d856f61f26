/* SPDX-License-Identifier: MIT */
/* The examples' references compared with small cases that were worked by hand or published. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "examples/reference/exact.h"
#include "examples/reference/gauss.h"
#include "examples/reference/mxfp4.h"
#include "examples/reference/units.h"

/*
 * Published results of the CDNA3 f16 unit (the vectors of arXiv 2511.10909 and its simulator, missing
 * elements zero).
 */
static const struct {
    uint16_t a[4], b[4];
    uint32_t c, d;
} f16_cases[] = {
    { { 0xf000, 0xb800, 0xb400, 0xb000 }, { 0x6400, 0x3c00, 0x3c00, 0x3c00 }, 0x4b000000, 0xbf000000 },
    { { 0x3c00 }, { 0x3c00 }, 0xb0000000, 0x3f7fffff },
    { { 0x3c00 }, { 0x3c00 }, 0x80000001, 0x3f7fffff },
    { { 0x3c00 }, { 0x3c00 }, 0x33ffffff, 0x3f800000 },
    { { 0x0001 }, { 0x3c00 }, 0x00000000, 0x33800000 },
    { { 0x0001 }, { 0x0001 }, 0x00000000, 0x27800000 },
    { { 0x83ff, 0x3c00 }, { 0x3c00, 0x0400 }, 0x00000000, 0x33800000 },
    { { 0 }, { 0 }, 0x007fffff, 0x007fffff },
    { { 0x7bff, 0xfbff, 0x0001 }, { 0x7bff, 0x7bff, 0x0001 }, 0x00000000, 0x00000000 },
    { { 0x7400, 0xf400, 0x1400 }, { 0x7400, 0x7400, 0x1c00 }, 0x00000000, 0x00000000 },
    { { 0x3c00, 0x2000 }, { 0x3c00, 0x3c00 }, 0x4b800004, 0x4b800005 },
    { { 0x3c00, 0x1c00 }, { 0x3c00, 0x3c00 }, 0x4b800004, 0x4b800004 },
    { { 0x8000 }, { 0x3c00 }, 0x80000000, 0x00000000 },
};

START_TEST(f16_unit_gives_published_results)
{
    uint16_t a[8] = { 0 }, b[8] = { 0 };
    memcpy(a, f16_cases[_i].a, sizeof(f16_cases[_i].a));
    memcpy(b, f16_cases[_i].b, sizeof(f16_cases[_i].b));
    ck_assert_uint_eq(join_group(sum_f16(a, b, 8), f16_cases[_i].c, JOIN_FLOOR), f16_cases[_i].d);
}
END_TEST

/*
 * FP4 codes: 1 = .5, 2 = 1, 3 = 1.5, 4 = 2, 5 = 3, 6 = 4, 7 = 6. The products are chosen by hand; the results
 * repeat, at the same distances, what was measured for fp8 on MI300X.
 */
static const struct {
    const char *why;
    uint8_t a[8], b[8], scale_a, scale_b;
    uint32_t c, floored, dropped, exactly;
} fp4_cases[] = {
    { "1 with scales 2^4 and 2^10, c = -2^-10: one unit less",
      { 2 },
      { 2 },
      131,
      137,
      0xba800000,
      0x467fffff,
      0x467fffff,
      0x467fffff },
    { "c 25 places down is still floored",
      { 2 },
      { 2 },
      131,
      137,
      0xba000000,
      0x467fffff,
      0x467fffff,
      0x46800000 },
    { "c 26 places down is dropped", { 2 }, { 2 }, 131, 137, 0xb9800000, 0x467fffff, 0x46800000, 0x46800000 },
    { "129 * 2^-7 = 3*36 + 18 + 3, over a tie",
      { 7, 7, 7, 7, 2 },
      { 7, 7, 7, 5, 5 },
      120,
      127,
      0x4b800004,
      0x4b800005,
      0x4b800005,
      0x4b800005 },
    { "257 * 2^-8 = 7*36 + 4 + 1: 2^-8 is cut, a tie remains",
      { 7, 7, 7, 7, 7, 7, 7, 15 },
      { 7, 7, 7, 7, 7, 7, 7, 0 },
      120,
      126,
      0x4b800004,
      0x4b800004,
      0x4b800004,
      0x4b800005 },
    { "only zeros: c passes", { 0 }, { 0 }, 200, 200, 0xc0490fdb, 0xc0490fdb, 0xc0490fdb, 0xc0490fdb },
    { "cancellation is +0", { 2, 10 }, { 2, 2 }, 127, 127, 0, 0, 0, 0 },
    { "-1.5 * 3 + 0.5 * 0.5", { 11, 1 }, { 5, 1 }, 127, 127, 0, 0xc0880000, 0xc0880000, 0xc0880000 },
    { "smallest scales: 2^-254 is far under the smallest subnormal", { 2 }, { 2 }, 0, 0, 0, 0, 0, 0 },
    { "largest scales overflow", { 2 }, { 2 }, 254, 254, 0, 0x7f800000, 0x7f800000, 0x7f800000 },
};

START_TEST(fp4_unit_gives_hand_worked_results)
{
    uint8_t a[32] = { 0 }, b[32] = { 0 };
    memcpy(a, fp4_cases[_i].a, 8);
    memcpy(b, fp4_cases[_i].b, 8);
    if (fp4_cases[_i].a[7] == 15) { /* the case with nine products: 7 * 36, then 2 * 2 and 1 * 1 */
        a[7] = b[7] = 4;
        a[8] = b[8] = 2;
    }
    const group_sum s = sum_fp4(a, b, 32, 2, fp4_cases[_i].scale_a, fp4_cases[_i].scale_b);
    ck_assert_msg(join_group(s, fp4_cases[_i].c, JOIN_FLOOR) == fp4_cases[_i].floored, "%s: floored %08x",
                  fp4_cases[_i].why, join_group(s, fp4_cases[_i].c, JOIN_FLOOR));
    ck_assert_msg(join_group(s, fp4_cases[_i].c, JOIN_DROP) == fp4_cases[_i].dropped, "%s: dropped %08x",
                  fp4_cases[_i].why, join_group(s, fp4_cases[_i].c, JOIN_DROP));
    ck_assert_msg(join_group(s, fp4_cases[_i].c, JOIN_EXACT) == fp4_cases[_i].exactly, "%s: exact %08x",
                  fp4_cases[_i].why, join_group(s, fp4_cases[_i].c, JOIN_EXACT));
}
END_TEST

START_TEST(quantization_follows_the_definition)
{
    uint16_t x[32] = { 0 };
    uint8_t q[32], scale;

    /* 6.5 = 0x40d0: significand 1.625, so the scale stays 1 and the value saturates; ties go to even codes.
     */
    const uint16_t values[] = {
        0x40d0, 0x3e80, 0x3f40, 0x3fa0, 0x3fe0, 0x4020, 0x4060, 0x40a0, 0xbf80, 0x8000
    };
    /*                          6.5     .25     .75     1.25    1.75    2.5     3.5     5       -1      -0 */
    const uint8_t codes[] = { 7, 0, 2, 2, 4, 4, 6, 6, 10, 8 };
    memcpy(x, values, sizeof(values));
    mx_quantize_block(x, q, &scale);
    ck_assert_uint_eq(scale, 127);
    ck_assert_mem_eq(q, codes, sizeof(codes));

    x[0] = 0x40e0; /* 7.0 has significand 1.75: the scale doubles, 3.5 is a tie and goes to 4 */
    mx_quantize_block(x, q, &scale);
    ck_assert_uint_eq(scale, 128);
    ck_assert_uint_eq(q[0], 6);
    ck_assert_uint_eq(q[8], 9); /* -1 / 2 */

    memset(x, 0, sizeof(x));
    mx_quantize_block(x, q, &scale);
    ck_assert_uint_eq(scale, 0);
    ck_assert_uint_eq(q[0], 0);

    x[3] = 0x0040; /* 2^-127, a subnormal: with the smallest scale exactly 1 */
    x[4] = 0x8020;
    mx_quantize_block(x, q, &scale);
    ck_assert_uint_eq(scale, 0);
    ck_assert_uint_eq(q[3], 2);
    ck_assert_uint_eq(q[4], 9);
}
END_TEST

/* The shuffles as their authors state them: a reshape, a permutation of axes, written out in output order. */
START_TEST(shuffles_are_the_stated_permutations)
{
    const size_t n = 64, k = 512;
    mx_matrix m = mx_new(n, k), back = mx_new(n, k);
    for (size_t i = 0; i < n * k; i++)
        m.codes[i] = (uint8_t)((i * 7 + i / 61) & 15);
    for (size_t i = 0; i < n * k / 32; i++)
        m.scales[i] = (uint8_t)(i % 251);
    uint8_t *codes = calloc(n * k / 2, 1), *scales = calloc(n * k / 32, 1);
    mx_shuffle(&m, codes, scales);

    size_t at = 0;
    for (size_t tile = 0; tile < n / 16; tile++)
        for (size_t group = 0; group < k / 2 / 16; group++)
            for (size_t row = 0; row < 16; row++)
                for (size_t byte = 0; byte < 16; byte++, at++) {
                    const uint8_t *pair = m.codes + (tile * 16 + row) * k + (group * 16 + byte) * 2;
                    ck_assert_uint_eq(codes[at], pair[0] | pair[1] << 4);
                }

    at = 0;
    for (size_t tile = 0; tile < n / 32; tile++)
        for (size_t group = 0; group < k / 32 / 8; group++)
            for (size_t q = 0; q < 4; q++)
                for (size_t row = 0; row < 16; row++)
                    for (size_t k_half = 0; k_half < 2; k_half++)
                        for (size_t n_half = 0; n_half < 2; n_half++, at++)
                            ck_assert_uint_eq(scales[at],
                                              m.scales[(tile * 32 + n_half * 16 + row) * (k / 32) +
                                                       group * 8 + k_half * 4 + q]);

    mx_unshuffle(codes, scales, &back);
    ck_assert_mem_eq(back.codes, m.codes, n * k);
    ck_assert_mem_eq(back.scales, m.scales, n * k / 32);
    free(codes);
    free(scales);
    mx_free(&m);
    mx_free(&back);
}
END_TEST

/* A product small enough for mental arithmetic: all values of a row are equal. */
START_TEST(gemm_of_constants)
{
    mx_matrix a = mx_new(2, 512), b = mx_new(32, 512);
    memset(a.codes, 2, 512);       /* row 0: all 1 */
    memset(a.codes + 512, 9, 512); /* row 1: all -0.5 */
    memset(b.codes, 3, 32 * 512);  /* all 1.5 */
    memset(a.scales, 127, 2 * 512 / 32);
    memset(b.scales, 128, 32 * 512 / 32);

    uint16_t c[64];
    for (unsigned parts = 1; parts <= 4; parts *= 2)
        for (mx_rule rule = MX_CHAINED; rule <= MX_EXACT; rule++) {
            mx_gemm(&a, &b, parts, rule, c);
            ck_assert_uint_eq(c[5], 0x44c0);       /* 512 * 3 = 1536 */
            ck_assert_uint_eq(c[32 + 31], 0xc440); /* -768 */
        }
    mx_free(&a);
    mx_free(&b);
}
END_TEST

START_TEST(rounding_and_addition)
{
    ck_assert_uint_eq(bf16_from_f32(0x3f808000), 0x3f80); /* ties */
    ck_assert_uint_eq(bf16_from_f32(0x3f818000), 0x3f82);
    ck_assert_uint_eq(bf16_from_f32(0x3f808001), 0x3f81);
    ck_assert_uint_eq(bf16_from_f32(0x7f7fffff), 0x7f80);
    ck_assert_uint_eq(bf16_from_f32(0x80000001), 0x8000);
    ck_assert_uint_eq(f16_round((exact){ 2049, 0 }), 0x6800);
    ck_assert_uint_eq(f16_round((exact){ 2051, 0 }), 0x6802);
    ck_assert_uint_eq(f16_round((exact){ 65520, 0 }), 0x7c00);
    ck_assert_uint_eq(f16_round((exact){ 3, -25 }), 0x0002);

    union {
        float f;
        uint32_t u;
    } x, y, z;
    gauss g = gauss_seeded(9);
    for (int i = 0; i < 20000; i++) { /* IEEE defines what the host's sum is */
        x.u = gauss_bits(&g);
        y.u = i & 1 ? gauss_bits(&g) : x.u ^ (gauss_bits(&g) & 0x83ffffff);
        if (!f32_is_finite(x.u) || !f32_is_finite(y.u))
            continue;
        z.f = x.f + y.f;
        ck_assert_uint_eq(f32_add(x.u, y.u), z.u);
    }
}
END_TEST

/* The generator is the published splitmix64 (its first outputs for state 1234567), upper half. */
START_TEST(random_numbers_are_the_published_ones)
{
    gauss g = { 1234567 };
    ck_assert_uint_eq(gauss_bits(&g), (uint32_t)(UINT64_C(6457827717110365317) >> 32));
    ck_assert_uint_eq(gauss_bits(&g), (uint32_t)(UINT64_C(3203168211198807973) >> 32));

    double sum = 0, squares = 0;
    for (int i = 0; i < 100000; i++) {
        const double v = (double)gauss_next(&g).n / (1 << 24);
        sum += v;
        squares += v * v;
    }
    ck_assert_double_lt(sum / 100000, 0.02);
    ck_assert_double_gt(sum / 100000, -0.02);
    ck_assert_double_lt(squares / 100000, 1.03);
    ck_assert_double_gt(squares / 100000, 0.97);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("references");
    TCase *tc = tcase_create("core");
    tcase_add_loop_test(tc, f16_unit_gives_published_results, 0, sizeof(f16_cases) / sizeof(f16_cases[0]));
    tcase_add_loop_test(tc, fp4_unit_gives_hand_worked_results, 0, sizeof(fp4_cases) / sizeof(fp4_cases[0]));
    tcase_add_test(tc, quantization_follows_the_definition);
    tcase_add_test(tc, shuffles_are_the_stated_permutations);
    tcase_add_test(tc, gemm_of_constants);
    tcase_add_test(tc, rounding_and_addition);
    tcase_add_test(tc, random_numbers_are_the_published_ones);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
