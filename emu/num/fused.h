/* SPDX-License-Identifier: MIT */
/* What NVIDIA's fused units share: aligning a term, and the single conversion of the exact sum. */
#ifndef LW_EMU_NUM_FUSED_H
#define LW_EMU_NUM_FUSED_H

#include "emu/num/dot.h"

/* The state of a fused addition: its accumulator, and which special operands occurred. */
typedef struct lw_fused_sum {
    const lw_dot_unit *unit;
    const lw_dot_log *log;
    bool narrow;        /* f16 accumulator and result, else f32 */
    lw_part c;          /* the accumulator, unpacked */
    bool nan, pos, neg; /* the result is NaN; infinities by sign */
    int top;            /* largest exponent that takes part, but at least the unit's floor */
} lw_fused_sum;

/* Takes in the accumulator; `acc` is LW_ACC_F32 or LW_ACC_F16. */
lw_fused_sum lw_fused_begin(const lw_dot_unit *unit, lw_dot_acc acc, uint32_t c, const lw_dot_log *log);

/* Records the NaNs and infinities of a group's products. */
void lw_fused_specials(lw_fused_sum *sum, const lw_dot_group *group);

/* If a NaN or an infinity is the result: its code. */
bool lw_fused_special_result(const lw_fused_sum *sum, uint32_t *code);

/* sig * 2^exp in units of 2^(top - product_frac), cut towards zero; *cut says whether anything was lost. */
int64_t lw_fused_align(const lw_fused_sum *sum, bool neg, uint64_t sig, int exp, bool *cut);

/* Adds the accumulator to the aligned terms and converts the exact sum once. */
uint32_t lw_fused_finish(const lw_fused_sum *sum, int64_t terms);

#endif
