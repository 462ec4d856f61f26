/* SPDX-License-Identifier: MIT */
/*
 * mbarriers of PTX kernels (PTX ISA 9.1, "mbarrier"). An arrival is a release, seeing that a phase has ended
 * is an acquire. Warps of other blocks of a cluster may arrive, too; what they knew is passed on only if
 * both name a scope that includes the two blocks, which the default, .cta, does not.
 */
#include <stdlib.h>
#include <string.h>

#include "observers/races.h"

static void free_ways(lw_race_clock ways[LW_RACE_WAYS])
{
    for (unsigned i = 0; i < LW_RACE_WAYS; i++)
        lw_race_clock_free(&ways[i]);
}

void lw_race_objects_free(lw_race_group_state *group)
{
    for (unsigned i = 0; i < group->object_count; i++) {
        free_ways(group->objects[i]->current);
        free_ways(group->objects[i]->complete);
        free(group->objects[i]);
    }
    group->object_count = 0;
}

static lw_race_object *object_at(lw_races *races, lw_race_group_state *group, uint64_t address,
                                 unsigned *number)
{
    for (*number = 0; *number < group->object_count; ++*number)
        if (group->objects[*number]->address == address)
            return group->objects[*number];
    lw_race_object *made = group->object_count < LW_RACE_WAVES ? calloc(1, sizeof(*made)) : NULL;
    if (!made) {
        lw_races_go_beyond(races, "kernels with more than 32 mbarriers: nothing was checked");
        return NULL;
    }
    made->address = address;
    return group->objects[group->object_count++] = made;
}

bool lw_race_object_find(lw_races *races, const lw_event *event, const lw_memory_access *a,
                         lw_race_report *report)
{
    report->home = lw_race_clusters_block(races, event, a);
    report->object = report->home ? object_at(races, report->home, a->address, &report->number) : NULL;
    return report->object != NULL;
}

static bool state_of(const lw_event *event, const lw_memory_access *a, lw_event_object *now)
{
    return a->block ? lw_event_cluster_object(event, a->block - 1u, a->address, now)
                    : lw_event_object_at(event, a->address, now);
}

void lw_race_object_look(const lw_event *event, const lw_memory_access *a, lw_race_object *object)
{
    lw_event_object now;
    if (!state_of(event, a, &now) || now.phase == object->parity)
        return;
    object->parity = now.phase;
    object->phases++;
    for (unsigned i = 0; i < LW_RACE_WAYS; i++)
        lw_race_clock_join(&object->complete[i], &object->current[i]);
    free_ways(object->current);
}

void lw_race_object_copied(lw_race_report *report, unsigned wave, unsigned channel, uint32_t index)
{
    lw_race_times times = { 0 };
    times.at[wave][channel] = index;
    lw_race_clock_add(&report->object->current[LW_RACE_NEAR], report->home->number, &times);
}

void lw_race_object_begin(const lw_event *event, const lw_memory_access *a, lw_race_object *object)
{
    lw_event_object now;
    if (state_of(event, a, &now))
        object->parity = now.phase;
}

static void arrive(const lw_races *races, const lw_race_report *report)
{
    const lw_race_place *p = races->place;
    lw_race_clock *current = report->object->current;
    const unsigned way = report->home == races->group  ? LW_RACE_NEAR
                         : p->scope >= LW_SCOPE_DEVICE ? LW_RACE_FAR
                                                       : LW_RACE_SHORT;
    lw_race_give(races, &current[way], p->order == LW_ORDER_NONE);
    lw_race_clock_join(&current[LW_RACE_SHORT], &races->wave->loose);
}

/* Lanes of the warp itself have arrived, or its copies have: its lanes count as one there. */
static void meet(lw_race_wave_state *wave, const uint32_t *own)
{
    if (own[LW_RACE_TIME] >= wave->met)
        wave->met = own[LW_RACE_TIME] + 1;
    for (unsigned c = 0; c < LW_RACE_CHANNELS; c++)
        if (own[c] > wave->met_done[c])
            wave->met_done[c] = own[c];
}

/* A phase has ended, as the warp sees. */
static void learn(lw_races *races, const lw_event *event, const lw_race_report *report)
{
    lw_race_wave_state *wave = races->wave;
    const lw_race_clock *complete = report->object->complete;
    const lw_race_times *own = lw_race_clock_of(&complete[LW_RACE_NEAR], races->group->number);
    const bool far = races->place->scope >= LW_SCOPE_DEVICE;
    wave->known.at[report->number][LW_RACE_OBJECT] = report->object->phases;
    if (own)
        meet(wave, own->at[event->wave]);
    if (races->place->order == LW_ORDER_NONE) {
        lw_race_clock_join(&wave->taken, &complete[LW_RACE_NEAR]);
        if (far)
            lw_race_clock_join(&wave->taken, &complete[LW_RACE_FAR]);
        return;
    }
    lw_race_take(races, &complete[LW_RACE_NEAR]);
    if (far)
        lw_race_take(races, &complete[LW_RACE_FAR]);
    else
        lw_race_clock_join(&wave->loose, &complete[LW_RACE_FAR]);
    lw_race_clock_join(&wave->loose, &complete[LW_RACE_SHORT]);
}

static bool has_ended(const lw_races *races, const lw_event *event, int lane)
{
    const lw_race_place *p = races->place;
    return p->answer >= 0 &&
           (lw_event_value(event, p->answer_file, (unsigned)p->answer, (unsigned)(lane > 0 ? lane : 0)) & 1);
}

/* Beginning and ending an mbarrier are plain stores, everything else is atomic. */
static bool is_plain(const lw_race_place *p)
{
    return p->step == LW_ASYNC_OTHER && !p->atomic;
}

static void use_object(lw_races *races, const lw_event *event, const lw_memory_access *a)
{
    lw_race_report report;
    if (!lw_race_object_find(races, event, a, &report))
        return;
    if (races->place->step == LW_ASYNC_ARRIVES)
        arrive(races, &report);
    if (is_plain(races->place))
        lw_race_object_begin(event, a, report.object);
    lw_race_object_look(event, a, report.object);
    if (races->place->step == LW_ASYNC_WAITS && report.home == races->group)
        learn(races, event, &report);
}

/* The lanes that do the same to one mbarrier count once. */
void lw_race_objects_use(lw_races *races, const lw_event *event)
{
    lw_race_wave_state *wave = races->wave;
    const bool plain = is_plain(races->place), waits = races->place->step == LW_ASYNC_WAITS;
    const lw_memory_access *last = NULL;
    if (races->place->step == LW_ASYNC_ARRIVES)
        lw_race_threads_tick(wave, event->wave, false);
    for (size_t i = 0; i < event->access_count && !races->beyond; i++) {
        const lw_memory_access *a = &event->accesses[i];
        if (!a->object)
            continue;
        const uint32_t lane = a->lane > 0 ? (uint32_t)a->lane : 0;
        lw_race_record record = { .index = wave->time,
                                  .who = races->group->number << LW_RACE_WAVE_BITS | event->wave,
                                  .how = lane | (races->place->begins ? LW_RACE_BEGUN << 6 : 0) |
                                         (plain ? 0 : LW_RACE_ATOMIC | LW_RACE_WIDE) };
        lw_races_touch(races, event, a, record);
        const bool again = last && a->address == last->address && a->block == last->block;
        if (again || (waits && !has_ended(races, event, a->lane)))
            continue;
        use_object(races, event, a);
        last = a;
    }
}
