/* SPDX-License-Identifier: MIT */
/*
 * The further barriers of gfx1250 (LLVM, "AMDGPU Execution Synchronization"). Signalling a named barrier, or
 * that of the cluster, gives what the wave knows; when the barrier opens, the waves that it concerns get what
 * all have given, at their next wait. A barrier in LDS counts arrivals: what those knew who have arrived in
 * a phase is known to a wave that loads the word after the phase has ended. Copies that arrive there, too,
 * give themselves.
 */
#include <stdlib.h>
#include <string.h>

#include "observers/races.h"

/* ---- Gates ---- */

static void clear(lw_race_gate *gate)
{
    lw_race_clock_free(&gate->known);
    lw_race_clock_free(&gate->fresh);
    memset(gate, 0, sizeof(*gate));
}

void lw_race_gates_free_wave(lw_race_wave_state *wave)
{
    for (unsigned i = 0; i < LW_RACE_GATES; i++) {
        if (wave->opened[i])
            clear(wave->opened[i]);
        free(wave->opened[i]);
        wave->opened[i] = NULL;
    }
}

void lw_race_gates_free_group(lw_race_group_state *group)
{
    for (unsigned i = 0; group->named && i < LW_RACE_NAMED; i++)
        clear(&group->named[i]);
    free(group->named);
    group->named = NULL;
}

void lw_race_gate_give(lw_race_wave_state *wave, lw_race_gates which, const lw_race_gate *gate, bool same)
{
    lw_race_gate **to = &wave->opened[which];
    if (!*to)
        *to = calloc(1, sizeof(**to));
    if (!*to)
        return;
    lw_race_clock_join(&(*to)->known, &gate->known);
    if (which == LW_RACE_NAMED_GATE)
        lw_race_clock_join(&(*to)->fresh, &gate->fresh);
    if (same)
        lw_race_join(&(*to)->passed, &gate->passed, LW_RACE_WAVES);
}

static void signal_at(lw_races *races, const lw_event *event, lw_race_gate *gate)
{
    lw_race_wave_state *wave = races->wave;
    lw_race_waves_note(races, wave, event->wave);
    lw_race_give(races, &gate->known, false);
    lw_race_clock_join(&gate->fresh, &wave->fresh_others);
    lw_race_join(&gate->passed, &wave->passed, LW_RACE_WAVES);
    gate->some = true;
}

void lw_race_gates_wait(lw_races *races)
{
    const bool named = races->place->sync == LW_SYNC_NAMED;
    races->wave->waits_at = named ? LW_RACE_NAMED_GATE : LW_RACE_CLUSTER_GATE;
}

void lw_race_gates_continue(lw_races *races)
{
    lw_race_wave_state *wave = races->wave;
    lw_race_gate *gate = wave->opened[wave->waits_at];
    wave->waits_at = LW_RACE_NO_GATE;
    if (!gate)
        return;
    lw_race_take(races, &gate->known);
    lw_race_clock_join(&wave->fresh_others, &gate->fresh);
    lw_race_join(&wave->passed, &gate->passed, LW_RACE_WAVES);
    clear(gate);
}

/* ---- Named barriers ---- */

/* The gate of a named barrier; NULL: there is none, or no host memory. */
static lw_race_gate *named_gate(lw_race_group_state *group, unsigned number)
{
    if (!group->named)
        group->named = calloc(LW_RACE_NAMED, sizeof(*group->named));
    return group->named && number && number < LW_RACE_NAMED ? &group->named[number] : NULL;
}

static void open_named(lw_race_group_state *group, unsigned number, lw_race_gate *gate)
{
    for (unsigned i = 0; i < group->waves; i++) {
        lw_race_wave_state *wave = group->wave[i];
        if (wave && wave->live && !wave->ended && wave->joined == number)
            lw_race_gate_give(wave, LW_RACE_NAMED_GATE, gate, true);
    }
    clear(gate);
}

static unsigned number_of(const lw_races *races, const lw_event *event)
{
    const lw_race_place *p = races->place;
    return p->named >= 0 ? (unsigned)p->named : lw_event_value(event, LW_FILE_NAMED, LW_NAMED_M0, 0) & 31;
}

/* Has the barrier opened, by the instruction that was executed? */
static bool has_opened(const lw_event *event, unsigned number, const lw_race_gate *gate)
{
    lw_event_barrier now;
    return gate->some && lw_event_barrier_at(event, number, &now) && now.arrived == 0;
}

static void use_named(lw_races *races, const lw_event *event)
{
    lw_race_wave_state *wave = races->wave;
    const unsigned number = number_of(races, event), before = wave->joined;
    lw_race_gate *gate = named_gate(races->group, number), *left = named_gate(races->group, before);
    lw_event_barrier now;
    if (races->place->step == LW_ASYNC_ARRIVES) {
        if (gate)
            signal_at(races, event, gate);
        if (gate && has_opened(event, number, gate))
            open_named(races->group, number, gate);
        return;
    }
    if (lw_event_barrier_at(event, 1, &now))
        wave->joined = now.joined;
    if (wave->joined != before && wave->opened[LW_RACE_NAMED_GATE])
        clear(wave->opened[LW_RACE_NAMED_GATE]);
    if (wave->joined != before && left && has_opened(event, before, left))
        open_named(races->group, before, left); /* the one that left was the last that was missing */
    else if (gate && has_opened(event, number, gate))
        clear(gate); /* it begins anew */
}

void lw_race_gates_after(lw_races *races, const lw_event *event)
{
    if (races->place->sync == LW_SYNC_NAMED) {
        use_named(races, event);
        return;
    }
    lw_race_gate *gate = lw_race_clusters_gate(races, event);
    if (!gate)
        return;
    signal_at(races, event, gate);
    if (!has_opened(event, 0, gate))
        return;
    lw_race_clusters_open(races, event, gate);
    clear(gate);
}

/* ---- Barriers in LDS ---- */

/* The barrier that an access reaches, if there is one; `arrives`: it is one from now on. */
static lw_race_object *cell_at(lw_races *races, const lw_event *event, const lw_memory_access *a,
                               bool arrives, lw_race_report *report)
{
    const lw_race_group_state *group = races->group;
    const unsigned before = group->object_count;
    lw_memory_access word = *a;
    for (unsigned i = 0; i < before && !arrives; i++)
        if (a->address < group->objects[i]->address + 8 &&
            group->objects[i]->address < a->address + a->size * (1 + (uint64_t)a->more)) {
            arrives = true;
            word.address = group->objects[i]->address;
        }
    if (!arrives || !lw_race_object_find(races, event, &word, report))
        return NULL;
    lw_event_object now;
    if (group->object_count > before && lw_event_object_at(event, word.address, &now))
        /* the arrival has been counted: has it ended a phase? */
        report->object->parity = now.phase != (now.pending == now.expected);
    return report->object;
}

/* What was done in LDS before the arrival is complete, as operations on LDS keep their order. */
static void arrive(lw_races *races, const lw_event *event, lw_race_object *object)
{
    lw_race_wave_state *wave = races->wave;
    lw_race_times own = { 0 };
    lw_race_waves_note(races, wave, event->wave);
    lw_race_give(races, &object->current[LW_RACE_NEAR], false);
    own.at[event->wave][LW_PENDING_LDS] = (uint32_t)wave->pending.issued[LW_PENDING_LDS];
    lw_race_clock_add(&object->current[LW_RACE_NEAR], races->group->number, &own);
}

static unsigned copies_of(const lw_race_place *p)
{
    return p->sync == LW_SYNC_OBJECT ? LW_PENDING_ASYNC : p->channel;
}

static void use_cell(lw_races *races, const lw_event *event, const lw_memory_access *a, bool again,
                     uint32_t index)
{
    const lw_race_place *p = races->place;
    lw_race_report report;
    lw_race_object *object = cell_at(races, event, a, a->object, &report);
    lw_memory_access word = *a;
    if (!object)
        return;
    word.address = object->address;
    const bool copy = p->completion != LW_COMPLETION_OBJECT;
    if (a->object && copy)
        lw_race_object_copied(&report, event->wave, copies_of(p), index);
    else if (a->object && !again)
        arrive(races, event, object);
    else if (a->store && !a->object)
        lw_race_object_begin(event, &word, object);
    lw_race_object_look(event, &word, object);
    if (a->load && !a->object)
        lw_race_take(races, &object->complete[LW_RACE_NEAR]);
}

static void use_cells(lw_races *races, const lw_event *event, uint32_t index)
{
    const lw_memory_access *last = NULL;
    for (size_t i = 0; i < event->access_count && !races->beyond; i++) {
        const lw_memory_access *a = &event->accesses[i];
        if (a->space != LW_SPACE_LDS || a->dropped || (a->late && !a->object))
            continue;
        use_cell(races, event, a, last && last->address == a->address, index);
        last = a;
    }
}

/* Copies that have only been issued: which one it is, for the time when it arrives. */
static void issue(lw_races *races, const lw_event *event, unsigned channel)
{
    lw_race_flight *flight = lw_race_flight_add(&races->wave->flights);
    if (!flight)
        return;
    flight->place = event->place;
    flight->index = (uint32_t)races->wave->pending.issued[channel];
}

void lw_race_cells_after(lw_races *races, const lw_event *event)
{
    const lw_race_place *p = races->place;
    const bool arrives_later = p->sync == LW_SYNC_OBJECT && p->completion == LW_COMPLETION_GROUP;
    const bool tile = p->channel == LW_PENDING_TENSOR;
    const unsigned channel = copies_of(p);
    if (arrives_later ? !event->access_count : tile && event->access_count && event->accesses[0].late)
        issue(races, event, channel);
    else if (races->group->object_count || p->sync == LW_SYNC_OBJECT || tile)
        use_cells(races, event, (uint32_t)races->wave->pending.issued[channel]);
}

void lw_race_cells_arrived(lw_races *races, const lw_event *event)
{
    const lw_race_place *p = races->place;
    lw_race_wave_state *wave = races->wave;
    const bool tile = p->channel == LW_PENDING_TENSOR;
    lw_race_flight flight = { .index = wave->landed };
    if (!event->access_count || (!tile && p->sync != LW_SYNC_OBJECT))
        return;
    const bool arrival = event->accesses[0].object;
    if (!tile || !arrival) /* the tile itself comes before its arrival */
        lw_race_flight_take(wave, event->place, &flight);
    if (tile && !arrival)
        wave->landed = flight.index;
    if (arrival)
        use_cells(races, event, flight.index);
}

static bool arrives_at(lw_races *races, const lw_race_record *record)
{
    const uint32_t number = record->how >> LW_RACE_PLACE_SHIFT;
    const lw_race_place *place = number < LW_RACE_PLACES - 1 ? lw_note_of(&races->places, number) : NULL;
    return place && place->sync == LW_SYNC_OBJECT;
}

bool lw_race_gates_polls(lw_races *races, const lw_race_record *earlier, bool earlier_stores,
                         bool later_stores)
{
    if (races->space != LW_SPACE_LDS || earlier_stores == later_stores)
        return false;
    return later_stores ? races->place->sync == LW_SYNC_OBJECT : arrives_at(races, earlier);
}
