/* SPDX-License-Identifier: MIT */
/* Layers of networks: products, normalisation, softmax, convolution, pooling. */
#include "gpu.h"

DEVICE float exp_of(float x) { return __builtin_amdgcn_exp2f(x * 1.44269504f); }

KERNEL(256) gemm_f32(float *c, const float *a, const float *b, u32 n, u32 k)
{
    SHARED float as[16][16], bs[16][16];
    const u32 x = tid() % 16, y = tid() / 16;
    const u32 row = group_y() * 16 + y, col = group() * 16 + x;
    float sum = 0;
    for (u32 at = 0; at < k; at += 16) {
        as[y][x] = a[row * k + at + x];
        bs[y][x] = b[(at + y) * n + col];
        barrier();
        for (u32 i = 0; i < 16; i++)
            sum = __builtin_fmaf(as[y][i], bs[i][x], sum);
        barrier();
    }
    c[row * n + col] = sum;
}

/* One row per workgroup. */
KERNEL(256) softmax(float *out, const float *x, u32 n)
{
    SHARED float part[256];
    x += group() * n;
    out += group() * n;
    float most = -__builtin_inff();
    for (u32 i = tid(); i < n; i += 256)
        most = x[i] > most ? x[i] : most;
    part[tid()] = most;
    for (u32 half = 128; half; half /= 2) {
        barrier();
        if (tid() < half)
            part[tid()] = part[tid()] > part[tid() + half] ? part[tid()] : part[tid() + half];
    }
    barrier();
    most = part[0];
    barrier();
    float sum = 0;
    for (u32 i = tid(); i < n; i += 256)
        sum += exp_of(x[i] - most);
    part[tid()] = sum;
    for (u32 half = 128; half; half /= 2) {
        barrier();
        if (tid() < half)
            part[tid()] += part[tid() + half];
    }
    barrier();
    const float scale = 1.0f / part[0];
    for (u32 i = tid(); i < n; i += 256)
        out[i] = exp_of(x[i] - most) * scale;
}

KERNEL(64) layer_norm(float *out, const float *x, const float *gain, const float *bias, u32 n)
{
    SHARED float part[2][64];
    x += group() * n;
    out += group() * n;
    float sum = 0, squares = 0;
    for (u32 i = tid(); i < n; i += 64) {
        sum += x[i];
        squares = __builtin_fmaf(x[i], x[i], squares);
    }
    part[0][tid()] = sum;
    part[1][tid()] = squares;
    barrier();
    sum = squares = 0;
    for (u32 i = 0; i < 64; i++) {
        sum += part[0][i];
        squares += part[1][i];
    }
    const float mean = sum / (float)n, variance = squares / (float)n - mean * mean;
    const float scale = __builtin_amdgcn_rsqf(variance + 1e-5f);
    for (u32 i = tid(); i < n; i += 64)
        out[i] = (x[i] - mean) * scale * gain[i] + bias[i];
}

KERNEL(256) convolution(int *out, const i8 *image, const i8 *filter, u32 width, u32 height)
{
    const u32 x = group() * 16 + tid() % 16, y = group_y() * 16 + tid() / 16;
    if (x >= width || y >= height)
        return;
    int sum = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            const int sx = (int)x + i, sy = (int)y + j;
            if (sx < 0 || sy < 0 || sx >= (int)width || sy >= (int)height)
                continue;
            sum += image[sy * (int)width + sx] * filter[(j + 2) * 5 + i + 2];
        }
    out[y * width + x] = sum;
}

KERNEL(64) max_pool(f16 *out, const f16 *x, u32 width)
{
    const u32 i = group() * 64 + tid(), row = group_y();
    if (i >= width / 2)
        return;
    const f16 *at = x + 2 * row * width + 2 * i;
    f16 v = at[0];
    v = at[1] > v ? at[1] : v;
    v = at[width] > v ? at[width] : v;
    v = at[width + 1] > v ? at[width + 1] : v;
    out[row * (width / 2) + i] = v;
}

/* Partial products added by float atomics; whole numbers, so that the order does not matter. */
KERNEL(64) split_k(float *c, const float *a, const float *b, u32 k)
{
    const u32 col = tid();
    float sum = 0;
    for (u32 i = group() * (k / 4); i < (group() + 1) * (k / 4); i++)
        sum += a[i] * b[i * 64 + col];
    add_to(&c[col], sum);
}

KERNEL(64) embed(vec<float, 4> *out, const vec<float, 4> *table, const u32 *which)
{
    out[group() * 64 + tid()] = table[which[group()] * 64 + tid()];
}

KERNEL(256) quantize(i8 *out, float *scales, const float *x)
{
    SHARED float part[256];
    const float v = x[group() * 256 + tid()];
    part[tid()] = __builtin_fabsf(v);
    for (u32 half = 128; half; half /= 2) {
        barrier();
        if (tid() < half)
            part[tid()] = part[tid()] > part[tid() + half] ? part[tid()] : part[tid() + half];
    }
    barrier();
    const float scale = part[0] / 127.0f;
    if (!tid())
        scales[group()] = scale;
    out[group() * 256 + tid()] = (i8)__builtin_rintf(scale > 0 ? v / scale : 0.0f);
}
