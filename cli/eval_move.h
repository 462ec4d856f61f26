/* SPDX-License-Identifier: MIT */
/* `eval` of ldmatrix and the like, which move elements between registers and memory. */
#ifndef LW_CLI_EVAL_MOVE_H
#define LW_CLI_EVAL_MOVE_H

#include <lanewise/insn.h>

#include "cli/cli.h"

/* Executes it with registers and memory from files, prints or writes what came out. */
int eval_move(const cli_call *call, lw_arch arch, const lw_insn *insn);

/* Refuses the options that only moves take. */
int eval_move_refuse(const cli_call *call);

#endif
