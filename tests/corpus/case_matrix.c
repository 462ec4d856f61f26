/* SPDX-License-Identifier: MIT */
/* Products of small whole numbers: every sum is exact, in whatever order it is formed. */
#include <math.h>
#include <string.h>

#include "corpus.h"

enum { M = 64, N = 96, K = 128, MOST = 7 };

typedef enum kind { F16, BF16, I8, FP8, F32, F64, BF8, I4, I32 } kind;

static const unsigned widths[] = { 16, 16, 8, 8, 32, 64, 8, 4, 32 };

/* Elements of A, of B, of the result; the largest size of a number: the largest sum is a number of the
 * result's type. */
typedef struct form {
    kind a, b, d;
    int most;
} form;

static size_t size_of(kind k, size_t count)
{
    return count * widths[k] / 8;
}

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

/* Places that were zero before. */
static void put(const corpus *c, kind k, void *at, size_t i, int v)
{
    const double wide = v;
    const float single = (float)v;
    const uint16_t half = (uint16_t)(k == BF16 ? code_of(v, 8, 7, 127) : code_of(v, 5, 10, 15));
    const uint8_t byte = (uint8_t)(k == I8 ? (uint32_t)v : code_of(v, 4, 3, corpus_is(c, "gfx942") ? 8 : 7));
    const uint8_t brain = (uint8_t)code_of(v, 5, 2, corpus_is(c, "gfx942") ? 16 : 15);
    const void *const codes[] = { &half, &half, &byte, &byte, &single, &wide, &brain };
    if (k == I4)
        ((uint8_t *)at)[i / 2] |= (uint8_t)((v & 15) << i % 2 * 4);
    else
        memcpy((uint8_t *)at + size_of(k, i), codes[k], size_of(k, 1));
}

/* A number of 16 bits that is whole, or any other NaN. */
static double half_of(uint16_t code, unsigned fraction, int bias)
{
    const int exponent = code >> fraction & ((1 << (15 - fraction)) - 1);
    const int size = 1 << fraction | (code & ((1 << fraction) - 1));
    if (exponent < bias || exponent == 2 * bias + 1)
        return (code & 0x7fff) == 0 ? 0 : (double)NAN;
    return (code >> 15 ? -1 : 1) * ldexp(size, exponent - bias - (int)fraction);
}

static double got_at(kind k, const void *at, size_t i)
{
    const uint16_t *halves = at;
    switch (k) {
    case F16:
        return half_of(halves[i], 10, 15);
    case BF16:
        return half_of(halves[i], 7, 127);
    case I32:
        return ((const int32_t *)at)[i];
    case F64:
        return ((const double *)at)[i];
    default:
        return (double)((const float *)at)[i];
    }
}

/* The float units of gfx11 cut off sums where terms of both signs meet; without negative ones every sum is
 * exact. */
static bool rounds_down(const corpus *c, kind k)
{
    return k != I8 && k != I4 && (corpus_is(c, "gfx110") || corpus_is(c, "gfx115"));
}

static int value(corpus *c, kind k, int most)
{
    const int v = (int)corpus_whole(c, most);
    return v < 0 && rounds_down(c, k) ? -v : v;
}

static void fill(corpus *c, kind k, int most, void *at, int *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        values[i] = value(c, k, most);
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

static void dense(corpus *c, form f, uint32_t tile, uint32_t block)
{
    static int a[M * K], b[N * K];
    void *out = corpus_buffer(c, size_of(f.d, M * N));
    fill(c, f.a, f.most, corpus_buffer(c, size_of(f.a, M * K)), a, M * K);
    fill(c, f.b, f.most, corpus_buffer(c, size_of(f.b, N * K)), b, N * K);
    corpus_u32(c, N);
    corpus_u32(c, K);
    if (corpus_launch(c, N / tile, M / tile, block))
        compare(c, f.d, out, a, b);
}

/* Of every four k, two are kept: places p < q, four bits for them; `index_bytes` for 8 or for 16 k. */
static void sparse(corpus *c, form f, uint32_t tile, uint32_t block, size_t index_bytes)
{
    static int a[M * K], b[N * K];
    void *out = corpus_buffer(c, size_of(f.d, M * N)), *stored = corpus_buffer(c, size_of(f.a, M * K / 2)),
         *factor = corpus_buffer(c, size_of(f.b, N * K));
    uint8_t *which = corpus_buffer(c, M * K / 8 * index_bytes);
    memset(a, 0, sizeof(a));
    for (size_t quad = 0; quad < M * K / 4; quad++) {
        const unsigned p = corpus_random(c) % 3, q = p + 1 + corpus_random(c) % (3 - p), places[2] = { p, q };
        for (unsigned n = 0; n < 2; n++) {
            const int v = value(c, f.a, f.most);
            a[4 * quad + places[n]] = v;
            put(c, f.a, stored, 2 * quad + n, v);
        }
        which[quad / 2 * index_bytes] |= (uint8_t)((p | q << 2) << 4 * (quad % 2));
    }
    fill(c, f.b, f.most, factor, b, N * K);
    corpus_u32(c, N);
    corpus_u32(c, K);
    if (corpus_launch(c, N / tile, M / tile, block))
        compare(c, f.d, out, a, b);
}

#define DENSE(name, a, b, d, most, tile, block)                                                              \
    static void name(corpus *c)                                                                              \
    {                                                                                                        \
        dense(c, (form){ a, b, d, most }, tile, block);                                                      \
    }
#define SPARSE(name, a, d, most, tile, block, index_bytes)                                                   \
    static void name(corpus *c)                                                                              \
    {                                                                                                        \
        sparse(c, (form){ a, a, d, most }, tile, block, index_bytes);                                        \
    }

/* By waves of 64 lanes, then of 32. Sums of 16 bits are whole numbers up to 2048 and 256. */
DENSE(f16_16, F16, F16, F32, MOST, 16, 64)
DENSE(f16_32, F16, F16, F32, MOST, 32, 64)
DENSE(bf16_16, BF16, BF16, F32, MOST, 16, 64)
DENSE(bf16_32, BF16, BF16, F32, MOST, 32, 64)
DENSE(i8_16, I8, I8, I32, MOST, 16, 64)
DENSE(i8_32, I8, I8, I32, MOST, 32, 64)
DENSE(fp8_16, FP8, FP8, F32, MOST, 16, 64)
DENSE(fp8_32, FP8, FP8, F32, MOST, 32, 64)
DENSE(bf8_16, BF8, BF8, F32, MOST, 16, 64)
DENSE(bf8_32, BF8, BF8, F32, MOST, 32, 64)
DENSE(fp8_bf8_16, FP8, BF8, F32, MOST, 16, 64)
DENSE(bf8_fp8_32, BF8, FP8, F32, MOST, 32, 64)
DENSE(f32_16, F32, F32, F32, MOST, 16, 64)
DENSE(f32_32, F32, F32, F32, MOST, 32, 64)
DENSE(f64_16, F64, F64, F64, MOST, 16, 64)
DENSE(i4_16, I4, I4, I32, MOST, 16, 64)
DENSE(f16_f16, F16, F16, F16, 4, 16, 64)
DENSE(bf16_bf16, BF16, BF16, BF16, 1, 16, 64)
DENSE(wmma_f16, F16, F16, F32, MOST, 16, 32)
DENSE(wmma_bf16, BF16, BF16, F32, MOST, 16, 32)
DENSE(wmma_i8, I8, I8, I32, MOST, 16, 32)
DENSE(wmma_fp8, FP8, FP8, F32, MOST, 16, 32)
DENSE(wmma_bf8, BF8, BF8, F32, MOST, 16, 32)
DENSE(wmma_fp8_bf8, FP8, BF8, F32, MOST, 16, 32)
DENSE(wmma_i4, I4, I4, I32, MOST, 16, 32)
DENSE(wmma_f32, F32, F32, F32, MOST, 16, 32)
DENSE(wmma_f16_f16, F16, F16, F16, 4, 16, 32)
DENSE(wmma_bf16_bf16, BF16, BF16, BF16, 1, 16, 32)
DENSE(wmma_bf16_of_f32, BF16, BF16, F32, 1, 16, 32)
DENSE(wmma_fp8_f16, FP8, FP8, F16, 4, 16, 32)

SPARSE(sparse_16, F16, F32, MOST, 16, 64, 2) /* each byte of the index is in two bytes */
SPARSE(sparse_bf16, BF16, F32, MOST, 16, 64, 1)
SPARSE(sparse_i8, I8, I32, MOST, 16, 64, 1)
SPARSE(sparse_fp8, FP8, F32, MOST, 16, 64, 1)
SPARSE(sparse_f16, F16, F32, MOST, 16, 64, 1)
SPARSE(sparse_bf8, BF8, F32, MOST, 16, 64, 1)
SPARSE(sparse_f16_32, F16, F32, MOST, 32, 64, 1)
SPARSE(sparse_bf16_32, BF16, F32, MOST, 32, 64, 1)
SPARSE(sparse_i8_32, I8, I32, MOST, 32, 64, 1)
SPARSE(sparse_bf8_32, BF8, F32, MOST, 32, 64, 1)
SPARSE(sparse_i4, I4, I32, MOST, 16, 64, 1)
SPARSE(sparse_f16_f16, F16, F16, 5, 16, 64, 1)
SPARSE(sparse_bf16_bf16, BF16, BF16, 2, 16, 64, 1)
SPARSE(swmmac_f16, F16, F32, MOST, 16, 32, 1)
SPARSE(swmmac_bf16, BF16, F32, MOST, 16, 32, 1)
SPARSE(swmmac_i8, I8, I32, MOST, 16, 32, 1)
SPARSE(swmmac_fp8, FP8, F32, MOST, 16, 32, 1)
SPARSE(swmmac_bf8, BF8, F32, MOST, 16, 32, 1)
SPARSE(swmmac_i4, I4, I32, MOST, 16, 32, 1)
SPARSE(swmmac_f16_f16, F16, F16, 5, 16, 32, 1)
SPARSE(swmmac_bf16_bf16, BF16, BF16, 2, 16, 32, 1)
SPARSE(swmmac_fp8_f16, FP8, F16, 5, 16, 32, 1)

static void f16_4(corpus *c)
{
    enum { PRODUCTS = 32, LENGTH = 24 };
    static int a[PRODUCTS * 4 * LENGTH], b[PRODUCTS * 4 * LENGTH];
    float *out = corpus_buffer(c, PRODUCTS * 16 * 4);
    fill(c, F16, MOST, corpus_buffer(c, sizeof(a) / sizeof(a[0]) * 2), a, sizeof(a) / sizeof(a[0]));
    fill(c, F16, MOST, corpus_buffer(c, sizeof(b) / sizeof(b[0]) * 2), b, sizeof(b) / sizeof(b[0]));
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

/* gfx950: twice as deep. */
const corpus_case corpus_mfma_gfx950[] = {
    { "f16_16", f16_16 }, { "f16_32", f16_32 }, { "bf16_16", bf16_16 }, { "bf16_32", bf16_32 },
    { "i8_16", i8_16 },   { "i8_32", i8_32 },   { NULL, NULL },
};

const corpus_case corpus_mfma_xf32[] = {
    { "f32_16", f32_16 },
    { "f32_32", f32_32 },
    { NULL, NULL },
};

const corpus_case corpus_wmma[] = {
    { "f16_16", wmma_f16 },      { "bf16_16", wmma_bf16 },        { "i8_16", wmma_i8 }, { "i4_16", wmma_i4 },
    { "f16_f16", wmma_f16_f16 }, { "bf16_bf16", wmma_bf16_bf16 }, { NULL, NULL },
};

const corpus_case corpus_wmma_rdna4[] = {
    { "f16_16", wmma_f16 },
    { "bf16_16", wmma_bf16 },
    { "i8_16", wmma_i8 },
    { "fp8_16", wmma_fp8 },
    { "bf8_16", wmma_bf8 },
    { "fp8_bf8_16", wmma_fp8_bf8 },
    { "i4_16", wmma_i4 },
    { "i4_32", wmma_i4 },
    { "f16_f16", wmma_f16_f16 },
    { "bf16_bf16", wmma_bf16_bf16 },
    { NULL, NULL },
};

const corpus_case corpus_wmma_gfx1250[] = {
    { "f16_16", wmma_f16 },
    { "bf16_16", wmma_bf16 },
    { "i8_16", wmma_i8 },
    { "fp8_16", wmma_fp8 },
    { "bf8_16", wmma_bf8 },
    { "fp8_bf8_16", wmma_fp8_bf8 },
    { "fp8_128", wmma_fp8 },
    { "f32_16", wmma_f32 },
    { "f16_f16", wmma_f16_f16 },
    { "bf16_bf16", wmma_bf16_bf16 },
    { "fp8_f16", wmma_fp8_f16 },
    { "bf16_of_f32", wmma_bf16_of_f32 },
    { NULL, NULL },
};

/* In waves of 64 lanes. */
const corpus_case corpus_wmma_64[] = {
    { "f16_16", f16_16 },   { "bf16_16", bf16_16 },     { "i8_16", i8_16 }, { "i4_16", i4_16 },
    { "f16_f16", f16_f16 }, { "bf16_bf16", bf16_bf16 }, { NULL, NULL },
};

const corpus_case corpus_wmma_rdna4_64[] = {
    { "f16_16", f16_16 },   { "bf16_16", bf16_16 },       { "i8_16", i8_16 }, { "fp8_16", fp8_16 },
    { "bf8_16", bf8_16 },   { "fp8_bf8_16", fp8_bf8_16 }, { "i4_16", i4_16 }, { "i4_32", i4_16 },
    { "f16_f16", f16_f16 }, { "bf16_bf16", bf16_bf16 },   { NULL, NULL },
};

const corpus_case corpus_smfmac[] = {
    { "sparse_bf16", sparse_bf16 },
    { "sparse_i8", sparse_i8 },
    { "sparse_fp8", sparse_fp8 },
    { "sparse_bf8", sparse_bf8 },
    { NULL, NULL },
};

const corpus_case corpus_smfmac_gfx950[] = {
    { "sparse_f16", sparse_f16 },
    { "sparse_f16_32", sparse_f16_32 },
    { "sparse_bf16", sparse_bf16 },
    { "sparse_bf16_32", sparse_bf16_32 },
    { "sparse_i8", sparse_i8 },
    { "sparse_i8_32", sparse_i8_32 },
    { "sparse_fp8", sparse_fp8 },
    { "sparse_bf8_32", sparse_bf8_32 },
    { NULL, NULL },
};

const corpus_case corpus_swmmac_64[] = {
    { "sparse_f16", sparse_f16 },
    { "sparse_bf16", sparse_bf16 },
    { "sparse_i8", sparse_i8 },
    { "sparse_fp8", sparse_fp8 },
    { "sparse_i4", sparse_i4 },
    { "sparse_i4_64", sparse_i4 },
    { "sparse_f16_f16", sparse_f16_f16 },
    { "sparse_bf16_bf16", sparse_bf16_bf16 },
    { NULL, NULL },
};

const corpus_case corpus_swmmac[] = {
    { "sparse_f16", swmmac_f16 },
    { "sparse_bf16", swmmac_bf16 },
    { "sparse_i8", swmmac_i8 },
    { "sparse_fp8", swmmac_fp8 },
    { "sparse_i4", swmmac_i4 },
    { "sparse_i4_64", swmmac_i4 },
    { "sparse_f16_f16", swmmac_f16_f16 },
    { "sparse_bf16_bf16", swmmac_bf16_bf16 },
    { NULL, NULL },
};

const corpus_case corpus_swmmac_gfx1250[] = {
    { "sparse_f16", swmmac_f16 },
    { "sparse_bf16", swmmac_bf16 },
    { "sparse_i8", swmmac_i8 },
    { "sparse_fp8", swmmac_fp8 },
    { "sparse_bf8", swmmac_bf8 },
    { "sparse_fp8_f16", swmmac_fp8_f16 },
    { "sparse_f16_f16", swmmac_f16_f16 },
    { "sparse_bf16_bf16", swmmac_bf16_bf16 },
    { NULL, NULL },
};
