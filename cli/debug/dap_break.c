/* SPDX-License-Identifier: MIT */
/* Breakpoints that editors set. A request replaces all of its kind, or of its source file. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/debug/dap.h"

static void clear(debugger *d, int owner)
{
    for (size_t i = 0; i < d->point_count;)
        if (d->points[i].owner == owner)
            debug_delete(d, d->points[i].number);
        else
            i++;
}

static void own(debugger *d, unsigned number, int owner)
{
    for (size_t i = 0; i < d->point_count; i++)
        if (d->points[i].number == number)
            d->points[i].owner = owner;
}

/* A Breakpoint of the protocol. Numbers of breakpoints that could not be set are not used. */
static void write_point(dap *s, unsigned number, const debug_text *why, int64_t line)
{
    json_open(&s->json, NULL, '{');
    if (number)
        json_uint(&s->json, "id", number);
    json_bool(&s->json, "verified", number != 0);
    if (why->size)
        json_string(&s->json, "message", why->at);
    if (line > 0)
        json_int(&s->json, "line", line);
    json_close(&s->json, '}');
}

/* Sets a breakpoint with `set` and writes it. */
static void add(dap *s, unsigned (*set)(debugger *d, const char *words, debug_text *why), const char *words,
                int owner)
{
    debug_text why = { NULL, 0, 0 };
    const unsigned number = set(s->d, words, &why);
    own(s->d, number, owner);
    write_point(s, number, &why, 0);
    debug_text_free(&why);
}

/* ---- Source lines ---- */

static int owner_of(dap *s, const char *path)
{
    for (size_t i = 0; i < s->source_count; i++)
        if (strcmp(s->sources[i], path) == 0)
            return DAP_SOURCES + (int)i;
    s->sources = cli_grow(s->sources, (s->source_count + 1) * sizeof(*s->sources));
    s->sources[s->source_count++] = cli_copy(path, strlen(path));
    return DAP_SOURCES + (int)s->source_count - 1;
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The file as the code names it: with its path, or, where that is from elsewhere, the name alone. The line
 * moves to the next one with code. */
static void add_line(dap *s, const char *path, int64_t line, int owner)
{
    debug_text why = { NULL, 0, 0 }, words = { NULL, 0, 0 };
    const debug_code *c = &s->d->code;
    const char *file = path;
    unsigned number = 0;
    if (line > 0 && line <= UINT32_MAX) {
        uint32_t near = debug_code_near(c, file, (uint32_t)line);
        if (!near) {
            file = base_of(path);
            near = debug_code_near(c, file, (uint32_t)line);
        }
        line = near ? near : line;
    }
    if (strpbrk(file, " \t"))
        debug_say(&why, "paths with blanks are not supported");
    else
        debug_say(&words, "%s:%" PRId64, file, line);
    if (words.size)
        number = debug_break(s->d, words.at, &why);
    own(s->d, number, owner);
    write_point(s, number, &why, line);
    debug_text_free(&why);
    debug_text_free(&words);
}

void dap_set_breakpoints(dap *s)
{
    const json_node *source = json_get(s->arguments, "source");
    const json_node *all = json_get(s->arguments, "breakpoints");
    const char *path = json_text(json_get(source, "path"));
    if (!path)
        path = json_text(json_get(source, "name"));
    if (!path || !*path) {
        dap_fail(s, "breakpoints need a source with a path");
        return;
    }
    const int owner = owner_of(s, path);
    clear(s->d, owner);
    dap_begin_response(s);
    json_open(&s->json, "breakpoints", '[');
    for (const json_node *b = all && all->kind == JSON_ARRAY ? all->first : NULL; b; b = b->next) {
        int64_t line = 0;
        (void)json_whole(json_get(b, "line"), &line);
        add_line(s, path, line, owner);
    }
    json_close(&s->json, ']');
    dap_end_response(s);
}

/* ---- Names, offsets, data ---- */

/* Answers a request that has an array `breakpoints`; `words` writes what one of them is about. */
static void set_all(dap *s, int owner, unsigned (*set)(debugger *d, const char *words, debug_text *why),
                    void (*words)(const json_node *b, debug_text *text))
{
    const json_node *all = json_get(s->arguments, "breakpoints");
    clear(s->d, owner);
    dap_begin_response(s);
    json_open(&s->json, "breakpoints", '[');
    for (const json_node *b = all && all->kind == JSON_ARRAY ? all->first : NULL; b; b = b->next) {
        debug_text text = { NULL, 0, 0 };
        words(b, &text);
        add(s, set, debug_text_of(&text), owner);
        debug_text_free(&text);
    }
    json_close(&s->json, ']');
    dap_end_response(s);
}

static void say_member(const json_node *b, const char *name, debug_text *text)
{
    const char *given = json_text(json_get(b, name));
    debug_say(text, "%s", given ? given : "");
}

static void name_words(const json_node *b, debug_text *text)
{
    say_member(b, "name", text);
}

static void instruction_words(const json_node *b, debug_text *text)
{
    const char *reference = json_text(json_get(b, "instructionReference"));
    int64_t offset = 0;
    (void)json_whole(json_get(b, "offset"), &offset);
    const uint64_t base = reference ? strtoull(reference, NULL, 0) : 0;
    debug_say(text, "0x%" PRIx64, base + (uint64_t)offset);
}

static void data_words(const json_node *b, debug_text *text)
{
    const char *access = json_text(json_get(b, "accessType"));
    say_member(b, "dataId", text);
    if (access && (strcmp(access, "read") == 0 || strcmp(access, "write") == 0))
        debug_say(text, " %s", access);
}

void dap_set_functions(dap *s)
{
    set_all(s, DAP_FUNCTIONS, debug_break, name_words);
}

void dap_set_instructions(dap *s)
{
    set_all(s, DAP_INSTRUCTIONS, debug_break, instruction_words);
}

void dap_set_data(dap *s)
{
    set_all(s, DAP_DATA, debug_watch, data_words);
}

/* The name of an array or of its element ("C[2,17]") is what can be watched. */
void dap_data_info(dap *s)
{
    const char *name = json_text(json_get(s->arguments, "name"));
    debug_text why = { NULL, 0, 0 };
    const unsigned number = name ? debug_watch(s->d, name, &why) : 0;
    dap_begin_response(s);
    json_string(&s->json, "dataId", number ? name : NULL);
    json_string(&s->json, "description", number ? name : name ? debug_text_of(&why) : "a name is needed");
    if (number) {
        json_open(&s->json, "accessTypes", '[');
        json_string(&s->json, NULL, "read");
        json_string(&s->json, NULL, "write");
        json_string(&s->json, NULL, "readWrite");
        json_close(&s->json, ']');
        debug_delete(s->d, number);
    }
    dap_end_response(s);
    debug_text_free(&why);
}
