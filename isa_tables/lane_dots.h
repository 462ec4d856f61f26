/* SPDX-License-Identifier: MIT */
/* Dot-product instructions of RDNA's vector ALU: each lane runs one step of a matrix dot unit. */
#ifndef LW_ISA_LANE_DOTS_H
#define LW_ISA_LANE_DOTS_H

#include <stddef.h>

#include <lanewise/mma.h>

#include "isa_tables/dot_units.h"
#include "isa_tables/formats.h"

typedef struct lw_lane_dot {
    const char *mnemonic;
    uint8_t arch; /* lw_arch */
    uint8_t unit; /* lw_dot_unit_id; its group is the number of products */
    uint8_t a, b; /* lw_format_id; packed in 32 bits, element 0 lowest */
    uint8_t acc;  /* lw_format_id of the accumulator and the result: F32, F16 or BF16 */
    lw_mma_evidence evidence;
} lw_lane_dot;

/* NULL when the architecture has no such instruction here. */
const lw_lane_dot *lw_lane_dot_find(lw_arch arch, const char *mnemonic);

#endif
