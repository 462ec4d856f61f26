/* SPDX-License-Identifier: MIT */
/* run --part I/N --part-file FILE: what one part of a launch did, as a file for 'lanewise merge'. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/version.h>

#include "cli/part_file.h"
#include "cli/run.h"

static bool is_result(const run_arg *arg)
{
    return arg->form == ARG_INOUT || arg->form == ARG_OUT || arg->form == ARG_ZERO;
}

/* ---- The option ---- */

static int refuse_options(const run_job *job)
{
    static const struct {
        const char *name, *why;
    } refused[] = {
        { "expect", "compare the arrays that 'lanewise merge' writes" },
        { "launches", "give each launch, and each of its parts, a command of its own" },
        { "layouts", "what an operand holds is found by running whole launches" },
        { "coverage", "what one part does not reach, another one may" },
        { "workgroup", "a part runs all its workgroups" },
        { "schedule", "parts join only if workgroups run in the serial order" },
    };
    for (size_t i = 0; i < CLI_COUNT(refused); i++)
        if (cli_has(job->call, refused[i].name))
            return cli_fail(job->call, CLI_USAGE, "--%s cannot be used with --part: %s", refused[i].name,
                            refused[i].why);
    return CLI_FINE;
}

int run_part_read(run_job *job)
{
    int exit = part_options(job->call, &job->part_path, &job->options.part, &job->options.parts);
    if (exit == CLI_FINE && job->part_path)
        exit = refuse_options(job);
    if (exit != CLI_FINE || !job->part_path)
        return exit;
    const lw_status status = lw_footprint_create(&job->footprint);
    job->options.footprint = job->footprint;
    return status == LW_OK ? CLI_FINE : cli_fail_status(job->call, "--part", status, NULL);
}

/* ---- Before the launch ---- */

static void add_text(lw_sha256 *s, const char *text)
{
    lw_sha256_add(s, text, strlen(text) + 1);
}

static void add_number(lw_sha256 *s, uint64_t value)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    lw_sha256_add(s, bytes, sizeof(bytes));
}

static void add_options(lw_sha256 *s, const run_job *job)
{
    const lw_launch_options *o = &job->options;
    for (int d = 0; d < 3; d++) {
        add_number(s, o->grid[d]);
        add_number(s, o->items[d]);
        add_number(s, o->block[d]);
        add_number(s, o->cluster[d]);
    }
    add_number(s, o->dynamic_lds);
    add_number(s, o->scratch);
    add_number(s, o->poison);
    add_number(s, o->async);
    add_number(s, o->async_seed);
    add_number(s, o->reading_count);
    for (size_t i = 0; i < o->reading_count; i++)
        add_text(s, o->readings[i]);
}

/* Names of files do not count, their contents do. */
static void add_arg(lw_sha256 *s, const run_job *job, size_t index)
{
    const run_arg *arg = &job->args[index];
    const lw_arg *value = &job->values[index];
    add_text(s, run_arg_name(job->infos[index]));
    add_number(s, arg->form);
    add_number(s, value->size);
    lw_sha256_add(s, value->bytes, value->size);
    if (!arg->placed)
        return;
    add_number(s, arg->array.dtype);
    add_number(s, arg->array.dims);
    for (unsigned d = 0; d < arg->array.dims; d++)
        add_number(s, arg->array.shape[d]);
    if (arg->form == ARG_IN || arg->form == ARG_INOUT)
        lw_sha256_add(s, arg->array.data, (size_t)arg_array_bytes(arg));
}

static int keep_before(run_job *job)
{
    job->befores = cli_alloc((job->arg_count + 1) * sizeof(*job->befores));
    for (size_t i = 0; i < job->arg_count && job->options.part == 0; i++) {
        const size_t size = (size_t)arg_array_bytes(&job->args[i]);
        if (job->args[i].form != ARG_INOUT || !job->args[i].placed)
            continue;
        const int exit = arg_check_room(job->call, job->args[i].word, job->arrays, size);
        if (exit != CLI_FINE)
            return exit;
        job->arrays += size;
        job->befores[i] = cli_alloc(size + 1);
        memcpy(job->befores[i], job->args[i].array.data, size);
    }
    return CLI_FINE;
}

int run_part_prepare(run_job *job)
{
    input_file program;
    lw_sha256 s;
    if (!job->part_path)
        return CLI_FINE;
    const int exit = input_hash(job->call, job->path, &program);
    if (exit != CLI_FINE)
        return exit;
    lw_sha256_begin(&s);
    add_text(&s, LW_VERSION_STRING);
    add_text(&s, program.sha256);
    add_text(&s, job->kernel->name);
    add_text(&s, lw_arch_get(lw_program_arch(job->program))->name);
    add_options(&s, job);
    lw_sha256_add(&s, job->block, job->block_size);
    for (size_t i = 0; i < job->arg_count; i++)
        add_arg(&s, job, i);
    lw_sha256_end(&s, job->launch_hash, NULL);
    return keep_before(job);
}

/* ---- After it ---- */

static void say_checks(part_buffer *b, const run_job *job)
{
    for (size_t i = 0; i < RUN_CHECKS; i++)
        for (int level = 0; job->checks[i] && level < LW_SEVERITY_COUNT; level++)
            part_say(b, "check %s %d %zu\n", lw_check_name(job->checks[i]), level,
                     lw_check_count_of(job->checks[i], (lw_severity)level));
    if (job->uninit)
        part_say(b, "check uninit=strict %d %zu\n", LW_SEVERITY_ERROR, lw_uninit_count(job->uninit));
}

/* Lines that merge_text.c reads. */
static char *about(const run_job *job)
{
    const lw_launch_result *r = job->result;
    part_buffer b = { 0 };
    part_say(&b, "lanewise %s\n", LW_VERSION_STRING);
    part_say(&b, "kernel %.900s\n", job->kernel->name);
    part_say(&b, "arch %s\n", lw_arch_get(lw_program_arch(job->program))->name);
    part_say(&b, "ran %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", r->groups, r->waves,
             r->instructions, r->matrix_instructions, r->lds_outside.times);
    for (size_t i = 0; i < r->count_count; i++) {
        const lw_launch_count *c = &r->counts[i];
        part_say(&b, "rule %d %d %u %" PRIu64 " %.200s %.600s\n", (int)c->label, c->is_matrix, c->aspects,
                 c->executed, c->name, c->source);
    }
    say_checks(&b, job);
    part_put(&b, "", 1);
    return (char *)b.bytes;
}

/* "float32 16 2112" */
static char *shape_text(const lw_npy *array)
{
    part_buffer b = { 0 };
    part_say(&b, "%s", lw_dtype_name(array->dtype));
    for (unsigned d = 0; d < array->dims; d++)
        part_say(&b, " %" PRIu64, array->shape[d]);
    part_put(&b, "", 1);
    return (char *)b.bytes;
}

static lw_byte_run *runs_of(const run_job *job, size_t index, bool written, size_t *count)
{
    const uint64_t size = arg_array_bytes(&job->args[index]), at = job->addresses[index];
    *count = lw_footprint_runs(job->footprint, at, size, written, NULL, 0);
    lw_byte_run *runs = cli_alloc((*count + 1) * sizeof(*runs));
    lw_footprint_runs(job->footprint, at, size, written, runs, *count);
    return runs;
}

static void fill_piece(const run_job *job, size_t index, lw_launch_piece *p)
{
    const run_arg *arg = &job->args[index];
    const uint8_t *bytes = arg->array.data;
    part_buffer written = { 0 };
    char title[160], *shape = shape_text(&arg->array);
    run_arg_title(job, index, title, sizeof(title));
    *p = (lw_launch_piece){ .name = cli_copy(title, strlen(title)),
                            .file = arg->out_path ? arg->out_path : "",
                            .shape = shape,
                            .shape_size = strlen(shape),
                            .size = arg_array_bytes(arg),
                            .before = job->befores[index] };
    p->fill = arg->form == ARG_OUT    ? ARG_POISON
              : arg->form == ARG_ZERO ? 0
              : p->before             ? LW_FILL_BEFORE
                                      : LW_FILL_UNKNOWN;
    p->reads = runs_of(job, index, false, &p->read_count);
    p->writes = runs_of(job, index, true, &p->write_count);
    for (size_t i = 0; i < p->write_count; i++)
        part_put(&written, (const char *)bytes + p->writes[i].start, (size_t)p->writes[i].size);
    part_put(&written, "", 1);
    p->bytes = written.bytes;
}

static void free_piece(lw_launch_piece *p)
{
    free((void *)(uintptr_t)p->name);
    free((void *)(uintptr_t)p->shape);
    free((void *)(uintptr_t)p->reads);
    free((void *)(uintptr_t)p->writes);
    free((void *)(uintptr_t)p->bytes);
}

/* What the kernel wrote lies in its arrays? */
static lw_status check_within(const run_job *job, const lw_launch_piece *pieces, size_t count,
                              lw_error *error)
{
    lw_byte_run *areas = cli_alloc((count + 1) * sizeof(*areas));
    for (size_t i = 0, at = 0; i < job->arg_count; i++)
        if (is_result(&job->args[i]) && job->args[i].placed) {
            areas[at] = (lw_byte_run){ job->addresses[i], pieces[at].size };
            at++;
        }
    const lw_status status = lw_footprint_within(job->footprint, areas, count, error);
    free(areas);
    return status;
}

static int write_part(const run_job *job, const lw_launch_piece *pieces, size_t count)
{
    lw_error error = { "" };
    lw_launch_part part = lw_launch_part_default();
    const lw_status status = check_within(job, pieces, count, &error);
    if (status != LW_OK)
        return cli_fail_status(job->call, "--part", status, &error);
    char *lines = about(job);
    part.number = job->options.part;
    part.count = job->options.parts;
    part.about = lines;
    part.pieces = pieces;
    part.piece_count = count;
    memcpy(part.launch, job->launch_hash, sizeof(part.launch));
    const int exit = part_write(job->call, &part, job->part_path);
    free(lines);
    return exit;
}

int run_part_write(run_job *job)
{
    lw_launch_piece *pieces = cli_alloc((job->arg_count + 1) * sizeof(*pieces));
    size_t count = 0;
    for (size_t i = 0; i < job->arg_count; i++)
        if (is_result(&job->args[i]) && job->args[i].placed)
            fill_piece(job, i, &pieces[count++]);
    const int exit = write_part(job, pieces, count);
    for (size_t i = 0; i < count; i++)
        free_piece(&pieces[i]);
    free(pieces);
    return exit;
}

void run_part_report(const run_job *job, cli_json *json)
{
    const lw_launch_options *o = &job->options;
    if (!json) {
        printf("wrote %s: part %u of %u\n", job->part_path, o->part + 1, o->parts);
        return;
    }
    json_string(json, "part_file", job->part_path);
    json_uint(json, "part", o->part + 1);
    json_uint(json, "parts", o->parts);
}

void run_part_free(run_job *job)
{
    lw_footprint_free(job->footprint);
    for (size_t i = 0; job->befores && i < job->arg_count; i++)
        free(job->befores[i]);
    free(job->befores);
}
