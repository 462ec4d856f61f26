/* SPDX-License-Identifier: MIT */
/*
 * C[m][n] = A[m][k] * B[n][k] with a sparse A: of every four k two are stored, and `which` has four bits for
 * each four k, so 16 bits for 16 of them. A lane holds `per` stored values of a row of A, twice as many of a
 * row of B, and their index bits.
 */
#ifndef CORPUS_SPARSE_H
#define CORPUS_SPARSE_H

#include "gpu.h"

template <u32 per> DEVICE u32 index_of(const u16 *which, u32 row, u32 k, u32 at)
{
    const u32 first = at + lane() / 16 * 2 * per;
    const u16 *bits = which + row * (k / 16) + first / 16;
    return per == 4 ? *bits >> first % 16 & 0xff : per == 8 ? *bits : *(const u32 *)bits;
}

/* Two runs of memory, as long as each other. */
template <class Piece> DEVICE Piece two_runs(const void *first, const void *second)
{
    typedef vec<int, sizeof(Piece) / 8> run;
    struct {
        run first, second;
    } both = { *(const run *)first, *(const run *)second };
    return bits_as<Piece>(both);
}

#define SPARSE(name, block, per, In, PieceA, PieceB, Out, Acc, ...)                                          \
    KERNEL(block) name(Out *c, const In *a, const In *b, const u16 *which, u32 n, u32 k)                     \
    {                                                                                                        \
        const u32 row = group_y() * 16 + lane() % 16, part = lane() / 16;                                    \
        const In *x = a + (row * (k / 2) + part * per) / NUMBERS<In>,                                        \
                 *y = b + ((group() * 16 + lane() % 16) * k + part * 2 * per) / NUMBERS<In>;                 \
        Acc acc = {};                                                                                        \
        for (u32 at = 0; at < k; at += 2 * per * (block / 16)) {                                             \
            const PieceA p = *(const PieceA *)(x + at / 2 / NUMBERS<In>);                                    \
            const PieceB q = *(const PieceB *)(y + at / NUMBERS<In>);                                        \
            const u32 index = index_of<per>(which, row, k, at);                                              \
            acc = __VA_ARGS__;                                                                               \
        }                                                                                                    \
        store(c, acc, n);                                                                                    \
    }

#endif
