/* SPDX-License-Identifier: MIT */
/* --expect [NAME=]FILE: which argument is meant, and what it should hold. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run.h"

static bool is_result(const run_arg *arg)
{
    return arg->form == ARG_INOUT || arg->form == ARG_OUT || arg->form == ARG_ZERO;
}

/* NAME may be the argument's name or number. */
static bool find_arg(const run_job *job, const char *name, size_t length, size_t *index)
{
    char *word = cli_copy(name, length);
    const bool found = run_find_arg(job, word, index);
    free(word);
    return found && is_result(&job->args[*index]);
}

static int find_only_result(const run_job *job, const char *text, size_t *index)
{
    size_t results = 0;
    for (size_t i = 0; i < job->arg_count; i++)
        if (is_result(&job->args[i])) {
            *index = i;
            results++;
        }
    if (results == 0)
        return cli_fail(job->call, CLI_USAGE, "--expect %s: no argument is an out:, zero: or inout: array",
                        text);
    if (results > 1)
        return cli_fail(job->call, CLI_USAGE,
                        "--expect %s: %zu arguments are results; say which, as in --expect %s=%s", text,
                        results, run_arg_name(job->infos[*index])[0] ? run_arg_name(job->infos[*index]) : "0",
                        text);
    return CLI_FINE;
}

static int read_expect(run_job *job, const char *text, run_expect *e)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    const bool named = length > 0 && text[length] == '=';
    e->path = named ? text + length + 1 : text;
    if (named && !find_arg(job, text, length, &e->arg))
        return cli_fail(job->call, CLI_USAGE,
                        "--expect %s: %.*s is not an out:, zero: or inout: argument of %s", text, (int)length,
                        text, job->kernel->name);
    const int exit = named ? CLI_FINE : find_only_result(job, text, &e->arg);
    if (exit != CLI_FINE)
        return exit;
    const run_arg *arg = &job->args[e->arg];
    const int read = expect_load(job->call, e->path, job->arrays, arg->type, &arg->array, &e->array);
    const uint64_t bytes = read == CLI_FINE ? e->array.count * lw_dtype_size(e->array.dtype) : 0;
    job->arrays += bytes;
    job->beside += bytes;
    return read;
}

int run_read_expects(run_job *job)
{
    const char *text;
    job->expects = cli_alloc((job->call->given_count + 1) * sizeof(*job->expects));
    for (size_t at = 0; (text = cli_next_value(job->call, "expect", &at)) != NULL;) {
        const int exit = read_expect(job, text, &job->expects[job->expect_count]);
        if (exit != CLI_FINE)
            return exit;
        job->expect_count++;
    }
    return CLI_FINE;
}
