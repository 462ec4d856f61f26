/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4), by which reports name what was read: files, code objects, launches. */
#ifndef LANEWISE_HASH_H
#define LANEWISE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include <lanewise/export.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LW_SHA256_BYTES = 32, LW_SHA256_TEXT = 65 }; /* text: 64 hexadecimal digits and a NUL */

/* A hash in the making: begin, add any number of times, end. Begin starts anew. */
typedef struct lw_sha256 {
    uint32_t hash[8];
    uint8_t block[64];
    uint64_t bytes; /* so far; those of an unfinished block are in `block` */
} lw_sha256;

/* None of these does anything with NULL for the hash, or adds bytes of NULL. */
LW_API void lw_sha256_begin(lw_sha256 *hash);
LW_API void lw_sha256_add(lw_sha256 *hash, const void *bytes, size_t size);
/* Writes LW_SHA256_BYTES to `digest`, and to `text`, unless it is NULL, LW_SHA256_TEXT. */
LW_API void lw_sha256_end(lw_sha256 *hash, uint8_t *digest, char *text);

#ifdef __cplusplus
}
#endif

#endif
