/* SPDX-License-Identifier: MIT */
/* What `run` works on. */
#ifndef LW_CLI_RUN_H
#define LW_CLI_RUN_H

#include <stdio.h>
#include <time.h>

#include <lanewise/capture.h>
#include <lanewise/check.h>
#include <lanewise/coverage.h>
#include <lanewise/launch.h>
#include <lanewise/module.h>
#include <lanewise/observe.h>
#include <lanewise/origin.h>
#include <lanewise/part.h>

#include "cli/arg.h"
#include "cli/expect.h"
#include "cli/inputs.h"
#include "cli/json.h"
#include "cli/readings.h"

/* One --expect: which argument, and what it should hold. */
typedef struct run_expect {
    const char *path;
    size_t arg; /* number of the kernel's argument */
    lw_npy array;
    bool borrowed; /* its data are of the capture */
} run_expect;

enum { RUN_CHECKS = 8 }; /* number of checks in lw_check_name_at, besides uninit and banks */

typedef struct run_job {
    const cli_call *call;
    char *path; /* path of the program */
    lw_program *program;
    const lw_kernel_info *kernel;
    lw_memory *memory;
    lw_launch_options options;
    lw_launch_result *result;

    run_arg *args;   /* in the kernel's order */
    uint64_t arrays; /* bytes of all arrays, including those of --expect and the argument block */
    uint64_t beside; /* bytes of those that are in host memory and will not be in device memory */
    uint64_t *addresses;
    lw_arg *values;
    size_t arg_count;          /* number of arguments that a caller gives */
    const lw_arg_info **infos; /* one for each of them */

    const char *block_path; /* of kernarg:FILE; NULL: the launch builds the argument block */
    uint8_t *block;
    size_t block_size;
    lw_arg_info *block_infos; /* what ARGs given with kernarg:FILE replace in it */

    const char *capture_path; /* --capture; NULL: none */
    uint8_t *capture_bytes;
    size_t capture_size;
    lw_capture *capture;
    lw_module *module; /* of the capture's program */
    bool described;    /* the capture's memory is described as arrays, so --expect may be given */

    run_expect *expects;
    size_t expect_count;
    compare_limits limits;

    input_file *inputs; /* --json */
    size_t input_count;

    const char *part_path; /* --part-file; NULL: the launch is run whole */
    lw_footprint *footprint;
    uint8_t launch_hash[LW_SHA256_BYTES]; /* of all that the launch depends on */
    uint8_t **befores;                    /* for each argument: what an inout: array held; only for part 1 */

    cli_readings readings;
    uint32_t (*only)[3];

    lw_trace *trace;
    FILE *trace_file; /* stdout if the trace goes there */
    lw_uninit *uninit;
    lw_banks *banks;
    lw_coalescing *coalescing;    /* with banks */
    lw_check *checks[RUN_CHECKS]; /* by number; NULL: not requested */
    const lw_observer *observers[5 + RUN_CHECKS];
    lw_coverage *coverage;
    lw_origin *origin; /* --layouts */
    bool *followed;    /* for each argument: its elements are numbered */

    struct timespec started;
    double progress_shown; /* seconds since the start; 0: never */
} run_job;

/* Each returns CLI_FINE, or reports an error and returns another exit status. */
int run_read_program(run_job *job); /* FILE[:KERNEL] */
int run_read_options(run_job *job); /* sizes, schedule, numerics, ... */
int run_read_args(run_job *job);    /* ARG..., bound to the kernel's arguments */
int run_read_block(run_job *job);   /* the same if kernarg:FILE gives the whole block */
int run_read_expects(run_job *job);
int run_check_files(run_job *job); /* no output file may be read or written twice */
int run_hash_inputs(run_job *job); /* --json: what the launch will read */
void run_report_inputs(const run_job *job, cli_json *json);
int run_make_memory(run_job *job);    /* device memory, and the values to pass */
int run_open_observers(run_job *job); /* --trace, --check */

/* Reads one ARG; its array is counted in job->arrays. */
int run_read_word(run_job *job, const char *word, run_arg *arg);
/* Whether the argument fits the kernel's parameter. */
int run_check_arg(const run_job *job, size_t index);
/* Finds the argument with that name or number; false if there is none. */
bool run_find_arg(const run_job *job, const char *name, size_t *index);
/* Tensor maps among the arguments: finds which array each describes, and checks whether the driver would
 * accept them. */
int run_check_tensors(run_job *job);
/* Encodes them, once arrays have addresses. */
lw_status run_make_tensors(run_job *job, lw_error *error);
/* "argument 2 (n)", "hidden_heap_v1", "bytes 8 to 15 of the argument block" */
void run_arg_title(const run_job *job, size_t index, char *text, size_t size);
/* The name that an ARG uses for it: the argument's name, or a hidden one's kind; "" if the file has none. */
const char *run_arg_name(const lw_arg_info *info);
/* The hidden argument of that kind, NULL if the kernel has none. */
const lw_arg_info *run_find_hidden(const lw_kernel_info *kernel, const char *kind, size_t length);

int run_part_read(run_job *job);    /* --part, --part-file */
int run_part_prepare(run_job *job); /* before the launch: what it depends on */
int run_part_write(run_job *job);   /* after it, instead of the arrays */
void run_part_report(const run_job *job, cli_json *json);
void run_part_free(run_job *job);

void run_observe(run_job *job, const lw_observer *observer);
/* --check NAME: opens the check; CLI_USAGE with a sentence if there is no such check. */
int run_open_check(run_job *job, const char *name, size_t length);
/* Whether a check has found an error. */
bool run_check_failed(const run_job *job);
/* --sarif; `stopped`: why the launch ended early, or NULL */
int run_write_sarif(const run_job *job, const char *stopped);
/* --junit. `fault`: why the launch ended early, or NULL; `meets`: what --layouts found. */
int run_write_junit(const run_job *job, const char *fault, bool meets);

/* --launches FILE: runs `one` on the words of each line; returns the worst exit status. */
typedef int run_one(const cli_call *call);
int run_lines(const cli_call *call, run_one *one);

void run_free(run_job *job);

/* Prints what ran, what the observers saw and how comparisons went; returns the exit status of the run. */
int run_report(run_job *job, lw_status status, const lw_error *error);

#endif
