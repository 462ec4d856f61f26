/* SPDX-License-Identifier: MIT */
/*
 * FMA chains, which a fused multiply-add computes by definition: the host's, or for binary32 one made of
 * binary64 operations. Included after vec_*.h.
 */
#ifndef LW_EMU_FAST_PANEL_CHAIN_H
#define LW_EMU_FAST_PANEL_CHAIN_H

#include "emu/fast/panel_quiet.h"

static const int NAN32 = 0x7fc00000;                        /* LW_DOT_NAN32 */
static const uint64_t NAN64 = UINT64_C(0x7ff8000000000000); /* LW_DOT_NAN64 */

/* As many columns as S has lanes. h: NULL if nobody asks. */
VEC void fma32_block(const lw_panel_shape *s, const lw_panels *p, unsigned block, int k, int stride, heeds *h,
                     bool padded)
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
        vf acc[MAX_VECTORS], old[MAX_VECTORS];
        for (int v = 0; v < vectors; v++) {
            acc[v] = old[v] = vf_load(c + c_at[v * VEC_LANES / LW_PANEL] + v * VEC_LANES % LW_PANEL);
            if (h)
                h->c = heed_small(h->c, old[v]);
        }
        for (int n = 0; n < k; n++) {
            const vf a = vf_each(ss + n * stride + i);
            for (int v = 0; v < vectors; v++)
                acc[v] = vf_fma(a, b[n][v], acc[v]);
        }
        for (int v = 0; v < vectors; v++) {
            vf_store(d + d_at[v * VEC_LANES / LW_PANEL] + v * VEC_LANES % LW_PANEL,
                     vf_pick(vf_is_nan(acc[v]), nan, acc[v]));
            if (h)
                heeds_add(h, i, v * VEC_LANES, old[v], acc[v], padded);
        }
    }
}

VEC void fma32_heeding(const lw_panel_shape *s, const lw_panels *p, int k, int stride, bool padded)
{
    lw_panel_quiet quiet = { .c = true, .d = true };
    for (unsigned block = 0; block < s->blocks; block++) {
        used_lanes used;
        heeds h;
        heeds_begin(s, p, block, padded ? p->quiet->padded : LW_PADDED_NOT, &used, &h);
        fma32_block(s, p, block, k, stride, &h, padded);
        quiet.d &= !heeds_odd(&h);
        quiet.c &= !heed_found(h.c, LOOK_SUBNORMAL);
        const lw_panel_padded found = heeds_padded(s, &h);
        quiet.padded = found > quiet.padded ? found : quiet.padded;
    }
    *p->quiet = quiet;
}

#define FMA32(name_, k_, stride_)                                                                            \
    static lw_panel_result name_(const lw_panel_shape *s, const lw_panels *p)                                \
    {                                                                                                        \
        if (p->quiet && p->quiet->padded != LW_PADDED_NOT)                                                   \
            fma32_heeding(s, p, k_, stride_, true);                                                          \
        else if (p->quiet)                                                                                   \
            fma32_heeding(s, p, k_, stride_, false);                                                         \
        else                                                                                                 \
            for (unsigned block = 0; block < s->blocks; block++)                                             \
                fma32_block(s, p, block, k_, stride_, NULL, false);                                          \
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

enum { F64_MAX_K = 16, F64_SQUARES_K = 4, F64_HALVES = 2 * LW_PANEL / VEC_LANES };

/* Sixteen numbers from planes of words, in the order of vd_from_words. */
VEC void fma64_load(const uint32_t *low, const uint32_t *high, vd out[F64_HALVES])
{
    for (int n = 0; n < F64_HALVES; n++)
        out[n] = vd_from_words(vi_load(low + n / 2 * VEC_LANES), vi_load(high + n / 2 * VEC_LANES), n % 2);
}

/* The position of number i in that order. */
VEC int fma64_place(int i)
{
    return i / VEC_LANES * VEC_LANES + i % 4 / 2 * (VEC_LANES / 2) + i % VEC_LANES / 4 * 2 + i % 2;
}

VEC void fma64_store(uint32_t *low, uint32_t *high, const vd sum[F64_HALVES])
{
    vd kept[F64_HALVES];
    for (int n = 0; n < F64_HALVES; n++)
        kept[n] = vd_canonical(sum[n], NAN64);
    for (int n = 0; n < F64_HALVES; n += 2) {
        vi_store(low + n / 2 * VEC_LANES, vd_words(kept[n], kept[n + 1], 0));
        vi_store(high + n / 2 * VEC_LANES, vd_words(kept[n], kept[n + 1], 1));
    }
}

#if VEC_FMA64_LIMITED

/* Is any lane not zero? */
VEC bool fma64_doubts(vm doubt)
{
    return vm_any(vm_not(vi_eq(doubt, vi_all(0))));
}

/* Lanes whose numbers are neither zero nor have an exponent field from `least` to `most`. */
VEC vm fma64_outside(const uint32_t *low, const uint32_t *high, int least, int most)
{
    const vi size = vi_and(vi_load(high), vi_all(INT32_MAX));
    const vm zero = vi_eq(vi_or(size, vi_load(low)), vi_all(0));
    return vm_or(vi_gt(size, vi_all((most << 20) + 0xfffff)),
                 vm_and(vi_gt(vi_all(least << 20), size), vm_not(zero)));
}

/* Do all numbers allow exact emulated multiplication and addition? See d2_fma64. */
static bool fma64_takes(const lw_panel_shape *s, const lw_panels *p, unsigned runs)
{
    const unsigned s_words = s->blocks * (unsigned)s->s_words, v_words = s->blocks * (unsigned)s->v_words;
    vm outside = vm_none();
    for (unsigned lane = 0; lane < LW_PANEL; lane += VEC_LANES) {
        for (unsigned w = 0; w < s_words; w += 2)
            outside =
                vm_or(outside, fma64_outside(p->s + w * LW_PANEL + lane, p->s + (w + 1) * LW_PANEL + lane,
                                             FMA64_LEAST, FMA64_MOST));
        for (unsigned w = 0; w < v_words; w += 2)
            outside =
                vm_or(outside, fma64_outside(p->v + w * LW_PANEL + lane, p->v + (w + 1) * LW_PANEL + lane,
                                             FMA64_LEAST, FMA64_MOST));
        for (unsigned run = 0; run < runs; run += 2)
            outside = vm_or(outside, fma64_outside(p->c + p->c_at[run] + lane, p->c + p->c_at[run + 1] + lane,
                                                   0, FMA64_MOST_C));
    }
    return !vm_any(outside);
}

#else

typedef vd vd_factor;

VEC vd_factor vd_factor_of(vd a)
{
    return a;
}

static bool fma64_takes(const lw_panel_shape *s, const lw_panels *p, unsigned runs)
{
    (void)s, (void)p, (void)runs;
    return true;
}

#endif

/* A block: numbers of S by row (for squares, its factors); k factors of V. */
typedef struct fma64_task {
    union {
        _Alignas(64) double a[F64_MAX_K][LW_PANEL];
        vd_factor s[F64_SQUARES_K][F64_HALVES];
    };
    vd_factor b[F64_MAX_K][F64_HALVES];
} fma64_task;

/* The factor for the lanes of part h of V's number n, for row i. A square's four numbers are a pair of each
 * of two parts. */
VEC vd_factor fma64_factor(const fma64_task *t, int n, int h, int i, bool squares)
{
    if (!squares)
        return vd_factor_of(vd_all(t->a[n][fma64_place(i)]));
    return vd_of_pair(t->s[n][h / 2 * 2 + i / 2], i % 2);
}

VEC void fma64_row_exactly(const fma64_task *t, int i, int k, bool squares, vd sum[F64_HALVES])
{
    for (int n = 0; n < k; n++)
        for (int h = 0; h < F64_HALVES; h++)
            sum[h] = vd_fma(fma64_factor(t, n, h, i, squares), t->b[n][h], sum[h]);
}

VEC void fma64_row(const fma64_task *t, const lw_panels *p, unsigned run, int i, int k, bool squares)
{
    const uint32_t *low = p->c + p->c_at[run], *high = p->c + p->c_at[run + 1];
    vd sum[F64_HALVES];
    fma64_load(low, high, sum);
#if VEC_FMA64_LIMITED
    vm doubt = vm_none();
    for (int h = 0; h < F64_HALVES; h += 2)
        for (int n = 0; n < k; n++)
            vd_fma_likely(fma64_factor(t, n, h, i, squares), &t->b[n][h], &sum[h], &doubt);
    if (fma64_doubts(doubt)) {
        fma64_load(low, high, sum);
        fma64_row_exactly(t, i, k, squares, sum);
    }
#else
    fma64_row_exactly(t, i, k, squares, sum);
#endif
    fma64_store(p->d + p->d_at[run], p->d + p->d_at[run + 1], sum);
}

/* Factors of k numbers of a side. */
VEC void fma64_factors(const uint32_t *words, int k, vd_factor to[][F64_HALVES])
{
    vd half[F64_HALVES];
    for (int n = 0; n < k; n++) {
        fma64_load(words + 2 * n * LW_PANEL, words + (2 * n + 1) * LW_PANEL, half);
        for (int h = 0; h < F64_HALVES; h++)
            to[n][h] = vd_factor_of(half[h]);
    }
}

VEC void fma64_block(const lw_panel_shape *s, const lw_panels *p, unsigned block, int k)
{
    const uint32_t *words = p->s + (size_t)block * s->s_words * LW_PANEL;
    fma64_task t;
    vd half[F64_HALVES];
    fma64_factors(p->v + (size_t)block * s->v_words * LW_PANEL, k, t.b);
    for (int n = 0; n < k; n++) {
        fma64_load(words + 2 * n * LW_PANEL, words + (2 * n + 1) * LW_PANEL, half);
        for (int h = 0; h < F64_HALVES; h++)
            vd_store(&t.a[n][h * VEC_LANES / 2], half[h]);
    }
    for (int i = 0; i < s->s_count; i++)
        fma64_row(&t, p, 2 * (block * s->s_count + (unsigned)i), i, k, false);
}

#define FMA64(name_, k_)                                                                                     \
    static lw_panel_result name_(const lw_panel_shape *s, const lw_panels *p)                                \
    {                                                                                                        \
        if (!fma64_takes(s, p, 2u * s->blocks * s->s_count))                                                 \
            return LW_PANELS_NONE;                                                                           \
        for (unsigned block = 0; block < s->blocks; block++)                                                 \
            fma64_block(s, p, block, k_);                                                                    \
        return LW_PANELS_DONE;                                                                               \
    }
FMA64(fma64_4, 4)
FMA64(fma64_8, 8)
FMA64(fma64_16, 16)
#undef FMA64

static lw_panel_fn find_fma64(const lw_panel_shape *s)
{
    if (s->s_stride != LW_PANEL || s->v_count != LW_PANEL)
        return NULL;
    return s->k == 4 ? fma64_4 : s->k == 8 ? fma64_8 : s->k == F64_MAX_K ? fma64_16 : NULL;
}

#endif
