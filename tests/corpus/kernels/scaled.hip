/* SPDX-License-Identifier: MIT */
/*
 * Scaled matrix instructions of gfx950: C[m][n] = A[m][k] * B[n][k], blocks of 32 k with one scale each. Codes of a row follow each
 * other without gaps; scales are powers of two with a bias of 127: sa[m][k / 32], sb[n][k / 32].
 */
#include "gpu.h"

typedef vec<int, 4> i32x4;
typedef vec<int, 8> i32x8;
typedef vec<float, 4> f32x4;
typedef vec<float, 16> f32x16;

/*
 * What a lane holds of a row: the `words` dwords of its block, the rest of eight zero. Of 8-bit codes in steps of 128 k it holds
 * instead 16 of the lower 64 k and 16 of the upper ones; its scale is still that of its block.
 */
template <u32 size, u32 words> DEVICE i32x8 codes_of(const u32 *row, u32 block)
{
    i32x8 v = {};
    const u32 part = lane() / size;
    for (u32 i = 0; i < words; i++)
        v[i] = (int)(words == 8 ? row[(block - part) * 8 + i / 4 * 16 + part * 4 + i % 4] : row[block * words + i]);
    return v;
}

template <u32 size, class Acc> DEVICE void store(float *c, Acc acc, u32 n)
{
    for (u32 v = 0; v < size * size / 64; v++) {
        const u32 row = 8 * (v / 4) * (size == 32) + 4 * (lane() / size) + v % 4;
        c[(group_y() * size + row) * n + group() * size + lane() % size] = acc[v];
    }
}

#define SCALED(name, size, words, format, Acc, multiply)                                                     \
    KERNEL(64) name(float *c, const u32 *a, const u32 *b, const u8 *sa, const u8 *sb, u32 n, u32 k)          \
    {                                                                                                        \
        const u32 i = group_y() * size + lane() % size, j = group() * size + lane() % size;                  \
        Acc acc = {};                                                                                        \
        for (u32 block = lane() / size; block < k / 32; block += 64 / size) {                                \
            const i32x8 p = codes_of<size, words>(a + i * (k / 32) * words, block);                             \
            const i32x8 q = codes_of<size, words>(b + j * (k / 32) * words, block);                             \
            acc = multiply(p, q, acc, format, format, 0, sa[i * (k / 32) + block], 0, sb[j * (k / 32) + block]); \
        }                                                                                                    \
        store<size>(c, acc, n);                                                                              \
    }

SCALED(scaled_fp8, 16, 8, 0, f32x4, __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4)
SCALED(scaled_fp6, 16, 6, 2, f32x4, __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4)
SCALED(scaled_fp4, 16, 4, 4, f32x4, __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4)
SCALED(scaled_fp4_32, 32, 4, 4, f32x16, __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4)
SCALED(scaled_bf8, 16, 8, 1, f32x4, __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4)
SCALED(scaled_bf6, 16, 6, 3, f32x4, __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4)
