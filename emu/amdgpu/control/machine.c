/* SPDX-License-Identifier: MIT */
/* Running what launch.c or raw.c prepared, and telling what happened. */
#include <stdlib.h>
#include <time.h>

#include <lanewise/mma.h>

#include "emu/amdgpu/control/machine.h"
#include "isa_tables/amdgpu/rows.h"
#include "isa_tables/error.h"
#include "isa_tables/readings.h"

enum { MAX_SECONDS = 1000000000 };

lw_status lw_machine_options(lw_machine *m, lw_error *error)
{
    if (!(m->time_limit >= 0 && m->time_limit <= (double)MAX_SECONDS))
        return lw_error_fail(error, LW_E_ARGUMENT, "a time limit of %g s; it is 0 (none) to %d s",
                             m->time_limit, MAX_SECONDS);
    for (size_t i = 0; i < m->observer_count; i++)
        if (!m->observers[i] || m->observers[i]->struct_size != sizeof(lw_observer))
            return lw_error_fail(error, LW_E_ARGUMENT, "observer %zu is NULL or not of this version", i);
    if ((unsigned)m->async > LW_ASYNC_RANDOM)
        return lw_error_fail(error, LW_E_ARGUMENT, "there is no lw_async %u", (unsigned)m->async);
    const lw_status status = lw_readings_check(m->readings, m->reading_count, error);
    if (status == LW_OK)
        m->machine_readings = lw_readings_of_machine(m->readings, m->reading_count);
    return status;
}

/* ---- Workers ---- */

static void *worker_new(void *context)
{
    lw_machine *m = context;
    lw_worker *worker = calloc(1, sizeof(*worker));
    if (!worker)
        return NULL;
    worker->machine = m;
    worker->view.memory = m->memory;
    if (m->watch && !(worker->watch = lw_watch_view_new(m->watch))) {
        free(worker);
        return NULL;
    }
    if (!lw_code_init(&worker->cache, m)) {
        if (worker->watch)
            lw_watch_view_end(worker->watch);
        free(worker);
        return NULL;
    }
    return worker;
}

static void keep_fault(lw_machine *m, const lw_worker *worker)
{
    lw_stored_fault *grown = realloc(m->faults, (m->fault_count + 1) * sizeof(*grown));
    if (!grown)
        return;
    m->faults = grown;
    m->faults[m->fault_count++] = (lw_stored_fault){ worker->fault_linear, worker->fault };
}

/* Adds what a worker saw past the end of LDS; the first workgroup's first access stands for all. */
static void keep_outside(lw_machine *m, lw_worker *worker)
{
    lw_lds_outside *o = &worker->outside;
    const uint64_t times = m->outside.times + o->times;
    if (!o->times)
        return;
    if (!m->outside.times || worker->outside_linear < m->outside_linear) {
        lw_amdgpu_text(m->arch, lw_code_at(worker, worker->outside_pc), o->instruction,
                       sizeof(o->instruction));
        o->code_offset = worker->outside_pc - m->kernel_base;
        m->outside = *o;
        m->outside_linear = worker->outside_linear;
    }
    m->outside.times = times;
}

static void worker_free(void *context, void *pointer)
{
    lw_machine *m = context;
    lw_worker *worker = pointer;
    lw_code_tally(&worker->cache, m);
    m->waves += worker->waves;
    keep_outside(m, worker);
    if (worker->watch)
        lw_watch_view_end(worker->watch);
    if (worker->faulted)
        keep_fault(m, worker);
    lw_code_free(&worker->cache);
    free(worker->log.entries);
    free(worker->spare);
    lw_copy_pool_free(&worker->copies);
    free(worker->touches_memory);
    free(worker);
}

static void *group_new(void *worker, uint64_t linear, const uint32_t id[3])
{
    return lw_group_create(worker, linear, id);
}

static lw_group_state group_run(void *worker, void *group)
{
    return lw_group_step(worker, group);
}

static void group_free(void *worker, void *group)
{
    lw_group_release(worker, group);
}

static uint64_t executed(void *worker)
{
    return ((const lw_worker *)worker)->executed;
}

static uint64_t changes(void *worker)
{
    return ((const lw_worker *)worker)->changes;
}

static void describe(void *context, void *group, bool first)
{
    lw_machine *m = context;
    if (first)
        m->stand_count = 0;
    lw_stand_note(m, group);
}

/* ---- Results ---- */

static int compare_counts(const void *a, const void *b)
{
    return strcmp(((const lw_launch_count *)a)->name, ((const lw_launch_count *)b)->name);
}

static lw_label label_of(const lw_op_row *row, const lw_tally *tally, bool matrix)
{
    if (matrix)
        return (lw_label)tally->weakest;
    return row->evidence == LW_EV_NONE ? LW_LABEL_UNKNOWN : (lw_label)(row->evidence - LW_EV_EXACT);
}

static size_t build_counts(const lw_machine *m, lw_launch_count *counts, lw_launch_result *result)
{
    size_t n = 0;
    for (size_t i = 0; i < (size_t)LW_OP_COUNT * LW_SEGMENTS; i++) {
        const lw_tally *tally = &m->tally[i];
        if (!tally->executed)
            continue;
        const lw_op_row *row = &lw_op_rows[i / LW_SEGMENTS];
        const bool matrix = tally->source != NULL;
        counts[n] = (lw_launch_count){ lw_machine_mnemonic(row, (unsigned)(i % LW_SEGMENTS)),
                                       tally->executed,
                                       label_of(row, tally, matrix),
                                       matrix,
                                       tally->aspects,
                                       matrix ? tally->source : "" };
        result->instructions += tally->executed;
        if (matrix)
            result->matrix_instructions += tally->executed;
        if (counts[n].label > result->weakest)
            result->weakest = counts[n].label;
        n++;
    }
    qsort(counts, n, sizeof(*counts), compare_counts);
    return n;
}

static void find_fault(const lw_machine *m, const lw_grid_result *grid, lw_launch_result *result)
{
    for (size_t i = 0; i < m->fault_count; i++) {
        if (m->faults[i].linear != grid->fault_linear)
            continue;
        result->fault = m->faults[i].fault;
        result->faulted = true;
    }
}

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

static lw_launch_result *new_result(const lw_machine *m, const lw_grid_result *grid)
{
    lw_launch_result *result = calloc(1, sizeof(*result));
    lw_launch_count *counts = calloc((size_t)LW_OP_COUNT * LW_SEGMENTS, sizeof(*counts));
    if (!result || !counts) {
        free(result);
        free(counts);
        return NULL;
    }
    result->counts = counts;
    result->count_count = build_counts(m, counts, result);
    result->groups = grid->groups;
    result->waves = m->waves;
    result->lds_outside = m->outside;
    result->threads = grid->threads;
    result->stands = m->stands;
    result->stand_count = m->stand_count;
    if (grid->faulted)
        find_fault(m, grid, result);
    return result;
}

void lw_launch_result_free(lw_launch_result *result)
{
    if (!result)
        return;
    free((void *)(uintptr_t)result->counts);
    free((void *)(uintptr_t)result->stands);
    free(result);
}

static const char *schedule_name(const lw_grid_job *job)
{
    if (job->schedule == LW_SCHEDULE_RANDOM)
        return "random order";
    return job->parallel ? "parallel" : "serial";
}

/* Ends whose result says where every wave stands. */
static bool has_stands(lw_status status)
{
    return status == LW_E_BUDGET || status == LW_E_LIVELOCK || status == LW_E_STOPPED;
}

static lw_status describe_end(const lw_machine *m, const lw_launch_result *result, lw_status status,
                              lw_error *error)
{
    if (status == LW_E_FAULT)
        return lw_error_fail(error, status, "%s", result->fault.sentence);
    if (has_stands(status))
        return lw_stand_explain(m, status, error);
    return status;
}

/* A parallel run showed the order of workgroups, or ended in a way that may depend on it. */
static const char *why_repeat(const lw_machine *m, lw_status status)
{
    if (status == LW_E_FAULT)
        return "a wave of a parallel run faulted, and the launch was repeated";
    if (status == LW_E_BUDGET || status == LW_E_LIVELOCK)
        return "a wave of a parallel run did not end, and the launch was repeated";
    if (status == LW_E_NO_MEMORY)
        return "the host has no memory to watch a parallel run, and the launch was repeated";
    if (status == LW_OK && lw_watch_met(m->watch))
        return "workgroups wrote what workgroups on another thread read or wrote, and the launch was "
               "repeated";
    return NULL;
}

static void forget_run(lw_machine *m)
{
    memset(m->tally, 0, (size_t)LW_OP_COUNT * LW_SEGMENTS * sizeof(*m->tally));
    free(m->faults);
    free(m->stands);
    m->faults = NULL;
    m->stands = NULL;
    m->fault_count = m->stand_count = 0;
    m->waves = 0;
    m->outside = (lw_lds_outside){ .times = 0 };
}

/* Runs the launch; in parallel under watch, and then once more serially if that is needed: *repeated says
 * why. */
static lw_status run_watched(lw_machine *m, lw_grid_job *job, lw_grid_result *grid, const char **repeated)
{
    const bool watched = lw_grid_threads(job) > 1;
    m->watch = watched ? lw_watch_new(m->memory) : NULL;
    if (watched && !m->watch)
        return LW_E_NO_MEMORY;
    lw_status status = lw_grid_run(job, grid);
    *repeated = watched ? why_repeat(m, status) : NULL;
    if (*repeated) {
        lw_watch_restore(m->watch);
        forget_run(m);
    }
    lw_watch_free(m->watch);
    m->watch = NULL;
    if (!*repeated)
        return status;
    job->parallel = false;
    *grid = (lw_grid_result){ .groups = 0 };
    return lw_grid_run(job, grid);
}

/* How many workgroups may exist at once within the memory limit: at least one. */
static lw_status count_live(const lw_machine *m, lw_grid_job *job, lw_error *error)
{
    const uint64_t all = lw_memory_room(m->memory), each = lw_group_bytes(m);
    const uint64_t room = all > m->held ? all - m->held : 0;
    const uint64_t items = (uint64_t)m->block[0] * m->block[1] * m->block[2];
    job->most_live = room / each;
    if (job->most_live)
        return LW_OK;
    return lw_error_fail(
        error, LW_E_NO_MEMORY,
        "%s%s: a workgroup takes %llu bytes (%llu work-items, each with %u bytes of scratch); the "
        "memory limit of %llu bytes leaves %llu",
        m->kernel[0] ? "kernel " : "code", m->kernel, (unsigned long long)each, (unsigned long long)items,
        m->scratch_size, (unsigned long long)m->memory->limit, (unsigned long long)room);
}

static lw_status fail_memory(const lw_machine *m, const lw_grid_job *job, const lw_grid_result *grid,
                             lw_error *error)
{
    if (!grid->crowded)
        return lw_error_fail(error, LW_E_NO_MEMORY, "%s", lw_status_text(LW_E_NO_MEMORY));
    return lw_error_fail(error, LW_E_NO_MEMORY,
                         "%s%s: all workgroups that may exist at once wait for others; with %zu bytes each, "
                         "the memory limit of %llu bytes allows %llu",
                         m->kernel[0] ? "kernel " : "code", m->kernel, lw_group_bytes(m),
                         (unsigned long long)m->memory->limit, (unsigned long long)job->most_live);
}

lw_status lw_machine_run(lw_machine *m, lw_grid_job *job, const char *schedule_reason,
                         lw_launch_result **result, lw_error *error)
{
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    lw_status status = count_live(m, job, error);
    if (status != LW_OK)
        return status;
    m->tally = calloc((size_t)LW_OP_COUNT * LW_SEGMENTS, sizeof(*m->tally));
    if (!m->tally)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no host memory for a launch");
    job->context = m;
    job->worker_new = worker_new;
    job->worker_free = worker_free;
    job->group_new = group_new;
    job->group_run = group_run;
    job->group_free = group_free;
    job->executed = executed;
    job->changes = changes;
    job->describe = describe;
    if (m->time_limit > 0)
        m->stop_at = lw_stand_clock() + (uint64_t)(m->time_limit * 1e9);

    lw_grid_result grid = { 0 };
    const char *repeated = NULL;
    status = run_watched(m, job, &grid, &repeated);
    lw_launch_result *r = NULL;
    if (status == LW_OK || status == LW_E_FAULT || has_stands(status))
        r = new_result(m, &grid);
    free(m->tally);
    free(m->faults);
    if (!r)
        free(m->stands);
    if (!r && (status == LW_OK || status == LW_E_NO_MEMORY))
        return fail_memory(m, job, &grid, error);
    if (!r)
        return lw_error_fail(error, status, "%s", lw_status_text(status));
    r->status = status;
    r->seconds = seconds_since(&start);
    r->schedule = schedule_name(job);
    r->schedule_reason = repeated ? repeated
                         : grid.threads < grid.wanted
                             ? "the host gave fewer threads than wanted; the order of "
                               "workgroups cannot be seen"
                             : schedule_reason;
    r->repeated = repeated != NULL;
    status = describe_end(m, r, status, error);
    if (result)
        *result = r;
    else
        lw_launch_result_free(r);
    return status;
}
