/* SPDX-License-Identifier: MIT */
/* The loop over instructions of one warp. */
#include <stdio.h>

#include "emu/ptx/warp.h"

/* Adds to one lane's fault the lanes that execute the instruction with it. */
static void name_lanes(const lw_ptx_warp *w)
{
    lw_fault *f = w->head.fault;
    const size_t used = strlen(f->reason);
    if (f->lane >= 0 && !strstr(f->reason, "lanes"))
        snprintf(f->reason + used, sizeof(f->reason) - used, " (executed by lanes 0x%08x)", w->executing);
}

static lw_run_end fault(lw_worker *worker, const lw_ptx_warp *w, bool text)
{
    if (text)
        name_lanes(w);
    lw_fault_locate(worker, &w->head, text);
    return LW_RUN_FAULT;
}

static lw_run_end turn_page(lw_worker *worker, lw_ptx_warp *w)
{
    bool no_memory;
    if (lw_code_turn(&worker->session->module->code, &worker->counts, w->head.pc, &worker->cursor,
                     &no_memory))
        return LW_RUN_TURN_OVER;
    lw_fault_say(&w->head, -1, "%s",
                 no_memory ? "the host has no memory for decoded instructions"
                           : "the program counter is outside the program's code");
    return fault(worker, w, false);
}

static uint32_t guarded(const lw_ptx_warp *w, const lw_ptx_record *r)
{
    return r->hot.guard == LW_PTX_NONE ? w->active : w->active & (w->predicates[r->hot.guard] ^ r->hot.flip);
}

/* Executes between the hooks of observers, which get the executing lanes as they were before the
 * instruction. */
static lw_ptx_step seen_step(lw_worker *worker, lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    lw_seen_step seen;
    w->seen = true;
    w->seen_lanes = lanes;
    const bool good = lw_observe_begin(worker, &w->head, r, r, lanes, &seen);
    lw_ptx_step step = good ? r->hot.exec(w, r, lanes) : LW_PTX_STEP_FAULT;
    if (!good || worker->log.failed) {
        lw_fault_say(&w->head, -1, "the host has no memory for the events of observers");
        step = LW_PTX_STEP_FAULT;
    }
    if (step != LW_PTX_STEP_FAULT)
        lw_observe_end(&seen, lanes);
    w->seen = false;
    return step;
}

static lw_ptx_step execute(lw_worker *worker, lw_ptx_warp *w, const lw_ptx_record *r)
{
    const uint32_t lanes = guarded(w, r);
    w->head.waits_at = w->head.pc;
    w->executing = lanes;
    if (w->owned && lanes && !lw_ptx_registers_are_free(w, r))
        return LW_PTX_STEP_FAULT;
    lw_ptx_step step = lw_observes_steps(worker) ? seen_step(worker, w, r, lanes) : r->hot.exec(w, r, lanes);
    w->head.executed++;
    if (step == LW_PTX_STEP_WAIT)
        w->head.pc++;
    if (step == LW_PTX_STEP_NEXT && r->hot.ends)
        return lw_ptx_return(w, w->active); /* after the function's last instruction */
    if (step == LW_PTX_STEP_NEXT || step == LW_PTX_STEP_YIELD) {
        w->head.pc++;
        if (w->active != w->live)
            lw_ptx_rejoin(w);
    }
    return step;
}

static lw_run_end end_of(lw_worker *worker, const lw_ptx_warp *w, lw_ptx_step step)
{
    return step == LW_PTX_STEP_FAULT   ? fault(worker, w, true)
           : step == LW_PTX_STEP_LOST  ? LW_RUN_FAULT
           : step == LW_PTX_STEP_END   ? LW_RUN_ENDED
           : step == LW_PTX_STEP_WAIT  ? LW_RUN_WAIT
           : step == LW_PTX_STEP_YIELD ? LW_RUN_YIELD
                                       : LW_RUN_BARRIER;
}

static lw_ptx_step step(lw_worker *worker, lw_ptx_warp *w)
{
    const lw_code_cursor *at = &worker->cursor;
    if (w->head.pc - at->base >= at->size && turn_page(worker, w) == LW_RUN_FAULT)
        return LW_PTX_STEP_LOST;
    const uint64_t offset = w->head.pc - at->base;
    const lw_ptx_record *r = atomic_load_explicit(&at->page->record[offset], memory_order_acquire);
    if (!r && !(r = lw_ptx_fetch(worker, w)))
        return LW_PTX_STEP_FAULT;
    at->counts->executed[offset]++;
    worker->executed++;
    return execute(worker, w, r);
}

lw_run_end lw_ptx_run(lw_worker *worker, lw_wave_head *head, uint64_t quantum)
{
    lw_ptx_warp *w = lw_ptx_warp_of(head);
    if (w->blocked && w->blocked == w->live)
        lw_ptx_release(w);
    for (uint64_t left = quantum; left; left--) {
        const lw_ptx_step after = step(worker, w);
        if (after != LW_PTX_STEP_NEXT && after != LW_PTX_STEP_JUMPED)
            return end_of(worker, w, after);
    }
    return LW_RUN_TURN_OVER;
}
