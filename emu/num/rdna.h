/* SPDX-License-Identifier: MIT */
/* What RDNA's two units share: the terms of a step, special values, and the narrowing of its result. */
#ifndef LW_EMU_NUM_RDNA_H
#define LW_EMU_NUM_RDNA_H

#include "emu/num/dot.h"

/* The f32 result of a NaN among the factors. */
#define LW_RDNA_FACTOR_NAN UINT32_C(0xffc00a3d)

/* (-1)^neg * sig * 2^exp. A zero keeps its sign. */
typedef struct lw_rdna_term {
    bool neg;
    uint64_t sig;
    int exp;
    int nominal; /* of a product: the sum of the factors' exponents, scales included */
} lw_rdna_term;

/* floor(log2) of a term other than zero. */
int lw_rdna_lead(const lw_rdna_term *t);

/* Product i. Where the unit flushes, a denormal factor makes it zero. */
lw_rdna_term lw_rdna_product(const lw_dot_unit *unit, const lw_dot_group *g, int i);

/* A finite accumulator. With `flush`, a denormal f32 (bf16 too) is a zero of its sign. */
lw_rdna_term lw_rdna_acc(lw_dot_acc format, uint32_t acc, bool flush);

/* True when a NaN or an infinity is the result: *code. */
bool lw_rdna_special(const lw_dot_unit *unit, const lw_dot_group *g, lw_dot_acc format, uint32_t acc,
                     const lw_dot_env *env, uint32_t *code);

/*
 * units * 2^grid in the accumulator's format: f32 to nearest even, bf16 the upper half of that, f16 to
 * nearest even. A zero is always +0. `flush` replaces f32 results that are denormal after rounding by zeros.
 */
uint32_t lw_rdna_narrow(lw_dot_acc format, bool neg, uint64_t units, int grid, bool flush,
                        const lw_dot_env *env);

#endif
