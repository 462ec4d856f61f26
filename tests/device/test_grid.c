/* SPDX-License-Identifier: MIT */
/* The loop over workgroups, with a machine that only records calls. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/device/grid.h"

enum { MAX_GROUPS = 256 };

/* What the simulated kernel does, and what was observed. */
typedef struct pretended {
    uint64_t order[MAX_GROUPS]; /* linear ids in the order they were finished */
    uint32_t ids[MAX_GROUPS][3];
    size_t finished;
    bool done[MAX_GROUPS];
    bool waits_for_next; /* each group spins until the following one is done */
    uint64_t cost;       /* instructions per group */
    uint64_t faults[2];  /* linear ids that fault; MAX_GROUPS: none */
    uint64_t last;       /* linear id of the last group */
    lw_group_state waits_as, ends_as;
    unsigned busy; /* groups that wait change memory this many times */
    uint64_t changes;
    uint64_t described[MAX_GROUPS];
    size_t described_count;
} pretended;

typedef struct worker {
    pretended *p;
    uint64_t executed;
} worker;

typedef struct group {
    uint64_t linear;
    uint32_t id[3];
} group;

static void *worker_new(void *context)
{
    worker *w = calloc(1, sizeof(*w));
    w->p = context;
    return w;
}

static void worker_free(void *context, void *w)
{
    (void)context;
    free(w);
}

static void *group_new(void *w, uint64_t linear, const uint32_t id[3])
{
    (void)w;
    group *g = calloc(1, sizeof(*g));
    g->linear = linear;
    memcpy(g->id, id, sizeof(g->id));
    return g;
}

static lw_group_state wait_once(pretended *p)
{
    if (p->busy) {
        p->busy--;
        p->changes++;
    }
    return p->waits_as;
}

static lw_group_state group_run(void *pointer, void *group_pointer)
{
    worker *w = pointer;
    const group *g = group_pointer;
    pretended *p = w->p;
    if (p->waits_for_next && g->linear != p->last && !p->done[g->linear + 1])
        return wait_once(p);
    w->executed += p->cost;
    if (g->linear == p->faults[0] || g->linear == p->faults[1])
        return p->ends_as;
    memcpy(p->ids[p->finished], g->id, sizeof(g->id));
    p->order[p->finished++] = g->linear;
    p->done[g->linear] = true;
    return LW_GROUP_DONE;
}

static void group_free(void *w, void *g)
{
    (void)w;
    free(g);
}

static uint64_t executed(void *w)
{
    return ((worker *)w)->executed;
}

static uint64_t changes(void *w)
{
    return ((worker *)w)->p->changes;
}

static void describe(void *context, void *g, bool first)
{
    pretended *p = context;
    if (first)
        p->described_count = 0;
    p->described[p->described_count++] = ((group *)g)->linear;
}

static pretended new_kernel(uint64_t groups)
{
    return (pretended){ .cost = 10,
                        .faults = { MAX_GROUPS, MAX_GROUPS },
                        .last = groups - 1,
                        .waits_as = LW_GROUP_SPINNING,
                        .ends_as = LW_GROUP_FAULT };
}

static lw_grid_job job_of(pretended *p, uint32_t x, uint32_t y, uint32_t z)
{
    return (lw_grid_job){ .context = p,
                          .worker_new = worker_new,
                          .worker_free = worker_free,
                          .group_new = group_new,
                          .group_run = group_run,
                          .group_free = group_free,
                          .executed = executed,
                          .changes = changes,
                          .describe = describe,
                          .size = { x, y, z } };
}

START_TEST(serial_order)
{
    pretended p = new_kernel(24);
    const lw_grid_job job = job_of(&p, 2, 3, 4);
    lw_grid_result result = { 0 };
    ck_assert_int_eq(lw_grid_run(&job, &result), LW_OK);
    ck_assert_uint_eq(result.groups, 24);
    ck_assert_uint_eq(result.threads, 1);
    for (unsigned i = 0; i < 24; i++) {
        ck_assert_uint_eq(p.order[i], i);
        ck_assert_uint_eq(p.ids[i][0] + 2 * (p.ids[i][1] + 3 * p.ids[i][2]), i);
    }
}
END_TEST

/* The order is a permutation, the same for the same seed. */
START_TEST(random_order)
{
    pretended first = new_kernel(24), again = new_kernel(24), other = new_kernel(24);
    pretended *const all[] = { &first, &again, &other };
    for (unsigned i = 0; i < 3; i++) {
        lw_grid_job job = job_of(all[i], 24, 1, 1);
        job.schedule = LW_SCHEDULE_RANDOM;
        job.seed = i < 2 ? 7 : 8;
        lw_grid_result result = { 0 };
        ck_assert_int_eq(lw_grid_run(&job, &result), LW_OK);
        for (unsigned g = 0; g < 24; g++)
            ck_assert(all[i]->done[g]);
    }
    ck_assert_mem_eq(first.order, again.order, sizeof(first.order));
    ck_assert_mem_ne(first.order, other.order, sizeof(first.order));
    bool ascending = true;
    for (unsigned g = 1; g < 24; g++)
        ascending = ascending && first.order[g] > first.order[g - 1];
    ck_assert(!ascending);
}
END_TEST

/* Groups that wait for later ones are suspended, and all of them finish. */
START_TEST(spinning_groups)
{
    pretended p = new_kernel(100);
    p.waits_for_next = true;
    const lw_grid_job job = job_of(&p, 100, 1, 1);
    lw_grid_result result = { 0 };
    ck_assert_int_eq(lw_grid_run(&job, &result), LW_OK);
    ck_assert_uint_eq(result.groups, 100);
    for (unsigned i = 0; i < 100; i++)
        ck_assert_uint_eq(p.order[i], 99 - i);
}
END_TEST

START_TEST(first_fault)
{
    pretended p = new_kernel(24);
    p.faults[0] = 17;
    p.faults[1] = 5;
    const lw_grid_job job = job_of(&p, 24, 1, 1);
    lw_grid_result result = { 0 };
    ck_assert_int_eq(lw_grid_run(&job, &result), LW_E_FAULT);
    ck_assert(result.faulted);
    ck_assert_uint_eq(result.fault_linear, 5);
    ck_assert_uint_eq(result.groups, 5);
}
END_TEST

/* When a budget runs out, or a time limit: the active groups are described in order. */
START_TEST(early_ends)
{
    static const struct {
        lw_group_state state;
        lw_status status;
    } ends[] = { { LW_GROUP_BUDGET, LW_E_BUDGET }, { LW_GROUP_STOPPED, LW_E_STOPPED } };
    for (int i = 0; i < 2; i++) {
        pretended p = new_kernel(24);
        p.waits_for_next = true;
        p.faults[0] = 23;
        p.ends_as = ends[i].state;
        const lw_grid_job job = job_of(&p, 24, 1, 1);
        lw_grid_result result = { 0 };
        ck_assert_int_eq(lw_grid_run(&job, &result), ends[i].status);
        ck_assert(!result.faulted);
        ck_assert_uint_eq(result.groups, 0);
        ck_assert_uint_eq(p.described_count, 24);
        for (unsigned g = 0; g < 24; g++)
            ck_assert_uint_eq(p.described[g], g);
    }
}
END_TEST

/* Groups that only a change of memory can release: later ones still start, and when none is left the launch
 * ends. */
START_TEST(still_groups)
{
    for (unsigned busy = 0; busy < 12000; busy += 5700) {
        for (uint64_t last = 99; last < 102; last += 2) {
            pretended p = new_kernel(100);
            p.waits_for_next = true;
            p.waits_as = LW_GROUP_STILL;
            p.busy = busy;
            p.last = last;
            const lw_grid_job job = job_of(&p, 100, 1, 1);
            lw_grid_result result = { 0 };
            ck_assert_int_eq(lw_grid_run(&job, &result), last == 99 ? LW_OK : LW_E_LIVELOCK);
            ck_assert_uint_eq(result.groups, last == 99 ? 100 : 0);
            ck_assert_uint_eq(p.described_count, last == 99 ? 0 : 100);
            ck_assert(last == 99 || p.busy == 0);
        }
    }
}
END_TEST

/* On two threads the first two groups wait for a third, which never starts: the run ends, and is to be
 * repeated. */
START_TEST(parallel_waits)
{
    for (int polls = 0; polls < 2; polls++) {
        pretended p = new_kernel(100);
        p.waits_for_next = true;
        p.waits_as = polls ? LW_GROUP_POLLING : LW_GROUP_SPINNING;
        lw_grid_job job = job_of(&p, 100, 1, 1);
        job.parallel = true;
        job.threads = 2;
        lw_grid_result result = { 0 };
        ck_assert_int_eq(lw_grid_run(&job, &result), LW_E_LIVELOCK);
        ck_assert_uint_eq(result.groups, 0);
        ck_assert_uint_eq(result.fault_linear, 0);
    }
}
END_TEST

/* A limited number of groups may exist, and all of them wait for later ones. */
START_TEST(crowded)
{
    for (uint64_t most = 1; most < 30; most += 7) {
        pretended p = new_kernel(24);
        p.waits_for_next = true;
        p.waits_as = LW_GROUP_STILL;
        lw_grid_job job = job_of(&p, 24, 1, 1);
        job.most_live = most;
        lw_grid_result result = { 0 };
        ck_assert_int_eq(lw_grid_run(&job, &result), most < 24 ? LW_E_NO_MEMORY : LW_OK);
        ck_assert(result.crowded == (most < 24));
        ck_assert_uint_eq(result.groups, most < 24 ? 0 : 24);
    }
}
END_TEST

START_TEST(only_these)
{
    static const uint32_t only[][3] = { { 1, 2, 0 }, { 0, 0, 3 } };
    pretended p = new_kernel(24);
    lw_grid_job job = job_of(&p, 2, 3, 4);
    job.only = only;
    job.only_count = 2;
    lw_grid_result result = { 0 };
    ck_assert_int_eq(lw_grid_run(&job, &result), LW_OK);
    ck_assert_uint_eq(p.finished, 2);
    ck_assert_uint_eq(p.order[0], 1 + 2 * 2);
    ck_assert_uint_eq(p.order[1], 3 * 6);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("device_grid");
    TCase *tc = tcase_create("grid");
    tcase_add_test(tc, serial_order);
    tcase_add_test(tc, random_order);
    tcase_add_test(tc, spinning_groups);
    tcase_add_test(tc, first_fault);
    tcase_add_test(tc, early_ends);
    tcase_add_test(tc, still_groups);
    tcase_add_test(tc, parallel_waits);
    tcase_add_test(tc, crowded);
    tcase_add_test(tc, only_these);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
