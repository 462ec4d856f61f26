/* SPDX-License-Identifier: MIT */
/* A product by a matrix instruction, one tile per wave, straight from memory: C[m][n] = A[m][k] * B[n][k]. */
#ifndef CORPUS_MFMA_H
#define CORPUS_MFMA_H

#include "gpu.h"

typedef vec<f16, 4> f16x4;
typedef vec<f16, 8> f16x8;
typedef vec<short, 2> i16x2;
typedef vec<short, 4> i16x4;
typedef vec<float, 4> f32x4;
typedef vec<float, 16> f32x16;
typedef vec<double, 4> f64x4;
typedef vec<int, 4> i32x4;
typedef vec<int, 16> i32x16;

/* Tiles of 16 x 16 and of 32 x 32: `per` values of k per lane. */
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

/* Sixteen products of 4 x 4 at once, one per block of four lanes: workgroup g computes products from 16 g
 * on. */
#define PRODUCT_4(name)                                                                                      \
    KERNEL(64) name(float *c, const f16 *a, const f16 *b, u32 k)                                             \
    {                                                                                                        \
        const u32 product = group() * 16 + lane() / 4;                                                       \
        const f16 *x = a + (product * 4 + lane() % 4) * k, *y = b + (product * 4 + lane() % 4) * k;          \
        f32x4 acc = {};                                                                                      \
        for (u32 at = 0; at < k; at += 4)                                                                    \
            acc = __builtin_amdgcn_mfma_f32_4x4x4f16(*(const f16x4 *)(x + at), *(const f16x4 *)(y + at),     \
                                                     acc, 0, 0, 0);                                          \
        for (u32 v = 0; v < 4; v++)                                                                          \
            c[product * 16 + v * 4 + lane() % 4] = acc[v];                                                   \
    }

#endif
