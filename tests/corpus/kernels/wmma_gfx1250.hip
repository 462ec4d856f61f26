/* SPDX-License-Identifier: MIT */
/* C[m][n] = A[m][k] * B[n][k], one tile of 16 x 16 per wave: the matrix instructions of gfx1250. */
#include "gpu.h"

typedef vec<f16, 16> f16x16;
typedef vec<__bf16, 16> bf16x16;
typedef vec<float, 8> f32x8;
typedef vec<int, 4> i32x4;
typedef vec<int, 8> i32x8;

/* Lane l has column l % 16 and eight rows. */
template <class Out, class Acc> DEVICE void store(Out *c, Acc acc, u32 n)
{
    for (u32 v = 0; v < 8; v++)
        c[(group_y() * 16 + lane() / 16 * 8 + v) * n + group() * 16 + lane() % 16] = acc[v];
}

/* Each half of the wave holds two runs of 16 bytes of every row, of four that follow each other. */
template <class Piece> DEVICE Piece load(const void *at)
{
    union {
        i32x4 half[2];
        Piece whole;
    } both;
    both.half[0] = *(const i32x4 *)at;
    both.half[1] = *(const i32x4 *)((const char *)at + 32);
    return both.whole;
}

#define PRODUCT(name, In, Piece, Out, Acc, step, ...)                                                        \
    KERNEL(32) name(Out *c, const In *a, const In *b, u32 n, u32 k)                                          \
    {                                                                                                        \
        const u32 first = lane() / 16 * 16 / (u32)sizeof(In);                                                \
        const In *x = a + (group_y() * 16 + lane() % 16) * k, *y = b + (group() * 16 + lane() % 16) * k;     \
        Acc acc = {};                                                                                        \
        for (u32 at = first; at < k; at += step) {                                                           \
            const Piece p = load<Piece>(x + at), q = load<Piece>(y + at);                                    \
            acc = __VA_ARGS__;                                                                               \
        }                                                                                                    \
        store(c, acc, n);                                                                                    \
    }

PRODUCT(f16_16, f16, f16x16, float, f32x8, 32,
        __builtin_amdgcn_wmma_f32_16x16x32_f16(false, p, false, q, (short)0, acc, false, false))
PRODUCT(bf16_16, short, bf16x16, float, f32x8, 32,
        __builtin_amdgcn_wmma_f32_16x16x32_bf16(false, p, false, q, (short)0, acc, false, false))
PRODUCT(i8_16, i8, i32x8, int, i32x8, 64,
        __builtin_amdgcn_wmma_i32_16x16x64_iu8(true, p, true, q, acc, false, false))
PRODUCT(fp8_16, u8, i32x8, float, f32x8, 64,
        __builtin_amdgcn_wmma_f32_16x16x64_fp8_fp8(p, q, (short)0, acc, false, false))
PRODUCT(bf8_16, u8, i32x8, float, f32x8, 64,
        __builtin_amdgcn_wmma_f32_16x16x64_bf8_bf8(p, q, (short)0, acc, false, false))
PRODUCT(fp8_bf8_16, u8, i32x8, float, f32x8, 64,
        __builtin_amdgcn_wmma_f32_16x16x64_fp8_bf8(p, q, (short)0, acc, false, false))
