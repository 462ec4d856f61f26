/* SPDX-License-Identifier: MIT */
/* What observers ask about AMD's waves. */
#include "emu/amdgpu/control/machine.h"
#include "emu/amdgpu/decode/registers.h"
#include "emu/amdgpu/vector/matrix_plan.h"

static const lw_decoded *decoded_of(const lw_event *event)
{
    return &((const lw_record *)event->state->record)->in;
}

size_t lw_amd_event_text(const lw_event *event, char *text, size_t size)
{
    return lw_amdgpu_text(event->arch, decoded_of(event), text, size);
}

size_t lw_amd_event_registers(const lw_event *event, lw_reg_range *ranges, size_t count)
{
    return lw_active_registers(decoded_of(event), event->exec, ranges, count);
}

bool lw_amd_event_matrix(const lw_event *event, lw_matrix_event *matrix)
{
    const lw_decoded *in = decoded_of(event);
    if (in->matrix)
        lw_matrix_describe(in, event->state->wave->group->session, matrix);
    return in->matrix != NULL;
}

uint32_t lw_amd_value(const lw_wave_head *head, lw_reg_file file, unsigned reg, unsigned lane)
{
    const lw_wave *w = lw_amd_wave_of(head);
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

unsigned lw_amd_registers(const lw_wave_head *head, lw_reg_file file)
{
    const lw_wave *w = lw_amd_wave_of(head);
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

unsigned lw_amd_accum_offset(const lw_wave_head *head)
{
    return lw_amd_wave_of(head)->accum;
}
