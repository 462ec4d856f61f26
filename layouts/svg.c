/* SPDX-License-Identifier: MIT */
/* A layout as a picture for slides and pages. */
#include <stdio.h>
#include <string.h>

#include "layouts/picture.h"

/* All lengths are in SVG user units. */
enum {
    CELL_W = 46,
    CELL_H = 34,
    WIDE_CELL_W = 72, /* where cells name bits, not whole registers */
    MARGIN = 24,
    ROW_LABEL_W = 44,
    LABEL_H = 18,
    BLOCK_TITLE_H = 22,
    BLOCK_GAP = 28,
    HEAD_H = 64,
    LEGEND_H = 40,
    NOTE_LINE_H = 17,
    NOTE_CHAR_W = 7, /* average width of the note's characters */
    MIN_WIDTH = 720,
    MAX_WIDTH = 1800,
};

const uint32_t lw_fills[LW_FILLS] = {
    0xfbefa9, 0x71cbff, 0xfed4c2, 0xc3a4e3, 0xb1f5c2, 0xfaa0a4, 0x69e7ea, 0x8ca8e8,
    0xe3f7ff, 0xadd192, 0xfdd9e3, 0xdfac78, 0xfae4ff, 0x63d0bd, 0xf2d895, 0xea9a85,
};

typedef struct canvas {
    const lw_picture *picture;
    lw_writer *out;
    unsigned cell_w, block_w, block_h, across;
    unsigned width, height;
    char note[768]; /* how sure we are, and what is uncertain */
} canvas;

static size_t note_columns(const canvas *c)
{
    return (c->width - 2 * MARGIN) / NOTE_CHAR_W;
}

static unsigned note_lines(const canvas *c)
{
    unsigned lines = 0;
    for (const char *text = c->note; *text; lines++) {
        text += lw_line_length(text, note_columns(c));
        text += strspn(text, " ");
    }
    return lines;
}

static void measure(canvas *c)
{
    const lw_picture *p = c->picture;
    const unsigned blocks = p->info.blocks;
    c->cell_w = lw_picture_names_bits(p) ? WIDE_CELL_W : CELL_W;
    c->block_w = ROW_LABEL_W + p->cols * c->cell_w;
    c->block_h = LABEL_H + p->rows * CELL_H + (blocks > 1 ? BLOCK_TITLE_H : 0);
    c->across = 1;
    while (c->across < blocks && 2 * c->across * (c->block_w + BLOCK_GAP) <= MAX_WIDTH + BLOCK_GAP)
        c->across *= 2;
    const unsigned tall = (blocks + c->across - 1) / c->across;
    c->width = 2 * MARGIN + c->across * (c->block_w + BLOCK_GAP) - BLOCK_GAP;
    if (c->width < MIN_WIDTH)
        c->width = MIN_WIDTH;
    snprintf(c->note, sizeof(c->note), "Evidence: %s. %s%s%s", lw_label_name(p->info.evidence), p->info.note,
             p->info.open ? " Open: " : "", p->info.open ? p->info.open : "");
    c->height =
        MARGIN + HEAD_H + LEGEND_H + tall * (c->block_h + BLOCK_GAP) + note_lines(c) * NOTE_LINE_H + MARGIN;
}

static void put_head(const canvas *c)
{
    const lw_layout_info *info = &c->picture->info;
    char title[256];
    lw_picture_title(c->picture, title, sizeof(title));
    lw_writer_put(
        c->out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n",
        c->width, c->height, c->width, c->height);
    lw_writer_put(c->out, "<title>%s</title>\n<desc>%s</desc>\n", title, c->note);
    lw_writer_put(c->out, "<style>text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;fill:#222}"
                          ".t{font-size:20px;font-weight:bold}.s{font-size:13px;fill:#444}"
                          ".h{font-size:11px;fill:#444;text-anchor:middle}"
                          ".l{font-size:13px;font-weight:bold;text-anchor:middle}"
                          ".r{font-size:10px;text-anchor:middle}"
                          ".c{stroke:#777;stroke-width:0.5}</style>\n");
    lw_writer_put(c->out, "<rect width=\"%u\" height=\"%u\" fill=\"#ffffff\"/>\n", c->width, c->height);
    lw_writer_put(c->out, "<text class=\"t\" x=\"%u\" y=\"%u\">%s of %s</text>\n", MARGIN, MARGIN + 18,
                  lw_operand_name(info->operand), info->mnemonic);
    lw_writer_put(
        c->out,
        "<text class=\"s\" x=\"%u\" y=\"%u\">%s, %s, %u lanes.%s%s A cell: lane (bold) and register%s%s.%s%s"
        "</text>\n",
        MARGIN, MARGIN + 40, c->picture->arch, info->format, info->wave, c->picture->modifiers,
        c->picture->modifiers[0] ? "." : "",
        c->picture->fold_x * c->picture->fold_y > 1 ? " of a run along " : "",
        c->picture->fold_x > 1   ? info->x_name
        : c->picture->fold_y > 1 ? info->y_name
                                 : "",
        lw_picture_has_copies(c->picture) ? " *: other lanes hold a copy." : "",
        c->picture->indexed ? " Empty: the index keeps no value." : "");
}

static void put_legend(const canvas *c)
{
    const unsigned y = MARGIN + HEAD_H, registers = c->picture->info.registers;
    for (unsigned r = 0; r < registers && r < LW_FILLS; r++) {
        const unsigned x = MARGIN + r * 44;
        lw_writer_put(
            c->out,
            "<rect class=\"c\" x=\"%u\" y=\"%u\" width=\"40\" height=\"18\" rx=\"3\" fill=\"#%06x\"/>", x, y,
            (unsigned)lw_fills[r]);
        lw_writer_put(c->out, "<text class=\"r\" x=\"%u\" y=\"%u\">v%u</text>\n", x + 20, y + 13, r);
    }
}

static void put_cell(const canvas *c, const lw_cell *cell, unsigned x, unsigned y)
{
    char registers[LW_CELL_TEXT];
    const uint32_t fill = cell->shown ? lw_fills[cell->first / 32u % LW_FILLS] : 0xffffff;
    lw_writer_put(c->out,
                  "<rect class=\"c\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" rx=\"3\" fill=\"#%06x\"/>",
                  x + 1, y + 1, c->cell_w - 2, CELL_H - 2, (unsigned)fill);
    if (cell->shown) {
        lw_cell_registers(cell, registers);
        lw_writer_put(c->out, "<text class=\"l\" x=\"%u\" y=\"%u\">%u%s</text>", x + c->cell_w / 2, y + 15,
                      cell->lane, cell->copied ? "*" : "");
        lw_writer_put(c->out, "<text class=\"r\" x=\"%u\" y=\"%u\">%s</text>", x + c->cell_w / 2, y + 28,
                      registers);
    }
    lw_writer_put(c->out, "\n");
}

static void put_block(const canvas *c, unsigned block, unsigned x, unsigned y)
{
    const lw_picture *p = c->picture;
    char label[LW_CELL_TEXT];
    if (p->info.blocks > 1) {
        lw_writer_put(c->out, "<text class=\"s\" x=\"%u\" y=\"%u\">block %u</text>\n", x + ROW_LABEL_W,
                      y + 13, block);
        y += BLOCK_TITLE_H;
    }
    lw_writer_put(c->out, "<text class=\"h\" x=\"%u\" y=\"%u\">%s \\ %s</text>\n", x + ROW_LABEL_W / 2,
                  y + 12, p->info.x_name, p->info.y_name);
    for (unsigned col = 0; col < p->cols; col++) {
        lw_axis_label(col, p->fold_y, label);
        lw_writer_put(c->out, "<text class=\"h\" x=\"%u\" y=\"%u\">%s</text>\n",
                      x + ROW_LABEL_W + col * c->cell_w + c->cell_w / 2, y + 12, label);
    }
    for (unsigned row = 0; row < p->rows && c->out->status == LW_OK; row++) {
        const unsigned top = y + LABEL_H + row * CELL_H;
        lw_axis_label(row, p->fold_x, label);
        lw_writer_put(c->out, "<text class=\"h\" x=\"%u\" y=\"%u\">%s</text>\n", x + ROW_LABEL_W / 2,
                      top + 21, label);
        for (unsigned col = 0; col < p->cols; col++)
            put_cell(c, lw_picture_cell(p, block, row, col), x + ROW_LABEL_W + col * c->cell_w, top);
    }
}

static void put_note(const canvas *c)
{
    unsigned y = c->height - MARGIN - (note_lines(c) - 1) * NOTE_LINE_H;
    for (const char *text = c->note; *text; y += NOTE_LINE_H) {
        const size_t length = lw_line_length(text, note_columns(c));
        lw_writer_put(c->out, "<text class=\"s\" x=\"%u\" y=\"%u\">%.*s</text>\n", MARGIN, y, (int)length,
                      text);
        text += length + strspn(text + length, " ");
    }
}

void lw_picture_svg(const lw_picture *picture, lw_writer *w)
{
    canvas c = { .picture = picture, .out = w };
    measure(&c);
    put_head(&c);
    put_legend(&c);
    for (unsigned b = 0; b < picture->info.blocks; b++)
        put_block(&c, b, MARGIN + b % c.across * (c.block_w + BLOCK_GAP),
                  MARGIN + HEAD_H + LEGEND_H + b / c.across * (c.block_h + BLOCK_GAP));
    put_note(&c);
    lw_writer_put(w, "</svg>\n");
}
