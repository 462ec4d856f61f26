/* SPDX-License-Identifier: MIT */
/*
 * Operations of IEEE 754-2019 that only some GPUs have as one instruction: quotient and square root with one
 * rounding, and conversion from any format to integers of up to 64 bits. NaNs are those of lw_fp_add: see
 * fp.h.
 */
#ifndef LW_EMU_NUM_IEEE_H
#define LW_EMU_NUM_IEEE_H

#include "emu/num/fp.h"

/* a / b and the square root to 64 bits and a sticky bit; `lo` of the operands must be 0. */
lw_fp_num lw_fp_quotient(const lw_fp_num *a, const lw_fp_num *b);
lw_fp_num lw_fp_root(const lw_fp_num *v);

uint64_t lw_fp_div(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b);
uint64_t lw_fp_sqrt(const lw_format *f, const lw_fp_env *e, uint64_t x);

/* The integer that x rounds to, limited to the range of `bits` bits. x is not a NaN. */
uint64_t lw_fp_to_whole(const lw_format *f, const lw_fp_env *e, lw_fp_rounding round, unsigned bits,
                        bool is_signed, uint64_t x);

#endif
