/* SPDX-License-Identifier: MIT */
/*
 * Blocks: consecutive instructions that a thread goes through with one look at where it is and one count.
 *
 * A block is made of places that the thread has come to before, so that all that is checked on arrival has
 * been checked. It ends with an instruction that may go elsewhere or that asks for its own address, number or
 * MODE; before an instruction that is in another block; and at the end of a page. A place is in one block at
 * most, but a block may be entered anywhere. Instructions that only wait or advise are counted and otherwise
 * left out. Each thread has its own blocks: hot records copied one after the other.
 *
 * Who wants to see single instructions (observers, budgets that end within a block, indexed registers; with
 * pending copies, blocks that heed them) goes instruction by instruction.
 */
#ifndef LW_EMU_AMDGPU_BLOCK_H
#define LW_EMU_AMDGPU_BLOCK_H

#include "emu/amdgpu/control/machine.h"

/* A place that is in a block: what is left of the block from there on. */
typedef struct lw_block {
    const lw_hot *hot;
    uint64_t entered; /* here, since the counts were settled */
    uint16_t hots;    /* records */
    uint16_t total;   /* instructions; 0: the place is in no block */
    uint16_t bytes;
    bool ends;  /* the last record may go elsewhere, and finds its own pc in the wave */
    bool first; /* of the block */
    bool heeds; /* an instruction waits for copies to LDS, or is counted with them */
} lw_block;

/* The blocks of a page of code. */
typedef struct lw_blocks {
    lw_block place[LW_CODE_PAGE];
    _Alignas(64) lw_hot hot[LW_CODE_PAGE];
    size_t used; /* of `hot` */
} lw_blocks;

/* The block at a place, made if it is time to; NULL: none. */
lw_block *lw_block_make(const lw_code_cursor *at, size_t place);

static inline lw_block *lw_block_at(const lw_code_cursor *at, size_t place)
{
    lw_blocks *blocks = at->counts->blocks;
    return blocks && blocks->place[place].total ? &blocks->place[place] : lw_block_make(at, place);
}

/*
 * Runs the wave, which stands at the block's place, to the end of the block or until a step is neither
 * LW_STEP_NEXT nor LW_STEP_JUMPED; the wave then stands at *stopped.
 */
lw_step lw_block_run(lw_worker *worker, lw_wave *wave, lw_block *block, const lw_decoded **stopped);

/* Adds what blocks have counted to the worker's counts, and forgets the blocks. */
void lw_blocks_settle(lw_worker *worker);

#endif
