/* SPDX-License-Identifier: MIT */
/*
 * Panels of four rows by four columns (lw_panel_shape.fours): what their kernels share, and NVIDIA's fused
 * groups. Included behind panel_fused.h.
 *
 * Operands are decoded where they stand: a lane of S is (row, t), t being the word within four, its codes
 * those of all words q * 4 + t; V likewise. Within a group the order of products does not matter, and a group
 * is made of whole fours of words, so that lanes t of both sides hold the same codes in the same order.
 */
#ifndef LW_EMU_FAST_PANEL_FOURS_H
#define LW_EMU_FAST_PANEL_FOURS_H

#include "emu/fast/panel_fused.h"

enum { FOUR = 4, MAX_PAIR = 2 };

typedef struct fours_task {
    const lw_panel_shape *shape;
    const lw_panels *p;
    side s, v;
    int s_stride, v_stride, fours; /* lanes of the sides; fours of columns */
    int rebase;
    uint32_t xs[LW_PANEL_MAX_SCALES], xv[LW_PANEL_MAX_SCALES];
    bool odd, redo; /* a row or column holds specials; an output has been left */
} fours_task;

/* Lanes of a side that hold specials become rows or columns: `count` lanes apart or together. */
static uint32_t fold_bad(uint64_t bad, int count, int step, int next)
{
    uint32_t rows = 0;
    for (int i = 0; bad && i < count; i++)
        for (int t = 0; t < FOUR; t++)
            rows |= (uint32_t)(bad >> (i * step + t * next) & 1) << i;
    return rows;
}

/* The sides must have been set up. */
static void fours_prepare(const lw_panel_shape *shape, const lw_panels *p, fours_task *t)
{
    t->shape = shape;
    t->p = p;
    t->s_stride = FOUR * shape->s_count;
    t->v_stride = FOUR * shape->v_count;
    t->fours = shape->v_count / FOUR;
    t->odd = t->redo = false;
}

static void fours_decode(fours_task *t)
{
    const lw_panel_shape *shape = t->shape;
    decode_side(shape->s, t->p->s, t->s_stride, shape->k / FOUR, &t->s);
    decode_side(shape->v, t->p->v, t->v_stride, shape->k / FOUR, &t->v);
    t->rebase = t->s.rebase + t->v.rebase;
    t->p->bad[0][0] = fold_bad(t->s.bad, shape->s_count, FOUR, 1);
    t->p->bad[0][1] = fold_bad(t->v.bad, shape->v_count, 1, shape->v_count);
    t->odd = (t->p->bad[0][0] | t->p->bad[0][1]) != 0;
}

/* A vector of outputs: the rows whose lanes of S begin at `at`, columns of four number `four`. */
VEC int fours_run(const fours_task *t, int at, int four)
{
    return at / LW_PANEL * t->fours + four;
}

/* Leaves outputs of one vector to the reference. */
VEC void fours_leave(fours_task *t, int at, int four, unsigned bits)
{
    uint16_t *redo = &t->p->redo[fours_run(t, at, four)];
    *redo = (uint16_t)(*redo | bits << at % LW_PANEL);
    t->redo = true;
}

/* C, its specials and those of rows and columns left. */
VEC vf fours_begin(fours_task *t, int at, int four)
{
    const vf c = vf_load(t->p->c + t->p->c_at[fours_run(t, at, four)] + at % LW_PANEL);
    const vi inf = vi_all(0x7f800000);
    unsigned bits = vm_bits(vi_eq(vi_and(vf_bits(c), inf), inf));
    if (t->odd)
        for (int lane = 0; lane < VEC_LANES; lane++) {
            const unsigned row = t->p->bad[0][0] >> (at + lane) / FOUR,
                           col = t->p->bad[0][1] >> (four * FOUR + lane % FOUR);
            bits |= ((row | col) & 1) << lane;
        }
    if (bits)
        fours_leave(t, at, four, bits);
    return c;
}

VEC void fours_end(const fours_task *t, int at, int four, vf d)
{
    vf_store(t->p->d + t->p->d_at[fours_run(t, at, four)] + at % LW_PANEL, d);
}

/* Largest sums of exponents of codes first..first+codes-1 of all four lanes. */
VEC vi fours_exponent(const fours_task *t, int at, int four, int first, int codes)
{
    vi tops = vi_all(0);
    for (int n = first / 4; n < (first + codes + 3) / 4; n++) {
        const vi s = vi_load(t->s.exps + n * t->s_stride + at);
        const uint32_t *v = t->v.exps + n * t->v_stride + four * FOUR;
        const int next = t->shape->v_count;
        const vi x0 = vi_add8(vi_of_four(s, 0), vi_four(v)),
                 x1 = vi_add8(vi_of_four(s, 1), vi_four(v + next)),
                 x2 = vi_add8(vi_of_four(s, 2), vi_four(v + 2 * next)),
                 x3 = vi_add8(vi_of_four(s, 3), vi_four(v + 3 * next));
        tops = vi_max8(tops, vi_max8(vi_max8(x0, x1), vi_max8(x2, x3)));
    }
    if (codes >= 4)
        return join_bytes(tops);
    return byte_of(codes == 2 ? vi_max8(tops, vi_shr(tops, 8)) : tops, first % 4);
}

VEC vi fours_cut(vf s, int t, const uint32_t *v, vf up)
{
    const vf each = vf_from_bits(vi_of_four(vf_bits(s), t));
    return vf_cut(vf_mul(vf_mul(each, vf_from_bits(vi_four(v))), up));
}

/* Products of the same codes in units of 1 / up, cut towards zero and added. */
VEC vi fours_products(const fours_task *t, int at, int four, int first, int codes, vf up)
{
    vi sum[FOUR] = { vi_all(0), vi_all(0), vi_all(0), vi_all(0) };
    const int next = t->shape->v_count;
    for (int n = first; n < first + codes; n++) {
        const vf s = vf_load(t->s.value + n * t->s_stride + at);
        const uint32_t *v = t->v.value + n * t->v_stride + four * FOUR;
        sum[0] = vi_add(sum[0], fours_cut(s, 0, v, up));
        sum[1] = vi_add(sum[1], fours_cut(s, 1, v + next, up));
        sum[2] = vi_add(sum[2], fours_cut(s, 2, v + 2 * next, up));
        sum[3] = vi_add(sum[3], fours_cut(s, 3, v + 3 * next, up));
    }
    return vi_add(vi_add(sum[0], sum[1]), vi_add(sum[2], sum[3]));
}

/* One group for one vector of outputs; codes: of a lane. */
VEC vf fused_fours_group(fours_task *t, int at, int four, int first, int codes, vf c, int frac, uint32_t kept,
                         bool scaled)
{
    const vi e = fours_exponent(t, at, four, first, codes);
    const vi x = scaled ? vi_add(vi_load(t->xs + at), vi_four(t->xv + four * FOUR)) : vi_all(0);
    const fused_grid g = fused_make_grid(e, x, c, frac, t->rebase, scaled);
    vi over = vi_all(0), sum;
    /* Sixteen products just fit, see fused_products. */
    if (codes <= 4)
        sum = fours_products(t, at, four, first, codes, g.p_up);
    else
        sum = add_checked(fours_products(t, at, four, first, codes / 2, g.p_up),
                          fours_products(t, at, four, first + codes / 2, codes / 2, g.p_up), &over);
    const vf next = fused_meet(&g, sum, c, kept, &over);
    const vm lost = vm_and(g.any, vi_negative(over));
    if (vm_any(lost))
        fours_leave(t, at, four, vm_bits(lost));
    return next;
}

/* codes: of a lane in a group; n: those of a four of words as a whole. */
VEC lw_panel_result fused_fours(const lw_panel_shape *shape, const lw_panels *p, int codes, int frac,
                                uint32_t kept, bool scaled)
{
    fours_task t;
    fours_prepare(shape, p, &t);
    if (scaled &&
        !(scale_exponents(p->scale_s, t.s_stride, t.xs) && scale_exponents(p->scale_v, LW_PANEL, t.xv)))
        return LW_PANELS_NONE;
    fours_decode(&t);
    const int groups = shape->k / (FOUR * codes);
    for (int at = 0; at < t.s_stride; at += VEC_LANES)
        for (int four = 0; four < t.fours; four++) {
            vf acc = fours_begin(&t, at, four);
            for (int n = 0; n < groups; n++)
                acc =
                    fused_fours_group(&t, at, four, codes * shape->order[n], codes, acc, frac, kept, scaled);
            fours_end(&t, at, four, acc);
        }
    return t.redo ? LW_PANELS_REDO : LW_PANELS_DONE;
}

#define FOURS(name_, ...)                                                                                    \
    static lw_panel_result name_(const lw_panel_shape *shape, const lw_panels *p)                            \
    {                                                                                                        \
        return fused_fours(shape, p, __VA_ARGS__);                                                           \
    }
FOURS(fours1_24, 1, 24, UINT32_MAX, false)
FOURS(fours2_24, 2, 24, UINT32_MAX, false)
FOURS(fours1_25, 1, 25, UINT32_MAX, false)
FOURS(fours2_25, 2, 25, UINT32_MAX, false)
FOURS(fours4_25, 4, 25, UINT32_MAX, false)
FOURS(fours8_25, 8, 25, UINT32_MAX, false)
FOURS(fours8_25_scaled, 8, 25, UINT32_MAX, true)
FOURS(fours4_13, 4, 13, KEEP13, false)
FOURS(fours8_13, 8, 13, KEEP13, false)
#undef FOURS
#undef KEEP13

static lw_panel_fn find_fused_fours(const lw_panel_shape *s)
{
    static const struct {
        uint8_t codes, frac, out;
        bool scaled;
        lw_panel_fn fn;
    } rows[] = { { 1, 24, 23, false, fours1_24 },       { 2, 24, 23, false, fours2_24 },
                 { 1, 25, 23, false, fours1_25 },       { 2, 25, 23, false, fours2_25 },
                 { 4, 25, 23, false, fours4_25 },       { 8, 25, 23, false, fours8_25 },
                 { 8, 25, 23, true, fours8_25_scaled }, { 4, 13, 13, false, fours4_13 },
                 { 8, 13, 13, false, fours8_13 } };
    const int group = s->unit.group < s->k ? s->unit.group : s->k, words = group * s->s->bits / 32;
    if (s->s->bits != s->v->bits || words % FOUR || s->k % group || (s->scaled && s->k != s->scale_span))
        return NULL;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (FOUR * rows[i].codes == group && rows[i].frac == s->unit.product_frac &&
            rows[i].out == s->unit.out_frac && rows[i].scaled == s->scaled)
            return rows[i].fn;
    return NULL;
}

#endif
