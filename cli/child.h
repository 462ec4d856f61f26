/* SPDX-License-Identifier: MIT */
/* Running somebody's program, as exec and capture do. */
#ifndef LW_CLI_CHILD_H
#define LW_CLI_CHILD_H

#include <limits.h>

#include "cli/cli.h"

/* The folder of that library of runtime/: --standins, or beside this program. False: it is not there. */
bool child_find_library(const cli_call *call, const char *library, char folder[PATH_MAX]);

/* Puts `item` in front of a list, with colons, that the environment may already contain. */
void child_put_first(const char *name, const char *item);

/* Sets the environment, in the new process. */
typedef void child_prepare(const void *context);

/*
 * Runs the operands as a program. Returns its exit status, or 128 and the number of the signal that ended it;
 * -1 if it cannot be started, with errno.
 */
int child_run(const cli_call *call, child_prepare *prepare, const void *context);

#endif
