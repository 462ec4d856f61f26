/* SPDX-License-Identifier: MIT */
/* CuTe's tuples and layouts, for all notations that use them. */
#ifndef LW_LAYOUTS_NOTATION_TUPLE_H
#define LW_LAYOUTS_NOTATION_TUPLE_H

#include "layouts/notation/reader.h"

enum { LW_TUPLE_LEAVES = 24, LW_TUPLE_DEPTH = 16 };

/* A tuple as its numbers in order, with the form of its brackets: '(' and ')', and 'n' for a number. */
typedef struct lw_tuple {
    uint32_t leaf[LW_TUPLE_LEAVES];
    unsigned leaves;
    char form[4 * LW_TUPLE_LEAVES + 2 * LW_TUPLE_DEPTH];
    unsigned length;
    unsigned modes, end_of_first; /* modes at the top level; end of the leaves of the first mode */
} lw_tuple;

/* shape:stride, Layout<Shape, Stride>, or make_layout(shape, stride=stride); without strides, column-major
 * over all numbers. */
bool lw_tuple_read_layout(lw_reader *r, lw_tuple *shape, lw_tuple *stride);

/* The product of the sizes of leaves `from` to before `to`; 0 if it exceeds LW_MOST_CLAIMS. */
uint32_t lw_tuple_size(const lw_tuple *shape, unsigned from, unsigned to);

/* What number n maps to: its digits over these leaves, the first fastest, times their strides. */
uint64_t lw_tuple_map(const lw_tuple *shape, const lw_tuple *stride, unsigned from, unsigned to, uint32_t n);

#endif
