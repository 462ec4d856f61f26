/* SPDX-License-Identifier: MIT */
/* The order in which codes and groups of products reach the kernel, where it is not that of the operands. */
#include "emu/mma/panels.h"

bool lw_mma_spreads(const lw_mma *mma)
{
    const lw_dot_unit *unit = &mma->recipe.unit;
    /* PTX refuses an index that names one place twice */
    return lw_mma_is_ptx(mma) && mma->sparse && !mma->scaled && mma->chunk != 2 && mma->insn->blocks == 1 &&
           (unit->kind == LW_KIND_INT || (unit->kind == LW_KIND_FUSED && !unit->zero_terms)) &&
           mma->a->bits != 8 && mma->port[LW_OPERAND_A].row_elements * mma->a->bits % 32 == 0;
}

bool lw_mma_index_is_level(const lw_mma_port *port, unsigned rows)
{
    const unsigned groups = port->elements / rows;
    for (unsigned e = 0; e < port->elements; e++) {
        const unsigned first = e / groups / 8 * 8 * groups + e % groups;
        if (port->place[e].bit % 32 != port->place[first].bit % 32)
            return false;
    }
    return true;
}

bool lw_mma_order_groups(const lw_mma *mma, lw_panel_shape *s)
{
    static const uint8_t parts[LW_SPLIT_COUNT] = { [LW_SPLIT_FOURS] = 4 };
    const unsigned split = mma->recipe.shape.split, part = parts[split];
    const unsigned group = s->unit.group < s->k ? s->unit.group : s->k, groups = s->k / group;
    if (s->unit.kind == LW_KIND_INT) /* is_plain: any order gives the same result */
        return true;
    if (groups > LW_PANEL_MAX_GROUPS || (split != LW_SPLIT_NONE && (part == 0 || part % group)))
        return false;
    unsigned n = 0;
    for (unsigned odd = 0; odd < (part ? 2u : 1u); odd++)
        for (unsigned g = 0; g < groups; g++)
            if (!part || g * group / part % 2 == odd)
                s->order[n++] = (uint8_t)g;
    return true;
}
