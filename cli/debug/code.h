/* SPDX-License-Identifier: MIT */
/* The instructions of a kernel's code, with their source lines. */
#ifndef LW_CLI_DEBUG_CODE_H
#define LW_CLI_DEBUG_CODE_H

#include <lanewise/program.h>

typedef struct debug_place {
    uint64_t offset;    /* as in lw_fault */
    uint64_t address;   /* of the file */
    size_t text;        /* begins here in the listing's texts */
    uint32_t file;      /* number of the source file + 1; 0: not known */
    uint32_t line;      /* of the source; 0: not known */
    uint32_t text_line; /* PTX: of the PTX file; else 0 */
} debug_place;

typedef struct debug_code {
    debug_place *at; /* in ascending order of address */
    size_t count, room;
    char *texts;
    size_t text_size, text_room;
    char **files;
    size_t file_count;
    const char *path; /* of the program */
    bool ptx;
    bool has_lines;
} debug_code;

/* Lists the section that contains the kernel, or the kernel alone where that is large. */
void debug_code_read(debug_code *code, const lw_program *program, const char *kernel, const char *path);
void debug_code_free(debug_code *code);

/* NULL if no instruction begins there. */
const debug_place *debug_code_at(const debug_code *code, uint64_t offset);
const char *debug_code_text(const debug_code *code, const debug_place *place);
/* "vector_add.hip:12"; of PTX without .loc the line of the PTX file; "" if it is not known. */
const char *debug_code_line(const debug_code *code, const debug_place *place, char *text, size_t size);
/* The file and line that `debug_code_line` names; NULL if they are not known. */
const char *debug_code_source(const debug_code *code, const debug_place *place, uint32_t *line);

/*
 * Is this instruction the first one of a run of instructions of that line? `file` is the end of a path,
 * NULL: any.
 */
bool debug_code_begins(const debug_code *code, size_t index, const char *file, uint32_t line);
/* The nearest line from `line` on with an instruction; 0: there is none. */
uint32_t debug_code_near(const debug_code *code, const char *file, uint32_t line);

/* The name of the instruction, without a guard: *length characters of its text. */
const char *debug_code_mnemonic(const char *text, size_t *length);

#endif
