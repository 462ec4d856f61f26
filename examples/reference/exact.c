/* SPDX-License-Identifier: MIT */
#include "exact.h"

static uint64_t magnitude(int64_t n)
{
    return n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
}

static int bit_length(uint64_t v)
{
    int length = 0;
    for (; v; v >>= 1)
        length++;
    return length;
}

int64_t trunc_to(exact v, int grid)
{
    const int down = grid - v.unit;
    if (down <= 0)
        return v.n * ((int64_t)1 << -down);
    const uint64_t cut = down > 63 ? 0 : magnitude(v.n) >> down;
    return v.n < 0 ? -(int64_t)cut : (int64_t)cut;
}

int64_t floor_to(exact v, int grid)
{
    const int64_t cut = trunc_to(v, grid);
    const int down = grid - v.unit;
    if (v.n >= 0 || down <= 0)
        return cut;
    const bool whole = down <= 63 && (magnitude(v.n) & (((uint64_t)1 << down) - 1)) == 0;
    return whole ? cut : cut - 1;
}

bool f32_is_finite(uint32_t bits)
{
    return (bits >> 23 & 255) != 255;
}

int f32_exponent(uint32_t bits)
{
    const int field = (int)(bits >> 23 & 255);
    return field ? field - 127 : -126;
}

exact f32_value(uint32_t bits)
{
    int64_t n = bits & 0x7fffff;
    if (bits >> 23 & 255)
        n |= 0x800000;
    return (exact){ bits >> 31 ? -n : n, f32_exponent(bits) - 23 };
}

/* A format by significand bits (with the hidden one), exponent bits and bias. */
static uint32_t round_to(exact v, int sig_bits, int exp_bits, int bias)
{
    if (v.n == 0)
        return 0;
    const uint64_t mag = magnitude(v.n);
    int top = bit_length(mag) - 1 + v.unit; /* exponent of the leading bit */
    if (top < 1 - bias)
        top = 1 - bias;
    const int grid = top - (sig_bits - 1);

    const int down = grid - v.unit;
    uint64_t sig = 0;
    if (down <= 0) {
        sig = mag << -down;
    } else if (down <= 63) {
        sig = mag >> down;
        const uint64_t rest = mag & (((uint64_t)1 << down) - 1), half = (uint64_t)1 << (down - 1);
        if (rest > half || (rest == half && (sig & 1)))
            sig++;
    }

    /* Adding the significand to the exponent field lets a carry move into it; a subnormal has no hidden one.
     */
    const uint64_t field = (uint64_t)(top + bias - 1) << (sig_bits - 1);
    const uint64_t infinity = (((uint64_t)1 << exp_bits) - 1) << (sig_bits - 1);
    uint64_t bits = field + sig;
    if (bits > infinity)
        bits = infinity;
    const uint64_t sign = v.n < 0 ? (uint64_t)1 << (sig_bits - 1 + exp_bits) : 0;
    return (uint32_t)(sign | bits);
}

uint32_t f32_round(exact v)
{
    return round_to(v, 24, 8, 127);
}

uint16_t f16_round(exact v)
{
    return (uint16_t)round_to(v, 11, 5, 15);
}

uint16_t bf16_round(exact v)
{
    return (uint16_t)round_to(v, 8, 8, 127);
}

uint16_t bf16_from_f32(uint32_t bits)
{
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    if (!f32_is_finite(bits))
        return bits & 0x7fffff ? 0x7fc0 : (uint16_t)(sign | 0x7f80);
    const uint16_t rounded = bf16_round(f32_value(bits));
    return rounded & 0x7fff ? rounded : sign;
}

/* The same value with its leading bit at bit 30. |n| < 2^31 going in. */
static exact normalised(exact v)
{
    const int up = 31 - bit_length(magnitude(v.n));
    return (exact){ v.n * ((int64_t)1 << up), v.unit - up };
}

uint32_t f32_round_sum(exact a, exact b)
{
    if (a.n == 0 || b.n == 0)
        return f32_round(a.n ? a : b);
    exact big = normalised(a), small = normalised(b);
    if (big.unit < small.unit) {
        const exact t = big;
        big = small;
        small = t;
    }
    const int apart = big.unit - small.unit;
    if (apart <= 30)
        return f32_round((exact){ big.n * ((int64_t)1 << apart) + small.n, small.unit });

    /* |small| < one unit of big, which has 7 bits more than a result: only its sign can matter. */
    return f32_round((exact){ big.n * 2 + (small.n < 0 ? -1 : 1), big.unit - 1 });
}

uint32_t f32_add(uint32_t a, uint32_t b)
{
    const exact x = f32_value(a), y = f32_value(b);
    if (x.n == 0 && y.n == 0)
        return a & b; /* -0 only if both are -0 */
    return f32_round_sum(x, y);
}
