/* SPDX-License-Identifier: MIT */
/* Results of lanewise pack, and its --multiply. */
#ifndef LW_CLI_PACK_MULTIPLY_H
#define LW_CLI_PACK_MULTIPLY_H

#include <lanewise/npy.h>

#include "cli/cli.h"

/* `held`: the bytes of the arrays that were read. */
lw_status pack_allocate(const cli_call *call, uint64_t held, lw_npy *out, lw_error *error);

/* A4.npy B4.npy: the product of two packed arrays. Returns the exit status. */
int pack_multiply(const cli_call *call);

#endif
