/* SPDX-License-Identifier: MIT */
/* layout --check, --check-a and --check-b: the description of a layout, compared with an instruction. */
#ifndef LW_CLI_LAYOUT_CHECK_H
#define LW_CLI_LAYOUT_CHECK_H

#include <lanewise/layout.h>

#include "cli/cli.h"

/* Judges the value of --check, a notation or @FILE: CLI_FINE where it is equal, CLI_NO where it is not. */
int layout_check(const cli_call *call, const lw_layout *layout);

/* Judges --check-a and --check-b: CLI_FINE where both are equal, if need be with k renamed alike in both. */
int layout_check_both(const cli_call *call, lw_arch arch, const lw_insn *insn, const lw_mods *mods);

/* --guess: which operands the notation fits; CLI_NO where there is none. */
int layout_guess(const cli_call *call);

#endif
