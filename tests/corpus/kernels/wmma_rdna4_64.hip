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

/* Each quarter of the wave holds `per` k of every row; any choice works, provided that A and B use the same
 * one. Of 16 k of four bits two quarters are read. */
#define PRODUCT(name, In, per, step, Piece, Out, Acc, ...)                                                   \
    KERNEL(64) name(Out *c, const In *a, const In *b, u32 n, u32 k)                                          \
    {                                                                                                        \
        const u32 first = lane() / 16 * per % step;                                                          \
        const In *x = a + (group_y() * 16 + lane() % 16) * k / NUMBERS<In>,                                  \
                 *y = b + (group() * 16 + lane() % 16) * k / NUMBERS<In>;                                    \
        Acc acc = {};                                                                                        \
        for (u32 at = first; at < k; at += step) {                                                           \
            const Piece p = *(const Piece *)(x + at / NUMBERS<In>), q = *(const Piece *)(y + at / NUMBERS<In>); \
            acc = __VA_ARGS__;                                                                               \
        }                                                                                                    \
        store(c, acc, n);                                                                                    \
    }

PRODUCT(f16_16, f16, 4, 16, f16x4, float, f32x4, __builtin_amdgcn_wmma_f32_16x16x16_f16_w64_gfx12(p, q, acc))
PRODUCT(bf16_16, short, 4, 16, i16x4, float, f32x4, __builtin_amdgcn_wmma_f32_16x16x16_bf16_w64_gfx12(p, q, acc))
PRODUCT(i8_16, i8, 4, 16, int, int, i32x4, __builtin_amdgcn_wmma_i32_16x16x16_iu8_w64_gfx12(true, p, true, q, acc, false))
PRODUCT(fp8_16, u8, 4, 16, int, float, f32x4, __builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w64_gfx12(p, q, acc))
PRODUCT(bf8_16, u8, 4, 16, int, float, f32x4, __builtin_amdgcn_wmma_f32_16x16x16_bf8_bf8_w64_gfx12(p, q, acc))
PRODUCT(fp8_bf8_16, u8, 4, 16, int, float, f32x4, __builtin_amdgcn_wmma_f32_16x16x16_fp8_bf8_w64_gfx12(p, q, acc))
PRODUCT(i4_16, nibbles, 8, 16, int, int, i32x4, __builtin_amdgcn_wmma_i32_16x16x16_iu4_w64_gfx12(true, p, true, q, acc, false))
PRODUCT(i4_32, nibbles, 8, 32, int, int, i32x4, __builtin_amdgcn_wmma_i32_16x16x32_iu4_w64_gfx12(true, p, true, q, acc, false))
PRODUCT(f16_f16, f16, 4, 16, f16x4, f16, f16x4, __builtin_amdgcn_wmma_f16_16x16x16_f16_w64_gfx12(p, q, acc))
PRODUCT(bf16_bf16, short, 4, 16, i16x4, short, i16x4, __builtin_amdgcn_wmma_bf16_16x16x16_bf16_w64_gfx12(p, q, acc))
