/* SPDX-License-Identifier: MIT */
/* Writing result files all at once: each is completed beside its place before the first is renamed. */
#ifndef LW_CLI_OUTPUT_H
#define LW_CLI_OUTPUT_H

#include <lanewise/npy.h>

#include "cli/cli.h"

typedef struct output_file {
    const char *path;
    const lw_npy *array; /* written as .npy; NULL: `size` bytes as they are */
    const void *bytes;
    size_t size;
} output_file;

/*
 * Whether a file could be put at `path`; if not, says why, before a run whose result could not be kept.
 * Refused: folders, links whose target does not exist, files without write permission, folders in which no
 * file can be created.
 */
int output_check(const cli_call *call, const char *path);

/* Whether option or argument `who` has read the file at `path`; reports it: a file that was read is never
 * replaced. */
int output_check_read(const cli_call *call, const char *path, const char *read, const char *who);

/*
 * Writes all of them or none. Links are followed; a file that exists keeps its mode. If one cannot be put in
 * its place, the files before it get their old contents back. Pipes and devices are written directly, before
 * anything is renamed. A signal that arrives meanwhile leaves no partial file and takes effect afterwards.
 */
int output_write(const cli_call *call, const output_file *files, size_t count);

#endif
