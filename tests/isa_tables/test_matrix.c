/* SPDX-License-Identifier: MIT */
/* The rows of matrix instructions against a table compiled from LLVM 22 and AMD's matrix calculator. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_tables/csv.h"
#include "isa_tables/matrix.h"

static const char *const csv_path = LW_SOURCE_DIR "/tests/data/amd-matrix.csv";
static const struct {
    lw_arch arch;
    const char *family;
    size_t count;
} chips[] = { { LW_ARCH_GFX942, "gfx942", 46 }, { LW_ARCH_GFX950, "gfx950", 68 } };

START_TEST(rows_are_sorted_and_unique)
{
    for (size_t i = 1; i < lw_insn_row_count; i++)
        ck_assert_str_lt(lw_insn_rows[i - 1].mnemonic, lw_insn_rows[i].mnemonic);
    for (unsigned a = 0; a < LW_ARCH_COUNT; a++)
        for (size_t i = 0; i < lw_insn_row_count; i++)
            for (size_t j = i + 1; j < lw_insn_row_count; j++) {
                const lw_insn *p = &lw_insn_rows[i], *q = &lw_insn_rows[j];
                if (p->op[a] && p->op[a] == q->op[a] && lw_insn_is_scaled(p) == lw_insn_is_scaled(q))
                    ck_abort_msg("%s and %s share op 0x%02x", p->mnemonic, q->mnemonic, p->op[a]);
            }
}
END_TEST

START_TEST(no_name_means_two_rows)
{
    for (unsigned a = 1; a < LW_ARCH_COUNT; a++)
        for (size_t i = 0; i < lw_insn_count((lw_arch)a); i++) {
            const lw_insn *insn = lw_insn_at((lw_arch)a, i), *found = NULL;
            ck_assert_int_eq(lw_insn_find((lw_arch)a, insn->mnemonic, &found, NULL), LW_OK);
            ck_assert_ptr_eq(found, insn);
            for (int n = 0; n < LW_INSN_MAX_ALIASES && insn->aliases[n]; n++) {
                ck_assert_int_eq(lw_insn_find((lw_arch)a, insn->aliases[n], &found, NULL), LW_OK);
                ck_assert_ptr_eq(found, insn);
            }
        }
}
END_TEST

/* "cbsz abid blgp" of the assembler column, word for word. */
static void check_shape(const csv *t, const lw_insn_info *info)
{
    const char *name = info->mnemonic;
    ck_assert_msg(atoi(csv_get(t, "M")) == info->m && atoi(csv_get(t, "N")) == info->n &&
                      atoi(csv_get(t, "K")) == info->k && atoi(csv_get(t, "blocks")) == info->blocks,
                  "%s: shape", name);
    ck_assert_msg(atoi(csv_get(t, "sparse")) == info->sparse && atoi(csv_get(t, "scaled")) == info->scaled,
                  "%s: kind", name);
    ck_assert_str_eq(csv_get(t, "asm_modifiers"), info->modifiers);
    ck_assert_str_eq(csv_get(t, "wave"), "64");
    ck_assert_int_eq(info->wave_sizes, 2);
    ck_assert_int_eq(atoi(csv_get(t, "bytes")), info->bytes);
    const char *first = csv_get(t, "opcode"), *plus = strchr(first, '+');
    ck_assert_msg(strtoul(plus ? plus + 1 : first, NULL, 16) == info->opcode, "%s: opcode", name);
    ck_assert_msg((strtoul(csv_get(t, "mai_opcode"), NULL, 16) & 0x3f) == (info->opcode & 0x3f),
                  "%s: MAI opcode", name);

    /* "4 (8 if A or B is fp8/bf8)": the row says the most */
    const char *passes = csv_get(t, "passes"), *most = strchr(passes, '(');
    ck_assert_msg(atoi(most ? most + 1 : passes) == info->passes, "%s: passes", name);
    ck_assert_msg(strncmp(csv_get(t, "c_operand"), info->c_inline ? "reg or inline" : "index", 5) == 0,
                  "%s: C", name);
}

static void check_formats(const csv *t, const lw_insn_info *info)
{
    const char *columns[] = { "a_type", "b_type", "c_type", "d_type" };
    for (unsigned o = LW_OPERAND_A; o <= LW_OPERAND_D; o++) {
        const lw_operand_info *operand = &info->operand[o];
        const char *want = csv_get(t, columns[o]);
        if (o == LW_OPERAND_C && info->sparse)
            ck_assert_msg(!operand->present, "%s: C", info->mnemonic);
        else if (strchr(want, '|'))
            ck_assert_msg(operand->element_bits == 0 && strncmp(operand->format, "by ", 3) == 0, "%s",
                          info->mnemonic);
        else
            ck_assert_str_eq(operand->format, want);
    }
}

/* "4/8/8/4 + scaleA 1 + scaleB 1": D, A, B, and C or the index. */
static void check_registers(const csv *t, const lw_insn_info *info)
{
    unsigned d = 0, a = 0, b = 0, c = 0;
    const char *text = csv_get(t, "vgprs_w64_DABC");
    ck_assert_int_eq(sscanf(text, "%u/%u/%u/%u", &d, &a, &b, &c), 4);
    const lw_operand_info *o = info->operand;
    const lw_operand last = info->sparse ? LW_OPERAND_INDEX : LW_OPERAND_C;
    ck_assert_msg(o[LW_OPERAND_D].registers == d && o[LW_OPERAND_A].registers == a &&
                      o[LW_OPERAND_B].registers == b && o[last].registers == c,
                  "%s: registers, expected %s", info->mnemonic, text);
    const unsigned scales = strstr(text, "scaleA 1 + scaleB 1") != NULL;
    ck_assert_msg(o[LW_OPERAND_SCALE_A].registers == scales && o[LW_OPERAND_SCALE_B].registers == scales,
                  "%s: scales", info->mnemonic);
}

static void check_aliases(const csv *t, const lw_insn_info *info)
{
    char joined[256] = "";
    for (int i = 0; i < LW_INSN_MAX_ALIASES && info->aliases[i]; i++)
        snprintf(joined + strlen(joined), sizeof(joined) - strlen(joined), "%s%s", i ? " " : "",
                 info->aliases[i]);
    ck_assert_str_eq(csv_get(t, "aliases"), joined);
}

START_TEST(rows_equal_the_table)
{
    csv t;
    size_t natives = 0;
    csv_open(&t, csv_path);
    while (csv_next(&t)) {
        if (strcmp(csv_get(&t, "family"), chips[_i].family) != 0 ||
            strcmp(csv_get(&t, "status"), "native") != 0)
            continue;
        const lw_insn *insn = NULL;
        lw_error error = { { 0 } };
        lw_insn_info info;
        ck_assert_msg(lw_insn_find(chips[_i].arch, csv_get(&t, "mnemonic"), &insn, &error) == LW_OK, "%s",
                      error.text);
        ck_assert_str_eq(insn->mnemonic, csv_get(&t, "mnemonic"));
        ck_assert_int_eq(lw_insn_get_info(chips[_i].arch, insn, &info), LW_OK);
        check_shape(&t, &info);
        check_formats(&t, &info);
        check_registers(&t, &info);
        check_aliases(&t, &info);
        ck_assert_ptr_eq(lw_insn_by_op(chips[_i].arch, info.opcode, info.scaled), insn);
        natives++;
    }
    ck_assert_uint_eq(natives, chips[_i].count);
    ck_assert_uint_eq(lw_insn_count(chips[_i].arch), chips[_i].count);
}
END_TEST

/* Everything else the assembler lists for the chip is known by name and refused. */
START_TEST(other_spellings_are_refused)
{
    csv t;
    csv_open(&t, csv_path);
    while (csv_next(&t)) {
        const bool chip = strcmp(csv_get(&t, "family"), chips[_i].family) == 0;
        if (!chip || strcmp(csv_get(&t, "status"), "native") == 0)
            continue;
        const lw_insn *insn = NULL;
        lw_error error = { { 0 } };
        ck_assert_int_eq(lw_insn_find(chips[_i].arch, csv_get(&t, "mnemonic"), &insn, &error),
                         LW_E_UNSUPPORTED);
        ck_assert_ptr_null(insn);
        ck_assert_ptr_nonnull(strstr(error.text, csv_get(&t, "mnemonic")));
    }
}
END_TEST

static void expect_find(lw_arch arch, const char *name, lw_status status, const char *in_sentence)
{
    const lw_insn *insn = NULL;
    lw_error error = { { 0 } };
    ck_assert_int_eq(lw_insn_find(arch, name, &insn, &error), status);
    ck_assert_msg(strstr(error.text, in_sentence) != NULL, "\"%s\" lacks \"%s\"", error.text, in_sentence);
    ck_assert_ptr_null(insn);
}

START_TEST(find_explains_itself)
{
    const lw_insn *insn = NULL;
    ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX942, "V_MFMA_F32_16x16x16F16", &insn, NULL), LW_OK);
    ck_assert_str_eq(insn->mnemonic, "v_mfma_f32_16x16x16_f16");
    expect_find(LW_ARCH_GFX942, "v_mfma_f32_16x16x32_f16", LW_E_ARCH, "an instruction of gfx950");
    expect_find(LW_ARCH_GFX950, "v_mfma_f32_32x32x4xf32", LW_E_ARCH, "an instruction of gfx942");
    expect_find(LW_ARCH_GFX942, "v_mfma_f32_16x16x16_f17", LW_E_NOT_FOUND,
                "names are v_mfma_f32_16x16x16_f16,");
    expect_find(LW_ARCH_GFX942, "", LW_E_NOT_FOUND, "no matrix instruction");
    expect_find(LW_ARCH_GFX908, "v_mfma_f32_32x32x1f32", LW_E_UNSUPPORTED, "gfx908");
    expect_find(LW_ARCH_GFX950, "v_wmma_f32_16x16x16_f16", LW_E_UNSUPPORTED, "WMMA");
    expect_find(LW_ARCH_GFX950,
                "v_mfma_f32_16x16x16_f16_f16_f16_f16_f16_f16_f16_f16_f16_f16_f16_f16_f16_f16_f16_f16",
                LW_E_NOT_FOUND, "more than 63");
    ck_assert_int_eq(lw_insn_find(LW_ARCH_NONE, "x", &insn, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX942, NULL, &insn, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX942, "x", NULL, NULL), LW_E_ARGUMENT);
    ck_assert_uint_eq(lw_insn_count(LW_ARCH_NONE), 0);
    ck_assert_ptr_null(lw_insn_at(LW_ARCH_GFX942, 46));
    ck_assert_ptr_null(lw_insn_at(LW_ARCH_COUNT, 0));
}
END_TEST

START_TEST(operands_have_names)
{
    for (unsigned o = 0; o < LW_OPERAND_COUNT; o++) {
        lw_operand found = LW_OPERAND_COUNT;
        ck_assert_int_eq(lw_operand_find(lw_operand_name((lw_operand)o), &found), LW_OK);
        ck_assert_uint_eq(found, o);
    }
    lw_operand found = LW_OPERAND_COUNT;
    ck_assert_int_eq(lw_operand_find("a", &found), LW_OK);
    ck_assert_uint_eq(found, LW_OPERAND_A);
    ck_assert_int_eq(lw_operand_find("E", &found), LW_E_NOT_FOUND);
    ck_assert_int_eq(lw_operand_find("", &found), LW_E_NOT_FOUND);
    ck_assert_ptr_null(lw_operand_name(LW_OPERAND_COUNT));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("matrix");
    TCase *tc = tcase_create("all");
    tcase_add_test(tc, rows_are_sorted_and_unique);
    tcase_add_test(tc, no_name_means_two_rows);
    tcase_add_loop_test(tc, rows_equal_the_table, 0, 2);
    tcase_add_loop_test(tc, other_spellings_are_refused, 0, 2);
    tcase_add_test(tc, find_explains_itself);
    tcase_add_test(tc, operands_have_names);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
