/* SPDX-License-Identifier: MIT */
/* Files of results that other people recorded on real GPUs. */
#ifndef LW_CLI_VECTORS_H
#define LW_CLI_VECTORS_H

#include <stdint.h>
#include <stdio.h>

#include "cli/cli.h"

enum { VECTORS_SHOWN = 10, VECTORS_TEXT = 320 };

typedef struct vectors_difference {
    size_t line; /* from 1 on, comments not counted */
    char text[VECTORS_TEXT];
} vectors_difference;

typedef struct vectors_report {
    size_t rows, same, different, skipped;
    vectors_difference shown[VECTORS_SHOWN]; /* the first ones */
    uint32_t part, parts; /* with parts above 0: only each parts-th line, from line `part` on */
} vectors_report;

/*
 * Runs each line of a file through the instruction and target that it was recorded with. Knows the three
 * files under tests/data: lines "GPU,type of A and B,type of C and D,k,a ...,b ...,c,d", lines
 * "wmma,target,type,a0..a15,b0..b15,c,wave32,wave64" (lines "dot2,..." belong to no matrix instruction and
 * are counted as skipped) and digests of gfx1201's D (cli/digests.h). `file` is at its first line that is not
 * a comment.
 */
int vectors_check(const cli_call *call, const char *path, FILE *file, vectors_report *report);

/* Prints a difference. */
void vectors_print(const char *path, size_t line, const char *text);

/* Whether `line` is such a line. */
bool vectors_recognise(const char *line);

#endif
