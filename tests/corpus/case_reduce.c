/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "corpus.h"

enum { COUNT = 1900, GROUPS = 8 };

static int32_t *fill(corpus *c, int32_t *x)
{
    for (int i = 0; i < COUNT; i++)
        x[i] = (int32_t)(corpus_random(c) % 20001) - 10000;
    return x;
}

static void sum_lds(corpus *c)
{
    int32_t *out = corpus_buffer(c, 4 * 4), *x = fill(c, corpus_buffer(c, COUNT * 4)), expected[4] = { 0 };
    for (int i = 0; i < COUNT; i++)
        expected[i / 256 % 4] += x[i];
    corpus_u32(c, COUNT);
    if (corpus_launch(c, 4, 1, 256))
        for (size_t i = 0; i < 4; i++)
            corpus_same_u64(c, "sum", i, (uint32_t)out[i], (uint32_t)expected[i]);
}

static void sum_lanes(corpus *c)
{
    int32_t *out = corpus_buffer(c, 4), *x = fill(c, corpus_buffer(c, COUNT * 4)), expected = 0;
    for (int i = 0; i < COUNT; i++)
        expected += x[i];
    corpus_u32(c, COUNT);
    if (corpus_launch(c, GROUPS, 1, 256))
        corpus_same_u64(c, "sum", 0, (uint32_t)out[0], (uint32_t)expected);
}

static void max_dpp(corpus *c)
{
    int32_t *out = corpus_buffer(c, GROUPS * 4), *x = fill(c, corpus_buffer(c, COUNT * 4));
    corpus_u32(c, COUNT);
    if (!corpus_launch(c, GROUPS, 1, 256))
        return;
    for (int g = 0; g < GROUPS; g++) {
        int32_t most = INT32_MIN;
        for (int i = 256 * g; i < 256 * (g + 1) && i < COUNT; i++)
            most = x[i] > most ? x[i] : most;
        corpus_same_u64(c, "most", (size_t)g, (uint32_t)out[g], (uint32_t)most);
    }
}

static void argmax(corpus *c)
{
    enum { ROWS = 5, N = 700 };
    uint32_t *out = corpus_buffer(c, ROWS * 4);
    float *x = corpus_buffer(c, ROWS * N * 4);
    for (int i = 0; i < ROWS * N; i++)
        x[i] = corpus_whole(c, 300); /* small enough that the largest occurs more than once */
    corpus_u32(c, N);
    if (!corpus_launch(c, ROWS, 1, 256))
        return;
    for (int r = 0; r < ROWS; r++) {
        uint32_t at = 0;
        for (uint32_t i = 1; i < N; i++)
            at = x[r * N + (int)i] > x[r * N + (int)at] ? i : at;
        corpus_same_u64(c, "place", (size_t)r, out[r], at);
    }
}

static void dot_f64(corpus *c)
{
    double *out = corpus_buffer(c, 8), *x = corpus_buffer(c, COUNT * 8), *y = corpus_buffer(c, COUNT * 8),
           sum = 0;
    for (int i = 0; i < COUNT; i++) {
        x[i] = (double)corpus_whole(c, 1 << 20);
        y[i] = (double)corpus_whole(c, 1 << 20);
        sum += x[i] * y[i];
    }
    corpus_u32(c, COUNT);
    if (!corpus_launch(c, 1, 1, 256))
        return;
    uint64_t got, expected;
    memcpy(&got, out, 8);
    memcpy(&expected, &sum, 8);
    corpus_same_u64(c, "dot", 0, got, expected);
}

static void count_ballot(corpus *c)
{
    uint32_t *out = corpus_buffer(c, 4), expected = 0;
    const int32_t *x = fill(c, corpus_buffer(c, COUNT * 4));
    for (int i = 0; i < COUNT; i++)
        expected += x[i] > 1234;
    corpus_u32(c, 1234);
    corpus_u32(c, COUNT);
    if (corpus_launch(c, GROUPS, 1, 256))
        corpus_same_u64(c, "count", 0, out[0], expected);
}

static void last_block(corpus *c)
{
    uint32_t *out = corpus_buffer(c, 4), expected = 0;
    corpus_buffer(c, GROUPS * 4);
    uint32_t *x = corpus_buffer(c, COUNT * 4);
    for (int i = 0; i < COUNT; i++)
        expected += x[i] = corpus_random(c);
    corpus_u32(c, COUNT);
    if (corpus_launch(c, GROUPS, 1, 64))
        corpus_same_u64(c, "sum", 0, out[0], expected);
    out[0] = 0;
    if (corpus_again(c)) /* the counter that the kernel has reset */
        corpus_same_u64(c, "second sum", 0, out[0], expected);
}

const corpus_case corpus_reduce[] = {
    { "sum_lds", sum_lds },       { "sum_lanes", sum_lanes },
    { "max_dpp", max_dpp },       { "argmax", argmax },
    { "dot_f64", dot_f64 },       { "count_ballot", count_ballot },
    { "last_block", last_block }, { NULL, NULL },
};
