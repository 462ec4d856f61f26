/* SPDX-License-Identifier: MIT */
/* One lane of a dot-product instruction. */
#ifndef LW_EMU_NUM_LANE_DOT_H
#define LW_EMU_NUM_LANE_DOT_H

#include "emu/num/dot.h"
#include "isa_tables/lane_dots.h"

/* `a` and `b` hold the unit's group of elements; modifiers have been applied. `c` and the result are codes.
 */
uint32_t lw_lane_dot_step(const lw_lane_dot *row, uint32_t a, uint32_t b, uint32_t c, const lw_dot_env *env,
                          const lw_dot_log *log);

#endif
