/* SPDX-License-Identifier: MIT */
/* Writing result files all at once: every one is complete beside its place before the first is renamed. */
#ifndef LW_CLI_OUTPUT_H
#define LW_CLI_OUTPUT_H

#include <lanewise/npy.h>

#include "cli/cli.h"

typedef struct output_file {
    const char *path;
    const lw_npy *array;
} output_file;

/* Could a file be put at `path`? Says why not, so that nobody waits for a run that cannot be kept. */
int output_check(const cli_call *call, const char *path);

/* Writes all of them or, as far as the file system allows, none. */
int output_write(const cli_call *call, const output_file *files, size_t count);

#endif
