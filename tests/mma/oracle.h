/* SPDX-License-Identifier: MIT */
/*
 * The arithmetic of matrix instructions, written again directly from its definition: every number is an exact
 * real, a very long fixed-point integer, to which floor, truncation and rounding are applied. Shares nothing
 * with the library.
 */
#ifndef LW_TESTS_MMA_ORACLE_H
#define LW_TESTS_MMA_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

enum { LIMBS = 160, UNIT_EXP = -2400, ORACLE_MAX_K = 128 };

/* w[0] lowest; two's complement; the value is the integer times 2^UNIT_EXP. */
typedef struct real {
    uint32_t w[LIMBS];
} real;

real real_make(bool neg, uint64_t sig, int exp);
real real_add(const real *a, const real *b);
real real_negate(const real *a);
bool real_is_zero(const real *a);
bool real_is_negative(const real *a);
int real_lead(const real *a);             /* floor(log2 |a|), a not 0 */
real real_floor(const real *a, int g);    /* largest multiple of 2^g that is <= a */
real real_truncate(const real *a, int g); /* towards zero */
/* To nearest even, into a format with `frac` fraction bits and smallest exponent `emin`; *exp2 gets the
 * exponent of a unit in the last place. Returns the magnitude in these units. */
uint64_t real_nearest(const real *a, int frac, int emin, int *exp2);

typedef enum { TOP_INF_NAN, TOP_ALL_ONES_NAN, TOP_PLAIN, TOP_MINUS_ZERO_NAN } oracle_top;
typedef struct oracle_format {
    const char *name; /* as lw_mma_shape names it */
    int exp_bits, frac_bits, bias;
    oracle_top top;
} oracle_format;

/* NULL if no format has that name. */
const oracle_format *oracle_format_named(const char *name);

/* How products are grouped and aligned. */
typedef struct oracle_rule {
    int group;      /* products per step */
    bool two_grids; /* even and odd places separately */
    int drop;       /* C is ignored if its exponent is more than this below; 0: never */
    bool fused;     /* all groups are added to C at once */
    bool zeros;     /* products of zero have the exponent -126 */
} oracle_rule;

typedef struct oracle_dot {
    const oracle_format *fa, *fb;
    oracle_rule rule;
    int count;
    uint64_t a[ORACLE_MAX_K], b[ORACLE_MAX_K];
    bool odd[ORACLE_MAX_K];  /* class of each product */
    int scale[ORACLE_MAX_K]; /* scale of the block that each product is in */
    bool nan_scale[ORACLE_MAX_K];
} oracle_dot;

/* CDNA3's f16, bf16, xf32 and fp8 arithmetic and its variants; any NaN is 0x7fc00000. */
uint32_t oracle_aligned(const oracle_dot *dot, uint32_t c);
/* fma in binary32 or binary64, any NaN the default one. */
uint32_t oracle_fma32(uint32_t a, uint32_t b, uint32_t c);
uint64_t oracle_fma64(uint64_t a, uint64_t b, uint64_t c);

#endif
