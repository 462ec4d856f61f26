/* SPDX-License-Identifier: MIT */
#include "emu/device/observed.h"

#include "emu/device/code.h"
#include "emu/device/log.h"

#include <stdlib.h>
#include <string.h>

enum { MODES = LW_SEE_RUNS | LW_SEE_DONE | LW_SEE_ONCE | LW_SEE_CLUSTER };

enum { CHUNK = 64 };

typedef struct lw_seen_chunk {
    struct lw_seen_chunk *next;
    size_t used; /* of CHUNK places, which follow */
} lw_seen_chunk;

/* What an observer sees if it does not choose. */
static uint32_t all_of(const lw_observer *o)
{
    return (o->before ? LW_SEE_BEFORE : 0u) | (o->after ? LW_SEE_AFTER | LW_SEE_ACCESSES : 0u) |
           (o->arrived ? LW_SEE_ACCESSES : 0u);
}

lw_observed *lw_observed_new(const lw_observer *const *observers, size_t count, const lw_code *code)
{
    lw_observed *o = calloc(1, sizeof(*o));
    if (!o)
        return NULL;
    *o = (lw_observed){ .observers = calloc(count ? count : 1, sizeof(lw_observer)),
                        .count = count,
                        .base = code->base,
                        .shift = code->shift,
                        .page_count = (size_t)(code->size >> code->shift) / LW_SEEN_PAGE + 1 };
    o->pages = calloc(o->page_count, sizeof(*o->pages));
    if (!o->observers || !o->pages) {
        lw_observed_free(o);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t size = observers[i]->struct_size;
        memcpy(&o->observers[i], observers[i], size < sizeof(lw_observer) ? size : sizeof(lw_observer));
        o->steps = o->steps || o->observers[i].decoded || all_of(&o->observers[i]);
    }
    return o;
}

static size_t place_size(const lw_observed *o)
{
    const size_t unit = _Alignof(lw_seen_place);
    return sizeof(lw_seen_place) + (o->count + unit - 1) / unit * unit;
}

static lw_seen_place *place_in(const lw_observed *o, lw_seen_chunk *chunk, size_t index)
{
    return (lw_seen_place *)(void *)((unsigned char *)(chunk + 1) + index * place_size(o));
}

/* NULL: no host memory. */
static lw_seen_place *next_place(lw_observed *o)
{
    if (!o->chunks || o->chunks->used == CHUNK) {
        lw_seen_chunk *made = calloc(1, sizeof(*made) + CHUNK * place_size(o));
        if (!made)
            return NULL;
        made->next = o->chunks;
        o->chunks = made;
    }
    return place_in(o, o->chunks, o->chunks->used);
}

void lw_observed_free(lw_observed *o)
{
    if (!o)
        return;
    while (o->chunks) {
        lw_seen_chunk *chunk = o->chunks;
        o->chunks = chunk->next;
        for (size_t i = 0; i < chunk->used; i++)
            free((void *)place_in(o, chunk, i)->facts);
        free(chunk);
    }
    for (size_t i = 0; o->pages && i < o->page_count; i++)
        free(o->pages[i]);
    free(o->pages);
    free(o->observers);
    free(o);
}

/* Where the place is stored; NULL: no host memory. */
static lw_seen_place **home_of(lw_observed *o, uint64_t pc)
{
    const uint64_t slot = (pc - o->base) >> o->shift, page = slot / LW_SEEN_PAGE;
    if (page >= o->page_count)
        return NULL;
    if (!o->pages[page])
        o->pages[page] = calloc(LW_SEEN_PAGE, sizeof(**o->pages));
    return o->pages[page] ? &o->pages[page][slot % LW_SEEN_PAGE] : NULL;
}

/* What is the same at every execution. */
typedef struct own_facts {
    lw_facts facts;
    lw_fact_operand operands[];
} own_facts;

static own_facts *copy_facts(const lw_facts *facts)
{
    const size_t operands = facts->operand_count * sizeof(*facts->operands);
    own_facts *own = malloc(sizeof(*own) + operands);
    if (!own)
        return NULL;
    own->facts = *facts;
    own->facts.operands = own->operands;
    if (operands)
        memcpy(own->operands, facts->operands, operands);
    return own;
}

lw_seen_place *lw_observed_add(lw_observed *o, uint64_t pc, const lw_facts *facts)
{
    lw_seen_place **home = home_of(o, pc);
    lw_seen_place *place = home ? next_place(o) : NULL;
    own_facts *own = place ? copy_facts(facts) : NULL;
    if (!own)
        return NULL;
    o->chunks->used++;
    place->facts = &own->facts;
    place->number = o->places++;
    return *home = place;
}

/* A list of accesses other than the usual one will do only if it does for all who want one. */
void lw_observed_tell(lw_observed *o, lw_seen_place *place, const lw_event *event)
{
    uint32_t other = MODES & ~(uint32_t)LW_SEE_CLUSTER;
    for (size_t i = 0; i < o->count; i++) {
        const lw_observer *observer = &o->observers[i];
        const uint32_t all = all_of(observer), most = all & LW_SEE_ACCESSES ? all | MODES : all;
        place->each[i] =
            (uint8_t)(observer->decoded ? observer->decoded(observer->context, event) & most : all);
        place->wants |= place->each[i] & (LW_SEE_ALL | LW_SEE_CLUSTER);
        other &= place->each[i] & LW_SEE_ACCESSES ? place->each[i] : UINT32_MAX;
    }
    place->wants |= place->wants & LW_SEE_ACCESSES ? other : 0;
}

static void call(const lw_observer *o, lw_hook hook, const lw_event *event)
{
    switch (hook) {
    case LW_HOOK_WAVE_BEGIN:
        if (o->wave_begin)
            o->wave_begin(o->context, event);
        break;
    case LW_HOOK_WAVE_END:
        if (o->wave_end)
            o->wave_end(o->context, event);
        break;
    case LW_HOOK_BARRIER:
        if (o->barrier)
            o->barrier(o->context, event);
        break;
    case LW_HOOK_ARRIVED:
        if (o->arrived)
            o->arrived(o->context, event);
        break;
    }
}

void lw_observed_call(const lw_observed *o, lw_hook hook, const lw_seen_place *place, const lw_event *event,
                      size_t own)
{
    for (size_t i = 0; i < o->count; i++) {
        lw_event mine = *event;
        if (place && !(place->each[i] & LW_SEE_CLUSTER))
            mine.access_count = own;
        if (!place || place->each[i] & LW_SEE_ACCESSES)
            call(&o->observers[i], hook, &mine);
    }
}

size_t lw_observed_own(const lw_observed *o, const lw_seen_place *place, lw_access_log *log)
{
    if (!(place->wants & LW_SEE_CLUSTER))
        return log->count;
    bool mixed = false;
    size_t own = 0, others = 0;
    for (size_t i = 0; i < o->count; i++)
        mixed = mixed || (place->each[i] & LW_SEE_ACCESSES && !(place->each[i] & LW_SEE_CLUSTER));
    if (!mixed || !lw_log_room(log, log->count))
        return log->count;
    for (size_t i = 0; i < log->count; i++) {
        const lw_memory_access a = log->entries[i];
        log->entries[a.block ? log->count + others++ : own++] = a;
    }
    memmove(&log->entries[own], &log->entries[log->count], others * sizeof(*log->entries));
    return own;
}
