/* SPDX-License-Identifier: MIT */
/* C[m][n] = A[m][k] * B[n][k], a tile a wave, straight from memory: the matrix instructions of gfx942 and gfx950. */
#include "gpu.h"

typedef vec<f16, 4> f16x4;
typedef vec<f16, 8> f16x8;
typedef vec<short, 4> i16x4;
typedef vec<float, 4> f32x4;
typedef vec<float, 16> f32x16;
typedef vec<double, 4> f64x4;
typedef vec<int, 4> i32x4;
typedef vec<int, 16> i32x16;

/* Tiles of 16 x 16 and of 32 x 32: `per` values of k a lane. */
template <int size, int per, class In> DEVICE const In *row_of(const In *at, u32 tile, u32 k)
{
    return at + (tile * size + lane() % size) * k + lane() / size * per;
}

template <int size, class Out, class Acc> DEVICE void store(Out *c, Acc acc, u32 n)
{
    for (u32 v = 0; v < size * size / 64; v++) {
        const u32 row = 8 * (v / 4) * (size == 32) + 4 * (lane() / size) + v % 4;
        c[(group_y() * size + row) * n + group() * size + lane() % size] = acc[v];
    }
}

#define PRODUCT(name, size, per, In, Piece, Out, Acc, multiply)                                              \
    KERNEL(64) name(Out *c, const In *a, const In *b, u32 n, u32 k)                                          \
    {                                                                                                        \
        const In *x = row_of<size, per>(a, group_y(), k), *y = row_of<size, per>(b, group(), k);             \
        Acc acc = {};                                                                                        \
        for (u32 at = 0; at < k; at += per * (64 / size)) {                                                  \
            const Piece p = *(const Piece *)(x + at), q = *(const Piece *)(y + at);                          \
            acc = multiply(p, q, acc, 0, 0, 0);                                                              \
        }                                                                                                    \
        store<size>(c, acc, n);                                                                              \
    }

PRODUCT(f16_16, 16, 4, f16, f16x4, float, f32x4, __builtin_amdgcn_mfma_f32_16x16x16f16)
PRODUCT(f16_32, 32, 4, f16, f16x4, float, f32x16, __builtin_amdgcn_mfma_f32_32x32x8f16)
PRODUCT(bf16_16, 16, 4, short, i16x4, float, f32x4, __builtin_amdgcn_mfma_f32_16x16x16bf16_1k)
PRODUCT(bf16_32, 32, 4, short, i16x4, float, f32x16, __builtin_amdgcn_mfma_f32_32x32x8bf16_1k)
PRODUCT(i8_16, 16, 8, i8, long, int, i32x4, __builtin_amdgcn_mfma_i32_16x16x32_i8)
PRODUCT(i8_32, 32, 8, i8, long, int, i32x16, __builtin_amdgcn_mfma_i32_32x32x16_i8)
PRODUCT(fp8_16, 16, 8, u8, long, float, f32x4, __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8)
PRODUCT(fp8_32, 32, 8, u8, long, float, f32x16, __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8)
PRODUCT(f32_16, 16, 1, float, float, float, f32x4, __builtin_amdgcn_mfma_f32_16x16x4f32)
PRODUCT(f32_32, 32, 1, float, float, float, f32x16, __builtin_amdgcn_mfma_f32_32x32x2f32)

KERNEL(64) f64_16(double *c, const double *a, const double *b, u32 n, u32 k)
{
    const double *x = row_of<16, 1>(a, group_y(), k), *y = row_of<16, 1>(b, group(), k);
    f64x4 acc = {};
    for (u32 at = 0; at < k; at += 4)
        acc = __builtin_amdgcn_mfma_f64_16x16x4f64(x[at], y[at], acc, 0, 0, 0);
    for (u32 v = 0; v < 4; v++)
        c[(group_y() * 16 + 4 * v + lane() / 16) * n + group() * 16 + lane() % 16] = acc[v];
}

/* A stores two of every four k; the index says which: four bits a pair of pairs, from `which`. */
KERNEL(64) sparse_16(float *c, const f16 *a, const f16 *b, const u16 *which, u32 n, u32 k)
{
    const f16 *x = a + (group_y() * 16 + lane() % 16) * (k / 2) + lane() / 16 * 4;
    const f16 *y = b + (group() * 16 + lane() % 16) * k + lane() / 16 * 8;
    const u16 *w = which + (group_y() * 16 + lane() % 16) * (k / 8) + lane() / 16;
    f32x4 acc = {};
    for (u32 at = 0; at < k; at += 32)
        acc = __builtin_amdgcn_smfmac_f32_16x16x32_f16(*(const f16x4 *)(x + at / 2), *(const f16x8 *)(y + at), acc,
                                                       w[at / 8], 0, 0);
    store<16>(c, acc, n);
}

/* Sixteen products of 4 x 4 at once, one a block of four lanes: workgroup g does products 16 g and on. */
KERNEL(64) f16_4(float *c, const f16 *a, const f16 *b, u32 k)
{
    const u32 product = group() * 16 + lane() / 4;
    const f16 *x = a + (product * 4 + lane() % 4) * k, *y = b + (product * 4 + lane() % 4) * k;
    f32x4 acc = {};
    for (u32 at = 0; at < k; at += 4)
        acc = __builtin_amdgcn_mfma_f32_4x4x4f16(*(const f16x4 *)(x + at), *(const f16x4 *)(y + at), acc, 0, 0, 0);
    for (u32 v = 0; v < 4; v++)
        c[product * 16 + v * 4 + lane() % 4] = acc[v];
}
