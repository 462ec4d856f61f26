/* SPDX-License-Identifier: MIT */
/* tma:ARRAY,box=64x32,swizzle=128B,steps=1x2 and tma:ARRAY,im2col=64x128,lower=-1x-1,upper=-1x-1: tensor maps
 * over the arrays of a run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/parse.h"
#include "cli/run.h"

static const char takes[] = "box=64x32 (or im2col=64x128, lower=-1x-1, upper=-1x-1, wide=w|w128), "
                            "swizzle=none|32B|64B|96B|128B[_ATOM_32B[_FLIP_8B]|_ATOM_64B] and steps=1x2";

/* Where the map's own options begin: at the first ",NAME=" that is not part of an array's word. */
static const char *find_options(const char *text)
{
    static const char *const names[] = { ",box=",   ",swizzle=", ",steps=",      ",im2col=", ",lower=",
                                         ",upper=", ",wide=",    ",interleave=", ",fill=",   ",type=" };
    const char *first = text + strlen(text);
    for (size_t i = 0; i < CLI_COUNT(names); i++) {
        const char *found = strstr(text, names[i]);
        first = found && found < first ? found : first;
    }
    return first;
}

/* "64x32" */
static bool read_sizes(const char *text, uint32_t *sizes, size_t *count)
{
    uint64_t values[LW_TENSOR_DIMS];
    char list[128];
    snprintf(list, sizeof(list), "%s", text);
    if (strchr(list, ',') || strlen(text) >= sizeof(list))
        return false;
    for (char *x = strchr(list, 'x'); x; x = strchr(x, 'x'))
        *x = ',';
    if (!parse_numbers(list, 1, LW_TENSOR_DIMS, values, count))
        return false;
    for (size_t i = 0; i < *count; i++)
        sizes[i] = values[i] < UINT32_MAX ? (uint32_t)values[i] : UINT32_MAX;
    return true;
}

/* "-1x0" */
static bool read_corner(const char *text, int32_t *corner, size_t *count)
{
    char *end = (char *)(uintptr_t)text;
    *count = 0;
    do {
        const char *from = end + (*count ? 1 : 0);
        const long value = strtol(from, &end, 10);
        if (end == from || *from == ' ' || *from == '+' || value < INT16_MIN || value > INT16_MAX)
            return false;
        corner[(*count)++] = (int32_t)value;
    } while (*end == 'x' && *count < LW_TENSOR_SPACE);
    return *end == '\0';
}

/* "CHANNELSxPIXELS" */
static bool read_pixels(const char *text, lw_tensor_im2col *pixels)
{
    uint32_t sizes[LW_TENSOR_DIMS];
    size_t count;
    if (!read_sizes(text, sizes, &count) || count != 2)
        return false;
    pixels->channels = sizes[0];
    pixels->pixels = sizes[1];
    return true;
}

static bool read_swizzle(const char *text, uint32_t *swizzle)
{
    static const struct {
        const char *name;
        uint32_t bytes;
    } names[] = { { "none", 0 },
                  { "32B", 32 },
                  { "64B", 64 },
                  { "96B", 96 },
                  { "128B", 128 },
                  { "128B_ATOM_32B", 128 | LW_TENSOR_ATOM_32 },
                  { "128B_ATOM_32B_FLIP_8B", 128 | LW_TENSOR_ATOM_32 | LW_TENSOR_FLIP_8 },
                  { "128B_ATOM_64B", 128 | LW_TENSOR_ATOM_64 } };
    for (size_t i = 0; i < CLI_COUNT(names); i++)
        if (strcmp(names[i].name, text) == 0) {
            *swizzle = names[i].bytes;
            return true;
        }
    return false;
}

static bool read_option(arg_tensor *t, const char *word, char *why, size_t size)
{
    if (strncmp(word, "box=", 4) == 0 && read_sizes(word + 4, t->map.box, &t->sizes))
        return true;
    if (strncmp(word, "steps=", 6) == 0 && read_sizes(word + 6, t->map.steps, &t->steps))
        return true;
    if (strncmp(word, "swizzle=", 8) == 0 && read_swizzle(word + 8, &t->map.swizzle))
        return true;
    if (strncmp(word, "im2col=", 7) == 0 && read_pixels(word + 7, &t->pixels))
        return true;
    if (strncmp(word, "lower=", 6) == 0 && read_corner(word + 6, t->pixels.lower, &t->lower_count))
        return true;
    if (strncmp(word, "upper=", 6) == 0 && read_corner(word + 6, t->pixels.upper, &t->upper_count))
        return true;
    if (strcmp(word, "wide=w") == 0 || strcmp(word, "wide=w128") == 0) {
        t->wide = word[6] ? LW_TENSOR_WIDE_W128 : LW_TENSOR_WIDE_W;
        t->is_wide = true;
        return true;
    }
    if (strncmp(word, "interleave=", 11) == 0 || strncmp(word, "fill=", 5) == 0 ||
        strncmp(word, "type=", 5) == 0)
        snprintf(
            why, size,
            "'%s': interleaved layouts, filling with NaN and tf32 are not supported; a tensor map takes %s",
            word, takes);
    else if (strncmp(word, "swizzle=", 8) == 0)
        snprintf(why, size,
                 "'%s': swizzles are none, 32B, 64B, 96B, 128B, 128B_ATOM_32B, 128B_ATOM_32B_FLIP_8B and "
                 "128B_ATOM_64B",
                 word);
    else
        snprintf(why, size, "'%s' is not valid: a tensor map takes %s (at most %d numbers)", word, takes,
                 LW_TENSOR_DIMS);
    return false;
}

static bool check_options(const arg_tensor *t, char *why, size_t size)
{
    const bool pixels = t->pixels.channels != 0;
    if (!t->sizes && !pixels)
        snprintf(why, size, "needs a box, innermost dimension first, as in tma:ARRAY,box=64x32");
    else if (t->sizes && pixels)
        snprintf(why, size, "has box= and im2col=; a tensor map takes one of them");
    else if (!pixels && (t->lower_count || t->upper_count || t->is_wide))
        snprintf(why, size, "has lower=, upper= or wide=, which belong to im2col=CHANNELSxPIXELS");
    else
        return true;
    return false;
}

char *arg_tensor_read(const char *text, arg_tensor *tensor, char *why, size_t size)
{
    const char *options = find_options(text);
    bool ok = true;
    *tensor = (arg_tensor){ .sizes = 0 };
    while (*options && ok) {
        const size_t length = strcspn(options + 1, ",");
        char *word = cli_copy(options + 1, length);
        ok = read_option(tensor, word, why, size);
        free(word);
        options += 1 + length;
    }
    ok = ok && check_options(tensor, why, size);
    return ok ? cli_copy(text, (size_t)(find_options(text) - text)) : NULL;
}

/* Copies move bits: element types without a number in tensor maps are passed as a type of the same size. */
static lw_tensor_type type_of(lw_dtype dtype)
{
    static const lw_tensor_type types[LW_DTYPE_COUNT] = {
        [LW_DTYPE_BOOL] = LW_TENSOR_U8, [LW_DTYPE_I1] = LW_TENSOR_U8,  [LW_DTYPE_I2] = LW_TENSOR_U16,
        [LW_DTYPE_I4] = LW_TENSOR_I32,  [LW_DTYPE_I8] = LW_TENSOR_I64, [LW_DTYPE_U1] = LW_TENSOR_U8,
        [LW_DTYPE_U2] = LW_TENSOR_U16,  [LW_DTYPE_U4] = LW_TENSOR_U32, [LW_DTYPE_U8] = LW_TENSOR_U64,
        [LW_DTYPE_F2] = LW_TENSOR_F16,  [LW_DTYPE_F4] = LW_TENSOR_F32, [LW_DTYPE_F8] = LW_TENSOR_F64,
    };
    return types[dtype];
}

/* Does each list have as many numbers as the array needs? */
static bool counts_fit(const arg_tensor *t, const lw_npy *array, lw_error *error)
{
    const size_t space = t->is_wide ? 1 : array->dims > 2 ? array->dims - 2 : 0;
    if (t->pixels.channels &&
        (array->dims < 3 || array->dims > LW_TENSOR_DIMS || (t->lower_count && t->lower_count != space) ||
         (t->upper_count && t->upper_count != space) || (t->steps && t->steps != array->dims))) {
        snprintf(
            error->text, sizeof(error->text),
            "the array has %u dimensions, but lower= has %zu, upper= %zu and steps= %zu; with im2col= the "
            "array is images, one to three dimensions of space, channels, each corner has a number for "
            "each dimension of space, innermost first (with wide= one number), and steps= one for each "
            "dimension",
            array->dims, t->lower_count, t->upper_count, t->steps);
        return false;
    }
    if (t->pixels.channels)
        return true;
    if (array->dims < 1 || array->dims > LW_TENSOR_DIMS || t->sizes != array->dims ||
        (t->steps && t->steps != array->dims)) {
        snprintf(error->text, sizeof(error->text),
                 "the array has %u dimension%s, but box= has %zu and steps= %zu; box=, and steps= if given, "
                 "need one number for each dimension, 1 to %d",
                 array->dims, array->dims == 1 ? "" : "s", t->sizes, t->steps, LW_TENSOR_DIMS);
        return false;
    }
    return true;
}

lw_status arg_tensor_make(arg_tensor *t, const lw_npy *array, uint64_t address, lw_error *error)
{
    lw_tensor_map *m = &t->map;
    if (!counts_fit(t, array, error))
        return LW_E_ARGUMENT;
    m->type = type_of(array->dtype);
    m->rank = array->dims;
    m->address = address;
    for (unsigned d = 0; d < m->rank; d++)
        m->dims[d] = array->shape[m->rank - 1 - d];
    lw_tensor_map_pack_strides(m);
    if (t->is_wide)
        return lw_tensor_map_encode_im2col_wide(m, &t->pixels, t->wide, t->bytes, error);
    return t->pixels.channels ? lw_tensor_map_encode_im2col(m, &t->pixels, t->bytes, error)
                              : lw_tensor_map_encode(m, t->bytes, error);
}

bool run_find_arg(const run_job *job, const char *name, size_t *index)
{
    uint64_t number;
    bool found = parse_u64(name, &number) && number < job->arg_count;
    if (found)
        *index = (size_t)number;
    for (size_t i = 0; i < job->arg_count && !found; i++)
        if (name[0] && strcmp(run_arg_name(job->infos[i]), name) == 0) {
            *index = i;
            found = true;
        }
    return found;
}

/* The argument whose array the map of argument `index` describes. */
static int find_array(const run_job *job, size_t index, size_t *at)
{
    const run_arg *arg = &job->args[index];
    *at = index;
    if (arg->form != ARG_OVER)
        return CLI_FINE;
    if (!run_find_arg(job, arg->tensor->over, at))
        return cli_fail(job->call, CLI_USAGE, "argument '%s': %s has no argument '%s'", arg->word,
                        job->kernel->name, arg->tensor->over);
    if (job->args[*at].form > ARG_ZERO)
        return cli_fail(job->call, CLI_USAGE, "argument '%s': '%s' is not an array", arg->word,
                        job->args[*at].word);
    return CLI_FINE;
}

int run_check_tensors(run_job *job)
{
    enum { ALIGN = 64 };
    for (size_t i = 0; i < job->arg_count; i++) {
        lw_error error = { "" };
        size_t at;
        const run_arg *arg = &job->args[i];
        if (!arg->tensor)
            continue;
        const int exit = find_array(job, i, &at);
        if (exit != CLI_FINE)
            return exit;
        if (job->infos[i]->offset % ALIGN)
            return cli_fail(
                job->call, CLI_USAGE,
                "argument '%s': a tensor map is aligned to %d bytes, but the argument is at byte %u",
                arg->word, ALIGN, job->infos[i]->offset);
        if (arg_tensor_make(arg->tensor, &job->args[at].array, 0, &error) != LW_OK)
            return cli_fail(job->call, CLI_USAGE, "argument '%s': %s", arg->word, error.text);
    }
    return CLI_FINE;
}

lw_status run_make_tensors(run_job *job, lw_error *error)
{
    lw_status status = LW_OK;
    for (size_t i = 0; i < job->arg_count && status == LW_OK; i++) {
        size_t at;
        arg_tensor *t = job->args[i].tensor;
        if (!t || find_array(job, i, &at) != CLI_FINE)
            continue;
        status = arg_tensor_make(t, &job->args[at].array, job->addresses[at], error);
        job->values[i].bytes = t->bytes;
        job->values[i].size = sizeof(t->bytes);
    }
    return status;
}
