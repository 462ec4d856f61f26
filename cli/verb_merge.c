/* SPDX-License-Identifier: MIT */
/* lanewise merge: joins the parts of a launch that `run --part` wrote. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arg.h"
#include "cli/expect.h"
#include "cli/file.h"
#include "cli/gpu/sweep.h"
#include "cli/merge.h"
#include "cli/output.h"
#include "cli/parse.h"

static int read_part(merge_job *job, size_t index)
{
    merge_file *f = &job->files[index];
    size_t size;
    lw_error error = { "" };
    f->path = job->call->operands[index];
    int exit = file_read(job->call, f->path, &f->bytes, &size);
    if (exit == CLI_FINE)
        exit = arg_check_room(job->call, f->path, job->held, size);
    if (exit != CLI_FINE)
        return exit;
    job->held += size;
    const lw_status status = lw_launch_part_read(f->bytes, size, &f->part, &error);
    if (status != LW_OK)
        return cli_fail_status(job->call, f->path, status, &error);
    job->parts[index] = f->part;
    if (f->part->number == 0)
        job->first = f->part;
    return CLI_FINE;
}

static int read_parts(merge_job *job)
{
    lw_error error = { "" };
    job->count = job->call->operand_count;
    if (!job->count)
        return cli_fail(job->call, CLI_USAGE, "needs files: lanewise merge %s", job->call->verb->usage);
    job->files = cli_alloc(job->count * sizeof(*job->files));
    job->parts = cli_alloc(job->count * sizeof(*job->parts));
    for (size_t i = 0; i < job->count; i++) {
        const int exit = read_part(job, i);
        if (exit != CLI_FINE)
            return exit;
    }
    const lw_status status = lw_launch_parts_join(job->parts, job->count, NULL, &error);
    return status == LW_OK ? CLI_FINE : cli_fail_status(job->call, NULL, status, &error);
}

/* "float32 16 2112": false unless that is an array of as many bytes as the piece has. */
static bool read_shape(const lw_launch_piece *p, lw_npy *array)
{
    char *text = cli_copy(p->shape, p->shape_size), *dtype = text, *at = text + strcspn(text, " ");
    bool good = p->shape_size && text[p->shape_size - 1] != ' ';
    if (*at)
        *at++ = '\0';
    *array = (lw_npy){ .count = 1 };
    good = good && lw_dtype_find(dtype, &array->dtype) == LW_OK &&
           strcmp(lw_dtype_name(array->dtype), dtype) == 0;
    while (good && *at) {
        char *end = at + strcspn(at, " ");
        const bool more = *end != '\0';
        *end = '\0';
        good = array->dims < LW_NPY_MAX_DIMS && parse_u64(at, &array->shape[array->dims]) &&
               (!array->shape[array->dims] || array->count <= UINT64_MAX / 8 / array->shape[array->dims]);
        array->count *= good ? array->shape[array->dims++] : 1;
        at = end + more;
    }
    free(text);
    return good && array->count * lw_dtype_size(array->dtype) == p->size;
}

/* What a piece held before the launch. */
static int make_array(merge_job *job, size_t index)
{
    const lw_launch_piece *p = &job->first->pieces[index];
    lw_npy *array = &job->arrays[index];
    if (!read_shape(p, array))
        return cli_fail(job->call, CLI_USAGE, "part 1 does not say what the %" PRIu64 " bytes of %s are",
                        p->size, p->name);
    if (p->fill == LW_FILL_UNKNOWN)
        return cli_fail(job->call, CLI_USAGE, "part 1 does not say what %s held before the launch", p->name);
    if (p->file[0] && output_check(job->call, p->file) != CLI_FINE)
        return CLI_USAGE;
    for (size_t i = 0; i < job->count && p->file[0]; i++)
        if (output_check_read(job->call, p->file, job->files[i].path, "merge") != CLI_FINE)
            return CLI_USAGE;
    for (int i = 0; i < 2; i++) { /* its bytes, and which of them were written */
        const int exit = arg_check_room(job->call, p->name, job->held, p->size);
        if (exit != CLI_FINE)
            return exit;
        job->held += p->size;
    }
    array->data = job->targets[index] = cli_alloc((size_t)p->size + 8);
    if (p->fill == LW_FILL_BEFORE)
        memcpy(array->data, p->before, (size_t)p->size);
    else
        memset(array->data, p->fill, (size_t)p->size);
    return CLI_FINE;
}

static int join(merge_job *job)
{
    lw_error error = { "" };
    job->arrays = cli_alloc((job->first->piece_count + 1) * sizeof(*job->arrays));
    job->targets = cli_alloc((job->first->piece_count + 1) * sizeof(*job->targets));
    for (size_t i = 0; i < job->first->piece_count; i++) {
        const int exit = make_array(job, i);
        if (exit != CLI_FINE)
            return exit;
    }
    const lw_status status = lw_launch_parts_join(job->parts, job->count, job->targets, &error);
    return status == LW_OK ? CLI_FINE : cli_fail_status(job->call, NULL, status, &error);
}

static int write_arrays(merge_job *job)
{
    output_file *files = cli_alloc((job->first->piece_count + 1) * sizeof(*files));
    size_t count = 0;
    for (size_t i = 0; i < job->first->piece_count; i++)
        if (job->first->pieces[i].file[0])
            files[count++] = (output_file){ .path = job->first->pieces[i].file, .array = &job->arrays[i] };
    const int exit = output_write(job->call, files, count);
    free(files);
    return exit;
}

/* ---- What no part wrote ---- */

/* How many elements have a byte that no part wrote; the first of them. */
static uint64_t count_missing(const merge_job *job, size_t piece, uint64_t *first)
{
    const uint64_t size = job->first->pieces[piece].size, unit = lw_dtype_size(job->arrays[piece].dtype);
    uint64_t missing = 0;
    uint8_t *seen = cli_alloc((size_t)size + 1);
    for (size_t i = 0; i < job->count; i++) {
        const lw_launch_piece *p = &job->parts[i]->pieces[piece];
        for (size_t k = 0; k < p->write_count; k++)
            memset(seen + p->writes[k].start, 1, (size_t)p->writes[k].size);
    }
    for (uint64_t at = 0; at < size; at += unit) {
        if (!memchr(seen + at, 0, (size_t)unit))
            continue;
        *first = missing ? *first : at / unit;
        missing++;
    }
    free(seen);
    return missing;
}

static void report_unstored(const merge_job *job, size_t piece, cli_json *json)
{
    const lw_launch_piece *p = &job->first->pieces[piece];
    uint64_t first = 0;
    const uint64_t missing = p->fill == LW_FILL_BEFORE ? 0 : count_missing(job, piece, &first);
    if (!missing)
        return;
    if (!json) {
        printf("not written by the kernel: %" PRIu64 " of %" PRIu64 " elements of %s, ", missing,
               job->arrays[piece].count, p->name);
        fputs(missing == 1 ? "element " : "the first is ", stdout);
        expect_print_index(&job->arrays[piece], first);
        putchar('\n');
        return;
    }
    json_open(json, NULL, '{');
    json_string(json, "name", p->name);
    json_uint(json, "elements", job->arrays[piece].count);
    json_uint(json, "missing", missing);
    json_uint(json, "first", first);
    json_close(json, '}');
}

static void report_missing(const merge_job *job, cli_json *json)
{
    if (json)
        json_open(json, "not_written", '[');
    for (size_t i = 0; i < job->first->piece_count; i++)
        report_unstored(job, i, json);
    if (json)
        json_close(json, ']');
}

static void report_written(const merge_job *job, cli_json *json)
{
    if (json)
        json_open(json, "wrote", '[');
    for (size_t i = 0; i < job->first->piece_count; i++) {
        const char *path = job->first->pieces[i].file;
        char shape[256];
        if (!path[0])
            continue;
        expect_shape_text(&job->arrays[i], shape, sizeof(shape));
        if (json)
            json_string(json, NULL, path);
        else
            printf("wrote %s: %s %s\n", path, lw_dtype_name(job->arrays[i].dtype), shape);
    }
    if (json)
        json_close(json, ']');
}

static int report(merge_job *job)
{
    cli_json writer = { .out = stdout };
    cli_json *json = cli_has(job->call, "json") ? &writer : NULL;
    if (json)
        json_open(json, NULL, '{');
    if (job->compared_count) {
        merge_report_compared(job, json);
    } else {
        merge_report(job, json);
        report_missing(job, json);
        report_written(job, json);
    }
    const int exit = merge_check_failed(job) ? CLI_NO : CLI_FINE;
    if (json) {
        json_int(json, "status", exit);
        json_close(json, '}');
    }
    return exit;
}

static int run_merge(const cli_call *call)
{
    int (*const steps[])(merge_job * job) = { merge_count, join, write_arrays, report };
    merge_job job = { .call = call };
    int exit = arg_check_limit(call);
    if (exit == CLI_FINE)
        exit = read_parts(&job);
    if (exit == CLI_FINE && sweep_is(job.first))
        exit = sweep_merge(&job);
    else
        for (size_t i = 0; i < CLI_COUNT(steps) && exit == CLI_FINE; i++)
            exit = steps[i](&job);
    for (size_t i = 0; job.targets && i < job.first->piece_count; i++)
        free(job.targets[i]);
    for (size_t i = 0; job.files && i < job.count; i++) {
        lw_launch_part_free(job.files[i].part);
        free(job.files[i].bytes);
    }
    merge_forget(&job);
    free(job.arrays);
    free(job.targets);
    free(job.files);
    free(job.parts);
    return exit;
}

static const cli_option options[] = {
    CLI_OPTION_MEMORY_LIMIT,
    { .name = "evidence", .help = "list the rule and label of everything that ran" },
};

static const cli_example examples[] = {
    { .command = "lanewise merge 1.lwpart 2.lwpart",
      .says = "writes the arrays that the whole launch would have written" },
};

const cli_verb cli_verb_merge = {
    .name = "merge",
    .usage = "PART... [options]",
    .summary = "join the parts of a launch that ran on several machines",
    .text =
        "A PART is a file that 'lanewise run ... --part I/N --part-file FILE' wrote: what a part of the "
        "launch's\n"
        "workgroups read and wrote. Given all N of them, in any order, merge writes the arrays that the "
        "whole\n"
        "launch would have written, to the files that its arguments named; all of them or none.\n"
        "\n"
        "Refused, with the reason: a part is missing, there twice, damaged, or of another launch (program,\n"
        "arguments, contents of arrays, sizes and options are compared by their hash); one part wrote bytes "
        "that\n"
        "another one read or wrote. The order of workgroups could then be seen, as with atomics on one\n"
        "counter: run the launch whole.\n"
        "\n"
        "Parts of 'lanewise validate FILE... --part I/N --part-file FILE' are joined likewise: their counts "
        "are added up.\n"
        "Parts of 'lanewise validate --device ...' give the table of the whole comparison, and the files "
        "that\n"
        "--report and --record named, with the date of part 1.\n"
        "\n"
        "Counts and labels are those of the whole launch. What --check found is counted, and is listed where "
        "each\n"
        "part ran. Banks, traces and what kernels print are not joined.\n"
        "\n"
        "A part names the files that merge writes: merge only parts that you trust.\n",
    .options = options,
    .option_count = CLI_COUNT(options),
    .examples = examples,
    .example_count = CLI_COUNT(examples),
    .run = run_merge,
};
