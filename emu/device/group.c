/* SPDX-License-Identifier: MIT */
/* A workgroup as a resumable context: its memory, its waves' turns, its barriers. */
#include <stdlib.h>
#include <string.h>

#include "emu/device/session.h"

enum {
    QUANTUM = 1 << 20,    /* a wave's turn in instructions, unless it ends or waits before */
    RANDOM_QUANTUM = 256, /* the most, with the random schedule */
    IDLE_ROUNDS = 256,    /* rounds without progress before other workgroups get a turn */
    RANDOM_IDLE_ROUNDS = 1 << 14,
    SLICE = 1 << 9,           /* instructions between two checks of the clock and of cancellation */
    COMPARE_ROUNDS = 16,      /* rounds without progress before a group is checked for livelock */
    COMPARE_AFTER = 1 << 23,  /* instructions from the end of comparing to its next start */
    COMPARE_ALWAYS = 1 << 24, /* instructions without comparing after which it starts in spite of progress */
};

lw_wave_head *lw_group_wave(const lw_group *g, uint32_t index)
{
    return (lw_wave_head *)(void *)(g->waves + index * g->session->wave_bytes);
}

static void fill_words(void *bytes, size_t size, uint32_t value)
{
    unsigned char *p = bytes;
    for (size_t i = 0; i + 4 <= size; i += 4)
        memcpy(p + i, &value, 4);
}

/* Header, waves, LDS, then each wave's area. */
size_t lw_group_bytes(const lw_session *s)
{
    return lw_group_align(sizeof(lw_group)) + s->most_waves * (s->wave_bytes + s->area_bytes) +
           s->ranks * lw_group_align(s->lds_size);
}

uint32_t lw_group_ranks(const lw_group *g)
{
    return g->session->ranks;
}

uint8_t *lw_group_lds(const lw_group *g, uint32_t rank)
{
    return g->lds + rank * lw_group_align(g->lds_size);
}

static uint8_t *area_of(const lw_group *g, uint32_t index)
{
    return lw_group_lds(g, g->session->ranks) + index * g->session->area_bytes;
}

/* Ranks count x fastest. */
static void place_of(const lw_session *s, const uint32_t group[3], uint32_t rank, uint32_t id[3])
{
    for (int d = 0; d < 3; d++) {
        id[d] = group[d] * s->cluster[d] + rank % s->cluster[d];
        rank /= s->cluster[d];
    }
}

void lw_wave_workgroup(const lw_wave_head *w, uint32_t id[3])
{
    place_of(w->group->session, w->group->id, w->rank, id);
}

bool lw_event_cluster_block(const lw_event *event, unsigned rank, uint32_t workgroup[3])
{
    const lw_group *g = event->state->wave->group;
    if (rank >= lw_group_ranks(g))
        return false;
    place_of(g->session, g->id, rank, workgroup);
    return true;
}

void lw_group_attach(lw_group *g)
{
    const lw_session *s = g->session;
    g->waves = (uint8_t *)g + lw_group_align(sizeof(*g));
    g->lds = g->waves + s->most_waves * s->wave_bytes;
    for (uint32_t i = 0; i < g->wave_count; i++) {
        lw_wave_head *w = lw_group_wave(g, i);
        w->group = g;
        w->fault = &g->worker->fault;
        s->machine->attach(w, area_of(g, i));
    }
}

void lw_group_extent(const lw_session *s, const uint32_t id[3], uint32_t extent[3])
{
    for (int d = 0; d < 3; d++) {
        const uint64_t left = s->items[d] - (uint64_t)id[d] * s->block[d];
        extent[d] = left < s->block[d] ? (uint32_t)left : s->block[d];
    }
}

/* Partial workgroups have fewer waves. */
static uint32_t count_waves(const lw_session *s, const uint32_t id[3])
{
    uint32_t e[3], first[3];
    place_of(s, id, 0, first);
    lw_group_extent(s, first, e);
    return (uint32_t)(((uint64_t)e[0] * e[1] * e[2] + s->lanes - 1) / s->lanes) * s->ranks;
}

static void start_wave(lw_group *g, uint32_t index)
{
    const lw_session *s = g->session;
    lw_wave_head *w = lw_group_wave(g, index);
    w->id = index;
    w->rank = index / (g->wave_count / s->ranks);
    w->place = index % (g->wave_count / s->ranks);
    w->pc = s->entry;
    s->machine->start(w);
    g->worker->waves++;
    if (g->worker->observed)
        lw_observe(LW_HOOK_WAVE_BEGIN, w);
    lw_pause_note(g->worker->session, w, LW_PAUSE_WAVE_BEGAN);
}

bool lw_group_has_room(const lw_worker *worker)
{
    const lw_session *s = worker->session;
    return worker->spare || worker->groups == 0 || lw_memory_room(s->memory) >= lw_group_bytes(s);
}

void lw_group_charge(lw_worker *worker, size_t groups)
{
    const lw_session *s = worker->session;
    const size_t paid = groups && worker->groups == 0;
    lw_keeper_charge(s->memory->keeper, (groups - paid) * (uint64_t)lw_group_bytes(s));
    worker->groups += groups;
}

void lw_group_free(lw_worker *worker, lw_group *g)
{
    const lw_session *s = worker->session;
    if (g && --worker->groups > 0)
        lw_keeper_give(s->memory->keeper, lw_group_bytes(s));
    free(g);
}

/* NULL: no host memory, or none left within the limit. */
static lw_group *new_group(lw_worker *worker)
{
    lw_group *g = worker->spare;
    worker->spare = NULL;
    if (g)
        return g;
    g = lw_group_has_room(worker) ? aligned_alloc(64, lw_group_bytes(worker->session)) : NULL;
    if (g)
        lw_group_charge(worker, 1);
    return g;
}

lw_group *lw_group_create(lw_worker *worker, uint64_t linear, const uint32_t id[3])
{
    lw_session *s = worker->session;
    lw_group *g = new_group(worker);
    if (!g)
        return NULL;
    *g = (lw_group){ .worker = worker,
                     .session = s,
                     .linear = linear,
                     .lds_size = s->lds_size,
                     .compare_left = COMPARE_ALWAYS - COMPARE_AFTER };
    g->copies.pool = &worker->copies;
    memcpy(g->id, id, sizeof(g->id));
    g->wave_count = count_waves(s, id);
    memset((uint8_t *)g + lw_group_align(sizeof(*g)), 0, s->most_waves * s->wave_bytes);
    lw_group_attach(g);
    fill_words(area_of(g, 0), g->wave_count * s->area_bytes, s->poison);
    if (s->given.lds)
        memcpy(g->lds, s->given.lds, s->lds_size);
    for (uint32_t r = 0; r < s->ranks && !s->given.lds; r++)
        fill_words(lw_group_lds(g, r), s->lds_size, s->poison);
    for (uint32_t i = 0; i < g->wave_count; i++)
        start_wave(g, i);
    return g;
}

void lw_group_release(lw_worker *worker, lw_group *g)
{
    lw_copies_drop(&g->copies);
    if (g->session->machine->end)
        g->session->machine->end(g);
    lw_still_free(g);
    if (worker->spare)
        lw_group_free(worker, g);
    else
        worker->spare = g;
}

static uint64_t draw(lw_group *g)
{
    const uint64_t seed = g->session->seed;
    return lw_grid_hash(seed ^ lw_grid_hash(seed, g->linear), g->turns++);
}

/* ---- Barriers ---- */

/* Have all waves arrived at the barrier where `w` waits? Ended waves count if it waits for all. */
static bool is_complete(const lw_group *g, const lw_wave_head *w)
{
    uint32_t here = g->arrived[w->barrier], ended = 0, all = 0;
    for (uint32_t i = 0; i < g->wave_count; i++) {
        const lw_wave_head *x = lw_group_wave(g, i);
        if (!lw_wave_is_of(x, w->barrier))
            continue;
        here += x->state == LW_WAVE_AT_BARRIER && x->barrier == w->barrier;
        ended += x->state == LW_WAVE_ENDED;
        all++;
    }
    if (w->expected == LW_OPENED_BY_SIGNAL)
        return false;
    return w->expected ? here >= w->expected : here + ended >= all;
}

/* Gives every wave at the barrier the votes of all of them. */
static void count_votes(lw_group *g, unsigned barrier)
{
    uint32_t voters = 0, ayes = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < g->wave_count; i++) {
            lw_wave_head *w = lw_group_wave(g, i);
            if (w->state != LW_WAVE_AT_BARRIER || w->barrier != barrier)
                continue;
            voters += pass ? 0 : w->voters;
            ayes += pass ? 0 : w->ayes;
            w->voters = pass ? voters : w->voters;
            w->ayes = pass ? ayes : w->ayes;
        }
}

static void open_barrier(lw_group *g, unsigned barrier)
{
    lw_wave_head *last = NULL;
    g->arrived[barrier] = 0;
    g->opened[barrier]++;
    count_votes(g, barrier);
    for (uint32_t i = 0; i < g->wave_count; i++) {
        lw_wave_head *w = lw_group_wave(g, i);
        if (w->state != LW_WAVE_AT_BARRIER || w->barrier != barrier)
            continue;
        w->state = LW_WAVE_READY;
        last = w;
    }
    if (g->worker->observed)
        lw_observe(LW_HOOK_BARRIER, last);
    lw_pause_note(g->worker->session, last, LW_PAUSE_BARRIER);
}

/* True if a barrier was passed. */
static bool pass_barriers(lw_group *g)
{
    bool passed = false;
    for (uint32_t i = 0; i < g->wave_count; i++) {
        const lw_wave_head *w = lw_group_wave(g, i);
        if (w->state != LW_WAVE_AT_BARRIER || !is_complete(g, w))
            continue;
        open_barrier(g, w->barrier);
        passed = true;
    }
    return passed;
}

/* ---- Turns ---- */

/* Accounts for how a wave's turn ended; true if that is progress. */
static bool settle_turn(lw_group *g, lw_wave_head *w, lw_run_end end)
{
    lw_session *s = g->worker->session;
    if (end == LW_RUN_ENDED) {
        w->state = LW_WAVE_ENDED;
        if (g->worker->observed)
            lw_observe(LW_HOOK_WAVE_END, w);
        lw_pause_note(s, w, LW_PAUSE_WAVE_ENDED);
        return true;
    }
    if (end == LW_RUN_BARRIER || end == LW_RUN_WAIT)
        w->state = end == LW_RUN_WAIT ? LW_WAVE_WAITS : LW_WAVE_AT_BARRIER;
    if (end != LW_RUN_TURN_OVER)
        lw_pause_note(s, w, LW_PAUSE_WAITS);
    return end == LW_RUN_BARRIER || end == LW_RUN_WAIT;
}

static uint64_t quantum_of(lw_group *g, const lw_wave_head *w)
{
    const lw_session *s = g->session;
    const uint64_t quantum = s->schedule == LW_SCHEDULE_RANDOM ? 1 + draw(g) % RANDOM_QUANTUM : QUANTUM;
    const uint64_t left = s->budget ? s->budget - w->executed : UINT64_MAX;
    return quantum < left ? quantum : left;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Runs a wave for the rest of its turn, in slices, or until the step pauses. */
static lw_run_end run_turn(lw_worker *worker, lw_group *g, lw_wave_head *w)
{
    lw_session *s = worker->session;
    lw_round *r = &g->round;
    lw_run_end end;
    uint64_t ran;
    do {
        const uint64_t room = s->pausing.active ? lw_pause_room(s, w) : UINT64_MAX;
        if (!room)
            return LW_RUN_TURN_OVER;
        const uint64_t before = worker->executed, left = least(r->quantum - r->ran, r->look - r->ran);
        const uint64_t slice = least(least(SLICE, room), left);
        end = g->comparing ? lw_still_run(worker, w, slice) : s->machine->run(worker, w, slice);
        ran = worker->executed - before;
        r->ran += ran;
        if (s->pausing.active)
            lw_pause_spend(s, w, ran);
        if (r->ran == r->look && end == LW_RUN_TURN_OVER)
            lw_spin_look(r, w);
    } while (end == LW_RUN_TURN_OVER && r->ran < r->quantum && ran && !r->spins && !lw_session_is_late(s));
    return end;
}

/* Gives one wave its turn, or the rest of it. */
static lw_group_state turn(lw_worker *worker, lw_group *g, lw_wave_head *w)
{
    lw_session *s = worker->session;
    lw_round *r = &g->round;
    uint64_t period;
    if (!r->quantum) {
        r->ran = 0;
        r->quantum = quantum_of(g, w);
        lw_spin_begin(r);
        if (!r->quantum)
            return LW_GROUP_BUDGET;
    }
    const lw_run_end end = run_turn(worker, g, w);
    if (end == LW_RUN_FAULT || (end == LW_RUN_ENDED && !lw_copies_complete(w, UINT64_MAX)))
        return LW_GROUP_FAULT;
    const bool late = lw_session_is_late(s);
    if (end == LW_RUN_TURN_OVER && r->ran < r->quantum && !r->spins && s->pausing.due && !late)
        return LW_GROUP_PAUSED;
    r->quantum = 0;
    if (settle_turn(g, w, end))
        r->progress = true;
    else if (s->budget && w->executed >= s->budget)
        return LW_GROUP_BUDGET;
    else if (end == LW_RUN_YIELD ? !lw_wave_sleeps_again(w)
                                 : r->ran < QUANTUM && !r->spins && !lw_still_repeats(w, &period))
        r->working = true;
    r->turned_over = r->turned_over || r->ran >= QUANTUM || r->spins;
    r->computes = r->computes || (r->ran >= QUANTUM && !r->spins);
    if (g->copies.first && !lw_group_drift(g))
        return LW_GROUP_FAULT;
    return late ? LW_GROUP_STOPPED : LW_GROUP_DONE;
}

static bool all_ended(const lw_group *g)
{
    for (uint32_t i = 0; i < g->wave_count; i++)
        if (lw_group_wave(g, i)->state != LW_WAVE_ENDED)
            return false;
    return true;
}

/* One turn for each wave that can continue. */
static lw_group_state run_round(lw_worker *worker, lw_group *g)
{
    lw_round *r = &g->round;
    if (!r->begun) {
        const bool random = g->session->schedule == LW_SCHEDULE_RANDOM;
        *r = (lw_round){ .begun = true, .before = worker->executed };
        r->first = random ? (uint32_t)(draw(g) % g->wave_count) : 0;
    }
    while (r->at < g->wave_count) {
        lw_wave_head *w = lw_group_wave(g, (r->first + r->at) % g->wave_count);
        const lw_group_state state = w->state == LW_WAVE_READY ? turn(worker, g, w) : LW_GROUP_DONE;
        if (state != LW_GROUP_DONE)
            return state;
        r->at++;
        if (worker->session->pausing.due)
            return LW_GROUP_PAUSED;
    }
    r->begun = false;
    return LW_GROUP_DONE;
}

/*
 * Comparing takes time. A group is compared for a while when it seems to spin, and occasionally in any case,
 * because waves may pass barriers for ever.
 */
static void adjust_comparing(lw_worker *worker, lw_group *g, uint64_t ran, bool spins)
{
    g->compare_left = g->compare_left > ran ? g->compare_left - ran : 0;
    if (g->comparing && !g->compare_left) {
        g->comparing = false;
        g->compare_left = COMPARE_ALWAYS;
    } else if (!g->comparing &&
               (spins ? g->compare_left <= COMPARE_ALWAYS - COMPARE_AFTER : !g->compare_left)) {
        lw_still_begin(worker, g);
    }
}

/* No wave made progress. If the others only spin, the copies that a wave waits for complete, or else one copy
 * that reports. */
static lw_group_state let_copies_arrive(lw_group *g, unsigned patience)
{
    lw_wave_head *waiting = lw_waiting_wave(g);
    const bool reports = lw_copies_report(&g->copies);
    if ((!waiting && !reports) || (g->round.working && g->idle < patience))
        return LW_GROUP_SPINNING;
    if (waiting ? !lw_copies_complete(waiting, waiting->wait_limit) : !lw_copies_complete_first(g))
        return LW_GROUP_FAULT;
    if (waiting)
        waiting->state = LW_WAVE_READY;
    g->idle = 0;
    return LW_GROUP_DONE;
}

/* Can no wave run, and does none wait for a copy? Then all wait at barriers that no other wave will reach. */
static bool is_stuck(const lw_group *g)
{
    for (uint32_t i = 0; i < g->wave_count; i++) {
        const uint8_t state = lw_group_wave(g, i)->state;
        if (state == LW_WAVE_READY || state == LW_WAVE_WAITS)
            return false;
    }
    return true;
}

/* After a round. DONE: continue with the next one. */
static lw_group_state end_round(lw_worker *worker, lw_group *g, unsigned patience)
{
    lw_round *r = &g->round;
    if (all_ended(g))
        return LW_GROUP_DONE;
    const bool passed = pass_barriers(g);
    r->progress = r->progress || passed;
    g->idle = r->progress ? 0 : g->idle + 1;
    if (g->comparing && !lw_copies_report(&g->copies) && lw_still_all(g))
        return LW_GROUP_STILL;
    adjust_comparing(worker, g, worker->executed - r->before, r->turned_over || g->idle >= COMPARE_ROUNDS);
    if (r->progress)
        return LW_GROUP_DONE;
    if (is_stuck(g))
        return LW_GROUP_STILL;
    const lw_group_state state = let_copies_arrive(g, patience);
    const bool spins = state == LW_GROUP_SPINNING && (r->turned_over || g->idle >= patience);
    if (spins)
        return r->computes ? LW_GROUP_SPINNING : LW_GROUP_POLLING;
    return state == LW_GROUP_FAULT ? state : LW_GROUP_DONE;
}

lw_group_state lw_group_step(lw_worker *worker, lw_group *g)
{
    const lw_pausing *pausing = &worker->session->pausing;
    const unsigned patience = g->session->schedule == LW_SCHEDULE_RANDOM ? RANDOM_IDLE_ROUNDS : IDLE_ROUNDS;
    lw_group_state state = LW_GROUP_DONE;
    if (!g->paused)
        g->idle = 0;
    while (state == LW_GROUP_DONE && !all_ended(g)) {
        state = pausing->due ? LW_GROUP_PAUSED : run_round(worker, g);
        if (state == LW_GROUP_DONE)
            state = end_round(worker, g, patience);
    }
    while (state == LW_GROUP_DONE && lw_copies_report(&g->copies))
        state = lw_copies_complete_first(g) ? LW_GROUP_DONE : LW_GROUP_FAULT;
    g->paused = state == LW_GROUP_PAUSED;
    return state;
}
