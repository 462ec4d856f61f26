/* SPDX-License-Identifier: MIT */
/* What verbs that run a part of their work share: --part I/N, and writing the part's file. */
#ifndef LW_CLI_PART_FILE_H
#define LW_CLI_PART_FILE_H

#include <lanewise/part.h>

#include "cli/cli.h"

/* "2/4": the second of four, as 1 and 4. */
bool part_parse(const char *text, uint32_t *part, uint32_t *parts);

/* --part and --part-file of a call. *path is NULL without them; reports what is wrong. */
int part_options(const cli_call *call, const char **path, uint32_t *part, uint32_t *parts);

/* Bytes that grow; the caller frees them. */
typedef struct part_buffer {
    uint8_t *bytes;
    size_t size, room;
} part_buffer;

lw_status part_put(void *buffer, const char *bytes, size_t size); /* a lw_sink */
void part_say(part_buffer *buffer, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Writes the file, all of it or nothing. */
int part_write(const cli_call *call, const lw_launch_part *part, const char *path);

#endif
