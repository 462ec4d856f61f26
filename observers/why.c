/* SPDX-License-Identifier: MIT */
/* The launches: one finds the last store, one records what its workgroup does, one takes the values. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/module.h>

#include "observers/why.h"

#define DEFAULT_LIMIT (UINT64_C(1) << 30)

/* ---- Who stored what ---- */

/* Four bytes of global memory that the launch stored to. */
typedef struct stored {
    uint64_t key; /* address / 4 + 1 */
    uint32_t workgroup[3];
    bool many; /* several workgroups */
} stored;

typedef struct watch {
    lw_observer observer;
    uint64_t address, limit;
    uint32_t size;
    bool found, full;
    uint32_t workgroup[3]; /* of the last store to those bytes */
    stored *cells;
    size_t count, room;
} watch;

static stored *slot_of(const watch *w, uint64_t key)
{
    size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 24) & (w->room - 1);
    while (w->cells[at].key && w->cells[at].key != key)
        at = (at + 1) & (w->room - 1);
    return &w->cells[at];
}

static bool grow(watch *w)
{
    const size_t room = w->room, grown = room ? 2 * room : 4096;
    stored *old = w->cells;
    if (2 * (w->count + 1) < room)
        return true;
    stored *cells = grown * sizeof(*cells) > w->limit ? NULL : calloc(grown, sizeof(*cells));
    if (!cells) {
        w->full = true;
        return false;
    }
    w->cells = cells;
    w->room = grown;
    for (size_t i = 0; i < room; i++)
        if (old[i].key)
            *slot_of(w, old[i].key) = old[i];
    free(old);
    return true;
}

static void note_store(watch *w, const lw_event *event, uint64_t key)
{
    if (w->full || !grow(w))
        return;
    stored *cell = slot_of(w, key);
    if (cell->key != key) {
        *cell = (stored){ .key = key };
        memcpy(cell->workgroup, event->workgroup, sizeof(cell->workgroup));
        w->count++;
    } else if (memcmp(cell->workgroup, event->workgroup, sizeof(cell->workgroup)) != 0) {
        cell->many = true;
    }
}

static void watch_after(void *context, const lw_event *event)
{
    watch *w = context;
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        if (!a->store || a->late || a->dropped || a->space != LW_SPACE_GLOBAL)
            continue;
        for (uint64_t at = a->address >> 2; at <= (a->address + a->size - 1) >> 2; at++)
            note_store(w, event, at + 1);
        if (a->address < w->address + w->size && w->address < a->address + a->size) {
            memcpy(w->workgroup, event->workgroup, sizeof(w->workgroup));
            w->found = true;
        }
    }
}

static uint32_t watch_decoded(void *context, const lw_event *event)
{
    const lw_facts *f = event->facts;
    (void)context;
    const bool stores = f->memory.store && f->kind != LW_CLASS_LDS && f->kind != LW_CLASS_SCRATCH;
    return stores || f->sync == LW_SYNC_COPY ? LW_SEE_AFTER | LW_SEE_ACCESSES : LW_SEE_NOTHING;
}

/* Did another workgroup of the launch, or more than one, store to it? True if that is not known. */
static bool is_others(const watch *w, uint64_t address)
{
    const stored *cell = w->room ? slot_of(w, (address >> 2) + 1) : NULL;
    return w->full || (cell && cell->key &&
                       (cell->many || memcmp(cell->workgroup, w->workgroup, sizeof(w->workgroup)) != 0));
}

/* ---- Values of registers ---- */

typedef struct values {
    lw_observer observer;
    lw_why *why;
    uint64_t next;  /* number of the next instruction */
    size_t current; /* the node's index, plus 1; nodes are in descending order of instruction numbers */
} values;

static void values_before(void *context, const lw_event *event)
{
    values *v = context;
    (void)event;
    v->next++;
}

static void values_after(void *context, const lw_event *event)
{
    values *v = context;
    lw_why *w = v->why;
    const lw_shadow_rows *rows = &w->log.rows;
    for (; v->current > 0; v->current--) {
        lw_why_node *n = &w->nodes[v->current - 1];
        const uint32_t row = w->row[v->current - 1];
        if (n->number != UINT64_MAX && n->number >= v->next)
            return;
        unsigned file = 0;
        while (row != UINT32_MAX && file + 1 < LW_FILE_COUNT && row - rows->first[file] >= rows->count[file])
            file++;
        if (row != UINT32_MAX && n->number == v->next - 1)
            n->value = lw_event_value(event, (lw_reg_file)file, row - rows->first[file],
                                      n->lane < 0 ? 0 : (unsigned)n->lane);
    }
}

static void values_arrived(void *context, const lw_event *event)
{
    values_before(context, event);
    values_after(context, event);
}

static uint32_t values_decoded(void *context, const lw_event *event)
{
    (void)context, (void)event;
    return LW_SEE_BEFORE | LW_SEE_AFTER | LW_SEE_ACCESSES;
}

/* ---- The launches ---- */

typedef struct finder {
    const lw_launch_options *launch;
    lw_memory *memory;
    lw_why *why;
    watch watch;
    lw_snapshot *before, *after;
    lw_error *error;
} finder;

static lw_status fail(lw_error *error, lw_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (error)
        vsnprintf(error->text, sizeof(error->text), format, args);
    va_end(args);
    return status;
}

/* Runs the launch, or one workgroup of it, for an observer. */
static lw_status run(const finder *f, const lw_observer *observer, bool alone, bool prints)
{
    lw_launch_options options = *f->launch;
    lw_launch_result *result = NULL;
    options.observers = &observer;
    options.observer_count = 1;
    options.progress = prints ? options.progress : NULL;
    options.print = prints ? options.print : NULL;
    if (alone) {
        options.only = &f->watch.workgroup;
        options.only_count = 1;
    }
    const lw_status status = lw_launch(&options, &result, f->error);
    lw_launch_result_free(result);
    return status;
}

static void drop_graph(lw_why *w)
{
    for (size_t i = 0; i < w->shape_count; i++)
        for (int op = 0; op < LW_OPERAND_COUNT; op++) {
            free(w->shapes[i].part[op].entries);
            free(w->shapes[i].part[op].first);
        }
    free(w->nodes);
    free(w->row);
    free(w->edges);
    free(w->first);
    free(w->wants);
    free(w->cells);
    free(w->shapes);
    free(w->made);
    free(w->inputs);
    const uint64_t limit = w->log.limit;
    const lw_arch arch = w->arch;
    lw_why_log_free(&w->log);
    *w = (lw_why){ .arch = arch, .log.limit = limit };
}

static lw_status say_limit(const finder *f)
{
    if (f->why->log.no_memory)
        return fail(f->error, LW_E_NO_MEMORY, "no memory for the record of the launch");
    return fail(
        f->error, LW_E_NO_MEMORY,
        "the record of %llu instructions of %llu workgroups needs more than %llu MiB: choose a smaller "
        "launch, or a larger limit",
        (unsigned long long)f->why->log.step_count, (unsigned long long)f->why->log.groups,
        (unsigned long long)(f->why->log.limit >> 20));
}

/* Records the run and walks back. LW_E_NOT_FOUND: other workgroups must be recorded, too. */
static lw_status note(finder *f, bool alone)
{
    lw_why *w = f->why;
    lw_status status = lw_memory_restore(f->memory, f->before, f->error);
    if (status != LW_OK)
        return status;
    drop_graph(w);
    lw_why_log_begin(&w->log, w->log.limit);
    status = run(f, &w->log.observer, alone, false);
    if (status != LW_OK)
        return alone ? LW_E_NOT_FOUND : status;
    if (w->log.full || w->log.no_memory || !lw_why_walk(w, f->watch.address, f->watch.size))
        return say_limit(f);
    if (w->refused)
        return fail(f->error, LW_E_UNSUPPORTED, "the bytes depend on %s, which is not followed", w->refused);
    w->groups = w->log.groups;
    for (size_t i = 0; alone && i < w->node_count; i++)
        if (w->nodes[i].kind == LW_WHY_INPUT && is_others(&f->watch, w->nodes[i].address))
            return LW_E_NOT_FOUND;
    return lw_why_close(w) ? LW_OK : say_limit(f);
}

static lw_status take_values(finder *f)
{
    lw_why *w = f->why;
    values v = { .why = w, .current = w->node_count };
    v.observer = (lw_observer){ .struct_size = sizeof(lw_observer),
                                .context = &v,
                                .decoded = values_decoded,
                                .before = values_before,
                                .after = values_after,
                                .arrived = values_arrived };
    lw_status status = lw_memory_restore(f->memory, f->before, f->error);
    if (status == LW_OK)
        status = run(f, &v.observer, w->groups == 1, false);
    return status;
}

/* For inputs: their allocation, and their contents before the launch. */
static lw_status take_inputs(finder *f)
{
    lw_why *w = f->why;
    const lw_status status = lw_memory_restore(f->memory, f->before, f->error);
    for (size_t i = 0; i < w->node_count; i++) {
        lw_why_node *n = &w->nodes[i];
        const lw_why_region *r =
            n->space == LW_SPACE_GLOBAL && !n->reg[0] ? lw_why_region_of(&w->log, n->address) : NULL;
        if (!r)
            continue;
        n->region = r->name;
        n->region_base = r->base;
        const uint64_t room = r->size - (n->address - r->base);
        const size_t size = room < sizeof(n->value) ? (size_t)room : sizeof(n->value);
        if (n->kind == LW_WHY_INPUT && lw_memory_read(f->memory, n->address, &n->value, size) != LW_OK &&
            r->bytes)
            memcpy(&n->value, r->bytes + (n->address - r->base), size);
    }
    return status;
}

static lw_status find(finder *f)
{
    lw_status status = lw_memory_snapshot(f->memory, &f->before, f->error);
    if (status == LW_OK)
        status = run(f, &f->watch.observer, false, true);
    if (status != LW_OK)
        return status;
    if (!f->watch.found)
        return fail(f->error, LW_E_NOT_FOUND, "no instruction of the launch stores to these bytes");
    status = lw_memory_snapshot(f->memory, &f->after, f->error);
    if (status != LW_OK)
        return status;
    status = note(f, true);
    if (status == LW_E_NOT_FOUND)
        status = note(f, false);
    if (status == LW_OK)
        status = take_values(f);
    if (status == LW_OK)
        status = take_inputs(f);
    const lw_status back = lw_memory_restore(f->memory, f->after, NULL);
    return status == LW_OK ? back : status;
}

lw_why_options lw_why_options_default(void)
{
    return (lw_why_options){ .struct_size = sizeof(lw_why_options) };
}

static lw_memory *memory_of(const lw_launch_options *launch)
{
    return launch->module ? lw_module_memory(launch->module) : launch->memory;
}

static lw_status check(const lw_launch_options *launch, uint64_t address, uint32_t size,
                       const lw_why_options *options, lw_error *error)
{
    if (!launch || launch->struct_size != sizeof(*launch) ||
        (!launch->module && (!launch->memory || !launch->program)) || launch->observer_count || !size ||
        size > 8 || (options && options->struct_size != sizeof(*options)))
        return LW_E_ARGUMENT;
    if (!lw_memory_host(memory_of(launch), address, size))
        return fail(error, LW_E_ARGUMENT, "the bytes are in no allocation");
    return LW_OK;
}

lw_status lw_why_find(const lw_launch_options *launch, uint64_t address, uint32_t size,
                      const lw_why_options *options, lw_why **why, lw_error *error)
{
    lw_status status = why ? check(launch, address, size, options, error) : LW_E_ARGUMENT;
    if (status != LW_OK)
        return status;
    const uint64_t limit = options && options->limit ? options->limit : DEFAULT_LIMIT;
    finder f = { .launch = launch,
                 .memory = memory_of(launch),
                 .error = error,
                 .watch = { .address = address, .size = size, .limit = limit } };
    f.why = calloc(1, sizeof(*f.why));
    if (!f.why)
        return LW_E_NO_MEMORY;
    f.why->log.limit = limit;
    f.why->arch = launch->module ? lw_module_arch(launch->module) : lw_program_arch(launch->program);
    f.watch.observer = (lw_observer){ .struct_size = sizeof(lw_observer),
                                      .context = &f.watch,
                                      .decoded = watch_decoded,
                                      .after = watch_after,
                                      .arrived = watch_after };
    status = find(&f);
    free(f.watch.cells);
    lw_snapshot_free(f.before);
    lw_snapshot_free(f.after);
    if (status == LW_OK)
        *why = f.why;
    else
        lw_why_free(f.why);
    return status;
}

void lw_why_free(lw_why *why)
{
    if (!why)
        return;
    drop_graph(why);
    free(why);
}
