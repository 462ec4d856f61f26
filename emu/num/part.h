/* SPDX-License-Identifier: MIT */
/* An unpacked matrix element, ready to be multiplied. */
#ifndef LW_EMU_NUM_PART_H
#define LW_EMU_NUM_PART_H

#include <stdint.h>

#include "isa_tables/formats.h"

typedef enum lw_part_kind {
    LW_PART_ZERO,
    LW_PART_FINITE,
    LW_PART_INF,
    LW_PART_NAN,
} lw_part_kind;

/*
 * (-1)^neg * sig * 2^(exp - frac) with the format's lw_part_frac. A normal number has 2^frac <= sig <
 * 2^(frac+1); a subnormal one keeps the format's least exponent and has a smaller sig.
 */
typedef struct lw_part {
    uint32_t sig;
    int16_t exp;
    uint8_t neg;
    uint8_t kind; /* lw_part_kind */
} lw_part;

/* Fraction bits of the significands of a format: those it stores, 10 for xf32. */
int lw_part_frac(const lw_format *format);

/*
 * Unpacks a code of a floating-point format of at most 32 bits. xf32 clears the 13 lowest bits; with
 * `mask_first`, before NaNs are detected.
 */
lw_part lw_part_make(const lw_format *format, uint32_t code, bool mask_first);

/*
 * The same number in a wider format that holds every number of the narrower one: its exponent and its
 * significand there.
 */
lw_part lw_part_widen(const lw_format *from, const lw_format *to, lw_part part);

#endif
