/* SPDX-License-Identifier: MIT */
/*
 * Labels follow what was measured: shapes, types and qualifiers beside those that a published comparison
 * covered are not called measured. The expectations are the scopes that the sources state.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

static const struct scope {
    lw_arch arch;
    const char *text;
    lw_mma_label finite;
} scopes[] = {
    /* The published rows of each GPU are of one group: k 8 of f16 on an A2, where k 16 are two. */
    { LW_ARCH_SM_86, "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", LW_MMA_HARDWARE },
    { LW_ARCH_SM_86, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", LW_MMA_INFERRED },
    { LW_ARCH_SM_86, "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", LW_MMA_HARDWARE },
    { LW_ARCH_SM_86, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", LW_MMA_INFERRED },
    { LW_ARCH_SM_80, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", LW_MMA_HARDWARE },
    { LW_ARCH_SM_89, "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", LW_MMA_HARDWARE },
    /* fp8 in two passes of f16: outputs are published of k 32 and equal types, on sm_90 with f16 results
       only. */
    { LW_ARCH_SM_100, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", LW_MMA_HARDWARE },
    { LW_ARCH_SM_100, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", LW_MMA_VENDOR },
    { LW_ARCH_SM_100, "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f32", LW_MMA_VENDOR },
    { LW_ARCH_SM_100A, "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32", LW_MMA_VENDOR },
    { LW_ARCH_SM_90, "mma.sync.aligned.m16n8k32.row.col.f16.e5m2.e5m2.f16", LW_MMA_HARDWARE },
    { LW_ARCH_SM_90, "mma.sync.aligned.m16n8k16.row.col.f16.e5m2.e5m2.f16", LW_MMA_VENDOR },
    { LW_ARCH_SM_90, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", LW_MMA_VENDOR },
    /* Block scales by four: ue4m3 was measured, ue8m0 was not. */
    { LW_ARCH_SM_120A,
      "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",
      LW_MMA_HARDWARE },
    { LW_ARCH_SM_120A,
      "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue8m0",
      LW_MMA_INFERRED },
    { LW_ARCH_SM_120A, "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0",
      LW_MMA_HARDWARE },
    /* Mixes with 6-bit floats were not among the measured ones. */
    { LW_ARCH_SM_120A, "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e4m3.f32", LW_MMA_HARDWARE },
    { LW_ARCH_SM_120A, "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e3m2.e4m3.f32", LW_MMA_INFERRED },
    /* wmma: sequences of a measured instruction are as sure as ptxas' code. */
    { LW_ARCH_SM_90, "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", LW_MMA_HARDWARE },
    { LW_ARCH_SM_90, "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32", LW_MMA_VENDOR },
    { LW_ARCH_SM_90, "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16", LW_MMA_VENDOR },
    { LW_ARCH_SM_90, "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32", LW_MMA_VENDOR },
    /* Directed roundings are the manual's. */
    { LW_ARCH_SM_80, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", LW_MMA_HARDWARE },
    { LW_ARCH_SM_80, "mma.sync.aligned.m8n8k4.row.col.rz.f64.f64.f64.f64", LW_MMA_VENDOR },
    { LW_ARCH_SM_90, "mma.sync.aligned.m16n8k16.row.col.rp.f64.f64.f64.f64", LW_MMA_VENDOR },
    { LW_ARCH_SM_80, "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", LW_MMA_INFERRED },
    { LW_ARCH_SM_72, "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", LW_MMA_INFERRED },
    { LW_ARCH_SM_80, "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", LW_MMA_VENDOR },
    /* AMD: nothing of gfx950 and gfx1250 is measured, nor any sparse float. */
    { LW_ARCH_GFX908, "v_mfma_f32_32x32x8f16", LW_MMA_HARDWARE },
    { LW_ARCH_GFX90A, "v_mfma_f64_16x16x4f64", LW_MMA_HARDWARE },
    { LW_ARCH_GFX942, "v_mfma_f32_16x16x32_fp8_bf8", LW_MMA_HARDWARE },
    { LW_ARCH_GFX942, "v_mfma_i32_16x16x32_i8", LW_MMA_VENDOR },
    { LW_ARCH_GFX942, "v_smfmac_f32_16x16x32_f16", LW_MMA_UNKNOWN },
    { LW_ARCH_GFX950, "v_mfma_f32_16x16x16_f16", LW_MMA_INFERRED },
    { LW_ARCH_GFX950, "v_mfma_f32_16x16x32_f16", LW_MMA_UNKNOWN },
    { LW_ARCH_GFX950, "v_mfma_scale_f32_16x16x128_f8f6f4", LW_MMA_UNKNOWN },
    { LW_ARCH_GFX1100, "v_wmma_f16_16x16x16_f16", LW_MMA_HARDWARE },
    { LW_ARCH_GFX1100, "v_wmma_i32_16x16x16_iu4", LW_MMA_INFERRED },
    { LW_ARCH_GFX1201, "v_wmma_bf16_16x16x16_bf16", LW_MMA_HARDWARE },
    { LW_ARCH_GFX1201, "v_wmma_f32_16x16x16_fp8_fp8", LW_MMA_INFERRED },
    { LW_ARCH_GFX1201, "v_swmmac_f32_16x16x32_f16", LW_MMA_UNKNOWN },
    /* Integers of gfx1201 are recorded in waves of 32. */
    { LW_ARCH_GFX1201, "v_wmma_i32_16x16x32_iu4", LW_MMA_HARDWARE },
    { LW_ARCH_GFX1201, "v_wmma_i32_16x16x32_iu4 wave:64", LW_MMA_INFERRED },
    { LW_ARCH_GFX1201, "v_swmmac_i32_16x16x64_iu4 clamp wave:64", LW_MMA_INFERRED },
    { LW_ARCH_GFX1250, "v_wmma_f32_16x16x32_f16", LW_MMA_UNKNOWN },
};

START_TEST(labels_have_the_sources_scope)
{
    const struct scope *s = &scopes[_i];
    const lw_insn *insn;
    lw_mods mods;
    lw_mma *mma;
    lw_error error = { "" };
    lw_mma_evidence evidence;
    ck_assert_msg(lw_insn_parse(s->arch, s->text, &insn, &mods, &error) == LW_OK, "%s", error.text);
    const lw_mma_options options = { .mods = &mods };
    ck_assert_msg(lw_mma_create(s->arch, insn, &options, &mma, &error) == LW_OK, "%s", error.text);
    ck_assert_int_eq(lw_mma_get_evidence(mma, LW_MMA_FINITE, &evidence), LW_OK);
    ck_assert_msg(evidence.label == s->finite, "%s on %s is called %s: %s", s->text,
                  lw_arch_get(s->arch)->name, lw_mma_label_name(evidence.label), evidence.source);
    ck_assert_uint_gt(strlen(evidence.source), 10);
    ck_assert_int_eq(lw_mma_weakest(mma, 0), s->finite); /* finite results are always touched */
    ck_assert_int_ge(lw_mma_weakest(mma, 1u << LW_MMA_NAN), s->finite);
    lw_mma_free(mma);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mma_evidence");
    TCase *tc = tcase_create("scopes");
    tcase_add_loop_test(tc, labels_have_the_sources_scope, 0, sizeof(scopes) / sizeof(scopes[0]));
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
