/* SPDX-License-Identifier: MIT */
/* Sparse matrix instructions of gfx1250. Each half of the wave holds two runs of 16 bytes of every row of A and two of
 * 32 bytes of B; but the index of the lower half of an instruction's k is in the lower half of the wave. */
#include "sparse.h"

typedef vec<f16, 8> f16x8;
typedef vec<f16, 16> f16x16;
typedef vec<f16, 32> f16x32;
typedef vec<bf16, 8> bf16x8;
typedef vec<bf16, 16> bf16x16;
typedef vec<bf16, 32> bf16x32;
typedef vec<float, 8> f32x8;
typedef vec<int, 2> i32x2;
typedef vec<int, 8> i32x8;
typedef vec<int, 16> i32x16;

/* Lane l has column l % 16 and eight rows. */
template <class Out, class Acc> DEVICE void store(Out *c, Acc acc, u32 n)
{
    for (u32 v = 0; v < 8; v++)
        c[(group_y() * 16 + lane() / 16 * 8 + v) * n + group() * 16 + lane() % 16] = acc[v];
}

#define WIDE(name, In, depth, PieceA, PieceB, Index, Out, Acc, ...)                                          \
    KERNEL(32) name(Out *c, const In *a, const In *b, const u16 *which, u32 n, u32 k)                        \
    {                                                                                                        \
        const u32 row = group_y() * 16 + lane() % 16, half = lane() / 16;                                    \
        const In *x = a + row * (k / 2) + half * (depth / 8),                                                \
                 *y = b + (group() * 16 + lane() % 16) * k + half * (depth / 4);                             \
        Acc acc = {};                                                                                        \
        for (u32 at = 0; at < k; at += depth) {                                                              \
            const PieceA p = two_runs<PieceA>(x + at / 2, x + at / 2 + depth / 4);                           \
            const PieceB q = two_runs<PieceB>(y + at, y + at + depth / 2);                                   \
            const Index index = *(const Index *)(which + (row * k + at + half * (depth / 2)) / 16);          \
            acc = __VA_ARGS__;                                                                               \
        }                                                                                                    \
        store(c, acc, n);                                                                                    \
    }

WIDE(sparse_f16, f16, 64, f16x16, f16x32, int, float, f32x8,
     __builtin_amdgcn_swmmac_f32_16x16x64_f16(false, p, false, q, acc, index, false, false))
WIDE(sparse_bf16, short, 64, bf16x16, bf16x32, int, float, f32x8,
     __builtin_amdgcn_swmmac_f32_16x16x64_bf16(false, p, false, q, acc, index, false, false))
WIDE(sparse_f16_f16, f16, 64, f16x16, f16x32, int, f16, f16x8,
     __builtin_amdgcn_swmmac_f16_16x16x64_f16(false, p, false, q, acc, index, false, false))
WIDE(sparse_bf16_bf16, short, 64, bf16x16, bf16x32, int, bf16, bf16x8,
     __builtin_amdgcn_swmmac_bf16_16x16x64_bf16(false, p, false, q, acc, index, false, false))

/* clang 22's functions for 128 k take 32 bits of the index, the instructions read 64. In what is assembled it does not
 * keep the distance to vector instructions. */
#define ASSEMBLED(instruction, signs)                                                                        \
    ({                                                                                                       \
        asm volatile(instruction " %0, %1, %2, %3" signs "\nv_nop\nv_nop\nv_nop\nv_nop" : "+v"(acc) : "v"(p), "v"(q), "v"(index));          \
        acc;                                                                                                 \
    })

WIDE(sparse_i8, i8, 128, i32x8, i32x16, i32x2, int, i32x8, ASSEMBLED("v_swmmac_i32_16x16x128_iu8", " neg_lo:[1,1,0]"))
WIDE(sparse_fp8, u8, 128, i32x8, i32x16, i32x2, float, f32x8, ASSEMBLED("v_swmmac_f32_16x16x128_fp8_fp8", ""))
WIDE(sparse_bf8, u8, 128, i32x8, i32x16, i32x2, float, f32x8, ASSEMBLED("v_swmmac_f32_16x16x128_bf8_bf8", ""))
WIDE(sparse_fp8_f16, u8, 128, i32x8, i32x16, i32x2, f16, f16x8, ASSEMBLED("v_swmmac_f16_16x16x128_fp8_fp8", ""))
