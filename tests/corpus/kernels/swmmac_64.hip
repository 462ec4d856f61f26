/* SPDX-License-Identifier: MIT */
/* Sparse matrix instructions of gfx12 in waves of 64 lanes: each quarter of the wave has four stored k. */
#include "sparse.h"

typedef vec<f16, 4> f16x4;
typedef vec<f16, 8> f16x8;
typedef vec<short, 4> i16x4;
typedef vec<short, 8> i16x8;
typedef vec<float, 4> f32x4;
typedef vec<int, 2> i32x2;
typedef vec<int, 4> i32x4;

template <class Out, class Acc> DEVICE void store(Out *c, Acc acc, u32 n)
{
    const u32 quarter = lane() / 16, first = quarter % 2 * 8 + quarter / 2 * 4;
    for (u32 v = 0; v < 4; v++)
        c[(group_y() * 16 + first + v) * n + group() * 16 + lane() % 16] = acc[v];
}

SPARSE(sparse_f16, 64, 4, f16, f16x4, f16x8, float, f32x4, __builtin_amdgcn_swmmac_f32_16x16x32_f16_w64(p, q, acc, (short)index))
SPARSE(sparse_bf16, 64, 4, short, i16x4, i16x8, float, f32x4, __builtin_amdgcn_swmmac_f32_16x16x32_bf16_w64(p, q, acc, (short)index))
SPARSE(sparse_i8, 64, 4, i8, int, i32x2, int, i32x4,
       __builtin_amdgcn_swmmac_i32_16x16x32_iu8_w64(true, p, true, q, acc, (short)index, false))
SPARSE(sparse_fp8, 64, 4, u8, int, i32x2, float, f32x4, __builtin_amdgcn_swmmac_f32_16x16x32_fp8_fp8_w64(p, q, acc, (short)index))
