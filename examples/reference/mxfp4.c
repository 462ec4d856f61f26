/* SPDX-License-Identifier: MIT */
#include "mxfp4.h"

#include <math.h>
#include <stdlib.h>

#include "files.h"

mx_matrix mx_new(size_t rows, size_t k)
{
    mx_matrix m = { rows, k, calloc(rows * k, 1), calloc(rows * k / MX_BLOCK, 1) };
    if (!m.codes || !m.scales)
        fail("matrix", "out of memory");
    return m;
}

void mx_free(mx_matrix *m)
{
    free(m->codes);
    free(m->scales);
}

/* |x| >= or > 2^scale * quarters / 4, x a bf16 magnitude. */
static bool exceeds(uint16_t x, int scale, int quarters, bool strictly)
{
    const int field = x >> 7;
    const int64_t sig = (x & 127) | (field ? 128 : 0);
    const int unit = (field ? field : 1) - 127 - 7;
    const int up = unit - (scale - 2);
    if (sig == 0)
        return false;
    if (up > 20)
        return true;
    if (up < -20)
        return false;
    const int64_t left = up > 0 ? sig << up : sig;
    const int64_t right = up < 0 ? (int64_t)quarters << -up : quarters;
    return strictly ? left > right : left >= right;
}

/* The midpoints between neighbouring FP4 magnitudes, in quarters, and whether the tie goes down. */
static uint8_t fp4_nearest(uint16_t x, int scale)
{
    static const int midpoint[7] = { 1, 3, 5, 7, 10, 14, 20 };
    uint8_t code = 0;
    while (code < 7 && exceeds(x & 0x7fff, scale, midpoint[code], (code & 1) == 0))
        code++;
    return (uint8_t)(code | (x >> 15 ? 8 : 0));
}

void mx_quantize_block(const uint16_t *bf16, uint8_t *codes, uint8_t *scale)
{
    uint16_t largest = 0;
    for (int i = 0; i < MX_BLOCK; i++) {
        const uint16_t x = bf16[i] & 0x7fff;
        if (x > 0x7c00)
            fail("quantization", "a magnitude of 2^121 or more, infinity or NaN");
        if (x > largest)
            largest = x;
    }
    int field = largest >> 7;
    if ((largest & 127) >= 96) /* a significand of 1.75 and more */
        field++;
    *scale = (uint8_t)(field > 2 ? field - 2 : 0);
    for (int i = 0; i < MX_BLOCK; i++)
        codes[i] = fp4_nearest(bf16[i], *scale - 127);
}

void mx_quantize(const uint16_t *bf16, mx_matrix *to)
{
    for (size_t i = 0; i < to->rows * to->k / MX_BLOCK; i++)
        mx_quantize_block(bf16 + i * MX_BLOCK, to->codes + i * MX_BLOCK, to->scales + i);
}

/* Byte of the shuffled codes that holds (row, k), k even in the low half. */
static size_t code_place(const mx_matrix *m, size_t row, size_t k)
{
    const size_t tile = row / 16, group = k / 32;
    return ((tile * (m->k / 32) + group) * 16 + row % 16) * 16 + k % 32 / 2;
}

static size_t scale_place(const mx_matrix *m, size_t row, size_t block)
{
    const size_t super = row / 32 * (m->k / 256) + block / 8; /* 32 rows x 256 k */
    const size_t lane = block % 4 * 16 + row % 16;
    return (super * 64 + lane) * 4 + block % 8 / 4 * 2 + row % 32 / 16;
}

void mx_shuffle(const mx_matrix *from, uint8_t *codes, uint8_t *scales)
{
    for (size_t row = 0; row < from->rows; row++) {
        const uint8_t *in = from->codes + row * from->k;
        for (size_t k = 0; k < from->k; k += 2)
            codes[code_place(from, row, k)] = (uint8_t)(in[k] | in[k + 1] << 4);
        for (size_t block = 0; block < from->k / MX_BLOCK; block++)
            scales[scale_place(from, row, block)] = from->scales[row * (from->k / MX_BLOCK) + block];
    }
}

void mx_unshuffle(const uint8_t *codes, const uint8_t *scales, mx_matrix *to)
{
    for (size_t row = 0; row < to->rows; row++) {
        uint8_t *out = to->codes + row * to->k;
        for (size_t k = 0; k < to->k; k += 2) {
            const uint8_t pair = codes[code_place(to, row, k)];
            out[k] = pair & 15;
            out[k + 1] = pair >> 4;
        }
        for (size_t block = 0; block < to->k / MX_BLOCK; block++)
            to->scales[row * (to->k / MX_BLOCK) + block] = scales[scale_place(to, row, block)];
    }
}

const char *const mx_rule_names[MX_RULES] = { "chained", "gtr16", "tr32", "fused", "keep", "exact" };

static const struct {
    size_t group, classes; /* products summed at once, and the number of separately summed classes */
    joining how;
    bool fused;
} rules[MX_RULES] = {
    [MX_CHAINED] = { 32, 2, JOIN_DROP, false }, [MX_GTR16] = { 16, 2, JOIN_DROP, false },
    [MX_TR32] = { 32, 1, JOIN_DROP, false },    [MX_FUSED] = { 32, 2, JOIN_DROP, true },
    [MX_KEEP] = { 32, 2, JOIN_FLOOR, false },   [MX_EXACT] = { 32, 2, JOIN_EXACT, false },
};

uint32_t mx_dot(const mx_matrix *a, size_t row, const mx_matrix *b, size_t col, size_t first, size_t last,
                mx_rule rule, uint32_t acc)
{
    const uint8_t *x = a->codes + row * a->k, *y = b->codes + col * b->k;
    const uint8_t *sx = a->scales + row * (a->k / MX_BLOCK), *sy = b->scales + col * (b->k / MX_BLOCK);
    const size_t group = rules[rule].group;

    for (size_t step = first; step < last; step += MX_STEP) {
        group_sum sums[MX_STEP / 16];
        size_t count = 0;
        for (size_t k = step; k < step + MX_STEP; k += group) {
            const group_sum s =
                sum_fp4(x + k, y + k, group, rules[rule].classes, sx[k / MX_BLOCK], sy[k / MX_BLOCK]);
            if (rules[rule].fused)
                sums[count++] = s;
            else
                acc = join_group(s, acc, rules[rule].how);
        }
        if (rules[rule].fused)
            acc = join_group(fuse_sums(sums, count), acc, rules[rule].how);
    }
    return acc;
}

void mx_gemm(const mx_matrix *a, const mx_matrix *b, unsigned parts, mx_rule rule, uint16_t *c)
{
    const size_t part = a->k / parts;
    for (size_t row = 0; row < a->rows; row++)
        for (size_t col = 0; col < b->rows; col++) {
            uint32_t sum = mx_dot(a, row, b, col, 0, part, rule, 0);
            for (unsigned p = 1; p < parts; p++)
                sum = f32_add(sum, mx_dot(a, row, b, col, p * part, (p + 1) * part, rule, 0));
            c[row * b->rows + col] = bf16_from_f32(sum);
        }
}

double mx_value(const mx_matrix *m, size_t row, size_t k)
{
    static const double magnitude[8] = { 0, 0.5, 1, 1.5, 2, 3, 4, 6 };
    const uint8_t code = m->codes[row * m->k + k];
    const double v = magnitude[code & 7] * ldexp(1, m->scales[row * (m->k / MX_BLOCK) + k / MX_BLOCK] - 127);
    return code & 8 ? -v : v;
}
