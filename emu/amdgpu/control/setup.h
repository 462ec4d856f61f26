/* SPDX-License-Identifier: MIT */
/* From a kernel's descriptor and a launch's options to the machine that runs it. */
#ifndef LW_EMU_AMDGPU_SETUP_H
#define LW_EMU_AMDGPU_SETUP_H

#include "emu/amdgpu/control/machine.h"
#include "loaders/program.h"

enum { LW_MAX_PLACED = 64 }; /* regions a launch maps: segments, arguments, packet */

/* Grid, workgroup, LDS and scratch, checked against what the kernel says. */
lw_status lw_setup_sizes(lw_machine *m, const lw_launch_options *o, const lw_kernel *kernel, lw_error *error);

/* Register counts, MODE and which registers are set up, from the descriptor. */
lw_status lw_setup_registers(lw_machine *m, const lw_kernel *kernel, lw_error *error);

/* User SGPRs and the first instruction, once the arguments are built. */
void lw_setup_entry(lw_machine *m, const lw_kernel *kernel, const uint8_t *kernarg);

#endif
