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
SPARSE(sparse_i4_64, 64, 8, nibbles, int, i32x2, int, i32x4,
       __builtin_amdgcn_swmmac_i32_16x16x64_iu4_w64(true, p, true, q, acc, (short)index, false))
SPARSE(sparse_f16_f16, 64, 4, f16, f16x4, f16x8, f16, f16x4, __builtin_amdgcn_swmmac_f16_16x16x32_f16_w64(p, q, acc, (short)index))
SPARSE(sparse_bf16_bf16, 64, 4, short, i16x4, i16x8, short, i16x4,
       __builtin_amdgcn_swmmac_bf16_16x16x32_bf16_w64(p, q, acc, (short)index))

/* 32 k of four bits: A and its index are in the lower half of the wave, 16 k in each of its halves, of which the upper
 * half of the wave has the later eight k of B. */
KERNEL(64) sparse_i4(int *c, const nibbles *a, const nibbles *b, const u16 *which, u32 n, u32 k)
{
    const u32 row = group_y() * 16 + lane() % 16, part = lane() / 16 % 2, late = lane() / 32;
    const nibbles *x = a + row * (k / 4) + part * 4, *y = b + (group() * 16 + lane() % 16) * (k / 2) + part * 8 + late * 4;
    i32x4 acc = {};
    for (u32 at = 0; at < k; at += 32)
        acc = __builtin_amdgcn_swmmac_i32_16x16x32_iu4_w64(true, *(const int *)(x + at / 4), true, *(const int *)(y + at / 2), acc,
                                                           (short)which[row * (k / 16) + at / 16 + part], false);
    store(c, acc, n);
}
