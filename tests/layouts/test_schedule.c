/* SPDX-License-Identifier: MIT */
/*
 * Schedules of matrix products: what iree-compile 3.13.0 printed for them; and properties over many products.
 * The test layout_judge_iree compares with the compiler itself if it is installed.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

static const struct {
    lw_tiling_problem problem;
    const char *intrinsic;
    uint32_t tiles[3], subgroups[2];
    bool padded;
} cases[] = {
#define P(arch_, m_, n_, k_, a_, c_, chip_, older_)                                                          \
    {                                                                                                        \
        LW_ARCH_##arch_, m_, n_, k_, a_, a_, c_, chip_, older_                                               \
    }
    /* VDMFMA, as in iree-compile 3.13.0 */
    { P(GFX942, 8, 13312, 16384, "f16", "f32", NULL, false),
      "VDMFMA_F32_8x16x64x2_F16",
      { 1, 2, 4 },
      { 1, 2 },
      false },
    { P(GFX942, 8, 100, 384, "bf16", "f32", NULL, false),
      "VDMFMA_F32_8x16x64x2_BF16",
      { 1, 2, 4 },
      { 1, 2 },
      true },
    { P(GFX942, 5, 16, 8192, "f16", "f32", NULL, false),
      "VDMFMA_F32_8x16x64x2_F16",
      { 1, 1, 4 },
      { 1, 1 },
      true },
    { P(GFX942, 8, 1000, 320, "f16", "f32", NULL, false),
      "MFMA_F32_16x16x16_F16",
      { 1, 2, 4 },
      { 1, 2 },
      true },
    { P(GFX90A, 8, 100, 256, "bf16", "f32", NULL, false),
      "MFMA_F32_16x16x8_BF16",
      { 1, 2, 16 },
      { 1, 2 },
      true },
    { P(GFX1250, 4096, 4096, 4096, "f16", "f32", NULL, false),
      "WMMA_F32_16x16x32_F16",
      { 4, 4, 1 },
      { 2, 2 },
      false },
    { P(GFX1250, 128, 256, 512, "f16", "f32", NULL, false),
      "WMMA_F32_16x16x32_F16",
      { 2, 4, 4 },
      { 2, 2 },
      false },
    { P(GFX1250, 100, 300, 500, "i8", "i32", NULL, false),
      "WMMA_I32_16x16x64_I8",
      { 2, 4, 4 },
      { 2, 2 },
      true },
    { P(GFX1250, 1024, 1024, 1024, "fp8", "f32", NULL, false),
      "WMMA_F32_16x16x128_F8E4M3FN",
      { 2, 4, 2 },
      { 2, 2 },
      false },
    { P(GFX1250, 512, 512, 512, "bf16", "f32", NULL, true),
      "WMMA_F32_16x16x32_BF16",
      { 2, 2, 8 },
      { 2, 2 },
      false },
    { P(GFX1201, 128, 256, 512, "f16", "f32", NULL, true),
      "WMMAR4_F32_16x16x16_F16",
      { 2, 2, 8 },
      { 2, 2 },
      false },
    { P(GFX1201, 128, 256, 512, "f16", "f32", NULL, false),
      "WMMAR4_F32_16x16x16_F16",
      { 2, 2, 4 },
      { 2, 2 },
      false },
    { P(GFX1201, 128, 256, 512, "f16", "f32", "rx9070xt", false),
      "WMMAR4_F32_16x16x16_F16",
      { 1, 1, 4 },
      { 2, 2 },
      false },
    { P(GFX1201, 4096, 4096, 4096, "f16", "f32", NULL, false),
      "WMMAR4_F32_16x16x16_F16",
      { 4, 4, 4 },
      { 4, 2 },
      false },
    { P(GFX942, 4096, 4096, 4096, "f16", "f32", NULL, false),
      "MFMA_F32_16x16x16_F16",
      { 4, 4, 2 },
      { 2, 2 },
      false },
    { P(GFX942, 100, 300, 500, "f16", "f32", NULL, false),
      "MFMA_F32_16x16x16_F16",
      { 2, 4, 8 },
      { 2, 2 },
      true },
    { P(GFX942, 512, 512, 512, "i8", "i32", NULL, false),
      "MFMA_I32_16x16x32_I8",
      { 2, 4, 8 },
      { 2, 2 },
      false },
    { P(GFX1100, 128, 256, 512, "f16", "f32", NULL, false),
      "WMMAR3_F32_16x16x16_F16",
      { 2, 4, 8 },
      { 2, 2 },
      false },
    { P(GFX1100, 5120, 928, 320, "f16", "f32", NULL, true),
      "WMMAR3_F32_16x16x16_F16",
      { 4, 1, 4 },
      { 2, 2 },
      false },
    { P(GFX90A, 1023, 5120, 160, "f16", "f32", NULL, false),
      "MFMA_F32_16x16x16_F16",
      { 2, 4, 2 },
      { 2, 2 },
      true },
    { P(GFX908, 16, 320, 256, "f16", "f32", NULL, false),
      "MFMA_F32_16x16x16_F16",
      { 1, 2, 8 },
      { 1, 2 },
      true },
    { P(GFX908, 512, 160, 1048, "i8", "i32", NULL, false),
      "MFMA_I32_32x32x8_I8",
      { 2, 4, 1 },
      { 2, 2 },
      true },
    { P(GFX90A, 165, 512, 2048, "bf16", "f32", NULL, false),
      "MFMA_F32_16x16x8_BF16",
      { 2, 4, 16 },
      { 2, 2 },
      true },
};

START_TEST(as_the_compiler)
{
    lw_tiling s;
    lw_error error = { "" };
    ck_assert_msg(lw_tiling_derive(&cases[_i].problem, &s, &error) == LW_OK, "%s", error.text);
    ck_assert_str_eq(s.intrinsic, cases[_i].intrinsic);
    for (int d = 0; d < 3; d++)
        ck_assert_msg(s.tiles[d] == cases[_i].tiles[d], "tiles %d: %u\n%s", d, s.tiles[d], s.steps);
    for (int d = 0; d < 2; d++)
        ck_assert_msg(s.subgroups[d] == cases[_i].subgroups[d], "subgroups %d: %u\n%s", d, s.subgroups[d],
                      s.steps);
    ck_assert_int_eq(s.padded, cases[_i].padded);
    ck_assert_uint_eq(s.lds,
                      (s.size[0] * s.tiles[0] * s.subgroups[0] + s.size[1] * s.tiles[1] * s.subgroups[1]) *
                          s.size[2] * s.tiles[2] *
                          (strcmp(cases[_i].problem.a, "i8") && strcmp(cases[_i].problem.a, "fp8") ? 2 : 1));
}
END_TEST

/* A derived schedule passes the check, fits into LDS, and covers the product exactly unless it is padded. */
START_TEST(derived_is_valid)
{
    static const lw_arch archs[] = { LW_ARCH_GFX908, LW_ARCH_GFX90A, LW_ARCH_GFX942, LW_ARCH_GFX1100,
                                     LW_ARCH_GFX1201 };
    static const char *const types[][2] = { { "f16", "f32" }, { "i8", "i32" } };
    unsigned count = 0;
    for (uint32_t n = 0; n < 4000; n++) {
        const uint32_t r = n * 2654435761u;
        const lw_tiling_problem p = { .arch = archs[n % 5],
                                      .m = 9 + (r >> 8) % (n % 3 ? 900 : 6000),
                                      .n = 16 * (1 + (r >> 12) % 300),
                                      .k = n % 7 ? 64 * (1 + (r >> 20) % 60) : 1 + (r >> 16) % 3000,
                                      .a = types[n / 5 % 2][0],
                                      .b = types[n / 5 % 2][0],
                                      .c = types[n / 5 % 2][1],
                                      .vector_distribute = n % 4 == 0 };
        lw_tiling s, again;
        lw_error error = { "" };
        const lw_status st = lw_tiling_derive(&p, &s, &error);
        ck_assert(st == LW_OK || (st == LW_E_UNSUPPORTED && error.text[0]));
        if (st != LW_OK)
            continue;
        count++;
        again = s;
        ck_assert_msg(lw_tiling_check(&p, &again, &error) == LW_OK, "%ux%ux%u: %s\n%s", p.m, p.n, p.k,
                      error.text, s.steps);
        ck_assert_uint_le(s.lds, s.lds_limit);
        ck_assert(s.padded || (p.m % (s.size[0] * s.tiles[0] * s.subgroups[0]) == 0 &&
                               p.n % (s.size[1] * s.tiles[1] * s.subgroups[1]) == 0 &&
                               p.k % (s.size[2] * s.tiles[2]) == 0));
    }
    ck_assert_uint_gt(count, 2500);
}
END_TEST

START_TEST(checked)
{
    const lw_tiling_problem p = P(GFX942, 4096, 4096, 4096, "f16", "f32", NULL, false);
    static const struct {
        const char *intrinsic;
        uint32_t tiles[3], subgroups[2], lds;
        const char *says;
    } given[] = {
        { "MFMA_F32_32x32x8_F16", { 2, 4, 16 }, { 2, 2 }, 0, "A and B take 98304 bytes of LDS, of 65536" },
        { "MFMA_F32_32x32x8_F16", { 1, 3, 16 }, { 2, 2 }, 0, "N = 4096 is not a multiple of 192" },
        { "MFMA_F32_32x32x8_F16", { 1, 2, 16 }, { 2, 2 }, 49152, NULL },
        { "MFMA_F32_16x16x16_F16", { 4, 4, 2 }, { 2, 2 }, 16384, NULL },
        { "MFMA_F32_9x9x9_F16", { 4, 4, 2 }, { 2, 2 }, 0, "is not an instruction that IREE has for gfx942" },
        { "MFMA_I32_16x16x32_I8", { 4, 4, 2 }, { 2, 2 }, 0, "does not take f16, f16 and f32" },
        { "MFMA_F32_16x16x16_F16", { 4, 0, 2 }, { 2, 2 }, 0, "tiles must be 1 to 4096" },
    };
    for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
        lw_tiling s = { .struct_size = sizeof(s), .intrinsic = given[i].intrinsic };
        lw_error error = { "" };
        memcpy(s.tiles, given[i].tiles, sizeof(s.tiles));
        memcpy(s.subgroups, given[i].subgroups, sizeof(s.subgroups));
        const lw_status st = lw_tiling_check(&p, &s, &error);
        ck_assert_msg((st == LW_OK) == !given[i].says, "case %zu: %s", i, error.text);
        if (given[i].says)
            ck_assert_msg(strstr(error.text, given[i].says), "%s", error.text);
        else
            ck_assert_uint_eq(s.lds, given[i].lds);
    }
}
END_TEST

START_TEST(refused)
{
    static const struct {
        lw_tiling_problem problem;
        lw_status status;
        const char *says;
    } bad[] = {
        { P(GFX942, 4, 4096, 4096, "f16", "f32", NULL, false), LW_E_UNSUPPORTED, "so few rows" },
        { P(GFX950, 8, 4096, 4096, "f16", "f32", NULL, false), LW_E_UNSUPPORTED, "up to 8 rows" },
        { P(GFX1100, 4, 4096, 4096, "f16", "f32", NULL, false), LW_E_UNSUPPORTED,
          "uses no matrix instruction" },
        { P(GFX1100, 128, 128, 128, "f64", "f64", NULL, false), LW_E_UNSUPPORTED,
          "uses no matrix instruction" },
        { P(GFX950, 4096, 4096, 4096, "f16", "f32", NULL, false), LW_E_UNSUPPORTED, "not compared" },
        { P(SM_80, 128, 128, 128, "f16", "f32", NULL, false), LW_E_UNSUPPORTED, "sm_80" },
        { P(GFX942, 0, 128, 128, "f16", "f32", NULL, false), LW_E_ARGUMENT, "M, N and K" },
        { P(GFX942, 128, 128, 128, "f17", "f32", NULL, false), LW_E_ARGUMENT, "types must be" },
        { P(GFX942, 128, 128, 128, "f16", "f32", "rx9070xt", false), LW_E_ARGUMENT,
          "not a known chip of gfx942" },
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        lw_tiling s;
        lw_error error = { "" };
        ck_assert_int_eq(lw_tiling_derive(&bad[i].problem, &s, &error), bad[i].status);
        ck_assert_msg(strstr(error.text, bad[i].says), "%s", error.text);
    }
}
END_TEST

/* Bytes and threads by hand: (128 + 256) * 64 * 2, 8 warps of 32, 2 warpgroups of 128. */
#define WGMMA "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16"
static const struct {
    lw_tiling_problem problem;
    const char *intrinsic;
    uint32_t tiles[3], subgroups[2], wave, lds, limit;
    lw_status status;
    const char *says;
} blocks[] = {
    { P(SM_80, 4096, 4096, 4096, "f16", "f32", NULL, false),
      NULL,
      { 4, 8, 4 },
      { 2, 4 },
      32,
      49152,
      166912,
      LW_OK,
      "room for 3 stages" },
    { P(SM_90, 4096, 4096, 4096, "bf16", "f32", NULL, false),
      WGMMA,
      { 1, 1, 4 },
      { 2, 1 },
      128,
      49152,
      232448,
      LW_OK,
      "room for 4 stages" },
    { P(SM_75, 64, 64, 64, "i8", "i32", NULL, false),
      NULL,
      { 8, 8, 4 },
      { 1, 1 },
      32,
      8192,
      65536,
      LW_OK,
      "8192 of 65536" },
    { P(SM_89, 64, 64, 64, "bf8", "f32", NULL, false),
      NULL,
      { 4, 8, 2 },
      { 1, 1 },
      32,
      8192,
      101376,
      LW_OK,
      "8192 of 101376" },
    { P(SM_80, 64, 64, 64, "tf32", "f32", NULL, false),
      NULL,
      { 4, 8, 8 },
      { 1, 1 },
      32,
      32768,
      166912,
      LW_OK,
      "room for 5" },
    { P(SM_80, 65, 64, 64, "f16", "f32", NULL, false),
      NULL,
      { 4, 8, 4 },
      { 1, 1 },
      32,
      0,
      0,
      LW_E_UNSUPPORTED,
      "M = 65 is not a multiple of 64" },
    { P(SM_80, 4096, 4096, 4096, "f16", "f32", NULL, false),
      NULL,
      { 1, 1, 1 },
      { 8, 8 },
      32,
      0,
      0,
      LW_E_UNSUPPORTED,
      "2048 threads" },
    { P(SM_120, 4096, 4096, 4096, "f16", "f32", NULL, false),
      NULL,
      { 8, 16, 8 },
      { 2, 2 },
      32,
      0,
      0,
      LW_E_UNSUPPORTED,
      "A and B take 131072 bytes of shared memory, a block has at most 101376" },
    { P(SM_80, 64, 64, 64, "f16", "f32", NULL, false),
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
      { 1, 1, 1 },
      { 1, 1 },
      32,
      0,
      0,
      LW_E_UNSUPPORTED,
      "does not take f16 and f16 to f32" },
    { P(SM_80, 64, 64, 64, "f16", "f32", NULL, false),
      "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
      { 1, 1, 1 },
      { 1, 1 },
      32,
      0,
      0,
      LW_E_UNSUPPORTED,
      "dense mma.sync and wgmma only" },
    { P(SM_70, 64, 64, 64, "bf16", "f32", NULL, false),
      NULL,
      { 1, 1, 1 },
      { 1, 1 },
      32,
      0,
      0,
      LW_E_UNSUPPORTED,
      "no mma.sync of sm_70 takes bf16" },
    { P(SM_80, 64, 64, 64, "f16", "f32", NULL, false),
      NULL,
      { 0, 1, 1 },
      { 1, 1 },
      32,
      0,
      0,
      LW_E_ARGUMENT,
      "tiles must be 1 to 4096" },
};
#undef WGMMA

START_TEST(given_blocks)
{
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        lw_tiling s = { .struct_size = sizeof(s), .intrinsic = blocks[i].intrinsic };
        lw_error error = { "" };
        memcpy(s.tiles, blocks[i].tiles, sizeof(s.tiles));
        memcpy(s.subgroups, blocks[i].subgroups, sizeof(s.subgroups));
        ck_assert_int_eq(lw_tiling_check(&blocks[i].problem, &s, &error), blocks[i].status);
        const char *text = blocks[i].status == LW_OK ? s.steps : error.text;
        ck_assert_msg(strstr(text, blocks[i].says), "%zu: %s", i, text);
        if (blocks[i].status != LW_OK)
            continue;
        ck_assert_uint_eq(s.wave, blocks[i].wave);
        ck_assert_uint_eq(s.lds, blocks[i].lds);
        ck_assert_uint_eq(s.lds_limit, blocks[i].limit);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("schedules");
    TCase *tc = tcase_create("schedules");
    tcase_add_loop_test(tc, as_the_compiler, 0, sizeof(cases) / sizeof(cases[0]));
    tcase_add_test(tc, derived_is_valid);
    tcase_add_test(tc, checked);
    tcase_add_test(tc, refused);
    tcase_add_test(tc, given_blocks);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
