/* SPDX-License-Identifier: MIT */
/*
 * FMA chains, which a fused multiply-add computes by definition: the host's, or for binary32 one made of
 * binary64 operations. Included after vec_*.h.
 */
#ifndef LW_EMU_FAST_PANEL_CHAIN_H
#define LW_EMU_FAST_PANEL_CHAIN_H

#include "emu/fast/panel.h"

static const int NAN32 = 0x7fc00000;                        /* LW_DOT_NAN32 */
static const uint64_t NAN64 = UINT64_C(0x7ff8000000000000); /* LW_DOT_NAN64 */

/* As many columns as lanes of S. */
VEC void fma32_block(const lw_panel_shape *s, const lw_panels *p, unsigned block, int k, int stride)
{
    enum { MAX_VECTORS = 2 * LW_PANEL / VEC_LANES };
    const int panels = stride / LW_PANEL, vectors = stride / VEC_LANES;
    const uint32_t *ss = p->s + (size_t)block * (unsigned)(k * stride),
                   *vs = p->v + (size_t)block * (unsigned)(k * stride), *c = p->c;
    const uint16_t *c_at = p->c_at + block * (unsigned)(s->s_count * panels),
                   *d_at = p->d_at + block * (unsigned)(s->s_count * panels);
    uint32_t *d = p->d;
    const vf nan = vf_from_bits(vi_all(NAN32));
    vf b[8][MAX_VECTORS];
    for (int n = 0; n < k; n++)
        for (int v = 0; v < vectors; v++)
            b[n][v] = vf_load(vs + n * stride + v * VEC_LANES);
    for (int i = 0; i < s->s_count; i++, c_at += panels, d_at += panels) {
        vf acc[MAX_VECTORS];
        for (int v = 0; v < vectors; v++)
            acc[v] = vf_load(c + c_at[v * VEC_LANES / LW_PANEL] + v * VEC_LANES % LW_PANEL);
        for (int n = 0; n < k; n++) {
            const vf a = vf_each(ss + n * stride + i);
            for (int v = 0; v < vectors; v++)
                acc[v] = vf_fma(a, b[n][v], acc[v]);
        }
        for (int v = 0; v < vectors; v++)
            vf_store(d + d_at[v * VEC_LANES / LW_PANEL] + v * VEC_LANES % LW_PANEL,
                     vf_pick(vf_is_nan(acc[v]), nan, acc[v]));
    }
}

#define FMA32(name_, k_, stride_)                                                                            \
    static lw_panel_result name_(const lw_panel_shape *s, const lw_panels *p)                                \
    {                                                                                                        \
        for (unsigned block = 0; block < s->blocks; block++)                                                 \
            fma32_block(s, p, block, k_, stride_);                                                           \
        return LW_PANELS_DONE;                                                                               \
    }
FMA32(fma32_1_16, 1, 16)
FMA32(fma32_1_32, 1, 32)
FMA32(fma32_2_16, 2, 16)
FMA32(fma32_2_32, 2, 32)
FMA32(fma32_4_16, 4, 16)
FMA32(fma32_8_16, 8, 16)
#undef FMA32

static lw_panel_fn find_fma32(const lw_panel_shape *s)
{
    static const struct {
        uint8_t k, stride;
        lw_panel_fn fn;
    } rows[] = { { 1, 16, fma32_1_16 }, { 1, 32, fma32_1_32 }, { 2, 16, fma32_2_16 },
                 { 2, 32, fma32_2_32 }, { 4, 16, fma32_4_16 }, { 8, 16, fma32_8_16 } };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].k == s->k && rows[i].stride == s->s_stride && s->v_count == s->s_stride)
            return rows[i].fn;
    return NULL;
}

#if VEC_HAS_FMA64

enum { F64_K = 4, F64_HALVES = 2 * LW_PANEL / VEC_LANES };

/* Sixteen numbers from planes of words, in vd_from_words' order. */
VEC void fma64_load(const uint32_t *low, const uint32_t *high, vd out[F64_HALVES])
{
    for (int n = 0; n < F64_HALVES; n++)
        out[n] = vd_from_words(vi_load(low + n / 2 * VEC_LANES), vi_load(high + n / 2 * VEC_LANES), n % 2);
}

/* Where that order has number i. */
VEC int fma64_place(int i)
{
    return i / VEC_LANES * VEC_LANES + i % 4 / 2 * (VEC_LANES / 2) + i % VEC_LANES / 4 * 2 + i % 2;
}

VEC void fma64_block(const lw_panel_shape *s, const lw_panels *p, unsigned block)
{
    const uint32_t *ss = p->s + (size_t)block * s->s_words * LW_PANEL,
                   *vs = p->v + (size_t)block * s->v_words * LW_PANEL, *c = p->c;
    const uint16_t *c_at = p->c_at + 2 * block * s->s_count, *d_at = p->d_at + 2 * block * s->s_count;
    uint32_t *d = p->d;
    _Alignas(64) double a[F64_K][LW_PANEL];
    vd b[F64_K][F64_HALVES], half[F64_HALVES];
    for (int n = 0; n < F64_K; n++) {
        fma64_load(vs + 2 * n * LW_PANEL, vs + (2 * n + 1) * LW_PANEL, b[n]);
        fma64_load(ss + 2 * n * LW_PANEL, ss + (2 * n + 1) * LW_PANEL, half);
        for (int h = 0; h < F64_HALVES; h++)
            vd_store(&a[n][h * VEC_LANES / 2], half[h]);
    }
    for (int i = 0; i < s->s_count; i++, c_at += 2, d_at += 2) {
        fma64_load(c + c_at[0], c + c_at[1], half);
        for (int n = 0; n < F64_K; n++) {
            const vd each = vd_all(a[n][fma64_place(i)]);
            for (int h = 0; h < F64_HALVES; h++)
                half[h] = vd_fma(each, b[n][h], half[h]);
        }
        for (int h = 0; h < F64_HALVES; h++)
            half[h] = vd_canonical(half[h], NAN64);
        for (int h = 0; h < F64_HALVES; h += 2) {
            vi_store(d + d_at[0] + h / 2 * VEC_LANES, vd_words(half[h], half[h + 1], 0));
            vi_store(d + d_at[1] + h / 2 * VEC_LANES, vd_words(half[h], half[h + 1], 1));
        }
    }
}

static lw_panel_result fma64_4(const lw_panel_shape *s, const lw_panels *p)
{
    for (unsigned block = 0; block < s->blocks; block++)
        fma64_block(s, p, block);
    return LW_PANELS_DONE;
}

static lw_panel_fn find_fma64(const lw_panel_shape *s)
{
    return s->k == F64_K && s->s_stride == LW_PANEL && s->v_count == LW_PANEL ? fma64_4 : NULL;
}

#else

static lw_panel_fn find_fma64(const lw_panel_shape *s)
{
    (void)s;
    return NULL;
}

#endif

#endif
