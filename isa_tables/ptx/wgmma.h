/* SPDX-License-Identifier: MIT */
/*
 * wgmma.mma_async: its widths, and the products of one warp that it consists of. A row of lw_insn_rows, with
 * N = 8, represents all widths; every other width has a row of its own here, which lookups by name or
 * spelling return.
 */
#ifndef LW_ISA_PTX_WGMMA_H
#define LW_ISA_PTX_WGMMA_H

#include "isa_tables/ptx/row.h"

/* Does the instruction of that row exist with N columns? */
bool lw_wgmma_has_width(const lw_insn *insn, unsigned n);

/* The row with N columns that is otherwise the same as `insn`; NULL if there is none. */
const lw_insn *lw_wgmma_of_width(const lw_insn *insn, unsigned n);

/* All rows of more than eight columns; NULL after the last. Some of the integer widths are not
 * instructions. */
const lw_insn *lw_wgmma_wide_at(size_t index);

/* The part: what one warp computes for 16 rows and eight columns; and a part by its name; NULL: there is
 * none. */
const lw_insn *lw_wgmma_part_of(const lw_insn *insn);
const lw_insn *lw_wgmma_part(const char *name);

/* The modifiers of the part. */
lw_mods lw_wgmma_part_mods(const lw_insn *insn, const lw_mods *mods);

#endif
