/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic on exact numbers  n * 2^unit  with integer n, written from the published descriptions and
 * sharing no code with Lanewise: a second way to compute what the example kernels must return.
 */
#ifndef REFERENCE_EXACT_H
#define REFERENCE_EXACT_H

#include <stdbool.h>
#include <stdint.h>

/* n * 2^unit. */
typedef struct exact {
    int64_t n;
    int unit;
} exact;

/* floor and truncation of n * 2^unit to a multiple of 2^grid, as that multiple. */
int64_t floor_to(exact v, int grid);
int64_t trunc_to(exact v, int grid);

/* A finite binary32 pattern as 24 bits and an exponent; minimum exponent -126, so unit >= -149. */
exact f32_value(uint32_t bits);
int f32_exponent(uint32_t bits);
bool f32_is_finite(uint32_t bits);

/* Nearest, ties to even; gradual underflow; overflow to infinity. Zero gives +0. */
uint32_t f32_round(exact v);
uint16_t f16_round(exact v);
uint16_t bf16_round(exact v);

/* f32 -> bf16, nearest even, as v_cvt_pk_bf16_f32; a NaN becomes 7fc0. */
uint16_t bf16_from_f32(uint32_t bits);

/* a + b with one rounding. */
uint32_t f32_add(uint32_t a, uint32_t b);
uint32_t f32_round_sum(exact a, exact b);

#endif
