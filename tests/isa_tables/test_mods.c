/* SPDX-License-Identifier: MIT */
/* Modifiers: what is accepted, what is refused, and with which message. */
#include <check.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "isa_tables/matrix.h"

static const lw_insn *find_on(lw_arch arch, const char *name)
{
    const lw_insn *insn = NULL;
    ck_assert_int_eq(lw_insn_find(arch, name, &insn, NULL), LW_OK);
    return insn;
}

static const lw_insn *find(const char *name)
{
    return find_on(LW_ARCH_GFX950, name);
}

static const char *const one_block = "v_mfma_f32_16x16x16_f16";
static const char *const four_blocks = "v_mfma_f32_16x16x4_4b_f16";
static const char *const f32_block = "v_mfma_f32_32x32x2_f32";
static const char *const f64 = "v_mfma_f64_4x4x4_4b_f64";
static const char *const sparse = "v_smfmac_f32_16x16x32_f16";
static const char *const sparse_bytes = "v_smfmac_i32_16x16x64_i8";
static const char *const sparse_full = "v_smfmac_i32_16x16x128_i8";
static const char *const formats = "v_mfma_f32_16x16x128_f8f6f4";
static const char *const scaled = "v_mfma_scale_f32_16x16x128_f8f6f4";

/* Field by field: there is a byte of padding before `readings`. */
static bool same_mods(const lw_mods *a, const lw_mods *b)
{
    return memcmp(a, b, offsetof(lw_mods, wave) + 1) == 0 && a->readings == b->readings &&
           memcmp(&a->ptx, &b->ptx, sizeof(a->ptx)) == 0;
}

/* Printed text reads back as the same. */
static void expect_same_again(lw_arch arch, const lw_insn *insn, const lw_mods *mods)
{
    char text[256], less[8];
    size_t length = 0, whole = 0;
    lw_mods again;
    ck_assert_int_eq(lw_mods_print(arch, insn, mods, text, sizeof(text), &length), LW_OK);
    ck_assert_uint_eq(length, strlen(text));
    ck_assert_int_eq(lw_mods_parse(arch, insn, text, &again, NULL), LW_OK);
    ck_assert_msg(same_mods(&again, mods), "%s", text);
    ck_assert_int_eq(lw_mods_print(arch, insn, mods, less, sizeof(less), &whole), LW_OK);
    ck_assert_uint_eq(whole, length);
    ck_assert_int_eq(strncmp(less, text, sizeof(less) - 1), 0);
    ck_assert_int_eq(lw_mods_print(arch, insn, mods, NULL, 0, &whole), LW_OK);
    ck_assert_uint_eq(whole, length);
}

static void accept_on(lw_arch arch, const char *name, const char *text, lw_mods want)
{
    lw_mods got;
    lw_error error = { { 0 } };
    memset(&got, 0xff, sizeof(got));
    ck_assert_msg(lw_mods_parse(arch, find_on(arch, name), text, &got, &error) == LW_OK, "%s %s: %s", name,
                  text, error.text);
    ck_assert_msg(same_mods(&got, &want), "%s %s", name, text);
    expect_same_again(arch, find_on(arch, name), &got);
}

static void accept(const char *name, const char *text, lw_mods want)
{
    accept_on(LW_ARCH_GFX950, name, text, want);
}

static void refuse_on(lw_arch arch, const char *name, const char *text, lw_status status,
                      const char *in_sentence)
{
    lw_mods got, before;
    lw_error error = { { 0 } };
    memset(&got, 0x5a, sizeof(got));
    memset(&before, 0x5a, sizeof(before));
    const lw_status st = lw_mods_parse(arch, find_on(arch, name), text, &got, &error);
    ck_assert_msg(st == status, "%s %s: status %d, %s", name, text, (int)st, error.text);
    ck_assert_msg(strstr(error.text, in_sentence) != NULL, "\"%s\" lacks \"%s\"", error.text, in_sentence);
    ck_assert_int_eq(memcmp(&got, &before, sizeof(got)), 0);
    ck_assert_int_eq(lw_mods_parse(arch, find_on(arch, name), text, &got, NULL), status);
}

static void refuse(const char *name, const char *text, lw_status status, const char *in_sentence)
{
    refuse_on(LW_ARCH_GFX950, name, text, status, in_sentence);
}

START_TEST(reads_the_assemblers_spelling)
{
    accept(one_block, "", (lw_mods){ 0 });
    accept(one_block, "  cbsz:0,abid:0  blgp:0 ", (lw_mods){ 0 });
    accept(four_blocks, "abid:3 cbsz:2 blgp:7", (lw_mods){ .cbsz = 2, .abid = 3, .blgp = 7 });
    accept(f32_block, "blgp:5", (lw_mods){ .blgp = 5 });
    accept(f64, "neg:[1,0,1]", (lw_mods){ .neg = 5 });
    accept(f64, "neg:[ 0 , 1 ]", (lw_mods){ .neg = 2 });
    accept(sparse, "abid:3", (lw_mods){ .abid = 3 });
    accept(sparse, "cbsz:7 abid:15", (lw_mods){ .cbsz = 7, .abid = 15 });
    accept(formats, "cbsz:fp4 blgp:bf6", (lw_mods){ .cbsz = 4, .blgp = 3 });
    accept(scaled, "op_sel:[0,1,0] op_sel_hi:[1,1,0] cbsz:2 blgp:1",
           (lw_mods){ .op_sel = 2, .op_sel_hi = 3, .cbsz = 2, .blgp = 1 });
}
END_TEST

START_TEST(refuses_what_is_no_modifier)
{
    refuse(one_block, "cbsz", LW_E_FORMAT, "NAME:VALUE");
    refuse(one_block, "cbsz:", LW_E_FORMAT, "0 to 7");
    refuse(one_block, "cbsz:8", LW_E_FORMAT, "0 to 7");
    refuse(one_block, "abid:16", LW_E_FORMAT, "0 to 15");
    refuse(formats, "cbsz:1 blgp:0 cbsz:1", LW_E_FORMAT, "cbsz is given twice");
    refuse(one_block, "blgp:99999999999", LW_E_FORMAT, "0 to 7");
    refuse(one_block, "blgp:-1", LW_E_FORMAT, "0 to 7");
    refuse(one_block, "cbsz:fp4", LW_E_FORMAT, "0 to 7");
    refuse(formats, "cbsz:fp5", LW_E_FORMAT, "0 to 7");
    refuse(one_block, "clamps:1", LW_E_FORMAT, "no modifier is called \"clamps\"");
    refuse(one_block, "assume:nothing", LW_E_FORMAT, "no reading \"nothing\"; the nearest are ");
    refuse(one_block, "reading:cbsz:ignord", LW_E_FORMAT, "the topic has cbsz:refused, cbsz:ignored");
    refuse(one_block, "reading:doubled-k:tr8", LW_E_FORMAT, "doubled-k:tr8 is not a reading of modifiers");
    refuse(one_block, "reading", LW_E_FORMAT, "NAME:VALUE");
    for (unsigned i = 0; i < 8; i++) {
        const char *bad[] = { "neg:1",         "neg:[]",    "neg:[1,]", "neg:[2]",
                              "neg:[1,0,0,0]", "neg:[1 0]", "neg:[1,0", "neg:[,1]" };
        refuse(f64, bad[i], LW_E_FORMAT, "list of up to 3");
    }
}
END_TEST

START_TEST(refuses_what_the_instruction_lacks)
{
    refuse(one_block, "neg:[1,0,0]", LW_E_UNSUPPORTED, "cbsz abid blgp");
    refuse(f64, "blgp:1", LW_E_UNSUPPORTED, "cbsz abid neg");
    refuse(sparse, "blgp:1", LW_E_UNSUPPORTED, "cbsz abid");
    refuse(formats, "abid:1", LW_E_UNSUPPORTED, "cbsz blgp");
    refuse(formats, "op_sel:[1,0,0]", LW_E_UNSUPPORTED, "cbsz blgp");
    refuse(scaled, "op_sel:[0,0,1]", LW_E_UNSUPPORTED, "op_sel");
    refuse(four_blocks, "cbsz:3", LW_E_UNSUPPORTED, "groups 8 blocks, but there are 4");
    refuse(four_blocks, "cbsz:1 abid:2", LW_E_UNSUPPORTED, "not among the 2 blocks");
    refuse(four_blocks, "abid:1", LW_E_UNSUPPORTED, "but cbsz is 0");
    refuse(sparse, "abid:4", LW_E_UNSUPPORTED, "sets 0..3");
    refuse(sparse_bytes, "abid:2", LW_E_UNSUPPORTED, "sets 0..1");
    refuse(formats, "blgp:5", LW_E_UNSUPPORTED, "blgp:5 is a reserved format");
    refuse(scaled, "cbsz:7", LW_E_UNSUPPORTED, "cbsz:7 is a reserved format");
}
END_TEST

START_TEST(open_meanings_need_a_reading)
{
    refuse(one_block, "cbsz:1", LW_E_UNSUPPORTED, "the reading cbsz:ignored");
    refuse(one_block, "abid:1", LW_E_UNSUPPORTED, "the reading cbsz:ignored");
    refuse(one_block, "blgp:1", LW_E_UNSUPPORTED, "blgp:pattern");
    refuse(one_block, "blgp:1 assume:cbsz-ignored", LW_E_UNSUPPORTED, "blgp:pattern");
    refuse(one_block, "blgp:1 assume:blgp-pattern assume:blgp-ignored", LW_E_UNSUPPORTED, "exclude");
    refuse(f32_block, "cbsz:1", LW_E_UNSUPPORTED, "the reading cbsz:ignored");
    refuse(f64, "cbsz:1", LW_E_UNSUPPORTED, "the reading cbsz:ignored");
    refuse(sparse_full, "abid:1", LW_E_UNSUPPORTED, "the reading index-set:ignored");
    accept(one_block, "cbsz:1 assume:cbsz-ignored",
           (lw_mods){ .cbsz = 1, .readings = LW_READING_CBSZ_IGNORED });
    accept(one_block, "assume:blgp-pattern blgp:1",
           (lw_mods){ .blgp = 1, .readings = LW_READING_BLGP_PATTERN });
    accept(one_block, "assume:blgp-ignored blgp:1",
           (lw_mods){ .blgp = 1, .readings = LW_READING_BLGP_IGNORED });
    accept(sparse_full, "assume:index-set-ignored abid:1",
           (lw_mods){ .abid = 1, .readings = LW_READING_INDEX_SET_IGNORED });
    accept(one_block, "cbsz:1 reading:cbsz:ignored",
           (lw_mods){ .cbsz = 1, .readings = LW_READING_CBSZ_IGNORED });
    accept(one_block, "cbsz:0 reading:cbsz:refused", (lw_mods){ .cbsz = 0 });
}
END_TEST

/* Fields as a decoder fills them, without text: values that the encoding can hold but the assembler cannot
 * write. */
START_TEST(raw_fields_are_checked_too)
{
    const lw_mods blgp = { .blgp = 1 }, abid = { .abid = 1 }, neg = { .neg = 8 }, cbsz = { .cbsz = 8 };
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX950, find(sparse), &blgp, NULL), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX950, find(f64), &blgp, NULL), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX950, find(formats), &abid, NULL), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX950, find(f64), &neg, NULL), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX950, find(four_blocks), &cbsz, NULL), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX950, find(four_blocks), NULL, NULL), LW_OK);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX942, find(formats), NULL, NULL), LW_E_ARCH);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX942, NULL, NULL, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_COUNT, find(formats), NULL, NULL), LW_E_ARGUMENT);

    const lw_insn *scaled_wmma = find_on(LW_ARCH_GFX1250, "v_wmma_scale_f32_16x16x128_f8f6f4");
    const lw_mods row = { .scale_row_b = 2 }, reuse = { .reuse_a = 2 }, format = { .scale_fmt_a = 3 };
    const lw_mods clamp = { .clamp = 2 }, ptx = { .ptx.satfinite = 1 },
                  open = { .readings = LW_READING_NEG_C };
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX1250, scaled_wmma, &row, NULL), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX1250, scaled_wmma, &reuse, NULL), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX1250, scaled_wmma, &format, NULL), LW_E_UNSUPPORTED);
    lw_error error = { "" };
    const lw_insn *iu8 = find_on(LW_ARCH_GFX1201, "v_wmma_i32_16x16x16_iu8");
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX1201, iu8, &clamp, &error), LW_E_UNSUPPORTED);
    ck_assert_str_eq(error.text, "v_wmma_i32_16x16x16_iu8: clamp is 2; the largest is 1");
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX1201, iu8, &ptx, &error), LW_E_UNSUPPORTED);
    ck_assert_str_eq(error.text, "v_wmma_i32_16x16x16_iu8 takes no qualifiers of PTX");
    const lw_insn *warp = lw_insn_at(LW_ARCH_SM_80, 0);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_SM_80, warp, &open, NULL), LW_E_UNSUPPORTED);
}
END_TEST

/* Generations differ in spelling: each printed name is one that its architecture reads. */
START_TEST(printed_names_are_read_back)
{
    for (unsigned a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++)
        for (size_t i = 0; i < lw_insn_count((lw_arch)a); i++) {
            const lw_insn *insn = lw_insn_at((lw_arch)a, i), *back = NULL;
            char text[256];
            lw_mods mods;
            lw_error error = { "" };
            ck_assert_int_eq(lw_insn_print((lw_arch)a, insn, NULL, text, sizeof(text), NULL), LW_OK);
            ck_assert_msg(lw_insn_parse((lw_arch)a, text, &back, &mods, &error) == LW_OK, "%s: %s", text,
                          error.text);
            ck_assert_msg(back == insn, "%s is read as another instruction", text);
        }
}
END_TEST

START_TEST(operands_follow_the_format_codes)
{
    const unsigned registers[] = { 8, 8, 6, 6, 4 }, bits[] = { 8, 8, 6, 6, 4 };
    const char *names[] = { "fp8", "bf8", "fp6", "bf6", "fp4" };
    lw_operand_info a, b;
    for (unsigned code = 0; code < 5; code++) {
        const lw_mods mods = { .cbsz = (uint8_t)code, .blgp = (uint8_t)(4 - code) };
        ck_assert_int_eq(lw_insn_operand(LW_ARCH_GFX950, find(scaled), LW_OPERAND_A, &mods, &a, NULL), LW_OK);
        ck_assert_int_eq(lw_insn_operand(LW_ARCH_GFX950, find(scaled), LW_OPERAND_B, &mods, &b, NULL), LW_OK);
        ck_assert_str_eq(a.format, names[code]);
        ck_assert_str_eq(b.format, names[4 - code]);
        ck_assert_uint_eq(a.registers, registers[code]);
        ck_assert_uint_eq(b.element_bits, bits[4 - code]);
    }
    lw_error error = { { 0 } };
    ck_assert_int_eq(lw_insn_operand(LW_ARCH_GFX950, find(sparse), LW_OPERAND_C, NULL, &a, &error),
                     LW_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "adds to D"));
}
END_TEST

static const char *const half = "v_wmma_f16_16x16x16_f16";
static const char *const bytes = "v_wmma_i32_16x16x16_iu8";
static const char *const fp8 = "v_wmma_f32_16x16x16_fp8_fp8";

START_TEST(first_generations)
{
    const lw_mods blgp = { .blgp = 3 };
    accept_on(LW_ARCH_GFX908, "v_mfma_f32_16x16x16f16", "blgp:3", blgp);
    accept_on(LW_ARCH_GFX90A, "v_mfma_i32_16x16x16i8", "blgp:3", blgp);
    refuse_on(LW_ARCH_GFX942, "v_mfma_f32_16x16x16_f16", "blgp:3", LW_E_UNSUPPORTED, "blgp:pattern");
    refuse_on(LW_ARCH_GFX90A, "v_mfma_f64_16x16x4f64", "neg:[1,0,0]", LW_E_UNSUPPORTED, "does not take neg");
    refuse_on(LW_ARCH_GFX90A, "v_mfma_f64_16x16x4f64", "blgp:1", LW_E_UNSUPPORTED,
              "the reading blgp:ignored");
    refuse_on(LW_ARCH_GFX908, "v_mfma_f32_16x16x16f16", "cbsz:1", LW_E_UNSUPPORTED,
              "the reading cbsz:ignored");
    refuse_on(LW_ARCH_GFX908, "v_mfma_f32_16x16x16f16", "wave:32", LW_E_UNSUPPORTED, "waves of 64 lanes");
}
END_TEST

START_TEST(rdna3)
{
    const lw_arch arch = LW_ARCH_GFX1100;
    accept_on(arch, half, "op_sel:[0,0,1] op_sel_hi:[1,1,1] neg_lo:[1,0,1] neg_hi:[0,1,0] wave:64",
              (lw_mods){ .op_sel = 4, .neg_lo = 5, .neg_hi = 2, .wave = 64 });
    accept_on(arch, half, "op_sel:[1,1,0]", (lw_mods){ .op_sel = 3 });
    accept_on(arch, half, "op_sel_hi:[0,1,1]", (lw_mods){ .op_sel_hi = 1 });
    refuse_on(arch, half, "clamp", LW_E_UNSUPPORTED, "does not take clamp");
    accept_on(arch, bytes, "clamp neg_lo:[1,1]", (lw_mods){ .clamp = 1, .neg_lo = 3 });
    refuse_on(arch, bytes, "clamp:1", LW_E_FORMAT, "stands alone");
    refuse_on(arch, bytes, "neg_hi:[1,0,0]", LW_E_UNSUPPORTED, "the reading neg:ignored");
    refuse_on(arch, bytes, "neg_lo:[0,0,1]", LW_E_UNSUPPORTED, "the reading neg:ignored");
    refuse_on(arch, "v_wmma_f32_16x16x16_f16", "op_sel:[0,0,1]", LW_E_UNSUPPORTED, "does not take op_sel");
    refuse_on(arch, "v_wmma_f32_16x16x16_f16", "clamp", LW_E_UNSUPPORTED,
              "clamp, which limits results that are integers");
    refuse_on(arch, half, "cbsz:1", LW_E_UNSUPPORTED, "does not take cbsz");
    refuse_on(arch, half, "wave:48", LW_E_FORMAT, "32 or 64");
}
END_TEST

START_TEST(rdna4)
{
    const lw_arch arch = LW_ARCH_GFX1201;
    const char *f16 = "v_swmmac_f32_16x16x32_f16", *iu4 = "v_swmmac_i32_16x16x32_iu4",
               *iu4_64 = "v_swmmac_i32_16x16x64_iu4";
    refuse_on(arch, half, "op_sel:[0,0,1]", LW_E_UNSUPPORTED, "does not take op_sel");
    refuse_on(arch, fp8, "neg_lo:[1,0,0]", LW_E_UNSUPPORTED, "neg_lo may set");
    refuse_on(arch, fp8, "neg_lo:[0,0,1]", LW_E_UNSUPPORTED, "the reading neg-c:applied");
    accept_on(arch, fp8, "neg_lo:[0,0,1] assume:neg-c",
              (lw_mods){ .neg_lo = 4, .readings = LW_READING_NEG_C });
    accept_on(arch, f16, "index_key:1", (lw_mods){ .index_key = 1 });
    refuse_on(arch, f16, "index_key:2", LW_E_UNSUPPORTED, "sets 0..1");
    accept_on(arch, f16, "index_key:3 wave:64", (lw_mods){ .index_key = 3, .wave = 64 });
    refuse_on(arch, iu4, "index_key:2 wave:64", LW_E_UNSUPPORTED, "sets 0..1");
    refuse_on(arch, iu4_64, "index_key:1", LW_E_UNSUPPORTED, "nothing to pick");
    accept_on(arch, iu4_64, "wave:64 index_key:1", (lw_mods){ .index_key = 1, .wave = 64 });
    refuse_on(arch, f16, "neg_lo:[0,0,1]", LW_E_UNSUPPORTED, "neg_lo may set");
    refuse_on(arch, "v_swmmac_f32_16x16x32_fp8_fp8", "neg_lo:[1,0,0]", LW_E_UNSUPPORTED,
              "does not take neg_lo");
    refuse_on(arch, half, "matrix_a_reuse", LW_E_UNSUPPORTED, "does not take matrix_a_reuse");
}
END_TEST

START_TEST(gfx1250)
{
    const lw_arch arch = LW_ARCH_GFX1250;
    const char *any = "v_wmma_scale_f32_16x16x128_f8f6f4", *f4 = "v_wmma_scale16_f32_32x16x128_f4";
    accept_on(
        arch, any,
        "matrix_a_fmt:MATRIX_FMT_FP4 matrix_b_fmt:bf6 matrix_a_scale:MATRIX_SCALE_ROW1 matrix_b_scale:1 "
        "matrix_a_scale_fmt:MATRIX_SCALE_FMT_E5M3 matrix_b_reuse neg_hi:[0,0,1]",
        (lw_mods){ .cbsz = 4,
                   .blgp = 3,
                   .scale_row_a = 1,
                   .scale_row_b = 1,
                   .scale_fmt_a = 1,
                   .reuse_b = 1,
                   .neg_hi = 4 });
    refuse_on(arch, any, "matrix_a_fmt:5", LW_E_FORMAT, "MATRIX_FMT_FP4 (4)");
    refuse_on(arch, any, "matrix_a_scale:2", LW_E_FORMAT, "MATRIX_SCALE_ROW1 (1)");
    refuse_on(arch, any, "matrix_a_scale_fmt:e4m3", LW_E_UNSUPPORTED, "does not name e4m3 scales for fp8");
    refuse_on(arch, any, "matrix_a_fmt:fp4 matrix_b_fmt:fp4 matrix_a_scale_fmt:e4m3", LW_E_UNSUPPORTED,
              "the reading scale-formats:any");
    accept_on(arch, f4, "matrix_a_scale_fmt:e4m3 matrix_b_scale_fmt:e4m3",
              (lw_mods){ .scale_fmt_a = 2, .scale_fmt_b = 2 });
    refuse_on(arch, f4, "matrix_a_scale:1", LW_E_UNSUPPORTED, "must be MATRIX_SCALE_ROW0");
    refuse_on(arch, f4, "matrix_a_fmt:fp4", LW_E_UNSUPPORTED, "does not take matrix_a_fmt");
    refuse_on(arch, "v_swmmac_f32_16x16x64_f16", "index_key:1", LW_E_UNSUPPORTED,
              "the reading index-set:ignored");
    refuse_on(arch, "v_wmma_f32_16x16x4_f32", "neg_hi:[1,0,0]", LW_E_UNSUPPORTED, "the reading neg:ignored");
    accept_on(arch, "v_wmma_f32_16x16x4_f32", "neg_lo:[1,1,1] neg_hi:[0,0,1]",
              (lw_mods){ .neg_lo = 7, .neg_hi = 4 });
    refuse_on(arch, "v_wmma_f16_16x16x32_f16", "wave:64", LW_E_UNSUPPORTED, "waves of 32 lanes");
    lw_operand_info a;
    const lw_mods fp6 = { .cbsz = 2, .scale_fmt_a = 0 };
    ck_assert_int_eq(lw_insn_operand(arch, find_on(arch, any), LW_OPERAND_A, &fp6, &a, NULL), LW_OK);
    ck_assert_uint_eq(a.registers, 12);
    ck_assert_int_eq(lw_insn_operand(arch, find_on(arch, f4), LW_OPERAND_SCALE_A, NULL, &a, NULL), LW_OK);
    ck_assert_uint_eq(a.registers, 2);
    ck_assert_str_eq(a.format, "e8m0");
}
END_TEST

/*
 * Bits that code may contain without effect: op_sel and clamp of WMMA with 16-bit results, whether they
 * assemble or not; on gfx11, op_sel[2] names the half of C and D.
 */
START_TEST(ignored_in_code)
{
    static const struct {
        lw_arch arch;
        const char *insn;
        bool taken;
        uint8_t half; /* op_sel bit with a meaning */
    } rows[] = {
        { LW_ARCH_GFX1100, "v_wmma_f16_16x16x16_f16", true, 4 },
        { LW_ARCH_GFX1100, "v_wmma_bf16_16x16x16_bf16", true, 4 },
        { LW_ARCH_GFX1201, "v_wmma_f16_16x16x16_f16", true, 0 },
        { LW_ARCH_GFX1201, "v_wmma_bf16_16x16x16_bf16", true, 0 },
        { LW_ARCH_GFX1100, "v_wmma_f32_16x16x16_f16", false, 0 },
        { LW_ARCH_GFX1201, "v_wmma_f32_16x16x16_bf16", false, 0 },
        { LW_ARCH_GFX1201, "v_swmmac_f16_16x16x32_f16", false, 0 },
        { LW_ARCH_GFX1250, "v_wmma_f16_16x16x32_f16", false, 0 },
    };
    const lw_insn *insn = find_on(rows[_i].arch, rows[_i].insn);
    const lw_mods sets[] = {
        { .op_sel = 1 }, { .op_sel = 2 }, { .op_sel = 7, .op_sel_hi = 7 }, { .op_sel_hi = 2 }, { .clamp = 1 }
    };
    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
        ck_assert_int_eq(lw_mods_check(rows[_i].arch, insn, &sets[i], NULL),
                         rows[_i].taken ? LW_OK : LW_E_UNSUPPORTED);
        if (!rows[_i].taken)
            continue;
        const lw_mods e = lw_mods_effective(rows[_i].arch, insn, &sets[i]);
        ck_assert_uint_eq(e.op_sel, sets[i].op_sel & rows[_i].half);
        ck_assert(!e.op_sel_hi && !e.clamp);
    }
    ck_assert_int_eq(lw_mods_check(rows[_i].arch, insn, &(lw_mods){ .op_sel = 8 }, NULL), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_mods_check(rows[_i].arch, insn, &(lw_mods){ .clamp = 2 }, NULL), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_mods_check(rows[_i].arch, insn, &(lw_mods){ .cbsz = 1 }, NULL), LW_E_UNSUPPORTED);
}
END_TEST

/* Modifiers that a reading ignores are dropped; those that it gives a meaning are kept. */
START_TEST(effective_modifiers)
{
    lw_mods m = { .neg_lo = 7, .neg_hi = 5, .clamp = 1, .readings = LW_READING_NEG_IGNORED };
    lw_mods e = lw_mods_effective(LW_ARCH_GFX1100, find_on(LW_ARCH_GFX1100, bytes), &m);
    ck_assert_uint_eq(e.neg_lo, 3);
    ck_assert_uint_eq(e.neg_hi, 0);
    ck_assert_uint_eq(e.clamp, 1);
    m = (lw_mods){ .neg_lo = 4, .readings = LW_READING_NEG_C };
    ck_assert_uint_eq(lw_mods_effective(LW_ARCH_GFX1201, find_on(LW_ARCH_GFX1201, fp8), &m).neg_lo, 4);
    m = (lw_mods){
        .cbsz = 1, .abid = 1, .blgp = 1, .readings = LW_READING_CBSZ_IGNORED | LW_READING_BLGP_IGNORED
    };
    e = lw_mods_effective(LW_ARCH_GFX942, find(one_block), &m);
    ck_assert(!e.cbsz && !e.abid && !e.blgp);
    m.readings = LW_READING_CBSZ_IGNORED | LW_READING_BLGP_PATTERN;
    ck_assert_uint_eq(lw_mods_effective(LW_ARCH_GFX942, find(one_block), &m).blgp, 1);
    m = (lw_mods){ .index_key = 1, .reuse_a = 1, .readings = LW_READING_INDEX_SET_IGNORED };
    e = lw_mods_effective(LW_ARCH_GFX1250, find_on(LW_ARCH_GFX1250, "v_swmmac_f32_16x16x64_f16"), &m);
    ck_assert(!e.index_key && !e.reuse_a);
}
END_TEST

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Any text gives an answer, and accepted text passes the check; memory of exact size reveals stray reads. */
START_TEST(any_text_is_survived)
{
    static const char alphabet[] = "cbszabidlgpneo_hum:[]0123456789, -f";
    static const char *const words[] = { "cbsz:",
                                         "abid:",
                                         "blgp:",
                                         "neg:[",
                                         "op_sel:[",
                                         "op_sel_hi:[",
                                         "assume:",
                                         "reading:",
                                         "cbsz:ignored",
                                         "1,0]",
                                         "blgp-pattern",
                                         "fp4",
                                         " ",
                                         "7",
                                         "neg_lo:[",
                                         "neg_hi:[",
                                         "clamp",
                                         "index_key:",
                                         "matrix_a_fmt:",
                                         "matrix_b_scale_fmt:",
                                         "matrix_a_reuse",
                                         "wave:64" };
    uint32_t state = 0x9e3779b9;
    for (int round = 0; round < 100000; round++) {
        char text[160] = "";
        for (uint32_t n = next_random(&state) % 6; n > 0; n--) {
            const char letter[2] = { alphabet[next_random(&state) % (sizeof(alphabet) - 1)], '\0' };
            const char *word = words[next_random(&state) % (sizeof(words) / sizeof(words[0]))];
            strcat(text, next_random(&state) % 4 ? word : letter);
        }
        char *exact = malloc(strlen(text) + 1);
        strcpy(exact, text);
        const lw_arch arch = (lw_arch)(LW_ARCH_GFX908 + next_random(&state) % LW_ARCH_GFX1250);
        const lw_insn *insn = lw_insn_at(arch, next_random(&state) % lw_insn_count(arch)), *found;
        lw_mods mods;
        lw_error error;
        const lw_status st = lw_mods_parse(arch, insn, exact, &mods, &error);
        if (st != LW_OK && st != LW_E_FORMAT && st != LW_E_UNSUPPORTED)
            ck_abort_msg("\"%s\": status %d", text, (int)st);
        if (st == LW_OK)
            expect_same_again(arch, insn, &mods);
        if (st == LW_OK && lw_mods_check(arch, insn, &mods, NULL) != LW_OK)
            ck_abort_msg("\"%s\" was accepted", text);
        if (round % 50 == 0 && lw_insn_find(arch, exact, &found, &error) == LW_OK)
            ck_abort_msg("\"%s\" is an instruction", text);
        free(exact);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mods");
    TCase *tc = tcase_create("all");
    tcase_add_test(tc, reads_the_assemblers_spelling);
    tcase_add_test(tc, refuses_what_is_no_modifier);
    tcase_add_test(tc, refuses_what_the_instruction_lacks);
    tcase_add_test(tc, open_meanings_need_a_reading);
    tcase_add_test(tc, raw_fields_are_checked_too);
    tcase_add_test(tc, printed_names_are_read_back);
    tcase_add_test(tc, operands_follow_the_format_codes);
    tcase_add_test(tc, first_generations);
    tcase_add_test(tc, rdna3);
    tcase_add_test(tc, rdna4);
    tcase_add_test(tc, gfx1250);
    tcase_add_loop_test(tc, ignored_in_code, 0, 8);
    tcase_add_test(tc, effective_modifiers);
    tcase_add_test(tc, any_text_is_survived);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
