/* SPDX-License-Identifier: MIT */
/* What gfx1250 adds: clusters, named barriers, copies of tiles, buffers, scaled products. */
#include "corpus.h"

#include <math.h>

static void run_places(corpus *c)
{
    uint32_t *out = corpus_buffer(c, 16 * 32);
    if (!corpus_launch(c, 4, 4, 64))
        return;
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t x = 0; x < 4; x++) {
            const uint32_t *at = out + (y * 4 + x) * 8, px = x % 2, py = y % 2;
            const uint32_t ox = x ^ 1, oy = y ^ 1;
            corpus_same_u64(c, "ids", y * 4 + x, at[0], x | y << 8 | (x / 2) << 16 | (y / 2) << 24);
            corpus_same_u64(c, "place", y * 4 + x, at[1], px | py << 8 | (px + 2 * py) << 16);
            corpus_same_u64(c, "highest place", y * 4 + x, at[2], 1 | 3 << 8);
            corpus_same_u64(c, "other's place", y * 4 + x, at[3],
                            ox % 2 | (oy % 2) << 8 | (ox % 2 + 2 * (oy % 2)) << 16);
        }
}

static void run_transpose(corpus *c)
{
    enum { ROWS = 21, COLUMNS = 30, ROW = 9, COLUMN = 22 };
    uint16_t *out = corpus_buffer(c, 512), *in = corpus_buffer(c, 2 * ROWS * COLUMNS);
    for (unsigned i = 0; i < ROWS * COLUMNS; i++)
        in[i] = (uint16_t)(corpus_random(c) | 1);
    corpus_u32(c, ROWS);
    corpus_u32(c, COLUMNS);
    corpus_u32(c, ROW);
    corpus_u32(c, COLUMN);
    if (!corpus_launch(c, 1, 1, 32))
        return;
    for (unsigned i = 0; i < 16; i++)
        for (unsigned j = 0; j < 16; j++) {
            const bool inside = ROW + j < ROWS && COLUMN + i < COLUMNS;
            corpus_same_u64(c, "out", i * 16 + j, out[i * 16 + j],
                            inside ? in[(ROW + j) * COLUMNS + COLUMN + i] : 0);
        }
}

static void run_named(corpus *c)
{
    uint32_t *out = corpus_buffer(c, 128), *in = corpus_buffer(c, 128);
    for (unsigned i = 0; i < 32; i++)
        in[i] = corpus_random(c);
    if (!corpus_launch(c, 1, 1, 64))
        return;
    for (unsigned i = 0; i < 32; i++)
        corpus_same_u64(c, "out", i, out[i], in[31 - i] + 1);
}

static void run_buffers(corpus *c)
{
    uint32_t *out = corpus_buffer(c, 256), *in = corpus_buffer(c, 256);
    for (unsigned i = 0; i < 64; i++)
        in[i] = corpus_random(c);
    corpus_u32(c, 80);
    if (!corpus_launch(c, 1, 1, 32))
        return;
    for (unsigned i = 0; i < 64; i++)
        corpus_same_u64(c, "out", i, out[i], i >= 20 ? 0 : i + 4 < 20 ? in[i + 4] + 1 : 1);
}

static void run_reverse(corpus *c)
{
    uint32_t *out = corpus_buffer(c, 128), *in = corpus_buffer(c, 128);
    for (unsigned i = 0; i < 32; i++)
        in[i] = corpus_random(c);
    if (!corpus_launch(c, 1, 1, 32))
        return;
    for (unsigned i = 0; i < 32; i++)
        corpus_same_u64(c, "out", i, out[i], in[31 - i]);
}

/* E4M3 codes of whole numbers from -4 to 4: their sums are exact in any order. */
static uint8_t small_code(corpus *c, double *value)
{
    static const uint8_t codes[5] = { 0x00, 0x38, 0x40, 0x44, 0x48 };
    const uint32_t n = corpus_random(c) % 5, sign = corpus_random(c) & 1;
    *value = sign ? -(double)n : (double)n;
    return (uint8_t)(codes[n] | sign << 7);
}

/* Random scales from 1/2 to 2, one for each `block` of 128 numbers of a row. */
static uint8_t *small_scales(corpus *c, unsigned rows, unsigned block)
{
    uint8_t *scales = corpus_buffer(c, rows * 128 / block);
    for (unsigned i = 0; i < rows * 128 / block; i++)
        scales[i] = (uint8_t)(126 + corpus_random(c) % 3);
    return scales;
}

/* Sums of 128 products with a scale for each `block` of them; no block: without. */
static void check_scaled(corpus *c, const float *d, const double *x, const double *y, const uint8_t *sa,
                         const uint8_t *sb, unsigned rows, unsigned block, double start)
{
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < 16; j++) {
            double sum = start;
            for (unsigned k = 0; k < 128; k++) {
                const int e =
                    block ? sa[i * 128 / block + k / block] + sb[j * 128 / block + k / block] - 254 : 0;
                sum += x[i * 128 + k] * y[j * 128 + k] * ldexp(1, e);
            }
            corpus_near(c, "d", i * 16 + j, d[i * 16 + j], sum, 0);
        }
}

static void run_bytes(corpus *c, unsigned block)
{
    float *d = corpus_buffer(c, 1024);
    uint8_t *a = corpus_buffer(c, 2048), *b = corpus_buffer(c, 2048);
    static double x[2048], y[2048];
    for (unsigned i = 0; i < 2048; i++) {
        a[i] = small_code(c, &x[i]);
        b[i] = small_code(c, &y[i]);
    }
    const uint8_t *sa = small_scales(c, 16, block), *sb = small_scales(c, 16, block);
    if (corpus_launch(c, 1, 1, 32))
        check_scaled(c, d, x, y, sa, sb, 16, block, 0);
}

static void run_scaled(corpus *c)
{
    run_bytes(c, 32);
}

static void run_finely_scaled(corpus *c)
{
    run_bytes(c, 16);
}

/* Numbers of 4 bits, E2M1: two to a byte, the first in the low half. */
static void fill_nibbles(corpus *c, uint8_t *codes, double *values, unsigned count)
{
    static const double magnitudes[8] = { 0, 0.5, 1, 1.5, 2, 3, 4, 6 };
    for (unsigned i = 0; i < count; i++) {
        const uint32_t code = corpus_random(c) & 15;
        values[i] = code & 8 ? -magnitudes[code & 7] : magnitudes[code & 7];
        codes[i / 2] = (uint8_t)(i % 2 ? (codes[i / 2] & 15) | code << 4 : code);
    }
}

static void run_tall_of(corpus *c, unsigned block)
{
    float *d = corpus_buffer(c, 2048);
    uint8_t *a = corpus_buffer(c, 2048), *b = corpus_buffer(c, 1024);
    static double x[4096], y[2048];
    fill_nibbles(c, a, x, 4096);
    fill_nibbles(c, b, y, 2048);
    const unsigned room = block ? block : 32;
    const uint8_t *sa = small_scales(c, 32, room), *sb = small_scales(c, 16, room);
    if (corpus_launch(c, 1, 1, 32))
        check_scaled(c, d, x, y, sa, sb, 32, block, 1);
}

static void run_tall(corpus *c)
{
    run_tall_of(c, 0);
}

static void run_tall_scaled(corpus *c)
{
    run_tall_of(c, 32);
}

static void run_tall_finely(corpus *c)
{
    run_tall_of(c, 16);
}

const corpus_case corpus_tiles[] = {
    { "cluster_places", run_places },
    { "tensor_transpose", run_transpose },
    { "named_producer", run_named },
    { "raw_buffers", run_buffers },
    { "async_reverse", run_reverse },
    { "scaled_product", run_scaled },
    { "finely_scaled_product", run_finely_scaled },
    { "tall_plain", run_tall },
    { "tall_scaled", run_tall_scaled },
    { "tall_finely_scaled", run_tall_finely },
    { NULL, NULL },
};
