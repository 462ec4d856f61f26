/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's fused dot products, written again in host doubles: products have at most 22 bits, aligned terms at
 * most 48, sums at most 51, so that every double below is exact. Shares nothing with the library.
 */
#ifndef LW_TESTS_NUM_FUSED_ORACLE_H
#define LW_TESTS_NUM_FUSED_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct fused_format {
    const char *name;
    int bits, exp_bits, frac_bits, bias;
    enum { SPECIAL_IEEE, SPECIAL_ONES, SPECIAL_NONE } special;
    int ignored; /* low bits that do not count */
} fused_format;

typedef struct fused_value {
    double v;
    int e; /* nominal exponent; meaningless for zero */
    bool nan, inf;
} fused_value;

typedef struct fused_rule {
    int group, frac, floor32, floor16, out;
    bool zero_terms, plus_underflow;
} fused_rule;

enum { FUSED_MAX_K = 128 };

fused_value fused_decode(const fused_format *format, uint32_t code);

/* The code of |v|, cut to `out` fraction bits (f32) or rounded to nearest even (f16); v is finite and not
 * zero. */
uint32_t fused_encode(double v, bool narrow, int out);

/* A chain of groups; `scale` is added to every product's exponent. `narrow`: c and the result are f16. */
uint32_t fused_oracle(const fused_rule *rule, const fused_value *a, const fused_value *b, int count,
                      int scale, bool narrow, uint32_t c);

/* One scale pair per block: the value sig * 2^(e - frac). */
typedef struct fused_scale {
    int sig, e, frac;
    bool nan;
} fused_scale;

uint32_t fused_scaled_oracle(int frac, int floor32, const fused_value *a, const fused_value *b,
                             const fused_scale *scales, int blocks, int per_block, uint32_t c);

#endif
