/* SPDX-License-Identifier: MIT */
/* Power-of-two scales, one per 32 codes. Included after vec_*.h. */
#ifndef LW_EMU_FAST_PANEL_SCALES_H
#define LW_EMU_FAST_PANEL_SCALES_H

#include "emu/fast/panel.h"

/* If the exponents of the two sides add up to at most MOST_SCALES in magnitude, every grid and result of a
 * step is among the normal numbers of binary32; the same if each is at most MAX_SCALE. */
enum { MAX_SCALE = 30, MOST_SCALES = 2 * MAX_SCALE, SCALE_BLOCK = 32, SCALE_BIAS = 127, NAN_SCALE = 255 };

typedef struct side_scales {
    _Alignas(64) uint32_t x[LW_PANEL_MAX_SCALES]; /* exponents, [scale block][i] */
    int least, most;
    uint32_t bad; /* rows or columns with a NaN, or too far from 1 */
} side_scales;

/* Exponents of scales; `count` is a multiple of sixteen. False if one is far from 1 or a NaN. */
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

/* Lanes of a scale block whose codes are all +0: their scale does not matter. */
VEC vm scale_idle(const uint32_t *codes, int words, int stride)
{
    vi any = vi_all(0);
    for (int w = 0; w < words; w++)
        any = vi_or(any, vi_load(codes + w * stride));
    return vi_eq(any, vi_all(0));
}

/* The scales of one side; a scale block has as many words as a code has bits. */
static void take_scales(const uint32_t *scale, const uint32_t *image, int bits, int stride, int blocks,
                        side_scales *out)
{
    vi least = vi_all(0), most = least;
    out->bad = 0;
    for (int n = 0; n < blocks; n++)
        for (int lane = 0; lane < stride; lane += VEC_LANES) {
            const vi code = vi_load(scale + n * stride + lane);
            const vm nan = vi_eq(code, vi_all(NAN_SCALE)),
                     none = vm_or(nan, scale_idle(image + n * bits * stride + lane, bits, stride));
            const vi x = vi_pick(none, vi_all(0), vi_sub(code, vi_all(SCALE_BIAS)));
            vi_store(out->x + n * stride + lane, x);
            out->bad |= vm_bits(nan) << lane;
            least = vi_min(least, x);
            most = vi_max(most, x);
        }
    int32_t low[VEC_LANES], high[VEC_LANES];
    vi_store(low, least);
    vi_store(high, most);
    out->least = out->most = 0;
    for (int i = 0; i < VEC_LANES; i++) {
        out->least = low[i] < out->least ? low[i] : out->least;
        out->most = high[i] > out->most ? high[i] : out->most;
    }
}

/* Marks rows or columns with a scale far from 1 for the reference. */
static void leave_scales(int count, int stride, side_scales *which)
{
    for (int i = 0; i < count; i += VEC_LANES) {
        const vi x = vi_load(which->x + i);
        const vm far = vm_or(vi_gt(x, vi_all(MAX_SCALE)), vi_gt(vi_all(-MAX_SCALE), x));
        which->bad |= vm_bits(far) << i % stride;
        vi_store(which->x + i, vi_pick(far, vi_all(0), x));
    }
}

static void both_scales(const lw_panel_shape *shape, const lw_panels *p, side_scales *s, side_scales *v)
{
    const int blocks = shape->k / SCALE_BLOCK;
    take_scales(p->scale_s, p->s, shape->s->bits, shape->s_stride, blocks, s);
    take_scales(p->scale_v, p->v, shape->v->bits, shape->v_count, blocks, v);
    if (s->least + v->least >= -MOST_SCALES && s->most + v->most <= MOST_SCALES)
        return;
    leave_scales(blocks * shape->s_stride, shape->s_stride, s);
    leave_scales(blocks * shape->v_count, shape->v_count, v);
}

#endif
