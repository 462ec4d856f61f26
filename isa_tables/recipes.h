/* SPDX-License-Identifier: MIT */
/* Which arithmetic a matrix instruction has on an architecture, and how well that is supported. */
#ifndef LW_ISA_RECIPES_H
#define LW_ISA_RECIPES_H

#include <lanewise/mma.h>

#include "isa_tables/dot_units.h"
#include "isa_tables/matrix.h"
#include "isa_tables/readings.h"

typedef struct lw_evidence_row {
    lw_mma_evidence aspect[LW_MMA_ASPECT_COUNT];
} lw_evidence_row;

/*
 * How the products of an element are divided into passes, by product number (k; where A is sparse, the number
 * of the stored value). A pass takes its products in ascending order, in groups of the unit's size; each pass
 * starts from the accumulator of the one before.
 */
typedef enum lw_split {
    LW_SPLIT_NONE,   /* one pass */
    LW_SPLIT_PAIRS,  /* number % 4 in {0, 1}, then in {2, 3} */
    LW_SPLIT_FOURS,  /* number / 4 even, then odd */
    LW_SPLIT_HALVES, /* the lower half of the numbers, then the upper half */
    LW_SPLIT_COUNT,
} lw_split;

/* How an f32 accumulator becomes a 16-bit D, where the recipe is `wide`. */
typedef enum lw_narrow {
    LW_NARROW_NEAREST, /* to nearest even */
    LW_NARROW_CUT,     /* bf16: the low half is dropped */
} lw_narrow;

/* An arithmetic, apart from its unit. */
typedef struct lw_recipe_shape {
    uint8_t split; /* lw_split */
    uint8_t
        factors; /* lw_format_id: A and B are first converted to it, exactly; LW_FORMAT_F64: no conversion */
    bool c_last; /* the first pass starts from +0; C is added at the end, rounding to nearest even */
    bool wide;   /* the accumulator is f32 whatever C and D are; otherwise it has D's format */
    uint8_t narrow;  /* lw_narrow */
    bool no_clamp;   /* FP16_OVFL has no effect */
    bool keep;       /* MODE's f32 denormal bits have no effect */
    bool mask_first; /* tf32: NaNs are detected after the low bits are cleared */
} lw_recipe_shape;

/* One row per (dot class, architecture). */
typedef struct lw_recipe_row {
    uint8_t dot;  /* lw_dot_class */
    uint8_t arch; /* lw_arch */
    uint8_t unit; /* lw_dot_unit_id */
    lw_recipe_shape shape;
    const lw_evidence_row *evidence;
} lw_recipe_row;

/* A recipe with all readings applied. */
typedef struct lw_recipe {
    lw_dot_unit unit;
    lw_recipe_shape shape;
    uint8_t clamp_bits; /* 0: once, at the end */
    bool half_normal;   /* e2m1: 0.5 has the exponent -1 */
    bool fused, parity_k, no_clamp, keep_subnormals, mask_first;
    lw_mma_evidence evidence[LW_MMA_ASPECT_COUNT];
} lw_recipe;

/*
 * Looks up the recipe and applies `picked`: `count` rows of readings, in the order of the table; those that
 * do not concern the class are skipped. LW_E_ARCH if the architecture has no such class.
 */
lw_status lw_recipe_resolve(lw_dot_class dot, lw_arch arch, const lw_reading_row *const *picked, size_t count,
                            lw_recipe *recipe);

#endif
