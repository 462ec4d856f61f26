/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4) of a file, so that a report can name exactly what a run read. */
#ifndef LW_CLI_SHA256_H
#define LW_CLI_SHA256_H

#include <stdbool.h>
#include <stdio.h>

enum { SHA256_TEXT = 65 }; /* 64 hexadecimal digits and a NUL */

/* From the file's position to its end. False if it cannot be read. */
bool sha256_file(FILE *file, char text[SHA256_TEXT]);

#endif
