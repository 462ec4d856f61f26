/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "corpus.h"

static void gemm_f32(corpus *c)
{
    enum { M = 32, N = 48, K = 64 };
    float *d = corpus_buffer(c, M * N * 4), *a = corpus_buffer(c, M * K * 4),
          *b = corpus_buffer(c, K * N * 4);
    for (int i = 0; i < M * K; i++)
        a[i] = corpus_whole(c, 500);
    for (int i = 0; i < K * N; i++)
        b[i] = corpus_whole(c, 500);
    corpus_u32(c, N);
    corpus_u32(c, K);
    if (!corpus_launch(c, N / 16, M / 16, 256))
        return;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < K; k++)
                sum += (double)a[i * K + k] * b[k * N + j];
            corpus_near(c, "element", (size_t)(i * N + j), d[i * N + j], sum, 0);
        }
}

static void softmax(corpus *c)
{
    enum { ROWS = 3, N = 900 };
    float *out = corpus_buffer(c, ROWS * N * 4), *x = corpus_buffer(c, ROWS * N * 4);
    for (int i = 0; i < ROWS * N; i++)
        x[i] = 5 * corpus_unit(c);
    corpus_u32(c, N);
    if (!corpus_launch(c, ROWS, 1, 256))
        return;
    for (int r = 0; r < ROWS; r++) {
        double sum = 0;
        for (int i = 0; i < N; i++)
            sum += exp(x[r * N + i]);
        for (int i = 0; i < N; i++)
            corpus_near(c, "element", (size_t)(r * N + i), out[r * N + i], exp(x[r * N + i]) / sum, 1e-5);
    }
}

static void layer_norm(corpus *c)
{
    enum { ROWS = 4, N = 200 };
    float *out = corpus_buffer(c, ROWS * N * 4), *x = corpus_buffer(c, ROWS * N * 4),
          *gain = corpus_buffer(c, N * 4), *bias = corpus_buffer(c, N * 4);
    for (int i = 0; i < ROWS * N; i++)
        x[i] = 2 + corpus_unit(c);
    for (int i = 0; i < N; i++) {
        gain[i] = corpus_unit(c);
        bias[i] = 3 + corpus_unit(c);
    }
    corpus_u32(c, N);
    if (!corpus_launch(c, ROWS, 1, 64))
        return;
    for (int r = 0; r < ROWS; r++) {
        double mean = 0, variance = 0;
        for (int i = 0; i < N; i++)
            mean += (double)x[r * N + i] / (double)N;
        for (int i = 0; i < N; i++)
            variance += (x[r * N + i] - mean) * (x[r * N + i] - mean) / (double)N;
        for (int i = 0; i < N; i++)
            corpus_near(c, "element", (size_t)(r * N + i), out[r * N + i],
                        (x[r * N + i] - mean) / sqrt(variance + 1e-5) * gain[i] + bias[i], 1e-4);
    }
}

static void convolution(corpus *c)
{
    enum { W = 40, H = 21 };
    int32_t *out = corpus_buffer(c, W * H * 4);
    int8_t *image = corpus_buffer(c, W * H), *filter = corpus_buffer(c, 25);
    for (int i = 0; i < W * H; i++)
        image[i] = (int8_t)corpus_whole(c, 127);
    for (int i = 0; i < 25; i++)
        filter[i] = (int8_t)corpus_whole(c, 127);
    corpus_u32(c, W);
    corpus_u32(c, H);
    if (!corpus_launch(c, 3, 2, 256))
        return;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int32_t sum = 0;
            for (int n = 0; n < 25; n++) {
                const int sx = x + n % 5 - 2, sy = y + n / 5 - 2;
                sum += sx >= 0 && sx < W && sy >= 0 && sy < H ? image[sy * W + sx] * filter[n] : 0;
            }
            corpus_same_u64(c, "pixel", (size_t)(y * W + x), (uint32_t)out[y * W + x], (uint32_t)sum);
        }
}

/* Non-negative halves are ordered like their codes. */
static void max_pool(corpus *c)
{
    enum { W = 100, H = 6 };
    uint16_t *out = corpus_buffer(c, W / 2 * H / 2 * 2), *x = corpus_buffer(c, W * H * 2);
    for (int i = 0; i < W * H; i++)
        x[i] = (uint16_t)(corpus_random(c) % 0x7c00);
    corpus_u32(c, W);
    if (!corpus_launch(c, 1, H / 2, 64))
        return;
    for (int y = 0; y < H / 2; y++)
        for (int i = 0; i < W / 2; i++) {
            uint16_t most = 0;
            for (int n = 0; n < 4; n++) {
                const uint16_t v = x[(2 * y + n / 2) * W + 2 * i + n % 2];
                most = v > most ? v : most;
            }
            corpus_same_u64(c, "pooled", (size_t)(y * W / 2 + i), out[y * W / 2 + i], most);
        }
}

static void split_k(corpus *c)
{
    enum { K = 256 };
    float *out = corpus_buffer(c, 256), *a = corpus_buffer(c, K * 4), *b = corpus_buffer(c, K * 256);
    for (int i = 0; i < K; i++)
        a[i] = corpus_whole(c, 200);
    for (int i = 0; i < K * 64; i++)
        b[i] = corpus_whole(c, 200);
    corpus_u32(c, K);
    if (!corpus_launch(c, 4, 1, 64))
        return;
    for (int j = 0; j < 64; j++) {
        double sum = 0;
        for (int k = 0; k < K; k++)
            sum += (double)a[k] * b[k * 64 + j];
        corpus_near(c, "element", (size_t)j, out[j], sum, 0);
    }
}

static void embed(corpus *c)
{
    enum { ROWS = 10, GROUPS = 6, ROW = 64 * 16 };
    uint8_t *out = corpus_buffer(c, GROUPS * ROW), *table = corpus_buffer(c, ROWS * ROW);
    uint32_t *which = corpus_buffer(c, GROUPS * 4);
    for (int i = 0; i < ROWS * ROW; i++)
        table[i] = (uint8_t)corpus_random(c);
    for (int i = 0; i < GROUPS; i++)
        which[i] = corpus_random(c) % ROWS;
    if (corpus_launch(c, GROUPS, 1, 64))
        for (size_t i = 0; i < GROUPS * ROW; i++)
            corpus_same_u64(c, "byte", i, out[i], table[which[i / ROW] * ROW + i % ROW]);
}

static void quantize(corpus *c)
{
    enum { GROUPS = 3 };
    int8_t *out = corpus_buffer(c, GROUPS * 256);
    float *scales = corpus_buffer(c, GROUPS * 4), *x = corpus_buffer(c, GROUPS * 256 * 4);
    for (int i = 0; i < GROUPS * 256; i++)
        x[i] = corpus_unit(c);
    if (!corpus_launch(c, GROUPS, 1, 256))
        return;
    for (int g = 0; g < GROUPS; g++) {
        double most = 0;
        for (int i = 0; i < 256; i++)
            most = fmax(most, fabs(x[256 * g + i]));
        corpus_near(c, "scale", (size_t)g, scales[g], most / 127, 1e-6);
        for (int i = 0; i < 256; i++) {
            const double exact = x[256 * g + i] * 127 / most;
            if (fabs(exact - floor(exact) - 0.5) > 1e-3) /* where intermediate rounding cannot decide */
                corpus_near(c, "code", (size_t)(256 * g + i), out[256 * g + i], nearbyint(exact), 0);
        }
    }
}

const corpus_case corpus_dense[] = {
    { "gemm_f32", gemm_f32 },
    { "softmax", softmax },
    { "layer_norm", layer_norm },
    { "convolution", convolution },
    { "max_pool", max_pool },
    { "split_k", split_k },
    { "embed", embed },
    { "quantize", quantize },
    { NULL, NULL },
};
