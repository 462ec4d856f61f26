/* SPDX-License-Identifier: MIT */
/* The index of a sparse A, as `layout --index` takes it. */
#ifndef LW_CLI_LAYOUT_INDEX_H
#define LW_CLI_LAYOUT_INDEX_H

#include <stdint.h>

#include <lanewise/insn.h>

#include "cli/cli.h"

/*
 * Reads --index for A of `insn`: the nibbles row by row (the caller frees them), as lw_layout_create_indexed
 * takes them. The option is a number (the index registers of every lane), or a file of registers or of
 * nibbles.
 */
int layout_index_read(const cli_call *call, lw_arch arch, const lw_insn *insn, const lw_mods *mods,
                      uint8_t **nibbles, size_t *count);

#endif
