/* SPDX-License-Identifier: MIT */
/* Every element by name: lanes by registers, and the text of AMD's matrix instruction calculator. */
#include <stdio.h>
#include <stdlib.h>

#include "isa_tables/error.h"
#include "layouts/notation/tv.h"
#include "layouts/query.h"

enum { CELL = 24, REGISTER_BITS = 32 };

/* The elements of a lane, in the order of their bits. */
static int by_lane(const void *a, const void *b)
{
    const lw_layout_entry *x = a, *y = b;
    if (x->lane != y->lane)
        return x->lane < y->lane ? -1 : 1;
    const unsigned bit_x = x->reg * 32u + x->lsb, bit_y = y->reg * 32u + y->lsb;
    return bit_x < bit_y ? -1 : bit_x > bit_y;
}

static void put_cell(lw_writer *w, const lw_layout_info *info, const lw_layout_entry *e, bool last)
{
    char text[CELL];
    if (info->blocks > 1)
        lw_writer_text(text, sizeof(text), "%u:%u,%u", e->block, e->x, e->y);
    else
        lw_writer_text(text, sizeof(text), "%u,%u", e->x, e->y);
    lw_writer_put(w, " %-*s", last ? 0 : info->blocks > 1 ? 10 : 7, text);
}

/* A row for each lane; elements are printed where they begin, and bars separate registers. */
lw_status lw_write_table(const lw_layout *layout, lw_writer *w, lw_error *error)
{
    lw_layout_info info;
    lw_layout_entry *all;
    size_t count;
    lw_layout_get_info(layout, &info);
    if (lw_layout_sorted(layout, &all, &count) != LW_OK)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory to print a layout");
    qsort(all, count, sizeof(*all), by_lane);
    lw_writer_put(w, "lane | %s[%s][%s], from the lowest bits on, a bar before each register%s\n",
                  lw_operand_name(info.operand), info.x_name, info.y_name, info.blocks > 1 ? "; block:" : "");
    for (size_t i = 0; i < count; i++) {
        const bool first = i == 0 || all[i].lane != all[i - 1].lane;
        if (first)
            lw_writer_put(w, "%s%4u", i ? "\n" : "", all[i].lane);
        if (first || all[i].reg != all[i - 1].reg)
            lw_writer_put(w, " |");
        put_cell(w, &info, &all[i], i + 1 == count || all[i + 1].lane != all[i].lane);
    }
    lw_writer_put(w, "\n");
    free(all);
    return LW_OK;
}

/* "v1{21}.[31:16]", "v[1:0]{21}" */
static void put_place(lw_writer *w, const lw_layout_entry *e)
{
    const unsigned last = e->reg + e->msb / REGISTER_BITS;
    if (last > e->reg)
        lw_writer_put(w, "v[%u:%u]{%u}", last, e->reg, e->lane);
    else
        lw_writer_put(w, "v%u{%u}", e->reg, e->lane);
    if ((e->msb + 1u - e->lsb) % REGISTER_BITS)
        lw_writer_put(w, ".[%u:%u]", e->msb, e->lsb);
}

lw_status lw_write_calculator(const lw_layout *layout, lw_writer *w, lw_error *error)
{
    lw_layout_info info;
    lw_layout_get_info(layout, &info);
    if (lw_layout_is_stored(layout) && !layout->index)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "AMD's calculator names a sparse A by k of the dense matrix, which is known "
                             "with index data only");
    lw_layout_entry *all;
    size_t count;
    if (lw_layout_sorted_by_element(layout, &all, &count) != LW_OK)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory to print a layout");
    for (size_t i = 0; i < count; i++) {
        const lw_layout_entry *e = &all[i], *before = i ? e - 1 : NULL;
        if (info.blocks > 1 && (!before || before->block != e->block))
            lw_writer_put(w, "%sBlock %u\n", before ? "\n" : "", e->block);
        else if (before && (before->x != e->x || before->y != e->y))
            lw_writer_put(w, "\n");
        if (!before || before->block != e->block || before->x != e->x || before->y != e->y)
            lw_writer_put(w, "%s[%u][%u] =", lw_operand_name(info.operand), e->x, e->y);
        lw_writer_put(w, " ");
        put_place(w, e);
    }
    lw_writer_put(w, "\n");
    free(all);
    return LW_OK;
}
