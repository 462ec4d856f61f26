/* SPDX-License-Identifier: MIT */
/* gfx950's sparse matrix instructions of twice the depth. A lane's values of A belong to dense k that follow each
 * other; its values of B are in two runs of 16 bytes, one in each half of the k of the instruction. */
#include "mfma.h"
#include "sparse.h"

typedef vec<bf16, 8> bf16x8;
typedef vec<bf16, 16> bf16x16;
typedef vec<f16, 16> f16x16;
typedef vec<int, 8> i32x8;

#define WIDE(name, size, per, In, PieceA, PieceB, Index, Out, Acc, multiply)                                 \
    KERNEL(64) name(Out *c, const In *a, const In *b, const u16 *which, u32 n, u32 k)                        \
    {                                                                                                        \
        const u32 row = group_y() * size + lane() % size, part = lane() / size, depth = 2 * per * (64 / size); \
        const In *x = row_of<size, per>(a, group_y(), k / 2), *y = row_of<size, per>(b, group(), k);         \
        Acc acc = {};                                                                                        \
        for (u32 at = 0; at < k; at += depth) {                                                              \
            const PieceA p = *(const PieceA *)(x + at / 2);                                                  \
            const PieceB q = two_runs<PieceB>(y + at, y + at + depth / 2);                                   \
            const u32 index = *(const Index *)(which + (row * k + at + part * 2 * per) / 16);                \
            acc = multiply(p, q, acc, (int)index, 0, 0);                                                     \
        }                                                                                                    \
        store<size>(c, acc, n);                                                                              \
    }

WIDE(sparse_f16, 16, 8, f16, f16x8, f16x16, u16, float, f32x4, __builtin_amdgcn_smfmac_f32_16x16x64_f16)
WIDE(sparse_f16_32, 32, 8, f16, f16x8, f16x16, u16, float, f32x16, __builtin_amdgcn_smfmac_f32_32x32x32_f16)
WIDE(sparse_bf16, 16, 8, short, bf16x8, bf16x16, u16, float, f32x4, __builtin_amdgcn_smfmac_f32_16x16x64_bf16)
WIDE(sparse_bf16_32, 32, 8, short, bf16x8, bf16x16, u16, float, f32x16, __builtin_amdgcn_smfmac_f32_32x32x32_bf16)
WIDE(sparse_i8, 16, 16, i8, i32x4, i32x8, u32, int, i32x4, __builtin_amdgcn_smfmac_i32_16x16x128_i8)
WIDE(sparse_i8_32, 32, 16, i8, i32x4, i32x8, u32, int, i32x16, __builtin_amdgcn_smfmac_i32_32x32x64_i8)
WIDE(sparse_fp8, 16, 16, u8, i32x4, i32x8, u32, float, f32x4, __builtin_amdgcn_smfmac_f32_16x16x128_fp8_fp8)
WIDE(sparse_bf8_32, 32, 16, u8, i32x4, i32x8, u32, float, f32x16, __builtin_amdgcn_smfmac_f32_32x32x64_bf8_bf8)
