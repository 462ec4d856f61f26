/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layouts/picture.h"
#include "layouts/query.h"

/* Whether the run of `fold` elements from ordinal `first` on is in one lane, adjacent, and in whole
 * registers. */
static bool is_run(const lw_place *places, size_t first, unsigned fold, unsigned width)
{
    const lw_place begin = places[first];
    for (unsigned i = 1; i < fold; i++)
        if (places[first + i].lane != begin.lane || places[first + i].bit != begin.bit + i * width)
            return false;
    const unsigned last = begin.bit + fold * width - 1u;
    return 32 % width != 0 || begin.bit / 32u == last / 32u;
}

/* The largest number of elements along k for which every aligned run of that length stays together. */
static unsigned find_fold(const lw_layout *layout, const lw_place *places)
{
    const size_t elements = lw_layout_elements_total(layout);
    for (unsigned fold = 32; fold > 1; fold /= 2) {
        if (layout->relation.ks % fold)
            continue;
        size_t first = 0;
        while (first < elements && is_run(places, first, fold, layout->relation.width))
            first += fold;
        if (first >= elements)
            return fold;
    }
    return 1;
}

static void cell_take(lw_cell *cell, const lw_layout_entry *entry)
{
    const uint16_t first = (uint16_t)(entry->reg * 32 + entry->lsb),
                   last = (uint16_t)(entry->reg * 32 + entry->msb);
    const bool elsewhere = cell->shown && cell->lane != entry->lane;
    if (!cell->shown || (elsewhere && entry->lane < cell->lane)) {
        *cell = (lw_cell){ true, elsewhere, entry->lane, first, last };
        return;
    }
    cell->copied = cell->copied || elsewhere;
    if (elsewhere)
        return;
    if (first < cell->first)
        cell->first = first;
    if (last > cell->last)
        cell->last = last;
}

static lw_status fill_cells(lw_picture *p, const lw_layout *layout, const lw_layout_print_options *options)
{
    lw_layout_entry *all;
    size_t count;
    const lw_status st = lw_layout_sorted(layout, &all, &count);
    if (st != LW_OK)
        return st;
    for (size_t i = 0; i < count; i++) {
        const lw_layout_entry *e = &all[i];
        const unsigned row = e->x / p->fold_x, col = e->y / p->fold_y;
        if (lw_entry_matches(e, options))
            cell_take(&p->cells[((size_t)e->block * p->rows + row) * p->cols + col], e);
    }
    free(all);
    return LW_OK;
}

/* Preceded by a blank; without the wave size, which pictures name anyway. */
static void name_modifiers(const lw_layout *layout, char *text, size_t size)
{
    char *wave;
    text[0] = ' ';
    if (lw_mods_print(layout->arch, layout->insn, &layout->mods, text + 1, size - 1, NULL) != LW_OK)
        text[1] = '\0';
    if ((wave = strstr(text, " wave:")) != NULL)
        memmove(wave, wave + strlen(" wave:64"), strlen(wave + strlen(" wave:64")) + 1);
    if (text[1] == '\0')
        text[0] = '\0';
}

lw_status lw_picture_make(lw_picture *picture, const lw_layout *layout,
                          const lw_layout_print_options *options)
{
    lw_picture p = { .arch = lw_arch_get(layout->arch)->name, .fold_x = 1, .fold_y = 1 };
    lw_layout_get_info(layout, &p.info);
    p.indexed = layout->index != NULL;
    name_modifiers(layout, p.modifiers, sizeof(p.modifiers));

    lw_place *places = malloc(lw_layout_elements_total(layout) * sizeof(*places));
    if (!places)
        return LW_E_NO_MEMORY;
    lw_layout_fill(layout, places);
    const unsigned fold = options->unfold || layout->index ? 1 : find_fold(layout, places);
    free(places);

    if (layout->operand == LW_OPERAND_B)
        p.fold_x = fold;
    else
        p.fold_y = fold;
    p.rows = p.info.x_count / p.fold_x;
    p.cols = p.info.y_count / p.fold_y;
    p.cells = calloc((size_t)p.info.blocks * p.rows * p.cols, sizeof(*p.cells));
    if (!p.cells)
        return LW_E_NO_MEMORY;
    const lw_status st = fill_cells(&p, layout, options);
    if (st != LW_OK) {
        free(p.cells);
        return st;
    }
    *picture = p;
    return LW_OK;
}

void lw_picture_free(lw_picture *picture)
{
    free(picture->cells);
}

void lw_cell_registers(const lw_cell *cell, char text[LW_CELL_TEXT])
{
    const unsigned reg = cell->first / 32u, end = cell->last / 32u, lsb = cell->first % 32u;
    if (lsb == 0 && cell->last % 32u == 31)
        lw_writer_text(text, LW_CELL_TEXT, reg == end ? "v%u" : "v%u-%u", reg, end);
    else
        lw_writer_text(text, LW_CELL_TEXT, "v%u[%u:%u]", reg, cell->last - 32u * reg, lsb);
}

bool lw_picture_names_bits(const lw_picture *p)
{
    const size_t cells = (size_t)p->info.blocks * p->rows * p->cols;
    for (size_t i = 0; i < cells; i++)
        if (p->cells[i].shown && (p->cells[i].first % 32 != 0 || p->cells[i].last % 32 != 31))
            return true;
    return false;
}

bool lw_picture_has_copies(const lw_picture *p)
{
    const size_t cells = (size_t)p->info.blocks * p->rows * p->cols;
    for (size_t i = 0; i < cells; i++)
        if (p->cells[i].copied)
            return true;
    return false;
}

size_t lw_line_length(const char *text, size_t columns)
{
    size_t length = strlen(text);
    if (length > columns) {
        length = columns;
        while (length > 0 && text[length] != ' ')
            length--;
    }
    return length ? length : strcspn(text, " ");
}

void lw_axis_label(unsigned index, unsigned fold, char text[LW_CELL_TEXT])
{
    if (fold == 1)
        lw_writer_text(text, LW_CELL_TEXT, "%u", index);
    else
        lw_writer_text(text, LW_CELL_TEXT, "%u-%u", index * fold, index * fold + fold - 1);
}

void lw_picture_title(const lw_picture *picture, char *text, size_t size)
{
    const lw_layout_info *info = &picture->info;
    char blocks[LW_CELL_TEXT] = "";
    if (info->blocks > 1)
        snprintf(blocks, sizeof(blocks), "%u blocks of ", info->blocks);
    snprintf(text, size, "%s of %s%s on %s: %s%u x %u %s, %u register%s of %u lanes",
             lw_operand_name(info->operand), info->mnemonic, picture->modifiers, picture->arch, blocks,
             info->x_count, info->y_count, info->format, info->registers, info->registers == 1 ? "" : "s",
             info->wave);
}
