/* SPDX-License-Identifier: MIT */
/* What a run prints on standard output. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/output.h"
#include "cli/run.h"
#include "cli/run_capture.h"
#include "cli/run_layouts.h"
#include "cli/run_text.h"

static int write_results(run_job *job)
{
    if (job->part_path)
        return run_part_write(job);
    output_file *files = cli_alloc((job->arg_count + 1) * sizeof(*files));
    size_t count = 0;
    for (size_t i = 0; i < job->arg_count; i++)
        if (job->args[i].out_path)
            files[count++] = (output_file){ .path = job->args[i].out_path, .array = &job->args[i].array };
    const int exit = output_write(job->call, files, count);
    free(files);
    return exit;
}

/* Counts elements of out: and zero: arrays that were not stored completely. */
static void report_unstored(const run_job *job, size_t index, cli_json *json)
{
    const run_arg *arg = &job->args[index];
    const char *name = run_arg_name(job->infos[index]);
    uint64_t missing = 0, first = 0;
    if (lw_memory_unstored(job->memory, job->addresses[index], lw_dtype_size(arg->array.dtype),
                           arg->array.count, &missing, &first) != LW_OK ||
        missing == 0)
        return;
    if (!json) {
        char title[160];
        run_arg_title(job, index, title, sizeof(title));
        printf("not written by the kernel: %" PRIu64 " of %" PRIu64 " elements of %s, ", missing,
               arg->array.count, title);
        fputs(missing == 1 ? "element " : "the first is ", stdout);
        expect_print_index(&arg->array, first);
        putchar('\n');
        return;
    }
    json_open(json, NULL, '{');
    json_uint(json, "argument", index);
    json_string(json, "name", name);
    json_uint(json, "elements", arg->array.count);
    json_uint(json, "missing", missing);
    json_uint(json, "first", first);
    json_close(json, '}');
}

static void report_not_written(const run_job *job, cli_json *json)
{
    if (json)
        json_open(json, "not_written", '[');
    for (size_t i = 0; i < job->arg_count; i++)
        if (job->args[i].form == ARG_OUT || job->args[i].form == ARG_ZERO)
            report_unstored(job, i, json);
    if (json)
        json_close(json, ']');
}

static void report_written(const run_job *job, cli_json *json)
{
    if (json)
        json_open(json, "wrote", '[');
    for (size_t i = 0; i < job->arg_count; i++) {
        const run_arg *arg = &job->args[i];
        char shape[256];
        if (!arg->out_path)
            continue;
        expect_shape_text(&arg->array, shape, sizeof(shape));
        if (json)
            json_string(json, NULL, arg->out_path);
        else
            printf("wrote %s: %s %s\n", arg->out_path, lw_dtype_name(arg->array.dtype), shape);
    }
    if (json)
        json_close(json, ']');
}

static int report_expects(const run_job *job, cli_json *json)
{
    int exit = CLI_FINE;
    if (json)
        json_open(json, "expect", '[');
    for (size_t i = 0; i < job->expect_count; i++) {
        const run_expect *e = &job->expects[i];
        const run_arg *arg = &job->args[e->arg];
        if (expect_report(e->path, arg->type, &arg->array, &e->array, &job->limits, json) != CLI_FINE)
            exit = CLI_NO;
    }
    if (json)
        json_close(json, ']');
    return exit;
}

static bool trace_failed(const run_job *job)
{
    return job->trace_file && (fflush(job->trace_file) != 0 || ferror(job->trace_file));
}

/* What would allow the launch to continue, if anything. */
static const char *remedy(lw_status status)
{
    return status == LW_E_BUDGET    ? "; --budget N allows each wave more"
           : status == LW_E_STOPPED ? "; --time-limit SECONDS allows more"
                                    : "";
}

/* A launch that ended early: what had run, and why it stopped. No array is written. */
static int report_stop(const run_job *job, lw_status status, const lw_error *error, cli_json *json)
{
    char text[sizeof(error->text) + 64];
    if (!job->result && status == LW_E_NO_MEMORY)
        return cli_fail(job->call, CLI_FAULT, "%s; --memory-limit SIZE allows more",
                        error->text[0] ? error->text : lw_status_text(status));
    if (!job->result)
        return cli_fail_status(job->call, NULL, status, error);
    snprintf(text, sizeof(text), "%s%s", error->text[0] ? error->text : lw_status_text(status),
             remedy(status));
    run_text_stands(job, json);
    const int told = run_write_sarif(job, text), wrote = run_write_junit(job, text, true);
    const int exit = told != CLI_FINE ? told : wrote != CLI_FINE ? wrote : CLI_FAULT;
    if (json) {
        json_string(json, "error", text);
        if (job->result->faulted)
            run_text_fault(&job->result->fault, json);
        json_int(json, "status", exit);
        json_close(json, '}');
    }
    if (job->capture && job->capture->outcome[0])
        cli_say(job->call, "on the GPU: %s", job->capture->outcome);
    cli_say(job->call, job->capture ? "%s" : "%s; no array was written", text);
    return exit;
}

static void report_run(const run_job *job, cli_json *json)
{
    if (json)
        json_open(json, NULL, '{');
    run_report_inputs(job, json);
    run_text_summary(job, json);
    run_text_checks(job, json);
    run_text_evidence(job, json);
}

int run_report(run_job *job, lw_status status, const lw_error *error)
{
    cli_json writer = { .out = stdout };
    cli_json *json = cli_has(job->call, "json") ? &writer : NULL;
    if (trace_failed(job))
        return cli_fail(job->call, CLI_USAGE, "--trace %s: cannot be written", cli_value(job->call, "trace"));
    int exit = status == LW_OK ? write_results(job) : CLI_FINE;
    if (exit != CLI_FINE)
        return exit;
    if (job->result)
        report_run(job, json);
    if (status != LW_OK)
        return report_stop(job, status, error, json);
    const int told = run_write_sarif(job, NULL);
    const bool meets = run_text_layouts(job, json);
    if (job->part_path) {
        run_part_report(job, json);
    } else {
        report_not_written(job, json);
        report_written(job, json);
    }
    exit = report_expects(job, json);
    const int captured = run_capture_report(job, json);
    exit = exit == CLI_FINE ? captured : exit;
    if (exit == CLI_FINE && (run_check_failed(job) || !meets))
        exit = CLI_NO;
    const int wrote = run_write_junit(job, NULL, meets);
    if (told != CLI_FINE || wrote != CLI_FINE)
        exit = told != CLI_FINE ? told : wrote;
    if (json) {
        json_int(json, "status", exit);
        json_close(json, '}');
    }
    return exit;
}
