/* SPDX-License-Identifier: MIT */
/*
 * Stage 6: four waves compute 32 x 32 of C, 256 k at a time. The block of A has four tiles (two row tiles,
 * two halves of k); each wave quantizes one and shares it through LDS, so no tile is quantized twice.
 */
#include "mxfp4_lds.h"

struct shared_step {
    u32x4 code[4][WAVE];
    u32 scale[4][WAVE];
};

DEVICE void wait_workgroup() { asm volatile("s_waitcnt lgkmcnt(0)\n\ts_barrier" : : : "memory"); }

DEVICE void publish(shared_step &to, const fp4_block &q, u32 wave, u32 lane)
{
    to.code[wave][lane] = { q.code[0], q.code[1], q.code[2], q.code[3] };
    to.scale[wave][lane] = q.scale;
}

DEVICE fp4_block fetch(const shared_step &from, u32 wave, u32 lane)
{
    const u32x4 code = from.code[wave][lane];
    return { { code.x, code.y, code.z, code.w }, from.scale[wave][lane] };
}

/* What a wave needs of B for 256 k: its column's codes for both halves, the scales of all four tiles. */
struct b_pair {
    u32x4 code[2];
    u32 scales;
};

DEVICE b_pair load_b(const u32x4 *B, const u8 *Bscale, u32 tile_x, u32 pair, u32 k, u32 lane)
{
    return { { B[code_index(tile_x, pair * 2, k, lane)], B[code_index(tile_x, pair * 2 + 1, k, lane)] },
             *reinterpret_cast<const u32 *>(Bscale + scale_offset(tile_x, pair * 2, k, lane)) };
}

KERNEL WORKGROUP(256) void mxfp4_blocked(bf16 *C, const bf16 *A, const u32x4 *B, const u8 *Bscale, u32 m, u32 n,
                                         u32 k)
{
    SHARED u32x4 raw[4][TILE_QUADS];
    SHARED shared_step quantized[2]; /* two, so that one barrier per step is enough */

    const u32 lane = lane_in_workgroup() % WAVE;
    const u32 wave = __builtin_amdgcn_readfirstlane(lane_in_workgroup() / WAVE);
    const u32 tile_x = block_x() * 2 + (wave & 1), tile_y = block_y() * 2 + (wave >> 1);
    const u32 half = wave & 1; /* the half of k whose tile of A this wave quantizes */
    const __amdgpu_buffer_rsrc_t a = buffer_over(A, m * k * sizeof(bf16));
    const auto source = a_tile_source<SWIZZLE_FULL>::of(tile_y, k, lane);

    f32x4 acc = {};
    source.load(a, raw[wave], half);
    for (u32 pair = 0; pair < k / 256; pair++) {
        const b_pair b = load_b(B, Bscale, tile_x, pair, k, lane);
        wait_loads<0>();
        const a_block values = read_block<SWIZZLE_FULL>(raw[wave], lane);
        wait_lds();
        if (pair + 1 < k / 256)
            source.load(a, raw[wave], (pair + 1) * 2 + half);

        shared_step &step = quantized[pair & 1];
        const fp4_block own = quantize(values);
        publish(step, own, wave, lane);
        wait_workgroup();
        const fp4_block other = fetch(step, wave ^ 1, lane);

        /* From (half of k, half of n) to (half of n, half of k): the wave's two scales become bytes 0 and 1. */
        const u32 scales = __builtin_amdgcn_perm(b.scales, b.scales, 0x03010200) >> half * 16;
        acc = multiply<0>(half ? other : own, b.code[0], scales, acc);
        acc = multiply<1>(half ? own : other, b.code[1], scales, acc);
    }
    store_tile(C, acc, tile_y * TILE, tile_x * TILE, lane, m, n);
}
