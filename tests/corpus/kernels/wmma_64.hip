/* SPDX-License-Identifier: MIT */
/* C[m][n] = A[m][k] * B[n][k], one tile of 16 x 16 per wave: integers on gfx11 in waves of 64 lanes. */
#include "gpu.h"

typedef vec<int, 4> i32x4;

/* All quarters of the wave hold the same rows of A and B; row r of the result is in quarter r % 4. */
KERNEL(64) i8_16(int *c, const i8 *a, const i8 *b, u32 n, u32 k)
{
    const i8 *x = a + (group_y() * 16 + lane() % 16) * k, *y = b + (group() * 16 + lane() % 16) * k;
    i32x4 acc = {};
    for (u32 at = 0; at < k; at += 16) {
        const i32x4 p = *(const i32x4 *)(x + at), q = *(const i32x4 *)(y + at);
        acc = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w64(true, p, true, q, acc, false);
    }
    for (u32 v = 0; v < 4; v++)
        c[(group_y() * 16 + 4 * v + lane() / 16) * n + group() * 16 + lane() % 16] = acc[v];
}
