/* SPDX-License-Identifier: MIT */
/* The products that wgmma.mma_async consists of; rows in wgmma.inc. */
#ifndef LW_ISA_PTX_WGMMA_H
#define LW_ISA_PTX_WGMMA_H

#include "isa_tables/ptx/row.h"

/* A parsed wgmma.mma_async. */
typedef struct lw_wgmma {
    const lw_insn *part; /* of one warp, for eight columns */
    lw_mods mods;        /* of the part */
    uint16_t n;          /* columns */
} lw_wgmma;

/* The part of that name, or NULL. */
const lw_insn *lw_wgmma_part(const char *name);

/*
 * Reads "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16". The words after the verb may come in any
 * order, except types, which are those of D, A and B. LW_E_UNSUPPORTED with a sentence for what sm_90a does
 * not have.
 */
lw_status lw_wgmma_read(const char *text, lw_wgmma *out, lw_error *error);

#endif
