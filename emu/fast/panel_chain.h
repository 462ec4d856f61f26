/* SPDX-License-Identifier: MIT */
/* FMA chains, which the host's fused multiply-add computes by definition. Included behind vec_*.h. */
#ifndef LW_EMU_FAST_PANEL_CHAIN_H
#define LW_EMU_FAST_PANEL_CHAIN_H

#include "emu/fast/panel.h"

static const int NAN32 = 0x7fc00000;                        /* LW_DOT_NAN32 */
static const uint64_t NAN64 = UINT64_C(0x7ff8000000000000); /* LW_DOT_NAN64 */

VEC void fma32_block(const lw_panel_shape *s, const lw_panels *p, unsigned block, int k, int stride)
{
    const int panels = s->v_count / LW_PANEL;
    const uint32_t *ss = p->s + (size_t)block * (unsigned)k * (unsigned)stride,
                   *vs = p->v + (size_t)block * (unsigned)k * s->v_count;
    const vf nan = vf_from_bits(vi_all(NAN32));
    for (int lane = 0; lane < s->v_count; lane += VEC_LANES) {
        int run = (int)block * s->s_count * panels + lane / LW_PANEL;
        const int half = lane % LW_PANEL;
        vf b[8];
        for (int n = 0; n < k; n++)
            b[n] = vf_load(vs + n * s->v_count + lane);
        for (int i = 0; i < s->s_count; i++, run += panels) {
            vf acc = vf_load(p->c + p->c_at[run] + half);
            for (int n = 0; n < k; n++)
                acc = vf_fma(vf_each(ss + n * stride + i), b[n], acc);
            acc = vf_pick(vf_is_nan(acc), nan, acc);
            vf_store(p->d + p->d_at[run] + half, acc);
        }
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
        if (rows[i].k == s->k && rows[i].stride == s->s_stride)
            return rows[i].fn;
    return NULL;
}

enum { MAX_F64_K = 4 };

VEC void fma64_rows(const lw_panel_shape *s, const lw_panels *p, unsigned block, int lane, int k,
                    const uint64_t (*a)[LW_PANEL])
{
    const int half = lane % LW_PANEL;
    const uint32_t *vs = p->v + (size_t)block * s->v_words * s->v_count + lane;
    vd b[MAX_F64_K][2];
    for (int n = 0; n < k; n++)
        for (int h = 0; h < 2; h++)
            b[n][h] =
                vd_from_words(vi_load(vs + 2 * n * s->v_count), vi_load(vs + (2 * n + 1) * s->v_count), h);
    for (int i = 0; i < s->s_count; i++) {
        const int run = 2 * ((int)block * s->s_count + i);
        const vi low = vi_load(p->c + p->c_at[run] + half), high = vi_load(p->c + p->c_at[run + 1] + half);
        vd acc[2];
        for (int h = 0; h < 2; h++) {
            acc[h] = vd_from_words(low, high, h);
            for (int n = 0; n < k; n++)
                acc[h] = vd_fma(vd_each(&a[n][i]), b[n][h], acc[h]);
            acc[h] = vd_canonical(acc[h], NAN64);
        }
        vi_store(p->d + p->d_at[run] + half, vd_words(acc[0], acc[1], 0));
        vi_store(p->d + p->d_at[run + 1] + half, vd_words(acc[0], acc[1], 1));
    }
}

static lw_panel_result fma64_4(const lw_panel_shape *s, const lw_panels *p)
{
    for (unsigned block = 0; block < s->blocks; block++) {
        const uint32_t *ss = p->s + (size_t)block * s->s_words * s->s_stride;
        _Alignas(64) uint64_t bits[MAX_F64_K][LW_PANEL];
        for (int n = 0; n < 4; n++)
            for (int i = 0; i < LW_PANEL; i++)
                bits[n][i] = ss[2 * n * LW_PANEL + i] | (uint64_t)ss[(2 * n + 1) * LW_PANEL + i] << 32;
        for (int lane = 0; lane < LW_PANEL; lane += VEC_LANES)
            fma64_rows(s, p, block, lane, 4, (const uint64_t(*)[LW_PANEL])bits);
    }
    return LW_PANELS_DONE;
}

static lw_panel_fn find_fma64(const lw_panel_shape *s)
{
    return s->k == 4 && s->s_stride == LW_PANEL && s->v_count == LW_PANEL ? fma64_4 : NULL;
}

#endif
