/* SPDX-License-Identifier: MIT */
/* Mnemonics of executed instructions: the rows of flat, scratch and global instructions leave the prefix out.
 */
#include "emu/amdgpu/control/machine.h"
#include "isa_tables/amdgpu/rows.h"

enum { FIRST = LW_OP_load_ubyte };

/* By segment, as the SEG field encodes them. */
static const char *const flat_names[][LW_SEGMENTS] = {
#define FLAT(id, ...) [LW_OP_##id - FIRST] = { "flat_" #id, "scratch_" #id, "global_" #id },
#include "isa_tables/amdgpu/flat.inc"
#undef FLAT
};

const char *lw_machine_mnemonic(const lw_op_row *row, unsigned seg)
{
    return row->enc == LW_ENC_FLAT ? flat_names[lw_op_index(row) - FIRST][seg] : row->name;
}
