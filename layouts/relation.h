/* SPDX-License-Identifier: MIT */
/* The relation between places and elements, internal view: coordinates as an array. For what it means, see
 * lanewise/relation.h. */
#ifndef LW_LAYOUTS_RELATION_H
#define LW_LAYOUTS_RELATION_H

#include <lanewise/relation.h>

/* In the order of the normal form. */
enum { LW_AXIS_BIT, LW_AXIS_LANE, LW_AXIS_ROW, LW_AXIS_COL, LW_AXIS_K, LW_AXIS_BLOCK, LW_AXES };

typedef struct lw_vector {
    uint32_t on[LW_AXES];
} lw_vector;

static inline lw_vector lw_pair_vector(const lw_pair *p)
{
    return (lw_vector){ { p->bit, p->lane, p->row, p->col, p->k, p->block } };
}

static inline lw_pair lw_vector_pair(const lw_vector *v)
{
    return (lw_pair){ .bit = v->on[LW_AXIS_BIT],
                      .lane = v->on[LW_AXIS_LANE],
                      .row = v->on[LW_AXIS_ROW],
                      .col = v->on[LW_AXIS_COL],
                      .k = v->on[LW_AXIS_K],
                      .block = v->on[LW_AXIS_BLOCK] };
}

static inline lw_vector lw_digit_vector(const lw_digit *d)
{
    return (lw_vector){ { d->bit, d->lane, d->row, d->col, d->k, d->block } };
}

static inline lw_digit lw_vector_digit(uint32_t radix, const lw_vector *v)
{
    return (lw_digit){ .radix = radix,
                       .bit = v->on[LW_AXIS_BIT],
                       .lane = v->on[LW_AXIS_LANE],
                       .row = v->on[LW_AXIS_ROW],
                       .col = v->on[LW_AXIS_COL],
                       .k = v->on[LW_AXIS_K],
                       .block = v->on[LW_AXIS_BLOCK] };
}

static inline bool lw_is_power_of_two(uint32_t n)
{
    return n && !(n & (n - 1));
}

/* The name of the axis, for messages: "lane", "bit". */
const char *lw_axis_name(unsigned axis);

/* How many pairs there are, or some number above the limit. Bases and digits must be within their limits. */
uint64_t lw_relation_count(const lw_relation *relation);

/* Bits that a sum of digits, with `start` added, can have on an axis: bits outside the answer are never
 * set. */
uint32_t lw_digits_mask(const lw_digit *digit, unsigned count, unsigned axis, uint32_t start);

/*
 * The pairs whose coordinates on the axes in `axes` (bits 1 << LW_AXIS_...) are those of `want` (bits in
 * steps of `pitch`). `found` gets the number of each pair and returns false to stop. The relation must have
 * been checked.
 */
typedef bool lw_relation_found(void *context, size_t n);
void lw_relation_search(const lw_relation *relation, unsigned axes, const lw_vector *want,
                        lw_relation_found *found, void *context);

/*
 * Turns the powers of two in all radices into bases. The remaining digits have odd radices. LW_E_UNSUPPORTED
 * where they carry.
 */
lw_status lw_relation_split(const lw_relation *relation, lw_relation *result, lw_error *error);

#endif
