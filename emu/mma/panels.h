/* SPDX-License-Identifier: MIT */
/* Executing a prepared instruction by the panel kernels. */
#ifndef LW_EMU_MMA_PANELS_H
#define LW_EMU_MMA_PANELS_H

#include "emu/fast/panel.h"
#include "emu/mma/mma.h"

/*
 * Prepares kernel and rearrangements; mma->panels stays NULL where there is no kernel for the instruction or
 * its operands are not made of whole words. LW_E_NO_MEMORY.
 */
lw_status lw_mma_panels_make(lw_mma *mma, lw_fast_isa isa);
void lw_mma_panels_free(lw_mma_panels *panels);

/* Computes D; false when another way has to (D may then be partly written if it overlaps no source). No bits
 * of MODE may be acting, and the pointers must have been checked. */
bool lw_mma_panels_run(const lw_mma *mma, const lw_mma_registers *regs);

#endif
