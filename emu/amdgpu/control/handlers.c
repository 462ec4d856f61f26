/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/control/handlers.h"

const lw_exec_fn lw_handlers[LW_OP_COUNT] = {
#define LW_ROW(id, enc, codes, sem, ev) [LW_OP_##id] = lw_sem_##sem,
#include "isa_tables/amdgpu/each_row.inc"
#undef LW_ROW
};

lw_step lw_sem_none(lw_wave *wave, const lw_decoded *in)
{
    return lw_wave_fault(wave, -1, "the instruction %s is known but not implemented",
                         lw_op_name(in->row, wave->arch));
}
