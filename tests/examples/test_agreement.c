/* SPDX-License-Identifier: MIT */
/* The references' arithmetic compared with the library's, instruction by instruction, on random and difficult
 * numbers. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/insn.h>
#include <lanewise/mma.h>

#include "examples/reference/gauss.h"
#include "examples/reference/mxfp4.h"
#include "examples/reference/units.h"

enum { N = 16, ROUNDS = 60 };

static lw_mma *prepare(lw_arch arch, const char *name, const char *mods_text, const char *reading, bool slow)
{
    lw_error error = { "" };
    lw_mma *mma = NULL;
    const lw_insn *insn = NULL;
    lw_mods mods = { 0 };
    ck_assert_msg(lw_insn_find(arch, name, &insn, &error) == LW_OK, "%s", error.text);
    ck_assert_msg(lw_mods_parse(arch, insn, mods_text, &mods, &error) == LW_OK, "%s", error.text);
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options),
                                     .mods = &mods,
                                     .readings = &reading,
                                     .reading_count = reading ? 1 : 0,
                                     .reference_only = slow };
    ck_assert_msg(lw_mma_create(arch, insn, &options, &mma, &error) == LW_OK, "%s", error.text);
    return mma;
}

static uint32_t below(gauss *g, uint32_t limit)
{
    return gauss_bits(g) % limit;
}

/* A finite f32 whose exponent is within `reach` of `middle`; now and then zero, subnormal or a power of
 * two. */
static uint32_t some_f32(gauss *g, int middle, int reach)
{
    const uint32_t sign = gauss_bits(g) & 0x80000000, fraction = gauss_bits(g) & 0x7fffff;
    int field = middle + 127 + gauss_exponent(g, reach);
    field = field < 0 ? 0 : field > 254 ? 254 : field;
    switch (below(g, 8)) {
    case 0:
        return sign;
    case 1:
        return sign | fraction >> below(g, 23);
    case 2:
        return sign | (uint32_t)field << 23;
    default:
        return sign | (uint32_t)field << 23 | fraction;
    }
}

static void fill_codes(gauss *g, uint8_t *codes, size_t count)
{
    const uint32_t zeros = below(g, 33); /* from dense to nearly empty */
    for (size_t i = 0; i < count; i++)
        codes[i] = below(g, 32) < zeros ? 0 : (uint8_t)below(g, 16);
}

static void fill_scales(gauss *g, uint8_t *scales, size_t count)
{
    static const int reach[] = { 0, 3, 12, 25, 127 };
    const int r = reach[below(g, 5)];
    for (size_t i = 0; i < count; i++) {
        const int s = 127 + gauss_exponent(g, r);
        scales[i] = (uint8_t)(s > 254 ? 254 : s);
    }
}

static const struct {
    const char *reading;
    mx_rule rule;
} readings[] = {
    { NULL, MX_CHAINED },
    { "f8f6f4-group:gtr16", MX_GTR16 },
    { "f8f6f4-group:tr32", MX_TR32 },
    { "f8f6f4-blocks:fused", MX_FUSED },
    { "f8f6f4-c:keep", MX_KEEP },
};

/* Run 2i: reading i by the library's vectorised code; run 2i + 1: by its reference code. */
START_TEST(scaled_fp4_agrees)
{
    lw_mma *mma = prepare(LW_ARCH_GFX950, "v_mfma_scale_f32_16x16x128_f8f6f4", "cbsz:4 blgp:4",
                          readings[_i / 2].reading, _i & 1);
    gauss g = gauss_seeded((uint64_t)_i + 100);
    mx_matrix a = mx_new(N, MX_STEP), b = mx_new(N, MX_STEP);
    uint8_t b_columns[MX_STEP * N];
    uint32_t c[N * N], d[N * N];
    for (int round = 0; round < ROUNDS; round++) {
        fill_codes(&g, a.codes, N * MX_STEP);
        fill_codes(&g, b.codes, N * MX_STEP);
        fill_scales(&g, a.scales, N * MX_STEP / MX_BLOCK);
        fill_scales(&g, b.scales, N * MX_STEP / MX_BLOCK);
        for (size_t k = 0; k < MX_STEP; k++)
            for (size_t j = 0; j < N; j++)
                b_columns[k * N + j] = b.codes[j * MX_STEP + k];
        for (size_t i = 0; i < N * N; i++)
            c[i] = some_f32(&g, a.scales[i / N * 4] + b.scales[i % N * 4] - 254 + 2, 40);

        const lw_mma_matrices mat = {
            .a = a.codes, .b = b_columns, .c = c, .d = d, .scale_a = a.scales, .scale_b = b.scales
        };
        ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_OK);
        for (size_t i = 0; i < N * N; i++) {
            const uint32_t expected = mx_dot(&a, i / N, &b, i % N, 0, MX_STEP, readings[_i / 2].rule, c[i]);
            ck_assert_msg(d[i] == expected, "round %d element %zu: c %08x gives %08x, reference %08x", round,
                          i, c[i], d[i], expected);
        }
    }
    mx_free(&a);
    mx_free(&b);
    lw_mma_free(mma);
}
END_TEST

/* A finite f16 code; in some rounds exponents are close together, so that sums cancel. */
static void fill_f16(gauss *g, uint16_t *codes, size_t count)
{
    const uint32_t base = below(g, 31), span = 1 + below(g, 31 - base);
    for (size_t i = 0; i < count; i++) {
        const uint32_t field = base + below(g, span);
        const uint32_t fraction = gauss_bits(g) & 1023 & (below(g, 2) ? 0 : ~0u);
        codes[i] = (uint16_t)((gauss_bits(g) & 0x8000) | field << 10 | fraction);
        if (below(g, 6) == 0)
            codes[i] &= 0x8000;
    }
}

START_TEST(dense_f16_agrees)
{
    lw_mma *mma = prepare(LW_ARCH_GFX942, "v_mfma_f32_16x16x16_f16", "", NULL, _i & 1);
    gauss g = gauss_seeded((uint64_t)_i + 200);
    uint16_t a[N * 16], b[16 * N], column[16];
    uint32_t c[N * N], d[N * N];
    for (int round = 0; round < ROUNDS; round++) {
        fill_f16(&g, a, N * 16);
        fill_f16(&g, b, 16 * N);
        for (size_t i = 0; i < N * N; i++)
            c[i] = some_f32(&g, 0, 40);
        const lw_mma_matrices mat = { .a = a, .b = b, .c = c, .d = d };
        ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_OK);
        for (size_t i = 0; i < N * N; i++) {
            for (size_t k = 0; k < 16; k++)
                column[k] = b[k * N + i % N];
            const uint32_t half = join_group(sum_f16(a + i / N * 16, column, 8), c[i], JOIN_FLOOR);
            const uint32_t expected =
                join_group(sum_f16(a + i / N * 16 + 8, column + 8, 8), half, JOIN_FLOOR);
            ck_assert_msg(d[i] == expected, "round %d element %zu: c %08x gives %08x, reference %08x", round,
                          i, c[i], d[i], expected);
        }
    }
    lw_mma_free(mma);
}
END_TEST

START_TEST(sparse_f16_agrees)
{
    static const uint8_t pairs[6] = { 0x4, 0x8, 0xc, 0x9, 0xd, 0xe }; /* all ascending position pairs */
    lw_mma *mma = prepare(LW_ARCH_GFX942, "v_smfmac_f32_16x16x32_f16", "", NULL, _i & 1);
    gauss g = gauss_seeded((uint64_t)_i + 300);
    uint16_t a[N * 16], b[32 * N], kept[16];
    uint8_t index[N * 8];
    uint32_t c[N * N], d[N * N];
    for (int round = 0; round < ROUNDS; round++) {
        fill_f16(&g, a, N * 16);
        fill_f16(&g, b, 32 * N);
        for (size_t i = 0; i < N * 8; i++)
            index[i] = pairs[below(&g, 6)];
        for (size_t i = 0; i < N * N; i++)
            d[i] = c[i] = some_f32(&g, 0, 40);
        const lw_mma_matrices mat = { .a = a, .b = b, .c = d, .d = d, .index = index };
        ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_OK);
        for (size_t i = 0; i < N * N; i++) {
            for (size_t s = 0; s < 16; s++) {
                const size_t position = index[i / N * 8 + s / 2] >> (s & 1) * 2 & 3;
                kept[s] = b[(s / 2 * 4 + position) * N + i % N];
            }
            const uint32_t half = join_group(sum_f16(a + i / N * 16, kept, 8), c[i], JOIN_FLOOR);
            const uint32_t expected = join_group(sum_f16(a + i / N * 16 + 8, kept + 8, 8), half, JOIN_FLOOR);
            ck_assert_msg(d[i] == expected, "round %d element %zu: c %08x gives %08x, reference %08x", round,
                          i, c[i], d[i], expected);
        }
    }
    lw_mma_free(mma);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("agreement");
    TCase *tc = tcase_create("core");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, scaled_fp4_agrees, 0, 2 * sizeof(readings) / sizeof(readings[0]));
    tcase_add_loop_test(tc, dense_f16_agrees, 0, 2);
    tcase_add_loop_test(tc, sparse_f16_agrees, 0, 2);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
