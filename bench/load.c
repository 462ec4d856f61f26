/* SPDX-License-Identifier: MIT */
/* A code object of 1 MiB, loaded and read: the code of an example repeated in a file of our own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { RUNS = 15, CODE = 1 << 20, HEAD = 4096, NAMES = 32, SECTION = 64, SECTIONS = 3 };
static const double aim_ms = 20;

static const char *const objects[] = { "mxfp4_blocked.co", "matmul_wmma.co" };

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void put_section(uint8_t *at, const uint64_t values[6])
{
    static const unsigned places[6] = { 0, 4, 8, 16, 24, 32 }, sizes[6] = { 4, 4, 8, 8, 8, 8 };
    for (unsigned i = 0; i < 6; i++)
        put(at + places[i], values[i], sizes[i]);
}

/* An ELF file with one segment and one section, whose code is `code` repeated. */
static size_t make(uint8_t *file, uint32_t machine, const lw_section *code)
{
    static const char names[NAMES] = "\0.text\0.shstrtab";
    const size_t size = CODE / code->size * code->size, after = HEAD + size;
    static const uint8_t ident[16] = { 0x7f, 'E', 'L', 'F', 2, 1, 1, 64, 3 }; /* 64: HSA; 3: version 5 */
    memcpy(file, ident, sizeof(ident));
    put(file + 16, 3, 2);   /* shared */
    put(file + 18, 224, 2); /* AMDGPU */
    put(file + 20, 1, 4);
    put(file + 32, 64, 8); /* program headers */
    put(file + 40, after + NAMES, 8);
    put(file + 48, machine, 4);
    put(file + 52, 64 | 56u << 16, 4); /* sizes of this header and of a program header */
    put(file + 56, 1 | SECTION << 16, 4);
    put(file + 60, SECTIONS | (SECTIONS - 1) << 16, 4);
    put(file + 64, 1 | UINT64_C(5) << 32, 8); /* PT_LOAD, read and execute */
    const uint64_t load[] = { HEAD, HEAD, HEAD, size, size, HEAD };
    for (unsigned i = 0; i < 6; i++)
        put(file + 72 + 8 * i, load[i], 8);
    for (size_t at = 0; at < size; at += code->size)
        memcpy(file + HEAD + at, code->data, code->size);
    memcpy(file + after, names, NAMES);
    put_section(file + after + NAMES + SECTION, (uint64_t[]){ 1, 1, 6, HEAD, HEAD, size });
    put_section(file + after + NAMES + 2 * SECTION, (uint64_t[]){ 7, 3, 0, 0, after, NAMES });
    return after + NAMES + SECTIONS * SECTION;
}

static const lw_section *text_of(const lw_program *program)
{
    for (size_t i = 0; i < lw_program_section_count(program); i++)
        if (strcmp(lw_program_section_at(program, i)->name, ".text") == 0)
            return lw_program_section_at(program, i);
    return NULL;
}

/* Every instruction, as text; 0 if something is none. */
static size_t read_all(const lw_program *program)
{
    const lw_section *s = text_of(program);
    size_t count = 0;
    for (uint64_t at = 0; s && at < s->size; count++) {
        lw_disasm in;
        if (lw_disasm_program(program, s->data + at, (size_t)(s->size - at), s->address + at, &in) != LW_OK)
            return 0;
        at += in.size;
    }
    return count;
}

static int measure(const char *folder, const char *name, uint8_t *file)
{
    char path[1024];
    lw_error error = { .text = "" };
    lw_program *example = NULL, *program = NULL;
    double load = 1, read = 1;
    size_t count = 0, size = 0;
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    memset(file, 0, CODE + 2 * HEAD);
    lw_status st = lw_program_load_file(path, NULL, &example, &error);
    if (st == LW_OK)
        size = make(file, lw_arch_get(lw_program_arch(example))->elf_mach, text_of(example));
    for (int i = 0; i < RUNS && st == LW_OK; i++) {
        const double start = bench_processor();
        st = lw_program_load(file, size, NULL, &program, &error);
        const double loaded = bench_processor();
        count = st == LW_OK ? read_all(program) : 0;
        const double end = bench_processor();
        load = loaded - start < load ? loaded - start : load;
        read = end - loaded < read ? end - loaded : read;
        lw_program_free(program);
        program = NULL;
    }
    lw_program_free(example);
    if (!count) {
        printf("%s: %s\n", name, error.text);
        return 1;
    }
    const double ms = 1e3 * (load + read);
    printf("%10.2f %10.2f %10.2f %6.0f  load and read %s, %zu instructions\n", 1e3 * load, 1e3 * read, ms,
           aim_ms, name, count);
    return ms > aim_ms;
}

int bench_load(const char *folder, const char *only)
{
    uint8_t *file = malloc(CODE + 2 * HEAD);
    int bad = !file;
    printf("\na code object of 1 MiB: lw_program_load, lw_disasm_program on all of it; ms of processor time, "
           "status 1 above the aim\n"
           "%10s %10s %10s %6s\n",
           "load", "read", "both", "aim");
    for (size_t i = 0; file && i < sizeof(objects) / sizeof(objects[0]); i++)
        if (!only || strstr(objects[i], only))
            bad |= measure(folder, objects[i], file);
    free(file);
    return bad;
}
