/* SPDX-License-Identifier: MIT */
/* FMA chains of binary64. Included after vec_*.h. */
#ifndef LW_EMU_FAST_PANEL_CHAIN64_H
#define LW_EMU_FAST_PANEL_CHAIN64_H

#include "emu/fast/panel_chain.h"

static const uint64_t NAN64 = UINT64_C(0x7ff8000000000000); /* LW_DOT_NAN64 */

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

/* Joins what a row has in C and D; examines D: `odd` accumulates its keys. */
VEC void fma64_heed(chain_heeds *h, int row, const fma64_words *c, const fma64_words *d, chain_mode mode,
                    vi odd[F64_PARTS])
{
    for (int n = 0; n < F64_PARTS; n++) {
        const vi both = vi_or(vi_or(c->low[n], c->high[n]), vi_or(d->low[n], d->high[n])), high = d->high[n];
        if (!chain_row(h, mode != CHAIN_PADDED || (h->used >> row & 1), n, both, mode))
            odd[n] = vi_max_u(odd[n], look_key(vi_add(high, high), LOOK_ODD, LEAST_NORMAL64));
    }
}

/* Is D odd in used rows, where it is not plainly zero? */
VEC bool fma64_odd(const chain_heeds *h, chain_mode mode, const vi odd[F64_PARTS])
{
    vi most = vi_all(0);
    for (int n = 0; n < F64_PARTS; n++) {
        const bool some = mode == CHAIN_PADDED && h->lanes;
        most = vi_max_u(most, some ? vi_pick(chain_plain(h, n), vi_all(0), odd[n]) : odd[n]);
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
        /* the first half of quarters' V is all of it */
        for (unsigned w = 1; w < v_words && !(s->quarters && lane); w += 2)
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

/* Whole vectors are as good. */
VEC vd vd_equal_halves(vd a)
{
    return a;
}

VEC vd_factor vd_equal_factors(vd_factor a)
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

/* What S and V are. Of quarters of a tile, squares 0 and 1 have the same rows of S, 0 and 2 the same columns
 * of V. */
typedef enum fma64_sides { F64_PANELS, F64_SQUARES, F64_QUARTERS } fma64_sides;

/* The different parts of V. */
VEC int fma64_v_parts(fma64_sides sides)
{
    return sides == F64_QUARTERS && F64_HALVES == 4 ? F64_HALVES / 2 : F64_HALVES;
}

/* The factor for the lanes of part h of V's number n, for row i. A square's four numbers are a pair of each
 * of two parts. */
VEC vd_factor fma64_factor(const fma64_task *t, int n, int h, int i, fma64_sides sides)
{
    if (sides == F64_PANELS)
        return vd_factor_of(vd_all(t->a[n][fma64_place(i)]));
    const vd_factor *four = &t->s[n][h / 2 * 2 + i / 2];
    return vd_of_pair(sides == F64_QUARTERS ? vd_equal_factors(*four) : *four, i % 2);
}

VEC void fma64_row_exactly(const fma64_task *t, int i, int k, fma64_sides sides, vd sum[F64_HALVES])
{
    const int parts = fma64_v_parts(sides);
    for (int n = 0; n < k; n++)
        for (int h = 0; h < F64_HALVES; h++)
            sum[h] = vd_fma(fma64_factor(t, n, h, i, sides), t->b[n][h % parts], sum[h]);
}

/* D of row i; `kept` as in lw_panel_quiet. */
VEC void fma64_row(const fma64_task *t, const lw_panels *p, unsigned run, int i, int k, fma64_sides sides,
                   uint32_t *kept, chain_mode mode, chain_heeds *h, vi odd[F64_PARTS])
{
    const uint32_t *low = p->c + p->c_at[run], *high = p->c + p->c_at[run + 1];
    uint32_t *d_low = p->d + p->d_at[run], *d_high = p->d + p->d_at[run + 1];
    vd sum[F64_HALVES];
    fma64_load(low, high, sum);
#if VEC_FMA64_LIMITED
    const int parts = fma64_v_parts(sides);
    vm doubt = vm_none();
    for (int n = 0; n < k; n++)
        for (int at = 0; at < F64_HALVES; at += 2)
            vd_fma_likely(fma64_factor(t, n, at, i, sides), &t->b[n][at % parts], &sum[at], &doubt);
    if (fma64_doubts(doubt)) {
        fma64_load(low, high, sum);
        fma64_row_exactly(t, i, k, sides, sum);
    }
#else
    fma64_row_exactly(t, i, k, sides, sum);
#endif
    if (mode == CHAIN_ALONE) {
        fma64_store(d_low, d_high, sum);
        return;
    }
    const fma64_words c = fma64_words_at(low, high), d = fma64_words_of(sum);
    if (kept)
        fma64_put(kept + run * LW_PANEL, kept + (run + 1) * LW_PANEL, &c);
    fma64_put(d_low, d_high, &d);
    fma64_heed(h, i, &c, &d, mode, odd);
}

/* Factors of the first parts of a side's k numbers. equal: the numbers of every two squares are the same. */
VEC void fma64_factors(const uint32_t *words, int k, int parts, bool equal, vd_factor to[][F64_HALVES])
{
    vd half[F64_HALVES];
    for (int n = 0; n < k; n++) {
        fma64_load(words + 2 * n * LW_PANEL, words + (2 * n + 1) * LW_PANEL, half);
        for (int h = 0; h < parts; h++)
            to[n][h] = vd_factor_of(equal ? vd_equal_halves(half[h]) : half[h]);
    }
}

/* True if D is odd where it is not plainly zero, apart from h->rest. */
VEC bool fma64_block(const lw_panel_shape *s, const lw_panels *p, unsigned block, int k, uint32_t *kept,
                     chain_mode mode, chain_heeds *h)
{
    const uint32_t *words = p->s + (size_t)block * (unsigned)(2 * k * LW_PANEL),
                   *v_words = p->v + (size_t)block * (unsigned)(2 * k * LW_PANEL);
    const int rows = s->s_count;
    fma64_task t;
    vd half[F64_HALVES];
    vi odd[F64_PARTS];
    for (int n = 0; n < F64_PARTS; n++)
        odd[n] = vi_all(0);
    fma64_factors(v_words, k, F64_HALVES, false, t.b);
    for (int n = 0; n < k; n++) {
        fma64_load(words + 2 * n * LW_PANEL, words + (2 * n + 1) * LW_PANEL, half);
        for (int at = 0; at < F64_HALVES; at++)
            vd_store(&t.a[n][at * VEC_LANES / 2], half[at]);
    }
    chain_begin(words, v_words, 2u * (unsigned)k, LW_PANEL, mode, h);
    for (int i = 0; i < rows; i++)
        fma64_row(&t, p, 2 * (block * (unsigned)rows + (unsigned)i), i, k, F64_PANELS, kept, mode, h, odd);
    return mode && fma64_odd(h, mode, odd);
}

/* Replaces NaNs of D. True if there may be any. */
LW_APART static bool fma64_settle(const lw_panels *p, unsigned runs)
{
    vi top = vi_all(0);
    for (unsigned run = 0; run < runs; run += 2) {
        uint32_t *low = p->d + p->d_at[run], *high = p->d + p->d_at[run + 1];
        vd d[F64_HALVES];
        for (int n = 0; n < F64_PARTS; n++) {
            const vi word = vi_load(high + n * VEC_LANES);
            top = vi_max_u(top, vi_add(word, word));
        }
        fma64_load(low, high, d);
        fma64_store(low, high, d);
    }
    return look_reached(top, INFINITE64);
}

VEC void fma64_heeding(const lw_panel_shape *s, const lw_panels *p, int k, chain_mode mode)
{
    lw_panel_quiet found = { .padded = LW_PADDED_NOT, .d = true };
    for (unsigned block = 0; block < s->blocks; block++) {
        chain_heeds h;
        const bool odd = fma64_block(s, p, block, k, p->quiet->kept, mode, &h);
        chain_found(s, &h, odd, &found);
    }
    chain_end(s, p, !found.d && fma64_settle(p, 2u * s->blocks * s->s_count), &found);
}

#define FMA64(name_, k_)                                                                                     \
    static lw_panel_result name_(const lw_panel_shape *s, const lw_panels *p)                                \
    {                                                                                                        \
        if (!fma64_takes(s, p, 2u * s->blocks * s->s_count))                                                 \
            return LW_PANELS_NONE;                                                                           \
        chain_heeds none;                                                                                    \
        if (p->quiet && p->quiet->padded != LW_PADDED_NOT)                                                   \
            fma64_heeding(s, p, k_, CHAIN_PADDED);                                                           \
        else if (p->quiet)                                                                                   \
            fma64_heeding(s, p, k_, CHAIN_HEEDS);                                                            \
        else                                                                                                 \
            for (unsigned block = 0; block < s->blocks; block++)                                             \
                fma64_block(s, p, block, k_, NULL, CHAIN_ALONE, &none);                                      \
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
