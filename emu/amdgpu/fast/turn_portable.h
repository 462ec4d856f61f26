/* SPDX-License-Identifier: MIT */
/* The same functions as in turn_x86.h, four lanes at a time, with the compiler's own vectors. */
#ifndef LW_EMU_AMDGPU_FAST_TURN_PORTABLE_H
#define LW_EMU_AMDGPU_FAST_TURN_PORTABLE_H

#include "emu/amdgpu/control/wave.h"

enum { TURN_LANES = 4 };

typedef struct turn4 {
    w4 v[4];
} turn4;

VEC w4 turn_get(const void *at)
{
    w4 v;
    memcpy(&v, at, sizeof(v));
    return v;
}

VEC turn4 turn_round(turn4 a)
{
    const w4 low01 = __builtin_shufflevector(a.v[0], a.v[1], 0, 4, 1, 5);
    const w4 low23 = __builtin_shufflevector(a.v[2], a.v[3], 0, 4, 1, 5);
    const w4 high01 = __builtin_shufflevector(a.v[0], a.v[1], 2, 6, 3, 7);
    const w4 high23 = __builtin_shufflevector(a.v[2], a.v[3], 2, 6, 3, 7);
    return (turn4){ { __builtin_shufflevector(low01, low23, 0, 1, 4, 5),
                      __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
                      __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
                      __builtin_shufflevector(high01, high23, 2, 3, 6, 7) } };
}

VEC void turn_load4(const uint8_t *host, const uint32_t *at, uint32_t *row)
{
    turn4 a;
    for (unsigned n = 0; n < 4; n++)
        a.v[n] = turn_get(host + at[n]);
    a = turn_round(a);
    for (unsigned n = 0; n < 4; n++)
        memcpy(row + n * LW_LANES, &a.v[n], sizeof(a.v[n]));
}

VEC void turn_load1(const uint8_t *host, const uint32_t *at, uint32_t *row)
{
    for (unsigned n = 0; n < TURN_LANES; n++)
        memcpy(row + n, host + at[n], sizeof(*row));
}

VEC void turn_pick(const uint32_t *from, const uint32_t *number, uint32_t *to)
{
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        to[lane] = from[number[lane]];
}

VEC void turn_bytes(const uint32_t *from, uint32_t *to)
{
    typedef uint8_t bytes16 __attribute__((vector_size(16)));
    bytes16 a;
    memcpy(&a, from, sizeof(a));
    a = __builtin_shufflevector(a, a, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    memcpy(to, &a, sizeof(a));
}

VEC void turn_load2(const uint8_t *host, const uint32_t *at, uint32_t *row)
{
    w4 a, b;
    memcpy(&a, host + at[0], 8);
    memcpy((uint8_t *)&a + 8, host + at[1], 8);
    memcpy(&b, host + at[2], 8);
    memcpy((uint8_t *)&b + 8, host + at[3], 8);
    const w4 low = __builtin_shufflevector(a, b, 0, 2, 4, 6),
             high = __builtin_shufflevector(a, b, 1, 3, 5, 7);
    memcpy(row, &low, sizeof(low));
    memcpy(row + LW_LANES, &high, sizeof(high));
}

VEC void turn_store4(uint8_t *host, const uint32_t *at, const uint32_t *row)
{
    turn4 a;
    for (unsigned n = 0; n < 4; n++)
        a.v[n] = turn_get(row + n * LW_LANES);
    a = turn_round(a);
    for (unsigned n = 0; n < 4; n++)
        memcpy(host + at[n], &a.v[n], sizeof(a.v[n]));
}

VEC void turn_store2(uint8_t *host, const uint32_t *at, const uint32_t *row)
{
    const w4 a = turn_get(row), b = turn_get(row + LW_LANES);
    const w4 low = __builtin_shufflevector(a, b, 0, 4, 1, 5),
             high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    memcpy(host + at[0], &low, 8);
    memcpy(host + at[1], (const uint8_t *)&low + 8, 8);
    memcpy(host + at[2], &high, 8);
    memcpy(host + at[3], (const uint8_t *)&high + 8, 8);
}

VEC void turn_b16(const uint8_t *bytes, uint32_t *to)
{
    uint16_t run[4][16];
    memcpy(run, bytes, sizeof(run));
    for (unsigned q = 0; q < 2; q++)
        for (unsigned l = 0; l < 16; l++)
            to[q * LW_LANES + l] = run[2 * q][l] | (uint32_t)run[2 * q + 1][l] << 16;
}

VEC void turn_b8(const uint8_t *bytes, uint32_t *to)
{
    uint8_t run[8][16];
    memcpy(run, bytes, sizeof(run));
    for (unsigned q = 0; q < 2; q++)
        for (unsigned l = 0; l < 16; l++)
            to[q * LW_LANES + l] = run[4 * q][l] | (uint32_t)run[4 * q + 1][l] << 8 |
                                   (uint32_t)run[4 * q + 2][l] << 16 | (uint32_t)run[4 * q + 3][l] << 24;
}

#endif
