/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* O_CLOEXEC, fdopen */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/arg.h"
#include "cli/file.h"

static const char *kind_of(mode_t mode)
{
    if (S_ISREG(mode))
        return NULL;
    return S_ISDIR(mode)    ? "it is a folder"
           : S_ISFIFO(mode) ? "it is a pipe; write it to a file first"
                            : "it is a device, not a file";
}

/* Opening a pipe that has no writer must not block, and inspecting a device must have no effect on it. */
FILE *file_open(const char *path, const char **why)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        *why = strerror(errno);
        return NULL;
    }
    if ((*why = kind_of(info.st_mode)) != NULL)
        return NULL;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        *why = strerror(errno);
        return NULL;
    }
    FILE *file = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) ? fdopen(fd, "rb") : NULL;
    if (!file) {
        *why = "it cannot be read";
        close(fd);
    }
    return file;
}

static lw_status check_size(const char *path, uint64_t size, uint64_t held, uint64_t limit, lw_error *error)
{
    if (held <= limit && size <= limit - held)
        return LW_OK;
    snprintf(error->text, sizeof(error->text), "%.600s: %llu bytes%s exceed the memory limit of %llu bytes",
             path, (unsigned long long)size, held ? ", with what is held already," : "",
             (unsigned long long)limit);
    return LW_E_NO_MEMORY;
}

lw_status file_load_array(const cli_call *call, const char *path, uint64_t *held, lw_npy *array,
                          lw_error *error)
{
    struct stat info;
    uint64_t limit;
    lw_status status = LW_OK;
    arg_memory_limit(call, &limit);
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode))
        status = check_size(path, (uint64_t)info.st_size, *held, limit, error);
    if (status == LW_OK)
        status = lw_npy_load_within(path, limit, array, error);
    if (status == LW_OK)
        *held += array->count * lw_dtype_size(array->dtype);
    else
        *array = (lw_npy){ .data = NULL };
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
    struct stat info;
    uint64_t limit;
    lw_error error = { "" };
    const char *why;
    FILE *f = file_open(path, &why);
    if (!f)
        return cli_fail(call, CLI_USAGE, "cannot open %s: %s", path, why);
    const uint64_t length = fstat(fileno(f), &info) == 0 ? (uint64_t)info.st_size : 0;
    arg_memory_limit(call, &limit);
    if (check_size(path, length, 0, limit, &error) != LW_OK) {
        fclose(f);
        return cli_fail(call, CLI_FAULT, "%s", error.text);
    }
    uint8_t *data = cli_alloc((size_t)length);
    errno = 0;
    const size_t got = fread(data, 1, (size_t)length, f);
    const int reason = errno;
    fclose(f);
    if (got != length) {
        free(data);
        return cli_fail(call, CLI_USAGE, "cannot read %s: %s", path,
                        reason ? strerror(reason) : "it became shorter");
    }
    *bytes = data;
    *size = (size_t)length;
    return CLI_FINE;
}

void file_split(const char *word, char **path, const char **kernel)
{
    const char *colon = strrchr(word, ':');
    /* "file.co:ns::kernel": the kernel's own colons come in pairs. */
    while (colon && colon > word && colon[-1] == ':') {
        colon -= 2;
        while (colon > word && *colon != ':')
            colon--;
        colon = colon > word ? colon : NULL;
    }
    if (!colon || access(word, F_OK) == 0) {
        *path = cli_copy(word, strlen(word));
        *kernel = NULL;
        return;
    }
    *path = cli_copy(word, (size_t)(colon - word));
    *kernel = colon + 1;
}

const char *file_arg_kind(lw_arg_kind kind)
{
    switch (kind) {
    case LW_ARG_VALUE:
        return "value";
    case LW_ARG_BUFFER:
        return "buffer";
    case LW_ARG_LDS:
        return "LDS pointer";
    case LW_ARG_HIDDEN:
        return "hidden";
    case LW_ARG_PADDING:
        return "padding";
    case LW_ARG_EITHER:
        return "buffer or value";
    case LW_ARG_OTHER:
        break;
    }
    return "unsupported";
}

int file_next_line(const cli_call *call, const char *path, FILE *file, char **line, size_t *size, bool *more)
{
    enum { LONGEST = 1 << 22 };
    size_t used = 0;
    int c;
    for (; (c = fgetc(file)) != EOF && c != '\n'; (*line)[used++] = (char)c) {
        if (c == '\0' || used == LONGEST)
            return cli_fail(call, CLI_USAGE, "%s: not a text of lines: %s", path,
                            c ? "a line has more than 4194304 characters" : "it holds a zero byte");
        if (used + 2 > *size) {
            *size = 2 * *size + 4096;
            *line = cli_grow(*line, *size);
        }
    }
    *more = c != EOF || used > 0;
    if (!*line)
        *line = cli_grow(NULL, *size = 1);
    (*line)[used] = '\0';
    return CLI_FINE;
}
