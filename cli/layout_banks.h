/* SPDX-License-Identifier: MIT */
/* layout --banks: the bank conflicts of loading an operand from a tile, and what removes them. */
#ifndef LW_CLI_LAYOUT_BANKS_H
#define LW_CLI_LAYOUT_BANKS_H

#include <lanewise/layout.h>

#include "cli/cli.h"

/* Reads --banks, --tile and --shape, and prints the conflicts. */
int layout_banks(const cli_call *call, lw_arch arch, const lw_layout *layout);

/* "64x128" as rows and columns; says what is wrong with the option's value. */
int layout_read_shape(const cli_call *call, const char *option, uint32_t *rows, uint32_t *cols);

#endif
