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

/* After a block: adds what was found. `odd`, `small`: D is odd, C has a subnormal number, in used rows. */
VEC void chain_found(const lw_panel_shape *s, const heeds *h, bool odd, bool small, lw_panel_quiet *quiet)
{
    const bool rest = heeds_rest(h);
    const lw_panel_padded found = heeds_padded(s, h);
    quiet->d &= !odd && !rest;
    quiet->c &= !small && !rest;
    quiet->padded = found > quiet->padded ? found : quiet->padded;
}

/* As many columns as S has lanes. h: NULL if nobody asks; otherwise NaNs of D are left as they are. */
VEC void fma32_block(const lw_panel_shape *s, const lw_panels *p, unsigned block, int k, int stride, heeds *h,
                     bool padded)
{
    enum { MAX_VECTORS = 2 * LW_PANEL / VEC_LANES };
    const int panels = stride / LW_PANEL, vectors = stride / VEC_LANES, rows = s->s_count;
    const uint32_t *ss = p->s + (size_t)block * (unsigned)(k * stride),
                   *vs = p->v + (size_t)block * (unsigned)(k * stride), *c = p->c;
    const uint16_t *c_at = p->c_at + block * (unsigned)(rows * panels),
                   *d_at = p->d_at + block * (unsigned)(rows * panels);
    uint32_t *d = p->d;
    const vf nan = vf_from_bits(vi_all(NAN32));
    vf b[8][MAX_VECTORS];
    heed_lanes own[MAX_VECTORS];
    for (int n = 0; n < k; n++)
        for (int v = 0; v < vectors; v++)
            b[n][v] = vf_load(vs + n * stride + v * VEC_LANES);
    for (int v = 0; v < vectors; v++)
        own[v] = heed_lanes_none();
    for (int i = 0; i < rows; i++, c_at += panels, d_at += panels) {
        vf acc[MAX_VECTORS], old[MAX_VECTORS];
        for (int v = 0; v < vectors; v++) {
            acc[v] = old[v] = vf_load(c + c_at[v * VEC_LANES / LW_PANEL] + v * VEC_LANES % LW_PANEL);
            if (h && h->kept)
                vf_store(h->kept + ((int)block * rows + i) * stride + v * VEC_LANES, old[v]);
        }
        for (int n = 0; n < k; n++) {
            const vf a = vf_each(ss + n * stride + i);
            for (int v = 0; v < vectors; v++)
                acc[v] = vf_fma(a, b[n][v], acc[v]);
        }
        for (int v = 0; v < vectors; v++) {
            uint32_t *to = d + d_at[v * VEC_LANES / LW_PANEL] + v * VEC_LANES % LW_PANEL;
            vf_store(to, h ? acc[v] : vf_pick(vf_is_nan(acc[v]), nan, acc[v]));
            if (h)
                heeds_add(h, h->s_used >> i & 1, old[v], acc[v], padded, &own[v]);
        }
    }
    for (int v = 0; h && v < vectors; v++)
        heeds_end(h, v * VEC_LANES, padded, &own[v]);
}

VEC bool fma32_small(const uint32_t *image, int words)
{
    heed found = heed_none();
    for (int i = 0; i < words; i += VEC_LANES)
        found = heed_small(found, vf_load(image + i));
    return heed_found(found, LOOK_SUBNORMAL);
}

LW_APART static void fma32_settle(const lw_panels *p, unsigned runs)
{
    const vf nan = vf_from_bits(vi_all(NAN32));
    for (unsigned run = 0; run < runs; run++)
        for (int at = 0; at < LW_PANEL; at += VEC_LANES) {
            uint32_t *d = p->d + p->d_at[run] + at;
            vf_store(d, vf_pick(vf_is_nan(vf_load(d)), nan, vf_load(d)));
        }
}

VEC void fma32_heeding(const lw_panel_shape *s, const lw_panels *p, int k, int stride, bool padded)
{
    const lw_panel_padded asked = padded ? p->quiet->padded : LW_PADDED_NOT;
    lw_panel_quiet quiet = { .c = true, .d = true, .sides = true };
    const int words = s->blocks * k * stride;
    if (!p->quiet->sides)
        quiet.sides = !fma32_small(p->s, words) && !fma32_small(p->v, words);
    for (unsigned block = 0; block < s->blocks; block++) {
        used_lanes used;
        heeds h;
        used_find(s, p, block, asked, &used);
        heeds_begin(s, p, asked, used.s, used.v, &h);
        fma32_block(s, p, block, k, stride, &h, padded);
        chain_found(s, &h, heed_found(h.d, LOOK_ODD), heed_found(h.c, LOOK_SUBNORMAL), &quiet);
    }
    if (!quiet.d)
        fma32_settle(p, (unsigned)(s->blocks * s->s_count * (stride / LW_PANEL)));
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

enum { F64_MAX_K = 16, F64_SQUARES_K = 4, F64_HALVES = 2 * LW_PANEL / VEC_LANES, F64_PARTS = F64_HALVES / 2 };

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

/* Numbers as planes of words, a part of VEC_LANES lanes at a time. */
typedef struct fma64_words {
    vi low[F64_PARTS], high[F64_PARTS];
} fma64_words;

VEC fma64_words fma64_words_of(const vd sum[F64_HALVES])
{
    fma64_words w;
    for (int n = 0; n < F64_PARTS; n++) {
        w.low[n] = vd_words(sum[2 * n], sum[2 * n + 1], 0);
        w.high[n] = vd_words(sum[2 * n], sum[2 * n + 1], 1);
    }
    return w;
}

VEC fma64_words fma64_words_at(const uint32_t *low, const uint32_t *high)
{
    fma64_words w;
    for (int n = 0; n < F64_PARTS; n++) {
        w.low[n] = vi_load(low + n * VEC_LANES);
        w.high[n] = vi_load(high + n * VEC_LANES);
    }
    return w;
}

VEC void fma64_put(uint32_t *low, uint32_t *high, const fma64_words *w)
{
    for (int n = 0; n < F64_PARTS; n++) {
        vi_store(low + n * VEC_LANES, w->low[n]);
        vi_store(high + n * VEC_LANES, w->high[n]);
    }
}

VEC void fma64_store(uint32_t *low, uint32_t *high, const vd sum[F64_HALVES])
{
    vd kept[F64_HALVES];
    for (int n = 0; n < F64_HALVES; n++)
        kept[n] = vd_canonical(sum[n], NAN64);
    const fma64_words w = fma64_words_of(kept);
    fma64_put(low, high, &w);
}

/* What is accumulated of binary64 numbers over the used rows of S: as heed_lanes, by part; and over C. */
typedef struct fma64_heeds {
    vi d[F64_PARTS], all[F64_PARTS], small;
} fma64_heeds;

VEC void fma64_heed(heeds *h, int row, const fma64_words *c, const fma64_words *d, bool padded,
                    fma64_heeds *own)
{
    for (int n = 0; n < F64_PARTS; n++) {
        const vi both = vi_or(vi_or(c->low[n], c->high[n]), vi_or(d->low[n], d->high[n])), high = d->high[n];
        if (padded && !(h->s_used >> row & 1)) {
            h->rest = vi_or(h->rest, both);
            continue;
        }
        if (padded && h->v_used)
            own->all[n] = vi_or(own->all[n], both);
        if (h->asks_c)
            own->small = small64_add(own->small, c->low[n], c->high[n]);
        own->d[n] = vi_max_u(own->d[n], look_key(vi_add(high, high), LOOK_ODD, LEAST_NORMAL64));
    }
}

/* Is D odd in used rows, but for plain zeros? */
VEC bool fma64_odd(const heeds *h, bool padded, const fma64_heeds *own)
{
    vi most = vi_all(0);
    for (int n = 0; n < F64_PARTS; n++) {
        vi d = own->d[n];
        if (padded && h->v_used)
            d = vi_pick(vi_eq(vi_or(own->all[n], vi_load(h->v_used + n * VEC_LANES)), vi_all(0)), vi_all(0),
                        d);
        most = vi_max_u(most, d);
    }
    return look_reaches(most, LOOK_ODD, LEAST_NORMAL64, INFINITE64);
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

/* The least and the largest upper half of magnitudes' high words, in upper halves. */
typedef struct fma64_span {
    vi least, most;
} fma64_span;

VEC void fma64_add_span(fma64_span *span, const uint32_t *high)
{
    const vi size = vi_and(vi_load(high), vi_all(INT32_MAX));
    span->least = vi_min16(span->least, size);
    span->most = vi_max16(span->most, size);
}

/* Is an exponent field above `most`? */
VEC bool fma64_above(const fma64_span *span, int most)
{
    return vm_any(vi_gt(span->most, vi_all((most << 20) + 0xfffff)));
}

/* Do all numbers, none of which is zero, allow exact emulated multiplication and addition? See d2_fma64. */
VEC bool fma64_takes_all(const lw_panel_shape *s, const lw_panels *p, unsigned runs)
{
    const unsigned s_words = s->blocks * (unsigned)s->s_words, v_words = s->blocks * (unsigned)s->v_words;
    fma64_span sides = { vi_all(INT32_MAX), vi_all(0) }, c = sides;
    for (unsigned lane = 0; lane < LW_PANEL; lane += VEC_LANES) {
        for (unsigned w = 1; w < s_words; w += 2)
            fma64_add_span(&sides, p->s + w * LW_PANEL + lane);
        for (unsigned w = 1; w < v_words; w += 2)
            fma64_add_span(&sides, p->v + w * LW_PANEL + lane);
        for (unsigned run = 1; run < runs; run += 2)
            fma64_add_span(&c, p->c + p->c_at[run] + lane);
    }
    return !fma64_above(&sides, FMA64_MOST) && !fma64_above(&c, FMA64_MOST_C) &&
           !vm_any(vi_gt(vi_all(FMA64_LEAST << 20), sides.least));
}

/* The same with zeros. */
LW_APART static bool fma64_takes_zeros(const lw_panel_shape *s, const lw_panels *p, unsigned runs)
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

static bool fma64_takes(const lw_panel_shape *s, const lw_panels *p, unsigned runs)
{
    return fma64_takes_all(s, p, runs) || fma64_takes_zeros(s, p, runs);
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

/* h: NULL if nobody asks; otherwise NaNs are left as they are. */
VEC void fma64_row(const fma64_task *t, const lw_panels *p, unsigned run, int i, int k, bool squares,
                   heeds *h, bool padded, fma64_heeds *own)
{
    const uint32_t *low = p->c + p->c_at[run], *high = p->c + p->c_at[run + 1];
    uint32_t *d_low = p->d + p->d_at[run], *d_high = p->d + p->d_at[run + 1];
    vd sum[F64_HALVES];
    fma64_load(low, high, sum);
#if VEC_FMA64_LIMITED
    vm doubt = vm_none();
    for (int at = 0; at < F64_HALVES; at += 2)
        for (int n = 0; n < k; n++)
            vd_fma_likely(fma64_factor(t, n, at, i, squares), &t->b[n][at], &sum[at], &doubt);
    if (fma64_doubts(doubt)) {
        fma64_load(low, high, sum);
        fma64_row_exactly(t, i, k, squares, sum);
    }
#else
    fma64_row_exactly(t, i, k, squares, sum);
#endif
    if (!h) {
        fma64_store(d_low, d_high, sum);
        return;
    }
    const fma64_words c = fma64_words_at(low, high), d = fma64_words_of(sum);
    if (h->kept)
        fma64_put(h->kept + run * LW_PANEL, h->kept + (run + 1) * LW_PANEL, &c);
    fma64_put(d_low, d_high, &d);
    fma64_heed(h, i, &c, &d, padded, own);
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

VEC void fma64_block(const lw_panel_shape *s, const lw_panels *p, unsigned block, int k, heeds *h,
                     bool padded, fma64_heeds *own)
{
    const uint32_t *words = p->s + (size_t)block * s->s_words * LW_PANEL;
    const int rows = s->s_count;
    fma64_task t;
    vd half[F64_HALVES];
    fma64_factors(p->v + (size_t)block * s->v_words * LW_PANEL, k, t.b);
    for (int n = 0; n < k; n++) {
        fma64_load(words + 2 * n * LW_PANEL, words + (2 * n + 1) * LW_PANEL, half);
        for (int at = 0; at < F64_HALVES; at++)
            vd_store(&t.a[n][at * VEC_LANES / 2], half[at]);
    }
    for (int i = 0; i < rows; i++)
        fma64_row(&t, p, 2 * (block * (unsigned)rows + (unsigned)i), i, k, false, h, padded, own);
}

VEC bool fma64_small(const uint32_t *image, unsigned words)
{
    vi found = vi_all(0);
    for (unsigned w = 0; w < words; w += 2)
        for (int lane = 0; lane < LW_PANEL; lane += VEC_LANES)
            found = small64_add(found, vi_load(image + w * LW_PANEL + lane),
                                vi_load(image + (w + 1) * LW_PANEL + lane));
    return small64_found(found);
}

LW_APART static void fma64_settle(const lw_panels *p, unsigned runs)
{
    for (unsigned run = 0; run < runs; run += 2) {
        uint32_t *low = p->d + p->d_at[run], *high = p->d + p->d_at[run + 1];
        vd d[F64_HALVES];
        fma64_load(low, high, d);
        fma64_store(low, high, d);
    }
}

VEC void fma64_heeding(const lw_panel_shape *s, const lw_panels *p, int k, bool padded)
{
    const lw_panel_padded asked = padded ? p->quiet->padded : LW_PADDED_NOT;
    lw_panel_quiet quiet = { .c = true, .d = true, .sides = true };
    if (!p->quiet->sides)
        quiet.sides = !fma64_small(p->s, s->blocks * (unsigned)s->s_words) &&
                      !fma64_small(p->v, s->blocks * (unsigned)s->v_words);
    for (unsigned block = 0; block < s->blocks; block++) {
        used_lanes used;
        heeds h;
        fma64_heeds own = { .small = vi_all(0) };
        for (int n = 0; n < F64_PARTS; n++)
            own.d[n] = own.all[n] = vi_all(0);
        used_find(s, p, block, asked, &used);
        heeds_begin(s, p, asked, used.s, used.v, &h);
        fma64_block(s, p, block, k, &h, padded, &own);
        chain_found(s, &h, fma64_odd(&h, padded, &own), h.asks_c && small64_found(own.small), &quiet);
    }
    if (!quiet.d)
        fma64_settle(p, 2u * s->blocks * s->s_count);
    *p->quiet = quiet;
}

#define FMA64(name_, k_)                                                                                     \
    static lw_panel_result name_(const lw_panel_shape *s, const lw_panels *p)                                \
    {                                                                                                        \
        if (!fma64_takes(s, p, 2u * s->blocks * s->s_count))                                                 \
            return LW_PANELS_NONE;                                                                           \
        if (p->quiet && p->quiet->padded != LW_PADDED_NOT)                                                   \
            fma64_heeding(s, p, k_, true);                                                                   \
        else if (p->quiet)                                                                                   \
            fma64_heeding(s, p, k_, false);                                                                  \
        else                                                                                                 \
            for (unsigned block = 0; block < s->blocks; block++)                                             \
                fma64_block(s, p, block, k_, NULL, false, NULL);                                             \
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
