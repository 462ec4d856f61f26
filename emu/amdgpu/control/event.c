/* SPDX-License-Identifier: MIT */
/* What observers see. */
#include "emu/amdgpu/control/machine.h"
#include "emu/amdgpu/vector/matrix_plan.h"
#include "emu/amdgpu/decode/registers.h"

static void call(const lw_observer *o, lw_hook hook, const lw_event *event)
{
    switch (hook) {
    case LW_HOOK_WAVE_BEGIN:
        if (o->wave_begin)
            o->wave_begin(o->context, event);
        break;
    case LW_HOOK_WAVE_END:
        if (o->wave_end)
            o->wave_end(o->context, event);
        break;
    case LW_HOOK_BEFORE:
        if (o->before)
            o->before(o->context, event);
        break;
    case LW_HOOK_AFTER:
        if (o->after)
            o->after(o->context, event);
        break;
    case LW_HOOK_BARRIER:
        if (o->barrier)
            o->barrier(o->context, event);
        break;
    case LW_HOOK_ARRIVED:
        if (o->arrived)
            o->arrived(o->context, event);
        break;
    }
}

void lw_observe(lw_hook hook, lw_wave *w, const lw_decoded *in)
{
    const lw_machine *m = w->group->machine;
    const struct lw_event_state state = { w, in };
    lw_event event = {
        .kernel = m->kernel,
        .arch = m->arch,
        .wave = w->id,
        .pc = w->pc,
        .code_offset = w->pc - m->kernel_base,
        .exec = lw_wave_exec(w),
        .number = w->executed,
        .mnemonic = in ? lw_machine_mnemonic(in->row, in->seg) : "",
        .poison = m->raw ? NULL : &m->poison,
        .state = &state,
    };
    memcpy(event.workgroup, w->group->id, sizeof(event.workgroup));
    if ((hook == LW_HOOK_AFTER || hook == LW_HOOK_ARRIVED) && w->log) {
        event.accesses = w->log->entries;
        event.access_count = w->log->count;
    }
    for (size_t i = 0; i < m->observer_count; i++)
        call(m->observers[i], hook, &event);
}

size_t lw_event_text(const lw_event *event, char *text, size_t size)
{
    const lw_decoded *in = event->state->in;
    if (in)
        return lw_amdgpu_text(event->arch, in, text, size);
    if (size)
        text[0] = '\0';
    return 0;
}

bool lw_event_line(const lw_event *event, lw_line *line)
{
    return lw_run_line(event->state->wave->group->machine, event->pc, line);
}

uint32_t lw_event_value(const lw_event *event, lw_reg_file file, unsigned reg, unsigned lane)
{
    const lw_wave *w = event->state->wave;
    if (lane >= LW_LANES)
        return 0;
    switch (file) {
    case LW_FILE_VGPR:
        return reg < w->vgprs ? w->vgpr[(size_t)reg * LW_LANES + lane] : 0;
    case LW_FILE_AGPR:
        return reg < w->agprs ? w->agpr[(size_t)reg * LW_LANES + lane] : 0;
    case LW_FILE_SGPR:
        return reg < LW_SGPR_COUNT ? w->sgpr[reg] : 0;
    case LW_FILE_SCC:
        return w->scc;
    case LW_FILE_MODE:
        return w->mode;
    }
    return 0;
}

bool lw_event_matrix(const lw_event *event, lw_matrix_event *matrix)
{
    const lw_decoded *in = event->state->in;
    if (!in || !in->plan)
        return false;
    lw_matrix_plan_describe(in, matrix);
    return true;
}

unsigned lw_event_register_count(const lw_event *event, lw_reg_file file)
{
    const lw_wave *w = event->state->wave;
    switch (file) {
    case LW_FILE_VGPR:
        return w->vgprs;
    case LW_FILE_AGPR:
        return w->agprs;
    case LW_FILE_SGPR:
        return LW_SGPR_COUNT;
    case LW_FILE_SCC:
    case LW_FILE_MODE:
        return 1;
    }
    return 0;
}

unsigned lw_event_accum_offset(const lw_event *event)
{
    return event->state->wave->accum;
}

uint32_t lw_event_lds_size(const lw_event *event)
{
    return event->state->wave->group->lds_size;
}

size_t lw_event_registers(const lw_event *event, lw_reg_range *ranges, size_t count)
{
    const lw_decoded *in = event->state->in;
    return in ? lw_active_registers(in, event->exec, ranges, ranges ? count : 0) : 0;
}
