/* SPDX-License-Identifier: MIT */
/* From a kernel's descriptor and a launch's options to the session that runs it. */
#ifndef LW_EMU_AMDGPU_SETUP_H
#define LW_EMU_AMDGPU_SETUP_H

#include "emu/amdgpu/control/machine.h"
#include "loaders/program.h"

enum { LW_MAX_WORKGROUP = 1024 /* work-items */ };

/* LDS and scratch, checked against the kernel's requirements. */
lw_status lw_setup_sizes(lw_session *s, const lw_launch_options *o, const lw_kernel *kernel, lw_error *error);

/* Lanes of the kernel's waves, from its descriptor. */
unsigned lw_setup_lanes(const lw_kernel *kernel);

/* Register counts, MODE and which registers are set up, from the descriptor. */
lw_status lw_setup_registers(lw_session *s, const lw_kernel *kernel, lw_error *error);

/* Tells a launch where its arguments and its dispatch packet are. */
typedef struct lw_setup_addresses {
    uint64_t kernarg, packet;
} lw_setup_addresses;

/* User SGPRs and the first instruction; called once the arguments exist. */
void lw_setup_entry(lw_session *s, const lw_kernel *kernel, const lw_setup_addresses *at);

/* For raw code: sizes and registers as in the caller's waves. */
lw_status lw_setup_given(lw_session *s, lw_error *error);

#endif
