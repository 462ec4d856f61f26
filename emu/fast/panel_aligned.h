/* SPDX-License-Identifier: MIT */
/*
 * Groups of products on common grids (LW_KIND_ALIGNED). Included behind panel_decode.h.
 *
 * Why the steps are exact: a product of two codes has at most 22 significant bits and its exponent stays far
 * from the ends, so binary32 multiplies without rounding; multiplying by a power of two is exact; conversion
 * to integers cuts towards zero as the unit does. A group's sum S is below 2^31 units of 2^(e - 24), e the
 * largest nominal exponent. With |C| below the group's limit (in these units) S + C fits 32 bits; then
 * neither the alignment to 32 fraction bits nor that to 31 after normalisation cuts anything, and converting
 * the integer to binary32 is the unit's rounding. Units of two classes ignore a C whose exponent is 26 or
 * more below e: |C| < 1/2 unit. Larger C meet S in binary64, which holds their 40 bits.
 */
#ifndef LW_EMU_FAST_PANEL_ALIGNED_H
#define LW_EMU_FAST_PANEL_ALIGNED_H

#include "emu/fast/panel_decode.h"

enum { GROUP_FRAC = 24, MAX_SCALE = 30, SCALE_BLOCK = 32, SCALE_BIAS = 127 };

typedef struct aligned_task {
    const lw_panel_shape *shape;
    const lw_panels *p;
    const side *s, *v;
    int rebase;              /* sum of both sides' */
    const uint32_t *xs, *xv; /* scales' exponents, [scale block][i]; zeros where not scaled */
    int x_step;              /* scale blocks advance with groups, or stay at the first */
    float limit;             /* C of so many units and more goes the long way */
} aligned_task;

/* Sixteen-lane vectors by halves: the whole unit in binary64. exp: of the products, scales included. */
__attribute__((noinline)) static vf meet_far(vi sum, vi exp, vf c, int drop)
{
    const vi field = vi_and(vi_shr(vf_bits(c), 23), vi_all(255));
    const vi c_exp = vi_sub(vi_max(field, vi_all(1)), vi_all(127));
    const vi top = vi_max(exp, c_exp);
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

/* Largest exponent byte of a class of a group, at the bottom: 1: all, 2: even and odd k. */
VEC vi class_top(vi bytes, int classes, int odd)
{
    bytes = vi_max8(bytes, vi_shr(bytes, 16));
    if (classes == 1)
        bytes = vi_max8(bytes, vi_shr(bytes, 8));
    return vi_sar(vi_shl(bytes, odd ? 16 : 24), 24);
}

/* 2^(24 - e) for an exponent byte of 2 or more. */
VEC vi up_bits(vi e, int rebase)
{
    return vi_shl(vi_sub(vi_all(127 + GROUP_FRAC + rebase), e), 23);
}

VEC vi cut_products(const uint32_t *a, const vf *b, int from, int to, int step, int stride, vf up)
{
    vi sum = vi_all(0);
    for (int k = from; k < to; k += step)
        sum = vi_add(sum, vf_cut(vf_mul(vf_mul(vf_each(a + k * stride), b[k]), up)));
    return sum;
}

/* The group from k0 on, for all rows of S: acc[row] becomes the next accumulator. */
VEC void aligned_group(const aligned_task *t, int lane, int k0, int group, int classes, int stride,
                       float (*acc)[VEC_LANES])
{
    const int v_stride = t->shape->v_count, quads = group / 4, q0 = k0 / 4;
    const int x_at = t->x_step ? k0 / SCALE_BLOCK : 0;
    const vi xv = vi_load(t->xv + x_at * v_stride + lane);
    const uint32_t *xs = t->xs + x_at * stride;
    const vf limit = vf_all(t->limit);
    vf b[32];
    vi be[8];
    for (int k = 0; k < group; k++)
        b[k] = vf_load(t->v->value + (k0 + k) * v_stride + lane);
    for (int q = 0; q < quads; q++)
        be[q] = vi_load(t->v->exps + (q0 + q) * v_stride + lane);

    for (int i = 0; i < t->shape->s_count; i++) {
        const uint32_t *ae = t->s->exps + q0 * stride + i;
        const uint32_t *a = t->s->value + k0 * stride + i;
        vi tops = vi_add8(vi_each(ae), be[0]);
        for (int q = 1; q < quads; q++)
            tops = vi_max8(tops, vi_add8(vi_each(ae + q * stride), be[q]));
        vi e = class_top(tops, classes, 0), sum;
        if (classes == 1) {
            e = vi_max(e, vi_all(1));
            sum = cut_products(a, b, 0, group, 1, stride, vf_from_bits(up_bits(e, t->rebase)));
        } else {
            const vi even = vi_max(e, vi_all(1)), odd = vi_max(class_top(tops, 2, 1), vi_all(1));
            const vf even_up = vf_from_bits(up_bits(even, t->rebase)),
                     odd_up = vf_from_bits(up_bits(odd, t->rebase));
            e = vi_max(even, odd);
            sum = vi_add(vi_sarv(cut_products(a, b, 0, group, 2, stride, even_up), vi_sub(e, even)),
                         vi_sarv(cut_products(a, b, 1, group, 2, stride, odd_up), vi_sub(e, odd)));
        }
        const vm any = vi_gt(e, vi_all(1));
        const vi x = vi_add(vi_each(xs + i), xv);
        const vi bits = vi_sub(up_bits(e, t->rebase), vi_shl(x, 23));
        const vf up = vf_from_bits(bits), down = vf_from_bits(vi_sub(vi_all(254 << 23), bits));
        const vf c = vf_add(vf_load(acc[i]), vf_all(0.0f)); /* -0 becomes +0 */
        const vf cs = vf_mul(c, up), size = vf_abs(cs);
        const vi units = classes == 1
                             ? vf_floor_product(c, up)
                             : vi_pick(vf_not_less(size, vf_all(0.5f)), vf_cut(vf_floor(cs)), vi_all(0));
        vf met = vf_mul(vf_from_int(vi_add(sum, units)), down);
        const vm far = vm_and(any, vf_not_less(size, limit));
        if (vm_any(far)) {
            const vi exp = vi_add(vi_sub(e, vi_all(t->rebase)), x);
            met = vf_pick(far, meet_far(sum, exp, c, t->shape->unit.drop), met);
        }
        vf_store(acc[i], vf_pick(any, met, c));
    }
}

/* Loads C of eight or sixteen columns; notes infinities and NaNs. */
VEC bool load_c(const lw_panel_shape *s, const lw_panels *p, int run, int run_step, int half, unsigned s_bad,
                unsigned v_bad, float (*acc)[VEC_LANES])
{
    const vi inf = vi_all(0x7f800000);
    bool redo = false;
    for (int i = 0; i < s->s_count; i++, run += run_step) {
        const vf c = vf_load(p->c + p->c_at[run] + half);
        vf_store(acc[i], c);
        const unsigned special = vm_bits(vi_eq(vi_and(vf_bits(c), inf), inf)) | v_bad |
                                 ((s_bad >> i & 1) ? (1u << VEC_LANES) - 1 : 0);
        p->redo[run] = (uint16_t)(p->redo[run] | special << half);
        redo |= special != 0;
    }
    return redo;
}

VEC bool aligned_block(const aligned_task *t, unsigned block, int group, int classes, int stride)
{
    const lw_panel_shape *s = t->shape;
    const int panels = s->v_count / LW_PANEL;
    bool redo = false;
    for (int lane = 0; lane < s->v_count; lane += VEC_LANES) {
        _Alignas(64) float acc[32][VEC_LANES];
        const int half = lane % LW_PANEL;
        int run = (int)block * s->s_count * panels + lane / LW_PANEL;
        const unsigned v_bad = t->v->bad >> lane & ((1u << VEC_LANES) - 1);
        redo |= load_c(s, t->p, run, panels, half, t->s->bad, v_bad, acc);
        for (int k = 0; k < s->k; k += group)
            aligned_group(t, lane, k, group, classes, stride, acc);
        for (int i = 0; i < s->s_count; i++, run += panels)
            vf_store(t->p->d + t->p->d_at[run] + half, vf_load(acc[i]));
    }
    return redo;
}

typedef bool (*aligned_fn)(const aligned_task *task, unsigned block);

/* The loops once for each usual kind of group, sizes known to the compiler. */
#define ALIGNED(name_, group_, classes_, stride_)                                                            \
    static bool name_(const aligned_task *t, unsigned block)                                                 \
    {                                                                                                        \
        return aligned_block(t, block, group_, classes_, stride_);                                           \
    }
ALIGNED(tr4_16, 4, 1, 16)
ALIGNED(tr4_32, 4, 1, 32)
ALIGNED(tr8_16, 8, 1, 16)
ALIGNED(tr8_32, 8, 1, 32)
ALIGNED(gtr16_16, 16, 2, 16)
ALIGNED(gtr16_32, 16, 2, 32)
ALIGNED(gtr32_16, 32, 2, 16)
ALIGNED(gtr32_32, 32, 2, 32)
#undef ALIGNED

static const struct aligned_row {
    uint8_t group, classes, stride;
    aligned_fn fn;
    float limit; /* with the group's sum below 2^31 units */
} aligned_rows[] = {
    { 4, 1, 16, tr4_16, 0x1p30f },    { 4, 1, 32, tr4_32, 0x1p30f },    { 8, 1, 16, tr8_16, 0x1p30f },
    { 8, 1, 32, tr8_32, 0x1p30f },    { 16, 2, 16, gtr16_16, 0x1p30f }, { 16, 2, 32, gtr16_32, 0x1p30f },
    { 32, 2, 16, gtr32_16, 0x1p27f }, { 32, 2, 32, gtr32_32, 0x1p27f },
};

static const struct aligned_row *aligned_row(const lw_panel_shape *s)
{
    const int group = s->unit.group < s->k ? s->unit.group : s->k;
    for (size_t i = 0; i < sizeof(aligned_rows) / sizeof(aligned_rows[0]); i++)
        if (aligned_rows[i].group == group && aligned_rows[i].classes == s->unit.classes &&
            aligned_rows[i].stride == s->s_stride)
            return &aligned_rows[i];
    return NULL;
}

/* Exponents of scales, a multiple of sixteen; false when one is far from 1 (or a NaN). */
static bool scale_exponents(const uint32_t *scale, int count, uint32_t *out)
{
    vm bad = vm_none();
    for (int i = 0; i < count; i += VEC_LANES) {
        const vi x = vi_sub(vi_load(scale + i), vi_all(SCALE_BIAS));
        bad = vm_or(bad, vm_or(vi_gt(x, vi_all(MAX_SCALE)), vi_gt(vi_all(-MAX_SCALE), x)));
        vi_store(out + i, x);
    }
    return !vm_any(bad);
}

static lw_panel_result run_aligned(const lw_panel_shape *shape, const lw_panels *p)
{
    side s, v;
    uint32_t xs[LW_PANEL_MAX_SCALES] = { 0 }, xv[LW_PANEL_MAX_SCALES] = { 0 };
    const struct aligned_row *row = aligned_row(shape);
    const int scales = shape->k / SCALE_BLOCK;
    if (shape->scaled && !(scale_exponents(p->scale_s, scales * shape->s_stride, xs) &&
                           scale_exponents(p->scale_v, scales * shape->v_count, xv)))
        return LW_PANELS_NONE;
    bool redo = false;
    for (unsigned block = 0; block < shape->blocks; block++) {
        decode_side(shape->s, p->s + (size_t)block * shape->s_words * shape->s_stride, shape->s_stride,
                    shape->k, &s);
        decode_side(shape->v, p->v + (size_t)block * shape->v_words * shape->v_count, shape->v_count,
                    shape->k, &v);
        const aligned_task task = {
            .shape = shape,
            .p = p,
            .s = &s,
            .v = &v,
            .rebase = s.rebase + v.rebase,
            .xs = xs,
            .xv = xv,
            .x_step = shape->scaled,
            .limit = row->limit,
        };
        redo |= row->fn(&task, block);
    }
    return redo ? LW_PANELS_REDO : LW_PANELS_DONE;
}

static lw_panel_fn find_aligned(const lw_panel_shape *s)
{
    const lw_dot_unit *u = &s->unit;
    if (!aligned_row(s) || s->k % 4 || u->product_frac != GROUP_FRAC || u->c_frac != GROUP_FRAC ||
        u->sum_frac != 32 || u->post_frac != 31 || u->drop != (u->classes == 1 ? 0 : 25))
        return NULL;
    return run_aligned;
}

#endif
