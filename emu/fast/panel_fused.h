/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's fused groups (LW_KIND_FUSED): products and accumulator cut on one grid. Included after
 * panel_groups.h.
 *
 * Exponents of products stay within +-92 here (rows and columns with codes or scales beyond that are marked
 * for the reference). Therefore a sum other than zero is a normal number, nothing overflows unless C was
 * infinite, and the unit's floor is never reached with a product other than zero. Without such a product the
 * result is C, cut to the fraction that the unit keeps. Sums have 32 bits; if an addition overflows, the
 * output is marked for the reference.
 */
#ifndef LW_EMU_FAST_PANEL_FUSED_H
#define LW_EMU_FAST_PANEL_FUSED_H

#include "emu/fast/panel_groups.h"

/* a + b; the sign bits of `over` collect overflows. */
VEC vi add_checked(vi a, vi b, vi *over)
{
    const vi sum = vi_add(a, b);
    *over = vi_or(*over, vi_and(vi_xor(sum, a), vi_xor(sum, b)));
    return sum;
}

/* Sixteen products of slightly less than 4 * 2^25 units just fit in 32 bits; larger groups are added in
 * halves. */
VEC vi fused_products(const group_task *t, const lanes *l, int i, int k0, const vf *b, int group, int stride,
                      vf up, vi *over)
{
    if (group <= 16)
        return cut_products(t, l, i, k0, b, 0, group, 1, stride, up);
    return add_checked(cut_products(t, l, i, k0, b, 0, 16, 1, stride, up),
                       cut_products(t, l, i, k0, b, 16, group, 1, stride, up), over);
}

/* The grid on which a group's terms are cut; e: exponents of the products, x: of their scales. */
typedef struct fused_grid {
    vm any;  /* at least one product is not zero */
    vi up;   /* exponent field of 2^(frac - top) */
    vf p_up; /* factor of the products */
} fused_grid;

VEC fused_grid fused_make_grid(vi e, vi x, vf c, int frac, int rebase, bool scaled)
{
    const vi field = vi_and(vi_shr(vf_bits(c), 23), vi_all(255));
    const vi biased = vi_add(scaled ? vi_add(e, x) : e, vi_all(127 - rebase));
    fused_grid g = { .any = vi_gt(e, vi_all(1)) };
    g.up = vi_sub(vi_all(254 + frac), vi_max16(biased, field));
    /* If C is so much larger that this is not a normal number, every product is below one unit. */
    g.p_up = vf_from_bits(vi_shl(scaled ? vi_max16(vi_add(g.up, x), vi_all(0)) : g.up, 23));
    return g;
}

/* Can a group's sum and C overflow 32 bits? Each is less than 4 * 2^frac units. */
VEC bool fused_overflows(int group, int frac)
{
    return group >= 16 && frac >= 25;
}

/* Towards zero, as the host rounds (lw_panel_cuts) or the instruction does. */
VEC vf vf_from_sum(vi sum)
{
    return LW_FAST_CUTS && !VEC_CUTS ? vf_from_int(sum) : vf_from_int_cut(sum);
}

/* Adds C to the sum of the products. kept: the bits of a result that are kept; over: NULL if no overflow is
 * possible. */
VEC vf fused_meet(const fused_grid *g, vi sum, vf c, uint32_t kept, vi *over)
{
    const vi scale = vi_shl(g->up, 23), units = vf_cut(vf_mul(c, vf_from_bits(scale)));
    sum = over ? add_checked(sum, units, over) : vi_add(sum, units);
    const vf cut = vf_mul(vf_from_sum(sum), inverse(scale));
    /* Mostly there is a product in every lane, and a branch is cheaper than to select without blends. */
    const bool all = !VEC_HAS_PICKS && !vm_any(vm_not(g->any));
    const vf next = all ? cut : vf_pick(g->any, cut, vf_add(c, vf_all(0.0f)));
    if (kept == UINT32_MAX)
        return next;
    /* What is cut to zero becomes +0. */
    return vf_add(vf_from_bits(vi_and(vf_bits(next), vi_all((int)kept))), vf_all(0.0f));
}

/* frac: fraction bits of the grid. */
VEC void fused_group(const group_task *t, lanes *l, int k0, int group, int stride, int frac, uint32_t kept,
                     bool scaled)
{
    const int v_stride = t->shape->v_count, quads = group / 4, q0 = k0 / 4;
    const uint32_t *xs = t->xs + k0 / SCALE_BLOCK * stride;
    const vi xv = scaled ? vi_load(t->xv + k0 / SCALE_BLOCK * v_stride + l->lane) : vi_all(0);
    vf b[32];
    vi be[8];
    load_lanes(t, l, k0, group, stride, b, be);
    for (int i = 0; i < l->rows; i++) {
        const vi e = top_of_all(quad_tops(t, l, i, q0, stride, be, quads), stride);
        const vf c = vf_load(l->acc[i]);
        const vi x = scaled ? vi_add(vi_each(xs + i), xv) : vi_all(0);
        const fused_grid g = fused_make_grid(e, x, c, frac, t->rebase, scaled);
        vi over = vi_all(0);
        const vi sum = fused_products(t, l, i, k0, b, group, stride, g.p_up, &over);
        vf_store(l->acc[i], fused_meet(&g, sum, c, kept, fused_overflows(group, frac) ? &over : NULL));
        const vm lost = vm_and(g.any, vi_negative(over));
        if (vm_any(lost))
            leave(t, l, i, vm_bits(lost), stride);
    }
}

#define KEEP13 UINT32_C(0xfffffc00)
DEFINE_GROUPS(fused4_23, fused_group, 4, 16, 23, UINT32_MAX, false)
DEFINE_GROUPS(fused4_23_eights, fused_group, 4, EIGHTS_STRIDE, 23, UINT32_MAX, false)
DEFINE_GROUPS(fused4_24_eights, fused_group, 4, EIGHTS_STRIDE, 24, UINT32_MAX, false)
DEFINE_GROUPS(fused4_24, fused_group, 4, 16, 24, UINT32_MAX, false)
DEFINE_GROUPS(fused8_24, fused_group, 8, 16, 24, UINT32_MAX, false)
DEFINE_GROUPS(fused4_25, fused_group, 4, 16, 25, UINT32_MAX, false)
DEFINE_GROUPS(fused8_25, fused_group, 8, 16, 25, UINT32_MAX, false)
DEFINE_GROUPS(fused16_25, fused_group, 16, 16, 25, UINT32_MAX, false)
DEFINE_GROUPS(fused32_25, fused_group, 32, 16, 25, UINT32_MAX, false)
DEFINE_GROUPS(fused32_25_scaled, fused_group, 32, 16, 25, UINT32_MAX, true)
DEFINE_GROUPS(fused4_24_sparse, fused_group, 4, 0, 24, UINT32_MAX, false)
DEFINE_GROUPS(fused4_25_sparse, fused_group, 4, 0, 25, UINT32_MAX, false)
DEFINE_GROUPS(fused8_24_sparse, fused_group, 8, 0, 24, UINT32_MAX, false)
DEFINE_GROUPS(fused8_25_sparse, fused_group, 8, 0, 25, UINT32_MAX, false)
DEFINE_GROUPS(fused16_25_sparse, fused_group, 16, 0, 25, UINT32_MAX, false)
DEFINE_GROUPS(fused32_25_sparse, fused_group, 32, 0, 25, UINT32_MAX, false)
DEFINE_GROUPS(fused16_13_sparse, fused_group, 16, 0, 13, KEEP13, false)
DEFINE_GROUPS(fused32_13_sparse, fused_group, 32, 0, 13, KEEP13, false)
DEFINE_GROUPS(fused16_13, fused_group, 16, 16, 13, KEEP13, false)
DEFINE_GROUPS(fused32_13, fused_group, 32, 16, 13, KEEP13, false)

static const struct fused_row {
    uint8_t frac, out;
    group_row groups;
} fused_rows[] = {
    { 23, 23, { 4, 1, 16, false, fused4_23, 0 } },
    { 23, 23, { 4, 1, EIGHTS_STRIDE, false, fused4_23_eights, 0 } },
    { 24, 23, { 4, 1, EIGHTS_STRIDE, false, fused4_24_eights, 0 } },
    { 24, 23, { 4, 1, 16, false, fused4_24, 0 } },
    { 24, 23, { 8, 1, 16, false, fused8_24, 0 } },
    { 25, 23, { 4, 1, 16, false, fused4_25, 0 } },
    { 25, 23, { 8, 1, 16, false, fused8_25, 0 } },
    { 25, 23, { 16, 1, 16, false, fused16_25, 0 } },
    { 25, 23, { 32, 1, 16, false, fused32_25, 0 } },
    { 25, 23, { 32, 1, 16, true, fused32_25_scaled, 0 } },
    { 13, 13, { 16, 1, 16, false, fused16_13, 0 } },
    { 13, 13, { 32, 1, 16, false, fused32_13, 0 } },
    { 24, 23, { 4, 1, 0, false, fused4_24_sparse, 0 } },
    { 25, 23, { 4, 1, 0, false, fused4_25_sparse, 0 } },
    { 24, 23, { 8, 1, 0, false, fused8_24_sparse, 0 } },
    { 25, 23, { 8, 1, 0, false, fused8_25_sparse, 0 } },
    { 25, 23, { 16, 1, 0, false, fused16_25_sparse, 0 } },
    { 25, 23, { 32, 1, 0, false, fused32_25_sparse, 0 } },
    { 13, 13, { 16, 1, 0, false, fused16_13_sparse, 0 } },
    { 13, 13, { 32, 1, 0, false, fused32_13_sparse, 0 } },
};

static group_fn fused_fn(const lw_panel_shape *s)
{
    for (size_t i = 0; i < sizeof(fused_rows) / sizeof(fused_rows[0]); i++) {
        const struct fused_row *row = &fused_rows[i];
        if (row->frac == s->unit.product_frac && row->out == s->unit.out_frac &&
            find_group_row(s, &row->groups, 1))
            return row->groups.fn;
    }
    return NULL;
}

static lw_panel_result run_fused(const lw_panel_shape *shape, const lw_panels *p)
{
    return run_groups(shape, p, fused_fn(shape), 0);
}

static lw_panel_fn find_fused_tile4(const lw_panel_shape *s);
static lw_panel_fn find_narrow_fused(const lw_panel_shape *s);

static lw_panel_fn find_fused(const lw_panel_shape *s)
{
    const lw_dot_unit *u = &s->unit;
    const int group = u->group < s->k ? u->group : s->k;
    const bool fits = u->c_frac == u->product_frac && !u->zero_terms && u->floor32 <= -93 &&
                      (group <= 16 || (s->s->frac_bits <= 3 && s->v->frac_bits <= 3));
    if (s->acc != LW_PANEL_F32)
        return fits ? find_narrow_fused(s) : NULL;
    if (s->tile4)
        return fits ? find_fused_tile4(s) : NULL;
    return fits && fused_fn(s) ? run_fused : NULL;
}

#endif
