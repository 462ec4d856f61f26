/* SPDX-License-Identifier: MIT */
/*
 * Files of numbered sections that end with a hash of all before it: captured launches and parts of launches.
 * The headers of both describe every byte.
 */
#ifndef LW_LOADERS_SECTIONS_H
#define LW_LOADERS_SECTIONS_H

#include <lanewise/sink.h>

#include "loaders/bytes.h"

enum {
    LW_SECTIONS_MAGIC = 8,
    LW_SECTIONS_HEAD = 16,    /* magic, version, count of sections */
    LW_SECTIONS_SECTION = 16, /* kind, zero, size */
    LW_SECTIONS_VERSION = 1,  /* of both */
};

#define LW_FNV_FIRST UINT64_C(0xcbf29ce484222325)

static inline uint64_t lw_fnv(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *b = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ b[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static inline uint64_t lw_sections_padded(uint64_t size)
{
    return (size + 7) / 8 * 8;
}

/* Is it one line of text, or several that each end with \n? */
bool lw_sections_text(const char *text, bool lines);

/* ---- Reading ---- */

typedef struct lw_sections {
    lw_bytes in; /* without the hash */
    uint64_t at;
    uint32_t left;   /* sections */
    lw_arena *arena; /* of texts */
    lw_error *error;
} lw_sections;

/* Checks magic, version and hash. `what`: "a captured launch". */
lw_status lw_sections_open(lw_sections *s, lw_bytes file, const char *magic, const char *what);

lw_status lw_sections_fail(const lw_sections *s, uint64_t at, const char *what);

/* Where a slice of the file begins. */
static inline uint64_t lw_sections_place(const lw_sections *s, lw_bytes slice)
{
    return (uint64_t)(slice.data - s->in.data);
}

/* `size` bytes and the zeros after them, from byte *at of `in`. */
lw_status lw_sections_take(const lw_sections *s, lw_bytes in, uint64_t *at, uint64_t size, lw_bytes *out);

/* The next section, which must be of that kind. */
lw_status lw_sections_next(lw_sections *s, uint32_t kind, lw_bytes *body);

/* A copy that ends with NUL; none may be in it. */
lw_status lw_sections_copy(const lw_sections *s, lw_bytes from, const char **to);

/* Nothing must follow the last section. */
lw_status lw_sections_end(const lw_sections *s);

/* ---- Writing: after a failure, nothing more is sent ---- */

typedef struct lw_sections_out {
    lw_sink sink;
    void *context;
    uint64_t hash;
    lw_status status;
} lw_sections_out;

void lw_sections_begin(lw_sections_out *out, const char *magic, size_t count);
/* Bytes, and zeros up to a multiple of 8. */
void lw_sections_put(lw_sections_out *out, const void *bytes, size_t size);
void lw_sections_put_head(lw_sections_out *out, uint32_t kind, uint64_t size);
void lw_sections_put_section(lw_sections_out *out, uint32_t kind, const void *bytes, size_t size);
/* Sends the hash. */
lw_status lw_sections_finish(lw_sections_out *out);

#endif
