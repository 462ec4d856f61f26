/* SPDX-License-Identifier: MIT */
#include "emu/device/grid.h"

#include <stdlib.h>

#include "emu/device/crew.h"
#include "emu/device/fpenv.h"
#include "emu/device/lock.h"

enum {
    MAX_LIVE = 4096,  /* groups that may be alive at once because all earlier ones spin */
    MOST_TURNS = 4096 /* of a group on one of several threads before it counts as waiting for later ones */
};

typedef struct live_group {
    void *group; /* NULL: done */
    uint64_t position, linear;
} live_group;

/* What all threads of a run share. The members after `crowd` belong to a serial run. */
typedef struct lw_grid {
    const lw_grid_job *job;
    lw_lock lock;        /* held while what follows is written */
    uint64_t count;      /* groups to run */
    uint64_t *order;     /* random schedule: which group is the i-th */
    uint64_t next, done; /* positions in the order */
    uint64_t instructions;
    uint64_t fault_at; /* position of the first group that could not continue; `count` if none */
    uint64_t fault_linear;
    lw_group_state fault_state; /* why it could not continue */
    lw_status status;           /* of other reasons to end the run */
    bool crowded;
    size_t crowd; /* if crowded, the number of live groups */

    void *worker;
    live_group *live; /* groups that have started and not ended, in the order they started */
    size_t live_count, live_room;
    size_t at; /* the group whose turn it is */
    bool in_round, over;
    bool one_done, all_still; /* of the round */
    uint64_t changes;         /* of memory, when the round began */
} lw_grid;

static void group_id(const lw_grid *g, uint64_t position, uint64_t *linear, uint32_t id[3])
{
    const lw_grid_job *job = g->job;
    const uint64_t i = g->order ? g->order[position] : position;
    if (job->only) {
        for (int d = 0; d < 3; d++)
            id[d] = job->only[i][d];
        *linear = ((uint64_t)id[2] * job->size[1] + id[1]) * job->size[0] + id[0];
        return;
    }
    const uint64_t at = i + lw_grid_first(job, job->part);
    *linear = at;
    id[0] = (uint32_t)(at % job->size[0]);
    id[1] = (uint32_t)(at / job->size[0] % job->size[1]);
    id[2] = (uint32_t)(at / job->size[0] / job->size[1]);
}

/* Fisher-Yates shuffle with numbers from the seed. */
static bool make_order(lw_grid *g)
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
static bool claim(lw_grid *g, uint64_t *position)
{
    lw_lock_take(&g->lock);
    const bool got = g->status == LW_OK && g->next < g->count && g->next < g->fault_at;
    if (got)
        *position = g->next++;
    lw_lock_leave(&g->lock);
    return got;
}

static void report_end(lw_grid *g, lw_status status)
{
    if (g->status == LW_OK)
        g->status = status;
}

/* Ends that belong to one group: the first of these groups in the order decides how the launch ends. */
static bool ends_at_group(lw_group_state state)
{
    return state == LW_GROUP_FAULT || state == LW_GROUP_BUDGET || state == LW_GROUP_STILL;
}

/* Records that the group at `position` cannot continue, unless an earlier one could not either. */
static bool settle_end(lw_grid *g, uint64_t position, uint64_t linear, lw_group_state state)
{
    if (position >= g->fault_at)
        return false;
    g->fault_at = position;
    g->fault_linear = linear;
    g->fault_state = state;
    return true;
}

/* Accounts for the outcome of a group's turn. */
static void settle(lw_grid *g, lw_group_state state, uint64_t executed)
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

/* A group of a parallel run ended early. It is described, unless an earlier one has determined how the launch
 * ends. */
static void describe_end(lw_grid *g, uint64_t position, uint64_t linear, lw_group_state state, void *group)
{
    lw_lock_take(&g->lock);
    if (ends_at_group(state) && settle_end(g, position, linear, state) && state != LW_GROUP_FAULT)
        g->job->describe(g->job->context, group, true);
    if (state == LW_GROUP_STOPPED && g->fault_at == g->count)
        g->job->describe(g->job->context, group, false);
    lw_lock_leave(&g->lock);
}

/* May groups start after those that run? */
static bool more_start(lw_grid *g)
{
    lw_lock_take(&g->lock);
    const bool more = g->next < g->count;
    lw_lock_leave(&g->lock);
    return more;
}

/* Runs a group until it is done. One that polls waits for another, which may start after it; so may one that
 * seems to compute and never ends. Either counts as still. */
static lw_group_state run_alone(lw_grid *g, void *worker, void *group)
{
    for (unsigned turns = 1;; turns++) {
        const lw_group_state state = g->job->group_run(worker, group);
        if (state == LW_GROUP_POLLING)
            return LW_GROUP_STILL;
        if (state != LW_GROUP_SPINNING)
            return state;
        if (turns >= MOST_TURNS && more_start(g))
            return LW_GROUP_STILL;
    }
}

/* One thread of a parallel run, in which no group should wait for another. */
static void run_parallel(lw_grid *g, void *worker)
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
            state = run_alone(g, worker, group);
            describe_end(g, position, linear, state, group);
            job->group_free(worker, group);
        }
        settle(g, state, job->executed(worker) - before);
    }
}

static uint64_t most_live(const lw_grid_job *job)
{
    return job->most_live && job->most_live < MAX_LIVE ? job->most_live : MAX_LIVE;
}

static bool grow_live(lw_grid *g, size_t room)
{
    if (room <= g->live_room)
        return true;
    const size_t wanted = room < 2 * g->live_room ? 2 * g->live_room : room;
    live_group *grown = realloc(g->live, wanted * sizeof(*grown));
    if (!grown)
        return false;
    g->live = grown;
    g->live_room = wanted;
    return true;
}

static bool start_group(lw_grid *g)
{
    uint64_t position, linear;
    uint32_t id[3];
    const lw_grid_job *job = g->job;
    if (g->live_count == most_live(job) || (g->live_count && job->has_room && !job->has_room(g->worker)) ||
        !claim(g, &position))
        return false;
    group_id(g, position, &linear, id);
    void *group = grow_live(g, g->live_count + 1) ? g->job->group_new(g->worker, linear, id) : NULL;
    if (!group) {
        settle(g, LW_GROUP_NO_MEMORY, 0);
        return false;
    }
    g->live[g->live_count++] = (live_group){ group, position, linear };
    return true;
}

/* Removes the groups that are done. */
static void keep_live(lw_grid *g)
{
    size_t kept = 0;
    for (size_t i = 0; i < g->live_count; i++)
        if (g->live[i].group)
            g->live[kept++] = g->live[i];
    g->live_count = kept;
}

/* Gives one group its turn. False: it pauses, or the run must end. */
static bool take_turn(lw_grid *g, live_group *l)
{
    const lw_grid_job *job = g->job;
    const uint64_t before = job->executed(g->worker);
    const lw_group_state state = job->group_run(g->worker, l->group);
    settle(g, state, job->executed(g->worker) - before);
    if (state == LW_GROUP_PAUSED)
        return false;
    if (state == LW_GROUP_DONE) {
        job->group_free(g->worker, l->group);
        l->group = NULL;
        g->one_done = true;
    } else if (state == LW_GROUP_FAULT || state == LW_GROUP_BUDGET) {
        settle_end(g, l->position, l->linear, state);
    }
    g->all_still = g->all_still && state == LW_GROUP_STILL;
    g->at++;
    g->over = g->status != LW_OK || g->fault_at < g->count;
    return !g->over;
}

/* Gives every live group a turn. False: one pauses, or the run must end. */
static bool take_round(lw_grid *g)
{
    if (!g->in_round) {
        g->changes = g->job->changes(g->worker);
        g->one_done = false;
        g->all_still = g->live_count > 0;
        g->in_round = true;
        g->at = 0;
    }
    while (g->at < g->live_count)
        if (!take_turn(g, &g->live[g->at]))
            return false;
    g->in_round = false;
    g->all_still = g->all_still && g->job->changes(g->worker) == g->changes;
    return true;
}

/*
 * The serial schedule: a later group starts only when all earlier ones are done or spin. If no group can
 * start any more and a whole round changed no memory, nothing ever will change.
 */
static void next_round(lw_grid *g)
{
    keep_live(g);
    const bool started = !g->one_done && start_group(g);
    g->crowded = !started && g->all_still && g->status == LW_OK && g->next < g->count;
    g->crowd = g->crowded ? g->live_count : 0;
    if (g->crowded)
        report_end(g, LW_E_NO_MEMORY);
    else if (!started && g->all_still)
        settle_end(g, g->live[0].position, g->live[0].linear, LW_GROUP_STILL);
    g->over = !started && (g->all_still || (!g->live_count && !g->one_done));
}

/* Describes the groups that remain when the run ends, unless a fault already explains it. */
static void describe_left(lw_grid *g)
{
    keep_live(g);
    for (size_t i = 0; i < g->live_count; i++)
        if (g->fault_at == g->count || g->fault_state != LW_GROUP_FAULT)
            g->job->describe(g->job->context, g->live[i].group, i == 0);
}

bool lw_grid_step(lw_grid *g)
{
    if (g->over)
        return false;
    while (!g->over && take_round(g))
        next_round(g);
    if (g->over)
        describe_left(g);
    return !g->over;
}

size_t lw_grid_live(const lw_grid *g)
{
    return g->live_count;
}

void *lw_grid_group(const lw_grid *g, size_t index)
{
    return index < g->live_count ? g->live[index].group : NULL;
}

void *lw_grid_worker(const lw_grid *g)
{
    return g->worker;
}

static void run_member(void *pointer)
{
    lw_grid *g = pointer;
    const lw_grid_job *job = g->job;
    const uint64_t fp = lw_fpenv_enter();
    void *worker = job->worker_new(job->context);
    if (!worker)
        settle(g, LW_GROUP_NO_MEMORY, 0);
    else
        run_parallel(g, worker);
    if (worker) {
        lw_lock_take(&g->lock);
        job->worker_free(job->context, worker);
        lw_lock_leave(&g->lock);
    }
    lw_fpenv_leave(fp);
}

static lw_status outcome_of(const lw_grid *g)
{
    const lw_group_state end = g->fault_state;
    return g->fault_at == g->count  ? g->status
           : end == LW_GROUP_FAULT  ? LW_E_FAULT
           : end == LW_GROUP_BUDGET ? LW_E_BUDGET
                                    : LW_E_LIVELOCK;
}

static bool open_grid(lw_grid *g, const lw_grid_job *job)
{
    *g = (lw_grid){ .job = job };
    g->count = lw_grid_count(job);
    g->fault_at = g->count;
    if (make_order(g) && lw_lock_create(&g->lock))
        return true;
    free(g->order);
    return false;
}

static lw_status close_grid(lw_grid *g, unsigned wanted, unsigned threads, lw_grid_result *result)
{
    lw_lock_destroy(&g->lock);
    free(g->order);
    result->groups = g->done;
    result->threads = threads;
    result->wanted = wanted;
    result->crowded = g->crowded;
    result->live = g->crowd;
    result->faulted = g->fault_at < g->count && g->fault_state == LW_GROUP_FAULT;
    result->fault_linear = g->fault_linear;
    return outcome_of(g);
}

bool lw_grid_outcome(const lw_grid *g, lw_status *status)
{
    *status = outcome_of(g);
    return g->over;
}

lw_grid *lw_grid_open(const lw_grid_job *job)
{
    lw_grid *g = malloc(sizeof(*g));
    if (!g || !open_grid(g, job)) {
        free(g);
        return NULL;
    }
    g->worker = job->worker_new(job->context);
    g->over = !g->worker;
    if (!g->worker)
        settle(g, LW_GROUP_NO_MEMORY, 0);
    return g;
}

static void free_live(lw_grid *g)
{
    for (size_t i = 0; i < g->live_count; i++)
        if (g->live[i].group)
            g->job->group_free(g->worker, g->live[i].group);
    g->live_count = 0;
}

lw_status lw_grid_close(lw_grid *g, lw_grid_result *result)
{
    free_live(g);
    free(g->live);
    if (g->worker)
        g->job->worker_free(g->job->context, g->worker);
    const lw_status status = close_grid(g, 1, 1, result);
    free(g);
    return status;
}

static lw_status run_serial(const lw_grid_job *job, lw_grid_result *result)
{
    const uint64_t fp = lw_fpenv_enter();
    lw_grid *g = lw_grid_open(job);
    lw_status status = LW_E_NO_MEMORY;
    if (g) {
        lw_grid_step(g);
        status = lw_grid_close(g, result);
    }
    lw_fpenv_leave(fp);
    return status;
}

lw_status lw_grid_run(const lw_grid_job *job, lw_grid_result *result)
{
    const unsigned wanted = lw_grid_threads(job);
    if (wanted < 2)
        return run_serial(job, result);
    lw_grid g;
    if (!open_grid(&g, job))
        return LW_E_NO_MEMORY;
    const unsigned threads = lw_crew_run(wanted, run_member, &g);
    return close_grid(&g, wanted, threads, result);
}

/* ---- Going back ---- */

bool lw_grid_save(const lw_grid *g, lw_grid_place *place)
{
    const size_t n = g->live_count ? g->live_count : 1;
    *place = (lw_grid_place){ .next = g->next,
                              .done = g->done,
                              .instructions = g->instructions,
                              .live = g->live_count,
                              .at = g->at,
                              .in_round = g->in_round,
                              .one_done = g->one_done,
                              .all_still = g->all_still,
                              .changes = g->changes };
    place->positions = malloc(n * sizeof(uint64_t));
    place->linears = malloc(n * sizeof(uint64_t));
    if (!place->positions || !place->linears) {
        lw_grid_place_free(place);
        return false;
    }
    for (size_t i = 0; i < g->live_count; i++) {
        place->positions[i] = g->live[i].position;
        place->linears[i] = g->live[i].linear;
    }
    return true;
}

void lw_grid_place_free(lw_grid_place *place)
{
    free(place->positions);
    free(place->linears);
    *place = (lw_grid_place){ .live = 0 };
}

bool lw_grid_restore(lw_grid *g, const lw_grid_place *place, void *const *groups)
{
    if (!grow_live(g, place->live))
        return false;
    free_live(g);
    for (size_t i = 0; i < place->live; i++)
        g->live[i] = (live_group){ groups[i], place->positions[i], place->linears[i] };
    g->live_count = place->live;
    g->next = place->next;
    g->done = place->done;
    g->instructions = place->instructions;
    g->at = place->at;
    g->in_round = place->in_round;
    g->one_done = place->one_done;
    g->all_still = place->all_still;
    g->changes = place->changes;
    g->fault_at = g->count;
    g->status = LW_OK;
    g->crowded = g->over = false;
    return true;
}
