/* SPDX-License-Identifier: MIT */
/*
 * Asynchronous operations in PTX kernels (PTX ISA 9.1, "Asynchronous Operations", "mbarrier", "Async proxy").
 * An operation is like a thread that begins when it is issued: it knows what its issuer knew then. Its
 * accesses are complete for those who learn so: the warp that waits for its group, or a warp that sees a
 * phase of its mbarrier end, and whoever synchronises with these afterwards. An access that is not ordered
 * before the issue, and does not know of the completion, races with it, whenever the emulator moves the
 * bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "observers/races.h"

bool lw_race_is_async(const lw_race_place *place)
{
    return place->sync == LW_SYNC_OBJECT || place->sync == LW_SYNC_COPY || place->sync == LW_SYNC_MATRIX;
}

void lw_race_async_decoded(lw_race_place *place, const lw_facts *facts)
{
    place->step = facts->step;
    place->completion = facts->completion;
    place->async_proxy = facts->async_proxy;
    place->source_only = facts->source_only;
    place->left = facts->has_immediate ? facts->immediate : -1;
    place->answer = -1;
    for (size_t i = facts->operand_count; i-- > 0;)
        if (facts->operands[i].role == LW_ROLE_RESULT && facts->operands[i].is_register) {
            place->answer_file = facts->operands[i].file;
            place->answer = facts->operands[i].first;
        }
}

/* ---- Memory of workgroups and waves ---- */

void lw_race_async_begin_group(lw_race_group_state *group)
{
    lw_race_async_free_group(group);
}

void lw_race_async_free_group(lw_race_group_state *group)
{
    for (unsigned i = 0; i < group->object_count; i++) {
        lw_race_clock_free(&group->objects[i]->others);
        lw_race_clock_free(&group->objects[i]->others_complete);
        free(group->objects[i]);
    }
    group->object_count = 0;
}

void lw_race_async_begin_wave(lw_race_wave_state *wave)
{
    wave->flights.count = 0;
}

void lw_race_async_free_wave(lw_race_wave_state *wave)
{
    free(wave->flights.of);
    wave->flights = (lw_race_flights){ 0 };
}

/* ---- mbarriers ---- */

/* NULL: no host memory, or more than are followed; nothing is reported then. */
static lw_race_object *object_at(lw_races *races, uint64_t address, unsigned *number)
{
    lw_race_group_state *group = races->group;
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

/* Has a phase ended? What those knew who arrived in it is then known to those who see it. */
static void look(const lw_event *event, lw_race_object *object)
{
    lw_event_object now;
    if (!lw_event_object_at(event, object->address, &now) || now.phase == object->parity)
        return;
    object->parity = now.phase;
    object->phases++;
    lw_race_join(&object->complete, &object->current, LW_RACE_WAVES);
    lw_race_clock_join(&object->others_complete, &object->others);
    memset(&object->current, 0, sizeof(object->current));
    lw_race_clock_free(&object->others);
}

/* A new mbarrier may begin with another parity than the last one at its address ended with. */
static void begin_object(const lw_event *event, lw_race_object *object)
{
    lw_event_object now;
    if (lw_event_object_at(event, object->address, &now))
        object->parity = now.phase;
}

static void arrive(const lw_races *races, lw_race_object *object)
{
    const lw_race_wave_state *wave = races->wave;
    const bool relaxed = races->place->order == LW_ORDER_NONE;
    if (relaxed && !wave->has_released)
        return;
    const lw_race_times *given = relaxed ? &wave->released : &wave->known;
    lw_race_join(&object->current, given, LW_RACE_WAVES);
    lw_race_clock_join(&object->others, &wave->others);
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
static void learn(lw_races *races, const lw_event *event, const lw_race_object *object, unsigned number)
{
    lw_race_wave_state *wave = races->wave;
    wave->known.at[number][LW_RACE_OBJECT] = object->phases;
    meet(wave, object->complete.at[event->wave]);
    if (races->place->order == LW_ORDER_NONE) {
        lw_race_clock_add(&wave->taken, races->group->number, &object->complete);
        return;
    }
    lw_race_join(&wave->known, &object->complete, LW_RACE_WAVES);
    lw_race_clock_join(&wave->others, &object->others_complete);
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
    unsigned number;
    lw_race_object *object = object_at(races, a->address, &number);
    if (!object)
        return;
    if (races->place->step == LW_ASYNC_ARRIVES)
        arrive(races, object);
    if (is_plain(races->place))
        begin_object(event, object);
    look(event, object);
    if (races->place->step == LW_ASYNC_WAITS)
        learn(races, event, object, number);
}

/* The lanes that do the same to one mbarrier count once. */
static void use_objects(lw_races *races, const lw_event *event)
{
    lw_race_wave_state *wave = races->wave;
    const bool plain = is_plain(races->place), waits = races->place->step == LW_ASYNC_WAITS;
    uint64_t last = UINT64_MAX;
    if (races->place->step == LW_ASYNC_ARRIVES)
        lw_race_threads_tick(wave, event->wave, false);
    for (size_t i = 0; i < event->access_count && !races->beyond; i++) {
        const lw_memory_access *a = &event->accesses[i];
        if (!a->object)
            continue;
        const uint32_t lane = a->lane > 0 ? (uint32_t)a->lane : 0;
        lw_race_record record = { .index = wave->time,
                                  .who = races->group->number << LW_RACE_WAVE_BITS | event->wave,
                                  .how = lane | (plain ? 0 : LW_RACE_ATOMIC | LW_RACE_WIDE) };
        lw_races_touch(races, event, a, record);
        if (a->address == last || (waits && !has_ended(races, event, a->lane)))
            continue;
        use_object(races, event, a);
        last = a->address;
    }
}

/* ---- Issue, groups ---- */

static unsigned channel_of(const lw_race_place *p)
{
    static const uint8_t channels[] = { [LW_COMPLETION_NONE] = LW_RACE_TIME,
                                        [LW_COMPLETION_GROUP] = LW_RACE_COPY,
                                        [LW_COMPLETION_BULK_GROUP] = LW_RACE_OUT,
                                        [LW_COMPLETION_MATRIX] = LW_RACE_MATRIX,
                                        [LW_COMPLETION_OBJECT] = LW_RACE_OBJECT };
    return channels[p->completion];
}

static lw_race_flight *add_flight(lw_race_flights *flights)
{
    if (flights->count == flights->capacity) {
        const size_t capacity = flights->capacity ? 2 * flights->capacity : 16;
        lw_race_flight *grown = realloc(flights->of, capacity * sizeof(*grown));
        if (!grown)
            return NULL;
        flights->of = grown;
        flights->capacity = capacity;
    }
    return &flights->of[flights->count++];
}

static unsigned count_lanes(uint64_t lanes)
{
    unsigned count = 0;
    for (; lanes; lanes &= lanes - 1)
        count++;
    return count;
}

/* cp.async and wgmma are one operation of a warp; the others are one for each thread. */
static void issue(lw_races *races, const lw_event *event)
{
    lw_race_wave_state *wave = races->wave;
    const lw_race_place *p = races->place;
    const unsigned channel = channel_of(p);
    const bool whole = p->step == LW_ASYNC_ISSUES && (channel == LW_RACE_COPY || channel == LW_RACE_MATRIX);
    const unsigned count = whole ? 1 : count_lanes(event->exec);
    lw_race_threads_tick(wave, event->wave, false);
    for (unsigned i = 0; i < count; i++) {
        lw_race_flight *flight = add_flight(&wave->flights);
        if (!flight) {
            lw_races_go_beyond(races, "nothing: the host has no memory for asynchronous operations");
            return;
        }
        wave->issued[channel] += p->step == LW_ASYNC_ISSUES;
        flight->place = event->place;
        flight->index = wave->issued[channel];
        flight->met = wave->met;
        flight->known = wave->known;
    }
}

static void commit(lw_race_wave_state *wave, unsigned channel)
{
    wave->commits[channel][wave->commit_count[channel]++ % LW_RACE_COMMITS] = wave->issued[channel];
}

/* All groups but the last `left` are complete. */
static void wait_for(lw_race_wave_state *wave, unsigned number, const lw_race_place *p)
{
    const unsigned channel = channel_of(p);
    const uint32_t commits = wave->commit_count[channel];
    const uint64_t left = (uint64_t)p->left;
    uint32_t done = p->left < 0 ? wave->issued[channel]
                    : left < commits && left < LW_RACE_COMMITS
                        ? wave->commits[channel][(commits - left - 1) % LW_RACE_COMMITS]
                        : 0;
    uint32_t *known = wave->known.at[number];
    if (channel == LW_RACE_OUT && done > known[LW_RACE_SOURCE])
        known[LW_RACE_SOURCE] = done;
    if (!p->source_only && done > known[channel])
        known[channel] = done;
}

/* Does it access shared memory of another block? Its mbarriers and copies are not followed. */
static bool goes_across(lw_races *races, const lw_event *event)
{
    bool across = false;
    for (size_t i = 0; i < event->access_count; i++)
        across = across || event->accesses[i].block;
    if (across)
        lw_races_go_beyond(races,
                           "kernels with mbarriers and asynchronous copies in other blocks of the cluster: "
                           "nothing was checked");
    return across;
}

void lw_race_async_after(lw_races *races, const lw_event *event)
{
    const lw_race_place *p = races->place;
    /* the lanes of a warp execute wgmma together, once all of them have come */
    const bool together = p->completion == LW_COMPLETION_MATRIX;
    if (!event->exec || (together && event->exec != UINT32_MAX) || goes_across(races, event))
        return;
    if (p->sync == LW_SYNC_OBJECT)
        use_objects(races, event);
    else if (p->step == LW_ASYNC_COMMITS)
        commit(races->wave, channel_of(p));
    else if (p->step == LW_ASYNC_WAITS)
        wait_for(races->wave, event->wave, p);
    else if (p->step != LW_ASYNC_OTHER)
        issue(races, event);
    if (p->sync != LW_SYNC_OBJECT && event->access_count) /* copies complete when they are issued */
        lw_race_async_arrived(races, event);
}

void lw_race_async_fence(lw_race_wave_state *wave, unsigned number)
{
    lw_race_times *known = &wave->known;
    known->at[number][LW_RACE_FENCED] = known->at[number][LW_RACE_TIME];
    for (unsigned i = 0; i < LW_RACE_WAVES; i++) {
        uint32_t *at = known->at[i];
        if (at[LW_RACE_TIME] > at[LW_RACE_COVERED])
            at[LW_RACE_COVERED] = at[LW_RACE_TIME];
        if (at[LW_RACE_COPY] > at[LW_RACE_COVERED_COPY])
            at[LW_RACE_COVERED_COPY] = at[LW_RACE_COPY];
    }
}

/* ---- Arrival ---- */

/* Takes the oldest operation of the place; false: none is known, and the warp of now stands for the issuer.
 */
static bool take_flight(lw_race_wave_state *wave, uint32_t place, lw_race_flight *flight)
{
    lw_race_flights *flights = &wave->flights;
    size_t at = 0;
    while (at < flights->count && flights->of[at].place != place)
        at++;
    if (at == flights->count)
        return false;
    *flight = flights->of[at];
    memmove(&flights->of[at], &flights->of[at + 1], (flights->count - at - 1) * sizeof(*flight));
    flights->count--;
    return true;
}

/* The mbarrier to which the operation reports, and whether it is in this block. */
static lw_race_object *reported(lw_races *races, const lw_event *event, unsigned *number)
{
    for (size_t i = 0; i < event->access_count; i++)
        if (event->accesses[i].object)
            return object_at(races, event->accesses[i].address, number);
    return NULL;
}

static lw_race_record record_of(const lw_races *races, const lw_event *event, const lw_memory_access *a,
                                const lw_race_flight *flight, const lw_race_object *object, unsigned number)
{
    const lw_race_place *p = races->place;
    const bool reports = object != NULL;
    unsigned channel = reports ? (unsigned)LW_RACE_OBJECT : channel_of(p);
    if (channel == LW_RACE_OUT && !a->store)
        channel = LW_RACE_SOURCE;
    const bool atomic = a->object || (p->atomic && a->store);
    return (lw_race_record){ .index = reports ? object->phases + 1 : flight->index,
                             .who =
                                 races->group->number << LW_RACE_WAVE_BITS | (reports ? number : event->wave),
                             .how = (a->lane > 0 ? (uint32_t)a->lane : 0) | channel << 6 |
                                    (atomic ? LW_RACE_ATOMIC | LW_RACE_WIDE : 0u) };
}

static void touch_all(lw_races *races, const lw_event *event, const lw_race_flight *flight,
                      lw_race_object *object, unsigned number)
{
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        races->object = a->object;
        lw_races_touch(races, event, a, record_of(races, event, a, flight, object, number));
    }
    races->object = false;
}

void lw_race_async_arrived(lw_races *races, const lw_event *event)
{
    if (goes_across(races, event))
        return;
    lw_race_wave_state *wave = races->wave;
    lw_race_flight flight = { .index = wave->issued[channel_of(races->place)] };
    const bool found = take_flight(wave, event->place, &flight);
    const bool waits_for_copies =
        races->place->step == LW_ASYNC_ARRIVES || races->place->completion == LW_COMPLETION_OBJECT;
    unsigned number = 0;
    lw_race_object *object = waits_for_copies ? reported(races, event, &number) : NULL;
    if (races->beyond || (waits_for_copies && !object))
        return;
    races->issuer.known = found ? flight.known : wave->known;
    races->issuer.met = found ? flight.met : wave->time;
    races->issuer.others = wave->others;
    races->issuer.loose = wave->loose;
    races->issuer_number = event->wave;
    races->wave = &races->issuer;
    races->arriving = true;
    touch_all(races, event, &flight, object, number);
    races->arriving = false;
    races->wave = wave;
    if (object && races->place->step == LW_ASYNC_ARRIVES &&
        object->current.at[event->wave][LW_RACE_COPY] < flight.index)
        object->current.at[event->wave][LW_RACE_COPY] = flight.index;
    if (object)
        look(event, object);
}

/* ---- Verdicts ---- */

/* Ordered before an access of the async proxy; is it visible to it? */
static lw_race_verdict through_proxy(const lw_races *races, const lw_race_record *earlier)
{
    const unsigned channel = lw_race_channel(earlier);
    const uint32_t *at = races->wave->known.at[lw_race_wave(earlier)];
    const bool covered = channel == LW_RACE_COPY ? at[LW_RACE_COVERED_COPY] >= earlier->index
                                                 : at[LW_RACE_COVERED] >= earlier->index;
    if (!covered)
        return LW_RACE_PROXY;
    return channel == LW_RACE_COPY || at[LW_RACE_FENCED] >= earlier->index ? LW_RACE_ORDERED
                                                                           : LW_RACE_FENCED_LATE;
}

/* An access of a thread of the warp that is current, or that has issued the current operation. */
static lw_race_verdict of_warp(const lw_races *races, const lw_race_record *earlier,
                               const lw_race_record *later)
{
    const bool same = ((earlier->how ^ later->how) & LW_RACE_LANE) == 0 && !(earlier->how & LW_RACE_SEVERAL);
    return same || earlier->index < races->wave->met ? LW_RACE_ORDERED : LW_RACE_LANES;
}

/* The current access is that of an operation. */
static lw_race_verdict of_arrival(const lw_races *races, const lw_race_record *earlier,
                                  const lw_race_record *later)
{
    const unsigned wave = lw_race_wave(earlier), channel = lw_race_channel(earlier);
    const bool own = wave == races->issuer_number && channel != LW_RACE_OBJECT;
    if (channel == LW_RACE_COPY && own && lw_race_channel(later) == channel && earlier->index == later->index)
        return LW_RACE_ORDERED; /* lanes of one instruction */
    if (races->wave->known.at[wave][channel] < earlier->index)
        return LW_RACE_ASYNC;
    return own && channel == LW_RACE_TIME && !races->object ? of_warp(races, earlier, later)
                                                            : LW_RACE_ORDERED;
}

/* The current access is that of a thread, the earlier one that of an operation. */
static lw_race_verdict of_access(const lw_races *races, const lw_race_record *earlier,
                                 const lw_race_record *later)
{
    const unsigned wave = lw_race_wave(earlier), channel = lw_race_channel(earlier);
    const lw_race_wave_state *issuer = races->group->wave[wave];
    if (races->wave->known.at[wave][channel] < earlier->index) {
        const bool waited =
            channel != LW_RACE_OBJECT && issuer && issuer->known.at[wave][channel] >= earlier->index;
        return waited ? LW_RACE_UNORDERED : LW_RACE_ASYNC;
    }
    const bool groups = channel != LW_RACE_OBJECT && channel != LW_RACE_MATRIX;
    if (!groups || wave != lw_race_wave(later) || ((earlier->how ^ later->how) & LW_RACE_LANE) == 0)
        return LW_RACE_ORDERED;
    return races->wave->met_done[channel] >= earlier->index ? LW_RACE_ORDERED : LW_RACE_LANES;
}

lw_race_verdict lw_race_async_judge(const lw_races *races, const lw_race_record *earlier,
                                    const lw_race_record *later, bool earlier_stores)
{
    const unsigned channel = lw_race_channel(earlier);
    const bool block = lw_race_group(earlier) == lw_race_group(later);
    if (earlier->how & later->how & LW_RACE_ATOMIC && (block || earlier->how & later->how & LW_RACE_WIDE))
        return LW_RACE_ORDERED;
    if (!block)
        return lw_race_threads_of_blocks(races, earlier);
    const lw_race_verdict verdict =
        races->arriving ? of_arrival(races, earlier, later) : of_access(races, earlier, later);
    const bool generic = channel == LW_RACE_TIME || channel == LW_RACE_COPY;
    const bool proxy = races->arriving && races->place->async_proxy && !races->object &&
                       races->space == LW_SPACE_LDS && earlier_stores && generic;
    return verdict == LW_RACE_ORDERED && proxy ? through_proxy(races, earlier) : verdict;
}
