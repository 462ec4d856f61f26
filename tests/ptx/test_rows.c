/* SPDX-License-Identifier: MIT */
/* PTX rows and spellings, compared with a table of what ptxas 13.0 accepts for which target. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_tables/csv.h"
#include "isa_tables/ptx/row.h"
#include "shuffle.h"

static const char *const csv_path = LW_SOURCE_DIR "/tests/data/ptx-mma.csv";

/* Every target of the table, and the two that ptxas 13.0 no longer has. */
static const char *const targets[] = { "70",   "72",  "75",   "80",   "86",  "87",   "88",   "89",  "90",
                                       "90a",  "100", "100a", "100f", "103", "103a", "103f", "110", "110a",
                                       "110f", "120", "120a", "120f", "121", "121a", "121f" };
enum { TARGETS = sizeof(targets) / sizeof(targets[0]) };

static lw_arch arch_of(const char *target)
{
    char name[16];
    lw_arch arch = LW_ARCH_NONE;
    snprintf(name, sizeof(name), "sm_%s", target);
    ck_assert_msg(lw_arch_find(name, &arch) == LW_OK, "%s", name);
    return arch;
}

static bool has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}

/* sm_70 and sm_72, which ptxas 13.0 lacks, follow the manual's first target; the form that is documented but
 * not assembled counts for sm_120a and sm_121a. */
static bool accepted_by_table(const csv *t, const char *target)
{
    const char *least = csv_get(t, "min_sm"), *assembled = csv_get(t, "ptxas13_ok_on");
    if (strcmp(target, "70") == 0)
        return strcmp(least, "sm_70") == 0;
    if (strcmp(target, "72") == 0)
        return strcmp(least, "sm_70") == 0 || strcmp(least, "sm_72") == 0;
    if (!*assembled)
        return strcmp(target, "120a") == 0 || strcmp(target, "121a") == 0;
    return has_word(assembled, target);
}

/* The next record of a warp instruction; for wgmma see test_wgmma_rows.c. */
static bool next_warp_level(csv *t)
{
    while (csv_next(t)) {
        const char *family = csv_get(t, "family");
        if (strncmp(family, "wgmma", 5) != 0 && strncmp(family, "tcgen05", 7) != 0)
            return true;
    }
    return false;
}

/* An architecture that has the spelling. */
static lw_arch home(const csv *t)
{
    for (int i = TARGETS - 1; i >= 0; i--)
        if (accepted_by_table(t, targets[i]))
            return arch_of(targets[i]);
    ck_abort_msg("no target: %s", csv_get(t, "instruction"));
    return LW_ARCH_NONE;
}

static const lw_insn *parse(const csv *t, lw_mods *mods)
{
    const lw_insn *insn = NULL;
    lw_error error = { "" };
    ck_assert_msg(lw_insn_parse(home(t), csv_get(t, "instruction"), &insn, mods, &error) == LW_OK, "%s",
                  error.text);
    return insn;
}

START_TEST(spellings_have_the_targets_of_the_table)
{
    csv t;
    size_t count = 0;
    csv_open(&t, csv_path);
    while (next_warp_level(&t)) {
        const char *text = csv_get(&t, "instruction");
        for (int i = 0; i < TARGETS; i++) {
            const lw_insn *insn = NULL;
            lw_mods mods;
            lw_error error = { "" };
            const bool want = accepted_by_table(&t, targets[i]);
            const lw_status st = lw_insn_parse(arch_of(targets[i]), text, &insn, &mods, &error);
            ck_assert_msg((st == LW_OK) == want, "%s for %s: %s", text, targets[i], error.text);
            ck_assert_msg(want || st == LW_E_ARCH, "%s for %s: %s", text, targets[i], error.text);
            ck_assert_msg(want || strstr(error.text, "it is an instruction of sm_"), "%s", error.text);
        }
        count++;
    }
    ck_assert_uint_eq(count, 700);
}
END_TEST

/* .rn may be written, but has no effect. */
static void without_rn(const char *from, char text[LW_PTX_SPELLING_MAX])
{
    const char *rn = strstr(from, ".rn.");
    snprintf(text, LW_PTX_SPELLING_MAX, "%.*s%s", rn ? (int)(rn - from) : 0, from, rn ? rn + 3 : from);
}

START_TEST(spellings_print_as_they_were_read)
{
    csv t;
    csv_open(&t, csv_path);
    while (next_warp_level(&t)) {
        const lw_insn *found = NULL;
        lw_mods mods, again;
        char text[LW_PTX_SPELLING_MAX], want[LW_PTX_SPELLING_MAX], version[24];
        const lw_insn *insn = parse(&t, &mods);
        lw_ptx_spell(insn, &mods.ptx, text);
        without_rn(csv_get(&t, "instruction"), want);
        ck_assert_str_eq(text, want);
        const unsigned isa = lw_ptx_isa(insn, &mods.ptx);
        snprintf(version, sizeof(version), "%u.%u", isa / 10, isa % 10);
        ck_assert_msg(strcmp(version, csv_get(&t, "ptx_isa")) == 0, "%s: PTX ISA %s", text, version);
        ck_assert_int_eq(lw_insn_parse(home(&t), text, &found, &again, NULL), LW_OK);
        ck_assert_ptr_eq(found, insn);
        ck_assert_mem_eq(&again, &mods, sizeof(mods));
    }
}
END_TEST

/* "4xb32" or "2xf64" in registers of 32 bits; 0 for an empty field. */
static unsigned registers_of_table(const char *field)
{
    unsigned count = 0, bits = 0;
    char kind = 0;
    if (!*field)
        return 0;
    ck_assert_int_eq(sscanf(field, "%ux%c%u", &count, &kind, &bits), 3);
    return count * bits / 32;
}

static void check_registers(const csv *t, const lw_insn *insn, const lw_mods *mods)
{
    static const char *const columns[] = { "regs_a", "regs_b", "regs_c", "regs_d" };
    unsigned moved = 0;
    for (unsigned o = LW_OPERAND_A; o <= LW_OPERAND_D; o++) {
        const unsigned want = registers_of_table(csv_get(t, columns[o]));
        moved = want > moved ? want : moved;
        if (!lw_ptx_is_move(insn))
            ck_assert_msg(lw_insn_registers(LW_ARCH_SM_120A, insn, (lw_operand)o, mods) == want, "%s: %s",
                          csv_get(t, "instruction"), columns[o]);
    }
    /* the table lists a load's registers under D and a store's under A, whichever fragment it is */
    if (lw_ptx_is_move(insn))
        ck_assert_msg(lw_insn_registers(LW_ARCH_SM_120A, insn, (lw_operand)insn->ptx->fragment, mods) ==
                          moved,
                      "%s", csv_get(t, "instruction"));
}

static void check_types(const csv *t, const lw_insn *insn, const lw_mods *mods)
{
    static const char *const columns[] = { "a_type", "b_type", "c_type", "d_type" };
    for (unsigned o = LW_OPERAND_A; o <= LW_OPERAND_D && !lw_ptx_is_move(insn); o++)
        ck_assert_str_eq(lw_elem_rows[lw_insn_elem(insn, (lw_operand)o, mods)].name, csv_get(t, columns[o]));
}

/* Selectors from 0 to the table's last are accepted, the next ones are refused with the reason. */
static void check_selectors(const csv *t, const lw_insn *insn, lw_mods mods)
{
    const char *range = csv_get(t, "sparsity_selector"), *dash = strchr(range, '-');
    const unsigned last = (unsigned)atoi(dash ? dash + 1 : range);
    for (unsigned s = 0; s < 5; s++) {
        lw_error error = { "" };
        mods.ptx.selector = (uint8_t)s;
        const bool good = lw_mods_check(home(t), insn, &mods, &error) == LW_OK;
        ck_assert_msg(good == (s <= last), "%s: selector %u", csv_get(t, "instruction"), s);
        ck_assert(good || strstr(error.text, "selector"));
    }
}

static void check_scales(const csv *t, const lw_insn *insn, lw_mods mods)
{
    const char *vec = csv_get(t, "scale_vec");
    const unsigned one_or_two = strcmp(csv_get(t, "kind"), "mxf8f6f4") == 0 ? 1 : 2;
    const unsigned count = strcmp(vec, "default") == 0 ? one_or_two : (unsigned)atoi(vec);
    ck_assert_uint_eq(lw_ptx_scale_count(insn, &mods.ptx), count);
    ck_assert_int_eq(lw_insn_is_scaled(insn), count > 0);
    ck_assert_str_eq(lw_elem_rows[lw_insn_elem(insn, LW_OPERAND_SCALE_A, &mods)].name,
                     csv_get(t, "scale_type"));
    for (unsigned v = 0; v < 6; v++) {
        lw_mods a = mods, b = mods, ta = mods, tb = mods;
        a.ptx.byte_a = b.ptx.byte_b = ta.ptx.thread_a = tb.ptx.thread_b = (uint8_t)v;
        const bool byte = v == 0 || (count == 1 && v <= 3) || (count == 2 && v == 2);
        ck_assert_int_eq(lw_mods_check(home(t), insn, &a, NULL) == LW_OK, byte);
        ck_assert_int_eq(lw_mods_check(home(t), insn, &b, NULL) == LW_OK, byte);
        ck_assert_int_eq(lw_mods_check(home(t), insn, &ta, NULL) == LW_OK, v <= (count ? 1 : 0));
        ck_assert_int_eq(lw_mods_check(home(t), insn, &tb, NULL) == LW_OK, v <= (count ? 3 : 0));
    }
}

START_TEST(operands_are_those_of_the_table)
{
    csv t;
    csv_open(&t, csv_path);
    while (next_warp_level(&t)) {
        lw_mods mods;
        const lw_insn *insn = parse(&t, &mods);
        check_registers(&t, insn, &mods);
        check_types(&t, insn, &mods);
        check_selectors(&t, insn, mods);
        check_scales(&t, insn, mods);
        ck_assert_str_eq(lw_ptx_form_names[insn->ptx->form], csv_get(&t, "family"));
        ck_assert_int_eq(lw_insn_is_sparse(insn), strncmp(csv_get(&t, "sparse"), "sp", 2) == 0);
    }
}
END_TEST

START_TEST(state_spaces_may_be_named)
{
    static const char *const spaces[] = { "global", "shared", "shared::cta" };
    csv t;
    csv_open(&t, csv_path);
    while (next_warp_level(&t)) {
        const char *text = csv_get(&t, "instruction"), *allowed = csv_get(&t, "state_spaces");
        const char *packed = strstr(text, ".b8x16"), *type = packed ? packed : strrchr(text, '.');
        const bool wmma = strncmp(text, "wmma", 4) == 0 && has_word(allowed, "shared");
        for (int i = 0; i < 3; i++) {
            const lw_insn *insn = NULL;
            lw_mods mods;
            char spelt[256], printed[LW_PTX_SPELLING_MAX];
            snprintf(spelt, sizeof(spelt), "%.*s.%s%s", (int)(type - text), text, spaces[i], type);
            const bool want = wmma || has_word(allowed, spaces[i]);
            ck_assert_msg((lw_insn_parse(home(&t), spelt, &insn, &mods, NULL) == LW_OK) == want, "%s", spelt);
            if (!want)
                continue;
            lw_ptx_spell(insn, &mods.ptx, printed);
            ck_assert_str_eq(printed, spelt);
        }
    }
}
END_TEST

START_TEST(every_row_is_in_the_table)
{
    size_t rows = 0, unused = 0;
    for (size_t i = 0; i < lw_insn_row_count; i++) {
        csv t;
        bool any = false;
        if (!lw_insn_rows[i].ptx ||
            lw_ptx_has_parts(&lw_insn_rows[i])) /* test_wgmma_rows.c, test_tcgen05_rows.c */
            continue;
        rows++;
        csv_open(&t, csv_path);
        while (next_warp_level(&t)) {
            lw_mods mods;
            any = parse(&t, &mods) == &lw_insn_rows[i] || any;
        }
        unused += !any;
        ck_assert_msg(any, "no spelling means %s", lw_insn_rows[i].mnemonic);
    }
    ck_assert_uint_eq(rows, 136);
    ck_assert_uint_eq(unused, 0);
}
END_TEST

/* A row by its own name, with no modifiers, is legal on all its targets and has a full spelling. */
START_TEST(names_of_rows_are_spellings_too)
{
    for (unsigned a = LW_ARCH_SM_70; a < LW_ARCH_COUNT; a++)
        for (size_t i = 0; i < lw_insn_count((lw_arch)a); i++) {
            const lw_insn *row = lw_insn_at((lw_arch)a, i), *insn = NULL;
            lw_mods mods, again;
            lw_insn_info info;
            lw_error error = { "" };
            char text[LW_PTX_SPELLING_MAX];
            ck_assert_msg(lw_insn_parse((lw_arch)a, row->mnemonic, &insn, &mods, &error) == LW_OK, "%s",
                          error.text);
            ck_assert_ptr_eq(insn, row);
            ck_assert_msg(lw_mods_check((lw_arch)a, row, NULL, &error) == LW_OK, "%s", error.text);
            lw_ptx_spell(row, &mods.ptx, text);
            ck_assert_msg(lw_insn_parse((lw_arch)a, text, &insn, &again, &error) == LW_OK, "%s", error.text);
            ck_assert_ptr_eq(insn, row);
            ck_assert_int_eq(lw_insn_get_info((lw_arch)a, row, &info), LW_OK);
            ck_assert_str_eq(info.encoding, "PTX");
            ck_assert_uint_eq(info.wave_sizes, lw_ptx_has_parts(row) ? 4 : 1);
        }
}
END_TEST

static void expect(lw_arch arch, const char *text, lw_status status, const char *in_sentence)
{
    const lw_insn *insn = NULL;
    lw_mods mods;
    lw_error error = { "" };
    ck_assert_msg(lw_insn_parse(arch, text, &insn, &mods, &error) == status, "%s: %s", text, error.text);
    ck_assert_msg(strstr(error.text, in_sentence) != NULL, "\"%s\" lacks \"%s\"", error.text, in_sentence);
    ck_assert_ptr_null(insn);
}

START_TEST(wrong_parts_are_named)
{
    static const struct {
        lw_arch arch;
        const char *text;
        lw_status status;
        const char *says;
    } cases[] = {
#include "wrong.inc"
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        expect(cases[i].arch, cases[i].text, cases[i].status, cases[i].says);
}
END_TEST

START_TEST(what_is_not_there_yet_is_refused_by_name)
{
    csv t;
    size_t count = 0;
    csv_open(&t, csv_path);
    while (csv_next(&t)) {
        const char *family = csv_get(&t, "family");
        if (strncmp(family, "tcgen05", 7) != 0)
            continue;
        const char *text = csv_get(&t, "instruction");
        const bool here = strstr(text, "cta_group::1") && !strstr(text, ".ws"); /* test_tcgen05_rows.c */
        expect(LW_ARCH_SM_90, text, here ? LW_E_FORMAT : LW_E_UNSUPPORTED,
               here ? "it lacks a shape" : "without .ws");
        count++;
    }
    ck_assert_uint_eq(count, 80);
}
END_TEST

/* Double dots, and missing or repeated endings, in legal spellings. */
START_TEST(mangled_spellings_are_refused)
{
    csv t;
    csv_open(&t, csv_path);
    while (next_warp_level(&t)) {
        const char *text = csv_get(&t, "instruction");
        for (const char *dot = strchr(text, '.'); dot; dot = strchr(dot + 1, '.')) {
            const lw_insn *insn = NULL;
            lw_mods mods;
            char bad[400];
            snprintf(bad, sizeof(bad), "%.*s.%s", (int)(dot - text), text, dot);
            ck_assert_msg(lw_insn_parse(home(&t), bad, &insn, &mods, NULL) != LW_OK, "%s", bad);
            snprintf(bad, sizeof(bad), "%s%s", text, dot);
            ck_assert_msg(lw_insn_parse(home(&t), bad, &insn, &mods, NULL) != LW_OK, "%s", bad);
            snprintf(bad, sizeof(bad), "%.*s", (int)(dot - text), text);
            const bool shorter = lw_insn_parse(home(&t), bad, &insn, &mods, NULL) == LW_OK;
            ck_assert_msg(!shorter || strcmp(dot, ".satfinite") == 0, "%s", bad);
        }
    }
}
END_TEST

/* The words after the name are a set except for sequences, and the canonical order is printed. */
START_TEST(words_stand_in_any_order)
{
    csv t;
    uint64_t state = 1;
    size_t moved = 0;
    csv_open(&t, csv_path);
    while (next_warp_level(&t)) {
        const char *text = csv_get(&t, "instruction");
        lw_mods mods;
        char want[LW_PTX_SPELLING_MAX], got[LW_PTX_SPELLING_MAX], other[SHUFFLE_MAX];
        const lw_insn *insn = parse(&t, &mods);
        lw_ptx_spell(insn, &mods.ptx, want);
        for (int i = 0; i < 12; i++) {
            const lw_insn *found = NULL;
            lw_mods again;
            lw_error error = { "" };
            shuffle_words(text, true, &state, other);
            moved += strcmp(other, text) != 0;
            ck_assert_msg(lw_insn_parse(home(&t), other, &found, &again, &error) == LW_OK, "%s", error.text);
            ck_assert_ptr_eq(found, insn);
            ck_assert_mem_eq(&again, &mods, sizeof(mods));
            ck_assert_int_eq(lw_insn_print(home(&t), found, &again, got, sizeof(got), NULL), LW_OK);
            ck_assert_str_eq(got, want);
        }
    }
    ck_assert_uint_gt(moved, 8000);
}
END_TEST

START_TEST(numbers_are_modifiers)
{
    const char *sparse = "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 selector:3";
    const char *scaled =
        "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e2m1.f32.ue8m0 "
        "byte-id-a:3 thread-id-a:1, byte-id-b:2 thread-id-b:3";
    const lw_insn *insn = NULL;
    lw_mods mods;
    ck_assert_int_eq(lw_insn_parse(LW_ARCH_SM_80, sparse, &insn, &mods, NULL), LW_OK);
    ck_assert_uint_eq(mods.ptx.selector, 3);
    ck_assert_int_eq(lw_insn_parse(LW_ARCH_SM_120A, scaled, &insn, &mods, NULL), LW_OK);
    ck_assert(mods.ptx.byte_a == 3 && mods.ptx.thread_a == 1 && mods.ptx.byte_b == 2 &&
              mods.ptx.thread_b == 3);
    ck_assert_uint_eq(mods.ptx.b_type, LW_ELEM_E2M1);
    expect(LW_ARCH_SM_80, "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 selector:1 selector:1",
           LW_E_FORMAT, "twice");
    expect(LW_ARCH_SM_80, "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 selector:x", LW_E_FORMAT,
           "0 to 3");
    expect(LW_ARCH_SM_80, "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 byte-id-a:1",
           LW_E_UNSUPPORTED, "takes: selector");
    expect(LW_ARCH_SM_80, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 cbsz:1", LW_E_UNSUPPORTED,
           "part of the spelling");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_rows");
    TCase *tc = tcase_create("all");
    tcase_add_test(tc, spellings_have_the_targets_of_the_table);
    tcase_add_test(tc, spellings_print_as_they_were_read);
    tcase_add_test(tc, operands_are_those_of_the_table);
    tcase_add_test(tc, state_spaces_may_be_named);
    tcase_add_test(tc, every_row_is_in_the_table);
    tcase_add_test(tc, names_of_rows_are_spellings_too);
    tcase_add_test(tc, wrong_parts_are_named);
    tcase_add_test(tc, what_is_not_there_yet_is_refused_by_name);
    tcase_add_test(tc, mangled_spellings_are_refused);
    tcase_add_test(tc, words_stand_in_any_order);
    tcase_add_test(tc, numbers_are_modifiers);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
