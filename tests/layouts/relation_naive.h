/* SPDX-License-Identifier: MIT */
/* All pairs of a relation, enumerated one after the other, and random numbers for building relations. */
#ifndef LW_TESTS_LAYOUTS_RELATION_NAIVE_H
#define LW_TESTS_LAYOUTS_RELATION_NAIVE_H

#include <lanewise/relation.h>

enum { NAIVE_PAIRS = 512 * 512 };

/* All pairs in the order of their numbers, at most NAIVE_PAIRS. */
size_t naive_pairs(const lw_relation *relation, lw_pair *out);

/* Sorts; with `once`, drops duplicates. Returns how many are left. */
size_t naive_sort(lw_pair *pairs, size_t count, bool once);

/* A number below `below`; the sequence is the same in every run. */
uint32_t naive_draw(uint32_t below);

#endif
