/* SPDX-License-Identifier: MIT */
/* Sparse matrix instructions of gfx942 and gfx950. */
#include "sparse.h"

typedef vec<short, 4> i16x4;
typedef vec<short, 8> i16x8;
typedef vec<float, 4> f32x4;
typedef vec<int, 2> i32x2;
typedef vec<int, 4> i32x4;

template <class Out, class Acc> DEVICE void store(Out *c, Acc acc, u32 n)
{
    for (u32 v = 0; v < 4; v++)
        c[(group_y() * 16 + lane() / 16 * 4 + v) * n + group() * 16 + lane() % 16] = acc[v];
}

SPARSE(sparse_bf16, 64, 4, short, i16x4, i16x8, float, f32x4, __builtin_amdgcn_smfmac_f32_16x16x32_bf16(p, q, acc, index, 0, 0))
SPARSE(sparse_i8, 64, 8, i8, i32x2, i32x4, int, i32x4, __builtin_amdgcn_smfmac_i32_16x16x64_i8(p, q, acc, index, 0, 0))
SPARSE(sparse_fp8, 64, 8, u8, i32x2, i32x4, float, f32x4, __builtin_amdgcn_smfmac_f32_16x16x64_fp8_fp8(p, q, acc, index, 0, 0))
SPARSE(sparse_bf8, 64, 8, u8, i32x2, i32x4, float, f32x4, __builtin_amdgcn_smfmac_f32_16x16x64_bf8_bf8(p, q, acc, index, 0, 0))
