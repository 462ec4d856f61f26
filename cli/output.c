/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output.h"

/* A pipe or a device cannot be renamed over; it is written as it is. */
static bool is_special(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

int output_check(const cli_call *call, const char *path)
{
    struct stat st;
    const char *slash = strrchr(path, '/');
    char *folder = slash ? cli_copy(path, slash == path ? 1 : (size_t)(slash - path)) : cli_copy(".", 1);
    int exit = CLI_FINE;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        exit = cli_fail(call, CLI_USAGE, "cannot write %s: it is a folder", path);
    else if (!is_special(path) && access(folder, W_OK) != 0)
        exit = cli_fail(call, CLI_USAGE, "cannot write %s: folder %s: %s", path, folder, strerror(errno));
    free(folder);
    return exit;
}

static int fail_write(const cli_call *call, const char *path)
{
    return cli_fail(call, CLI_USAGE, "cannot write %s: %s", path, errno ? strerror(errno) : "write error");
}

static bool write_bytes(const char *path, const void *bytes, size_t size)
{
    errno = 0;
    FILE *f = fopen(path, "wb");
    if (!f)
        return false;
    const bool whole = fwrite(bytes, 1, size, f) == size;
    return fclose(f) == 0 && whole;
}

/* The name beside `path` under which the file is completed. */
static char *staging_name(const char *path)
{
    const size_t size = strlen(path) + 40;
    char *name = cli_alloc(size);
    snprintf(name, size, "%s.part-%ld", path, (long)getpid());
    return name;
}

static int stage(const cli_call *call, const output_file *file, const char *staged)
{
    void *bytes;
    size_t size;
    lw_error error = { "" };
    const lw_status status = lw_npy_write(file->array, &bytes, &size, &error);
    if (status != LW_OK)
        return cli_fail_status(call, file->path, status, &error);
    const bool ok = write_bytes(is_special(file->path) ? file->path : staged, bytes, size);
    lw_npy_free_bytes(bytes);
    return ok ? CLI_FINE : fail_write(call, file->path);
}

int output_write(const cli_call *call, const output_file *files, size_t count)
{
    char **staged = cli_alloc((count + 1) * sizeof(*staged));
    int exit = CLI_FINE;
    for (size_t i = 0; i < count; i++)
        staged[i] = staging_name(files[i].path);
    for (size_t i = 0; i < count && exit == CLI_FINE; i++)
        exit = stage(call, &files[i], staged[i]);
    for (size_t i = 0; i < count && exit == CLI_FINE; i++)
        if (!is_special(files[i].path) && rename(staged[i], files[i].path) != 0)
            exit = fail_write(call, files[i].path);
    for (size_t i = 0; i < count; i++) {
        if (exit != CLI_FINE)
            remove(staged[i]);
        free(staged[i]);
    }
    free(staged);
    return exit;
}
