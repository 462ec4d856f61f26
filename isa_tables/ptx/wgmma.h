/* SPDX-License-Identifier: MIT */
/*
 * wgmma.mma_async: its widths, and the products of one warp that it is made of. A row of lw_insn_rows has N =
 * 8 and stands for all widths; each of these has a row of its own, which lookups by name or spelling give.
 */
#ifndef LW_ISA_PTX_WGMMA_H
#define LW_ISA_PTX_WGMMA_H

#include "isa_tables/ptx/row.h"

/* Does the instruction of that row exist with N columns? */
bool lw_wgmma_has_width(const lw_insn *insn, unsigned n);

/* The row with N columns, all else being as in `insn`; NULL where there is none. */
const lw_insn *lw_wgmma_of_width(const lw_insn *insn, unsigned n);

/* All rows of more than eight columns; NULL after the last. Some widths of integers are no instructions. */
const lw_insn *lw_wgmma_wide_at(size_t index);

/* What one warp computes of 16 rows and eight columns; and the part of that name; NULL: there is none. */
const lw_insn *lw_wgmma_part_of(const lw_insn *insn);
const lw_insn *lw_wgmma_part(const char *name);

/* The modifiers of the part. */
lw_mods lw_wgmma_part_mods(const lw_insn *insn, const lw_mods *mods);

#endif
