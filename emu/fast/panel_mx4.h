/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's block-scaled fp4 (LW_KIND_FUSED_SCALED) on tiles of four. Included after panel_fp4.h and
 * panel_tile4.h. The sum of sixteen products has at most 12 bits, its scales' significands 8 more. Terms on
 * the grid stay below 2^47 and their sum below 2^50, which binary64 holds; its exponents are wide enough for
 * any scales. Results that are not normal numbers of binary32, and NaN scales, are marked for the reference.
 */
#ifndef LW_EMU_FAST_PANEL_MX4_H
#define LW_EMU_FAST_PANEL_MX4_H

#include "emu/fast/panel_tile4.h"
#include "emu/fast/panel_fp4.h"

enum { MX4_GROUP = 16, MX4_FRAC = 35, MX4_QUARTERS = 2, MX4_FLOOR = -139, MX4_K = 64, MX4_WORDS = 2 };
enum { MX4_GROUPS = MX4_K / MX4_GROUP, MX4_LANES = FOUR * LW_PANEL, MX4_NO_EXP = -1000 };
enum { MX4_SIG_FRAC = 6 }; /* of two ue4m3 scales */

/* Scales of a side by block: the value, in quarters, and its exponent (MX4_NO_EXP for zero). */
typedef struct mx4_scales {
    _Alignas(64) double value[MX4_GROUPS][MX4_LANES];
    _Alignas(64) uint32_t exp[MX4_GROUPS][MX4_LANES];
    uint64_t bad; /* lanes with a NaN */
} mx4_scales;

/* Twice the values as bytes (biased to be unsigned in S), from low and high halves; a bit per code that is
 * not zero; for V, the correction for the bias by group and column. */
typedef struct mx4_side {
    _Alignas(64) uint32_t part[MX4_WORDS][2][MX4_LANES];
    _Alignas(64) uint32_t used[MX4_WORDS][MX4_LANES];
    _Alignas(64) uint32_t start[MX4_GROUPS][LW_PANEL];
} mx4_side;

typedef struct mx4_task {
    tile4_task common;
    mx4_side s, v;
    mx4_scales xs, xv;
    int span; /* groups per scale */
} mx4_task;

/* unit: the exponent of the value for a scale of 1. */
VEC void mx4_take_scales(const uint32_t *codes, bool ue4m3, int blocks, int count, int unit, mx4_scales *out)
{
    out->bad = 0;
    for (int n = 0; n < blocks; n++)
        for (int lane = 0; lane < count && lane < MX4_LANES; lane += VEC_LANES) {
            const vi code = vi_load(codes + n * count + lane);
            vi exp = vi_sub(code, vi_all(SCALE_BIAS)), sig = vi_all(1), shift = vi_add(exp, vi_all(unit));
            vm bad = vi_eq(code, vi_all(0xff));
            if (ue4m3) {
                const vi field = vi_and(vi_shr(code, 3), vi_all(15)), frac = vi_and(code, vi_all(7));
                exp = vi_sub(vi_max(field, vi_all(1)), vi_all(7));
                sig = vi_pick(vi_eq(field, vi_all(0)), frac, vi_or(frac, vi_all(8)));
                bad = vi_eq(vi_and(code, vi_all(127)), vi_all(127));
                shift = vi_add(exp, vi_all(unit - 3));
            }
            vi_store(&out->exp[n][lane], vi_pick(vi_eq(sig, vi_all(0)), vi_all(MX4_NO_EXP), exp));
            for (int h = 0; h < 2; h++) {
                const vd power = vd_pow2(shift, h);
                vd_store(&out->value[n][lane + h * VEC_LANES / 2],
                         ue4m3 ? vd_mul(vd_from_int(sig, h), power) : power);
            }
            out->bad |= (uint64_t)vm_bits(bad) << lane;
        }
}

VEC void mx4_take_codes(const uint32_t *image, int count, int bias, mx4_side *out)
{
    uint8_t table[16];
    for (int i = 0; i < 16; i++)
        table[i] = (uint8_t)(fp4_twice[i] + bias);
    const vi nibbles = vi_all(0x0f0f0f0f), ones = vi_all(0x11111111);
    for (int q = 0; q < MX4_WORDS; q++)
        for (int lane = 0; lane < count; lane += VEC_LANES) {
            const vi word = vi_load(image + q * count + lane);
            vi_store(&out->part[q][0][lane], vi_lookup(table, vi_and(word, nibbles)));
            vi_store(&out->part[q][1][lane], vi_lookup(table, vi_and(vi_shr(word, 4), nibbles)));
            vi_store(&out->used[q][lane], vi_and(vi_or(vi_or(word, vi_shr(word, 1)), vi_shr(word, 2)), ones));
        }
}

VEC vi mx4_bias_of(const uint32_t *part)
{
    return small_total(small_dot(vi_all(0), vi_all(0x01010101 * FP4_BIAS), vi_load(part)));
}

/* Group n consists of words 2 * (n % 2) and the next one of group n / 2 of four words. */
VEC void mx4_take_bias(mx4_side *v, int columns)
{
    for (int n = 0; n < MX4_GROUPS; n++)
        for (int col = 0; col < columns; col += VEC_LANES) {
            const int at = n % 2 * 2 * columns + col;
            vi sum = vi_all(0);
            for (int h = 0; h < 2; h++) {
                const uint32_t *part = &v->part[n / 2][h][at];
                sum = vi_add(sum, vi_add(mx4_bias_of(part), mx4_bias_of(part + columns)));
            }
            vi_store(&v->start[n][col], vi_sub(vi_all(0), sum));
        }
}

/* Group n's sum in quarters; first: its first word within the four. */
VEC vi mx4_group(const mx4_task *t, int at, int four, int n, int first)
{
    const int q = n / 2, columns = t->common.shape->v_count;
    vi sum = vi_all(0);
    for (int h = 0; h < 2; h++) {
        const vi word = vi_load(&t->s.part[q][h][at]);
        const uint32_t *b = &t->v.part[q][h][first * columns + four * FOUR];
        sum = small_dot(sum, vi_of_four(word, first), vi_four(b));
        sum = small_dot(sum, vi_of_four(word, first + 1), vi_four(b + columns));
    }
    return vi_add(small_total(sum), vi_four(&t->v.start[n][four * FOUR]));
}

VEC vi mx4_exponent(const mx4_task *t, int at, int four, int block)
{
    return vi_add(vi_load(&t->xs.exp[block][at]), vi_four(&t->xv.exp[block][four * FOUR]));
}

/* The exponent of group n's scales; MX4_NO_EXP if it has no product other than zero. */
VEC vi mx4_used_exponent(const mx4_task *t, int at, int four, int n, int first)
{
    const int columns = t->common.shape->v_count;
    const vi used = vi_load(&t->s.used[n / 2][at]);
    const uint32_t *b = &t->v.used[n / 2][first * columns + four * FOUR];
    const vi any = vi_or(vi_and(vi_of_four(used, first), vi_four(b)),
                         vi_and(vi_of_four(used, first + 1), vi_four(b + columns)));
    return vi_pick(vi_eq(any, vi_all(0)), vi_all(MX4_NO_EXP), mx4_exponent(t, at, four, n / t->span));
}

/* The product of both scales, for half of the lanes. */
VEC vd mx4_scale(const mx4_task *t, int at, int four, int block, int h)
{
    return vd_mul(vd_load(&t->xs.value[block][at + h * VEC_LANES / 2]),
                  vd_four(&t->xv.value[block][four * FOUR]));
}

VEC vi mx4_c_exponent(vf c)
{
    const vi field = vi_and(vi_shr(vf_bits(c), 23), vi_all(255));
    return vi_max(vi_sub(field, vi_all(127)), vi_all(MX4_FLOOR));
}

/* Stores the result; marks for the reference what is neither a normal number nor certainly a zero. */
VEC void mx4_end(mx4_task *t, int at, int four, const vd half[2], vi terms, vi top)
{
    const vf d = vf_add(vf_from_halves(vd_cut23(half[0]), vd_cut23(half[1])), vf_all(0.0f));
    const vi size = vi_and(vf_bits(d), vi_all(0x7fffffff));
    const vm odd = vm_or(vi_gt(vi_all(0x00800000), size), vi_gt(size, vi_all(0x7f7fffff)));
    if (vm_any(odd)) {
        /* A zero is certain if every term is zero, or if binary32 reaches down to the grid. */
        const vm zero = vm_or(vi_eq(terms, vi_all(0)), vi_gt(top, vi_all(MX4_FRAC - 150)));
        const unsigned marked = vm_bits(vm_and(odd, vm_or(vi_gt(size, vi_all(0)), vm_not(zero))));
        if (marked)
            tile4_mark(&t->common, at, four, marked);
    }
    tile4_end(&t->common, at, four, d);
}

/* Cuts terms and C on the grid and adds them. */
__attribute__((noinline)) static void mx4_cut(mx4_task *t, int at, int four, vf c)
{
    vi quarters[MX4_GROUPS], terms = vi_shl(vf_bits(c), 1), top = mx4_c_exponent(c);
    vd half[2];
    for (int n = 0; n < MX4_GROUPS; n++) {
        quarters[n] = mx4_group(t, at, four, n, n % 2 * 2);
        top = vi_max(top, mx4_used_exponent(t, at, four, n, n % 2 * 2));
        terms = vi_or(terms, quarters[n]);
    }
    const vi up = vi_sub(vi_all(MX4_FRAC), top);
    for (int h = 0; h < 2; h++) {
        const vd scale = vd_pow2(up, h);
        vd sum = vd_trunc(vd_mul(vd_from_float(c, h), scale));
        for (int n = 0; n < MX4_GROUPS; n++) {
            const vd own = vd_mul(mx4_scale(t, at, four, n / t->span, h), scale);
            sum = vd_add(sum, vd_trunc(vd_mul(vd_from_int(quarters[n], h), own)));
        }
        half[h] = vd_mul(sum, vd_pow2(vi_sub(vi_all(0), up), h));
    }
    mx4_end(t, at, four, half, terms, top);
}

/* If scales and C are close together, no term has bits below a grid at least as coarse as the unit's; groups
 * with the same scales are then added without cutting. */
VEC void mx4_vector(mx4_task *t, int at, int four, int span)
{
    const vf c = tile4_begin(&t->common, at, four);
    const vi c_exp = mx4_c_exponent(c), c_size = vi_shl(vf_bits(c), 1);
    vi quarters[MX4_GROUPS], top = c_exp, least = vi_all(INT16_MAX), terms = c_size;
    const int blocks = MX4_GROUPS / span;
    for (int n = 0; n < blocks; n++) {
        const vi exp = mx4_exponent(t, at, four, n);
        top = vi_max(top, exp);
        least = vi_min(least, exp);
    }
    const vi c_least = vi_pick(vi_eq(c_size, vi_all(0)), vi_all(INT16_MAX), vi_sub(c_exp, vi_all(23)));
    const vi last = vi_min(vi_sub(least, vi_all(MX4_QUARTERS + MX4_SIG_FRAC)), c_least);
    if (vm_any(vi_gt(vi_sub(top, vi_all(MX4_FRAC)), last))) {
        mx4_cut(t, at, four, c);
        return;
    }
    for (int n = 0; n < blocks; n++) {
        const int g = n * span;
        quarters[n] = g % 2 ? mx4_group(t, at, four, g, 2) : mx4_group(t, at, four, g, 0);
        if (span == 2)
            quarters[n] = vi_add(quarters[n], mx4_group(t, at, four, g + 1, 2));
        terms = vi_or(terms, quarters[n]);
    }
    vd half[2];
    for (int h = 0; h < 2; h++) {
        half[h] = vd_from_float(c, h);
        for (int n = 0; n < blocks; n++)
            half[h] = vd_fma_exact(vd_from_int(quarters[n], h), mx4_scale(t, at, four, n, h), half[h]);
    }
    mx4_end(t, at, four, half, terms, top);
}

static lw_panel_result run_mx4(const lw_panel_shape *shape, const lw_panels *p)
{
    mx4_task t;
    const bool ue4m3 = shape->scale == &lw_formats[LW_FORMAT_UE4M3];
    const int blocks = shape->k / shape->scale_span;
    tile4_prepare(shape, p, &t.common);
    t.span = shape->scale_span / MX4_GROUP;
    if (ue4m3) {
        mx4_take_scales(p->scale_s, true, blocks, TILE4_ROWS, -MX4_QUARTERS, &t.xs);
        mx4_take_scales(p->scale_v, true, blocks, LW_PANEL, 0, &t.xv);
    } else {
        mx4_take_scales(p->scale_s, false, blocks, TILE4_ROWS, -MX4_QUARTERS, &t.xs);
        mx4_take_scales(p->scale_v, false, blocks, LW_PANEL, 0, &t.xv);
    }
    p->bad[0][0] = fold_bad(t.xs.bad, shape->s_count, FOUR, 1);
    p->bad[0][1] = (uint32_t)t.xv.bad & ((1u << shape->v_count) - 1);
    t.common.odd = (p->bad[0][0] | p->bad[0][1]) != 0;
    mx4_take_codes(p->s, TILE4_ROWS, FP4_BIAS, &t.s);
    mx4_take_codes(p->v, t.common.v_stride, 0, &t.v);
    mx4_take_bias(&t.v, shape->v_count);
    for (int at = 0; at < TILE4_ROWS; at += VEC_LANES)
        for (int four = 0; four < t.common.column_groups; four++) {
            if (t.span == 2)
                mx4_vector(&t, at, four, 2);
            else
                mx4_vector(&t, at, four, 1);
        }
    return t.common.redo ? LW_PANELS_REDO : LW_PANELS_DONE;
}

static lw_panel_fn find_mx4(const lw_panel_shape *s)
{
    const lw_format *fp4 = &lw_formats[LW_FORMAT_FP4];
    const lw_dot_unit *u = &s->unit;
    const bool scales = s->scale == &lw_formats[LW_FORMAT_UE4M3] || s->scale == &lw_formats[LW_FORMAT_E8M0];
    const bool fits = s->tile4 && s->s == fp4 && s->v == fp4 && s->scaled && scales && s->k == MX4_K &&
                      (s->scale_span == MX4_GROUP || s->scale_span == 2 * MX4_GROUP);
    return fits && u->group == MX4_GROUP && u->product_frac == MX4_FRAC && u->c_frac == MX4_FRAC &&
                   u->floor32 == MX4_FLOOR && u->out_frac == 23 && !u->zero_terms
               ? run_mx4
               : NULL;
}

#endif
