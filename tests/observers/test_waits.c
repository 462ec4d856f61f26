/* SPDX-License-Identifier: MIT */
/*
 * The check of wait counters: sequences with the rule that is reported and the wait that is missing, taken
 * from what LLVM 22 (SIInsertWaitcnts) inserts there; each with the wait inserted is clean. Finite counters;
 * disjoint lanes.
 */
#include <stdio.h>

#include <lanewise/check.h>

#include "machine/fixture.h"
#include "observers/told.h"

enum { WORDS = 80 };

typedef struct wait_case {
    const char *name;
    lw_arch arch;
    unsigned lanes;
    const char *rule, *cure; /* the correction up to " before" */
    uint32_t words[WORDS];
    size_t count;
} wait_case;

#define WORD_COUNT(...) (sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static const wait_case cases[] = {
#define CASE(name_, arch_, lanes_, rule_, cure_, ...)                                                        \
    { name_, LW_ARCH_##arch_, lanes_, rule_, cure_, { __VA_ARGS__ }, WORD_COUNT(__VA_ARGS__) },
#include "observers/wait_cases.inc"
#undef CASE
};

enum { CASES = sizeof(cases) / sizeof(cases[0]) };

static lw_check *watch(told *t, lw_arch arch, unsigned lanes)
{
    lw_check *check = NULL;
    lw_check_options options = lw_check_options_default();
    options.strict = true;
    ck_assert_int_eq(lw_check_create("waits", &options, &check), LW_OK);
    told_begin(t, arch, lanes, lw_check_observer(check));
    return check;
}

START_TEST(sequences)
{
    const wait_case *c = &cases[_i];
    told t;
    lw_check *check = watch(&t, c->arch, c->lanes);
    ck_assert(told_all(&t, c->words, c->count));
    const lw_finding *f = lw_check_at(check, 0);
    ck_assert_msg(strcmp(f ? f->rule : "none", c->rule) == 0, "%s: %s, not %s", c->name, f ? f->rule : "none",
                  c->rule);
    if (f) {
        char cure[128];
        snprintf(cure, sizeof(cure), "insert %s%s before +0x",
                 strncmp(c->cure, "s_wait_", 7) == 0 ? "" : "s_waitcnt ", c->cure);
        ck_assert_msg(strncmp(f->cure, cure, strlen(cure)) == 0, "%s: %s, not %s", c->name, f->cure, cure);
    }
    ck_assert_uint_eq(lw_check_count(check), f ? 1 : 0);
    lw_check_free(check);
}
END_TEST

/* Half of the lanes load, the other half write the register: no conflict. */
START_TEST(lanes_apart)
{
    static const uint32_t load[] = { 0xdc508000, 0x007f0028 }, move[] = { 0x7e000280 };
    for (int same = 0; same < 2; same++) {
        told t;
        lw_check *check = watch(&t, LW_ARCH_GFX942, 64);
        t.event.exec = UINT32_MAX;
        ck_assert(told_all(&t, load, 2));
        t.event.exec = same ? UINT64_MAX : ~(uint64_t)UINT32_MAX;
        ck_assert(told_all(&t, move, 1));
        ck_assert_uint_eq(lw_check_count(check), (size_t)same);
        lw_check_free(check);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("waits");
    tcase_add_loop_test(tc, sequences, 0, CASES);
    tcase_add_test(tc, lanes_apart);
    return run_suite("observers_waits", tc);
}
