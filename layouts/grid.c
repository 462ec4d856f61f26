/* SPDX-License-Identifier: MIT */
/* A layout as a table for the terminal. */
#include <stdio.h>
#include <string.h>

#include "layouts/picture.h"

enum { BLOCK_GAP = 2 };

/* One horizontal strip: columns first_col.. of `blocks` blocks side by side. */
typedef struct strip {
    unsigned first_block, blocks, first_col, cols;
} strip;

typedef struct grid {
    const lw_picture *picture;
    lw_writer *out;
    bool colour;
    unsigned columns, head_width, cell_width;
    unsigned pending; /* blanks that are written only if something follows them on the line */
} grid;

static unsigned max_of(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static void cell_text(const lw_cell *cell, char text[2 * LW_CELL_TEXT])
{
    char registers[LW_CELL_TEXT];
    text[0] = '\0';
    if (!cell->shown)
        return;
    lw_cell_registers(cell, registers);
    lw_writer_text(text, 2 * LW_CELL_TEXT, "%u:%s%s", cell->lane, registers, cell->copied ? "*" : "");
}

static void measure(grid *g)
{
    const lw_picture *p = g->picture;
    const size_t cells = (size_t)p->info.blocks * p->rows * p->cols;
    char text[2 * LW_CELL_TEXT];
    for (size_t i = 0; i < cells; i++) {
        cell_text(&p->cells[i], text);
        g->cell_width = max_of(g->cell_width, (unsigned)strlen(text));
    }
    lw_axis_label(p->cols - 1, p->fold_y, text);
    g->cell_width = max_of(g->cell_width, (unsigned)strlen(text)) + 1;
    lw_axis_label(p->rows - 1, p->fold_x, text);
    g->head_width =
        max_of((unsigned)strlen(text), (unsigned)(strlen(p->info.x_name) + 1 + strlen(p->info.y_name)));
}

static void put_wrapped(const grid *g, const char *text)
{
    while (*text) {
        const size_t length = lw_line_length(text, g->columns);
        lw_writer_put(g->out, "%.*s\n", (int)length, text);
        text += length + strspn(text + length, " ");
    }
}

static void put_head(const grid *g)
{
    const lw_layout_info *info = &g->picture->info;
    char text[768], title[256];
    lw_picture_title(g->picture, title, sizeof(title));
    put_wrapped(g, title);
    snprintf(text, sizeof(text), "Rows are %s, columns are %s; a cell is lane:register%s.%s%s", info->x_name,
             info->y_name, lw_picture_names_bits(g->picture) ? "[bits]" : "",
             lw_picture_has_copies(g->picture) ? " *: other lanes hold a copy." : "",
             g->picture->indexed ? " Empty: the index keeps no value." : "");
    put_wrapped(g, text);
    snprintf(text, sizeof(text), "Evidence: %s. %s", lw_label_name(info->evidence), info->note);
    put_wrapped(g, text);
    if (info->open) {
        snprintf(text, sizeof(text), "Open: %s", info->open);
        put_wrapped(g, text);
    }
}

/* Foregrounds of the 256-colour palette that can be told apart on a dark and on a light background; registers
 * take them in turn. */
static const unsigned char colours[] = { 33, 166, 35, 162, 136, 61, 37, 160 };

static void put_cell(grid *g, const lw_cell *cell)
{
    char text[2 * LW_CELL_TEXT];
    cell_text(cell, text);
    g->pending += g->cell_width - (unsigned)strlen(text);
    if (!cell->shown)
        return;
    const int pad = (int)g->pending;
    g->pending = 0;
    if (g->colour)
        lw_writer_put(g->out, "%*s\033[38;5;%um%s\033[0m", pad, "",
                      colours[cell->first / 32u % sizeof(colours)], text);
    else
        lw_writer_put(g->out, "%*s%s", pad, "", text);
}

static void put_column_labels(const grid *g, const strip *s)
{
    char text[LW_CELL_TEXT];
    const lw_picture *p = g->picture;
    snprintf(text, sizeof(text), "%s\\%s", p->info.x_name, p->info.y_name);
    lw_writer_put(g->out, "\n%-*.*s", (int)g->head_width, (int)g->head_width, text);
    for (unsigned b = 0; b < s->blocks; b++) {
        lw_writer_put(g->out, "%*s", b ? BLOCK_GAP : 0, "");
        for (unsigned c = 0; c < s->cols; c++) {
            lw_axis_label(s->first_col + c, p->fold_y, text);
            lw_writer_put(g->out, "%*s", (int)g->cell_width, text);
        }
    }
    lw_writer_put(g->out, "\n");
}

static void put_block_labels(const grid *g, const strip *s)
{
    if (g->picture->info.blocks == 1)
        return;
    lw_writer_put(g->out, "\n%*s", (int)g->head_width, "");
    for (unsigned b = 0; b < s->blocks; b++) {
        char text[LW_CELL_TEXT];
        snprintf(text, sizeof(text), " block %u", s->first_block + b);
        if (b + 1 == s->blocks)
            lw_writer_put(g->out, "%s", text);
        else
            lw_writer_put(g->out, "%-*s", (int)(s->cols * g->cell_width + BLOCK_GAP), text);
    }
}

static void put_strip(grid *g, const strip *s)
{
    const lw_picture *p = g->picture;
    char text[LW_CELL_TEXT];
    put_block_labels(g, s);
    put_column_labels(g, s);
    for (unsigned row = 0; row < p->rows && g->out->status == LW_OK; row++) {
        lw_axis_label(row, p->fold_x, text);
        lw_writer_put(g->out, "%*s", (int)g->head_width, text);
        g->pending = 0;
        for (unsigned b = 0; b < s->blocks; b++) {
            g->pending += b ? BLOCK_GAP : 0;
            for (unsigned c = 0; c < s->cols; c++)
                put_cell(g, lw_picture_cell(p, s->first_block + b, row, s->first_col + c));
        }
        lw_writer_put(g->out, "\n");
    }
}

/* Columns of a strip where not all fit: the largest power of two that does. */
static unsigned fold_columns(unsigned fit)
{
    unsigned cols = 1;
    while (cols * 2 <= fit)
        cols *= 2;
    return cols;
}

void lw_picture_grid(const lw_picture *picture, const lw_layout_print_options *options, lw_writer *w)
{
    grid g = { .picture = picture, .out = w, .colour = options->colour, .columns = options->columns };
    const unsigned blocks = picture->info.blocks;
    measure(&g);
    put_head(&g);

    const unsigned room = g.columns > g.head_width ? g.columns - g.head_width : 1;
    const unsigned fit = room / g.cell_width;
    const bool whole = picture->cols <= fit;
    strip s = { .blocks = 1, .cols = whole ? picture->cols : fold_columns(fit) };
    if (whole)
        s.blocks = max_of(1, (room + BLOCK_GAP) / (picture->cols * g.cell_width + BLOCK_GAP));
    const unsigned across = s.blocks;

    const unsigned first = options->block < 0 ? 0 : (unsigned)options->block;
    const unsigned end = options->block < 0 ? blocks : first + 1;
    for (s.first_block = first; s.first_block < end; s.first_block += across) {
        s.blocks = across < end - s.first_block ? across : end - s.first_block;
        for (s.first_col = 0; s.first_col < picture->cols; s.first_col += s.cols)
            put_strip(&g, &s);
    }
}
