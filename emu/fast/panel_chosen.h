/* SPDX-License-Identifier: MIT */
/*
 * Sparse V, with VEC_HAS_PICKS: two of four codes are stored, and an index says which two, so that each lane
 * multiplies different values of S. S is transposed to have four values side by side. panel_turned.h declares
 * the same names.
 */
#ifndef LW_EMU_FAST_PANEL_CHOSEN_H
#define LW_EMU_FAST_PANEL_CHOSEN_H

#include "emu/fast/panel_decode.h"

enum { SPARSE_TURNED = 0 };

typedef struct chosen {
    _Alignas(64) uint32_t value[LW_PANEL_SIDE_CODES];    /* [row of S][k] */
    _Alignas(64) uint32_t exps[LW_PANEL_SIDE_CODES / 4]; /* [row of S][k / 4] */
    /* For each stored code: its place within four; for each four stored codes: their bytes in two words of
     * exponents. */
    _Alignas(64) uint32_t pick[LW_PANEL_SIDE_CODES / 2], byte[LW_PANEL_SIDE_CODES / 8];
    int k, v_count; /* k: of S */
} chosen;

VEC vf chosen_value(const chosen *c, int i, int k, int lane)
{
    return vf_of_four(vf_from_bits(vi_four(c->value + i * c->k + k / 2 * 4)),
                      vi_load(c->pick + k * c->v_count + lane));
}

VEC vi chosen_exponents(const chosen *c, int i, int q, int lane)
{
    return vi_bytes_of(vi_two(c->exps + i * (c->k / 4) + 2 * q), vi_load(c->byte + q * c->v_count + lane));
}

/* The product of b with the value of row i that the lane selects. */
VEC vf chosen_product(const chosen *c, int i, int k, int lane, vf b)
{
    return vf_mul(chosen_value(c, i, k, lane), b);
}

/* Largest sums of exponents over quads of stored codes; be: exponents of the lanes. */
VEC vi chosen_tops(const chosen *c, int i, int q0, int quads, int lane, const vi *be)
{
    vi tops = vi_add8(chosen_exponents(c, i, q0, lane), be[0]);
    for (int q = 1; q < quads; q++)
        tops = vi_max8(tops, vi_add8(chosen_exponents(c, i, q0 + q, lane), be[q]));
    return tops;
}

/* The same for the two pairs of a quad. */
VEC void chosen_pairs(const chosen *c, int i, int q, int lane, const vi *be, vi e[2])
{
    const vi sums = vi_add8(chosen_exponents(c, i, q, lane), *be), tops = vi_max8(sums, vi_shr(sums, 8));
    e[0] = byte_of(tops, 0);
    e[1] = byte_of(tops, 2);
}

/* The index nibbles of the groups of stored codes 2 * n and 2 * n + 1, by lane. */
static void choose_places(const lw_panel_shape *shape, const uint32_t *index, chosen *out)
{
    const int lanes_of_v = shape->v_count;
    const vi three = vi_all(3);
    for (int q = 0; q < shape->k / 4; q++)
        for (int lane = 0; lane < lanes_of_v; lane += VEC_LANES) {
            vi bytes = vi_all(0x04040000);
            for (int n = 0; n < 2; n++) {
                const vi nibble = vi_load(index + (2 * q + n) * lanes_of_v + lane);
                const vi first = vi_and(nibble, three), second = vi_and(vi_shr(nibble, 2), three);
                uint32_t *pick = out->pick + (4 * q + 2 * n) * lanes_of_v + lane;
                vi_store(pick, first);
                vi_store(pick + lanes_of_v, second);
                bytes = vi_or(bytes, vi_shl(vi_or(first, vi_shl(second, 8)), 16 * n));
            }
            vi_store(out->byte + q * lanes_of_v + lane, bytes);
        }
}

/* Words of `rows` rows from [k][stride] to [row][k], four by four. */
static void turn(const uint32_t *from, int stride, int rows, int k, uint32_t *to)
{
    for (int i = 0; i < rows; i += 4)
        for (int n = 0; n < k; n += 4)
            vec_turn_four(from + n * stride + i, stride, to + i * k + n, k);
}

static void choose(const lw_panel_shape *shape, const lw_panels *p, const side *s, const side *v, chosen *out)
{
    (void)v;
    out->k = 2 * shape->k;
    out->v_count = shape->v_count;
    turn(s->value, shape->s_stride, shape->s_count, out->k, out->value);
    turn(s->exps, shape->s_stride, shape->s_count, out->k / 4, out->exps);
    choose_places(shape, p->index, out);
}

static void choose_end(const lw_panel_shape *shape, const lw_panels *p, chosen *from)
{
    (void)shape, (void)p, (void)from;
}

#endif
