/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observers/notes.h"
#include "observers/report.h"
#include "observers/shadow.h"

enum { MAX_WAVES = 32, MAX_RUNS = LW_SHADOW_RUNS };

typedef struct record {
    lw_uninit_report report;
    char what[64];
} record;

/* An instruction's registers as rows of the shadow. */
typedef struct uninit_place {
    lw_shadow_run runs[MAX_RUNS];
    size_t count;
} uninit_place;

struct lw_uninit {
    lw_observer observer;
    lw_report_list list; /* of record */
    lw_note_list places; /* of uninit_place */
    lw_shadow_rows rows;
    lw_wave_shadow waves[MAX_WAVES];
    bool followed[MAX_WAVES];
    uint8_t *lds; /* 1: the byte has been written */
    uint32_t lds_size;
    uint32_t group[3]; /* the last workgroup that began; only this one is followed */
};

static void add_report(lw_uninit *check, const lw_event *event, int lane, const char *what)
{
    size_t item;
    if (!lw_report_find(&check->list, event, &item))
        return;
    record *r = lw_report_item(&check->list, item);
    if (r->report.times++)
        return;
    snprintf(r->what, sizeof(r->what), "%s", what);
    memcpy(r->report.workgroup, event->workgroup, sizeof(r->report.workgroup));
    r->report.wave = event->wave;
    r->report.lane = lane;
}

/* The waves of a workgroup begin together, starting with the first. */
static void start_group(lw_uninit *check, const lw_event *event)
{
    if (event->wave != 0)
        return;
    memcpy(check->group, event->workgroup, sizeof(check->group));
    memset(check->followed, 0, sizeof(check->followed));
    lw_shadow_layout(&check->rows, event);
    free(check->lds);
    check->lds_size = lw_event_lds_size(event);
    check->lds = check->lds_size ? malloc(check->lds_size) : NULL;
    if (check->lds)
        memset(check->lds, event->poison ? 0 : 1, check->lds_size);
}

static void wave_begin(void *context, const lw_event *event)
{
    lw_uninit *check = context;
    start_group(check, event);
    if (event->wave < MAX_WAVES)
        check->followed[event->wave] = lw_shadow_begin(&check->waves[event->wave], &check->rows, event);
}

/* False for a workgroup that continues after another one has begun: what it wrote is no longer known. */
static bool is_followed(const lw_uninit *check, const lw_event *event)
{
    return event->wave < MAX_WAVES && check->followed[event->wave] &&
           memcmp(check->group, event->workgroup, sizeof(check->group)) == 0;
}

static uint32_t decoded(void *context, const lw_event *event)
{
    lw_uninit *check = context;
    const lw_facts *facts = event->facts;
    uninit_place *place = lw_note_of(&check->places, event->place);
    if (!place)
        return LW_SEE_NOTHING;
    place->count = lw_shadow_runs(&check->rows, facts, place->runs, MAX_RUNS);
    if (place->count > MAX_RUNS)
        place->count = MAX_RUNS;
    const bool lds = facts->kind == LW_CLASS_LDS || facts->kind == LW_CLASS_GENERIC || facts->memory.to_lds;
    const bool registers = place->count != 0;
    return (registers ? LW_SEE_BEFORE : 0u) |
           (lds ? LW_SEE_AFTER | LW_SEE_ACCESSES | LW_SEE_RUNS | LW_SEE_DONE : 0u);
}

static uint64_t lanes_of(const lw_event *event, const lw_shadow_run *run)
{
    switch ((lw_lanes)run->lanes) {
    case LW_LANES_SCALAR:
        return 1;
    case LW_LANES_ACTIVE:
        return event->exec;
    case LW_LANES_ALL:
    case LW_LANES_ONE:
        return event->lanes < LW_MAX_LANES ? (UINT64_C(1) << event->lanes) - 1 : UINT64_MAX;
    case LW_LANES_SOME:
        break;
    }
    return lw_event_lanes(event, &event->facts->operands[run->operand]);
}

/* Reports the first register of a run that lacks a lane which is read, and the first such lane. */
static void report_register(lw_uninit *check, const lw_event *event, const lw_shadow_run *run,
                            const lw_wave_shadow *shadow, uint64_t lanes)
{
    unsigned at = 0;
    int lane = 0;
    uint64_t lacks = 0;
    while ((lacks = lanes & ~lw_shadow_written(shadow, run->row + at, run->read)) == 0)
        at++;
    while (!(lacks >> lane & 1))
        lane++;
    char what[LW_REGISTER_NAME];
    lw_event_register_name(event, (lw_reg_file)run->file, run->reg + at, what, sizeof(what));
    add_report(check, event, run->lanes == LW_LANES_SCALAR ? -1 : lane, what);
}

/* Some registers of the run were not written as a whole. Is one of the bytes that are read unwritten? */
static bool lacks_bytes(const lw_wave_shadow *shadow, const lw_shadow_run *run, uint64_t lanes)
{
    for (unsigned reg = 0; reg < run->count; reg++)
        if (lanes & ~lw_shadow_written(shadow, run->row + reg, run->read))
            return true;
    return false;
}

/* A read of one lane, which another operand selects, is not checked. */
static void check_reads(lw_uninit *check, const lw_event *event, const lw_shadow_run *runs, size_t count,
                        const lw_wave_shadow *shadow)
{
    for (size_t i = 0; i < count; i++) {
        const lw_shadow_run *run = &runs[i];
        if (!run->read || run->lanes == LW_LANES_ONE)
            continue;
        const uint64_t *rows = shadow->rows + run->row, lanes = lanes_of(event, run);
        uint64_t written = UINT64_MAX;
        for (unsigned reg = 0; reg < run->count; reg++)
            written &= rows[reg];
        if (lanes & ~written && lacks_bytes(shadow, run, lanes)) {
            report_register(check, event, run, shadow, lanes);
            return;
        }
    }
}

static void note_writes(const lw_event *event, const lw_shadow_run *runs, size_t count,
                        lw_wave_shadow *shadow)
{
    for (size_t i = 0; i < count; i++)
        if (runs[i].written)
            lw_shadow_write(shadow, &runs[i], lanes_of(event, &runs[i]));
}

/* Its writes are recorded at once: nothing is read before the next instruction, and a fault ends the
 * launch. */
static void before(void *context, const lw_event *event)
{
    lw_uninit *check = context;
    if (!is_followed(check, event))
        return;
    lw_shadow_run moved[MAX_RUNS];
    const uninit_place *place = lw_note_of(&check->places, event->place);
    const lw_shadow_run *runs = place->runs;
    size_t count = place->count;
    if (event->moved) {
        count = lw_shadow_runs(&check->rows, event->facts, moved, MAX_RUNS);
        count = count < MAX_RUNS ? count : MAX_RUNS;
        runs = moved;
    }
    check_reads(check, event, runs, count, &check->waves[event->wave]);
    note_writes(event, runs, count, &check->waves[event->wave]);
}

/* Past the end of the workgroup's LDS nothing can be written: stores have no effect, and loads return
 * zero. */
static void report_dropped(lw_uninit *check, const lw_event *event, const lw_memory_access *a)
{
    char what[64];
    snprintf(what, sizeof(what), "LDS byte 0x%llx, past the workgroup's %u bytes",
             (unsigned long long)a->address, (unsigned)lw_event_lds_size(event));
    add_report(check, event, a->lane, what);
}

/* Reports the first byte of a load that was never written; false if there is none. */
static bool report_bytes(lw_uninit *check, const lw_event *event, const lw_memory_access *a, size_t size)
{
    const uint8_t *bytes = check->lds + a->address;
    if (lw_shadow_bytes_written(bytes, size))
        return false;
    char what[32];
    const uint8_t *byte = memchr(bytes, 0, size);
    snprintf(what, sizeof(what), "LDS byte 0x%x", (unsigned)(byte - check->lds));
    add_report(check, event, a->lane + (int)((size_t)(byte - bytes) / a->size), what);
    return true;
}

static void check_lds(lw_uninit *check, const lw_event *event)
{
    bool reported = false;
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        if (a->late || a->space != LW_SPACE_LDS)
            continue;
        if (a->load && a->dropped && !reported) {
            report_dropped(check, event, a);
            reported = true;
        }
        if (a->dropped || !check->lds || a->address >= check->lds_size)
            continue;
        const uint64_t room = check->lds_size - a->address, all = a->size * (UINT64_C(1) + a->more);
        const size_t size = all < room ? (size_t)all : (size_t)room;
        if (a->load && !reported)
            reported = report_bytes(check, event, a, size);
        if (a->store)
            memset(check->lds + a->address, 1, size);
    }
}

/* Also called when copies to LDS arrive: they write only then. */
static void after(void *context, const lw_event *event)
{
    lw_uninit *check = context;
    if (is_followed(check, event))
        check_lds(check, event);
}

lw_status lw_uninit_create(lw_uninit **check)
{
    if (!check)
        return LW_E_ARGUMENT;
    lw_uninit *made = calloc(1, sizeof(*made));
    if (!made)
        return LW_E_NO_MEMORY;
    made->list.item_size = sizeof(record);
    made->places.item_size = sizeof(uninit_place);
    made->observer = (lw_observer){ .struct_size = sizeof(lw_observer),
                                    .context = made,
                                    .wave_begin = wave_begin,
                                    .decoded = decoded,
                                    .before = before,
                                    .after = after,
                                    .arrived = after };
    *check = made;
    return LW_OK;
}

const lw_observer *lw_uninit_observer(const lw_uninit *check)
{
    return check ? &check->observer : NULL;
}

size_t lw_uninit_count(const lw_uninit *check)
{
    return check ? check->list.count : 0;
}

const lw_uninit_report *lw_uninit_at(const lw_uninit *check, size_t index)
{
    void *item = NULL;
    const lw_report *report = check ? lw_report_at(&check->list, index, &item) : NULL;
    if (!report)
        return NULL;
    record *r = item;
    r->report.code_offset = report->code_offset;
    r->report.instruction = report->instruction;
    r->report.source = report->source;
    r->report.what = r->what;
    return &r->report;
}

void lw_uninit_free(lw_uninit *check)
{
    if (!check)
        return;
    for (size_t i = 0; i < MAX_WAVES; i++)
        lw_shadow_free(&check->waves[i]);
    free(check->lds);
    lw_report_free(&check->list);
    lw_note_free(&check->places);
    free(check);
}
