/* SPDX-License-Identifier: MIT */
/* What a PTX kernel and the functions it may call need, and what limits how exact its results are. */
#ifndef LW_LOADERS_PTX_NEEDS_H
#define LW_LOADERS_PTX_NEEDS_H

#include "loaders/program.h"
#include "loaders/ptx/module.h"

/* A spelling of a matrix instruction that has been looked up, and whether the target has it. */
typedef struct lw_ptx_spelling {
    const char *text;
    size_t size;
    bool known;
} lw_ptx_spelling;

/* The last ones of a module; begins as zeros. */
enum { LW_PTX_SPELLINGS = 64 };

typedef struct lw_ptx_spellings {
    lw_ptx_spelling last[LW_PTX_SPELLINGS];
    size_t count; /* of all that were looked up */
} lw_ptx_spellings;

/* What the kernels of one module share. */
typedef struct lw_ptx_needs {
    lw_program *program;
    lw_ptx_spellings spellings;
    const lw_ptx_function **functions; /* that a kernel may reach */
    uint32_t *reached_by;              /* of each function: the number of the last kernel that reaches it */
    uint32_t kernel;                   /* numbers of kernels begin at 1 */
    uint8_t *has;                      /* of each function: bits of what it has to list; see needs.c */
    uint32_t *last;   /* of each register: 1 + the product that was written to it last, or 0 */
    size_t text_left; /* characters that lists may still take together */
} lw_ptx_needs;

/* False: no memory. lw_ptx_needs_close is called in both cases. */
bool lw_ptx_needs_open(lw_ptx_needs *needs, lw_program *program);
void lw_ptx_needs_close(lw_ptx_needs *needs);

/* Fills `unsupported`, `approximate` and `contracted`. False: no memory. */
bool lw_ptx_fill_needs(lw_ptx_needs *needs, const lw_ptx_function *kernel, lw_kernel_info *info);

#endif
