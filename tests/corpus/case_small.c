/* SPDX-License-Identifier: MIT */
/* Quantization to and from small floats: every code's value by the definition of its format, the nearest code
 * by search. */
#include <math.h>
#include <string.h>

#include "corpus.h"

/* A sign, `exponent` and `fraction` bits; magnitudes above `most` are infinite or no numbers. */
typedef struct format {
    unsigned exponent, fraction;
    int bias;
    unsigned most;
} format;

static const format FP4 = { 2, 1, 1, 0x07 }, FP6 = { 2, 3, 1, 0x1f }, BF6 = { 3, 2, 3, 0x1f };

/* OCP's 8-bit formats, and those of gfx942, which have no infinities and one code 0x80 that is no number. */
static format bytes_of(const corpus *c, bool bf8)
{
    const bool own = corpus_is(c, "gfx942");
    return bf8 ? (format){ 5, 2, own ? 16 : 15, own ? 0x7f : 0x7b }
               : (format){ 4, 3, own ? 8 : 7, own ? 0x7f : 0x7e };
}

static double magnitude(const format *f, unsigned code)
{
    const unsigned fraction = code & ((1u << f->fraction) - 1), exponent = code >> f->fraction;
    const double whole = exponent ? (double)fraction + (1u << f->fraction) : (double)fraction;
    return ldexp(whole, (exponent ? (int)exponent : 1) - f->bias - (int)f->fraction);
}

static unsigned sign_of(const format *f)
{
    return 1u << (f->exponent + f->fraction);
}

/* The nearest code, the even one of two. Zero keeps its sign but where no code is a negative zero. */
static unsigned nearest(const format *f, double v, bool no_negative_zero)
{
    unsigned best = 0;
    for (unsigned code = 1; code <= f->most; code++) {
        const double here = fabs(fabs(v) - magnitude(f, code)), there = fabs(fabs(v) - magnitude(f, best));
        if (here < there || (here == there && code % 2 == 0))
            best = code;
    }
    return best | (signbit(v) && !(no_negative_zero && !best) ? sign_of(f) : 0);
}

/* Truncated after the random number, below 1, has been added in units of the last place. */
static unsigned random_code(const format *f, double v, double below_one)
{
    unsigned low = 0;
    while (low < f->most && magnitude(f, low + 1) <= fabs(v))
        low++;
    const double unit = magnitude(f, low + 1) - magnitude(f, low);
    low += low < f->most && (fabs(v) - magnitude(f, low)) / unit + below_one >= 1;
    return low | (v < 0 ? sign_of(f) : 0);
}

/* Of all sizes that the format has, subnormal ones and ties among them. */
static float number(corpus *c, const format *f, bool subnormal)
{
    const unsigned least = subnormal ? 1 : 1u << f->fraction,
                   code = least + corpus_random(c) % (f->most - least);
    static const double parts[] = { 0, 0.5, 0.25, 0.75, 0.4999, 0.5001 };
    const unsigned which = corpus_random(c) % 12;
    const double part = which < 6 ? parts[which] : (corpus_unit(c) + 1) / 2;
    const double v = magnitude(f, code) + part * (magnitude(f, code + 1) - magnitude(f, code));
    return (float)(corpus_random(c) & 1 ? -v : v);
}

enum { WORDS = 192 };

static void to_bytes(corpus *c, bool bf8)
{
    const format f = bytes_of(c, bf8);
    uint8_t *out = corpus_buffer(c, WORDS * 4);
    float *x = corpus_buffer(c, WORDS * 16);
    for (int i = 0; i < WORDS * 4; i++)
        x[i] = i < 2 ? (i ? -0.0f : 0.0f) : number(c, &f, true);
    corpus_u32(c, WORDS);
    if (corpus_launch(c, WORDS / 64, 1, 64))
        for (size_t i = 0; i < WORDS * 4; i++)
            corpus_same_u64(c, "code", i, out[i], nearest(&f, x[i], corpus_is(c, "gfx942")));
}

static void from_bytes(corpus *c, bool bf8)
{
    const format f = bytes_of(c, bf8);
    float *out = corpus_buffer(c, 256 * 4);
    uint8_t *x = corpus_buffer(c, 256);
    for (int i = 0; i < 256; i++)
        x[i] = (uint8_t)i;
    corpus_u32(c, 64);
    if (!corpus_launch(c, 1, 1, 64))
        return;
    for (unsigned i = 0; i < 256; i++) {
        const unsigned code = i & 0x7f;
        const double v = magnitude(&f, code);
        if (code > f.most || (corpus_is(c, "gfx942") && i == 0x80)) {
            const bool infinite = bf8 && !corpus_is(c, "gfx942") && code == 0x7c;
            const bool as_expected = infinite ? isinf(out[i]) : isnan(out[i]);
            corpus_same_u64(c, "special", i, as_expected, true);
        } else {
            corpus_near(c, "value", i, out[i], i & 0x80 ? -v : v, 0);
        }
    }
}

/* Normal numbers, 20 or 21 bits of which are cut off: as many of the random bits count, from the top. */
static void to_bytes_random(corpus *c, bool bf8)
{
    const format f = bytes_of(c, bf8);
    uint8_t *out = corpus_buffer(c, WORDS * 4);
    float *x = corpus_buffer(c, WORDS * 16);
    uint32_t *bits = corpus_buffer(c, WORDS * 16);
    for (int i = 0; i < WORDS * 4; i++) {
        x[i] = number(c, &f, false);
        bits[i] = corpus_random(c);
    }
    corpus_u32(c, WORDS);
    if (!corpus_launch(c, WORDS / 64, 1, 64))
        return;
    for (size_t i = 0; i < WORDS * 4; i++) {
        const unsigned cut = 23 - f.fraction;
        corpus_same_u64(c, "code", i, out[i], random_code(&f, x[i], ldexp(bits[i] >> (32 - cut), -(int)cut)));
    }
}

static void to_fp8(corpus *c)
{
    to_bytes(c, false);
}
static void to_bf8(corpus *c)
{
    to_bytes(c, true);
}
static void from_fp8(corpus *c)
{
    from_bytes(c, false);
}
static void from_bf8(corpus *c)
{
    from_bytes(c, true);
}
static void to_fp8_random(corpus *c)
{
    to_bytes_random(c, false);
}
static void to_bf8_random(corpus *c)
{
    to_bytes_random(c, true);
}

/* ---- Blocks of 32 with a scale ---- */

enum { BLOCKS = 128 };

static unsigned code_at(const uint8_t *bytes, size_t i, unsigned bits)
{
    unsigned code = 0;
    for (unsigned b = 0; b < bits; b++) {
        const size_t at = i * bits + b;
        code |= (unsigned)(bytes[at / 8] >> (at % 8) & 1) << b;
    }
    return code;
}

static void put_code(uint8_t *bytes, size_t i, unsigned bits, unsigned code)
{
    for (unsigned b = 0; b < bits; b++)
        bytes[(i * bits + b) / 8] |= (uint8_t)((code >> b & 1) << ((i * bits + b) % 8));
}

static void to_blocks(corpus *c, const format *f)
{
    const unsigned bits = 1 + f->exponent + f->fraction;
    uint8_t *out = corpus_buffer(c, BLOCKS * 4 * bits);
    float *x = corpus_buffer(c, BLOCKS * 32 * 4), *scales = corpus_buffer(c, BLOCKS * 4);
    for (int i = 0; i < BLOCKS; i++)
        scales[i] = ldexpf(1, (int)corpus_whole(c, 20));
    for (int i = 0; i < BLOCKS * 32; i++)
        x[i] = number(c, f, true) * scales[i / 32];
    if (corpus_launch(c, BLOCKS / 64, 1, 64))
        for (size_t i = 0; i < BLOCKS * 32; i++)
            corpus_same_u64(c, "code", i, code_at(out, i, bits), nearest(f, x[i] / scales[i / 32], false));
}

static void from_blocks(corpus *c, const format *f)
{
    const unsigned bits = 1 + f->exponent + f->fraction;
    float *out = corpus_buffer(c, BLOCKS * 32 * 4);
    uint8_t *x = corpus_buffer(c, BLOCKS * 4 * bits);
    float *scales = corpus_buffer(c, BLOCKS * 4);
    for (unsigned i = 0; i < BLOCKS * 32; i++)
        put_code(x, i, bits, corpus_random(c) % (f->most + 1) | (corpus_random(c) & sign_of(f)));
    for (int i = 0; i < BLOCKS; i++)
        scales[i] = ldexpf(1, (int)corpus_whole(c, 20));
    if (!corpus_launch(c, BLOCKS / 64, 1, 64))
        return;
    for (size_t i = 0; i < BLOCKS * 32; i++) {
        const unsigned code = code_at(x, i, bits);
        const double v = magnitude(f, code & (sign_of(f) - 1)) * scales[i / 32];
        corpus_near(c, "value", i, out[i], code & sign_of(f) ? -v : v, 0);
    }
}

/* One random number for `group` values: after each value it is shifted, and what leaves it flips lower bits.
 */
static void to_blocks_random(corpus *c, const format *f)
{
    const unsigned bits = 1 + f->exponent + f->fraction, cut = 23 - f->fraction,
                   group = corpus_is(c, "gfx950") ? 32
                           : bits == 4            ? 8
                                                  : 16;
    uint8_t *out = corpus_buffer(c, BLOCKS * 4 * bits);
    float *x = corpus_buffer(c, BLOCKS * 32 * 4), *scales = corpus_buffer(c, BLOCKS * 4);
    uint32_t *seeds = corpus_buffer(c, BLOCKS * 4), random = 0;
    for (int i = 0; i < BLOCKS; i++) {
        scales[i] = ldexpf(1, (int)corpus_whole(c, 20));
        seeds[i] = corpus_random(c);
    }
    for (int i = 0; i < BLOCKS * 32; i++)
        x[i] = number(c, f, false) * scales[i / 32];
    if (!corpus_launch(c, BLOCKS / 64, 1, 64))
        return;
    for (size_t i = 0; i < BLOCKS * 32; i++) {
        random = i % group ? random << 1 ^ (random >> 31 ? 0xc5 : 0) : seeds[i / 32];
        corpus_same_u64(c, "code", i, code_at(out, i, bits),
                        random_code(f, x[i] / scales[i / 32], ldexp(random >> (32 - cut), -(int)cut)));
    }
}

static void to_fp4(corpus *c)
{
    to_blocks(c, &FP4);
}
static void to_fp6(corpus *c)
{
    to_blocks(c, &FP6);
}
static void to_bf6(corpus *c)
{
    to_blocks(c, &BF6);
}
static void from_fp4(corpus *c)
{
    from_blocks(c, &FP4);
}
static void from_fp6(corpus *c)
{
    from_blocks(c, &FP6);
}
static void from_bf6(corpus *c)
{
    from_blocks(c, &BF6);
}

static void to_fp4_random(corpus *c)
{
    to_blocks_random(c, &FP4);
}
static void to_fp6_random(corpus *c)
{
    to_blocks_random(c, &FP6);
}
static void to_bf6_random(corpus *c)
{
    to_blocks_random(c, &BF6);
}
static void block_to_fp8(corpus *c)
{
    const format f = bytes_of(c, false);
    to_blocks(c, &f);
}
static void block_to_bf8(corpus *c)
{
    const format f = bytes_of(c, true);
    to_blocks(c, &f);
}
static void block_from_fp8(corpus *c)
{
    const format f = bytes_of(c, false);
    from_blocks(c, &f);
}
static void block_from_bf8(corpus *c)
{
    const format f = bytes_of(c, true);
    from_blocks(c, &f);
}

/* ---- Products of scaled codes: whole numbers, scales from 1/4 to 4, so that every sum is exact ---- */

enum { M = 64, N = 32, K = 256 };

static void fill_scaled(corpus *c, const format *f, size_t rows, uint8_t *codes, int *values)
{
    static const int whole[] = { 0, 1, 2, 3, 4, 6, -1, -2, -3, -4, -6 };
    for (size_t i = 0; i < rows * K; i++) {
        values[i] = whole[corpus_random(c) % 11];
        put_code(codes, i, 1 + f->exponent + f->fraction, nearest(f, values[i], false));
    }
}

static void scaled(corpus *c, const format *f, uint32_t tile)
{
    static int a[M * K], b[N * K];
    const unsigned bits = 1 + f->exponent + f->fraction;
    float *out = corpus_buffer(c, M * N * 4);
    fill_scaled(c, f, M, corpus_buffer(c, M * K / 8 * bits), a);
    fill_scaled(c, f, N, corpus_buffer(c, N * K / 8 * bits), b);
    uint8_t *sa = corpus_buffer(c, M * K / 32), *sb = corpus_buffer(c, N * K / 32);
    for (int i = 0; i < M * K / 32; i++)
        sa[i] = (uint8_t)(127 + (int)corpus_whole(c, 2));
    for (int i = 0; i < N * K / 32; i++)
        sb[i] = (uint8_t)(127 + (int)corpus_whole(c, 2));
    corpus_u32(c, N);
    corpus_u32(c, K);
    if (!corpus_launch(c, N / tile, M / tile, 64))
        return;
    for (size_t i = 0; i < M; i++)
        for (size_t j = 0; j < N; j++) {
            double sum = 0;
            for (size_t k = 0; k < K; k++)
                sum += ldexp(a[i * K + k] * b[j * K + k],
                             sa[i * K / 32 + k / 32] + sb[j * K / 32 + k / 32] - 254);
            corpus_near(c, "element", i * N + j, out[i * N + j], sum, 0);
        }
}

static void scaled_fp8(corpus *c)
{
    const format f = bytes_of(c, false);
    scaled(c, &f, 16);
}
static void scaled_fp6(corpus *c)
{
    scaled(c, &FP6, 16);
}
static void scaled_bf8(corpus *c)
{
    const format f = bytes_of(c, true);
    scaled(c, &f, 16);
}
static void scaled_bf6(corpus *c)
{
    scaled(c, &BF6, 16);
}
static void scaled_fp4(corpus *c)
{
    scaled(c, &FP4, 16);
}
static void scaled_fp4_32(corpus *c)
{
    scaled(c, &FP4, 32);
}

const corpus_case corpus_quantize8[] = {
    { "to_fp8", to_fp8 },
    { "to_bf8", to_bf8 },
    { "from_fp8", from_fp8 },
    { "from_bf8", from_bf8 },
    { "to_fp8_random", to_fp8_random },
    { "to_bf8_random", to_bf8_random },
    { NULL, NULL },
};

const corpus_case corpus_quantize_mx[] = {
    { "to_fp4", to_fp4 },
    { "to_fp6", to_fp6 },
    { "to_bf6", to_bf6 },
    { "from_fp4", from_fp4 },
    { "from_fp6", from_fp6 },
    { "from_bf6", from_bf6 },
    { "to_fp6_random", to_fp6_random },
    { "to_bf6_random", to_bf6_random },
    { NULL, NULL },
};

const corpus_case corpus_quantize_gfx1250[] = {
    { "to_fp4", to_fp4 },
    { "to_fp6", to_fp6 },
    { "to_bf6", to_bf6 },
    { "to_fp8", block_to_fp8 },
    { "to_bf8", block_to_bf8 },
    { "from_fp4", from_fp4 },
    { "from_fp6", from_fp6 },
    { "from_bf6", from_bf6 },
    { "from_fp8", block_from_fp8 },
    { "from_bf8", block_from_bf8 },
    { "to_fp4_random", to_fp4_random },
    { "to_fp6_random", to_fp6_random },
    { "to_bf6_random", to_bf6_random },
    { NULL, NULL },
};

const corpus_case corpus_scaled[] = {
    { "scaled_fp8", scaled_fp8 },
    { "scaled_fp6", scaled_fp6 },
    { "scaled_bf8", scaled_bf8 },
    { "scaled_bf6", scaled_bf6 },
    { "scaled_fp4", scaled_fp4 },
    { "scaled_fp4_32", scaled_fp4_32 },
    { NULL, NULL },
};
