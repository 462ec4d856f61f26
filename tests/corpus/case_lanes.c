/* SPDX-License-Identifier: MIT */
/* Exchanges between lanes; i is the number of an element, and of the work-item that has it. */
#include <math.h>
#include <string.h>

#include "corpus.h"

enum { GROUPS = 3, COUNT = 64 * GROUPS };

static uint32_t *fill(corpus *c, uint32_t *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        x[i] = corpus_random(c);
    return x;
}

/* One element of the result for each of `x`, by its rule. */
static void each(corpus *c, uint32_t (*rule)(const uint32_t *x, size_t i))
{
    uint32_t *out = corpus_buffer(c, COUNT * 4), *x = fill(c, corpus_buffer(c, COUNT * 4), COUNT);
    if (corpus_launch(c, GROUPS, 1, 64))
        for (size_t i = 0; i < COUNT; i++)
            corpus_same_u64(c, "element", i, out[i], rule(x, i));
}

static uint32_t summed(const uint32_t *x, size_t i)
{
    uint32_t sum = 0;
    for (size_t k = i - i % 64; k <= i; k++)
        sum += x[k];
    return sum;
}

static uint32_t row_summed(const uint32_t *x, size_t i)
{
    uint32_t sum = 0;
    for (size_t k = 0; k < 16; k++)
        sum += x[i - i % 16 + k];
    return sum;
}

static uint32_t shared(const uint32_t *x, size_t i)
{
    const size_t at = i % 16;
    return x[i - at] ^ (at >= 4 && at < 12 ? x[i - at + 11] : x[i]) << 3;
}

static uint32_t reversed(const uint32_t *x, size_t i)
{
    return x[i - i % 8 + 7 - i % 8];
}

static uint32_t largest(const uint32_t *x, size_t i)
{
    uint32_t most = 0;
    for (size_t k = 0; k < 32; k++)
        if (x[i - i % 32 + k] > most)
            most = x[i - i % 32 + k];
    return most;
}

static uint32_t sent(const uint32_t *x, size_t i)
{
    for (size_t k = i - i % 32;; k++)
        if ((5 * k + 3) % 32 == i % 32)
            return x[k];
}

static uint32_t fetched(const uint32_t *x, size_t i)
{
    const size_t first = i - i % 32;
    return x[first + 31 - x[i] % 32] + x[first + 31 - i % 32];
}

static uint32_t chosen(const uint32_t *x, size_t i)
{
    const size_t back = i - i % 16 + 15 - i % 16, other = back >= i - i % 32 + 16 ? back - 16 : back + 16;
    return x[back] + (i % 64 % 3 ? 2 * x[other] : 0);
}

static uint32_t multiplied(const uint32_t *x, size_t i)
{
    return x[i - i % 16 + 2] * (x[i] + 3);
}

#define EACH(name, rule)                                                                                     \
    static void name(corpus *c)                                                                              \
    {                                                                                                        \
        each(c, rule);                                                                                       \
    }

EACH(scan_dpp, summed)
EACH(sum_rows, row_summed)
EACH(share, shared)
EACH(reverse_eights, reversed)
EACH(max_swizzle, largest)
EACH(send, sent)
EACH(fetch, fetched)
EACH(chosen_rows, chosen)
EACH(share_factors, multiplied)

static void sum_permlane(corpus *c)
{
    uint32_t *out = corpus_buffer(c, GROUPS * 4), *x = fill(c, corpus_buffer(c, COUNT * 4), COUNT);
    if (corpus_launch(c, GROUPS, 1, 64))
        for (size_t g = 0; g < GROUPS; g++)
            corpus_same_u64(c, "sum", g, out[g], summed(x, 64 * g + 63));
}

static uint64_t bits(double v)
{
    uint64_t b;
    memcpy(&b, &v, sizeof(b));
    return b;
}

static void share_doubles(corpus *c)
{
    double *out = corpus_buffer(c, 3 * COUNT * sizeof(*out)), *x = corpus_buffer(c, COUNT * sizeof(*x));
    for (size_t i = 0; i < COUNT; i++)
        x[i] = (double)(int32_t)corpus_random(c) / 1024 + ldexp(1, (int)(i % 40) - 20);
    corpus_u32(c, COUNT);
    if (!corpus_launch(c, GROUPS, 1, 64))
        return;
    for (size_t i = 0; i < COUNT; i++) {
        const size_t row = i - i % 16;
        corpus_same_u64(c, "sum", i, bits(out[i]), bits(x[row + 3] + x[i]));
        corpus_same_u64(c, "product", i, bits(out[COUNT + i]), bits(fma(x[row + 7], x[i], 1.5)));
        corpus_same_u64(c, "moved", i, bits(out[2 * COUNT + i]), bits(row / 16 % 2 ? x[i] : x[row + 10]));
    }
}

/* x[row][item][two] with rows of 16 items: the second of an even row and the first of the next change places.
 */
static void exchange(corpus *c)
{
    uint32_t *out = corpus_buffer(c, COUNT * 8), *x = fill(c, corpus_buffer(c, COUNT * 8), COUNT * 2);
    if (!corpus_launch(c, GROUPS, 1, 64))
        return;
    for (size_t i = 0; i < COUNT * 2; i++) {
        const size_t odd_row = i / 32 % 2, second = i % 2;
        const size_t from = odd_row == second ? i : odd_row ? i - 32 + 1 : i + 32 - 1;
        corpus_same_u64(c, "element", i, out[i], x[from]);
    }
}

const corpus_case corpus_lanes[] = {
    { "scan_dpp", scan_dpp },
    { "sum_rows", sum_rows },
    { "share", share },
    { "reverse_eights", reverse_eights },
    { "max_swizzle", max_swizzle },
    { "send", send },
    { "fetch", fetch },
    { NULL, NULL },
};

const corpus_case corpus_shares[] = {
    { "share_doubles", share_doubles },
    { "share_factors", share_factors },
    { NULL, NULL },
};

const corpus_case corpus_permlane[] = {
    { "sum_permlane", sum_permlane },
    { "chosen_rows", chosen_rows },
    { "exchange", exchange },
    { NULL, NULL },
};
