/* SPDX-License-Identifier: MIT */
/*
 * Attention without the matrix of scores in memory, forwards and backwards: a workgroup has 64 rows, keys come in tiles of 16
 * through LDS. Rows have 32 numbers. `logs` keeps the logarithm of each row's sum for the way back.
 */
#include "gpu.h"

#define WIDTH 32
#define TILE 16
#define LOG2E 1.44269504f

DEVICE float exp_of(float x) { return __builtin_amdgcn_exp2f(x * LOG2E); }
DEVICE float log_of(float x) { return __builtin_amdgcn_logf(x) / LOG2E; }

DEVICE float dot(const float *a, const float *b)
{
    float sum = 0;
    for (u32 i = 0; i < WIDTH; i++)
        sum = __builtin_fmaf(a[i], b[i], sum);
    return sum;
}

/* Rows first .. first + TILE - 1 of a matrix. */
DEVICE void stage(float (*to)[WIDTH], const float *from, u32 first)
{
    for (u32 i = tid(); i < TILE * WIDTH; i += 64)
        to[i / WIDTH][i % WIDTH] = from[first * WIDTH + i];
}

KERNEL(64) attention(float *out, float *logs, const float *q, const float *k, const float *v, u32 n, float scale)
{
    SHARED float keys[TILE][WIDTH], values[TILE][WIDTH];
    const u32 row = group() * 64 + tid();
    float mine[WIDTH], sums[WIDTH] = {}, most = -__builtin_inff(), sum = 0;
    for (u32 i = 0; i < WIDTH; i++)
        mine[i] = q[row * WIDTH + i];
    for (u32 first = 0; first < n; first += TILE) {
        barrier();
        stage(keys, k, first);
        stage(values, v, first);
        barrier();
        for (u32 j = 0; j < TILE; j++) {
            const float score = dot(mine, keys[j]) * scale, now = score > most ? score : most;
            const float shrink = exp_of(most - now), weight = exp_of(score - now);
            most = now;
            sum = sum * shrink + weight;
            for (u32 i = 0; i < WIDTH; i++)
                sums[i] = __builtin_fmaf(weight, values[j][i], sums[i] * shrink);
        }
    }
    for (u32 i = 0; i < WIDTH; i++)
        out[row * WIDTH + i] = sums[i] / sum;
    logs[row] = most + log_of(sum);
}

/* Of one row of scores: the weights come again from `logs`. */
KERNEL(64) attention_dq(float *dq, const float *q, const float *k, const float *v, const float *out, const float *dout,
                        const float *logs, u32 n, float scale)
{
    SHARED float keys[TILE][WIDTH], values[TILE][WIDTH];
    const u32 row = group() * 64 + tid();
    float mine[WIDTH], gradient[WIDTH], sums[WIDTH] = {};
    for (u32 i = 0; i < WIDTH; i++) {
        mine[i] = q[row * WIDTH + i];
        gradient[i] = dout[row * WIDTH + i];
    }
    const float delta = dot(gradient, out + row * WIDTH), log = logs[row];
    for (u32 first = 0; first < n; first += TILE) {
        barrier();
        stage(keys, k, first);
        stage(values, v, first);
        barrier();
        for (u32 j = 0; j < TILE; j++) {
            const float weight = exp_of(dot(mine, keys[j]) * scale - log);
            const float ds = weight * (dot(gradient, values[j]) - delta) * scale;
            for (u32 i = 0; i < WIDTH; i++)
                sums[i] = __builtin_fmaf(ds, keys[j][i], sums[i]);
        }
    }
    for (u32 i = 0; i < WIDTH; i++)
        dq[row * WIDTH + i] = sums[i];
}

/* Of one key: queries come in tiles. */
KERNEL(64) attention_dkdv(float *dk, float *dv, const float *q, const float *k, const float *v, const float *out,
                          const float *dout, const float *logs, u32 n, float scale)
{
    SHARED float queries[TILE][WIDTH], gradients[TILE][WIDTH], deltas[TILE];
    const u32 key = group() * 64 + tid();
    float mine[WIDTH], value[WIDTH], to_k[WIDTH] = {}, to_v[WIDTH] = {};
    for (u32 i = 0; i < WIDTH; i++) {
        mine[i] = k[key * WIDTH + i];
        value[i] = v[key * WIDTH + i];
    }
    for (u32 first = 0; first < n; first += TILE) {
        barrier();
        stage(queries, q, first);
        stage(gradients, dout, first);
        if (tid() < TILE)
            deltas[tid()] = dot(dout + (first + tid()) * WIDTH, out + (first + tid()) * WIDTH);
        barrier();
        for (u32 j = 0; j < TILE; j++) {
            const float weight = exp_of(dot(mine, queries[j]) * scale - logs[first + j]);
            const float ds = weight * (dot(gradients[j], value) - deltas[j]) * scale;
            for (u32 i = 0; i < WIDTH; i++) {
                to_k[i] = __builtin_fmaf(ds, queries[j][i], to_k[i]);
                to_v[i] = __builtin_fmaf(weight, gradients[j][i], to_v[i]);
            }
        }
    }
    for (u32 i = 0; i < WIDTH; i++) {
        dk[key * WIDTH + i] = to_k[i];
        dv[key * WIDTH + i] = to_v[i];
    }
}
