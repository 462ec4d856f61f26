/* SPDX-License-Identifier: MIT */
/*
 * Livelock. What a wave does depends on its registers and on memory. If its state is what it was some
 * instructions ago, and no byte of memory changed in between, it will repeat these instructions until
 * something else changes memory. If that holds for every wave that runs, they will repeat them for ever.
 * Memory that only the wave itself can address (scratch, PTX's local memory) counts as its state, unless
 * there is much of it: code that is not optimised keeps its variables there. An atomic that writes what it
 * found changes nothing, whoever executes it: a lock that is asked for. Waves that write different values to
 * one place for ever are not recognised: that all of memory and the order of turns repeat would have to be
 * shown.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/device/session.h"

enum {
    SPAN = 1 << 16, /* instructions of a wave's turn while it is compared */
    MOST_TOUCHED = 512,
    TOUCHED_BYTES = 16,
};

/* What one instruction may have changed, with the previous contents. */
typedef struct lw_touches {
    size_t count;
    bool overflowed;
    struct {
        const uint8_t *at;
        uint32_t size;
        uint8_t before[TOUCHED_BYTES];
    } entries[MOST_TOUCHED];
} lw_touches;

/* What a wave is compared with: a copy of its earlier state. */
typedef struct lw_compared {
    uint8_t *copy;
    uint64_t pc, executed;
    bool taken;           /* there is a copy */
    bool crossed;         /* the wave has reached a barrier since */
    uint64_t changes;     /* of memory, when the copy was taken */
    uint64_t seen, next;  /* instructions while comparing; at which of them to take the next copy */
    bool still, crosses;  /* it repeats its state; passing a barrier each time */
    uint64_t still_since; /* changes of memory at that time */
    uint64_t period;
} lw_compared;

/* What is compared. */
static size_t spans_of(const lw_wave_head *w, lw_span spans[LW_MAX_SPANS])
{
    const size_t count = w->group->session->machine->state(w, spans);
    for (size_t i = 0; i < count; i++)
        if (spans[i].own_memory && !lw_still_compares_own(w->group->session))
            spans[i].size = 0;
    return count;
}

static size_t state_bytes(const lw_wave_head *w)
{
    lw_span spans[LW_MAX_SPANS];
    const size_t count = spans_of(w, spans);
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += spans[i].size;
    return bytes;
}

void lw_still_begin(lw_worker *worker, lw_group *g)
{
    const size_t bytes = state_bytes(lw_group_wave(g, 0));
    if (!worker->touches_memory)
        worker->touches_memory = malloc(sizeof(lw_touches));
    if (!g->compared)
        g->compared = malloc(g->wave_count * (sizeof(*g->compared) + bytes));
    if (!g->compared || !worker->touches_memory) {
        g->compare_left = UINT64_MAX;
        return;
    }
    uint8_t *copies = (uint8_t *)(g->compared + g->wave_count);
    for (uint32_t i = 0; i < g->wave_count; i++)
        g->compared[i] = (lw_compared){ .copy = copies + i * bytes };
    g->comparing = true;
    g->compare_left = (uint64_t)SPAN * 2 * g->wave_count;
}

void lw_still_free(lw_group *g)
{
    free(g->compared);
    g->compared = NULL;
    g->comparing = false;
}

void lw_still_touch(lw_worker *worker, const uint8_t *at, uint32_t size)
{
    lw_touches *t = worker->touches;
    if (t->count == MOST_TOUCHED || size > TOUCHED_BYTES) {
        t->overflowed = true;
        return;
    }
    t->entries[t->count].at = at;
    t->entries[t->count].size = size;
    memcpy(t->entries[t->count].before, at, size);
    t->count++;
}

static bool has_changed(const lw_touches *t)
{
    for (size_t i = 0; i < t->count; i++)
        if (memcmp(t->entries[i].at, t->entries[i].before, t->entries[i].size) != 0)
            return true;
    return t->overflowed;
}

static void take_copy(lw_compared *x, const lw_wave_head *w, const lw_worker *worker)
{
    lw_span spans[LW_MAX_SPANS];
    const size_t count = spans_of(w, spans);
    uint8_t *at = x->copy;
    for (size_t i = 0; i < count; i++) {
        if (spans[i].size)
            memcpy(at, spans[i].at, spans[i].size);
        at += spans[i].size;
    }
    x->pc = w->pc;
    x->executed = w->executed;
    x->taken = w->pending == 0; /* the copy does not include asynchronous copies in progress */
    x->crossed = false;
    x->changes = worker->changes;
    x->next = x->next ? 2 * x->next : 1;
}

static bool is_as_copied(const lw_compared *x, const lw_wave_head *w, const lw_worker *worker)
{
    if (!x->taken || x->pc != w->pc || w->pending || x->changes != worker->changes)
        return false;
    lw_span spans[LW_MAX_SPANS];
    const size_t count = spans_of(w, spans);
    const uint8_t *at = x->copy;
    for (size_t i = 0; i < count; i++) {
        if (spans[i].size && memcmp(at, spans[i].at, spans[i].size) != 0)
            return false;
        at += spans[i].size;
    }
    return true;
}

static bool is_still(const lw_compared *x, const lw_worker *worker)
{
    return x->still && x->still_since == worker->changes;
}

/* Compares with the copy, or takes a new one after 1, 2, 4, ... instructions; that finds any period. */
static void look(lw_compared *x, const lw_wave_head *w, const lw_worker *worker)
{
    if (is_still(x, worker))
        return;
    if (is_as_copied(x, w, worker)) {
        x->still = true;
        x->still_since = worker->changes;
        x->crosses = x->crossed;
        x->period = w->executed - x->executed;
    } else if (x->seen >= x->next) {
        take_copy(x, w, worker);
    }
}

lw_run_end lw_still_run(lw_worker *worker, lw_wave_head *w, uint64_t quantum)
{
    lw_compared *x = &w->group->compared[w->id];
    lw_run_end end = LW_RUN_TURN_OVER;
    uint64_t left = quantum < SPAN ? quantum : SPAN;
    worker->touches = worker->touches_memory;
    for (; left && end == LW_RUN_TURN_OVER; left--) {
        look(x, w, worker);
        if (is_still(x, worker) && !x->crosses)
            break;
        x->seen++;
        worker->touches->count = 0;
        worker->touches->overflowed = false;
        end = worker->session->machine->run(worker, w, 1);
        worker->changes += has_changed(worker->touches);
    }
    worker->touches = NULL;
    x->crossed = x->crossed || end == LW_RUN_BARRIER;
    return end;
}

bool lw_still_repeats(const lw_wave_head *w, uint64_t *period)
{
    const lw_group *g = w->group;
    if (!g->comparing || !is_still(&g->compared[w->id], g->worker))
        return false;
    *period = g->compared[w->id].period;
    return true;
}

bool lw_still_crosses(const lw_wave_head *w)
{
    return w->group->comparing && w->group->compared[w->id].crosses;
}

/*
 * A wave at a barrier continues when all others arrive. It cannot if one of them repeats its state elsewhere.
 * If all others pass barriers while they repeat their state, it continues and is compared until it repeats
 * its state, too.
 */
bool lw_still_all(const lw_group *g)
{
    bool one_waits = false, one_never_comes = false;
    for (uint32_t i = 0; i < g->wave_count; i++) {
        const lw_wave_head *w = lw_group_wave(g, i);
        if (w->state == LW_WAVE_ENDED)
            continue;
        if (is_still(&g->compared[i], g->worker))
            one_never_comes = one_never_comes || !g->compared[i].crosses;
        else if (w->state == LW_WAVE_AT_BARRIER)
            one_waits = true;
        else
            return false;
    }
    return !one_waits || one_never_comes;
}
