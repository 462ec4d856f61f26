/* SPDX-License-Identifier: MIT */
/* MXFP4 by its definition (OCP Microscaling Formats 1.0) and the layouts that the example kernels read. */
#ifndef REFERENCE_MXFP4_H
#define REFERENCE_MXFP4_H

#include <stddef.h>
#include <stdint.h>

#include "units.h"

enum { MX_BLOCK = 32, MX_STEP = 128 };

/* rows x k values: one code per byte, one scale for each 32 k. */
typedef struct mx_matrix {
    size_t rows, k;
    uint8_t *codes, *scales;
} mx_matrix;

mx_matrix mx_new(size_t rows, size_t k);
void mx_free(mx_matrix *m);

/*
 * Quantizes 32 bf16 values. The scale is 2^(e - 2), e the exponent of the largest magnitude, one more when
 * that magnitude's significand is 1.75 or above (AITER's rule: such a value would round past 6), not under
 * 2^-127; elements are x / scale rounded to nearest, ties to even, at most 6. bf16 patterns above 7c00
 * (magnitudes from 2^121, infinity, NaN) are outside what the kernels accept: exits with a message.
 */
void mx_quantize_block(const uint16_t *bf16, uint8_t *codes, uint8_t *scale);
void mx_quantize(const uint16_t *bf16, mx_matrix *to);

/* The kernels' order of B: see examples/kernels/mxfp4.h. `codes` has rows * k / 2 bytes, two codes each. */
void mx_shuffle(const mx_matrix *from, uint8_t *codes, uint8_t *scales);
void mx_unshuffle(const uint8_t *codes, const uint8_t *scales, mx_matrix *to);

/*
 * Which reading of the matrix instruction; see units.h. The names are those that Lanewise uses, except for
 * the last, which is not a proposed reading: it shows the effect of truncation as a whole.
 */
typedef enum mx_rule {
    MX_CHAINED, /* blocks of 32 one after the other, each in even and odd k; far smaller accumulators dropped
                 */
    MX_GTR16,   /* half blocks one after the other */
    MX_TR32,    /* even and odd k not summed separately */
    MX_FUSED,   /* the instruction's four blocks and the accumulator in one sum */
    MX_KEEP,    /* an accumulator is floored, however small it is */
    MX_EXACT,   /* each block added exactly, rounded once */
    MX_RULES,
} mx_rule;

extern const char *const mx_rule_names[MX_RULES];

/*
 * One element of C as f32 bits: `acc` and the products from k = `first` to `last` (multiples of 128) of a
 * row of a and a row of b.
 */
uint32_t mx_dot(const mx_matrix *a, size_t row, const mx_matrix *b, size_t col, size_t first, size_t last,
                mx_rule rule, uint32_t acc);

/*
 * C in bf16, m x n. k is cut into `parts` consecutive pieces, whose sums are added as f32 in order (parts =
 * 1: one sum).
 */
void mx_gemm(const mx_matrix *a, const mx_matrix *b, unsigned parts, mx_rule rule, uint16_t *c);

/* The value of one element, exactly (a binary64 holds it). */
double mx_value(const mx_matrix *m, size_t row, size_t k);

#endif
