/* SPDX-License-Identifier: MIT */
#include "cli/part_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "cli/parse.h"

bool part_parse(const char *text, uint32_t *part, uint32_t *parts)
{
    uint64_t number, count;
    const char *slash = strchr(text, '/');
    char *first = slash ? cli_copy(text, (size_t)(slash - text)) : NULL;
    const bool good = first && parse_u64(first, &number) && parse_u64(slash + 1, &count) && number >= 1 &&
                      number <= count && count <= UINT32_MAX;
    free(first);
    if (good) {
        *part = (uint32_t)(number - 1);
        *parts = (uint32_t)count;
    }
    return good;
}

int part_options(const cli_call *call, const char **path, uint32_t *part, uint32_t *parts)
{
    const char *text = cli_value(call, "part");
    *path = cli_value(call, "part-file");
    if (!text && !*path)
        return CLI_FINE;
    if (!text || !*path)
        return cli_fail(call, CLI_USAGE, "--part I/N and --part-file FILE belong together");
    if (!part_parse(text, part, parts))
        return cli_fail(call, CLI_USAGE, "--part %s: needs I/N, with I from 1 to N, as in 2/4", text);
    return output_check(call, *path);
}

lw_status part_put(void *buffer, const char *bytes, size_t size)
{
    part_buffer *b = buffer;
    if (size > b->room - b->size) {
        b->room = b->size + size > 2 * b->room ? b->size + size : 2 * b->room;
        b->bytes = cli_grow(b->bytes, b->room);
    }
    memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
    return LW_OK;
}

void part_say(part_buffer *b, const char *format, ...)
{
    char line[1024];
    va_list list;
    va_start(list, format);
    const int size = vsnprintf(line, sizeof(line), format, list);
    va_end(list);
    part_put(b, line, size < (int)sizeof(line) ? (size_t)size : sizeof(line) - 1);
}

int part_write(const cli_call *call, const lw_launch_part *part, const char *path)
{
    lw_error error = { "" };
    part_buffer file = { 0 };
    const lw_status status = lw_launch_part_write(part, part_put, &file, &error);
    const output_file out = { .path = path, .bytes = file.bytes, .size = file.size };
    const int exit =
        status == LW_OK ? output_write(call, &out, 1) : cli_fail_status(call, "--part", status, &error);
    free(file.bytes);
    return exit;
}
