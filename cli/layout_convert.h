/* SPDX-License-Identifier: MIT */
/* layout --convert, --tile .. --to, --algebra and --next: layouts without an instruction, or between two. */
#ifndef LW_CLI_LAYOUT_CONVERT_H
#define LW_CLI_LAYOUT_CONVERT_H

#include <lanewise/layout.h>

#include "cli/cli.h"

/* Whether the call has an option that needs no instruction. */
bool layout_is_free(const cli_call *call);
int layout_convert(const cli_call *call);

/* --next: how the elements of `layout` get to the operand that the option names. */
int layout_next(const cli_call *call, lw_arch arch, const lw_insn *insn, const lw_mods *mods,
                const lw_layout *layout);

#endif
