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

/* What a unit reports to whoever explains its steps. Numbers are value * 2^exp. */
typedef enum lw_dot_event_kind {
    LW_EVENT_PRODUCT,  /* index; exact product; top: nominal exponent; units on `grid`; cut */
    LW_EVENT_CLASS,    /* index 0 even, 1 odd: its sum; top: its largest nominal exponent; cut when joined */
    LW_EVENT_JOINED,   /* the sum of products on one grid; top: its exponent, scales included */
    LW_EVENT_PAIR,     /* index: a pair's sum on `grid`; cut when it is aligned with the others */
    LW_EVENT_C,        /* C on the grid; top: the step's largest exponent; cut; index 1 when C is ignored */
    LW_EVENT_TOTAL,    /* the total (after normalisation where the unit has one); cut */
    LW_EVENT_FMA,      /* index; bits: the accumulator after one product */
    LW_EVENT_MUL,      /* index; bits: a rounded product of a tree */
    LW_EVENT_ADD,      /* index: node of the tree, the parents of leaves first; bits: the rounded sum */
    LW_EVENT_SPECIAL,  /* bits: the NaN or infinity */
    LW_EVENT_ROUNDED,  /* bits: the group's result */
    LW_EVENT_C_ADDED,  /* bits: the sum with C, where the recipe adds it last */
    LW_EVENT_NARROWED, /* bits: D, where the accumulator was wider */
} lw_dot_event_kind;

typedef struct lw_dot_event {
    lw_dot_event_kind kind;
    int index;
    int64_t value;
    int exp, top, grid;
    bool cut;
    int64_t units;
    uint64_t bits;
} lw_dot_event;

typedef struct lw_dot_log {
    void (*event)(void *context, const lw_dot_event *event);
    void *context;
} lw_dot_log;

/* Passes an event to `log`, if there is one. */
static inline void lw_dot_tell(const lw_dot_log *log, lw_dot_event event)
{
    if (log)
        log->event(log->context, &event);
}

/*
 * A group of products, at most LW_DOT_MAX_GROUP. `frac` is the sum of both formats' lw_part_frac, `a_frac`
 * A's. The group's sum is multiplied by scale_sig * 2^(scale - scale_frac); unscaled groups have 1, 0, 0.
 */
typedef struct lw_dot_group {
    const lw_part *a, *b;
    int count, frac, a_frac;
    int first;    /* products of earlier groups in the same step; events count the step's products */
    uint32_t odd; /* bit i: product i belongs to the second class, where the unit has two */
    int scale, scale_frac;
    uint32_t scale_sig; /* 0: the scale is zero */
    bool scale_nan;     /* a scale is NaN, and therefore the result */
} lw_dot_group;

/* The most groups of a step: 128 products, four in each. */
enum { LW_DOT_MAX_GROUPS = 32 };

/* The accumulator's format, on the way in and out. */
typedef enum lw_dot_acc {
    LW_ACC_F32,
    LW_ACC_F16,
    LW_ACC_BF16,
} lw_dot_acc;

const lw_format *lw_dot_acc_format(lw_dot_acc acc);

/* How the wave's state affects a step. */
typedef struct lw_dot_env {
    bool clamp;               /* FP16_OVFL: a finite overflow gives the largest finite number */
    bool flush_in, flush_out; /* f32 denormals of an FMA chain: MODE */
    bool first;               /* the accumulator is C itself */
} lw_dot_env;

/*
 * One step of a unit: the accumulator's code after adding `count` groups at once (one group, unless the
 * recipe fuses groups or the unit is FUSED_SCALED). `log` may be NULL. Not for INT and f64.
 */
uint32_t lw_dot_step(const lw_dot_unit *unit, const lw_dot_group *groups, int count, lw_dot_acc format,
                     uint32_t acc, const lw_dot_env *env, const lw_dot_log *log);

/* The functions that lw_dot_step calls, one per kind. */
typedef uint32_t lw_dot_step_fn(const lw_dot_unit *unit, const lw_dot_group *groups, int count,
                                lw_dot_acc format, uint32_t acc, const lw_dot_env *env,
                                const lw_dot_log *log);
lw_dot_step_fn lw_dot_step_fma, lw_dot_step_aligned;
lw_dot_step_fn lw_dot_step_fused, lw_dot_step_fused_scaled, lw_dot_step_fma_pairs;
lw_dot_step_fn lw_dot_step_exact, lw_dot_step_tree, lw_dot_step_ones, lw_dot_step_pairs, lw_dot_step_blocks;

/* The code of the NaN that a unit of style QUIET or ONES generates. */
uint32_t lw_dot_nan(const lw_dot_unit *unit, lw_dot_acc format);

/* acc = fma(a[k], b[k], acc), k ascending, in binary64. NaN results have LW_DOT_NAN64. `round` is an
 * lw_fp_rounding. `log` may be NULL everywhere. */
uint64_t lw_dot_fma64(const uint64_t *a, const uint64_t *b, int count, uint64_t c, int round,
                      const lw_dot_log *log);

/* What an integer unit adds: products or, for single bits, exclusive ors. */
typedef enum lw_dot_int_op { LW_INT_MUL, LW_INT_XOR } lw_dot_int_op;

/* c + sum of a[k] op b[k]; modulo 2^32, or the exact total clamped once to the range of i32. */
uint32_t lw_dot_int(lw_dot_int_op op, const int16_t *a, const int16_t *b, int count, uint32_t c, bool clamp,
                    const lw_dot_log *log);

#endif
