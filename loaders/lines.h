/* SPDX-License-Identifier: MIT */
/* Line tables of DWARF 2 to 5 (DWARF standard, section 6.2), read whole when a code object is loaded. */
#ifndef LW_LOADERS_LINES_H
#define LW_LOADERS_LINES_H

#include "loaders/elf.h"
#include "loaders/program.h"

#define LW_LINE_NO_FILE UINT32_MAX

/* One row of the matrix of section 6.2.2; it is valid up to the address of the next one. */
typedef struct lw_line_row {
    uint64_t address;
    uint32_t file; /* index into lw_lines.files, or LW_LINE_NO_FILE */
    uint32_t line, column;
} lw_line_row;

/* Rows by ascending address; the last one only marks the end of the sequence. */
typedef struct lw_line_sequence {
    size_t first, count;
    uint64_t low, high;
} lw_line_sequence;

/* A path in up to three parts, the outermost first; NULL where there is none. */
typedef struct lw_line_file {
    const char *parts[3];
} lw_line_file;

enum { LW_LINES_MAIN, LW_LINES_LINE_STR, LW_LINES_STR, LW_LINES_SECTIONS };

struct lw_lines {
    lw_status status; /* if not LW_OK, there are no rows, and `error` says why */
    lw_error error;
    const lw_elf *elf; /* while reading */
    uint64_t room;     /* bytes that may still be held */
    bool limited;      /* the memory limit was reached */
    lw_bytes sections[LW_LINES_SECTIONS];
    uint8_t *blocks[LW_LINES_SECTIONS]; /* NULL: not read yet */
    lw_line_row *rows;
    size_t row_count, row_room;
    lw_line_file *files; /* of all tables, concatenated */
    size_t file_count, file_room;
    lw_line_sequence *sequences; /* ascending by `low`, in executable segments only */
    size_t sequence_count, sequence_room;
};
typedef struct lw_lines lw_lines;

/* What the header and the tables of one unit say, before its program runs. */
typedef struct lw_line_unit {
    uint64_t offset; /* in .debug_line, for sentences */
    unsigned version;
    bool wide; /* 64-bit DWARF: offsets have 8 bytes */
    uint8_t min_length, max_ops, line_range, opcode_base;
    int8_t line_base;
    const uint8_t *lengths;   /* opcode_base - 1 operand counts */
    const char **directories; /* malloc'd */
    size_t directory_count, directory_room;
    size_t first_file; /* index of its table's first file in lw_lines.files */
    lw_bytes program;
} lw_line_unit;

/* ---- cursor: takes bytes one value after the other; values are zero once the bytes run out ---- */

typedef struct lw_cursor {
    lw_bytes rest;
    bool failed;
} lw_cursor;

uint64_t lw_take(lw_cursor *in, size_t size); /* 1 to 8 bytes, little endian */
uint64_t lw_take_uleb(lw_cursor *in);         /* fails beyond 64 bits */
int64_t lw_take_sleb(lw_cursor *in);
const char *lw_take_string(lw_cursor *in); /* up to and with its NUL; NULL if there is none */
lw_bytes lw_take_bytes(lw_cursor *in, uint64_t size);

/* ---- steps of reading ---- */

/*
 * Returns an array with room for one more entry than `count`: `array` itself, or the moved and enlarged
 * array. NULL where the limit (then lines->limited is set) or the host does not allow that; `array` is then
 * unchanged.
 */
void *lw_lines_grow(lw_lines *lines, void *array, size_t *room, size_t count, size_t size);

/* The bytes of section LW_LINES_..., read once and inflated if compressed. */
lw_status lw_lines_section(lw_lines *lines, int which, lw_bytes *bytes, lw_error *error);

/* Takes one unit from `in`: its header and tables. The caller frees its directories, whatever is returned. */
lw_status lw_line_header(lw_lines *lines, lw_cursor *in, lw_line_unit *unit, lw_error *error);
lw_status lw_line_add_file(lw_lines *lines, const lw_line_unit *unit, const char *name, uint64_t directory,
                           lw_error *error);

/* Runs the unit's program: adds rows and sequences. */
lw_status lw_line_run(lw_lines *lines, const lw_line_unit *unit, lw_error *error);

lw_status lw_line_fail(const lw_line_unit *unit, lw_status status, lw_error *error, const char *what);

/*
 * Sets program->lines if the file has a line table. Errors in the table are recorded there and do not make
 * loading fail; LW_E_NO_MEMORY only where the host is out of memory. `limit`: bytes that the lines may
 * take.
 */
lw_status lw_lines_read(lw_program *program, const lw_elf *elf, uint64_t limit, lw_error *error);
void lw_lines_free(lw_lines *lines);

#endif
