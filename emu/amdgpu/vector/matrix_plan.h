/* SPDX-License-Identifier: MIT */
/* Matrix instructions: joining a decoded instruction to emu/mma. */
#ifndef LW_EMU_AMDGPU_MATRIX_PLAN_H
#define LW_EMU_AMDGPU_MATRIX_PLAN_H

#include <lanewise/observe.h>

#include "emu/amdgpu/control/machine.h"

struct lw_op_row;

/* Is this row a matrix instruction with a plan? Moves of accumulation registers are not. */
bool lw_matrix_is(const struct lw_op_row *row);

/* Prepares the arithmetic of `in`. LW_STEP_NEXT, or LW_STEP_FAULT with the reason. */
lw_step lw_matrix_plan_make(lw_wave *w, const lw_decoded *in, void **plan);
void lw_matrix_plan_free(void *plan);

/* Adds which aspects the executions of this plan touched, and their weakest label. */
void lw_matrix_plan_tally(const void *plan, struct lw_tally *tally);

/* What observers are told about it. */
void lw_matrix_plan_describe(const lw_decoded *in, lw_matrix_event *event);

#endif
