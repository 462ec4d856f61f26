/* SPDX-License-Identifier: MIT */
/* lanewise list FILE for a part of a launch: which files a merge would write, and what the part touched. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <lanewise/part.h>

#include "cli/list.h"

bool list_is_part(const void *bytes, size_t size)
{
    static const char magic[] = "\x89LWPAR\r\n";
    return size >= sizeof(magic) - 1 && memcmp(bytes, magic, sizeof(magic) - 1) == 0;
}

static uint64_t sum(const lw_byte_run *runs, size_t count)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += runs[i].size;
    return bytes;
}

static void launch_text(const lw_launch_part *p, char text[65])
{
    for (int i = 0; i < 32; i++)
        snprintf(text + 2 * i, 3, "%02x", p->launch[i]);
}

/* Any bytes: those that are not plain characters are not sent to a terminal. */
static void print_shape(const lw_launch_piece *c)
{
    const unsigned char *text = c->shape;
    for (size_t i = 0; i < c->shape_size; i++)
        putchar(text[i] >= ' ' && text[i] < 0x7f ? text[i] : '?');
}

/* Lines that are only for merge: a part may have thousands of them. */
static bool is_for_merge(const char *line)
{
    static const char *const words[] = { "rule ", "row ", "text ", "verdict ", "left ", "why ", "kept " };
    for (size_t i = 0; i < CLI_COUNT(words); i++)
        if (strncmp(line, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

static void print(const char *path, const lw_launch_part *p)
{
    char launch[65];
    launch_text(p, launch);
    printf("%s: part %u of %u of launch %s\n", path, p->number + 1, p->count, launch);
    for (const char *at = p->about, *end; (end = strchr(at, '\n')) != NULL; at = end + 1)
        if (!is_for_merge(at))
            printf("  %.*s\n", (int)(end - at), at);
    for (size_t i = 0; i < p->piece_count; i++) {
        const lw_launch_piece *c = &p->pieces[i];
        printf("  %s, %" PRIu64 " bytes (", c->name, c->size);
        print_shape(c);
        printf("): %" PRIu64 " read, %" PRIu64 " written", sum(c->reads, c->read_count),
               sum(c->writes, c->write_count));
        printf(c->file[0] ? "; merge writes %s\n" : "\n", c->file);
    }
}

static void write(cli_json *json, const char *path, const lw_launch_part *p)
{
    char launch[65];
    launch_text(p, launch);
    json_open(json, NULL, '{');
    json_string(json, "file", path);
    json_uint(json, "part", p->number + 1);
    json_uint(json, "parts", p->count);
    json_string(json, "launch", launch);
    json_string(json, "about", p->about);
    json_open(json, "pieces", '[');
    for (size_t i = 0; i < p->piece_count; i++) {
        const lw_launch_piece *c = &p->pieces[i];
        json_open(json, NULL, '{');
        json_string(json, "name", c->name);
        json_string(json, "file", c->file);
        json_uint(json, "bytes", c->size);
        json_uint(json, "read", sum(c->reads, c->read_count));
        json_uint(json, "written", sum(c->writes, c->write_count));
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

int list_part(const cli_call *call, const char *path, const void *bytes, size_t size)
{
    lw_launch_part *part;
    lw_error error = { "" };
    cli_json json = { .out = stdout };
    const lw_status status = lw_launch_part_read(bytes, size, &part, &error);
    if (status != LW_OK)
        return cli_fail_status(call, path, status, &error);
    if (cli_has(call, "json"))
        write(&json, path, part);
    else
        print(path, part);
    lw_launch_part_free(part);
    return CLI_FINE;
}
