/* SPDX-License-Identifier: MIT */
/*
 * Sparse V: two of four codes are stored, and an index says which two. Rows of V are broadcast, and S runs
 * along the lanes: all lanes of a vector then multiply values of S that one index selects. C and D are
 * transposed for that. Included instead of panel_chosen.h.
 */
#ifndef LW_EMU_FAST_PANEL_TURNED_H
#define LW_EMU_FAST_PANEL_TURNED_H

#include "emu/fast/panel_decode.h"

enum { SPARSE_TURNED = 1 };

typedef struct chosen {
    /* Exponents of S as 16-bit numbers, in lower and in upper halves of words: [k][lane]. */
    _Alignas(64) uint32_t exps[2][LW_PANEL_SIDE_CODES];
    /* The offset of the value of S that a stored code is multiplied with, [k][row of V]; exponents of two
     * stored codes, [k / 2][row of V]. */
    _Alignas(64) uint32_t place[LW_PANEL_SIDE_CODES / 2], v_exps[LW_PANEL_SIDE_CODES / 4];
    _Alignas(64) uint32_t turned[LW_PANEL_CD_WORDS]; /* C, then D: [row of V][lane] */
    int rows, stride;
} chosen;

/* C or D for row i of V. */
VEC uint32_t *chosen_row(chosen *c, int i, int lane)
{
    return c->turned + i * c->stride + lane;
}

/* The products of row i's stored code k with the lanes' codes that correspond to it. */
VEC vf chosen_product(const chosen *c, const side *s, const side *v, int i, int k, int lane)
{
    const int at = k * c->rows + i;
    return vf_mul(vf_each(v->value + at), vf_load(s->value + c->place[at] + lane));
}

/* Sums of exponents of the stored codes 2 * n and 2 * n + 1 of row i, in halves. */
VEC vi chosen_sums(const chosen *c, int i, int n, int lane)
{
    const uint32_t *place = c->place + 2 * n * c->rows + i;
    const vi s = vi_or(vi_load(c->exps[0] + place[0] + lane), vi_load(c->exps[1] + place[c->rows] + lane));
    return vi_add16(s, vi_each(c->v_exps + n * c->rows + i));
}

/* The largest of these sums over quads of stored codes. */
VEC vi chosen_tops(const chosen *c, int i, int q0, int quads, int lane, const vi *unused)
{
    (void)unused;
    vi tops = chosen_sums(c, i, 2 * q0, lane);
    for (int n = 1; n < 2 * quads; n++)
        tops = vi_max16(tops, chosen_sums(c, i, 2 * q0 + n, lane));
    return tops;
}

/* The same for the two pairs of a quad. */
VEC void chosen_pairs(const chosen *c, int i, int q, int lane, const vi *unused, vi e[2])
{
    (void)unused;
    e[0] = join_halves(chosen_sums(c, i, 2 * q, lane));
    e[1] = join_halves(chosen_sums(c, i, 2 * q + 1, lane));
}

/* Exponents of S: those of two codes at a time are 16-bit numbers in the halves of words. */
static void choose_exponents(const uint32_t *exps, int stride, int count, int k, chosen *out)
{
    const w4 low = w4_all(0xffff);
    for (int q = 0; q < k / 4; q++)
        for (int lane = 0; lane < count; lane += 4) {
            w4 pair[2];
            w4_halves_of_bytes(w4_load(exps + q * stride + lane), pair);
            for (int n = 0; n < 2; n++) {
                const int at = (4 * q + 2 * n) * stride + lane;
                w4_store(out->exps[0] + at, pair[n] & low);
                w4_store(out->exps[0] + at + stride, pair[n] >> 16);
                w4_store(out->exps[1] + at, pair[n] << 16);
                w4_store(out->exps[1] + at + stride, pair[n] & ~low);
            }
        }
}

static void choose_rows_exponents(const uint32_t *exps, int rows, int k, chosen *out)
{
    for (int q = 0; q < k / 4; q++)
        for (int row = 0; row < rows; row += 4) {
            w4 pair[2];
            w4_halves_of_bytes(w4_load(exps + q * rows + row), pair);
            w4_store(out->v_exps + 2 * q * rows + row, pair[0]);
            w4_store(out->v_exps + (2 * q + 1) * rows + row, pair[1]);
        }
}

static void choose_places(const uint32_t *index, int rows, int k, int up, chosen *out)
{
    for (int n = 0; n < k; n += 2)
        for (int row = 0; row < rows; row += VEC_LANES) {
            const vi nibble = vi_load(index + n / 2 * rows + row), first = vi_all(2 * n << up);
            uint32_t *place = out->place + n * rows + row;
            vi_store(place, vi_add(first, vi_shl(vi_and(nibble, vi_all(3)), up)));
            vi_store(place + rows, vi_add(first, vi_shl(vi_shr(nibble, 2), up)));
        }
}

/* One of two: 4 is the first, 14 the second. */
static void choose_ones(const uint32_t *index, int rows, int k, int up, chosen *out)
{
    for (int n = 0; n < k; n++)
        for (int at = n * rows; at < (n + 1) * rows; at += VEC_LANES) {
            const vi second = vi_and(vi_shr(vi_load(index + at), 1), vi_all(1));
            vi_store(out->place + at, vi_shl(vi_add(second, vi_all(2 * n)), up));
        }
}

/* C from its runs. Excess lanes of a vector are zero. */
static void choose_c(const lw_panel_shape *shape, const lw_panels *p, chosen *out)
{
    const int rows = shape->v_count, panels = rows / LW_PANEL, count = shape->s_count;
    if (count % VEC_LANES)
        memset(out->turned, 0, (size_t)(rows * shape->s_stride) * sizeof(*out->turned));
    for (int i = 0; i < count; i += 4)
        for (int row = 0; row < rows; row += 4) {
            const uint16_t *at = p->c_at + i * panels + row / LW_PANEL;
            const uint32_t *c = p->c + row % LW_PANEL;
            w4 part[4] = { w4_load(c + at[0]), w4_load(c + at[panels]), w4_load(c + at[2 * panels]),
                           w4_load(c + at[3 * panels]) };
            w4_turn(part);
            for (int n = 0; n < 4; n++)
                w4_store(chosen_row(out, row + n, i), part[n]);
        }
}

/* D to its runs. */
static void choose_end(const lw_panel_shape *shape, const lw_panels *p, chosen *from)
{
    const int rows = shape->v_count, panels = rows / LW_PANEL;
    for (int i = 0; i < shape->s_count; i += 4)
        for (int row = 0; row < rows; row += 4) {
            const uint16_t *at = p->d_at + i * panels + row / LW_PANEL;
            w4 part[4] = { w4_load(chosen_row(from, row, i)), w4_load(chosen_row(from, row + 1, i)),
                           w4_load(chosen_row(from, row + 2, i)), w4_load(chosen_row(from, row + 3, i)) };
            w4_turn(part);
            for (int n = 0; n < 4; n++)
                w4_store(p->d + at[n * panels] + row % LW_PANEL, part[n]);
        }
}

static void choose(const lw_panel_shape *shape, const lw_panels *p, const side *s, const side *v, chosen *out)
{
    const int rows = shape->v_count, k = shape->k, up = shape->s_stride == LW_PANEL ? 4 : 5;
    out->rows = rows;
    out->stride = shape->s_stride;
    choose_exponents(s->exps, shape->s_stride, shape->s_count, 2 * k, out);
    choose_rows_exponents(v->exps, rows, k, out);
    if (shape->one_of_two)
        choose_ones(p->index, rows, k, up, out);
    else
        choose_places(p->index, rows, k, up, out);
    choose_c(shape, p, out);
}

#endif
