/* SPDX-License-Identifier: MIT */
/* Spellings of PTX with their words in other orders. */
#ifndef LW_TESTS_PTX_SHUFFLE_H
#define LW_TESTS_PTX_SHUFFLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHUFFLE_MAX = 320 };

/*
 * Writes `spelling` with the words after its name in an order drawn from *state. `keep`: types, layouts, and
 * .xor or .and with .popc, keep their order.
 */
void shuffle_words(const char *spelling, bool keep, uint64_t *state, char out[SHUFFLE_MAX]);

#endif
