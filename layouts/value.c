/* SPDX-License-Identifier: MIT */
/* Queries answered by a layout alone, whatever operand it describes. */
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

/* What some digits add to a pair; `at`: to the element's ordinal. */
typedef struct lw_offset {
    uint32_t lane, bit, at;
} lw_offset;

enum { OFFSETS = 512 };

/* All sums of the first digits, as many as fit; returns how many. Only the empty sum if there are bases,
 * which are not added here. */
static size_t first_sums(const lw_layout *layout, lw_offset *sum)
{
    const lw_relation *r = &layout->relation;
    size_t count = 1;
    sum[0] = (lw_offset){ 0 };
    for (uint32_t i = 0; i < r->digits && r->bases == 0; i++) {
        const lw_digit *d = &r->digit[i];
        const uint32_t at = (uint32_t)lw_layout_ordinal(layout, d->block, d->row, d->col, d->k);
        if (d->radix > OFFSETS / count)
            break;
        for (size_t n = count; n < count * d->radix; n++)
            sum[n] = (lw_offset){ sum[n - count].lane + d->lane, sum[n - count].bit + r->pitch * d->bit,
                                  sum[n - count].at + at };
        count *= d->radix;
    }
    return count;
}

void lw_layout_fill(const lw_layout *layout, lw_place *places)
{
    const size_t elements = lw_layout_elements_total(layout), pairs = lw_layout_pairs(layout);
    lw_offset sum[OFFSETS];
    const size_t sums = first_sums(layout, sum);
    for (size_t i = 0; i < elements; i++)
        places[i] = (lw_place){ LW_NO_PLACE, LW_NO_PLACE };
    for (size_t n = 0; n < pairs; n += sums) {
        const lw_pair p = lw_layout_pair(layout, n);
        const size_t at = lw_layout_ordinal(layout, p.block, p.row, p.col, p.k);
        for (size_t i = 0; i < sums; i++) {
            const uint32_t up = p.lane + sum[i].lane, bit = p.bit + sum[i].bit;
            const uint32_t lane = up < layout->relation.lanes ? up : up % layout->relation.lanes;
            lw_place *place = &places[at + sum[i].at];
            if (lane < place->lane || (lane == place->lane && bit < place->bit))
                *place = (lw_place){ (uint16_t)lane, (uint16_t)bit };
        }
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
