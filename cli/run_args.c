/* SPDX-License-Identifier: MIT */
/* From words to the kernel's arguments: binding, checking, device memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/file.h"
#include "cli/output.h"
#include "cli/run.h"

/* "argument 2 (n)" */
static void arg_title(const run_job *job, size_t index, char *text, size_t size)
{
    const char *name = job->infos[index]->name;
    snprintf(text, size, "argument %zu%s%s%s", index, name[0] ? " (" : "", name, name[0] ? ")" : "");
}

/* "c (buffer), n (4 bytes)", or "buffer, 4 bytes" without names: what the kernel takes. */
static void name_args(const run_job *job, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < job->arg_count && used < size; i++) {
        const lw_arg_info *a = job->infos[i];
        char kind[32];
        snprintf(kind, sizeof(kind), "%u byte%s", a->size, a->size == 1 ? "" : "s");
        const char *what = a->kind == LW_ARG_BUFFER ? "buffer" : kind;
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s%s", i ? ", " : "", a->name,
                                 a->name[0] ? " (" : "", what, a->name[0] ? ")" : "");
    }
}

static int fail_count(const run_job *job, size_t given)
{
    char names[1024];
    name_args(job, names, sizeof(names));
    if (job->arg_count == 0)
        return cli_fail(job->call, CLI_USAGE, "%s takes no arguments, but %zu are given", job->kernel->name,
                        given);
    return cli_fail(job->call, CLI_USAGE, "%s takes %zu argument%s, but %zu are given; it takes %s",
                    job->kernel->name, job->arg_count, job->arg_count == 1 ? "" : "s", given, names);
}

/* The arguments a caller gives: the explicit ones without pointers to dynamic LDS and padding. */
static void find_infos(run_job *job)
{
    job->infos = cli_alloc((job->kernel->explicit_count + 1) * sizeof(*job->infos));
    for (size_t i = 0; i < job->kernel->explicit_count; i++)
        if (job->kernel->args[i].kind != LW_ARG_LDS && job->kernel->args[i].kind != LW_ARG_PADDING)
            job->infos[job->arg_count++] = &job->kernel->args[i];
    job->args = cli_alloc((job->arg_count + 1) * sizeof(*job->args));
    job->addresses = cli_alloc((job->arg_count + 1) * sizeof(*job->addresses));
    job->values = cli_alloc((job->arg_count + 1) * sizeof(*job->values));
}

static bool has_names(const run_job *job)
{
    for (size_t i = 0; i < job->arg_count; i++)
        if (job->infos[i]->name[0])
            return true;
    return job->arg_count == 0;
}

static int place_named(run_job *job, const run_arg *arg, size_t *index)
{
    char names[1024];
    for (size_t i = 0; i < job->arg_count; i++) {
        if (strcmp(job->infos[i]->name, arg->name) != 0)
            continue;
        if (job->args[i].word)
            return cli_fail(job->call, CLI_USAGE, "argument '%s': %s is given twice", arg->word, arg->name);
        *index = i;
        return CLI_FINE;
    }
    if (!has_names(job))
        return cli_fail(job->call, CLI_USAGE,
                        "argument '%s': the file does not name the arguments of %s; give them in order, or "
                        "compile with -fhip-kernel-arg-name",
                        arg->word, job->kernel->name);
    name_args(job, names, sizeof(names));
    return cli_fail(job->call, CLI_USAGE, "argument '%s': %s has no argument '%s'; it takes %s", arg->word,
                    job->kernel->name, arg->name, names);
}

/* Named words first, then the positional ones in the order of what is left. */
static int bind(run_job *job, run_arg *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t index = 0;
        if (!words[i].name)
            continue;
        const int exit = place_named(job, &words[i], &index);
        if (exit != CLI_FINE)
            return exit;
        job->args[index] = words[i];
        words[i] = (run_arg){ 0 };
    }
    for (size_t i = 0, index = 0; i < count; i++) {
        if (!words[i].word)
            continue;
        while (job->args[index].word)
            index++;
        job->args[index] = words[i];
        words[i] = (run_arg){ 0 };
    }
    return CLI_FINE;
}

/* Source-level names of scalar types, as OpenCL and HIP metadata spell them. */
static const arg_type *source_type(const char *name)
{
    static const struct {
        const char *source, *type;
    } names[] = {
        { "char", "i8" },          { "signed char", "i8" },   { "int8_t", "i8" },
        { "unsigned char", "u8" }, { "uchar", "u8" },         { "uint8_t", "u8" },
        { "short", "i16" },        { "int16_t", "i16" },      { "unsigned short", "u16" },
        { "ushort", "u16" },       { "uint16_t", "u16" },     { "int", "i32" },
        { "int32_t", "i32" },      { "unsigned int", "u32" }, { "unsigned", "u32" },
        { "uint", "u32" },         { "uint32_t", "u32" },     { "long", "i64" },
        { "long long", "i64" },    { "int64_t", "i64" },      { "unsigned long", "u64" },
        { "ulong", "u64" },        { "uint64_t", "u64" },     { "size_t", "u64" },
        { "float", "f32" },        { "double", "f64" },       { "bool", "bool" },
    };
    for (size_t i = 0; i < CLI_COUNT(names); i++)
        if (strcmp(names[i].source, name) == 0)
            return arg_type_find(names[i].type, strlen(names[i].type));
    return NULL;
}

/* A bare number gets its type from the metadata, or is refused: 5 and 5.0f have different bits. */
static int type_number(const run_job *job, size_t index)
{
    char title[160];
    lw_error error = { "" };
    run_arg *arg = &job->args[index];
    const lw_arg_info *info = job->infos[index];
    const arg_type *type = source_type(info->type_name);
    arg_title(job, index, title, sizeof(title));
    if (info->kind != LW_ARG_VALUE)
        return cli_fail(job->call, CLI_USAGE, "%s is a %s, but '%s' is a number", title,
                        file_arg_kind(info->kind), arg->word);
    if (!type && (info->size == 4 || info->size == 8))
        return cli_fail(job->call, CLI_USAGE,
                        "%s: the file does not say what its %u bytes are; write i%u:%s, u%u:%s or f%u:%s",
                        title, info->size, info->size * 8, arg->text, info->size * 8, arg->text,
                        info->size * 8, arg->text);
    if (!type)
        return cli_fail(
            job->call, CLI_USAGE,
            "%s: the file does not say what its %u bytes are; give the type, as in i16:5, or bytes:HEX",
            title, info->size);
    arg->value = cli_alloc(8);
    arg->type = type;
    arg->form = ARG_VALUE;
    arg->size = lw_dtype_size(type->dtype);
    return arg_value(type, arg->text, arg->value, &error) == LW_OK
               ? CLI_FINE
               : cli_fail(job->call, CLI_USAGE, "%s, %s: %s", title, info->type_name, error.text);
}

static int check_arg(const run_job *job, size_t index)
{
    char title[160];
    const run_arg *arg = &job->args[index];
    const lw_arg_info *info = job->infos[index];
    const bool pointer = arg->form != ARG_VALUE;
    if (arg->form == ARG_NUMBER)
        return type_number(job, index);
    arg_title(job, index, title, sizeof(title));
    if (info->kind == LW_ARG_OTHER)
        return cli_fail(job->call, CLI_FAULT, "%s is of kind %s, which a launch cannot set up", title,
                        info->value_kind);
    if (pointer != (info->kind == LW_ARG_BUFFER))
        return cli_fail(job->call, CLI_USAGE, "%s is a %s of %u bytes, but '%s' is %s", title,
                        pointer ? "value" : "buffer, an address", info->size, arg->word,
                        arg->form == ARG_NULL ? "a null pointer"
                        : pointer             ? "an array"
                                              : "a value");
    if (!pointer && arg->size != info->size)
        return cli_fail(job->call, CLI_USAGE, "%s has %u byte%s, but '%s' has %zu", title, info->size,
                        info->size == 1 ? "" : "s", arg->word, arg->size);
    return arg->out_path ? output_check(job->call, arg->out_path) : CLI_FINE;
}

int run_read_args(run_job *job)
{
    const size_t count = job->call->operand_count - 1;
    int exit = CLI_FINE;
    find_infos(job);
    if (!job->kernel->has_metadata && count > 0)
        return cli_fail(job->call, CLI_USAGE, "%s: the file has no metadata that says what its arguments are",
                        job->kernel->name);
    if (count != job->arg_count)
        return fail_count(job, count);

    run_arg *words = cli_alloc((count + 1) * sizeof(*words));
    for (size_t i = 0; i < count && exit == CLI_FINE; i++)
        exit = arg_read(job->call, job->call->operands[i + 1], &words[i]) ? CLI_FINE : CLI_USAGE;
    if (exit == CLI_FINE)
        exit = bind(job, words, count);
    for (size_t i = 0; i < count; i++)
        arg_free(&words[i]);
    free(words);
    for (size_t i = 0; i < job->arg_count && exit == CLI_FINE; i++)
        exit = check_arg(job, i);
    return exit;
}

/* Puts a buffer into device memory; the address is the argument's value. */
static lw_status place_buffer(run_job *job, size_t index, lw_error *error)
{
    run_arg *arg = &job->args[index];
    char title[160];
    if (arg->form == ARG_NULL)
        return LW_OK;
    const lw_npy *array = &arg->array;
    const uint64_t size = array->count * lw_dtype_size(array->dtype);
    const lw_access access = arg->form == ARG_IN ? LW_ACCESS_READ : LW_ACCESS_READ_WRITE;
    arg_title(job, index, title, sizeof(title));
    lw_status status = lw_memory_allocate(job->memory, title, size, access, &job->addresses[index], error);
    if (status == LW_OK && (arg->form == ARG_OUT || arg->form == ARG_ZERO))
        status = lw_memory_watch_stores(job->memory, job->addresses[index], error);
    if (status != LW_OK || size == 0)
        return status;
    return lw_memory_write(job->memory, job->addresses[index], array->data, size);
}

int run_make_memory(run_job *job)
{
    lw_error error = { "" };
    lw_status status = lw_memory_create(&job->memory);
    for (size_t i = 0; i < job->arg_count && status == LW_OK; i++) {
        const run_arg *arg = &job->args[i];
        const bool pointer = arg->form != ARG_VALUE;
        if (pointer)
            status = place_buffer(job, i, &error);
        job->values[i] = (lw_arg){ .bytes = pointer ? (const void *)&job->addresses[i] : arg->value,
                                   .size = pointer ? sizeof(job->addresses[i]) : arg->size,
                                   .is_pointer = pointer };
    }
    job->options.memory = job->memory;
    job->options.args = job->values;
    job->options.arg_count = job->arg_count;
    return status == LW_OK ? CLI_FINE : cli_fail_status(job->call, "device memory", status, &error);
}
