/* SPDX-License-Identifier: MIT */
/* In place of cli/file.c and cli/output.c: the page has arrays in memory, and no files. */
#include <stdlib.h>
#include <string.h>

#include "cli/file.h"
#include "cli/list.h"
#include "cli/output.h"
#include "explorer/wasm/explorer.h"

enum { MOST_FILES = 16 };

typedef struct kept_file {
    char *name;
    uint8_t *bytes;
    size_t size;
} kept_file;

static kept_file files[MOST_FILES];

static kept_file *find(const char *name)
{
    for (int i = 0; i < MOST_FILES; i++)
        if (files[i].name && strcmp(files[i].name, name) == 0)
            return &files[i];
    return NULL;
}

/* False when there are as many files as can be kept. Takes `bytes` over. */
static bool put(const char *name, uint8_t *bytes, size_t size)
{
    kept_file *file = find(name);
    for (int i = 0; i < MOST_FILES && !file; i++)
        if (!files[i].name)
            file = &files[i];
    if (!file) {
        free(bytes);
        return false;
    }
    free(file->name);
    free(file->bytes);
    *file = (kept_file){ .name = cli_copy(name, strlen(name)), .bytes = bytes, .size = size };
    return true;
}

void explorer_keep(const char *name, const lw_npy *array)
{
    void *bytes;
    size_t size;
    if (lw_npy_write(array, &bytes, &size, NULL) != LW_OK)
        return;
    uint8_t *copy = cli_alloc(size);
    memcpy(copy, bytes, size);
    lw_npy_free_bytes(bytes);
    put(name, copy, size);
}

int explorer_put(const char *name, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = cli_alloc(size);
    memcpy(copy, bytes, size);
    return put(name, copy, size);
}

const uint8_t *explorer_bytes(const char *name)
{
    const kept_file *file = find(name);
    return file ? file->bytes : NULL;
}

size_t explorer_size(const char *name)
{
    const kept_file *file = find(name);
    return file ? file->size : 0;
}

lw_status file_load_array(const cli_call *call, const char *path, uint64_t *held, lw_npy *array,
                          lw_error *error)
{
    const kept_file *file = find(path);
    (void)call;
    *array = (lw_npy){ .data = NULL };
    if (!file) {
        snprintf(error->text, sizeof(error->text), "%.600s: the page has no such array", path);
        return LW_E_IO;
    }
    const lw_status status = lw_npy_read(file->bytes, file->size, array, error);
    *held += status == LW_OK ? file->size : 0;
    return status;
}

int file_read_array(const cli_call *call, const char *option, const char *path, uint64_t *held, lw_npy *array)
{
    char name[32];
    lw_error error = { "" };
    const lw_status status = file_load_array(call, path, held, array, &error);
    snprintf(name, sizeof(name), "--%s", option ? option : "");
    return status == LW_OK ? CLI_FINE : cli_fail_status(call, option ? name : NULL, status, &error);
}

int file_read(const cli_call *call, const char *path, uint8_t **bytes, size_t *size)
{
    const kept_file *file = find(path);
    if (!file)
        return cli_fail(call, CLI_USAGE, "cannot open %s: the page has no such file", path);
    *bytes = cli_alloc(file->size);
    memcpy(*bytes, file->bytes, file->size);
    *size = file->size;
    return CLI_FINE;
}

int list_file(const cli_call *call, const char *path, lw_arch arch)
{
    (void)arch;
    return cli_fail(call, CLI_USAGE, "the page reads no kernels: %s", path);
}

int output_check(const cli_call *call, const char *path)
{
    return cli_fail(call, CLI_USAGE, "cannot write %s: the page writes no files", path);
}

int output_check_read(const cli_call *call, const char *path, const char *read, const char *who)
{
    (void)read, (void)who;
    return output_check(call, path);
}

int output_write(const cli_call *call, const output_file *written, size_t count)
{
    return count ? output_check(call, written[0].path) : CLI_FINE;
}
