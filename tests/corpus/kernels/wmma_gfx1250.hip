/* SPDX-License-Identifier: MIT */
/* C[m][n] = A[m][k] * B[n][k], one tile of 16 x 16 per wave: the matrix instructions of gfx1250. */
#include "gpu.h"

typedef vec<f16, 8> f16x8;
typedef vec<f16, 16> f16x16;
typedef vec<bf16, 8> bf16x8;
typedef vec<__bf16, 16> bf16x16;
typedef vec<float, 8> f32x8;
typedef vec<int, 4> i32x4;
typedef vec<int, 8> i32x8;
typedef vec<int, 16> i32x16;
typedef vec<float, 2> f32x2;

/* Lane l has column l % 16 and eight rows. */
template <class Out, class Acc> DEVICE void store(Out *c, Acc acc, u32 n)
{
    for (u32 v = 0; v < 8; v++)
        c[(group_y() * 16 + lane() / 16 * 8 + v) * n + group() * 16 + lane() % 16] = acc[v];
}

/* Each half of the wave holds every second run of 16 bytes of every row, or of less in all. */
template <class Piece> DEVICE Piece load(const void *at)
{
    if constexpr (sizeof(Piece) < 16)
        return *(const Piece *)at;
    union {
        i32x4 run[(sizeof(Piece) + 15) / 16];
        Piece whole;
    } all;
    for (u32 i = 0; i < sizeof(Piece) / 16; i++)
        all.run[i] = *(const i32x4 *)((const char *)at + 32 * i);
    return all.whole;
}
#define PRODUCT(name, In, Piece, Out, Acc, step, ...)                                                        \
    KERNEL(32) name(Out *c, const In *a, const In *b, u32 n, u32 k)                                          \
    {                                                                                                        \
        const u32 first = lane() / 16 * (sizeof(Piece) < 16 ? sizeof(Piece) : 16) / sizeof(In);              \
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
PRODUCT(fp8_128, u8, i32x16, float, f32x8, 128,
        __builtin_amdgcn_wmma_f32_16x16x128_fp8_fp8(p, q, (short)0, acc, false, false))
PRODUCT(f32_16, float, f32x2, float, f32x8, 4,
        __builtin_amdgcn_wmma_f32_16x16x4_f32(false, p, false, q, (short)0, acc, false, false))
PRODUCT(f16_f16, f16, f16x16, f16, f16x8, 32,
        __builtin_amdgcn_wmma_f16_16x16x32_f16(false, p, false, q, (short)0, acc, false, false))
PRODUCT(bf16_bf16, short, bf16x16, bf16, bf16x8, 32,
        __builtin_amdgcn_wmma_bf16_16x16x32_bf16(false, p, false, q, (short)0, acc, false, false))
PRODUCT(fp8_f16, u8, i32x8, f16, f16x8, 64,
        __builtin_amdgcn_wmma_f16_16x16x64_fp8_fp8(p, q, (short)0, acc, false, false))
/* From an accumulator of 32 bits to a result of 16. */
PRODUCT(bf16_of_f32, short, bf16x16, float, f32x8, 32,
        __builtin_convertvector(__builtin_amdgcn_wmma_bf16f32_16x16x32_bf16(false, p, false, q, (short)0, acc, false, false), f32x8))
