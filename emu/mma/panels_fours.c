/* SPDX-License-Identifier: MIT */
/* Sixteen lanes as four by four: tiles of NVIDIA's fragments, and squares side by side. */
#include <string.h>

#include "emu/mma/panels.h"

enum { FOUR = 4 };

bool lw_mma_tile4_find(const lw_mma *mma, uint8_t column[LW_PANEL])
{
    const lw_insn *in = mma->insn;
    const lw_mma_port *port = &mma->port[LW_OPERAND_C];
    if (!port->word || port->row_words != in->n || in->m != LW_PANEL || in->n % 8 || in->n > LW_PANEL ||
        in->blocks != 1)
        return false;
    unsigned count = 0;
    for (unsigned first = 0; first < in->n; first++) {
        if (memchr(column, (int)first, count))
            continue;
        if (count + 4 > in->n)
            return false;
        for (unsigned t = 0; t < 4; t++)
            for (unsigned col = 0; col < in->n; col++)
                if (port->word[col] == port->word[first] + t)
                    column[count++] = (uint8_t)col;
        if (count % 4)
            return false;
    }
    for (unsigned n = 0; n < (unsigned)in->m * in->n; n++) {
        const unsigned row = n / in->n, lane = n % in->n, first = row / 4 * 4 * in->n + column[lane / 4 * 4];
        if (port->word[row * in->n + column[lane]] != port->word[first] + row % 4 * 4 + lane % 4)
            return false;
    }
    return true;
}

lw_status lw_mma_tile4_side(const lw_mma_port *port, unsigned count, const uint8_t *column, lw_move *move)
{
    const unsigned words = port->row_words, lanes = 4 * count;
    const lw_status st = lw_mma_move_make((size_t)count * words / LW_PANEL, move);
    if (st != LW_OK)
        return st;
    for (unsigned n = 0; n < count * words; n++) {
        const unsigned q = n / lanes, lane = n % lanes;
        const unsigned i = column ? column[lane % count] : lane / 4, t = column ? lane / count : lane % 4;
        move->chunk[n / LW_PANEL].from[n % LW_PANEL] = port->word[i * words + 4 * q + t];
    }
    lw_mma_move_finish(move);
    return LW_OK;
}

bool lw_mma_squares_find(const lw_mma *mma, unsigned edge, lw_mma_panels *p)
{
    const lw_insn *in = mma->insn;
    lw_panel_shape *s = &p->shape;
    const unsigned squares = (unsigned)in->blocks * (in->m / edge) * (in->n / edge), beside = LW_PANEL / edge;
    if (in->m % edge || in->n % edge || in->m > 2 * FOUR || in->n > 2 * FOUR || squares % beside)
        return false;
    p->across = (uint8_t)(in->n / edge);
    s->squares = (uint8_t)edge;
    s->quarters = in->m == 2 * edge && in->n == 2 * edge;
    s->blocks = (uint16_t)(squares / beside);
    s->s_count = (uint16_t)edge;
    s->s_stride = s->v_count = LW_PANEL;
    return true;
}

/* The block of a square, and its first row and column. */
typedef struct corner {
    uint16_t block, row, col;
} corner;

static corner corner_of(const lw_mma_panels *p, unsigned square)
{
    const unsigned edge = p->shape.squares, across = p->across, down = p->rows / edge,
                   in_block = square % (down * across);
    return (corner){ (uint16_t)(square / (down * across)), (uint16_t)(in_block / across * edge),
                     (uint16_t)(in_block % across * edge) };
}

lw_mma_panel_place lw_mma_squares_place(const lw_mma_panels *p, unsigned run, unsigned t)
{
    const unsigned edge = p->shape.squares, image = run / p->planes / edge, i = run / p->planes % edge;
    const corner at = corner_of(p, LW_PANEL / edge * image + t / edge);
    return (lw_mma_panel_place){ .block = at.block,
                                 .s = (uint16_t)(at.row + i),
                                 .v = (uint16_t)(at.col + t % edge),
                                 .image = (uint16_t)image,
                                 .s_lane = (uint16_t)(t / edge * edge + i),
                                 .v_lane = (uint16_t)t };
}

/* The row of A or column of B, counted over all blocks, for a lane of an image. */
static unsigned square_line(const lw_mma *mma, const lw_mma_panels *p, bool is_b, unsigned image,
                            unsigned lane)
{
    const unsigned edge = p->shape.squares;
    const corner at = corner_of(p, LW_PANEL / edge * image + lane / edge);
    return is_b ? (unsigned)at.block * mma->insn->n + at.col + lane % edge
                : (unsigned)at.block * mma->insn->m + at.row + lane % edge;
}

lw_status lw_mma_squares_side(const lw_mma *mma, const lw_mma_panels *p, bool is_b, lw_move *move)
{
    const lw_mma_port *port = &mma->port[is_b ? LW_OPERAND_B : LW_OPERAND_A];
    const unsigned words = port->row_words;
    const lw_status st = lw_mma_move_make((size_t)p->shape.blocks * words, move);
    if (st != LW_OK)
        return st;
    for (unsigned n = 0; n < move->chunks; n++)
        for (unsigned t = 0; t < LW_PANEL; t++)
            move->chunk[n].from[t] = port->word[square_line(mma, p, is_b, n / words, t) * words + n % words];
    lw_mma_move_finish(move);
    return LW_OK;
}

/* Sides from dense images: rows of A by word; columns of B by block, word and column. */
static void fill_squares(const lw_mma *mma, lw_mma_panels *p)
{
    const unsigned words = p->shape.s_words, columns = mma->insn->n;
    for (unsigned n = 0; n < p->order_s.chunks; n++)
        for (unsigned t = 0; t < LW_PANEL; t++) {
            const unsigned row = square_line(mma, p, false, n / words, t),
                           col = square_line(mma, p, true, n / words, t);
            p->order_s.chunk[n].from[t] = (uint16_t)(row * words + n % words);
            p->order_v.chunk[n].from[t] =
                (uint16_t)((col / columns * words + n % words) * columns + col % columns);
        }
}

/* Columns of B in their order. */
static void fill_columns(lw_mma_panels *p)
{
    const unsigned columns = p->shape.v_count;
    p->evens = true;
    for (unsigned n = 0; n < columns; n++)
        p->evens = p->evens && p->column[n] == n / 8 * 8 + n % 4 * 2 + n / 4 % 2;
    for (unsigned n = 0; n < p->shape.v_words * columns; n++)
        p->order_v.chunk[n / LW_PANEL].from[n % LW_PANEL] =
            (uint16_t)(n / columns * columns + p->column[n % columns]);
}

/* C to runs, and runs to D. */
static void fill_dense(const lw_mma *mma, lw_mma_panels *p)
{
    const unsigned columns = mma->insn->n;
    for (unsigned n = 0; n < (unsigned)p->runs * LW_PANEL; n++) {
        const unsigned run = n / LW_PANEL;
        const lw_mma_panel_place at = lw_mma_panels_place(p, run, n % LW_PANEL);
        const unsigned element = ((unsigned)at.block * p->rows + at.s) * columns + at.v,
                       dense = element * p->planes + run % p->planes;
        p->dense_c.chunk[run].from[n % LW_PANEL] = (uint16_t)dense;
        p->dense_d.chunk[dense / LW_PANEL].from[dense % LW_PANEL] = (uint16_t)n;
    }
}

lw_status lw_mma_fours_dense(const lw_mma *mma, lw_mma_panels *p)
{
    const lw_panel_shape *s = &p->shape;
    const size_t v_words = (size_t)s->v_words * s->v_count * s->blocks;
    lw_status st = s->squares ? lw_mma_move_make((size_t)s->s_words * s->blocks, &p->order_s) : LW_OK;
    if (st == LW_OK)
        st = lw_mma_move_make(v_words / LW_PANEL, &p->order_v);
    if (st == LW_OK)
        st = lw_mma_move_make(p->runs, &p->dense_c);
    if (st == LW_OK)
        st = lw_mma_move_make(p->runs, &p->dense_d);
    if (st != LW_OK)
        return st;
    if (s->squares)
        fill_squares(mma, p);
    else
        fill_columns(p);
    fill_dense(mma, p);
    if (s->squares)
        lw_mma_move_finish(&p->order_s);
    lw_mma_move_finish(&p->order_v);
    lw_mma_move_finish(&p->dense_c);
    lw_mma_move_finish(&p->dense_d);
    return LW_OK;
}
