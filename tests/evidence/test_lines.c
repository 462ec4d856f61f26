/* SPDX-License-Identifier: MIT */
/*
 * The lists of isa_tables/evidence.inc and documented.inc themselves: every line names an instruction that
 * its target has, once, in the spelling that is looked up; documented instructions are in the tables of
 * tests/data, which were compiled from other sources.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

#include "isa_tables/evidence.h"
#include "isa_tables/ptx/parts.h"

/* The part of tcgen05 and the types that a key with types names. */
static const lw_insn *typed_part(lw_arch arch, const char *wanted, lw_mods *mods)
{
    const lw_insn *part;
    char key[LW_EVIDENCE_KEY_MAX];
    for (size_t i = 0; (part = lw_ptx_part_at(i)) != NULL; i++)
        for (const uint8_t *a = lw_ptx_class_types((lw_ptx_class)part->ptx->data); *a; a++)
            for (const uint8_t *b = lw_ptx_class_types((lw_ptx_class)part->ptx->data); *b; b++) {
                *mods = (lw_mods){ .ptx = { .a_type = *a, .b_type = *b } };
                lw_evidence_key(arch, part, mods, key);
                if (strcmp(key, wanted) == 0)
                    return part;
            }
    return NULL;
}

START_TEST(lines_name_instructions)
{
    const lw_evidence_line *line = &lw_evidence_lines[_i];
    const lw_insn *insn;
    lw_mods mods;
    lw_error error = { "" };
    char key[LW_EVIDENCE_KEY_MAX];
    insn = lw_ptx_part(line->insn);
    memset(&mods, 0, sizeof(mods));
    if (!insn && strncmp(line->insn, "tcgen05.", 8) == 0)
        insn = typed_part((lw_arch)line->arch, line->insn, &mods);
    ck_assert_msg(insn || lw_insn_parse((lw_arch)line->arch, line->insn, &insn, &mods, &error) == LW_OK,
                  "%s: %s", line->insn, error.text);
    lw_evidence_key((lw_arch)line->arch, insn, &mods, key);
    ck_assert_str_eq(key, line->insn);
    ck_assert_msg(lw_evidence_documented((lw_arch)line->arch, insn), "%s is not documented", line->insn);
    for (int i = 0; i < _i; i++)
        ck_assert_msg(lw_evidence_lines[i].source != line->source ||
                          lw_evidence_lines[i].arch != line->arch ||
                          strcmp(lw_evidence_lines[i].insn, line->insn) != 0,
                      "%s of one source stands twice", line->insn);
}
END_TEST

START_TEST(sources_say_what_they_covered)
{
    const lw_evidence_source *source = &lw_evidence_sources[_i];
    ck_assert(source->label == LW_LABEL_RECORDED || source->label == LW_LABEL_MEASURED);
    ck_assert_uint_gt(strlen(source->text), 20);
    ck_assert((source->label == LW_LABEL_RECORDED) == (strstr(source->text, "tests/data/") != NULL));
    size_t lines = 0;
    for (size_t i = 0; i < lw_evidence_line_count; i++)
        lines += lw_evidence_lines[i].source == _i;
    ck_assert_msg(lines != 0, "no line is of source %d: %s", _i, source->text);
}
END_TEST

/* As an item of a list with commas or quotes. */
static bool stands_in(const char *path, const char *name)
{
    char line[4096];
    bool found = false;
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    while (!found && fgets(line, sizeof(line), f))
        for (char *at = line; (at = strstr(at, name)) != NULL && !found; at++) {
            const char before = at == line ? ',' : at[-1], after = at[strlen(name)];
            found = strchr(",;| \"", before) && strchr(",;| \"\n", after);
        }
    fclose(f);
    return found;
}

START_TEST(every_row_is_documented)
{
    size_t pairs = 0;
    for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++)
        for (size_t i = 0; i < lw_insn_count((lw_arch)a); i++) {
            const lw_insn *insn = lw_insn_at((lw_arch)a, i);
            const char *name = lw_insn_name((lw_arch)a, insn);
            ck_assert_msg(lw_evidence_documented((lw_arch)a, insn), "%s on %s", name,
                          lw_arch_get((lw_arch)a)->name);
            if (!insn->ptx)
                ck_assert_msg(stands_in(LW_SOURCE_DIR "/tests/data/amd-matrix.csv", name), "%s", name);
            pairs++;
        }
    ck_assert_uint_gt(pairs, 1000);
}
END_TEST

/* One vocabulary: names, order, and nothing else. */
START_TEST(vocabulary)
{
    static const char *const names[] = { "exact", "recorded", "measured", "vendor", "inferred", "unknown" };
    for (int l = 0; l < LW_LABEL_COUNT; l++)
        ck_assert_str_eq(lw_label_name((lw_label)l), names[l]);
    ck_assert_ptr_null(lw_label_name(LW_LABEL_COUNT));
    ck_assert_int_eq(LW_LABEL_COUNT, 6);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("evidence_lines");
    TCase *tc = tcase_create("lines");
    tcase_add_loop_test(tc, lines_name_instructions, 0, (int)lw_evidence_line_count);
    tcase_add_loop_test(tc, sources_say_what_they_covered, 0, LW_SOURCE_COUNT);
    tcase_add_test(tc, every_row_is_documented);
    tcase_add_test(tc, vocabulary);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
