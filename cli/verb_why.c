/* SPDX-License-Identifier: MIT */
/* lanewise why: where an element of a result came from. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/parse.h"
#include "cli/readings.h"
#include "cli/why.h"

static uint64_t code_at(const lw_npy *array, uint64_t index)
{
    const size_t size = lw_dtype_size(array->dtype);
    uint64_t code = 0;
    memcpy(&code, (const char *)array->data + index * size, size);
    return code;
}

static const lw_npy *array_of(const why_job *job)
{
    return &job->run.args[job->arg].array;
}

/* ---- Which element ---- */

static int fail_element(const why_job *job, const char *text, const char *why)
{
    return cli_fail(job->run.call, CLI_USAGE, "--element %s: %s, as in --element C:2,17", text, why);
}

/* NAME:I,J: the argument's name or number, and an index for each dimension, or a single index. */
static int read_element(why_job *job, const char *text)
{
    uint64_t index[LW_NPY_MAX_DIMS];
    size_t count;
    const char *colon = strchr(text, ':');
    if (!colon)
        return fail_element(job, text, "needs an argument and an index");
    char *name = cli_copy(text, (size_t)(colon - text));
    const bool found = run_find_arg(&job->run, name, &job->arg);
    free(name);
    if (!found || !job->run.args[job->arg].array.data)
        return fail_element(job, text, "the kernel has no array of that name or number");
    if (!why_capture_knows(job, job->arg))
        return cli_fail(
            job->run.call, CLI_USAGE,
            "--element %s: the capture does not know the type and the shape of %.*s: say %.*s=TYPE[N,..], "
            "as in %.*s=f32[64,64]",
            text, (int)(colon - text), text, (int)(colon - text), text, (int)(colon - text), text);
    const lw_npy *array = array_of(job);
    if (!parse_numbers(colon + 1, 0, LW_NPY_MAX_DIMS, index, &count) || (count != array->dims && count != 1))
        return fail_element(job, text, "needs an index for each dimension of the array, or one for all");
    job->element = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t limit = count == 1 ? array->count : array->shape[i];
        if (index[i] >= limit)
            return fail_element(job, text, "it is outside the array");
        job->element = job->element * limit + index[i];
    }
    return CLI_FINE;
}

/* The --expect of the array, if there is one. */
static void choose_expect(why_job *job)
{
    for (size_t i = 0; i < job->run.expect_count; i++)
        if (job->run.expects[i].arg == job->arg)
            job->expect = &job->run.expects[i];
}

/* Runs the launch once and compares. CLI_NO: everything is as expected. */
static int find_difference(why_job *job)
{
    run_job *run = &job->run;
    lw_snapshot *before = NULL;
    lw_error error = { "" };
    lw_status status = lw_memory_snapshot(run->memory, &before, &error);
    if (status == LW_OK)
        status = lw_launch(&run->options, &run->result, &error);
    int exit = status == LW_OK ? CLI_NO : cli_fail_status(run->call, NULL, status, &error);
    for (size_t i = 0; status == LW_OK && i < run->expect_count && exit == CLI_NO; i++) {
        const run_expect *e = &run->expects[i];
        compare_result result;
        compare_arrays(run->args[e->arg].type, &run->args[e->arg].array, &e->array, &run->limits, &result);
        if (!result.outside)
            continue;
        job->arg = e->arg;
        job->element = result.sample[0].index;
        exit = CLI_FINE;
    }
    if (status == LW_OK && (status = lw_memory_restore(run->memory, before, &error)) != LW_OK)
        exit = cli_fail_status(run->call, NULL, status, &error);
    lw_snapshot_free(before);
    return exit;
}

static int choose_element(why_job *job)
{
    const char *text = cli_value(job->run.call, "element");
    const bool first = cli_has(job->run.call, "first-difference");
    if (!text == !first)
        return cli_fail(job->run.call, CLI_USAGE,
                        "needs either --element NAME:I,J or --first-difference with --expect or --capture");
    if (first && !job->run.expect_count)
        return cli_fail(job->run.call, CLI_USAGE, "--first-difference needs --expect FILE or --capture FILE");
    return first ? find_difference(job) : read_element(job, text);
}

/* ---- The report ---- */

static int report(why_job *job)
{
    cli_json writer = { .out = stdout };
    const lw_npy *array = array_of(job);
    job->got = code_at(array, job->element);
    choose_expect(job);
    if (job->expect)
        job->expected = code_at(&job->expect->array, job->element);
    job->shown = cli_alloc(lw_why_node_count(job->why) * sizeof(*job->shown));
    why_fill_arrays(job);
    job->products = why_products(job, 0);
    if (cli_has(job->run.call, "json"))
        why_write(job, &writer);
    else
        why_print(job);
    return job->expect && job->got != job->expected ? CLI_NO : CLI_FINE;
}

static int find(why_job *job)
{
    lw_error error = { "" };
    lw_why_options options = lw_why_options_default();
    const char *limit = cli_value(job->run.call, "record-limit");
    if (limit && (!parse_u64(limit, &options.limit) || options.limit > UINT64_MAX >> 20 || !options.limit))
        return cli_fail(job->run.call, CLI_USAGE, "--record-limit %s: needs a number of MiB above 0", limit);
    options.limit <<= 20;
    const lw_npy *array = array_of(job);
    const uint32_t size = (uint32_t)lw_dtype_size(array->dtype);
    const lw_status status =
        lw_why_find(&job->run.options, job->run.addresses[job->arg] + job->element * size, size, &options,
                    &job->why, &error);
    if (status == LW_E_NOT_FOUND)
        return cli_fail(job->run.call, CLI_NO, "%s", error.text);
    return status == LW_OK ? CLI_FINE : cli_fail_status(job->run.call, NULL, status, &error);
}

static int run_why(const cli_call *call)
{
    int (*const steps[])(run_job *) = { run_read_program, run_read_options, run_read_args, run_read_expects,
                                        run_make_memory };
    why_job job = { .run = { .call = call, .options = lw_launch_options_default() } };
    const bool captured = cli_has(call, "capture");
    int exit = captured ? why_capture_read(&job, call) : CLI_FINE;
    for (size_t i = 0; i < CLI_COUNT(steps) && !captured && exit == CLI_FINE; i++)
        exit = steps[i](&job.run);
    if (exit == CLI_FINE)
        exit = choose_element(&job);
    if (exit == CLI_NO && !cli_has(call, "json"))
        puts(job.recorded ? "nothing differs from what the GPU left"
                          : "nothing differs from what is expected");
    else if (exit == CLI_NO)
        fputs("{\"differs\": false, \"status\": 0}\n", stdout);
    const bool same = exit == CLI_NO;
    if (exit == CLI_FINE)
        exit = find(&job);
    if (exit == CLI_FINE)
        exit = report(&job);
    why_free(&job);
    run_free(&job.run);
    why_capture_free(&job);
    return same ? CLI_FINE : exit;
}

static const cli_option options[] = {
    { .name = "element",
      .value = "NAME:I,J",
      .help = "the element: an argument's name or number, and an index for each dimension" },
    { .name = "first-difference", .help = "the first element that differs from --expect" },
    { .name = "capture",
      .value = "FILE",
      .help = "the launch of a file that 'lanewise capture' has written; arrays are described as "
              "NAME=TYPE[N,..],\n"
              "by argument, variable or address; what the GPU left is what is expected" },
    { .name = "expect",
      .value = "[NAME=]Y.npy",
      .repeats = true,
      .help = "what the array should hold: says in words what differs; exit status 1 if the\nelement does" },
    CLI_OPTIONS_LIMITS,
    { .name = "grid", .value = "X[,Y[,Z]]", .help = "size of the launch in workgroups" },
    { .name = "items", .value = "X[,Y[,Z]]", .help = "or in work-items" },
    { .name = "block", .value = "X[,Y[,Z]]", .help = "size of a workgroup in work-items" },
    { .name = "smem", .value = "BYTES", .help = "dynamic LDS" },
    { .name = "workgroup", .value = "X[,Y[,Z]]", .repeats = true, .help = "run only this workgroup" },
    { .name = "budget", .value = "N", .help = "instructions that each wave may execute" },
    { .name = "record-limit",
      .value = "MIB",
      .help = "host memory for the record of what the workgroup does (1024)" },
    { .name = "memory-limit", .value = "SIZE", .help = "bytes (or 512M, 8G) for arrays, as for run" },
    { .name = "time-limit", .value = "SECONDS", .help = "stop each of the runs after so many seconds" },
    { .name = "schedule", .value = "ORDER", .help = "serial, or random:SEED" },
    { .name = "async", .value = "WHEN", .help = "late, early or random:SEED, as for run" },
    CLI_OPTION_READING,
    CLI_OPTION_NUMERICS,
    { .name = "poison", .value = "N", .help = "what registers and LDS hold before they are written" },
    { .name = "scratch", .value = "BYTES", .help = "scratch per work-item, at least" },
    { .name = "arch", .value = "ARCH", .help = "which code object of a file that contains several" },
};

static const cli_example examples[] = {
    { .command = "lanewise why vector_add_gfx950.co --grid 4 --block 256 'c=out:-=f32[1000]' a=x.npy b=y.npy "
                 "n=i32:1000 --element c:17",
      .says = "the store, the addition, the two loads, the two elements" },
    { .command = "lanewise why vector_add_gfx950.co --grid 4 --block 256 'c=out:-=f32[1000]' a=x.npy b=y.npy "
                 "n=i32:1000 --expect c.npy --first-difference",
      .says = "the first element that is wrong" },
    { .command = "lanewise why --capture 000001-vector_add.lwcap --element c:17 c=f32[1000] a=f32[1000] "
                 "b=f32[1000]",
      .says = "of a recorded launch, compared with what the GPU left" },
};

const cli_verb cli_verb_why = {
    .name = "why",
    .usage = "FILE[:KERNEL] --grid X,Y,Z|--items X,Y,Z --block X,Y,Z --element NAME:I,J|--first-difference "
             "[options] ARG...|--capture FILE NAME=TYPE[N,..]...",
    .summary = "where an element of a result came from",
    .text =
        "Runs a kernel as 'lanewise run' does, with the same ARGs, then once more the workgroup that "
        "stored the\nelement, and goes back from the store: to the register, the matrix instructions and "
        "their elements\nof A, B and scales step by step, through LDS and registers, to the loads and the "
        "elements of the\nargument arrays. Where workgroups read what others have written, all of them are "
        "followed.\n"
        "\n"
        "With --expect it also says what differs, if it is one of these: another row or column (a wrong "
        "lane),\nA and B that do not match in k, a tile used twice, a matrix read transposed (whole or tile "
        "by "
        "tile),\nelements of neither a row nor a column, the scale of another block.\n"
        "\n"
        "Values are followed, addresses and conditions are not. Of instructions that are no copies, all "
        "bytes\nof their sources count, and of permutations all lanes that they may have read. No array is "
        "written.\n"
        "\n"
        "With --capture FILE the launch is a recorded one: its code (or that of FILE[:KERNEL]), its sizes, "
        "its\n"
        "arguments and its memory. What the GPU left is what is expected, unless --expect says otherwise.\n",
    .options = options,
    .option_count = CLI_COUNT(options),
    .examples = examples,
    .example_count = CLI_COUNT(examples),
    .run = run_why,
};
