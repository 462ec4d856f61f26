/* SPDX-License-Identifier: MIT */
/*
 * The function that runs each machine instruction. A row's semantics column NAME stands for the function
 * lw_sem_NAME; `none` for lw_sem_none, which faults. A misspelt name does not link.
 */
#ifndef LW_EMU_AMDGPU_HANDLERS_H
#define LW_EMU_AMDGPU_HANDLERS_H

#include "emu/amdgpu/control/wave.h"
#include "isa_tables/amdgpu/rows.h"

#define LW_ROW(id, enc, codes, sem, ev) lw_step lw_sem_##sem(lw_wave *wave, const lw_decoded *in);
#include "isa_tables/amdgpu/each_row.inc"
#undef LW_ROW

/* Indexed by lw_op. */
extern const lw_exec_fn lw_handlers[LW_OP_COUNT];

/* The function for a row on a generation; lw_sem_none if the row is only printed there. */
static inline lw_exec_fn lw_handler_of(const lw_op_row *row, lw_arch arch)
{
    const lw_op_on *on = lw_op_get_on(row, arch);
    return on && on->text_only ? lw_sem_none : lw_handlers[lw_op_index(row)];
}

/* Why lw_sem_none refuses a row on a generation; NULL where a function runs it. */
const char *lw_refusal_of(const lw_op_row *row, lw_arch arch);

/* Runs both halves of VOPD; each reads the previous contents of registers. */
lw_step lw_exec_dual(lw_wave *wave, const lw_decoded *in);

#endif
