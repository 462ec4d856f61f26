/* SPDX-License-Identifier: MIT */
/* --check numerics: kinds of numbers. numerics.c judges them, numerics_kinds.c classifies,
 * numerics_narrow.c knows AMD's conversions to 8
 * bits and fewer. */
#ifndef LW_OBSERVERS_NUMERICS_H
#define LW_OBSERVERS_NUMERICS_H

#include <lanewise/observe.h>

/* Kinds of numbers, as bits of a set. */
enum {
    LW_IS_NAN = 1,
    LW_IS_INFINITY = 2,
    LW_IS_ZERO = 4,
    LW_IS_SUBNORMAL = 8,
    LW_IS_NORMAL = 16,
    LW_IS_BEYOND = 32 /* or the largest */
};

/* Of a code with that many bits of exponent and significand. */
unsigned lw_number_kind(uint64_t code, unsigned exponent, unsigned significand);
/* Of all numbers in a register, or in two. */
unsigned lw_number_kinds(lw_number format, uint32_t low, uint32_t high);
/* The magnitude of a finite number as f32, or 0: f64 is not compared. */
uint32_t lw_number_magnitude(lw_number format, uint32_t word);

/* The first bit of a half that alone is accessed; 0: the register's first one. */
static inline unsigned lw_number_shift(uint8_t bytes)
{
    return bytes && !(bytes & 3) ? 16 : 0;
}

/* Conversions to 8 bits and fewer (lw_facts.narrows): adds the kinds of what each lane converts, before, and
 * of its results, after the instruction. */
void lw_narrow_sources(const lw_event *event, uint8_t kinds[LW_MAX_LANES]);
void lw_narrow_results(const lw_event *event, uint8_t kinds[LW_MAX_LANES]);
/* The result operand; NULL: there is none. */
const lw_fact_operand *lw_narrow_result(const lw_event *event);

#endif
