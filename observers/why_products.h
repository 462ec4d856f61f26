/* SPDX-License-Identifier: MIT */
/* Products of array elements: why_products.c finds them, why_words.c says how they differ from a matrix
 * product. */
#ifndef LW_OBSERVERS_WHY_PRODUCTS_H
#define LW_OBSERVERS_WHY_PRODUCTS_H

#include <lanewise/why_product.h>

#include "observers/why.h"

struct lw_why_products {
    const lw_why *why;
    const lw_why_array *arrays;
    size_t array_count;
    lw_why_product *product;
    size_t count;
};

#endif
