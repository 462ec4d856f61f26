/* SPDX-License-Identifier: MIT */
/* Asynchronous copies: when they complete, and when a wave that waits for them may continue. */
#include <string.h>

#include "emu/device/session.h"

lw_wave_head *lw_waiting_wave(const lw_group *g)
{
    for (uint32_t i = 0; i < g->wave_count; i++)
        if (lw_group_wave(g, i)->state == LW_WAVE_WAITS)
            return lw_group_wave(g, i);
    return NULL;
}

/* Performs the copy as if the wave were at the instruction that issued it. */
static bool arrive(lw_wave_head *w, const lw_copy *copy)
{
    lw_worker *worker = w->group->worker;
    lw_session *s = worker->session;
    const uint64_t pc = w->pc;
    lw_access_log *log = w->log;
    w->pc = copy->pc;
    w->log = lw_observe_arrival_log(w);
    const bool good = s->machine->copy(w, copy);
    if (!good)
        lw_fault_locate(worker, w, true);
    else if (w->log)
        lw_observe_arrival(w, lw_code_at(&s->module->code, copy->pc), copy);
    w->log = log;
    if (log) /* the same list as that of the wait, which has accessed nothing */
        log->count = 0;
    w->pc = pc;
    lw_pause_note(s, w, LW_PAUSE_ARRIVED);
    return good;
}

void lw_copies_refuse(lw_wave_head *w)
{
    if (w->group->worker->copies.full)
        lw_fault_say(w, -1,
                     "copies that have been issued and not completed take more than the memory limit of %llu "
                     "bytes leaves",
                     (unsigned long long)w->group->session->memory->limit);
    else
        lw_fault_say(w, -1, "the host has no memory for copies");
}

bool lw_copies_complete(lw_wave_head *w, uint64_t limit)
{
    lw_copies *copies = &w->group->copies;
    bool good = true;
    lw_copy *copy;
    while (good && w->pending && (copy = lw_copies_take(copies, w->id, limit)) != NULL) {
        w->pending--;
        good = arrive(w, copy);
        lw_copies_recycle(copies, copy);
    }
    return good;
}

bool lw_copies_complete_first(lw_group *g)
{
    lw_copy *copy = lw_copies_take_first(&g->copies);
    if (!copy)
        return true;
    lw_wave_head *w = lw_group_wave(g, copy->owner & ~LW_COPY_REPORTS);
    w->pending -= !(copy->owner & LW_COPY_REPORTS);
    const bool good = arrive(w, copy);
    lw_copies_recycle(&g->copies, copy);
    return good;
}

static uint64_t draw(lw_group *g)
{
    const uint64_t seed = g->session->async_seed;
    return lw_grid_hash(seed ^ lw_grid_hash(seed, g->linear), g->drawn++);
}

bool lw_copies_drift(lw_wave_head *w)
{
    const uint64_t number = draw(w->group);
    return number & 1 || lw_copies_complete(w, w->issued - (number >> 1) % w->pending);
}

bool lw_group_drift(lw_group *g)
{
    for (uint32_t i = 0; i < g->wave_count && g->session->async == LW_ASYNC_RANDOM; i++) {
        lw_wave_head *w = lw_group_wave(g, i);
        if (!w->pending)
            continue;
        if (!lw_copies_drift(w))
            return false;
        if (w->state == LW_WAVE_WAITS && !lw_copies_covered(&g->copies, w->id, w->wait_limit))
            w->state = LW_WAVE_READY;
    }
    if (g->session->async == LW_ASYNC_RANDOM && lw_copies_report(&g->copies) && (draw(g) & 1))
        return lw_copies_complete_first(g);
    return true;
}

/* Several chains at a time, because a chain waits for its products. */
static uint64_t mix_words(uint64_t number, const uint32_t *words, size_t count)
{
    enum { CHAINS = 8 };
    uint64_t chain[CHAINS] = { number, 1, 2, 3, 4, 5, 6, 7 };
    size_t at = 0;
    for (; count - at >= 2 * (size_t)CHAINS; at += 2 * (size_t)CHAINS)
        for (size_t i = 0; i < CHAINS; i++) {
            uint64_t two;
            memcpy(&two, words + at + 2 * i, sizeof(two));
            chain[i] = (chain[i] ^ two) * UINT64_C(0x9e3779b97f4a7c15);
            chain[i] ^= chain[i] >> 29;
        }
    for (size_t i = 0; at < count; at++, i++)
        chain[i % CHAINS] = lw_grid_hash(chain[i % CHAINS], words[at]);
    for (size_t i = 1; i < CHAINS; i++)
        chain[0] = lw_grid_hash(chain[0], chain[i]);
    return chain[0];
}

static uint64_t mix_bytes(uint64_t number, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        number = (number ^ bytes[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return number;
}

uint64_t lw_wave_hash(const lw_wave_head *w, bool patience)
{
    lw_span spans[LW_MAX_SPANS];
    const size_t count = w->group->session->machine->state(w, spans);
    uint64_t number = lw_grid_hash(w->pc, count);
    for (size_t i = 0; i < count; i++) {
        if (spans[i].own_memory || (spans[i].patience && !patience))
            continue;
        const bool words = spans[i].size % 4 == 0 && (uintptr_t)spans[i].at % 4 == 0;
        number = words ? mix_words(number, spans[i].at, spans[i].size / 4)
                       : mix_bytes(number, spans[i].at, spans[i].size);
    }
    return number;
}

bool lw_wave_sleeps_again(lw_wave_head *w)
{
    if (!lw_waiting_wave(w->group))
        return true;
    const uint64_t number = lw_wave_hash(w, false);
    const bool again = number == w->slept_as;
    w->slept_as = number;
    return again;
}
