/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/program.h>

#include "cli/arg.h"
#include "cli/file.h"
#include "cli/parse.h"

/* The argument word being read. */
typedef struct arg_reader {
    const cli_call *call;
    run_arg *arg;
    uint64_t held;
} arg_reader;

static bool reject(const arg_reader *r, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

static bool reject(const arg_reader *r, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    cli_fail(r->call, r->arg->no_memory ? CLI_FAULT : CLI_USAGE, "argument '%s': %s", r->arg->word, text);
    return false;
}

bool arg_memory_limit(const cli_call *call, uint64_t *bytes)
{
    const char *text = cli_value(call, "memory-limit");
    *bytes = lw_memory_limit_default();
    return !text || parse_size(text, bytes);
}

int arg_check_limit(const cli_call *call)
{
    uint64_t bytes;
    if (arg_memory_limit(call, &bytes))
        return CLI_FINE;
    return cli_fail(call, CLI_USAGE, "--memory-limit %s: needs a size such as 512M, 8G or a number of bytes",
                    cli_value(call, "memory-limit"));
}

uint64_t arg_array_bytes(const run_arg *arg)
{
    return arg->array.count * lw_dtype_size(arg->array.dtype);
}

int arg_check_room(const cli_call *call, const char *word, uint64_t held, uint64_t bytes)
{
    uint64_t limit;
    arg_memory_limit(call, &limit);
    if (held <= limit && bytes <= limit - held)
        return CLI_FINE;
    return cli_fail(
        call, CLI_FAULT,
        "argument '%s': its %llu bytes exceed the memory limit of %llu bytes; --memory-limit SIZE allows "
        "more",
        word, (unsigned long long)bytes, (unsigned long long)limit);
}

static bool load(const arg_reader *r, const char *path, lw_npy *array)
{
    lw_error error = { "" };
    uint64_t held = r->held;
    const lw_status status = file_load_array(r->call, path, &held, array, &error);
    r->arg->read_path = cli_copy(path, strlen(path));
    if (status == LW_OK)
        return true;
    r->arg->no_memory = status == LW_E_NO_MEMORY;
    return reject(r, "%s", error.text[0] ? error.text : lw_status_text(status));
}

/* "-" means no file: the array exists only while the kernel runs. */
static bool set_output(const arg_reader *r, const char *path, size_t length)
{
    if (length == 0)
        return reject(r, "the output file has no name ('-' keeps the array in memory only)");
    if (length != 1 || path[0] != '-')
        r->arg->out_path = cli_copy(path, length);
    return true;
}

/* Accounts for the elements of an array that will be placed in device memory. */
static bool count_elements(const arg_reader *r)
{
    lw_npy *a = &r->arg->array;
    const size_t size = lw_dtype_size(a->dtype);
    a->count = 1;
    for (unsigned i = 0; i < a->dims; i++) {
        if (a->shape[i] && a->count > (uint64_t)(SIZE_MAX / 2 / size) / a->shape[i])
            return reject(r, "the array is larger than memory can be");
        a->count *= a->shape[i];
    }
    return true;
}

/* "f32[16,2112]" */
static bool read_shape(const arg_reader *r, const char *text)
{
    lw_npy *a = &r->arg->array;
    const size_t length = strcspn(text, "[");
    const size_t whole = strlen(text);
    size_t dims = 0;
    char *list;
    r->arg->type = arg_type_find(text, length);
    if (text[length] != '[' || text[whole - 1] != ']')
        return reject(r, "'%s' is not an array: needs TYPE[N,...] as in f32[16,2112], or like:x.npy", text);
    if (!r->arg->type)
        return reject(
            r,
            "no element type '%.*s': there are bool, i8 to i64, u8 to u64, f16, f32, f64, bf16, fp8, bf8 "
            "and e8m0; packed formats are given as u8 or u32",
            (int)length, text);
    list = cli_copy(text + length + 1, whole - length - 2);
    const bool ok = parse_numbers(list, 1, LW_NPY_MAX_DIMS, a->shape, &dims);
    free(list);
    if (!ok)
        return reject(r, "'%s': the extents must be whole numbers from 1 up, separated by commas", text);
    a->dims = (unsigned)dims;
    a->dtype = r->arg->type->dtype;
    return true;
}

static bool read_like(const arg_reader *r, const char *path)
{
    lw_npy model;
    if (!load(r, path, &model))
        return false;
    r->arg->array = model;
    r->arg->array.data = NULL;
    r->arg->type = arg_type_of(model.dtype);
    lw_npy_free(&model);
    return true;
}

static bool read_out(const arg_reader *r, const char *rest, arg_form form)
{
    const char *equals = strchr(rest, '=');
    r->arg->form = form;
    if (!equals)
        return reject(r, "does not say what the array is: %s:FILE=TYPE[N,...] or %s:FILE=like:x.npy",
                      form == ARG_OUT ? "out" : "zero", form == ARG_OUT ? "out" : "zero");
    if (!set_output(r, rest, (size_t)(equals - rest)))
        return false;
    const char *what = equals + 1;
    const bool ok = strncmp(what, "like:", 5) == 0 ? read_like(r, what + 5) : read_shape(r, what);
    return ok && count_elements(r);
}

static bool read_plain_out(const arg_reader *r, const char *rest)
{
    return read_out(r, rest, ARG_OUT);
}

static bool read_zero(const arg_reader *r, const char *rest)
{
    return read_out(r, rest, ARG_ZERO);
}

static bool read_in(const arg_reader *r, const char *rest)
{
    r->arg->form = ARG_IN;
    if (!load(r, rest, &r->arg->array))
        return false;
    r->arg->type = arg_type_of(r->arg->array.dtype);
    return true;
}

static bool read_inout(const arg_reader *r, const char *rest)
{
    const char *equals = strchr(rest, '=');
    if (!equals)
        return reject(r, "does not say where the result goes: inout:x.npy=y.npy ('-' for nowhere)");
    if (!set_output(r, equals + 1, strlen(equals + 1)))
        return false;
    char *path = cli_copy(rest, (size_t)(equals - rest));
    const bool ok = read_in(r, path);
    free(path);
    r->arg->form = ARG_INOUT;
    return ok;
}

static bool read_bytes(const arg_reader *r, const char *rest)
{
    r->arg->form = ARG_VALUE;
    r->arg->value = cli_alloc(ARG_VALUE_ROOM);
    if (parse_hex_bytes(rest, r->arg->value, ARG_VALUE_ROOM, &r->arg->size))
        return true;
    return reject(r, "needs pairs of hexadecimal digits, first byte first, at most %d of them",
                  ARG_VALUE_ROOM);
}

static bool read_typed(const arg_reader *r, const arg_type *type, const char *rest)
{
    lw_error error = { "" };
    r->arg->form = ARG_VALUE;
    r->arg->type = type;
    r->arg->size = lw_dtype_size(type->dtype);
    r->arg->value = cli_alloc(8);
    return arg_value(type, rest, r->arg->value, &error) == LW_OK || reject(r, "%s", error.text);
}

static bool read_form(const arg_reader *r, const char *text);

/* An array or @ARGUMENT, and the options of the map. */
static bool read_tensor(const arg_reader *r, const char *rest)
{
    char why[400] = "";
    run_arg *arg = r->arg;
    arg->tensor = cli_alloc(sizeof(*arg->tensor));
    char *array = arg_tensor_read(rest, arg->tensor, why, sizeof(why));
    if (!array)
        return reject(r, "%s", why);
    bool ok = true;
    if (array[0] == '@') {
        arg->form = ARG_OVER;
        arg->tensor->over = cli_copy(array + 1, strlen(array + 1));
    } else if (strncmp(array, "tma:", 4) == 0) {
        ok = reject(r, "a tensor map describes an array, not another tensor map");
    } else {
        ok = read_form(r, array);
    }
    free(array);
    if (ok && arg->form > ARG_ZERO && arg->form != ARG_OVER)
        return reject(r, "a tensor map describes an array: x.npy, in:, inout:, out:, zero: or @ARGUMENT");
    return ok;
}

static const struct {
    const char *prefix;
    bool (*read)(const arg_reader *r, const char *rest);
} forms[] = {
    { "in:", read_in },     { "inout:", read_inout }, { "out:", read_plain_out },
    { "zero:", read_zero }, { "bytes:", read_bytes }, { "tma:", read_tensor },
};

static bool is_number(const char *text)
{
    return isdigit((unsigned char)text[text[0] == '-' || text[0] == '.']);
}

static bool read_form(const arg_reader *r, const char *text)
{
    const size_t length = strlen(text), colon = strcspn(text, ":");
    for (size_t i = 0; i < CLI_COUNT(forms); i++)
        if (strncmp(text, forms[i].prefix, strlen(forms[i].prefix)) == 0)
            return forms[i].read(r, text + strlen(forms[i].prefix));
    if (text[colon] == ':' && arg_type_find(text, colon))
        return read_typed(r, arg_type_find(text, colon), text + colon + 1);
    if (strcmp(text, "null") == 0) {
        r->arg->form = ARG_NULL;
        return true;
    }
    if (length > 4 && strcmp(text + length - 4, ".npy") == 0)
        return read_in(r, text);
    if (is_number(text)) {
        r->arg->form = ARG_NUMBER;
        return true;
    }
    return reject(
        r, "is none of x.npy, in:x.npy, inout:x.npy=y.npy, out:y.npy=f32[N], zero:y.npy=f32[N], i32:5, 5, "
           "bytes:HEX, tma:ARRAY,box=N, null");
}

bool arg_read(const cli_call *call, const char *word, uint64_t held, run_arg *arg)
{
    const arg_reader reader = { .call = call, .arg = arg, .held = held };
    size_t length = word[0] == '+'; /* +OFFSET=ARG, in an argument block */
    *arg = (run_arg){ .word = word };
    while (isalnum((unsigned char)word[length]) || word[length] == '_')
        length++;
    const bool named = length > 0 && word[length] == '=' && !isdigit((unsigned char)word[0]);
    if (named)
        arg->name = cli_copy(word, length);
    arg->text = named ? word + length + 1 : word;
    return read_form(&reader, arg->text);
}

void arg_free(run_arg *arg)
{
    if (!arg->placed)
        lw_npy_free(&arg->array);
    free(arg->name);
    free(arg->out_path);
    free(arg->read_path);
    free(arg->value);
    if (arg->tensor)
        free(arg->tensor->over);
    free(arg->tensor);
}
