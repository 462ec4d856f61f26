/* SPDX-License-Identifier: MIT */
/* The names nearest to an unknown word. */
#ifndef LW_ISA_NEAR_H
#define LW_ISA_NEAR_H

#include <stddef.h>

enum { LW_NEAR_MOST = 3, LW_NEAR_WORD = 63 };

/* The nearest so far, best first; of equals, the earlier first. Start from { 0 }. */
typedef struct lw_near {
    size_t index[LW_NEAR_MOST];
    unsigned distance[LW_NEAR_MOST];
    size_t count;
} lw_near;

/* Levenshtein distance; only the first LW_NEAR_WORD characters of longer words are compared. */
unsigned lw_near_distance(const char *a, const char *b);

/* Records that name number `index` is at that distance. */
void lw_near_add(lw_near *near, size_t index, unsigned distance);

#endif
