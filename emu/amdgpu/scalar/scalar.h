/* SPDX-License-Identifier: MIT */
/* Scalar operands of any instruction. */
#ifndef LW_EMU_AMDGPU_SCALAR_H
#define LW_EMU_AMDGPU_SCALAR_H

#include "emu/amdgpu/control/wave.h"
#include "emu/device/memory.h"

/* Source codes that are neither registers nor constants (AMD CDNA3 ISA manual, "Scalar operands"). */
enum {
    LW_SRC_FLAT_SCRATCH_LO = 230, /* gfx1250; as a pair, the whole address */
    LW_SRC_FLAT_SCRATCH_HI = 231,
    LW_SRC_SHARED_BASE = 235,
    LW_SRC_SHARED_LIMIT = 236,
    LW_SRC_PRIVATE_BASE = 237,
    LW_SRC_PRIVATE_LIMIT = 238,
    LW_SRC_VCCZ = 251,
    LW_SRC_EXECZ = 252,
    LW_SRC_SCC = 253,
};

/*
 * The value of a scalar source: SGPRs, constants, special sources; 32 bits, or 64 if the operand covers two
 * registers. False for what has no documented value: LDS_DIRECT, POPS_EXITING_WAVE_ID, and the apertures as
 * 32-bit operands (LLVM's code generator avoids them as broken).
 */
bool lw_scalar_read(const lw_wave *wave, const lw_opnd *op, uint64_t *value);

/* The fault for a source for which lw_scalar_read has no value. */
lw_step lw_scalar_no_value(lw_wave *wave, const lw_opnd *op);

/* Writes the low 64 bits of a scalar result: one register, or two if the operand covers two. */
static inline void lw_scalar_write(lw_wave *wave, const lw_opnd *op, uint64_t value)
{
    if (op->dwords >= 2)
        lw_wave_set_sgpr64(wave, op->reg, value);
    else
        wave->sgpr[op->reg] = (uint32_t)value;
}

#endif
