/* SPDX-License-Identifier: MIT */
/* The rows of matrix instructions compared with a table compiled from LLVM 22 and AMD's matrix calculator. */
#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_tables/csv.h"
#include "isa_tables/matrix.h"
#include "isa_tables/recipes.h"

static const char *const csv_path = LW_SOURCE_DIR "/tests/data/amd-matrix.csv";
static const struct {
    lw_arch arch;
    const char *family;
    size_t count;
} chips[] = {
    { LW_ARCH_GFX908, "gfx908", 20 }, { LW_ARCH_GFX90A, "gfx90a", 27 },   { LW_ARCH_GFX942, "gfx942", 46 },
    { LW_ARCH_GFX950, "gfx950", 68 }, { LW_ARCH_GFX1100, "gfx11", 6 },    { LW_ARCH_GFX1150, "gfx11", 6 },
    { LW_ARCH_GFX1201, "gfx12", 22 }, { LW_ARCH_GFX1250, "gfx1250", 43 },
};
enum { CHIPS = sizeof(chips) / sizeof(chips[0]) };

/* A generation with matrix instructions has everything needed to lay them out, compute and check them. */
START_TEST(generations_are_whole)
{
    for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++) {
        const lw_arch arch = (lw_arch)a;
        const lw_arch_info *info = lw_arch_get(arch);
        size_t chip = 0;
        ck_assert_msg(info->has_matrix == (lw_insn_count(arch) > 0), "%s", info->name);
        ck_assert_msg(lw_arch_traits_rows[arch].wave, "%s has no lw_arch_traits", info->name);
        while (chip < CHIPS && chips[chip].arch != arch)
            chip++;
        ck_assert_msg(chip < CHIPS || lw_arch_is_nvidia(arch), "%s is not among the chips here", info->name);
        for (size_t i = 0; i < lw_insn_count(arch); i++) {
            const lw_insn *insn = lw_insn_at(arch, i);
            const char *name = lw_insn_name(arch, insn);
            lw_recipe recipe;
            ck_assert_msg(lw_insn_mod_row(arch, insn), "%s: no modifiers of %s", info->name, name);
            ck_assert_msg(insn->dot == LW_DOT_MOVE ||
                              lw_recipe_resolve((lw_dot_class)insn->dot, arch, NULL, 0, &recipe) == LW_OK,
                          "%s: no recipe of %s", info->name, name);
        }
    }
}
END_TEST

START_TEST(rows_are_sorted_and_unique)
{
    for (size_t i = 1; i < lw_insn_row_count; i++)
        ck_assert_str_lt(lw_insn_rows[i - 1].mnemonic, lw_insn_rows[i].mnemonic);
    for (unsigned a = 0; a < LW_ARCH_COUNT; a++)
        for (size_t i = 0; i < lw_insn_row_count; i++)
            for (size_t j = i + 1; j < lw_insn_row_count; j++) {
                const lw_insn *p = &lw_insn_rows[i], *q = &lw_insn_rows[j];
                if (p->op[a] > LW_OP_ASSEMBLER_ONLY && p->op[a] == q->op[a] && p->scale_k == q->scale_k)
                    ck_abort_msg("%s and %s share op 0x%02x", p->mnemonic, q->mnemonic, p->op[a]);
            }
}
END_TEST

START_TEST(no_name_means_two_rows)
{
    for (unsigned a = 1; a < LW_ARCH_COUNT; a++)
        for (size_t i = 0; i < lw_insn_count((lw_arch)a); i++) {
            const lw_insn *insn = lw_insn_at((lw_arch)a, i), *found = NULL;
            lw_insn_info info;
            ck_assert_int_eq(lw_insn_get_info((lw_arch)a, insn, &info), LW_OK);
            ck_assert_int_eq(lw_insn_find((lw_arch)a, info.mnemonic, &found, NULL), LW_OK);
            ck_assert_ptr_eq(found, insn);
            for (int n = 0; n < LW_INSN_MAX_ALIASES && info.aliases[n]; n++) {
                ck_assert_int_eq(lw_insn_find((lw_arch)a, info.aliases[n], &found, NULL), LW_OK);
                ck_assert_ptr_eq(found, insn);
            }
        }
}
END_TEST

/* How often `word` is among the words of `text`; "[2]" after a word in either says which bits, and is
 * skipped. */
static int count_word(const char *text, const char *word, size_t length)
{
    int count = 0;
    while (*text) {
        const size_t n = strcspn(text, " ["), whole = strcspn(text, " ");
        count += n == length && memcmp(text, word, n) == 0;
        text += whole;
        text += strspn(text, " ");
    }
    return count;
}

static void check_words(const char *name, const char *text, const char *among)
{
    while (*text) {
        const size_t n = strcspn(text, " ["), whole = strcspn(text, " ");
        const bool skipped = *text == '|' || strchr(text, ':') == text + 3;
        ck_assert_msg(skipped || count_word(among, text, n) > 0, "%s: %s", name, text);
        text += whole;
        text += strspn(text, " ");
    }
}

/* "4 (8 if A or B is fp8/bf8)": the row has the maximum. RDNA has cycles only. */
static void check_time(const csv *t, const lw_insn_info *info)
{
    const char *passes = csv_get(t, "passes"), *most = strchr(passes, '('),
               *cycles = csv_get(t, "calc_cycles");
    ck_assert_msg(atoi(most ? most + 1 : passes) == info->passes, "%s: passes", info->mnemonic);
    ck_assert_msg(!cycles[0] || atoi(cycles) == info->cycles, "%s: cycles", info->mnemonic);
}

/* "32+64" and "tuples start even". */
static void check_wave(const csv *t, const lw_insn_info *info)
{
    const char *wave = csv_get(t, "wave"), *files = csv_get(t, "operand_files");
    ck_assert_int_eq(info->wave_sizes, (strstr(wave, "32") != NULL) + 2 * (strstr(wave, "64") != NULL));
    ck_assert_int_eq(info->wave, strstr(wave, "32") ? 32 : 64);
    ck_assert_int_eq(info->tuple_align, strstr(files, "start even") ? 2 : 1);
    const lw_operand_info *o = info->operand;
    if (strncmp(files, "D,C: a;", 7) == 0)
        ck_assert_msg(strcmp(o[LW_OPERAND_D].files, "a") == 0 && strcmp(o[LW_OPERAND_C].files, "a") == 0,
                      "%s", info->mnemonic);
    ck_assert_msg((strstr(files, "v or a") != NULL) == (strcmp(o[LW_OPERAND_A].files, "v or a") == 0),
                  "%s: %s", info->mnemonic, files);
    if (info->scaled)
        ck_assert_msg((strstr(files, "scales: v only") != NULL) ==
                          (strcmp(o[LW_OPERAND_SCALE_A].files, "v") == 0),
                      "%s", info->mnemonic);
}

static void check_shape(const csv *t, const lw_insn_info *info)
{
    const char *name = info->mnemonic;
    ck_assert_msg(atoi(csv_get(t, "M")) == info->m && atoi(csv_get(t, "N")) == info->n &&
                      atoi(csv_get(t, "K")) == info->k && atoi(csv_get(t, "blocks")) == info->blocks,
                  "%s: shape", name);
    ck_assert_msg(atoi(csv_get(t, "sparse")) == info->sparse && atoi(csv_get(t, "scaled")) == info->scaled,
                  "%s: kind", name);
    check_words(name, csv_get(t, "asm_modifiers"), info->modifiers);
    check_words(name, info->modifiers, csv_get(t, "asm_modifiers"));
    ck_assert_int_eq(atoi(csv_get(t, "bytes")), info->bytes);
    const char *first = csv_get(t, "opcode"), *plus = strchr(first, '+'), *mai = csv_get(t, "mai_opcode");
    ck_assert_msg(strtoul(plus ? plus + 1 : first, NULL, 16) == info->opcode, "%s: opcode", name);
    ck_assert_msg(!mai[0] || (strtoul(mai, NULL, 16) & 0x3f) == (info->opcode & 0x3f), "%s: MAI opcode",
                  name);
    ck_assert_int_eq(info->scale_k, !info->scaled ? 0 : strncmp(first, "0x3a", 4) == 0 ? 16 : 32);
    const char *c = csv_get(t, "c_operand");
    ck_assert_msg((strncmp(c, "reg or inline", 13) == 0) == info->c_inline, "%s: C", name);
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

static unsigned registers_of(lw_arch arch, const lw_insn *insn, lw_operand operand, unsigned wave)
{
    const lw_mods mods = { .wave = (uint8_t)wave };
    lw_operand_info info;
    return lw_insn_operand(arch, insn, operand, &mods, &info, NULL) == LW_OK ? info.registers : 0;
}

/* "4/8/8/4 + scaleA 1 + scaleB 1": D, A, B, and C or the index, in each size of wave. */
static void check_registers(const csv *t, const lw_insn *insn, const lw_insn_info *info, unsigned wave)
{
    unsigned d = 0, a = 0, b = 0, c = 0, scale = 0;
    const char *text = csv_get(t, wave == 64 ? "vgprs_w64_DABC" : "vgprs_w32_DABC");
    if (!(info->wave_sizes & wave / 32)) {
        ck_assert_str_eq(text, "");
        const lw_mods mods = { .wave = (uint8_t)wave };
        ck_assert_int_eq(lw_mods_check(info->arch, insn, &mods, NULL), LW_E_UNSUPPORTED);
        return;
    }
    ck_assert_int_eq(sscanf(text, "%u/%u/%u/%u", &d, &a, &b, &c), 4);
    const char *scales = strstr(text, "scaleA ");
    ck_assert_int_eq(scales ? sscanf(scales, "scaleA %u", &scale) : 0, scales != NULL);
    const unsigned want[LW_OPERAND_COUNT] = {
        [LW_OPERAND_A] = a,
        [LW_OPERAND_B] = b,
        [LW_OPERAND_C] = info->sparse ? 0 : c,
        [LW_OPERAND_D] = d,
        [LW_OPERAND_INDEX] = info->sparse ? c : 0,
        [LW_OPERAND_SCALE_A] = scale,
        [LW_OPERAND_SCALE_B] = scale,
    };
    for (unsigned o = 0; o < LW_OPERAND_COUNT; o++) {
        ck_assert_msg(registers_of(info->arch, insn, (lw_operand)o, wave) == want[o],
                      "%s, wave %u, %s: expected %s", info->mnemonic, wave, lw_operand_name((lw_operand)o),
                      text);
        if (wave == info->wave)
            ck_assert_uint_eq(info->operand[o].registers, want[o]);
    }
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
        ck_assert_int_eq(lw_insn_get_info(chips[_i].arch, insn, &info), LW_OK);
        ck_assert_str_eq(info.mnemonic, csv_get(&t, "mnemonic"));
        check_shape(&t, &info);
        check_time(&t, &info);
        check_wave(&t, &info);
        check_formats(&t, &info);
        check_registers(&t, insn, &info, 32);
        check_registers(&t, insn, &info, 64);
        check_aliases(&t, &info);
        ck_assert_ptr_eq(lw_insn_by_op(chips[_i].arch, info.opcode, info.scale_k), insn);
        natives++;
    }
    ck_assert_uint_eq(natives, chips[_i].count);
    ck_assert_uint_eq(lw_insn_count(chips[_i].arch), chips[_i].count);
}
END_TEST

/* Everything else that the assembler lists for the chip is known by name and refused. */
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
    expect_find(LW_ARCH_GFX908, "v_mfma_f32_32x32x1_2b_f32", LW_E_ARCH, "instruction of gfx942 and gfx950");
    expect_find(LW_ARCH_GFX950, "v_wmma_f32_16x16x16_f16", LW_E_ARCH,
                "instruction of gfx1100 and gfx1150 and gfx1201");
    expect_find(LW_ARCH_GFX1250, "v_wmma_f32_16x16x16_f16", LW_E_UNSUPPORTED, "spelling of an RDNA4");
    expect_find(LW_ARCH_GFX1250, "v_wmma_f64_16x16x4_f64", LW_E_UNSUPPORTED, "gfx1251 only");
    expect_find(LW_ARCH_GFX1250, "v_wmma_ld_scale_paired_b32", LW_E_UNSUPPORTED, "v_wmma_scale_");
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

/* The same spelling is another instruction on older chips. */
START_TEST(spelling_depends_on_the_chip)
{
    const lw_insn *older = NULL, *newer = NULL, *same = NULL;
    lw_operand_info a;
    ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX90A, "v_mfma_f32_32x32x4bf16", &older, NULL), LW_OK);
    ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX942, "v_mfma_f32_32x32x4bf16", &newer, NULL), LW_OK);
    ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX90A, "v_mfma_f32_32x32x4bf16_1k", &same, NULL), LW_OK);
    ck_assert_ptr_ne(older, newer);
    ck_assert_ptr_eq(same, newer);
    ck_assert_int_eq(lw_insn_operand(LW_ARCH_GFX90A, older, LW_OPERAND_A, NULL, &a, NULL), LW_OK);
    ck_assert_uint_eq(a.registers, 1);
    ck_assert_int_eq(lw_insn_operand(LW_ARCH_GFX942, newer, LW_OPERAND_A, NULL, &a, NULL), LW_OK);
    ck_assert_uint_eq(a.registers, 2);
    expect_find(LW_ARCH_GFX90A, "v_mfma_f32_32x32x4_2b_bf16", LW_E_ARCH, "gfx942 and gfx950");
    expect_find(LW_ARCH_GFX908, "v_mfma_f32_32x32x4bf16_1k", LW_E_ARCH, "gfx90a and gfx942 and gfx950");
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
    tcase_add_test(tc, generations_are_whole);
    tcase_add_test(tc, rows_are_sorted_and_unique);
    tcase_add_test(tc, no_name_means_two_rows);
    tcase_add_loop_test(tc, rows_equal_the_table, 0, CHIPS);
    tcase_add_loop_test(tc, other_spellings_are_refused, 0, CHIPS);
    tcase_add_test(tc, find_explains_itself);
    tcase_add_test(tc, spelling_depends_on_the_chip);
    tcase_add_test(tc, operands_have_names);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
