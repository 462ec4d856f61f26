/* SPDX-License-Identifier: MIT */
/* The readings of what sources leave open, as rows; and the choice that a caller makes among them by name. */
#ifndef LW_ISA_READINGS_H
#define LW_ISA_READINGS_H

#include <lanewise/mma.h>

#include "isa_tables/dot_units.h"
#include "isa_tables/matrix.h"

/* Where the alignment of tiny sums stops, if not at the unit's floors. */
typedef enum lw_floor_reading {
    LW_FLOOR_OF_F32,
    LW_FLOOR_ZERO_OPERANDS,
    LW_FLOOR_NONE,
} lw_floor_reading;

/* What a reading changes in a recipe. */
typedef enum lw_reading_effect {
    LW_EFFECT_NONE,           /* keeps what the recipe says */
    LW_EFFECT_UNIT,           /* value: another unit */
    LW_EFFECT_DROP,           /* value: the unit's drop distance */
    LW_EFFECT_FUSED,          /* all groups of an instruction meet C at once, not one after the other */
    LW_EFFECT_PARITY_K,       /* sparse: classes by the parity of the dense k */
    LW_EFFECT_NO_CLAMP,       /* FP16_OVFL has no effect */
    LW_EFFECT_KEEP,           /* MODE's f32 denormal bits have no effect */
    LW_EFFECT_MASK_FIRST,     /* xf32: NaNs are detected after the low bits are cleared */
    LW_EFFECT_SPLIT,          /* value: lw_split */
    LW_EFFECT_WIDE,           /* value: 1: the accumulator is f32 until the end; 0: it has D's format */
    LW_EFFECT_NARROW,         /* value: lw_narrow */
    LW_EFFECT_CLAMP_INF,      /* FP16_OVFL also replaces infinities in 16-bit results by finite values */
    LW_EFFECT_FLOOR,          /* fused units; value: lw_floor_reading */
    LW_EFFECT_PLUS_UNDERFLOW, /* fused units: the unit's plus_underflow */
    LW_EFFECT_ZERO_TERMS,     /* zero products, or blocks of them, take part in the search for the largest
                                 exponent */
    LW_EFFECT_HALF_NORMAL,    /* e2m1: 0.5 has the exponent -1 */
    LW_EFFECT_GROUP_TIMES,    /* value: factor of the unit's group */
    LW_EFFECT_CLAMP_BITS,     /* integers: clamped after every so many bits of a row of A */
} lw_reading_effect;

/* Bits of lw_readings_of_kernels. */
typedef enum lw_kernel_reading {
    LW_KERNEL_RANGE_WITHOUT_SOFFSET = 1 << 0,
    LW_KERNEL_HALVES_OF_SEED = 1 << 1,
} lw_kernel_reading;

typedef struct lw_reading_row {
    lw_reading info;
    uint8_t effect; /* lw_reading_effect */
    uint8_t value;
    uint64_t classes; /* of arithmetic: bits UINT64_C(1) << lw_dot_class */
    uint32_t archs;   /* of arithmetic: bits 1u << lw_arch */
    uint32_t rules;   /* of modifiers: bits 1u << lw_mod_rule */
    uint32_t kernels; /* of instructions in kernels other than matrix instructions: lw_kernel_reading */
} lw_reading_row;

/* In the order of lw_reading_at. */
extern const lw_reading_row lw_reading_rows[];
extern const size_t lw_reading_count;

/* Does a reading of arithmetic concern this class? */
bool lw_reading_row_concerns(const lw_reading_row *row, lw_dot_class dot, lw_arch arch);

/* Does the reading decide this aspect? */
bool lw_reading_decides(const lw_reading_row *row, lw_mma_aspect aspect);

/* LW_E_ARGUMENT or LW_E_NOT_FOUND, with a sentence, for the first of the names that is NULL or no reading. */
lw_status lw_readings_check(const char *const *names, size_t count, lw_error *error);

/* The reading that applies to the topic of default row `row`, given names that lw_readings_check accepts. */
const lw_reading_row *lw_readings_pick(const lw_reading_row *row, const char *const *names, size_t count);

/* `taken`, a set of LW_READING_*, changed for the topics that the names decide. */
uint16_t lw_readings_of_mods(uint16_t taken, const char *const *names, size_t count);

/* The set of lw_kernel_reading that the names choose. */
uint32_t lw_readings_of_kernels(const char *const *names, size_t count);

/* The reading that sets a bit of lw_mods.readings; NULL if there is none. */
const lw_reading *lw_reading_of_bit(unsigned bit);

#endif
