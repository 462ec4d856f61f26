/* SPDX-License-Identifier: MIT */
/* A PTX module as an lw_program. */
#ifndef LW_LOADERS_PTX_PROGRAM_H
#define LW_LOADERS_PTX_PROGRAM_H

#include "loaders/program.h"

/* The target that a module names ("sm_90a"), without parsing it: "" where that is not at its beginning. */
void lw_ptx_target(lw_bytes text, char *target, size_t size);

/* The architecture of a target; LW_ARCH_NONE for one that is not known. */
lw_arch lw_ptx_arch(const char *target);
/* Code for a target without suffix runs on later ones too (PTX ISA, ".target"); other code on its own only.
 */
bool lw_ptx_runs_on(const char *target, lw_arch arch);

/* Parses the module into program->ptx and fills kernels and symbols. `program` is new. */
lw_status lw_ptx_fill_program(lw_program *program, lw_bytes text, uint64_t limit, lw_error *error);

/* lw_program_line of a PTX program: what .loc and .file say. */
lw_status lw_ptx_program_line(const lw_program *program, uint64_t number, lw_line *line, lw_error *error);

#endif
