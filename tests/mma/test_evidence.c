/* SPDX-License-Identifier: MIT */
/*
 * Labels follow what was measured: shapes, types and qualifiers outside a published comparison are not called
 * measured. The expectations are the scopes that the sources state.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

#include "emu/mma/mma.h"

static const struct scope {
    lw_arch arch;
    const char *text;
    lw_label finite;
} scopes[] = {
    /* The published rows of an A2 went through wmma, one group of products each. */
    { LW_ARCH_SM_86, "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", LW_LABEL_INFERRED },
    { LW_ARCH_SM_86, "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", LW_LABEL_INFERRED },
    { LW_ARCH_SM_80, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", LW_LABEL_MEASURED },
    { LW_ARCH_SM_89, "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", LW_LABEL_MEASURED },
    /* m8n8k4 was compared with a V100, not with a T4. */
    { LW_ARCH_SM_70, "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16", LW_LABEL_MEASURED },
    { LW_ARCH_SM_75, "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16", LW_LABEL_INFERRED },
    /* fp8 as two passes of f16: outputs were published for k 32 and equal types, on sm_90 with f16 results
     * only. On an RTX 4090 and an RTX PRO 6000 all mixes and both k were compared. */
    { LW_ARCH_SM_100, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", LW_LABEL_RECORDED },
    { LW_ARCH_SM_100, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", LW_LABEL_VENDOR },
    { LW_ARCH_SM_100, "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f32", LW_LABEL_VENDOR },
    { LW_ARCH_SM_100A, "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32", LW_LABEL_VENDOR },
    { LW_ARCH_SM_90, "mma.sync.aligned.m16n8k32.row.col.f16.e5m2.e5m2.f16", LW_LABEL_RECORDED },
    { LW_ARCH_SM_90, "mma.sync.aligned.m16n8k16.row.col.f16.e5m2.e5m2.f16", LW_LABEL_VENDOR },
    { LW_ARCH_SM_90, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", LW_LABEL_VENDOR },
    { LW_ARCH_SM_89, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", LW_LABEL_RECORDED },
    { LW_ARCH_SM_89, "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e5m2.f32", LW_LABEL_MEASURED },
    { LW_ARCH_SM_120, "mma.sync.aligned.m16n8k16.row.col.f16.e4m3.e5m2.f16", LW_LABEL_MEASURED },
    /* Block scales: the list has mxf8f6f4 of equal 8-bit types, mxf4nvf4 with two ue8m0 and four ue4m3. */
    { LW_ARCH_SM_120A,
      "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",
      LW_LABEL_MEASURED },
    { LW_ARCH_SM_120A,
      "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue8m0",
      LW_LABEL_INFERRED },
    { LW_ARCH_SM_120A,
      "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0",
      LW_LABEL_MEASURED },
    { LW_ARCH_SM_120A, "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0",
      LW_LABEL_INFERRED },
    { LW_ARCH_SM_120A,
      "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0",
      LW_LABEL_MEASURED },
    { LW_ARCH_SM_120A,
      "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e5m2.f32.ue8m0",
      LW_LABEL_INFERRED },
    { LW_ARCH_SM_120A,
      "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e2m1.e2m1.f32.ue8m0",
      LW_LABEL_INFERRED },
    /* No list has kind::f8f6f4. */
    { LW_ARCH_SM_120A, "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e4m3.f32",
      LW_LABEL_INFERRED },
    { LW_ARCH_SM_120A, "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32",
      LW_LABEL_INFERRED },
    /* wmma: recorded if the data filled all k, otherwise as sure as ptxas's code. */
    { LW_ARCH_SM_90, "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", LW_LABEL_RECORDED },
    { LW_ARCH_SM_80, "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", LW_LABEL_VENDOR },
    { LW_ARCH_SM_90, "wmma.mma.sync.aligned.row.col.m32n8k16.f32.f32", LW_LABEL_VENDOR },
    { LW_ARCH_SM_70, "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", LW_LABEL_INFERRED },
    { LW_ARCH_SM_90, "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32", LW_LABEL_VENDOR },
    { LW_ARCH_SM_90, "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16", LW_LABEL_VENDOR },
    { LW_ARCH_SM_90, "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32", LW_LABEL_VENDOR },
    /* f64 to nearest even was compared with five GPUs, the larger shapes with an H100; no other rounding was.
     */
    { LW_ARCH_SM_80, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", LW_LABEL_MEASURED },
    { LW_ARCH_SM_89, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", LW_LABEL_MEASURED },
    { LW_ARCH_SM_86, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", LW_LABEL_INFERRED },
    { LW_ARCH_SM_100, "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64", LW_LABEL_INFERRED },
    { LW_ARCH_SM_80, "mma.sync.aligned.m8n8k4.row.col.rz.f64.f64.f64.f64", LW_LABEL_INFERRED },
    { LW_ARCH_SM_90, "mma.sync.aligned.m16n8k16.row.col.rp.f64.f64.f64.f64", LW_LABEL_INFERRED },
    { LW_ARCH_SM_80, "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", LW_LABEL_INFERRED },
    { LW_ARCH_SM_72, "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", LW_LABEL_INFERRED },
    { LW_ARCH_SM_80, "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", LW_LABEL_VENDOR },
    /* AMD: nothing is measured on gfx950 and gfx1250, nor for any sparse float. */
    { LW_ARCH_GFX908, "v_mfma_f32_32x32x8f16", LW_LABEL_MEASURED },
    { LW_ARCH_GFX90A, "v_mfma_f64_16x16x4f64", LW_LABEL_MEASURED },
    { LW_ARCH_GFX942, "v_mfma_f32_16x16x32_fp8_bf8", LW_LABEL_MEASURED },
    { LW_ARCH_GFX942, "v_mfma_i32_16x16x32_i8", LW_LABEL_VENDOR },
    { LW_ARCH_GFX942, "v_smfmac_f32_16x16x32_f16", LW_LABEL_UNKNOWN },
    { LW_ARCH_GFX950, "v_mfma_f32_16x16x16_f16", LW_LABEL_INFERRED },
    { LW_ARCH_GFX950, "v_mfma_f32_16x16x32_f16", LW_LABEL_UNKNOWN },
    { LW_ARCH_GFX950, "v_mfma_scale_f32_16x16x128_f8f6f4", LW_LABEL_UNKNOWN },
    { LW_ARCH_GFX1100, "v_wmma_f16_16x16x16_f16", LW_LABEL_MEASURED },
    { LW_ARCH_GFX1100, "v_wmma_i32_16x16x16_iu4", LW_LABEL_INFERRED },
    { LW_ARCH_GFX1201, "v_wmma_f32_16x16x16_bf16", LW_LABEL_RECORDED },
    { LW_ARCH_GFX1201, "v_wmma_bf16_16x16x16_bf16", LW_LABEL_MEASURED },
    { LW_ARCH_GFX1201, "v_wmma_f32_16x16x16_fp8_fp8", LW_LABEL_INFERRED },
    { LW_ARCH_GFX1201, "v_swmmac_f32_16x16x32_f16", LW_LABEL_UNKNOWN },
    /* Integers of gfx1201 are recorded in waves of 32; the ISA manual says that sums are exact. */
    { LW_ARCH_GFX1201, "v_wmma_i32_16x16x32_iu4", LW_LABEL_RECORDED },
    { LW_ARCH_GFX1201, "v_wmma_i32_16x16x32_iu4 wave:64", LW_LABEL_VENDOR },
    { LW_ARCH_GFX1250, "v_wmma_f32_16x16x32_f16", LW_LABEL_UNKNOWN },
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
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options), .mods = &mods };
    ck_assert_msg(lw_mma_create(s->arch, insn, &options, &mma, &error) == LW_OK, "%s", error.text);
    ck_assert_int_eq(lw_mma_get_evidence(mma, LW_MMA_FINITE, &evidence), LW_OK);
    ck_assert_msg(evidence.label == s->finite, "%s on %s is called %s: %s", s->text,
                  lw_arch_get(s->arch)->name, lw_label_name(evidence.label), evidence.source);
    ck_assert_uint_gt(strlen(evidence.source), 10);
    ck_assert_int_eq(lw_mma_weakest(mma, 0), s->finite); /* finite results are always touched */
    ck_assert_int_ge(lw_mma_weakest(mma, 1u << LW_MMA_NAN), s->finite);
    lw_mma_free(mma);
}
END_TEST

/* Captures of a gfx1201's integers and sparse instructions are from waves of 32. */
START_TEST(labels_belong_to_a_wave_size)
{
    static const struct {
        const char *name;
        lw_mma_aspect aspect;
        bool in_32; /* earned in waves of 32; never in waves of 64 */
    } rows[] = {
        { "v_wmma_i32_16x16x16_iu8", LW_MMA_OVERFLOW, true },
        { "v_swmmac_i32_16x16x32_iu4", LW_MMA_OVERFLOW, true },
        { "v_wmma_i32_16x16x32_iu4", LW_MMA_FINITE, true },
        { "v_swmmac_f32_16x16x32_f16", LW_MMA_FINITE, false },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (unsigned wave = 32; wave <= 64; wave += 32) {
            const lw_insn *insn;
            lw_mma *mma;
            lw_mma_evidence e;
            const lw_mma_options options = { .struct_size = sizeof(lw_mma_options), .wave = wave };
            ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX1201, rows[i].name, &insn, NULL), LW_OK);
            ck_assert_int_eq(lw_mma_create(LW_ARCH_GFX1201, insn, &options, &mma, NULL), LW_OK);
            ck_assert_int_eq(lw_mma_get_evidence(mma, rows[i].aspect, &e), LW_OK);
            ck_assert_msg((e.label < LW_LABEL_VENDOR) == (wave == 32 && rows[i].in_32),
                          "%s in waves of %u: %s", rows[i].name, wave, lw_label_name(e.label));
            lw_mma_free(mma);
        }
}
END_TEST

static lw_label places_of(const char *name, lw_operand operand, unsigned wave)
{
    const lw_insn *insn;
    lw_layout *layout;
    lw_layout_info info;
    ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX1201, name, &insn, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_create(LW_ARCH_GFX1201, insn, operand, wave, NULL, &layout, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_get_info(layout, &info), LW_OK);
    lw_layout_free(layout);
    return info.evidence;
}

/* What the captures settle for sparse floats: places and index, not the arithmetic. */
START_TEST(places_of_sparse_floats_are_captured)
{
    static const lw_operand operands[] = { LW_OPERAND_A, LW_OPERAND_B, LW_OPERAND_D, LW_OPERAND_INDEX };
    for (int i = 0; i < 4; i++) {
        ck_assert_int_lt(places_of("v_swmmac_f32_16x16x32_f16", operands[i], 32), LW_LABEL_VENDOR);
        ck_assert_int_eq(places_of("v_swmmac_f32_16x16x32_f16", operands[i], 64), LW_LABEL_VENDOR);
        ck_assert_int_lt(places_of("v_swmmac_i32_16x16x64_iu4", operands[i], 32), LW_LABEL_VENDOR);
    }
    ck_assert_int_eq(places_of("v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32), LW_LABEL_VENDOR);
}
END_TEST

/* A reading that the caller selects has its own label, whatever was compared with the default. */
START_TEST(readings_have_their_own_labels)
{
    static const char *const readings[] = { "tiny-sums:zero-operands" };
    const lw_insn *insn;
    lw_mods mods;
    lw_mma *mma;
    const lw_mma_options options = {
        .struct_size = sizeof(lw_mma_options), .mods = &mods, .readings = readings, .reading_count = 1
    };
    ck_assert_int_eq(lw_insn_parse(LW_ARCH_SM_90, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
                                   &insn, &mods, NULL),
                     LW_OK);
    ck_assert_int_eq(lw_mma_create(LW_ARCH_SM_90, insn, &options, &mma, NULL), LW_OK);
    ck_assert_int_eq(lw_mma_weakest(mma, 0), LW_LABEL_UNKNOWN);
    lw_mma_free(mma);
}
END_TEST

/*
 * One product a * b and zeros in bf16 on gfx942. The open question can apply to a product below 2^-126;
 * whether it does shows in the bits: 1.5 * 2^-150 rounds to 2^-149 or, if cut to 2^-150 first, to 0.
 */
START_TEST(questions_of_kernels)
{
    static const struct {
        uint32_t a, b;
        bool looked_at, open;
    } cases[] = {
        { 0x3f80, 0x3f80, false, false }, /* 1 * 1 */
        { 0x2000, 0x2000, false, false }, /* 2^-63 * 2^-63 */
        { 0x1f80, 0x3f80, true, false },  /* 2^-64 * 1 */
        { 0x0080, 0x33c0, true, true },   /* 2^-126 * 1.5 * 2^-24 */
        { 0x0080, 0x3f80, true, false },  /* 2^-126 * 1 */
        { 0x0080, 0x3380, true, false },  /* 2^-150: a tie in either reading */
    };
    const lw_insn *insn;
    lw_mma *mma;
    ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX942, "v_mfma_f32_16x16x16_bf16", &insn, NULL), LW_OK);
    ck_assert_int_eq(lw_mma_create(LW_ARCH_GFX942, insn, NULL, &mma, NULL), LW_OK);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint32_t a[2 * 64] = { cases[i].a }, b[2 * 64] = { cases[i].b }, open = 0;
        const lw_mma_registers regs = { .a = a, .b = b };
        ck_assert_int_eq(lw_mma_may_be_open(mma, &regs, 0), cases[i].looked_at);
        ck_assert_int_eq(lw_mma_open_registers(mma, &regs, &open), LW_OK);
        ck_assert_msg((open != 0) == cases[i].open, "case %zu", i);
        const lw_reading *question = lw_mma_open_at(mma, open, 0);
        ck_assert_int_eq(question != NULL, cases[i].open);
        if (question)
            ck_assert_str_eq(question->topic, "zero-product");
        ck_assert_ptr_null(lw_mma_open_at(mma, open, 1));
        ck_assert(!lw_mma_may_be_open(mma, &regs, UINT32_MAX));
    }
    lw_mma_free(mma);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mma_evidence");
    TCase *tc = tcase_create("scopes");
    tcase_add_loop_test(tc, labels_have_the_sources_scope, 0, sizeof(scopes) / sizeof(scopes[0]));
    tcase_add_test(tc, labels_belong_to_a_wave_size);
    tcase_add_test(tc, places_of_sparse_floats_are_captured);
    tcase_add_test(tc, readings_have_their_own_labels);
    tcase_add_test(tc, questions_of_kernels);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
