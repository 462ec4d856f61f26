/* SPDX-License-Identifier: MIT */
/* layout --descriptor: a matrix of wgmma in shared memory. */
#ifndef LW_CLI_LAYOUT_DESCRIPTOR_H
#define LW_CLI_LAYOUT_DESCRIPTOR_H

#include <lanewise/insn.h>

#include "cli/cli.h"

int layout_descriptor(const cli_call *call, lw_arch arch, const lw_insn *insn, lw_operand operand,
                      const lw_mods *mods);

#endif
