/* SPDX-License-Identifier: MIT */
#include "corpus.h"

enum { COUNT = 200, GROUPS = 4 };

static void collatz(corpus *c)
{
    uint32_t *out = corpus_buffer(c, COUNT * 4);
    corpus_u32(c, COUNT);
    if (!corpus_launch(c, GROUPS, 1, 64))
        return;
    for (uint64_t i = 0; i < COUNT; i++) {
        uint32_t steps = 0;
        for (uint64_t v = i + 1; v != 1; v = v & 1 ? 3 * v + 1 : v >> 1)
            steps++;
        corpus_same_u64(c, "steps", i, out[i], steps);
    }
}

static uint32_t nested_of(uint32_t i)
{
    uint32_t sum = 0;
    for (uint32_t a = 0; a <= i % 7; a++) {
        if (a == i % 5)
            continue;
        for (uint32_t b = a; (b + i) % 11 != 3; b++) {
            sum = sum * 31 + a * b;
            if (sum % 97 == 13)
                return sum;
        }
        sum += 1000;
    }
    return sum;
}

static void nested(corpus *c)
{
    uint32_t *out = corpus_buffer(c, COUNT * 4);
    corpus_u32(c, COUNT);
    if (corpus_launch(c, GROUPS, 1, 64))
        for (uint32_t i = 0; i < COUNT; i++)
            corpus_same_u64(c, "sum", i, out[i], nested_of(i));
}

static uint32_t choice_of(uint32_t v)
{
    static const uint32_t kinds[] = { 1, 2, 3, 4, 0, 5, 5, 0, 6 };
    const uint32_t kind = kinds[v % 9];
    return kind == 1   ? v + 5
           : kind == 2 ? (v * 3) ^ 0x55
           : kind == 3 ? v ^ 0x55
           : kind == 4 ? 77
           : kind == 5 ? v << 3 | v >> 29
           : kind == 6 ? ~v
                       : v - 9;
}

static void choices(corpus *c)
{
    uint32_t *out = corpus_buffer(c, COUNT * 4), *x = corpus_buffer(c, COUNT * 4);
    for (int i = 0; i < COUNT; i++)
        x[i] = corpus_random(c);
    corpus_u32(c, COUNT);
    if (corpus_launch(c, GROUPS, 1, 64))
        for (size_t i = 0; i < COUNT; i++)
            corpus_same_u64(c, "choice", i, out[i], choice_of(x[i]));
}

static void recursion(corpus *c)
{
    uint32_t *out = corpus_buffer(c, 256);
    if (!corpus_launch(c, 1, 1, 64))
        return;
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t m = i % 3, n = i % 5; /* Ackermann's function for the first three m */
        corpus_same_u64(c, "value", i, out[i], m == 0 ? n + 1 : m == 1 ? n + 2 : 2 * n + 3);
    }
}

static void pointers(corpus *c)
{
    uint32_t *out = corpus_buffer(c, 256), *x = corpus_buffer(c, 256);
    for (int i = 0; i < 64; i++)
        x[i] = corpus_random(c);
    if (!corpus_launch(c, 1, 1, 64))
        return;
    for (size_t i = 0; i < 64; i++) {
        const uint32_t v = x[i], e[3] = { v + v, v * v, ~v + 1 };
        corpus_same_u64(c, "value", i, out[i], e[v % 3]);
    }
}

static void stack(corpus *c)
{
    uint32_t *out = corpus_buffer(c, 256), *x = corpus_buffer(c, 64 * 64);
    for (int i = 0; i < 1024; i++)
        x[i] = corpus_random(c);
    if (!corpus_launch(c, 1, 1, 64))
        return;
    for (size_t lane = 0; lane < 64; lane++) {
        uint32_t slots[16], sum = 0;
        for (uint32_t i = 0; i < 16; i++)
            slots[i] = 100 * i;
        for (size_t i = 0; i < 16; i++)
            slots[x[16 * lane + i] & 15] += x[16 * lane + i];
        for (uint32_t i = 0; i < 16; i++)
            sum = 7 * sum + slots[i];
        corpus_same_u64(c, "sum", lane, out[lane], sum);
    }
}

static void structures(corpus *c)
{
    uint32_t *out = corpus_buffer(c, 64 * 24);
    if (!corpus_launch(c, 1, 1, 64))
        return;
    for (uint32_t lane = 0; lane < 64; lane++)
        for (uint32_t i = 0; i < 6; i++)
            corpus_same_u64(c, "member", 6 * lane + i, out[6 * lane + i], 6 * lane + (i + 6 - lane % 6) % 6);
}

static void globals(corpus *c)
{
    static const uint32_t primes[] = { 2, 3, 5, 7, 11, 13, 17, 19 };
    uint32_t *out = corpus_buffer(c, 65 * 4);
    if (!corpus_launch(c, 1, 1, 64))
        return;
    for (uint32_t run = 0; run < 3; run++) {
        for (size_t i = 0; i < 64; i++)
            corpus_same_u64(c, "prime", i, out[i], primes[i & 7]);
        corpus_same_u64(c, "launches before", run, out[64], run);
        if (!corpus_again(c))
            return;
    }
}

static void tickets(corpus *c)
{
    uint32_t *next = corpus_buffer(c, 4), *done = corpus_buffer(c, COUNT * 4);
    (void)next;
    corpus_u32(c, COUNT);
    if (corpus_launch(c, GROUPS, 1, 64))
        for (uint32_t i = 0; i < COUNT; i++)
            corpus_same_u64(c, "taken", i, done[i], i + 1);
}

static void grid_barrier(corpus *c)
{
    corpus_buffer(c, 8);
    uint32_t *values = corpus_buffer(c, 2 * GROUPS * 4);
    corpus_u32(c, GROUPS);
    if (!corpus_launch(c, GROUPS, 1, 64))
        return;
    for (size_t i = 0; i < GROUPS; i++) {
        corpus_same_u64(c, "value", i, values[i], 1 + 2 + 3);
        corpus_same_u64(c, "seen", i, values[GROUPS + i], 1 + 3 + 6);
    }
}

const corpus_case corpus_control[] = {
    { "collatz", collatz },           { "nested", nested },     { "choices", choices },
    { "recursion", recursion },       { "pointers", pointers }, { "stack", stack },
    { "structures", structures },     { "globals", globals },   { "tickets", tickets },
    { "grid_barrier", grid_barrier }, { NULL, NULL },
};
