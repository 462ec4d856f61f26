/* SPDX-License-Identifier: MIT */
/* Handlers by the semantics that rows name. One that is missing does not link. */
#ifndef LW_EMU_PTX_HANDLERS_H
#define LW_EMU_PTX_HANDLERS_H

#include "emu/ptx/warp.h"

#define OP(id, mnemonic, needs, takes, first, second, operands, semantics, evidence)                         \
    extern const lw_ptx_handler lw_ptx_sem_##semantics;
#include "isa_tables/ptx/ops.inc"
#undef OP

/* Joins one expression of a, b and c to the shape of lw_ptx_compute. */
#define LW_PTX_LANE(name, expression)                                                                        \
    static uint64_t lane_##name(const lw_ptx_record *r, uint64_t a, uint64_t b, uint64_t c)                  \
    {                                                                                                        \
        (void)r, (void)a, (void)b, (void)c;                                                                  \
        return (expression);                                                                                 \
    }                                                                                                        \
    const lw_ptx_handler lw_ptx_sem_##name = { lw_ptx_compute, lane_##name };

/* Where the generic window of cvta's space begins: 0 for global and constant memory. */
uint64_t lw_ptx_window(const lw_ptx_record *r);

#endif
