/* SPDX-License-Identifier: MIT */
/* A PTX module as an lw_program. */
#ifndef LW_LOADERS_PTX_PROGRAM_H
#define LW_LOADERS_PTX_PROGRAM_H

#include "loaders/program.h"

/* The target that a module names ("sm_90a"), without parsing the module; "" if it does not begin with one. */
void lw_ptx_target(lw_bytes text, char *target, size_t size);

/* The architecture of a target; LW_ARCH_NONE if unknown. */
lw_arch lw_ptx_arch(const char *target);
/* Code for a target without a suffix also runs on later ones (PTX ISA, ".target"); other code only on its
 * own. */
bool lw_ptx_runs_on(const char *target, lw_arch arch);

/* Parses the module into program->ptx and fills kernels and symbols. `program` is new. */
lw_status lw_ptx_fill_program(lw_program *program, lw_bytes text, uint64_t limit, lw_error *error);

/* lw_program_line of a PTX program, from .loc and .file. */
lw_status lw_ptx_program_line(const lw_program *program, uint64_t number, lw_line *line, lw_error *error);

#endif
