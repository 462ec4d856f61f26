/* SPDX-License-Identifier: MIT */
/*
 * Layouts in the notations of other tools: exact texts that were compared with those tools element by
 * element, and, for all operands of all instructions, which notation can express which.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { TEXT_MAX = 1 << 22 };
static char out[TEXT_MAX];
static size_t used;

static lw_status collect(void *context, const char *bytes, size_t size)
{
    (void)context;
    ck_assert_uint_lt(used + size, TEXT_MAX);
    memcpy(out + used, bytes, size);
    used += size;
    out[used] = '\0';
    return LW_OK;
}

static lw_status print(const lw_layout *layout, lw_layout_format format, lw_error *error)
{
    used = 0;
    out[0] = '\0';
    return lw_layout_print(layout, format, NULL, collect, NULL, error);
}

static lw_layout *layout_of(const char *arch, const char *name, lw_operand operand, unsigned wave)
{
    lw_arch a;
    const lw_insn *insn = NULL;
    lw_mods mods = { 0 };
    lw_layout *layout = NULL;
    lw_error error = { "" };
    ck_assert_int_eq(lw_arch_find(arch, &a), LW_OK);
    ck_assert_msg(lw_insn_parse(a, name, &insn, &mods, &error) == LW_OK, "%s: %s", name, error.text);
    ck_assert_msg(lw_layout_create(a, insn, operand, wave, &mods, &layout, &error) == LW_OK, "%s",
                  error.text);
    return layout;
}

#define K16 "v_mfma_f32_16x16x16_f16"
#define F8F6F4 "v_mfma_f32_16x16x128_f8f6f4"
#define MMA "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
#define SPARSE "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"

static const struct {
    const char *arch, *name;
    lw_operand operand;
    unsigned wave;
    lw_layout_format format;
    const char *text;
} texts[] = {
    { "gfx942", K16, LW_OPERAND_A, 0, LW_LAYOUT_CUTE, "((16,4),4):((1,64),16)\n" },
    { "gfx942", K16, LW_OPERAND_A, 0, LW_LAYOUT_TIRX, "S[(16,4,4):(1@laneid,16@laneid,1)]\n" },
    { "gfx942", K16, LW_OPERAND_A, 0, LW_LAYOUT_FORMULA, "i = l%16, k = 4*(l/16)+v\n" },
    { "gfx942", K16, LW_OPERAND_A, 0, LW_LAYOUT_IREE,
      "outer = {1, 1} thread = {16, 4} tstrides = {1, 16} element = {1, 4}\n" },
    { "gfx942", K16, LW_OPERAND_A, 0, LW_LAYOUT_CK,
      "tile_distribution_encoding<sequence<>, tuple<sequence<16>, sequence<4, 4>>, tuple<sequence<2, 1>>, "
      "tuple<sequence<0, 0>>, sequence<2>, sequence<1>>\n" },
    { "gfx942", K16, LW_OPERAND_A, 0, LW_LAYOUT_TRITON,
      "#ttg.linear<{register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4], [0, 8]], "
      "warp = [], "
      "block = []}>\n" },
    { "gfx942", K16, LW_OPERAND_A, 0, LW_LAYOUT_GLUON,
      "DistributedLinearLayout(reg_bases=[[0, 1], [0, 2]], lane_bases=[[1, 0], [2, 0], [4, 0], [8, 0], [0, "
      "4], [0, "
      "8]], warp_bases=[], block_bases=[], shape=[16, 16])\n" },
    { "gfx942", K16, LW_OPERAND_B, 0, LW_LAYOUT_CUTE, "((16,4),4):((1,64),16)\n" },
    { "gfx942", K16, LW_OPERAND_B, 0, LW_LAYOUT_TIRX, "S[(4,4,16):(16@laneid,1,1@laneid)]\n" },
    { "gfx942", K16, LW_OPERAND_B, 0, LW_LAYOUT_IREE,
      "outer = {1, 1} thread = {4, 16} tstrides = {16, 1} element = {4, 1}\n" },
    { "gfx942", K16, LW_OPERAND_D, 0, LW_LAYOUT_CUTE, "((16,4),4):((16,4),1)\n" },
    { "gfx942", K16, LW_OPERAND_D, 0, LW_LAYOUT_TIRX, "S[(4,4,16):(16@laneid,1,1@laneid)]\n" },
    { "gfx942", "v_mfma_f32_32x32x8_f16", LW_OPERAND_D, 0, LW_LAYOUT_CUTE,
      "((32,2),(4,4)):((32,4),(1,8))\n" },
    { "gfx942", "v_mfma_f32_32x32x8_f16", LW_OPERAND_D, 0, LW_LAYOUT_TIRX,
      "S[(4,2,4,32):(4,32@laneid,1,1@laneid)]\n" },
    { "gfx942", "v_mfma_f32_32x32x8_f16", LW_OPERAND_D, 0, LW_LAYOUT_IREE,
      "outer = {4, 1} thread = {2, 32} tstrides = {32, 1} element = {4, 1}\n" },
    { "gfx942", "v_mfma_f32_32x32x8_f16", LW_OPERAND_D, 0, LW_LAYOUT_CK,
      "tile_distribution_encoding<sequence<>, tuple<sequence<4, 2, 4>, sequence<32>>, tuple<sequence<1, 2>>, "
      "tuple<sequence<1, 0>>, sequence<1, 1>, sequence<0, 2>>\n" },
    { "gfx942", "v_mfma_f32_32x32x8_f16", LW_OPERAND_D, 0, LW_LAYOUT_FORMULA,
      "i = 8*(v/4)+4*(l/32)+v%4, j = l%32\n" },
    { "gfx942", "v_mfma_f64_16x16x4_f64", LW_OPERAND_D, 0, LW_LAYOUT_CUTE, "((16,4),4):((16,1),4)\n" },
    { "gfx942", "v_mfma_f64_16x16x4_f64", LW_OPERAND_D, 0, LW_LAYOUT_TIRX,
      "S[(4,4,16):(1,16@laneid,1@laneid)]\n" },
    { "gfx950", F8F6F4 " cbsz:0 blgp:0", LW_OPERAND_A, 0, LW_LAYOUT_CUTE,
      "((16,4),(16,2)):((1,256),(16,1024))\n" },
    { "gfx950", F8F6F4 " cbsz:0 blgp:0", LW_OPERAND_A, 0, LW_LAYOUT_TIRX,
      "S[(16,2,4,16):(1@laneid,16,16@laneid,1)]\n" },
    { "gfx950", F8F6F4 " cbsz:0 blgp:0", LW_OPERAND_A, 0, LW_LAYOUT_CK,
      "tile_distribution_encoding<sequence<>, tuple<sequence<16>, sequence<2, 4, 16>>, tuple<sequence<2, "
      "1>>, "
      "tuple<sequence<1, 0>>, sequence<2, 2>, sequence<0, 2>>\n" },
    { "gfx950", F8F6F4 " cbsz:2 blgp:2", LW_OPERAND_A, 0, LW_LAYOUT_CUTE, "((16,4),32):((1,512),16)\n" },
    { "gfx950", F8F6F4 " cbsz:4 blgp:4", LW_OPERAND_A, 0, LW_LAYOUT_TIRX,
      "S[(16,4,32):(1@laneid,16@laneid,1)]\n" },
    { "gfx942", "v_mfma_f32_4x4x4_16b_f16", LW_OPERAND_A, 0, LW_LAYOUT_CUTE, "((4,16),4):((1,16),4)\n" },
    { "gfx942", "v_mfma_f32_4x4x4_16b_f16", LW_OPERAND_A, 0, LW_LAYOUT_FORMULA, "b = l/4, i = l%4, k = v\n" },
    { "gfx942", "v_mfma_f32_4x4x4_16b_f16", LW_OPERAND_D, 0, LW_LAYOUT_CUTE, "(64,4):(4,1)\n" },
    { "gfx942", "v_smfmac_f32_16x16x32_f16", LW_OPERAND_A, 0, LW_LAYOUT_CUTE, "((16,4),4):((1,64),16)\n" },
    { "gfx942", "v_smfmac_f32_16x16x32_f16", LW_OPERAND_INDEX, 0, LW_LAYOUT_CUTE,
      "((16,4),2):((1,32),16)\n" },
    { "gfx942", "v_smfmac_f32_16x16x32_f16", LW_OPERAND_INDEX, 0, LW_LAYOUT_TIRX,
      "S[(16,4,2):(1@laneid,16@laneid,1)]\n" },
    { "gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32, LW_LAYOUT_CUTE, "((16,2),16):((1,0),16)\n" },
    { "gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32, LW_LAYOUT_TIRX,
      "S[(16,16):(1@laneid,1)] + R[2:16@laneid]\n" },
    { "gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32, LW_LAYOUT_CK,
      "tile_distribution_encoding<sequence<2>, tuple<sequence<16>, sequence<16>>, tuple<sequence<0, 1>>, "
      "tuple<sequence<0, 0>>, sequence<2>, sequence<0>>\n" },
    { "gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_D, 32, LW_LAYOUT_CUTE, "((16,2),8):((16,1),2)\n" },
    { "gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_D, 32, LW_LAYOUT_TIRX,
      "S[(8,2,16):(1,16@laneid,1@laneid)]\n" },
    { "gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_D, 32, LW_LAYOUT_IREE,
      "outer = {8, 1} thread = {2, 16} tstrides = {16, 1} element = {1, 1}\n" },
    { "gfx1100", "v_wmma_f16_16x16x16_f16", LW_OPERAND_D, 32, LW_LAYOUT_FORMULA,
      "i = 2*v+l/16, j = l%16\n// values of 16 bits, 32 bits apart, the first at bit 0\n" },
    { "gfx1201", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32, LW_LAYOUT_CUTE,
      "((16,2),(4,2)):((1,64),(16,128))\n" },
    { "gfx1201", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32, LW_LAYOUT_TIRX,
      "S[(16,2,2,4):(1@laneid,4,16@laneid,1)]\n" },
    { "gfx1201", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32, LW_LAYOUT_CK,
      "tile_distribution_encoding<sequence<>, tuple<sequence<16>, sequence<2, 2, 4>>, tuple<sequence<2, 1>>, "
      "tuple<sequence<1, 0>>, sequence<2, 2>, sequence<0, 2>>\n" },
    { "gfx1201", "v_wmma_f32_16x16x16_f16", LW_OPERAND_D, 32, LW_LAYOUT_CUTE, "((16,2),8):((16,8),1)\n" },
    { "gfx1201", "v_wmma_f32_16x16x16_f16", LW_OPERAND_D, 64, LW_LAYOUT_CUTE, "((16,2,2),4):((16,8,4),1)\n" },
    { "gfx1201", "v_wmma_f32_16x16x16_f16", LW_OPERAND_D, 64, LW_LAYOUT_TIRX,
      "S[(2,2,4,16):(16@laneid,32@laneid,1,1@laneid)]\n" },
    { "gfx1250", "v_wmma_f32_16x16x32_f16", LW_OPERAND_A, 0, LW_LAYOUT_CUTE,
      "((16,2),(8,2)):((1,128),(16,256))\n" },
    { "gfx1250", "v_wmma_f32_16x16x32_f16", LW_OPERAND_A, 0, LW_LAYOUT_TIRX,
      "S[(16,2,2,8):(1@laneid,8,16@laneid,1)]\n" },
    { "sm_80", MMA, LW_OPERAND_A, 0, LW_LAYOUT_CUTE, "((4,8),(2,2,2)):((32,1),(16,8,128))\n" },
    { "sm_80", MMA, LW_OPERAND_A, 0, LW_LAYOUT_TIRX, "S[(2,8,2,4,2):(2,4@laneid,4,1@laneid,1)]\n" },
    { "sm_80", MMA, LW_OPERAND_A, 0, LW_LAYOUT_FORMULA, "i = 8*(v/2%2)+l/4, k = 8*(v/4)+2*(l%4)+v%2\n" },
    { "sm_80", MMA, LW_OPERAND_B, 0, LW_LAYOUT_CUTE, "((4,8),(2,2)):((16,1),(8,64))\n" },
    { "sm_80", MMA, LW_OPERAND_B, 0, LW_LAYOUT_TIRX, "S[(2,4,2,8):(2,1@laneid,1,4@laneid)]\n" },
    { "sm_80", MMA, LW_OPERAND_B, 0, LW_LAYOUT_IREE,
      "outer = {2, 1} thread = {4, 8} tstrides = {1, 4} element = {2, 1}\n" },
    { "sm_80", MMA, LW_OPERAND_D, 0, LW_LAYOUT_CUTE, "((4,8),(2,2)):((32,1),(16,8))\n" },
    { "sm_80", MMA, LW_OPERAND_D, 0, LW_LAYOUT_TIRX, "S[(2,8,4,2):(2,4@laneid,1@laneid,1)]\n" },
    { "sm_80", MMA, LW_OPERAND_D, 0, LW_LAYOUT_IREE,
      "outer = {2, 1} thread = {8, 4} tstrides = {4, 1} element = {1, 2}\n" },
    { "sm_70", "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", LW_OPERAND_D, 0, LW_LAYOUT_CUTE,
      "((2,2,4,2),(2,2,2)):((1,16,64,4),(8,2,32))\n" },
    { "sm_80", SPARSE, LW_OPERAND_INDEX, 0, LW_LAYOUT_CUTE, NULL },
};
enum { TEXTS = sizeof(texts) / sizeof(texts[0]) };

START_TEST(known_texts)
{
    lw_layout *layout = layout_of(texts[_i].arch, texts[_i].name, texts[_i].operand, texts[_i].wave);
    lw_error error = { "" };
    ck_assert_msg(print(layout, texts[_i].format, &error) == LW_OK, "%s: %s", texts[_i].name, error.text);
    if (texts[_i].text)
        ck_assert_str_eq(out, texts[_i].text);
    else
        ck_assert_msg(strncmp(out, "ThrID ", 6) == 0, "%s", out);
    lw_layout_free(layout);
}
END_TEST

START_TEST(lists_of_every_element)
{
    lw_layout *layout = layout_of("gfx942", K16, LW_OPERAND_A, 0);
    ck_assert_int_eq(print(layout, LW_LAYOUT_CALCULATOR, NULL), LW_OK);
    ck_assert_ptr_nonnull(strstr(out, "\nA[5][7] = v1{21}.[31:16]\n"));
    ck_assert_int_eq(print(layout, LW_LAYOUT_TABLE, NULL), LW_OK);
    ck_assert_ptr_nonnull(strstr(out, "\n  21 | 5,4     5,5     | 5,6     5,7\n"));
    ck_assert_int_eq(print(layout, LW_LAYOUT_LATEX, NULL), LW_OK);
    ck_assert_ptr_nonnull(strstr(out, "\\node[draw,fill=lane5] at (5,7) {\\shortstack{T21 \\\\ V3}};\n"));
    ck_assert_ptr_nonnull(strstr(out, "\\end{document}\n"));
    lw_layout_free(layout);
    layout = layout_of("gfx942", K16, LW_OPERAND_D, 0);
    ck_assert_int_eq(print(layout, LW_LAYOUT_LATEX, NULL), LW_OK);
    ck_assert_ptr_nonnull(strstr(out, "\\node[draw,fill=lane7] at (5,7) {\\shortstack{T23 \\\\ V1}};\n"));
    lw_layout_free(layout);
    layout = layout_of("gfx942", "v_mfma_f64_16x16x4_f64", LW_OPERAND_D, 0);
    ck_assert_int_eq(print(layout, LW_LAYOUT_CALCULATOR, NULL), LW_OK);
    ck_assert_ptr_nonnull(strstr(out, "\nD[6][3] = v[3:2]{35}\n"));
    lw_layout_free(layout);
    layout = layout_of("gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32);
    ck_assert_int_eq(print(layout, LW_LAYOUT_CALCULATOR, NULL), LW_OK);
    ck_assert_ptr_nonnull(strstr(out, "\nA[1][3] = v1{1}.[31:16] v1{17}.[31:16]\n"));
    lw_layout_free(layout);
}
END_TEST

START_TEST(what_cannot_be_said)
{
    lw_error error;
    lw_layout *shared = layout_of("gfx942", "v_mfma_f32_4x4x4_16b_f16 cbsz:2 abid:1", LW_OPERAND_A, 0);
    ck_assert_int_eq(print(shared, LW_LAYOUT_CUTE, &error), LW_E_UNSUPPORTED);
    ck_assert_str_eq(
        error.text,
        "CuTe: a place serves several elements (CBSZ), so the element is not a function of lane and value");
    ck_assert_uint_eq(used, 0);
    ck_assert_int_eq(print(shared, LW_LAYOUT_TRITON, &error), LW_E_UNSUPPORTED);
    ck_assert_int_eq(print(shared, LW_LAYOUT_TIRX, &error), LW_OK);
    ck_assert_str_eq(out, "S[(4,4,4,4):(16@laneid,0,1@laneid,1)] + 4@laneid\n");
    lw_layout_print_options options = lw_layout_print_options_default();
    options.lane = 3;
    ck_assert_int_eq(lw_layout_print(shared, LW_LAYOUT_TIRX, &options, collect, NULL, &error), LW_E_ARGUMENT);
    lw_layout_free(shared);

    lw_layout *rotated = layout_of("gfx942", "v_mfma_f32_32x32x4_2b_f16 blgp:3", LW_OPERAND_B, 0);
    for (int f = LW_LAYOUT_FORMULA; f <= LW_LAYOUT_CK; f++) {
        ck_assert_int_eq(print(rotated, (lw_layout_format)f, &error), LW_E_UNSUPPORTED);
        ck_assert_msg(strstr(error.text, "lanes are rotated") != NULL, "%s", error.text);
    }
    lw_layout_free(rotated);

    lw_layout *wide = layout_of("gfx1201", "v_wmma_f32_16x16x16_f16", LW_OPERAND_D, 64);
    ck_assert_int_eq(print(wide, LW_LAYOUT_IREE, &error), LW_E_UNSUPPORTED);
    ck_assert_msg(strstr(error.text, "i is spread over the lanes twice") != NULL, "%s", error.text);
    lw_layout_free(wide);
    lw_layout *stored = layout_of("gfx942", "v_smfmac_f32_16x16x32_f16", LW_OPERAND_A, 0);
    ck_assert_int_eq(print(stored, LW_LAYOUT_CALCULATOR, &error), LW_E_UNSUPPORTED);
    lw_layout_free(stored);
}
END_TEST

/* ---- All operands of all instructions ---- */

enum { FIRST = LW_LAYOUT_FORMULA, KINDS = LW_LAYOUT_CK - LW_LAYOUT_FORMULA + 1 };
static unsigned seen, refused[KINDS];
static unsigned listed; /* operands of which some lanes hold nothing: */
static unsigned sparse_indices, other_indices, scales, integers, tensors;
enum { OPERANDS = 4578, LISTED = 186 };

/* Counts the operand among those that Triton cannot express, and checks the reason that it is given. */
static void except(const char *name, lw_operand operand, const char *reason)
{
    const bool index = operand == LW_OPERAND_INDEX,
               scale = operand == LW_OPERAND_SCALE_A || operand == LW_OPERAND_SCALE_B;
    ck_assert_msg(strcmp(reason, "Triton: some lanes hold nothing, and it has no list of lanes") == 0, "%s",
                  reason);
    const bool sparse = strncmp(name, "mma.sp", 6) == 0 || strncmp(name, "wgmma.sp", 8) == 0;
    sparse_indices += index && sparse;
    other_indices += index && !sparse;
    scales += scale;
    integers += !index && !scale && strstr(name, "_iu4") != NULL;
    tensors += !index && !scale && strncmp(name, "tcgen05", 7) == 0 && strstr(name, ".m64n") != NULL;
}

static void write_all(lw_arch arch, const lw_insn *insn, const char *name, lw_operand operand, unsigned wave)
{
    lw_layout *layout = NULL;
    lw_error error = { "" };
    if (lw_layout_create(arch, insn, operand, wave, NULL, &layout, &error) != LW_OK)
        return;
    seen++;
    for (int f = 0; f < KINDS; f++) {
        const lw_status st = print(layout, (lw_layout_format)(FIRST + f), &error);
        ck_assert_msg(st == LW_OK || (st == LW_E_UNSUPPORTED && error.text[0]), "%s %s", name,
                      lw_operand_name(operand));
        refused[f] += st != LW_OK;
        if (st != LW_OK && FIRST + f == LW_LAYOUT_TRITON)
            except(name, operand, error.text);
    }
    ck_assert_int_eq(print(layout, LW_LAYOUT_CUTE, NULL), LW_OK);
    listed += strncmp(out, "ThrID", 5) == 0;
    lw_layout_free(layout);
}

START_TEST(every_operand)
{
    for (int a = 0; a < LW_ARCH_COUNT; a++)
        for (size_t i = 0; i < lw_insn_count((lw_arch)a); i++) {
            const lw_insn *insn = lw_insn_at((lw_arch)a, i);
            lw_insn_info info;
            if (lw_insn_get_info((lw_arch)a, insn, &info) != LW_OK)
                continue;
            for (int o = 0; o < LW_OPERAND_COUNT; o++)
                for (unsigned wave = 32; wave <= 128; wave *= 2)
                    if (info.operand[o].present && info.wave_sizes & (wave / 32))
                        write_all((lw_arch)a, insn, info.mnemonic, (lw_operand)o, wave);
        }
    /* CuTe, TIRx and formulas can express every operand with default modifiers; the others cannot list
     * lanes. docs/layouts.md has these numbers. */
    ck_assert_uint_eq(seen, OPERANDS);
    ck_assert_uint_eq(listed, LISTED);
    ck_assert_uint_eq(refused[LW_LAYOUT_CUTE - FIRST], 0);
    ck_assert_uint_eq(refused[LW_LAYOUT_FORMULA - FIRST], 0);
    ck_assert_uint_eq(refused[LW_LAYOUT_TIRX - FIRST], 0);
    ck_assert_uint_eq(refused[LW_LAYOUT_TRITON - FIRST], LISTED);
    ck_assert_uint_eq(refused[LW_LAYOUT_GLUON - FIRST], LISTED);
    ck_assert_uint_eq(refused[LW_LAYOUT_CK - FIRST], LISTED);
    ck_assert_uint_eq(refused[LW_LAYOUT_IREE - FIRST], 1368);
    ck_assert_uint_eq(sparse_indices, 94);
    ck_assert_uint_eq(other_indices, 1);
    ck_assert_uint_eq(scales, 46);
    ck_assert_uint_eq(integers, 3);
    ck_assert_uint_eq(tensors, 42);
}
END_TEST

/* AMD's calculator lists elements by row; the copy of lane 16 follows on the same line. LaTeX draws it once.
 */
START_TEST(copies_by_element)
{
    static const char first[] =
        "A[0][0] = v0{0}.[15:0] v0{16}.[15:0]\nA[0][1] = v0{0}.[31:16] v0{16}.[31:16]\n";
    lw_layout *layout = layout_of("gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32);
    unsigned cells = 0;
    ck_assert_int_eq(print(layout, LW_LAYOUT_CALCULATOR, NULL), LW_OK);
    ck_assert_int_eq(strncmp(out, first, strlen(first)), 0);
    ck_assert_int_eq(print(layout, LW_LAYOUT_LATEX, NULL), LW_OK);
    for (const char *at = out; (at = strstr(at, "\\node[draw")) != NULL; at++)
        cells++;
    ck_assert_uint_eq(cells, 256);
    ck_assert_ptr_nonnull(strstr(out, "\\node at (-1,0)"));
    lw_layout_free(layout);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layout_notation_write");
    TCase *tc = tcase_create("write");
    tcase_add_loop_test(tc, known_texts, 0, TEXTS);
    tcase_add_test(tc, lists_of_every_element);
    tcase_add_test(tc, what_cannot_be_said);
    tcase_add_test(tc, copies_by_element);
    tcase_add_test(tc, every_operand);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
