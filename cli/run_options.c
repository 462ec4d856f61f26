/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cli/file.h"
#include "cli/parse.h"
#include "cli/run.h"
#include "cli/target.h"

static int fail_which_kernel(const run_job *job, const char *path)
{
    char names[1024] = "";
    for (size_t i = 0; i < lw_program_kernel_count(job->program); i++) {
        const char *name = lw_program_kernel_at(job->program, i)->name;
        if (strlen(names) + strlen(name) + 3 < sizeof(names))
            strcat(strcat(names, names[0] ? ", " : ""), name);
    }
    if (!names[0])
        return cli_fail(job->call, CLI_USAGE, "%s: holds no kernel", path);
    return cli_fail(job->call, CLI_USAGE, "%s: which kernel? Say %s:KERNEL, one of %s", path, path, names);
}

static int load_program(run_job *job, const char *path, const char *kernel)
{
    lw_error error = { "" };
    lw_load_options load = lw_load_options_default();
    load.kernel = kernel;
    const int exit = target_arch(job->call, false, &load.arch);
    if (exit != CLI_FINE)
        return exit;
    arg_memory_limit(job->call, &load.memory_limit);
    lw_status status = lw_program_load_file(path, &load, &job->program, &error);
    if (status != LW_OK) {
        job->program = NULL;
        return cli_fail_status(job->call, status == LW_E_IO ? NULL : path, status, &error);
    }
    if (kernel)
        status = lw_program_find(job->program, kernel, &job->options.kernel, &error);
    else if (lw_program_kernel_count(job->program) != 1)
        return fail_which_kernel(job, path);
    if (status != LW_OK)
        return cli_fail_status(job->call, path, status, &error);
    job->kernel = lw_program_kernel_at(job->program, job->options.kernel);
    job->options.program = job->program;
    if (job->kernel->warning[0])
        cli_say(job->call, "warning: %s: %s", job->kernel->name, job->kernel->warning);
    if (job->kernel->contracted[0])
        cli_say(
            job->call,
            "note: %s: the assembler may fuse the product and the sum of %s into one rounding; here each is "
            "rounded",
            job->kernel->name, job->kernel->contracted);
    return CLI_FINE;
}

int run_read_program(run_job *job)
{
    const char *kernel;
    if (job->call->operand_count == 0)
        return cli_fail(job->call, CLI_USAGE, "needs a file: lanewise run %s", job->call->verb->usage);
    file_split(job->call->operands[0], &job->path, &kernel);
    return load_program(job, job->path, kernel);
}

static int read_size(const run_job *job, const char *option, uint32_t dims[3])
{
    const char *text = cli_value(job->call, option);
    if (text && !parse_dims(text, dims))
        return cli_fail(job->call, CLI_USAGE, "--%s %s: needs X, X,Y or X,Y,Z, each from 1 to 4294967295",
                        option, text);
    return CLI_FINE;
}

static int read_sizes(run_job *job)
{
    lw_launch_options *o = &job->options;
    if (job->capture)
        return CLI_FINE;
    const bool grid = cli_has(job->call, "grid"), items = cli_has(job->call, "items");
    if (grid == items)
        return cli_fail(
            job->call, CLI_USAGE,
            grid ? "--grid counts workgroups and --items work-items: give one of them, not both"
                 : "how large is the launch? Say --grid X,Y,Z in workgroups or --items X,Y,Z in work-items");
    if (!cli_has(job->call, "block") && job->kernel->required_workgroup[0])
        memcpy(o->block, job->kernel->required_workgroup, sizeof(o->block));
    else if (!cli_has(job->call, "block"))
        return cli_fail(job->call, CLI_USAGE, "how large is a workgroup? Say --block X,Y,Z in work-items");
    int exit = read_size(job, "grid", o->grid);
    if (exit == CLI_FINE)
        exit = read_size(job, "items", o->items);
    if (exit == CLI_FINE)
        exit = read_size(job, "cluster", o->cluster);
    return exit == CLI_FINE ? read_size(job, "block", o->block) : exit;
}

/* An option with a number up to `most`; *value is unchanged if the option is absent. */
static int read_number(const run_job *job, const char *option, uint64_t most, uint64_t *value)
{
    uint64_t v;
    const char *text = cli_value(job->call, option);
    if (!text)
        return CLI_FINE;
    if (!parse_u64(text, &v) || v > most)
        return cli_fail(job->call, CLI_USAGE, "--%s %s: needs a whole number from 0 to %llu", option, text,
                        (unsigned long long)most);
    *value = v;
    return CLI_FINE;
}

/* Seconds, "1.5" or "90". */
static int read_time_limit(run_job *job)
{
    const char *text = cli_value(job->call, "time-limit");
    char *end;
    if (!text)
        return CLI_FINE;
    const double seconds = strtod(text, &end);
    if (end == text || *end || !(seconds > 0) || seconds > 1e9)
        return cli_fail(job->call, CLI_USAGE,
                        "--time-limit %s: needs a number of seconds above 0, up to 1000000000", text);
    job->options.time_limit = seconds;
    return CLI_FINE;
}

static int read_numbers(run_job *job)
{
    uint64_t smem = 0, scratch = 0, threads = 0, poison = job->options.poison;
    int exit = read_number(job, "smem", UINT32_MAX, &smem);
    if (exit == CLI_FINE)
        exit = read_number(job, "scratch", UINT32_MAX, &scratch);
    if (exit == CLI_FINE)
        exit = read_number(job, "threads", 4096, &threads);
    if (exit == CLI_FINE)
        exit = read_number(job, "poison", UINT32_MAX, &poison);
    if (exit == CLI_FINE)
        exit = read_number(job, "budget", UINT64_MAX, &job->options.budget);
    if (exit == CLI_FINE)
        exit = read_time_limit(job);
    job->options.dynamic_lds = (uint32_t)smem;
    job->options.scratch = (uint32_t)scratch;
    job->options.threads = (unsigned)threads;
    job->options.poison = (uint32_t)poison;
    return exit;
}

static int read_schedule(run_job *job)
{
    const char *text = cli_value(job->call, "schedule");
    if (!text || strcmp(text, "serial") == 0)
        return CLI_FINE;
    if (strncmp(text, "random:", 7) != 0 || !parse_u64(text + 7, &job->options.seed))
        return cli_fail(job->call, CLI_USAGE, "--schedule %s: must be serial or random:SEED, as in random:7",
                        text);
    job->options.schedule = LW_SCHEDULE_RANDOM;
    return CLI_FINE;
}

static int read_async(run_job *job)
{
    const char *text = cli_value(job->call, "async");
    if (!text || strcmp(text, "late") == 0)
        return CLI_FINE;
    if (strcmp(text, "early") == 0)
        job->options.async = LW_ASYNC_EARLY;
    else if (strncmp(text, "random:", 7) == 0 && parse_u64(text + 7, &job->options.async_seed))
        job->options.async = LW_ASYNC_RANDOM;
    else
        return cli_fail(job->call, CLI_USAGE,
                        "--async %s: must be late, early or random:SEED, as in random:7", text);
    return CLI_FINE;
}

static int read_workgroups(run_job *job)
{
    const char *text;
    job->only = cli_alloc((job->call->given_count + 1) * sizeof(*job->only));
    for (size_t at = 0; (text = cli_next_value(job->call, "workgroup", &at)) != NULL;) {
        uint64_t v[3] = { 0 };
        size_t count;
        if (!parse_numbers(text, 0, 3, v, &count) || v[0] > UINT32_MAX || v[1] > UINT32_MAX ||
            v[2] > UINT32_MAX)
            return cli_fail(job->call, CLI_USAGE, "--workgroup %s: needs X, X,Y or X,Y,Z, counted from 0",
                            text);
        for (int i = 0; i < 3; i++)
            job->only[job->options.only_count][i] = (uint32_t)v[i];
        job->options.only_count++;
    }
    if (job->options.only_count)
        job->options.only = (const uint32_t(*)[3])job->only;
    return CLI_FINE;
}

/* What kernels print goes to the same stream as the report, before it. */
static void print(void *context, const char *text, size_t size)
{
    (void)context;
    fwrite(text, 1, size, stdout);
}

int run_read_options(run_job *job)
{
    int exit = read_sizes(job);
    if (exit == CLI_FINE)
        exit = read_numbers(job);
    if (exit == CLI_FINE)
        exit = read_schedule(job);
    if (exit == CLI_FINE)
        exit = read_async(job);
    if (exit == CLI_FINE)
        exit = read_workgroups(job);
    if (exit == CLI_FINE)
        exit = readings_read(job->call, &job->readings);
    job->options.print = print;
    job->options.readings = (const char *const *)job->readings.names;
    job->options.reading_count = job->readings.count;
    return exit == CLI_FINE ? expect_limits(job->call, &job->limits) : exit;
}
