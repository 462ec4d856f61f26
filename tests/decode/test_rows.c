/* SPDX-License-Identifier: MIT */
/* The instruction table itself: opcodes are unique and in range, rows complete. Also runs on a broken
 * table. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/amdgpu/control/handlers.h"
#include "isa_tables/amdgpu/labels.h"
#include "isa_tables/amdgpu/rows.h"
#include "isa_tables/amdgpu/traits.h"
#include "isa_tables/matrix.h"

static const lw_arch arches[] = { LW_ARCH_GFX942, LW_ARCH_GFX950, LW_ARCH_GFX1100 };
enum { ARCHES = sizeof(arches) / sizeof(arches[0]), PLACES = 1024, GFX942 = 2, GFX950, GFX1100 };

/* How many opcodes an encoding class has room for; 16-byte matrix instructions count from 0x100. */
static const int rooms[LW_ENC_COUNT] = { 256, 96,  128, 29, 128, 256, 256, 62,  256, 1024, 128, 512,
                                         256, 128, 256, 16, 256, 256, 256, 256, 1,   4,    8,   4 };

/* VOP3P and MAI share one opcode space. */
static lw_enc space_of(const lw_op_row *row, lw_arch arch)
{
    return row->enc == LW_ENC_MAI ? LW_ENC_VOP3P : lw_op_enc(row, arch);
}

static int count_bad_opcodes(const lw_op_row *rows, size_t count, lw_arch arch)
{
    static unsigned char taken[LW_ENC_COUNT][PLACES];
    int bad = 0;
    memset(taken, 0, sizeof(taken));
    for (size_t i = 0; i < count; i++) {
        const int op = lw_op_code(&rows[i], arch);
        if (op < 0)
            continue;
        const lw_enc enc = lw_op_enc(&rows[i], arch);
        const bool low = enc == LW_ENC_VOP3 && op < lw_amdgpu_traits_of(arch)->vop3_own;
        if (op >= rooms[enc] || low) {
            bad++;
            continue;
        }
        bad += taken[space_of(&rows[i], arch)][op]++ != 0;
    }
    return bad;
}

static bool operand_whole(lw_op_operand o)
{
    return (o.type == LW_TYPE_NONE) == (o.dwords == 0) || o.reg == LW_REG_IMM;
}

/* Requirements of counters and hazard rules on a row. */
static bool columns_whole(const lw_op_row *r)
{
    const bool memory = r->enc == LW_ENC_SMEM || r->enc == LW_ENC_DS || r->enc == LW_ENC_FLAT ||
                        r->enc == LW_ENC_MUBUF || r->enc == LW_ENC_MTBUF || r->enc == LW_ENC_TENSOR ||
                        r->enc == LW_ENC_MIMG;
    const bool other = r->enc == LW_ENC_SOPP;
    if (r->insn && (r->hazard < LW_HAZARD_XDL || r->hazard > LW_HAZARD_WMMA))
        return false;
    return (memory ? r->traffic != LW_TRAFFIC_NONE
                   : r->traffic == LW_TRAFFIC_NONE || r->traffic == LW_TRAFFIC_MESSAGE) &&
           (r->hazard != LW_HAZARD_OTHER || other);
}

static int count_bad_rows(const lw_op_row *rows, size_t count)
{
    int bad = 0;
    for (size_t i = 0; i < count; i++) {
        const lw_op_row *r = &rows[i];
        bool absent = true;
        for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++)
            absent = absent && !lw_op_get_on(r, (lw_arch)a);
        const bool operands = operand_whole(r->dst) && operand_whole(r->src[0]) && operand_whole(r->src[1]) &&
                              operand_whole(r->src[2]);
        const bool meaning = (strcmp(r->sem, "none") == 0) == (r->evidence == LW_EV_NONE);
        bad += absent || !operands || !meaning || !r->name[0] || !columns_whole(r);
        for (size_t j = 0; j < i; j++)
            bad += r->enc == rows[j].enc && strcmp(r->name, rows[j].name) == 0;
    }
    return bad;
}

static int findings(const lw_op_row *rows, size_t count)
{
    int bad = count_bad_rows(rows, count);
    for (int a = 0; a < ARCHES; a++)
        bad += count_bad_opcodes(rows, count, arches[a]);
    return bad;
}

START_TEST(the_table_is_whole)
{
    for (int a = 0; a < ARCHES; a++)
        ck_assert_int_eq(count_bad_opcodes(lw_op_rows, LW_OP_COUNT, arches[a]), 0);
    ck_assert_int_eq(count_bad_rows(lw_op_rows, LW_OP_COUNT), 0);
}
END_TEST

/* Each fault injected into a copy must be found. */
START_TEST(a_broken_table_is_caught)
{
    lw_op_row *copy = malloc(sizeof(lw_op_rows));
    ck_assert_ptr_nonnull(copy);
    for (int fault = 0; fault < 10; fault++) {
        memcpy(copy, lw_op_rows, sizeof(lw_op_rows));
        lw_op_row *row = &copy[LW_OP_v_fma_f32];
        if (fault == 0)
            row->on[GFX950].code = copy[LW_OP_v_fma_f64].on[GFX950].code;
        else if (fault == 1)
            row->on[GFX942].code = 0x10 + 1; /* the opcode of a compare */
        else if (fault == 2)
            copy[LW_OP_v_pk_add_f16].on[GFX942].code = copy[LW_OP_v_mfma_f32_32x32x2_f32].on[GFX942].code;
        else if (fault == 3)
            memset(row->on, 0, sizeof(row->on));
        else if (fault == 4)
            row->src[1].dwords = 0;
        else if (fault == 5)
            row->evidence = LW_EV_NONE, row->sem = "something";
        else if (fault == 6)
            row->name = "v_fma_f64";
        else if (fault == 7)
            row->hazard = LW_HAZARD_OTHER;
        else if (fault == 8)
            copy[LW_OP_ds_write_b32].traffic = LW_TRAFFIC_NONE;
        else
            copy[LW_OP_s_nop].on[GFX950].code = 128 + 1;
        ck_assert_msg(findings(copy, LW_OP_COUNT) > 0, "fault %d went unnoticed", fault);
    }
    free(copy);
}
END_TEST

/* What cannot run says why, on every target; what runs gives no reason. */
START_TEST(every_row_runs_or_is_refused_with_a_reason)
{
    const lw_op_row *row = &lw_op_rows[_i];
    for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++) {
        if (!lw_op_get_on(row, (lw_arch)a))
            continue;
        const bool runs = lw_handler_of(row, (lw_arch)a) != lw_sem_none;
        ck_assert_msg(runs != (lw_refusal_of(row, (lw_arch)a) != NULL), "%s: %s", row->name,
                      runs ? "a reason although it runs" : "no reason");
    }
}
END_TEST

START_TEST(every_row_is_found_by_its_opcode)
{
    const lw_op_row *row = &lw_op_rows[_i];
    for (int a = 0; a < ARCHES; a++) {
        const int op = lw_op_code(row, arches[a]);
        if (op >= 0)
            ck_assert_ptr_eq(lw_op_find(arches[a], lw_op_enc(row, arches[a]), (unsigned)op), row);
    }
    ck_assert_int_eq(lw_op_index(row), _i);
}
END_TEST

/*
 * No public measurements exist of vector instructions on CDNA3 or CDNA4, and for these the manuals do not
 * define the result. 'i': based on other generations or on vendor software with open corners; 'u': a
 * default.
 */
START_TEST(labels_claim_no_more_than_sources)
{
    static const struct {
        const char *prefix;
        char most;
    } limits[] = {
        { "v_exp_f", 'i' },
        { "v_log_f", 'i' },
        { "v_rcp_f16", 'i' },
        { "v_rcp_f32", 'i' },
        { "v_rcp_iflag", 'i' },
        { "v_rcp_f64", 'i' },
        { "v_rsq_f16", 'i' },
        { "v_rsq_f32", 'i' },
        { "v_rsq_f64", 'i' },
        { "v_sqrt_f16", 'i' },
        { "v_sqrt_f32", 'i' },
        { "v_sqrt_f64", 'i' },
        { "v_sin_", 'i' },
        { "v_cos_", 'i' },
        { "v_cvt_rpi_", 'u' },
        { "v_cvt_flr_", 'u' },
        { "v_cvt_pk_u8_f32", 'u' },
        { "v_cvt_pkaccum_u8_f32", 'u' },
        { "v_dot2_f32_", 'u' },
        { "v_dot2c_f32_", 'u' },
        { "v_div_", 'i' },
        { "v_trig_preop", 'i' },
        { "v_med3_f", 'i' },
        { "v_minimum3", 'i' },
        { "v_maximum3", 'i' },
        { "v_pk_minimum3", 'i' },
        { "v_pk_maximum3", 'i' },
        { "v_fma_mix", 'i' },
        { "v_cvt_pk_fp8_", 'i' },
        { "v_cvt_pk_bf8_", 'i' },
        { "v_cvt_sr_", 'i' },
        { "v_cvt_pk_bf16", 'i' },
        { "v_cvt_scalef32_sr_", 'i' },
        { "v_cvt_f32_fp8", 'i' },
        { "v_cvt_f32_bf8", 'i' },
        { "v_cvt_pk_f32_fp8", 'i' },
        { "v_cvt_pk_f32_bf8", 'i' },
        { "v_ashr_pk", 'i' },
        { "v_cvt_scalef32_pk_fp8_", 'i' },
        { "v_cvt_scalef32_pk_bf8_", 'i' },
        { "v_cvt_scalef32_pk_fp4_", 'i' },
    };
    for (size_t l = 0; l < sizeof(limits) / sizeof(limits[0]); l++) {
        size_t found = 0;
        for (size_t i = 0; i < LW_OP_COUNT; i++) {
            const lw_op_row *row = &lw_op_rows[i];
            if (strncmp(row->name, limits[l].prefix, strlen(limits[l].prefix)) != 0 ||
                row->evidence == LW_EV_NONE)
                continue;
            found++;
            ck_assert_msg(row->evidence >= (limits[l].most == 'u' ? LW_EV_UNKNOWN : LW_EV_INFERRED), "%s",
                          row->name);
        }
        ck_assert_msg(found > 0, "%s", limits[l].prefix);
    }
    for (size_t i = 0; i < LW_OP_COUNT; i++)
        ck_assert_msg(lw_op_rows[i].name[0] != 'v' || lw_op_rows[i].evidence != LW_EV_MEASURED, "%s",
                      lw_op_rows[i].name);
}
END_TEST

/* What labels.inc adds stands on instructions of that generation; approximations are never unknown. */
START_TEST(labels_of_generations)
{
    static const struct {
        lw_arch arch;
        lw_op op;
        lw_label label;
    } some[] = {
        { LW_ARCH_GFX1100, LW_OP_v_rsq_f32, LW_LABEL_RECORDED },
        { LW_ARCH_GFX1201, LW_OP_v_rsq_f32, LW_LABEL_RECORDED },
        { LW_ARCH_GFX1150, LW_OP_v_rsq_f32, LW_LABEL_INFERRED },
        { LW_ARCH_GFX950, LW_OP_v_rsq_f32, LW_LABEL_INFERRED },
        { LW_ARCH_GFX1201, LW_OP_v_sin_f32, LW_LABEL_VENDOR },
        { LW_ARCH_GFX90A, LW_OP_v_sin_f32, LW_LABEL_INFERRED },
        { LW_ARCH_GFX1100, LW_OP_v_rcp_f64, LW_LABEL_MEASURED },
        { LW_ARCH_GFX942, LW_OP_v_rcp_f64, LW_LABEL_INFERRED },
        { LW_ARCH_GFX1250, LW_OP_v_rcp_bf16, LW_LABEL_VENDOR },
        { LW_ARCH_GFX1250, LW_OP_v_tanh_f32, LW_LABEL_UNKNOWN },
        { LW_ARCH_GFX1201, LW_OP_s_mov_b32, LW_LABEL_EXACT },
    };
    for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++)
        ck_assert_int_eq(lw_op_supported(some[i].arch, &lw_op_rows[some[i].op]).label, some[i].label);
    for (unsigned op = 0; op < LW_OP_COUNT; op++)
        for (int arch = LW_ARCH_GFX908; arch <= LW_ARCH_GFX1250; arch++) {
            const lw_op_row *row = &lw_op_rows[op];
            const lw_op_support s = lw_op_supported((lw_arch)arch, row);
            const bool there = lw_op_get_on(row, (lw_arch)arch);
            ck_assert_msg(there || !s.source[0], "%s of %d", row->name, arch);
            if (there && row->hazard == LW_HAZARD_TRANS && row->evidence != LW_EV_NONE)
                ck_assert_msg(s.label != LW_LABEL_UNKNOWN, "%s of %d", row->name, arch);
        }
}
END_TEST

START_TEST(nothing_is_found_outside)
{
    ck_assert_ptr_null(lw_op_find(LW_ARCH_SM_80, LW_ENC_SOP1, 0));
    ck_assert_ptr_null(lw_op_find(LW_ARCH_COUNT, LW_ENC_SOP1, 0));
    ck_assert_ptr_null(lw_op_find(LW_ARCH_GFX950, LW_ENC_COUNT, 0));
    for (int enc = 0; enc < LW_ENC_COUNT; enc++)
        for (unsigned op = (unsigned)rooms[enc]; op < 2000; op++)
            if (enc != LW_ENC_VOP3P)
                ck_assert_ptr_null(lw_op_find(LW_ARCH_GFX950, (lw_enc)enc, op));
    /* xf32 was removed in gfx950 (AMD CDNA4 ISA manual), which added the doubled 16-bit shapes */
    ck_assert_int_lt(lw_op_code(&lw_op_rows[LW_OP_v_mfma_f32_16x16x8_xf32], LW_ARCH_GFX950), 0);
    ck_assert_int_lt(lw_op_code(&lw_op_rows[LW_OP_v_mfma_f32_16x16x32_f16], LW_ARCH_GFX942), 0);
}
END_TEST

/* The matrix row of a machine instruction, by name; NULL for the moves and the scale prefix. */
static const lw_insn *matrix_row(const char *name)
{
    for (size_t i = 0; i < lw_insn_row_count; i++)
        if (strcmp(lw_insn_rows[i].mnemonic, name) == 0)
            return &lw_insn_rows[i];
    return NULL;
}

static unsigned registers(unsigned rows, unsigned columns, const lw_insn *insn, lw_elem elem)
{
    const unsigned bits = lw_elem_rows[elem].bits ? lw_elem_rows[elem].bits : 8; /* f8f6f4: at most 8 */
    return rows * columns * insn->blocks * bits / (64 * 32);
}

/* The rows of matrix instructions are linked to their own machine code; register counts follow from the
 * shape. */
START_TEST(matrix_rows_agree)
{
    size_t met = 0;
    for (int i = 0; i < LW_OP_COUNT; i++) {
        const lw_op_row *row = &lw_op_rows[i];
        const lw_insn *insn = row->enc == LW_ENC_MAI ? matrix_row(row->name) : NULL;
        const bool move = strncmp(row->name, "v_accvgpr", 9) == 0 || row->mods & LW_MOD_LD_SCALE;
        if (row->enc != LW_ENC_MAI || move)
            continue;
        ck_assert_msg(insn != NULL, "%s", row->name);
        ck_assert_ptr_eq(row->insn, insn);
        met++;
        for (lw_arch a = LW_ARCH_GFX908; a <= LW_ARCH_GFX950; a++) {
            const int op = lw_op_code(row, a);
            ck_assert_int_eq(op < 0 ? LW_OP_ABSENT : op & 0x7f, insn->op[a]);
        }
        const bool sparse = lw_insn_is_sparse(insn);
        ck_assert_uint_eq(row->dst.dwords, registers(insn->m, insn->n, insn, (lw_elem)insn->d));
        ck_assert_uint_eq(row->src[0].dwords,
                          registers(insn->m, sparse ? insn->k / 2u : insn->k, insn, (lw_elem)insn->a));
        ck_assert_uint_eq(row->src[1].dwords, registers(insn->n, insn->k, insn, (lw_elem)insn->b));
        ck_assert_uint_eq(row->src[2].dwords, sparse ? 1 : row->dst.dwords);
        ck_assert_int_eq(sparse, (row->mods & LW_MOD_SPARSE) != 0);
        ck_assert_int_eq(lw_insn_is_scaled(insn), (row->mods & LW_MOD_SCALED) != 0);
    }
    size_t there = 0;
    for (size_t i = 0; i < lw_insn_row_count; i++)
        for (lw_arch a = LW_ARCH_GFX908; a <= LW_ARCH_GFX950; a++)
            if (lw_insn_on(&lw_insn_rows[i], a)) {
                there++;
                break;
            }
    ck_assert_uint_eq(met, there);
}
END_TEST

/* The same for RDNA's, which are in VOP3P. */
START_TEST(wmma_rows_agree)
{
    static const lw_arch archs[] = { LW_ARCH_GFX1100, LW_ARCH_GFX1201, LW_ARCH_GFX1250 };
    size_t met[3] = { 0 }, there[3] = { 0 };
    for (int i = 0; i < LW_OP_COUNT; i++) {
        const lw_op_row *row = &lw_op_rows[i];
        if (!row->insn || row->enc != LW_ENC_VOP3P)
            continue;
        ck_assert_str_eq(row->name, row->insn->mnemonic);
        ck_assert_ptr_eq(row->insn, matrix_row(row->name));
        ck_assert_int_eq(lw_insn_is_sparse(row->insn), (row->mods & LW_MOD_SPARSE) != 0);
        ck_assert_int_eq(lw_insn_is_scaled(row->insn), (row->mods & LW_MOD_SCALED) != 0);
        for (unsigned a = 0; a < 3; a++) {
            const lw_op_on *on = lw_op_get_on(row, archs[a]);
            const int op = on && !on->text_only ? lw_op_code(row, archs[a]) : -1;
            met[a] += op >= 0;
            ck_assert_int_eq(op >= 0, lw_insn_on(row->insn, archs[a]));
            if (op >= 0)
                ck_assert_int_eq(op & 0xff, row->insn->op[archs[a]]);
        }
    }
    for (size_t i = 0; i < lw_insn_row_count; i++)
        for (unsigned a = 0; a < 3; a++)
            there[a] += lw_insn_on(&lw_insn_rows[i], archs[a]);
    ck_assert_mem_eq(met, there, sizeof(met));
    ck_assert_uint_eq(met[0], 6);
    for (unsigned op = 0x46; op < 0x80; op++) /* gfx1201 has some of them */
        ck_assert_ptr_null(lw_op_find(LW_ARCH_GFX1100, LW_ENC_VOP3P, op));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rows");
    TCase *tc = tcase_create("table");
    tcase_add_test(tc, the_table_is_whole);
    tcase_add_test(tc, a_broken_table_is_caught);
    tcase_add_loop_test(tc, every_row_is_found_by_its_opcode, 0, LW_OP_COUNT);
    tcase_add_loop_test(tc, every_row_runs_or_is_refused_with_a_reason, 0, LW_OP_COUNT);
    tcase_add_test(tc, labels_claim_no_more_than_sources);
    tcase_add_test(tc, labels_of_generations);
    tcase_add_test(tc, nothing_is_found_outside);
    tcase_add_test(tc, matrix_rows_agree);
    tcase_add_test(tc, wmma_rows_agree);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_set_fork_status(sr, CK_NOFORK);
    srunner_run_all(sr, CK_NORMAL);
    const int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? 1 : 0;
}
