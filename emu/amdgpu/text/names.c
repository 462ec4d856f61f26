/* SPDX-License-Identifier: MIT */
/* Mnemonics of executed instructions: the rows of flat, scratch and global instructions leave the prefix out.
 */
#include "emu/amdgpu/control/machine.h"
#include "isa_tables/amdgpu/rows.h"

enum { FIRST = LW_OP_load_ubyte };

/* By segment, as the SEG field encodes them. */
static const char *const gfx9_names[][LW_SEGMENTS] = {
#define FLAT(id, ...) [LW_OP_##id - FIRST] = { "flat_" #id, "scratch_" #id, "global_" #id },
#include "isa_tables/amdgpu/flat.inc"
#undef FLAT
};

/* Rows that exist on gfx11 always give their name there; it stands after a NULL. */
static const char *const gfx11_names[][1 + LW_SEGMENTS] = {
#define G9(op)
#define G942(op)
#define G950(op)
#define N11(op, name) "flat_" #name, "scratch_" #name, "global_" #name
#define FLAT(id, codes, ...) [LW_OP_##id - FIRST] = { NULL, codes },
#include "isa_tables/amdgpu/flat.inc"
#undef FLAT
};

const char *lw_machine_mnemonic(lw_arch arch, const lw_op_row *row, unsigned seg)
{
    if (row->enc != LW_ENC_FLAT)
        return lw_op_name(row, arch);
    const unsigned at = (unsigned)lw_op_index(row) - FIRST;
    const char *later = arch >= LW_ARCH_GFX1100 ? gfx11_names[at][1 + seg] : NULL;
    return later ? later : gfx9_names[at][seg];
}
