/* SPDX-License-Identifier: MIT */
#include "cli/gpu/values.h"

#include <string.h>

#include "cli/probe.h"

/* A floating-point format's fields; integers have no exponent. */
typedef struct format {
    const char *name;
    unsigned exponent, fraction; /* bits */
    bool has_infinity;
} format;

static const format formats[] = {
    { "f16", 5, 10, true },  { "bf16", 8, 7, true },   { "tf32", 8, 23, true },  { "xf32", 8, 23, true },
    { "f32", 8, 23, true },  { "f64", 11, 52, true },  { "e4m3", 4, 3, false },  { "e5m2", 5, 2, true },
    { "e3m2", 3, 2, false }, { "e2m3", 2, 3, false },  { "e2m1", 2, 1, false },  { "fp8", 4, 3, false },
    { "bf8", 5, 2, true },   { "fp6", 2, 3, false },   { "bf6", 3, 2, false },   { "fp4", 2, 1, false },
    { "e8m0", 8, 0, false }, { "ue8m0", 8, 0, false }, { "ue4m3", 4, 3, false },
};

static const format *format_of(const char *name)
{
    for (size_t i = 0; i < CLI_COUNT(formats); i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

/* An element that is to be filled. */
typedef struct place {
    const format *f; /* NULL: an integer of `width` bits */
    unsigned width;
    lw_operand operand;
    bool is_c;
    unsigned line, k, depth; /* row of A or column of B, position along k, extent of k; of C: row, column */
    bool pairs;              /* B of a sparse A, of which stored values in pairs choose among four k */
    uint64_t round, random;
} place;

uint64_t values_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint64_t values_state(uint64_t seed, const char *name, uint64_t number)
{
    uint64_t state = seed;
    for (const char *at = name; *at; at++)
        state = state * 31 + (unsigned char)*at;
    state += number * UINT64_C(0xd1342543de82ef95);
    return values_next(&state);
}

static uint64_t low_bits(unsigned width)
{
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* sign, exponent relative to that of 1, and fraction, limited to what the format has. */
static uint64_t pack(const format *f, bool negative, int exponent, uint64_t fraction)
{
    const int bias = (1 << (f->exponent - 1)) - 1, top = (1 << f->exponent) - 2;
    int field = exponent + bias;
    field = field < 1 ? 1 : field > top ? top : field;
    return (uint64_t)negative << (f->exponent + f->fraction) | (uint64_t)field << f->fraction |
           (fraction & low_bits(f->fraction));
}

static uint64_t hash(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t state = a * 1000003 + b * 8191 + c;
    return values_next(&state);
}

static uint64_t any(const place *p)
{
    return p->random & low_bits(p->width);
}

/* Small integers; -1, 0, 1 and 2 also where they are unsigned. */
static uint64_t small_integer(const place *p)
{
    return (p->random % 4 - 1) & low_bits(p->width);
}

static uint64_t moderate(const place *p)
{
    if (!p->f)
        return small_integer(p);
    return pack(p->f, p->random >> 63, (int)(p->random >> 40 & 15) - 8, p->random);
}

/* Products in pairs that cancel, or almost; the pairs' magnitudes differ by up to 2^15. */
static uint64_t cancelling(const place *p)
{
    const uint64_t h = hash(p->round, p->line, p->k / 2);
    const bool odd = p->k % 2, differs = odd && p->random % 4 == 0;
    if (p->is_c)
        return p->random % 2 ? 0 : moderate(p);
    if (!p->f)
        return (odd && p->operand == LW_OPERAND_A ? 0 - (h % 8) : h % 8) & low_bits(p->width);
    const bool negative = p->operand == LW_OPERAND_A && odd;
    return pack(p->f, negative != (bool)(h >> 63), (int)(h >> 40 & 7) - 4, (h >> 3) ^ (uint64_t)differs);
}

/* Subnormal codes; B is large in half of its columns, so that products are not all lost. */
static uint64_t subnormal(const place *p)
{
    if (!p->f)
        return p->random % 8 ? 0 : any(p);
    if (p->operand == LW_OPERAND_B && p->line % 2)
        return pack(p->f, p->random >> 63, (int)(p->random >> 40 & 7) + (1 << (p->f->exponent - 1)) / 2,
                    p->random);
    const uint64_t sign = (p->random >> 63) << (p->f->exponent + p->f->fraction);
    const uint64_t field = p->random % 8 == 0 ? UINT64_C(1) << p->f->fraction : 0;
    return sign | field | (p->random >> 8 & low_bits(p->f->fraction));
}

/* Zeros, infinities, NaNs, ends of the range, each with both signs; rare enough that not all sums are NaN. */
static uint64_t special(const place *p)
{
    const unsigned rare = p->is_c ? 3 : 2 * p->depth;
    const uint64_t which = p->random >> 16 & 7, sign = p->random >> 63;
    if (p->random % rare)
        return moderate(p);
    if (!p->f) {
        const uint64_t ends[] = { 0, low_bits(p->width), low_bits(p->width - 1), low_bits(p->width - 1) + 1 };
        return p->is_c && which > 3 ? (ends[2 + which % 2] + (p->random >> 32 & 15) - 8) & low_bits(p->width)
                                    : ends[which & 3];
    }
    const unsigned fraction = p->f->fraction;
    const uint64_t full = low_bits(p->f->exponent) << fraction, one = UINT64_C(1);
    const uint64_t largest = p->f->has_infinity ? full - 1 : full | low_bits(fraction);
    const uint64_t codes[] = { 0,
                               full,                      /* infinity, or a large number */
                               full | low_bits(fraction), /* NaN */
                               full | (p->random >> 24 & low_bits(fraction)), /* NaN with a payload */
                               fraction > 1 ? full | one : full,              /* signalling */
                               largest,
                               one, /* smallest subnormal number */
                               one << fraction /* smallest normal number */ };
    return (sign << (p->f->exponent + fraction) | codes[which]) & low_bits(p->width);
}

/*
 * Where sums are grouped: one large product, its negative and one small product at positions that differ by
 * round; all else is zero. What remains of the small one says in which step it was added. Rows differ in how
 * small.
 */
static bool is_at(const place *p, unsigned position)
{
    return p->pairs ? p->k / 2 == position / 2 : p->k == position;
}

static uint64_t sweep(const place *p)
{
    const unsigned depth = p->depth, round = (unsigned)p->round;
    const unsigned large = 7 * round % depth, small = (5 * round + 2 + round / 4) % depth,
                   far = (3 * round + 1 + round / depth) % depth,
                   negative = round % 3 == 2 || depth < 2 ? far : large ^ 1;
    const bool is_a = p->operand == LW_OPERAND_A, is_large = is_at(p, large) || is_at(p, negative);
    if (p->is_c)
        return round % 4 == 3 ? moderate(p) : 0;
    if (!is_large && !is_at(p, small))
        return is_a || !p->f ? 0 : pack(p->f, false, 0, 0);
    if (!p->f)
        return is_a ? (is_large ? low_bits(p->width - 1) : 1) : p->k == negative ? low_bits(p->width) : 1;
    const int bias = (1 << (p->f->exponent - 1)) - 1, high = bias < 15 ? bias : 15,
              low = bias > 12 ? 12 : bias - 1;
    const bool wide = round % 2 == 0; /* both factors are large, or A alone */
    if (is_large)
        return pack(p->f, is_a && p->k == negative, is_a || wide ? high : 0, 0);
    if (p->f->exponent < 5) /* subnormal codes reach further down */
        return is_a || wide ? UINT64_C(1) << p->line % p->f->fraction : pack(p->f, false, 0, 0);
    const int down = is_a ? (int)(p->line % 8) - low : wide ? -low : 0;
    return pack(p->f, is_a && p->line % 2, down, is_a ? p->random : 0);
}

/* Where bits are cut: products that descend by powers of two below one large addend. */
static uint64_t ladder(const place *p)
{
    const int step = (int)(p->round % 31);
    if (!p->f)
        return (UINT64_C(1) << p->random % p->width) & low_bits(p->width);
    if (p->is_c)
        return pack(p->f, p->random >> 63, step, p->round % 2 ? p->random : 0);
    if (p->operand == LW_OPERAND_B)
        return pack(p->f, p->round % 3 == 2 && p->random % 2, -(int)(p->line % 8), 0);
    return pack(p->f, p->round % 3 == 1 && p->random % 2, -(int)((p->k + p->line) % 24),
                p->round % 2 ? p->random : 0);
}

/* One product of about half the smallest number of the result's format; all others are zero, or so small that
 * they only decide in which direction it is rounded. */
static uint64_t alone(const place *p)
{
    const int bias = (1 << (p->f->exponent - 1)) - 1, half_smallest = p->f->exponent == 8 ? -150 : -25;
    const unsigned turn = (unsigned)(p->round / 4), column = (unsigned)(p->round / 8) * 3 + p->line;
    const bool is_a = p->operand == LW_OPERAND_A;
    const int first = half_smallest / 2 > -bias ? half_smallest / 2 : 1 - bias;
    if (p->is_c)
        return 0;
    if (p->k != turn % p->depth)
        return turn % 2 ? 0 : is_a ? 1 : (UINT64_C(1) << column % 8) & low_bits(p->width - 1);
    return pack(p->f, false, is_a ? first : half_smallest - first + (int)(p->line % 3),
                (uint64_t)(p->line / 3 % 4) << p->f->fraction >> 2);
}

/* Products about the smallest numbers of f32 where the format reaches them, and C below them. */
static uint64_t tiny(const place *p)
{
    const int quarter = 1 << (p->f->exponent - 1) >> 1, spread = (int)(p->random >> 40 & 7);
    const uint64_t sign = (p->random >> 63) << (p->f->exponent + p->f->fraction);
    if (p->is_c)
        return p->random % 3 ? sign | (p->random & low_bits(p->f->fraction) >> spread * 3) : 0;
    return sign | pack(p->f, false, -quarter - spread, p->random);
}

/* Zeros beside large numbers: the exponents of products with zero may matter. */
static uint64_t zero_beside(const place *p)
{
    const int half = 1 << (p->f->exponent - 1), spread = (int)(p->random >> 40 & 7);
    const bool negative = p->random >> 63;
    if (p->is_c)
        return pack(p->f, negative, -spread, p->random);
    if (p->operand == LW_OPERAND_B)
        return pack(p->f, negative, half - 1 - spread, p->random);
    return p->random % 2 ? 0 : pack(p->f, negative, -half + spread, p->random);
}

static uint64_t edge(const place *p)
{
    static uint64_t (*const by_round[])(const place *) = { zero_beside, tiny, zero_beside, alone };
    if (!p->f || !p->f->fraction)
        return p->random % 2 ? 0 : any(p);
    return by_round[p->round % CLI_COUNT(by_round)](p);
}

static const struct kind_row {
    const char *name;
    uint64_t (*code)(const place *p);
} kinds[] = {
    { "random bits", any },           { "moderate numbers", moderate }, { "cancellations", cancelling },
    { "subnormals", subnormal },      { "special values", special },    { "group sweeps", sweep },
    { "truncation ladders", ladder }, { "zeros and tiny sums", edge },
};

size_t values_kinds(void)
{
    return CLI_COUNT(kinds);
}

const char *values_kind_name(size_t kind)
{
    return kinds[kind % CLI_COUNT(kinds)].name;
}

/* About 1; any byte in the kinds of random bits and special values. */
static uint64_t scale_code(const place *p, size_t kind)
{
    const bool wild = kinds[kind].code == any || (kinds[kind].code == special && p->random % 8 == 0);
    const uint64_t one = p->f && p->f->fraction == 0 ? 127 : 0x38;
    return wild ? any(p) : (one + (p->random >> 8) % 7 - 3) & low_bits(p->width);
}

static uint64_t code_of(const cli_wave *wave, place *p, size_t kind)
{
    if (p->operand == LW_OPERAND_INDEX)
        return probe_random_index(wave, p->random);
    if (p->operand == LW_OPERAND_SCALE_A || p->operand == LW_OPERAND_SCALE_B)
        return scale_code(p, kind);
    return kinds[kind].code(p) & low_bits(p->width);
}

void values_fill_wave(cli_wave *wave, uint64_t seed, const char *name, uint64_t number)
{
    const size_t kind = (size_t)(number % CLI_COUNT(kinds));
    const unsigned depth = wave->operand[LW_OPERAND_A].shape.y_count; /* stored k of a sparse A */
    uint64_t state = values_state(seed, name, number);
    for (int n = 0; n < LW_OPERAND_COUNT; n++) {
        const wave_operand *o = &wave->operand[n];
        if (!o->image || (n == LW_OPERAND_D && wave_c(wave) != LW_OPERAND_D))
            continue;
        place p = { .f = format_of(o->info.format),
                    .width = o->shape.width,
                    .operand = (lw_operand)n,
                    .is_c = (lw_operand)n == wave_c(wave),
                    .round = number / CLI_COUNT(kinds) };
        const bool is_b = n == LW_OPERAND_B;
        p.depth = depth;
        p.pairs = is_b && wave->operand[LW_OPERAND_INDEX].image;
        const unsigned blocks = o->shape.blocks, per_block = o->shape.x_count * o->shape.y_count;
        for (unsigned i = 0; i < blocks * per_block; i++) {
            const unsigned block = i / per_block, x = i % per_block / o->shape.y_count,
                           y = i % o->shape.y_count;
            p.line = (is_b ? y : x) + 5 * block;
            p.k = is_b ? x * depth / o->shape.x_count : y;
            p.random = values_next(&state);
            wave_put_in(wave, (lw_operand)n, block, x, y, code_of(wave, &p, kind));
        }
    }
}

/* Two halves for packed types. */
static uint64_t lane_code(const format *f, unsigned width, uint64_t number, uint64_t *state)
{
    static uint64_t (*const codes[])(const place *) = { any, moderate, special, subnormal };
    place p = { .f = f, .width = width, .operand = LW_OPERAND_A, .depth = 1, .is_c = false };
    p.random = values_next(state);
    return codes[number % CLI_COUNT(codes)](&p) & low_bits(width);
}

uint64_t values_lane(const char *type, unsigned bits, uint64_t number, uint64_t *state)
{
    static const char *const by_bits[][3] = { { "f16", "bf16", "" },
                                              { "f32", "f16", "" },
                                              { "f64", "f32", "" } };
    const char *name = type ? type : by_bits[bits == 16 ? 0 : bits == 32 ? 1 : 2][number / 4 % 3];
    char single[16];
    snprintf(single, sizeof(single), "%.*s", (int)strcspn(name, "x"), name);
    const format *f = format_of(single);
    const unsigned width = f ? 1 + f->exponent + f->fraction : bits;
    uint64_t value = 0;
    for (unsigned at = 0; at < bits; at += width)
        value |= lane_code(f, width, number, state) << at;
    return value & low_bits(bits);
}
