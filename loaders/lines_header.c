/* SPDX-License-Identifier: MIT */
/* Headers of line tables: DWARF 5, section 6.2.4; for versions 2 to 4 the same section of those standards. */
#include "isa_tables/error.h"
#include "loaders/lines.h"

enum {
    DW_LNCT_path = 1,
    DW_LNCT_directory_index = 2,

    DW_FORM_data2 = 0x05,
    DW_FORM_data4 = 0x06,
    DW_FORM_data8 = 0x07,
    DW_FORM_string = 0x08,
    DW_FORM_block = 0x09,
    DW_FORM_data1 = 0x0b,
    DW_FORM_strp = 0x0e,
    DW_FORM_udata = 0x0f,
    DW_FORM_data16 = 0x1e,
    DW_FORM_line_strp = 0x1f,
};

lw_status lw_line_fail(const lw_line_unit *unit, lw_status status, lw_error *error, const char *what)
{
    return lw_error_fail(error, status, "the line table at offset 0x%llx of .debug_line %s",
                         (unsigned long long)unit->offset, what);
}

static lw_status ends_early(const lw_line_unit *unit, lw_error *error)
{
    return lw_line_fail(unit, LW_E_TRUNCATED, error, "ends inside its header");
}

static lw_status no_room(const lw_lines *lines, const lw_line_unit *unit, lw_error *error)
{
    return lines->limited
               ? lw_line_fail(unit, LW_E_NO_MEMORY, error, "takes more than the memory limit leaves")
               : lw_no_memory(error);
}

static lw_status add_directory(lw_lines *lines, lw_line_unit *unit, const char *name, lw_error *error)
{
    void *grown = lw_lines_grow(lines, unit->directories, &unit->directory_room, unit->directory_count,
                                sizeof(*unit->directories));
    if (!grown)
        return no_room(lines, unit, error);
    unit->directories = grown;
    unit->directories[unit->directory_count++] = name;
    return LW_OK;
}

static bool is_absolute(const char *path)
{
    return path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
}

/* Directory 0 is where the compiler ran; only version 5 names it in this section. */
lw_status lw_line_add_file(lw_lines *lines, const lw_line_unit *unit, const char *name, uint64_t directory,
                           lw_error *error)
{
    const bool names_first = unit->version >= 5;
    const uint64_t index = names_first ? directory : directory - 1;
    const char *base = names_first && unit->directory_count ? unit->directories[0] : NULL;
    lw_line_file file = { { NULL, NULL, name } };
    if (!is_absolute(name) && (names_first || directory > 0)) {
        if (index >= unit->directory_count)
            return lw_line_fail(unit, LW_E_FORMAT, error, "has a file in a directory that it does not list");
        file.parts[1] = unit->directories[index];
        if (index > 0 && !is_absolute(file.parts[1]))
            file.parts[0] = base;
    }
    void *grown =
        lw_lines_grow(lines, lines->files, &lines->file_room, lines->file_count, sizeof(*lines->files));
    if (!grown || lines->file_count >= LW_LINE_NO_FILE)
        return no_room(lines, unit, error);
    lines->files = grown;
    lines->files[lines->file_count++] = file;
    return LW_OK;
}

/* ---- Versions 2 to 4 ---- */

static lw_status read_old_tables(lw_lines *lines, lw_line_unit *unit, lw_cursor *in, lw_error *error)
{
    const char *name;
    lw_status status = LW_OK;
    while (status == LW_OK && (name = lw_take_string(in)) != NULL && *name)
        status = add_directory(lines, unit, name, error);
    while (status == LW_OK && (name = lw_take_string(in)) != NULL && *name) {
        const uint64_t directory = lw_take_uleb(in);
        lw_take_uleb(in); /* time of the last modification */
        lw_take_uleb(in); /* size */
        status = in->failed ? LW_OK : lw_line_add_file(lines, unit, name, directory, error);
    }
    return status == LW_OK && in->failed ? ends_early(unit, error) : status;
}

/* ---- Version 5: entries that describe themselves ---- */

typedef struct entry {
    const char *path;
    uint64_t directory;
} entry;

static lw_status take_indirect(lw_lines *lines, const lw_line_unit *unit, int which, lw_cursor *in,
                               const char **text, lw_error *error)
{
    const uint64_t offset = lw_take(in, unit->wide ? 8 : 4);
    lw_bytes strings;
    const lw_status status = lw_lines_section(lines, which, &strings, error);
    if (status != LW_OK || in->failed)
        return status;
    if (offset >= strings.size || strings.data[strings.size - 1])
        return lw_line_fail(unit, LW_E_FORMAT, error, "names a string outside of the strings' section");
    *text = (const char *)strings.data + offset;
    return LW_OK;
}

static lw_status take_value(lw_lines *lines, const lw_line_unit *unit, uint64_t form, lw_cursor *in,
                            const char **text, uint64_t *number, lw_error *error)
{
    *text = NULL;
    *number = 0;
    switch (form) {
    case DW_FORM_string:
        *text = lw_take_string(in);
        return LW_OK;
    case DW_FORM_line_strp:
        return take_indirect(lines, unit, LW_LINES_LINE_STR, in, text, error);
    case DW_FORM_strp:
        return take_indirect(lines, unit, LW_LINES_STR, in, text, error);
    case DW_FORM_udata:
        *number = lw_take_uleb(in);
        return LW_OK;
    case DW_FORM_data1:
        *number = lw_take(in, 1);
        return LW_OK;
    case DW_FORM_data2:
        *number = lw_take(in, 2);
        return LW_OK;
    case DW_FORM_data4:
        *number = lw_take(in, 4);
        return LW_OK;
    case DW_FORM_data8:
        *number = lw_take(in, 8);
        return LW_OK;
    case DW_FORM_data16:
        lw_take_bytes(in, 16);
        return LW_OK;
    case DW_FORM_block:
        lw_take_bytes(in, lw_take_uleb(in));
        return LW_OK;
    default:
        return lw_line_fail(unit, LW_E_UNSUPPORTED, error, "describes its files in a form that is not read");
    }
}

static lw_status take_entry(lw_lines *lines, const lw_line_unit *unit, lw_cursor formats, size_t count,
                            lw_cursor *in, entry *out, lw_error *error)
{
    *out = (entry){ NULL, 0 };
    for (size_t i = 0; i < count; i++) {
        const uint64_t content = lw_take_uleb(&formats), form = lw_take_uleb(&formats);
        const char *text;
        uint64_t number;
        const lw_status status = take_value(lines, unit, form, in, &text, &number, error);
        if (status != LW_OK)
            return status;
        if (in->failed)
            return ends_early(unit, error);
        if (content == DW_LNCT_path)
            out->path = text;
        else if (content == DW_LNCT_directory_index)
            out->directory = number;
    }
    if (!out->path)
        return lw_line_fail(unit, LW_E_FORMAT, error, "lists a file or a directory without a path");
    return LW_OK;
}

/* Each entry takes at least one byte, because one without a path is refused: a false count soon ends. */
static lw_status read_entries(lw_lines *lines, lw_line_unit *unit, lw_cursor *in, bool are_files,
                              lw_error *error)
{
    const size_t count = (size_t)lw_take(in, 1);
    const lw_cursor formats = *in;
    for (size_t i = 0; i < 2 * count; i++)
        lw_take_uleb(in);
    const uint64_t entries = lw_take_uleb(in);
    if (in->failed)
        return ends_early(unit, error);
    lw_status status = LW_OK;
    for (uint64_t i = 0; i < entries && status == LW_OK; i++) {
        entry e;
        status = take_entry(lines, unit, formats, count, in, &e, error);
        if (status == LW_OK)
            status = are_files ? lw_line_add_file(lines, unit, e.path, e.directory, error)
                               : add_directory(lines, unit, e.path, error);
    }
    return status;
}

/* ---- The fields before the tables ---- */

static lw_status take_extent(lw_cursor *in, lw_line_unit *unit, lw_cursor *body, lw_error *error)
{
    uint64_t length = lw_take(in, 4);
    unit->wide = length == 0xffffffff;
    if (unit->wide)
        length = lw_take(in, 8);
    *body = (lw_cursor){ lw_take_bytes(in, length), false };
    if (in->failed || (!unit->wide && length >= 0xfffffff0))
        return lw_line_fail(unit, LW_E_TRUNCATED, error, "reaches past the end of the section");
    unit->version = (unsigned)lw_take(body, 2);
    if (body->failed)
        return ends_early(unit, error);
    if (unit->version < 2 || unit->version > 5)
        return lw_line_fail(unit, LW_E_UNSUPPORTED, error, "is of a version other than 2 to 5");
    if (unit->version >= 5)
        lw_take(body, 2); /* sizes of an address, which set_address repeats, and of a segment selector */
    const lw_bytes header = lw_take_bytes(body, lw_take(body, unit->wide ? 8 : 4));
    unit->program = body->rest;
    if (body->failed)
        return ends_early(unit, error);
    *body = (lw_cursor){ header, false };
    return LW_OK;
}

static lw_status take_fields(lw_cursor *in, lw_line_unit *unit, lw_error *error)
{
    unit->min_length = (uint8_t)lw_take(in, 1);
    unit->max_ops = unit->version >= 4 ? (uint8_t)lw_take(in, 1) : 1;
    lw_take(in, 1); /* whether rows begin as statements */
    const unsigned base = (unsigned)lw_take(in, 1);
    unit->line_base = (int8_t)(base < 128 ? (int)base : (int)base - 256);
    unit->line_range = (uint8_t)lw_take(in, 1);
    unit->opcode_base = (uint8_t)lw_take(in, 1);
    unit->lengths = lw_take_bytes(in, unit->opcode_base ? unit->opcode_base - 1u : 0).data;
    if (in->failed)
        return ends_early(unit, error);
    if (!unit->max_ops || !unit->line_range || !unit->opcode_base)
        return lw_line_fail(unit, LW_E_FORMAT, error, "has a header field that must not be zero");
    return LW_OK;
}

lw_status lw_line_header(lw_lines *lines, lw_cursor *in, lw_line_unit *unit, lw_error *error)
{
    lw_cursor header;
    *unit = (lw_line_unit){ .first_file = lines->file_count,
                            .offset = lines->sections[LW_LINES_MAIN].size - in->rest.size };
    lw_status status = take_extent(in, unit, &header, error);
    if (status == LW_OK)
        status = take_fields(&header, unit, error);
    if (status != LW_OK)
        return status;
    if (unit->version < 5)
        return read_old_tables(lines, unit, &header, error);
    status = read_entries(lines, unit, &header, false, error);
    return status == LW_OK ? read_entries(lines, unit, &header, true, error) : status;
}
