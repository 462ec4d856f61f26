/* SPDX-License-Identifier: MIT */
/* What observes a run: --trace and --check. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "cli/parse.h"
#include "cli/run.h"
#include "cli/target.h"

void run_observe(run_job *job, const lw_observer *observer)
{
    job->observers[job->options.observer_count++] = observer;
    job->options.observers = job->observers;
}

static int read_trace_filters(const run_job *job, lw_trace_options *trace)
{
    const char *wave = cli_value(job->call, "trace-wave"), *limit = cli_value(job->call, "trace-limit");
    uint64_t number;
    if (wave && (!parse_u64(wave, &number) || number > 1023))
        return cli_fail(job->call, CLI_USAGE, "--trace-wave %s: needs the number of a wave in its workgroup",
                        wave);
    if (wave)
        trace->wave = (int)number;
    if (limit && !parse_u64(limit, &trace->limit))
        return cli_fail(job->call, CLI_USAGE, "--trace-limit %s: needs a number of instructions", limit);
    trace->matrices = !cli_has(job->call, "trace-plain");
    return CLI_FINE;
}

/* Filters without --trace would silently have no effect. */
static int refuse_filters(const run_job *job)
{
    static const char *const filters[] = { "trace-wave", "trace-limit", "trace-plain" };
    for (size_t i = 0; i < CLI_COUNT(filters); i++)
        if (cli_has(job->call, filters[i]))
            return cli_fail(job->call, CLI_USAGE, "--%s has no effect without --trace", filters[i]);
    return CLI_FINE;
}

static int open_trace(run_job *job)
{
    lw_trace_options trace = lw_trace_options_default();
    const char *path = cli_value(job->call, "trace");
    if (!path)
        return refuse_filters(job);
    const bool to_stdout = strcmp(path, "-") == 0;
    const int exit = read_trace_filters(job, &trace);
    if (exit != CLI_FINE)
        return exit;
    if (to_stdout && cli_has(job->call, "json"))
        return cli_fail(job->call, CLI_USAGE,
                        "--trace - and --json would mix on standard output: name a file");
    job->trace_file = to_stdout ? stdout : fopen(path, "w");
    if (!job->trace_file)
        return cli_fail(job->call, CLI_USAGE, "--trace %s: cannot write it: %s", path, strerror(errno));
    trace.sink = target_sink;
    trace.sink_context = job->trace_file;
    const lw_status status = lw_trace_create(&trace, &job->trace);
    if (status != LW_OK)
        return cli_fail_status(job->call, "--trace", status, NULL);
    run_observe(job, lw_trace_observer(job->trace));
    return CLI_FINE;
}

static int open_coverage(run_job *job)
{
    if (!cli_has(job->call, "coverage"))
        return CLI_FINE;
    const lw_status status = lw_coverage_create(&job->coverage);
    if (status != LW_OK)
        return cli_fail_status(job->call, "--coverage", status, NULL);
    run_observe(job, lw_coverage_observer(job->coverage));
    return CLI_FINE;
}

int run_open_observers(run_job *job)
{
    const char *text, *sarif = cli_value(job->call, "sarif"), *junit = cli_value(job->call, "junit");
    if (sarif && !cli_has(job->call, "check"))
        return cli_fail(job->call, CLI_USAGE, "--sarif %s has no effect without --check", sarif);
    if (sarif && output_check(job->call, sarif) != CLI_FINE)
        return CLI_USAGE;
    if (junit && output_check(job->call, junit) != CLI_FINE)
        return CLI_USAGE;
    for (size_t at = 0; (text = cli_next_value(job->call, "check", &at)) != NULL;) {
        for (;;) {
            const size_t length = strcspn(text, ",");
            const int exit = run_open_check(job, text, length);
            if (exit != CLI_FINE)
                return exit;
            if (!text[length])
                break;
            text += length + 1;
        }
    }
    const int exit = open_coverage(job);
    return exit == CLI_FINE ? open_trace(job) : exit;
}
