/* SPDX-License-Identifier: MIT */
/* What `why` works on: the graph of one element, and its matrix instructions as products of array elements.
 */
#ifndef LW_CLI_WHY_H
#define LW_CLI_WHY_H

#include <lanewise/why.h>
#include <lanewise/why_product.h>

#include "cli/json.h"
#include "cli/run.h"

typedef struct why_job {
    run_job run;
    lw_why *why;
    size_t arg;               /* the array in question */
    uint64_t element;         /* the element in question */
    const run_expect *expect; /* NULL: none is given */
    uint64_t got, expected;   /* codes */
    lw_why_array *arrays;     /* one for each argument */
    char (*names)[80];        /* of the arguments: "A", "argument 1" */
    lw_why_products *products;
    bool *shown; /* nodes */

    /* --capture; see why_capture.c */
    cli_call inner;     /* the call without descriptions of arrays */
    lw_arg_info *extra; /* arrays that are no argument */
    size_t extra_count;
    bool *known;   /* for each array: its type and shape are given */
    bool recorded; /* what is expected is what the GPU left */
} why_job;

/* Element number `index` as "C[2,17]". */
void why_name(const why_job *job, size_t arg, uint64_t index, char *text, size_t size);
/* The argument that an address is in; arg_count if none. */
size_t why_arg_at(const why_job *job, uint64_t address);

/* Fills arrays and names, which are freed by why_free. */
void why_fill_arrays(why_job *job);
/* The products of the element's sum, or of the chain that ends in node `last`, which the caller frees. */
lw_why_products *why_products(const why_job *job, uint32_t last);
void why_free(why_job *job);

/* "A[2,0..127]", or what they were computed from. */
void why_describe(const why_job *job, const lw_why_element *elements, size_t count, char *text, size_t size);
/* The inputs of a node: "A[2,0..31], Bscale[7]". */
void why_inputs(const why_job *job, uint32_t node, char *text, size_t size);

/* Instead of the steps that read a program, its arguments and expectations. */
int why_capture_read(why_job *job, const cli_call *call);
/* Type and shape of the array are given. */
bool why_capture_knows(const why_job *job, size_t arg);
/* Names the arrays whose type and shape are not. */
void why_capture_note(const why_job *job);
void why_capture_free(why_job *job);

void why_print(why_job *job);
void why_write(why_job *job, cli_json *json);

/* How the element differs from the expectation, in words; "" if there is no simple explanation. */
void why_words(const why_job *job, char *text, size_t size);

#endif
