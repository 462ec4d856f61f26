/* SPDX-License-Identifier: MIT */
/*
 * Worked examples of CDNA3 arithmetic, computed with the published model of arXiv 2511.10909 (its v2.0.x
 * reference code) and, for fp8, consistent with published raw outputs of an MI300X; the numbers are the
 * example numbers of docs/numerics.md. Example 1 is the vector of that paper's Table 8. One element of D is
 * computed, all others are zero.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { NAN32 = 0x7fc00000 };

typedef struct example {
    int number;
    const char *mnemonic;
    uint32_t a[8], b[8], c, d;
} example;

static const char f16[] = "v_mfma_f32_32x32x8_f16", bf16[] = "v_mfma_f32_32x32x8_bf16";
static const char xf32[] = "v_mfma_f32_32x32x4_xf32", f32[] = "v_mfma_f32_32x32x2_f32";
static const char fp8[] = "v_mfma_f32_32x32x16_fp8_fp8", bf8[] = "v_mfma_f32_32x32x16_bf8_bf8";

/* clang-format off */
static const example examples[] = {
    { 1, f16, { 0xf000, 0xb800, 0xb400, 0xb000 }, { 0x6400, 0x3c00, 0x3c00, 0x3c00 }, 0x4b000000, 0xbf000000 },
    { 2, f16, { 0x3c00 }, { 0x3c00 }, 0xb0000000, 0x3f7fffff },
    { 3, f16, { 0x3c00 }, { 0x3c00 }, 0x80000001, 0x3f7fffff },
    { 4, f16, { 0x3c00 }, { 0x3c00 }, 0x33ffffff, 0x3f800000 },
    { 5, f16, { 0x0001 }, { 0x3c00 }, 0x00000000, 0x33800000 },
    { 6, f16, { 0x0001 }, { 0x0001 }, 0x00000000, 0x27800000 },
    { 7, f16, { 0x83ff, 0x3c00 }, { 0x3c00, 0x0400 }, 0x00000000, 0x33800000 },
    { 8, f16, { 0 }, { 0 }, 0x007fffff, 0x007fffff },
    { 9, f16, { 0x7bff, 0xfbff, 0x0001 }, { 0x7bff, 0x7bff, 0x0001 }, 0x00000000, 0x00000000 },
    { 10, f16, { 0x7400, 0xf400, 0x1400 }, { 0x7400, 0x7400, 0x1c00 }, 0x00000000, 0x00000000 },
    { 11, f16, { 0x6c00, 0x1000, 0xec00, 0x1000 }, { 0x6c00, 0x1000, 0x6c00, 0x1000 }, 0x00000000, 0x00000000 },
    { 12, f16, { 0x3c00, 0x2000 }, { 0x3c00, 0x3c00 }, 0x4b800004, 0x4b800005 },
    { 13, f16, { 0x3c00, 0x1c00 }, { 0x3c00, 0x3c00 }, 0x4b800004, 0x4b800004 },
    { 14, f16, { 0x8000 }, { 0x3c00 }, 0x80000000, 0x00000000 },
    { 15, f16, { 0x7c00 }, { 0x0000 }, 0x3f800000, NAN32 },
    { 16, f16, { 0x7c00 }, { 0x3c00 }, 0xff800000, NAN32 },
    { 17, bf16, { 0xc600, 0xbf00, 0xbe80, 0xbe00 }, { 0x4480, 0x3f80, 0x3f80, 0x3f80 }, 0x4b000000, 0xbf000000 },
    { 18, bf16, { 0x7f00, 0xff00 }, { 0x4000, 0x4000 }, 0x3f800000, NAN32 },
    { 19, bf16, { 0x7f00, 0xff00 }, { 0x4000, 0x3f80 }, 0x00000000, 0x7f800000 },
    { 20, bf16, { 0x7f00, 0x7f00, 0xff00 }, { 0x3f80, 0x3f80, 0x3f80 }, 0x00000000, 0x7f000000 },
    { 21, bf16, { 0x0080, 0x0001 }, { 0x3f00, 0x3f80 }, 0x00000000, 0x00410000 },
    { 22, bf16, { 0x8080 }, { 0x3380 }, 0x00000000, 0x80000000 },
    { 23, bf16, { 0x0080 }, { 0x3f80 }, 0x80c00000, 0x80400000 },
    { 24, xf32, { 0x3f801fff }, { 0x3f801fff }, 0x00000000, 0x3f800000 },
    { 25, xf32, { 0xbf803fff }, { 0x3f802000 }, 0x3f800000, 0xbb001000 },
    { 26, f32, { 0x3f800800 }, { 0x3f800800 }, 0xbf800000, 0x3a000400 },
    { 27, f32, { 0x3f800000, 0x3f800000 }, { 0x3f800000, 0x3f800000 }, 0x4b800000, 0x4b800000 },
    { 28, bf8, { 0xf4, 0xbc, 0xb8, 0xb4 }, { 0x68, 0x40, 0x40, 0x40 }, 0x4b000000, 0xbf800000 },
    { 29, fp8, { 0x78 }, { 0x78 }, 0xba800000, 0x467fffff },
    { 30, fp8, { 0x78 }, { 0x78 }, 0xba000000, 0x467fffff },
    { 31, fp8, { 0x78 }, { 0x78 }, 0xb9800000, 0x46800000 },
    { 32, fp8, { 0x78, 0xa4 }, { 0x78, 0x08 }, 0xc6800000, 0xba800000 },
    { 33, fp8, { 0x78, 0x00, 0xa4 }, { 0x78, 0x00, 0x08 }, 0xc6800000, 0x00000000 },
    { 34, fp8, { 0x40, 0x08 }, { 0x40, 0x40 }, 0x4b800004, 0x4b800005 },
    { 35, fp8, { 0x40, 0x08 }, { 0x40, 0x38 }, 0x4b800004, 0x4b800004 },
    { 36, fp8, { 0x7f }, { 0x7f }, 0x00000000, 0x47610000 },
    { 37, fp8, { 0x80 }, { 0x40 }, 0x00000000, NAN32 },
};
/* clang-format on */

static void put(void *matrix, size_t n, unsigned bytes, uint32_t code)
{
    memcpy((char *)matrix + n * bytes, &code, bytes);
}

/* D[row][col] for these products; everything else is zero. */
static uint32_t evaluate(lw_arch arch, const char *mnemonic, const char *const *readings,
                         size_t reading_count, bool reference, const uint32_t *a, const uint32_t *b,
                         int count, uint32_t c, unsigned row, unsigned col)
{
    static uint32_t am[2048], bm[2048], cm[2048], dm[2048];
    const lw_insn *insn;
    lw_mma *mma;
    lw_mma_shape s;
    lw_error error = { "" };
    ck_assert_msg(lw_insn_find(arch, mnemonic, &insn, &error) == LW_OK, "%s", error.text);
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options),
                                     .readings = readings,
                                     .reading_count = reading_count,
                                     .reference_only = reference };
    ck_assert_msg(lw_mma_create(arch, insn, &options, &mma, &error) == LW_OK, "%s", error.text);
    ck_assert_int_eq(lw_mma_get_shape(mma, &s), LW_OK);
    memset(am, 0, sizeof(am));
    memset(bm, 0, sizeof(bm));
    memset(cm, 0, sizeof(cm));
    memset(dm, 0xa5, sizeof(dm));
    for (int k = 0; k < count && k < s.k; k++) {
        put(am, row * s.a_k + (unsigned)k, s.a_bytes, a[k]);
        put(bm, (unsigned)k * s.n + col, s.b_bytes, b[k]);
    }
    cm[row * s.n + col] = c;
    const lw_mma_matrices mat = { .a = am, .b = bm, .c = cm, .d = dm };
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_OK);
    lw_mma_free(mma);
    return dm[row * s.n + col];
}

START_TEST(cdna3_example)
{
    const example *e = &examples[_i];
    for (int reference = 0; reference < 2; reference++) {
        const uint32_t d =
            evaluate(LW_ARCH_GFX942, e->mnemonic, NULL, 0, reference, e->a, e->b, 8, e->c, 3, 5);
        ck_assert_msg(d == e->d, "example %d: %08x, expected %08x", e->number, d, e->d);
    }
}
END_TEST

/* The older shapes are assumed to compute the same on gfx950 as on gfx942. */
START_TEST(cdna4_example)
{
    const example *e = &examples[_i];
    if (e->mnemonic == xf32 || e->mnemonic == fp8 || e->mnemonic == bf8)
        return;
    const uint32_t d = evaluate(LW_ARCH_GFX950, e->mnemonic, NULL, 0, false, e->a, e->b, 8, e->c, 7, 1);
    ck_assert_msg(d == e->d, "example %d: %08x, expected %08x", e->number, d, e->d);
}
END_TEST

/*
 * Probes that distinguish the readings of gfx950's doubled K: products U, -U and -1 at three k. Derived by
 * hand from the definitions of two chained TR groups of 8, one GTR group of 16, one TR group of 16.
 */
START_TEST(doubled_k_probe)
{
    static const struct {
        int u, minus_u, minus_one;
        uint32_t expected[3];
    } probes[] = {
        { 0, 1, 15, { 0xbf800000, 0x00000000, 0x00000000 } },
        { 0, 2, 1, { 0x00000000, 0xc2800000, 0x00000000 } },
        { 0, 2, 9, { 0xbf800000, 0xc2800000, 0x00000000 } },
        { 0, 8, 1, { 0x00000000, 0xc2800000, 0x00000000 } },
        { 0, 2, 4, { 0x00000000, 0x00000000, 0x00000000 } },
    };
    static const char *const readings[3] = { "doubled-k:tr8", "doubled-k:gtr16", "doubled-k:tr16" };
    static const char *const shapes[2] = { "v_mfma_f32_32x32x16_f16", "v_mfma_f32_16x16x32_f16" };
    uint32_t a[16] = { 0 }, b[16] = { 0 };
    a[probes[_i].u] = b[probes[_i].u] = b[probes[_i].minus_u] = 0x7800;
    a[probes[_i].minus_u] = 0xf800;
    a[probes[_i].minus_one] = 0xbc00;
    b[probes[_i].minus_one] = 0x3c00;
    for (int h = 0; h < 3; h++)
        for (int s = 0; s < 2; s++)
            for (int reference = 0; reference < 2; reference++)
                ck_assert_uint_eq(
                    evaluate(LW_ARCH_GFX950, shapes[s], &readings[h], 1, reference, a, b, 16, 0, 2, 9),
                    probes[_i].expected[h]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mma_examples");
    TCase *tc = tcase_create("examples");
    const int count = sizeof(examples) / sizeof(examples[0]);
    tcase_add_loop_test(tc, cdna3_example, 0, count);
    tcase_add_loop_test(tc, cdna4_example, 0, count);
    tcase_add_loop_test(tc, doubled_k_probe, 0, 5);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
