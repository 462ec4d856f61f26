/* SPDX-License-Identifier: MIT */
/* why --capture FILE: the launch that the file holds, and its memory as arrays. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/parse.h"
#include "cli/run_capture.h"
#include "cli/why.h"

/* ---- Words: [FILE[:KERNEL]] NAME=TYPE[SHAPE]... ---- */

static size_t name_length(const char *word)
{
    size_t length = 0;
    while (isalnum((unsigned char)word[length]) || word[length] == '_')
        length++;
    return length && word[length] == '=' ? length : 0;
}

/* The call without descriptions of arrays. */
static int split_words(why_job *job, const cli_call *call)
{
    job->inner = *call;
    job->inner.operands = cli_alloc((call->operand_count + 1) * sizeof(*call->operands));
    job->inner.operand_count = 0;
    for (size_t i = 0; i < call->operand_count; i++) {
        if (name_length(call->operands[i]))
            continue;
        if (i)
            return cli_fail(
                call, CLI_USAGE,
                "'%s': with --capture, arrays are described as NAME=TYPE[N,..], as in C=f32[64,64]",
                call->operands[i]);
        job->inner.operands[job->inner.operand_count++] = call->operands[i];
    }
    job->run.call = &job->inner;
    return CLI_FINE;
}

/* ---- Arrays ---- */

static uint64_t argument_of(const run_job *run, size_t i)
{
    uint64_t value = 0;
    if (run->values[i].size == sizeof(value))
        memcpy(&value, run->values[i].bytes, sizeof(value));
    return value;
}

/* Where a piece is now: variables are elsewhere than on the GPU. */
static uint64_t place_of(const run_job *run, const lw_capture_piece *p)
{
    uint64_t address = p->address;
    if (p->name[0])
        (void)lw_module_symbol(run->module, p->name, &address, NULL, NULL);
    return address;
}

/* The piece that an address is in. */
static const lw_capture_piece *piece_at(const run_job *run, uint64_t address)
{
    for (size_t i = 0; i < run->capture->piece_count; i++) {
        const lw_capture_piece *p = &run->capture->pieces[i];
        if (address - place_of(run, p) < p->size)
            return p;
    }
    return NULL;
}

/* One more array, that of no argument. */
static size_t add_array(why_job *job, const char *name, uint64_t address)
{
    run_job *run = &job->run;
    const size_t at = run->arg_count++;
    char *own = cli_copy(name, strlen(name));
    job->extra[job->extra_count] = (lw_arg_info){ .name = own, .size = sizeof(address) };
    run->infos[at] = &job->extra[job->extra_count++];
    run->args[at] = (run_arg){ .word = own, .text = own };
    run->addresses[at] = address;
    return at;
}

/* The array of that name: an argument, a variable, or an address. */
static int find_array(why_job *job, const char *word, const char *name, size_t *at)
{
    run_job *run = &job->run;
    uint64_t address;
    if (run_find_arg(run, name, at)) {
        if (piece_at(run, run->addresses[*at]))
            return CLI_FINE;
        return cli_fail(run->call, CLI_USAGE, "%s: the argument is not the address of memory in the capture",
                        word);
    }
    for (size_t i = 0; i < run->capture->piece_count; i++)
        if (strcmp(run->capture->pieces[i].name, name) == 0) {
            *at = add_array(job, name, place_of(run, &run->capture->pieces[i]));
            return CLI_FINE;
        }
    if (strncmp(name, "0x", 2) == 0 && parse_u64(name, &address) && piece_at(run, address)) {
        *at = add_array(job, name, address);
        return CLI_FINE;
    }
    return cli_fail(run->call, CLI_USAGE,
                    "%s: '%s' is no argument of %s, no variable in the capture, and no address in it "
                    "(lanewise list %s shows them)",
                    word, name, run->kernel->name, run->capture_path);
}

/* The array's data are the launch's memory. */
static bool place_array(why_job *job, size_t at)
{
    run_job *run = &job->run;
    run_arg *arg = &run->args[at];
    const uint64_t bytes = arg_array_bytes(arg), address = run->addresses[at];
    const lw_capture_piece *p = piece_at(run, address);
    arg->form = ARG_OUT;
    arg->placed = true;
    if (!p || bytes > p->size - (address - place_of(run, p))) /* all variables of PTX are one region */
        return false;
    arg->array.data = lw_memory_host(lw_module_memory(run->module), address, bytes);
    return arg->array.data != NULL;
}

static int describe(why_job *job, const char *word)
{
    run_job *run = &job->run;
    const size_t length = name_length(word);
    char *name = cli_copy(word, length), type[256];
    size_t at = 0;
    int exit = find_array(job, word, name, &at);
    free(name);
    if (exit != CLI_FINE)
        return exit;
    const uint64_t address = run->addresses[at];
    snprintf(type, sizeof(type), "out:-=%.240s", word + length + 1);
    arg_free(&run->args[at]);
    if (!arg_read(run->call, type, 0, &run->args[at]))
        return CLI_USAGE;
    run->args[at].word = run->args[at].text = word;
    job->known[at] = true;
    if (place_array(job, at))
        return CLI_FINE;
    const lw_capture_piece *p = piece_at(run, address);
    return cli_fail(run->call, CLI_USAGE,
                    "%s: it has %" PRIu64 " bytes, but the capture holds %" PRIu64 " from there on", word,
                    arg_array_bytes(&run->args[at]), p->size - (address - place_of(run, p)));
}

/* Memory that nobody has described is counted in words of 32 bits. */
static void describe_rest(why_job *job)
{
    run_job *run = &job->run;
    for (size_t i = 0; i < run->capture->piece_count; i++) {
        const lw_capture_piece *p = &run->capture->pieces[i];
        const uint64_t address = place_of(run, p);
        char name[32];
        size_t at = 0;
        while (at < run->arg_count && run->addresses[at] != address)
            at++;
        if (!p->size || (at < run->arg_count && run->args[at].array.data))
            continue;
        snprintf(name, sizeof(name), "0x%" PRIx64, address);
        if (at == run->arg_count)
            at = add_array(job, p->name[0] ? p->name : name, address);
        const arg_type *type = arg_type_find(p->size % 4 ? "u8" : "u32", p->size % 4 ? 2 : 3);
        lw_npy *array = &run->args[at].array;
        run->args[at].type = type;
        *array = (lw_npy){ .dtype = type->dtype, .dims = 1 };
        array->shape[0] = array->count = p->size / lw_dtype_size(type->dtype);
        (void)place_array(job, at);
    }
}

static int read_arrays(why_job *job, const cli_call *call)
{
    run_job *run = &job->run;
    const size_t arguments = run->kernel->explicit_count,
                 room = arguments + call->operand_count + run->capture->piece_count + 1;
    run->args = cli_alloc(room * sizeof(*run->args));
    run->infos = cli_alloc(room * sizeof(*run->infos));
    run->addresses = cli_alloc(room * sizeof(*run->addresses));
    job->extra = cli_alloc(room * sizeof(*job->extra));
    job->known = cli_alloc(room * sizeof(*job->known));
    run->arg_count = arguments;
    for (size_t i = 0; i < arguments; i++) {
        run->infos[i] = &run->kernel->args[i];
        run->addresses[i] = argument_of(run, i);
    }
    int exit = CLI_FINE;
    for (size_t i = 0; i < call->operand_count && exit == CLI_FINE; i++)
        if (name_length(call->operands[i]))
            exit = describe(job, call->operands[i]);
    if (exit == CLI_FINE)
        describe_rest(job);
    return exit;
}

/* ---- What the GPU left ---- */

static bool is_expected(const run_job *run, size_t arg)
{
    for (size_t i = 0; i < run->expect_count; i++)
        if (run->expects[i].arg == arg)
            return true;
    return false;
}

/* Memory after the launch is what arrays should hold, unless --expect says otherwise. */
static int expect_recorded(why_job *job)
{
    run_job *run = &job->run;
    const bool first = cli_has(run->call, "first-difference");
    if (run->capture->outcome[0]) {
        if (first && !run->expect_count)
            return cli_fail(run->call, CLI_USAGE,
                            "%s: it has no memory after the launch (on the GPU, %s), so --first-difference "
                            "needs --expect",
                            run->capture_path, run->capture->outcome);
        return CLI_FINE;
    }
    if (first && run->expect_count)
        return CLI_FINE;
    run->expects = realloc(run->expects, (run->expect_count + run->arg_count + 1) * sizeof(*run->expects));
    if (!run->expects)
        return cli_fail(run->call, CLI_USAGE, "no memory");
    for (size_t i = 0; i < run->arg_count; i++) {
        const lw_capture_piece *p = piece_at(run, run->addresses[i]);
        if (!run->args[i].array.data || !p || is_expected(run, i))
            continue;
        run_expect *e = &run->expects[run->expect_count++];
        *e = (run_expect){
            .path = run->capture_path, .arg = i, .array = run->args[i].array, .borrowed = true
        };
        e->array.data = (uint8_t *)p->after + (run->addresses[i] - place_of(run, p));
    }
    job->recorded = true;
    return CLI_FINE;
}

int why_capture_read(why_job *job, const cli_call *call)
{
    run_job *run = &job->run;
    run->described = true;
    int exit = split_words(job, call);
    if (exit == CLI_FINE)
        exit = run_capture_read(run);
    if (exit == CLI_FINE)
        exit = run_read_options(run);
    if (exit == CLI_FINE)
        exit = run_capture_place(run);
    if (exit == CLI_FINE)
        exit = read_arrays(job, call);
    if (exit == CLI_FINE)
        exit = run_read_expects(run);
    return exit == CLI_FINE ? expect_recorded(job) : exit;
}

bool why_capture_knows(const why_job *job, size_t arg)
{
    return !job->run.capture || job->known[arg];
}

void why_capture_note(const why_job *job)
{
    size_t shown = 0;
    for (size_t i = 0; job->run.capture && i < job->run.arg_count; i++)
        if (!job->known[i] && job->run.args[i].array.data)
            printf("%s%s", shown++ ? ", " : "not described, so counted in words of 32 bits: ", job->names[i]);
    if (shown)
        puts(" (say NAME=TYPE[N,..])");
}

void why_capture_free(why_job *job)
{
    for (size_t i = 0; i < job->extra_count; i++)
        free((char *)job->extra[i].name);
    free(job->extra);
    free(job->known);
    free(job->inner.operands);
}
