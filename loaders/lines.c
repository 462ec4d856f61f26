/* SPDX-License-Identifier: MIT */
/* Which sections hold line tables, and the row for an address. */
#include <stdio.h>
#include <stdlib.h>

#include "isa_tables/error.h"
#include "loaders/inflate.h"
#include "loaders/lines.h"
#include "loaders/ptx/program.h"

static const char *const section_names[LW_LINES_SECTIONS] = { ".debug_line", ".debug_line_str",
                                                              ".debug_str" };

/* ---- Memory ---- */

static bool charge(lw_lines *lines, uint64_t size)
{
    if (size > lines->room) {
        lines->limited = true;
        return false;
    }
    lines->room -= size;
    return true;
}

void *lw_lines_grow(lw_lines *lines, void *array, size_t *room, size_t count, size_t size)
{
    enum { FIRST_ROOM = 16 };
    if (count < *room)
        return array;
    const size_t wanted = *room ? 2 * *room : FIRST_ROOM;
    if (wanted > SIZE_MAX / size / 2 || !charge(lines, (uint64_t)(wanted - *room) * size))
        return NULL;
    void *grown = realloc(array, wanted * size);
    if (grown)
        *room = wanted;
    return grown;
}

void lw_lines_free(lw_lines *lines)
{
    if (!lines)
        return;
    for (int i = 0; i < LW_LINES_SECTIONS; i++)
        free(lines->blocks[i]);
    free(lines->rows);
    free(lines->files);
    free(lines->sequences);
    free(lines);
}

/* ---- Sections ---- */

enum { SHF_COMPRESSED = 1 << 11, CHDR_SIZE = 24 };

static bool find_section(const lw_elf *elf, const char *name, lw_elf_section *section)
{
    for (uint64_t i = 1; i < elf->section_count; i++) {
        *section = lw_elf_section_at(elf, i);
        if (strcmp(section->name, name) == 0)
            return true;
    }
    return false;
}

/* System V ABI, "Compressed Section Header": u32 type (1 zlib, 2 zstd), u32 reserved, u64 size, u64
 * alignment. */
static lw_status inflate_section(lw_lines *lines, const char *name, lw_bytes stored, lw_bytes *out,
                                 uint8_t **block, lw_error *error)
{
    size_t used;
    if (stored.size < CHDR_SIZE)
        return lw_error_fail(error, LW_E_TRUNCATED, "section %s ends inside its compression header", name);
    const uint32_t type = lw_le32(stored.data);
    const uint64_t declared = lw_le64(stored.data + 8);
    if (type != 1 && type != 2)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "section %s is compressed in a way that is not read",
                             name);
    if (!charge(lines, declared))
        return lw_error_fail(error, LW_E_NO_MEMORY, "section %s takes more than the memory limit leaves",
                             name);
    const lw_bytes stream = { stored.data + CHDR_SIZE, stored.size - CHDR_SIZE };
    const lw_status status =
        lw_inflate(type == 1 ? LW_METHOD_ZLIB : LW_METHOD_ZSTD, stream, declared, block, &used, error);
    if (status == LW_E_NO_MEMORY)
        return status;
    if (status != LW_OK)
        return lw_error_fail(error, status, "section %s cannot be decompressed with %s: %s", name,
                             type == 1 ? "zlib" : "zstd", lw_status_text(status));
    *out = (lw_bytes){ *block, (size_t)declared };
    return LW_OK;
}

static lw_status copy_section(lw_lines *lines, const char *name, lw_bytes stored, lw_bytes *out,
                              uint8_t **block, lw_error *error)
{
    if (!charge(lines, stored.size))
        return lw_error_fail(error, LW_E_NO_MEMORY, "section %s takes more than the memory limit leaves",
                             name);
    *block = malloc(stored.size ? stored.size : 1);
    if (!*block)
        return lw_no_memory(error);
    if (stored.size)
        memcpy(*block, stored.data, stored.size);
    *out = (lw_bytes){ *block, stored.size };
    return LW_OK;
}

lw_status lw_lines_section(lw_lines *lines, int which, lw_bytes *bytes, lw_error *error)
{
    const char *name = section_names[which];
    lw_elf_section section;
    lw_bytes stored;
    *bytes = lines->sections[which];
    if (lines->blocks[which])
        return LW_OK;
    if (!find_section(lines->elf, name, &section))
        return lw_error_fail(error, LW_E_FORMAT, "there is no section %s, which the line table names", name);
    lw_status status = lw_elf_section_bytes(lines->elf, &section, &stored, error);
    if (status == LW_OK)
        status = (section.flags & SHF_COMPRESSED ? inflate_section : copy_section)(
            lines, name, stored, &lines->sections[which], &lines->blocks[which], error);
    *bytes = lines->sections[which];
    return status;
}

/* ---- Reading the tables ---- */

static int compare_sequences(const void *a, const void *b)
{
    const lw_line_sequence *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static bool is_code(const lw_program *program, uint64_t address)
{
    const uint64_t offset = address - program->image_vaddr;
    for (size_t i = 0; i < program->segment_count; i++) {
        const lw_segment *s = &program->segments[i];
        if (s->executable && offset >= s->offset && offset - s->offset < s->size)
            return true;
    }
    return false;
}

/* Linkers do not remove the sequences of functions that they dropped; their addresses hold no code. */
static void keep_sequences_of_code(lw_lines *lines, const lw_program *program)
{
    size_t kept = 0;
    for (size_t i = 0; i < lines->sequence_count; i++) {
        const lw_line_sequence s = lines->sequences[i];
        if (s.low < s.high && is_code(program, s.low))
            lines->sequences[kept++] = s;
    }
    lines->sequence_count = kept;
    if (kept)
        qsort(lines->sequences, kept, sizeof(*lines->sequences), compare_sequences);
}

static lw_status read_units(lw_lines *lines, lw_error *error)
{
    lw_bytes section;
    lw_status status = lw_lines_section(lines, LW_LINES_MAIN, &section, error);
    lw_cursor in = { section, false };
    while (status == LW_OK && in.rest.size) {
        lw_line_unit unit;
        status = lw_line_header(lines, &in, &unit, error);
        if (status == LW_OK)
            status = lw_line_run(lines, &unit, error);
        lines->room += (uint64_t)unit.directory_room * sizeof(*unit.directories);
        free(unit.directories);
    }
    return status;
}

lw_status lw_lines_read(lw_program *program, const lw_elf *elf, uint64_t limit, lw_error *error)
{
    lw_elf_section section;
    if (!find_section(elf, section_names[LW_LINES_MAIN], &section))
        return LW_OK;
    lw_lines *lines = calloc(1, sizeof(*lines));
    if (!lines)
        return lw_no_memory(error);
    program->lines = lines;
    lines->elf = elf;
    lines->room = limit;
    lines->status = read_units(lines, &lines->error);
    lines->elf = NULL;
    if (lines->status == LW_E_NO_MEMORY && !lines->limited)
        return lw_no_memory(error);
    if (lines->status == LW_OK)
        keep_sequences_of_code(lines, program);
    return LW_OK;
}

/* ---- Queries ---- */

static const lw_line_sequence *sequence_at(const lw_lines *lines, uint64_t address)
{
    size_t low = 0, high = lines->sequence_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (lines->sequences[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < lines->sequences[low - 1].high ? &lines->sequences[low - 1] : NULL;
}

/* The last of the rows at or before the address. */
static const lw_line_row *row_at(const lw_lines *lines, const lw_line_sequence *s, uint64_t address)
{
    size_t low = s->first, high = s->first + s->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (lines->rows[middle].address <= address)
            low = middle;
        else
            high = middle;
    }
    return &lines->rows[low];
}

static void join(const lw_line_file *file, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < 3; i++) {
        const char *part = file->parts[i];
        if (!part || used + 1 >= size)
            continue;
        const bool separate = used && text[used - 1] != '/';
        const int wrote = snprintf(text + used, size - used, "%s%s", separate ? "/" : "", part);
        used += wrote > 0 ? (size_t)wrote : 0;
        used = used < size ? used : size - 1;
    }
}

lw_status lw_program_line(const lw_program *program, uint64_t address, lw_line *line, lw_error *error)
{
    if (!program || !line)
        return lw_error_fail(error, LW_E_ARGUMENT, "program or line is NULL");
    if (program->ptx)
        return lw_ptx_program_line(program, address, line, error);
    const lw_lines *lines = program->lines;
    if (!lines)
        return lw_error_fail(error, LW_E_NOT_FOUND, "the code object has no line table");
    if (lines->status != LW_OK)
        return lw_error_fail(error, lines->status, "%s", lines->error.text);
    const lw_line_sequence *sequence = sequence_at(lines, address);
    if (!sequence)
        return lw_error_fail(error, LW_E_NOT_FOUND, "the line table has nothing for address 0x%llx",
                             (unsigned long long)address);
    const lw_line_row *row = row_at(lines, sequence, address);
    if (row->file == LW_LINE_NO_FILE)
        return lw_error_fail(error, LW_E_NOT_FOUND, "the line table names no file for address 0x%llx",
                             (unsigned long long)address);
    line->line = row->line;
    line->column = row->column;
    join(&lines->files[row->file], line->file, sizeof(line->file));
    return LW_OK;
}
