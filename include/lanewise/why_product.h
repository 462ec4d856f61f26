/* SPDX-License-Identifier: MIT */
/*
 * The matrix products in the answer of lw_why_find: which elements of which arrays were multiplied, and how
 * that differs from C[i,j] = sum of A[i,k] * B[k,j], in words.
 */
#ifndef LANEWISE_WHY_PRODUCT_H
#define LANEWISE_WHY_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/export.h>
#include <lanewise/layout.h>
#include <lanewise/status.h>
#include <lanewise/why.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An array that the launch was given, as it was before. All dimensions but the last one count as rows. */
typedef struct lw_why_array {
    const char *name;       /* for words: "A", "argument 1" */
    uint64_t address;       /* on the device */
    uint64_t rows, columns; /* in elements of `size` bytes */
    uint32_t dims;          /* words are about arrays of two dimensions */
    uint32_t size;          /* 1, 2, 4 or 8 */
    const void *data;       /* rows * columns * size bytes; NULL: the argument is no array */
} lw_why_array;

/* An element of an operand, and where in an array it is. */
typedef struct lw_why_element {
    bool known;           /* it is a copy of bits of an array; otherwise only `node` is set */
    uint32_t node;        /* where its copies begin */
    size_t array;         /* which array */
    uint64_t row, column; /* columns are counted in elements of the operand's format */
    uint64_t number;      /* in the same elements, from the first of the array */
    uint64_t code;        /* its bits */
} lw_why_element;

/* What one matrix instruction multiplied for one element of D. */
typedef struct lw_why_product {
    uint32_t node;
    uint32_t
        count[LW_OPERAND_COUNT];     /* of A and B: k; of scales: blocks; of the index: groups; of others 0 */
    uint32_t bits[LW_OPERAND_COUNT]; /* of an element */
    lw_why_element *element[LW_OPERAND_COUNT]; /* `count` of them, in that order */
} lw_why_product;

typedef struct lw_why_products lw_why_products;

/*
 * The instructions whose D is a term of the sum that was asked about, in the order in which they ran: sums of
 * several accumulators, and not the elements of another instruction's A or B. `why`, the arrays and what they
 * point to must outlive the result. LW_E_ARGUMENT for NULL and for arrays whose size is none of those above,
 * LW_E_NO_MEMORY.
 */
LW_API lw_status lw_why_find_products(const lw_why *why, const lw_why_array *arrays, size_t count,
                                      lw_why_products **products);
/* The instructions that accumulate, one into the C of the next, into the element of node `last`; it is the
 * last of them. LW_E_ARGUMENT also if that node is no element of a matrix instruction. */
LW_API lw_status lw_why_find_chain(const lw_why *why, uint32_t last, const lw_why_array *arrays, size_t count,
                                   lw_why_products **products);
LW_API void lw_why_products_free(lw_why_products *products); /* NULL is allowed */

LW_API size_t lw_why_products_count(const lw_why_products *products);
/* NULL if `index` is not below the count. */
LW_API const lw_why_product *lw_why_products_at(const lw_why_products *products, size_t index);

/* An element of a result, and the rows and columns that the result has. */
typedef struct lw_why_target {
    uint64_t rows, columns, row, column;
} lw_why_target;

/*
 * Says how the sum of all products differs from element [row][column] of a product of two matrices with
 * `rows` rows and `columns` columns. Either matrix may be stored transposed, and either may be operand A of
 * the instruction. Recognised are, in this order: a matrix that is read transposed, as a whole or tile by
 * tile, elements of neither one row nor one column, a row or column of another element, a k of one matrix
 * that meets another k, a tile that is used twice or never, the scale of another block; otherwise it says
 * that none of these is the case. `expected` is the value that the element should have, for a square matrix
 * that may be transposed; NULL if it is unknown or no number. "" if the factors are not copied from two
 * arrays of two dimensions. The text is cut to `size` bytes. LW_E_ARGUMENT for NULL, LW_E_NO_MEMORY.
 */
LW_API lw_status lw_why_explain(const lw_why_products *products, const lw_why_target *target,
                                const double *expected, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
