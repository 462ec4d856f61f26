/* SPDX-License-Identifier: MIT */
/* Launches that pause, are inspected, restored and cancelled: the same bits as without. */
#include <pthread.h>
#include <time.h>

#include "machine/stepped.h"

static void check_same(const lw_launch_result *a, const lw_launch_result *b)
{
    ck_assert_uint_eq(a->instructions, b->instructions);
    ck_assert_uint_eq(a->groups, b->groups);
    ck_assert_uint_eq(a->waves, b->waves);
    ck_assert_uint_eq(a->count_count, b->count_count);
    for (size_t i = 0; i < a->count_count; i++) {
        ck_assert_str_eq(a->counts[i].name, b->counts[i].name);
        ck_assert_uint_eq(a->counts[i].executed, b->counts[i].executed);
        ck_assert_int_eq(a->counts[i].label, b->counts[i].label);
    }
}

/* Steps of any size, under every schedule: the same bits and the same counts as a launch. */
START_TEST(steps_change_nothing)
{
    static const uint64_t sizes[] = { 1, 2, 3, 7, 64, 1000, 0 };
    stepped t;
    stepped_prepare(&t, "hand_on", 2);
    t.options.schedule = _i ? LW_SCHEDULE_RANDOM : LW_SCHEDULE_SERIAL;
    t.options.seed = 17;
    lw_launch_result *whole, *result;
    ck_assert_int_eq(lw_launch(&t.options, &whole, NULL), LW_OK);
    stepped_check_out(&t);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        memset(lw_memory_host(t.memory, t.out, 4 * ITEMS), 0, 4 * ITEMS);
        stepped_begin(&t);
        t.step.instructions = sizes[i];
        uint64_t steps = 0;
        while (stepped_step(&t).reason == LW_PAUSE_INSTRUCTIONS)
            steps++;
        ck_assert_int_eq(lw_session_finish(t.session, &result, NULL), LW_OK);
        if (sizes[i])
            ck_assert_uint_eq(steps, whole->instructions / sizes[i]);
        check_same(whole, result);
        stepped_check_out(&t);
        lw_launch_result_free(result);
    }
    lw_launch_result_free(whole);
    stepped_done(&t);
}
END_TEST

/* Events: each barrier opens twice a round in each workgroup; waves begin and end; only requested events
 * occur. */
START_TEST(events)
{
    stepped t;
    stepped_prepare(&t, "hand_on", 2);
    stepped_begin(&t);
    t.step.events = 1u << LW_PAUSE_BARRIER | 1u << LW_PAUSE_WAVE_BEGAN | 1u << LW_PAUSE_WAVE_ENDED;
    unsigned seen[8] = { 0 };
    lw_pause p;
    while ((p = stepped_step(&t)).reason != LW_PAUSE_ENDED)
        seen[p.reason]++;
    ck_assert_uint_eq(seen[LW_PAUSE_BARRIER], GROUPS * 2 * t.rounds);
    ck_assert_uint_eq(seen[LW_PAUSE_WAVE_ENDED], GROUPS * 4);
    /* the four waves of a workgroup begin at once: the first one pauses the step */
    ck_assert_uint_eq(seen[LW_PAUSE_WAVE_BEGAN], GROUPS);
    ck_assert_uint_eq(seen[LW_PAUSE_WAITS], 0);
    ck_assert_int_eq(lw_session_finish(t.session, NULL, NULL), LW_OK);

    stepped_begin(&t);
    const uint32_t group[3] = { 1, 0, 0 };
    t.step.events = 1u << LW_PAUSE_WAITS;
    t.step.workgroup = group;
    t.step.wave = 2;
    unsigned waits = 0;
    while ((p = stepped_step(&t)).reason != LW_PAUSE_ENDED) {
        ck_assert_int_eq(p.reason, LW_PAUSE_WAITS);
        ck_assert(p.workgroup[0] == 1 && p.wave == 2);
        waits++;
    }
    ck_assert_uint_eq(waits, 2 * t.rounds);
    ck_assert_int_eq(lw_session_finish(t.session, NULL, NULL), LW_OK);
    stepped_check_out(&t);
    stepped_done(&t);
}
END_TEST

/* A breakpoint stops every wave before the instruction, each time the wave gets there. */
START_TEST(breakpoints)
{
    stepped t;
    stepped_prepare(&t, "hand_on", 2);
    stepped_begin(&t);
    t.step.events = 1u << LW_PAUSE_WAITS;
    stepped_step(&t);
    lw_wave_stand stand;
    ck_assert(lw_session_wave_at(t.session, 0, &stand));
    ck_assert_int_eq(stand.doing, LW_DOING_BARRIER);
    ck_assert_str_eq(stand.instruction, "s_barrier");
    lw_session_drop(t.session);

    stepped_begin(&t);
    const uint64_t at = stand.code_offset;
    t.step.events = 0;
    t.step.breakpoints = &at;
    t.step.breakpoint_count = 1;
    unsigned hits = 0;
    lw_pause p;
    while ((p = stepped_step(&t)).reason != LW_PAUSE_ENDED) {
        ck_assert_int_eq(p.reason, LW_PAUSE_BREAKPOINT);
        ck_assert(lw_session_wave_at(t.session, p.wave, &stand));
        ck_assert_uint_eq(stand.code_offset, at);
        ck_assert_int_eq(stand.doing, LW_DOING_RUNS);
        hits++;
    }
    ck_assert_uint_eq(hits, GROUPS * 4 * t.rounds);
    ck_assert_int_eq(lw_session_finish(t.session, NULL, NULL), LW_OK);
    stepped_check_out(&t);
    stepped_done(&t);
}
END_TEST

/* The visible state of the waves of a waiting workgroup. */
START_TEST(looking)
{
    stepped t;
    stepped_prepare(&t, "hand_on", 2);
    stepped_begin(&t);
    ck_assert_uint_eq(lw_session_wave_count(t.session), 0);
    t.step.events = 1u << LW_PAUSE_BARRIER;
    stepped_step(&t);
    ck_assert_uint_eq(lw_session_wave_count(t.session), 4);
    uint32_t size = 0;
    const uint32_t *lds = lw_session_lds(t.session, 0, &size);
    ck_assert_uint_ge(size, 1024);
    for (uint32_t i = 0; i < 256; i++)
        ck_assert_uint_eq(lds[i], i);
    lw_line line;
    ck_assert(lw_session_wave_line(t.session, 3, &line));
    ck_assert_ptr_nonnull(strstr(line.file, "module.hip"));
    ck_assert_uint_eq(lw_session_wave_exec(t.session, 3), UINT64_MAX);
    ck_assert_uint_gt(lw_session_register_count(t.session, 3, LW_FILE_VGPR), 0);
    bool found = false; /* some register holds the work-items' numbers */
    for (unsigned r = 0; r < lw_session_register_count(t.session, 3, LW_FILE_VGPR); r++)
        found = found || (lw_session_value(t.session, 3, LW_FILE_VGPR, r, 0) == 192 &&
                          lw_session_value(t.session, 3, LW_FILE_VGPR, r, 63) == 255);
    ck_assert(found);
    ck_assert_uint_eq(lw_session_value(t.session, 4, LW_FILE_VGPR, 0, 0), 0);
    ck_assert_ptr_null(lw_session_lds(t.session, 4, &size));
    lw_session_drop(t.session);
    stepped_done(&t);
}
END_TEST

/* Back to any of several checkpoints, in any order, from any later state: the end is always the same. */
START_TEST(going_back)
{
    enum { MOMENTS = 6 };
    stepped t;
    stepped_prepare(&t, "hand_on", 2);
    lw_launch_result *whole, *result;
    ck_assert_int_eq(lw_launch(&t.options, &whole, NULL), LW_OK);
    lw_checkpoint *moment[MOMENTS];
    lw_wave_stand was[MOMENTS][4];
    size_t waves[MOMENTS];
    memset(lw_memory_host(t.memory, t.out, 4 * ITEMS), 0, 4 * ITEMS);
    stepped_begin(&t);
    t.step.instructions = whole->instructions / MOMENTS - 3;
    for (size_t i = 0; i < MOMENTS; i++) {
        ck_assert_msg(lw_session_save(t.session, &moment[i], &t.error) == LW_OK, "%s", t.error.text);
        waves[i] = lw_session_wave_count(t.session);
        for (size_t w = 0; w < waves[i]; w++)
            ck_assert(lw_session_wave_at(t.session, w, &was[i][w]));
        stepped_step(&t);
    }
    t.step.instructions = 0;
    static const size_t order[] = { 5, 2, 2, 0, 4, 1, 0, 3 };
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        const size_t m = order[i];
        ck_assert_int_eq(lw_session_restore(t.session, moment[m], NULL), LW_OK);
        ck_assert_uint_eq(lw_session_wave_count(t.session), waves[m]);
        for (size_t w = 0; w < waves[m]; w++) {
            lw_wave_stand stand;
            ck_assert(lw_session_wave_at(t.session, w, &stand));
            ck_assert(stand.pc == was[m][w].pc && stand.executed == was[m][w].executed);
        }
        if (m == 0)
            ck_assert_uint_eq(*(uint32_t *)lw_memory_host(t.memory, t.out, 4), 0);
        t.step.instructions = i & 1 ? 100 : 0;
        stepped_step(&t);
        t.step.instructions = 0;
        stepped_step(&t);
        stepped_check_out(&t);
    }
    ck_assert_int_eq(lw_session_finish(t.session, &result, NULL), LW_OK);
    check_same(whole, result);
    for (size_t i = 0; i < MOMENTS; i++)
        lw_checkpoint_free(moment[i]);
    lw_launch_result_free(result);
    lw_launch_result_free(whole);
    stepped_done(&t);
}
END_TEST

/* Pages of a memory, several snapshots, any order; allocations that came and went. */
START_TEST(snapshots)
{
    enum { SIZE = 3 * 4096 + 100, MOMENTS = 4 };
    lw_memory *m;
    uint64_t a, b;
    lw_snapshot *s[MOMENTS], *none;
    lw_error error;
    uint8_t byte;
    ck_assert_int_eq(lw_memory_create(&m), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(m, "a", SIZE, LW_ACCESS_READ_WRITE, &a, NULL), LW_OK);
    for (uint8_t i = 0; i < MOMENTS; i++) {
        ck_assert_int_eq(lw_memory_snapshot(m, &s[i], NULL), LW_OK);
        byte = (uint8_t)(i + 1);
        ck_assert_int_eq(lw_memory_write(m, a + i * 4096, &byte, 1), LW_OK);
        ck_assert_int_eq(lw_memory_write(m, a + SIZE - 1, &byte, 1), LW_OK);
    }
    const uint8_t *host = lw_memory_host(m, a, SIZE);
    static const uint8_t order[] = { 2, 0, 3, 1, 1, 3, 0 };
    for (size_t i = 0; i < sizeof(order); i++) {
        ck_assert_int_eq(lw_memory_restore(m, s[order[i]], NULL), LW_OK);
        for (uint8_t p = 0; p < MOMENTS; p++)
            ck_assert_uint_eq(host[p * 4096], p < order[i] ? p + 1 : 0);
        ck_assert_uint_eq(host[SIZE - 1], order[i]);
        byte = 0x77; /* written afterwards: undone by the next restore */
        ck_assert_int_eq(lw_memory_write(m, a + 2 * 4096, &byte, 1), LW_OK);
    }
    lw_snapshot_free(s[1]);
    ck_assert_int_eq(lw_memory_keep(m, a + 4096, 1), LW_OK);
    ck_assert_int_eq(lw_memory_keep(m, a + SIZE, 1), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_memory_restore(m, s[3], NULL), LW_OK);
    ck_assert_uint_eq(host[2 * 4096], 3);
    ck_assert_int_eq(lw_memory_allocate(m, "b", 16, LW_ACCESS_READ_WRITE, &b, NULL), LW_OK);
    ck_assert_int_eq(lw_memory_write(m, b, &byte, 1), LW_OK);
    ck_assert_int_eq(lw_memory_restore(m, s[0], NULL), LW_OK);
    ck_assert_uint_eq(*(uint8_t *)lw_memory_host(m, b, 1), 0x77);
    ck_assert_int_eq(lw_memory_release(m, a, NULL), LW_OK);
    ck_assert_int_eq(lw_memory_restore(m, s[0], &error), LW_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "which have been released"));
    lw_snapshot_free(s[0]);
    ck_assert_int_eq(lw_memory_snapshot(m, &none, NULL), LW_OK);
    lw_memory_free(m);
    lw_snapshot_free(none);
    lw_snapshot_free(s[2]);
    lw_snapshot_free(s[3]);
}
END_TEST

/* A session that has already stored to a page stores to it again after a snapshot. */
START_TEST(snapshots_while_paused)
{
    stepped t;
    stepped_prepare(&t, "spin", 1);
    stepped_begin(&t);
    const uint32_t *count = lw_memory_host(t.memory, t.out + 4, 4);
    t.step.instructions = 300;
    stepped_step(&t);
    lw_snapshot *s;
    const uint32_t before = *count;
    ck_assert_uint_gt(before, 0);
    ck_assert_int_eq(lw_memory_snapshot(t.memory, &s, NULL), LW_OK);
    stepped_step(&t);
    ck_assert_uint_gt(*count, before);
    ck_assert_int_eq(lw_memory_restore(t.memory, s, NULL), LW_OK);
    ck_assert_uint_eq(*count, before);
    lw_session_drop(t.session);
    lw_snapshot_free(s);
    stepped_done(&t);
}
END_TEST

/* Two threads that store to the same pages for the first time: each page is saved once, unmodified. */
START_TEST(snapshots_and_threads)
{
    stepped t;
    stepped_prepare(&t, "hand_on", 2);
    uint32_t *out = lw_memory_host(t.memory, t.out, 4 * ITEMS);
    for (int round = 0; round < 20; round++) {
        lw_snapshot *s;
        for (uint32_t i = 0; i < ITEMS; i++)
            out[i] = i * 7;
        ck_assert_int_eq(lw_memory_snapshot(t.memory, &s, NULL), LW_OK);
        t.options.threads = 2;
        ck_assert_int_eq(lw_launch(&t.options, NULL, NULL), LW_OK);
        stepped_check_out(&t);
        ck_assert_int_eq(lw_memory_restore(t.memory, s, NULL), LW_OK);
        for (uint32_t i = 0; i < ITEMS; i++)
            ck_assert_uint_eq(out[i], i * 7);
        lw_snapshot_free(s);
    }
    stepped_done(&t);
}
END_TEST

typedef struct canceller {
    lw_session *session;
    const volatile uint32_t *count; /* the counter that the kernel increments */
} canceller;

/* Cancels as soon as the kernel is seen to run. */
static void *cancel_soon(void *pointer)
{
    const struct timespec pause = { 0, 1000 * 1000 };
    const canceller *c = pointer;
    while (!*c->count)
        nanosleep(&pause, NULL);
    lw_session_cancel(c->session);
    return NULL;
}

/* A kernel that would never end, on one thread and on two; and one that is cancelled before it runs. */
START_TEST(cancelling)
{
    stepped t;
    stepped_prepare(&t, "spin", 1);
    t.options.threads = 1 + (unsigned)_i;
    t.options.budget = 0;
    stepped_begin(&t);
    pthread_t other;
    lw_launch_result *result;
    canceller c = { t.session, lw_memory_host(t.memory, t.out + 4, 4) };
    ck_assert_int_eq(pthread_create(&other, NULL, cancel_soon, &c), 0);
    ck_assert_int_eq(lw_session_finish(t.session, &result, &t.error), LW_E_STOPPED);
    pthread_join(other, NULL);
    ck_assert_ptr_nonnull(
        strstr(t.error.text, "kernel spin was cancelled; workgroup (0,0,0), wave 0, pc +0x"));
    ck_assert_uint_ge(result->stand_count, 1);
    ck_assert_uint_gt(*c.count, 0);
    lw_launch_result_free(result);

    stepped_begin(&t);
    lw_session_cancel(t.session);
    ck_assert_int_eq(lw_session_finish(t.session, NULL, &t.error), LW_E_STOPPED);
    stepped_done(&t);
}
END_TEST

/* A session that has been run exists until it is dropped: it can be cancelled, and nothing else. */
START_TEST(running)
{
    stepped t;
    lw_pause pause;
    lw_launch_result *result;
    stepped_prepare(&t, "hand_on", 2);
    t.options.threads = 1 + (unsigned)_i;
    stepped_begin(&t);
    ck_assert_int_eq(lw_session_run(t.session, &result, &t.error), LW_OK);
    lw_session_cancel(t.session);
    ck_assert_int_eq(result->status, LW_OK);
    lw_launch_result_free(result);
    ck_assert_uint_eq(lw_session_wave_count(t.session), 0);
    ck_assert_int_eq(lw_session_run(t.session, NULL, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_session_step(t.session, &t.step, &pause, NULL), LW_E_ARGUMENT);
    lw_session_drop(t.session);
    stepped_done(&t);
}
END_TEST

/* A session refuses what it cannot do; after a fault, the waves can be inspected, and an earlier state
 * restored. */
START_TEST(refusals)
{
    stepped t;
    stepped_prepare(&t, "hand_on", 2);
    stepped_begin(&t);
    lw_pause pause;
    t.step.struct_size = 3;
    ck_assert_int_eq(lw_session_step(t.session, &t.step, &pause, NULL), LW_E_ARGUMENT);
    t.step = lw_step_options_default();
    lw_checkpoint *start, *other;
    ck_assert_int_eq(lw_session_save(t.session, &start, NULL), LW_OK);
    lw_session *first = t.session;
    stepped_begin(&t);
    ck_assert_int_eq(lw_session_save(t.session, &other, NULL), LW_OK);
    ck_assert_int_eq(lw_session_restore(first, other, &t.error), LW_E_ARGUMENT);
    lw_checkpoint_free(other);
    lw_session_drop(t.session);
    lw_checkpoint_free(start);
    lw_session_drop(first);

    t.out += 4 * ITEMS - 64; /* the first workgroup faults */
    stepped_begin(&t);
    ck_assert_int_eq(lw_session_save(t.session, &start, NULL), LW_OK);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(stepped_step(&t).reason, LW_PAUSE_ENDED);
        ck_assert_uint_eq(lw_session_wave_count(t.session), 4);
        lw_wave_stand stand;
        ck_assert(lw_session_wave_at(t.session, 0, &stand));
        ck_assert_ptr_nonnull(strstr(stand.instruction, "global_store_dword"));
        if (!i)
            ck_assert_int_eq(lw_session_restore(t.session, start, NULL), LW_OK);
    }
    lw_checkpoint_free(start);
    ck_assert_int_eq(lw_session_finish(t.session, NULL, &t.error), LW_E_FAULT);
    ck_assert_ptr_nonnull(strstr(t.error.text, "past the end of \"out\""));
    stepped_done(&t);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("session");
    tcase_add_loop_test(tc, steps_change_nothing, 0, 2);
    tcase_add_test(tc, events);
    tcase_add_test(tc, breakpoints);
    tcase_add_test(tc, looking);
    tcase_add_test(tc, going_back);
    tcase_add_test(tc, snapshots);
    tcase_add_test(tc, snapshots_while_paused);
    tcase_add_test(tc, snapshots_and_threads);
    tcase_add_loop_test(tc, cancelling, 0, 2);
    tcase_add_loop_test(tc, running, 0, 2);
    tcase_add_test(tc, refusals);
    return run_suite("machine_session", tc);
}
