/* SPDX-License-Identifier: MIT */
#include "corpus.h"

static uint32_t *fill(corpus *c, uint32_t *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        x[i] = corpus_random(c);
    return x;
}

static void indexed(corpus *c)
{
    enum { STEPS = 40 };
    uint32_t *out = corpus_buffer(c, 64 * 64), *x = fill(c, corpus_buffer(c, 64 * 64), 64 * 16),
             *which = fill(c, corpus_buffer(c, STEPS * 8), STEPS * 2);
    corpus_u32(c, STEPS);
    if (!corpus_launch(c, 1, 1, 64))
        return;
    for (size_t lane = 0; lane < 64; lane++) {
        uint32_t *v = x + 16 * lane, sum = 0;
        for (size_t k = 0; k < STEPS; k++) {
            sum = 31 * sum + v[which[2 * k] & 15];
            v[which[2 * k + 1] & 15] += sum;
        }
        for (size_t i = 0; i < 16; i++)
            corpus_same_u64(c, "element", 16 * lane + i, out[16 * lane + i], v[i]);
    }
}

static void dynamic_lds(corpus *c)
{
    enum { GROUPS = 3, N = 1000 };
    uint32_t *out = corpus_buffer(c, GROUPS * N * 4),
             *x = fill(c, corpus_buffer(c, GROUPS * N * 4), GROUPS * N);
    corpus_u32(c, N);
    corpus_local(c, N * 4);
    if (!corpus_launch(c, GROUPS, 1, 64))
        return;
    for (uint32_t i = 0; i < GROUPS * N; i++) {
        const uint32_t at = i % N, other = 63 - at % 64, count = N / 64 + (other < N % 64);
        corpus_same_u64(c, "element", i, out[i], x[i - at + N - 1 - at] + count);
    }
}

static void consumers(corpus *c)
{
    enum { PAIRS = 3, N = 12 };
    uint32_t *out = corpus_buffer(c, PAIRS * 256);
    corpus_buffer(c, PAIRS * 4);
    corpus_buffer(c, PAIRS * 256);
    uint32_t *x = fill(c, corpus_buffer(c, PAIRS * N * 256), PAIRS * N * 64);
    corpus_u32(c, PAIRS);
    corpus_u32(c, N);
    if (!corpus_launch(c, 2 * PAIRS, 1, 64))
        return;
    for (size_t i = 0; i < PAIRS * 64; i++) {
        uint32_t sum = 0;
        for (size_t k = 0; k < N; k++)
            sum = 5 * sum + x[(i / 64 * N + k) * 64 + i % 64];
        corpus_same_u64(c, "sum", i, out[i], sum);
    }
}

/* Without the forbidden number the kernel ends; with it the launch stops, in a workgroup after which others
 * follow. */
static void trap(corpus *c)
{
    enum { GROUPS = 4, COUNT = 64 * GROUPS };
    uint32_t *out = corpus_buffer(c, COUNT * 4), *x = corpus_buffer(c, COUNT * 4);
    for (uint32_t i = 0; i < COUNT; i++)
        x[i] = 3 * i;
    corpus_u32(c, 1);
    if (corpus_launch(c, GROUPS, 1, 64))
        for (uint32_t i = 0; i < COUNT; i++)
            corpus_same_u64(c, "element", i, out[i], 3 * i + 1);
    x[100] = 1;
    corpus_faults(c, "the kernel aborts itself (trap 2)");
}

const corpus_case corpus_machine[] = {
    { "indexed", indexed }, { "dynamic_lds", dynamic_lds }, { "consumers", consumers }, { "trap", trap },
    { NULL, NULL },
};
