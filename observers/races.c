/* SPDX-License-Identifier: MIT */
/* --check races. Every access is compared with the last ones to the same bytes. Two accesses that conflict
 * and that nothing orders are a race, whatever their order in this run. */
#include "observers/races.h"

#include <stdlib.h>
#include <string.h>

/* ---- Workgroups and waves ---- */

static bool is_group(const lw_race_group_state *g, const lw_event *event)
{
    return g->live && memcmp(g->id, event->workgroup, sizeof(g->id)) == 0;
}

static lw_race_group_state *find_group(lw_races *r, const lw_event *event)
{
    if (r->last < r->group_count && is_group(r->groups[r->last], event))
        return r->groups[r->last];
    for (size_t i = 0; i < r->group_count; i++)
        if (is_group(r->groups[i], event))
            return r->groups[r->last = i];
    return NULL;
}

/* The slot of a workgroup that has ended, or a new one. */
static lw_race_group_state *idle_group(lw_races *r)
{
    for (size_t i = 0; i < r->group_count; i++)
        if (!r->groups[i]->live)
            return r->groups[r->last = i];
    lw_race_group_state **grown = realloc(r->groups, (r->group_count + 1) * sizeof(*grown));
    if (!grown)
        return NULL;
    r->groups = grown;
    grown[r->group_count] = calloc(1, sizeof(**grown));
    if (!grown[r->group_count])
        return NULL;
    return grown[r->last = r->group_count++];
}

static lw_race_group_state *begin_group(lw_races *r, const lw_event *event)
{
    lw_race_group_state *g = idle_group(r);
    if (!g)
        return NULL;
    lw_race_lines_begin(&g->lds, lw_event_lds_size(event));
    memcpy(g->id, event->workgroup, sizeof(g->id));
    lw_race_async_begin_group(g);
    lw_race_gates_free_group(g);
    g->number = r->numbers++;
    g->waves = 0;
    for (unsigned i = 0; i < LW_RACE_WAVES; i++)
        if (g->wave[i])
            g->wave[i]->live = g->wave[i]->ended = false;
    return g;
}

static void drop_clocks(lw_race_wave_state *wave)
{
    lw_race_clock_free(&wave->others);
    lw_race_clock_free(&wave->loose);
    lw_race_clock_free(&wave->taken);
    lw_race_clock_free(&wave->inner);
    lw_race_clock_free(&wave->fresh_others);
}

static void begin_wave(lw_race_wave_state *wave)
{
    const lw_pending pending = wave->pending;
    const lw_race_flights flights = wave->flights;
    drop_clocks(wave);
    lw_race_gates_free_wave(wave);
    memset(wave, 0, sizeof(*wave));
    wave->pending = pending;
    wave->flights = flights;
    lw_race_async_begin_wave(wave);
    wave->live = lw_pending_begin(&wave->pending, 0);
    wave->time = wave->met = 1;
}

static void wave_begin(void *context, const lw_event *event)
{
    lw_races *r = context;
    r->arch = event->arch;
    r->target = lw_pending_target_of(event->arch);
    r->threads = strcmp(lw_arch_get(event->arch)->vendor, "NVIDIA") == 0;
    r->judge.judge = r->threads ? lw_race_threads_judge : lw_race_waves_judge;
    r->judge.lanes_matter = r->threads;
    r->split_l0 = lw_event_splits_l0(event);
    if (!r->target && !r->threads)
        return;
    if (event->wave >= LW_RACE_WAVES) {
        lw_check_unchecked(&r->check, "waves 32 and up of a workgroup");
        return;
    }
    lw_race_group_state *g = find_group(r, event);
    if (!g && !(g = begin_group(r, event)))
        return;
    lw_race_wave_state **wave = &g->wave[event->wave];
    if (!*wave)
        *wave = calloc(1, sizeof(**wave));
    if (!*wave)
        return;
    begin_wave(*wave);
    g->live++;
    uint32_t other[3];
    if (r->threads || lw_event_cluster_block(event, 1, other))
        lw_race_clusters_begin(r, event);
    g->waves = g->waves > event->wave ? g->waves : event->wave + 1;
}

/* Sets group and wave of the event; false: not followed. */
static bool find_wave(lw_races *r, const lw_event *event)
{
    r->group = find_group(r, event);
    r->wave = r->group && event->wave < LW_RACE_WAVES ? r->group->wave[event->wave] : NULL;
    return r->wave && r->wave->live;
}

static void end_operations(lw_races *r, const lw_event *event)
{
    lw_race_waves_arrive(r, r->wave, event->wave);
    r->wave->known.at[event->wave][LW_PENDING_LDS] = (uint32_t)r->wave->pending.issued[LW_PENDING_LDS];
}

static void wave_end(void *context, const lw_event *event)
{
    lw_races *r = context;
    if (!find_wave(r, event) || r->wave->ended)
        return;
    if (r->threads)
        lw_race_threads_end(r->wave, event->wave);
    else
        end_operations(r, event);
    lw_race_clusters_end(r, event);
    r->wave->arrived = false;
    r->wave->ended = true;
    r->group->live--;
}

/* ---- Places ---- */

/* A launch begins: everything before it is ordered. */
static void forget(lw_races *r)
{
    lw_race_regions_free(&r->regions);
    lw_race_syncs_free(&r->syncs);
    r->beyond = r->clustered = false;
}

void lw_race_give(const lw_races *races, lw_race_clock *clock, bool relaxed)
{
    const lw_race_wave_state *wave = races->wave;
    if (relaxed && !wave->has_released)
        return;
    lw_race_clock_add(clock, races->group->number, relaxed ? &wave->released : &wave->known);
    lw_race_clock_join(clock, &wave->others);
}

void lw_race_take(const lw_races *races, const lw_race_clock *clock)
{
    lw_race_wave_state *wave = races->wave;
    for (size_t i = 0; i < clock->count; i++)
        if (clock->of[i].group == races->group->number)
            lw_race_join(&wave->known, &clock->of[i].times, LW_RACE_WAVES);
        else
            lw_race_clock_add(&wave->others, clock->of[i].group, &clock->of[i].times);
}

void lw_races_go_beyond(lw_races *r, const char *sentence)
{
    lw_check_unchecked(&r->check, sentence);
    r->beyond = true;
    lw_finding_free(&r->check.findings);
}

static bool is_memory(const lw_facts *f)
{
    const bool space = f->kind == LW_CLASS_GLOBAL || f->kind == LW_CLASS_GENERIC || f->kind == LW_CLASS_LDS ||
                       f->kind == LW_CLASS_SCALAR_MEMORY;
    return (space || f->kind == LW_CLASS_VECTOR) && (f->memory.load || f->memory.store);
}

/* The register that holds the first four bytes of a store. */
static void find_data(lw_race_place *p, const lw_facts *f)
{
    p->data = -1;
    for (size_t i = f->operand_count; i-- > 0;)
        if (f->operands[i].role == LW_ROLE_DATA && f->operands[i].is_register) {
            p->data_file = f->operands[i].file;
            p->data = f->operands[i].first;
        }
}

/* gfx1250: a named barrier or the cluster's, but for waits. */
static bool is_gate(const lw_race_place *p)
{
    return (p->sync == LW_SYNC_NAMED || p->sync == LW_SYNC_CLUSTER) && p->step != LW_ASYNC_WAITS;
}

static uint32_t seen_of(const lw_races *r, const lw_race_place *p)
{
    const uint32_t across = r->clustered ? LW_SEE_CLUSTER : 0u;
    if (!r->threads && is_gate(p))
        return LW_SEE_AFTER;
    if (p->memory && !(r->threads && lw_race_is_async(p)))
        return LW_SEE_AFTER | LW_SEE_ACCESSES | LW_SEE_RUNS | LW_SEE_ONCE | across;
    if (p->memory || lw_race_is_async(p))
        return LW_SEE_AFTER | LW_SEE_ACCESSES | across;
    const bool wanted =
        p->kind.issues || p->kind.waits || p->class == LW_CLASS_BARRIER || p->order || p->sync;
    return wanted ? LW_SEE_BEFORE : LW_SEE_NOTHING;
}

static uint32_t decoded(void *context, const lw_event *event)
{
    lw_races *r = context;
    const lw_facts *f = event->facts;
    uint32_t other[3];
    if (event->place == 0)
        forget(r);
    if (event->place == 0)
        r->clustered = lw_event_cluster_block(event, 1, other);
    if (!r->target && !r->threads) {
        lw_check_unchecked(&r->check, "the counters of this target are not known here: nothing was checked");
        return LW_SEE_NOTHING;
    }
    lw_race_place *p = lw_note_of(&r->places, event->place);
    if (!p)
        return LW_SEE_NOTHING;
    memset(p, 0, sizeof(*p));
    lw_pending_kind_of(&p->kind, f);
    lw_finding_at_event(&p->at, event);
    p->class = f->kind;
    p->scope = f->memory.scope;
    p->order = f->memory.order;
    p->bytes = f->memory.bytes;
    p->memory = is_memory(f);
    p->loads = f->memory.load;
    p->stores = f->memory.store;
    p->sync = f->sync;
    p->barrier = f->barrier >= 0 ? (unsigned)f->barrier : 0;
    p->named = f->barrier;
    p->groups = f->kind == LW_CLASS_BARRIER && f->barrier >= 0;
    find_data(p, f);
    p->atomic = f->memory.load && f->memory.store && !f->memory.to_lds;
    p->channel = r->threads ? 0 : p->kind.class;
    lw_race_async_decoded(p, f);
    p->known = true;
    return seen_of(r, p);
}

static lw_race_place *place_of(lw_races *r, const lw_event *event)
{
    lw_race_place *p = lw_note_of(&r->places, event->place);
    return p && p->known ? p : NULL;
}

/* ---- Executions ---- */

static void count(lw_races *r, const lw_race_place *p, uint32_t place)
{
    if (p->kind.waits)
        lw_pending_wait(&r->wave->pending, r->target, &p->kind);
    if (!p->kind.issues)
        return;
    lw_pending_make_room(&r->wave->pending, r->target, &p->kind);
    lw_pending_issue(&r->wave->pending, &p->kind, place);
}

static void come_to_barrier(lw_races *r, const lw_event *event)
{
    lw_race_wave_state *wave = r->wave;
    if (r->place->sync == LW_SYNC_ARRIVE)
        lw_race_waves_signal(r, wave, event->wave);
    else if (r->place->sync && r->place->step == LW_ASYNC_WAITS)
        lw_race_gates_wait(r);
    else if (r->place->groups && wave->gave)
        lw_race_waves_wait(wave);
    else if (r->place->groups)
        lw_race_waves_arrive(r, wave, event->wave);
}

static void before(void *context, const lw_event *event)
{
    lw_races *r = context;
    r->place = place_of(r, event);
    if (!r->place || r->beyond || !find_wave(r, event))
        return;
    if (r->threads) {
        if (r->wave->cluster_waits)
            lw_race_clusters_continue(r, event);
        lw_race_threads_sync(r, event);
        return;
    }
    if (r->wave->waits_at)
        lw_race_gates_continue(r);
    count(r, r->place, event->place);
    come_to_barrier(r, event);
    if (r->place->order && (r->place->channel == LW_PENDING_VMEM || r->place->scope >= LW_SCOPE_DEVICE))
        lw_race_caches_use(r, event->wave);
    else if (r->place->order == LW_ORDER_ACQUIRE)
        r->wave->scalar_fresh = true;
}

static void barrier(void *context, const lw_event *event)
{
    lw_races *r = context;
    if (!find_wave(r, event))
        return;
    if (r->threads && r->wave->cluster_waits)
        return; /* the cluster's: each warp learns when it continues */
    if (r->threads)
        lw_race_threads_pass(r->group, r->wave);
    else
        lw_race_waves_pass(r, r->group);
}

static uint32_t marks_of(const lw_races *r, const lw_event *event)
{
    const lw_race_place *p = r->place;
    const bool all_scopes = lw_race_has_scopes(r->arch);
    uint32_t how = 0;
    if (r->threads)
        return (p->scope > LW_SCOPE_WAVE ? LW_RACE_ATOMIC : 0u) |
               (p->scope >= LW_SCOPE_DEVICE ? LW_RACE_WIDE : 0u);
    if (p->atomic || (p->class != LW_CLASS_LDS && p->scope >= lw_race_atomic_scope(r->arch) && p->bytes <= 8))
        how = LW_RACE_ATOMIC | (p->atomic || p->scope >= LW_SCOPE_DEVICE || !all_scopes ? LW_RACE_WIDE : 0u);
    if (!how && p->stores && !all_scopes && p->bytes <= 8 && p->class != LW_CLASS_LDS)
        how = event->exec & (event->exec - 1) ? 0 : LW_RACE_FLAG;
    return how;
}

/* The lines of a region; NULL: not followed. */
static lw_race_lines *lines_of(lw_races *r, const lw_memory_access *a, const lw_event_region *seen)
{
    if (a->space == LW_SPACE_LDS) {
        r->judge.lost = r->judge.lost || !r->group->lds.of;
        return r->group->lds.of ? &r->group->lds : NULL;
    }
    /* blocks of a kernel's malloc are reused */
    if (strcmp(seen->name, "the heap of malloc") == 0) {
        lw_check_unchecked(&r->check, "memory that kernels allocate");
        return NULL;
    }
    lw_race_lines *lines = lw_race_region_lines(&r->regions, seen);
    r->judge.lost = r->judge.lost || !lines;
    return lines;
}

static void tell_lost(lw_races *r)
{
    if (r->judge.lost)
        lw_check_unchecked(&r->check, "accesses for which the host had no memory");
    r->judge.lost = false;
}

void lw_races_touch(lw_races *r, const lw_event *event, const lw_memory_access *a, lw_race_record record)
{
    const unsigned which = a->space == LW_SPACE_LDS;
    lw_event_region *seen = &r->seen[which];
    const uint32_t place = event->place < LW_RACE_PLACES - 1 ? event->place : LW_RACE_PLACES - 1;
    if (a->dropped || a->space == LW_SPACE_SCRATCH || !a->size)
        return;
    record.how |= place << LW_RACE_PLACE_SHIFT;
    if (a->block) {
        lw_race_clusters_touch(r, event, a, record);
        return;
    }
    /* most lanes access the same region as the previous one */
    if (!r->lines[which] || a->address - seen->base >= seen->size)
        r->lines[which] = lw_event_region_at(event, a->space, a->address, seen) ? lines_of(r, a, seen) : NULL;
    tell_lost(r);
    if (!r->lines[which] || a->size * (1 + (uint64_t)a->more) > seen->size - (a->address - seen->base))
        return;
    r->space = a->space;
    r->block = 0;
    lw_race_touch(&r->judge, event, r->lines[which], seen, a, record);
    tell_lost(r);
}

/* The accesses of an instruction begin. */
static void begin_accesses(lw_races *r)
{
    r->judge.last.index = 0;
    r->execution++;
    r->lines[0] = r->lines[1] = NULL;
}

static void arrived(void *context, const lw_event *event)
{
    lw_races *r = context;
    r->place = place_of(r, event);
    if (!r->place || r->beyond || !find_wave(r, event))
        return;
    begin_accesses(r);
    if (r->threads)
        lw_race_async_arrived(r, event);
    else
        lw_race_cells_arrived(r, event);
}

static void after(void *context, const lw_event *event)
{
    lw_races *r = context;
    r->place = place_of(r, event);
    if (!r->place || r->beyond || !find_wave(r, event))
        return;
    begin_accesses(r);
    if (r->wave->cluster_waits) /* only in PTX: it has left the cluster's barrier before */
        lw_race_clusters_continue(r, event);
    if (r->threads && lw_race_is_async(r->place)) {
        lw_race_async_after(r, event);
        return;
    }
    if (!r->threads && r->wave->waits_at)
        lw_race_gates_continue(r);
    if (!r->threads && is_gate(r->place)) {
        lw_race_gates_after(r, event);
        return;
    }
    if (!r->threads)
        count(r, r->place, event->place);
    lw_race_record record = { .index = r->threads ? r->wave->time
                                                  : (uint32_t)r->wave->pending.issued[r->place->channel],
                              .who = r->group->number << LW_RACE_WAVE_BITS | event->wave,
                              .how = marks_of(r, event) };
    if (r->threads)
        lw_race_threads_flags(r, event);
    else if (r->place->sync != LW_SYNC_OBJECT &&
             (r->place->atomic || record.how & (LW_RACE_ATOMIC | LW_RACE_FLAG)))
        lw_race_waves_flags(r, event, &record);
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        const bool global =
            a->space == LW_SPACE_GLOBAL && !r->threads && r->place->channel == LW_PENDING_VMEM;
        const uint32_t channel = global ? LW_RACE_GLOBAL : r->place->channel;
        lw_race_record mine = record;
        mine.how |= channel << 6;
        if (!a->object || r->place->completion == LW_COMPLETION_OBJECT) /* else a copy's arrival */
            lw_races_touch(r, event, a, mine);
    }
    if (!r->threads)
        lw_race_cells_after(r, event);
}

/* ---- The check ---- */

static bool begin(lw_check *check)
{
    lw_races *r = (lw_races *)check;
    r->places.item_size = sizeof(lw_race_place);
    r->judge = (lw_race_judge){ .judge = lw_race_waves_judge, .tell = lw_race_tell, .context = r };
    check->observer.decoded = decoded;
    check->observer.before = before;
    check->observer.after = after;
    check->observer.arrived = arrived;
    check->observer.barrier = barrier;
    check->observer.wave_begin = wave_begin;
    check->observer.wave_end = wave_end;
    lw_check_unchecked(check,
                       "paths that no wave took; orders of flag accesses other than those of this run");
    return true;
}

static void release(lw_check *check)
{
    lw_races *r = (lw_races *)check;
    forget(r);
    lw_race_clusters_free(r);
    for (size_t i = 0; i < r->group_count; i++) {
        for (unsigned w = 0; w < LW_RACE_WAVES; w++) {
            if (!r->groups[i]->wave[w])
                continue;
            drop_clocks(r->groups[i]->wave[w]);
            lw_race_gates_free_wave(r->groups[i]->wave[w]);
            lw_race_async_free_wave(r->groups[i]->wave[w]);
            lw_pending_release(&r->groups[i]->wave[w]->pending);
            free(r->groups[i]->wave[w]);
        }
        lw_race_async_free_group(r->groups[i]);
        lw_race_gates_free_group(r->groups[i]);
        lw_race_lines_free(&r->groups[i]->lds);
        free(r->groups[i]);
    }
    free(r->groups);
    lw_note_free(&r->places);
}

const lw_check_row lw_check_races = {
    .name = "races",
    .summary = "unordered accesses to the same bytes by two waves or threads",
    .size = sizeof(lw_races),
    .begin = begin,
    .release = release,
};
