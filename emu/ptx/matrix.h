/* SPDX-License-Identifier: MIT */
#ifndef LW_EMU_PTX_MATRIX_H
#define LW_EMU_PTX_MATRIX_H

#include "emu/ptx/warp.h"

/* Adds what a worker's executions touched, and the label of that; nothing for other instructions. */
void lw_ptx_matrix_tally(const lw_worker *worker, const lw_ptx_record *r, lw_tally *tally);

#endif
