/* SPDX-License-Identifier: MIT */
/* Matrix instructions: connecting a decoded instruction with emu/mma. */
#ifndef LW_EMU_AMDGPU_MATRIX_PLAN_H
#define LW_EMU_AMDGPU_MATRIX_PLAN_H

#include <lanewise/observe.h>

#include "emu/amdgpu/control/machine.h"
#include "emu/mma/prepared.h"

struct lw_op_row;

/* Is this row a matrix instruction? Moves of accumulation registers are not. */
bool lw_matrix_is(const struct lw_op_row *row);

/* Finds or adds the key of `in` in a module's list, whose lock the caller holds. NULL: no host memory. */
const lw_mma_key *lw_matrix_key_of(lw_mma_key **keys, const lw_decoded *in);

/* What the session's module has prepared for the session's readings. NULL: no host memory. */
lw_mma_set *lw_matrix_set_of(const lw_session *session);

/* Prepares the arithmetic of `in`, if that has not been done. LW_STEP_NEXT, or LW_STEP_FAULT with the reason.
 */
lw_step lw_matrix_prepare(lw_wave *w, const lw_decoded *in);

/* Adds the aspects that the worker's executions touched, and their weakest label. */
void lw_matrix_tally(const lw_worker *worker, const lw_decoded *in, lw_tally *tally);

/* What observers receive about it. */
void lw_matrix_describe(const lw_decoded *in, const lw_session *session, lw_matrix_event *event);

#endif
