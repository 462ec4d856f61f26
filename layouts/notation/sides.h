/* SPDX-License-Identifier: MIT */
/* The two layouts that a judgement compares, as lists of places and elements. */
#ifndef LW_LAYOUTS_NOTATION_SIDES_H
#define LW_LAYOUTS_NOTATION_SIDES_H

#include "layouts/notation/reader.h"

enum { LW_SIDES_NO_K = 0xffff };

/* Both sides, each sorted by place and element, without duplicate pairs. */
typedef struct lw_sides {
    const lw_tv *tv;
    lw_pair *own, *given;
    size_t owns, givens;
    lw_layout_judgement *j;
    size_t used; /* of j->text */
} lw_sides;

/* The order of lists: by lane, bit, block, row, col, k. */
int lw_pair_compare(const void *a, const void *b);

/* Sorts and drops duplicates; returns how many remain. */
size_t lw_pairs_sort(lw_pair *pairs, size_t count);

bool lw_pairs_equal(const lw_pair *a, size_t count, const lw_pair *b, size_t others);

static inline bool lw_pair_same_place(const lw_pair *a, const lw_pair *b)
{
    return a->lane == b->lane && a->bit == b->bit;
}

/* Sets s->own to the operand's places. LW_E_NO_MEMORY. */
lw_status lw_sides_list_own(lw_sides *s);

/* Sets j->ks and j->k_of to what k of the instruction is called, if everything else agrees; false otherwise.
 */
bool lw_sides_find_k(lw_sides *s);

/* Reads the whole text in this notation and sorts what it claims. */
lw_status lw_reader_read(lw_reader *r, lw_notation notation);

/* lw_layout_fill_judgement of a text that may have been read before. */
lw_status lw_layout_judge_text(const lw_layout *layout, const lw_reader *text, lw_layout_judgement *judgement,
                               lw_error *error);

/*
 * Whether the text can be equal, equal up to a renaming of k, in another order, or transposed, as far as a
 * few lanes tell. True also where a sample cannot be taken. `text` has the text, and its listing or code.
 */
bool lw_text_may_fit(const lw_tv *tv, const lw_reader *text);

#endif
