/* SPDX-License-Identifier: MIT */
#ifndef LW_EMU_PTX_FLOATS_H
#define LW_EMU_PTX_FLOATS_H

#include "emu/ptx/handlers.h"

/* Finishes a result: the device's NaN; .sat limits to [0, 1], with +0 for a NaN; .relu limits to +0 and
 * above. */
uint64_t lw_ptx_result(const lw_ptx_record *r, uint64_t v);

/* min and max of two numbers; with one NaN, the other source or, with .NaN, a NaN. */
uint64_t lw_ptx_chosen(const lw_ptx_record *r, uint64_t a, uint64_t b, bool larger);

#endif
