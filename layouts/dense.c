/* SPDX-License-Identifier: MIT */
/* A sparse A addressed by the k of the dense matrix, which its index determines. */
#include <stdlib.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/sparse.h"
#include "layouts/query.h"

static lw_status check_nibbles(const lw_layout *layout, const uint8_t *index, size_t count, lw_error *error)
{
    const unsigned in_a_row = layout->relation.ks / layout->chunk;
    if (count != (size_t)layout->relation.rows * in_a_row)
        return lw_error_fail(error, LW_E_ARGUMENT, "the index of %s is %u x %u, %u elements, not %zu",
                             lw_insn_name(layout->arch, layout->insn), layout->relation.rows, in_a_row,
                             layout->relation.rows * in_a_row, count);
    for (size_t i = 0; i < count; i++)
        if (index[i] > 15)
            return lw_error_fail(error, LW_E_ARGUMENT,
                                 "element %zu of the index is %u; four bits are 0 to 15", i, index[i]);
    const uint16_t legal = lw_sparse_legal(layout->insn, &layout->mods, layout->chunk);
    const int at = layout->insn->ptx ? lw_sparse_find_undefined(legal, index, (unsigned)count) : -1;
    return at < 0 ? LW_OK
                  : lw_sparse_fail(layout->insn, &layout->mods, layout->chunk, index, in_a_row, (unsigned)at,
                                   error);
}

lw_status lw_layout_create_indexed(lw_arch arch, const lw_insn *insn, unsigned wave, const lw_mods *mods,
                                   const uint8_t *index, size_t count, lw_layout **layout, lw_error *error)
{
    if (!insn || !index || !layout)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "lw_layout_create_indexed needs an instruction, an index and a result");
    lw_layout a, i;
    lw_status st = lw_layout_build(arch, insn, LW_OPERAND_A, wave, mods, &a, error);
    if (st == LW_OK && !lw_insn_is_sparse(insn))
        return lw_error_fail(error, LW_E_ARGUMENT, "%s has no sparse A, and so no index",
                             lw_insn_name(arch, insn));
    if (st == LW_OK)
        st = lw_layout_build(arch, insn, LW_OPERAND_INDEX, wave, mods, &i, error);
    if (st != LW_OK)
        return st;
    a.chunk = (uint8_t)(a.relation.ks / i.relation.ks);
    st = check_nibbles(&a, index, count, error);
    if (st != LW_OK)
        return st;

    lw_layout *made = malloc(sizeof(*made) + count); /* the index is stored after the layout */
    if (!made)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory for a layout");
    uint8_t *kept = (uint8_t *)(made + 1);
    memcpy(kept, index, count);
    *made = a;
    made->index = kept;
    *layout = made;
    return LW_OK;
}

unsigned lw_layout_dense_k(const lw_layout *layout, const lw_pair *pair)
{
    const unsigned chunk = layout->chunk, in_a_row = layout->relation.ks / chunk;
    const uint8_t nibble = layout->index[pair->row * in_a_row + pair->k / chunk];
    return lw_sparse_dense_k(chunk, nibble, pair->k);
}

lw_status lw_layout_stored_k(const lw_layout *layout, const lw_layout_entry *entry, unsigned *k)
{
    if (!layout || !entry || !k || !lw_layout_is_stored(layout))
        return LW_E_ARGUMENT;
    const size_t pairs = lw_layout_pairs(layout);
    for (size_t n = 0; n < pairs; n++) {
        const lw_pair p = lw_layout_pair(layout, n);
        if (p.lane != entry->lane || p.bit != entry->reg * 32u + entry->lsb || p.row != entry->x)
            continue;
        *k = p.k;
        return LW_OK;
    }
    return LW_E_ARGUMENT;
}

const char *lw_layout_index_open(const lw_layout *layout)
{
    if (!layout->index || layout->insn->ptx)
        return NULL;
    const uint16_t legal = lw_sparse_legal(layout->insn, &layout->mods, layout->chunk);
    const unsigned count = (unsigned)layout->relation.rows * layout->relation.ks / layout->chunk;
    return lw_sparse_find_undefined(legal, layout->index, count) < 0
               ? NULL
               : "AMD requires the first position of a group to be less than the second. A group of this "
                 "index "
                 "is not so: its positions are shown as they are, but what the chip does is not specified.";
}
