/* SPDX-License-Identifier: MIT */
/* Whole files, and the program inside FILE[:KERNEL]. */
#ifndef LW_CLI_FILE_H
#define LW_CLI_FILE_H

#include <stdint.h>
#include <stdio.h>

#include <lanewise/program.h>

#include "cli/cli.h"

/*
 * Opens a regular file to read it. NULL, with a reason in *why, for what cannot be opened and for pipes,
 * devices and folders, which may have no end.
 */
FILE *file_open(const char *path, const char **why);

/* CLI_FINE if the file is no larger than what the memory limit leaves a call that holds `held` bytes. What
 * cannot be opened is somebody else's to tell. */
int file_check_room(const cli_call *call, const char *path, uint64_t held);

/* Reads a file into *bytes (to be freed); says why when that fails. */
int file_read(const cli_call *call, const char *path, uint8_t **bytes, size_t *size);

/*
 * FILE[:KERNEL] taken apart: *path is to be freed, *kernel points into `word` or is NULL. The colon is the
 * last one; a word that names an existing file is a file, colons and all.
 */
void file_split(const char *word, char **path, const char **kernel);

/* What an argument is, in a word: "buffer", "value", "LDS pointer", "hidden", "unsupported". */
const char *file_arg_kind(lw_arg_kind kind);

#endif
