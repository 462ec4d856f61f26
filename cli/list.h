/* SPDX-License-Identifier: MIT */
#ifndef LW_CLI_LIST_H
#define LW_CLI_LIST_H

#include "cli/json.h"
#include "cli/target.h"

/* Prints the answer of `list FILE`: its code objects, or those of one architecture. */
int list_file(const cli_call *call, const char *path, lw_arch arch);

/* Whether the bytes begin as a captured launch does, and the answer for one. */
bool list_is_capture(const void *bytes, size_t size);
int list_capture(const cli_call *call, const char *path, const void *bytes, size_t size);
/* The same for a part of a launch. */
bool list_is_part(const void *bytes, size_t size);
int list_part(const cli_call *call, const char *path, const void *bytes, size_t size);

#endif
