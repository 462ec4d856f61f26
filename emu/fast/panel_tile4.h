/* SPDX-License-Identifier: MIT */
/*
 * Tiles of four rows by four columns (lw_panel_shape.tile4): what their kernels share, and NVIDIA's fused
 * groups. Included after panel_fused.h.
 *
 * Operands are decoded in place: a lane of S is (row, t), where t is the word within four, and its codes are
 * those of all words q * 4 + t; V likewise. Within a group the order of products does not matter, and a group
 * consists of whole groups of four words; therefore lanes t of both sides hold the same codes in the same
 * order.
 */
#ifndef LW_EMU_FAST_PANEL_TILE4_H
#define LW_EMU_FAST_PANEL_TILE4_H

#include "emu/fast/panel_fused.h"

enum { FOUR = 4, TILE4_ROWS = FOUR * LW_PANEL };

typedef struct tile4_task {
    const lw_panel_shape *shape;
    const lw_panels *p;
    side s, v;
    int v_stride, column_groups; /* lanes of V; groups of four columns */
    int rebase;
    uint32_t xs[LW_PANEL_MAX_SCALES], xv[LW_PANEL_MAX_SCALES];
    bool odd, redo; /* a row or column has special values; an output is marked for the reference */
} tile4_task;

/* Converts lanes of a side with special values to rows or columns: `count` of them, `step` lanes apart, with
 * their four lanes `next` apart. */
static uint32_t fold_bad(uint64_t bad, int count, int step, int next)
{
    uint32_t rows = 0;
    for (int i = 0; bad && i < count; i++)
        for (int t = 0; t < FOUR; t++)
            rows |= (uint32_t)(bad >> (i * step + t * next) & 1) << i;
    return rows;
}

/* Does not set up the sides. */
static void tile4_prepare(const lw_panel_shape *shape, const lw_panels *p, tile4_task *t)
{
    t->shape = shape;
    t->p = p;
    t->v_stride = FOUR * shape->v_count;
    t->column_groups = shape->v_count / FOUR;
    t->odd = t->redo = false;
}

static void tile4_decode(tile4_task *t)
{
    const lw_panel_shape *shape = t->shape;
    decode_side(shape->s, t->p->s, TILE4_ROWS, TILE4_ROWS, shape->k / FOUR, &t->s);
    decode_side(shape->v, t->p->v, t->v_stride, t->v_stride, shape->k / FOUR, &t->v);
    t->rebase = t->s.rebase + t->v.rebase;
    t->p->bad[0][0] = fold_bad(t->s.bad, shape->s_count, FOUR, 1);
    t->p->bad[0][1] = fold_bad(t->v.bad, shape->v_count, 1, shape->v_count);
    t->odd = (t->p->bad[0][0] | t->p->bad[0][1]) != 0;
}

/* The run of a vector of outputs: the rows whose lanes of S begin at `at`, and group `four` of four
 * columns. */
VEC int tile4_run(const tile4_task *t, int at, int four)
{
    return at / LW_PANEL * t->column_groups + four;
}

/* Marks outputs of one vector for the reference. */
VEC void tile4_mark(tile4_task *t, int at, int four, unsigned bits)
{
    uint16_t *redo = &t->p->redo[tile4_run(t, at, four)];
    *redo = (uint16_t)(*redo | bits << at % LW_PANEL);
    t->redo = true;
}

/* Loads C. Its special values, and those of rows and columns, are marked for the reference. */
VEC vf tile4_begin(tile4_task *t, int at, int four)
{
    const vf c = vf_load(t->p->c + t->p->c_at[tile4_run(t, at, four)] + at % LW_PANEL);
    const vi inf = vi_all(0x7f800000);
    unsigned bits = vm_bits(vi_eq(vi_and(vf_bits(c), inf), inf));
    if (t->odd)
        for (int lane = 0; lane < VEC_LANES; lane++) {
            const unsigned row = t->p->bad[0][0] >> (at + lane) / FOUR,
                           col = t->p->bad[0][1] >> (four * FOUR + lane % FOUR);
            bits |= ((row | col) & 1) << lane;
        }
    if (bits)
        tile4_mark(t, at, four, bits);
    return c;
}

VEC void tile4_end(const tile4_task *t, int at, int four, vf d)
{
    vf_store(t->p->d + t->p->d_at[tile4_run(t, at, four)] + at % LW_PANEL, d);
}

/* Largest sums of exponents of four codes of all lanes, number `quad`. */
VEC vi tile4_tops(const tile4_task *t, int at, int four, int quad)
{
    const int next = t->shape->v_count;
    const vi bias = vi_all(VEC_BYTE_BIAS), s = vi_xor(vi_load(t->s.exps + quad * TILE4_ROWS + at), bias);
    const uint32_t *v = t->v.exps + quad * t->v_stride + four * FOUR;
    const vi x0 = vi_add8(vi_of_four(s, 0), vi_four(v)), x1 = vi_add8(vi_of_four(s, 1), vi_four(v + next)),
             x2 = vi_add8(vi_of_four(s, 2), vi_four(v + 2 * next)),
             x3 = vi_add8(vi_of_four(s, 3), vi_four(v + 3 * next));
    return vi_xor(vi_max8_biased(vi_max8_biased(x0, x1), vi_max8_biased(x2, x3)), bias);
}

/* The largest of codes first .. first + codes - 1. */
VEC vi tile4_exponent(const vi *tops, int first, int codes)
{
    vi top = tops[first / 4];
    if (codes == 8)
        top = vi_max8(top, tops[first / 4 + 1]);
    if (codes >= 4)
        return join_bytes(top);
    return byte_of(codes == 2 ? vi_max8(top, vi_shr(top, 8)) : top, first % 4);
}

VEC vi tile4_cut(vi each, const uint32_t *v, vf up)
{
    return vf_cut(vf_mul(vf_mul(vf_from_bits(each), vf_from_bits(vi_four(v))), up));
}

/* The vectors that are computed together: TILE4_DEEP vectors of rows, from `at` on, by two groups of four
 * columns. */
enum { TILE4_DEEP = VEC_LANES / 8, TILE4_BATCH = 2 * TILE4_DEEP };
VEC int tile4_at(int at, int i)
{
    return at + i / 2 * VEC_LANES;
}

/* Products of corresponding codes, in units of 1 / up, cut towards zero and added. */
VEC void tile4_products(const tile4_task *t, int at, int four, int first, int codes, const fused_grid *grid,
                        vi sum[TILE4_BATCH])
{
    const int next = t->shape->v_count;
    for (int i = 0; i < TILE4_BATCH; i++)
        sum[i] = vi_all(0);
#pragma GCC unroll 8
    for (int n = first; n < first + codes; n++)
        for (int i = 0; i < TILE4_BATCH; i++) {
            const vi s = vi_load(t->s.value + n * TILE4_ROWS + tile4_at(at, i));
            const uint32_t *v = t->v.value + n * t->v_stride + (four + i % 2) * FOUR;
            const vf up = grid[i].p_up;
            const vi even =
                vi_add(tile4_cut(vi_of_four(s, 0), v, up), tile4_cut(vi_of_four(s, 2), v + 2 * next, up));
            const vi odd = vi_add(tile4_cut(vi_of_four(s, 1), v + next, up),
                                  tile4_cut(vi_of_four(s, 3), v + 3 * next, up));
            sum[i] = vi_add(sum[i], vi_add(even, odd));
        }
}

/* One group; e: the exponents of its products. */
VEC void fused_tile4_group(tile4_task *t, int at, int four, int first, int codes, const vi e[TILE4_BATCH],
                           vf acc[TILE4_BATCH], int frac, uint32_t kept, bool scaled)
{
    const bool overflows = fused_overflows(FOUR * codes, frac);
    fused_grid grid[TILE4_BATCH];
    vi sum[TILE4_BATCH], over[TILE4_BATCH];
    for (int i = 0; i < TILE4_BATCH; i++) {
        const vi x = scaled ? vi_add(vi_load(t->xs + tile4_at(at, i)), vi_four(t->xv + (four + i % 2) * FOUR))
                            : vi_all(0);
        grid[i] = fused_make_grid(e[i], x, acc[i], frac, t->rebase, scaled);
        over[i] = vi_all(0);
    }
    /* Sixteen products just fit: see fused_products. */
    if (codes <= 4) {
        tile4_products(t, at, four, first, codes, grid, sum);
    } else {
        vi more[TILE4_BATCH];
        tile4_products(t, at, four, first, codes / 2, grid, sum);
        tile4_products(t, at, four, first + codes / 2, codes / 2, grid, more);
        for (int i = 0; i < TILE4_BATCH; i++)
            sum[i] = add_checked(sum[i], more[i], &over[i]);
    }
    for (int i = 0; i < TILE4_BATCH; i++) {
        acc[i] = fused_meet(&grid[i], sum[i], acc[i], kept, overflows ? &over[i] : NULL);
        const vm lost = vm_and(grid[i].any, vi_negative(over[i]));
        if (overflows && vm_any(lost))
            tile4_mark(t, tile4_at(at, i), four + i % 2, vm_bits(lost));
    }
}

/* all: number of codes of a lane; codes: number of those in a group. */
VEC lw_panel_result fused_tile4(const lw_panel_shape *shape, const lw_panels *p, int all, int codes, int frac,
                                uint32_t kept, bool scaled)
{
    enum { MOST_GROUPS = 8 };
    tile4_task t;
    tile4_prepare(shape, p, &t);
    if (scaled &&
        !(scale_exponents(p->scale_s, TILE4_ROWS, t.xs) && scale_exponents(p->scale_v, LW_PANEL, t.xv)))
        return LW_PANELS_NONE;
    tile4_decode(&t);
    for (int at = 0; at < TILE4_ROWS; at += TILE4_DEEP * VEC_LANES)
        for (int four = 0; four < t.column_groups; four += 2) {
            vi tops[2], e[MOST_GROUPS][TILE4_BATCH];
            vf acc[TILE4_BATCH];
            for (int i = 0; i < TILE4_BATCH; i++) {
                acc[i] = tile4_begin(&t, tile4_at(at, i), four + i % 2);
                for (int n = 0; n < (all + 3) / 4; n++)
                    tops[n] = tile4_tops(&t, tile4_at(at, i), four + i % 2, n);
                for (int n = 0; n < all / codes; n++)
                    e[n][i] = tile4_exponent(tops, n * codes, codes);
            }
            for (int n = 0; n < all / codes; n++) {
                const int group = shape->order[n];
                fused_tile4_group(&t, at, four, group * codes, codes, e[group], acc, frac, kept, scaled);
            }
            for (int i = 0; i < TILE4_BATCH; i++)
                tile4_end(&t, tile4_at(at, i), four + i % 2, acc[i]);
        }
    return t.redo ? LW_PANELS_REDO : LW_PANELS_DONE;
}

#define TILE4(name_, ...)                                                                                    \
    static lw_panel_result name_(const lw_panel_shape *shape, const lw_panels *p)                            \
    {                                                                                                        \
        return fused_tile4(shape, p, __VA_ARGS__);                                                           \
    }
TILE4(tile4_1_1_24, 1, 1, 24, UINT32_MAX, false)
TILE4(tile4_2_1_24, 2, 1, 24, UINT32_MAX, false)
TILE4(tile4_2_2_24, 2, 2, 24, UINT32_MAX, false)
TILE4(tile4_4_2_24, 4, 2, 24, UINT32_MAX, false)
TILE4(tile4_1_1_25, 1, 1, 25, UINT32_MAX, false)
TILE4(tile4_2_1_25, 2, 1, 25, UINT32_MAX, false)
TILE4(tile4_2_2_25, 2, 2, 25, UINT32_MAX, false)
TILE4(tile4_4_2_25, 4, 2, 25, UINT32_MAX, false)
TILE4(tile4_4_4_25, 4, 4, 25, UINT32_MAX, false)
TILE4(tile4_8_4_25, 8, 4, 25, UINT32_MAX, false)
TILE4(tile4_8_8_25, 8, 8, 25, UINT32_MAX, false)
TILE4(tile4_8_8_25_scaled, 8, 8, 25, UINT32_MAX, true)
TILE4(tile4_4_4_13, 4, 4, 13, KEEP13, false)
TILE4(tile4_8_4_13, 8, 4, 13, KEEP13, false)
TILE4(tile4_8_8_13, 8, 8, 13, KEEP13, false)
#undef TILE4
#undef KEEP13

static lw_panel_fn find_fused_tile4(const lw_panel_shape *s)
{
    static const struct {
        uint8_t all, codes, frac, out;
        bool scaled;
        lw_panel_fn fn;
    } rows[] = { { 1, 1, 24, 23, false, tile4_1_1_24 }, { 2, 1, 24, 23, false, tile4_2_1_24 },
                 { 2, 2, 24, 23, false, tile4_2_2_24 }, { 4, 2, 24, 23, false, tile4_4_2_24 },
                 { 1, 1, 25, 23, false, tile4_1_1_25 }, { 2, 1, 25, 23, false, tile4_2_1_25 },
                 { 2, 2, 25, 23, false, tile4_2_2_25 }, { 4, 2, 25, 23, false, tile4_4_2_25 },
                 { 4, 4, 25, 23, false, tile4_4_4_25 }, { 8, 4, 25, 23, false, tile4_8_4_25 },
                 { 8, 8, 25, 23, false, tile4_8_8_25 }, { 8, 8, 25, 23, true, tile4_8_8_25_scaled },
                 { 4, 4, 13, 13, false, tile4_4_4_13 }, { 8, 4, 13, 13, false, tile4_8_4_13 },
                 { 8, 8, 13, 13, false, tile4_8_8_13 } };
    const int group = s->unit.group < s->k ? s->unit.group : s->k, words = group * s->s->bits / 32;
    if (s->s->bits != s->v->bits || words % FOUR || s->k % group || (s->scaled && s->k != s->scale_span))
        return NULL;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (FOUR * rows[i].codes == group && FOUR * rows[i].all == s->k &&
            rows[i].frac == s->unit.product_frac && rows[i].out == s->unit.out_frac &&
            rows[i].scaled == s->scaled)
            return rows[i].fn;
    return NULL;
}

#endif
