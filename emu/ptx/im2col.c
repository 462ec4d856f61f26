/* SPDX-License-Identifier: MIT */
/*
 * Tensor copies of pixels (im2col). The dimensions are channels, then one to three of space, then images. A
 * copy takes some channels of a number of pixels. It begins at its coordinates and walks through a box of
 * space, which the corners bound, in steps; the offsets are added to each pixel's place, and pixels that then
 * are outside the tensor read as zeros. PTX ISA 9.1, "Im2col mode"; CUDA driver API, cuTensorMapEncodeIm2col.
 * Where the driver puts these fields into a map is not published: they are where emu/ptx/tensor_map.c puts
 * them.
 */
#include "emu/ptx/tensor.h"
#include "emu/ptx/tensor_im2col.h"

static int32_t field(const uint8_t *map, unsigned at)
{
    int16_t v;
    memcpy(&v, map + at, sizeof(v));
    return v;
}

bool lw_ptx_im2col_read(const uint8_t *map, lw_ptx_tensor *t)
{
    uint32_t mark;
    memcpy(&mark, map + LW_IM2COL_MARK_AT, sizeof(mark));
    t->im2col = mark == LW_IM2COL_MARK;
    if (!t->im2col)
        return true;
    for (unsigned d = 0; d < LW_PTX_DIMS - 2; d++) {
        t->lower[d] = field(map, LW_IM2COL_LOWER_AT + 2 * d);
        t->upper[d] = field(map, LW_IM2COL_UPPER_AT + 2 * d);
    }
    t->box[0] = (uint32_t)field(map, LW_IM2COL_CHANNELS_AT);
    t->pixels = (uint32_t)field(map, LW_IM2COL_PIXELS_AT);
    return t->rank >= 3 && t->box[0] - 1 < LW_IM2COL_CHANNELS && t->pixels - 1 < LW_IM2COL_PIXELS;
}

static int64_t last(const lw_ptx_tensor *t, unsigned d)
{
    return (int64_t)t->dim[d] - 1 + t->upper[d - 1];
}

bool lw_ptx_im2col_begins(lw_ptx_warp *w, unsigned lane, const lw_ptx_tensor *t, const lw_ptx_corner *corner)
{
    for (unsigned d = 1; d + 1 < t->rank; d++)
        if (corner->at[d] < t->lower[d - 1] || corner->at[d] > last(t, d)) {
            lw_fault_say(
                &w->head, (int)lane,
                "an im2col copy begins at coordinate %lld of dimension %u; its box is from %d to %lld",
                (long long)corner->at[d], d, (int)t->lower[d - 1], (long long)last(t, d));
            return false;
        }
    return true;
}

static void next_pixel(const lw_ptx_tensor *t, int64_t *at)
{
    for (unsigned d = 1; d + 1 < t->rank; d++) {
        at[d] += t->step[d];
        if (at[d] <= last(t, d))
            return;
        at[d] = t->lower[d - 1];
    }
    at[t->rank - 1]++;
}

bool lw_ptx_im2col_add(lw_copy *copy, unsigned lane, const lw_ptx_tensor *t, uint64_t shared,
                       const lw_ptx_corner *corner, uint8_t kind)
{
    int64_t at[LW_PTX_DIMS];
    memcpy(at, corner->at, sizeof(at));
    for (uint32_t n = 0; n < t->pixels; n++) {
        uint64_t row = t->base;
        bool inside = true;
        for (unsigned d = 1; d < t->rank; d++) {
            const int64_t here = at[d] + (d + 1 < t->rank ? corner->plus[d - 1] : 0);
            inside = inside && here >= 0 && (uint64_t)here < t->dim[d];
            row += (uint64_t)here * t->stride[d];
        }
        if (!lw_ptx_tensor_row(copy, lane, t, shared + (uint64_t)n * t->box[0] * t->bytes, row, corner->at[0],
                               inside, kind))
            return false;
        next_pixel(t, at);
    }
    return true;
}
