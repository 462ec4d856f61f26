/* SPDX-License-Identifier: MIT */
/* run --capture FILE: a launch that was recorded on a GPU, run again here, and its memory compared. */
#ifndef LW_CLI_RUN_CAPTURE_H
#define LW_CLI_RUN_CAPTURE_H

#include "cli/junit.h"
#include "cli/run.h"

/* These do nothing without --capture. */

/* Reads the file; takes its code, or that of the operand; the size of the launch. */
int run_capture_read(run_job *job);
/* Memory as it was before the launch, at the same addresses; the arguments. */
int run_capture_place(run_job *job);
/* "variable counter", "argument 0 (out)", "the allocation at 0x7f0000000000" */
void run_capture_title(const run_job *job, const lw_capture_piece *piece, char *text, size_t size);
/* How memory after the launch compares with the capture: CLI_NO if it differs. Prints it, or writes JSON. */
int run_capture_report(const run_job *job, cli_json *json);
/* The same as a test case; false without --capture. */
bool run_capture_case(const run_job *job, bool ended, junit_case *c);
void run_capture_free(run_job *job);

#endif
