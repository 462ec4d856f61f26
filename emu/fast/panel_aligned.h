/* SPDX-License-Identifier: MIT */
/*
 * Groups of products on common grids (LW_KIND_ALIGNED). Included after panel_groups.h.
 *
 * Why the steps are exact: a product of two codes has at most 22 significant bits and its exponent stays far
 * from the ends, so binary32 multiplies without rounding; multiplying by a power of two is exact; conversion
 * to integers cuts towards zero as the unit does. A group's sum S is below 2^31 units of 2^(e - 24), e the
 * largest nominal exponent. If |C| is below the group's limit (in these units), S + C fits in 32 bits; then
 * neither the alignment to 32 fraction bits nor that to 31 after normalisation cuts anything, and converting
 * the integer to binary32 is the unit's rounding. Units of two classes ignore a C whose exponent is 26 or
 * more below e: |C| < 1/2 unit. A larger C is added to S in binary64, which holds their 40 bits.
 */
#ifndef LW_EMU_FAST_PANEL_ALIGNED_H
#define LW_EMU_FAST_PANEL_ALIGNED_H

#include "emu/fast/panel_groups.h"

enum { GROUP_FRAC = 24 };

/* The whole unit in binary64, half of the lanes at a time. exp: of the products, scales included. */
__attribute__((noinline)) static vf meet_far(vi sum, vi exp, vf c, int drop)
{
    const vi field = vi_and(vi_shr(vf_bits(c), 23), vi_all(255));
    const vi c_exp = vi_sub(vi_max16(field, vi_all(1)), vi_all(127));
    const vi top = vi_max16(exp, c_exp);
    const vi s_up = vi_sub(vi_add(exp, vi_all(32 - GROUP_FRAC)), top);
    const vi c_up = vi_sub(vi_all(GROUP_FRAC), top);
    const vi down = vi_sub(top, vi_all(32));
    const vm ignored = drop ? vi_gt(vi_sub(top, vi_all(drop)), c_exp) : vm_none();
    const vf kept_c = vf_pick(ignored, vf_all(0.0f), c);
    vd half[2];
    for (int h = 0; h < 2; h++) {
        /* In units of 2^(top - 32). */
        const vd products = vd_floor(vd_mul(vd_from_int(sum, h), vd_pow2(s_up, h)));
        const vd cf = vd_floor(vd_mul(vd_from_float(kept_c, h), vd_pow2(c_up, h)));
        const vd total = vd_add(products, vd_mul(cf, vd_pow2(vi_all(8), h)));
        half[h] = vd_mul(vd_keep31(total), vd_pow2(down, h));
    }
    return vf_from_halves(half[0], half[1]);
}

/*
 * The same for units of one class, whose sum of products is below 2^29 units, in 32 bits. C is the larger: in
 * units of 2^(top - 32), the total is between 2^31 and 2^34, of which an eighth is kept. What is below, of
 * that what 31 fraction bits hold, makes the last bit 1, which is far below a binary32 number's last place.
 */
LW_APART static vf meet_over(vi sum, vi exp, vf c)
{
    const vi field = vi_and(vi_shr(vf_bits(c), 23), vi_all(255));
    const vi products = vi_sarv(vi_shl(sum, 2), vi_sub(field, vi_add(exp, vi_all(127 + 8 - 2))));
    const vi up = vi_shl(vi_sub(vi_all(127 + 127 + 29), field), 23);
    const vi eighth = vi_add(vf_cut(vf_mul(c, vf_from_bits(up))), vi_sar(products, 3));
    const vi over = vi_shr(vi_xor(eighth, vi_sar(eighth, 31)), 29); /* 0: 31 fraction bits are all */
    const vi beyond = vi_or(over, vi_shr(over, 1));
    const vi rest = vi_and(vi_sub(products, vi_and(products, beyond)), vi_all(7));
    const vi total = vi_or(eighth, vi_shr(vi_add(rest, vi_all(7)), 3));
    return vf_mul(vf_from_int(total), inverse(up));
}

/* The group that begins at k0, for row i of S; x: exponents of the scales. */
VEC void aligned_one(const group_task *t, lanes *l, int i, int k0, int group, int stride, int classes,
                     bool scaled, vi x, const vf *b, const vi *be)
{
    const vi limit = vi_all((int)t->limit);
    const vi tops = quad_tops(t, l, i, k0 / 4, stride, be, group / 4);
    vi e, sum;
    if (classes == 1) {
        e = vi_max16(top_of_all(tops, stride), vi_all(1));
        sum = cut_products(t, l, i, k0, b, 0, group, 1, stride,
                           vf_from_bits(up_bits(e, GROUP_FRAC, t->rebase)));
    } else {
        const vi even = vi_max16(top_of_some(tops, 0, stride), vi_all(1)),
                 odd = vi_max16(top_of_some(tops, 1, stride), vi_all(1));
        const vf even_up = vf_from_bits(up_bits(even, GROUP_FRAC, t->rebase)),
                 odd_up = vf_from_bits(up_bits(odd, GROUP_FRAC, t->rebase));
        e = vi_max16(even, odd);
        sum = vi_add(vi_sarv(cut_products(t, l, i, k0, b, 0, group, 2, stride, even_up), vi_sub(e, even)),
                     vi_sarv(cut_products(t, l, i, k0, b, 1, group, 2, stride, odd_up), vi_sub(e, odd)));
    }
    const vm any = vi_gt(e, vi_all(1));
    vi bits = up_bits(e, GROUP_FRAC, t->rebase);
    if (scaled)
        bits = vi_sub(bits, vi_shl(x, 23));
    const vf up = vf_from_bits(bits), c = vf_add(vf_load(l->acc[i]), vf_all(0.0f)); /* -0 becomes +0 */
    vi units;
    if (classes == 1) {
        units = vf_floor_product(c, up);
    } else {
        const vf cs = vf_mul(c, up);
        units = vi_pick(vf_not_less(vf_abs(cs), vf_all(0.5f)), vf_floor_cut(cs), vi_all(0));
    }
    vf met = vf_mul(vf_from_int(vi_add(sum, units)), inverse(bits));
    /* Negative for units outside of -2^30..2^30-1 and, where the limit is lower, for units above the
     * limit (added below). A conversion that overflowed has returned the least integer. */
    vi outside = vi_add(units, limit);
    if (group == 32)
        outside = vi_or(outside, vi_sub(limit, units));
    const vm far = vm_and(any, vi_negative(outside));
    if (vm_any(far)) {
        const vi exp = vi_add(vi_sub(e, vi_all(t->rebase)), x);
        met = vf_pick(far, classes == 1 ? meet_over(sum, exp, c) : meet_far(sum, exp, c, t->shape->unit.drop),
                      met);
    }
    vf_store(l->acc[i], vf_pick(any, met, c));
}

/* The same for all rows. */
VEC void aligned_group(const group_task *t, lanes *l, int k0, int group, int stride, int classes, bool scaled)
{
    const uint32_t *xs = t->xs + k0 / SCALE_BLOCK * stride;
    const vi none = vi_all(0),
             xv = scaled ? vi_load(t->xv + k0 / SCALE_BLOCK * t->shape->v_count + l->lane) : none;
    vf b[32];
    vi be[8];
    load_lanes(t, l, k0, group, stride, b, be);
    if (stride == SQUARES_STRIDE) {
        aligned_one(t, l, 0, k0, group, stride, classes, false, none, b, be);
        aligned_one(t, l, 1, k0, group, stride, classes, false, none, b, be);
        aligned_one(t, l, 2, k0, group, stride, classes, false, none, b, be);
        aligned_one(t, l, 3, k0, group, stride, classes, false, none, b, be);
        return;
    }
    for (int i = 0; i < l->rows; i++) {
        const vi x = scaled ? vi_add(vi_each(xs + i), xv) : none;
        aligned_one(t, l, i, k0, group, stride, classes, scaled, x, b, be);
    }
}

DEFINE_GROUPS(tr4_16, aligned_group, 4, 16, 1, false)
DEFINE_GROUPS(tr4_32, aligned_group, 4, 32, 1, false)
DEFINE_GROUPS(tr4_squares, aligned_group, 4, SQUARES_STRIDE, 1, false)
DEFINE_GROUPS(tr8_16, aligned_group, 8, 16, 1, false)
DEFINE_GROUPS(tr8_32, aligned_group, 8, 32, 1, false)
DEFINE_GROUPS(gtr16_16, aligned_group, 16, 16, 2, false)
DEFINE_GROUPS(gtr16_32, aligned_group, 16, 32, 2, false)
DEFINE_GROUPS(gtr32_16, aligned_group, 32, 16, 2, false)
DEFINE_GROUPS(gtr32_32, aligned_group, 32, 32, 2, false)
DEFINE_GROUPS(gtr32_16_scaled, aligned_group, 32, 16, 2, true)
DEFINE_GROUPS(gtr32_32_scaled, aligned_group, 32, 32, 2, true)
DEFINE_GROUPS(tr8_sparse, aligned_group, 8, 0, 1, false)
DEFINE_GROUPS(gtr16_sparse, aligned_group, 16, 0, 2, false)
DEFINE_GROUPS(gtr32_sparse, aligned_group, 32, 0, 2, false)

/* The limits leave room for the largest sum of products, each at most 4 * 2^24 units (3.6 for formats of at
 * most three fraction bits, of which there may be 32). */
static const group_row aligned_rows[] = {
    { 4, 1, 16, false, tr4_16, 0x1p30f },
    { 4, 1, 32, false, tr4_32, 0x1p30f },
    { 4, 1, SQUARES_STRIDE, false, tr4_squares, 0x1p30f },
    { 8, 1, 16, false, tr8_16, 0x1p30f },
    { 8, 1, 32, false, tr8_32, 0x1p30f },
    { 16, 2, 16, false, gtr16_16, 0x1p30f },
    { 16, 2, 32, false, gtr16_32, 0x1p30f },
    { 32, 2, 16, false, gtr32_16, 0x1p27f },
    { 32, 2, 32, false, gtr32_32, 0x1p27f },
    { 8, 1, 0, false, tr8_sparse, 0x1p30f },
    { 16, 2, 0, false, gtr16_sparse, 0x1p30f },
    { 32, 2, 0, false, gtr32_sparse, 0x1p27f },
    { 32, 2, 16, true, gtr32_16_scaled, 0x1p27f },
    { 32, 2, 32, true, gtr32_32_scaled, 0x1p27f },
};

static const group_row *aligned_row(const lw_panel_shape *s)
{
    return find_group_row(s, aligned_rows, sizeof(aligned_rows) / sizeof(aligned_rows[0]));
}

static lw_panel_result run_aligned(const lw_panel_shape *shape, const lw_panels *p)
{
    const group_row *row = aligned_row(shape);
    return run_groups(shape, p, row->fn, row->limit);
}

static lw_panel_fn find_aligned(const lw_panel_shape *s)
{
    const lw_dot_unit *u = &s->unit;
    const bool fits = u->product_frac == GROUP_FRAC && u->c_frac == GROUP_FRAC && u->sum_frac == 32 &&
                      u->post_frac == 31 && u->drop == (u->classes == 1 ? 0 : 25) &&
                      (u->group < 32 || (s->s->frac_bits <= 3 && s->v->frac_bits <= 3));
    return fits && aligned_row(s) ? run_aligned : NULL;
}

#endif
