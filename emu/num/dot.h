/* SPDX-License-Identifier: MIT */
/* The reference dot units: products added to an accumulator, in exact integers. */
#ifndef LW_EMU_NUM_DOT_H
#define LW_EMU_NUM_DOT_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/num/part.h"
#include "isa_tables/dot_units.h"

/* What CDNA matrix instructions write for a NaN is not public; this is our choice. */
#define LW_DOT_NAN32 UINT32_C(0x7fc00000)
#define LW_DOT_NAN64 UINT64_C(0x7ff8000000000000)

/* What a unit tells whoever explains it. Numbers are value * 2^exp. */
typedef enum lw_dot_step {
    LW_DOT_PRODUCT, /* index; exact product; top: its nominal exponent; bits: aligned units; cut */
    LW_DOT_CLASS,  /* index 0 even, 1 odd: the class's sum; top: its largest nominal exponent; cut when joined
                    */
    LW_DOT_JOINED, /* the sum of products on one grid; top: its exponent, scales included */
    LW_DOT_C,      /* C on the grid; top: the step's largest exponent; cut; index 1 when C is ignored */
    LW_DOT_TOTAL,  /* the total after normalisation; cut */
    LW_DOT_FMA,    /* index; bits: the rounded accumulator */
    LW_DOT_SPECIAL, /* bits: the NaN or infinity */
    LW_DOT_ROUNDED, /* bits: the group's result */
} lw_dot_step;

typedef struct lw_dot_event {
    lw_dot_step step;
    int index;
    int64_t value;
    int exp, top;
    bool cut;
    uint64_t bits;
} lw_dot_event;

typedef struct lw_dot_log {
    void (*event)(void *context, const lw_dot_event *event);
    void *context;
} lw_dot_log;

/* A group of products, at most LW_DOT_MAX_GROUP. `frac` is the sum of both formats' lw_part_frac. */
typedef struct lw_dot_group {
    const lw_part *a, *b;
    int count, frac;
    uint32_t odd; /* bit i: product i belongs to the second class, where the unit has two */
    int scale;    /* the group's sum counts times 2^scale */
} lw_dot_group;

/* The sum of a group's products: value * 2^(top - product_frac). */
typedef struct lw_dot_sum {
    int64_t value;
    int top;            /* largest nominal exponent plus scale; meaningless unless `any` */
    bool any;           /* a product is not zero */
    bool nan, pos, neg; /* NaN; infinite products by sign */
    bool infinite;      /* an operand was infinite, as opposed to a product that is too large */
} lw_dot_sum;

/* Adds the products of a group on its grid. `log` may be NULL everywhere. */
lw_dot_sum lw_dot_products(const lw_dot_unit *unit, const lw_dot_group *group, const lw_dot_log *log);

/*
 * Adds the sums of `count` groups (one, unless the recipe fuses groups) to C and rounds to binary32. `clamp`:
 * an overflow of finite operands gives the largest finite number (FP16_OVFL).
 */
uint32_t lw_dot_accumulate(const lw_dot_unit *unit, const lw_dot_sum *sums, int count, uint32_t c, bool clamp,
                           const lw_dot_log *log);

/* MODE's part in an FMA chain. */
typedef struct lw_dot_mode {
    bool flush_in, flush_out, clamp;
} lw_dot_mode;

/* acc = fma(a[k], b[k], acc), k ascending. NaN results have LW_DOT_NAN32 or _NAN64. */
uint32_t lw_dot_fma32(const uint32_t *a, const uint32_t *b, int count, uint32_t c, lw_dot_mode mode,
                      const lw_dot_log *log);
uint64_t lw_dot_fma64(const uint64_t *a, const uint64_t *b, int count, uint64_t c, const lw_dot_log *log);

/* c + sum of a[k]*b[k], modulo 2^32, or clamped to the range of i32 once, on the exact total. */
uint32_t lw_dot_int(const int8_t *a, const int8_t *b, int count, uint32_t c, bool clamp,
                    const lw_dot_log *log);

#endif
