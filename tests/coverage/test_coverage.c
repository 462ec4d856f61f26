/* SPDX-License-Identifier: MIT */
/*
 * Every instruction found in compilers' output and in production kernels has a semantic function. The list,
 * tests/data/amdgpu-histogram.csv, counts the mnemonics of kernels compiled by clang 22 and of published
 * objects.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_tables/amdgpu/rows.h"

enum { LINE = 512, FIELDS = 10 };

/* FLAT rows are named without the segment. */
static const char *plain_name(const char *name)
{
    static const char *const segments[] = { "flat_", "global_", "scratch_" };
    for (size_t i = 0; i < sizeof(segments) / sizeof(segments[0]); i++)
        if (strncmp(name, segments[i], strlen(segments[i])) == 0)
            return name + strlen(segments[i]);
    return name;
}

static int has_semantics(lw_arch arch, const char *name)
{
    for (size_t i = 0; i < LW_OP_COUNT; i++) {
        const lw_op_row *row = &lw_op_rows[i];
        const int same = strcmp(row->name, name) == 0 || strcmp(row->name, plain_name(name)) == 0;
        if (same && lw_op_code(row, arch) >= 0 && strcmp(row->sem, "none") != 0)
            return 1;
    }
    return 0;
}

static int split(char *line, char *fields[FIELDS])
{
    int n = 0;
    for (char *p = strtok(line, ",\r\n"); p && n < FIELDS; p = strtok(NULL, ",\r\n"))
        fields[n++] = p;
    return n;
}

START_TEST(what_kernels_use_runs)
{
    FILE *file = fopen(LW_SOURCE_DIR "/tests/data/amdgpu-histogram.csv", "r");
    ck_assert_msg(file != NULL, "tests/data/amdgpu-histogram.csv is missing");
    char line[LINE], *f[FIELDS];
    int checked[2] = { 0, 0 };
    while (fgets(line, sizeof(line), file)) {
        if (split(line, f) != FIELDS || (strcmp(f[0], "gfx942") != 0 && strcmp(f[0], "gfx950") != 0))
            continue;
        const int newer = strcmp(f[0], "gfx950") == 0;
        ck_assert_msg(has_semantics(newer ? LW_ARCH_GFX950 : LW_ARCH_GFX942, f[2]),
                      "%s: %s (tier %s) does not run", f[0], f[2], f[9]);
        checked[newer]++;
    }
    fclose(file);
    ck_assert_int_gt(checked[0], 450);
    ck_assert_int_gt(checked[1], 500);
}
END_TEST

START_TEST(labels_and_semantics_agree)
{
    for (size_t i = 0; i < LW_OP_COUNT; i++) {
        const int runs = strcmp(lw_op_rows[i].sem, "none") != 0;
        ck_assert_msg(runs == (lw_op_rows[i].evidence != LW_EV_NONE),
                      "%s: semantics without evidence, or the reverse", lw_op_rows[i].name);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("coverage");
    TCase *tc = tcase_create("coverage");
    tcase_add_test(tc, what_kernels_use_runs);
    tcase_add_test(tc, labels_and_semantics_agree);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
