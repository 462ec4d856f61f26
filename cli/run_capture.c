/* SPDX-License-Identifier: MIT */
/* run --capture FILE: the launch that the file holds. */
#include "cli/run_capture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/file.h"

/* What the file decides, or what makes no sense for it. */
static int refuse_options(const run_job *job)
{
    static const char *const decided[] = { "grid", "items", "block", "cluster", "smem", "arch" },
                             *const others[] = { "expect", "layouts", "launches", "part", "part-file" };
    for (size_t i = 0; i < CLI_COUNT(decided); i++)
        if (cli_has(job->call, decided[i]))
            return cli_fail(job->call, CLI_USAGE, "--%s: the capture says it", decided[i]);
    for (size_t i = 0; i < CLI_COUNT(others); i++)
        if (cli_has(job->call, others[i]) && !(job->described && strcmp(others[i], "expect") == 0))
            return cli_fail(job->call, CLI_USAGE, "--%s cannot be used with --capture", others[i]);
    if (job->call->operand_count > 1)
        return cli_fail(job->call, CLI_USAGE,
                        "'%s': the arguments come from the capture; at most a file with the kernel is given",
                        job->call->operands[1]);
    return CLI_FINE;
}

/* The code object or PTX text that the device would take. */
static lw_status load(run_job *job, const void *bytes, size_t size, lw_error *error)
{
    uint64_t limit;
    arg_memory_limit(job->call, &limit);
    return lw_program_load_for(bytes, size, job->capture->target, limit, &job->program, error);
}

/* FILE[:KERNEL] instead of the capture's code: a mended kernel on the recorded data. */
static int read_instead(run_job *job, const char **kernel)
{
    lw_error error = { "" };
    uint8_t *bytes;
    size_t size;
    free(job->path);
    file_split(job->call->operands[0], &job->path, kernel);
    const int exit = file_read(job->call, job->path, &bytes, &size);
    if (exit != CLI_FINE)
        return exit;
    const lw_status status = load(job, bytes, size, &error);
    free(bytes);
    return status == LW_OK ? CLI_FINE : cli_fail_status(job->call, job->path, status, &error);
}

static int read_program(run_job *job)
{
    const lw_capture *c = job->capture;
    const char *kernel = NULL;
    lw_error error = { "" };
    if (job->call->operand_count) {
        const int exit = read_instead(job, &kernel);
        if (exit != CLI_FINE)
            return exit;
    } else if (!c->code_size) {
        return cli_fail(
            job->call, CLI_USAGE,
            "%s: it holds no code (the program launched machine code of NVIDIA); give a PTX file that "
            "has %s",
            job->capture_path, c->kernel);
    } else {
        const lw_status status = load(job, c->code, c->code_size, &error);
        if (status != LW_OK)
            return cli_fail_status(job->call, job->capture_path, status, &error);
    }
    const lw_status status =
        lw_program_find(job->program, kernel ? kernel : c->kernel, &job->options.kernel, &error);
    if (status != LW_OK)
        return cli_fail_status(job->call, job->path, status, &error);
    job->kernel = lw_program_kernel_at(job->program, job->options.kernel);
    return CLI_FINE;
}

int run_capture_read(run_job *job)
{
    lw_error error = { "" };
    job->capture_path = cli_value(job->call, "capture");
    int exit = refuse_options(job);
    if (exit == CLI_FINE)
        exit = file_read(job->call, job->capture_path, &job->capture_bytes, &job->capture_size);
    if (exit != CLI_FINE)
        return exit;
    const lw_status status = lw_capture_read(job->capture_bytes, job->capture_size, &job->capture, &error);
    if (status != LW_OK)
        return cli_fail_status(job->call, job->capture_path, status, &error);
    job->path = cli_copy(job->capture_path, strlen(job->capture_path));
    exit = read_program(job);
    if (exit != CLI_FINE)
        return exit;
    const lw_capture *c = job->capture;
    lw_launch_options *o = &job->options;
    memcpy(o->grid, c->grid, sizeof(o->grid));
    memcpy(o->items, c->items, sizeof(o->items));
    memcpy(o->block, c->block, sizeof(o->block));
    memcpy(o->cluster, c->cluster, sizeof(o->cluster));
    return CLI_FINE;
}

/* ---- Memory and arguments ---- */

/* "argument 0 (out)" where one is exactly this address, else where it lies. */
static void name_piece(const run_job *job, const lw_capture_piece *p, char *text, size_t size)
{
    const lw_capture *c = job->capture;
    snprintf(text, size, "the allocation at 0x%" PRIx64, p->address);
    for (size_t i = 0; i < job->kernel->explicit_count; i++) {
        const lw_arg_info *a = &job->kernel->args[i];
        uint64_t value;
        if (a->size != sizeof(value) || a->offset + sizeof(value) > c->args_size)
            continue;
        memcpy(&value, (const uint8_t *)c->args + a->offset, sizeof(value));
        if (value != p->address)
            continue;
        snprintf(text, size, a->name[0] ? "argument %zu (%.100s)" : "argument %zu", i, a->name);
        return;
    }
}

void run_capture_title(const run_job *job, const lw_capture_piece *p, char *text, size_t size)
{
    if (p->name[0])
        snprintf(text, size, "variable %.200s", p->name);
    else
        name_piece(job, p, text, size);
}

static int place_allocations(run_job *job)
{
    lw_error error = { "" };
    for (size_t i = 0; i < job->capture->piece_count; i++) {
        const lw_capture_piece *p = &job->capture->pieces[i];
        char title[256];
        if (p->name[0])
            continue;
        run_capture_title(job, p, title, sizeof(title));
        lw_status status =
            lw_memory_allocate_at(job->memory, title, p->address, p->size, LW_ACCESS_READ_WRITE, &error);
        if (status == LW_OK && p->size)
            status = lw_memory_write(job->memory, p->address, p->before, p->size);
        if (status != LW_OK)
            return cli_fail_status(job->call, job->capture_path, status, &error);
    }
    return CLI_FINE;
}

/* The module is placed last: it goes where the allocations leave room. */
static int place_variables(run_job *job)
{
    lw_error error = { "" };
    lw_status status = lw_module_load(job->memory, job->program, &job->module, &error);
    for (size_t i = 0; i < job->capture->piece_count && status == LW_OK; i++) {
        const lw_capture_piece *p = &job->capture->pieces[i];
        uint64_t address, size;
        if (!p->name[0])
            continue;
        status = lw_module_symbol(job->module, p->name, &address, &size, &error);
        if (status == LW_OK && size != p->size)
            return cli_fail(job->call, CLI_USAGE,
                            "%s: variable %s has %" PRIu64 " bytes there, but %" PRIu64 " in the code",
                            job->capture_path, p->name, p->size, size);
        if (status == LW_OK)
            status = lw_memory_write(job->memory, address, p->before, size);
    }
    return status == LW_OK ? CLI_FINE : cli_fail_status(job->call, job->path, status, &error);
}

/* An argument may be the address of a variable, which is elsewhere here. */
static void move_word(const run_job *job, uint8_t *bytes)
{
    uint64_t value, address;
    memcpy(&value, bytes, sizeof(value));
    for (size_t i = 0; i < job->capture->piece_count; i++) {
        const lw_capture_piece *p = &job->capture->pieces[i];
        if (!p->name[0] || value - p->address >= p->size ||
            lw_module_symbol(job->module, p->name, &address, NULL, NULL) != LW_OK)
            continue;
        value += address - p->address;
        memcpy(bytes, &value, sizeof(value));
        return;
    }
}

static int take_arguments(run_job *job)
{
    const lw_capture *c = job->capture;
    const lw_kernel_info *k = job->kernel;
    job->values = cli_alloc((k->explicit_count + 1) * sizeof(*job->values));
    job->block = cli_alloc(c->args_size + 8);
    if (c->args_size)
        memcpy(job->block, c->args, c->args_size);
    for (size_t at = 0; at + 8 <= c->args_size; at += 8)
        move_word(job, job->block + at);
    for (size_t i = 0; i < k->explicit_count; i++) {
        const lw_arg_info *a = &k->args[i];
        if ((uint64_t)a->offset + a->size > c->args_size)
            return cli_fail(job->call, CLI_USAGE,
                            "%s: argument %zu of %s is bytes %u to %u, but the capture has %zu", job->path, i,
                            k->name, a->offset, a->offset + a->size - 1, c->args_size);
        job->values[i] = (lw_arg){ .bytes = job->block + a->offset,
                                   .size = a->size,
                                   .is_pointer = a->kind == LW_ARG_BUFFER };
    }
    job->options.args = job->values;
    job->options.arg_count = k->explicit_count;
    job->options.dynamic_lds = c->dynamic_lds;
    return CLI_FINE;
}

int run_capture_place(run_job *job)
{
    lw_error error = { "" };
    uint64_t limit;
    lw_status status = lw_memory_create(&job->memory);
    if (status == LW_OK && arg_memory_limit(job->call, &limit))
        lw_memory_set_limit(job->memory, limit);
    if (status == LW_OK)
        status = lw_memory_set_beside(job->memory, job->capture_size, &error);
    if (status != LW_OK)
        return cli_fail_status(job->call, "device memory", status, &error);
    int exit = place_allocations(job);
    if (exit == CLI_FINE)
        exit = place_variables(job);
    if (exit == CLI_FINE)
        exit = take_arguments(job);
    job->options.memory = NULL;
    job->options.program = NULL;
    job->options.module = job->module;
    return exit;
}

void run_capture_free(run_job *job)
{
    lw_module_unload(job->module);
    lw_capture_free(job->capture);
    free(job->capture_bytes);
}
