/* SPDX-License-Identifier: MIT */
/* What follows from a layout alone, whatever operand it describes. */
#include "layouts/layout.h"

size_t lw_layout_pairs(const lw_layout *layout)
{
    return (size_t)lw_relation_count(&layout->relation);
}

lw_pair lw_layout_pair(const lw_layout *layout, size_t n)
{
    lw_pair pair = { 0 };
    lw_relation_pair(&layout->relation, n, &pair);
    return pair;
}

size_t lw_layout_elements_total(const lw_layout *layout)
{
    return (size_t)layout->relation.rows * layout->relation.cols * layout->relation.ks *
           layout->relation.blocks;
}

size_t lw_layout_ordinal(const lw_layout *layout, unsigned block, unsigned row, unsigned col, unsigned k)
{
    return (((size_t)block * layout->relation.rows + row) * layout->relation.cols + col) *
               layout->relation.ks +
           k;
}

void lw_layout_fill(const lw_layout *layout, lw_place *places)
{
    const size_t elements = lw_layout_elements_total(layout), pairs = lw_layout_pairs(layout);
    for (size_t i = 0; i < elements; i++)
        places[i] = (lw_place){ LW_NO_PLACE, LW_NO_PLACE };
    for (size_t n = 0; n < pairs; n++) {
        const lw_pair p = lw_layout_pair(layout, n);
        lw_place *place = &places[lw_layout_ordinal(layout, p.block, p.row, p.col, p.k)];
        if (p.lane < place->lane || (p.lane == place->lane && p.bit < place->bit))
            *place = (lw_place){ (uint16_t)p.lane, (uint16_t)p.bit };
    }
}

unsigned lw_layout_x(const lw_layout *layout, const lw_pair *pair)
{
    if (layout->operand == LW_OPERAND_B)
        return pair->k;
    return layout->operand == LW_OPERAND_SCALE_B ? pair->col : pair->row;
}

unsigned lw_layout_y(const lw_layout *layout, const lw_pair *pair)
{
    const bool over_columns =
        layout->operand == LW_OPERAND_B || layout->operand == LW_OPERAND_C || layout->operand == LW_OPERAND_D;
    return over_columns ? pair->col : pair->k;
}
