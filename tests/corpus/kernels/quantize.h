/* SPDX-License-Identifier: MIT */
/* Conversions to and from 8-bit floats, four codes in a dword. */
#ifndef CORPUS_QUANTIZE_H
#define CORPUS_QUANTIZE_H

#include "gpu.h"

#define TO_BYTES(name, two)                                                                                  \
    KERNEL(64) name(u32 *out, const float *x, u32 n)                                                         \
    {                                                                                                        \
        const u32 i = group() * 64 + tid();                                                                  \
        if (i >= n)                                                                                          \
            return;                                                                                          \
        const u32 low = (u32)two(x[4 * i], x[4 * i + 1], 0, false);                                          \
        out[i] = (u32)two(x[4 * i + 2], x[4 * i + 3], (int)low, true);                                       \
    }

#define FROM_BYTES(name, one)                                                                                \
    KERNEL(64) name(float *out, const u32 *x, u32 n)                                                         \
    {                                                                                                        \
        const u32 i = group() * 64 + tid();                                                                  \
        if (i >= n)                                                                                          \
            return;                                                                                          \
        out[4 * i] = one((int)x[i], 0);                                                                      \
        out[4 * i + 1] = one((int)x[i], 1);                                                                  \
        out[4 * i + 2] = one((int)x[i], 2);                                                                  \
        out[4 * i + 3] = one((int)x[i], 3);                                                                  \
    }

/* Rounded up with the probability that the bits say: `bits` is added below the last place that is kept. */
#define TO_BYTES_RANDOM(name, one)                                                                           \
    KERNEL(64) name(u32 *out, const float *x, const u32 *bits, u32 n)                                        \
    {                                                                                                        \
        const u32 i = group() * 64 + tid();                                                                  \
        if (i >= n)                                                                                          \
            return;                                                                                          \
        int v = one(x[4 * i], bits[4 * i], 0, 0);                                                            \
        v = one(x[4 * i + 1], bits[4 * i + 1], v, 1);                                                        \
        v = one(x[4 * i + 2], bits[4 * i + 2], v, 2);                                                        \
        out[i] = (u32)one(x[4 * i + 3], bits[4 * i + 3], v, 3);                                              \
    }

#endif
