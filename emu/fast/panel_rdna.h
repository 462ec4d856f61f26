/* SPDX-License-Identifier: MIT */
/*
 * RDNA's dot units with an f32 accumulator. Included behind panel_groups.h.
 *
 * LW_KIND_ONES adds two products and C in one's complement around C's sign. Counted from zero instead of from
 * that sign, a term is its magnitude's units with its own sign, less 1 for a negative product, plus 2 for a
 * negative C: that covers products of zero, whose signs count, because binary32 products of zero have them.
 *
 * LW_KIND_PAIRS floors: pairs of products on their own grid (or all four on one), their sums and C on a
 * common one. A negative C below one unit counts nothing.
 *
 * Everything stays below 2^29 units; results are normal numbers where a product is not zero, otherwise C.
 */
#ifndef LW_EMU_FAST_PANEL_RDNA_H
#define LW_EMU_FAST_PANEL_RDNA_H

#include "emu/fast/panel_groups.h"

enum { RDNA_FRAC = 24, LEAD_LESS = 2 };

VEC vi field_of(vf a)
{
    return vi_and(vi_shr(vf_bits(a), 23), vi_all(255));
}

/* -1 for negative numbers, minus zero included. */
VEC vi negative(vf a)
{
    return vi_sar(vf_bits(a), 31);
}

/* A subnormal C is a zero of its sign; later accumulators are normal numbers or zero. */
VEC void flush_c(const group_task *t, lanes *l)
{
    for (int i = 0; i < t->shape->s_count; i++) {
        const vf c = vf_load(l->acc[i]);
        const vf zero = vf_from_bits(vi_and(vf_bits(c), vi_all(INT32_MIN)));
        vf_store(l->acc[i], vf_pick(vi_eq(field_of(c), vi_all(0)), zero, c));
    }
}

VEC void ones_group(const group_task *t, lanes *l, int k0, int group, int stride, int unused)
{
    if (k0 == group * t->shape->order[0])
        flush_c(t, l);
    (void)unused;
    const int v_stride = t->shape->v_count, byte = k0 % 4;
    const uint32_t *b = t->v->value + k0 * v_stride + l->lane;
    const vf b0 = vf_load(b), b1 = vf_load(b + v_stride);
    const vi be = vi_load(t->v->exps + k0 / 4 * v_stride + l->lane);
    for (int i = 0; i < t->shape->s_count; i++) {
        const uint32_t *a = t->s->value + k0 * stride + i;
        const vi sums = vi_add8(vi_each(t->s->exps + k0 / 4 * stride + i), be);
        const vi e = byte_of(vi_max8(sums, vi_shr(sums, 8)), byte);
        const vm any = vi_gt(e, vi_all(1));
        const vf p0 = vf_mul(vf_each(a), b0), p1 = vf_mul(vf_each(a + stride), b1);
        const vf c = vf_load(l->acc[i]);
        const vi sizes = vi_max(vf_bits(vf_abs(c)), vi_max(vf_bits(vf_abs(p0)), vf_bits(vf_abs(p1))));
        const vi lead = vi_shr(sizes, 23);
        const vi top = vi_max(vi_add(e, vi_all(127 - t->rebase)), vi_sub(lead, vi_all(LEAD_LESS)));
        const vi up = vi_shl(vi_sub(vi_all(254 + RDNA_FRAC), vi_max(top, vi_all(RDNA_FRAC + 1))), 23);
        const vf scale = vf_from_bits(up);
        vi units = vi_add(vf_cut(vf_mul(p0, scale)), vf_cut(vf_mul(p1, scale)));
        units = vi_add(units, vi_add(negative(p0), negative(p1)));
        units = vi_add(units, vi_sub(vf_cut(vf_mul(c, scale)), vi_shl(negative(c), 1)));
        const vf met = vf_mul(vf_from_int(units), inverse(up));
        vf_store(l->acc[i], vf_pick(any, met, vf_add(c, vf_all(0.0f))));
    }
}

/* floor(a * b * up) of two products, added. */
VEC vi floor_pair(const group_task *t, const lanes *l, int i, int k, int stride, const vf *b, vf up)
{
    const vi p0 = vf_cut(vf_floor(vf_mul(vf_mul(s_value(t, l, i, k, stride), b[0]), up)));
    return vi_add(p0, vf_cut(vf_floor(vf_mul(vf_mul(s_value(t, l, i, k + 1, stride), b[1]), up))));
}

VEC void pairs_group(const group_task *t, lanes *l, int k0, int group, int stride, int classes)
{
    (void)group;
    const int v_stride = t->shape->v_count;
    const vi be = vi_load(t->v->exps + k0 / 4 * v_stride + l->lane);
    vf b[4];
    for (int k = 0; k < 4; k++)
        b[k] = vf_load(t->v->value + (k0 + k) * v_stride + l->lane);
    for (int i = 0; i < t->shape->s_count; i++) {
        const vi sums = vi_add8(s_exponents(t, l, i, k0 / 4, stride), be);
        const vi tops = vi_max8(sums, vi_shr(sums, 8));
        vi e[2];
        if (classes == 2) {
            e[0] = vi_max(byte_of(tops, 0), vi_all(1));
            e[1] = vi_max(byte_of(tops, 2), vi_all(1));
        } else {
            e[0] = e[1] = vi_max(byte_of(vi_max8(tops, vi_shr(tops, 16)), 0), vi_all(1));
        }
        const vi both = vi_max(e[0], e[1]);
        const vm any = vi_gt(both, vi_all(1));
        const vf c = vf_load(l->acc[i]);
        const vi lead = vi_sub(field_of(c), vi_all(LEAD_LESS + 127 - t->rebase));
        const vi top = vi_max(both, lead);
        const vi up = up_bits(top, RDNA_FRAC, t->rebase);
        vi units = vi_all(0);
        for (int n = 0; n < 2; n++) {
            const vf own = vf_from_bits(up_bits(e[n], RDNA_FRAC, t->rebase));
            units = vi_add(
                units, vi_sarv(floor_pair(t, l, i, k0 + 2 * n, stride, b + 2 * n, own), vi_sub(top, e[n])));
        }
        if (classes == 1) {
            const vf own = vf_from_bits(up_bits(both, RDNA_FRAC, t->rebase));
            units = vi_sarv(vi_add(floor_pair(t, l, i, k0, stride, b, own),
                                   floor_pair(t, l, i, k0 + 2, stride, b + 2, own)),
                            vi_sub(top, both));
        }
        const vf cs = vf_mul(c, vf_from_bits(up));
        const vi floored = vf_cut(vf_floor(cs));
        units = vi_add(units, vi_pick(vf_not_less(vf_abs(cs), vf_all(1.0f)), floored, vi_all(0)));
        const vf met = vf_mul(vf_from_int(units), inverse(up));
        vf_store(l->acc[i], vf_pick(any, met, vf_add(c, vf_all(0.0f))));
    }
}

DEFINE_GROUPS(ones2, ones_group, 2, 16, 0)
DEFINE_GROUPS(pairs4, pairs_group, 4, 16, 2)
DEFINE_GROUPS(single4, pairs_group, 4, 16, 1)
DEFINE_GROUPS(pairs4_sparse, pairs_group, 4, 0, 2)
DEFINE_GROUPS(single4_sparse, pairs_group, 4, 0, 1)

static lw_panel_result run_ones2(const lw_panel_shape *shape, const lw_panels *p)
{
    return run_groups(shape, p, ones2, 0);
}

static lw_panel_result run_pairs4(const lw_panel_shape *shape, const lw_panels *p)
{
    return run_groups(shape, p, shape->sparse ? pairs4_sparse : pairs4, 0);
}

static lw_panel_result run_single4(const lw_panel_shape *shape, const lw_panels *p)
{
    return run_groups(shape, p, shape->sparse ? single4_sparse : single4, 0);
}

static lw_panel_fn find_rdna(const lw_panel_shape *s)
{
    const lw_dot_unit *u = &s->unit;
    if (s->s_stride != LW_PANEL || s->k % 4 || s->scaled)
        return NULL;
    if (u->kind == LW_KIND_ONES)
        return u->group == 2 && !s->sparse ? run_ones2 : NULL;
    return u->group != 4 ? NULL : u->classes == 2 ? run_pairs4 : run_single4;
}

#endif
