/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4), so that a report can name exactly what a run read, and parts their launch. */
#ifndef LW_CLI_SHA256_H
#define LW_CLI_SHA256_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { SHA256_TEXT = 65, SHA256_BYTES = 32 }; /* text: 64 hexadecimal digits and a NUL */

/* A hash in the making. */
typedef struct sha256 {
    uint32_t hash[8];
    uint8_t block[64];
    uint64_t bytes; /* so far; those of an unfinished block are in `block` */
} sha256;

void sha256_begin(sha256 *s);
void sha256_add(sha256 *s, const void *bytes, size_t size);
void sha256_end(sha256 *s, uint8_t hash[SHA256_BYTES]);

/* From the file's position to its end. False if it cannot be read. */
bool sha256_file(FILE *file, char text[SHA256_TEXT]);

#endif
