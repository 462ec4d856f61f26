/* SPDX-License-Identifier: MIT */
#ifndef LW_EMU_PTX_MATRIX_H
#define LW_EMU_PTX_MATRIX_H

#include <lanewise/move.h>

#include "emu/mma/prepared.h"
#include "emu/ptx/copies.h"
#include "emu/ptx/warp.h"

/* Adds the aspects that a worker's executions touched, and their label. Does nothing for other
 * instructions. */
void lw_ptx_matrix_tally(const lw_worker *worker, const lw_ptx_record *r, lw_tally *tally);

/* The instruction of a record's `extra`; for matrix instructions it is the first member. NULL: a move. */
typedef struct lw_ptx_product {
    const lw_mma_key *key;
} lw_ptx_product;

/* The instruction and its registers (of those that move elements, D); false: it is none of them. */
bool lw_ptx_matrix_event(const lw_ptx_record *r, lw_matrix_event *matrix);
/* What one that moves elements does to memory, and the lanes whose addresses count. Its address is the
 * record's; the result is that too or, of wmma with a stride, the stride. NULL: it accesses none. */
const lw_ptx_source *lw_ptx_matrix_memory(const lw_ptx_record *r, lw_fact_memory *memory, uint64_t *lanes);
/* The row of word `index` of an operand. */
uint32_t lw_ptx_matrix_register(const lw_ptx_record *r, lw_operand operand, unsigned index);

/* The prepared instruction of a key. NULL after a fault, which has been reported. */
const lw_mma *lw_ptx_mma_of(lw_ptx_warp *w, const lw_mma_key *key);

/* ---- Products, for observers (lw_event_product) ---- */

/* A word of an operand in registers, of `count` lanes. */
void lw_ptx_matrix_word(const lw_ptx_warp *w, const lw_ptx_record *r, lw_operand operand, unsigned word,
                        uint32_t *values, size_t count);
/* The same of a wgmma; false: the record is none that multiplies. */
bool lw_ptx_wgmma_event(const lw_ptx_record *r, lw_matrix_event *event);
void lw_ptx_wgmma_word(const lw_ptx_warp *w, const lw_ptx_record *r, lw_operand operand, unsigned word,
                       uint32_t *values, size_t count);

/* Where it is (lw_event_product_place); `copy`: of the one that has just been computed, or NULL. */
bool lw_ptx_wgmma_place(const lw_ptx_warp *w, const lw_ptx_record *r, const lw_copy *copy, lw_operand operand,
                        unsigned word, lw_product_place *place);

/* ---- matrix_rows.c ---- */

/* Are they all registers of 32 bits? */
bool lw_ptx_rows_plain(const lw_ptx_source *word, unsigned count);
/* ldmatrix and stmatrix of `count` matrices of 8 x 8 x 16 bits, whose words are plain, in shared memory.
 * False: nothing has been done, the general way must. */
bool lw_ptx_rows_move(lw_ptx_warp *w, const lw_ptx_record *r, const lw_ptx_source *word, unsigned count,
                      bool stores, bool trans);

/* ---- wmma_seen.c ---- */

/* Adds to the warp's log what a wmma.load or wmma.store has accessed; `stores`: the latter. */
void lw_ptx_wmma_note(lw_ptx_warp *w, const lw_insn *insn, const lw_mods *mods, const lw_move_args *args,
                      bool shared, bool stores);

/* ---- facts_async.c ---- */

/* The members of lw_facts that say what an asynchronous instruction does. */
void lw_ptx_async_facts(lw_facts *f, lw_fact_operand *operands, const lw_ptx_record *r);

/* ---- wgmma.c, wgmma_seen.c ---- */

/* LW_ASYNC_WAITS: *left is how many groups may stay pending. */
lw_async_step lw_ptx_wgmma_step(const lw_ptx_record *r, uint64_t *left);
/* Adds its registers; at most as many runs of them as fit. */
void lw_ptx_wgmma_operands(const lw_ptx_record *r, lw_facts *f, lw_fact_operand *operands);

/* Computes a wgmma when it is due. False after a fault, which has been reported. */
bool lw_ptx_wgmma_arrive(lw_ptx_warp *w, const lw_copy *copy);

#endif
