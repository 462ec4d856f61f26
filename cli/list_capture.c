/* SPDX-License-Identifier: MIT */
/* lanewise list FILE for a captured launch: what it would give away, and what a replay needs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <lanewise/capture.h>

#include "cli/list.h"

bool list_is_capture(const void *bytes, size_t size)
{
    static const char magic[] = "\x89LWCAP\r\n";
    return size >= sizeof(magic) - 1 && memcmp(bytes, magic, sizeof(magic) - 1) == 0;
}

static const char *change_of(const lw_capture_piece *p)
{
    return !p->after                                      ? "not known afterwards"
           : memcmp(p->before, p->after, (size_t)p->size) ? "changed"
                                                          : "not changed";
}

static void print_sizes(const lw_capture *c)
{
    const uint32_t *size = c->items[0] ? c->items : c->grid;
    printf("  %s %u,%u,%u, block %u,%u,%u", c->items[0] ? "items" : "grid", size[0], size[1], size[2],
           c->block[0], c->block[1], c->block[2]);
    if (c->cluster[0])
        printf(", cluster %u,%u,%u", c->cluster[0], c->cluster[1], c->cluster[2]);
    printf(", %u bytes of dynamic shared memory\n", c->dynamic_lds);
}

static void print_about(const char *about)
{
    for (const char *end; (end = strchr(about, '\n')) != NULL; about = end + 1)
        printf("  %.*s\n", (int)(end - about), about);
}

static void print(const char *path, const lw_capture *c)
{
    printf("%s: a captured launch of %s on %s (%s)\n", path, c->kernel, c->target, c->api);
    print_sizes(c);
    print_about(c->about);
    if (c->outcome[0])
        printf("  on the GPU: %s\n", c->outcome);
    printf("  code: %zu bytes; arguments: %zu bytes\n", c->code_size, c->args_size);
    for (size_t i = 0; i < c->piece_count; i++) {
        const lw_capture_piece *p = &c->pieces[i];
        printf("  %s%s at 0x%" PRIx64 ", %" PRIu64 " bytes", p->name[0] ? "variable " : "allocation", p->name,
               p->address, p->size);
        printf(p->size ? ": %s\n" : "\n", change_of(p));
    }
}

static void write_sizes(cli_json *json, const char *name, const uint32_t v[3])
{
    json_open(json, name, '[');
    for (int i = 0; i < 3; i++)
        json_uint(json, NULL, v[i]);
    json_close(json, ']');
}

static void write(cli_json *json, const char *path, const lw_capture *c)
{
    json_open(json, NULL, '{');
    json_string(json, "file", path);
    json_string(json, "kernel", c->kernel);
    json_string(json, "target", c->target);
    json_string(json, "api", c->api);
    json_string(json, "outcome", c->outcome);
    json_string(json, "about", c->about);
    write_sizes(json, "grid", c->grid);
    write_sizes(json, "items", c->items);
    write_sizes(json, "block", c->block);
    write_sizes(json, "cluster", c->cluster);
    json_uint(json, "dynamic_shared_bytes", c->dynamic_lds);
    json_uint(json, "code_bytes", c->code_size);
    json_uint(json, "argument_bytes", c->args_size);
    json_open(json, "pieces", '[');
    for (size_t i = 0; i < c->piece_count; i++) {
        const lw_capture_piece *p = &c->pieces[i];
        json_open(json, NULL, '{');
        json_string(json, "name", p->name);
        json_hex(json, "address", p->address, 1);
        json_uint(json, "bytes", p->size);
        if (p->size && p->after)
            json_bool(json, "changed", memcmp(p->before, p->after, (size_t)p->size) != 0);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

int list_capture(const cli_call *call, const char *path, const void *bytes, size_t size)
{
    lw_capture *capture;
    lw_error error = { "" };
    cli_json json = { .out = stdout };
    const lw_status status = lw_capture_read(bytes, size, &capture, &error);
    if (status != LW_OK)
        return cli_fail_status(call, path, status, &error);
    if (cli_has(call, "json"))
        write(&json, path, capture);
    else
        print(path, capture);
    lw_capture_free(capture);
    return CLI_FINE;
}
