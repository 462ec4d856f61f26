/* SPDX-License-Identifier: MIT */
/* A decoded call. */
#ifndef LW_EMU_PTX_CALLS_H
#define LW_EMU_PTX_CALLS_H

#include "emu/ptx/warp.h"

/* What is passed: bytes of the caller's frame, or a register. */
typedef struct lw_ptx_passed {
    lw_ptx_source source; /* a register or constant; for bytes of the frame, their address */
    uint64_t size;        /* bytes of the frame; 0: a register */
} lw_ptx_passed;

typedef struct lw_ptx_call {
    const lw_ptx_function *to; /* NULL: `through` holds the address */
    lw_ptx_source through;
    uint8_t host; /* lw_ptx_host */
    uint32_t results, params;
    lw_ptx_passed passed[]; /* results, then parameters */
} lw_ptx_call;

/* host.c: what the device itself does in a call by one lane. False after a fault, which has been reported. */
bool lw_ptx_host_call(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane);

#endif
