/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's block-scaled fp4 (LW_KIND_FUSED_SCALED). Included behind panel_fp4.h. The sum of sixteen products
 * has at most 12 bits, its scales' significands 8 more: binary32 holds them. Terms on the grid stay below
 * 2^47 and their sum below 2^50: binary64 holds it, its exponents being wide enough for any scales. Results
 * that are not normal numbers of binary32, and NaN scales, are left to the reference.
 */
#ifndef LW_EMU_FAST_PANEL_MX4_H
#define LW_EMU_FAST_PANEL_MX4_H

#include "emu/fast/panel_fp4.h"

enum { MX4_GROUP = 16, MX4_PARTS = 4, MX4_FRAC = 35, MX4_QUARTERS = 2, MX4_MAX_GROUPS = 4, MX4_FLOOR = -139 };

/* Scales of a side by group: exponent; significand as binary32, as an integer of `frac` fraction bits. */
typedef struct mx4_scales {
    _Alignas(64) uint32_t exp[MX4_MAX_GROUPS][LW_PANEL], sig[MX4_MAX_GROUPS][LW_PANEL];
    unsigned bad; /* lanes with a NaN */
} mx4_scales;

VEC void mx4_take_scales(const uint32_t *codes, bool ue4m3, mx4_scales *out, int groups, int span)
{
    out->bad = 0;
    for (int g = 0; g < groups; g++)
        for (int lane = 0; lane < LW_PANEL; lane += VEC_LANES) {
            const vi code = vi_load(codes + g * MX4_GROUP / span * LW_PANEL + lane);
            vi exp = vi_sub(code, vi_all(SCALE_BIAS)), sig = vi_all(1);
            vm bad = vi_eq(code, vi_all(0xff));
            if (ue4m3) {
                const vi field = vi_and(vi_shr(code, 3), vi_all(15)), frac = vi_and(code, vi_all(7));
                exp = vi_sub(vi_max(field, vi_all(1)), vi_all(7));
                sig = vi_pick(vi_eq(field, vi_all(0)), frac, vi_or(frac, vi_all(8)));
                bad = vi_eq(vi_and(code, vi_all(127)), vi_all(127));
            }
            vi_store(&out->exp[g][lane], exp);
            vf_store(&out->sig[g][lane], vf_from_int(sig));
            out->bad |= vm_bits(bad) << lane;
        }
}

typedef struct mx4_task {
    group_task common;
    fp4_side s, v;
    mx4_scales xs, xv;
    int groups, frac; /* frac: fraction bits of both scales' significands */
} mx4_task;

/* A group's sum in quarters times the scales' significands, and its exponent: none where it has no product.
 */
VEC vf mx4_term(const mx4_task *t, int g, int i, int lane, vi *exp)
{
    const int q = g / 2, part = g % 2 * MX4_PARTS;
    vi sum = vi_all(0), start = vi_all(0);
    for (int n = part; n < part + MX4_PARTS; n++) {
        const vi v = vi_load(&t->v.part[q][n][lane]);
        start = small_dot(start, vi_all(0x01010101 * FP4_BIAS), v);
        sum = small_dot(sum, vi_each(&t->s.part[q][n][i]), v);
    }
    const vi quarters = vi_sub(small_total(sum), small_total(start));
    const vf sig = vf_mul(vf_each(&t->xs.sig[g][i]), vf_load(&t->xv.sig[g][lane]));
    const vi used = vi_and(vi_and(vi_each(&t->s.level[q][0][i]), vi_load(&t->v.level[q][0][lane])),
                           vi_all(g % 2 ? (int)UINT32_C(0xcccccccc) : 0x33333333));
    const vm none = vm_or(vi_eq(used, vi_all(0)), vi_eq(vf_bits(sig), vi_all(0)));
    *exp = vi_add(vi_each(&t->xs.exp[g][i]), vi_load(&t->xv.exp[g][lane]));
    *exp = vi_pick(none, vi_all(MX4_FLOOR), *exp);
    return vf_mul(vf_from_int(quarters), sig);
}

VEC void mx4_row(const mx4_task *t, lanes *l, int i)
{
    const vf c = vf_load(l->acc[i]);
    const vi field = vi_and(vi_shr(vf_bits(c), 23), vi_all(255));
    vi top = vi_max(vi_sub(field, vi_all(127)), vi_all(MX4_FLOOR)), exp[MX4_MAX_GROUPS];
    vf term[MX4_MAX_GROUPS];
    for (int g = 0; g < t->groups; g++) {
        term[g] = mx4_term(t, g, i, l->lane, &exp[g]);
        top = vi_max(top, exp[g]);
    }
    const vi up = vi_sub(vi_all(MX4_FRAC), top);
    vd half[2];
    for (int h = 0; h < 2; h++) {
        vd sum = vd_trunc(vd_mul(vd_from_float(c, h), vd_pow2(up, h)));
        for (int g = 0; g < t->groups; g++) {
            const vi own = vi_add(vi_add(up, exp[g]), vi_all(-MX4_QUARTERS - t->frac));
            sum = vd_add(sum, vd_trunc(vd_mul(vd_from_float(term[g], h), vd_pow2(own, h))));
        }
        half[h] = vd_cut23(vd_mul(sum, vd_pow2(vi_sub(vi_all(0), up), h)));
    }
    const vf d = vf_add(vf_from_halves(half[0], half[1]), vf_all(0.0f));
    const vi size = vi_and(vf_bits(d), vi_all(0x7fffffff));
    vm odd = vm_or(vi_gt(vi_all(0x00800000), size), vi_gt(size, vi_all(0x7f7fffff)));
    /* A zero is one where every term is, or where binary32 reaches down to the grid. */
    vi magnitudes = vi_shl(vf_bits(c), 1);
    for (int g = 0; g < t->groups; g++)
        magnitudes = vi_or(magnitudes, vi_shl(vf_bits(term[g]), 1));
    const vm zero = vm_or(vi_eq(magnitudes, vi_all(0)), vi_gt(top, vi_all(MX4_FRAC - 150)));
    odd = vm_and(odd, vm_or(vi_gt(size, vi_all(0)), vm_not(zero)));
    vf_store(l->acc[i], d);
    if (vm_any(odd))
        leave(&t->common, l, i, vm_bits(odd));
}

static lw_panel_result run_mx4(const lw_panel_shape *shape, const lw_panels *p)
{
    mx4_task t;
    const bool ue4m3 = shape->scale == &lw_formats[LW_FORMAT_UE4M3];
    t.common = (group_task){ .shape = shape, .p = p };
    t.groups = shape->k / MX4_GROUP;
    t.frac = ue4m3 ? 6 : 0;
    mx4_take_scales(p->scale_s, ue4m3, &t.xs, t.groups, shape->scale_span);
    mx4_take_scales(p->scale_v, ue4m3, &t.xv, t.groups, shape->scale_span);
    fp4_prepare(p->s, shape->s_stride, shape->k / SCALE_BLOCK, FP4_BIAS, &t.s);
    fp4_prepare(p->v, shape->v_count, shape->k / SCALE_BLOCK, 0, &t.v);
    bool redo = false;
    for (int lane = 0; lane < shape->v_count; lane += VEC_LANES) {
        lanes l;
        begin_lanes(&t.common, t.xs.bad, t.xv.bad, 0, lane, &l);
        for (int i = 0; i < shape->s_count; i++)
            mx4_row(&t, &l, i);
        end_lanes(&t.common, &l);
        redo |= l.redo;
    }
    return redo ? LW_PANELS_REDO : LW_PANELS_DONE;
}

static lw_panel_fn find_mx4(const lw_panel_shape *s)
{
    const lw_format *fp4 = &lw_formats[LW_FORMAT_FP4];
    const lw_dot_unit *u = &s->unit;
    const bool scales = s->scale == &lw_formats[LW_FORMAT_UE4M3] || s->scale == &lw_formats[LW_FORMAT_E8M0];
    const bool fits = s->s == fp4 && s->v == fp4 && s->scaled && scales && s->blocks == 1 && s->k == 64 &&
                      s->s_stride == LW_PANEL && s->v_count == LW_PANEL &&
                      (s->scale_span == 16 || s->scale_span == 32);
    return fits && u->group == MX4_GROUP && u->product_frac == MX4_FRAC && u->c_frac == MX4_FRAC &&
                   u->floor32 == MX4_FLOOR && u->out_frac == 23 && !u->zero_terms
               ? run_mx4
               : NULL;
}

#endif
