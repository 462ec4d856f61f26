/* SPDX-License-Identifier: MIT */
/*
 * fp4 by fp4 in groups of 32 on a common grid. Included after panel_aligned.h. A group's sum is exact in
 * quarters whatever its grids are, because products span 2^-2 to 2^6 only; classes therefore do not matter.
 * The group is added to C in one binary32 addition, in units of 2^(e - 24): the sum has 13 bits, C floored to
 * these units is exact, and below |C| = 2^49 units nothing else is cut. A C that is ignored because it is 26
 * or more below the top has |C| < 1/2 unit.
 */
#ifndef LW_EMU_FAST_PANEL_FP4_H
#define LW_EMU_FAST_PANEL_FP4_H

#include "emu/fast/panel_aligned.h"

enum { FP4_WORDS = 4, FP4_PARTS = 2 * FP4_WORDS, FP4_LEVELS = 3, FP4_BIAS = 12, FP4_MAX_BLOCKS = 4 };

/* For each block of 32 codes: twice the values as bytes (biased to be unsigned in S), in two words per word
 * of codes; and one bit per code for exponents of at least 0, 1 and 2. */
typedef struct fp4_side {
    _Alignas(64) uint32_t part[FP4_MAX_BLOCKS][FP4_PARTS][32];
    _Alignas(64) uint32_t level[FP4_MAX_BLOCKS][FP4_LEVELS][32];
} fp4_side;

static const uint8_t fp4_twice[16] = { 0, 1, 2, 3, 4, 6, 8, 12, 0, 255, 254, 253, 252, 250, 248, 244 };

/* any: NULL, or by lane what used_rows finds. */
VEC void fp4_prepare(const uint32_t *image, int stride, int blocks, int bias, uint32_t *any, fp4_side *out)
{
    uint8_t table[16];
    for (int i = 0; i < 16; i++)
        table[i] = (uint8_t)(fp4_twice[i] + bias);
    const vi nibbles = vi_all(0x0f0f0f0f), ones = vi_all(0x11111111);
    for (int q = 0; q < blocks; q++)
        for (int lane = 0; lane < stride; lane += VEC_LANES) {
            vi level[FP4_LEVELS] = { vi_all(0), vi_all(0), vi_all(0) }, all = vi_all(0);
            for (int w = 0; w < FP4_WORDS; w++) {
                const vi word = vi_load(image + (q * FP4_WORDS + w) * stride + lane);
                all = vi_or(all, word);
                vi_store(&out->part[q][2 * w][lane], vi_lookup(table, vi_and(word, nibbles)));
                vi_store(&out->part[q][2 * w + 1][lane], vi_lookup(table, vi_and(vi_shr(word, 4), nibbles)));
                const vi half = vi_and(word, ones), one = vi_and(vi_shr(word, 1), ones),
                         two = vi_and(vi_shr(word, 2), ones);
                level[0] = vi_or(level[0], vi_shl(vi_or(vi_or(half, one), two), w));
                level[1] = vi_or(level[1], vi_shl(two, w));
                level[2] = vi_or(level[2], vi_shl(vi_and(two, one), w));
            }
            for (int n = 0; n < FP4_LEVELS; n++)
                vi_store(&out->level[q][n][lane], level[n]);
            if (any)
                vi_store(any + lane, q ? vi_or(vi_load(any + lane), all) : all);
        }
}

VEC vm fp4_empty(vi set)
{
    return vi_eq(set, vi_all(0));
}

VEC vi less_where(vm m, vi a)
{
    return vi_pick(m, vi_sub(a, vi_all(1)), a);
}

/* Largest nominal exponent of the products, -1 if all are zero. The sets of level e are nested. */
VEC vi fp4_top(const uint32_t (*a)[32], int i, const vi *b)
{
    const vi a0 = vi_each(&a[0][i]), a1 = vi_each(&a[1][i]), a2 = vi_each(&a[2][i]);
    const vi level3 = vi_or(vi_and(a2, b[1]), vi_and(a1, b[2]));
    const vi level2 = vi_or(vi_or(vi_and(a2, b[0]), vi_and(a0, b[2])), vi_and(a1, b[1]));
    const vm none = fp4_empty(level2);
    vi top = less_where(fp4_empty(vi_and(a2, b[2])), vi_all(4));
    top = less_where(fp4_empty(level3), top);
    if (!vm_any(none))
        return top;
    const vi level1 = vi_or(vi_and(a1, b[0]), vi_and(a0, b[1]));
    top = less_where(fp4_empty(level1), less_where(none, top));
    return less_where(fp4_empty(vi_and(a0, b[0])), top);
}

VEC vf fp4_meet(vi quarters, vi top, vi x, vf c, int drop)
{
    const vi exp = vi_add(top, x);
    const vi up = vi_shl(vi_sub(vi_all(127 + GROUP_FRAC), exp), 23);
    const vf cs = vf_mul(c, vf_from_bits(up)), size = vf_abs(cs);
    const vf cf = vf_pick(vf_not_less(size, vf_all(0.5f)), vf_floor(cs), vf_all(0.0f));
    const vf sum = vf_mul(vf_from_int(quarters), vf_from_bits(vi_shl(vi_sub(vi_all(127 + 22), top), 23)));
    vf met = vf_mul(vf_add(cf, sum), vf_from_bits(vi_sub(vi_all(254 << 23), up)));
    const vm any = vi_gt(top, vi_all(-1)), far = vm_and(any, vf_not_less(size, vf_all(0x1p49f)));
    if (vm_any(far)) {
        const vi units = vi_shlv(quarters, vi_sub(vi_all(22), vi_max(top, vi_all(0))));
        met = vf_pick(far, meet_far(units, exp, c, drop), met);
    }
    return vf_pick(any, met, vf_add(c, vf_all(0.0f)));
}

/* Group q for all rows of S that are computed. */
VEC void fp4_group(const group_task *t, const fp4_side *s, const fp4_side *v, int q, bool scaled, lanes *l)
{
    const lw_panel_shape *shape = t->shape;
    const uint32_t *xs = t->xs + q * shape->s_stride;
    vi b[FP4_PARTS], level[FP4_LEVELS], start = vi_all(0);
    for (int n = 0; n < FP4_PARTS; n++) {
        b[n] = vi_load(&v->part[q][n][l->lane]);
        start = small_dot(start, vi_all(0x01010101 * FP4_BIAS), b[n]);
    }
    for (int n = 0; n < FP4_LEVELS; n++)
        level[n] = vi_load(&v->level[q][n][l->lane]);
    start = vi_sub(vi_all(0), small_total(start));
    const vi xv = scaled ? vi_load(t->xv + q * shape->v_count + l->lane) : vi_all(0);
    for (int i = 0; i < l->rows; i++) {
        vi sum = vi_all(0);
        for (int n = 0; n < FP4_PARTS; n++)
            sum = small_dot(sum, vi_each(&s->part[q][n][i]), b[n]);
        const vi quarters = vi_add(start, small_total(sum));
        const vi x = scaled ? vi_add(xv, vi_each(xs + i)) : vi_all(0);
        const vf c = vf_load(l->acc[i]);
        vf_store(l->acc[i], fp4_meet(quarters, fp4_top(s->level[q], i, level), x, c, shape->unit.drop));
    }
}

/* All groups, for VEC_LANES lanes. */
VEC void fp4_lanes(const group_task *t, const fp4_side *s, const fp4_side *v, int blocks, bool scaled,
                   lanes *l)
{
    for (int q = 0; q < blocks; q++)
        fp4_group(t, s, v, q, scaled, l);
}

static lw_panel_result run_fp4(const lw_panel_shape *shape, const lw_panels *p)
{
    const int blocks = shape->k / SCALE_BLOCK;
    const bool padded = p->quiet && p->quiet->padded != LW_PADDED_NOT;
    side_scales xs = { .bad = 0 }, xv = { .bad = 0 };
    fp4_side s, v;
    used_lanes used;
    if (shape->scaled)
        both_scales(shape, p, &xs, &xv);
    p->bad[0][0] = xs.bad;
    p->bad[0][1] = xv.bad;
    if (padded) {
        fp4_prepare(p->s, shape->s_stride, blocks, FP4_BIAS, used.s, &s);
        fp4_prepare(p->v, shape->v_count, blocks, 0, used.v, &v);
    } else {
        fp4_prepare(p->s, shape->s_stride, blocks, FP4_BIAS, NULL, &s);
        fp4_prepare(p->v, shape->v_count, blocks, 0, NULL, &v);
    }
    group_task task = { .shape = shape, .p = p, .xs = xs.x, .xv = xv.x };
    bool redo = false;
    heeds found;
    quiet_begin(&task, 0, used.s, used.v, &found);
    count_rows(&task);
    for (int lane = 0; lane < shape->v_count; lane += VEC_LANES) {
        lanes l;
        begin_dense(&task, xs.bad, xv.bad, 0, lane, &l);
        if (shape->scaled)
            fp4_lanes(&task, &s, &v, blocks, true, &l);
        else
            fp4_lanes(&task, &s, &v, blocks, false, &l);
        end_dense(&task, &l);
        redo |= l.redo;
    }
    quiet_end(&task, 0);
    return redo ? LW_PANELS_REDO : LW_PANELS_DONE;
}

static lw_panel_fn find_fp4(const lw_panel_shape *s)
{
    const lw_format *fp4 = &lw_formats[LW_FORMAT_FP4];
    const lw_dot_unit *u = &s->unit;
    const bool fits = s->s == fp4 && s->v == fp4 && u->group == 32 && u->drop == 25 && s->blocks == 1 &&
                      s->k % 32 == 0 && s->k <= 32 * FP4_MAX_BLOCKS && u->product_frac == GROUP_FRAC &&
                      u->c_frac == GROUP_FRAC && u->sum_frac == 32 && u->post_frac == 31;
    return fits ? run_fp4 : NULL;
}

#endif
