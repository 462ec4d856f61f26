/* SPDX-License-Identifier: MIT */
/* The parts of a run's report; each is text if `json` is NULL. */
#ifndef LW_CLI_RUN_TEXT_H
#define LW_CLI_RUN_TEXT_H

#include "cli/json.h"
#include "cli/run.h"

void run_text_summary(const run_job *job, cli_json *json);  /* what ran, how long, in which order */
void run_text_checks(const run_job *job, cli_json *json);   /* what --check found */
void run_text_banks(const run_job *job, cli_json *json);    /* --check banks */
void run_text_coverage(const run_job *job, cli_json *json); /* --coverage */
void run_text_findings(const run_job *job, cli_json *json); /* those of lw_check */
void run_text_source(const lw_line *line, cli_json *json);  /* " (add.c:5)"; nothing if it is unknown */
void run_text_evidence(const run_job *job, cli_json *json); /* how sure the rules are that the run used */
void run_text_fault(const lw_fault *fault, cli_json *json); /* JSON only */
void run_text_stands(const run_job *job, cli_json *json);   /* waves of a launch that ended early */
/* "workgroup 0,0,0 wave 1", in the vendor's words */
void run_text_who(const run_job *job, const uint32_t workgroup[3], uint32_t wave);

#endif
