/* SPDX-License-Identifier: MIT */
/* The layout values of CDNA's matrix operands. */
#ifndef LW_LAYOUTS_CDNA_H
#define LW_LAYOUTS_CDNA_H

#include "layouts/digits.h"

lw_layout_builder lw_cdna_dense_ab, lw_cdna_f8f6f4_ab, lw_cdna_sparse_x2_b;
lw_layout_builder lw_cdna_cd32, lw_cdna_cd64, lw_cdna_index, lw_cdna_scale;

/* Multi-block A under CBSZ and ABID: each run of 2^cbsz blocks reads block abid of the run. */
void lw_cdna_share_blocks(lw_layout *layout, unsigned cbsz, unsigned abid);

/* B under BLGP: each lane takes its value from another lane. */
void lw_cdna_lane_pattern(lw_layout *layout, unsigned blgp);

#endif
