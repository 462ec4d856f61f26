/* SPDX-License-Identifier: MIT */
/* What follows from a layout value alone, whatever operand it describes. */
#include "layouts/layout.h"

size_t lw_layout_pairs(const lw_layout *layout)
{
    size_t pairs = 1;
    for (int i = 0; i < layout->digits; i++)
        pairs *= layout->digit[i].radix;
    return pairs;
}

static void pair_add(lw_pair *pair, const lw_digit *digit, unsigned times)
{
    pair->lane = (uint16_t)(pair->lane + digit->lane * times);
    pair->bit = (uint16_t)(pair->bit + digit->bit * times);
    pair->row = (uint16_t)(pair->row + digit->row * times);
    pair->col = (uint16_t)(pair->col + digit->col * times);
    pair->k = (uint16_t)(pair->k + digit->k * times);
    pair->block = (uint16_t)(pair->block + digit->block * times);
}

lw_pair lw_layout_pair(const lw_layout *layout, size_t n)
{
    lw_pair pair = { 0 };
    pair_add(&pair, &layout->base, 1);
    for (int i = 0; i < layout->digits; i++) {
        pair_add(&pair, &layout->digit[i], (unsigned)(n % layout->digit[i].radix));
        n /= layout->digit[i].radix;
    }
    pair.lane = (uint16_t)(pair.lane % layout->wave);
    return pair;
}

size_t lw_layout_elements_total(const lw_layout *layout)
{
    return (size_t)layout->rows * layout->cols * layout->ks * layout->blocks;
}

size_t lw_layout_ordinal(const lw_layout *layout, unsigned block, unsigned row, unsigned col, unsigned k)
{
    return (((size_t)block * layout->rows + row) * layout->cols + col) * layout->ks + k;
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
            *place = (lw_place){ p.lane, p.bit };
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
