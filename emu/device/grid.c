/* SPDX-License-Identifier: MIT */
#include "emu/device/grid.h"

#include <pthread.h>
#include <stdlib.h>

#ifdef LW_HAVE_OPENMP
#include <omp.h>
#endif

#include "emu/device/fpenv.h"

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
    pthread_mutex_t lock; /* held by whoever writes what follows */
    uint64_t count;       /* groups to run */
    uint64_t *order;      /* random schedule: which group is the i-th */
    uint64_t next, done;  /* positions in the order */
    uint64_t instructions;
    uint64_t fault_at; /* position of the first faulting group; `count` if none */
    uint64_t fault_linear;
    lw_status status; /* of what ends the run beside faults */
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
    pthread_mutex_lock(&g->lock);
    const bool got = g->status == LW_OK && g->next < g->count && g->next < g->fault_at;
    if (got)
        *position = g->next++;
    pthread_mutex_unlock(&g->lock);
    return got;
}

static void report_end(grid *g, lw_status status)
{
    if (g->status == LW_OK)
        g->status = status;
}

/* Books what became of the group at `position`. */
static void settle(grid *g, uint64_t position, uint64_t linear, lw_group_state state, uint64_t executed)
{
    const lw_grid_job *job = g->job;
    pthread_mutex_lock(&g->lock);
    g->instructions += executed;
    if (state == LW_GROUP_FAULT && position < g->fault_at) {
        g->fault_at = position;
        g->fault_linear = linear;
    }
    if (state == LW_GROUP_NO_MEMORY)
        report_end(g, LW_E_NO_MEMORY);
    if (state == LW_GROUP_BUDGET || (job->budget && g->instructions > job->budget))
        report_end(g, LW_E_BUDGET);
    if (state == LW_GROUP_DONE) {
        g->done++;
        const lw_progress progress = { g->done, g->count, g->instructions };
        if (job->progress && g->status == LW_OK)
            report_end(g, job->progress(job->progress_context, &progress));
    }
    pthread_mutex_unlock(&g->lock);
}

/* Instructions a worker may still execute; the budget counts all workers, so this is an upper bound. */
static uint64_t limit_of(const lw_grid_job *job, void *worker)
{
    if (!job->budget)
        return UINT64_MAX;
    const uint64_t used = job->executed(worker);
    return used < job->budget ? job->budget - used : 0;
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
                state = job->group_run(worker, group, limit_of(job, worker));
            while (state == LW_GROUP_SPINNING);
            job->group_free(worker, group);
        }
        settle(g, position, linear, state, job->executed(worker) - before);
    }
}

typedef struct live_group {
    void *group;
    uint64_t position, linear;
} live_group;

/* Runs one live group for a turn; true if it goes on living. */
static bool take_turn(grid *g, void *worker, live_group *live)
{
    const lw_grid_job *job = g->job;
    const uint64_t before = job->executed(worker);
    const lw_group_state state = job->group_run(worker, live->group, limit_of(job, worker));
    settle(g, live->position, live->linear, state, job->executed(worker) - before);
    if (state == LW_GROUP_SPINNING)
        return true;
    job->group_free(worker, live->group);
    return false;
}

static bool start_group(grid *g, void *worker, live_group *live)
{
    if (!claim(g, &live->position))
        return false;
    uint32_t id[3];
    group_id(g, live->position, &live->linear, id);
    live->group = g->job->group_new(worker, live->linear, id);
    if (!live->group)
        settle(g, live->position, live->linear, LW_GROUP_NO_MEMORY, 0);
    return live->group != NULL;
}

/* The serial schedule: a later group starts only when all earlier ones are done or spin. */
static void run_serial(grid *g, void *worker)
{
    live_group *live = malloc(MAX_LIVE * sizeof(*live));
    if (!live) {
        report_end(g, LW_E_NO_MEMORY);
        return;
    }
    size_t count = 0;
    for (;;) {
        size_t kept = 0;
        bool finished_one = false;
        for (size_t i = 0; i < count; i++) {
            const bool stop = g->status != LW_OK || g->fault_at < g->count;
            if (!stop && take_turn(g, worker, &live[i]))
                live[kept++] = live[i];
            else if (stop)
                g->job->group_free(worker, live[i].group);
            else
                finished_one = true;
        }
        count = kept;
        if (!finished_one && count < MAX_LIVE && start_group(g, worker, &live[count]))
            count++;
        else if (!count && g->next >= g->count)
            break;
        else if (!count && (g->status != LW_OK || g->fault_at < g->count))
            break;
    }
    free(live);
}

static void run_worker(grid *g, bool parallel)
{
    const lw_grid_job *job = g->job;
    const uint64_t fp = lw_fpenv_enter();
    void *worker = job->worker_new(job->context);
    if (!worker)
        settle(g, g->count, 0, LW_GROUP_NO_MEMORY, 0);
    else if (parallel)
        run_parallel(g, worker);
    else
        run_serial(g, worker);
    if (worker) {
        pthread_mutex_lock(&g->lock);
        job->worker_free(job->context, worker);
        pthread_mutex_unlock(&g->lock);
    }
    lw_fpenv_leave(fp);
}

static unsigned thread_count(const lw_grid_job *job, uint64_t groups)
{
#ifdef LW_HAVE_OPENMP
    if (!job->parallel)
        return 1;
    uint64_t threads = job->threads ? job->threads : (uint64_t)omp_get_num_procs();
    if (threads > groups)
        threads = groups;
    return threads < 1 ? 1 : threads > 1024 ? 1024 : (unsigned)threads;
#else
    (void)job;
    (void)groups;
    return 1;
#endif
}

lw_status lw_grid_run(const lw_grid_job *job, lw_grid_result *result)
{
    grid g = { .job = job };
    g.count = job->only ? job->only_count : (uint64_t)job->size[0] * job->size[1] * job->size[2];
    g.fault_at = g.count;
    if (!make_order(&g) || pthread_mutex_init(&g.lock, NULL) != 0) {
        free(g.order);
        return LW_E_NO_MEMORY;
    }

    const unsigned threads = thread_count(job, g.count);
    if (threads > 1) {
#ifdef LW_HAVE_OPENMP
#pragma omp parallel num_threads((int)threads)
        run_worker(&g, true);
#endif
    } else {
        run_worker(&g, false);
    }
    pthread_mutex_destroy(&g.lock);
    free(g.order);

    result->groups = g.done;
    result->threads = threads;
    result->faulted = g.fault_at < g.count;
    result->fault_linear = g.fault_linear;
    if (result->faulted)
        return LW_E_FAULT;
    return g.status;
}
