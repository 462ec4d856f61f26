/* SPDX-License-Identifier: MIT */
/* A launch that can pause. */
#include "emu/device/session.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "emu/device/fail.h"
#include "emu/device/fpenv.h"
#include "isa_tables/options.h"

enum { MAX_SECONDS = 1000000000 };

/* ---- Making one ---- */

/* The machine refuses options that are NULL. */
static bool copy_readings(lw_session *s, const lw_launch_options *o)
{
    s->readings = calloc(o->reading_count + 1, sizeof(*s->readings));
    for (size_t i = 0; s->readings && i < o->reading_count; i++) {
        const char *given = o->readings ? o->readings[i] : NULL;
        s->reading_count++;
        if (given && !(s->readings[i] = strdup(given)))
            return false;
    }
    return s->readings != NULL;
}

static bool copy_arrays(lw_session *s, const lw_launch_options *o)
{
    s->observers = malloc((o->observer_count + 1) * sizeof(*s->observers));
    s->only = malloc((o->only_count + 1) * sizeof(*s->only));
    s->tally_of = calloc(s->machine->kinds, sizeof(*s->tally_of));
    if (!s->observers || !s->only || !s->tally_of || !copy_readings(s, o))
        return false;
    for (size_t i = 0; i < o->observer_count; i++)
        s->observers[i] = o->observers[i];
    s->observer_count = o->observer_count;
    if (o->only && o->only_count)
        memcpy(s->only, o->only, o->only_count * sizeof(*s->only));
    return true;
}

static lw_status check_options(const lw_launch_options *o, lw_error *error)
{
    if (!(o->time_limit >= 0 && o->time_limit <= (double)MAX_SECONDS))
        return lw_fail(error, LW_E_ARGUMENT, "a time limit of %g s; it is 0 (none) to %d s", o->time_limit,
                       MAX_SECONDS);
    for (size_t i = 0; i < o->observer_count; i++)
        if (!o->observers[i] || o->observers[i]->struct_size < offsetof(lw_observer, decoded) ||
            o->observers[i]->struct_size > sizeof(lw_observer))
            return lw_fail(error, LW_E_ARGUMENT, "observer %zu is NULL or not of this version", i);
    if (o->part && o->part >= o->parts)
        return lw_fail(error, LW_E_ARGUMENT, "there is no part %u of %u", o->part, o->parts);
    if (o->parts > 1 && (o->only || o->only_count || o->schedule == LW_SCHEDULE_RANDOM))
        return lw_fail(error, LW_E_ARGUMENT,
                       "a part of a launch runs all its workgroups, in the serial order");
    if ((unsigned)o->async > LW_ASYNC_RANDOM)
        return lw_fail(error, LW_E_ARGUMENT, "there is no lw_async %u", (unsigned)o->async);
    return LW_OK;
}

static void take_options(lw_session *s, const lw_launch_options *o)
{
    s->poison = o->poison;
    s->poisoned = !s->given.waves;
    s->schedule = o->schedule;
    s->seed = o->seed;
    s->async = o->async;
    s->async_seed = o->async_seed;
    s->budget = o->budget;
    s->time_limit = o->time_limit;
    s->print = o->print;
    s->print_context = o->print_context;
    s->footprint = o->footprint;
    s->job = (lw_grid_job){
        .only = o->only ? (const uint32_t(*)[3])s->only : NULL,
        .only_count = o->only_count,
        .part = o->part,
        .parts = o->parts,
        .threads = o->threads,
        .schedule = o->schedule,
        .seed = o->seed,
        .progress = o->progress,
        .progress_context = o->progress_context,
    };
    lw_worker_job(s);
}

/* How many workgroups may exist at once within the memory limit; at least one. */
static lw_status count_live(lw_session *s, lw_error *error)
{
    const uint64_t all = lw_memory_room(s->memory), each = lw_group_bytes(s);
    const uint64_t room = all > s->held ? all - s->held : 0;
    const uint64_t items = (uint64_t)s->block[0] * s->block[1] * s->block[2];
    s->job.most_live = room / each;
    if (s->job.most_live && lw_keeper_take(s->memory->keeper, s->held + each)) {
        s->taken = s->held + each;
        return LW_OK;
    }
    return lw_fail(error, LW_E_NO_MEMORY,
                   "%s%s: a %s takes %llu bytes (%llu work-items, each with %u bytes of scratch); the "
                   "memory limit of %llu bytes leaves %llu",
                   s->kernel[0] ? "kernel " : "code", s->kernel, s->machine->group_word,
                   (unsigned long long)each, (unsigned long long)items, s->scratch_size,
                   (unsigned long long)s->memory->limit, (unsigned long long)room);
}

void lw_session_print(lw_session *s, const char *text, size_t size)
{
    if (s->print)
        s->print(s->print_context, text, size);
}

lw_status lw_session_new(lw_module *module, const lw_launch_options *o, const lw_given *given,
                         lw_session **session, lw_error *error)
{
    lw_status status = check_options(o, error);
    lw_session *s = status == LW_OK ? calloc(1, sizeof(*s)) : NULL;
    if (status == LW_OK && !s)
        return lw_fail(error, LW_E_NO_MEMORY, "no host memory for a launch");
    if (status != LW_OK)
        return status;
    s->machine = module->machine;
    s->module = module;
    s->arch = module->arch;
    s->memory = module->memory;
    s->kernel = "";
    s->number = o->kernel;
    s->cluster[0] = s->cluster[1] = s->cluster[2] = s->ranks = 1;
    if (given)
        s->given = *given;
    atomic_init(&s->cancelled, false);
    if (!copy_arrays(s, o)) {
        lw_session_free(s);
        return lw_fail(error, LW_E_NO_MEMORY, "no host memory for a launch");
    }
    take_options(s, o);
    status = s->machine->prepare(s, o, error);
    if (status == LW_OK)
        status = count_live(s, error);
    if (status != LW_OK) {
        lw_session_free(s);
        return status;
    }
    for (int d = 0; d < 3; d++)
        s->job.size[d] = s->groups[d] / s->cluster[d];
    *session = s;
    return LW_OK;
}

void lw_session_free(lw_session *s)
{
    if (!s)
        return;
    lw_module *owned = s->owns_module ? s->module : NULL;
    lw_memory *memory = s->own_memory;
    s->machine->leave(s);
    for (size_t i = 0; i < s->mapped_count; i++)
        lw_memory_unmap(s->memory, s->mapped[i]);
    lw_keeper_give(s->memory->keeper, s->taken);
    for (size_t i = 0; i < s->reading_count; i++)
        free(s->readings[i]);
    free(s->readings);
    free(s->observers);
    free(s->only);
    free(s->tallies);
    free(s->tally_of);
    free(s->faults);
    free(s->stands);
    free(s);
    lw_module_unload(owned);
    lw_memory_free(memory);
}

lw_status lw_session_map(lw_session *s, uint64_t from, uint8_t *host, uint64_t size, const char *name,
                         uint64_t *address, lw_error *error)
{
    const lw_region region = { .base = lw_memory_gap(s->memory, from, size),
                               .size = size,
                               .host = host,
                               .name = (char *)(uintptr_t)name };
    const lw_status status = lw_memory_map(s->memory, &region);
    if (status == LW_E_NO_MEMORY)
        return lw_fail(error, status, "no host memory to place \"%s\"", name);
    if (status != LW_OK)
        return lw_fail(error, status, "\"%s\" cannot be placed in device memory: no room is left", name);
    s->mapped[s->mapped_count++] = region.base;
    *address = region.base;
    return LW_OK;
}

/* ---- Running it ---- */

bool lw_session_is_late(const lw_session *s)
{
    return atomic_load_explicit(&s->cancelled, memory_order_relaxed) ||
           (s->stop_at && lw_stand_clock() >= s->stop_at);
}

void lw_session_cancel(lw_session *s)
{
    if (s)
        atomic_store_explicit(&s->cancelled, true, memory_order_relaxed);
}

/* Starts the clock of the time limit. */
static void begin(lw_session *s)
{
    if (!s->begun && s->time_limit > 0)
        s->stop_at = lw_stand_clock() + (uint64_t)(s->time_limit * 1e9);
    s->begun = true;
}

/* May workgroups run in parallel? *why says why not, or why that is allowed. */
static bool may_be_parallel(const lw_session *s, const char **why)
{
    bool reachable_only = true;
    if (s->begun)
        *why = "the launch was stepped";
    else if (s->schedule == LW_SCHEDULE_RANDOM)
        *why = "a random order was asked for";
    else if (s->observer_count)
        *why = "observers watch the launch";
    else if (s->job.threads == 1)
        *why = "one thread was asked for";
    else if (s->memory->process != lw_memory_process() || s->module->process != lw_memory_process())
        *why = "the process was forked after the program was loaded";
    else if (s->job.size[0] == 1 && s->job.size[1] == 1 && s->job.size[2] == 1)
        *why = s->ranks > 1   ? "there is one cluster"
               : s->kernel[0] ? "there is one workgroup"
                              : "raw code is one workgroup";
    else if ((*why = s->machine->order(s, &reachable_only)) == NULL) {
        *why = reachable_only
                   ? "no reachable instruction lets workgroups communicate, and none touched the same bytes"
                   : "no instruction of the program lets workgroups communicate, and none touched the same "
                     "bytes";
        return true;
    }
    return false;
}

/* A parallel run observed the order of workgroups, or ended in a way that may depend on it. */
static const char *why_repeat(const lw_session *s, lw_status status)
{
    if (status == LW_E_FAULT)
        return "a wave of a parallel run faulted, and the launch was repeated";
    if (status == LW_E_BUDGET || status == LW_E_LIVELOCK)
        return "a wave of a parallel run did not end, and the launch was repeated";
    if (status == LW_E_NO_MEMORY)
        return "there is no memory to watch a parallel run, or none within the limit, and the launch was "
               "repeated";
    if (status == LW_OK && lw_watch_met(s->watch))
        return "workgroups wrote what workgroups on another thread read or wrote, and the launch was "
               "repeated";
    return NULL;
}

static lw_status take_footprint(lw_session *s, lw_error *error)
{
    const lw_status status = s->footprint ? lw_footprint_take(s->footprint, s->watch, error) : LW_OK;
    s->explained = status != LW_OK;
    return status;
}

/* Runs in parallel under watch. False: the run must be repeated, or the limit leaves no room for one. */
static bool run_parallel(lw_session *s, uint64_t groups_size, lw_grid_result *grid, lw_status *status,
                         lw_error *error)
{
    lw_keeper *keeper = s->memory->keeper;
    if (!lw_keeper_take(keeper, groups_size))
        return false;
    bool good = (s->watch = lw_watch_new(s->memory)) != NULL;
    if (good) {
        *status = lw_grid_run(&s->job, grid);
        s->repeated = why_repeat(s, *status);
        good = !s->repeated;
    }
    if (s->repeated) {
        *status = lw_watch_restore(s->watch);
        lw_worker_forget(s);
    }
    if (good && *status == LW_OK)
        *status = take_footprint(s, error);
    lw_watch_free(s->watch);
    s->watch = NULL;
    lw_keeper_give(keeper, groups_size);
    return good;
}

/* Runs serially; under watch if its footprint is wanted. */
static lw_status run_serially(lw_session *s, lw_grid_result *grid, lw_error *error)
{
    if (!s->footprint)
        return lw_grid_run(&s->job, grid);
    s->explained = !(s->watch = lw_watch_new(s->memory));
    if (s->explained)
        return lw_fail(error, LW_E_NO_MEMORY,
                       "the memory limit of %llu bytes leaves no room to record what the launch touches",
                       (unsigned long long)s->memory->limit);
    lw_status status = lw_grid_run(&s->job, grid);
    if (status == LW_OK)
        status = take_footprint(s, error);
    lw_watch_free(s->watch);
    s->watch = NULL;
    return status;
}

/* Runs everything: in parallel under watch, or serially where that is impossible or must be repeated. */
static lw_status run_watched(lw_session *s, lw_grid_result *grid, lw_error *error)
{
    const unsigned threads = lw_grid_threads(&s->job);
    lw_status status = LW_OK;
    if (threads > 1) {
        if (run_parallel(s, (threads - 1) * (uint64_t)lw_group_bytes(s), grid, &status, error) ||
            status != LW_OK)
            return status;
        if (!s->repeated)
            s->schedule_reason = "the memory limit leaves no room to watch a parallel run";
        s->job.parallel = false;
        *grid = (lw_grid_result){ .groups = 0 };
    }
    return run_serially(s, grid, error);
}

static lw_status run_recorded(lw_session *s, lw_grid_result *grid, lw_error *error)
{
    if (!s->footprint)
        return run_watched(s, grid, error);
    lw_status status = lw_footprint_begin(s->footprint, s->memory, error);
    s->explained = status != LW_OK;
    if (status == LW_OK)
        status = run_watched(s, grid, error);
    lw_footprint_end(s->footprint);
    return status;
}

/* Snapshots may have been taken or freed in the meantime: the worker's copy of its region is out of date. */
static void forget_regions(lw_session *s)
{
    lw_worker *worker = lw_grid_worker(s->grid);
    if (worker)
        worker->view.hit = (lw_region){ .size = 0 };
}

/* Finishes a stepped run, or does a whole one. */
static lw_status run_out(lw_session *s, lw_grid_result *grid, lw_error *error)
{
    s->pausing = (lw_pausing){ .active = false };
    if (!s->grid) {
        s->job.parallel = may_be_parallel(s, &s->schedule_reason);
        begin(s);
        return run_recorded(s, grid, error);
    }
    forget_regions(s);
    lw_grid_step(s->grid);
    s->schedule_reason = "the launch was stepped";
    const lw_status status = lw_grid_close(s->grid, grid);
    s->grid = NULL;
    return status;
}

lw_status lw_session_run(lw_session *s, lw_launch_result **result, lw_error *error)
{
    if (!s || s->over)
        return lw_fail(error, LW_E_ARGUMENT, "there is no session to run");
    const uint64_t host = lw_fpenv_enter(), start = lw_stand_clock();
    lw_grid_result grid = { .groups = 0 };
    s->status = run_out(s, &grid, error);
    s->spent += lw_stand_clock() - start;
    const bool told = s->status == LW_OK || s->status == LW_E_FAULT || lw_has_stands(s->status);
    if (lw_has_stands(s->status))
        lw_stand_explain(s, s->status, error);
    lw_launch_result *r = told ? lw_result_new(s, &grid) : NULL;
    const lw_status status = lw_result_explain(s, &grid, r, error);
    if (result && r)
        *result = r;
    else
        lw_launch_result_free(r);
    s->over = true;
    lw_fpenv_leave(host);
    return status;
}

lw_status lw_session_finish(lw_session *s, lw_launch_result **result, lw_error *error)
{
    if (!s)
        return lw_fail(error, LW_E_ARGUMENT, "there is no session to finish");
    const lw_status status = lw_session_run(s, result, error);
    lw_session_free(s);
    return status;
}

void lw_session_drop(lw_session *s)
{
    lw_grid_result grid;
    if (s && s->grid)
        lw_grid_close(s->grid, &grid);
    lw_session_free(s);
}

/* ---- Stepping ---- */

void lw_step_options_init(lw_step_options *options, size_t size)
{
    const lw_step_options made = { .wave = -1 };
    lw_options_init(options, size, &made, sizeof(made));
}

static int compare_addresses(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The breakpoints as device addresses, ascending; the caller frees them. */
static uint64_t *sort_breakpoints(const lw_session *s, const lw_step_options *o)
{
    uint64_t *sorted = malloc((o->breakpoint_count + 1) * sizeof(*sorted));
    if (!sorted)
        return NULL;
    for (size_t i = 0; i < o->breakpoint_count; i++)
        sorted[i] = s->kernel_base + o->breakpoints[i];
    qsort(sorted, o->breakpoint_count, sizeof(*sorted), compare_addresses);
    return sorted;
}

bool lw_session_open_grid(lw_session *s)
{
    if (!s->grid) {
        begin(s);
        s->grid = lw_grid_open(&s->job);
    }
    return s->grid != NULL;
}

static lw_status step(lw_session *s, const lw_step_options *o, lw_pause *pause, lw_error *error)
{
    uint64_t *breakpoints = sort_breakpoints(s, o);
    if (!breakpoints || !lw_session_open_grid(s)) {
        free(breakpoints);
        return lw_fail(error, LW_E_NO_MEMORY, "no host memory for a step");
    }
    s->pausing = (lw_pausing){ .active = true,
                               .left = o->instructions ? o->instructions : UINT64_MAX,
                               .events = o->events,
                               .one_group = o->workgroup != NULL,
                               .wave = o->wave,
                               .breakpoints = breakpoints,
                               .breakpoint_count = o->breakpoint_count,
                               .passed = true };
    if (o->workgroup)
        memcpy(s->pausing.workgroup, o->workgroup, sizeof(s->pausing.workgroup));
    forget_regions(s);
    const bool more = lw_grid_step(s->grid);
    *pause = more ? s->pausing.pause : (lw_pause){ .reason = LW_PAUSE_ENDED };
    s->pausing = (lw_pausing){ .active = false };
    free(breakpoints);
    return LW_OK;
}

lw_status lw_session_step(lw_session *s, const lw_step_options *options, lw_pause *pause, lw_error *error)
{
    lw_step_options taken = lw_step_options_default();
    const lw_step_options *o = &taken;
    if (!s || s->over || !pause || !lw_options_take(&taken, options, sizeof(taken), sizeof(taken)) ||
        (o->breakpoint_count && !o->breakpoints))
        return lw_fail(error, LW_E_ARGUMENT,
                       "a step needs a session, options with the struct_size of some version, and a pause");
    if (s->footprint)
        return lw_fail(error, LW_E_UNSUPPORTED, "a launch whose footprint is recorded cannot be stepped");
    const uint64_t host = lw_fpenv_enter(), start = lw_stand_clock();
    const lw_status status = step(s, o, pause, error);
    s->spent += lw_stand_clock() - start;
    lw_fpenv_leave(host);
    return status;
}
