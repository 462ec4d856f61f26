/* SPDX-License-Identifier: MIT */
/*
 * The dot product units of CDNA3 and CDNA4 as public work describes them (Xie et al., arXiv 2511.10909;
 * Khattak and Mikaitis' matrix-unit models; the MI300X fp8 measurements): products are truncated to a grid 24
 * bits below the largest exponent, summed exactly, added to the accumulator on a second grid, truncated again
 * after normalisation, and rounded. No such comparison has been published for CDNA4's block-scaled
 * instructions; they are assumed to work like the CDNA3 fp8 unit ("chained"), and the other readings are here
 * so that one can count which outputs depend on the assumption.
 */
#ifndef REFERENCE_UNITS_H
#define REFERENCE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "exact.h"

/* How the f32 accumulator is added to a group of products. */
typedef enum joining {
    JOIN_FLOOR, /* always floored onto the grid (CDNA3 f16) */
    JOIN_DROP,  /* ignored if its exponent is more than 25 below the group's (CDNA3 fp8) */
    JOIN_EXACT, /* no truncation at all: the exact sum, rounded once */
} joining;

/* A group's sum: n * 2^(top - 24); top is its largest nominal product exponent. */
typedef struct group_sum {
    int64_t n;
    int top;
    bool any; /* at least one product was not zero */
} group_sum;

/* c + sum, as f32 bits. An infinite c stays; a NaN becomes 7fc00000. */
uint32_t join_group(group_sum sum, uint32_t c, joining how);

/* Up to 8 products of f16 elements: one group of the CDNA3 f16 unit. */
group_sum sum_f16(const uint16_t *a, const uint16_t *b, size_t count);

/*
 * Up to 32 products of FP4 elements that share one pair of block scales (E8M0 codes, below 255). With two
 * classes, even and odd k are summed separately, as in the CDNA3 fp8 unit. The scales move only the
 * exponent.
 */
group_sum sum_fp4(const uint8_t *a, const uint8_t *b, size_t count, size_t classes, uint8_t scale_a,
                  uint8_t scale_b);

/* Several sums as one group: all are floored onto the grid of the largest. */
group_sum fuse_sums(const group_sum *sums, size_t count);

#endif
