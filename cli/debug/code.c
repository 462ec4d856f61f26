/* SPDX-License-Identifier: MIT */
#include "cli/debug/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/disasm.h>

#include "cli/cli.h"

enum { WHOLE_SECTION = 4 << 20 };

static size_t keep_text(debug_code *c, const char *text)
{
    const size_t size = strlen(text) + 1, at = c->text_size;
    if (at + size > c->text_room) {
        c->text_room = 2 * (at + size);
        c->texts = cli_grow(c->texts, c->text_room);
    }
    memcpy(c->texts + at, text, size);
    c->text_size += size;
    return at;
}

static uint32_t keep_file(debug_code *c, const char *name)
{
    for (size_t i = c->file_count; i-- > 0;)
        if (strcmp(c->files[i], name) == 0)
            return (uint32_t)i + 1;
    c->files = cli_grow(c->files, (c->file_count + 1) * sizeof(*c->files));
    c->files[c->file_count++] = cli_copy(name, strlen(name));
    return (uint32_t)c->file_count;
}

static void add(debug_code *c, const lw_program *program, uint64_t offset, uint64_t address, const char *text,
                uint32_t text_line)
{
    if (c->count == c->room) {
        c->room = c->room ? 2 * c->room : 256;
        c->at = cli_grow(c->at, c->room * sizeof(*c->at));
    }
    lw_line line;
    debug_place *p = &c->at[c->count++];
    *p = (debug_place){
        .offset = offset, .address = address, .text = keep_text(c, text), .text_line = text_line
    };
    if (lw_program_line(program, address, &line, NULL) != LW_OK || !line.line)
        return;
    p->line = line.line;
    p->file = keep_file(c, line.file);
    c->has_lines = true;
}

static const lw_symbol *find_kernel(const lw_program *program, const char *name)
{
    for (size_t i = 0; i < lw_program_symbol_count(program); i++) {
        const lw_symbol *s = lw_program_symbol_at(program, i);
        if (s->is_function && strcmp(s->name, name) == 0)
            return s;
    }
    return NULL;
}

static void read_section(debug_code *c, const lw_program *program, const lw_symbol *kernel,
                         const lw_section *s)
{
    const bool whole = s->size <= WHOLE_SECTION;
    const uint64_t end = whole ? s->address + s->size : kernel->address + kernel->size;
    for (uint64_t at = whole ? s->address : kernel->address; at < end;) {
        lw_disasm in;
        const uint64_t left = end - at;
        const bool decoded =
            lw_disasm_program(program, s->data + (at - s->address), (size_t)left, at, &in) == LW_OK;
        if (decoded)
            add(c, program, at - kernel->address, at, in.text, 0);
        at += decoded ? in.size : 4;
    }
}

/* What follows the last end of a program is padding. */
static void drop_padding(debug_code *c)
{
    while (c->count) {
        const char *text = c->texts + c->at[c->count - 1].text;
        if (strncmp(text, "s_nop", 5) != 0 && strncmp(text, "s_code_end", 10) != 0)
            break;
        c->count--;
    }
}

void debug_code_read(debug_code *c, const lw_program *program, const char *name, const char *path)
{
    const lw_symbol *kernel = find_kernel(program, name);
    const uint64_t texts = lw_program_text_count(program);
    c->path = path;
    c->ptx = texts > 0;
    for (uint64_t i = 0; kernel && i < texts; i++) {
        lw_program_text text;
        if (lw_program_text_at(program, i, &text, NULL) == LW_OK)
            add(c, program, i - kernel->address, i, text.text, text.line);
    }
    for (size_t i = 0; kernel && i < lw_program_section_count(program); i++) {
        const lw_section *s = lw_program_section_at(program, i);
        if (s->executable && kernel->address - s->address < s->size)
            read_section(c, program, kernel, s);
    }
    drop_padding(c);
}

void debug_code_free(debug_code *c)
{
    for (size_t i = 0; i < c->file_count; i++)
        free(c->files[i]);
    free(c->files);
    free(c->texts);
    free(c->at);
}

const debug_place *debug_code_at(const debug_code *c, uint64_t offset)
{
    size_t low = 0, high = c->count;
    const uint64_t address = c->count ? offset + (c->at[0].address - c->at[0].offset) : 0;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (c->at[middle].address == address)
            return &c->at[middle];
        if (c->at[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const char *debug_code_text(const debug_code *c, const debug_place *p)
{
    return c->texts + p->text;
}

const char *debug_code_source(const debug_code *c, const debug_place *p, uint32_t *line)
{
    if (p->file) {
        *line = p->line;
        return c->files[p->file - 1];
    }
    *line = p->text_line;
    return p->text_line && !c->has_lines ? c->path : NULL;
}

const char *debug_code_line(const debug_code *c, const debug_place *p, char *text, size_t size)
{
    uint32_t line;
    const char *file = debug_code_source(c, p, &line), *slash = file ? strrchr(file, '/') : NULL;
    if (file)
        snprintf(text, size, "%s:%u", slash ? slash + 1 : file, line);
    else
        text[0] = '\0';
    return text;
}

/* Is `end` the whole path, or what follows one of its slashes? */
static bool ends_in(const char *path, const char *end)
{
    const size_t all = strlen(path), part = strlen(end);
    return part <= all && strcmp(path + all - part, end) == 0 &&
           (part == all || path[all - part - 1] == '/' || end[0] == '/');
}

/* The line of a place in a file whose path ends so; 0: it is not from there. */
static uint32_t line_in(const debug_code *c, const debug_place *p, const char *file)
{
    if (p->file && (!file || ends_in(c->files[p->file - 1], file)))
        return p->line;
    const bool text = file ? ends_in(c->path, file) || ends_in(file, c->path) : !c->has_lines;
    return text ? p->text_line : 0;
}

bool debug_code_begins(const debug_code *c, size_t index, const char *file, uint32_t line)
{
    return line_in(c, &c->at[index], file) == line && (!index || line_in(c, &c->at[index - 1], file) != line);
}

uint32_t debug_code_near(const debug_code *c, const char *file, uint32_t line)
{
    uint32_t best = 0;
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t at = line_in(c, &c->at[i], file);
        if (at >= line && at && (!best || at < best))
            best = at;
    }
    return best;
}

const char *debug_code_mnemonic(const char *text, size_t *length)
{
    if (text[0] == '@') {
        text += strcspn(text, " \t");
        text += strspn(text, " \t");
    }
    *length = strcspn(text, " \t;");
    return text;
}
