/* SPDX-License-Identifier: MIT */
/*
 * Barriers in LDS (gfx1250): cells of 64 bits. Bits 28:0 count the arrivals that are missing, less one, bits
 * 31:29 the phases, downwards; bits 47:32 are the count with which a phase begins (Triton's lowering for
 * gfx1250; HipKittens, which quotes AMD's text. AMD's emulator has 16 bits for each of the first two: the
 * parity of bit 29, for which kernels wait, would then be another).
 */
#ifndef LW_EMU_AMDGPU_CELLS_H
#define LW_EMU_AMDGPU_CELLS_H

#include "emu/amdgpu/memory/access.h"

/* `count` arrivals; *old (or NULL) is the cell before. A cell outside LDS is left alone and reads as 0. False
 * after lw_wave_fault. */
bool lw_cell_arrive(lw_wave *w, int lane, uint32_t address, uint64_t count, uint64_t *old);

#endif
