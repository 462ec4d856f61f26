/* SPDX-License-Identifier: MIT */
/*
 * Float arithmetic of RDNA4, written a second time: the host's hardware (f32), doubles that hold the exact
 * result (f16), and the rules for NaNs and subnormals of AMD's RDNA4 ISA manual. Shares nothing with the
 * library.
 */
#ifndef TESTS_MACHINE_FLOAT_RULES_H
#define TESTS_MACHINE_FLOAT_RULES_H

#include <fenv.h>
#include <math.h>
#include <stdbool.h>

#include "num/oracle.h"

enum { OVFL = 1 << 23 };

static const uint32_t BAD32 = 0xffc00000, BAD16 = 0xfe00;
static const int host_round[4] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };

/* The fields of MODE for one format. */
typedef struct rules {
    unsigned round;
    bool half, keep_in, keep_out, saturate;
} rules;

static inline rules of_mode(uint32_t mode, bool half)
{
    const unsigned at = half ? 2 : 0;
    return (rules){ mode >> at & 3, half, mode >> (4 + at) & 1, mode >> (5 + at) & 1, half && mode & OVFL };
}

static inline uint32_t sign_of(const rules *r)
{
    return r->half ? 0x8000 : 0x80000000;
}

static inline double value(const rules *r, uint32_t x)
{
    return r->half ? f16_value(x) : f32_of(x);
}

static inline uint32_t quiet(const rules *r, uint32_t x)
{
    return x | (r->half ? 0x200 : 0x400000);
}

static inline double least_normal(const rules *r)
{
    return r->half ? 0x1p-14 : 0x1p-126;
}

/* A subnormal source is zero if MODE says so. */
static inline uint32_t in(const rules *r, uint32_t x)
{
    x &= r->half ? 0xffff : UINT32_MAX;
    return !r->keep_in && fabs(value(r, x)) < least_normal(r) ? x & sign_of(r) : x;
}

static inline double to_even(double x)
{
    const double low = floor(x), over = x - low;
    return over > 0.5 || (over == 0.5 && fmod(low, 2) != 0) ? low + 1 : low;
}

/* `x` is exact, or truncated with its last bit set if something was lost. */
static inline double on_grid(double x, int exponent, unsigned round)
{
    static double (*const whole[4])(double) = { to_even, ceil, floor, trunc };
    return ldexp(whole[round](ldexp(x, -exponent)), exponent);
}

static inline uint32_t code16(double x)
{
    const uint32_t sign = signbit(x) ? 0x8000 : 0;
    const double m = fabs(x);
    if (m == 0)
        return sign;
    if (m < 0x1p-14)
        return sign | (uint32_t)(m * 0x1p24);
    const int e = ilogb(m);
    return sign | (uint32_t)((e + 14) * 1024 + (int)ldexp(m, 10 - e));
}

/* To 11 bits; a result is tiny if it is tiny after rounding with an unlimited exponent range. */
static inline uint32_t round16(const rules *r, double x)
{
    if (x == 0 || isinf(x))
        return isinf(x) ? (x < 0 ? 0xfc00 : 0x7c00) : code16(x);
    const int e = ilogb(x);
    const double wide = on_grid(x, e - 10, r->round), m = on_grid(x, e < -14 ? -24 : e - 10, r->round);
    const uint32_t sign = x < 0 ? 0x8000 : 0;
    if (!r->keep_out && fabs(wide) < 0x1p-14)
        return sign;
    if (fabs(m) < 65536)
        return sign | (code16(m) & 0x7fff);
    const bool to_max = r->saturate || r->round == 3 || r->round == (sign ? 1 : 2);
    return sign | (to_max ? 0x7bff : 0x7c00);
}

/* ---- a * b + c; operations without c add -0, those without b multiply by 1 ---- */

static inline uint32_t fused32(const rules *r, float a, float b, float c)
{
    const volatile float x = a, y = b, z = c;
    fesetround(host_round[r->round]);
    const volatile float result = fmaf(x, y, z);
    float wide = result;
    if (fabsf(result) <= 0x1p-126f && fabsf(z) < 0x1p-60f) { /* the same times 2^60: is it tiny? */
        const volatile float up = fabsf(x) < fabsf(y) ? x * 0x1p60f : x,
                             with = fabsf(x) < fabsf(y) ? y : y * 0x1p60f, plus = z * 0x1p60f;
        const volatile float higher = fmaf(up, with, plus);
        wide = fabsf(higher) < 0x1p-66f ? 0.0f : 1.0f;
    }
    fesetround(FE_TONEAREST);
    if (!r->keep_out && result != 0 && fabsf(wide) < 0x1p-126f)
        return bits_of_f32(result) & 0x80000000;
    return bits_of_f32(result);
}

static inline uint32_t fused16(const rules *r, double a, double b, double c)
{
    const volatile double p = a * b, sum = p + c; /* the product is exact */
    const double low = sum - p, lost = (p - (sum - low)) + (c - low);
    if (lost == 0 || isinf(sum)) {
        fesetround(host_round[r->round]);
        const volatile double again = p + c; /* the sign of zero */
        fesetround(FE_TONEAREST);
        return round16(r, again);
    }
    uint64_t bits = bits_of_f64(sum);
    bits -= (lost < 0) != (sum < 0); /* truncated; the last bit says that more follows */
    return round16(r, f64_of(bits | 1));
}

static inline uint32_t fused(const rules *r, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t bad = r->half ? BAD16 : BAD32;
    a = in(r, a), b = in(r, b), c = in(r, c);
    const double x = value(r, a), y = value(r, b), z = value(r, c);
    if ((isinf(x) && y == 0) || (isinf(y) && x == 0))
        return bad;
    if (isnan(x) || isnan(y) || isnan(z))
        return quiet(r, isnan(x) ? a : isnan(y) ? b : c);
    if ((isinf(x) || isinf(y)) && isinf(z) && (z < 0) != ((x < 0) != (y < 0)))
        return bad;
    return r->half ? fused16(r, x, y, z) : fused32(r, (float)x, (float)y, (float)z);
}

/* ---- Selections: a number wins, or a NaN does ---- */

static inline uint32_t chosen(const rules *r, uint32_t a, uint32_t b, bool most)
{
    const double x = value(r, a), y = value(r, b);
    const bool first = x == 0 && y == 0 ? (a & sign_of(r)) != 0 : x < y;
    return first != most ? a : b;
}

static inline uint32_t number(const rules *r, uint32_t a, uint32_t b, bool most)
{
    a = in(r, a), b = in(r, b);
    const bool na = isnan(value(r, a)), nb = isnan(value(r, b));
    return na && nb ? quiet(r, a) : na ? b : nb ? a : chosen(r, a, b, most);
}

static inline uint32_t strict(const rules *r, uint32_t a, uint32_t b, bool most)
{
    a = in(r, a), b = in(r, b);
    const bool na = isnan(value(r, a)), nb = isnan(value(r, b));
    return na || nb ? quiet(r, na ? a : b) : chosen(r, a, b, most);
}

/* ---- Conversions ---- */

static inline uint32_t to_half(const rules *from, const rules *to, uint32_t a)
{
    a = in(from, a);
    return isnan(f32_of(a)) ? 0x7e00 | (a >> 16 & 0x8000) | (a >> 13 & 0x1ff) : round16(to, f32_of(a));
}

static inline uint32_t to_single(const rules *from, uint32_t a)
{
    a = in(from, a);
    return isnan(f16_value(a)) ? 0x7fc00000 | (a << 16 & 0x80000000) | (a << 13 & 0x3fe000)
                               : bits_of_f32((float)f16_value(a));
}

#endif
