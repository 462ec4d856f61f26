/* SPDX-License-Identifier: MIT */
/* --check bounds. What a launch reads and writes of each allocation, and which accesses the hardware drops
 * silently. Accesses outside all allocations are faults, with or without this check. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observers/check.h"
#include "observers/notes.h"

enum { MOST_REGIONS = 32 };

/* A byte of marks for every four bytes of the allocation: bits 0 to 3 read, 4 to 7 written. */
typedef struct bounds_region {
    uint64_t serial, base, size;
    uint8_t *marks;
    size_t finding; /* SIZE_MAX: none */
    char name[48];
} bounds_region;

typedef struct bounds_place {
    lw_finding_at at;
    bool known;
} bounds_place;

typedef struct bounds {
    lw_check check;
    lw_note_list places; /* of bounds_place */
    bounds_region regions[MOST_REGIONS];
    size_t region_count;
    uint64_t events; /* executions so far */
    uint64_t summed; /* the executions that the texts cover */
} bounds;

/* Findings are merged by rule and place; every allocation has a rule of its own. */
static const char use_rules[MOST_REGIONS][4] = {
    "use", "use", "use", "use", "use", "use", "use", "use", "use", "use", "use",
    "use", "use", "use", "use", "use", "use", "use", "use", "use", "use", "use",
    "use", "use", "use", "use", "use", "use", "use", "use", "use", "use",
};
static const char load_rule[] = "dropped-load", store_rule[] = "dropped-store", lds_rule[] = "lds-beyond";

/* ---- What is accessed ---- */

static size_t new_finding(bounds *b, const lw_event *event, const lw_finding_new *made, bool *fresh)
{
    const size_t index = lw_finding_find(&b->check.findings, event, made, fresh);
    if (index != SIZE_MAX)
        b->check.findings.records[index].finding.times++;
    return index;
}

static bounds_region *add_region(bounds *b, const lw_event *event, const lw_event_region *seen,
                                 const bounds_place *place)
{
    if (b->region_count == MOST_REGIONS) {
        lw_check_unchecked(&b->check, "the use of more than 32 allocations");
        return NULL;
    }
    bounds_region *r = &b->regions[b->region_count];
    *r = (bounds_region){
        .serial = seen->serial, .base = seen->base, .size = seen->size, .finding = SIZE_MAX
    };
    r->marks = calloc((size_t)(seen->size / 4 + 1), 1);
    if (!r->marks)
        return NULL;
    snprintf(r->name, sizeof(r->name), "%s", seen->name[0] ? seen->name : "an allocation");
    const lw_finding_new made = { .severity = LW_SEVERITY_INFO,
                                  .rule = use_rules[b->region_count++],
                                  .why = "which bytes of an allocation the launch reads and writes",
                                  .place = &place->at,
                                  .lane = -1 };
    bool fresh;
    r->finding = new_finding(b, event, &made, &fresh);
    return r;
}

static bounds_region *region_of(bounds *b, const lw_event *event, uint64_t address, const bounds_place *place)
{
    lw_event_region seen;
    for (size_t i = 0; i < b->region_count; i++)
        if (address - b->regions[i].base < b->regions[i].size)
            return &b->regions[i];
    return lw_event_region_at(event, LW_SPACE_GLOBAL, address, &seen) ? add_region(b, event, &seen, place)
                                                                      : NULL;
}

static void mark(bounds_region *r, const lw_memory_access *a)
{
    const uint64_t offset = a->address - r->base;
    const uint64_t end = a->size < r->size - offset ? offset + a->size : r->size;
    for (uint64_t at = offset & ~UINT64_C(3); at < end; at += 4) {
        const unsigned from = at < offset ? (unsigned)(offset - at) : 0;
        const unsigned to = end - at < 4 ? (unsigned)(end - at) : 4;
        const unsigned bits = (1u << to) - (1u << from);
        r->marks[at / 4] |= (uint8_t)((a->load ? bits : 0u) | (a->store ? bits << 4 : 0u));
    }
}

/* ---- What is dropped ---- */

static void tell_dropped(bounds *b, const lw_event *event, const bounds_place *place,
                         const lw_memory_access *a)
{
    const bool lds = a->space == LW_SPACE_LDS;
    const lw_finding_new made = {
        .severity = lds ? LW_SEVERITY_ERROR : LW_SEVERITY_WARNING,
        .rule = lds        ? lds_rule
                : a->store ? store_rule
                           : load_rule,
        .why = lds ? "stores past the end of the workgroup's LDS are dropped, and loads return 0"
                   : "stores past the end of a buffer resource are dropped, and loads return 0; some kernels "
                     "rely on it",
        .place = &place->at,
        .lane = a->lane,
    };
    bool fresh;
    const size_t index = lw_finding_find(&b->check.findings, event, &made, &fresh);
    if (index == SIZE_MAX)
        return;
    lw_finding_record *record = &b->check.findings.records[index];
    lw_finding_occurs(record, b->events + 1);
    if (!fresh)
        return;
    if (lds)
        snprintf(record->what, sizeof(record->what),
                 "%u bytes at LDS byte 0x%" PRIx64 " are %s; the workgroup has %u", (unsigned)a->size,
                 a->address, a->store ? "stored" : "loaded", (unsigned)lw_event_lds_size(event));
    else
        snprintf(record->what, sizeof(record->what), "%u bytes at address 0x%" PRIx64 " are %s and dropped",
                 (unsigned)a->size, a->address, a->store ? "stored" : "loaded");
}

/* ---- Events ---- */

/* The first and the last byte that have the bit in their dword's marks. */
static uint64_t count_bytes(const bounds_region *r, unsigned shift, uint64_t *first, uint64_t *last)
{
    uint64_t count = 0;
    for (uint64_t at = 0; at < r->size; at++) {
        if (!(r->marks[at / 4] >> shift >> at % 4 & 1))
            continue;
        *first = count++ ? *first : at;
        *last = at;
    }
    return count;
}

static int write_part(char *what, size_t size, const bounds_region *r, unsigned shift, const char *did)
{
    uint64_t first = 0, last = 0;
    const uint64_t count = count_bytes(r, shift, &first, &last);
    return count ? snprintf(what, size, "%" PRIu64 " bytes %s, from 0x%" PRIx64 " to 0x%" PRIx64, count, did,
                            first, last)
                 : snprintf(what, size, "none %s", did);
}

static void summarise(lw_check *check)
{
    bounds *b = (bounds *)check;
    if (b->summed == b->events)
        return;
    b->summed = b->events;
    for (size_t i = 0; i < b->region_count; i++) {
        const bounds_region *r = &b->regions[i];
        if (r->finding == SIZE_MAX)
            continue;
        char *what = b->check.findings.records[r->finding].what;
        char read[80], written[80];
        write_part(read, sizeof(read), r, 0, "read");
        write_part(written, sizeof(written), r, 4, "written");
        snprintf(what, LW_FINDING_WHAT, "%s, %" PRIu64 " bytes: %s; %s", r->name, r->size, read, written);
    }
}

static uint32_t decoded(void *context, const lw_event *event)
{
    bounds *b = context;
    const lw_facts *f = event->facts;
    const bool memory = (f->memory.load || f->memory.store) && f->kind != LW_CLASS_SCRATCH;
    bounds_place *place = memory ? lw_note_of(&b->places, event->place) : NULL;
    if (!place)
        return LW_SEE_NOTHING;
    lw_finding_at_event(&place->at, event);
    place->known = true;
    return LW_SEE_AFTER | LW_SEE_ACCESSES;
}

static void after(void *context, const lw_event *event)
{
    bounds *b = context;
    const bounds_place *place = lw_note_of(&b->places, event->place);
    if (!place || !place->known)
        return;
    b->events++;
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        if (a->dropped)
            tell_dropped(b, event, place, a);
        if (a->dropped || a->space != LW_SPACE_GLOBAL)
            continue;
        bounds_region *r = region_of(b, event, a->address, place);
        if (r)
            mark(r, a);
    }
}

/* ---- The check ---- */

static bool begin(lw_check *check)
{
    bounds *b = (bounds *)check;
    b->places.item_size = sizeof(bounds_place);
    check->observer.decoded = decoded;
    check->observer.after = after;
    check->summarise = summarise;
    lw_check_unchecked(check, "allocations that were not accessed; bytes between the elements of an array");
    return true;
}

static void release(lw_check *check)
{
    bounds *b = (bounds *)check;
    for (size_t i = 0; i < b->region_count; i++)
        free(b->regions[i].marks);
    lw_note_free(&b->places);
}

const lw_check_row lw_check_bounds = {
    .name = "bounds",
    .summary = "which parts of each allocation are read and written, and accesses that hardware drops",
    .size = sizeof(bounds),
    .begin = begin,
    .release = release,
};
