/* SPDX-License-Identifier: MIT */
/* Which simple mistake explains all differences between what came out and what was expected. */
#ifndef LW_CLI_MISTAKE_H
#define LW_CLI_MISTAKE_H

#include "cli/compare.h"

enum { MISTAKE_ROOM = 512 };

/*
 * Says in `text` which mistake accounts for every element that differs, bit for bit: transposed; rows,
 * columns or the lanes of each 64 (32) elements in another order; a tile that holds only zeros, or what it
 * held before; or all differences one ulp, of which rounding or another order of additions can be the reason.
 * False, with an empty text, where none of these does.
 */
bool mistake_explain(const arg_type *type, const lw_npy *got, const lw_npy *expected,
                     const compare_result *result, char text[MISTAKE_ROOM]);

/* Prints where the differences are: a character for each element or, in large arrays, for each block. */
void mistake_print_map(const lw_npy *got, const lw_npy *expected);

#endif
