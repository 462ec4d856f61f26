/* SPDX-License-Identifier: MIT */
/* Answers to observers' questions about AMD's waves. */
#include <stdio.h>

#include "emu/amdgpu/control/machine.h"
#include "emu/amdgpu/decode/facts.h"
#include "emu/amdgpu/memory/access.h"
#include "emu/amdgpu/vector/vlane.h"
#include "emu/amdgpu/vector/matrix_plan.h"

static const lw_decoded *decoded_of(const lw_event *event)
{
    return &((const lw_record *)event->state->record)->in;
}

size_t lw_amd_event_text(const lw_event *event, char *text, size_t size)
{
    return lw_amdgpu_text(event->arch, decoded_of(event), text, size);
}

lw_facts lw_amd_facts(lw_arch arch, const void *record, uint64_t pc, lw_fact_operand *operands)
{
    return lw_decoded_facts(arch, &((const lw_record *)record)->in, pc, operands);
}

uint64_t lw_amd_event_lanes(const lw_event *event, const lw_fact_operand *operand)
{
    return lw_decoded_lanes(decoded_of(event), operand, event->exec);
}

bool lw_amd_lane_sources(const lw_event *event, const lw_fact_operand *operand, uint8_t from[LW_MAX_LANES])
{
    const lw_decoded *in = decoded_of(event);
    if (in->sub == LW_SUB_DPP && operand->lanes == LW_LANES_SOME) {
        lw_vlanes_of(in, event->exec, from);
        return true;
    }
    return lw_ds_lanes_of(lw_amd_wave_of(event->state->wave), in, from);
}

bool lw_amd_event_matrix(const lw_event *event, lw_matrix_event *matrix)
{
    const lw_decoded *in = decoded_of(event);
    if (in->matrix)
        lw_matrix_describe(in, event->state->wave->group->session, matrix);
    return in->matrix != NULL;
}

static bool is_vector(lw_reg_file file)
{
    return file == LW_FILE_VGPR || file == LW_FILE_AGPR;
}

/* Points to the first lane's value; the other lanes of vector registers follow it. NULL if the wave has no
 * such register. */
static const uint32_t *values_of(const lw_wave *w, lw_reg_file file, unsigned reg)
{
    if (file == LW_FILE_VGPR)
        return reg < w->vgprs ? w->vgpr + (size_t)reg * LW_LANES : NULL;
    if (file == LW_FILE_AGPR)
        return reg < w->agprs ? w->agpr + (size_t)reg * LW_LANES : NULL;
    if (file == LW_FILE_NAMED && reg == LW_NAMED_MODE)
        return &w->mode;
    const int code = lw_scalar_code(file, reg);
    return code >= 0 ? &w->sgpr[code] : NULL;
}

uint32_t lw_amd_value(const lw_wave_head *head, lw_reg_file file, unsigned reg, unsigned lane)
{
    const lw_wave *w = lw_amd_wave_of(head);
    if (file == LW_FILE_NAMED && reg == LW_NAMED_SCC)
        return w->scc;
    const uint32_t *from = lane < LW_LANES ? values_of(w, file, reg) : NULL;
    return from ? from[is_vector(file) ? lane : 0] : 0;
}

void lw_amd_values(const lw_wave_head *head, lw_reg_file file, unsigned reg, uint32_t *values, size_t count)
{
    const lw_wave *w = lw_amd_wave_of(head);
    const uint32_t *from = is_vector(file) ? values_of(w, file, reg) : NULL;
    for (size_t lane = 0; lane < count; lane++)
        values[lane] = !is_vector(file)          ? lw_amd_value(head, file, reg, 0)
                       : from && lane < w->lanes ? from[lane]
                                                 : 0;
}

size_t lw_amd_register_name(const lw_event *event, lw_reg_file file, unsigned reg, char *text, size_t size)
{
    (void)event;
    static const char *const named[LW_NAMED_COUNT] = {
        [LW_NAMED_VCC_LO] = "vcc_lo",   [LW_NAMED_VCC_HI] = "vcc_hi", [LW_NAMED_EXEC_LO] = "exec_lo",
        [LW_NAMED_EXEC_HI] = "exec_hi", [LW_NAMED_M0] = "m0",         [LW_NAMED_SCC] = "scc",
        [LW_NAMED_MODE] = "mode"
    };
    static const char *const prefixes[LW_FILE_COUNT] = {
        [LW_FILE_VGPR] = "v", [LW_FILE_AGPR] = "a", [LW_FILE_SGPR] = "s", [LW_FILE_TRAP] = "ttmp"
    };
    int length = -1;
    if (file == LW_FILE_NAMED && reg < LW_NAMED_COUNT)
        length = snprintf(text, size, "%s", named[reg]);
    else if ((unsigned)file < LW_FILE_COUNT && prefixes[file])
        length = snprintf(text, size, "%s%u", prefixes[file], reg);
    else if (size)
        text[0] = '\0';
    return length > 0 ? (size_t)length : 0;
}

unsigned lw_amd_registers(const lw_wave_head *head, lw_reg_file file)
{
    const lw_wave *w = lw_amd_wave_of(head);
    unsigned count = 0;
    if (file == LW_FILE_NAMED)
        return LW_NAMED_COUNT;
    if (is_vector(file))
        return file == LW_FILE_VGPR ? w->vgprs : w->agprs;
    while (lw_scalar_code(file, count) >= 0)
        count++;
    return count;
}

unsigned lw_amd_lanes(const lw_wave_head *head)
{
    return lw_amd_wave_of(head)->lanes;
}

unsigned lw_amd_accum_offset(const lw_wave_head *head)
{
    return lw_amd_wave_of(head)->accum;
}

bool lw_amd_splits_l0(const lw_wave_head *head)
{
    return lw_amd_launch_of(lw_amd_wave_of(head))->splits_l0;
}
