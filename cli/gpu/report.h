/* SPDX-License-Identifier: MIT */
/* What is said about a device and about a comparison with it. */
#ifndef LW_CLI_GPU_REPORT_H
#define LW_CLI_GPU_REPORT_H

#include "cli/gpu/contest.h"
#include "cli/json.h"

extern const char report_by_gpu[], report_by_emulator[]; /* the sources of answers */

void report_print_head(const recording_head *head, FILE *out);
/* Members of the object that is open in `json`. */
void report_write_head(const recording_head *head, cli_json *json);

/* The exit status of a comparison, and the sentence if nothing was compared. */
int report_conclude(const contest *c);
/* The end of the table, or the whole object in JSON if there is no table. */
void report_end(const contest *c, const recording_head *head, int status);
/* The object, on `out`. */
void report_write(const contest *c, const recording_head *head, int status, FILE *out);

#endif
