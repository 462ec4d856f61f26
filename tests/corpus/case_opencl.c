/* SPDX-License-Identifier: MIT */
#include "corpus.h"

enum { GROUPS = 3, ITEMS = GROUPS * 64 };

static void swizzles(corpus *c)
{
    uint32_t *out = corpus_buffer(c, ITEMS * 16), *x = corpus_buffer(c, ITEMS * 16);
    for (int i = 0; i < ITEMS * 4; i++)
        x[i] = corpus_random(c);
    if (corpus_launch(c, GROUPS, 1, 64))
        for (unsigned i = 0; i < ITEMS * 4; i++) {
            const uint32_t *v = x + i / 4 * 4;
            corpus_same_u64(c, "component", i, out[i], v[3 - i % 4] * (i % 4 + 1) + v[i % 4 / 2]);
        }
}

static void gray(corpus *c)
{
    uint8_t *out = corpus_buffer(c, ITEMS), *x = corpus_buffer(c, ITEMS * 4);
    for (int i = 0; i < ITEMS * 4; i++)
        x[i] = (uint8_t)corpus_random(c);
    if (corpus_launch(c, GROUPS, 1, 64))
        for (size_t i = 0; i < ITEMS; i++)
            corpus_same_u64(c, "pixel", i, out[i],
                            (77u * x[4 * i] + 150u * x[4 * i + 1] + 29u * x[4 * i + 2] + 128) / 256);
}

static void saturate(corpus *c)
{
    float *out = corpus_buffer(c, ITEMS * 16), *x = corpus_buffer(c, ITEMS * 16);
    for (int i = 0; i < ITEMS * 4; i++)
        x[i] = corpus_unit(c);
    corpus_f32(c, -0.25f);
    corpus_f32(c, 0.5f);
    if (corpus_launch(c, GROUPS, 1, 64))
        for (size_t i = 0; i < ITEMS * 4; i++)
            corpus_near(c, "component", i, out[i], x[i] < -0.25f ? -0.25f : x[i] > 0.5f ? 0.5f : x[i], 0);
}

static void reverse(corpus *c)
{
    static const uint32_t primes[] = { 2, 3, 5, 7, 11, 13, 17, 19 };
    uint32_t *out = corpus_buffer(c, ITEMS * 4), *x = corpus_buffer(c, ITEMS * 4);
    for (int i = 0; i < ITEMS; i++)
        x[i] = corpus_random(c);
    corpus_local(c, 256);
    if (corpus_launch(c, GROUPS, 1, 64))
        for (size_t i = 0; i < ITEMS; i++) {
            const size_t from = i / 64 * 64 + 63 - i % 64;
            corpus_same_u64(c, "element", i, out[i], x[from] * primes[from % 8]);
        }
}

const corpus_case corpus_opencl[] = {
    { "swizzles", swizzles }, { "gray", gray }, { "saturate", saturate },
    { "reverse", reverse },   { NULL, NULL },
};
