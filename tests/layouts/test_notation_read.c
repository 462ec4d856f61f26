/* SPDX-License-Identifier: MIT */
/*
 * Claims about layouts, judged. Verdicts that were found by comparing other tools' layouts with instructions
 * are found again; damaged texts are refused with a place or judged, and nothing is read past their end.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { TEXT_MAX = 1 << 20 };
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

#define MFMA16(transposed_)                                                                                  \
    "#ttg.amd_mfma<{version = 3, warpsPerCTA = [4, 1], instrShape = [16, 16, 16], isTransposed "             \
    "= " transposed_ "}>"
#define DOT_K128(width_)                                                                                     \
    "#ttg.dot_op<{opIdx = 0, parent = #ttg.amd_mfma<{version = 4, warpsPerCTA = [1, 1], instrShape = [16, "  \
    "16, 128], "                                                                                             \
    "isTransposed = true}>, kWidth = " width_ "}>"
#define WMMA(version_, shape_)                                                                               \
    "#ttg.amd_wmma<{version = " version_                                                                     \
    ", isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}" shape_ "}>"
#define NV "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>"

/* ---- Verdicts ---- */

static const struct {
    const char *arch, *name;
    lw_operand operand;
    unsigned wave;
    const char *text;
    lw_layout_verdict verdict;
    const char *says; /* part of the sentences, or NULL */
} cases[] = {
    { "gfx942", K16, LW_OPERAND_A, 0, "((16,4),4):((1,64),16)", LW_VERDICT_EQUAL, "all 256 places" },
    { "gfx942", K16, LW_OPERAND_A, 0, "Layout<Shape<Shape<_16,_4>,_4>, Stride<Stride<_1,Int<64>>,_16>>",
      LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_A, 0, "((4,4,2,2),(2,2)):((1,4,64,128),(16,32)) // not coalesced",
      LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_A, 0, "row = lane%16, k = 4*(lane/16)+v", LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_A, 0, "i=l%16 \n k=4(l/16)+v", LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_A, 0,
      "void map(int lane, int v, int *row, int *k)\n{\n    const int group = lane >> 4;\n    *row = lane & "
      "15;\n    *k = (group << 2) | "
      "v;\n}\n",
      LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_A, 0, "i = threadIdx.x % 16; k = threadIdx.x / 16 * 4 + v;", LW_VERDICT_EQUAL,
      NULL },
    { "gfx942", K16, LW_OPERAND_A, 0, "row = tid % 16, col = tid / 16 * 4 + v", LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_A, 0,
      "__device__ int row(int lane, int v) { const int r = lane & 15; return r; }\n"
      "int k(int lane, int v) { return 4 * (lane / 16) + v; }\n",
      LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_A, 0,
      "i = l < 16 ? l : l < 32 ? l - 16 : l <= 47 ? l - 32 : l - 48, k = v != 7 ? 4*(l/16)+v : v/0",
      LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_A, 0,
      "i = l%16, k = (l >= 48)*12 + (l >= 32 && l < 48)*8 + (l > 15 && !(l >= 32 || l == 64))*4 + (v & ~4)",
      LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_A, 0, "i = l%16, k = 1 == 2 == 3 ? 4 : 4*(l/16)+v | 0", LW_VERDICT_EQUAL,
      NULL },
    { "gfx942", K16, LW_OPERAND_A, 0, "i = l%16, k = 4*(l/16)+v, l < 32", LW_VERDICT_DIFFERENT, NULL },
    { "sm_80", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", LW_OPERAND_A, 0,
      "groupID = lane >> 2; t = lane % 4; row = (v < 2 || (v >= 4 && v < 6)) ? groupID : groupID + 8;"
      "col = v < 4 ? t * 2 + (v & 1) : t * 2 + (v & 1) + 8",
      LW_VERDICT_EQUAL, NULL },
    { "sm_80", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", LW_OPERAND_B, 0,
      "t = lane % 4; row = v < 2 ? t * 2 + (v & 1) : t * 2 + (v & 1) + 8; col = lane >> 2", LW_VERDICT_EQUAL,
      NULL },
    /* As FlyDSL, CuTe in Python and in C++, and IREE's vector distribution write them. */
    { "gfx942", K16, LW_OPERAND_A, 0, "!fly.layout<((16,4),4):((1,64),16)>", LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_A, 0, "cute.make_layout(((16,4),4), stride=((1,64),16))", LW_VERDICT_EQUAL,
      NULL },
    { "gfx942", K16, LW_OPERAND_A, 0,
      "make_layout(make_shape(make_shape(Int<16>{},_4{}),_4{}), "
      "make_stride(make_stride(_1{},Int<64>{}),_16{}))",
      LW_VERDICT_EQUAL, NULL },
    { "sm_80", MMA, LW_OPERAND_B, 0,
      "Tiled MMA\n  Thr Layout VMNK: (32,1,1,1):(1,0,0,0)\nMMA Atom\n  ThrID:  32:1\n  Shape MNK: (16,8,16)\n"
      "  TV Layout A: ((4,8),(2,2,2)):((32,1),(16,8,128))\n  TV Layout B: ((4,8),(2,2)):((16,1),(8,64))\n"
      "  TV Layout C: ((4,8),(2,2)):((32,1),(16,8))",
      LW_VERDICT_EQUAL, NULL },
    { "sm_80", MMA, LW_OPERAND_D, 0,
      "MMA_Atom\n  ThrID:  _32:_1\n  LayoutA_TV: ((_4,_8),(_2,_2,_2)):((_32,_1),(_16,_8,_128))\n"
      "  LayoutB_TV: ((_4,_8),(_2,_2)):((_16,_1),(_8,_64))\n  LayoutC_TV: "
      "((_4,_8),(_2,_2)):((_32,_1),(_16,_8))",
      LW_VERDICT_EQUAL, NULL },
    { "sm_80", MMA, LW_OPERAND_D, 0,
      "ThrID: (_4,_8):(_8,_1)\nLayoutC_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))", LW_VERDICT_DIFFERENT,
      NULL },
    { "gfx942", "v_mfma_f32_32x32x8_f16", LW_OPERAND_D, 0,
      "#iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [2, 1], outer_tile = [2, 1], "
      "thread_tile "
      "= [2, 32], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [32, 1]>",
      LW_VERDICT_EQUAL, NULL },
    { "gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32,
      "#iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], "
      "thread_tile "
      "= [16, 1], element_tile = [1, 16], subgroup_strides = [0, 0], thread_strides = [1, 0]>",
      LW_VERDICT_EQUAL, NULL },
    /* Functions as kernels have them: parameters with other names, several returns, steps, hexadecimal
       numbers. */
    { "gfx942", K16, LW_OPERAND_D, 0,
      "int get_row(int lane, int i) { if (lane < 0x10) return i; if (lane < 32) { return i + 4; }\n"
      "  else if (lane < 48) return i + 8; return i + 12; }\n"
      "int get_col(int lane, int i) { return lane & 0xF; };\n",
      LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_B, 0, "a_row = l/16; b_k = 4*(l/16)+v; b_col = l%16; a_k = 3",
      LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_D, 0,
      "void place(int reg, int tid, int &row, int &col) { row = reg; row += 4*(tid>>4); col = tid; col &= "
      "15; }",
      LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_D, 0,
      "row = v; if (lane >= 16) { row += 4; } if (lane >= 32 && lane < 64) row += 4; if (lane < 48) { } else "
      "{ row -= 2; row *= 2; row <<= 1; row /= 4; row += 6 - row + 6 + v; } col = lane; col %= 16",
      LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_D, 0, "row = 4*(lane//16)+v, col = lane%16 // in Python", LW_VERDICT_EQUAL,
      NULL },
    { "gfx942", K16, LW_OPERAND_B, 0, "S[(4,4,16):(16@laneid,1,1@laneid)]", LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_B, 0, "outer = {1, 1} thread = {4, 16} tstrides = {16, 1} element = {4, 1}",
      LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_D, 0,
      "#ttg.linear<{lane = [[0,1],[0,2],[0,4],[0,8],[4,0],[8,0]], register=[[1,0],[2,0]], block=[], "
      "warp=[]}>",
      LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_D, 0,
      "- register=1 -> (1, 0)\n  register=2 -> (2, 0)\n- lane=1 -> (0, 1)\n  lane=2 -> (0, 2)\n  lane=4 -> "
      "(0, 4)\n  lane=8 -> (0, "
      "8)\n  lane=16 -> (4, 0)\n  lane=32 -> (8, 0)\n- warp is a size 1 dimension\n- block is a size 1 "
      "dimension\nwhere out dims are: "
      "[dim0 (size 16), dim1 (size 16)]",
      LW_VERDICT_EQUAL, NULL },
    /* Triton's attributes, for a tensor of the operand's size; the expected layouts were computed by Triton
     * 3.9.0. */
    { "gfx942", K16, LW_OPERAND_D, 0, MFMA16("false"), LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_D, 0, MFMA16("true"), LW_VERDICT_TRANSPOSED, NULL },
    { "gfx942", K16, LW_OPERAND_A, 0, "#ttg.dot_op<{opIdx = 0, parent = " MFMA16("true") ", kWidth = 4}>",
      LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_B, 0,
      "#mma = " MFMA16("true") "\n#ttg.dot_op<{kWidth = 4, opIdx = 1, parent = #mma}>", LW_VERDICT_EQUAL,
      NULL },
    { "gfx942", "v_mfma_f32_32x32x8_f16", LW_OPERAND_D, 0,
      "#triton_gpu.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = "
      "false, "
      "tilesPerWarp = [1, 1]}>",
      LW_VERDICT_EQUAL, NULL },
    { "gfx942", "v_mfma_f64_16x16x4_f64", LW_OPERAND_D, 0,
      "#ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [16, 16, 4], isTransposed = false, "
      "elementBitWidth = 64}>",
      LW_VERDICT_EQUAL, NULL },
    { "gfx950", F8F6F4 " cbsz:0 blgp:0", LW_OPERAND_A, 0, DOT_K128("16"), LW_VERDICT_EQUAL, NULL },
    { "gfx950", F8F6F4 " cbsz:0 blgp:0", LW_OPERAND_A, 0, DOT_K128("32"), LW_VERDICT_K_RENAMED, NULL },
    { "gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_D, 32, WMMA("1", ""), LW_VERDICT_EQUAL, NULL },
    { "gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32,
      "#ttg.dot_op<{opIdx = 0, parent = " WMMA("1", "") ", kWidth = 16}>", LW_VERDICT_EQUAL, NULL },
    { "gfx1201", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32,
      "#ttg.dot_op<{opIdx = 0, parent = " WMMA("2", "") ", kWidth = 8}>", LW_VERDICT_K_RENAMED, NULL },
    { "gfx1201", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32,
      "#ttg.dot_op<{opIdx = 0, parent = " WMMA("2", "") ", kWidth = 4}>", LW_VERDICT_EQUAL, NULL },
    { "gfx1250", "v_wmma_f32_16x16x32_f16", LW_OPERAND_A, 0,
      "#ttg.dot_op<{opIdx = 0, parent = " WMMA("3", ", instrShape = [16, 16, 32]") ", kWidth = 8}>",
      LW_VERDICT_EQUAL, NULL },
    { "sm_80", MMA, LW_OPERAND_D, 0, NV, LW_VERDICT_EQUAL, NULL },
    { "sm_80", MMA, LW_OPERAND_A, 0, "#ttg.dot_op<{opIdx = 0, parent = " NV ", kWidth = 2}>",
      LW_VERDICT_EQUAL, NULL },
    { "sm_80", MMA, LW_OPERAND_B, 0, "#ttg.dot_op<{opIdx = 1, parent = " NV ", kWidth = 2}>",
      LW_VERDICT_EQUAL, NULL },
    { "gfx942", K16, LW_OPERAND_A, 0,
      "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [16, 4], warpsPerCTA = [1, 1], order = [0, "
      "1]}>",
      LW_VERDICT_EQUAL, NULL },
    /* A published hand-written map for this instruction. */
    { "gfx942", K16, LW_OPERAND_A, 0, "i = l/4, k = 4*(l%4)+v", LW_VERDICT_DIFFERENT,
      "lane 1 v 0: yours A[i=0][k=4], instruction A[i=1][k=0]" },
    /* Triton's isTransposed result is the layout of the transposed matrix. */
    { "gfx942", K16, LW_OPERAND_D, 0,
      "#ttg.linear<{register=[[0,1],[0,2]], lane=[[1,0],[2,0],[4,0],[8,0],[0,4],[0,8]], warp=[], block=[]}>",
      LW_VERDICT_TRANSPOSED, "i and j exchanged" },
    { "gfx942", "v_mfma_f32_32x32x8_f16", LW_OPERAND_B, 0, "j=4*(l/32)+v, k=l%32", LW_VERDICT_TRANSPOSED,
      NULL },
    /* FlyDSL's atoms for gfx950's fp8, gfx1201's A and gfx1250's f16 C; IREE's WMMAR4. */
    { "gfx950", F8F6F4 " cbsz:0 blgp:0", LW_OPERAND_A, 0, "((16,4),32):((1,512),16)", LW_VERDICT_K_RENAMED,
      ": 16 is called 32" },
    { "gfx1201", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32, "((16,2),8):((1,128),16)", LW_VERDICT_K_RENAMED,
      ": 4 is called 8" },
    { "gfx1201", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32,
      "outer = {1,1} thread = {16,2} tstrides = {1,16} element = {1,8}", LW_VERDICT_K_RENAMED, NULL },
    { "gfx1250", "v_wmma_f16_16x16x32_f16", LW_OPERAND_D, 0, "((16,2),(4,2)):((16,8),(2,1))",
      LW_VERDICT_REORDERED, "yours 0, 4, 1, 5, 2, 6, 3, 7" },
    { "sm_80", MMA, LW_OPERAND_A, 0, "outer = {2,2} thread = {8,4} tstrides = {4,1} element = {1,2}",
      LW_VERDICT_REORDERED, NULL },
    /* CK's newer traits for gfx12. */
    { "gfx1201", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32,
      "tile_distribution_encoding<sequence<>, tuple<sequence<16>, sequence<1, 2, 8>>, tuple<sequence<2, 1>>, "
      "tuple<sequence<1, 0>>, "
      "sequence<2, 2>, sequence<0, 2>>",
      LW_VERDICT_K_RENAMED, NULL },
    { "gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32, "S[(16,16):(1@laneid,1)]", LW_VERDICT_COPIES,
      "256 of 512 places" },
    { "gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32, "(16,16):(1,16)", LW_VERDICT_COPIES,
      "missing" },
    { "gfx942", K16, LW_OPERAND_A, 0, "((16,4),(4,2)):((1,64),(16,0))", LW_VERDICT_COPIES, "surplus" },
    { "gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32, "i = l%16, k = (v + l/16)%16",
      LW_VERDICT_COPIES, "lane 16 v 0: yours A[i=0][k=1], a copy of A[i=0][k=0]" },
    { "gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32, "i = (l + l/16)%16, k = v", LW_VERDICT_COPIES,
      "copies are unequal: 256 of 512 places are right" },
    /* No element of an even row is in a right place anywhere. */
    { "gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32, "i = l%16/2*2+1, k = v", LW_VERDICT_DIFFERENT,
      NULL },
    /* Each row renames k differently. */
    { "gfx942", K16, LW_OPERAND_A, 0, "i = l%16, k = (4*(l/16)+v+l%16)%16", LW_VERDICT_DIFFERENT,
      "16 of 256" },
    /* The modulo of the lane is missing. */
    { "gfx942", K16, LW_OPERAND_A, 0, "i = l, k = v", LW_VERDICT_DIFFERENT,
      "lane 16 v 0: yours A[i=16][k=0]" },
    { "gfx942", K16, LW_OPERAND_A, 0, "A[5][7] = v1{21}.[31:16]", LW_VERDICT_DIFFERENT, "1 of 256" },
    { "gfx942", K16, LW_OPERAND_A, 0, "0 0 0 15 0 0 0\n0 0 16 31 0 0 1\n21 1 16 31 0 5 7\n",
      LW_VERDICT_DIFFERENT, "3 of 256" },
    { "gfx942", "v_mfma_f32_4x4x4_16b_f16", LW_OPERAND_D, 0,
      "lane,reg,lsb,msb,block,x,y\n0,0,0,31,0,0,0\n5,3,0,31,1,3,1\n6,3,0,31,1,3,1\n", LW_VERDICT_DIFFERENT,
      "2 of 256" },
    { "gfx942", K16, LW_OPERAND_A, 0,
      "DistributedLinearLayout(reg_bases=[[0, 1], [0, 2]], lane_bases=[[1, 0], [2, 0], [4, 0], [8, 0], [0, "
      "4], [0, 8]], "
      "warp_bases=[], block_bases=[], shape=[16, 16])",
      LW_VERDICT_EQUAL, NULL },
};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

static void judge_case(size_t i, lw_layout_judgement *j)
{
    lw_layout *layout = layout_of(cases[i].arch, cases[i].name, cases[i].operand, cases[i].wave);
    lw_error error = { "" };
    ck_assert_msg(lw_layout_judge(layout, cases[i].text, strlen(cases[i].text), j, &error) == LW_OK, "%s: %s",
                  cases[i].text, error.text);
    lw_layout_free(layout);
}

START_TEST(verdicts)
{
    lw_layout_judgement j;
    judge_case((size_t)_i, &j);
    ck_assert_msg(j.verdict == cases[_i].verdict, "%s: %s", cases[_i].text, j.text);
    ck_assert_msg(!cases[_i].says || strstr(j.text, cases[_i].says), "%s: %s", cases[_i].text, j.text);
    ck_assert_msg((j.wrong == 0) == (j.verdict == LW_VERDICT_EQUAL), "%zu", j.wrong);
    ck_assert_ptr_nonnull(lw_notation_name(j.notation));
}
END_TEST

/* A claim that is repeated after another one of its place counts once. */
START_TEST(repeated_claims)
{
    lw_layout *layout = layout_of("gfx942", K16, LW_OPERAND_D, 0);
    char text[8192];
    size_t n = 0;
    lw_layout_judgement j;
    lw_error error = { "" };
    for (unsigned l = 0; l < 64; l++)
        for (unsigned v = 0; v < 4; v++)
            n += (size_t)snprintf(text + n, 32, "%u %u 0 31 0 %u %u\n", l, v, 4 * (l / 16) + v, l % 16);
    n += (size_t)snprintf(text + n, 32, "0 0 0 31 0 5 5\n0 0 0 31 0 0 0\n");
    ck_assert_msg(lw_layout_judge(layout, text, n, &j, &error) == LW_OK, "%s", error.text);
    ck_assert_int_eq(j.verdict, LW_VERDICT_COPIES);
    ck_assert_msg(strstr(j.text, "has 256 places, 257 are given"), "%s", j.text);
    lw_layout_free(layout);
}
END_TEST

/* Triton's kWidth 8 renames k of a gfx1201 in the same way for A and B. */
START_TEST(renamed_alike)
{
    static const char a_text[] = "i = l%16, k = 8*(l/16)+v", b_text[] = "j = l%16, k = 8*(l/16)+v";
    lw_layout *la = layout_of("gfx1201", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32);
    lw_layout *lb = layout_of("gfx1201", "v_wmma_f32_16x16x16_f16", LW_OPERAND_B, 32);
    lw_layout_judgement a, b;
    ck_assert_int_eq(lw_layout_judge(la, a_text, sizeof(a_text) - 1, &a, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_judge(lb, b_text, sizeof(b_text) - 1, &b, NULL), LW_OK);
    ck_assert_int_eq(a.verdict, LW_VERDICT_K_RENAMED);
    ck_assert_int_eq(b.verdict, LW_VERDICT_K_RENAMED);
    ck_assert_uint_eq(a.ks, 16);
    ck_assert_mem_eq(a.k_of, b.k_of, a.ks * sizeof(a.k_of[0]));
    ck_assert_uint_eq(a.k_of[4], 8);
    ck_assert_uint_eq(a.k_of[8], 4);
    lw_layout_free(la);
    lw_layout_free(lb);
}
END_TEST

/* Four lanes of a published hand-written map are right. */
START_TEST(picture)
{
    static const char text[] = "i = l/4, k = 4*(l%4)+v";
    lw_layout *layout = layout_of("gfx942", K16, LW_OPERAND_A, 0);
    used = 0;
    ck_assert_int_eq(lw_layout_print_wrong(layout, text, sizeof(text) - 1, collect, NULL, NULL), LW_OK);
    ck_assert_uint_eq(used, 16 * 17);
    /* right where l%16 = l/4 and l/16 = l%4: lanes 0, 21, 42, 63 */
    for (unsigned i = 0; i < 16; i++)
        for (unsigned k = 0; k < 16; k++) {
            const unsigned lane = i + k / 4 * 16;
            ck_assert_int_eq(out[17 * i + k], lane % 21 == 0 ? '.' : 'X');
        }
    ck_assert_int_eq(lw_layout_print_wrong(layout, "i", 1, collect, NULL, NULL), LW_E_FORMAT);
    ck_assert_int_eq(lw_layout_print_wrong(layout, text, sizeof(text) - 1, NULL, NULL, NULL), LW_E_ARGUMENT);
    lw_layout_free(layout);
}
END_TEST

/* ---- What cannot be read ---- */

static const struct {
    const char *text, *error;
} refused[] = {
    { "", "column 1: there is nothing to read" },
    { "((16,4),4):((1,64),16", "column 22: ',' or a closing bracket is expected here" },
    { "((16,4),4):(1,64,16)", "column 21: the strides before this are nested otherwise than the shape" },
    { "(64):(1)", "column 9: the layout before this has no two modes, threads and values" },
    { "((16,4),0):((1,64),16)", "column 11: a shape of 0" },
    { "Sw<3,3,3> o 0 o (8,8):(8,1)", "column 4: a swizzle applies to memory, not to lanes and values" },
    { "i = l%16", "column 9: k is not defined" },
    { "i = l%16, k = q", "column 15: 'q' is not known; lanes are l, values v" },
    { "i = l/0, k = v", "column 8: a division by 0" },
    { "i = l%16, k = l ? v : v/0", "column 26: a division by 0" },
    { "i = l%16, k = l ? 1", "column 20: ':' is expected here" },
    { "i = l%16, k = l ? (1 : 2", "column 22: ')' is expected here" },
    { "int i(int l, int v) { return l; } k", "column 35: the function ends before this" },
    { "return l", "column 1: 'return' is not known; lanes are l, values v" },
    { "i = l%16, if (l < 7) k = v", "column 27: k is not set in some lane" },
    { "x = v, if (l) y = 1; i = y, k = v", "column 27: y is not set in some lane" },
    { "int i(int l, int w) { w += 1; return w; }", "column 29: parameter w is changed" },
    { "int i(int a, int b) { return b; }", "column 30: 'b' is not known; lanes are l, values v" },
    { "int i(int l, int v) { if (l) return l; else { return v; ", "column 57: '}' is expected here" },
    { "x_row = l%16, y_row = l/16, k = v", "column 34: i is not defined" },
    { "i = 0xg", "column 7: a hexadecimal digit is expected here" },
    { "i = l%16, k = v-4", "column 18: k is -4 in some lane" },
    { "i = l%16 k = v", "column 10: ',' or ';' is expected here" },
    { "#ttg.linear<{register = [], lane = [], warp = []}>", "column 49: block is missing before this" },
    { "#ttg.linear<{register = [[0,1,2]], lane = [], warp = [], block = []}>",
      "column 1: the attribute has another number of dimensions than the tensor" },
    { "#ttg.linear<{register = [[0,1],[0,2,1]], lane = [], warp = [], block = []}>",
      "column 39: the vector before this has 3 coordinates, the operand has 2" },
    { "#ttg.blocked<{sizePerThread=[1,4]}>", "column 34: threadsPerWarp is missing before this" },
    { "#ttg.blocked<{sizePerThread=[1,4], sizePerThread=[1,4]}>", "column 49: sizePerThread is said twice" },
    { "#ttg.blocked<{vec = 4}>", "column 15: this attribute has no such parameter" },
    { "#ttg.blocked<{sizePerThread=[1,3], threadsPerWarp=[16,4], warpsPerCTA=[1,1], order=[1,0]}>",
      "column 1: the sizes of this attribute are not all powers of two" },
    { "#ttg.blocked<{sizePerThread=[1,4], threadsPerWarp=[16,4], warpsPerCTA=[1,1], order=[1,1]}>",
      "column 1: the order of this attribute is not a permutation of the dimensions" },
    { "#ttg.blocked<{sizePerThread=[1,4], threadsPerWarp=[16,4], warpsPerCTA=[1,1], order=[1,0], "
      "CGALayout=[[1,0]]}>",
      "column 102: a CGALayout of several workgroups is not read" },
    { "#ttg.dot_op<{opIdx=0, parent=#mma, kWidth=4}>", "column 34: #mma before this is not defined" },
    { "#ttg.dot_op<{opIdx=2, parent=" NV ", kWidth=4}>",
      "column 1: opIdx of this attribute is neither 0 nor 1" },
    { "#ttg.dot_op<{opIdx=0, parent=" NV "}>",
      "column 1: kWidth of this attribute is missing or no power of two" },
    { "#ttg.nvmma_shared<{swizzlingByteWidth = 128}>",
      "column 6: blocked, slice, dot_op, nvidia_mma, amd_mfma, amd_wmma, linear or generic_linear is "
      "expected here; layouts "
      "of "
      "shared memory are tiles" },
    { "#ttg.amd_mfma<{version=0, warpsPerCTA=[1,1], instrShape=[16,16,16], isTransposed=true}>",
      "column 1: this version of the attribute is not known" },
    { "#ttg.amd_mfma<{version=3, warpsPerCTA=[1,1], instrShape=[16,32,16], isTransposed=true}>",
      "column 1: instrShape of this attribute is of no MFMA that Triton uses" },
    { "!fly.layout<((16,4),4):((1,64),16)", "column 35: '>' is expected here" },
    { "make_layout((16,16), stride:(1,16))", "column 28: '=' is expected here" },
    { "MMA_Atom\nThrID: 64:1\nLayoutB_TV: (64,4):(1,64)",
      "line 3, column 1: no line after this has the layout of A" },
    { "#iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1, 1]",
      "column 51: subgroup_tile before this has 1 numbers, the operand has 2 dimensions" },
    { "outer = {1,1} thread = {65536,1} tstrides = {1,1} element = {1,1}",
      "column 66: the layout before this has no places, or more than 131072" },
    { "S[(16,4,4):(1@laneid,16@warpid,1)]",
      "column 25: laneid or m is expected here: other axes are not places of a wave" },
    { "S[(16,4):(1@laneid,16@laneid)]",
      "column 31: the extents before this are of 64 elements, the operand has 256" },
    { "outer = {1} thread", "column 12: outer before this has 1 numbers, the operand has 2 dimensions" },
    { "0 0 0 15 0 0 0\n0 0 16", "line 2, column 7: a number is expected here" },
    { "0 0 0 31 0 0 0", "column 15: bits 31:0 before this are not the 16 of an element" },
    { "0 0 8 23 0 0 0", "column 15: no value of the operand begins at bit 8" },
    { "B[5][7] = v1{21}", NULL },
    { "99999999999:1", "column 8: the number is too large" },
};

START_TEST(refusals)
{
    lw_layout *layout = layout_of("gfx942", K16, LW_OPERAND_A, 0);
    lw_layout_judgement j;
    lw_error error = { "" };
    ck_assert_int_eq(lw_layout_judge(layout, refused[_i].text, strlen(refused[_i].text), &j, &error),
                     LW_E_FORMAT);
    if (refused[_i].error)
        ck_assert_str_eq(error.text, refused[_i].error);
    lw_layout_free(layout);
}
END_TEST

START_TEST(several_warps)
{
    static const char text[] = "#ttg.linear<{register=[], lane=[], warp=[[1,0]], block=[]}>";
    lw_layout *layout = layout_of("gfx942", K16, LW_OPERAND_A, 0);
    lw_layout_judgement j = { .struct_size = 8 };
    ck_assert_int_eq(lw_layout_judge(layout, text, sizeof(text) - 1, &j, NULL), LW_E_UNSUPPORTED);
    j.struct_size = 8;
    ck_assert_int_eq(lw_layout_fill_judgement(layout, text, sizeof(text) - 1, &j, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_layout_judge(NULL, text, sizeof(text) - 1, &j, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_layout_judge(layout, NULL, 1, &j, NULL), LW_E_ARGUMENT);
    ck_assert_ptr_null(lw_notation_name((lw_notation)99));
    lw_layout_free(layout);
}
END_TEST

/* Prefixes, and texts with one character changed, in heap blocks of exact size: refused or judged. */
static void read_damaged(const lw_layout *layout, const char *bytes, size_t size)
{
    lw_layout_judgement j;
    lw_error error = { "" };
    char *exact = malloc(size ? size : 1);
    ck_assert_ptr_nonnull(exact);
    memcpy(exact, bytes, size);
    const lw_status st = lw_layout_judge(layout, exact, size, &j, &error);
    ck_assert_msg(st == LW_OK || st == LW_E_UNSUPPORTED ||
                      (st == LW_E_FORMAT && strstr(error.text, "column ")),
                  "%.*s: %s", (int)size, bytes, error.text);
    free(exact);
}

START_TEST(damaged)
{
    static const char signs[] = "(<[{,:=0179lv%*/+-@}x#\n_. ";
    lw_layout *layout = layout_of(cases[_i].arch, cases[_i].name, cases[_i].operand, cases[_i].wave);
    char text[1024];
    const size_t size = strlen(cases[_i].text);
    ck_assert_uint_lt(size, sizeof(text));
    memcpy(text, cases[_i].text, size + 1);
    for (size_t n = 0; n <= size; n++)
        read_damaged(layout, text, n);
    for (size_t n = 0; n < size; n++) {
        const char was = text[n];
        text[n] = signs[(n + (size_t)_i) % (sizeof(signs) - 1)];
        read_damaged(layout, text, size);
        text[n] = was;
    }
    lw_layout_free(layout);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layout_notation_read");
    TCase *tc = tcase_create("read");
    tcase_add_loop_test(tc, verdicts, 0, CASES);
    tcase_add_test(tc, repeated_claims);
    tcase_add_test(tc, renamed_alike);
    tcase_add_test(tc, picture);
    tcase_add_loop_test(tc, refusals, 0, (int)(sizeof(refused) / sizeof(refused[0])));
    tcase_add_test(tc, several_warps);
    tcase_add_loop_test(tc, damaged, 0, CASES);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
