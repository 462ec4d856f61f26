/* SPDX-License-Identifier: MIT */
/* Operands for comparing implementations: kinds of codes that reveal mistakes. */
#ifndef LW_TESTS_FAST_CODES_H
#define LW_TESTS_FAST_CODES_H

#include <stdint.h>

#include "isa_tables/formats.h"

/* Kinds of operands. */
typedef enum kind {
    KIND_NORMAL,  /* moderate numbers */
    KIND_BITS,    /* anything */
    KIND_FINITE,  /* anything finite */
    KIND_NARROW,  /* few exponents, one fraction bit: sums cancel */
    KIND_SPARSE,  /* zeros and subnormals */
    KIND_LARGE,   /* near the largest number */
    KIND_ONE_ODD, /* moderate, except for one infinity or NaN */
    KIND_FAR,     /* moderate products, C much larger */
    KIND_TINY_C,  /* moderate products, C tiny, zero or subnormal */
    KIND_AWAY,    /* like NORMAL: the caller moves A, B and C away from 1, each as a whole */
    KIND_COUNT,
} kind;

/* splitmix64 */
uint64_t codes_next(uint64_t *state);

/* An element of A or B; of C. */
uint64_t codes_element(const lw_format *format, kind what, uint64_t *state);
uint64_t codes_c(const lw_format *format, kind what, uint64_t *state);

/* A code of KIND_AWAY moved by that many powers of two; formats with less than eight exponent bits stay. */
uint64_t codes_moved(const lw_format *format, uint64_t code, int powers);

/* An infinity or a NaN, if the format has one. */
uint64_t codes_odd(const lw_format *format, uint64_t *state);

#endif
