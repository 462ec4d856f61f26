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

/*
 * Could a file be put at `path`? Says why not, before a run whose result could not be kept. Refused:
 * folders, links that lead nowhere, files that may not be written, folders in which none can be made.
 */
int output_check(const cli_call *call, const char *path);

/* Is `path` a file that option or argument `who` has read? Says so: what was read is never replaced. */
int output_check_read(const cli_call *call, const char *path, const char *read, const char *who);

/*
 * Writes all of them or none. Links are followed; a file that exists keeps its mode. Where one cannot be put
 * in its place, those before it get their old contents back. Pipes and devices are written as they are,
 * before anything is renamed. A signal that comes meanwhile leaves nothing half written and then takes
 * effect.
 */
int output_write(const cli_call *call, const output_file *files, size_t count);

#endif
