/* SPDX-License-Identifier: MIT */
/* From words to the kernel's arguments: binding, checking, device memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/file.h"
#include "cli/output.h"
#include "cli/run.h"

const char *run_arg_name(const lw_arg_info *info)
{
    return info->kind == LW_ARG_HIDDEN ? info->value_kind : info->name;
}

void run_arg_title(const run_job *job, size_t index, char *text, size_t size)
{
    const lw_arg_info *info = job->infos[index];
    const char *name = run_arg_name(info);
    if (job->block_path)
        snprintf(text, size, "bytes %u to %u of the argument block", info->offset,
                 info->offset + info->size - 1);
    else if (info->kind == LW_ARG_HIDDEN)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "argument %zu%s%s%s", index, name[0] ? " (" : "", name, name[0] ? ")" : "");
}

const lw_arg_info *run_find_hidden(const lw_kernel_info *kernel, const char *kind, size_t length)
{
    for (size_t i = kernel->explicit_count; i < kernel->arg_count; i++) {
        const char *found = kernel->args[i].value_kind;
        if (kernel->args[i].kind == LW_ARG_HIDDEN && strcmp(found, "hidden_none") != 0 &&
            strlen(found) == length && memcmp(found, kind, length) == 0)
            return &kernel->args[i];
    }
    return NULL;
}

/* What the kernel takes: "c (buffer), n (4 bytes)", or "buffer, 4 bytes" without names. */
static void name_args(const run_job *job, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < job->arg_count && used < size; i++) {
        const lw_arg_info *a = job->infos[i];
        const char *name = run_arg_name(a);
        char kind[32];
        snprintf(kind, sizeof(kind), "%s%u byte%s", a->kind == LW_ARG_EITHER ? "buffer or " : "", a->size,
                 a->size == 1 ? "" : "s");
        const char *what = a->kind == LW_ARG_BUFFER ? "buffer" : kind;
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s%s", i ? ", " : "", name,
                                 name[0] ? " (" : "", what, name[0] ? ")" : "");
    }
}

static int fail_count(const run_job *job, size_t given)
{
    char names[1024];
    name_args(job, names, sizeof(names));
    if (job->arg_count == 0)
        return cli_fail(job->call, CLI_USAGE, "%s takes no arguments, but %zu %s given", job->kernel->name,
                        given, given == 1 ? "is" : "are");
    return cli_fail(job->call, CLI_USAGE, "%s takes %zu argument%s, but %zu %s given; it takes %s",
                    job->kernel->name, job->arg_count, job->arg_count == 1 ? "" : "s", given,
                    given == 1 ? "is" : "are", names);
}

/*
 * Triton's kernels end with one or two pointers to scratch memory of its runtime, which are invisible to
 * callers and null if the kernel needs none: `.u64 .ptr .global .align 1` after the arguments of a kernel
 * that states its block size.
 */
static size_t trailing_nulls(const run_job *job, size_t given)
{
    enum { MOST = 2 };
    const lw_kernel_info *k = job->kernel;
    const bool sized = k->required_workgroup[0] || k->max_workgroup_size;
    const size_t missing = given < job->arg_count ? job->arg_count - given : 0;
    if (!sized || missing > MOST)
        return 0;
    for (size_t i = given; i < job->arg_count; i++)
        if (job->infos[i]->kind != LW_ARG_BUFFER || strcmp(job->infos[i]->value_kind, ".param .ptr") != 0)
            return 0;
    return missing;
}

static int fail_hidden(const run_job *job, const char *word, size_t length)
{
    char names[1024] = "";
    for (size_t i = job->kernel->explicit_count; i < job->kernel->arg_count; i++) {
        const char *kind = job->kernel->args[i].value_kind;
        if (job->kernel->args[i].kind == LW_ARG_HIDDEN && strcmp(kind, "hidden_none") != 0 &&
            strlen(names) + strlen(kind) + 3 < sizeof(names))
            strcat(strcat(names, names[0] ? ", " : ""), kind);
    }
    if (!names[0])
        return cli_fail(job->call, CLI_USAGE, "argument '%s': %s has no hidden arguments", word,
                        job->kernel->name);
    return cli_fail(job->call, CLI_USAGE, "argument '%s': %s has no hidden argument '%.*s'; it has %s", word,
                    job->kernel->name, (int)length, word, names);
}

/* hidden_KIND=ARG: hidden arguments named on the command line follow the caller's other arguments. */
static int add_hidden(run_job *job)
{
    for (size_t i = 1; i < job->call->operand_count; i++) {
        const char *word = job->call->operands[i];
        const size_t length = strcspn(word, "=");
        bool known = strncmp(word, "hidden_", 7) != 0 || !word[length];
        for (size_t j = 0; j < job->arg_count && !known; j++) {
            const char *name = run_arg_name(job->infos[j]);
            known = strlen(name) == length && memcmp(name, word, length) == 0;
        }
        const lw_arg_info *info = known ? NULL : run_find_hidden(job->kernel, word, length);
        if (!known && !info)
            return fail_hidden(job, word, length);
        if (info)
            job->infos[job->arg_count++] = info;
    }
    return CLI_FINE;
}

/* The arguments that a caller gives: the explicit ones except pointers to dynamic LDS and padding. */
static int find_infos(run_job *job)
{
    const size_t room = job->kernel->explicit_count + job->call->operand_count + 1;
    job->infos = cli_alloc(room * sizeof(*job->infos));
    job->args = cli_alloc(room * sizeof(*job->args));
    job->addresses = cli_alloc(room * sizeof(*job->addresses));
    job->values = cli_alloc(room * sizeof(*job->values));
    for (size_t i = 0; i < job->kernel->explicit_count; i++)
        if (job->kernel->args[i].kind != LW_ARG_LDS && job->kernel->args[i].kind != LW_ARG_PADDING)
            job->infos[job->arg_count++] = &job->kernel->args[i];
    return add_hidden(job);
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
        if (strcmp(run_arg_name(job->infos[i]), arg->name) != 0)
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

/* Named words first, then the positional ones fill the rest in order. */
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

/* Source-level names of scalar types, as spelt in OpenCL and HIP metadata and in PTX. */
static const arg_type *source_type(const char *name)
{
    static const struct {
        const char *source, *type;
    } names[] = {
        { "char", "i8" },
        { "signed char", "i8" },
        { "int8_t", "i8" },
        { "unsigned char", "u8" },
        { "uchar", "u8" },
        { "uint8_t", "u8" },
        { "short", "i16" },
        { "int16_t", "i16" },
        { "unsigned short", "u16" },
        { "ushort", "u16" },
        { "uint16_t", "u16" },
        { "int", "i32" },
        { "int32_t", "i32" },
        { "unsigned int", "u32" },
        { "unsigned", "u32" },
        { "uint", "u32" },
        { "uint32_t", "u32" },
        { "long", "i64" },
        { "long long", "i64" },
        { "int64_t", "i64" },
        { "unsigned long", "u64" },
        { "ulong", "u64" },
        { "uint64_t", "u64" },
        { "size_t", "u64" },
        { "float", "f32" },
        { "double", "f64" },
        { "bool", "bool" },
        { "s8", "i8" },
        { "u8", "u8" },
        { "s16", "i16" },
        { "u16", "u16" },
        { "s32", "i32" },
        { "u32", "u32" },
        { "s64", "i64" },
        { "u64", "u64" },
        { "f32", "f32" },
        { "f64", "f64" },
    };
    for (size_t i = 0; i < CLI_COUNT(names); i++)
        if (strcmp(names[i].source, name) == 0)
            return arg_type_find(names[i].type, strlen(names[i].type));
    return NULL;
}

/* PTX compilers declare an int as u32, so a number with a sign is read as signed. */
static const arg_type *ptx_type(const char *name, const char *number)
{
    const bool is_signed = number[0] == '-' && name[0] == 'u';
    char other[8];
    if (!is_signed || strlen(name) >= sizeof(other))
        return source_type(name);
    snprintf(other, sizeof(other), "s%s", name + 1);
    return source_type(other);
}

/* Hidden arguments are counts, sizes and addresses. */
static const arg_type *hidden_type(const lw_arg_info *info)
{
    char name[8];
    snprintf(name, sizeof(name), "u%u", info->size * 8 % 1000);
    return arg_type_find(name, strlen(name));
}

/* A bare number gets its type from the metadata, or is refused: 5 and 5.0f are different bits. */
static int type_number(const run_job *job, size_t index)
{
    char title[160];
    lw_error error = { "" };
    run_arg *arg = &job->args[index];
    const lw_arg_info *info = job->infos[index];
    const arg_type *type =
        info->kind == LW_ARG_HIDDEN ? hidden_type(info) : ptx_type(info->type_name, arg->text);
    run_arg_title(job, index, title, sizeof(title));
    if (info->kind != LW_ARG_VALUE && info->kind != LW_ARG_HIDDEN && info->kind != LW_ARG_EITHER)
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
               : cli_fail(job->call, CLI_USAGE, "%s, %s: %s", title,
                          info->kind == LW_ARG_HIDDEN ? type->name : info->type_name, error.text);
}

int run_check_arg(const run_job *job, size_t index)
{
    char title[160];
    const run_arg *arg = &job->args[index];
    const lw_arg_info *info = job->infos[index];
    const bool pointer = arg_is_pointer(arg);
    const size_t size = arg->tensor ? LW_TENSOR_MAP_BYTES : arg->size;
    if (arg->form == ARG_NUMBER)
        return type_number(job, index);
    run_arg_title(job, index, title, sizeof(title));
    if (info->kind == LW_ARG_OTHER)
        return cli_fail(job->call, CLI_FAULT, "%s is of kind %s, which a launch cannot set up", title,
                        info->value_kind);
    const bool either = info->kind == LW_ARG_EITHER ||
                        (info->kind == LW_ARG_HIDDEN && (!pointer || info->size == sizeof(uint64_t)));
    if (!either && pointer != (info->kind == LW_ARG_BUFFER))
        return cli_fail(job->call, CLI_USAGE, "%s is a %s of %u bytes, but '%s' is %s", title,
                        pointer ? "value" : "buffer, an address", info->size, arg->word,
                        arg->form == ARG_NULL ? "a null pointer"
                        : arg->tensor         ? "a tensor map, a value of 128 bytes"
                        : pointer             ? "an array"
                                              : "a value");
    if (!pointer && size != info->size)
        return cli_fail(job->call, CLI_USAGE, "%s has %u byte%s, but '%s' has %zu", title, info->size,
                        info->size == 1 ? "" : "s", arg->word, size);
    return arg->out_path ? output_check(job->call, arg->out_path) : CLI_FINE;
}

int run_read_word(run_job *job, const char *word, run_arg *arg)
{
    if (!arg_read(job->call, word, job->arrays, arg))
        return arg->no_memory ? CLI_FAULT : CLI_USAGE;
    const int exit = arg_check_room(job->call, word, job->arrays, arg_array_bytes(arg));
    job->arrays += exit == CLI_FINE ? arg_array_bytes(arg) : 0;
    return exit;
}

int run_read_args(run_job *job)
{
    const size_t count = job->call->operand_count - 1;
    for (size_t i = 0; i < count; i++)
        if (strncmp(job->call->operands[i + 1], "kernarg:", 8) == 0)
            return run_read_block(job);
    int exit = find_infos(job);
    if (exit != CLI_FINE)
        return exit;
    if (!job->kernel->has_metadata && count > 0)
        return cli_fail(
            job->call, CLI_USAGE,
            "%s: the file has no metadata that says what its arguments are; give the whole block, as "
            "kernarg:FILE",
            job->kernel->name);
    const size_t nulls = trailing_nulls(job, count), all = count + nulls;
    if (all != job->arg_count)
        return fail_count(job, count);

    run_arg *words = cli_alloc((all + 1) * sizeof(*words));
    for (size_t i = 0; i < all && exit == CLI_FINE; i++)
        exit = run_read_word(job, i < count ? job->call->operands[i + 1] : "null", &words[i]);
    if (exit == CLI_FINE)
        exit = bind(job, words, all);
    if (exit == CLI_FINE && nulls)
        cli_say(job->call, "note: %s: its last %s not given: null, as Triton's runtime passes scratch memory",
                job->kernel->name, nulls == 1 ? "argument is" : "two arguments are");
    for (size_t i = 0; i < all; i++)
        arg_free(&words[i]);
    free(words);
    for (size_t i = 0; i < job->arg_count && exit == CLI_FINE; i++)
        exit = run_check_arg(job, i);
    return exit == CLI_FINE ? run_check_tensors(job) : exit;
}

/*
 * Puts a buffer into device memory and frees the host's copy: results are read where they are. The address
 * becomes the argument's value.
 */
static lw_status place_buffer(run_job *job, size_t index, lw_error *error)
{
    run_arg *arg = &job->args[index];
    char title[160];
    if (arg->form == ARG_NULL || arg->form == ARG_OVER)
        return LW_OK;
    lw_npy *array = &arg->array;
    const uint64_t size = arg_array_bytes(arg);
    const lw_access access = arg->form == ARG_IN ? LW_ACCESS_READ : LW_ACCESS_READ_WRITE;
    run_arg_title(job, index, title, sizeof(title));
    lw_status status = lw_memory_allocate(job->memory, title, size, access, &job->addresses[index], error);
    if (status == LW_OK && (arg->form == ARG_OUT || arg->form == ARG_ZERO))
        status = lw_memory_watch_stores(job->memory, job->addresses[index], error);
    if (status != LW_OK)
        return status;
    uint8_t *bytes = lw_memory_host(job->memory, job->addresses[index], size);
    if (array->data && size)
        memcpy(bytes, array->data, (size_t)size);
    else if (arg->form == ARG_OUT)
        memset(bytes, ARG_POISON, (size_t)size);
    free(array->data);
    array->data = bytes;
    arg->placed = true;
    return LW_OK;
}

/* If the caller gives the block, the values of ARGs are written into it. */
static void use_values(run_job *job)
{
    job->options.args = job->values;
    job->options.arg_count = job->arg_count;
    if (!job->block_path)
        return;
    for (size_t i = 0; i < job->arg_count; i++)
        memcpy(job->block + job->infos[i]->offset, job->values[i].bytes, job->values[i].size);
    job->options.args = NULL;
    job->options.arg_count = 0;
    job->options.kernarg = job->block;
    job->options.kernarg_size = job->block_size;
}

int run_make_memory(run_job *job)
{
    lw_error error = { "" };
    uint64_t limit;
    lw_status status = lw_memory_create(&job->memory);
    if (status == LW_OK && arg_memory_limit(job->call, &limit))
        lw_memory_set_limit(job->memory, limit);
    uint64_t held = job->beside;
    for (size_t i = 0; i < job->arg_count; i++)
        held += job->args[i].array.data ? arg_array_bytes(&job->args[i]) : 0;
    for (size_t i = 0; i < job->arg_count && status == LW_OK; i++) {
        status = lw_memory_set_beside(job->memory, held, &error);
        held -= job->args[i].array.data ? arg_array_bytes(&job->args[i]) : 0;
        if (status != LW_OK)
            break;
        const run_arg *arg = &job->args[i];
        const bool pointer = arg_is_pointer(arg);
        if (pointer || arg->tensor)
            status = place_buffer(job, i, &error);
        const lw_arg_info *info = job->infos[i];
        job->values[i] = (lw_arg){ .name = info->kind == LW_ARG_HIDDEN ? info->value_kind : NULL,
                                   .bytes = pointer ? (const void *)&job->addresses[i] : arg->value,
                                   .size = pointer ? sizeof(job->addresses[i]) : arg->size,
                                   .is_pointer = pointer };
    }
    if (status == LW_OK)
        status = run_make_tensors(job, &error);
    if (status == LW_OK)
        status = lw_memory_set_beside(job->memory, held, &error);
    job->options.memory = job->memory;
    use_values(job);
    return status == LW_OK ? CLI_FINE : cli_fail_status(job->call, "device memory", status, &error);
}
