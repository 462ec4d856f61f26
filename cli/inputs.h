/* SPDX-License-Identifier: MIT */
/* The files that a verb read, with their hashes, for --json: what a report is about can be named exactly. */
#ifndef LW_CLI_INPUTS_H
#define LW_CLI_INPUTS_H

#include <lanewise/hash.h>

#include "cli/cli.h"
#include "cli/json.h"

typedef struct input_file {
    const char *path;
    char sha256[LW_SHA256_TEXT];
} input_file;

/* Hashes a regular file; reports one that cannot be read. */
int input_hash(const cli_call *call, const char *path, input_file *input);

/* The version of Lanewise, and the files. */
void input_report(const input_file *inputs, size_t count, cli_json *json);

#endif
