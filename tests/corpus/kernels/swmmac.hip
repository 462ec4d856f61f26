/* SPDX-License-Identifier: MIT */
/* Sparse matrix instructions of gfx12 in wave32. */
#include "sparse.h"

typedef vec<f16, 8> f16x8;
typedef vec<f16, 16> f16x16;
typedef vec<short, 8> i16x8;
typedef vec<short, 16> i16x16;
typedef vec<float, 8> f32x8;
typedef vec<int, 2> i32x2;
typedef vec<int, 4> i32x4;
typedef vec<int, 8> i32x8;

template <class Out, class Acc> DEVICE void store(Out *c, Acc acc, u32 n)
{
    for (u32 v = 0; v < 8; v++)
        c[(group_y() * 16 + lane() / 16 * 8 + v) * n + group() * 16 + lane() % 16] = acc[v];
}

SPARSE(sparse_f16, 32, 8, f16, f16x8, f16x16, float, f32x8, __builtin_amdgcn_swmmac_f32_16x16x32_f16_w32(p, q, acc, (short)index))
SPARSE(sparse_bf16, 32, 8, short, i16x8, i16x16, float, f32x8, __builtin_amdgcn_swmmac_f32_16x16x32_bf16_w32(p, q, acc, (short)index))
SPARSE(sparse_i8, 32, 8, i8, i32x2, i32x4, int, i32x8,
       __builtin_amdgcn_swmmac_i32_16x16x32_iu8_w32(true, p, true, q, acc, (short)index, false))
SPARSE(sparse_fp8, 32, 8, u8, i32x2, i32x4, float, f32x8, __builtin_amdgcn_swmmac_f32_16x16x32_fp8_fp8_w32(p, q, acc, (short)index))
SPARSE(sparse_i4, 32, 8, nibbles, int, i32x2, int, i32x8,
       __builtin_amdgcn_swmmac_i32_16x16x32_iu4_w32(true, p, true, q, acc, (short)index, false))
SPARSE(sparse_i4_64, 32, 16, nibbles, i32x2, i32x4, int, i32x8,
       __builtin_amdgcn_swmmac_i32_16x16x64_iu4_w32(true, p, true, q, acc, (int)index, false))
SPARSE(sparse_f16_f16, 32, 8, f16, f16x8, f16x16, f16, f16x8, __builtin_amdgcn_swmmac_f16_16x16x32_f16_w32(p, q, acc, (short)index))
SPARSE(sparse_bf16_bf16, 32, 8, short, i16x8, i16x16, short, i16x8,
       __builtin_amdgcn_swmmac_bf16_16x16x32_bf16_w32(p, q, acc, (short)index))
