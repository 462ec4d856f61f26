/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* O_CLOEXEC, fdopen */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "isa_tables/error.h"
#include "loaders/bytes.h"

struct lw_arena_block {
    struct lw_arena_block *next;
    max_align_t payload[];
};

void *lw_arena_alloc(lw_arena *arena, uint64_t count, size_t size)
{
    const size_t head = sizeof(struct lw_arena_block);
    if (size && count > (SIZE_MAX - head) / size)
        return NULL;
    struct lw_arena_block *block = calloc(1, head + (size_t)count * size);
    if (!block)
        return NULL;
    block->next = arena->blocks;
    arena->blocks = block;
    return block->payload;
}

char *lw_arena_text(lw_arena *arena, const void *text, size_t size)
{
    char *copy = lw_arena_alloc(arena, 1, size + 1);
    if (copy && size)
        memcpy(copy, text, size);
    return copy;
}

void lw_arena_free(lw_arena *arena)
{
    while (arena->blocks) {
        struct lw_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}

lw_status lw_no_memory(lw_error *error)
{
    return lw_error_fail(error, LW_E_NO_MEMORY, "the host is out of memory");
}

static lw_status read_open_file(FILE *file, const char *path, uint64_t limit, uint8_t **data, size_t *size,
                                lw_error *error)
{
    struct stat info;
    if (fstat(fileno(file), &info) != 0)
        return lw_error_fail(error, LW_E_IO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return lw_error_fail(error, LW_E_IO, "%s: not a regular file", path);
    if ((uint64_t)info.st_size > limit || (uint64_t)info.st_size >= SIZE_MAX)
        return lw_error_fail(error, LW_E_NO_MEMORY,
                             "%s: %llu bytes, which exceeds the memory limit of %llu bytes", path,
                             (unsigned long long)info.st_size, (unsigned long long)limit);

    const size_t length = (size_t)info.st_size;
    uint8_t *block = malloc(length ? length : 1);
    if (!block)
        return lw_no_memory(error);
    errno = 0;
    if (fread(block, 1, length, file) != length) {
        free(block);
        return lw_error_fail(error, LW_E_IO, "%s: %s", path, errno ? strerror(errno) : "it became shorter");
    }
    *data = block;
    *size = length;
    return LW_OK;
}

/* Opening a pipe that has no writer must not block, and inspecting a device must have no effect on it. */
static FILE *open_regular(const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
        errno = 0;
        return NULL;
    }
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "rb");
    if (fd >= 0 && !file)
        close(fd);
    return file;
}

lw_status lw_file_read(const char *path, uint64_t limit, uint8_t **data, size_t *size, lw_error *error)
{
    FILE *file = open_regular(path);
    if (!file)
        return lw_error_fail(error, LW_E_IO, "%s: %s", path, errno ? strerror(errno) : "not a regular file");
    const lw_status status = read_open_file(file, path, limit, data, size, error);
    fclose(file);
    return status;
}
