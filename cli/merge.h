/* SPDX-License-Identifier: MIT */
/* What `merge` works on: parts of one launch, and their counts added up. */
#ifndef LW_CLI_MERGE_H
#define LW_CLI_MERGE_H

#include <lanewise/check.h>
#include <lanewise/launch.h>
#include <lanewise/npy.h>
#include <lanewise/part.h>

#include "cli/cli.h"
#include "cli/json.h"
#include "cli/vectors.h"

enum { MERGE_CHECKS = 16 };

typedef struct merge_check {
    char name[32];
    uint64_t counts[LW_SEVERITY_COUNT];
} merge_check;

/* A file that parts of a sweep compared: rows, as here, different, others. */
typedef struct merge_compared {
    char *path;
    uint64_t counts[4];
    vectors_difference differs[VECTORS_SHOWN]; /* the first ones, in order */
    size_t differ_count;
} merge_compared;

/* One part file. */
typedef struct merge_file {
    const char *path;
    uint8_t *bytes;
    lw_launch_part *part;
} merge_file;

typedef struct merge_job {
    const cli_call *call;
    merge_file *files;
    const lw_launch_part **parts; /* of the files */
    size_t count;
    uint64_t held; /* bytes */
    const lw_launch_part *first;

    lw_npy *arrays; /* one for each piece */
    void **targets; /* their bytes */

    char kernel[1024], arch[32];
    uint64_t groups, waves, instructions, matrix_instructions, outside;
    lw_launch_count *rules; /* by name */
    size_t rule_count;
    merge_compared *compared;
    size_t compared_count;
    merge_check checks[MERGE_CHECKS];
    size_t check_count;
} merge_job;

/* Adds up what the parts say about themselves; reports a part that says it in another way. */
int merge_count(merge_job *job);
/* What ran, how sure its rules are, what was found. */
void merge_report(const merge_job *job, cli_json *json);
/* How recorded results compare. */
void merge_report_compared(const merge_job *job, cli_json *json);
/* Whether a check has found an error, or a recorded result differs. */
bool merge_check_failed(const merge_job *job);
void merge_forget(merge_job *job);

#endif
