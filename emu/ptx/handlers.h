/* SPDX-License-Identifier: MIT */
/* Handlers, by the semantics that rows name. If one is missing, the program does not link. */
#ifndef LW_EMU_PTX_HANDLERS_H
#define LW_EMU_PTX_HANDLERS_H

#include "emu/ptx/warp.h"

#define OP(id, mnemonic, needs, takes, first, second, operands, semantics, evidence)                         \
    extern const lw_ptx_handler lw_ptx_sem_##semantics;
#include "isa_tables/ptx/ops.inc"
#undef OP

/* Makes a lane function for lw_ptx_compute from an expression of a, b, c and d. */
#define LW_PTX_LANE_OF(name, shape, expression)                                                              \
    static uint64_t lane_##name(const lw_ptx_record *r, const uint64_t *in)                                  \
    {                                                                                                        \
        const uint64_t a = in[0], b = in[1], c = in[2], d = in[3];                                           \
        (void)r, (void)a, (void)b, (void)c, (void)d;                                                         \
        return (expression);                                                                                 \
    }                                                                                                        \
    const lw_ptx_handler lw_ptx_sem_##name = { .exec = shape, .lane = lane_##name };
#define LW_PTX_LANE(name, expression) LW_PTX_LANE_OF(name, lw_ptx_compute, expression)

/* The beginning of a space's generic window; 0 for global and constant memory. */
uint64_t lw_ptx_window(uint8_t space);

#endif
