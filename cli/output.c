/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/path.h"
#include "cli/stop.h"

enum { NAME_TRIES = 100, NEW_FILE = 0666, ALL_MODES = 0777 };

/* One file being written. */
typedef struct staged {
    const output_file *file;
    bool special; /* a pipe or a device */
    bool existed; /* a file was there before */
    bool placed;  /* the new file is in place */
    mode_t mode;  /* of the earlier file */
    char *target; /* final path, links resolved */
    char *part;   /* file beside it that is completed first; NULL: none yet */
    char *old;    /* where the old contents are kept until everything is done; NULL: nowhere */
} staged;

int output_check(const cli_call *call, const char *path)
{
    const path_kind kind = path_look(path);
    if (kind == PATH_FOLDER)
        return cli_fail(call, CLI_USAGE, "cannot write %s: it is a folder", path);
    if (kind == PATH_DANGLING)
        return cli_fail(call, CLI_USAGE, "cannot write %s: it is a link to a file that does not exist", path);
    if (kind != PATH_ABSENT && access(path, W_OK) != 0)
        return cli_fail(call, CLI_USAGE, "cannot write %s: %s", path, strerror(errno));
    if (kind == PATH_SPECIAL)
        return CLI_FINE;
    char *target = path_target(path), *folder = path_folder(target);
    int exit = CLI_FINE;
    if (access(folder, W_OK) != 0)
        exit = cli_fail(call, CLI_USAGE, "cannot write %s: folder %s: %s", path, folder, strerror(errno));
    free(folder);
    free(target);
    return exit;
}

int output_check_read(const cli_call *call, const char *path, const char *read, const char *who)
{
    if (!path_same(path, read))
        return CLI_FINE;
    return cli_fail(call, CLI_USAGE,
                    "cannot write %s: %s reads that file, and a file that was read is not replaced", path,
                    who);
}

/* A new name beside `target`: the first for which `make` succeeds. NULL, with errno, if none is found. */
static char *claim_name(const char *target, const char *kind,
                        bool (*make)(const char *name, const void *from), const void *from)
{
    const size_t size = strlen(target) + 64;
    char *name = cli_alloc(size);
    for (int i = 0; i < NAME_TRIES; i++) {
        snprintf(name, size, i ? "%s.%s-%ld-%d" : "%s.%s-%ld", target, kind, (long)getpid(), i);
        if (make(name, from))
            return name;
        if (errno != EEXIST)
            break;
    }
    free(name);
    return NULL;
}

static bool make_part(const char *name, const void *descriptor)
{
    int *const fd = *(int *const *)descriptor;
    *fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, NEW_FILE);
    return *fd >= 0;
}

static bool write_all(int fd, const uint8_t *bytes, size_t size)
{
    enum { CHUNK = 1 << 20 };
    while (size && !stop_wanted()) {
        const ssize_t done = write(fd, bytes, size < CHUNK ? size : CHUNK);
        if (done < 0 && errno != EINTR)
            return false;
        bytes += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return size == 0;
}

/* Fills the part file, or the pipe or device itself. */
static bool write_bytes(staged *s, const void *bytes, size_t size)
{
    int fd = -1, *const out = &fd;
    errno = 0;
    if (s->special)
        fd = open(s->target, O_WRONLY | O_CLOEXEC);
    else
        s->part = claim_name(s->target, "part", make_part, &out);
    if (fd < 0)
        return false;
    const bool kept = s->special || !s->existed || fchmod(fd, s->mode) == 0;
    const bool whole = kept && write_all(fd, bytes, size);
    const int why = errno;
    const bool closed = close(fd) == 0;
    errno = whole ? errno : why;
    return whole && closed;
}

static int fail_write(const cli_call *call, const staged *s)
{
    if (stop_wanted())
        return cli_fail(call, CLI_USAGE, "a signal interrupted writing %s; no file was changed",
                        s->file->path);
    return cli_fail(call, CLI_USAGE, "cannot write %s: %s", s->file->path,
                    errno ? strerror(errno) : "write error");
}

static int stage(const cli_call *call, staged *s)
{
    void *made = NULL;
    size_t size = s->file->size;
    lw_error error = { "" };
    const lw_status status = s->file->array ? lw_npy_write(s->file->array, &made, &size, &error) : LW_OK;
    if (status != LW_OK)
        return cli_fail_status(call, s->file->path, status, &error);
    const bool ok = !stop_wanted() && write_bytes(s, made ? made : s->file->bytes, size);
    const int why = errno;
    lw_npy_free_bytes(made);
    errno = why;
    return ok ? CLI_FINE : fail_write(call, s);
}

static bool make_link(const char *name, const void *from)
{
    return link(from, name) == 0;
}

/* For file systems without hard links: an empty file claims the name, and the old file is renamed over it. */
static bool make_moved(const char *name, const void *from)
{
    const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, NEW_FILE);
    if (fd < 0)
        return false;
    close(fd);
    if (rename(from, name) == 0)
        return true;
    const int why = errno;
    unlink(name);
    errno = why == EEXIST ? EIO : why;
    return false;
}

/* Puts a complete file in its place; the old contents keep a name until all files are in place. */
static bool place(staged *s)
{
    if (s->existed) {
        s->old = claim_name(s->target, "old", make_link, s->target);
        if (!s->old)
            s->old = claim_name(s->target, "old", make_moved, s->target);
        if (!s->old)
            return false;
    }
    if (rename(s->part, s->target) != 0)
        return false;
    s->placed = true;
    free(s->part);
    s->part = NULL;
    return true;
}

/* Restores what was there before. */
static void unplace(const cli_call *call, staged *s)
{
    const bool back = s->old ? rename(s->old, s->target) == 0 : !s->placed || unlink(s->target) == 0;
    if (!back && s->old)
        cli_say(call, "%s could not be restored (%s); its old contents are in %s", s->file->path,
                strerror(errno), s->old);
    else if (!back)
        cli_say(call, "%s could not be removed again: %s", s->file->path, strerror(errno));
    /* rename does nothing if both names are links to the same file. */
    if (back && s->old)
        unlink(s->old);
    free(s->old);
    s->old = NULL;
}

static int place_all(const cli_call *call, staged *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (all[i].special || place(&all[i]))
            continue;
        const int why = errno;
        for (size_t j = i + 1; j-- > 0;)
            if (all[j].placed || all[j].old)
                unplace(call, &all[j]);
        errno = why;
        return cli_fail(call, CLI_USAGE, "cannot write %s: %s; no file was changed", all[i].file->path,
                        strerror(errno));
    }
    return CLI_FINE;
}

static staged begin(const output_file *file)
{
    struct stat st;
    staged s = { .file = file, .target = path_target(file->path) };
    s.special = path_look(file->path) == PATH_SPECIAL;
    s.existed = stat(file->path, &st) == 0;
    s.mode = s.existed ? st.st_mode & ALL_MODES : 0;
    return s;
}

static void finish(staged *s)
{
    if (s->part)
        unlink(s->part);
    if (s->old)
        unlink(s->old);
    free(s->part);
    free(s->old);
    free(s->target);
}

int output_write(const cli_call *call, const output_file *files, size_t count)
{
    stop_hold hold;
    int exit = CLI_FINE;
    staged *all = cli_alloc((count + 1) * sizeof(*all));
    stop_begin(&hold);
    for (size_t i = 0; i < count; i++)
        all[i] = begin(&files[i]);
    for (int special = 0; special <= 1; special++)
        for (size_t i = 0; i < count && exit == CLI_FINE; i++)
            if (all[i].special == (special != 0))
                exit = stage(call, &all[i]);
    if (exit == CLI_FINE && count && stop_wanted())
        exit = fail_write(call, &all[0]);
    if (exit == CLI_FINE)
        exit = place_all(call, all, count);
    for (size_t i = 0; i < count; i++)
        finish(&all[i]);
    free(all);
    stop_end(&hold);
    return exit;
}
