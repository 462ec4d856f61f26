/* SPDX-License-Identifier: MIT */
/* The kernels of targets that have no stand-in, launched, against what the instruction alone gives. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cli/gpu/subject.h"

enum { CASES = 5 };

void *cli_alloc(size_t size)
{
    void *memory = calloc(1, size ? size : 1);
    ck_assert_ptr_nonnull(memory);
    return memory;
}

void *cli_grow(void *old, size_t size)
{
    void *memory = realloc(old, size ? size : 1);
    ck_assert_ptr_nonnull(memory);
    return memory;
}

typedef struct asking {
    lw_arch arch;
    const subject_group *group;
    unsigned asked;
} asking;

static void load(subject *s)
{
    lw_load_options options = lw_load_options_default();
    lw_error error = { "" };
    options.arch = s->arch;
    ck_assert_msg(lw_program_load(s->image, s->image_size, &options, &s->program, &error) == LW_OK, "%s: %s",
                  s->name, error.text);
}

static int ask(void *context, const char *name)
{
    asking *a = context;
    subject s;
    lw_error error;
    const size_t cases = strcmp(a->group->name, "probe") == 0 ? 1 : CASES;
    const bool open = subject_open(a->group, name, a->arch, &s, &error);
    if (open && !(s.probe && s.probe->kernel)) { /* those ask what documents leave undefined */
        uint32_t *in = cli_alloc(cases * s.in_words * sizeof(*in)),
                 *got = cli_alloc(cases * s.out_words * sizeof(*got)),
                 *want = cli_alloc(cases * s.out_words * sizeof(*want));
        for (size_t i = 0; i < cases; i++)
            a->group->fill(&s, 1, i, in + i * s.in_words);
        if (a->group->expect(&s, in, cases, want, &error)) {
            load(&s);
            ck_assert_msg(launch_expect(&s, in, cases, got, &error), "%s: %s", name, error.text);
            for (size_t i = 0; i < cases * s.out_words; i++)
                ck_assert_msg(got[i] == want[i], "%s: word %zu is %08x, not %08x", name, i, (unsigned)got[i],
                              (unsigned)want[i]);
            a->asked++;
        }
        free(in);
        free(got);
        free(want);
    }
    subject_close(&s);
    return 0;
}

static const struct target_row {
    const char *arch, *group;
    unsigned least;
} targets[] = { { "gfx1250", "matrix", 60 },
                { "gfx1250", "probe", 6 },
                { "sm_72", "matrix", 20 },
                { "sm_72", "probe", 10 },
                { "sm_120f", "probe", 100 } };

START_TEST(kernels_give_what_the_instruction_gives)
{
    const struct target_row *t = &targets[_i];
    asking a = { .group = subject_group_find(t->group) };
    ck_assert_int_eq(lw_arch_find(t->arch, &a.arch), LW_OK);
    ck_assert_int_eq(a.group->each(a.arch, ask, &a), 0);
    ck_assert_msg(a.asked >= t->least, "%s, %s: only %u", t->arch, t->group, a.asked);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kernels");
    TCase *tc = tcase_create("kernels");
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, kernels_give_what_the_instruction_gives, 0,
                        (int)(sizeof(targets) / sizeof(targets[0])));
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
