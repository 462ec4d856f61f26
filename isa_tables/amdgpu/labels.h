/* SPDX-License-Identifier: MIT */
/* How well the result of a machine instruction is supported on a generation. */
#ifndef LW_ISA_AMDGPU_LABELS_H
#define LW_ISA_AMDGPU_LABELS_H

#include <lanewise/arch.h>
#include <lanewise/label.h>

#include "isa_tables/amdgpu/rows.h"

typedef struct lw_op_support {
    lw_label label;
    const char *source; /* "" where it is the row's */
} lw_op_support;

/*
 * The row's label is about gfx942 and gfx950; elsewhere it is inferred at best, unless the definition leaves
 * no freedom. A line of labels.inc says otherwise for one instruction on one generation. Rows without
 * semantics are unknown.
 */
lw_op_support lw_op_supported(lw_arch arch, const lw_op_row *row);

#endif
