/* SPDX-License-Identifier: MIT */
/*
 * C[m][n] (f32) = A[m][k] * B[n][k] (f16). Four waves share a tile of 64 x 64; each computes 32 x 32 of it by
 * v_mfma_f32_32x32x16_f16. Both operands go through LDS, 64 k per step, with each row shifted by eight halves
 * so that rows use different banks. m, n and k are multiples of 64.
 */
#include "rt.h"

enum { TILE = 64, STEP = 64, PITCH = STEP + 8 };

typedef vec<float, 16> f32x16;

DEVICE void meet()
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/* 64 rows of 64 halves by 256 lanes: two 16-byte pieces each. */
DEVICE void fetch(f16 *tile, const f16 *from, u32 k)
{
    for (u32 piece = lane_in_workgroup(); piece < TILE * STEP / 8; piece += 256) {
        const u32 row = piece / 8, at = piece % 8 * 8;
        *reinterpret_cast<f16x8 *>(tile + row * PITCH + at) = *reinterpret_cast<const f16x8 *>(from + row * k + at);
    }
}

KERNEL WORKGROUP(256) void gemm_f16(float *C, const f16 *A, const f16 *B, u32 n, u32 k)
{
    SHARED f16 a_tile[TILE * PITCH], b_tile[TILE * PITCH];
    const u32 lane = lane_in_workgroup() % 64, wave = lane_in_workgroup() / 64;
    const u32 first_row = wave / 2 * 32, first_col = wave % 2 * 32;

    A += block_y() * TILE * k;
    B += block_x() * TILE * k;
    const f16 *a_at = a_tile + (first_row + lane % 32) * PITCH + lane / 32 * 8;
    const f16 *b_at = b_tile + (first_col + lane % 32) * PITCH + lane / 32 * 8;
    f32x16 acc = {};
    for (u32 step = 0; step < k; step += STEP) {
        fetch(a_tile, A + step, k);
        fetch(b_tile, B + step, k);
        meet();
        for (u32 at = 0; at < STEP; at += 16)
            acc = __builtin_amdgcn_mfma_f32_32x32x16_f16(*reinterpret_cast<const f16x8 *>(a_at + at),
                                                         *reinterpret_cast<const f16x8 *>(b_at + at), acc, 0, 0, 0);
        meet();
    }
    C += (block_y() * TILE + first_row) * n + block_x() * TILE + first_col + lane % 32;
    for (u32 v = 0; v < 16; v++)
        C[(8 * (v / 4) + 4 * (lane / 32) + v % 4) * n] = acc[v];
}
