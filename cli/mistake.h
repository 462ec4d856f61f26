/* SPDX-License-Identifier: MIT */
/* Which simple mistake explains all differences between the result and what was expected. */
#ifndef LW_CLI_MISTAKE_H
#define LW_CLI_MISTAKE_H

#include "cli/compare.h"

enum { MISTAKE_ROOM = 512 };

/*
 * Says in `text` which mistake accounts, bit for bit, for every element that differs: the array is
 * transposed; rows, columns or the lanes of each 64 (32) elements are in another order; a tile holds only
 * zeros, or its earlier contents; or all differences are one ulp, which rounding or another order of
 * additions may explain. False, with an empty text, if none of these does.
 */
bool mistake_explain(const arg_type *type, const lw_npy *got, const lw_npy *expected,
                     const compare_result *result, char text[MISTAKE_ROOM]);

/* Prints where the differences are: a character for each element or, in large arrays, for each block. */
void mistake_print_map(const lw_npy *got, const lw_npy *expected);

#endif
