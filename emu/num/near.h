/* SPDX-License-Identifier: MIT */
/*
 * Elementary functions to the nearest number of a format with at most 24 significant bits: the value is found
 * to about 60 bits by integer series and rounded once. Tested on all inputs of f16 and bf16 and, for f32, on
 * all inputs of exp2 and log2 (tests/num/test_near.c): no result is so close to the midpoint of two numbers
 * that 60 bits cannot decide.
 */
#ifndef LW_EMU_NUM_NEAR_H
#define LW_EMU_NUM_NEAR_H

#include "emu/num/fp.h"
#include "emu/num/u128.h"

/* 2^x, log2(x), tanh(x), sin(x) and cos(x) of radians. `e` decides about subnormals and NaNs; rounding is to
 * the nearest, ties to even. log2 of a negative number and sin and cos of infinities are NaN. */
uint64_t lw_near_exp2(const lw_format *f, const lw_fp_env *e, uint64_t x);
uint64_t lw_near_log2(const lw_format *f, const lw_fp_env *e, uint64_t x);
uint64_t lw_near_tanh(const lw_format *f, const lw_fp_env *e, uint64_t x);
uint64_t lw_near_sin(const lw_format *f, const lw_fp_env *e, uint64_t x);
uint64_t lw_near_cos(const lw_format *f, const lw_fp_env *e, uint64_t x);

/* 1 / sqrt(x) of f32; subnormals count as zero, NaNs are quieted. */
uint32_t lw_near_rsqrt_f32(uint32_t x);

/* ---- Shared by near.c and near_trig.c ---- */

/* The high half of a product. */
static inline uint64_t lw_near_high(uint64_t a, uint64_t b)
{
    return lw_u128_mul(a, b).hi;
}

/* a * 2^(exp - 63) times factor / 2^63, not exact; the top bit of `a` is set. */
lw_fp_num lw_near_times(bool neg, uint64_t a, int exp, uint64_t factor);

/* 2^63 / n!, for n up to 20. */
extern const uint64_t lw_near_factorials[21];

#endif
