/* SPDX-License-Identifier: MIT */
/* Warps that ask an mbarrier: what each lane is told, and what is said if they wait for ever. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/device/memory.h"
#include "tests/ptx/run_kit.h"

#define INIT ".shared .align 8 .b64 bar;"
#define BEGIN                                                                                                \
    "setp.ne.u32 %p1, %r0, 0; @%p1 bra I; mbarrier.init.shared.b64 [bar], 3;\n"                              \
    "mbarrier.arrive.shared.b64 %rd5, [bar];\n"
#define WAIT "I: bar.sync 0;\nW: mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W;\n"

static const struct {
    const char *body, *says;
} cases[] = {
    { BEGIN WAIT, "polls shared memory+0x0, an mbarrier that lacks 2 of 3 arrivals;" },
    { BEGIN "mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 4096;\n" WAIT,
      "an mbarrier that lacks 2 of 3 arrivals and 4096 bytes;" },
    { BEGIN "mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 16;\n"
            "mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 48;\n"
            "mbarrier.arrive.shared.b64 %rd5, [bar], 2;\n" WAIT,
      "an mbarrier that lacks 0 of 3 arrivals and has got 32 bytes too many;" },
    { "W: ld.volatile.shared.b32 %r4, [bar]; setp.ne.u32 %p1, %r4, 1000; @%p1 bra W;",
      "polls shared memory+0x0; block" },
    { "ld.param.u64 %rd2, [b];\nW: ld.volatile.global.b32 %r4, [%rd2]; setp.ne.u32 %p1, %r4, 1000; @%p1 bra "
      "W;",
      "polls bo+0x0; block" },
    /* a lock that nobody gives back: both warps ask by atomics, which write what was there */
    { "ld.param.u64 %rd2, [b];\nW: atom.global.cas.b32 %r4, [%rd2], 0, 1; setp.ne.u32 %p1, %r4, 0; @%p1 bra "
      "W;",
      "2 repeat themselves, 0 wait, all other warps have ended" },
    /* a variable in local memory, which no other warp can change */
    { ".local .align 4 .b32 own;\nst.local.u32 [own], 0;\nW: ld.local.u32 %r4, [own]; xor.b32 %r4, %r4, 1; "
      "st.local.u32 [own], %r4; mov.u32 %r4, 0; bra W;",
      "repeats the same 10 instructions, and no memory changes" },
};

START_TEST(what_is_lacking_is_said)
{
    char text[2048];
    bench t = { 0 };
    const uint32_t zeros[MOST] = { 0 };
    write_kernel(text, sizeof(text), INIT, cases[_i].body);
    open_bench(&t, text, zeros, zeros);
    ck_assert_int_eq(launch(&t, 64, 0), LW_E_LIVELOCK);
    ck_assert_msg(strstr(t.error.text, cases[_i].says) != NULL, "%s", t.error.text);
    close_bench(&t);
}
END_TEST

/* Many blocks, in a loop so long that one block's look at itself ends before the next one's begins. */
START_TEST(lock_of_a_grid)
{
    enum { BLOCKS = 48, BUDGET = 1000000, FILLERS = 100 };
    char text[8192], body[6000];
    bench t = { 0 };
    uint32_t ones[MOST];
    for (unsigned i = 0; i < MOST; i++)
        ones[i] = 1;
    size_t at = (size_t)snprintf(body, sizeof(body), "ld.param.u64 %%rd2, [b];\nW: ");
    for (unsigned i = 0; i < FILLERS; i++)
        at += (size_t)snprintf(body + at, sizeof(body) - at, "xor.b32 %%r5, %%r0, 1;\n");
    snprintf(body + at, sizeof(body) - at,
             "atom.global.exch.b32 %%r4, [%%rd2], 1; setp.ne.u32 %%p1, %%r4, 0; @%%p1 bra W;");
    write_kernel(text, sizeof(text), INIT, body);
    open_bench(&t, text, ones, ones);
    lw_launch_result *result = NULL;
    lw_arg args[3];
    for (int i = 0; i < 3; i++)
        args[i] = (lw_arg){ NULL, &t.at[i], 8, true };
    lw_launch_options o = lw_launch_options_default();
    o.program = t.program;
    o.memory = t.memory;
    o.grid[0] = BLOCKS;
    o.block[0] = 32;
    o.budget = BUDGET;
    o.args = args;
    o.arg_count = 3;
    ck_assert_int_eq(lw_launch(&o, &result, &t.error), LW_E_LIVELOCK);
    ck_assert_uint_lt(result->instructions, BLOCKS * BUDGET / 2);
    lw_launch_result_free(result);
    close_bench(&t);
}
END_TEST

/* All lanes ask the same: each gets the answer, whether the phase has ended or not. */
START_TEST(every_lane_gets_the_answer)
{
    char body[600];
    bench t;
    snprintf(body, sizeof(body),
             "setp.ne.u32 %%p1, %%r0, 0; @%%p1 bra I; mbarrier.init.shared.b64 [bar], 1;\n"
             "mbarrier.arrive.shared.b64 %%rd5, [bar];\nI: bar.sync 0;\n"
             "mbarrier.test_wait.parity.shared.b64 %%p2, [bar], %d; selp.b32 %%r3, 7, 5, %%p2;",
             _i);
    run_one(INIT, body, 64, 0, &t);
    for (uint32_t i = 0; i < 64; i++)
        ck_assert_uint_eq(t.out[i], _i ? 5 : 7);
    close_bench(&t);
}
END_TEST

/* Copies that nobody waits for take what the memory's limit leaves, and no more. */
static const struct {
    const char *target, *body;
} endless[] = {
    { "sm_80", "W: cp.async.ca.shared.global [bar], [%rd1], 4; bra W;" },
    { "sm_90", "mov.u32 %r4, 16;\nmbarrier.init.shared.b64 [bar], 9; ld.param.u64 %rd1, [a];\n"
               "W: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [%rd1], %r4, "
               "[bar]; bra W;" },
};

START_TEST(copies_are_limited)
{
    char text[2048];
    bench t = { 0 };
    const uint32_t zeros[MOST] = { 0 };
    write_kernel(text, sizeof(text), INIT " .shared .align 16 .b8 to[16];", endless[_i].body);
    memcpy(strstr(text, "sm_80"), endless[_i].target, 5);
    open_bench(&t, text, zeros, zeros);
    const uint64_t taken = lw_memory_limit_default() - lw_memory_room(t.memory);
    lw_memory_set_limit(t.memory, taken + (1 << 23));
    ck_assert_int_eq(launch(&t, 1, 0), LW_E_FAULT);
    ck_assert_msg(strstr(t.error.text, "copies that have been issued and not completed take more than the "
                                       "memory limit") != NULL,
                  "%s", t.error.text);
    close_bench(&t);
}
END_TEST

/* The registers of a wgmma's D, which follow each other downwards: 64 runs. */
static uint32_t count_results(void *context, const lw_event *event)
{
    unsigned *results = context;
    for (size_t i = 0; event->facts->sync == LW_SYNC_MATRIX && i < event->facts->operand_count; i++)
        *results += event->facts->operands[i].written ? event->facts->operands[i].count : 0;
    return LW_SEE_NOTHING;
}

START_TEST(every_register_of_a_wgmma_is_told)
{
    enum { RESULTS = 64 };
    static const char head[] = ".version 8.0\n.target sm_90a\n.address_size 64\n.entry k() {\n"
                               ".reg .f32 %f<64>; .reg .b64 %d;\n.shared .align 128 .b8 s[16384];\n"
                               "mov.b64 %d, s; shr.b64 %d, %d, 4;\n";
    char text[8192];
    size_t at = (size_t)snprintf(text, sizeof(text), "%s", head);
    for (unsigned i = 0; i < RESULTS; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, "mov.f32 %%f%u, 0f00000000;\n", i);
    at += (size_t)snprintf(text + at, sizeof(text) - at,
                           "wgmma.fence.sync.aligned;\n"
                           "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {");
    for (unsigned i = RESULTS; i-- > 0;)
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%%f%u%s", i, i ? ", " : "");
    snprintf(text + at, sizeof(text) - at, "}, %%d, %%d, 0, 1, 1, 0, 0;\nret;\n}\n");
    unsigned results = 0;
    const lw_observer observer = { .struct_size = sizeof(observer),
                                   .context = &results,
                                   .decoded = count_results };
    const lw_observer *const list[] = { &observer };
    bench t = { 0 };
    open_bench(&t, text, NULL, NULL);
    lw_launch_options o = lw_launch_options_default();
    o.program = t.program;
    o.memory = t.memory;
    o.grid[0] = 1;
    o.block[0] = 128;
    o.observers = list;
    o.observer_count = 1;
    const lw_status status = lw_launch(&o, NULL, &t.error);
    ck_assert_msg(results == RESULTS, "%u results; status %d: %s", results, status, t.error.text);
    close_bench(&t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_waits");
    TCase *tc = tcase_create("kernels");
    tcase_add_loop_test(tc, what_is_lacking_is_said, 0, sizeof(cases) / sizeof(cases[0]));
    tcase_add_test(tc, every_register_of_a_wgmma_is_told);
    tcase_add_test(tc, lock_of_a_grid);
    tcase_add_loop_test(tc, copies_are_limited, 0, sizeof(endless) / sizeof(endless[0]));
    tcase_add_loop_test(tc, every_lane_gets_the_answer, 0, 2);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
