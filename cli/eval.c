/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/file.h"
#include "cli/eval.h"
#include "cli/output.h"

/* The required form of a source: rows x cols elements of `bytes` bytes, for each block. */
typedef struct source_rule {
    const char *option;
    const char *format; /* of the elements */
    unsigned rows, cols, bytes;
    bool required;
    bool stored; /* columns are stored k */
} source_rule;

/* The .npy types that may hold codes of a format: its own type if NumPy has one, or plain unsigned codes. */
static lw_dtype own_dtype(const char *format)
{
    const bool f32 = strcmp(format, "xf32") == 0 || strcmp(format, "tf32") == 0; /* in f32 registers */
    if (f32)
        return LW_DTYPE_F4;
    const arg_type *type = arg_type_find(format, strlen(format));
    return type && !type->raw ? type->dtype : LW_DTYPE_COUNT;
}

static lw_dtype code_dtype(unsigned bytes)
{
    return bytes == 1 ? LW_DTYPE_U1 : bytes == 2 ? LW_DTYPE_U2 : bytes == 4 ? LW_DTYPE_U4 : LW_DTYPE_U8;
}

static bool right_shape(const lw_npy *array, const source_rule *rule, unsigned blocks)
{
    const unsigned lead = array->dims == 3;
    if (array->dims == 2 ? blocks != 1 : array->dims != 3 || array->shape[0] != blocks)
        return false;
    return array->shape[lead] == rule->rows && array->shape[lead + 1] == rule->cols;
}

static int check_source(const cli_call *call, const char *path, const lw_npy *array, const source_rule *rule,
                        unsigned blocks)
{
    char have[256], want[64];
    const lw_dtype own = own_dtype(rule->format), code = code_dtype(rule->bytes);
    const char *own_name = own == LW_DTYPE_COUNT ? lw_dtype_name(code) : lw_dtype_name(own);
    if (array->dtype != code && array->dtype != own)
        return cli_fail(call, CLI_USAGE, "--%s %s: it holds %s, but the elements are %s: needs %s%s%s",
                        rule->option, path, lw_dtype_name(array->dtype), rule->format, own_name,
                        own == LW_DTYPE_COUNT ? " codes" : ", or its codes as ",
                        own == LW_DTYPE_COUNT ? "" : lw_dtype_name(code));
    if (right_shape(array, rule, blocks))
        return CLI_FINE;
    expect_shape_text(array, have, sizeof(have));
    if (blocks == 1)
        snprintf(want, sizeof(want), "%ux%u%s", rule->rows, rule->cols,
                 rule->stored ? " (row x stored k)" : "");
    else
        snprintf(want, sizeof(want), "%ux%ux%u", blocks, rule->rows, rule->cols);
    return cli_fail(call, CLI_USAGE, "--%s %s: its shape is %s, the instruction needs %s", rule->option, path,
                    have, want);
}

static int read_source(const cli_call *call, const source_rule *rule, unsigned blocks, uint64_t *held,
                       lw_npy *array)
{
    const char *path = cli_value(call, rule->option);
    if (!path && rule->required)
        return cli_fail(call, CLI_USAGE, "needs --%s FILE.npy: %u x %u elements of %s%s", rule->option,
                        rule->rows, rule->cols, rule->format, rule->stored ? " (row x stored k)" : "");
    if (!path)
        return CLI_FINE;
    if (rule->rows == 0 || rule->cols == 0)
        return cli_fail(call, CLI_USAGE, "--%s: %s has no such operand", rule->option, call->operands[0]);
    const int exit = file_read_array(call, rule->option, path, held, array);
    return exit == CLI_FINE ? check_source(call, path, array, rule, blocks) : exit;
}

/* Each element of the index holds the four bits of one group. */
static int check_index(const cli_call *call, const lw_npy *index)
{
    enum { LARGEST = 15 };
    const uint8_t *groups = index->data;
    for (uint64_t i = 0; i < index->count; i++)
        if (groups[i] > LARGEST)
            return cli_fail(call, CLI_USAGE,
                            "--index %s: element %" PRIu64 " is %u; a group's four bits are 0 to %d",
                            cli_value(call, "index"), i, groups[i], LARGEST);
    return CLI_FINE;
}

static int read_sources(const cli_call *call, eval_job *job)
{
    const lw_mma_shape *s = &job->shape;
    const source_rule rules[EVAL_SOURCES] = {
        { "a", s->a_format, s->m, s->a_k, s->a_bytes, true, s->groups > 0 },
        { "b", s->b_format, s->k, s->n, s->b_bytes, true, false },
        { "c", s->c_format, s->m, s->n, s->c_bytes, false, false },
        { "index", "index", s->m, s->groups, 1, s->groups > 0, false },
        { "scale-a", "e8m0", s->m, s->scale_k, 1, false, false },
        { "scale-b", "e8m0", s->n, s->scale_k, 1, false, false },
    };
    int exit = CLI_FINE;
    for (int i = 0; i < EVAL_SOURCES && exit == CLI_FINE; i++)
        exit = read_source(call, &rules[i], s->blocks, &job->held, &job->sources[i]);
    if (exit == CLI_FINE)
        exit = check_index(call, &job->sources[3]);
    job->matrices = (lw_mma_matrices){
        .a = job->sources[0].data,
        .b = job->sources[1].data,
        .c = job->sources[2].data,
        .index = job->sources[3].data,
        .scale_a = job->sources[4].data,
        .scale_b = job->sources[5].data,
    };
    return exit;
}

static void make_result(eval_job *job)
{
    const lw_mma_shape *s = &job->shape;
    const lw_dtype own = own_dtype(s->d_format);
    const unsigned lead = s->blocks > 1;
    job->d.dtype = own == LW_DTYPE_COUNT ? code_dtype(s->d_bytes) : own;
    job->d_type = arg_type_of(job->d.dtype);
    job->d.dims = 2 + lead;
    job->d.shape[0] = s->blocks;
    job->d.shape[lead] = s->m;
    job->d.shape[lead + 1] = s->n;
    job->d.count = (uint64_t)s->blocks * s->m * s->n;
    job->d.data = cli_alloc((size_t)job->d.count * s->d_bytes);
    job->matrices.d = job->d.data;
}

static int create(const cli_call *call, lw_arch arch, const lw_insn *insn, eval_job *job)
{
    lw_mods mods;
    cli_readings readings;
    lw_error error = { "" };
    int exit = target_mods(call, arch, insn, &mods);
    if (exit == CLI_FINE)
        exit = readings_read(call, &readings);
    if (exit != CLI_FINE)
        return exit;
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options),
                                     .mods = &mods,
                                     .readings = (const char *const *)readings.names,
                                     .reading_count = readings.count };
    const lw_status status = lw_mma_create(arch, insn, &options, &job->mma, &error);
    readings_free(&readings);
    if (status != LW_OK)
        return cli_fail_status(call, NULL, status, &error);
    lw_mma_get_shape(job->mma, &job->shape);
    return CLI_FINE;
}

int eval_job_read(const cli_call *call, lw_arch arch, const lw_insn *insn, eval_job *job)
{
    *job = (eval_job){ .expect_path = cli_value(call, "expect") };
    int exit = create(call, arch, insn, job);
    if (exit == CLI_FINE)
        exit = expect_limits(call, &job->limits);
    if (exit == CLI_FINE)
        exit = read_sources(call, job);
    if (exit != CLI_FINE)
        return exit;
    make_result(job);
    return job->expect_path
               ? expect_load(call, job->expect_path, job->held, job->d_type, &job->d, &job->expected)
               : CLI_FINE;
}

int eval_check_output(const cli_call *call, const char *out)
{
    static const char *const readers[] = { "a",       "b",      "c",         "index", "scale-a",
                                           "scale-b", "memory", "registers", "expect" };
    int exit = output_check(call, out);
    for (size_t i = 0; i < CLI_COUNT(readers) && exit == CLI_FINE; i++) {
        char who[32];
        const char *read = cli_value(call, readers[i]);
        snprintf(who, sizeof(who), "--%s", readers[i]);
        exit = read ? output_check_read(call, out, read, who) : CLI_FINE;
    }
    return exit;
}

void eval_job_free(eval_job *job)
{
    lw_mma_free(job->mma);
    for (int i = 0; i < EVAL_SOURCES; i++)
        lw_npy_free(&job->sources[i]);
    lw_npy_free(&job->expected);
    free(job->d.data);
}
