/* SPDX-License-Identifier: MIT */
/* A workgroup as a resumable context: its memory, its waves' turns, barriers. */
#include <stdlib.h>

#include "emu/amdgpu/memory/lds_dma.h"
#include "emu/amdgpu/control/waits.h"

enum {
    QUANTUM = 1 << 20,    /* instructions before a wave that neither ends nor waits must let others run */
    RANDOM_QUANTUM = 256, /* at most, in the random schedule */
    IDLE_ROUNDS = 256,    /* rounds without progress before other workgroups get a turn */
    RANDOM_IDLE_ROUNDS = 1 << 14,
    CLOCK_SLICE = 1 << 12,  /* instructions between two looks at the time limit */
    WATCH_ROUNDS = 16,      /* rounds without progress before a group is watched for livelock */
    WATCH_AFTER = 1 << 23,  /* instructions from the end of a watch to the next one */
    WATCH_ALWAYS = 1 << 24, /* instructions without a watch before progress is no excuse */
};

static size_t align_up(size_t n)
{
    return (n + 63) & ~(size_t)63;
}

static size_t wave_bytes(const lw_machine *m)
{
    const size_t registers = (size_t)(m->vgprs + m->agprs) * LW_LANES * sizeof(uint32_t);
    return align_up(registers + (size_t)m->scratch_size * LW_LANES);
}

static uint32_t most_waves(const lw_machine *m)
{
    if (m->raw)
        return (uint32_t)m->raw_count;
    const uint64_t items = (uint64_t)m->block[0] * m->block[1] * m->block[2];
    return (uint32_t)((items + LW_LANES - 1) / LW_LANES);
}

static void fill_words(void *bytes, size_t size, uint32_t value)
{
    unsigned char *p = bytes;
    for (size_t i = 0; i + 4 <= size; i += 4)
        memcpy(p + i, &value, 4);
}

/* Header, waves, LDS, then the registers and scratch of each wave. */
size_t lw_group_bytes(const lw_machine *m)
{
    const size_t waves = most_waves(m);
    const size_t head = align_up(sizeof(lw_amd_group)) + align_up(waves * sizeof(lw_wave));
    return align_up(head + align_up(m->lds_size) + waves * wave_bytes(m));
}

static void carve_group(lw_amd_group *g, const lw_machine *m)
{
    uint8_t *at = (uint8_t *)g + align_up(sizeof(lw_amd_group));
    g->waves = (lw_wave *)(void *)at;
    at += align_up(most_waves(m) * sizeof(lw_wave));
    g->lds = at;
    at += align_up(m->lds_size);
    for (uint32_t i = 0; i < g->wave_count; i++, at += wave_bytes(m)) {
        lw_wave *w = &g->waves[i];
        memset(w, 0, sizeof(*w));
        fill_words(at, wave_bytes(m), m->poison);
        w->vgpr = (uint32_t *)(void *)at;
        w->agpr = w->vgpr + (size_t)m->vgprs * LW_LANES;
        w->scratch = at + (size_t)(m->vgprs + m->agprs) * LW_LANES * sizeof(uint32_t);
    }
}

static void init_wave(lw_amd_group *g, uint32_t index)
{
    const lw_machine *m = g->machine;
    lw_wave *w = &g->waves[index];
    w->vgprs = (uint16_t)m->vgpr_limit;
    w->accum = (uint16_t)m->vgprs;
    w->agprs = (uint16_t)m->agprs;
    w->sgprs = LW_SGPR_COUNT;
    w->lanes = LW_LANES;
    w->arch = m->arch;
    w->pc = m->entry;
    w->group = g;
    w->fault = &g->worker->fault;
    w->scratch_size = m->scratch_size;
    w->id = index;
    lw_start_wave(w);
}

lw_amd_group *lw_group_create(lw_worker *worker, uint64_t linear, const uint32_t id[3])
{
    lw_machine *m = worker->machine;
    lw_amd_group *g = worker->spare;
    worker->spare = NULL;
    if (!g)
        g = aligned_alloc(64, lw_group_bytes(m));
    if (!g)
        return NULL;
    *g = (lw_amd_group){ .worker = worker,
                         .machine = m,
                         .linear = linear,
                         .lds_size = m->lds_size,
                         .watch_left = WATCH_ALWAYS - WATCH_AFTER };
    g->copies.pool = &worker->copies;
    memcpy(g->id, id, sizeof(g->id));
    g->wave_count = lw_start_waves(m, id);
    carve_group(g, m);
    if (m->raw_lds)
        memcpy(g->lds, m->raw_lds, m->lds_size);
    else
        fill_words(g->lds, m->lds_size, m->poison);
    for (uint32_t i = 0; i < g->wave_count; i++) {
        init_wave(g, i);
        worker->waves++;
        if (m->observer_count)
            lw_observe(LW_HOOK_WAVE_BEGIN, &g->waves[i], NULL);
    }
    return g;
}

static void save_raw_state(const lw_amd_group *g)
{
    const lw_machine *m = g->machine;
    for (uint32_t i = 0; i < g->wave_count; i++) {
        const lw_wave *w = &g->waves[i];
        lw_wave_state *s = &m->raw[i];
        if (s->vgprs)
            memcpy(s->vgpr, w->vgpr, (size_t)s->vgprs * LW_LANES * sizeof(uint32_t));
        if (s->agprs)
            memcpy(s->agpr, w->agpr, (size_t)s->agprs * LW_LANES * sizeof(uint32_t));
        memcpy(s->sgpr, w->sgpr, sizeof(s->sgpr));
        s->scc = w->scc;
        s->mode = w->mode;
    }
    if (m->raw_lds)
        memcpy(m->raw_lds, g->lds, g->lds_size);
}

void lw_group_release(lw_worker *worker, lw_amd_group *group)
{
    lw_copies_drop(&group->copies);
    if (group->machine->raw)
        save_raw_state(group);
    lw_still_free(group);
    if (worker->spare)
        free(group);
    else
        worker->spare = group;
}

static uint64_t draw(lw_amd_group *g)
{
    return lw_grid_hash(g->machine->seed ^ lw_grid_hash(g->machine->seed, g->linear), g->turns++);
}

/* Ended waves count as arrived. True if a barrier was passed. */
static bool pass_barrier(lw_amd_group *g)
{
    lw_wave *last = NULL;
    for (uint32_t i = 0; i < g->wave_count; i++) {
        if (g->waves[i].state == LW_WAVE_READY || g->waves[i].state == LW_WAVE_WAITS)
            return false;
        if (g->waves[i].state == LW_WAVE_AT_BARRIER)
            last = &g->waves[i];
    }
    if (!last)
        return false;
    for (uint32_t i = 0; i < g->wave_count; i++)
        if (g->waves[i].state == LW_WAVE_AT_BARRIER)
            g->waves[i].state = LW_WAVE_READY;
    if (g->machine->observer_count)
        lw_observe(LW_HOOK_BARRIER, last, NULL);
    return true;
}

/* What the waves' turns of one round came to. */
typedef struct round_end {
    bool progress;    /* a wave ended, or waits for others */
    bool working;     /* a wave yields or was cut short, and its registers change: it does not spin */
    bool turned_over; /* a wave used up its quantum */
} round_end;

/* Books how a wave's turn ended; true if that is progress. */
static bool settle_turn(lw_amd_group *g, lw_wave *w, lw_run_end end)
{
    if (end == LW_RUN_ENDED) {
        w->state = LW_WAVE_ENDED;
        if (g->machine->observer_count)
            lw_observe(LW_HOOK_WAVE_END, w, NULL);
        return true;
    }
    if (end == LW_RUN_BARRIER) {
        w->state = LW_WAVE_AT_BARRIER;
        return true;
    }
    if (end == LW_RUN_WAIT) {
        w->state = LW_WAVE_WAITS;
        return true;
    }
    return false;
}

static uint64_t quantum_of(lw_amd_group *g, const lw_wave *w)
{
    const lw_machine *m = g->machine;
    const uint64_t quantum = m->schedule == LW_SCHEDULE_RANDOM ? 1 + draw(g) % RANDOM_QUANTUM : QUANTUM;
    const uint64_t left = m->budget ? m->budget - w->executed : UINT64_MAX;
    return quantum < left ? quantum : left;
}

static bool is_late(const lw_machine *m)
{
    return m->stop_at && lw_stand_clock() >= m->stop_at;
}

/* Runs a wave for its quantum, in slices where there is a time limit to be kept. */
static lw_run_end run_quantum(lw_worker *worker, const lw_amd_group *g, lw_wave *w, uint64_t quantum)
{
    const lw_machine *m = g->machine;
    lw_run_end end;
    uint64_t ran;
    do {
        const uint64_t slice = m->stop_at && quantum > CLOCK_SLICE ? CLOCK_SLICE : quantum;
        const uint64_t before = worker->executed;
        end = (g->watching ? lw_still_run : lw_run_wave)(worker, w, slice);
        ran = worker->executed - before;
        quantum -= ran;
    } while (end == LW_RUN_TURN_OVER && quantum && ran && !is_late(m));
    return end;
}

/* Gives one wave its turn. */
static lw_group_state turn(lw_worker *worker, lw_amd_group *g, lw_wave *w, round_end *r)
{
    const lw_machine *m = g->machine;
    const uint64_t quantum = quantum_of(g, w), before = worker->executed;
    uint64_t period;
    if (!quantum)
        return LW_GROUP_BUDGET;
    const lw_run_end end = run_quantum(worker, g, w, quantum);
    const uint64_t executed = worker->executed - before;
    if (end == LW_RUN_FAULT || (end == LW_RUN_ENDED && !lw_lds_dma_complete(w, UINT64_MAX)))
        return LW_GROUP_FAULT;
    if (settle_turn(g, w, end))
        r->progress = true;
    else if (m->budget && w->executed >= m->budget)
        return LW_GROUP_BUDGET;
    else if (end == LW_RUN_YIELD ? !lw_wave_sleeps_again(w)
                                 : executed < QUANTUM && !lw_still_repeats(w, &period))
        r->working = true;
    r->turned_over = r->turned_over || executed >= QUANTUM;
    if (g->copies.first && !lw_lds_dma_drift(g))
        return LW_GROUP_FAULT;
    return is_late(m) ? LW_GROUP_STOPPED : LW_GROUP_DONE;
}

static bool all_ended(const lw_amd_group *g)
{
    for (uint32_t i = 0; i < g->wave_count; i++)
        if (g->waves[i].state != LW_WAVE_ENDED)
            return false;
    return true;
}

/* One turn for each wave that can go on. */
static lw_group_state run_round(lw_worker *worker, lw_amd_group *g, round_end *r)
{
    const uint32_t first =
        g->machine->schedule == LW_SCHEDULE_RANDOM ? (uint32_t)(draw(g) % g->wave_count) : 0;
    for (uint32_t i = 0; i < g->wave_count; i++) {
        lw_wave *w = &g->waves[(first + i) % g->wave_count];
        if (w->state != LW_WAVE_READY)
            continue;
        const lw_group_state state = turn(worker, g, w, r);
        if (state != LW_GROUP_DONE)
            return state;
    }
    return LW_GROUP_DONE;
}

/*
 * Watching costs time, so a group is watched for a while when it seems to spin, and now and then in any case:
 * waves may pass barriers for ever.
 */
static void adjust_watch(lw_worker *worker, lw_amd_group *g, uint64_t ran, bool spins)
{
    g->watch_left = g->watch_left > ran ? g->watch_left - ran : 0;
    if (g->watching && !g->watch_left) {
        g->watching = false;
        g->watch_left = WATCH_ALWAYS;
    } else if (!g->watching && (spins ? g->watch_left <= WATCH_ALWAYS - WATCH_AFTER : !g->watch_left)) {
        lw_still_begin(worker, g);
    }
}

/* No wave made progress: the copies that one waits for complete if the others only spin. */
static lw_group_state let_copies_arrive(lw_amd_group *g, const round_end *r, unsigned patience)
{
    lw_wave *waiting = lw_waiting_wave(g);
    if (!waiting || (r->working && g->idle < patience))
        return LW_GROUP_SPINNING;
    if (!lw_lds_dma_complete(waiting, waiting->wait_limit))
        return LW_GROUP_FAULT;
    waiting->state = LW_WAVE_READY;
    g->idle = 0;
    return LW_GROUP_DONE;
}

lw_group_state lw_group_step(lw_worker *worker, lw_amd_group *g)
{
    const unsigned patience = g->machine->schedule == LW_SCHEDULE_RANDOM ? RANDOM_IDLE_ROUNDS : IDLE_ROUNDS;
    g->idle = 0;
    while (!all_ended(g)) {
        round_end r = { false, false, false };
        const uint64_t before = worker->executed;
        lw_group_state state = run_round(worker, g, &r);
        if (state != LW_GROUP_DONE)
            return state;
        if (pass_barrier(g))
            r.progress = true;
        g->idle = r.progress ? 0 : g->idle + 1;
        if (g->watching && lw_still_all(g))
            return LW_GROUP_STILL;
        adjust_watch(worker, g, worker->executed - before, r.turned_over || g->idle >= WATCH_ROUNDS);
        if (r.progress)
            continue;
        state = let_copies_arrive(g, &r, patience);
        if (state == LW_GROUP_FAULT)
            return state;
        if (state == LW_GROUP_SPINNING && (r.turned_over || g->idle >= patience))
            return LW_GROUP_SPINNING;
    }
    return LW_GROUP_DONE;
}
