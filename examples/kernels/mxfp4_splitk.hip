/* SPDX-License-Identifier: MIT */
/*
 * Stage 7: for few tiles and long k. Four waves share a tile of C, each sums a consecutive quarter of k
 * (a multiple of 512); the partial sums meet in LDS and are added as f32 in wave order, so the result does
 * not depend on timing.
 */
#include "mxfp4_lds.h"

enum { WAVES = 4 };

KERNEL WORKGROUP(256) void mxfp4_splitk(bf16 *C, const bf16 *A, const u32x4 *B, const u8 *Bscale, u32 m, u32 n, u32 k)
{
    SHARED u32x4 tile[WAVES][TILE_QUADS];
    SHARED float partial[WAVES][TILE * TILE];

    const u32 item = lane_in_workgroup(), lane = item % WAVE;
    const u32 wave = __builtin_amdgcn_readfirstlane(item / WAVE);
    const tile_position at = remapped_tile(block_x(), tile_count(m, n), m);
    const __amdgpu_buffer_rsrc_t a = buffer_over(A, m * k * sizeof(bf16));
    const auto source = a_tile_source<SWIZZLE_FULL>::of(at.y, k, lane);
    const u32 steps = k / STEP / WAVES;

    f32x4 acc = {};
    for (u32 step = wave * steps; step < (wave + 1) * steps; step++) {
        wait_lds();
        source.load(a, tile[wave], step);
        const u32x4 b = B[code_index(at.x, step, k, lane)];
        const u32 b_scale = Bscale[scale_offset(at.x, step, k, lane) + scale_byte(at.x, step)];
        wait_loads<0>();
        acc = multiply<0>(quantize(read_block<SWIZZLE_FULL>(tile[wave], lane)), b, b_scale, acc);
    }

    *reinterpret_cast<f32x4 *>(&partial[wave][lane * 4]) = acc;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");

    const u32 row = item / 16, col = item % 16;
    const u32 place = (row / 4 * 16 + col) * 4 + row % 4; /* lane and register of that element */
    float sum = partial[0][place];
    for (u32 w = 1; w < WAVES; w++)
        sum += partial[w][place];
    if (at.y * TILE + row < m)
        C[(at.y * TILE + row) * n + at.x * TILE + col] = static_cast<bf16>(sum);
}
