/* SPDX-License-Identifier: MIT */
/* Matrix instructions in waves of 32 lanes, whose registers are 64 words apart. */
#ifndef LW_EMU_AMDGPU_MATRIX_NARROW_H
#define LW_EMU_AMDGPU_MATRIX_NARROW_H

#include "emu/amdgpu/control/wave.h"

enum { LW_NARROW_LANES = 32, LW_NARROW_REGISTERS = 16 };

/* Register images as in lw_mma_registers: 32 words per register. */
typedef struct lw_matrix_images {
    uint32_t a[LW_NARROW_REGISTERS * LW_NARROW_LANES], b[LW_NARROW_REGISTERS * LW_NARROW_LANES],
        c[LW_NARROW_REGISTERS * LW_NARROW_LANES], d[LW_NARROW_REGISTERS * LW_NARROW_LANES];
    uint32_t index[LW_NARROW_REGISTERS * LW_NARROW_LANES];
    uint32_t scale[2][2 * LW_NARROW_LANES]; /* of A and B */
    bool has_c;                             /* C is in registers */
} lw_matrix_images;

/* Reads the operands. LW_STEP_NEXT, or LW_STEP_FAULT with the reason. */
lw_step lw_matrix_gather(lw_wave *w, const lw_decoded *in, lw_matrix_images *images);

/* Writes D. */
void lw_matrix_scatter(lw_wave *w, const lw_decoded *in, const lw_matrix_images *images);

#endif
