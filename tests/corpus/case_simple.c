/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "corpus.h"

enum { COUNT = 300, WIDE = 64, NARROW_GROUPS = (COUNT + WIDE - 1) / WIDE };

static uint32_t bits_of(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof(bits));
    return bits;
}

static void saxpy(corpus *c)
{
    float *y = corpus_buffer(c, COUNT * sizeof(*y)), *x = corpus_buffer(c, COUNT * sizeof(*x)), old[COUNT];
    for (int i = 0; i < COUNT; i++) {
        y[i] = old[i] = corpus_unit(c);
        x[i] = corpus_unit(c) * 100;
    }
    corpus_f32(c, 1.25f);
    corpus_u32(c, COUNT);
    if (corpus_launch(c, 2, 1, 256))
        for (int i = 0; i < COUNT; i++)
            corpus_same_u64(c, "y", (size_t)i, bits_of(y[i]), bits_of(fmaf(1.25f, x[i], old[i])));
}

static void daxpy(corpus *c)
{
    double *y = corpus_buffer(c, COUNT * sizeof(*y)), *x = corpus_buffer(c, COUNT * sizeof(*x)), old[COUNT];
    for (int i = 0; i < COUNT; i++) {
        y[i] = old[i] = corpus_unit(c) / 3.0;
        x[i] = corpus_unit(c) * 1e-9;
    }
    corpus_f64(c, 1 / 7.0);
    corpus_u32(c, COUNT);
    if (!corpus_launch(c, 2, 1, 256))
        return;
    for (int i = 0; i < COUNT; i++) {
        const double expected = fma(1 / 7.0, x[i], old[i]);
        uint64_t a, b;
        memcpy(&a, &y[i], 8);
        memcpy(&b, &expected, 8);
        corpus_same_u64(c, "y", (size_t)i, a, b);
    }
}

/* Multiples of a half and of an eighth: sums and products are exact in f16. */
static uint16_t half_of(int eighths)
{
    unsigned size = (unsigned)(eighths < 0 ? -eighths : eighths), e = 0;
    if (!size)
        return 0;
    while (size >> (e + 1))
        e++;
    return (uint16_t)((eighths < 0 ? 0x8000u : 0) | (e + 12) << 10 | ((size << 10 >> e) & 0x3ff));
}

static void halves(corpus *c)
{
    uint16_t *z = corpus_buffer(c, 2 * COUNT * 2), *x = corpus_buffer(c, COUNT * 2),
             *y = corpus_buffer(c, COUNT * 2);
    int a[COUNT], b[COUNT];
    for (int i = 0; i < COUNT; i++) {
        a[i] = (int)corpus_whole(c, 100);
        b[i] = 8 * (int)corpus_whole(c, 9);
        x[i] = half_of(a[i]);
        y[i] = half_of(b[i]);
    }
    corpus_u32(c, COUNT);
    if (!corpus_launch(c, 2, 1, 256))
        return;
    for (int i = 0; i < COUNT; i++) {
        corpus_same_u64(c, "sum", (size_t)i, z[2 * i], half_of(a[i] + b[i]));
        const uint16_t product = half_of(a[i] * b[i] / 8), zero = (uint16_t)((x[i] ^ y[i]) & 0x8000);
        corpus_same_u64(c, "product", (size_t)i, z[2 * i + 1], product ? product : zero);
    }
}

static uint32_t reversed(uint32_t v)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (v >> i & 1) << (31 - i);
    return r;
}

static uint32_t zeros_above(uint32_t v)
{
    uint32_t n = 0;
    for (; n < 32 && !(v >> (31 - n) & 1); n++)
        ;
    return n;
}

static uint32_t ones(uint32_t v)
{
    uint32_t n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

static void expect_integers(uint32_t a, uint32_t b, uint32_t o[16])
{
    const int32_t sa = (int32_t)a, sb = (int32_t)b;
    o[0] = a + b;
    o[1] = a - b;
    o[2] = a * b;
    o[3] = (uint32_t)((uint64_t)a * b >> 32);
    o[4] = (uint32_t)((uint64_t)((int64_t)sa * sb) >> 32);
    o[5] = a << (b & 31);
    o[6] = a >> (b & 31);
    o[7] = sa < 0 ? ~(~a >> (b & 31)) : a >> (b & 31);
    o[8] = b ? a / b : 7;
    o[9] = b ? a % b : 9;
    o[10] = sb > 0 ? (uint32_t)(sa / sb) : 1;
    o[11] = ones(a) + zeros_above(b | 1) * 256 + zeros_above(reversed(a | 0x80000000u)) * 65536;
    o[12] = sa < sb ? a : b;
    o[13] = a > b ? a : b;
    o[14] = reversed(a) ^ (b >> 24 | (b >> 8 & 0xff00) | (b & 0xff00) << 8 | b << 24);
    o[15] = (a & b) | (~a & 0x0f0f0f0fu);
}

static void integers(corpus *c)
{
    uint32_t *out = corpus_buffer(c, COUNT * 64), *x = corpus_buffer(c, COUNT * 4),
             *y = corpus_buffer(c, COUNT * 4);
    for (int i = 0; i < COUNT; i++) {
        x[i] = corpus_random(c) >> i % 29;
        y[i] = i % 17 ? corpus_random(c) >> i % 31 : 0;
    }
    corpus_u32(c, COUNT);
    if (!corpus_launch(c, NARROW_GROUPS, 1, 64))
        return;
    for (int i = 0; i < COUNT; i++) {
        uint32_t expected[16];
        expect_integers(x[i], y[i], expected);
        for (int j = 0; j < 16; j++)
            corpus_same_u64(c, "result", (size_t)(16 * i + j), out[16 * i + j], expected[j]);
    }
}

static void wide_integers(corpus *c)
{
    uint64_t *out = corpus_buffer(c, COUNT * 64), *x = corpus_buffer(c, COUNT * 8),
             *y = corpus_buffer(c, COUNT * 8);
    for (int i = 0; i < COUNT; i++) {
        x[i] = ((uint64_t)corpus_random(c) << 32 | corpus_random(c)) >> i % 61;
        y[i] = ((uint64_t)corpus_random(c) << 32 | corpus_random(c)) >> i % 47;
    }
    corpus_u32(c, COUNT);
    if (!corpus_launch(c, NARROW_GROUPS, 1, 64))
        return;
    for (int i = 0; i < COUNT; i++) {
        const uint64_t a = x[i], b = y[i], s = b & 63;
        const bool less = (a ^ UINT64_C(1) << 63) < (b ^ UINT64_C(1) << 63);
        const uint64_t e[8] = { a + b,         a - b, a * b, a << s, a >> s, a >> 63 ? ~(~a >> s) : a >> s,
                                a < b ? a : b, less };
        for (int j = 0; j < 8; j++)
            corpus_same_u64(c, "result", (size_t)(8 * i + j), out[8 * i + j], e[j]);
    }
}

static void bytes(corpus *c)
{
    uint8_t *out = corpus_buffer(c, 2 * COUNT), *x = corpus_buffer(c, COUNT), *y = corpus_buffer(c, COUNT);
    for (int i = 0; i < COUNT; i++) {
        x[i] = (uint8_t)corpus_random(c);
        y[i] = (uint8_t)corpus_random(c);
    }
    corpus_u32(c, COUNT);
    if (!corpus_launch(c, NARROW_GROUPS, 1, 64))
        return;
    for (int i = 0; i < COUNT; i++) {
        const int sum = x[i] + y[i], product = (x[i] - 2 * (x[i] & 128)) * (y[i] - 2 * (y[i] & 128));
        corpus_same_u64(c, "sum", (size_t)i, out[2 * i], sum > 255 ? 255 : (uint8_t)sum);
        corpus_same_u64(c, "product", (size_t)i, out[2 * i + 1], (uint8_t)floor(product / 8.0));
    }
}

static void shorts(corpus *c)
{
    uint16_t *out = corpus_buffer(c, COUNT * 8), *x = corpus_buffer(c, COUNT * 2),
             *y = corpus_buffer(c, COUNT * 2);
    for (int i = 0; i < COUNT; i++) {
        x[i] = (uint16_t)corpus_random(c);
        y[i] = (uint16_t)corpus_random(c);
    }
    corpus_u32(c, COUNT);
    if (!corpus_launch(c, NARROW_GROUPS, 1, 64))
        return;
    for (int i = 0; i < COUNT; i++) {
        const uint32_t a = x[i], b = y[i];
        const bool less = (a ^ 0x8000) < (b ^ 0x8000);
        const uint16_t e[4] = { (uint16_t)(a + b), (uint16_t)(a * b), (uint16_t)(less ? a : b),
                                (uint16_t)(a >> (b & 15)) };
        for (int j = 0; j < 4; j++)
            corpus_same_u64(c, "result", (size_t)(4 * i + j), out[4 * i + j], e[j]);
    }
}

/* The f16 nearest to a number in the normal range, ties to even, found by trying neighbours. */
static uint16_t nearest_half(float v)
{
    const double size = fabs(v);
    int e;
    frexp(size, &e);
    const double unit = ldexp(1, e - 11), steps = size / unit;
    double whole = floor(steps);
    if (steps - whole > 0.5 || (steps - whole == 0.5 && fmod(whole, 2) != 0))
        whole++;
    const unsigned code = (unsigned)(whole - 1024) + ((unsigned)(e + 14) << 10);
    return (uint16_t)((v < 0 ? 0x8000u : 0) | code);
}

static void conversions(corpus *c)
{
    int32_t *out = corpus_buffer(c, COUNT * 32);
    float *x = corpus_buffer(c, COUNT * 4);
    for (int i = 0; i < COUNT; i++) {
        x[i] = ldexpf(corpus_unit(c), i % 12);
        x[i] = fabsf(x[i]) < 0.01f ? 1.5f : x[i];
    }
    corpus_u32(c, COUNT);
    if (!corpus_launch(c, NARROW_GROUPS, 1, 64))
        return;
    for (int i = 0; i < COUNT; i++) {
        const float v = x[i];
        int32_t raw;
        memcpy(&raw, &v, 4);
        const uint32_t e[8] = { (uint32_t)(int32_t)v,   (uint32_t)fabsf(v),
                                bits_of((float)raw),    bits_of((float)(uint32_t)raw),
                                nearest_half(v),        bits_of(floorf(v)),
                                bits_of(nearbyintf(v)), bits_of((float)((double)v * 3.0)) };
        for (int j = 0; j < 8; j++)
            corpus_same_u64(c, "result", (size_t)(8 * i + j), (uint32_t)out[8 * i + j], e[j]);
    }
}

const corpus_case corpus_simple[] = {
    { "saxpy", saxpy },
    { "daxpy", daxpy },
    { "halves", halves },
    { "integers", integers },
    { "wide_integers", wide_integers },
    { "bytes", bytes },
    { "shorts", shorts },
    { "conversions", conversions },
    { NULL, NULL },
};
