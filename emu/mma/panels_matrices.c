/* SPDX-License-Identifier: MIT */
/*
 * Executing with panels from plain matrices. No tables are needed: where lanes are columns, the words of B's
 * columns and all of C and D are already in the kernel's order.
 */
#include <string.h>

#include "emu/fast/dense.h"
#include "emu/mma/pack.h"
#include "emu/mma/panels.h"

/* In lines of `stride` words, lanes past `count` repeat the last one. */
static void repeat_last(uint32_t *image, unsigned lines, unsigned count, unsigned stride)
{
    for (unsigned n = 0; count < stride && n < lines; n++, image += stride)
        for (unsigned i = count; i < stride; i++)
            image[i] = image[count - 1];
}

/* [row][w] becomes [block][w][lane]. */
static void spread(const uint32_t *restrict rows, unsigned blocks, unsigned count, unsigned words,
                   unsigned stride, uint32_t *restrict out)
{
    if (words == 1 && count == stride) {
        memcpy(out, rows, (size_t)blocks * count * sizeof(*out));
        return;
    }
    for (unsigned block = 0; block < blocks; block++, rows += count * words)
        lw_dense_turn(rows, words, count, words, out + (size_t)block * words * stride, stride);
    repeat_last(out, blocks * words, count, stride);
}

/* [block][w][column], with excess lanes added. */
static void widen(const uint32_t *columns, unsigned lines, unsigned count, unsigned stride, uint32_t *out)
{
    for (unsigned n = 0; n < lines; n++)
        memcpy(out + n * stride, columns + n * count, count * sizeof(*out));
    repeat_last(out, lines, count, stride);
}

/* Tiles of four: [row][w] becomes [q][4 * row + t], word w = 4 * q + t. */
static void rows_for_tile4(const char *rows, unsigned count, unsigned words, uint32_t *out)
{
    const size_t row_bytes = words * sizeof(*out), four = 4 * sizeof(*out);
    for (unsigned q = 0; q < words / 4; q++)
        for (unsigned row = 0; row < count; row++, out += 4)
            memcpy(out, rows + row * row_bytes + q * four, four);
}

/* Squares that are whole blocks of the instruction, four of them side by side. */
static bool are_tiles_of_four(const lw_mma_panels *p)
{
    return p->shape.squares == 4 && p->across == 1 && p->rows == 4;
}

/* [image][x][y][4] becomes [image][y][x][4]. */
static void turn_fours(const uint32_t *restrict from, unsigned images, unsigned xs, unsigned ys,
                       uint32_t *restrict to)
{
    for (unsigned n = 0; n < images; n++, from += 4 * xs * ys, to += 4 * xs * ys)
        for (unsigned x = 0; x < xs; x++)
            for (unsigned y = 0; y < ys; y++)
                memcpy(to + 4 * (y * xs + x), from + 4 * (x * ys + y), 4 * sizeof(*to));
}

/* Tiles of four by four 64-bit elements, four of them side by side, to planes. */
static void part_tiles(const void *elements, unsigned blocks, uint32_t *planes)
{
    const char *from = elements;
    const size_t words = (size_t)4 * 2 * LW_PANEL;
    for (unsigned n = 0; n < blocks; n++, from += words * sizeof(*planes), planes += words)
        lw_dense_part_squares(from, planes);
}

/* Tiles of four of C or D to runs, and back. */
static void tiles_to_runs(const lw_mma_panels *p, const uint32_t *dense, uint32_t *runs)
{
    if (p->planes == 1)
        turn_fours(dense, p->shape.blocks, 4, 4, runs);
    else
        part_tiles(dense, p->shape.blocks, runs);
}

static void tiles_from_runs(const lw_mma_panels *p, const uint32_t *runs, uint32_t *dense)
{
    const size_t words = (size_t)4 * p->planes * LW_PANEL;
    if (p->planes == 1)
        turn_fours(runs, p->shape.blocks, 4, 4, dense);
    else
        for (unsigned n = 0; n < p->shape.blocks; n++)
            lw_dense_join_squares(runs + n * words, dense + n * words);
}

static bool is_aligned(const void *words)
{
    return (uintptr_t)words % sizeof(uint32_t) == 0;
}

/* B with 64-bit elements in tiles of four by four (k is 4): the planes of the tiles are the image. */
static bool has_planes(const lw_mma *mma, const lw_mma_panels *p)
{
    return are_tiles_of_four(p) && mma->b->bits == 64 && p->shape.k == 4;
}

/* A and B; S and V get images, or stay where they were packed. */
static void load_sides(const lw_mma *mma, const lw_mma_matrices *m, uint32_t *a, uint32_t *b, uint32_t *moved,
                       lw_panels *panels)
{
    const lw_mma_panels *p = mma->panels;
    const lw_panel_shape *s = &p->shape;
    const unsigned columns = mma->insn->n;
    const bool fours = are_tiles_of_four(p);
    const bool as_is =
        (s->tile4 || (fours && is_aligned(m->a))) && lw_mma_pack_is_copy(&mma->port[LW_OPERAND_A], mma->a);
    if (!as_is)
        lw_mma_pack_rows(&mma->port[LW_OPERAND_A], mma->a, m->a, a);
    const bool planes = has_planes(mma, p);
    if (!planes)
        lw_mma_pack_columns(&mma->port[LW_OPERAND_B], mma->b, columns, m->b, b);
    uint32_t *s_image = moved, *v_image = moved + LW_PANEL_SIDE_WORDS;
    panels->s = s_image;
    panels->v = v_image;
    if (fours) {
        spread(as_is ? m->a : a, s->blocks, LW_PANEL, s->s_words, LW_PANEL, s_image);
        if (planes)
            part_tiles(m->b, s->blocks, v_image);
        else
            turn_fours(b, s->blocks, 4, s->v_words, v_image);
    } else if (s->squares) {
        p->words->move(&p->order_s, a, s_image);
        p->words->move(&p->order_v, b, v_image);
    } else if (s->tile4) {
        rows_for_tile4(as_is ? m->a : (const char *)a, s->s_count, s->s_words, s_image);
        if (p->evens)
            lw_dense_evens(b, (unsigned)s->v_words * s->v_count / 8, v_image);
        else
            p->words->move(&p->order_v, b, v_image);
    } else if (p->swapped) {
        widen(b, (unsigned)s->blocks * s->s_words, columns, s->s_stride, s_image);
        spread(a, s->blocks, s->v_count, mma->port[LW_OPERAND_A].row_words, s->v_count, v_image);
    } else {
        spread(a, s->blocks, s->s_count, s->s_words, s->s_stride, s_image);
        panels->v = b;
    }
}

static bool in_fours(const lw_mma_panels *p)
{
    return p->shape.tile4 || p->shape.squares;
}

/* Are runs consecutive words of the dense image? */
static bool runs_are_dense(const lw_mma_panels *p)
{
    return !p->swapped && !in_fours(p) && p->planes == 1;
}

/* As lw_mma_turn, for elements of two words. */
static void turn_pairs(unsigned blocks, unsigned ys, unsigned xs, const uint32_t *from, uint32_t *to)
{
    const unsigned size = 2 * ys * xs;
    for (unsigned block = 0; block < blocks; block++, from += size, to += size)
        for (unsigned x = 0; x < xs; x++)
            for (unsigned y = 0; y < ys; y++)
                memcpy(to + 2 * (x * ys + y), from + 2 * (y * xs + x), 2 * sizeof(*to));
}

/* Turns 64-bit elements, sixteen by sixteen, into planes: their low words, then their high words. */
static void planes_of(const lw_mma_panels *p, const char *elements, uint32_t *runs)
{
    lw_dense_part(elements, p->runs * (unsigned)LW_PANEL / 2, LW_PANEL, runs);
}

/* The dense image of C to runs, where it is not in their order already. */
static void c_to_runs(const lw_mma_panels *p, const uint32_t *dense, uint32_t *runs)
{
    const lw_panel_shape *s = &p->shape;
    uint32_t turned[LW_PANEL_CD_WORDS];
    if (are_tiles_of_four(p)) {
        tiles_to_runs(p, dense, runs);
    } else if (s->tile4 && p->evens) {
        lw_dense_to_runs(dense, s->s_count, s->v_count, runs);
    } else if (in_fours(p)) {
        p->words->move(&p->dense_c, dense, runs);
    } else if (p->planes == 1) {
        lw_mma_turn(s->blocks, s->v_count, s->s_count, dense, runs);
    } else {
        turn_pairs(s->blocks, s->v_count, s->s_count, dense, turned);
        planes_of(p, (const char *)turned, runs);
    }
}

/* Runs to the dense image of D. */
static void d_from_runs(const lw_mma_panels *p, const uint32_t *runs, uint32_t *dense)
{
    const lw_panel_shape *s = &p->shape;
    uint32_t turned[LW_PANEL_CD_WORDS];
    if (are_tiles_of_four(p)) {
        tiles_from_runs(p, runs, dense);
    } else if (s->tile4 && p->evens) {
        lw_dense_from_runs(runs, s->s_count, s->v_count, dense);
    } else if (in_fours(p)) {
        p->words->move(&p->dense_d, runs, dense);
    } else if (p->planes == 1) {
        lw_mma_turn(s->blocks, s->s_count, s->v_count, runs, dense);
    } else {
        lw_dense_join(runs, p->runs * (unsigned)LW_PANEL / 2, LW_PANEL, p->swapped ? turned : dense);
        if (p->swapped)
            turn_pairs(s->blocks, s->s_count, s->v_count, turned, dense);
    }
}

static void load_c(const lw_mma *mma, const lw_mma_matrices *m, uint32_t *dense, uint32_t *c)
{
    const lw_mma_panels *p = mma->panels;
    if (!m->c) {
        memset(c, 0, (size_t)p->runs * LW_PANEL * sizeof(*c));
    } else if (runs_are_dense(p)) {
        lw_mma_pack_rows(&mma->port[LW_OPERAND_C], mma->c, m->c, c);
    } else if (p->planes == 2 && !p->swapped && !in_fours(p)) {
        planes_of(p, m->c, c);
    } else if (is_aligned(m->c)) {
        c_to_runs(p, m->c, c);
    } else {
        lw_mma_pack_rows(&mma->port[LW_OPERAND_C], mma->c, m->c, dense);
        c_to_runs(p, dense, c);
    }
}

/* Scale blocks of a side by lane: lane `lane` belongs to row or column lane / repeat; with `column`, to that
 * entry of the list. */
static void load_scale(const lw_mma *mma, lw_operand operand, const uint8_t *scales, unsigned count,
                       const lw_mma_scale_move *scale, unsigned repeat, const uint8_t *column, uint32_t *out)
{
    const lw_format *f = operand == LW_OPERAND_SCALE_A ? mma->scale_a : mma->scale_b;
    const unsigned blocks = mma->port[operand].elements / count, one = (unsigned)f->bias << f->frac_bits;
    const unsigned lanes = scale->stride / repeat;
    for (unsigned q = 0; q < blocks; q++)
        for (unsigned lane = 0; lane < lanes; lane++) {
            const unsigned i = lane < count ? lane : count - 1;
            const uint32_t code = scales ? scales[(column ? column[i] : i) * blocks + q] : one;
            for (unsigned n = 0; n < repeat; n++)
                *out++ = code;
        }
}

static void load_scales(const lw_mma *mma, const lw_mma_matrices *m, uint32_t *s_out, uint32_t *v_out)
{
    const lw_mma_panels *p = mma->panels;
    const lw_panel_shape *s = &p->shape;
    const lw_operand s_op = p->swapped ? LW_OPERAND_SCALE_B : LW_OPERAND_SCALE_A,
                     v_op = p->swapped ? LW_OPERAND_SCALE_A : LW_OPERAND_SCALE_B;
    const uint8_t *s_scales = p->swapped ? m->scale_b : m->scale_a,
                  *v_scales = p->swapped ? m->scale_a : m->scale_b;
    load_scale(mma, s_op, s_scales, s->s_count, &p->scale_s, s->tile4 ? 4 : 1, NULL, s_out);
    load_scale(mma, v_op, v_scales, s->v_count, &p->scale_v, 1, s->tile4 ? p->column : NULL, v_out);
}

/* The index by group and row; false if it must be refused. */
static bool load_index(const lw_mma *mma, const uint8_t *index, uint32_t *out)
{
    const lw_mma_panels *p = mma->panels;
    const unsigned rows = p->shape.v_count, count = mma->port[LW_OPERAND_INDEX].elements,
                   groups = count / rows;
    const unsigned legal = lw_mma_is_ptx(mma) ? mma->legal_index : 0xffff;
    unsigned known = 1;
    for (unsigned n = 0; n < count; n++) {
        out[n] = index[n % rows * groups + n / rows] & 15;
        known &= legal >> out[n];
    }
    return known & 1;
}

bool lw_mma_panels_writes_matrix(const lw_mma *mma, const lw_mma_matrices *m)
{
    const lw_mma_panels *p = mma->panels;
    if (!p || !is_aligned(m->d) || p->c_half)
        return false;
    if (!runs_are_dense(p))
        return true;
    if (!p->in_place || !is_aligned(m->c))
        return false;
    const uintptr_t c = (uintptr_t)m->c, d = (uintptr_t)m->d, bytes = p->runs * (LW_PANEL * sizeof(uint32_t));
    return !m->c || c == d || c + bytes <= d || d + bytes <= c;
}

bool lw_mma_panels_run_matrices(const lw_mma *mma, const lw_mma_matrices *m, uint32_t *d)
{
    const lw_mma_panels *p = mma->panels;
    if (!p || (mma->sparse && !m->index))
        return false;
    _Alignas(64) uint32_t a[LW_TILE_AB_WORDS + LW_PANEL], b[LW_TILE_AB_WORDS + LW_PANEL],
        sides[2 * LW_PANEL_SIDE_WORDS], c[LW_PANEL_CD_WORDS], runs[LW_PANEL_CD_WORDS],
        scale_s[LW_PANEL_TILE4_SCALES], scale_v[LW_PANEL_MAX_SCALES];
    uint32_t index[LW_TILE_INDEX];
    const bool dense = runs_are_dense(p);
    lw_panels panels = { .c = c,
                         .d = dense ? d : runs,
                         .c_at = p->dense_at,
                         .d_at = p->dense_at,
                         .index = index,
                         .scale_s = scale_s,
                         .scale_v = scale_v };
    if (mma->sparse && !load_index(mma, m->index, index))
        return false;
    load_sides(mma, m, a, b, sides, &panels);
    if (p->spread.chunk) {
        p->words->spread(&p->spread, index, panels.v, runs);
        panels.v =
            memcpy(sides + LW_PANEL_SIDE_WORDS, runs, p->shape.v_words * p->shape.v_count * sizeof(*runs));
    }
    if (p->c_half) {
        const lw_mma_source source = { .mat = m };
        panels.d = runs;
        if (!lw_mma_panels_convert(mma, &source, c, &panels))
            return false;
        lw_mma_convert_to_image(mma, runs, d);
        return true;
    }
    if (m->c && dense && d == m->d)
        panels.c = m->c;
    else
        load_c(mma, m, runs, c);
    if (p->shape.scaled)
        load_scales(mma, m, scale_s, scale_v);
    if (!lw_mma_panels_call(mma, &(lw_mma_source){ .mat = m }, &panels))
        return false;
    if (!dense)
        d_from_runs(p, runs, d);
    return true;
}
