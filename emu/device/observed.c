/* SPDX-License-Identifier: MIT */
#include "emu/device/observed.h"

#include <stdlib.h>
#include <string.h>

enum { MODES = LW_SEE_RUNS | LW_SEE_DONE | LW_SEE_ONCE | LW_SEE_CLUSTER };

/* What an observer sees if it does not choose. */
static uint32_t all_of(const lw_observer *o)
{
    return (o->before ? LW_SEE_BEFORE : 0u) | (o->after ? LW_SEE_AFTER | LW_SEE_ACCESSES : 0u) |
           (o->arrived ? LW_SEE_ACCESSES : 0u);
}

lw_observed *lw_observed_new(const lw_observer *const *observers, size_t count, size_t slot_count)
{
    lw_observed *o = calloc(1, sizeof(*o));
    if (!o)
        return NULL;
    *o = (lw_observed){ .observers = calloc(count ? count : 1, sizeof(lw_observer)),
                        .count = count,
                        .page_count = slot_count / LW_SEEN_PAGE + 1 };
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

void lw_observed_free(lw_observed *o)
{
    if (!o)
        return;
    while (o->last) {
        lw_seen_place *place = o->last;
        o->last = place->next;
        free(place);
    }
    for (size_t i = 0; o->pages && i < o->page_count; i++)
        free(o->pages[i]);
    free(o->pages);
    free(o->observers);
    free(o);
}

/* Where the place of a slot is stored; NULL: no host memory. */
static lw_seen_place **home_of(lw_observed *o, uint64_t slot)
{
    const uint64_t page = slot / LW_SEEN_PAGE;
    if (page >= o->page_count)
        return NULL;
    if (!o->pages[page])
        o->pages[page] = calloc(LW_SEEN_PAGE, sizeof(**o->pages));
    return o->pages[page] ? &o->pages[page][slot % LW_SEEN_PAGE] : NULL;
}

lw_seen_place *lw_observed_add(lw_observed *o, uint64_t slot, const lw_facts *facts)
{
    const size_t operands = facts->operand_count * sizeof(*facts->operands);
    lw_seen_place **home = home_of(o, slot);
    lw_seen_place *place = home ? malloc(sizeof(*place) + operands + o->count * sizeof(uint32_t)) : NULL;
    if (!place)
        return NULL;
    lw_fact_operand *own = (lw_fact_operand *)(place + 1);
    *place = (lw_seen_place){ .next = o->last,
                              .number = o->places++,
                              .facts = *facts,
                              .each = (uint32_t *)(own + facts->operand_count) };
    if (operands)
        memcpy(own, facts->operands, operands);
    place->facts.operands = own;
    *home = o->last = place;
    return place;
}

/* A list of accesses other than the usual one will do only if it does for all who want one. */
void lw_observed_tell(lw_observed *o, lw_seen_place *place, const lw_event *event)
{
    uint32_t other = MODES;
    for (size_t i = 0; i < o->count; i++) {
        const lw_observer *observer = &o->observers[i];
        const uint32_t all = all_of(observer), most = all & LW_SEE_ACCESSES ? all | MODES : all;
        place->each[i] = observer->decoded ? observer->decoded(observer->context, event) & most : all;
        place->wants |= place->each[i] & LW_SEE_ALL;
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

void lw_observed_call(const lw_observed *o, lw_hook hook, const lw_seen_place *place, const lw_event *event)
{
    for (size_t i = 0; i < o->count; i++)
        if (!place || place->each[i] & LW_SEE_ACCESSES)
            call(&o->observers[i], hook, event);
}
