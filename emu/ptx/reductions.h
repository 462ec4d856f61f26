/* SPDX-License-Identifier: MIT */
/* How atomics and reductions combine the old value `a` with the operand `b`; the record says the type. */
#ifndef LW_EMU_PTX_REDUCTIONS_H
#define LW_EMU_PTX_REDUCTIONS_H

#include "emu/ptx/warp.h"

typedef uint64_t lw_ptx_reduction(const lw_ptx_record *r, uint64_t a, uint64_t b);

lw_ptx_reduction lw_ptx_joined;         /* and, or, xor */
lw_ptx_reduction lw_ptx_wrapped;        /* inc, dec */
lw_ptx_reduction lw_ptx_selected;       /* min and max of integers */
lw_ptx_reduction lw_ptx_selected_float; /* and of f16 and bf16 */
lw_ptx_reduction lw_ptx_added;          /* add of floats */

#endif
