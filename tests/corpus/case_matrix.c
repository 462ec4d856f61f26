/* SPDX-License-Identifier: MIT */
/* Products of small whole numbers: every sum is exact, in whatever order it is formed. */
#include <math.h>
#include <string.h>

#include "corpus.h"

enum { M = 64, N = 96, K = 64, MOST = 7 };

typedef enum kind { F16, BF16, I8, FP8, F32, F64, BF8 } kind;

static const size_t sizes[] = { 2, 2, 1, 1, 4, 8, 1 };

/* The code of a whole number of at most 15 in a format with a sign, `exponent` and `fraction` bits. */
static uint32_t code_of(int v, unsigned exponent, unsigned fraction, int bias)
{
    const unsigned size = (unsigned)(v < 0 ? -v : v);
    unsigned e = 0;
    while (size >> (e + 1))
        e++;
    const uint32_t rest = (size << fraction >> e) & ((1u << fraction) - 1);
    return size ? (v < 0 ? 1u << (exponent + fraction) : 0) | ((uint32_t)((int)e + bias) << fraction) | rest
                : 0;
}

static void put(const corpus *c, kind k, void *at, size_t i, int v)
{
    const double wide = v;
    const float single = (float)v;
    const uint16_t half = (uint16_t)(k == BF16 ? code_of(v, 8, 7, 127) : code_of(v, 5, 10, 15));
    const uint8_t byte = (uint8_t)(k == I8 ? (uint32_t)v : code_of(v, 4, 3, corpus_is(c, "gfx942") ? 8 : 7));
    const uint8_t brain = (uint8_t)code_of(v, 5, 2, corpus_is(c, "gfx942") ? 16 : 15);
    const void *const codes[] = { &half, &half, &byte, &byte, &single, &wide, &brain };
    memcpy((uint8_t *)at + i * sizes[k], codes[k], sizes[k]);
}

static double got_at(kind k, const void *at, size_t i)
{
    if (k == I8)
        return ((const int32_t *)at)[i];
    return k == F64 ? ((const double *)at)[i] : (double)((const float *)at)[i];
}

/* The float units of gfx11 cut off sums where terms of both signs meet; without negative ones every sum is
 * exact. */
static bool rounds_down(const corpus *c, kind k)
{
    return k != I8 && (corpus_is(c, "gfx110") || corpus_is(c, "gfx115"));
}

static void fill(corpus *c, kind k, void *at, int *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        values[i] = (int)corpus_whole(c, MOST);
        if (values[i] < 0 && rounds_down(c, k))
            values[i] = -values[i];
        put(c, k, at, i, values[i]);
    }
}

static void compare(corpus *c, kind k, const void *out, const int *a, const int *b)
{
    for (size_t i = 0; i < M; i++)
        for (size_t j = 0; j < N; j++) {
            long sum = 0;
            for (size_t n = 0; n < K; n++)
                sum += (long)a[i * K + n] * b[j * K + n];
            corpus_near(c, "element", i * N + j, got_at(k, out, i * N + j), (double)sum, 0);
        }
}

/* A of one kind and B of another, which have the same size and sums. */
static void mixed(corpus *c, kind k, kind of_b, uint32_t tile, uint32_t block)
{
    static int a[M * K], b[N * K];
    void *out = corpus_buffer(c, M * N * (k == F64 ? 8 : 4));
    fill(c, k, corpus_buffer(c, M * K * sizes[k]), a, M * K);
    fill(c, of_b, corpus_buffer(c, N * K * sizes[of_b]), b, N * K);
    corpus_u32(c, N);
    corpus_u32(c, K);
    if (corpus_launch(c, N / tile, M / tile, block))
        compare(c, k, out, a, b);
}

static void product(corpus *c, kind k, uint32_t tile, uint32_t block)
{
    mixed(c, k, k, tile, block);
}

#define MFMA(name, kind, tile)                                                                               \
    static void name(corpus *c)                                                                              \
    {                                                                                                        \
        product(c, kind, tile, 64);                                                                          \
    }
#define WMMA(name, kind)                                                                                     \
    static void name(corpus *c)                                                                              \
    {                                                                                                        \
        product(c, kind, 16, 32);                                                                            \
    }

MFMA(f16_16, F16, 16)
MFMA(f16_32, F16, 32)
MFMA(bf16_16, BF16, 16)
MFMA(bf16_32, BF16, 32)
MFMA(i8_16, I8, 16)
MFMA(i8_32, I8, 32)
MFMA(fp8_16, FP8, 16)
MFMA(fp8_32, FP8, 32)
MFMA(bf8_16, BF8, 16)
MFMA(bf8_32, BF8, 32)
MFMA(f32_16, F32, 16)
MFMA(f32_32, F32, 32)
MFMA(f64_16, F64, 16)
WMMA(wmma_f16, F16)
WMMA(wmma_bf16, BF16)
WMMA(wmma_i8, I8)
WMMA(wmma_fp8, FP8)
WMMA(wmma_bf8, BF8)

static void fp8_bf8_16(corpus *c)
{
    mixed(c, FP8, BF8, 16, 64);
}
static void bf8_fp8_32(corpus *c)
{
    mixed(c, BF8, FP8, 32, 64);
}
static void wmma_fp8_bf8(corpus *c)
{
    mixed(c, FP8, BF8, 16, 32);
}

/* Of every four k, two are kept: places p < q, four bits for them; `index_bytes` for 8 or for 16 k. */
static void sparse(corpus *c, kind k, uint32_t block, size_t index_bytes)
{
    static int a[M * K], b[N * K];
    void *out = corpus_buffer(c, M * N * 4), *stored = corpus_buffer(c, M * K / 2 * sizes[k]),
         *dense = corpus_buffer(c, N * K * sizes[k]);
    uint8_t *which = corpus_buffer(c, M * K / 8 * index_bytes);
    memset(a, 0, sizeof(a));
    for (size_t quad = 0; quad < M * K / 4; quad++) {
        const unsigned p = corpus_random(c) % 3, q = p + 1 + corpus_random(c) % (3 - p), places[2] = { p, q };
        for (unsigned n = 0; n < 2; n++) {
            const int v = (int)corpus_whole(c, MOST);
            a[4 * quad + places[n]] = v;
            put(c, k, stored, 2 * quad + n, v);
        }
        which[quad / 2 * index_bytes] |= (uint8_t)((p | q << 2) << 4 * (quad % 2));
    }
    fill(c, k, dense, b, N * K);
    corpus_u32(c, N);
    corpus_u32(c, K);
    if (corpus_launch(c, N / 16, M / 16, block))
        compare(c, k, out, a, b);
}

#define SPARSE(name, kind, block, index_bytes)                                                               \
    static void name(corpus *c)                                                                              \
    {                                                                                                        \
        sparse(c, kind, block, index_bytes);                                                                 \
    }

SPARSE(sparse_16, F16, 64, 2) /* each byte of the index is in two bytes */
SPARSE(sparse_bf16, BF16, 64, 1)
SPARSE(sparse_i8, I8, 64, 1)
SPARSE(sparse_fp8, FP8, 64, 1)
SPARSE(sparse_f16, F16, 64, 1)
SPARSE(sparse_bf8, BF8, 64, 1)
SPARSE(swmmac_f16, F16, 32, 1)
SPARSE(swmmac_bf16, BF16, 32, 1)
SPARSE(swmmac_i8, I8, 32, 1)
SPARSE(swmmac_fp8, FP8, 32, 1)

static void f16_4(corpus *c)
{
    enum { PRODUCTS = 32, LENGTH = 24 };
    static int a[PRODUCTS * 4 * LENGTH], b[PRODUCTS * 4 * LENGTH];
    float *out = corpus_buffer(c, PRODUCTS * 16 * 4);
    fill(c, F16, corpus_buffer(c, sizeof(a) / sizeof(a[0]) * 2), a, sizeof(a) / sizeof(a[0]));
    fill(c, F16, corpus_buffer(c, sizeof(b) / sizeof(b[0]) * 2), b, sizeof(b) / sizeof(b[0]));
    corpus_u32(c, LENGTH);
    if (!corpus_launch(c, PRODUCTS / 16, 1, 64))
        return;
    for (size_t e = 0; e < PRODUCTS * 16; e++) {
        const size_t row = e / 16 * 4 + e / 4 % 4, col = e / 16 * 4 + e % 4;
        int sum = 0;
        for (size_t n = 0; n < LENGTH; n++)
            sum += a[row * LENGTH + n] * b[col * LENGTH + n];
        corpus_near(c, "element", e, out[e], sum, 0);
    }
}

const corpus_case corpus_mfma[] = {
    { "f16_16", f16_16 },   { "f16_32", f16_32 }, { "bf16_16", bf16_16 },
    { "bf16_32", bf16_32 }, { "f32_16", f32_16 }, { "f32_32", f32_32 },
    { "f64_16", f64_16 },   { "f16_4", f16_4 },   { NULL, NULL },
};

const corpus_case corpus_mfma_cdna1[] = {
    { "f16_16", f16_16 }, { "f16_32", f16_32 }, { "bf16_16", bf16_16 }, { "bf16_32", bf16_32 },
    { "f32_16", f32_16 }, { "f32_32", f32_32 }, { "i8_16", i8_16 },     { "i8_32", i8_32 },
    { "f16_4", f16_4 },   { NULL, NULL },
};

const corpus_case corpus_mfma_cdna3[] = {
    { "i8_16", i8_16 },           { "i8_32", i8_32 },   { "fp8_16", fp8_16 }, { "fp8_32", fp8_32 },
    { "sparse_16", sparse_16 },   { "bf8_16", bf8_16 }, { "bf8_32", bf8_32 }, { "fp8_bf8_16", fp8_bf8_16 },
    { "bf8_fp8_32", bf8_fp8_32 }, { NULL, NULL },
};

const corpus_case corpus_wmma[] = {
    { "f16_16", wmma_f16 },
    { "bf16_16", wmma_bf16 },
    { "i8_16", wmma_i8 },
    { NULL, NULL },
};

const corpus_case corpus_wmma_rdna4[] = {
    { "f16_16", wmma_f16 }, { "bf16_16", wmma_bf16 },       { "i8_16", wmma_i8 }, { "fp8_16", wmma_fp8 },
    { "bf8_16", wmma_bf8 }, { "fp8_bf8_16", wmma_fp8_bf8 }, { NULL, NULL },
};

/* In waves of 64 lanes. */
const corpus_case corpus_wmma_64[] = { { "i8_16", i8_16 }, { NULL, NULL } };

const corpus_case corpus_wmma_rdna4_64[] = {
    { "f16_16", f16_16 }, { "bf16_16", bf16_16 },       { "i8_16", i8_16 }, { "fp8_16", fp8_16 },
    { "bf8_16", bf8_16 }, { "fp8_bf8_16", fp8_bf8_16 }, { NULL, NULL },
};

const corpus_case corpus_smfmac[] = {
    { "sparse_bf16", sparse_bf16 },
    { "sparse_i8", sparse_i8 },
    { "sparse_fp8", sparse_fp8 },
    { "sparse_bf8", sparse_bf8 },
    { NULL, NULL },
};

const corpus_case corpus_swmmac_64[] = {
    { "sparse_f16", sparse_f16 },
    { "sparse_bf16", sparse_bf16 },
    { "sparse_i8", sparse_i8 },
    { "sparse_fp8", sparse_fp8 },
    { NULL, NULL },
};

const corpus_case corpus_swmmac[] = {
    { "sparse_f16", swmmac_f16 },
    { "sparse_bf16", swmmac_bf16 },
    { "sparse_i8", swmmac_i8 },
    { "sparse_fp8", swmmac_fp8 },
    { NULL, NULL },
};
