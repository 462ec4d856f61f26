/* SPDX-License-Identifier: MIT */
/* run --layouts: which elements of which arguments are in the operands of each matrix instruction. */
#ifndef LW_CLI_RUN_LAYOUTS_H
#define LW_CLI_RUN_LAYOUTS_H

#include <lanewise/layout.h>
#include <lanewise/origin.h>

#include "cli/json.h"
#include "cli/run.h"

/* Runs the kernel once for each digit of the elements' numbers, and restores the arrays. */
int run_follow_layouts(run_job *job);

/* Reports what was found; as text if `json` is NULL. False: A and B do not match in k. */
bool run_text_layouts(const run_job *job, cli_json *json);

/* ---- One operand ---- */

/* What an element of the operand was copied from. */
typedef enum origin_kind { ORIGIN_ELEMENT, ORIGIN_CONSTANT, ORIGIN_COMPUTED } origin_kind;

/* Coordinates in the array: the row counts all dimensions but the last, the column is in elements of the
 * operand's width. */
typedef struct origin_element {
    origin_kind kind;
    bool seen;
    size_t arg;
    uint64_t row, col;
} origin_element;

typedef struct origin_operand {
    lw_layout_info info;
    origin_element *element; /* [block][x][y] */
    size_t elements, copied, constant, computed;
    bool unequal; /* the copies of some element differ */
    /* All come from one argument, and row and column depend on one coordinate each: */
    bool plain, turned; /* turned: rows depend on y, columns on x */
    size_t arg;
} origin_operand;

/* False if the instruction has no such operand in registers. The caller frees `element`. */
bool origin_read(const run_job *job, size_t index, lw_operand operand, origin_operand *o);

/* The place in the array's contraction dimension for each k; false if k does not follow one dimension. */
bool origin_of_k(const origin_operand *o, uint32_t k, uint64_t *place);

#endif
