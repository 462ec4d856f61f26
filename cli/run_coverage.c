/* SPDX-License-Identifier: MIT */
/* --coverage: instructions, branches and source lines that no wave reached. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/disasm.h>

#include "cli/run_text.h"

enum { SHOWN = 40, TEXT = 256 };

/* An instruction of the kernel. */
typedef struct code {
    uint64_t offset;
    char text[TEXT];
    lw_line line;
    const lw_covered *covered; /* NULL: no wave reached it */
} code;

typedef struct listing {
    const run_job *job;
    code *at;
    size_t count, room;
    size_t next; /* of the coverage */
} listing;

static void add(listing *l, uint64_t offset, uint64_t address, const char *text)
{
    if (l->count == l->room) {
        l->room = l->room ? 2 * l->room : 64;
        l->at = cli_grow(l->at, l->room * sizeof(*l->at));
    }
    code *c = &l->at[l->count++];
    memset(c, 0, sizeof(*c));
    c->offset = offset;
    snprintf(c->text, sizeof(c->text), "%s", text);
    if (lw_program_line(l->job->program, address, &c->line, NULL) != LW_OK)
        c->line.line = 0;
    const lw_covered *covered = lw_coverage_at(l->job->coverage, l->next);
    while (covered && covered->code_offset < offset)
        covered = lw_coverage_at(l->job->coverage, ++l->next);
    c->covered = covered && covered->code_offset == offset ? covered : NULL;
}

static const lw_symbol *find_kernel(const lw_program *program, const char *name)
{
    for (size_t i = 0; i < lw_program_symbol_count(program); i++) {
        const lw_symbol *s = lw_program_symbol_at(program, i);
        if (s->size && s->is_function && strcmp(s->name, name) == 0)
            return s;
    }
    return NULL;
}

static void add_bytes(listing *l, const lw_symbol *kernel, const lw_section *s)
{
    const uint64_t end = kernel->address + kernel->size;
    for (uint64_t at = kernel->address; at < end;) {
        lw_disasm in;
        const uint64_t left = (end < s->address + s->size ? end : s->address + s->size) - at;
        if (lw_disasm_program(l->job->program, s->data + (at - s->address), (size_t)left, at, &in) != LW_OK)
            return;
        add(l, at - kernel->address, at, in.text);
        at += in.size;
    }
}

static void read_code(listing *l)
{
    const lw_program *p = l->job->program;
    const lw_symbol *kernel = find_kernel(p, l->job->kernel->name);
    lw_program_text text;
    if (!kernel)
        return;
    for (uint64_t i = 0; lw_program_text_count(p) && i < kernel->size; i++)
        if (lw_program_text_at(p, kernel->address + i, &text, NULL) == LW_OK)
            add(l, i, kernel->address + i, text.text);
    for (size_t i = 0; i < lw_program_section_count(p); i++) {
        const lw_section *s = lw_program_section_at(p, i);
        if (s->executable && kernel->address - s->address < s->size)
            add_bytes(l, kernel, s);
    }
}

/* Whatever follows the end of the program is padding. */
static void drop_padding(listing *l)
{
    while (l->count && !l->at[l->count - 1].covered &&
           (strncmp(l->at[l->count - 1].text, "s_nop", 5) == 0 ||
            strncmp(l->at[l->count - 1].text, "s_code_end", 10) == 0))
        l->count--;
}

static bool same_line(const lw_line *a, const lw_line *b)
{
    return a->line && a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* Whether it is the first instruction of its source line, of which no wave reached any. */
static bool is_missed_line(const listing *l, size_t index)
{
    for (size_t i = 0; i < l->count; i++)
        if (same_line(&l->at[i].line, &l->at[index].line) && (i < index || l->at[i].covered))
            return false;
    return l->at[index].line.line && !l->at[index].covered;
}

static size_t count_missed(const listing *l)
{
    size_t missed = 0;
    for (size_t i = 0; i < l->count; i++)
        missed += !l->at[i].covered;
    return missed;
}

static bool is_one_way(const code *c)
{
    return c->covered && c->covered->branches && (!c->covered->taken || !c->covered->not_taken);
}

static void print_run(const listing *l, size_t first, size_t end)
{
    printf("  +0x%" PRIx64, l->at[first].offset);
    if (end > first + 1)
        printf(" to +0x%" PRIx64 ", %zu instructions, from", l->at[end - 1].offset, end - first);
    printf("  %s", l->at[first].text);
    if (l->at[first].line.line)
        run_text_source(&l->at[first].line, NULL);
    putchar('\n');
}

static void print_lines(const listing *l)
{
    size_t shown = 0;
    for (size_t i = 0; i < l->count; i++)
        if (is_missed_line(l, i) && shown++ < SHOWN)
            printf("%s%s:%u", shown == 1 ? "  lines that were not reached: " : ", ", l->at[i].line.file,
                   l->at[i].line.line);
    if (shown > SHOWN)
        printf(" and %zu more: --json lists all", shown - SHOWN);
    if (shown)
        putchar('\n');
}

static void print_coverage(const listing *l)
{
    size_t shown = 0;
    const size_t missed = count_missed(l);
    printf("coverage: %zu of %zu instructions were reached\n", l->count - missed, l->count);
    for (size_t i = 0; i < l->count && shown < SHOWN; i++) {
        size_t end = i;
        while (end < l->count && !l->at[end].covered)
            end++;
        if (end > i) {
            fputs("  not reached:", stdout);
            print_run(l, i, end);
            shown++;
            i = end - 1;
        } else if (is_one_way(&l->at[i])) {
            printf("  always %s:", l->at[i].covered->taken ? "taken" : "passed");
            print_run(l, i, i + 1);
            shown++;
        }
    }
    if (shown == SHOWN)
        puts("  and more: --json lists all");
    print_lines(l);
}

static void write_coverage(const listing *l, cli_json *json)
{
    json_open(json, "coverage", '{');
    json_uint(json, "instructions", l->count);
    json_uint(json, "reached", l->count - count_missed(l));
    json_open(json, "places", '[');
    for (size_t i = 0; i < l->count; i++) {
        const code *c = &l->at[i];
        json_open(json, NULL, '{');
        json_uint(json, "code_offset", c->offset);
        json_string(json, "instruction", c->text);
        run_text_source(&c->line, json);
        json_uint(json, "executed", c->covered ? c->covered->executed : 0);
        if (c->covered && c->covered->branches) {
            json_uint(json, "taken", c->covered->taken);
            json_uint(json, "not_taken", c->covered->not_taken);
        }
        json_close(json, '}');
    }
    json_close(json, ']');
    json_open(json, "lines_not_reached", '[');
    for (size_t i = 0; i < l->count; i++)
        if (is_missed_line(l, i)) {
            json_open(json, NULL, '{');
            run_text_source(&l->at[i].line, json);
            json_close(json, '}');
        }
    json_close(json, ']');
    json_close(json, '}');
}

void run_text_coverage(const run_job *job, cli_json *json)
{
    listing l = { .job = job };
    if (!job->coverage)
        return;
    (void)lw_coverage_count(job->coverage);
    read_code(&l);
    drop_padding(&l);
    if (json)
        write_coverage(&l, json);
    else if (!l.count)
        puts("coverage: the file does not say where the kernel's code is");
    else
        print_coverage(&l);
    free(l.at);
}
