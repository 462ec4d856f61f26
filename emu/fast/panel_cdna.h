/* SPDX-License-Identifier: MIT */
/*
 * The units of CDNA1 (LW_KIND_EXACT) and CDNA2 (LW_KIND_TREE). Included after panel_groups.h.
 *
 * TREE is binary32 arithmetic, with results below the normal numbers flushed afterwards. Factors below them
 * are zeros already (settle_side).
 *
 * EXACT adds products, which binary64 holds exactly, by Knuth's TwoSum. Where no addition lost anything, the
 * sum is exact, and converting it is the unit's rounding; the other lanes are for the reference, infinities
 * and NaNs included, whose differences are NaNs.
 */
#ifndef LW_EMU_FAST_PANEL_CDNA_H
#define LW_EMU_FAST_PANEL_CDNA_H

#include "emu/fast/panel_groups.h"

static const int CDNA_NAN = 0x7fc00000; /* LW_DOT_NAN32 */

/* Numbers below `least` in magnitude become zeros of their sign. */
VEC vf flushed(vf x, vf least)
{
    const vf zero = vf_from_bits(vi_and(vf_bits(x), vi_all(INT32_MIN)));
    return vf_pick(vf_not_less(vf_abs(x), least), x, zero);
}

VEC vf tree_sum(vf x, vf y)
{
    return flushed(vf_add(x, y), vf_all(0x1p-126f));
}

VEC vf tree_product(const group_task *t, const lanes *l, int i, int k, int stride, const vf *b)
{
    return flushed(product_at(t, l, i, k, stride, b), vf_all(0x1p-126f));
}

/* A subnormal C or a zero counts as +0; later accumulators keep the signs of zeros. */
VEC void tree_c(lanes *l)
{
    for (int i = 0; i < l->rows; i++) {
        const vf c = vf_load(l->acc[i]);
        vf_store(l->acc[i], vf_pick(vf_not_less(vf_abs(c), vf_all(0x1p-126f)), c, vf_all(0.0f)));
    }
}

VEC void tree_row(const group_task *t, lanes *l, int i, int k0, int group, int stride, const vf *b)
{
    vf sum = tree_sum(tree_product(t, l, i, k0, stride, b), tree_product(t, l, i, k0 + 1, stride, b + 1));
    if (group == 4)
        sum = tree_sum(sum, tree_sum(tree_product(t, l, i, k0 + 2, stride, b + 2),
                                     tree_product(t, l, i, k0 + 3, stride, b + 3)));
    sum = tree_sum(vf_load(l->acc[i]), sum);
    vf_store(l->acc[i], vf_pick(vf_is_nan(sum), vf_from_bits(vi_all(CDNA_NAN)), sum));
}

VEC void tree_group(const group_task *t, lanes *l, int k0, int group, int stride, int unused)
{
    (void)unused;
    vf b[4];
    vi be[1];
    if (k0 == t->k_from + group * t->shape->order[0])
        tree_c(l);
    load_lanes(t, l, k0, group, stride, b, be);
    if (stride == SQUARES_STRIDE) {
        tree_row(t, l, 0, k0, group, stride, b);
        tree_row(t, l, 1, k0, group, stride, b);
        tree_row(t, l, 2, k0, group, stride, b);
        tree_row(t, l, 3, k0, group, stride, b);
        return;
    }
    for (int i = 0; i < l->rows; i++)
        tree_row(t, l, i, k0, group, stride, b);
}

/* The sum; what it lost is added to the bits of `lost`, which stay those of zero if nothing was lost. */
VEC vd exact_sum(vd a, vd b, vd *lost)
{
    const vd sum = vd_add(a, b), b_part = vd_sub(sum, a), a_part = vd_sub(sum, b_part);
    *lost = vd_or_bits(*lost, vd_add(vd_sub(a, a_part), vd_sub(b, b_part)));
    return sum;
}

/* The products of row i's numbers and the lanes', half of the lanes at a time. */
VEC vd exact_group_half(const vf *a, const vf *b, vf c, int group, int half, vd *lost)
{
    vd p[4];
    for (int k = 0; k < group; k++)
        p[k] = vd_mul(vd_from_float(a[k], half), vd_from_float(b[k], half));
    vd sum = exact_sum(p[0], p[1], lost);
    if (group == 4)
        sum = exact_sum(sum, exact_sum(p[2], p[3], lost), lost);
    return exact_sum(sum, vd_from_float(c, half), lost);
}

VEC void exact_row(const group_task *t, lanes *l, int i, int k0, int group, int stride, const vf *b)
{
    vf a[4];
    for (int k = 0; k < group; k++)
        a[k] = row_value(t, l, i, k0 + k, stride);
    const vf c = vf_load(l->acc[i]);
    vd sum[2], lost[2] = { vd_all(0.0), vd_all(0.0) };
    for (int half = 0; half < 2; half++)
        sum[half] = vd_add(exact_group_half(a, b, c, group, half, &lost[half]), vd_all(0.0));
    vf_store(l->acc[i], vf_from_halves(sum[0], sum[1]));
    const vm left = vd_not_zero(lost[0], lost[1]);
    if (vm_any(left))
        leave(t, l, i, vm_bits(left), stride);
}

VEC void exact_group(const group_task *t, lanes *l, int k0, int group, int stride, int unused)
{
    (void)unused;
    vf b[4];
    vi be[1];
    load_lanes(t, l, k0, group, stride, b, be);
    if (stride == SQUARES_STRIDE) {
        exact_row(t, l, 0, k0, group, stride, b);
        exact_row(t, l, 1, k0, group, stride, b);
        exact_row(t, l, 2, k0, group, stride, b);
        exact_row(t, l, 3, k0, group, stride, b);
        return;
    }
    for (int i = 0; i < l->rows; i++)
        exact_row(t, l, i, k0, group, stride, b);
}

DEFINE_GROUPS(tree4_16, tree_group, 4, 16, 0)
DEFINE_GROUPS(tree4_32, tree_group, 4, 32, 0)
DEFINE_GROUPS(tree4_squares, tree_group, 4, SQUARES_STRIDE, 0)
DEFINE_GROUPS(tree2_16, tree_group, 2, 16, 0)
DEFINE_GROUPS(tree2_32, tree_group, 2, 32, 0)
DEFINE_GROUPS(tree2_squares, tree_group, 2, SQUARES_STRIDE, 0)
DEFINE_GROUPS(exact4_16, exact_group, 4, 16, 0)
DEFINE_GROUPS(exact4_32, exact_group, 4, 32, 0)
DEFINE_GROUPS(exact4_squares, exact_group, 4, SQUARES_STRIDE, 0)
DEFINE_GROUPS(exact2_16, exact_group, 2, 16, 0)
DEFINE_GROUPS(exact2_32, exact_group, 2, 32, 0)
DEFINE_GROUPS(exact2_squares, exact_group, 2, SQUARES_STRIDE, 0)

static group_fn cdna_fn(const lw_panel_shape *s)
{
    static const struct {
        uint8_t kind, group, stride;
        group_fn fn;
    } rows[] = {
        { LW_KIND_TREE, 4, 16, tree4_16 },
        { LW_KIND_TREE, 4, 32, tree4_32 },
        { LW_KIND_TREE, 2, 16, tree2_16 },
        { LW_KIND_TREE, 2, 32, tree2_32 },
        { LW_KIND_EXACT, 4, 16, exact4_16 },
        { LW_KIND_EXACT, 4, 32, exact4_32 },
        { LW_KIND_EXACT, 2, 16, exact2_16 },
        { LW_KIND_EXACT, 2, 32, exact2_32 },
        { LW_KIND_TREE, 4, SQUARES_STRIDE, tree4_squares },
        { LW_KIND_TREE, 2, SQUARES_STRIDE, tree2_squares },
        { LW_KIND_EXACT, 4, SQUARES_STRIDE, exact4_squares },
        { LW_KIND_EXACT, 2, SQUARES_STRIDE, exact2_squares },
    };
    const int stride = s->squares ? SQUARES_STRIDE : s->s_stride;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].kind == s->unit.kind && rows[i].group == s->unit.group && rows[i].stride == stride)
            return rows[i].fn;
    return NULL;
}

static lw_panel_result run_cdna(const lw_panel_shape *shape, const lw_panels *p)
{
    return run_groups(shape, p, cdna_fn(shape), 0);
}

static lw_panel_fn find_cdna(const lw_panel_shape *s)
{
    const bool fits = s->k % s->unit.group == 0 && s->s->bits == 16 && s->v->bits == 16 && !s->sparse &&
                      !s->scaled && (!s->squares || s->k <= 4);
    return fits && cdna_fn(s) ? run_cdna : NULL;
}

#endif
