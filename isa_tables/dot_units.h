/* SPDX-License-Identifier: MIT */
/* Parameters of the arithmetic that adds products to an accumulator. */
#ifndef LW_ISA_DOT_UNITS_H
#define LW_ISA_DOT_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "isa_tables/nans.h"

typedef enum lw_dot_kind {
    LW_KIND_FMA,          /* one product at a time, rounded each time */
    LW_KIND_ALIGNED,      /* CDNA3: a group of products on common grids, rounded once */
    LW_KIND_INT,          /* exact integers */
    LW_KIND_EXACT,        /* CDNA1: the exact sum of a group and the accumulator, rounded once */
    LW_KIND_TREE,         /* CDNA2: f32 multiplications and additions in a tree, denormals flushed */
    LW_KIND_ONES,         /* RDNA3: pairs in one's complement on a common grid */
    LW_KIND_PAIRS,        /* RDNA4: pairs floored on their own grid, then on a common one */
    LW_KIND_FUSED,        /* NVIDIA: products and accumulator truncated on one grid */
    LW_KIND_FUSED_SCALED, /* NVIDIA: exact sums of blocks, scaled, truncated on one grid */
    LW_KIND_FMA_PAIRS,    /* NVIDIA's sequence: acc + fma(a1, b1, a0 * b0), a pair at a time */
    LW_KIND_BLOCKS,       /* rocjitsu's model of gfx1250: FMA chains of blocks, scaled, then added */
    LW_KIND_COUNT,
} lw_dot_kind;

typedef enum lw_dot_unit_id {
#define DOT_UNIT(id_, kind_, group_, name_, text_, ...) LW_UNIT_##id_,
#include "isa_tables/dot_units.inc"
#undef DOT_UNIT
    LW_UNIT_COUNT,
} lw_dot_unit_id;

enum { LW_DOT_MAX_GROUP = 32 };

/* Rows name the columns that their kind has; see dot_units.inc. */
typedef struct lw_dot_unit {
    uint8_t kind; /* lw_dot_kind */
    uint8_t nan;  /* lw_nan_rule */
    uint8_t group, classes;
    uint8_t product_frac, c_frac, sum_frac, post_frac;
    uint8_t drop;
    bool flush;               /* TREE, ONES, PAIRS: denormal factors count as zero */
    bool one_nan;             /* ONES, PAIRS: opposite infinities give the pattern of a NaN factor */
    bool clamp_inf;           /* ONES, PAIRS: FP16_OVFL also makes infinite 16-bit results finite */
    uint8_t out_frac;         /* FUSED: fraction bits of an f32 result that survive: 23 or 13 */
    int16_t floor32, floor16; /* FUSED: smallest alignment exponent, with an f32, an f16 accumulator */
    bool zero_terms; /* zeros take part in the search for the largest exponent. FUSED: zero operands; ALIGNED:
                        zero products, with -126; FUSED_SCALED: blocks of zeros, with that of their scales */
    bool plus_underflow; /* FUSED: a negative sum that is truncated to zero becomes +0, not -0 */
    const char *name, *text;
} lw_dot_unit;

/* Indexed by lw_dot_unit_id. */
extern const lw_dot_unit lw_dot_units[LW_UNIT_COUNT];

#endif
