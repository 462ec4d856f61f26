/* SPDX-License-Identifier: MIT */
/* What `why` works on: the graph of one element, and its matrix instructions as products of array elements.
 */
#ifndef LW_CLI_WHY_H
#define LW_CLI_WHY_H

#include <lanewise/why.h>

#include "cli/json.h"
#include "cli/run.h"

/* An element of an array, or what an operand's element was computed from. */
typedef struct why_element {
    bool known;      /* it is a copy of bits of an array */
    size_t arg;      /* known: the argument */
    uint64_t number; /* known: in units of its bits, from the array's first bit */
    uint64_t row, col;
    uint64_t code;
    uint32_t node; /* where its copies begin */
} why_element;

/* What one matrix instruction multiplied for an element of D. */
typedef struct why_step {
    uint32_t node;
    unsigned count[LW_OPERAND_COUNT]; /* elements: k of A and B, blocks of scales */
    unsigned bits[LW_OPERAND_COUNT];
    why_element *element[LW_OPERAND_COUNT];
} why_step;

typedef struct why_job {
    run_job run;
    lw_why *why;
    size_t arg;               /* the array in question */
    uint64_t element;         /* the element in question */
    const run_expect *expect; /* NULL: none is given */
    uint64_t got, expected;   /* codes */
    why_step *steps;          /* of the chain of accumulation, in chronological order */
    size_t step_count;
    bool *shown; /* nodes */
} why_job;

/* Element number `index` as "C[2,17]". */
void why_name(const why_job *job, size_t arg, uint64_t index, char *text, size_t size);
/* The argument that an address is in; arg_count if none. */
size_t why_arg_at(const why_job *job, uint64_t address);
/* "A" or "argument 1" */
void why_arg_name(const why_job *job, size_t arg, char *text, size_t size);

/* The instructions that accumulate into node `last`, the last of them; freed by why_free_chain. */
why_step *why_chain(const why_job *job, uint32_t last, size_t *count);
void why_free_chain(why_step *steps, size_t count);
/* All matrix instructions whose D is a term of the element's sum. */
void why_find_steps(why_job *job);
void why_free_steps(why_job *job);
/* "A[2,0..127]", or what they were computed from. */
void why_describe(const why_job *job, const why_element *elements, size_t count, char *text, size_t size);
/* The inputs of a node: "A[2,0..31], Bscale[7]". */
void why_inputs(const why_job *job, uint32_t node, char *text, size_t size);

void why_print(why_job *job);
void why_write(why_job *job, cli_json *json);

/* How the element differs from the expectation, in words; "" if there is no simple explanation. */
void why_words(const why_job *job, char *text, size_t size);

#endif
