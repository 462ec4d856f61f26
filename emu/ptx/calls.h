/* SPDX-License-Identifier: MIT */
/* A call, taken apart once. */
#ifndef LW_EMU_PTX_CALLS_H
#define LW_EMU_PTX_CALLS_H

#include "emu/ptx/warp.h"

/* What is handed over: bytes of the caller's frame, or a register. */
typedef struct lw_ptx_passed {
    lw_ptx_source source; /* a register or constant; of a frame, its address */
    uint64_t size;        /* bytes of the frame; 0: a register */
} lw_ptx_passed;

typedef struct lw_ptx_call {
    const lw_ptx_function *to; /* NULL: `through` says where */
    lw_ptx_source through;
    uint8_t host; /* lw_ptx_host */
    uint32_t results, params;
    lw_ptx_passed passed[]; /* results, then parameters */
} lw_ptx_call;

/* host.c: what the device itself does in a call by one lane. False: a fault, which is said. */
bool lw_ptx_host_call(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane);

#endif
