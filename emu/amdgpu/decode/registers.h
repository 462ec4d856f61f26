/* SPDX-License-Identifier: MIT */
/* Which registers an instruction reads and writes. */
#ifndef LW_EMU_AMDGPU_REGISTERS_H
#define LW_EMU_AMDGPU_REGISTERS_H

#include <lanewise/observe.h>

#include "emu/amdgpu/decode/decoded.h"

enum { LW_MAX_REG_RANGES = 16 }; /* no instruction has more */

/*
 * Lists every register that `in` names or implies (VCC, SCC, EXEC, M0, MODE), operand by operand; a register
 * that is read by one operand and written by another is listed twice. EXEC as the lane mask of a vector
 * instruction is not listed. Registers addressed through M0 (movrel, gpr_idx) are listed as encoded.
 * Returns how many there are and writes at most `capacity` of them.
 */
size_t lw_decoded_registers(const lw_decoded *in, lw_reg_range *ranges, size_t capacity);

/* The same with the lanes of EXEC; of a result under DPP those that are kept apart from those that are
 * written. */
size_t lw_active_registers(const lw_decoded *in, uint64_t exec, lw_reg_range *ranges, size_t capacity);

#endif
