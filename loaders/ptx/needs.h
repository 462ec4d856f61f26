/* SPDX-License-Identifier: MIT */
/* What a PTX kernel and the functions it may call need, and what limits how exact its results are. */
#ifndef LW_LOADERS_PTX_NEEDS_H
#define LW_LOADERS_PTX_NEEDS_H

#include "loaders/program.h"
#include "loaders/ptx/module.h"

/* Fills `unsupported`, `approximate` and `contracted`. False: no memory. */
bool lw_ptx_fill_needs(lw_program *program, const lw_ptx_function *kernel, lw_kernel_info *info);

#endif
