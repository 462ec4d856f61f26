/* SPDX-License-Identifier: MIT */
/*
 * Stage 5: double-buffered, all operands direct to LDS, wait counts by hand. Built twice: plain, and as
 * mxfp4_preload.co with -amdgpu-kernarg-preload-count, where the arguments arrive in scalar registers.
 */
#include "mxfp4_pipeline.h"

KERNEL WORKGROUP(64) void mxfp4_double(bf16 *C, const bf16 *A, const u32x4 *B, const u8 *Bscale, u32 m, u32 n, u32 k)
{
    SHARED step_buffer buffer[2];
    const tile_position at = remapped_tile(block_x(), tile_count(m, n), m);
    const pipeline p = pipeline_for(at, A, B, Bscale, m, n, k);
    store_tile(C, accumulate_tile(p, buffer), at.y * TILE, at.x * TILE, p.lane, m, n);
}
