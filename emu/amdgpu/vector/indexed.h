/* SPDX-License-Identifier: MIT */
/* MODE.GPR_IDX_EN, MODE.VSKIP and the extended register numbers of gfx1250: the meaning of an instruction
 * then. */
#ifndef LW_EMU_AMDGPU_INDEXED_H
#define LW_EMU_AMDGPU_INDEXED_H

#include "emu/amdgpu/control/wave.h"

/* With VSKIP set, vector, LDS and vector memory instructions do nothing. */
bool lw_indexed_skips(const lw_wave *w, const lw_decoded *in);

/*
 * Copies `in` with M0[7:0] added to the vector registers that M0[15:12] names, or with the numbers that MODE
 * adds. LW_STEP_FAULT if one is then outside the wave's registers.
 */
lw_step lw_indexed_resolve(lw_wave *w, const lw_decoded *in, lw_decoded *resolved);

/* Instructions that move registers by M0 of their own accord (v_movreld_b32 and the like): copies `in` with
 * the registers that this execution accesses. False: it is none of them. */
bool lw_indexed_moves(const lw_wave *w, const lw_decoded *in, lw_decoded *moved);

#endif
