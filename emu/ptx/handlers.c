/* SPDX-License-Identifier: MIT */
#include "emu/ptx/handlers.h"

const lw_ptx_handler *const lw_ptx_handlers[LW_PTX_OP_COUNT] = {
#define OP(id, mnemonic, needs, takes, first, second, operands, semantics, evidence)                         \
    [LW_PTX_OP_##id] = &lw_ptx_sem_##semantics,
#include "isa_tables/ptx/ops.inc"
#undef OP
};
