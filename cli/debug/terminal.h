/* SPDX-License-Identifier: MIT */
/* The two ways to use the debugger. */
#ifndef LW_CLI_DEBUG_TERMINAL_H
#define LW_CLI_DEBUG_TERMINAL_H

#include "cli/debug/debug.h"

/* Reads commands from `in`, a script unless it is a terminal, until they end. The exit status. */
int debug_terminal(debugger *d, FILE *in);

/* Serves an editor on standard input and output until it disconnects. */
int debug_serve(debugger *d);

#endif
