/* SPDX-License-Identifier: MIT */
/* What the tests of tcgen05.mma share. */
#ifndef LW_TESTS_PTX_TCGEN05_FIXTURE_H
#define LW_TESTS_PTX_TCGEN05_FIXTURE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

#include "isa_tables/ptx/row.h"

#define ARCH LW_ARCH_SM_100A
static inline const lw_insn *parse(const char *text, lw_mods *mods)
{
    const lw_insn *insn = NULL;
    lw_error error = { "" };
    ck_assert_msg(lw_insn_parse(ARCH, text, &insn, mods, &error) == LW_OK, "%s: %s", text, error.text);
    return insn;
}

static inline void refused(const char *text, lw_status status, const char *says)
{
    const lw_insn *insn = NULL;
    lw_mods mods;
    lw_error error = { "" };
    const lw_status st = lw_insn_parse(ARCH, text, &insn, &mods, &error);
    ck_assert_msg(st == status && strstr(error.text, says), "%s: %d %s", text, (int)st, error.text);
}

static inline int run_tcgen05(const char *name, TCase *tc)
{
    Suite *suite = suite_create(name);
    tcase_set_timeout(tc, 60);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
