/* SPDX-License-Identifier: MIT */
#include "isa_tables/sparse.h"

#include "isa_tables/error.h"
#include "isa_tables/matrix.h"
#include "isa_tables/ptx/row.h"

uint16_t lw_sparse_legal(const lw_insn *insn, const lw_mods *mods, unsigned chunk)
{
    if (chunk == 1)
        return LW_SPARSE_ONE_OF_TWO;
    return insn->ptx && !lw_ptx_is_ordered(insn, &mods->ptx) ? LW_SPARSE_DIFFERENT : LW_SPARSE_ASCENDING;
}

int lw_sparse_find_undefined(uint16_t legal, const uint8_t *nibbles, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!(legal >> nibbles[i] & 1))
            return (int)i;
    return -1;
}

lw_status lw_sparse_fail(const lw_insn *insn, const lw_mods *mods, unsigned chunk, const uint8_t *nibbles,
                         unsigned in_a_row, unsigned at, lw_error *error)
{
    return lw_error_fail(error, LW_E_UNSUPPORTED,
                         "%s: the metadata of row %u, chunk %u is 0x%x, which the PTX ISA leaves undefined; "
                         "%s",
                         insn->mnemonic, at / in_a_row, at % in_a_row, nibbles[at],
                         chunk == 1                            ? "0x4 and 0xe are defined"
                         : lw_ptx_is_ordered(insn, &mods->ptx) ? "0x4 0x8 0x9 0xc 0xd 0xe are defined"
                                                               : "its two positions must differ");
}
