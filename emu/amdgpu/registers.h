/* SPDX-License-Identifier: MIT */
/* Which registers an instruction reads and writes: for observers, allocation checks and traces. */
#ifndef LW_EMU_AMDGPU_REGISTERS_H
#define LW_EMU_AMDGPU_REGISTERS_H

#include "emu/amdgpu/inst.h"

typedef enum lw_reg_file {
    LW_FILE_VGPR,
    LW_FILE_AGPR,
    LW_FILE_SGPR, /* VCC, TTMP, M0 and EXEC included, under their numbers in wave.h */
    LW_FILE_SCC,
    LW_FILE_MODE,
} lw_reg_file;

typedef struct lw_reg_range {
    uint8_t file; /* lw_reg_file */
    uint8_t read, written;
    uint16_t first, count; /* 32-bit registers; SCC and MODE: 0, 1 */
} lw_reg_range;

enum { LW_MAX_REG_RANGES = 16 };

/*
 * Lists every register that `in` names or implies (VCC, SCC, EXEC, M0, MODE), operand by operand; a register
 * that is read by one operand and written by another is listed twice. EXEC as the lane mask of a vector
 * instruction is listed as read. Registers addressed through M0 (movrel, gpr_idx) are listed as encoded.
 * Returns how many entries of `ranges` were filled.
 */
unsigned lw_inst_registers(const lw_inst *in, lw_reg_range ranges[LW_MAX_REG_RANGES]);

#endif
