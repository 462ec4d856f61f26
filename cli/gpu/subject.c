/* SPDX-License-Identifier: MIT */
#include "cli/gpu/subject.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const subject_group groups[] = {
    { "matrix", "matrix instructions", matrix_each, matrix_open, matrix_fill, matrix_expect, matrix_explain },
    { "warpgroup", "matrix instructions of a warpgroup", warpgroup_each, warpgroup_open, matrix_fill,
      warpgroup_expect, warpgroup_explain },
    { "moves", "moves between registers and shared memory", moves_each, moves_open, moves_fill, launch_expect,
      moves_explain },
    { "lanes", "instructions by lane", lanes_each, lanes_open, lanes_fill, launch_expect, lanes_explain },
    { "inputs", "functions over all inputs", functions_each, functions_open, functions_fill, launch_expect,
      lanes_explain },
    { "probe", "probes", probes_each, probes_open, probes_fill, probes_expect, probes_explain },
};

const subject_group *subject_group_at(size_t index)
{
    return index < CLI_COUNT(groups) ? &groups[index] : NULL;
}

const subject_group *subject_group_find(const char *name)
{
    for (size_t i = 0; i < CLI_COUNT(groups); i++)
        if (strcmp(groups[i].name, name) == 0)
            return &groups[i];
    return NULL;
}

bool subject_fail(lw_error *error, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    vsnprintf(error->text, sizeof(error->text), format, rest);
    va_end(rest);
    return false;
}

static bool load_program(subject *s, lw_error *error)
{
    lw_load_options options = lw_load_options_default();
    options.arch = s->arch;
    return lw_program_load(s->image, s->image_size, &options, &s->program, error) == LW_OK;
}

bool subject_open(const subject_group *group, const char *name, lw_arch arch, subject *s, lw_error *error)
{
    *s = (subject){ .group = group, .arch = arch, .per_group = 1 };
    *error = (lw_error){ "" };
    if (strlen(name) >= sizeof(s->name))
        return subject_fail(error, "a name of more than %zu characters", sizeof(s->name) - 1);
    strcpy(s->name, name);
    if (!group->open(s, error))
        return false;
    return group->expect != launch_expect || load_program(s, error);
}

void subject_close(subject *s)
{
    wave_close(&s->wave);
    lw_mma_free(s->mma);
    lw_program_free(s->program);
    free(s->image);
    *s = (subject){ .group = NULL };
}

uint32_t subject_groups(const subject *s, size_t cases)
{
    return (uint32_t)((cases + s->per_group - 1) / s->per_group);
}

/* Runs the subject's own code. */
static bool launch(const subject *s, lw_memory *memory, const uint64_t address[2], size_t cases,
                   lw_error *error)
{
    const lw_arg args[2] = { { NULL, &address[0], sizeof(address[0]), true },
                             { NULL, &address[1], sizeof(address[1]), true } };
    lw_launch_options options = lw_launch_options_default();
    options.program = s->program;
    options.memory = memory;
    options.grid[0] = subject_groups(s, cases);
    options.block[0] = s->lanes;
    options.args = args;
    options.arg_count = 2;
    lw_launch_result *result = NULL;
    const lw_status status = lw_launch(&options, &result, error);
    if (status != LW_OK && result && result->faulted)
        subject_fail(error, "%s", result->fault.reason);
    lw_launch_result_free(result);
    return status == LW_OK;
}

bool launch_expect(subject *s, const uint32_t *in, size_t cases, uint32_t *out, lw_error *error)
{
    const size_t in_bytes = cases * s->in_words * sizeof(*in),
                 out_bytes = cases * s->out_words * sizeof(*out),
                 padded = (size_t)subject_groups(s, cases) * s->per_group;
    uint64_t address[2];
    lw_memory *memory = NULL;
    bool fine = lw_memory_create(&memory) == LW_OK &&
                lw_memory_allocate(memory, "in", padded * s->in_words * sizeof(*in), LW_ACCESS_READ,
                                   &address[0], error) == LW_OK &&
                lw_memory_allocate(memory, "out", padded * s->out_words * sizeof(*out), LW_ACCESS_READ_WRITE,
                                   &address[1], error) == LW_OK &&
                lw_memory_write(memory, address[0], in, in_bytes) == LW_OK;
    fine = fine && launch(s, memory, address, cases, error) &&
           lw_memory_read(memory, address[1], out, out_bytes) == LW_OK;
    lw_memory_free(memory);
    return fine;
}
