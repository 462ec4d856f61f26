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

/*
 * A side of LW_KIND_ONES: magnitudes; signs as all ones or zeros; and exponents as fields of binary32 in
 * halves of words: those of codes 0 and 2 of four, then those of 1 and 3. The sum of a field of S and one of
 * V is the place of a product's leading bits, or at most `none` if one of the two numbers is zero.
 */
enum { ONES_CODES = LW_PANEL * LW_PANEL };

typedef struct ones_side {
    _Alignas(64) uint32_t size[ONES_CODES];       /* [k][lane] */
    _Alignas(64) uint32_t sign[ONES_CODES];       /* [k][lane] */
    _Alignas(64) uint32_t fields[ONES_CODES / 2]; /* [k / 4][even, odd][lane] */
} ones_side;

typedef struct ones_task {
    const group_task *t;
    ones_side s, v;
    int none;
} ones_task;

enum { FIELD_BIAS = 64 /* makes bytes of exponents positive */ };

static void ones_decode(const side *from, int k, int stride, int bias, ones_side *to)
{
    const vi halves = vi_all(0x00ff00ff), off = vi_all(bias * 128 * 0x10001);
    for (int i = 0; i < k * stride; i += VEC_LANES) {
        const vf x = vf_load(from->value + i);
        vf_store(to->size + i, vf_abs(x));
        vi_store(to->sign + i, vi_sar(vf_bits(x), 31));
    }
    for (int q = 0; q < k / 4; q++)
        for (int i = 0; i < stride; i += VEC_LANES) {
            const vi bytes = vi_add8(vi_load(from->exps + q * stride + i), vi_all(FIELD_BIAS * 0x01010101));
            uint32_t *fields = to->fields + 2 * q * stride + i;
            vi_store(fields, vi_sub16(vi_shl(vi_and(bytes, halves), 7), off));
            vi_store(fields + stride, vi_sub16(vi_shl(vi_and(vi_shr(bytes, 8), halves), 7), off));
        }
}

static void ones_prepare(const group_task *t, ones_task *o)
{
    const lw_panel_shape *shape = t->shape;
    const int places = 127 + LEAD_LESS - t->rebase; /* from a sum of exponents to a field */
    o->t = t;
    o->none = places + 1;
    ones_decode(t->s, shape->k, shape->s_stride, 2 * FIELD_BIAS - places, &o->s);
    ones_decode(t->v, shape->k, shape->v_count, 0, &o->v);
}

/* Rows that are computed together, because each step depends on the one before. */
enum { RDNA_ROWS = VEC_LANES / 4 };

/* A product in units, in one's complement. */
VEC vi ones_units(vf size, vf scale, vi s_sign, vi v_sign)
{
    return vi_xor3(vf_cut(vf_mul(size, scale)), s_sign, v_sign);
}

/*
 * One step for some rows from row i on: adds the products of codes k and k + 1 to c; fields: the places of
 * their leading bits. A product is less than 2^(e + 2), e being its nominal exponent, so that of the leading
 * bits only c's matters. Products of f16 and bf16 numbers other than zero are large enough that only results
 * of f16 have a least unit; where both products are zero, what is computed is not used. Only the very first
 * c may be -0.
 */
VEC void ones_step(const ones_task *o, lanes *l, int i, int k, const vi *fields, bool narrow, bool first,
                   vf *c)
{
    const group_task *t = o->t;
    const int v_stride = t->shape->v_count;
    const bool half = narrow && t->shape->acc == LW_PANEL_F16;
    const uint32_t *s_size = o->s.size + k * LW_PANEL + i, *s_sign = o->s.sign + k * LW_PANEL + i,
                   *v_size = o->v.size + k * v_stride + l->lane, *v_sign = o->v.sign + k * v_stride + l->lane;
    const vf b[2] = { vf_load(v_size), vf_load(v_size + v_stride) };
    const vi sb[2] = { vi_load(v_sign), vi_load(v_sign + v_stride) };
    vi up[RDNA_ROWS], units[RDNA_ROWS];
    for (int r = 0; r < RDNA_ROWS; r++) {
        vi top = vi_max16(fields[r], vi_and(vf_bits(c[r]), vi_all(F32_FIELD)));
        if (half)
            top = vi_max16(top, vi_all(HALF_LEAST << 23));
        up[r] = vi_sub(vi_all((int)((254u + RDNA_FRAC + LEAD_LESS) << 23)), top);
    }
    for (int r = 0; r < RDNA_ROWS; r++) {
        const vf scale = vf_from_bits(up[r]), p0 = vf_mul(vf_each(s_size + r), b[0]),
                 p1 = vf_mul(vf_each(s_size + LW_PANEL + r), b[1]);
        const vi products = vi_add(ones_units(p0, scale, vi_each(s_sign + r), sb[0]),
                                   ones_units(p1, scale, vi_each(s_sign + LW_PANEL + r), sb[1]));
        const vi sum = vi_add(vf_cut(vf_mul(c[r], scale)), products);
        units[r] = vi_pick(vi_gt(vi_all(0), vf_bits(c[r])), vi_add(sum, vi_all(2)), sum);
    }
    for (int r = 0; r < RDNA_ROWS; r++) {
        const vf met = rdna_sum(t, l, i + r, LW_PANEL, units[r], inverse(up[r]), narrow);
        c[r] =
            vf_pick(vi_gt(fields[r], vi_all(o->none << 23)), met, first ? vf_add(c[r], vf_all(0.0f)) : c[r]);
    }
}

/* Two steps, whose fields share words; the lower half of the first one's is zero. */
VEC void ones_rows(const ones_task *o, lanes *l, int k, bool narrow, bool first)
{
    const int v_stride = o->t->shape->v_count;
    const uint32_t *v_fields = o->v.fields + k / 2 * v_stride + l->lane;
    const vi even = vi_load(v_fields), odd = vi_load(v_fields + v_stride);
    for (int i = 0; i < o->t->shape->s_count; i += RDNA_ROWS) {
        vi fields[2][RDNA_ROWS];
        vf c[RDNA_ROWS];
        for (int r = 0; r < RDNA_ROWS; r++) {
            const uint32_t *s_fields = o->s.fields + k / 2 * LW_PANEL + i + r;
            const vi both =
                vi_max16(vi_add16(vi_each(s_fields), even), vi_add16(vi_each(s_fields + LW_PANEL), odd));
            fields[0][r] = vi_shl(both, 16);
            fields[1][r] = vi_and(both, vi_all(-0x10000));
            c[r] = vf_load(l->acc[i + r]);
        }
        ones_step(o, l, i, k, fields[0], narrow, first, c);
        ones_step(o, l, i, k + 2, fields[1], narrow, false, c);
        for (int r = 0; r < RDNA_ROWS; r++)
            vf_store(l->acc[i + r], c[r]);
    }
}

VEC bool ones_block(const group_task *t, unsigned block, bool narrow)
{
    bool redo = false;
    ones_task o;
    ones_prepare(t, &o);
    for (int lane = 0; lane < t->shape->v_count; lane += VEC_LANES) {
        lanes l;
        begin_lanes(t, block, lane, LW_PANEL, &l);
        flush_c(t, &l);
        ones_rows(&o, &l, 0, narrow, true);
        for (int k = 4; k < t->shape->k; k += 4)
            ones_rows(&o, &l, k, narrow, false);
        end_lanes(t, &l, LW_PANEL);
        redo |= l.redo;
    }
    return redo;
}

static bool ones2(const group_task *t, unsigned block)
{
    return ones_block(t, block, false);
}

static bool ones2_narrow(const group_task *t, unsigned block)
{
    return ones_block(t, block, true);
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
        return u->group == 2 && !s->sparse && s->blocks == 1 && s->k * LW_PANEL <= ONES_CODES &&
                       s->k * s->v_count <= ONES_CODES && ascending(s)
                   ? run_rdna
                   : NULL;
    return u->group == 4 ? run_rdna : NULL;
}

#endif
