/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "corpus.h"

enum { COUNT = 700 };

static void scan(corpus *c)
{
    uint32_t *out = corpus_buffer(c, COUNT * 4), *x = corpus_buffer(c, COUNT * 4), sum = 0;
    for (int i = 0; i < COUNT; i++)
        x[i] = corpus_random(c);
    corpus_u32(c, COUNT);
    if (!corpus_launch(c, 3, 1, 256))
        return;
    for (int i = 0; i < COUNT; i++) {
        sum = (i % 256 ? sum : 0) + x[i];
        corpus_same_u64(c, "sum", (size_t)i, out[i], sum);
    }
}

static void histogram(corpus *c)
{
    uint32_t *bins = corpus_buffer(c, 1024), expected[256] = { 0 };
    uint8_t *x = corpus_buffer(c, 5000);
    for (int i = 0; i < 5000; i++) {
        x[i] = (uint8_t)(corpus_random(c) & corpus_random(c));
        expected[x[i]]++;
    }
    corpus_u32(c, 5000);
    if (corpus_launch(c, 3, 1, 256))
        for (size_t i = 0; i < 256; i++)
            corpus_same_u64(c, "bin", i, bins[i], expected[i]);
}

static int by_value(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void bitonic(corpus *c)
{
    uint32_t *x = corpus_buffer(c, 1024 * 4), expected[1024];
    for (int i = 0; i < 1024; i++)
        x[i] = corpus_random(c) >> i % 20;
    memcpy(expected, x, sizeof(expected));
    qsort(expected, 512, 4, by_value);
    qsort(expected + 512, 512, 4, by_value);
    if (corpus_launch(c, 2, 1, 256))
        for (size_t i = 0; i < 1024; i++)
            corpus_same_u64(c, "element", i, x[i], expected[i]);
}

static void radix_sort(corpus *c)
{
    enum { N = 150 };
    uint32_t *out = corpus_buffer(c, N * 4), *x = corpus_buffer(c, N * 4), expected[N];
    for (int i = 0; i < N; i++)
        x[i] = corpus_random(c);
    memcpy(expected, x, sizeof(expected));
    qsort(expected, N, 4, by_value);
    corpus_u32(c, N);
    if (corpus_launch(c, 1, 1, 64))
        for (size_t i = 0; i < N; i++)
            corpus_same_u64(c, "element", i, out[i], expected[i]);
}

static void transpose(corpus *c)
{
    enum { ROWS = 37, COLS = 50 };
    uint32_t *out = corpus_buffer(c, ROWS * COLS * 4), *in = corpus_buffer(c, ROWS * COLS * 4);
    for (int i = 0; i < ROWS * COLS; i++)
        in[i] = corpus_random(c);
    corpus_u32(c, ROWS);
    corpus_u32(c, COLS);
    if (!corpus_launch(c, 4, 3, 256))
        return;
    for (size_t row = 0; row < ROWS; row++)
        for (size_t col = 0; col < COLS; col++)
            corpus_same_u64(c, "element", col * ROWS + row, out[col * ROWS + row], in[row * COLS + col]);
}

static void transpose_bytes(corpus *c)
{
    uint8_t *out = corpus_buffer(c, 4096), *in = corpus_buffer(c, 4096);
    for (int i = 0; i < 4096; i++)
        in[i] = (uint8_t)corpus_random(c);
    if (!corpus_launch(c, 1, 1, 64))
        return;
    for (size_t i = 0; i < 4096; i++)
        corpus_same_u64(c, "byte", i, out[i], in[i % 64 * 64 + i / 64]);
}

const corpus_case corpus_scan[] = {
    { "scan_lds", scan },
    { "scan_lanes", scan },
    { "histogram", histogram },
    { "bitonic", bitonic },
    { "radix_sort", radix_sort },
    { "transpose", transpose },
    { "transpose_bytes", transpose_bytes },
    { NULL, NULL },
};
