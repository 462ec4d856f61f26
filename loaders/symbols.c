/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "isa_tables/error.h"
#include "loaders/image.h"

/* ---- Sections ---- */

static bool in_image(const lw_program *program, uint64_t address, uint64_t size)
{
    lw_bytes bytes;
    return lw_image_slice(program, address, size, &bytes);
}

static void add_section(lw_program *program, const char *name, uint64_t address, uint64_t size, bool writable,
                        bool executable)
{
    program->sections[program->section_count++] = (lw_section){
        .name = name,
        .address = address,
        .size = size,
        .data = program->image + (address - program->image_vaddr),
        .writable = writable,
        .executable = executable,
    };
}

/* Without section headers, the segments take the place of sections. */
static lw_status sections_from_segments(lw_program *program, lw_error *error)
{
    program->sections = lw_arena_alloc(&program->arena, program->segment_count, sizeof(lw_section));
    if (!program->sections)
        return lw_no_memory(error);
    for (size_t i = 0; i < program->segment_count; i++) {
        const lw_segment *s = &program->segments[i];
        add_section(program, "", program->image_vaddr + s->offset, s->size, s->writable, s->executable);
    }
    return LW_OK;
}

lw_status lw_sections_read(lw_program *program, const lw_elf *elf, lw_error *error)
{
    if (elf->section_count == 0)
        return sections_from_segments(program, error);
    program->sections = lw_arena_alloc(&program->arena, elf->section_count, sizeof(lw_section));
    char *names = lw_arena_text(&program->arena, elf->names.data, elf->names.size);
    if (!program->sections || !names)
        return lw_no_memory(error);
    for (uint64_t i = 0; i < elf->section_count; i++) {
        const lw_elf_section s = lw_elf_section_at(elf, i);
        lw_bytes bytes;
        const lw_status status = lw_elf_section_bytes(elf, &s, &bytes, error);
        if (status != LW_OK)
            return status;
        if (!(s.flags & LW_SHF_ALLOC) || s.size == 0)
            continue;
        if (!in_image(program, s.address, s.size))
            return lw_error_fail(error, LW_E_FORMAT,
                                 "section '%.64s' at address 0x%" PRIx64 " lies outside the loaded segments",
                                 s.name, s.address);
        const char *name = *s.name ? names + ((const uint8_t *)s.name - elf->names.data) : "";
        add_section(program, name, s.address, s.size, (s.flags & LW_SHF_WRITE) != 0,
                    (s.flags & LW_SHF_EXEC) != 0);
    }
    return LW_OK;
}

/* ---- Symbols ---- */

static int compare_address(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_name(const void *a, const void *b)
{
    const lw_symbol *x = a, *y = b;
    const int names = strcmp(x->name, y->name);
    return names ? names : compare_address(x->address, y->address);
}

static int by_address(const void *a, const void *b)
{
    const lw_symbol *x = a, *y = b;
    const int addresses = compare_address(x->address, y->address);
    return addresses ? addresses : strcmp(x->name, y->name);
}

lw_status lw_symbols_add(lw_program *program, lw_bytes table, lw_bytes strings, lw_error *error)
{
    if (strings.size && strings.data[strings.size - 1])
        return lw_error_fail(error, LW_E_FORMAT, "the names of a symbol table do not end with a NUL byte");
    const size_t most = table.size / LW_SYM_SIZE;
    lw_symbol *symbols = lw_arena_alloc(&program->arena, program->symbol_count + most, sizeof(*symbols));
    char *names = lw_arena_text(&program->arena, strings.data, strings.size);
    if (!symbols || !names)
        return lw_no_memory(error);
    if (program->symbol_count)
        memcpy(symbols, program->symbols, program->symbol_count * sizeof(*symbols));
    program->symbols = symbols;

    for (size_t i = 0; i < most; i++) {
        const lw_elf_symbol s = lw_elf_symbol_read(table.data + i * LW_SYM_SIZE);
        if (s.section == LW_SHN_UNDEF || s.section >= LW_SHN_LORESERVE || s.name >= strings.size)
            continue;
        if (!names[s.name] || !in_image(program, s.value, s.size))
            continue;
        symbols[program->symbol_count++] = (lw_symbol){
            .name = names + s.name,
            .address = s.value,
            .size = s.size,
            .is_function = s.type == LW_STT_FUNC,
            .is_object = s.type == LW_STT_OBJECT,
            .is_global = s.binding != 0,
        };
    }
    return LW_OK;
}

/* Sorts by name and keeps symbols that are in both symbol tables once. */
static void sort_symbols(lw_program *program)
{
    lw_symbol *s = program->symbols;
    size_t kept = 0;
    if (program->symbol_count == 0)
        return;
    qsort(s, program->symbol_count, sizeof(*s), by_name);
    for (size_t i = 1; i < program->symbol_count; i++)
        if (by_name(&s[kept], &s[i]) != 0)
            s[++kept] = s[i];
    program->symbol_count = kept + 1;
}

static lw_status add_table(lw_program *program, const lw_elf *elf, uint32_t type, lw_error *error)
{
    for (uint64_t i = 0; i < elf->section_count; i++) {
        const lw_elf_section s = lw_elf_section_at(elf, i);
        lw_bytes table, strings;
        if (s.type != type)
            continue;
        if (s.link >= elf->section_count)
            return lw_error_fail(error, LW_E_FORMAT,
                                 "section '%.64s' names section %" PRIu32 " as its strings; there is none",
                                 s.name, s.link);
        const lw_elf_section names = lw_elf_section_at(elf, s.link);
        lw_status status = lw_elf_section_bytes(elf, &s, &table, error);
        if (status == LW_OK)
            status = lw_elf_section_bytes(elf, &names, &strings, error);
        return status == LW_OK ? lw_symbols_add(program, table, strings, error) : status;
    }
    return LW_OK;
}

lw_status lw_symbols_read(lw_program *program, const lw_elf *elf, lw_error *error)
{
    lw_status status = add_table(program, elf, LW_SHT_DYNSYM, error);
    if (status == LW_OK)
        status = add_table(program, elf, LW_SHT_SYMTAB, error);
    if (status == LW_OK)
        sort_symbols(program);
    return status;
}

void lw_symbols_by_address(lw_program *program)
{
    if (program->symbol_count)
        qsort(program->symbols, program->symbol_count, sizeof(*program->symbols), by_address);
}
