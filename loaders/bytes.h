/* SPDX-License-Identifier: MIT */
/* Input from outside: slices whose every access is checked, and memory that is freed as a whole. */
#ifndef LW_LOADERS_BYTES_H
#define LW_LOADERS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <lanewise/status.h>

typedef struct lw_bytes {
    const uint8_t *data;
    size_t size;
} lw_bytes;

/* The only place that checks an offset; everything else reads what this returned. */
static inline bool lw_slice(lw_bytes in, uint64_t offset, uint64_t size, lw_bytes *out)
{
    if (offset > in.size || size > in.size - offset)
        return false;
    *out = (lw_bytes){ in.data + offset, (size_t)size };
    return true;
}

/* Little-endian loads; the caller's slice covers them. */
static inline uint16_t lw_le16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t lw_le32(const uint8_t *p)
{
    return (uint32_t)lw_le16(p) | (uint32_t)lw_le16(p + 2) << 16;
}

static inline uint64_t lw_le64(const uint8_t *p)
{
    return (uint64_t)lw_le32(p) | (uint64_t)lw_le32(p + 4) << 32;
}

static inline void lw_put_le(uint8_t *p, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}

static inline bool lw_starts_with(lw_bytes in, const void *prefix, size_t size)
{
    return size == 0 || (in.size >= size && memcmp(in.data, prefix, size) == 0);
}

/* Blocks that live until the arena is freed. */
typedef struct lw_arena {
    struct lw_arena_block *blocks;
} lw_arena;

/* Zeroed, aligned for any type; never NULL for size 0. NULL when the host is out of memory. */
void *lw_arena_alloc(lw_arena *arena, uint64_t count, size_t size);
/* A NUL-terminated copy. NULL when the host is out of memory. */
char *lw_arena_text(lw_arena *arena, const void *text, size_t size);
void lw_arena_free(lw_arena *arena);

/*
 * Reads a whole regular file of at most `limit` bytes into a malloc'd block. LW_E_IO with a sentence that
 * names path and reason, also for anything that is not a regular file; LW_E_NO_MEMORY for a larger one.
 */
lw_status lw_file_read(const char *path, uint64_t limit, uint8_t **data, size_t *size, lw_error *error);

/* The sentence for a failed allocation. */
lw_status lw_no_memory(lw_error *error);

#endif
