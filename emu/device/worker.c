/* SPDX-License-Identifier: MIT */
/* What a thread needs for a launch, and what it hands in when it ends. */
#include <stdlib.h>
#include <string.h>

#include "emu/device/session.h"

enum { TALLIES = 32 /* allocated at a time */ };

static void *worker_new(void *context)
{
    lw_session *s = context;
    lw_worker *worker = calloc(1, sizeof(*worker));
    if (!worker)
        return NULL;
    worker->session = s;
    worker->view.memory = s->memory;
    worker->copies.keeper = s->memory->keeper;
    const lw_code *code = &s->module->code;
    if (s->observer_count)
        worker->observed = lw_observed_new(s->observers, s->observer_count, code);
    const bool observed = !s->observer_count || worker->observed;
    const bool watched = !s->watch || (worker->watch = lw_watch_view_new(s->watch)) != NULL;
    if (observed && watched && lw_counts_open(&worker->counts, code))
        return worker;
    if (worker->watch)
        lw_watch_view_end(worker->watch);
    lw_counts_close(&worker->counts);
    lw_observed_free(worker->observed);
    free(worker);
    return NULL;
}

void *lw_worker_note(lw_worker *worker, size_t index, size_t size)
{
    const size_t end = (index + 1) * size;
    if (end > worker->note_bytes) {
        const size_t bytes = end + 16 * size;
        uint8_t *grown = realloc(worker->notes, bytes);
        if (!grown)
            return NULL;
        memset(grown + worker->note_bytes, 0, bytes - worker->note_bytes);
        worker->notes = grown;
        worker->note_bytes = bytes;
    }
    return worker->notes + index * size;
}

static void keep_fault(lw_session *s, const lw_worker *worker)
{
    lw_stored_fault *grown = realloc(s->faults, (s->fault_count + 1) * sizeof(*grown));
    if (!grown)
        return;
    s->faults = grown;
    s->faults[s->fault_count++] = (lw_stored_fault){ worker->fault_linear, worker->fault };
}

/* Adds a worker's accesses past the end of LDS; the first access of the first workgroup is the example. */
static void keep_outside(lw_session *s, lw_worker *worker)
{
    lw_lds_outside *o = &worker->outside;
    const uint64_t times = s->outside.times + o->times;
    if (!o->times)
        return;
    if (!s->outside.times || worker->outside_linear < s->outside_linear) {
        s->machine->text(s->module, worker->outside_pc, o->instruction, sizeof(o->instruction));
        o->code_offset = worker->outside_pc - s->kernel_base;
        s->outside = *o;
        s->outside_linear = worker->outside_linear;
    }
    s->outside.times = times;
}

/* A kind of instruction for which there is no host memory is left out. */
static lw_tally *tally_of(lw_session *s, unsigned kind)
{
    if (!s->tally_of[kind]) {
        lw_tally *grown = s->tallies;
        if (s->tally_count % TALLIES == 0)
            grown = realloc(s->tallies, (s->tally_count + TALLIES) * sizeof(*grown));
        if (!grown)
            return NULL;
        s->tallies = grown;
        s->tallies[s->tally_count++] = (lw_tally){ .kind = kind, .source = "" };
        s->tally_of[kind] = (uint16_t)s->tally_count;
    }
    return &s->tallies[s->tally_of[kind] - 1];
}

static void add_counts(lw_session *s, const lw_worker *worker)
{
    const lw_code *code = &s->module->code;
    for (const lw_count_page *page = worker->counts.first; page; page = page->next) {
        const uint64_t base = code->base + ((uint64_t)page->number * LW_CODE_PAGE << code->shift);
        for (size_t i = 0; i < LW_CODE_PAGE; i++) {
            if (!page->executed[i])
                continue;
            const void *record = lw_code_at(code, base + ((uint64_t)i << code->shift));
            lw_tally *tally = record ? tally_of(s, s->machine->kind(record)) : NULL;
            if (tally)
                s->machine->tally(worker, record, page->executed[i], tally);
        }
    }
}

static void worker_free(void *context, void *pointer)
{
    lw_session *s = context;
    lw_worker *worker = pointer;
    lw_worker_settle(worker, s->machine);
    add_counts(s, worker);
    s->waves += worker->waves;
    keep_outside(s, worker);
    if (worker->watch)
        lw_watch_view_end(worker->watch);
    if (worker->faulted)
        keep_fault(s, worker);
    free(worker->notes);
    lw_counts_close(&worker->counts);
    lw_observed_free(worker->observed);
    free(worker->log.entries);
    lw_group_free(worker, worker->spare);
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

static bool has_room(void *worker)
{
    return lw_group_has_room(worker);
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
    lw_session *s = context;
    if (first)
        s->stand_count = 0;
    lw_stand_note(s, group);
}

void lw_worker_job(lw_session *s)
{
    lw_grid_job *job = &s->job;
    job->context = s;
    job->worker_new = worker_new;
    job->worker_free = worker_free;
    job->group_new = group_new;
    job->group_run = group_run;
    job->group_free = group_free;
    job->has_room = has_room;
    job->executed = executed;
    job->changes = changes;
    job->describe = describe;
}

void lw_worker_forget(lw_session *s)
{
    memset(s->tally_of, 0, s->machine->kinds * sizeof(*s->tally_of));
    s->tally_count = 0;
    free(s->faults);
    free(s->stands);
    s->faults = NULL;
    s->stands = NULL;
    s->fault_count = s->stand_count = 0;
    s->waves = 0;
    s->outside = (lw_lds_outside){ .times = 0 };
}
