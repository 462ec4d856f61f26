/* SPDX-License-Identifier: MIT */
/* Values that are difficult for arithmetic, and conversions between bit patterns and the host's floats. */
#ifndef LW_TESTS_NUM_ORACLE_H
#define LW_TESTS_NUM_ORACLE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t next_random(uint64_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return *s * 0x2545f4914f6cdd1du;
}

static inline float f32_of(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof(v));
    return v;
}

static inline uint32_t bits_of_f32(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof(bits));
    return bits;
}

static inline double f64_of(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof(v));
    return v;
}

static inline uint64_t bits_of_f64(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof(bits));
    return bits;
}

/* Any small IEEE-like code as a double: exponent and fraction widths and bias given; no specials. */
static inline double small_value(uint32_t code, int exp_bits, int frac_bits, int bias)
{
    const int field = (int)(code >> frac_bits) & ((1 << exp_bits) - 1);
    const int frac = (int)(code & ((1u << frac_bits) - 1));
    const double sign = code >> (exp_bits + frac_bits) & 1 ? -1 : 1;
    const double m = field ? (1 << frac_bits) + frac : frac;
    return sign * ldexp(m, (field ? field : 1) - bias - frac_bits);
}

static inline double f16_value(uint32_t code)
{
    if ((code >> 10 & 31) == 31)
        return code & 0x3ff ? NAN : code & 0x8000 ? -INFINITY : INFINITY;
    return small_value(code, 5, 10, 15);
}

/* Random bits with exponents drawn close together or to the edges of the format. */
static inline uint64_t nasty(uint64_t *seed, int exp_bits, int frac_bits)
{
    const uint64_t r = next_random(seed), max = ((uint64_t)1 << exp_bits) - 1, bias = max >> 1;
    uint64_t frac = next_random(seed) & (((uint64_t)1 << frac_bits) - 1);
    uint64_t field = r >> 20 & max;
    switch (r & 7) {
    case 0:
        field = r >> 8 & 1 ? 0 : 1;
        break;
    case 1:
        field = max - (r >> 8 & 1);
        break;
    case 2:
    case 3:
        field = bias + (r >> 8 & 3) - 1;
        break;
    case 4:
        field = bias / 2 + (r >> 8 & 7);
        break;
    default:
        break;
    }
    switch (r >> 4 & 3) {
    case 0:
        frac = 0;
        break;
    case 1:
        frac = (uint64_t)1 << (r >> 12 & 63) % (unsigned)frac_bits;
        break;
    case 2:
        frac |= frac >> 1 | ((uint64_t)1 << frac_bits) / 2;
        break;
    default:
        break;
    }
    return (r >> 63) << (exp_bits + frac_bits) | field << frac_bits | frac;
}

#endif
