/* SPDX-License-Identifier: MIT */
/*
 * 16-bit accumulators, kept as binary32 numbers that the format has, and NVIDIA's fused groups with them.
 * Included after panel_fused.h.
 *
 * An f16 result is rounded once, from the exact sum. Overflows are left for the reference, since the next
 * group would have to treat them as infinities.
 */
#ifndef LW_EMU_FAST_PANEL_NARROW_H
#define LW_EMU_FAST_PANEL_NARROW_H

#include "emu/fast/panel_fused.h"
#include "emu/fast/panel_half.h"

enum {
    HALF_OVER = 0x47800000 /* 65536 */,
    HALF_LAST = 0x47000000 /* 32768 */,
    NARROW_MOST_FRAC = 25,
    HALF_LEAST_POWER = -24,
    NEVER_LESS = 64
};

/* `units` times 2^-n, whose bits are `unit`, in the accumulator's format. */
VEC vf narrowed(const group_task *t, lanes *l, int row, int stride, vi units, vf unit)
{
    if (t->shape->acc == LW_PANEL_BF16) /* to nearest binary32, then cut */
        return vf_from_bits(vi_and(vf_bits(vf_mul(vf_from_int(units), unit)), vi_all(-0x10000)));
    const vf near = half_nearest(vf_mul(float_for_half(units), unit));
    const vm over = vi_gt(vf_bits(vf_abs(near)), vi_all(HALF_OVER - 1));
    if (vm_any(over))
        leave(t, l, row, vm_bits(over), stride);
    return near;
}

/* Marks all overflows of the rows. */
LW_APART static void leave_large(const group_task *t, lanes *l, int stride)
{
    for (int i = 0; i < l->rows; i++) {
        const unsigned bits = vm_bits(vi_gt(vf_bits(vf_abs(vf_load(l->acc[i]))), vi_all(HALF_OVER - 1)));
        if (bits)
            leave(t, l, i, bits, stride);
    }
}

/* The exponent of the largest product, as a field of binary32 with a sign; the bits below it do not matter.
 */
VEC vi top_field(vi tops, int stride)
{
    if (turned_by(stride))
        return vi_shl(vi_max16(tops, vi_shl(tops, 16)), 7);
    const vi pairs = vi_max16(tops, vi_shl(tops, 8));
    return vi_sar(vi_max16(pairs, vi_shl(pairs, 16)), 1);
}

/*
 * The fields of 2^(frac - top) in their places: subnormal numbers of C count with f16's least exponent, and
 * no exponent is below `least` (a field of binary32). The halves of words that decide are the upper ones. e:
 * top_field.
 */
VEC vi narrow_grid(vi e, vf c, int frac, int least, int rebase)
{
    const vi size = vf_bits(vf_abs(c));
    const vi own = vi_max16(size, vi_pick(vi_gt(size, vi_all(0)), vi_all(HALF_LEAST << 23), vi_all(0)));
    const vi products = vi_max16(vi_add(e, vi_all((127 - rebase) << 23)), vi_all(least << 23));
    const vi top = vi_and(vi_max16(products, own), vi_all(F32_FIELD));
    return vi_sub(vi_all((int)((unsigned)(254 + frac) << 23)), top);
}

/*
 * Where all products are zero, the result is C: the grid is finer than all numbers of f16
 * (find_narrow_fused). NEVER_LESS is below all products and keeps 2^(frac - top) a normal number there.
 */
VEC void narrow_fused_group(const group_task *t, lanes *l, int k0, int group, int stride, int unused)
{
    (void)unused;
    const int frac = t->shape->unit.product_frac, floor = 127 + t->shape->unit.floor16,
              least = floor > NEVER_LESS ? floor : NEVER_LESS;
    const bool overflows = fused_overflows(group, NARROW_MOST_FRAC);
    vf b[32];
    vi be[8], most = vi_all(0);
    load_lanes(t, l, k0, group, stride, b, be);
    for (int i = 0; i < l->rows; i++) {
        const vi e = top_field(quad_tops(t, l, i, k0 / 4, stride, be, group / 4), stride);
        const vf c = vf_load(l->acc[i]);
        const vi scale = narrow_grid(e, c, frac, least, t->rebase);
        const vf up = vf_from_bits(scale);
        vi over = vi_all(0);
        const vi products = fused_products(t, l, i, k0, b, group, stride, up, &over),
                 own = vf_cut(vf_mul(c, up));
        const vi sum = overflows ? add_checked(products, own, &over) : vi_add(products, own);
        const vf x = vf_mul(float_for_half(sum), inverse(scale));
        const vi field = half_field(x);
        most = vi_max16(most, field);
        vf_store(l->acc[i], half_nearest_at(x, field));
        if (overflows && vm_any(vi_negative(over)))
            leave(t, l, i, vm_bits(vi_negative(over)), stride);
    }
    if (vm_any(vi_gt(most, vi_all(HALF_LAST - 1))))
        leave_large(t, l, stride);
}

DEFINE_GROUPS(narrow_fused4, narrow_fused_group, 4, 16, 0)
DEFINE_GROUPS(narrow_fused8, narrow_fused_group, 8, 16, 0)
DEFINE_GROUPS(narrow_fused16, narrow_fused_group, 16, 16, 0)
DEFINE_GROUPS(narrow_fused32, narrow_fused_group, 32, 16, 0)
DEFINE_GROUPS(narrow_fused8_sparse, narrow_fused_group, 8, 0, 0)
DEFINE_GROUPS(narrow_fused16_sparse, narrow_fused_group, 16, 0, 0)
DEFINE_GROUPS(narrow_fused32_sparse, narrow_fused_group, 32, 0, 0)
DEFINE_GROUPS(narrow_fused4_eights, narrow_fused_group, 4, EIGHTS_STRIDE, 0)

static const group_row narrow_fused_rows[] = {
    { 4, 1, 16, false, narrow_fused4, 0 },         { 8, 1, 16, false, narrow_fused8, 0 },
    { 16, 1, 16, false, narrow_fused16, 0 },       { 32, 1, 16, false, narrow_fused32, 0 },
    { 8, 1, 0, false, narrow_fused8_sparse, 0 },   { 16, 1, 0, false, narrow_fused16_sparse, 0 },
    { 32, 1, 0, false, narrow_fused32_sparse, 0 }, { 4, 1, EIGHTS_STRIDE, false, narrow_fused4_eights, 0 },
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
    const lw_dot_unit *u = &s->unit;
    const bool fits = u->product_frac <= NARROW_MOST_FRAC &&
                      u->floor16 - u->product_frac <= HALF_LEAST_POWER &&
                      s->s->bias + s->v->bias <= 127 - NEVER_LESS;
    return s->acc == LW_PANEL_F16 && fits && !u->plus_underflow && narrow_fused_row(s) ? run_narrow_fused
                                                                                       : NULL;
}

#endif
