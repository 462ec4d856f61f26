/* SPDX-License-Identifier: MIT */
/* layout --check, --check-a and --check-b: compare the description of a layout with an instruction. */
#ifndef LW_CLI_LAYOUT_CHECK_H
#define LW_CLI_LAYOUT_CHECK_H

#include <lanewise/layout.h>

#include "cli/cli.h"

/* Judges the value of --check, a notation or @FILE: CLI_FINE if it is equal, CLI_NO if not. */
int layout_check(const cli_call *call, const lw_layout *layout);

/* Judges --check-a and --check-b: CLI_FINE if both are equal, or rename k in the same way. */
int layout_check_both(const cli_call *call, lw_arch arch, const lw_insn *insn, const lw_mods *mods);

/* --guess: which operands the notation fits; CLI_NO if there are none. */
int layout_guess(const cli_call *call);

#endif
