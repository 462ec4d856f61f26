/* SPDX-License-Identifier: MIT */
#include "emu/device/grid.h"

#include <stdlib.h>

#include "emu/device/crew.h"
#include "emu/device/fpenv.h"
#include "emu/device/lock.h"

/* Groups that may be alive at once because all earlier ones spin. */
enum { MAX_LIVE = 4096 };

/* The finaliser of splitmix64. */
uint64_t lw_grid_hash(uint64_t seed, uint64_t value)
{
    uint64_t z = seed + (value + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* What all threads of one run share. */
typedef struct grid {
    const lw_grid_job *job;
    lw_lock lock;        /* held by whoever writes what follows */
    uint64_t count;      /* groups to run */
    uint64_t *order;     /* random schedule: which group is the i-th */
    uint64_t next, done; /* positions in the order */
    uint64_t instructions;
    uint64_t fault_at; /* position of the first group that could not go on; `count` if none */
    uint64_t fault_linear;
    lw_group_state fault_state; /* why it could not */
    lw_status status;           /* of what ends the run beside that */
    bool crowded;
} grid;

static void group_id(const grid *g, uint64_t position, uint64_t *linear, uint32_t id[3])
{
    const lw_grid_job *job = g->job;
    const uint64_t i = g->order ? g->order[position] : position;
    if (job->only) {
        for (int d = 0; d < 3; d++)
            id[d] = job->only[i][d];
        *linear = ((uint64_t)id[2] * job->size[1] + id[1]) * job->size[0] + id[0];
        return;
    }
    *linear = i;
    id[0] = (uint32_t)(i % job->size[0]);
    id[1] = (uint32_t)(i / job->size[0] % job->size[1]);
    id[2] = (uint32_t)(i / job->size[0] / job->size[1]);
}

/* Fisher-Yates with numbers from the seed. */
static bool make_order(grid *g)
{
    if (g->job->schedule != LW_SCHEDULE_RANDOM)
        return true;
    if (g->count <= SIZE_MAX / sizeof(*g->order))
        g->order = malloc((size_t)(g->count ? g->count : 1) * sizeof(*g->order));
    if (!g->order)
        return false;
    for (uint64_t i = 0; i < g->count; i++)
        g->order[i] = i;
    for (uint64_t i = g->count; i > 1; i--) {
        const uint64_t j = lw_grid_hash(g->job->seed, i) % i;
        const uint64_t t = g->order[j];
        g->order[j] = g->order[i - 1];
        g->order[i - 1] = t;
    }
    return true;
}

/* Takes the next position to run; false when there is none or the run is to end. */
static bool claim(grid *g, uint64_t *position)
{
    lw_lock_take(&g->lock);
    const bool got = g->status == LW_OK && g->next < g->count && g->next < g->fault_at;
    if (got)
        *position = g->next++;
    lw_lock_leave(&g->lock);
    return got;
}

static void report_end(grid *g, lw_status status)
{
    if (g->status == LW_OK)
        g->status = status;
}

/* Ends that belong to one group: the first of these groups decides what the launch says. */
static bool ends_at_group(lw_group_state state)
{
    return state == LW_GROUP_FAULT || state == LW_GROUP_BUDGET || state == LW_GROUP_STILL;
}

/* Notes that the group at `position` cannot go on, unless an earlier one could not either. */
static bool settle_end(grid *g, uint64_t position, uint64_t linear, lw_group_state state)
{
    if (position >= g->fault_at)
        return false;
    g->fault_at = position;
    g->fault_linear = linear;
    g->fault_state = state;
    return true;
}

/* Books what became of a group. */
static void settle(grid *g, lw_group_state state, uint64_t executed)
{
    const lw_grid_job *job = g->job;
    lw_lock_take(&g->lock);
    g->instructions += executed;
    if (state == LW_GROUP_NO_MEMORY)
        report_end(g, LW_E_NO_MEMORY);
    if (state == LW_GROUP_STOPPED)
        report_end(g, LW_E_STOPPED);
    if (state == LW_GROUP_DONE) {
        g->done++;
        const lw_progress progress = { g->done, g->count, g->instructions };
        if (job->progress && g->status == LW_OK)
            report_end(g, job->progress(job->progress_context, &progress));
    }
    lw_lock_leave(&g->lock);
}

/* A group of a parallel run ended early: it is described unless an earlier one said why the launch ends. */
static void describe_end(grid *g, uint64_t position, uint64_t linear, lw_group_state state, void *group)
{
    lw_lock_take(&g->lock);
    if (ends_at_group(state) && settle_end(g, position, linear, state) && state != LW_GROUP_FAULT)
        g->job->describe(g->job->context, group, true);
    if (state == LW_GROUP_STOPPED && g->fault_at == g->count)
        g->job->describe(g->job->context, group, false);
    lw_lock_leave(&g->lock);
}

/* One thread of a parallel run: no group waits for another, so each runs until it is done. */
static void run_parallel(grid *g, void *worker)
{
    const lw_grid_job *job = g->job;
    uint64_t position;
    while (claim(g, &position)) {
        uint64_t linear;
        uint32_t id[3];
        group_id(g, position, &linear, id);
        const uint64_t before = job->executed(worker);
        void *group = job->group_new(worker, linear, id);
        lw_group_state state = LW_GROUP_NO_MEMORY;
        if (group) {
            do
                state = job->group_run(worker, group);
            while (state == LW_GROUP_SPINNING);
            describe_end(g, position, linear, state, group);
            job->group_free(worker, group);
        }
        settle(g, state, job->executed(worker) - before);
    }
}

typedef struct live_group {
    void *group; /* NULL: done */
    uint64_t position, linear;
} live_group;

/* The groups of a serial run that have started and not ended, in the order they started. */
typedef struct live_groups {
    live_group *all;
    size_t count;
    bool one_done, all_still; /* of the last round */
} live_groups;

static uint64_t most_live(const lw_grid_job *job)
{
    return job->most_live && job->most_live < MAX_LIVE ? job->most_live : MAX_LIVE;
}

static bool start_group(grid *g, void *worker, live_groups *live)
{
    live_group *l = &live->all[live->count];
    if (live->count == most_live(g->job) || !claim(g, &l->position))
        return false;
    uint32_t id[3];
    group_id(g, l->position, &l->linear, id);
    l->group = g->job->group_new(worker, l->linear, id);
    if (!l->group)
        settle(g, LW_GROUP_NO_MEMORY, 0);
    live->count += l->group != NULL;
    return l->group != NULL;
}

/* Drops the groups that are done. */
static void keep_live(live_groups *live)
{
    size_t kept = 0;
    for (size_t i = 0; i < live->count; i++)
        if (live->all[i].group)
            live->all[kept++] = live->all[i];
    live->count = kept;
}

/* Gives every live group a turn; false when the run is to end. */
static bool take_round(grid *g, void *worker, live_groups *live)
{
    const lw_grid_job *job = g->job;
    const uint64_t changes = job->changes(worker);
    live->one_done = false;
    live->all_still = live->count > 0;
    for (size_t i = 0; i < live->count; i++) {
        live_group *l = &live->all[i];
        const uint64_t before = job->executed(worker);
        const lw_group_state state = job->group_run(worker, l->group);
        settle(g, state, job->executed(worker) - before);
        if (state == LW_GROUP_DONE) {
            job->group_free(worker, l->group);
            l->group = NULL;
            live->one_done = true;
        } else if (state == LW_GROUP_FAULT || state == LW_GROUP_BUDGET) {
            settle_end(g, l->position, l->linear, state);
        }
        live->all_still = live->all_still && state == LW_GROUP_STILL;
        if (g->status != LW_OK || g->fault_at < g->count)
            return false;
    }
    live->all_still = live->all_still && job->changes(worker) == changes;
    return true;
}

/* What is left when the run ends: described, unless a fault says it all, and freed. */
static void leave(grid *g, void *worker, live_groups *live)
{
    const lw_grid_job *job = g->job;
    const bool fault = g->fault_at < g->count && g->fault_state == LW_GROUP_FAULT;
    keep_live(live);
    for (size_t i = 0; i < live->count; i++) {
        if (!fault)
            job->describe(job->context, live->all[i].group, i == 0);
        job->group_free(worker, live->all[i].group);
    }
}

/*
 * The serial schedule: a later group starts only when all earlier ones are done or spin. Where no group can
 * start any more and a whole round changed no memory, nothing ever will.
 */
static void run_serial(grid *g, void *worker)
{
    live_groups live = { .all = malloc(MAX_LIVE * sizeof(*live.all)) };
    if (!live.all) {
        report_end(g, LW_E_NO_MEMORY);
        return;
    }
    while (take_round(g, worker, &live)) {
        keep_live(&live);
        const bool started = !live.one_done && start_group(g, worker, &live);
        g->crowded = !started && live.all_still && g->status == LW_OK && g->next < g->count;
        if (g->crowded)
            report_end(g, LW_E_NO_MEMORY);
        else if (!started && live.all_still)
            settle_end(g, live.all[0].position, live.all[0].linear, LW_GROUP_STILL);
        if (!started && (live.all_still || (!live.count && !live.one_done)))
            break;
    }
    leave(g, worker, &live);
    free(live.all);
}

static void run_worker(grid *g, bool parallel)
{
    const lw_grid_job *job = g->job;
    const uint64_t fp = lw_fpenv_enter();
    void *worker = job->worker_new(job->context);
    if (!worker)
        settle(g, LW_GROUP_NO_MEMORY, 0);
    else if (parallel)
        run_parallel(g, worker);
    else
        run_serial(g, worker);
    if (worker) {
        lw_lock_take(&g->lock);
        job->worker_free(job->context, worker);
        lw_lock_leave(&g->lock);
    }
    lw_fpenv_leave(fp);
}

static void run_member(void *pointer)
{
    run_worker(pointer, true);
}

static uint64_t group_count(const lw_grid_job *job)
{
    return job->only ? job->only_count : (uint64_t)job->size[0] * job->size[1] * job->size[2];
}

unsigned lw_grid_threads(const lw_grid_job *job)
{
    if (!job->parallel)
        return 1;
    uint64_t threads = job->threads ? job->threads : lw_crew_processors();
    if (threads > group_count(job))
        threads = group_count(job);
    if (job->most_live && threads > job->most_live)
        threads = job->most_live;
    return threads < 1 ? 1 : threads > 1024 ? 1024 : (unsigned)threads;
}

static lw_status status_of(lw_group_state state)
{
    return state == LW_GROUP_FAULT ? LW_E_FAULT : state == LW_GROUP_BUDGET ? LW_E_BUDGET : LW_E_LIVELOCK;
}

lw_status lw_grid_run(const lw_grid_job *job, lw_grid_result *result)
{
    grid g = { .job = job };
    g.count = group_count(job);
    g.fault_at = g.count;
    if (!make_order(&g) || !lw_lock_create(&g.lock)) {
        free(g.order);
        return LW_E_NO_MEMORY;
    }

    const unsigned wanted = lw_grid_threads(job);
    unsigned threads = 1;
    if (wanted > 1)
        threads = lw_crew_run(wanted, run_member, &g);
    else
        run_worker(&g, false);
    lw_lock_destroy(&g.lock);
    free(g.order);

    result->groups = g.done;
    result->threads = threads;
    result->wanted = wanted;
    result->crowded = g.crowded;
    result->faulted = g.fault_at < g.count && g.fault_state == LW_GROUP_FAULT;
    result->fault_linear = g.fault_linear;
    if (g.fault_at < g.count)
        return status_of(g.fault_state);
    return g.status;
}
