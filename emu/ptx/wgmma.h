/* SPDX-License-Identifier: MIT */
/* A decoded wgmma: wgmma.c executes it, wgmma_seen.c tells observers what it reads and writes. */
#ifndef LW_EMU_PTX_WGMMA_H
#define LW_EMU_PTX_WGMMA_H

#include "emu/ptx/matrix.h"
#include "emu/ptx/wgmma_tile.h"
#include "isa_tables/ptx/parts.h"

enum {
    LW_WGMMA_MOST_D = 128,       /* registers of D */
    LW_WGMMA_A_WORDS = 4,        /* registers of A */
    LW_WGMMA_ROWS = 16,          /* of a warp */
    LW_WGMMA_COLUMNS = 8,        /* of a part */
    LW_WGMMA_MOST_COLUMNS = 256, /* of all */
    LW_WGMMA_CHUNK = 16,         /* bytes that stay contiguous in shared memory */
    LW_WGMMA_A_BYTES = 32,       /* of a row of A */
    LW_WGMMA_MOST_BYTES = 64,    /* of a column of B, in sparse products */
    LW_WGMMA_GROUP_WARPS = 4,
    LW_WGMMA_DESCRIPTORS = 2, /* first pieces of a copy; metadata follow, lane by lane */
};

typedef struct lw_ptx_wgmma {
    lw_ptx_product product;
    lw_ptx_wgmma_verb verb;
    uint64_t left;       /* of a wait: groups that may stay pending */
    const lw_insn *part; /* of one warp, for eight columns */
    lw_mods mods;        /* of the part */
    uint16_t columns;
    lw_ptx_source d[LW_WGMMA_MOST_D], a[LW_WGMMA_A_WORDS], a_desc, b_desc, meta, scale_d;
    uint8_t d_count;
    bool a_in_registers, sparse;
    bool a_turned, b_turned; /* A is M-major, B is N-major */
    uint32_t a_flip, b_flip; /* sign bits, in a word of elements, to be negated */
} lw_ptx_wgmma;

static inline uint32_t *lw_ptx_wgmma_row(const lw_ptx_warp *w, const lw_ptx_source *s)
{
    return &w->rows[(size_t)s->slot * LW_PTX_LANES];
}

#endif
