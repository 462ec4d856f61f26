/* SPDX-License-Identifier: MIT */
/* Stages 2 to 4 differ only in the swizzle: one wave per tile, A staged through LDS, B into registers. */
#ifndef EXAMPLES_MXFP4_STAGED_H
#define EXAMPLES_MXFP4_STAGED_H

#include "mxfp4_lds.h"

template <swizzle_kind KIND>
DEVICE void gemm_staged(bf16 *C, const bf16 *A, const u32x4 *B, const u8 *Bscale, u32 m, u32 n, u32 k, u32x4 *tile)
{
    const u32 lane = lane_in_workgroup();
    const tile_position at = remapped_tile(block_x(), tile_count(m, n), m);
    const __amdgpu_buffer_rsrc_t a = buffer_over(A, m * k * sizeof(bf16));
    const auto source = a_tile_source<KIND>::of(at.y, k, lane);

    f32x4 acc = {};
    for (u32 step = 0; step < k / STEP; step++) {
        wait_lds(); /* the previous step's reads, before the tile is overwritten */
        source.load(a, tile, step);
        const u32x4 b = B[code_index(at.x, step, k, lane)];
        const u32 b_scale = Bscale[scale_offset(at.x, step, k, lane) + scale_byte(at.x, step)];
        wait_loads<0>();
        acc = multiply<0>(quantize(read_block<KIND>(tile, lane)), b, b_scale, acc);
    }
    store_tile(C, acc, at.y * TILE, at.x * TILE, lane, m, n);
}

#endif
