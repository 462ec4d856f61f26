/* SPDX-License-Identifier: MIT */
/* Stage 8: as stage 5, with an epilogue that transposes the tile by ds_read_b64_tr_b16 and stores 8 bytes per
 * lane. */
#include "mxfp4_pipeline.h"

/*
 * A lane holds four rows of one column. Column c of each group of 16 lanes is written to slot
 * 4*(c % 4) + c / 4; the transposing read then hands lane L row L % 4, columns 4*(L/4 % 4) and on.
 */
DEVICE bf16x4 transpose_tile(f32x4 acc, bf16x4 *scratch, u32 lane)
{
    scratch[(lane & ~15u) + lane % 4 * 4 + lane / 4 % 4] = { static_cast<bf16>(acc.x), static_cast<bf16>(acc.y),
                                                             static_cast<bf16>(acc.z), static_cast<bf16>(acc.w) };
    wait_lds();
    return __builtin_amdgcn_ds_read_tr16_b64_v4bf16((__attribute__((address_space(3))) bf16x4 *)scratch + lane);
}

KERNEL WORKGROUP(64) void mxfp4_transposed(bf16 *C, const bf16 *A, const u32x4 *B, const u8 *Bscale, u32 m, u32 n,
                                           u32 k)
{
    SHARED step_buffer buffer[2];
    SHARED bf16x4 scratch[WAVE];
    const tile_position at = remapped_tile(block_x(), tile_count(m, n), m);
    const pipeline p = pipeline_for(at, A, B, Bscale, m, n, k);

    const bf16x4 quad = transpose_tile(accumulate_tile(p, buffer), scratch, p.lane);
    const u32 row = at.y * TILE + p.lane / 16 * 4 + p.lane % 4;
    const u32 col = at.x * TILE + p.lane / 4 % 4 * 4;
    if (row < m) /* only now: the transposing read needs every lane */
        *reinterpret_cast<bf16x4 *>(C + row * n + col) = quad;
}
