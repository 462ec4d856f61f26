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
    place->begins = facts->sync == LW_SYNC_OBJECT && facts->step == LW_ASYNC_OTHER && facts->memory.bytes &&
                    !facts->memory.load;
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
    lw_race_objects_free(group);
}

static void drop_flight(lw_race_flight *flight)
{
    lw_race_clock_free(&flight->others);
    lw_race_clock_free(&flight->loose);
}

void lw_race_async_begin_wave(lw_race_wave_state *wave)
{
    for (size_t i = 0; i < wave->flights.count; i++)
        drop_flight(&wave->flights.of[i]);
    wave->flights.count = 0;
}

void lw_race_async_free_wave(lw_race_wave_state *wave)
{
    lw_race_async_begin_wave(wave);
    free(wave->flights.of);
    wave->flights = (lw_race_flights){ 0 };
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

lw_race_flight *lw_race_flight_add(lw_race_flights *flights)
{
    if (flights->count == flights->capacity) {
        const size_t capacity = flights->capacity ? 2 * flights->capacity : 16;
        lw_race_flight *grown = realloc(flights->of, capacity * sizeof(*grown));
        if (!grown)
            return NULL;
        flights->of = grown;
        flights->capacity = capacity;
    }
    lw_race_flight *flight = &flights->of[flights->count++];
    memset(flight, 0, sizeof(*flight));
    return flight;
}

static unsigned count_lanes(uint64_t lanes)
{
    unsigned count = 0;
    for (; lanes; lanes &= lanes - 1)
        count++;
    return count;
}

/* cp.async and wgmma are one operation of a warp; the others are one for each thread, unless they have all
 * arrived already. */
static void issue(lw_races *races, const lw_event *event)
{
    lw_race_wave_state *wave = races->wave;
    const lw_race_place *p = races->place;
    const unsigned channel = channel_of(p);
    const bool whole = p->step == LW_ASYNC_ISSUES && (channel == LW_RACE_COPY || channel == LW_RACE_MATRIX);
    const unsigned count = whole || event->access_count ? 1 : count_lanes(event->exec);
    lw_race_threads_tick(wave, event->wave, false);
    for (unsigned i = 0; i < count; i++) {
        lw_race_flight *flight = lw_race_flight_add(&wave->flights);
        if (!flight) {
            lw_races_go_beyond(races, "nothing: the host has no memory for asynchronous operations");
            return;
        }
        wave->issued[channel] += p->step == LW_ASYNC_ISSUES;
        flight->place = event->place;
        flight->index = wave->issued[channel];
        flight->met = wave->met;
        flight->known = wave->known;
        lw_race_clock_join(&flight->others, &wave->others);
        lw_race_clock_join(&flight->loose, &wave->loose);
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

void lw_race_async_after(lw_races *races, const lw_event *event)
{
    const lw_race_place *p = races->place;
    /* the lanes of a warp execute wgmma together, once all of them have come */
    const bool together = p->completion == LW_COMPLETION_MATRIX;
    if (!event->exec || (together && event->exec != UINT32_MAX))
        return;
    if (p->sync == LW_SYNC_OBJECT)
        lw_race_objects_use(races, event);
    else if (p->step == LW_ASYNC_COMMITS)
        commit(races->wave, channel_of(p));
    else if (p->step == LW_ASYNC_WAITS)
        wait_for(races->wave, event->wave, p);
    else if (p->step != LW_ASYNC_OTHER)
        issue(races, event);
    if (p->sync != LW_SYNC_OBJECT && event->access_count) /* copies complete when they are issued */
        lw_race_async_arrived(races, event);
}

/* What is known becomes visible to asynchronous operations. */
static void cover(lw_race_times *known)
{
    for (unsigned i = 0; i < LW_RACE_WAVES; i++) {
        uint32_t *at = known->at[i];
        if (at[LW_RACE_TIME] > at[LW_RACE_COVERED])
            at[LW_RACE_COVERED] = at[LW_RACE_TIME];
        if (at[LW_RACE_COPY] > at[LW_RACE_COVERED_COPY])
            at[LW_RACE_COVERED_COPY] = at[LW_RACE_COPY];
    }
}

void lw_race_async_fence(lw_race_wave_state *wave, unsigned number)
{
    uint32_t *own = wave->known.at[number];
    own[LW_RACE_FENCED] = own[LW_RACE_TIME];
    cover(&wave->known);
    for (size_t i = 0; i < wave->others.count; i++)
        cover(&wave->others.of[i].times);
}

/* ---- Arrival ---- */

bool lw_race_flight_take(lw_race_wave_state *wave, uint32_t place, lw_race_flight *flight)
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

static lw_race_record record_of(const lw_races *races, const lw_event *event, const lw_memory_access *a,
                                const lw_race_flight *flight, const lw_race_report *report)
{
    const lw_race_place *p = races->place;
    const lw_race_object *object = report->object;
    unsigned channel = object ? (unsigned)LW_RACE_OBJECT : channel_of(p);
    if (channel == LW_RACE_OUT && !a->store)
        channel = LW_RACE_SOURCE;
    const bool atomic = a->object || (p->atomic && a->store);
    const uint32_t group = object ? report->home->number : races->group->number;
    return (lw_race_record){ .index = object ? object->phases + 1 : flight->index,
                             .who = group << LW_RACE_WAVE_BITS | (object ? report->number : event->wave),
                             .how = (a->lane > 0 ? (uint32_t)a->lane : 0) | channel << 6 |
                                    (atomic ? LW_RACE_ATOMIC | LW_RACE_WIDE : 0u) };
}

/* The mbarrier to which an access reports, which comes after it in the list: a multicast has one in every
 * block. False: there is none, or it is not followed. */
static bool find_report(lw_races *races, const lw_event *event, size_t from, lw_race_report *report)
{
    for (report->at = from; report->at < event->access_count; report->at++)
        if (event->accesses[report->at].object)
            return lw_race_object_find(races, event, &event->accesses[report->at], report);
    return false;
}

/* `reports`: to mbarriers. */
static void touch_all(lw_races *races, const lw_event *event, const lw_race_flight *flight, bool reports)
{
    lw_race_report report = { 0 };
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        if (reports && (i == 0 || i > report.at) && !find_report(races, event, i, &report))
            break;
        races->object = a->object;
        lw_races_touch(races, event, a, record_of(races, event, a, flight, &report));
    }
    races->object = false;
}

/* The phases that end with the operation. */
static void look_at_all(lw_races *races, const lw_event *event, const lw_race_flight *flight)
{
    lw_race_report report;
    for (size_t i = 0; i < event->access_count && find_report(races, event, i, &report); i = report.at + 1) {
        if (races->place->step == LW_ASYNC_ARRIVES)
            lw_race_object_copied(&report, event->wave, LW_RACE_COPY, flight->index);
        lw_race_object_look(event, &event->accesses[report.at], report.object);
    }
}

/* The issuer as it was when it issued the operation. */
static void become(lw_races *races, const lw_event *event, const lw_race_flight *flight, bool found)
{
    const lw_race_wave_state *wave = races->wave;
    races->issuer.known = found ? flight->known : wave->known;
    races->issuer.met = found ? flight->met : wave->time;
    races->issuer.others = found ? flight->others : wave->others;
    races->issuer.loose = found ? flight->loose : wave->loose;
    races->issuer_number = event->wave;
    races->wave = &races->issuer;
    races->arriving = true;
}

void lw_race_async_arrived(lw_races *races, const lw_event *event)
{
    lw_race_wave_state *wave = races->wave;
    lw_race_flight flight = { .index = wave->issued[channel_of(races->place)] };
    const bool found = lw_race_flight_take(wave, event->place, &flight);
    const bool reports =
        races->place->step == LW_ASYNC_ARRIVES || races->place->completion == LW_COMPLETION_OBJECT;
    become(races, event, &flight, found);
    touch_all(races, event, &flight, reports);
    races->arriving = false;
    races->wave = wave;
    if (reports)
        look_at_all(races, event, &flight);
    drop_flight(&flight);
}

/* ---- Verdicts ---- */

/* Ordered before an access of the async proxy; is it visible to it? */
static lw_race_verdict through_proxy(const lw_races *races, const lw_race_record *earlier)
{
    const unsigned channel = lw_race_channel(earlier);
    const uint32_t group = lw_race_group(earlier);
    const lw_race_times *known =
        group == races->group->number ? &races->wave->known : lw_race_clock_of(&races->wave->others, group);
    const uint32_t *at = known->at[lw_race_wave(earlier)]; /* something of it is known: it is ordered */
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
    return own && lw_race_of_thread(earlier) && !races->object ? of_warp(races, earlier, later)
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

/* Of the block of the issuer, or of the thread. */
static lw_race_verdict of_block(const lw_races *races, const lw_race_record *earlier,
                                const lw_race_record *later)
{
    const lw_race_verdict verdict =
        races->arriving ? of_arrival(races, earlier, later) : of_access(races, earlier, later);
    const bool unknown = verdict == LW_RACE_UNORDERED || verdict == LW_RACE_ASYNC;
    return unknown && lw_race_threads_is_loose(races, earlier) ? LW_RACE_WEAK : verdict;
}

static lw_race_verdict of_other_block(const lw_races *races, const lw_race_record *earlier)
{
    const lw_race_verdict verdict = lw_race_threads_of_blocks(races, earlier);
    return verdict == LW_RACE_UNORDERED ? LW_RACE_ASYNC : verdict;
}

lw_race_verdict lw_race_async_judge(const lw_races *races, const lw_race_record *earlier,
                                    const lw_race_record *later, bool earlier_stores)
{
    const unsigned channel = lw_race_channel(earlier);
    const bool block = lw_race_group(earlier) == races->group->number;
    if (earlier->how & later->how & LW_RACE_ATOMIC && (block || earlier->how & later->how & LW_RACE_WIDE))
        return LW_RACE_ORDERED;
    const lw_race_verdict verdict = block ? of_block(races, earlier, later) : of_other_block(races, earlier);
    const bool generic = lw_race_of_thread(earlier) || channel == LW_RACE_COPY;
    const bool proxy = races->arriving && races->place->async_proxy && !races->object &&
                       races->space == LW_SPACE_LDS && earlier_stores && generic;
    return verdict == LW_RACE_ORDERED && proxy ? through_proxy(races, earlier) : verdict;
}
