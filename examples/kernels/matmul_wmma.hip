/* SPDX-License-Identifier: MIT */
/*
 * C[m][n] (f32) = A[m][k] * B[k][n] (f16) on gfx1201, tiled as iree-compile 3.6 tiles a linalg.matmul of 128
 * x 256 x 512: a workgroup computes 64 x 64 in steps of 128 k; its four subgroups of 32 lanes are arranged 2
 * x 2, and each computes 2 x 2 tiles of 16 x 16 with 8 WMMA per tile and step. Both operands are in LDS in
 * the same order as in memory, 32 KB together. m and n are multiples of 64, k of 128.
 */
#include "rt.h"

enum { TILE = 64, STEP = 128, LANES = 32, SUBGROUPS = 4, MMA = 16, TILES = 2 };

typedef vec<float, 8> f32x8;

DEVICE void meet()
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/* `rows` rows of `columns` halves, 16 bytes per lane. */
DEVICE void fetch(f16 *tile, u32 rows, u32 columns, const f16 *from, u32 pitch)
{
    for (u32 piece = lane_in_workgroup(); piece < rows * columns / 8; piece += SUBGROUPS * LANES) {
        const u32 row = piece / (columns / 8), at = piece % (columns / 8) * 8;
        *reinterpret_cast<f16x8 *>(tile + row * columns + at) = *reinterpret_cast<const f16x8 *>(from + row * pitch + at);
    }
}

/* Lane l holds row l % 16 of A, k from 8 * (l / 16) on. */
DEVICE f16x8 a_piece(const f16 *tile, u32 row, u32 k, u32 lane)
{
    return *reinterpret_cast<const f16x8 *>(tile + (row + lane % MMA) * STEP + k + lane / MMA * 8);
}

/* And column l % 16 of B, the same k. */
DEVICE f16x8 b_piece(const f16 *tile, u32 k, u32 column, u32 lane)
{
    f16x8 piece;
    for (u32 i = 0; i < 8; i++)
        piece[i] = tile[(k + lane / MMA * 8 + i) * TILE + column + lane % MMA];
    return piece;
}

KERNEL WORKGROUP(128) void matmul_wmma(float *C, const f16 *A, const f16 *B, u32 n, u32 k)
{
    SHARED f16 a_tile[TILE * STEP], b_tile[STEP * TILE];
    const u32 lane = lane_in_workgroup() % LANES, subgroup = lane_in_workgroup() / LANES;
    const u32 first_row = subgroup / 2 * TILES * MMA, first_column = subgroup % 2 * TILES * MMA;

    A += block_y() * TILE * k;
    B += block_x() * TILE;
    f32x8 acc[TILES][TILES] = {};
    for (u32 step = 0; step < k; step += STEP) {
        fetch(a_tile, TILE, STEP, A + step, k);
        fetch(b_tile, STEP, TILE, B + step * n, n);
        meet();
        for (u32 at = 0; at < STEP; at += MMA)
            for (u32 i = 0; i < TILES; i++)
                for (u32 j = 0; j < TILES; j++)
                    acc[i][j] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(
                        a_piece(a_tile, first_row + i * MMA, at, lane), b_piece(b_tile, at, first_column + j * MMA, lane),
                        acc[i][j]);
        meet();
    }
    C += (block_y() * TILE + first_row) * n + block_x() * TILE + first_column;
    for (u32 i = 0; i < TILES; i++)
        for (u32 j = 0; j < TILES; j++)
            for (u32 v = 0; v < 8; v++)
                C[(i * MMA + lane / MMA * 8 + v) * n + j * MMA + lane % MMA] = acc[i][j][v];
}
