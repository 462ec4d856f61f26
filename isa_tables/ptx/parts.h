/* SPDX-License-Identifier: MIT */
/*
 * wgmma.mma_async and tcgen05.mma: their widths, and the products of 16 rows and eight columns that they
 * consist of. A row of lw_insn_rows, with the least N, represents all widths; every other width has a row of
 * its own here, which lookups by name or spelling return.
 */
#ifndef LW_ISA_PTX_PARTS_H
#define LW_ISA_PTX_PARTS_H

#include "isa_tables/ptx/row.h"

/* Does the instruction of that row exist with N columns? */
bool lw_ptx_has_width(const lw_insn *insn, unsigned n);

/* The row with N columns that is otherwise the same as `insn`; NULL if there is none. */
const lw_insn *lw_ptx_of_width(const lw_insn *insn, unsigned n);

/* All rows of further widths; NULL after the last. Some of the integer widths are not instructions. */
const lw_insn *lw_ptx_wide_at(size_t index);

/* The part: what is computed of 16 rows and eight columns; a part by its name; NULL: there is none. All
 * parts, NULL after the last. */
const lw_insn *lw_ptx_part_of(const lw_insn *insn);
const lw_insn *lw_ptx_part(const char *name);
const lw_insn *lw_ptx_part_at(size_t index);

/* The modifiers of the part. */
lw_mods lw_ptx_part_mods(const lw_insn *insn, const lw_mods *mods);

/* Which of wgmma's instructions a spelling is; LW_PTX_WGMMA_NONE: none of them. */
typedef enum lw_ptx_wgmma_verb {
    LW_PTX_WGMMA_NONE,
    LW_PTX_WGMMA_PRODUCT, /* mma_async: whatever follows, which lw_ptx_find reads */
    LW_PTX_WGMMA_FENCE,
    LW_PTX_WGMMA_COMMIT,
    LW_PTX_WGMMA_WAIT,
} lw_ptx_wgmma_verb;

lw_ptx_wgmma_verb lw_ptx_wgmma_verb_of(const char *opcode);

#endif
