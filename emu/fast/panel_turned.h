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

/* Byte n of a lane, with its sign, as a lower or an upper half; the other one is zero. */
VEC vi byte_as_half(vi bytes, int n, int half)
{
    const vi top = n == 3 ? bytes : vi_shl(bytes, 24 - 8 * n);
    return half ? vi_and(vi_sar(top, 8), vi_all((int)UINT32_C(0xffff0000))) : vi_shr(vi_sar(top, 8), 16);
}

static void choose_exponents(const uint32_t *exps, int stride, int count, int k, chosen *out)
{
    for (int q = 0; q < k / 4; q++)
        for (int lane = 0; lane < count; lane += VEC_LANES) {
            const vi bytes = vi_load(exps + q * stride + lane);
            for (int half = 0; half < 2; half++) {
                uint32_t *to = out->exps[half] + 4 * q * stride + lane;
                vi_store(to, byte_as_half(bytes, 0, half));
                vi_store(to + stride, byte_as_half(bytes, 1, half));
                vi_store(to + 2 * stride, byte_as_half(bytes, 2, half));
                vi_store(to + 3 * stride, byte_as_half(bytes, 3, half));
            }
        }
}

static void choose_places(const lw_panel_shape *shape, const uint32_t *index, const side *v, chosen *out)
{
    const int rows = shape->v_count, up = shape->s_stride == LW_PANEL ? 4 : 5;
    const vi three = vi_all(3);
    for (int n = 0; n < shape->k / 2; n++)
        for (int row = 0; row < rows; row += VEC_LANES) {
            const vi nibble = vi_load(index + n * rows + row), first = vi_all(4 * n);
            uint32_t *place = out->place + 2 * n * rows + row;
            vi_store(place, vi_shl(vi_add(first, vi_and(nibble, three)), up));
            vi_store(place + rows, vi_shl(vi_add(first, vi_and(vi_shr(nibble, 2), three)), up));
            const vi four = vi_load(v->exps + n / 2 * rows + row), bytes = n % 2 ? vi_shr(four, 16) : four;
            vi_store(out->v_exps + n * rows + row,
                     vi_or(byte_as_half(bytes, 0, 0), byte_as_half(bytes, 1, 1)));
        }
}

/* C from its runs. Excess lanes are zero. */
static void choose_c(const lw_panel_shape *shape, const lw_panels *p, chosen *out)
{
    const int rows = shape->v_count, panels = rows / LW_PANEL, count = shape->s_count;
    uint32_t plain[4][LW_PANEL];
    if (count < shape->s_stride)
        memset(out->turned, 0, (size_t)(rows * shape->s_stride) * sizeof(*out->turned));
    for (int i = 0; i < count; i += 4)
        for (int panel = 0; panel < panels; panel++) {
            for (int n = 0; n < 4; n++)
                memcpy(plain[n], p->c + p->c_at[(i + n) * panels + panel], sizeof(plain[n]));
            for (int row = 0; row < LW_PANEL; row += 4)
                vec_turn_four(plain[0] + row, LW_PANEL,
                              out->turned + (panel * LW_PANEL + row) * shape->s_stride + i, shape->s_stride);
        }
}

/* D to its runs. */
static void choose_end(const lw_panel_shape *shape, const lw_panels *p, const chosen *from)
{
    const int panels = shape->v_count / LW_PANEL;
    uint32_t plain[4][LW_PANEL];
    for (int i = 0; i < shape->s_count; i += 4)
        for (int panel = 0; panel < panels; panel++) {
            for (int row = 0; row < LW_PANEL; row += 4)
                vec_turn_four(from->turned + (panel * LW_PANEL + row) * shape->s_stride + i, shape->s_stride,
                              plain[0] + row, LW_PANEL);
            for (int n = 0; n < 4; n++)
                memcpy(p->d + p->d_at[(i + n) * panels + panel], plain[n], sizeof(plain[n]));
        }
}

static void choose(const lw_panel_shape *shape, const lw_panels *p, const side *s, const side *v, chosen *out)
{
    out->rows = shape->v_count;
    out->stride = shape->s_stride;
    choose_exponents(s->exps, shape->s_stride, shape->s_count, 2 * shape->k, out);
    choose_places(shape, p->index, v, out);
    choose_c(shape, p, out);
}

#endif
