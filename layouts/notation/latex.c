/* SPDX-License-Identifier: MIT */
/* A picture in LaTeX, drawn like CuTe's print_latex: each cell has T<lane> over V<value> and is coloured by
 * lane modulo 8. */
#include <stdlib.h>

#include "isa_tables/error.h"
#include "layouts/notation/tv.h"
#include "layouts/query.h"

static const char *const preamble =
    "\\documentclass[tikz,margin=2mm]{standalone}\n\\usepackage{tikz}\n\\begin{document}\n"
    "\\begin{tikzpicture}[x={(0cm,-1cm)},y={(1cm,0cm)},every node/.style={minimum size=1cm,outer sep=0pt}]\n";

static const char *const colours[] = { "blue!20", "green!20",  "yellow!30", "red!20",
                                       "cyan!20", "violet!20", "lime!30",   "gray!20" };

static void put_labels(lw_writer *w, const lw_layout_info *info, unsigned top)
{
    for (unsigned x = 0; x < info->x_count; x++)
        lw_writer_put(w, "\\node at (%u,-1) {\\ttfamily %u};\n", top + x, x);
    for (int y = 0; y < info->y_count; y++)
        lw_writer_put(w, "\\node at (%d,%d) {\\ttfamily %d};\n", (int)top - 1, y, y);
}

/* Blocks are below each other. */
static void put_cell(const lw_tv *tv, const lw_layout_entry *e, unsigned top, lw_writer *w)
{
    const unsigned value = (e->reg * 32u + e->lsb - tv->r.start) / tv->r.pitch;
    lw_writer_put(w, "\\node[draw,fill=%s] at (%u,%u) {\\shortstack{T%u \\\\ V%u}};\n", colours[e->lane % 8],
                  top + e->x, e->y, e->lane, tv->count > 1 ? value : 0);
}

/* A cell has the first place of its element. */
static void put_blocks(const lw_tv *tv, const lw_layout_info *info, const lw_layout_entry *all, size_t count,
                       lw_writer *w)
{
    for (unsigned block = 0, i = 0; block < info->blocks; block++) {
        const unsigned top = block * (info->x_count + 2u);
        put_labels(w, info, top);
        for (; i < count && all[i].block == block; i++)
            if (i == 0 || all[i].block != all[i - 1].block || all[i].x != all[i - 1].x ||
                all[i].y != all[i - 1].y)
                put_cell(tv, &all[i], top, w);
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
    lw_writer_put(w, "%% %s of %s\n%s", lw_operand_name(info.operand), info.mnemonic, preamble);
    put_blocks(&tv, &info, all, count, w);
    lw_writer_put(w, "\\end{tikzpicture}\n\\end{document}\n");
    free(all);
    return LW_OK;
}
