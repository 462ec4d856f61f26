/* SPDX-License-Identifier: MIT */
#include "runtime/ptxrun.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { MOST_ARGS = 4096 };

/* The process's memory except for the first 64 KiB and a gap for the module's own variables and heap. */
static const struct {
    uint64_t first, end;
} ranges[] = { { 0x10000, 0x700000000 }, { 0x2000000000, 0x7ffffffff000 } };

static _Thread_local struct {
    int status;
    char text[1200];
} last;

typedef struct job {
    lw_program *program;
    lw_memory *memory;
    lw_arg *args;
    uint64_t *values;
    lw_error error;
} job;

static lw_status fail(job *j, lw_status status, const char *text)
{
    snprintf(j->error.text, sizeof(j->error.text), "%s", text);
    return status;
}

static lw_status load(job *j, const char *ptx)
{
    if (!ptx)
        return fail(j, LW_E_ARGUMENT, "there is no PTX text");
    const lw_status status = lw_program_load(ptx, strlen(ptx), NULL, &j->program, &j->error);
    if (status != LW_OK || lw_program_kernel_count(j->program) == 1)
        return status;
    return fail(j, LW_E_ARGUMENT,
                lw_program_kernel_count(j->program) ? "the module has several .entry functions"
                                                    : "the module has no .entry");
}

static lw_status open_memory(job *j)
{
    lw_status status = lw_memory_create(&j->memory);
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]) && status == LW_OK; i++)
        status = lw_memory_register(j->memory, "the process", (void *)(uintptr_t)ranges[i].first,
                                    ranges[i].end - ranges[i].first, LW_ACCESS_READ_WRITE, &j->error);
    return status;
}

/* Checks that parameters are numbers and addresses; a struct by value does not fit in an array of void *. */
static lw_status take_args(job *j, int count, void **given)
{
    const lw_kernel_info *info = lw_program_kernel_at(j->program, 0);
    if (count && !given) {
        snprintf(j->error.text, sizeof(j->error.text), "there is no array of the %d arguments", count);
        return LW_E_ARGUMENT;
    }
    if (count < 0 || count > MOST_ARGS || (size_t)count != info->explicit_count) {
        snprintf(j->error.text, sizeof(j->error.text), "%.200s takes %zu arguments, but %d are given",
                 info->name, (size_t)info->explicit_count, count);
        return LW_E_ARGUMENT;
    }
    j->args = calloc((size_t)count + 1, sizeof(*j->args));
    j->values = calloc((size_t)count + 1, sizeof(*j->values));
    if (!j->args || !j->values)
        return LW_E_NO_MEMORY;
    for (size_t i = 0; i < (size_t)count; i++) {
        const lw_arg_info *a = &info->args[i];
        if (a->size > sizeof(uint64_t)) {
            snprintf(j->error.text, sizeof(j->error.text),
                     "argument %zu of %.200s has %u bytes; one given in a pointer has at most 8", i,
                     info->name, a->size);
            return LW_E_ARGUMENT;
        }
        j->values[i] = (uintptr_t)given[i]; /* little endian, like PTX */
        j->args[i] =
            (lw_arg){ .bytes = &j->values[i], .size = a->size, .is_pointer = a->kind == LW_ARG_BUFFER };
    }
    return LW_OK;
}

static void print(void *context, const char *text, size_t size)
{
    (void)context;
    fwrite(text, 1, size, stdout);
}

static lw_status launch(job *j, int n_args, const int block[3], const int grid[3], int shared_bytes)
{
    lw_launch_options o = lw_launch_options_default();
    for (int i = 0; i < 3; i++) {
        if (block[i] < 1 || grid[i] < 1 || shared_bytes < 0)
            return fail(j, LW_E_ARGUMENT,
                        "block and grid sizes must be at least 1, shared memory at least 0 bytes");
        o.block[i] = (uint32_t)block[i];
        o.grid[i] = (uint32_t)grid[i];
    }
    o.program = j->program;
    o.memory = j->memory;
    o.args = j->args;
    o.arg_count = (size_t)n_args;
    o.dynamic_lds = (uint32_t)shared_bytes;
    o.print = print;
    return lw_launch(&o, NULL, &j->error);
}

void ptx_run(const char *ptx, int n_args, void **args, int bx, int by, int bz, int gx, int gy, int gz,
             int shared_bytes)
{
    const int block[] = { bx, by, bz }, grid[] = { gx, gy, gz };
    job j = { .error = { "" } };
    lw_status status = load(&j, ptx);
    if (status == LW_OK)
        status = open_memory(&j);
    if (status == LW_OK)
        status = take_args(&j, n_args, args);
    if (status == LW_OK)
        status = launch(&j, n_args, block, grid, shared_bytes);
    last.status = (int)status;
    last.text[0] = '\0';
    if (status != LW_OK) {
        snprintf(last.text, sizeof(last.text), "ptx_run: %s",
                 j.error.text[0] ? j.error.text : lw_status_text(status));
        fprintf(stderr, "%s\n", last.text);
    }
    lw_memory_free(j.memory);
    lw_program_free(j.program);
    free(j.args);
    free(j.values);
}

int ptx_run_status(void)
{
    return last.status;
}

const char *ptx_run_message(void)
{
    return last.text;
}
