/* SPDX-License-Identifier: MIT */
/*
 * Blocks: consecutive instructions that a thread executes with one check of the pc and one count.
 *
 * A block consists of places that the thread has reached before; everything that is checked on arrival has
 * therefore been checked. It ends with an instruction that may branch or that needs its own address, the
 * number of executed instructions or MODE; before an instruction that is in another block; and at the end of
 * a page. A place is in at most one block, but a block may be entered anywhere. Instructions that only wait
 * or give hints are counted but not executed. Each thread has its own blocks: hot records copied one after
 * the other.
 *
 * Where single instructions matter (observers, budgets that end within a block, indexed registers; with
 * pending copies, blocks that wait for them or are counted with them), instructions are executed one by one.
 */
#ifndef LW_EMU_AMDGPU_BLOCK_H
#define LW_EMU_AMDGPU_BLOCK_H

#include "emu/amdgpu/control/machine.h"

/* A place that is in a block: the rest of the block from there on. */
typedef struct lw_block {
    const lw_hot *hot;
    uint64_t entered; /* number of entries here since the counts were settled */
    uint16_t hots;    /* records */
    uint16_t total;   /* instructions; 0: the place is in no block */
    uint16_t bytes;
    bool ends;  /* the last record may branch; it finds its own pc in the wave */
    bool first; /* the block begins here */
    bool heeds; /* an instruction waits for copies to LDS, or is counted with them */
} lw_block;

/* The blocks of a page of code. */
typedef struct lw_blocks {
    lw_block place[LW_CODE_PAGE];
    _Alignas(64) lw_hot hot[LW_CODE_PAGE];
    size_t used; /* records used in `hot` */
} lw_blocks;

/* The block at a place, made if it is worthwhile now; NULL: none. */
lw_block *lw_block_make(const lw_code_cursor *at, size_t place);

static inline lw_block *lw_block_at(const lw_code_cursor *at, size_t place)
{
    lw_blocks *blocks = at->counts->blocks;
    return blocks && blocks->place[place].total ? &blocks->place[place] : lw_block_make(at, place);
}

/*
 * Runs the wave, which is at the block's place, until the block ends or a step is neither LW_STEP_NEXT nor
 * LW_STEP_JUMPED; in the latter case the wave is at *stopped.
 */
lw_step lw_block_run(lw_worker *worker, lw_wave *wave, lw_block *block, const lw_decoded **stopped);

/* Adds the blocks' counts to the worker's and discards the blocks. */
void lw_blocks_settle(lw_worker *worker);

#endif
