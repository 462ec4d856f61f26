/* SPDX-License-Identifier: MIT */
/* Attention on matrix instructions of f16: a wave has 16 rows of 32 numbers, keys come in tiles of 16. */
#include "mfma.h"

#define WIDTH 32

DEVICE float most_of_row(float v)
{
    for (u32 apart = 1; apart < 16; apart *= 2) {
        const float other = from_lane(v, lane() ^ apart);
        v = v > other ? v : other;
    }
    return v;
}

DEVICE float sum_of_row(float v)
{
    for (u32 apart = 1; apart < 16; apart *= 2)
        v += from_lane(v, lane() ^ apart);
    return v;
}

/* Lane l holds numbers 4 (l / 16) .. + 3 of row l % 16. */
DEVICE f16x4 piece(const f16 *rows, u32 row, u32 at)
{
    return *(const f16x4 *)(rows + (row + lane() % 16) * WIDTH + at + lane() / 16 * 4);
}

KERNEL(64) attention_f16(float *out, const f16 *q, const f16 *k, const f16 *v, u32 n, float scale)
{
    SHARED f16 weights[16][16];
    const u32 row = group() * 16, col = lane() % 16, part = lane() / 16;
    const f16x4 q0 = piece(q, row, 0), q1 = piece(q, row, 16);
    f32x4 sums[2] = {}, total = {}, most;
    most = -__builtin_inff();
    for (u32 first = 0; first < n; first += 16) {
        f32x4 score = {};
        score = __builtin_amdgcn_mfma_f32_16x16x16f16(q0, piece(k, first, 0), score, 0, 0, 0);
        score = __builtin_amdgcn_mfma_f32_16x16x16f16(q1, piece(k, first, 16), score, 0, 0, 0);
        barrier();
        for (u32 r = 0; r < 4; r++) {
            const float s = score[r] * scale, tile = most_of_row(s), now = tile > most[r] ? tile : most[r];
            const float shrink = __builtin_amdgcn_exp2f((most[r] - now) * 1.44269504f);
            const float weight = __builtin_amdgcn_exp2f((s - now) * 1.44269504f);
            most[r] = now;
            total[r] = total[r] * shrink + sum_of_row(weight);
            sums[0][r] *= shrink;
            sums[1][r] *= shrink;
            weights[4 * part + r][col] = (f16)weight;
        }
        barrier();
        const f16x4 p = *(const f16x4 *)&weights[col][4 * part];
        for (u32 half = 0; half < 2; half++) {
            f16x4 b;
            for (u32 i = 0; i < 4; i++)
                b[i] = v[(first + 4 * part + i) * WIDTH + 16 * half + col];
            sums[half] = __builtin_amdgcn_mfma_f32_16x16x16f16(p, b, sums[half], 0, 0, 0);
        }
    }
    for (u32 half = 0; half < 2; half++)
        for (u32 r = 0; r < 4; r++)
            out[(row + 4 * part + r) * WIDTH + 16 * half + col] = sums[half][r] / total[r];
}
