/* SPDX-License-Identifier: MIT */
/* Which arithmetic a matrix instruction has on an architecture, how sure that is, and what may be chosen. */
#ifndef LW_ISA_RECIPES_H
#define LW_ISA_RECIPES_H

#include <lanewise/mma.h>

#include "isa_tables/dot_units.h"
#include "isa_tables/matrix.h"

typedef struct lw_evidence_row {
    lw_mma_evidence aspect[LW_MMA_ASPECT_COUNT];
} lw_evidence_row;

/*
 * How an element's products are divided into passes, by their number (k; where A is sparse, the number of
 * the stored value). A pass takes its products in ascending order, in groups of the unit; each pass starts
 * from the accumulator of the one before.
 */
typedef enum lw_split {
    LW_SPLIT_NONE,   /* one pass */
    LW_SPLIT_PAIRS,  /* number % 4 in {0, 1}, then in {2, 3} */
    LW_SPLIT_FOURS,  /* number / 4 even, then odd */
    LW_SPLIT_HALVES, /* the lower half of the numbers, then the upper half */
    LW_SPLIT_COUNT,
} lw_split;

/* How an f32 accumulator becomes a D of 16 bits, where the recipe is `wide`. */
typedef enum lw_narrow {
    LW_NARROW_NEAREST, /* to nearest even */
    LW_NARROW_CUT,     /* bf16: the low half is dropped */
} lw_narrow;

/* What an arithmetic consists of, besides its unit. */
typedef struct lw_recipe_shape {
    uint8_t split; /* lw_split */
    uint8_t
        factors; /* lw_format_id: A and B are converted to it first, exactly; LW_FORMAT_F64: they are not */
    bool c_last; /* the first pass starts from +0; C is added at the end, to nearest even */
    bool wide;   /* the accumulator is f32 whatever C and D are; otherwise it has D's format */
    uint8_t narrow;  /* lw_narrow */
    bool no_clamp;   /* FP16_OVFL has no effect */
    bool keep;       /* MODE's f32 denormal bits have no effect */
    bool mask_first; /* tf32: NaNs are looked for after the low bits are cleared */
} lw_recipe_shape;

/* One row per (dot class, architecture). */
typedef struct lw_recipe_row {
    uint8_t dot;  /* lw_dot_class */
    uint8_t arch; /* lw_arch */
    uint8_t unit; /* lw_dot_unit_id */
    lw_recipe_shape shape;
    const lw_evidence_row *evidence;
} lw_recipe_row;

/* Where the alignment of tiny sums stops, other than at the unit's floors. */
typedef enum lw_floor_reading {
    LW_FLOOR_OF_F32,
    LW_FLOOR_ZERO_OPERANDS,
    LW_FLOOR_NONE,
} lw_floor_reading;

/* What a choice changes. */
typedef enum lw_choice_effect {
    LW_EFFECT_NONE,           /* keeps what the recipe says */
    LW_EFFECT_UNIT,           /* value: another unit */
    LW_EFFECT_DROP,           /* value: the unit's drop distance */
    LW_EFFECT_FUSED,          /* all groups of an instruction meet C at once instead of one after the other */
    LW_EFFECT_PARITY_K,       /* sparse: classes by the parity of the uncompressed k */
    LW_EFFECT_NO_CLAMP,       /* FP16_OVFL has no effect */
    LW_EFFECT_KEEP,           /* MODE's f32 denormal bits have no effect */
    LW_EFFECT_MASK_FIRST,     /* xf32: NaNs are looked for after the low bits are cleared */
    LW_EFFECT_SPLIT,          /* value: lw_split */
    LW_EFFECT_WIDE,           /* value: 1 the accumulator is f32 until the end, 0 it has D's format */
    LW_EFFECT_NARROW,         /* value: lw_narrow */
    LW_EFFECT_CLAMP_INF,      /* FP16_OVFL also makes infinities of 16-bit results finite */
    LW_EFFECT_FLOOR,          /* fused units; value: lw_floor_reading */
    LW_EFFECT_PLUS_UNDERFLOW, /* fused units: the unit's plus_underflow */
    LW_EFFECT_ZERO_TERMS,     /* zero products, or blocks of them, take part in the search for the largest
                                 exponent */
    LW_EFFECT_HALF_NORMAL,    /* e2m1: 0.5 has the exponent -1 */
    LW_EFFECT_GROUP_TIMES,    /* value: factor of the unit's group */
    LW_EFFECT_CLAMP_BITS,     /* integers: clamped after every so many bits of a row of A */
} lw_choice_effect;

typedef struct lw_choice_row {
    lw_mma_choice_info info;
    uint8_t effect; /* lw_choice_effect */
    uint8_t value;
    uint8_t aspect;   /* lw_mma_aspect that the topic decides */
    uint64_t classes; /* bits UINT64_C(1) << lw_dot_class */
    uint32_t archs;   /* bits 1u << lw_arch */
} lw_choice_row;

/* Choices in order of topics, the default of each topic first. */
extern const lw_choice_row lw_choice_rows[];
extern const size_t lw_choice_count;

bool lw_choice_concerns(const lw_choice_row *choice, lw_dot_class dot, lw_arch arch);

/* Does the topic decide this aspect? Where the alignment of tiny sums stops decides ordinary results, too,
   beside products of zero and something huge. */
bool lw_choice_decides(const lw_choice_row *choice, lw_mma_aspect aspect);

/* A recipe with all choices applied. */
typedef struct lw_recipe {
    lw_dot_unit unit;
    lw_recipe_shape shape;
    uint8_t clamp_bits; /* 0: once */
    bool half_normal;   /* e2m1: 0.5 has the exponent -1 */
    bool fused, parity_k, no_clamp, keep_subnormals, mask_first;
    lw_mma_evidence evidence[LW_MMA_ASPECT_COUNT];
} lw_recipe;

/*
 * Looks up the recipe and applies `picked`, `count` choice rows in the order of the table (those that do not
 * concern the class are skipped). LW_E_ARCH when the architecture has no such class.
 */
lw_status lw_recipe_resolve(lw_dot_class dot, lw_arch arch, const lw_choice_row *const *picked, size_t count,
                            lw_recipe *recipe);

#endif
