/* SPDX-License-Identifier: MIT */
/* Operand values, register lists, and that no prefix or random word makes the decoder read outside its input
 * or write an incomplete result. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/amdgpu/decode/decoded.h"
#include "emu/amdgpu/decode/facts.h"
#include "isa_tables/amdgpu/rows.h"

static lw_decoded decode(uint32_t w0, uint32_t w1)
{
    const uint32_t words[2] = { w0, w1 };
    lw_decoded in;
    ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX950, words, 2, &in), LW_OK);
    return in;
}

static void expect_text(const lw_decoded *in, const char *text)
{
    char got[256];
    const size_t n = lw_amdgpu_text(LW_ARCH_GFX950, in, got, sizeof(got));
    ck_assert_str_eq(got, text);
    ck_assert_uint_eq(n, strlen(text));
}

/* Values from IEEE 754 and the manual's list of inline constants (0.5 to -4, 1/(2 pi), -16 to 64). */
START_TEST(inline_constants)
{
    enum {
        V_ADD_F32 = 0x02000000,
        V_ADD_F16 = 0x3e000000,
        V_MOV_B64 = 0x7e007000,
        ONE = 242,
        MINUS_16 = 208
    };
    ck_assert_uint_eq(decode(V_ADD_F32 | ONE, 0).src[0].value, 0x3f800000);
    ck_assert_uint_eq(decode(V_ADD_F32 | 248, 0).src[0].value, 0x3e22f983);
    ck_assert_uint_eq(decode(V_ADD_F16 | ONE, 0).src[0].value, 0x3c00);
    ck_assert_uint_eq(decode(V_MOV_B64 | ONE, 0).src[0].value, UINT64_C(0x3ff0000000000000));
    ck_assert_uint_eq(decode(V_ADD_F32 | MINUS_16, 0).src[0].value, 0xfffffff0);
    ck_assert_uint_eq(decode(V_ADD_F16 | MINUS_16, 0).src[0].value, 0xfff0);
    ck_assert_uint_eq(decode(V_MOV_B64 | 192, 0).src[0].value, 64);
    /* packed halves take a float in the low half only */
    ck_assert_uint_eq(decode(0xd38f4000, ONE | 257 << 9 | 3u << 27).src[0].value, 0x3c00);
}
END_TEST

START_TEST(literals)
{
    const lw_decoded add = decode(0x020000ff, 0x40490fdb); /* v_add_f32 */
    ck_assert_uint_eq(add.words, 2);
    ck_assert_uint_eq(add.src[0].value, 0x40490fdb);
    /* a double takes a literal as its high half (AMD CDNA3 ISA manual, "Literal constants") */
    const lw_decoded wide = decode(0x7e001eff, 0x40090000); /* v_cvt_f32_f64 */
    ck_assert_uint_eq(wide.src[0].value, UINT64_C(0x4009000000000000));
    const lw_decoded mad = decode(0x2e020480, 0x12345678); /* v_fmamk_f32 */
    ck_assert_uint_eq(mad.src[1].value, 0x12345678);
    expect_text(&mad, "v_fmamk_f32 v1, 0, 0x12345678, v2");
}
END_TEST

START_TEST(modifiers)
{
    const lw_decoded fma = decode(0xd1cb8508, 0x24220d04 | 2u << 27); /* v_fma_f32 */
    ck_assert_uint_eq(fma.src[0].neg | fma.src[1].neg << 1 | fma.src[2].neg << 2, 1);
    ck_assert_uint_eq(fma.src[0].abs | fma.src[1].abs << 1 | fma.src[2].abs << 2, 5);
    ck_assert_uint_eq(fma.omod, 2);
    ck_assert_uint_eq(fma.clamp, 1);
    expect_text(&fma, "v_fma_f32 v8, -|v4|, v6, |v8| clamp mul:4");

    const lw_decoded bitop = decode(0xd2340008 | 5 << 8, 0x04220d04 | 0x15u << 27); /* v_bitop3_b32 */
    ck_assert_uint_eq(bitop.imm, 5 | 5 << 3 | 1 << 6);
    const lw_decoded ds = decode(0xd86effee, 0x08000002); /* ds_read2_b32 */
    ck_assert_int_eq(ds.offset, 0xffee);
    const lw_decoded global = decode(0xdc509fff, 0x08060002);
    ck_assert_int_eq(global.offset, -1);
    ck_assert_uint_eq(global.seg, LW_SEG_GLOBAL);
    const lw_decoded smem = decode(0xc0020108, 0x001ffff0);
    ck_assert_int_eq(smem.offset, -16);
}
END_TEST

START_TEST(scaled_matrix_instructions)
{
    /* bytes as LLVM 22's assembler writes them */
    const uint32_t words[4] = { 0xd3ac1800, 0x18023318, 0xd3ad8908, 0x14221904 };
    lw_decoded in;
    ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX950, words, 4, &in), LW_OK);
    expect_text(&in, "v_mfma_scale_f32_16x16x128_f8f6f4 a[8:11], v[4:11], a[12:19], a[8:11], v24, v25 "
                     "op_sel:[1,1,0] op_sel_hi:[1,1,0] cbsz:1");
    ck_assert_uint_eq(in.words, 4);
    ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX950, words, 2, &in), LW_OK);
    ck_assert_uint_eq(in.words, 2); /* cut short, only the first half remains */
    ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX942, words, 4, &in), LW_E_FORMAT);
}
END_TEST

/* AMD's own assembler sets bits 14:13 of the first half; llvm-mc 22 prints the same text with and without
 * them. */
START_TEST(scale_half_of_other_assemblers)
{
    uint32_t words[4] = { 0xd3ac6000, 0x1802170a, 0xd3ad0804, 0x0412491c };
    lw_decoded in;
    ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX950, words, 4, &in), LW_OK);
    expect_text(&in, "v_mfma_scale_f32_16x16x128_f8f6f4 v[4:7], v[28:35], v[36:43], v[4:7], v10, v11 "
                     "op_sel_hi:[1,1,0]");
    ck_assert_uint_eq(in.words, 4);
    words[0] = 0xd3ac7000;
    ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX950, words, 4, &in), LW_OK);
    expect_text(&in, "v_mfma_scale_f32_16x16x128_f8f6f4 v[4:7], v[28:35], v[36:43], v[4:7], v10, v11 "
                     "op_sel:[0,1,0] op_sel_hi:[1,1,0]");
    ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX950, words, 2, &in), LW_E_FORMAT); /* like llvm-mc */
}
END_TEST

static bool lists(const lw_decoded *in, lw_reg_file file, unsigned first, unsigned count, bool read,
                  bool written)
{
    lw_fact_operand o[LW_MAX_OPERANDS];
    const size_t n = lw_decoded_operands(in, o, LW_MAX_OPERANDS);
    for (size_t i = 0; i < n; i++)
        if (o[i].is_register && o[i].file == file && o[i].first == first && o[i].count == count &&
            o[i].read == read && o[i].written == written)
            return true;
    return false;
}

START_TEST(register_lists)
{
    const lw_decoded addc = decode(0x38100d04, 0); /* v_addc_co_u32 v8, vcc, v4, v6, vcc */
    ck_assert(lists(&addc, LW_FILE_VGPR, 8, 1, false, true));
    ck_assert(lists(&addc, LW_FILE_NAMED, LW_NAMED_VCC_LO, 2, false, true));
    ck_assert(lists(&addc, LW_FILE_NAMED, LW_NAMED_VCC_LO, 2, true, false));
    ck_assert(!lists(&addc, LW_FILE_NAMED, LW_NAMED_EXEC_LO, 2, true, false)); /* the lane mask is implied */
    const lw_decoded fmac = decode(0x76100d04, 0);                             /* v_fmac_f32 */
    ck_assert(lists(&fmac, LW_FILE_VGPR, 8, 1, true, true));
    const lw_decoded save = decode(0xbe882004, 0); /* s_and_saveexec_b64 */
    ck_assert(lists(&save, LW_FILE_NAMED, LW_NAMED_EXEC_LO, 2, true, true));
    ck_assert(lists(&save, LW_FILE_NAMED, LW_NAMED_SCC, 1, false, true));
    ck_assert(lists(&save, LW_FILE_SGPR, 4, 2, true, false));
    const lw_decoded mfma =
        decode(0xd3cd8008, 0x1c220d04); /* v_mfma_f32_16x16x16_f16 in accumulation registers */
    ck_assert(lists(&mfma, LW_FILE_AGPR, 8, 4, false, true));
    ck_assert(lists(&mfma, LW_FILE_AGPR, 8, 4, true, false));
    ck_assert(!lists(&mfma, LW_FILE_NAMED, LW_NAMED_EXEC_LO, 2, true, false));
    const lw_decoded store = decode(0xdc748000, 0x007f0402); /* global_store_dwordx2 v[2:3], v[4:5], off */
    ck_assert(lists(&store, LW_FILE_VGPR, 4, 2, true, false));
    ck_assert(lists(&store, LW_FILE_VGPR, 2, 2, true, false));
    const lw_decoded cas = decode(0xdd858000, 0x087f0402); /* global_atomic_cmpswap_x2 with result */
    ck_assert(lists(&cas, LW_FILE_VGPR, 8, 2, false, true));
    ck_assert(lists(&cas, LW_FILE_VGPR, 4, 4, true, false));
    const lw_decoded dpp = decode(0x7e1002fa, 0xff090104); /* v_mov_b32_dpp v8, v4 row_shr:1 bound_ctrl:0 */
    ck_assert(lists(&dpp, LW_FILE_VGPR, 8, 1, false, true));
    const lw_decoded part = decode(0x7e1002fa, 0x5f090104); /* row_mask:0x5 keeps lanes of v8 */
    ck_assert(lists(&part, LW_FILE_VGPR, 8, 1, false, true));
    ck_assert(lists(&part, LW_FILE_VGPR, 8, 1, true, false));
    const lw_decoded vccz = decode(0xbe8000fb, 0); /* s_mov_b32 s0, src_vccz */
    ck_assert(lists(&vccz, LW_FILE_NAMED, LW_NAMED_VCC_LO, 2, true, false));
}
END_TEST

/* Heap blocks of exact size, so that a sanitizer detects reading one dword too many. */
START_TEST(prefixes_and_small_buffers)
{
    uint64_t state = 0x9e3779b97f4a7c15u;
    for (int round = 0; round < 200000; round++) {
        const size_t count = (size_t)(round % 4) + 1;
        uint32_t *words = malloc(count * sizeof(*words));
        ck_assert_ptr_nonnull(words);
        for (size_t i = 0; i < count; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            words[i] = (uint32_t)(state >> 32);
        }
        lw_decoded in, untouched;
        memset(&untouched, 0xa5, sizeof(untouched));
        memcpy(&in, &untouched, sizeof(in));
        const lw_status st = lw_amdgpu_decode(round & 4 ? LW_ARCH_GFX942 : LW_ARCH_GFX950, words, count, &in);
        if (st != LW_OK) {
            ck_assert(st == LW_E_FORMAT || st == LW_E_TRUNCATED);
            ck_assert_int_eq(memcmp(&in, &untouched, sizeof(in)), 0);
        } else {
            ck_assert_uint_le(in.words, count);
            char text[256], cut[8];
            const size_t n = lw_amdgpu_text(LW_ARCH_GFX950, &in, text, sizeof(text));
            ck_assert_uint_lt(n, sizeof(text));
            ck_assert_uint_eq(strlen(text), n);
            ck_assert_uint_eq(lw_amdgpu_text(LW_ARCH_GFX950, &in, cut, sizeof(cut)), n);
            ck_assert_int_eq(memcmp(cut, text, sizeof(cut) - 1), 0);
            ck_assert_uint_lt(lw_decoded_operands(&in, NULL, 0), LW_MAX_OPERANDS);
        }
        free(words);
    }
}
END_TEST

/* op_sel, SDWA and VOP3P give operands the same fields. */
START_TEST(operands_carry_their_parts)
{
    const lw_decoded mad = decode(0xd2045008, 0x04220d04); /* v_mad_u16 v8, v4, v6, v8 op_sel:[0,1,0,1] */
    ck_assert_uint_eq(mad.src[0].sel, LW_SEL_ALL);
    ck_assert_uint_eq(mad.src[1].sel, LW_SEL_WORD_1);
    ck_assert_uint_eq(mad.src[2].sel, LW_SEL_ALL);
    ck_assert_uint_eq(mad.dst.sel, LW_SEL_WORD_1);
    const lw_decoded sub =
        decode(0x6a0004f9, 0x060d0601); /* v_sub_u32_sdwa v0, sext(v1), v2 src0_sel:WORD_1 */
    ck_assert_uint_eq(sub.src[0].sel, LW_SEL_WORD_1);
    ck_assert_uint_eq(sub.src[0].flags, LW_OPND_F_SEXT);
    ck_assert_uint_eq(sub.src[1].sel, LW_SEL_ALL);
    const lw_decoded pk = decode(0xd38f4a08, 0x28020d04 | 2u << 27); /* v_pk_add_f16 */
    ck_assert_uint_eq(pk.src[0].pick, 3);
    ck_assert_uint_eq(pk.src[1].pick, 2);
    ck_assert_uint_eq(pk.src[0].neg, 1);
    ck_assert_uint_eq(pk.src[1].neg, 2);
}
END_TEST

static lw_decoded decode_gfx11(unsigned wave, uint32_t first, uint32_t second)
{
    const uint32_t words[2] = { first, second };
    lw_decoded in = { .row = NULL };
    ck_assert_int_eq(lw_amdgpu_decode_wave(LW_ARCH_GFX1100, wave, words, 2, &in), LW_OK);
    return in;
}

/* Registers have one number whatever their code; NULL reads as 0 and discards writes; masks are as wide as
 * the wave. */
START_TEST(registers_of_gfx11)
{
    const lw_decoded m0 = decode_gfx11(32, 0xbefd007c, 0); /* s_mov_b32 m0, null */
    ck_assert_uint_eq(m0.dst.reg, LW_SGPR_M0);
    ck_assert_uint_eq(m0.src[0].kind, LW_OPND_INLINE);
    ck_assert_uint_eq(m0.src[0].value, 0);
    const lw_decoded null = decode_gfx11(32, 0xbefc007d, 0); /* s_mov_b32 null, m0 */
    ck_assert_uint_eq(null.dst.reg, LW_SGPR_NULL);
    ck_assert_uint_eq(null.src[0].reg, LW_SGPR_M0);
    for (unsigned wave = 32; wave <= 64; wave *= 2) {
        const lw_decoded carry = decode_gfx11(wave, 0xd5207c03, 0x01aa0207); /* v_add_co_ci_u32 */
        ck_assert_uint_eq(carry.sdst.reg, LW_SGPR_NULL);
        ck_assert_uint_eq(carry.src[2].reg, LW_SGPR_VCC);
        ck_assert_uint_eq(carry.src[2].dwords, wave / 32);
        ck_assert_uint_eq(carry.src[2].type, LW_TYPE_MASK);
        const lw_decoded cmpx = decode_gfx11(wave, 0x7d980002, 0); /* v_cmpx_gt_u32_e32 s2, v0 */
        ck_assert_uint_eq(cmpx.sdst.reg, LW_SGPR_EXEC);
        ck_assert_uint_eq(cmpx.sdst.dwords, wave / 32);
    }
    /* gfx11: a literal for a 64-bit operand is zero-extended (s_ashr_i64); gfx9 sign-extends it for signed
     * types */
    ck_assert_uint_eq(decode_gfx11(32, 0x868004ff, 0x80000000).src[0].value, 0x80000000u);
    ck_assert_uint_eq(decode(0x908004ff, 0x80000000).src[0].value, UINT64_C(0xffffffff80000000));
    const lw_decoded by_lane = decode_gfx11(32, 0xdca20000, 0x017e0000); /* global_load_addtid_b32 v1, exec */
    ck_assert_uint_eq(by_lane.src[2].reg, LW_SGPR_EXEC);
    /* op_sel chooses halves of vector registers only */
    const uint32_t logarithm[2] = { 0xd6834868, 0x00000005 }; /* v_s_log_f16 s104, s5 */
    lw_decoded in;
    ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX1201, logarithm, 2, &in), LW_OK);
    ck_assert(!in.op_sel && !in.src[0].sel && !in.dst.sel);
    const lw_decoded compare = decode_gfx11(32, 0xd4020804, 0x00020300); /* v_cmp_eq_f16 s4, v0.h, v1.l */
    ck_assert(compare.src[0].sel == LW_SEL_WORD_1 && !compare.src[1].sel);
}
END_TEST

/* As llvm-mc 22 prints them: the mask of class_f16 as a number, and literals of v_pk_fmac_f16, where an
 * inline constant stands for both halves from gfx11 on. */
START_TEST(spellings_of_constants)
{
    static const struct {
        lw_arch arch;
        uint32_t words[2];
        const char *text;
    } cases[] = {
        { LW_ARCH_GFX950, { 0xd0140000, 0x0001e501 }, "v_cmp_class_f16_e64 s[0:1], v1, 1.0" },
        { LW_ARCH_GFX90A, { 0xd0150054, 0x005de546 }, "v_cmpx_class_f16_e64 s[84:85], v70, 1.0" },
        { LW_ARCH_GFX942, { 0x780204ff, 0x3c00 }, "v_pk_fmac_f16_e32 v1, lit(0x3c00), v2" },
        { LW_ARCH_GFX942, { 0x780204ff, 0x3c003c00 }, "v_pk_fmac_f16_e32 v1, 0x3c003c00, v2" },
        { LW_ARCH_GFX1100, { 0x780204ff, 0x3c00 }, "v_pk_fmac_f16 v1, 0x3c00, v2" },
        { LW_ARCH_GFX1201, { 0x780204ff, 0x3118 }, "v_pk_fmac_f16 v1, 0x3118, v2" },
        { LW_ARCH_GFX1201, { 0x780204ff, 0x3c003c00 }, "v_pk_fmac_f16 v1, lit(0x3c003c00), v2" },
        { LW_ARCH_GFX1100, { 0x780204ff, 0x40 }, "v_pk_fmac_f16 v1, lit(0x40), v2" },
        { LW_ARCH_GFX1100, { 0x780204ff, 0x41 }, "v_pk_fmac_f16 v1, 0x41, v2" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lw_decoded in;
        char got[256];
        ck_assert_int_eq(lw_amdgpu_decode(cases[i].arch, cases[i].words, 2, &in), LW_OK);
        lw_amdgpu_text(cases[i].arch, &in, got, sizeof(got));
        ck_assert_str_eq(got, cases[i].text);
    }
}
END_TEST

/* Found among ten million words of each architecture, with what LLVM 22 says of them. */
START_TEST(rare_words)
{
    static const struct {
        lw_arch arch;
        uint32_t words[3];
        const char *text; /* NULL: refused */
    } cases[] = {
        { LW_ARCH_GFX1100, { 0xd65c2084, 0x00d42f66 }, "v_permlanex16_b32 v132, v102, s23, s53" },
        { LW_ARCH_GFX1201, { 0xd4bd087e, 0x00020501 }, "v_cmpx_ne_u16_e64 v1.h, v2.l op_sel:[1,0]" },
        { LW_ARCH_GFX1201, { 0xcc26402a, 0x1d20cafa, 0x21008489 }, NULL }, /* DPP beside a scalar source */
        { LW_ARCH_GFX1201, { 0xcc264008, 0x188256e9, 0x221446c0 }, NULL },
        { LW_ARCH_GFX1100, { 0x7f90cefe }, NULL },                         /* v_permlane64 of LDS */
        { LW_ARCH_GFX1250, { 0x7eb004fe, 0xfffffff0, 0 }, NULL },          /* v_readfirstlane of a literal */
        { LW_ARCH_GFX1250, { 0xd63500da, 0x01f714fa, 0x89711331 }, NULL }, /* v_mad_u32 has no DPP */
        { LW_ARCH_GFX1100, { 0x7e0000fa, 0xff00e400 }, "v_nop" },
        { LW_ARCH_GFX950,
          { 0x7e0000fa, 0xff00e400 },
          "v_nop quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf" },
        { LW_ARCH_GFX1250, { 0xd77308a3, 0x00000146 }, "v_cvt_pk_bf8_f16 v163.l, v70 op_sel:[1,0]" },
        { LW_ARCH_GFX1201,
          { 0xd666285f, 0x0535e9eb },
          "v_dot2_f16_f16 v95.l, v235, 2.0, v77.h op_sel:[0,0,1,0]" },
        { LW_ARCH_GFX1250, { 0xbfb6000a }, "s_sendmsg sendmsg(MSG_SAVEWAVE_HAS_TDM)" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lw_decoded in;
        char got[256];
        const lw_status status = lw_amdgpu_decode(cases[i].arch, cases[i].words, 3, &in);
        ck_assert_msg((status == LW_OK) == (cases[i].text != NULL), "case %d", (int)i);
        if (status != LW_OK)
            continue;
        lw_amdgpu_text(cases[i].arch, &in, got, sizeof(got));
        ck_assert_str_eq(got, cases[i].text);
    }
}
END_TEST

START_TEST(bad_arguments)
{
    const uint32_t word = 0xbf800000;
    lw_decoded in;
    ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX950, NULL, 1, &in), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX950, &word, 0, &in), LW_E_TRUNCATED);
    ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_SM_80, &word, 1, &in), LW_E_UNSUPPORTED);
    const uint32_t literal = 0xbe8000ff, mfma = 0xd3cd0008;
    ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX950, &literal, 1, &in), LW_E_TRUNCATED);
    ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX950, &mfma, 1, &in), LW_E_TRUNCATED);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("decode");
    TCase *tc = tcase_create("decode");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, inline_constants);
    tcase_add_test(tc, literals);
    tcase_add_test(tc, modifiers);
    tcase_add_test(tc, scaled_matrix_instructions);
    tcase_add_test(tc, scale_half_of_other_assemblers);
    tcase_add_test(tc, register_lists);
    tcase_add_test(tc, prefixes_and_small_buffers);
    tcase_add_test(tc, operands_carry_their_parts);
    tcase_add_test(tc, registers_of_gfx11);
    tcase_add_test(tc, spellings_of_constants);
    tcase_add_test(tc, rare_words);
    tcase_add_test(tc, bad_arguments);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    const int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? 1 : 0;
}
