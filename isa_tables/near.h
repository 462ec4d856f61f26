/* SPDX-License-Identifier: MIT */
/* The names nearest to a word that is none. */
#ifndef LW_ISA_NEAR_H
#define LW_ISA_NEAR_H

#include <stddef.h>

enum { LW_NEAR_MOST = 3, LW_NEAR_WORD = 63 };

/* The nearest so far, best first, the earlier first of equals. Start from { 0 }. */
typedef struct lw_near {
    size_t index[LW_NEAR_MOST];
    unsigned distance[LW_NEAR_MOST];
    size_t count;
} lw_near;

/* Levenshtein distance; of longer words than LW_NEAR_WORD the first characters are compared. */
unsigned lw_near_distance(const char *a, const char *b);

/* Name number `index` is that far away. */
void lw_near_add(lw_near *near, size_t index, unsigned distance);

#endif
