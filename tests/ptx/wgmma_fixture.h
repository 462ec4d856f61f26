/* SPDX-License-Identifier: MIT */
/* Rows of wgmma in the table of ptxas' instructions, and their spellings. */
#ifndef TESTS_PTX_WGMMA_FIXTURE_H
#define TESTS_PTX_WGMMA_FIXTURE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/mma.h>

#include "isa_tables/csv.h"
#include "isa_tables/ptx/parts.h"

static const char *const csv_path = LW_SOURCE_DIR "/tests/data/ptx-mma.csv";

enum { MOST_N = 256 };

static inline bool next_wgmma(csv *t)
{
    while (csv_next(t))
        if (strncmp(csv_get(t, "family"), "wgmma", 5) == 0)
            return true;
    return false;
}

/* Whether ptxas accepts that width, according to the table's note. */
static inline bool is_legal(const csv *t, unsigned n)
{
    const bool all = strstr(csv_get(t, "note"), "N = 8..256 step 8") != NULL;
    ck_assert(all || strstr(csv_get(t, "note"), "N = 8,16,24,32 then 48..256 step 16"));
    return n >= 8 && n <= MOST_N && n % 8 == 0 && (all || n <= 32 || n % 16 == 0);
}

/* The table's spelling with N columns. */
static inline void spell(const csv *t, unsigned n, char text[LW_PTX_SPELLING_MAX])
{
    const char *from = csv_get(t, "instruction"), *at = strstr(from, "m64nN");
    ck_assert_ptr_nonnull(at);
    snprintf(text, LW_PTX_SPELLING_MAX, "%.*sm64n%u%s", (int)(at - from), from, n, at + 5);
}

static inline const lw_insn *parse(const char *text, lw_mods *mods)
{
    const lw_insn *insn = NULL;
    lw_error error = { "" };
    ck_assert_msg(lw_insn_parse(LW_ARCH_SM_90, text, &insn, mods, &error) == LW_OK, "%s: %s", text,
                  error.text);
    return insn;
}

static inline int run_wgmma(const char *name, TCase *tc)
{
    Suite *s = suite_create(name);
    tcase_set_timeout(tc, 60);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    const int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed != 0;
}

#endif
