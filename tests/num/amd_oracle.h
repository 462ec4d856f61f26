/* SPDX-License-Identifier: MIT */
/*
 * AMD's dot units, written again directly from their definitions: RDNA's in host doubles (terms have at most
 * 30 bits above their grid, so every double is exact), CDNA2's in host floats, CDNA1's in error-free sums of
 * doubles. Shares nothing with the library.
 */
#ifndef LW_TESTS_NUM_AMD_ORACLE_H
#define LW_TESTS_NUM_AMD_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct amd_format {
    int bits, exp_bits, frac_bits, bias;
    enum { AMD_IEEE, AMD_ONES, AMD_PLAIN } special; /* meaning of codes with the largest exponent field */
} amd_format;

typedef struct amd_value {
    double v; /* magnitude */
    int e;    /* nominal exponent */
    bool neg, nan, inf, subnormal;
} amd_value;

typedef enum amd_acc { AMD_F32, AMD_F16, AMD_BF16 } amd_acc;

/* One step of RDNA. */
typedef struct amd_rule {
    bool ones;    /* RDNA3's one's complement, else RDNA4's floors */
    bool pairs;   /* RDNA4: first one grid per pair */
    bool flush;   /* subnormal factors are zero */
    bool one_nan; /* every NaN that is not C's is the NaN of a NaN factor */
    bool ovfl;
    double scale; /* factor of every product; a power of two times a small integer */
    int scale_e;  /* its nominal exponent */
} amd_rule;

amd_value amd_decode(const amd_format *format, uint32_t code);
uint32_t amd_rdna_step(const amd_rule *rule, const amd_value *a, const amd_value *b, int count, amd_acc acc,
                       uint32_t c);

/* f16 or bf16 factors, f32 accumulator. */
uint32_t amd_tree_step(const amd_value *a, const amd_value *b, int count, bool first, uint32_t c);
uint32_t amd_exact_step(const amd_value *a, const amd_value *b, int count, uint32_t c);

#endif
