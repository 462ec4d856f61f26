/* SPDX-License-Identifier: MIT */
/*
 * 16-bit accumulators, kept as binary32 numbers that the format has, and NVIDIA's fused groups with them.
 * Included after panel_fused.h.
 *
 * An f16 result is rounded once, from the exact sum: first to odd, to binary32's 24 bits, then to nearest.
 * Overflows are left for the reference, since the next group would have to treat them as infinities.
 */
#ifndef LW_EMU_FAST_PANEL_NARROW_H
#define LW_EMU_FAST_PANEL_NARROW_H

#include "emu/fast/panel_fused.h"

/* Exponent fields of binary32 for f16's least normal number, and what adding 1.5 * 2^(e + 13) rounds to f16's
 * 11 bits below 2^(e + 1). */
enum { HALF_LEAST = 127 - 14, HALF_WIDER = 13 };

/* f16's nearest number, ties to even; 65536 instead of infinity. Zeros keep their sign. */
VEC vf half_nearest(vf x)
{
    const vi field = vi_max(vi_and(vi_shr(vf_bits(x), 23), vi_all(255)), vi_all(HALF_LEAST));
    const vf big = vf_from_bits(vi_or(vi_shl(vi_add(field, vi_all(HALF_WIDER)), 23), vi_all(0x00400000)));
    const vf near = vf_sub(vf_add(x, big), big);
    return vf_from_bits(vi_or(vf_bits(near), vi_and(vf_bits(x), vi_all(INT32_MIN))));
}

/* Towards zero, with the last bit set where that is not exact. */
VEC vf float_to_odd(vi units)
{
    const vf cut = vf_from_int_cut(units);
    const vi odd = vi_pick(vi_eq(vf_cut(cut), units), vi_all(0), vi_all(1));
    return vf_from_bits(vi_or(vf_bits(cut), odd));
}

/* `units` times 2^-n, whose bits are `unit`, in the accumulator's format. */
VEC vf narrowed(const group_task *t, lanes *l, int row, int stride, vi units, vf unit)
{
    if (t->shape->acc == LW_PANEL_BF16) /* to nearest binary32, then cut */
        return vf_from_bits(vi_and(vf_bits(vf_mul(vf_from_int(units), unit)), vi_all(-0x10000)));
    const vf near = half_nearest(vf_mul(float_to_odd(units), unit));
    const vm over = vf_not_less(vf_abs(near), vf_all(65536.0f));
    if (vm_any(over))
        leave(t, l, row, vm_bits(over), stride);
    return near;
}

/* As fused_make_grid: subnormal numbers of C count with f16's least exponent, and no exponent is below
 * `least` (a field of binary32). */
VEC fused_grid narrow_grid(vi e, vf c, int frac, int least, int rebase)
{
    const vi field = vi_and(vi_shr(vf_bits(c), 23), vi_all(255));
    const vi own = vi_pick(vi_eq(field, vi_all(0)), field, vi_max(field, vi_all(HALF_LEAST)));
    const vi products = vi_max(vi_add(e, vi_all(127 - rebase)), vi_all(least));
    fused_grid g = { .any = vi_gt(e, vi_all(1)) };
    g.up = vi_sub(vi_all(254 + frac), vi_max(products, own));
    g.p_up = vf_from_bits(vi_shl(g.up, 23));
    return g;
}

VEC void narrow_fused_group(const group_task *t, lanes *l, int k0, int group, int stride, int unused)
{
    (void)unused;
    const int frac = t->shape->unit.product_frac, least = 127 + t->shape->unit.floor16;
    vf b[32];
    vi be[8];
    load_lanes(t, l, k0, group, stride, b, be);
    for (int i = 0; i < l->rows; i++) {
        const vi e = top_of_all(quad_tops(t, l, i, k0 / 4, stride, be, group / 4), stride);
        const vf c = vf_load(l->acc[i]);
        const fused_grid g = narrow_grid(e, c, frac, least, t->rebase);
        const vi scale = vi_shl(g.up, 23);
        vi over = vi_all(0);
        const vi products = fused_products(t, l, i, k0, b, group, stride, g.p_up, &over);
        const vi sum = add_checked(products, vf_cut(vf_mul(c, vf_from_bits(scale))), &over);
        const vf next = narrowed(t, l, i, stride, sum, inverse(scale));
        vf_store(l->acc[i], vf_pick(g.any, next, vf_add(c, vf_all(0.0f))));
        const vm lost = vm_and(g.any, vi_negative(over));
        if (vm_any(lost))
            leave(t, l, i, vm_bits(lost), stride);
    }
}

DEFINE_GROUPS(narrow_fused4, narrow_fused_group, 4, 16, 0)
DEFINE_GROUPS(narrow_fused8, narrow_fused_group, 8, 16, 0)
DEFINE_GROUPS(narrow_fused16, narrow_fused_group, 16, 16, 0)
DEFINE_GROUPS(narrow_fused32, narrow_fused_group, 32, 16, 0)
DEFINE_GROUPS(narrow_fused8_sparse, narrow_fused_group, 8, 0, 0)
DEFINE_GROUPS(narrow_fused16_sparse, narrow_fused_group, 16, 0, 0)
DEFINE_GROUPS(narrow_fused32_sparse, narrow_fused_group, 32, 0, 0)
DEFINE_GROUPS(narrow_fused4_squares, narrow_fused_group, 4, SQUARES_STRIDE, 0)

static const group_row narrow_fused_rows[] = {
    { 4, 1, 16, false, narrow_fused4, 0 },         { 8, 1, 16, false, narrow_fused8, 0 },
    { 16, 1, 16, false, narrow_fused16, 0 },       { 32, 1, 16, false, narrow_fused32, 0 },
    { 8, 1, 0, false, narrow_fused8_sparse, 0 },   { 16, 1, 0, false, narrow_fused16_sparse, 0 },
    { 32, 1, 0, false, narrow_fused32_sparse, 0 }, { 4, 1, SQUARES_STRIDE, false, narrow_fused4_squares, 0 },
};

static const group_row *narrow_fused_row(const lw_panel_shape *s)
{
    return find_group_row(s, narrow_fused_rows, sizeof(narrow_fused_rows) / sizeof(narrow_fused_rows[0]));
}

static lw_panel_result run_narrow_fused(const lw_panel_shape *shape, const lw_panels *p)
{
    return run_groups(shape, p, narrow_fused_row(shape)->fn, 0);
}

/* Exponents of products fit where those of an f32 accumulator do. */
static lw_panel_fn find_narrow_fused(const lw_panel_shape *s)
{
    return s->acc == LW_PANEL_F16 && !s->unit.plus_underflow && narrow_fused_row(s) ? run_narrow_fused : NULL;
}

#endif
