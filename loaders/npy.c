/* SPDX-License-Identifier: MIT */
/* Element types, writing, and the file forms. npy_header.c reads headers. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lanewise/program.h>

#include "isa_tables/error.h"
#include "isa_tables/formats.h"
#include "loaders/npy.h"

/* ---- Element types ---- */

/* The name of the number format, a row of isa_tables/formats.inc, is accepted too. */
static const struct {
    const char *name, *code;
    uint8_t format; /* lw_format_id */
    uint8_t size;
} dtypes[LW_DTYPE_COUNT] = {
#define DTYPE(id_, name_, code_, format_)                                                                    \
    [LW_DTYPE_##id_] = { name_, code_, LW_FORMAT_##format_, LW_BITS_OF_##format_ / 8 },
#include "loaders/npy_types.inc"
#undef DTYPE
};

size_t lw_dtype_size(lw_dtype dtype)
{
    return (unsigned)dtype < LW_DTYPE_COUNT ? dtypes[dtype].size : 0;
}

const char *lw_dtype_name(lw_dtype dtype)
{
    return (unsigned)dtype < LW_DTYPE_COUNT ? dtypes[dtype].name : NULL;
}

bool lw_dtype_of_descr(const char *descr, size_t length, lw_dtype *dtype)
{
    if (length != 3)
        return false;
    for (int d = 0; d < LW_DTYPE_COUNT; d++) {
        if (memcmp(descr + 1, dtypes[d].code, 2) != 0)
            continue;
        /* '=' is the writer's own order; '|' means that order does not matter. */
        if (descr[0] != '<' && descr[0] != '=' && dtypes[d].size != 1)
            return false;
        if (!strchr("<=|>", descr[0]) || descr[0] == '\0')
            return false;
        *dtype = (lw_dtype)d;
        return true;
    }
    return false;
}

lw_status lw_dtype_find(const char *name, lw_dtype *dtype)
{
    if (!name || !dtype)
        return LW_E_ARGUMENT;
    if (lw_dtype_of_descr(name, strlen(name), dtype))
        return LW_OK;
    for (int d = 0; d < LW_DTYPE_COUNT; d++)
        if (strcmp(name, dtypes[d].name) == 0 || strcmp(name, lw_formats[dtypes[d].format].name) == 0) {
            *dtype = (lw_dtype)d;
            return LW_OK;
        }
    return LW_E_NOT_FOUND;
}

bool lw_npy_measure(const lw_npy *array, uint64_t *count, size_t *bytes)
{
    const size_t size = lw_dtype_size(array->dtype);
    const uint64_t most = (SIZE_MAX >> 1) / size;
    uint64_t n = 1;
    for (unsigned d = 0; d < array->dims; d++)
        if (array->shape[d] == 0)
            n = 0;
    for (unsigned d = 0; d < array->dims && n; d++) {
        if (array->shape[d] > most / n)
            return false;
        n *= array->shape[d];
    }
    *count = n;
    *bytes = (size_t)n * size;
    return true;
}

/* ---- Reading ---- */

lw_status lw_npy_read(const void *bytes, size_t size, lw_npy *array, lw_error *error)
{
    lw_npy a;
    lw_bytes body = { 0 };
    size_t wanted = 0;
    if ((!bytes && size) || !array)
        return lw_error_fail(error, LW_E_ARGUMENT, "bytes or array is NULL");
    const lw_status status = lw_npy_header_read((lw_bytes){ bytes, size }, &a, &body, error);
    if (status != LW_OK)
        return status;
    lw_npy_measure(&a, &a.count, &wanted);
    if (body.size != wanted)
        return lw_error_fail(error, body.size < wanted ? LW_E_TRUNCATED : LW_E_FORMAT,
                             "the .npy header announces %zu bytes of elements; the file has %zu", wanted,
                             body.size);
    a.data = malloc(wanted ? wanted : 1);
    if (!a.data)
        return lw_no_memory(error);
    if (wanted)
        memcpy(a.data, body.data, wanted);
    *array = a;
    return LW_OK;
}

/* Puts the path in front of an error message that does not name it yet. */
static lw_status name_path(lw_status status, const char *path, const lw_error *why, lw_error *error)
{
    return lw_error_fail(error, status, "%.400s: %.600s", path, why->text);
}

lw_status lw_npy_load(const char *path, lw_npy *array, lw_error *error)
{
    return lw_npy_load_within(path, 0, array, error);
}

lw_status lw_npy_load_within(const char *path, uint64_t memory_limit, lw_npy *array, lw_error *error)
{
    const uint64_t limit = memory_limit ? memory_limit : lw_memory_limit_default();
    uint8_t *data;
    size_t size;
    if (!path || !array)
        return lw_error_fail(error, LW_E_ARGUMENT, "path or array is NULL");
    lw_status status = lw_file_read(path, limit, &data, &size, error);
    if (status != LW_OK)
        return status;
    lw_error why = { "" };
    status = lw_npy_read(data, size, array, &why);
    free(data);
    return status == LW_OK ? LW_OK : name_path(status, path, &why, error);
}

void lw_npy_free(lw_npy *array)
{
    if (!array)
        return;
    free(array->data);
    *array = (lw_npy){ .data = NULL };
}

/* ---- Writing ---- */

enum {
    PREFIX = 10,    /* magic, version, u16 length */
    ALIGNMENT = 64, /* of the elements in the file */
    MOST_HEADER = 1024,
};

/* The whole header, padded with blanks and ended by a newline. Returns its length. */
static size_t write_header(const lw_npy *array, uint8_t out[MOST_HEADER])
{
    char text[MOST_HEADER];
    size_t n = 0;
    const char order = dtypes[array->dtype].size == 1 ? '|' : '<';
    n += (size_t)snprintf(text, sizeof(text), "{'descr': '%c%s', 'fortran_order': False, 'shape': (", order,
                          dtypes[array->dtype].code);
    for (unsigned d = 0; d < array->dims; d++)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%" PRIu64 "%s", d ? " " : "", array->shape[d],
                              d + 1 < array->dims || d == 0 ? "," : "");
    n += (size_t)snprintf(text + n, sizeof(text) - n, "), }");

    const size_t whole = (PREFIX + n + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memcpy(out, "\x93NUMPY\x01", 8);
    lw_put_le(out + 8, whole - PREFIX, 2);
    memset(out + PREFIX, ' ', whole - PREFIX);
    memcpy(out + PREFIX, text, n);
    out[whole - 1] = '\n';
    return whole;
}

static lw_status check_array(const lw_npy *array, size_t *bytes, lw_error *error)
{
    uint64_t count;
    if (!array || (unsigned)array->dtype >= LW_DTYPE_COUNT || array->dims > LW_NPY_MAX_DIMS)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "the array is NULL, or its dtype or dims are out of range");
    if (!lw_npy_measure(array, &count, bytes))
        return lw_error_fail(error, LW_E_ARGUMENT, "the array does not fit in memory");
    if (!array->data && *bytes)
        return lw_error_fail(error, LW_E_ARGUMENT, "the array's data are NULL");
    return LW_OK;
}

lw_status lw_npy_write(const lw_npy *array, void **bytes, size_t *size, lw_error *error)
{
    uint8_t header[MOST_HEADER];
    size_t body = 0;
    if (!bytes || !size)
        return lw_error_fail(error, LW_E_ARGUMENT, "bytes or size is NULL");
    const lw_status status = check_array(array, &body, error);
    if (status != LW_OK)
        return status;
    const size_t head = write_header(array, header);
    uint8_t *out = malloc(head + body);
    if (!out)
        return lw_no_memory(error);
    memcpy(out, header, head);
    if (body)
        memcpy(out + head, array->data, body);
    *bytes = out;
    *size = head + body;
    return LW_OK;
}

void lw_npy_free_bytes(void *bytes)
{
    free(bytes);
}

/* Opens a new file beside `path`; `name` has room for it. */
static FILE *open_beside(const char *path, char *name, size_t room)
{
    enum { ATTEMPTS = 100 };
    int descriptor = -1;
    for (int i = 0; descriptor < 0 && i < ATTEMPTS; i++) {
        snprintf(name, room, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            return NULL;
    }
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (!file && descriptor >= 0) {
        close(descriptor);
        unlink(name);
    }
    return file;
}

/* Writes and closes; errno says why it failed. */
static bool write_and_close(FILE *file, const lw_npy *array, size_t body)
{
    uint8_t header[MOST_HEADER];
    const size_t head = write_header(array, header);
    const bool written =
        fwrite(header, 1, head, file) == head && (body == 0 || fwrite(array->data, 1, body, file) == body);
    return (fclose(file) == 0) && written;
}

static lw_status save_under(const char *path, char *name, size_t room, const lw_npy *array, size_t body,
                            lw_error *error)
{
    struct stat old;
    const bool exists = stat(path, &old) == 0;
    if (exists && !S_ISREG(old.st_mode))
        return lw_error_fail(error, LW_E_IO, "%s: exists and is not a regular file", path);
    FILE *file = open_beside(path, name, room);
    if (!file)
        return lw_error_fail(error, LW_E_IO, "%s: %s", path, strerror(errno));
#ifndef __wasi__ /* files have no modes there */
    if (exists)
        (void)fchmod(fileno(file), old.st_mode & 0777);
#endif
    if (!write_and_close(file, array, body) || rename(name, path) != 0) {
        const int reason = errno;
        unlink(name);
        return lw_error_fail(error, LW_E_IO, "%s: %s", path, strerror(reason));
    }
    return LW_OK;
}

lw_status lw_npy_save(const char *path, const lw_npy *array, lw_error *error)
{
    enum { SUFFIX = 48 };
    size_t body = 0;
    if (!path || !*path)
        return lw_error_fail(error, LW_E_ARGUMENT, "path is NULL or empty");
    lw_status status = check_array(array, &body, error);
    if (status != LW_OK)
        return status;
    const size_t room = strlen(path) + SUFFIX;
    char *name = malloc(room);
    if (!name)
        return lw_no_memory(error);
    status = save_under(path, name, room, array, body, error);
    free(name);
    return status;
}
