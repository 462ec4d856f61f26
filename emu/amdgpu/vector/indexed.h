/* SPDX-License-Identifier: MIT */
/* MODE.GPR_IDX_EN and MODE.VSKIP: the meaning of an instruction while they are on. */
#ifndef LW_EMU_AMDGPU_INDEXED_H
#define LW_EMU_AMDGPU_INDEXED_H

#include "emu/amdgpu/control/wave.h"

/* With VSKIP set, vector, LDS and vector memory instructions do nothing. */
bool lw_indexed_skips(const lw_wave *w, const lw_decoded *in);

/*
 * Copies `in` with M0[7:0] added to the vector registers that M0[15:12] names. LW_STEP_FAULT if one is then
 * outside the wave's registers.
 */
lw_step lw_indexed_resolve(lw_wave *w, const lw_decoded *in, lw_decoded *resolved);

#endif
