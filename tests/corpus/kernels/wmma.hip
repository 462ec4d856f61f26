/* SPDX-License-Identifier: MIT */
/* C[m][n] = A[m][k] * B[n][k], one tile of 16 x 16 per wave: the matrix instructions of gfx11 in wave32. */
#include "gpu.h"

typedef vec<f16, 16> f16x16;
typedef vec<short, 16> i16x16;
typedef vec<float, 8> f32x8;
typedef vec<int, 2> i32x2;
typedef vec<int, 4> i32x4;
typedef vec<int, 8> i32x8;

template <class Out, class Acc> DEVICE void store(Out *c, Acc acc, u32 n)
{
    for (u32 v = 0; v < 8; v++)
        c[(group_y() * 16 + 2 * v + lane() / 16) * n + group() * 16 + lane() % 16] = acc[v];
}

/* Results of 16 bits are in the lower halves of registers, or with the last argument true in the upper ones. */
DEVICE void store(f16 *c, f16x16 acc, u32 n)
{
    for (u32 v = 0; v < 8; v++)
        c[(group_y() * 16 + 2 * v + lane() / 16) * n + group() * 16 + lane() % 16] = acc[2 * v];
}
DEVICE void store(short *c, i16x16 acc, u32 n)
{
    for (u32 v = 0; v < 8; v++)
        c[(group_y() * 16 + 2 * v + lane() / 16) * n + group() * 16 + lane() % 16] = acc[2 * v + 1];
}

/* Both halves of the wave hold the same rows. */
#define PRODUCT(name, In, Piece, Out, Acc, ...)                                                              \
    KERNEL(32) name(Out *c, const In *a, const In *b, u32 n, u32 k)                                          \
    {                                                                                                        \
        const In *x = a + (group_y() * 16 + lane() % 16) * k / NUMBERS<In>,                                  \
                 *y = b + (group() * 16 + lane() % 16) * k / NUMBERS<In>;                                    \
        Acc acc = {};                                                                                        \
        for (u32 at = 0; at < k; at += 16) {                                                                 \
            const Piece p = *(const Piece *)(x + at / NUMBERS<In>), q = *(const Piece *)(y + at / NUMBERS<In>); \
            acc = __VA_ARGS__;                                                                               \
        }                                                                                                    \
        store(c, acc, n);                                                                                    \
    }

PRODUCT(f16_16, f16, f16x16, float, f32x8, __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(p, q, acc))
PRODUCT(bf16_16, short, i16x16, float, f32x8, __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(p, q, acc))
PRODUCT(i8_16, i8, i32x4, int, i32x8, __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, p, true, q, acc, false))
PRODUCT(i4_16, nibbles, i32x2, int, i32x8, __builtin_amdgcn_wmma_i32_16x16x16_iu4_w32(true, p, true, q, acc, false))
PRODUCT(f16_f16, f16, f16x16, f16, f16x16, __builtin_amdgcn_wmma_f16_16x16x16_f16_w32(p, q, acc, false))
PRODUCT(bf16_bf16, short, i16x16, short, i16x16, __builtin_amdgcn_wmma_bf16_16x16x16_bf16_w32(p, q, acc, true))
