/* SPDX-License-Identifier: MIT */
/* An operand as a matrix of cells that say where its elements are. */
#ifndef LW_LAYOUTS_PICTURE_H
#define LW_LAYOUTS_PICTURE_H

#include "layouts/layout.h"
#include "layouts/writer.h"

/* One element, or a run of elements along k that share a lane and are adjacent in its registers. */
typedef struct lw_cell {
    bool shown;
    bool copied; /* other lanes hold it too */
    uint16_t lane;
    uint16_t first, last; /* bits of the lane's register string */
} lw_cell;

typedef struct lw_picture {
    lw_layout_info info;
    const char *arch;
    bool indexed;            /* a sparse A by dense k: half of the cells are empty */
    char modifiers[96];      /* " cbsz:1 abid:0"; "" where there are none */
    unsigned fold_x, fold_y; /* elements per cell in X and Y direction; one of them is 1 */
    unsigned rows, cols;     /* cells of one block */
    lw_cell *cells;          /* [block][row][col] */
} lw_picture;

enum { LW_CELL_TEXT = 32 };

/*
 * Fills of cells, 0xRRGGBB, taken in turn: light enough for black text, and as grey still apart: neighbours
 * by 9 of L* = 0 to 100 and more, any two of the first eight by 2. A test measures them.
 */
enum { LW_FILLS = 16 };
extern const uint32_t lw_fills[LW_FILLS];

/* LW_OK or LW_E_NO_MEMORY. */
lw_status lw_picture_make(lw_picture *picture, const lw_layout *layout,
                          const lw_layout_print_options *options);
void lw_picture_free(lw_picture *picture);

static inline const lw_cell *lw_picture_cell(const lw_picture *p, unsigned block, unsigned row, unsigned col)
{
    return &p->cells[((size_t)block * p->rows + row) * p->cols + col];
}

/* "v3", "v0-1", "v2[15:0]": the registers or bits of a cell. */
void lw_cell_registers(const lw_cell *cell, char text[LW_CELL_TEXT]);

/* Whether some cell fills less than whole registers. */
bool lw_picture_names_bits(const lw_picture *p);

/* Whether some cell has copies in other lanes. */
bool lw_picture_has_copies(const lw_picture *p);

/* How many characters of `text` fill a line of at most `columns`, broken at a blank; more if a word is
 * longer. */
size_t lw_line_length(const char *text, size_t columns);

/* "7" or "8-15": the elements of cell number `index` where each cell has `fold`. */
void lw_axis_label(unsigned index, unsigned fold, char text[LW_CELL_TEXT]);

/* "A of v_mfma_..., gfx950: 16 x 128 fp4 in 4 registers of 64 lanes" */
void lw_picture_title(const lw_picture *picture, char *text, size_t size);

void lw_picture_grid(const lw_picture *picture, const lw_layout_print_options *options, lw_writer *w);
void lw_picture_svg(const lw_picture *picture, lw_writer *w);

#endif
