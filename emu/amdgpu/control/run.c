/* SPDX-License-Identifier: MIT */
/* The loop over instructions of one wave. */
#include <stdarg.h>
#include <stdio.h>

#include "emu/amdgpu/control/block.h"
#include "emu/amdgpu/control/machine.h"
#include "emu/amdgpu/memory/lds_dma.h"
#include "emu/amdgpu/vector/indexed.h"
#include "emu/amdgpu/vector/matrix_plan.h"
#include "isa_tables/amdgpu/rows.h"

lw_step lw_wave_fault(lw_wave *w, int lane, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    lw_fault_say_all(&w->head, lane, format, args);
    va_end(args);
    return LW_STEP_FAULT;
}

static lw_run_end fault(lw_worker *worker, lw_wave *w, bool text)
{
    lw_fault_locate(worker, &w->head, text);
    return LW_RUN_FAULT;
}

/* MODE bits that change the meaning of operands. */
static bool needs_resolving(const lw_wave *w)
{
    return (w->mode & w->resolving) != 0;
}

/* Fast forms leave the same registers, but some do not report memory accesses; these may be used if no
 * observer wants them. */
static lw_step execute_seen(lw_wave *w, const lw_record *encoded, const lw_record *record)
{
    return record == encoded && !(w->head.log && record->silent) ? record->hot.fn(w, &record->hot)
                                                                 : record->in.exec(w, &record->in);
}

/* Executes between the hooks of observers. `encoded` is what the code contains, `told` has the registers that
 * this execution accesses. */
static lw_step step_told(lw_worker *worker, lw_wave *w, const lw_record *encoded, const lw_record *told,
                         const lw_record *record)
{
    lw_seen_step seen;
    const bool good = lw_observe_begin(worker, &w->head, encoded, told, lw_wave_exec(w), &seen);
    const lw_step step = !good ? LW_STEP_FAULT : execute_seen(w, encoded, record);
    if (!good || worker->log.failed)
        return lw_wave_fault(w, -1, "the host has no memory for the events of observers");
    if (step != LW_STEP_FAULT)
        lw_observe_end(&seen, lw_wave_exec(w));
    return step;
}

/* The instruction may access registers through m0, which observers are told. */
LW_RARELY static lw_step step_moved(lw_worker *worker, lw_wave *w, const lw_record *encoded,
                                    const lw_record *record)
{
    lw_record moved = *record;
    const bool moves = lw_indexed_moves(w, &record->in, &moved.in);
    return step_told(worker, w, encoded, moves ? &moved : record, record);
}

static lw_step step_seen(lw_worker *worker, lw_wave *w, const lw_record *encoded, const lw_record *record)
{
    const lw_op_row *row = record->in.row;
    const bool through_m0 = row->flags & LW_OPF_R_M0 && (row->enc == LW_ENC_VOP1 || row->enc == LW_ENC_SOP1);
    return through_m0 ? step_moved(worker, w, encoded, record)
                      : step_told(worker, w, encoded, record, record);
}

/* Indexed registers and skipping. */
LW_RARELY static lw_step step_resolved(lw_worker *worker, lw_wave *w, const lw_record *encoded)
{
    if (lw_indexed_skips(w, &encoded->in))
        return LW_STEP_NEXT;
    lw_record resolved = *encoded;
    if (lw_indexed_resolve(w, &encoded->in, &resolved.in) == LW_STEP_FAULT)
        return LW_STEP_FAULT;
    return lw_observes_steps(worker) ? step_seen(worker, w, encoded, &resolved)
                                     : resolved.in.exec(w, &resolved.in);
}

static lw_run_end end_of(lw_worker *worker, lw_wave *w, const lw_decoded *in, lw_step step)
{
    if (step == LW_STEP_FAULT)
        return fault(worker, w, true);
    if (step == LW_STEP_END)
        return LW_RUN_ENDED;
    w->head.waits_at = w->head.pc;
    w->head.pc += 4u * in->words;
    if (step == LW_STEP_PAUSE)
        return LW_RUN_TURN_OVER;
    if (step == LW_STEP_WAIT)
        return LW_RUN_WAIT;
    return step == LW_STEP_BARRIER ? LW_RUN_BARRIER : LW_RUN_YIELD;
}

/* Faults if the instruction names a register that is not allocated to the wave. */
static lw_step check_registers(lw_wave *w, const lw_record *record)
{
    const lw_amd_launch *l = lw_amd_launch_of(w);
    const unsigned limit[] = { l->vgpr_limit, l->agprs, LW_SGPR_FILE_SIZE };
    const unsigned end[] = { record->vgpr_end, record->agpr_end, record->sgpr_end };
    for (unsigned i = 0; i < 3; i++)
        if (end[i] > limit[i])
            return lw_wave_fault(w, -1, "register %c%u is not among the %u that the wave has allocated",
                                 "vas"[i], end[i] - 1, limit[i]);
    return LW_STEP_NEXT;
}

/* This thread reaches a place for the first time. NULL after a fault that has been located. */
static const lw_record *arrive(lw_worker *worker, lw_wave *w, const lw_record *record)
{
    if (!record)
        record = lw_amd_fetch(worker, w);
    lw_step step = record ? check_registers(w, record) : LW_STEP_FAULT;
    if (step == LW_STEP_NEXT && record->in.gds && !(record->in.row->flags & LW_OPF_GWS))
        step = lw_wave_fault(w, -1, "the global data share, which the gds bit asks for, is not emulated");
    if (step == LW_STEP_NEXT && record->in.matrix)
        step = lw_matrix_prepare(w, &record->in);
    if (step != LW_STEP_FAULT)
        return record;
    fault(worker, w, record != NULL);
    return NULL;
}

/* False after a fault that has been located. */
static bool turn_page(lw_worker *worker, lw_wave *w)
{
    bool no_memory;
    if (lw_code_turn(&worker->session->module->code, &worker->counts, w->head.pc, &worker->cursor,
                     &no_memory))
        return true;
    lw_wave_fault(w, -1, "%s",
                  no_memory ? "the host has no memory for decoded instructions"
                            : "the program counter is outside the program's code");
    fault(worker, w, false);
    return false;
}

/* GO_ON, or why the wave stopped. */
enum { GO_ON = -1 };

/* Executes one instruction, at a place of the worker's page. */
static int step_one(lw_worker *worker, lw_wave *w, size_t place, bool observed)
{
    const lw_code_cursor *at = &worker->cursor;
    lw_wave_head *head = &w->head;
    const lw_record *record = atomic_load_explicit(&at->page->record[place], memory_order_acquire);
    if (!at->counts->executed[place] && !(record = arrive(worker, w, record)))
        return LW_RUN_FAULT;
    if (head->pending && record->counted && !lw_indexed_skips(w, &record->in)) {
        const lw_step gate = lw_lds_dma_gate(w);
        if (gate != LW_STEP_NEXT)
            return gate == LW_STEP_WAIT ? LW_RUN_WAIT : LW_RUN_FAULT;
    }
    at->counts->executed[place]++;
    worker->executed++;
    const lw_step step = needs_resolving(w) ? step_resolved(worker, w, record)
                         : observed         ? step_seen(worker, w, record, record)
                                            : record->hot.fn(w, &record->hot);
    head->executed++;
    if (step == LW_STEP_NEXT)
        head->pc += record->hot.bytes;
    else if (step != LW_STEP_JUMPED)
        return (int)end_of(worker, w, &record->in, step);
    return GO_ON;
}

/* Executes a block of at most `most` instructions, or one instruction. */
static int step_many(lw_worker *worker, lw_wave *w, size_t place, uint64_t most)
{
    lw_block *block = needs_resolving(w) ? NULL : lw_block_at(&worker->cursor, place);
    const lw_decoded *stopped;
    if (!block || block->total > most || (w->head.pending && block->heeds))
        return step_one(worker, w, place, false);
    const lw_step step = lw_block_run(worker, w, block, &stopped);
    return step <= LW_STEP_JUMPED ? GO_ON : (int)end_of(worker, w, stopped, step);
}

lw_run_end lw_amd_run(lw_worker *worker, lw_wave_head *head, uint64_t quantum)
{
    lw_wave *w = lw_amd_wave(head);
    const bool observed = lw_observes_steps(worker);
    const lw_code_cursor *at = &worker->cursor;
    const uint64_t end = worker->executed + quantum;

    while (worker->executed != end) {
        if ((head->pc - at->base >= at->size || (head->pc - at->base) & 3) && !turn_page(worker, w))
            return LW_RUN_FAULT;
        const size_t place = (size_t)(head->pc - at->base) / 4;
        const int after =
            observed ? step_one(worker, w, place, true) : step_many(worker, w, place, end - worker->executed);
        if (after != GO_ON)
            return (lw_run_end)after;
    }
    return LW_RUN_TURN_OVER;
}
