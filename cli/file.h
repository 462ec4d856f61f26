/* SPDX-License-Identifier: MIT */
/* Whole files, and the program inside FILE[:KERNEL]. */
#ifndef LW_CLI_FILE_H
#define LW_CLI_FILE_H

#include <stdint.h>
#include <stdio.h>

#include <lanewise/npy.h>
#include <lanewise/program.h>

#include "cli/cli.h"

/*
 * Opens a regular file for reading. NULL, with a reason in *why, for a file that cannot be opened and for
 * pipes, devices and folders, which may have no end.
 */
FILE *file_open(const char *path, const char **why);

/*
 * Loads a .npy file within what the memory limit leaves to a call that holds `held` bytes, and adds the
 * array's bytes to `held`. LW_E_NO_MEMORY with a sentence if it does not fit.
 */
lw_status file_load_array(const cli_call *call, const char *path, uint64_t *held, lw_npy *array,
                          lw_error *error);

/* The same for the value of an option ("a", for --a), or for an operand (NULL); reports an error. *array is
 * then empty. */
int file_read_array(const cli_call *call, const char *option, const char *path, uint64_t *held,
                    lw_npy *array);

/* Reads a file within the memory limit into *bytes (the caller frees it); reports an error. */
int file_read(const cli_call *call, const char *path, uint8_t **bytes, size_t *size);

/*
 * Reads a line into *line, which grows; *more is false at the end. Refuses a line of more than 4 MiB and one
 * with a zero byte, since the file may be anything. The caller frees *line.
 */
int file_next_line(const cli_call *call, const char *path, FILE *file, char **line, size_t *size, bool *more);

/*
 * Splits FILE[:KERNEL]: the caller frees *path; *kernel points into `word` or is NULL. The last colon counts;
 * a word that names an existing file is a file, colons and all.
 */
void file_split(const char *word, char **path, const char **kernel);

/* The kind of an argument in a word: "buffer", "value", "LDS pointer", "hidden", "unsupported". */
const char *file_arg_kind(lw_arg_kind kind);

#endif
