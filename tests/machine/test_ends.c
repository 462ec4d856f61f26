/* SPDX-License-Identifier: MIT */
/* Launches that never end by themselves: livelock, budgets, time limits, and where every wave is when they
 * end. */
#include "machine/fixture.h"

enum { FOREVER_BUDGET = 60000000 };

static void init(fixture *f, uint64_t seed)
{
    fixture_init(f, seed);
    f->options.budget = FOREVER_BUDGET;
    memset(f->lds, 0, sizeof(f->lds));
    for (unsigned w = 0; w < MAX_WAVES; w++) {
        f->wave[w].sgpr[0] = w;
        f->wave[w].sgpr[1] = 0;
        for (unsigned lane = 0; lane < 64; lane++) {
            f->vgpr[w][2 * 64 + lane] = 4 * w;
            f->vgpr[w][3 * 64 + lane] = 4 * (w ^ 1);
            f->vgpr[w][4 * 64 + lane] = 1;
        }
    }
}

static void every_schedule(fixture *f, int i)
{
    f->options.schedule = i ? LW_SCHEDULE_RANDOM : LW_SCHEDULE_SERIAL;
    f->options.seed = (uint64_t)i;
}

/* Ends long before the budget, with LW_E_LIVELOCK. */
static void ends_at_once(fixture *f, const char *block, size_t waves)
{
    const lw_status status = fixture_run(f, block, waves);
    ck_assert_msg(status == LW_E_LIVELOCK, "%s: %d: %s", block, status, f->error.text);
    ck_assert_msg(f->result->instructions < FOREVER_BUDGET / 2, "%s: %llu instructions", block,
                  (unsigned long long)f->result->instructions);
    ck_assert_uint_eq(f->result->stand_count, waves);
    ck_assert(!f->result->faulted);
}

START_TEST(one_wave)
{
    fixture f;
    init(&f, 1);
    every_schedule(&f, _i);
    ends_at_once(&f, "forever", 1);
    ck_assert_str_eq(f.error.text,
                     "code: no wave can go on: each repeats itself or waits, and no memory changes; "
                     "workgroup (0,0,0), wave 0, pc +0x0 \"s_branch 65535\": repeats the same 1 "
                     "instruction, and no memory changes");
    ck_assert_int_eq(f.result->stands[0].doing, LW_DOING_REPEATS);
    ck_assert_uint_eq(f.result->stands[0].code_offset, 0);
    ends_at_once(&f, "store_same", 1);
    ends_at_once(&f, "scratch_toggled", 1);
    ends_at_once(&f, "scratch_toggled", 4);
    ends_at_once(&f, "barrier_forever", 1);
    ends_at_once(&f, "barrier_forever", 4);
    fixture_free(&f);
}
END_TEST

/* Each waits for the other's flag. */
START_TEST(two_waves)
{
    fixture f;
    init(&f, 2);
    every_schedule(&f, _i);
    ends_at_once(&f, "wait_each_other", 2);
    for (unsigned w = 0; w < 2; w++) {
        ck_assert_uint_eq(f.result->stands[w].wave, w);
        ck_assert_int_eq(f.result->stands[w].doing, LW_DOING_REPEATS);
        ck_assert_ptr_nonnull(strstr(f.result->stands[w].text, "repeats the same 5 instructions"));
    }
    /* one of the flags is set: both can continue */
    f.lds[4] = 1;
    ck_assert_int_eq(fixture_run(&f, "wait_each_other", 2), LW_OK);
    fixture_free(&f);
}
END_TEST

/* Compare-and-swaps that fail change nothing. */
START_TEST(locks)
{
    fixture f;
    init(&f, 3);
    every_schedule(&f, _i);
    f.lds[4] = 7;
    f.wave[0].sgpr[2] = f.wave[0].sgpr[5] = 0;
    for (unsigned lane = 0; lane < 64; lane++)
        reg(&f, 6)[lane] = 0;
    ends_at_once(&f, "lock_taken", 1);
    f.buffer[4] = 7;
    set_scalar64(&f, 4, f.address);
    ends_at_once(&f, "global_lock_taken", 1);
    fixture_free(&f);
}
END_TEST

/* A wave at a barrier waits for one that spins. */
START_TEST(barrier_and_spin)
{
    fixture f;
    init(&f, 4);
    every_schedule(&f, _i);
    ends_at_once(&f, "barrier_or_spin", 2);
    const lw_wave_stand *s = f.result->stands;
    ck_assert_int_eq(s[0].doing, LW_DOING_BARRIER);
    ck_assert_str_eq(s[0].text, "waits at a barrier that 1 of 2 waves have reached");
    ck_assert_str_eq(s[0].instruction, "s_barrier");
    ck_assert_uint_eq(s[0].code_offset, 8);
    ck_assert_int_eq(s[1].doing, LW_DOING_REPEATS);
    ck_assert_uint_eq(s[1].code_offset, 16);
    fixture_free(&f);
}
END_TEST

/* Waits that do end: a clock that is read, memory that changes, a neighbour that counts between barriers, a
 * counter in scratch. */
START_TEST(no_livelock)
{
    fixture f;
    init(&f, 5);
    every_schedule(&f, _i);
    f.wave[0].sgpr[4] = 3000000;
    ck_assert_int_eq(fixture_run(&f, "clock_wait", 1), LW_OK);
    ck_assert_uint_ge(f.result->instructions, 3000000);

    f.wave[0].sgpr[4] = f.wave[1].sgpr[4] = 300000;
    ck_assert_msg(fixture_run(&f, "scratch_count", 2) == LW_OK, "%s", f.error.text);
    ck_assert_uint_ge(f.result->instructions, 300000 * 2 * 9);
    /* too much scratch to be compared is memory, which changes */
    f.options.scratch = 256 * 1024;
    f.options.budget = 3000000;
    ck_assert_int_eq(fixture_run(&f, "scratch_toggled", 1), LW_E_BUDGET);
    f.options.scratch = SCRATCH;
    f.options.budget = FOREVER_BUDGET;

    f.wave[0].sgpr[4] = 1500000;
    for (unsigned w = 0; w < 2; w++)
        for (unsigned lane = 0; lane < 64; lane++)
            f.vgpr[w][3 * 64 + lane] = 0;
    f.wave[0].sgpr[0] = 0;
    ck_assert_msg(fixture_run(&f, "barrier_count", 2) == LW_OK, "%s", f.error.text);
    ck_assert_uint_gt(f.result->instructions, 1500000 * 10);
    fixture_free(&f);
}
END_TEST

/* Not a livelock: the budget of the wave ends it. */
START_TEST(budget_of_a_wave)
{
    static const char *const blocks[] = { "store_toggled", "count_forever" };
    fixture f;
    init(&f, 6);
    f.options.budget = 1500000;
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(fixture_run(&f, blocks[i], 2), LW_E_BUDGET);
        ck_assert_uint_eq(f.result->stand_count, 2);
        ck_assert_int_eq(f.result->stands[0].doing, LW_DOING_USED_UP);
        ck_assert_uint_eq(f.result->stands[0].executed, 1500000);
        ck_assert_int_eq(f.result->stands[1].doing, LW_DOING_RUNS);
        ck_assert_ptr_nonnull(strstr(f.error.text, "wave 0"));
        ck_assert_ptr_nonnull(strstr(f.error.text, "has used up its budget of 1500000 instructions"));
    }
    fixture_free(&f);
}
END_TEST

START_TEST(time_limit)
{
    fixture f;
    init(&f, 7);
    f.options.budget = 0;
    f.options.time_limit = 0.2;
    ck_assert_int_eq(fixture_run(&f, "count_forever", 2), LW_E_STOPPED);
    ck_assert_ptr_nonnull(strstr(f.error.text,
                                 "code was stopped: the time limit of 0.2 s has passed; workgroup (0,0,0), "
                                 "wave 0, pc +0x"));
    ck_assert_uint_eq(f.result->stand_count, 2);
    ck_assert_int_eq(f.result->stands[0].doing, LW_DOING_RUNS);
    ck_assert(f.result->seconds >= 0.2 && f.result->seconds < 5);
    f.options.time_limit = -1;
    ck_assert_int_eq(fixture_run(&f, "count_forever", 2), LW_E_ARGUMENT);
    fixture_free(&f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("ends");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, one_wave, 0, 3);
    tcase_add_loop_test(tc, two_waves, 0, 4);
    tcase_add_loop_test(tc, locks, 0, 2);
    tcase_add_loop_test(tc, barrier_and_spin, 0, 3);
    tcase_add_loop_test(tc, no_livelock, 0, 2);
    tcase_add_test(tc, budget_of_a_wave);
    tcase_add_test(tc, time_limit);
    return run_suite("machine_ends", tc);
}
