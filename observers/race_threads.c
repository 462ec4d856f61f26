/* SPDX-License-Identifier: MIT */
/*
 * What is ordered between threads of NVIDIA's GPUs (PTX ISA 9.1, "Memory Consistency Model"). Each warp has a
 * time, which advances at everything that orders; what it did at a time is known to the warps that have
 * synchronised with it since. Two lanes of a warp are ordered only by a barrier of the warp or of the block
 * between their accesses.
 */
#include <string.h>

#include "observers/races.h"

void lw_race_threads_tick(lw_race_wave_state *wave, unsigned number, bool meets)
{
    uint32_t *own = wave->known.at[number];
    own[LW_RACE_TIME] = own[LW_RACE_BEGUN] = wave->time++;
    if (!meets)
        return;
    wave->met = wave->time;
    memcpy(wave->met_done, wave->known.at[number], sizeof(wave->met_done));
}

unsigned lw_race_threads_rows(const lw_race_group_state *group)
{
    return group->waves > group->object_count ? group->waves : group->object_count;
}

/* ---- Barriers ---- */

static void fence(lw_races *races, unsigned number)
{
    lw_race_wave_state *wave = races->wave;
    lw_race_threads_tick(wave, number, false);
    wave->has_released = true;
    if (races->place->completion == LW_COMPLETION_OBJECT) { /* of mbarriers that the thread has begun */
        wave->released.at[number][LW_RACE_BEGUN] = wave->known.at[number][LW_RACE_BEGUN];
        return;
    }
    wave->released = wave->known;
    lw_race_clock_join(&wave->others, &wave->taken);
    if (lw_race_clock_of(&wave->taken, races->group->number))
        lw_race_join(&wave->known, lw_race_clock_of(&wave->taken, races->group->number), LW_RACE_WAVES);
}

void lw_race_threads_sync(lw_races *races, const lw_event *event)
{
    lw_race_wave_state *wave = races->wave;
    if (!event->exec)
        return; /* the guard excludes all lanes */
    switch (races->place->sync) {
    case LW_SYNC_BARRIER:
        wave->barrier = races->place->barrier;
        lw_race_threads_tick(wave, event->wave, false);
        wave->arrived = true;
        break;
    case LW_SYNC_ARRIVE:
        /* joins nothing now: what it passes on is joined when the barrier opens */
        lw_race_threads_tick(wave, event->wave, false);
        wave->given[races->place->barrier % LW_RACE_BARRIERS] = wave->known;
        wave->gave |= (uint16_t)(1u << races->place->barrier % LW_RACE_BARRIERS);
        break;
    case LW_SYNC_WARP:
        lw_race_threads_tick(wave, event->wave, true);
        break;
    case LW_SYNC_FENCE:
        fence(races, event->wave);
        break;
    case LW_SYNC_CLUSTER:
        lw_race_clusters_sync(races, event);
        break;
    case LW_SYNC_PROXY:
        lw_race_threads_tick(wave, event->wave, false);
        lw_race_async_fence(wave, event->wave);
        break;
    default:
        break;
    }
}

void lw_race_threads_end(lw_race_wave_state *wave, unsigned number)
{
    lw_race_threads_tick(wave, number, false);
}

/* All warps at the barrier of `last` continue. */
void lw_race_threads_pass(lw_race_group_state *group, const lw_race_wave_state *last)
{
    lw_race_times known = { 0 };
    lw_race_clock others = { 0 }, loose = { 0 };
    const unsigned slot = last->barrier % LW_RACE_BARRIERS, rows = lw_race_threads_rows(group);
    for (unsigned i = 0; i < group->waves; i++) {
        lw_race_wave_state *wave = group->wave[i];
        if (!wave)
            continue;
        if (wave->gave >> slot & 1)
            lw_race_join(&known, &wave->given[slot], rows);
        wave->gave &= (uint16_t) ~(1u << slot);
        if (!wave->ended && !(wave->arrived && wave->barrier == last->barrier))
            continue;
        lw_race_join(&known, &wave->known, rows);
        lw_race_clock_join(&others, &wave->others);
        lw_race_clock_join(&loose, &wave->loose);
    }
    for (unsigned i = 0; i < group->waves; i++) {
        lw_race_wave_state *wave = group->wave[i];
        if (!wave || !wave->arrived || wave->barrier != last->barrier)
            continue;
        wave->arrived = false;
        wave->known = known;
        wave->met = wave->time;
        memcpy(wave->met_done, known.at[i], sizeof(wave->met_done));
        lw_race_clock_join(&wave->others, &others);
        lw_race_clock_join(&wave->loose, &loose);
    }
    lw_race_clock_free(&others);
    lw_race_clock_free(&loose);
}

/* ---- Flags ---- */

static uint64_t key_of(const lw_races *races, const lw_event *event, const lw_memory_access *a,
                       uint64_t address)
{
    const lw_race_group_state *block = lw_race_clusters_block(races, event, a);
    return a->space == LW_SPACE_LDS && block ? (uint64_t)(block->number + 1) << 40 | (address + 1)
                                             : address + 1;
}

/* Passes on what was done before a release, or before the last fence. */
static void give(lw_races *races, const lw_event *event, lw_race_sync *sync, bool releases)
{
    lw_race_wave_state *wave = races->wave;
    if (releases)
        lw_race_threads_tick(wave, event->wave, false);
    const lw_race_times *times = releases ? &wave->known : &wave->released;
    lw_race_clock *clock = races->place->scope >= LW_SCOPE_DEVICE ? &sync->full : &sync->loose;
    lw_race_clock_add(clock, races->group->number, times);
    lw_race_clock_add(&sync->loose, races->group->number, times);
    lw_race_clock_join(clock, &wave->others);
}

static void take(lw_races *races, const lw_race_sync *sync, bool acquires)
{
    lw_race_wave_state *wave = races->wave;
    const lw_race_times *own = lw_race_clock_of(&sync->loose, races->group->number);
    if (own && acquires)
        lw_race_join(&wave->known, own, LW_RACE_WAVES);
    if (own && !acquires)
        lw_race_clock_add(&wave->taken, races->group->number, own);
    lw_race_clock_join(acquires ? &wave->others : &wave->taken, &sync->full);
    if (acquires)
        lw_race_clock_join(&wave->loose, &sync->loose);
}

/* A plain store ends what was passed on through its address. */
static void pass_on(lw_races *races, const lw_event *event, uint64_t key, bool acquires, bool releases)
{
    const lw_race_place *place = races->place;
    const bool gives = place->stores && (releases || races->wave->has_released);
    lw_race_sync *sync =
        gives ? lw_race_sync_make(&races->syncs, key) : lw_race_sync_find(&races->syncs, key);
    if (sync && place->loads)
        take(races, sync, acquires);
    if (sync && place->stores && !place->atomic) {
        lw_race_clock_free(&sync->full);
        lw_race_clock_free(&sync->loose);
    }
    if (sync && gives)
        give(races, event, sync, releases);
}

void lw_race_threads_flags(lw_races *races, const lw_event *event)
{
    const lw_race_place *place = races->place;
    const bool releases = place->order == LW_ORDER_RELEASE || place->order == LW_ORDER_BOTH;
    const bool acquires = place->order == LW_ORDER_ACQUIRE || place->order == LW_ORDER_BOTH;
    if (place->scope == LW_SCOPE_WAVE)
        return;
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        for (uint32_t n = 0; n <= a->more && a->space != LW_SPACE_SCRATCH; n++)
            pass_on(races, event, key_of(races, event, a, a->address + (uint64_t)n * a->size), acquires,
                    releases);
    }
}

/* ---- Verdicts ---- */

static lw_race_verdict of_lanes(const lw_races *races, const lw_race_record *earlier,
                                const lw_race_record *later, bool both_store)
{
    const bool same = ((earlier->how ^ later->how) & LW_RACE_LANE) == 0 && !(earlier->how & LW_RACE_SEVERAL);
    if (same || earlier->index < races->wave->met)
        return LW_RACE_ORDERED;
    const bool one = earlier->how >> LW_RACE_PLACE_SHIFT == later->how >> LW_RACE_PLACE_SHIFT;
    return one && both_store ? LW_RACE_AT_ONCE : LW_RACE_LANES;
}

lw_race_verdict lw_race_threads_of_blocks(const lw_races *races, const lw_race_record *earlier)
{
    const uint32_t group = lw_race_group(earlier);
    const unsigned wave = lw_race_wave(earlier), channel = lw_race_channel(earlier);
    const lw_race_times *full = lw_race_clock_of(&races->wave->others, group);
    if (full && full->at[wave][channel] >= earlier->index)
        return LW_RACE_ORDERED;
    return lw_race_threads_is_loose(races, earlier) ? LW_RACE_WEAK : LW_RACE_UNORDERED;
}

bool lw_race_threads_is_loose(const lw_races *races, const lw_race_record *earlier)
{
    const lw_race_times *loose = lw_race_clock_of(&races->wave->loose, lw_race_group(earlier));
    return loose && loose->at[lw_race_wave(earlier)][lw_race_channel(earlier)] >= earlier->index;
}

/* A plain read and an atomic operation: a loop around atom.cas may begin this way. */
static bool is_mixed(lw_races *races, const lw_race_record *earlier, bool earlier_stores, bool later_stores)
{
    const uint32_t number = earlier->how >> LW_RACE_PLACE_SHIFT;
    const lw_race_place *place = earlier_stores ? lw_note_of(&races->places, number) : races->place;
    return earlier_stores != later_stores && number < LW_RACE_PLACES - 1 && place && place->atomic;
}

static lw_race_verdict verdict_of(const lw_races *races, const lw_race_record *earlier,
                                  const lw_race_record *later, bool earlier_stores, bool later_stores)
{
    const bool block = lw_race_group(earlier) == lw_race_group(later);
    const bool atomic = (earlier->how & later->how & LW_RACE_ATOMIC) != 0;
    const unsigned wave = lw_race_wave(earlier);
    if (atomic && (block || earlier->how & later->how & LW_RACE_WIDE))
        return LW_RACE_ORDERED;
    if (races->arriving || !lw_race_of_thread(earlier))
        return lw_race_async_judge(races, earlier, later, earlier_stores);
    if (block && wave == lw_race_wave(later))
        return of_lanes(races, earlier, later, earlier_stores && later_stores);
    if (block && races->wave->known.at[wave][lw_race_channel(earlier)] >= earlier->index)
        return LW_RACE_ORDERED;
    if (block)
        return lw_race_threads_is_loose(races, earlier) ? LW_RACE_WEAK : LW_RACE_UNORDERED;
    const lw_race_verdict verdict = lw_race_threads_of_blocks(races, earlier);
    return verdict == LW_RACE_UNORDERED && atomic ? LW_RACE_WEAK : verdict;
}

lw_race_verdict lw_race_threads_judge(void *context, const lw_race_record *earlier,
                                      const lw_race_record *later, bool earlier_stores, bool later_stores)
{
    lw_races *races = context;
    const lw_race_verdict verdict = verdict_of(races, earlier, later, earlier_stores, later_stores);
    const bool plain = verdict == LW_RACE_UNORDERED || verdict == LW_RACE_LANES;
    return plain && is_mixed(races, earlier, earlier_stores, later_stores) ? LW_RACE_MIXED : verdict;
}
