/* SPDX-License-Identifier: MIT */
/*
 * RDNA's dot units. Included after panel_narrow.h.
 *
 * LW_KIND_ONES adds two products and C in one's complement relative to C's sign. Relative to zero instead, a
 * term is its magnitude in units with its own sign, minus 1 for a negative product, plus 2 for a negative C.
 * This includes products of zero, whose signs matter: binary32 products of zero have signs, too.
 *
 * LW_KIND_PAIRS floors pairs of products on their own grid (or all four on one), then their sums and C on a
 * common one. A negative C below one unit counts as zero.
 *
 * Everything stays below 2^29 units. If a product is not zero, the result is a normal number; otherwise it is
 * C.
 */
#ifndef LW_EMU_FAST_PANEL_RDNA_H
#define LW_EMU_FAST_PANEL_RDNA_H

#include "emu/fast/panel_narrow.h"

enum { RDNA_FRAC = 24, LEAD_LESS = 2 };

VEC vi field_of(vf a)
{
    return vi_and(vi_shr(vf_bits(a), 23), vi_all(255));
}

/* -1 for negative numbers, including minus zero. */
VEC vi negative(vf a)
{
    return vi_sar(vf_bits(a), 31);
}

/* A sum as the next accumulator. */
VEC vf rdna_sum(const group_task *t, lanes *l, int row, int stride, vi units, vf unit, bool narrow)
{
    /* What becomes zero is +0. */
    return narrow ? vf_add(narrowed(t, l, row, stride, units, unit), vf_all(0.0f))
                  : vf_mul(vf_from_int(units), unit);
}

/* A number below binary32's normal ones counts as a zero of its sign; later accumulators are normal numbers
 * or zero. (Those of f16 are normal numbers here.) */
VEC void flush_c(const group_task *t, lanes *l)
{
    for (int i = 0; i < t->shape->s_count; i++) {
        const vf c = vf_load(l->acc[i]);
        const vf zero = vf_from_bits(vi_and(vf_bits(c), vi_all(INT32_MIN)));
        vf_store(l->acc[i], vf_pick(vi_eq(field_of(c), vi_all(0)), zero, c));
    }
}

/* Rows that are computed together, because each step depends on the one before. */
enum { RDNA_ROWS = VEC_LANES / 4 };

/*
 * One step for some rows from row i on: adds products p0 and p1, with nominal exponent e, to c. A product is
 * less than 2^(e + 2), so that of the leading bits only c's matters. Products of f16 and bf16 numbers other
 * than zero are large enough that only results of f16 have a least unit; where both products are zero, what
 * is computed is not used. Only the very first c may be -0.
 */
VEC void ones_step(const group_task *t, lanes *l, int i, const vi *e, const vf *p0, const vf *p1, bool narrow,
                   bool first, vf *c)
{
    vi up[RDNA_ROWS], units[RDNA_ROWS];
    const bool half = narrow && t->shape->acc == LW_PANEL_F16;
    for (int r = 0; r < RDNA_ROWS; r++) {
        vi top = vi_max16(vi_add(e[r], vi_all(127 + LEAD_LESS - t->rebase)), field_of(c[r]));
        if (half)
            top = vi_max16(top, vi_all(HALF_LEAST));
        up[r] = vi_shl(vi_sub(vi_all(254 + RDNA_FRAC + LEAD_LESS), top), 23);
    }
    for (int r = 0; r < RDNA_ROWS; r++) {
        const vf scale = vf_from_bits(up[r]);
        const vi products = vi_add(vf_cut(vf_mul(p0[r], scale)), vf_cut(vf_mul(p1[r], scale)));
        const vi signs = vi_add(negative(p0[r]), negative(p1[r]));
        const vi sum = vi_add(vf_cut(vf_mul(c[r], scale)), vi_add(products, signs));
        units[r] = vi_pick(vi_gt(vi_all(0), vf_bits(c[r])), vi_add(sum, vi_all(2)), sum);
    }
    for (int r = 0; r < RDNA_ROWS; r++) {
        const vf met = rdna_sum(t, l, i + r, LW_PANEL, units[r], inverse(up[r]), narrow);
        c[r] = vf_pick(vi_gt(e[r], vi_all(1)), met, first ? vf_add(c[r], vf_all(0.0f)) : c[r]);
    }
}

/* Two steps, whose exponents share words. */
VEC void ones_rows(const group_task *t, lanes *l, int k0, int stride, bool narrow, bool first)
{
    const int v_stride = t->shape->v_count;
    const uint32_t *b = t->v->value + k0 * v_stride + l->lane;
    const vf b0 = vf_load(b), b1 = vf_load(b + v_stride), b2 = vf_load(b + 2 * v_stride),
             b3 = vf_load(b + 3 * v_stride);
    const vi be = vi_load(t->v->exps + k0 / 4 * v_stride + l->lane);
    for (int i = 0; i < t->shape->s_count; i += RDNA_ROWS) {
        vi e[2][RDNA_ROWS];
        vf p[4][RDNA_ROWS], c[RDNA_ROWS];
        for (int r = 0; r < RDNA_ROWS; r++) {
            const uint32_t *a = t->s->value + k0 * stride + i + r;
            const vi sums = vi_add8(vi_each(t->s->exps + k0 / 4 * stride + i + r), be);
            const vi tops = vi_max8(sums, vi_shr(sums, 8));
            e[0][r] = byte_of(tops, 0);
            e[1][r] = byte_of(tops, 2);
            p[0][r] = vf_mul(vf_each(a), b0);
            p[1][r] = vf_mul(vf_each(a + stride), b1);
            p[2][r] = vf_mul(vf_each(a + 2 * stride), b2);
            p[3][r] = vf_mul(vf_each(a + 3 * stride), b3);
            c[r] = vf_load(l->acc[i + r]);
        }
        ones_step(t, l, i, e[0], p[0], p[1], narrow, first, c);
        ones_step(t, l, i, e[1], p[2], p[3], narrow, false, c);
        for (int r = 0; r < RDNA_ROWS; r++)
            vf_store(l->acc[i + r], c[r]);
    }
}

VEC void ones_group(const group_task *t, lanes *l, int k0, int group, int stride, bool narrow)
{
    if (k0 != t->k_from + group * t->shape->order[0]) {
        ones_rows(t, l, k0, stride, narrow, false);
        return;
    }
    flush_c(t, l);
    ones_rows(t, l, k0, stride, narrow, true);
}

/* The sum of floor(a * b * up) for two products. */
VEC vi floor_pair(const group_task *t, const lanes *l, int i, int k, int stride, const vf *b, vf up)
{
    const vi p0 = vf_floor_cut(vf_mul(product_at(t, l, i, k, stride, b), up));
    return vi_add(p0, vf_floor_cut(vf_mul(product_at(t, l, i, k + 1, stride, b + 1), up)));
}

/* Exponents of two pairs of products, or twice the exponent of all four. */
VEC void pairs_exponents(const group_task *t, const lanes *l, int i, int k0, int stride, const vi *be,
                         int classes, vi e[2])
{
    const vi tops = quad_tops(t, l, i, k0 / 4, stride, be, 1);
    if (classes == 1) {
        e[0] = e[1] = vi_max16(top_of_all(tops, stride), vi_all(1));
        return;
    }
    if (stride) {
        const vi pairs = vi_max8(tops, vi_shr(tops, 8));
        e[0] = byte_of(pairs, 0);
        e[1] = byte_of(pairs, 2);
    } else {
        chosen_pairs(t->chosen, i, k0 / 4, l->lane, be, e);
    }
    e[0] = vi_max16(e[0], vi_all(1));
    e[1] = vi_max16(e[1], vi_all(1));
}

VEC void pairs_group(const group_task *t, lanes *l, int k0, int group, int stride, int classes, bool narrow)
{
    const bool half = narrow && t->shape->acc == LW_PANEL_F16;
    const vi least = vi_all(half ? HALF_LEAST : 0);
    vf b[4];
    vi be;
    load_lanes(t, l, k0, group, stride, b, &be);
    for (int i = 0; i < l->rows; i++) {
        vi e[2];
        pairs_exponents(t, l, i, k0, stride, &be, classes, e);
        const vi both = vi_max16(e[0], e[1]);
        const vm any = vi_gt(both, vi_all(1));
        const vf c = vf_load(l->acc[i]);
        const vi lead = vi_sub(vi_max16(field_of(c), least), vi_all(LEAD_LESS + 127 - t->rebase));
        const vi top = vi_max16(both, lead);
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
        const vi floored = vf_floor_cut(cs);
        vm kept = vf_not_less(vf_abs(cs), vf_all(1.0f));
        if (half) /* the unit is at most 2^-14 */
            kept = vm_or(kept, vi_gt(vi_all(HALF_LEAST - 127 + RDNA_FRAC + 1 + t->rebase), top));
        units = vi_add(units, vi_pick(kept, floored, vi_all(0)));
        const vf met = rdna_sum(t, l, i, stride, units, inverse(up), narrow);
        vf_store(l->acc[i], vf_pick(any, met, vf_add(c, vf_all(0.0f))));
    }
}

DEFINE_GROUPS(ones2, ones_group, 4, 16, false)
DEFINE_GROUPS(ones2_narrow, ones_group, 4, 16, true)
DEFINE_GROUPS(pairs4, pairs_group, 4, 16, 2, false)
DEFINE_GROUPS(pairs4_narrow, pairs_group, 4, 16, 2, true)
DEFINE_GROUPS(single4, pairs_group, 4, 16, 1, false)
DEFINE_GROUPS(single4_narrow, pairs_group, 4, 16, 1, true)
DEFINE_GROUPS(pairs4_sparse, pairs_group, 4, 0, 2, false)
DEFINE_GROUPS(pairs4_narrow_sparse, pairs_group, 4, 0, 2, true)
DEFINE_GROUPS(single4_sparse, pairs_group, 4, 0, 1, false)
DEFINE_GROUPS(single4_narrow_sparse, pairs_group, 4, 0, 1, true)

static lw_panel_result run_rdna(const lw_panel_shape *s, const lw_panels *p)
{
    static const group_fn pairs[2][2][2] = {
        /* [classes == 1][sparse][narrow] */
        { { pairs4, pairs4_narrow }, { pairs4_sparse, pairs4_narrow_sparse } },
        { { single4, single4_narrow }, { single4_sparse, single4_narrow_sparse } }
    };
    const bool narrow = s->acc != LW_PANEL_F32;
    if (s->unit.kind == LW_KIND_ONES)
        return run_groups(s, p, narrow ? ones2_narrow : ones2, 0);
    return run_groups(s, p, pairs[s->unit.classes == 1][s->sparse][narrow], 0);
}

static bool ascending(const lw_panel_shape *s)
{
    for (int n = 0; n < s->k / s->unit.group; n++)
        if (s->order[n] != n)
            return false;
    return true;
}

static lw_panel_fn find_rdna(const lw_panel_shape *s)
{
    const lw_dot_unit *u = &s->unit;
    if (s->s_stride != LW_PANEL || s->s_count % RDNA_ROWS || s->k % 4 || s->scaled)
        return NULL;
    if (u->kind == LW_KIND_ONES)
        return u->group == 2 && !s->sparse && ascending(s) ? run_rdna : NULL;
    return u->group == 4 ? run_rdna : NULL;
}

#endif
