/* SPDX-License-Identifier: MIT */
/* The loop over instructions of one wave. */
#include <stdarg.h>
#include <stdio.h>

#include "emu/amdgpu/vector/indexed.h"
#include "emu/amdgpu/memory/lds_dma.h"
#include "emu/amdgpu/control/machine.h"
#include "isa_tables/amdgpu/rows.h"
#include "loaders/program.h"

lw_step lw_wave_fault(lw_wave *w, int lane, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(w->fault->reason, sizeof(w->fault->reason), format, args);
    va_end(args);
    w->fault->lane = lane;
    return LW_STEP_FAULT;
}

bool lw_run_line(const lw_machine *machine, uint64_t pc, lw_line *line)
{
    const lw_program *p = machine->program;
    if (p && lw_program_line(p, pc - LW_ADDRESS_CODE + p->image_vaddr, line, NULL) == LW_OK && line->line)
        return true;
    *line = (lw_line){ "", 0, 0 };
    return false;
}

/* " (file.hip:12:3)", of a long path its end; "" where the line is not known. */
static void line_text(const lw_line *line, char *text, size_t size)
{
    enum { MOST = 160 };
    const size_t length = strlen(line->file);
    const bool cut = length > MOST;
    char column[16] = "";
    if (line->column)
        snprintf(column, sizeof(column), ":%u", line->column);
    text[0] = '\0';
    if (line->line)
        snprintf(text, size, " (%s%s:%u%s)", cut ? "..." : "", line->file + (cut ? length - MOST : 0),
                 line->line, column);
}

void lw_run_locate_fault(lw_worker *worker, const lw_wave *w, const lw_decoded *in)
{
    const lw_machine *m = worker->machine;
    lw_fault *f = &worker->fault;
    snprintf(f->kernel, sizeof(f->kernel), "%s", m->kernel);
    memcpy(f->workgroup, w->group->id, sizeof(f->workgroup));
    f->wave = w->id;
    f->pc = w->pc;
    f->code_offset = w->pc - m->kernel_base;
    f->instruction[0] = '\0';
    if (in)
        lw_amdgpu_text(m->arch, in, f->instruction, sizeof(f->instruction));

    char lane[32] = "", source[256];
    lw_run_line(m, f->pc, &f->source);
    line_text(&f->source, source, sizeof(source));
    if (f->lane >= 0)
        snprintf(lane, sizeof(lane), ", lane %d", f->lane);
    const bool raw = !m->kernel[0];
    const bool inside = f->code_offset < UINT64_C(1) << 40;
    snprintf(
        f->sentence, sizeof(f->sentence), "%s%s, workgroup (%u,%u,%u), wave %u%s, pc %s0x%llx%s%s%s%s: %s",
        raw ? "code" : "kernel ", raw ? "" : f->kernel, f->workgroup[0], f->workgroup[1], f->workgroup[2],
        f->wave, lane, inside ? "+" : "", (unsigned long long)(inside ? f->code_offset : f->pc),
        f->instruction[0] ? " \"" : "", f->instruction, f->instruction[0] ? "\"" : "", source, f->reason);
    worker->faulted = true;
    worker->fault_linear = w->group->linear;
}

/* MODE bits under which operands do not mean what they say. */
static bool needs_resolving(const lw_wave *w)
{
    return (w->mode & (LW_MODE_GPR_IDX_EN | LW_MODE_VSKIP)) != 0;
}

/* One instruction with everything that is rare: observers, indexed registers, skipping. */
static lw_step step_slowly(lw_worker *worker, lw_wave *w, lw_record *record)
{
    const bool observed = worker->machine->observer_count != 0;
    lw_decoded resolved;
    const lw_decoded *in = &record->in;
    if (needs_resolving(w)) {
        if (lw_indexed_skips(w, in))
            return LW_STEP_NEXT;
        if (lw_indexed_resolve(w, in, &resolved) == LW_STEP_FAULT)
            return LW_STEP_FAULT;
        in = &resolved;
    }
    if (!observed)
        return in->exec(w, in);

    worker->log.count = 0;
    w->log = &worker->log;
    lw_observe(LW_HOOK_BEFORE, w, in);
    const uint64_t pc = w->pc;
    const lw_step step = in->exec(w, in);
    if (worker->log.failed)
        return lw_wave_fault(w, -1, "the host has no memory for what observers are told");
    if (step != LW_STEP_FAULT) {
        const uint64_t next = w->pc;
        w->pc = pc;
        lw_observe(LW_HOOK_AFTER, w, in);
        w->pc = next;
    }
    return step;
}

static lw_run_end end_of(lw_worker *worker, lw_wave *w, lw_record *record, lw_step step)
{
    if (step == LW_STEP_FAULT) {
        lw_run_locate_fault(worker, w, &record->in);
        return LW_RUN_FAULT;
    }
    if (step == LW_STEP_END)
        return LW_RUN_ENDED;
    w->pc += 4u * record->in.words;
    if (step == LW_STEP_WAIT)
        return LW_RUN_WAIT;
    return step == LW_STEP_BARRIER ? LW_RUN_BARRIER : LW_RUN_YIELD;
}

lw_run_end lw_run_wave(lw_worker *worker, lw_wave *w, uint64_t quantum)
{
    lw_record **const slots = worker->cache.slots;
    const uint64_t base = worker->machine->code_base, size = worker->machine->code_size & ~UINT64_C(3);
    const bool observed = worker->machine->observer_count != 0;

    for (uint64_t left = quantum; left; left--) {
        const uint64_t offset = w->pc - base;
        lw_record *record = offset < size && !(offset & 3) ? slots[offset / 4] : NULL;
        if (!record) {
            record = lw_code_fetch(worker, w);
            if (!record)
                return LW_RUN_FAULT;
        }
        if (w->pending && record->counted && !lw_indexed_skips(w, &record->in)) {
            const lw_step gate = lw_lds_dma_gate(w);
            if (gate != LW_STEP_NEXT)
                return gate == LW_STEP_WAIT ? LW_RUN_WAIT : LW_RUN_FAULT;
        }
        record->executed++;
        worker->executed++;
        lw_step step;
        if (observed || needs_resolving(w))
            step = step_slowly(worker, w, record);
        else
            step = record->in.exec(w, &record->in);
        w->executed++;
        if (step == LW_STEP_NEXT)
            w->pc += 4u * record->in.words;
        else if (step != LW_STEP_JUMPED)
            return end_of(worker, w, record, step);
    }
    return LW_RUN_TURN_OVER;
}
