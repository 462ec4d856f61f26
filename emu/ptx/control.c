/* SPDX-License-Identifier: MIT */
/*
 * Which lanes of a warp run. Lanes have program counters of their own; the group at the lowest one runs, and
 * takes in those it meets. So that lanes which wait for others in a loop do not stop them, a group that has
 * gone backward a thousand times while others could run gives way to them for as many instructions.
 */
#include "emu/ptx/warp.h"

enum { PATIENCE = 1000 };

static uint64_t base_of(const lw_ptx_warp *w)
{
    return w->head.group->session->module->code.base;
}

/* Writes down where the active lanes are. */
static void store_pcs(lw_ptx_warp *w, uint32_t lanes, uint32_t pc)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if (lanes >> lane & 1)
            w->lane_pc[lane] = pc;
}

static uint32_t lowest(const lw_ptx_warp *w, uint32_t lanes, uint32_t *at)
{
    uint32_t found = 0;
    *at = UINT32_MAX;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(lanes >> lane & 1) || w->lane_pc[lane] > *at)
            continue;
        found = w->lane_pc[lane] < *at ? 0 : found;
        *at = w->lane_pc[lane];
        found |= UINT32_C(1) << lane;
    }
    return found;
}

lw_ptx_step lw_ptx_choose(lw_ptx_warp *w)
{
    uint32_t pc;
    if (!w->live)
        return LW_PTX_STEP_END;
    const uint32_t ready = w->live & ~w->blocked;
    if (!ready) {
        lowest(w, w->live, &pc);
        w->head.pc = base_of(w) + pc;
        w->head.barrier = (uint8_t)w->barrier;
        w->head.expected = (uint16_t)w->expected;
        w->active = 0;
        return LW_PTX_STEP_BARRIER;
    }
    if (!(ready & ~w->parked))
        w->parked = 0;
    w->active = lowest(w, ready & ~w->parked, &pc);
    w->head.pc = base_of(w) + pc;
    return LW_PTX_STEP_JUMPED;
}

void lw_ptx_rejoin(lw_ptx_warp *w)
{
    if (w->parked && --w->parked_left == 0)
        w->parked = 0;
    store_pcs(w, w->active, (uint32_t)(w->head.pc - base_of(w)));
    lw_ptx_choose(w);
}

void lw_ptx_release(lw_ptx_warp *w)
{
    w->blocked = 0;
    lw_ptx_choose(w);
}

/* ---- Branches and ends ---- */

static lw_ptx_step bra(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    const uint32_t here = (uint32_t)(w->head.pc - base_of(w));
    const bool alone = w->active == w->live;
    if (!lanes)
        return LW_PTX_STEP_NEXT;
    if (lanes == w->active && alone) {
        w->head.pc = base_of(w) + r->target;
        return LW_PTX_STEP_JUMPED;
    }
    store_pcs(w, w->active & ~lanes, here + 1);
    store_pcs(w, lanes, r->target);
    if (r->target <= here && !w->parked && ++w->turns > PATIENCE) {
        w->turns = 0;
        w->parked = lanes;
        w->parked_left = PATIENCE;
    }
    return lw_ptx_choose(w);
}

/* A kernel's lanes end at ret as at exit. */
static lw_ptx_step leave(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    (void)r;
    store_pcs(w, w->active & ~lanes, (uint32_t)(w->head.pc - base_of(w)) + 1);
    w->live &= ~lanes;
    return lw_ptx_choose(w);
}

static lw_ptx_step trap(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    (void)r;
    unsigned lane = 0;
    if (!lanes)
        return LW_PTX_STEP_NEXT;
    while (!(lanes >> lane & 1))
        lane++;
    lw_fault_say(&w->head, (int)lane, "the kernel executes trap");
    return LW_PTX_STEP_FAULT;
}

/* ---- Barriers ---- */

static bool check_barrier(lw_ptx_warp *w, unsigned lane, uint64_t number, uint64_t threads)
{
    if (number >= LW_BARRIERS)
        lw_fault_say(&w->head, (int)lane, "barrier %llu; there are 0 to %d", (unsigned long long)number,
                     LW_BARRIERS - 1);
    else if (threads % LW_PTX_LANES || threads > LW_PTX_MOST_BLOCK)
        lw_fault_say(&w->head, (int)lane,
                     "a barrier of %llu threads; their number is a multiple of %d up to %d",
                     (unsigned long long)threads, LW_PTX_LANES, LW_PTX_MOST_BLOCK);
    else if (w->blocked && (number != w->barrier || threads / LW_PTX_LANES != w->expected))
        lw_fault_say(&w->head, (int)lane, "other lanes of the warp wait at barrier %u", w->barrier);
    else
        return true;
    return false;
}

static lw_ptx_step bar_sync(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        const uint64_t number = lw_ptx_get(w, &r->src[0], lane);
        const uint64_t threads = r->src_count > 1 ? lw_ptx_get(w, &r->src[1], lane) : 0;
        if (!check_barrier(w, lane, number, threads))
            return LW_PTX_STEP_FAULT;
        w->barrier = (uint32_t)number;
        w->expected = (uint32_t)(threads / LW_PTX_LANES);
        w->blocked |= UINT32_C(1) << lane;
    }
    store_pcs(w, w->active, (uint32_t)(w->head.pc - base_of(w)) + 1);
    return lanes ? lw_ptx_choose(w) : LW_PTX_STEP_NEXT;
}

/* Memory is consistent as it is: one warp runs at a time, and threads that meet are run again serially. */
static lw_ptx_step membar(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    (void)w, (void)r, (void)lanes;
    return LW_PTX_STEP_NEXT;
}

static lw_ptx_step none(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    (void)r, (void)lanes;
    lw_fault_say(&w->head, -1, "this version cannot run the instruction");
    return LW_PTX_STEP_FAULT;
}

const lw_ptx_handler lw_ptx_sem_bra = { bra, NULL };
const lw_ptx_handler lw_ptx_sem_ret = { leave, NULL };
const lw_ptx_handler lw_ptx_sem_exit = { leave, NULL };
const lw_ptx_handler lw_ptx_sem_trap = { trap, NULL };
const lw_ptx_handler lw_ptx_sem_bar_sync = { bar_sync, NULL };
const lw_ptx_handler lw_ptx_sem_membar = { membar, NULL };
const lw_ptx_handler lw_ptx_sem_none = { none, NULL };
