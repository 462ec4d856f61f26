/* SPDX-License-Identifier: MIT */
#ifndef LW_EMU_PTX_MATRIX_H
#define LW_EMU_PTX_MATRIX_H

#include <lanewise/observe.h>

#include "emu/mma/prepared.h"
#include "emu/ptx/copies.h"
#include "emu/ptx/warp.h"

/* Adds what a worker's executions touched, and the label of that; nothing for other instructions. */
void lw_ptx_matrix_tally(const lw_worker *worker, const lw_ptx_record *r, lw_tally *tally);

/* The instruction of a record's `extra`, of matrix instructions the first member; NULL: it moves elements. */
typedef struct lw_ptx_product {
    const lw_mma_key *key;
} lw_ptx_product;

/* The prepared instruction of a key; NULL after a fault, which is said. */
const lw_mma *lw_ptx_mma_of(lw_ptx_warp *w, const lw_mma_key *key);

/* ---- What observers are told (lanewise/observe.h) ---- */

/* False: the record is of no product. */
typedef bool lw_ptx_told_event(const lw_ptx_record *r, lw_matrix_event *event);
/* A word of an operand's registers, of `count` lanes; zeros where there is none. */
typedef void lw_ptx_told_word(const lw_ptx_warp *w, const lw_ptx_record *r, lw_operand operand, unsigned word,
                              uint32_t *values, size_t count);
lw_ptx_told_event lw_ptx_matrix_event, lw_ptx_wgmma_event;
lw_ptx_told_word lw_ptx_matrix_word, lw_ptx_wgmma_word;

/* ---- wgmma.c ---- */

/* What a wgmma computes, when its turn has come. False: a fault, which is said. */
bool lw_ptx_wgmma_arrive(lw_ptx_warp *w, const lw_copy *copy);

#endif
