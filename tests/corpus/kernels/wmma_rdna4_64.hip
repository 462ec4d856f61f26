/* SPDX-License-Identifier: MIT */
/* C[m][n] = A[m][k] * B[n][k], one tile of 16 x 16 per wave: the matrix instructions of gfx12 in waves of 64
 * lanes. */
#include "gpu.h"

typedef vec<f16, 4> f16x4;
typedef vec<short, 4> i16x4;
typedef vec<float, 4> f32x4;
typedef vec<int, 4> i32x4;

/* Lane l has column l % 16 and four rows. */
template <class Out, class Acc> DEVICE void store(Out *c, Acc acc, u32 n)
{
    const u32 quarter = lane() / 16, first = quarter % 2 * 8 + quarter / 2 * 4;
    for (u32 v = 0; v < 4; v++)
        c[(group_y() * 16 + first + v) * n + group() * 16 + lane() % 16] = acc[v];
}

/* Each quarter of the wave holds four k of every row; any choice works, provided that A and B use the same
 * one. */
#define PRODUCT(name, In, Piece, Out, Acc, ...)                                                              \
    KERNEL(64) name(Out *c, const In *a, const In *b, u32 n, u32 k)                                          \
    {                                                                                                        \
        const u32 first = lane() / 16 * 4;                                                                   \
        const In *x = a + (group_y() * 16 + lane() % 16) * k, *y = b + (group() * 16 + lane() % 16) * k;     \
        Acc acc = {};                                                                                        \
        for (u32 at = first; at < k; at += 16) {                                                             \
            const Piece p = *(const Piece *)(x + at), q = *(const Piece *)(y + at);                          \
            acc = __VA_ARGS__;                                                                               \
        }                                                                                                    \
        store(c, acc, n);                                                                                    \
    }

PRODUCT(f16_16, f16, f16x4, float, f32x4, __builtin_amdgcn_wmma_f32_16x16x16_f16_w64_gfx12(p, q, acc))
PRODUCT(bf16_16, short, i16x4, float, f32x4, __builtin_amdgcn_wmma_f32_16x16x16_bf16_w64_gfx12(p, q, acc))
PRODUCT(i8_16, i8, int, int, i32x4, __builtin_amdgcn_wmma_i32_16x16x16_iu8_w64_gfx12(true, p, true, q, acc, false))
PRODUCT(fp8_16, u8, int, float, f32x4, __builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w64_gfx12(p, q, acc))
PRODUCT(bf8_16, u8, int, float, f32x4, __builtin_amdgcn_wmma_f32_16x16x16_bf8_bf8_w64_gfx12(p, q, acc))
PRODUCT(fp8_bf8_16, u8, int, float, f32x4, __builtin_amdgcn_wmma_f32_16x16x16_fp8_bf8_w64_gfx12(p, q, acc))
