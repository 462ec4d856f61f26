/* SPDX-License-Identifier: MIT */
/* Stage 1: one wave per tile of C, everything straight from global memory into registers. */
#include "mxfp4.h"

KERNEL WORKGROUP(64) void mxfp4_basic(bf16 *C, const bf16 *A, const u32x4 *B, const u8 *Bscale, u32 m, u32 n, u32 k)
{
    const u32 lane = lane_in_workgroup();
    const u32 tile_x = block_x(), tile_y = block_y();
    const u32 row = tile_y * TILE + lane % 16;
    const u32x4 *a = reinterpret_cast<const u32x4 *>(A + row * k + lane / 16 * BLOCK);

    f32x4 acc = {};
    for (u32 step = 0; step < k / STEP; step++, a += STEP / 8) {
        a_block in = {};
        if (row < m)
            for (int i = 0; i < 4; i++)
                in.quad[i] = a[i];
        const u32x4 b = B[code_index(tile_x, step, k, lane)];
        const u32 b_scale = Bscale[scale_offset(tile_x, step, k, lane) + scale_byte(tile_x, step)];
        acc = multiply<0>(quantize(in), b, b_scale, acc);
    }
    store_tile(C, acc, tile_y * TILE, tile_x * TILE, lane, m, n);
}
