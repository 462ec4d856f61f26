/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include "cli/gpu/launches.h"

#include <stdlib.h>
#include <string.h>

#include "cli/file.h"
#include "cli/gpu/values.h"
#include "cli/parse.h"

enum { MOST_ARGUMENTS = 32, MOST_ELEMENTS = 1 << 24 };

typedef struct argument {
    bool is_buffer;
    uint32_t number;
    size_t size;             /* bytes of the buffer */
    uint8_t *here, *there;   /* its bytes, before and after */
    uint64_t address, value; /* on the device; here */
} argument;

typedef struct launch {
    contest *c;
    const char *list;
    unsigned line;
    char *path, *kernel;
    uint32_t grid[3], block[3], lds;
    argument arg[MOST_ARGUMENTS];
    size_t arg_count;
} launch;

static int fail(const launch *l, const char *what, const char *word)
{
    return cli_fail(l->c->call, CLI_USAGE, "%s: line %u: %s '%s'", l->list, l->line, what, word);
}

/* Bytes of an element, and the type whose values it gets; e8m0: bytes about 127. */
static const struct {
    const char *type;
    unsigned bytes;
} types[] = { { "f16", 2 }, { "bf16", 2 }, { "f32", 4 }, { "f64", 8 },
              { "u8", 1 },  { "u16", 2 },  { "u32", 4 }, { "e8m0", 1 } };

static void fill(const launch *l, argument *a, const char *type, unsigned bytes)
{
    enum { ONE = 127, SPREAD = 8 };
    uint64_t state = values_state(l->c->seed, type, l->line);
    for (size_t i = 0; i < a->size; i += bytes) {
        const uint64_t random = values_next(&state);
        /* kind 1 of values_lane: moderate numbers */
        const uint64_t value = type[0] == 'e'   ? ONE - SPREAD / 2 + random % SPREAD
                               : type[0] == 'u' ? random
                                                : values_lane(type, 8 * bytes, 1, &state);
        for (unsigned b = 0; b < bytes; b++)
            a->here[i + b] = (uint8_t)(value >> 8 * b);
    }
}

static int read_buffer(const launch *l, const char *text, bool is_out, argument *a)
{
    uint64_t count;
    const char *colon = strchr(text, ':');
    for (size_t i = 0; colon && i < CLI_COUNT(types); i++) {
        if (strlen(types[i].type) != (size_t)(colon - text) ||
            strncmp(types[i].type, text, (size_t)(colon - text)) != 0)
            continue;
        if (!parse_u64(colon + 1, &count) || !count || count > MOST_ELEMENTS)
            break;
        a->is_buffer = true;
        a->size = (size_t)count * types[i].bytes;
        a->here = cli_alloc(a->size);
        a->there = cli_alloc(a->size);
        memset(a->here, 0, a->size);
        if (!is_out)
            fill(l, a, types[i].type, types[i].bytes);
        memcpy(a->there, a->here, a->size);
        return CLI_FINE;
    }
    return fail(l, "no buffer like in:f32:N:", text);
}

static int read_argument(launch *l, const char *word)
{
    uint64_t number;
    argument *a = &l->arg[l->arg_count];
    if (l->arg_count == MOST_ARGUMENTS)
        return fail(l, "too many arguments:", word);
    l->arg_count++;
    if (strncmp(word, "in:", 3) == 0)
        return read_buffer(l, word + 3, false, a);
    if (strncmp(word, "out:", 4) == 0)
        return read_buffer(l, word + 4, true, a);
    if (strncmp(word, "u32:", 4) != 0 || !parse_u64(word + 4, &number) || number > UINT32_MAX)
        return fail(l, "no argument like in:f32:N, out:f32:N or u32:V:", word);
    a->number = (uint32_t)number;
    return CLI_FINE;
}

/* The folder of the list, then the file's own path. */
static char *beside(const char *list, const char *file)
{
    const char *slash = strrchr(list, '/');
    const size_t folder = slash && *file != '/' ? (size_t)(slash - list) + 1 : 0,
                 size = folder + strlen(file) + 1;
    char *path = cli_alloc(size);
    snprintf(path, size, "%.*s%s", (int)folder, list, file);
    return path;
}

static int read_launch(launch *l, char *line)
{
    char *save = NULL, *word[5];
    uint64_t lds;
    for (size_t i = 0; i < CLI_COUNT(word); i++)
        if (!(word[i] = strtok_r(i ? NULL : line, " \t\n", &save)))
            return fail(l, "needs FILE KERNEL GRID BLOCK LDS after", i ? word[i - 1] : "");
    l->path = beside(l->list, word[0]);
    l->kernel = cli_copy(word[1], strlen(word[1]));
    if (!parse_dims(word[2], l->grid))
        return fail(l, "no size of a grid:", word[2]);
    if (!parse_dims(word[3], l->block))
        return fail(l, "no size of a block:", word[3]);
    if (!parse_u64(word[4], &lds) || lds > UINT32_MAX)
        return fail(l, "no bytes of LDS:", word[4]);
    l->lds = (uint32_t)lds;
    int exit = CLI_FINE;
    for (char *at; exit == CLI_FINE && (at = strtok_r(NULL, " \t\n", &save)) != NULL;)
        exit = read_argument(l, at);
    return exit;
}

static void close_launch(launch *l)
{
    for (size_t i = 0; i < l->arg_count; i++) {
        free(l->arg[i].here);
        free(l->arg[i].there);
        if (!l->c->device->lost)
            gpu_release(l->c->device, l->arg[i].address);
    }
    free(l->path);
    free(l->kernel);
}

/* ---- Here and there ---- */

static bool run_here(launch *l, const lw_program *program, size_t kernel, lw_error *error)
{
    lw_memory *memory = NULL;
    lw_arg args[MOST_ARGUMENTS];
    bool fine = lw_memory_create(&memory) == LW_OK;
    for (size_t i = 0; i < l->arg_count && fine; i++) {
        argument *a = &l->arg[i];
        args[i] = (lw_arg){ NULL, a->is_buffer ? (void *)&a->value : (void *)&a->number,
                            a->is_buffer ? sizeof(a->value) : sizeof(a->number), a->is_buffer };
        fine = !a->is_buffer ||
               (lw_memory_allocate(memory, "", a->size, LW_ACCESS_READ_WRITE, &a->value, error) == LW_OK &&
                lw_memory_write(memory, a->value, a->here, a->size) == LW_OK);
    }
    lw_launch_options options = lw_launch_options_default();
    options.program = program;
    options.kernel = kernel;
    options.memory = memory;
    options.dynamic_lds = l->lds;
    options.args = args;
    options.arg_count = l->arg_count;
    memcpy(options.grid, l->grid, sizeof(l->grid));
    memcpy(options.block, l->block, sizeof(l->block));
    fine = fine && lw_launch(&options, NULL, error) == LW_OK;
    for (size_t i = 0; i < l->arg_count && fine; i++)
        if (l->arg[i].is_buffer)
            lw_memory_read(memory, l->arg[i].value, l->arg[i].here, l->arg[i].size);
    lw_memory_free(memory);
    return fine;
}

static bool run_there(launch *l, void *function)
{
    gpu *g = l->c->device;
    void *pointers[MOST_ARGUMENTS];
    bool fine = true;
    for (size_t i = 0; i < l->arg_count && fine; i++) {
        argument *a = &l->arg[i];
        pointers[i] = a->is_buffer ? (void *)&a->address : (void *)&a->number;
        fine = !a->is_buffer ||
               (gpu_allocate(g, a->size, &a->address) && gpu_write(g, a->address, a->there, a->size));
    }
    fine = fine && gpu_launch(g, function, l->grid, l->block, l->lds, pointers);
    for (size_t i = 0; i < l->arg_count && fine; i++)
        fine = !l->arg[i].is_buffer || gpu_read(g, l->arg[i].there, l->arg[i].address, l->arg[i].size);
    return fine;
}

static uint32_t word_at(const uint8_t *bytes, size_t size, size_t word)
{
    uint32_t value = 0;
    for (size_t i = 0; i < 4 && word * 4 + i < size; i++)
        value |= (uint32_t)bytes[word * 4 + i] << 8 * i;
    return value;
}

static void compare(const launch *l, contest_row *row)
{
    for (size_t i = 0; i < l->arg_count; i++) {
        const argument *a = &l->arg[i];
        for (size_t w = 0; w < (a->size + 3) / 4; w++, row->words++) {
            const uint32_t got = word_at(a->there, a->size, w), want = word_at(a->here, a->size, w);
            char text[160];
            if (got == want || row->mismatches++)
                continue;
            snprintf(text, sizeof(text), "  argument %zu, byte %zu: %08x there, %08x here\n", i, w * 4, got,
                     want);
            row->first_word = w;
            row->got = got;
            row->want = want;
            row->text = cli_copy(text, strlen(text));
        }
    }
}

static int run_both(launch *l, const void *image, const lw_program *program)
{
    contest *c = l->c;
    lw_error error = { "" };
    size_t kernel;
    void *module = NULL, *function = NULL;
    int exit = CLI_FINE;
    if (lw_program_find(program, l->kernel, &kernel, &error) != LW_OK)
        return cli_fail(c->call, CLI_USAGE, "%s: line %u: %s", l->list, l->line, error.text);
    const char *name = lw_program_kernel_at(program, kernel)->name;
    if (!run_here(l, program, kernel, &error)) {
        contest_leave_out(c, l->kernel, error.text, false);
    } else if (!gpu_load(c->device, image, name, &module, &function)) {
        contest_leave_out(c, l->kernel, c->device->why, true);
    } else if (!run_there(l, function)) {
        exit = cli_fail(c->call, CLI_FAULT, "%s: %s", l->kernel, c->device->why);
    } else {
        contest_row *row =
            contest_add_row(c, "launches", strrchr(l->path, '/') ? strrchr(l->path, '/') + 1 : l->path);
        row->cases = row->all = 1;
        compare(l, row);
        contest_end_row(c, row);
    }
    gpu_unload(c->device, module);
    return exit;
}

/* A file for another GPU is left alone. PTX needs the NUL that file_read does not add. */
static int run_launch(launch *l)
{
    uint8_t *bytes = NULL;
    size_t size;
    lw_program *program = NULL;
    lw_error error = { "" };
    int exit = file_read(l->c->call, l->path, &bytes, &size);
    if (exit == CLI_FINE && l->c->identity)
        lw_sha256_add(l->c->identity, bytes, size);
    if (exit != CLI_FINE || contest_first_chunk(l->c) != 0) {
        free(bytes);
        return exit;
    }
    const lw_status status = lw_program_load_for(bytes, size, l->c->device->target, 0, &program, &error);
    if (status == LW_OK) {
        bytes = cli_grow(bytes, size + 1);
        bytes[size] = 0;
        exit = run_both(l, bytes, program);
    } else if (status != LW_E_ARCH) {
        exit = cli_fail(l->c->call, CLI_USAGE, "%s: %s", l->path, error.text);
    }
    lw_program_free(program);
    free(bytes);
    return exit;
}

int launches_run(contest *c, const char *list)
{
    char *line = NULL;
    size_t size = 0;
    bool more = false;
    unsigned number = 0;
    const char *why;
    FILE *file = file_open(list, &why);
    int exit =
        file ? CLI_FINE : cli_fail(c->call, CLI_USAGE, "--launches %s: cannot be opened: %s", list, why);
    if (c->out && file)
        fprintf(c->out, "\n%-72s %9s %10s %10s\n", "whole kernels", "launches", "words", "different");
    while (exit == CLI_FINE &&
           (exit = file_next_line(c->call, list, file, &line, &size, &more)) == CLI_FINE && more) {
        launch l = { .c = c, .list = list, .line = ++number };
        if (line[strspn(line, " \t")] == '#' || !line[strspn(line, " \t\r")])
            continue;
        if (c->identity)
            lw_sha256_add(c->identity, line, strlen(line) + 1);
        exit = read_launch(&l, line);
        if (exit == CLI_FINE && (!c->only || strstr(l.path, c->only) || strcmp(c->only, "launches") == 0)) {
            exit = run_launch(&l);
            c->done++;
        }
        close_launch(&l);
    }
    free(line);
    if (file)
        fclose(file);
    return exit;
}
