/* SPDX-License-Identifier: MIT */
/* The double-buffered loop: while one step is quantized and multiplied, the next one is being loaded into
 * LDS. */
#ifndef EXAMPLES_MXFP4_PIPELINE_H
#define EXAMPLES_MXFP4_PIPELINE_H

#include "mxfp4_lds.h"

struct step_buffer {
    u32x4 a[TILE_QUADS];
    u32x4 b[WAVE];
    u32 b_scale[WAVE];
};

enum { B_LOADS = 2, STEP_LOADS = A_LOADS + B_LOADS };

struct pipeline {
    __amdgpu_buffer_rsrc_t a, b, b_scale;
    a_tile_source<SWIZZLE_FULL> source;
    tile_position at;
    u32 k, lane;

    __attribute__((device, always_inline)) void load(step_buffer &to, u32 step) const
    {
        __builtin_amdgcn_s_setprio(1); /* get the requests out before other waves compute */
        source.load(a, to.a, step);
        load_quads_to_lds(b, to.b, lane * 16, code_index(at.x, step, k, 0) * 16);
        load_words_to_lds(b_scale, to.b_scale, lane * 4, scale_offset(at.x, step, k, 0));
        __builtin_amdgcn_s_setprio(0);
    }

    /* LATER loads of the following step are in flight after this one's; loads complete in order. */
    template <int LATER>
    __attribute__((device, always_inline)) f32x4 compute(const step_buffer &from, u32 step, f32x4 acc) const
    {
        wait_loads<LATER + B_LOADS>();
        const fp4_block q = quantize(read_block<SWIZZLE_FULL>(from.a, lane));
        wait_loads<LATER>();
        const u32 b_scale = from.b_scale[lane] >> scale_byte(at.x, step) * 8;
        const u32x4 b = from.b[lane];
        wait_lds(); /* nothing may still be read when the next load overwrites this buffer */
        return multiply<0>(q, b, b_scale, acc);
    }
};

DEVICE f32x4 accumulate_tile(const pipeline &p, step_buffer *buffer)
{
    const u32 steps = p.k / STEP;
    f32x4 acc = {};
    p.load(buffer[0], 0);
    for (u32 step = 1; step < steps; step++) {
        p.load(buffer[step & 1], step);
        acc = p.compute<STEP_LOADS>(buffer[(step - 1) & 1], step - 1, acc);
    }
    return p.compute<0>(buffer[(steps - 1) & 1], steps - 1, acc);
}

DEVICE pipeline pipeline_for(tile_position at, const bf16 *A, const u32x4 *B, const u8 *Bscale, u32 m, u32 n,
                             u32 k)
{
    const u32 lane = lane_in_workgroup();
    return { buffer_over(A, m * k * sizeof(bf16)),
             buffer_over(B, n * k / 2),
             buffer_over(Bscale, n * k / BLOCK),
             a_tile_source<SWIZZLE_FULL>::of(at.y, k, lane),
             at,
             k,
             lane };
}

#endif
