/* SPDX-License-Identifier: MIT */
/*
 * Squares side by side (lw_panel_shape.squares): of four by four, chains and integers; of eight by eight,
 * sums of f16 (for ALIGNED, FUSED and CDNA units see their files). Included after panel_bytes.h and
 * panel_chain.h. A row of S is one lane of every four or eight.
 */
#ifndef LW_EMU_FAST_PANEL_SQUARES_H
#define LW_EMU_FAST_PANEL_SQUARES_H

#include "emu/fast/panel_aligned.h"
#include "emu/fast/panel_bytes.h"
#include "emu/fast/panel_cdna.h"
#include "emu/fast/panel_chain64.h"

VEC void fma32_squares_lanes(const lw_panels *p, const uint32_t *ss, const uint32_t *vs, unsigned run, int k,
                             int at)
{
    const vf nan = vf_from_bits(vi_all(NAN32));
    vf acc[SQUARE];
    for (int i = 0; i < SQUARE; i++)
        acc[i] = vf_load(p->c + p->c_at[run + (unsigned)i] + at);
    for (int n = 0; n < k; n++) {
        const vi s = vi_load(ss + n * LW_PANEL + at);
        const vf v = vf_load(vs + n * LW_PANEL + at);
        acc[0] = vf_fma(vf_from_bits(vi_of_four(s, 0)), v, acc[0]);
        acc[1] = vf_fma(vf_from_bits(vi_of_four(s, 1)), v, acc[1]);
        acc[2] = vf_fma(vf_from_bits(vi_of_four(s, 2)), v, acc[2]);
        acc[3] = vf_fma(vf_from_bits(vi_of_four(s, 3)), v, acc[3]);
    }
    for (int i = 0; i < SQUARE; i++)
        vf_store(p->d + p->d_at[run + (unsigned)i] + at, vf_pick(vf_is_nan(acc[i]), nan, acc[i]));
}

static lw_panel_result fma32_squares(const lw_panel_shape *s, const lw_panels *p)
{
    const unsigned words = s->k * (unsigned)LW_PANEL;
    for (unsigned block = 0; block < s->blocks; block++)
        for (int at = 0; at < LW_PANEL; at += VEC_LANES)
            fma32_squares_lanes(p, p->s + block * words, p->v + block * words, SQUARE * block, s->k, at);
    return LW_PANELS_DONE;
}

VEC void fma64_squares_block(const lw_panel_shape *s, const lw_panels *p, unsigned block, fma64_sides sides)
{
    enum { K = F64_SQUARES_K };
    const unsigned run = 2 * SQUARE * block;
    fma64_task t;
    fma64_factors(p->s + (size_t)block * s->s_words * LW_PANEL, K, F64_HALVES, sides == F64_QUARTERS, t.s);
    fma64_factors(p->v + (size_t)block * s->v_words * LW_PANEL, K, fma64_v_parts(sides), false, t.b);
    fma64_row(&t, p, run, 0, K, sides, NULL, CHAIN_ALONE, NULL, NULL);
    fma64_row(&t, p, run + 2, 1, K, sides, NULL, CHAIN_ALONE, NULL, NULL);
    fma64_row(&t, p, run + 4, 2, K, sides, NULL, CHAIN_ALONE, NULL, NULL);
    fma64_row(&t, p, run + 6, 3, K, sides, NULL, CHAIN_ALONE, NULL, NULL);
}

static lw_panel_result fma64_squares(const lw_panel_shape *s, const lw_panels *p)
{
    if (!fma64_takes(s, p, 2u * s->blocks * SQUARE))
        return LW_PANELS_NONE;
    for (unsigned block = 0; block < s->blocks; block++)
        if (VEC_FMA64_LIMITED && s->quarters)
            fma64_squares_block(s, p, block, F64_QUARTERS);
        else
            fma64_squares_block(s, p, block, F64_SQUARES);
    return LW_PANELS_DONE;
}

VEC void bytes_squares_lanes(const lw_panel_shape *s, const lw_panels *p, const byte_side *ss,
                             const byte_side *vs, unsigned run, int at)
{
    const int words = s->s_words * 8 / s->s->bits * BYTE_PARTS;
    const vi start = vi_load(vs->start + at), rows = vi_load(ss->start + at);
    vi acc[SQUARE] = { vi_add(start, vi_of_four(rows, 0)), vi_add(start, vi_of_four(rows, 1)),
                       vi_add(start, vi_of_four(rows, 2)), vi_add(start, vi_of_four(rows, 3)) };
    for (int w = 0; w < words; w++) {
        const vi x = vi_load(ss->part + w * LW_PANEL + at), v = vi_load(vs->part + w * LW_PANEL + at);
        acc[0] = byte_dot(acc[0], vi_of_four(x, 0), v);
        acc[1] = byte_dot(acc[1], vi_of_four(x, 1), v);
        acc[2] = byte_dot(acc[2], vi_of_four(x, 2), v);
        acc[3] = byte_dot(acc[3], vi_of_four(x, 3), v);
    }
    for (int i = 0; i < SQUARE; i++) {
        const vi old = vi_load(p->c + p->c_at[run + (unsigned)i] + at);
        vi_store(p->d + p->d_at[run + (unsigned)i] + at,
                 s->saturate ? vi_add_saturated(old, acc[i]) : vi_add(old, acc[i]));
    }
}

static lw_panel_result bytes_squares(const lw_panel_shape *s, const lw_panels *p)
{
    byte_side ss, vs;
    for (unsigned block = 0; block < s->blocks; block++) {
        byte_prepare(p->s + block * (unsigned)(s->s_words * LW_PANEL), s->s_words, LW_PANEL, LW_PANEL, s->s,
                     true, byte_unsigned(s->v), &ss);
        byte_prepare(p->v + block * (unsigned)(s->v_words * LW_PANEL), s->v_words, LW_PANEL, LW_PANEL, s->v,
                     false, !byte_unsigned(s->s), &vs);
        for (int at = 0; at < LW_PANEL; at += VEC_LANES)
            bytes_squares_lanes(s, p, &ss, &vs, SQUARE * block, at);
    }
    return LW_PANELS_DONE;
}

/* Sums of f16 products, which binary32 holds exactly, one at a time or in pairs: NVIDIA's m8n8k4 after Volta
 * and Turing. */
VEC void sums_group(const group_task *t, lanes *l, int k0, int group, int stride, bool pairs)
{
    vf b[4], p[4];
    vi be[1];
    load_lanes(t, l, k0, group, stride, b, be);
    for (int i = 0; i < l->rows; i++) {
        for (int k = 0; k < group; k++)
            p[k] = product_at(t, l, i, k0 + k, stride, b + k);
        const vf c = vf_load(l->acc[i]);
        const vf sum = pairs ? vf_add(vf_add(c, vf_add(p[0], p[1])), vf_add(p[2], p[3]))
                             : vf_add(vf_add(vf_add(vf_add(c, p[0]), p[1]), p[2]), p[3]);
        vf_store(l->acc[i], sum);
    }
}

DEFINE_GROUPS(chains_eights, sums_group, 4, EIGHTS_STRIDE, false)
DEFINE_GROUPS(pairs_eights, sums_group, 4, EIGHTS_STRIDE, true)

static lw_panel_result sums_eights(const lw_panel_shape *s, const lw_panels *p)
{
    return run_groups(s, p, s->unit.kind == LW_KIND_FMA ? chains_eights : pairs_eights, 0);
}

static bool has_halves(const lw_panel_shape *s)
{
    return s->k == SQUARE && s->s->bits == 16 && s->s->exp_bits == 5 && s->s == s->v;
}

static lw_panel_fn find_eights(const lw_panel_shape *s)
{
    if (s->unit.kind == LW_KIND_FUSED)
        return s->k == SQUARE ? find_fused(s) : NULL;
    const bool sums = s->unit.kind == LW_KIND_FMA_PAIRS || (s->unit.kind == LW_KIND_FMA && s->c_after);
    return sums && has_halves(s) ? sums_eights : NULL;
}

static lw_panel_fn find_fours(const lw_panel_shape *s)
{
    const int bits = s->s->bits;
    switch ((lw_dot_kind)s->unit.kind) {
    case LW_KIND_FMA:
        return s->c_after                ? NULL
               : bits == 32              ? fma32_squares
               : bits == 64 && s->k == 4 ? fma64_squares
                                         : NULL;
    case LW_KIND_ALIGNED:
        return s->k == SQUARE ? find_aligned(s) : NULL;
    case LW_KIND_EXACT:
    case LW_KIND_TREE:
        return find_cdna(s);
    case LW_KIND_INT:
        if (bits == 1)
            return find_bits(s);
        return bits == s->v->bits && (bits == 8 || bits == 4) && s->k * bits % 32 == 0 ? bytes_squares : NULL;
    default:
        return NULL;
    }
}

static lw_panel_fn find_squares(const lw_panel_shape *s)
{
    return s->sparse || s->scaled ? NULL : s->squares == 8 ? find_eights(s) : find_fours(s);
}

#endif
