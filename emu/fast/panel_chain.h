/* SPDX-License-Identifier: MIT */
/*
 * FMA chains, which a fused multiply-add computes by definition: the host's, or one made of other operations
 * (panel_chain64.h: binary64). Included after vec_*.h.
 */
#ifndef LW_EMU_FAST_PANEL_CHAIN_H
#define LW_EMU_FAST_PANEL_CHAIN_H

#include "emu/fast/panel_quiet.h"

static const int NAN32 = 0x7fc00000; /* LW_DOT_NAN32 */

/* What a chain does besides its arithmetic. */
typedef enum chain_mode {
    CHAIN_ALONE,  /* nobody asks: NaNs of D are set right at once */
    CHAIN_HEEDS,  /* notices where D is odd, and leaves its NaNs as they are */
    CHAIN_PADDED, /* the same, and sets plain zeros apart */
} chain_mode;

/* What a chain finds out about a block; `part` of VEC_LANES lanes. */
enum { CHAIN_PARTS = 2 * LW_PANEL / VEC_LANES };
typedef struct chain_heeds {
    uint64_t used;         /* rows of S that are not all +0 */
    bool lanes;            /* some lanes of V are all +0 */
    vm plain[CHAIN_PARTS]; /* those lanes */
    vi all[CHAIN_PARTS];   /* if there are any: C and D in used rows, joined */
    vi rest;               /* C and D in unused rows, joined */
} chain_heeds;

/* Before a block: finds unused rows of S and lanes of V. */
VEC void chain_begin(const uint32_t *ss, const uint32_t *vs, unsigned words, int stride, chain_mode mode,
                     chain_heeds *h)
{
    h->rest = vi_all(0);
    h->lanes = false;
    h->used = UINT64_MAX;
    if (mode != CHAIN_PADDED)
        return;
    h->used = rows_used(ss, words, (unsigned)stride);
    for (int v = 0; v < stride / VEC_LANES; v++) {
        h->all[v] = vi_all(0);
        h->plain[v] = vi_eq(joined_words(vs + v * VEC_LANES, words, (unsigned)stride), vi_all(0));
        h->lanes |= vm_any(h->plain[v]);
    }
}

/* C and D of a row, joined. False if D must also be examined. */
VEC bool chain_row(chain_heeds *h, bool used, int part, vi both, chain_mode mode)
{
    if (!used)
        h->rest = vi_or(h->rest, both);
    else if (mode == CHAIN_PADDED && h->lanes)
        h->all[part] = vi_or(h->all[part], both);
    return !used;
}

/* After a block: lanes whose zeros are plain. */
VEC vm chain_plain(const chain_heeds *h, int part)
{
    return vm_and(h->plain[part], vi_eq(h->all[part], vi_all(0)));
}

/* After a block; odd: D is, in used rows, where it is not plainly zero. */
VEC void chain_found(const lw_panel_shape *s, const chain_heeds *h, bool odd, lw_panel_quiet *quiet)
{
    quiet->d &= !odd && !vm_any(vm_not(vi_eq(h->rest, vi_all(0))));
    if (h->lanes)
        quiet->padded = LW_PADDED_LANES;
    else if (quiet->padded == LW_PADDED_NOT && (~h->used & ((UINT64_C(1) << s->s_count) - 1)))
        quiet->padded = LW_PADDED_ROWS;
}

/*
 * After the last block; nan: D has a NaN. With shape->flags, the host's flag tells of C, S and V: each number
 * is an operand of a fused multiply-add, and nothing but a NaN, which then stays in the chain, prevents the
 * flag.
 */
VEC void chain_end(const lw_panel_shape *s, const lw_panels *p, bool nan, const lw_panel_quiet *found)
{
    const bool tells = s->flags && !nan;
    *p->quiet = (lw_panel_quiet){ .padded = found->padded,
                                  .c = p->quiet->c || tells,
                                  .sides = p->quiet->sides || tells,
                                  .by_flag = tells && !(p->quiet->c && p->quiet->sides),
                                  .d = found->d };
}

/* A block; `kept` as in lw_panel_quiet, for the block. */
typedef struct fma32_task {
    vf b[8][CHAIN_PARTS];
    const uint32_t *a, *c; /* a: [k][stride] */
    const uint16_t *c_at, *d_at;
    uint32_t *d, *kept;
    heed odd[CHAIN_PARTS];
    chain_heeds heeds;
} fma32_task;

/* Row i. */
VEC void fma32_row(fma32_task *t, int i, int k, int stride, bool used, chain_mode mode)
{
    const int panels = stride / LW_PANEL, vectors = stride / VEC_LANES;
    const vf nan = vf_from_bits(vi_all(NAN32));
    vf acc[CHAIN_PARTS], old[CHAIN_PARTS];
    for (int v = 0; v < vectors; v++) {
        const uint16_t from = t->c_at[i * panels + v * VEC_LANES / LW_PANEL];
        acc[v] = old[v] = vf_load(t->c + from + v * VEC_LANES % LW_PANEL);
        if (mode && t->kept)
            vf_store(t->kept + i * stride + v * VEC_LANES, old[v]);
    }
    for (int n = 0; n < k; n++) {
        const vf a = vf_each(t->a + n * stride + i);
        for (int v = 0; v < vectors; v++)
            acc[v] = vf_fma(a, t->b[n][v], acc[v]);
    }
    for (int v = 0; v < vectors; v++) {
        uint32_t *to = t->d + t->d_at[i * panels + v * VEC_LANES / LW_PANEL] + v * VEC_LANES % LW_PANEL;
        vf_store(to, mode ? acc[v] : vf_pick(vf_is_nan(acc[v]), nan, acc[v]));
        if (mode && !chain_row(&t->heeds, used, v, vi_or(vf_bits(old[v]), vf_bits(acc[v])), mode))
            t->odd[v] = heed_odd(t->odd[v], acc[v]);
    }
}

VEC void fma32_four(fma32_task *t, int i, int k, int stride, bool used, chain_mode mode)
{
    fma32_row(t, i, k, stride, used, mode);
    fma32_row(t, i + 1, k, stride, used, mode);
    fma32_row(t, i + 2, k, stride, used, mode);
    fma32_row(t, i + 3, k, stride, used, mode);
}

/* Rows of S that meet no infinity or NaN leave a C of +0 as it is. A used row shows V to the host's flag. */
VEC bool fma32_leaves(const fma32_task *t, int k, int vectors)
{
    vi top = vi_all(0);
    for (int v = 0; v < vectors; v++)
        for (int n = 0; n < k; n++)
            top = vi_max16(top, vf_bits(vf_abs(t->b[n][v])));
    return t->heeds.used && !vm_any(vi_gt(top, vi_all(INFINITE - 1)));
}

/* Are four rows of C +0? They then are in D and among those kept. */
VEC bool fma32_left(const fma32_task *t, int i, int stride)
{
    const int panels = stride / LW_PANEL;
    vi any = vi_all(0);
    for (int run = i * panels; run < (i + 4) * panels; run++)
        for (int at = 0; at < LW_PANEL; at += VEC_LANES)
            any = vi_or(any, vi_load(t->c + t->c_at[run] + at));
    if (vm_any(vm_not(vi_eq(any, vi_all(0)))))
        return false;
    for (int run = i * panels; run < (i + 4) * panels; run++)
        for (int at = 0; at < LW_PANEL; at += VEC_LANES) {
            vi_store(t->d + t->d_at[run] + at, any);
            if (t->kept)
                vi_store(t->kept + run * LW_PANEL + at, any);
        }
    return true;
}

/* Unused rows follow each other: four at a time. */
VEC void fma32_padded(fma32_task *t, int k, int stride)
{
    /* sixteen lanes at once: computing them takes no longer than looking */
    const bool leaves = VEC_LANES < 16 && fma32_leaves(t, k, stride / VEC_LANES);
    for (int i = 0; i < stride; i += 4) {
        const unsigned used = (unsigned)(t->heeds.used >> i) & 15;
        if (used == 15)
            fma32_four(t, i, k, stride, true, CHAIN_PADDED);
        else if (used == 0 && leaves && fma32_left(t, i, stride))
            continue;
        else if (used == 0)
            fma32_four(t, i, k, stride, false, CHAIN_PADDED);
        else
            for (int n = i; n < i + 4; n++)
                fma32_row(t, n, k, stride, t->heeds.used >> n & 1, CHAIN_PADDED);
    }
}

/* As many rows and columns as S has lanes. True if D is odd where it is not plainly zero, apart from h->rest.
 */
VEC bool fma32_block(const lw_panels *p, unsigned block, int k, int stride, uint32_t *kept, chain_mode mode,
                     chain_heeds *h)
{
    const int panels = stride / LW_PANEL, vectors = stride / VEC_LANES;
    const uint32_t *ss = p->s + (size_t)block * (unsigned)(k * stride),
                   *vs = p->v + (size_t)block * (unsigned)(k * stride);
    const unsigned first = block * (unsigned)(stride * panels);
    fma32_task t = { .a = ss,
                     .c = p->c,
                     .c_at = p->c_at + first,
                     .d_at = p->d_at + first,
                     .d = p->d,
                     .kept = kept ? kept + first * LW_PANEL : NULL };
    for (int v = 0; v < vectors; v++) {
        t.odd[v] = heed_none();
        for (int n = 0; n < k; n++)
            t.b[n][v] = vf_load(vs + n * stride + v * VEC_LANES);
    }
    chain_begin(ss, vs, (unsigned)k, stride, mode, &t.heeds);
    if (mode == CHAIN_PADDED)
        fma32_padded(&t, k, stride);
    else
        for (int i = 0; i < stride; i++)
            fma32_row(&t, i, k, stride, true, mode);
    heed any = heed_none();
    for (int v = 0; mode && v < vectors; v++)
        any = heed_both(any, mode == CHAIN_PADDED && t.heeds.lanes
                                 ? heed_without(t.odd[v], chain_plain(&t.heeds, v))
                                 : t.odd[v]);
    *h = t.heeds;
    return mode && heed_found(any, LOOK_ODD);
}

/* Replaces NaNs of D. True if there are any. */
LW_APART static bool fma32_settle(const lw_panels *p, unsigned runs)
{
    const vf nan = vf_from_bits(vi_all(NAN32));
    vm any = vm_none();
    for (unsigned run = 0; run < runs; run++)
        for (int at = 0; at < LW_PANEL; at += VEC_LANES) {
            uint32_t *d = p->d + p->d_at[run] + at;
            const vm nans = vf_is_nan(vf_load(d));
            vf_store(d, vf_pick(nans, nan, vf_load(d)));
            any = vm_or(any, nans);
        }
    return vm_any(any);
}

VEC void fma32_heeding(const lw_panel_shape *s, const lw_panels *p, int k, int stride, chain_mode mode)
{
    lw_panel_quiet found = { .padded = LW_PADDED_NOT, .d = true };
    for (unsigned block = 0; block < s->blocks; block++) {
        chain_heeds h;
        const bool odd = fma32_block(p, block, k, stride, p->quiet->kept, mode, &h);
        chain_found(s, &h, odd, &found);
    }
    const unsigned runs = (unsigned)(s->blocks * s->s_count * (stride / LW_PANEL));
    chain_end(s, p, !found.d && fma32_settle(p, runs), &found);
}

#define FMA32(name_, k_, stride_)                                                                            \
    LW_APART static void name_##_padded(const lw_panel_shape *s, const lw_panels *p)                         \
    {                                                                                                        \
        fma32_heeding(s, p, k_, stride_, CHAIN_PADDED);                                                      \
    }                                                                                                        \
    static lw_panel_result name_(const lw_panel_shape *s, const lw_panels *p)                                \
    {                                                                                                        \
        chain_heeds none;                                                                                    \
        if (p->quiet && p->quiet->padded != LW_PADDED_NOT)                                                   \
            name_##_padded(s, p);                                                                            \
        else if (p->quiet)                                                                                   \
            fma32_heeding(s, p, k_, stride_, CHAIN_HEEDS);                                                   \
        else                                                                                                 \
            for (unsigned block = 0; block < s->blocks; block++)                                             \
                fma32_block(p, block, k_, stride_, NULL, CHAIN_ALONE, &none);                                \
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
        if (rows[i].k == s->k && rows[i].stride == s->s_stride && s->v_count == s->s_stride &&
            s->s_count == s->s_stride)
            return rows[i].fn;
    return NULL;
}

#endif
