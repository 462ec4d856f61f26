/* SPDX-License-Identifier: MIT */
/* What observers see. */
#include "emu/amdgpu/machine.h"
#include "emu/amdgpu/matrix_plan.h"
#include "isa_tables/amdgpu/rows.h"

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
    }
}

void lw_observe(lw_hook hook, lw_wave *w, const lw_inst *in)
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
    if (hook == LW_HOOK_AFTER && w->log) {
        event.accesses = w->log->entries;
        event.access_count = w->log->count;
    }
    for (size_t i = 0; i < m->observer_count; i++)
        call(m->observers[i], hook, &event);
}

size_t lw_event_text(const lw_event *event, char *text, size_t size)
{
    const lw_inst *in = event->state->in;
    if (in)
        return lw_amdgpu_text(event->arch, in, text, size);
    if (size)
        text[0] = '\0';
    return 0;
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
    const lw_inst *in = event->state->in;
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

uint32_t lw_event_lds_size(const lw_event *event)
{
    return event->state->wave->group->lds_size;
}

/* ---- Registers an instruction reads and writes ---- */

typedef struct range_list {
    lw_reg_range *ranges;
    size_t capacity, count;
    bool all_lanes;
} range_list;

static void add_range(range_list *list, lw_reg_file file, unsigned first, unsigned count, bool read,
                      bool written)
{
    if (list->count < list->capacity)
        list->ranges[list->count] =
            (lw_reg_range){ file, (uint16_t)first, (uint16_t)count, read, written, list->all_lanes };
    list->count++;
}

static void add_operand(range_list *list, const lw_opnd *o, bool read, bool written)
{
    switch ((lw_opnd_kind)o->kind) {
    case LW_OPND_VGPR:
        add_range(list, LW_FILE_VGPR, o->reg, o->dwords, read, written);
        return;
    case LW_OPND_AGPR:
        add_range(list, LW_FILE_AGPR, o->reg, o->dwords, read, written);
        return;
    case LW_OPND_SGPR:
        add_range(list, LW_FILE_SGPR, o->reg, o->dwords, read, written);
        return;
    case LW_OPND_NONE:
    case LW_OPND_SPECIAL:
    case LW_OPND_INLINE:
    case LW_OPND_LITERAL:
    case LW_OPND_IMM:
    case LW_OPND_OFF:
        return;
    }
}

/* What no operand names. SCC, VCC and EXEC are whole masks; the lane mask of vector instructions is not
 * listed. */
static void add_implicit(range_list *list, const lw_inst *in)
{
    const uint32_t f = in->row->flags;
    if (f & (LW_OPF_R_SCC | LW_OPF_W_SCC))
        add_range(list, LW_FILE_SCC, 0, 1, f & LW_OPF_R_SCC, f & LW_OPF_W_SCC);
    const bool vop3 = in->enc == LW_ENC_VOP3;
    const bool carry_in = f & LW_OPF_CARRY_IN && !vop3, carry_out = f & LW_OPF_CARRY_OUT && !vop3;
    if ((f & LW_OPF_R_VCC || carry_in || carry_out) && in->sdst.kind == LW_OPND_NONE)
        add_range(list, LW_FILE_SGPR, LW_SGPR_VCC, 2, f & LW_OPF_R_VCC || carry_in, carry_out);
    if (f & (LW_OPF_R_EXEC | LW_OPF_W_EXEC))
        add_range(list, LW_FILE_SGPR, LW_SGPR_EXEC, 2, f & LW_OPF_R_EXEC, f & LW_OPF_W_EXEC);
    if (f & (LW_OPF_R_M0 | LW_OPF_W_M0))
        add_range(list, LW_FILE_SGPR, LW_SGPR_M0, 1, f & LW_OPF_R_M0, f & LW_OPF_W_M0);
    if (f & LW_OPF_W_MODE)
        add_range(list, LW_FILE_MODE, 0, 1, true, true);
}

size_t lw_event_registers(const lw_event *event, lw_reg_range *ranges, size_t count)
{
    const lw_inst *in = event->state->in;
    if (!in)
        return 0;
    range_list list = { .ranges = ranges, .capacity = ranges ? count : 0 };
    list.all_lanes = (in->row->flags & LW_OPF_NO_EXEC) != 0;
    const uint32_t f = in->row->flags;
    const bool smem = in->row->enc == LW_ENC_SMEM;
    const bool smem_store = smem && in->row->kind == LW_SM_STORE;
    const bool smem_atomic = smem && in->row->kind == LW_SM_ATOMIC;
    const bool tied = f & (LW_OPF_TIED | LW_OPF_SWAP) || in->row->mods & LW_MOD_SPARSE;
    add_operand(&list, &in->dst, tied || smem_store || smem_atomic,
                !smem_store && !(smem_atomic && !in->glc));
    add_operand(&list, &in->sdst, false, true);
    for (unsigned i = 0; i < LW_MAX_SRC; i++)
        add_operand(&list, &in->src[i], true, f & LW_OPF_SWAP && i == 0);
    add_operand(&list, &in->scale[0], true, false);
    add_operand(&list, &in->scale[1], true, false);
    add_implicit(&list, in);
    return list.count;
}
