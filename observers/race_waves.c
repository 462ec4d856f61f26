/* SPDX-License-Identifier: MIT */
/*
 * What is ordered between waves on AMD. An operation counts as complete when a wait has proved it
 * (pending.h). What is complete when a wave arrives at a barrier is complete for every wave that leaves it. A
 * flag in memory passes on what its writer knew to a wave that reads it and then invalidates its caches;
 * LLVM's AMDGPUUsage, "Memory Model", says what each generation needs for that.
 */
#include <string.h>

#include "observers/races.h"

/* The last operation of a class with no pending one before it. */
static uint32_t done_of(const lw_pending *p, unsigned class)
{
    for (unsigned at = 0; at < p->count; at++)
        if (p->ops[p->order[at]].class == class)
            return (uint32_t)(p->ops[p->order[at]].index - 1);
    return (uint32_t)p->issued[class];
}

bool lw_race_writes_back(lw_arch arch)
{
    static const bool writes_back[LW_ARCH_COUNT] = { [LW_ARCH_GFX942] = true, [LW_ARCH_GFX950] = true };
    return writes_back[arch];
}

lw_scope lw_race_atomic_scope(lw_arch arch)
{
    static const bool always[LW_ARCH_COUNT] = { [LW_ARCH_GFX1250] = true };
    return always[arch] ? LW_SCOPE_DEVICE : LW_SCOPE_WORKGROUP;
}

bool lw_race_has_scopes(lw_arch arch)
{
    static const bool has[LW_ARCH_COUNT] = {
        [LW_ARCH_GFX942] = true, [LW_ARCH_GFX950] = true, [LW_ARCH_GFX1201] = true
    };
    return has[arch];
}

/* Where stores have no counter of their own, vector memory of a workgroup goes through one cache in order. */
static bool keeps_order(const lw_races *races)
{
    return !races->target->most[LW_COUNTER_VS];
}

void lw_race_waves_note(const lw_races *races, lw_race_wave_state *wave, unsigned number)
{
    const lw_pending *p = &wave->pending;
    uint32_t *known = wave->known.at[number], *passed = wave->passed.at[number];
    for (unsigned c = 0; c < LW_RACE_GLOBAL; c++) {
        known[c] = done_of(p, c);
        passed[c] = (uint32_t)p->issued[c];
    }
    for (unsigned c = LW_PENDING_ASYNC; c < LW_PENDING_CLASSES; c++) {
        known[c] = done_of(p, c);
        passed[c] = (uint32_t)p->issued[c];
    }
    passed[LW_RACE_GLOBAL] = (uint32_t)p->issued[LW_PENDING_VMEM];
    known[LW_RACE_GLOBAL] = keeps_order(races) ? passed[LW_RACE_GLOBAL] : known[LW_PENDING_VMEM];
}

/* ---- Barriers ---- */

void lw_race_waves_arrive(lw_races *races, lw_race_wave_state *wave, unsigned number)
{
    lw_race_waves_note(races, wave, number);
    wave->arrived = true;
}

void lw_race_waves_signal(lw_races *races, lw_race_wave_state *wave, unsigned number)
{
    lw_race_waves_note(races, wave, number);
    wave->given[LW_RACE_SIGNALLED] = wave->known;
    wave->gave = 1u << LW_RACE_SIGNALLED;
}

void lw_race_waves_wait(lw_race_wave_state *wave)
{
    const bool opened = wave->gave >> LW_RACE_OPENED & 1;
    if (opened)
        lw_race_join(&wave->known, &wave->given[LW_RACE_OPENED], LW_RACE_WAVES);
    wave->arrived = !opened;
    wave->gave &= (uint16_t) ~(1u << LW_RACE_OPENED);
}

static bool takes_part(const lw_race_wave_state *wave)
{
    return wave && (wave->arrived || wave->ended || wave->gave >> LW_RACE_SIGNALLED & 1);
}

/* What all knew reaches those who wait; those who have only signalled get it when they wait. */
static void receive(lw_race_wave_state *wave, const lw_race_times *known)
{
    if (!wave->arrived)
        wave->given[LW_RACE_OPENED] = *known;
    else
        lw_race_join(&wave->known, known, LW_RACE_WAVES);
    wave->gave = wave->arrived ? 0 : 1u << LW_RACE_OPENED;
    wave->arrived = false;
}

void lw_race_waves_pass(lw_races *races, lw_race_group_state *group)
{
    lw_race_times known = { 0 }, passed = { 0 };
    lw_race_clock others = { 0 }, loose = { 0 }, fresh = { 0 };
    for (unsigned i = 0; i < group->waves; i++) {
        const lw_race_wave_state *wave = group->wave[i];
        if (!takes_part(wave))
            continue;
        const bool signalled = wave->gave >> LW_RACE_SIGNALLED & 1;
        lw_race_join(&known, signalled ? &wave->given[LW_RACE_SIGNALLED] : &wave->known, group->waves);
        lw_race_join(&passed, &wave->passed, group->waves);
        lw_race_clock_join(&others, &wave->others);
        lw_race_clock_join(&loose, &wave->loose);
        if (!races->split_l0) /* one first-level cache: who empties it does so for all */
            lw_race_clock_join(&fresh, &wave->fresh_others);
    }
    for (unsigned i = 0; i < group->waves; i++) {
        lw_race_wave_state *wave = group->wave[i];
        if (!takes_part(wave) || wave->ended)
            continue;
        receive(wave, &known);
        wave->passed = passed;
        lw_race_clock_join(&wave->others, &others);
        lw_race_clock_join(&wave->loose, &loose);
        lw_race_clock_join(&wave->fresh_others, &fresh);
    }
    lw_race_clock_free(&others);
    lw_race_clock_free(&loose);
    lw_race_clock_free(&fresh);
}

/* ---- Flags ---- */

static uint64_t key_of(const lw_races *races, lw_space space, uint64_t address)
{
    return space == LW_SPACE_LDS ? (uint64_t)(races->group->number + 1) << 40 | (address + 1) : address + 1;
}

static void give(lw_races *races, const lw_event *event, lw_race_sync *sync, bool chained)
{
    lw_race_wave_state *wave = races->wave;
    const unsigned number = event->wave;
    lw_race_waves_note(races, wave, number);
    lw_race_times loose = wave->known;
    if (races->space == LW_SPACE_LDS)
        loose.at[number][LW_PENDING_LDS] = (uint32_t)wave->pending.issued[LW_PENDING_LDS];
    else
        loose.at[number][LW_RACE_GLOBAL] = done_of(&wave->pending, LW_PENDING_VMEM);
    lw_race_times full = loose;
    if (lw_race_writes_back(event->arch))
        for (unsigned w = 0; w < LW_RACE_WAVES; w++)
            for (unsigned c = 0; c < LW_RACE_CHANNELS; c++)
                full.at[w][c] =
                    full.at[w][c] < wave->released.at[w][c] ? full.at[w][c] : wave->released.at[w][c];
    if (!chained) {
        lw_race_clock_free(&sync->full);
        lw_race_clock_free(&sync->loose);
    }
    lw_race_clock_add(&sync->loose, races->group->number, &loose);
    lw_race_clock_join(&sync->loose, &wave->loose);
    lw_race_clock_add(&sync->full, races->group->number, &full);
    lw_race_clock_join(&sync->full, &wave->others);
    sync->version++;
}

/* Within the workgroup, what a flag passes on is known at once; what first-level caches may hide of it,
 * race_caches.c knows. */
static void take(lw_races *races, const lw_race_sync *sync)
{
    lw_race_wave_state *wave = races->wave;
    const lw_race_times *own = lw_race_clock_of(&sync->loose, races->group->number);
    if (own)
        lw_race_join(&wave->known, own, LW_RACE_WAVES);
    lw_race_clock_join(&wave->loose, &sync->loose);
    lw_race_clock_join(&wave->taken, &sync->full);
}

/* Flags are written by few lanes; what many lanes write is data. */
static bool by_few(uint64_t exec)
{
    for (unsigned i = 0; i < 4; i++)
        exec &= exec - 1;
    return exec == 0;
}

static void pass_on(lw_races *races, const lw_event *event, const lw_memory_access *a, uint64_t address)
{
    const uint64_t key = key_of(races, a->space, address);
    lw_race_sync *sync =
        a->store ? lw_race_sync_make(&races->syncs, key) : lw_race_sync_find(&races->syncs, key);
    races->space = a->space;
    if (sync && a->load)
        take(races, sync);
    if (sync && a->store)
        give(races, event, sync, a->load);
}

void lw_race_waves_flags(lw_races *races, const lw_event *event, const lw_race_record *record)
{
    const lw_race_place *place = races->place;
    const bool few = by_few(event->exec), marked = (record->how & LW_RACE_ATOMIC) != 0;
    if (place->channel == LW_PENDING_SCALAR || place->bytes > 8 || (place->stores ? !few : !marked))
        return;
    if (!place->atomic && !marked && (record->how & LW_RACE_FLAG) == 0)
        return;
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        if (a->space == LW_SPACE_SCRATCH || a->dropped || a->late)
            continue;
        for (uint32_t n = 0; n <= a->more; n++)
            pass_on(races, event, a, a->address + (uint64_t)n * a->size);
    }
}

/* ---- Verdicts ---- */

/* Within a wave, only LDS operations and copies to LDS can overtake each other. The use of bytes before their
 * copy has arrived is reported by --check waits. */
static lw_race_verdict within(const lw_races *races, const lw_race_record *earlier,
                              const lw_race_record *later, bool later_stores)
{
    const unsigned channel = lw_race_channel(earlier);
    if (lw_race_channel(later) == LW_PENDING_SCALAR && channel != LW_PENDING_SCALAR)
        return races->wave->scalar_fresh ? LW_RACE_ORDERED : LW_RACE_STALE;
    const bool copy = races->space == LW_SPACE_LDS && later->how & LW_RACE_LATE && later_stores;
    return copy && channel == LW_PENDING_LDS && done_of(&races->wave->pending, channel) < earlier->index
               ? LW_RACE_UNWAITED
               : LW_RACE_ORDERED;
}

static lw_race_verdict in_group(const lw_races *races, const lw_race_record *earlier,
                                const lw_race_record *later, bool earlier_stores)
{
    const lw_race_wave_state *me = races->wave;
    const unsigned wave = lw_race_wave(earlier), channel = lw_race_channel(earlier);
    if (me->known.at[wave][channel] < earlier->index)
        return me->passed.at[wave][channel] < earlier->index ? LW_RACE_UNORDERED : LW_RACE_UNWAITED;
    if (lw_race_channel(later) == LW_PENDING_SCALAR && earlier_stores && !me->scalar_fresh)
        return LW_RACE_STALE;
    return LW_RACE_ORDERED;
}

static lw_race_verdict across(const lw_races *races, const lw_race_record *earlier)
{
    const uint32_t group = lw_race_group(earlier);
    const unsigned wave = lw_race_wave(earlier), channel = lw_race_channel(earlier);
    const lw_race_times *full = lw_race_clock_of(&races->wave->others, group);
    if (full && full->at[wave][channel] >= earlier->index)
        return LW_RACE_ORDERED;
    const lw_race_times *loose = lw_race_clock_of(&races->wave->loose, group);
    return loose && loose->at[wave][channel] >= earlier->index ? LW_RACE_WEAK : LW_RACE_UNORDERED;
}

/* Atomic operations do not race with each other. Where stores have no scope bits, the store of a flag looks
 * like any other. */
static bool are_atomic(const lw_race_record *a, const lw_race_record *b)
{
    return (a->how & LW_RACE_ATOMIC && b->how & (LW_RACE_ATOMIC | LW_RACE_FLAG)) ||
           (b->how & LW_RACE_ATOMIC && a->how & (LW_RACE_ATOMIC | LW_RACE_FLAG));
}

static bool is_mixed(const lw_race_record *earlier, const lw_race_record *later, bool earlier_stores,
                     bool later_stores)
{
    return earlier_stores != later_stores && (earlier_stores ? earlier : later)->how & LW_RACE_ATOMIC;
}

lw_race_verdict lw_race_waves_judge(void *context, const lw_race_record *earlier, const lw_race_record *later,
                                    bool earlier_stores, bool later_stores)
{
    lw_races *races = context;
    const bool same = lw_race_group(earlier) == lw_race_group(later);
    if (same && lw_race_wave(earlier) == lw_race_wave(later))
        return within(races, earlier, later, later_stores);
    const lw_race_verdict verdict =
        same ? in_group(races, earlier, later, earlier_stores) : across(races, earlier);
    if (verdict == LW_RACE_ORDERED && lw_race_may_hide(races, earlier, later, earlier_stores, later_stores))
        return LW_RACE_STALE_L0;
    if (verdict == LW_RACE_UNORDERED && lw_race_gates_polls(races, earlier, earlier_stores, later_stores))
        return LW_RACE_ORDERED;
    if (verdict == LW_RACE_UNORDERED && !are_atomic(earlier, later) &&
        is_mixed(earlier, later, earlier_stores, later_stores))
        return LW_RACE_MIXED;
    if (verdict == LW_RACE_ORDERED || !are_atomic(earlier, later))
        return verdict;
    const bool wide =
        earlier->how & later->how & LW_RACE_WIDE || earlier->how & LW_RACE_FLAG || later->how & LW_RACE_FLAG;
    return same || wide ? LW_RACE_ORDERED : LW_RACE_WEAK;
}
