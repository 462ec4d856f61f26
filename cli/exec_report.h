/* SPDX-License-Identifier: MIT */
/* What a program did on a stand-in runtime, from the lines that runtime/device/report.c writes. */
#ifndef LW_CLI_EXEC_REPORT_H
#define LW_CLI_EXEC_REPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/json.h"

typedef enum exec_kind {
    EXEC_KERNEL,
    EXEC_CALL, /* of a function that is not implemented */
    EXEC_CODE, /* that was loaded: its name is the SHA-256 */
} exec_kind;

typedef struct exec_line {
    char *name;
    exec_kind kind;
    uint64_t times, bytes, instructions, matrix, failed, errors, findings;
    double seconds;
} exec_line;

typedef struct exec_report {
    exec_line *line;
    size_t count;
    uint64_t launches, failed, errors, findings; /* of all kernels */
} exec_report;

/* Reads all lines; several lines about one kernel, of one process or of several, are merged. */
void exec_report_read(FILE *file, exec_report *report);
/* `status`: how the program ended. */
void exec_report_print(const exec_report *report, const char *arch, int status, FILE *out);
void exec_report_json(const exec_report *report, cli_json *json);
/* --junit: a case for the program, which fails with its exit status, and one for each kernel. */
int exec_report_junit(const exec_report *report, const cli_call *call, int status);
void exec_report_free(exec_report *report);

#endif
