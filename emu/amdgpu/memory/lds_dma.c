/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/memory/lds_dma.h"

#include "emu/amdgpu/control/handlers.h"

/*
 * vmcnt counts every buffer and flat operation, which complete in order. It has 6 bits; 63 in s_waitcnt means
 * no wait (AMD CDNA3 ISA manual, "Data dependency resolution"; LLVM AMDGPUUsage). An operation that would
 * be the 64th outstanding one cannot issue before the first has completed.
 */
enum { VMCNT_MAX = 63 };

enum { PIECE_SOURCE = 3, PIECE_SIGNED = 4, PIECE_DROPPED = 8 };

static uint64_t draw(lw_amd_group *g)
{
    const uint64_t seed = g->machine->async_seed;
    return lw_grid_hash(seed ^ lw_grid_hash(seed, g->linear), g->drawn++);
}

static bool is_random(const lw_amd_group *g)
{
    return g->machine->async == LW_ASYNC_RANDOM;
}

lw_copy *lw_lds_dma_begin(lw_wave *w)
{
    if (!w->pending)
        w->vm_issued++; /* otherwise counted before the instruction ran */
    return lw_copies_new(&w->group->copies, w->id, w->pc, w->vm_issued - 1);
}

lw_step lw_lds_dma_abandon(lw_wave *w, lw_copy *copy)
{
    if (copy)
        lw_copies_recycle(&w->group->copies, copy);
    return lw_wave_fault(w, -1, "the host has no memory for a copy to LDS");
}

static bool fits_lds(const lw_wave *w, uint32_t address, uint32_t size)
{
    const uint32_t total = w->group->lds_size;
    return address < total && size <= total - address;
}

bool lw_lds_dma_add(lw_wave *w, lw_copy *copy, const lw_lds_place *place, unsigned offset, unsigned bytes,
                    lw_copy_source source, uint64_t address)
{
    const lw_element *e = place->element;
    const uint32_t slot = place->base + place->lane * (e->bytes > 4 ? 16u : 4u);
    const bool inside = fits_lds(w, slot, e->bytes < 4 ? 4u : e->bytes);
    const lw_copy_piece piece = {
        .from = address,
        .to = slot + offset,
        .lane = (int16_t)place->lane,
        .bytes = (uint8_t)(source == LW_SOURCE_ZERO ? 0 : bytes),
        .width = (uint8_t)(bytes < 4 ? 4 : bytes),
        .kind = (uint8_t)(source | (e->is_signed ? PIECE_SIGNED : 0) | (inside ? 0 : PIECE_DROPPED)),
    };
    return lw_copy_add(copy, &piece);
}

/* Moves one run of bytes. False after lw_wave_fault. */
static bool perform_piece(lw_wave *w, const lw_copy_piece *p)
{
    uint8_t bytes[LW_MAX_ACCESS] = { 0 };
    if (p->bytes) {
        const bool scratch = (p->kind & PIECE_SOURCE) == LW_SOURCE_SCRATCH;
        const uint8_t *at = scratch ? lw_access_scratch(w, p->lane, p->from, p->bytes, LW_ACCESS_LOAD)
                                    : lw_access_global(w, p->lane, p->from, p->bytes, LW_ACCESS_LOAD);
        if (!at)
            return false;
        memcpy(bytes, at, p->bytes);
    }
    if (p->kind & PIECE_DROPPED) {
        lw_access_lds_outside(w, p->lane, p->to, p->width, LW_ACCESS_STORE);
        return true;
    }
    uint8_t *to = lw_access_lds(w, p->lane, p->to, p->width, LW_ACCESS_STORE);
    if (p->bytes >= 4 || !p->bytes) {
        memcpy(to, bytes, p->width);
        return true;
    }
    const lw_element element = { p->bytes, (p->kind & PIECE_SIGNED) != 0, false, false };
    uint32_t v;
    lw_element_put(&element, &v, bytes);
    memcpy(to, &v, sizeof(v));
    return true;
}

static bool perform(lw_wave *w, const lw_copy *copy)
{
    for (size_t i = 0; i < copy->count; i++)
        if (!perform_piece(w, &copy->pieces[i]))
            return false;
    return true;
}

/* Tells observers what will be accessed later. */
static void announce(lw_wave *w, const lw_copy *copy)
{
    for (size_t i = 0; i < copy->count && w->log; i++) {
        const lw_copy_piece *p = &copy->pieces[i];
        const bool scratch = (p->kind & PIECE_SOURCE) == LW_SOURCE_SCRATCH;
        lw_memory_access access = { .lane = p->lane,
                                    .space = scratch ? LW_SPACE_SCRATCH : LW_SPACE_GLOBAL,
                                    .load = true,
                                    .late = true,
                                    .address = p->from,
                                    .size = p->bytes };
        if (p->bytes)
            lw_access_note(w, &access);
        access = (lw_memory_access){ .lane = p->lane,
                                     .space = LW_SPACE_LDS,
                                     .store = true,
                                     .late = true,
                                     .dropped = (p->kind & PIECE_DROPPED) != 0,
                                     .address = p->to,
                                     .size = p->width };
        lw_access_note(w, &access);
    }
}

/* A pending copy completes behind the wave's back: as if the wave stood at the instruction that issued it. */
static bool arrive(lw_wave *w, const lw_copy *copy)
{
    lw_worker *worker = w->group->worker;
    const uint64_t pc = w->pc;
    lw_access_log *log = w->log;
    const lw_decoded *in = lw_code_at(worker, copy->pc);
    w->pc = copy->pc;
    worker->log.count = 0;
    w->log = worker->machine->observer_count ? &worker->log : NULL;
    const bool good = perform(w, copy);
    if (!good)
        lw_run_locate_fault(worker, w, in);
    else if (w->log)
        lw_observe(LW_HOOK_ARRIVED, w, in);
    w->log = log;
    w->pc = pc;
    return good;
}

bool lw_lds_dma_complete(lw_wave *w, uint64_t limit)
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

lw_step lw_lds_dma_issue(lw_wave *w, lw_copy *copy)
{
    lw_copies *copies = &w->group->copies;
    if (w->group->machine->async == LW_ASYNC_EARLY) {
        const bool good = perform(w, copy);
        lw_copies_recycle(copies, copy);
        return good ? LW_STEP_NEXT : LW_STEP_FAULT;
    }
    announce(w, copy);
    lw_copies_issue(copies, copy);
    w->pending++;
    return LW_STEP_NEXT;
}

/* Some of the wave's copies, or none: as the seed wants. */
static bool drift(lw_wave *w)
{
    const uint64_t number = draw(w->group);
    return number & 1 || lw_lds_dma_complete(w, w->vm_issued - (number >> 1) % w->pending);
}

lw_step lw_lds_dma_gate(lw_wave *w)
{
    const uint64_t limit = w->vm_issued + 1 > VMCNT_MAX ? w->vm_issued + 1 - VMCNT_MAX : 0;
    if (is_random(w->group) && !drift(w))
        return LW_STEP_FAULT;
    if (lw_copies_covered(&w->group->copies, w->id, limit)) {
        w->wait_limit = limit;
        return LW_STEP_WAIT;
    }
    w->vm_issued++;
    return LW_STEP_NEXT;
}

bool lw_lds_dma_drift(lw_amd_group *g)
{
    for (uint32_t i = 0; i < g->wave_count && is_random(g); i++) {
        lw_wave *w = &g->waves[i];
        if (!w->pending)
            continue;
        if (!drift(w))
            return false;
        if (w->state == LW_WAVE_WAITS && !lw_copies_covered(&g->copies, w->id, w->wait_limit))
            w->state = LW_WAVE_READY;
    }
    return true;
}

lw_step lw_sem_s_waitcnt(lw_wave *w, const lw_decoded *in)
{
    const uint64_t left = (in->imm & 15) | (in->imm >> 14 & 3) << 4;
    if (!w->pending || left == VMCNT_MAX)
        return LW_STEP_NEXT;
    const uint64_t limit = w->vm_issued > left ? w->vm_issued - left : 0;
    if (!lw_copies_covered(&w->group->copies, w->id, limit))
        return LW_STEP_NEXT;
    w->wait_limit = limit;
    return LW_STEP_WAIT;
}
