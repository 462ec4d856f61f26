/* SPDX-License-Identifier: MIT */
/* The files that a run read, with their hashes, for --json. */
#include <stdlib.h>

#include "cli/run.h"

static int hash(run_job *job, const char *path)
{
    const int exit = input_hash(job->call, path, &job->inputs[job->input_count]);
    job->input_count += exit == CLI_FINE;
    return exit;
}

/* Before the launch: an inout: array may replace the file that it came from. */
int run_hash_inputs(run_job *job)
{
    if (!cli_has(job->call, "json"))
        return CLI_FINE;
    job->inputs = cli_alloc((job->arg_count + job->expect_count + 3) * sizeof(*job->inputs));
    int exit = hash(job, job->path);
    if (exit == CLI_FINE && job->capture_path && job->call->operand_count)
        exit = hash(job, job->capture_path);
    if (exit == CLI_FINE && job->block_path)
        exit = hash(job, job->block_path);
    for (size_t i = 0; i < job->arg_count && exit == CLI_FINE; i++)
        if (job->args[i].read_path && (job->args[i].form == ARG_IN || job->args[i].form == ARG_INOUT))
            exit = hash(job, job->args[i].read_path);
    for (size_t i = 0; i < job->expect_count && exit == CLI_FINE; i++)
        exit = hash(job, job->expects[i].path);
    return exit;
}

void run_report_inputs(const run_job *job, cli_json *json)
{
    if (json)
        input_report(job->inputs, job->input_count, json);
}
