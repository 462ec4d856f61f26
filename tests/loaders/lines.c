/* SPDX-License-Identifier: MIT */
/*
 * Prints the line table of a code object for lines.py: "row ADDRESS LINE COLUMN PATH" for each row of code,
 * "end ADDRESS" where a sequence ends, "is ADDRESS LINE COLUMN PATH" for each word of code that has an
 * answer, and "no STATUS" if the table was not read.
 */
#include <inttypes.h>
#include <stdio.h>

#include "loaders/lines.h"

static void print_rows(const lw_lines *lines)
{
    for (size_t s = 0; s < lines->sequence_count; s++) {
        const lw_line_sequence *sequence = &lines->sequences[s];
        for (size_t i = 0; i < sequence->count; i++) {
            const lw_line_row *row = &lines->rows[sequence->first + i];
            if (i + 1 == sequence->count) {
                printf("end 0x%" PRIx64 "\n", row->address);
                continue;
            }
            printf("row 0x%" PRIx64 " %u %u ", row->address, row->line, row->column);
            const lw_line_file *file = row->file == LW_LINE_NO_FILE ? NULL : &lines->files[row->file];
            for (int p = 0; file && p < 3; p++)
                printf("%s%s", file->parts[p] ? file->parts[p] : "", file->parts[p] && p < 2 ? "/" : "");
            putchar('\n');
        }
    }
}

static void print_answers(const lw_program *program)
{
    for (size_t i = 0; i < lw_program_section_count(program); i++) {
        const lw_section *s = lw_program_section_at(program, i);
        lw_line line;
        for (uint64_t at = s->address; at < s->address + s->size; at += 4)
            if (lw_program_line(program, at, &line, NULL) == LW_OK)
                printf("is 0x%" PRIx64 " %u %u %s\n", at, line.line, line.column, line.file);
    }
}

int main(int argc, char **argv)
{
    lw_program *program;
    lw_error error = { "" };
    if (argc != 2 || lw_program_load_file(argv[1], NULL, &program, &error) != LW_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    const lw_lines *lines = program->lines;
    if (!lines || lines->status != LW_OK)
        printf("no %d\n", lines ? (int)lines->status : (int)LW_E_NOT_FOUND);
    else
        print_rows(lines);
    print_answers(program);
    lw_program_free(program);
    return 0;
}
