/* SPDX-License-Identifier: MIT */
/* A picture in LaTeX, drawn like CuTe's print_latex: each cell has T<lane> over V<value> and is coloured by
 * lane modulo 8. A caption says what it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_tables/error.h"
#include "layouts/notation/tv.h"
#include "layouts/picture.h"
#include "layouts/query.h"

enum {
    COLOURS = 8,
    PAGE_CELLS = 4096, /* pdflatex has memory for about 5,000 such nodes on a page */
};

/* In centimetres. A cell is one wide and high; labels stand above and left of the cells, blocks below each
 * other. */
static unsigned caption_width(const lw_layout_info *info)
{
    return info->y_count > 7 ? info->y_count + 1u : 8u;
}

static unsigned cells_height(const lw_layout_info *info)
{
    return info->blocks * (info->x_count + 2u);
}

/* Rows of cells on a page; those of all blocks where they fit. */
static unsigned page_rows(const lw_layout_info *info)
{
    const unsigned rows = info->blocks * (unsigned)info->x_count, most = PAGE_CELLS / (unsigned)info->y_count;
    return rows <= most ? rows : most ? most : 1;
}

static unsigned page_height(const lw_layout_info *info)
{
    const unsigned rows = page_rows(info);
    return rows == info->blocks * (unsigned)info->x_count ? cells_height(info) : rows + info->blocks * 2u;
}

static void begin_picture(lw_writer *w)
{
    lw_writer_put(w, "\\begin{tikzpicture}[x={(0cm,-1cm)},y={(1cm,0cm)},every node/.style={minimum "
                     "size=1cm,outer sep=0pt,font=\\sffamily}]\n");
}

/* The page is as large as the picture; only packages that every LaTeX has are needed. */
static void put_preamble(const lw_layout_info *info, lw_writer *w)
{
    const unsigned width = caption_width(info),
                   lines = (unsigned)(strlen(info->note) + 160) / (4 * width) + 2;
    lw_writer_put(
        w,
        "\\documentclass{article}\n\\usepackage[paperwidth=%ucm,paperheight=%ucm,margin=2mm]{geometry}\n"
        "\\usepackage{tikz}\n\\pagestyle{empty}\n\\begin{document}\n\\noindent\n",
        width + 2, page_height(info) + 1 + lines / 2);
    for (unsigned i = 0; i < COLOURS; i++)
        lw_writer_put(w, "\\definecolor{lane%u}{HTML}{%06X}\n", i, (unsigned)lw_fills[i]);
    begin_picture(w);
}

/* Characters that mean something to TeX are written as commands. */
static void put_text(lw_writer *w, const char *text)
{
    for (; *text; text++) {
        if (strchr("_&%#${}", *text))
            lw_writer_put(w, "\\%c", *text);
        else if (strchr("\\~^<>|", *text))
            lw_writer_put(w, "\\char%d{}", *text);
        else
            lw_writer_put(w, "%c", *text);
    }
}

/* What is shown, and how sure it is, under the picture. */
static void put_caption(const lw_layout *layout, const lw_layout_info *info, lw_writer *w)
{
    char text[192];
    lw_writer_put(w, "\\node[anchor=north west,align=left,text width=%ucm] at (%u,-1.5) {",
                  caption_width(info), cells_height(info) - 2);
    snprintf(text, sizeof(text), "%s of %s on %s, %s.", lw_operand_name(info->operand), info->mnemonic,
             lw_arch_get(layout->arch)->name, info->format);
    put_text(w, text);
    lw_writer_put(w, " Rows are ");
    put_text(w, info->x_name);
    lw_writer_put(w, ", columns ");
    put_text(w, info->y_name);
    lw_writer_put(w, "; T is the lane, V its value. Evidence: %s. ", lw_label_name(info->evidence));
    put_text(w, info->note);
    lw_writer_put(w, "};\n");
}

/* Of `rows` rows from row `first` on. */
static void put_labels(lw_writer *w, const lw_layout_info *info, unsigned top, unsigned first, unsigned rows)
{
    for (unsigned x = first; x < first + rows && x < info->x_count; x++)
        lw_writer_put(w, "\\node at (%u,-1) {%u};\n", top + x, x);
    for (int y = 0; y < info->y_count; y++)
        lw_writer_put(w, "\\node at (%d,%d) {%d};\n", (int)(top + first) - 1, y, y);
}

/* Blocks are below each other. */
static void put_cell(const lw_tv *tv, const lw_layout_entry *e, unsigned top, lw_writer *w)
{
    uint64_t value = 0;
    lw_tv_value(tv, e->reg * 32u + e->lsb, &value);
    lw_writer_put(w, "\\node[draw,fill=lane%u] at (%u,%u) {\\shortstack{T%u \\\\ V%u}};\n", e->lane % COLOURS,
                  top + e->x, e->y, e->lane, (unsigned)value);
}

static bool same_row(const lw_layout_entry *a, const lw_layout_entry *b)
{
    return a->block == b->block && a->x == b->x;
}

/* A cell has the first place of its element. Where a page is full, another one begins. */
static void put_blocks(const lw_tv *tv, const lw_layout_info *info, const lw_layout_entry *all, size_t count,
                       lw_writer *w)
{
    const unsigned most = page_rows(info);
    for (unsigned block = 0, i = 0, rows = 0; block < info->blocks; block++) {
        const unsigned top = block * (info->x_count + 2u);
        put_labels(w, info, top, 0, most - rows);
        for (; i < count && all[i].block == block; i++) {
            if ((i == 0 || !same_row(&all[i], &all[i - 1])) && rows++ == most) {
                lw_writer_put(w, "\\end{tikzpicture}\n\\newpage\n\\noindent\n");
                begin_picture(w);
                put_labels(w, info, top, all[i].x, most);
                rows = 1;
            }
            if (i == 0 || !same_row(&all[i], &all[i - 1]) || all[i].y != all[i - 1].y)
                put_cell(tv, &all[i], top, w);
        }
    }
}

lw_status lw_write_latex(const lw_layout *layout, lw_writer *w, lw_error *error)
{
    lw_layout_info info;
    lw_tv tv;
    lw_layout_entry *all;
    size_t count;
    const lw_status st = lw_tv_make(layout, "LaTeX", &tv, error);
    if (st != LW_OK)
        return st;
    if (lw_layout_sorted_by_element(layout, &all, &count) != LW_OK)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory to print a layout");
    lw_layout_get_info(layout, &info);
    lw_writer_put(w, "%% %s of %s\n", lw_operand_name(info.operand), info.mnemonic);
    put_preamble(&info, w);
    put_blocks(&tv, &info, all, count, w);
    put_caption(layout, &info, w);
    lw_writer_put(w, "\\end{tikzpicture}\n\\end{document}\n");
    free(all);
    return LW_OK;
}
