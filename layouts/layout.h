/* SPDX-License-Identifier: MIT */
/* Where the elements of an operand are: a relation, and which operand it belongs to. */
#ifndef LW_LAYOUTS_LAYOUT_H
#define LW_LAYOUTS_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/layout.h>

#include "isa_tables/matrix.h"
#include "layouts/relation.h"

enum { LW_NO_PLACE = 0xffff };

/* The relation of an operand, with pitch 1, and which operand it is. */
struct lw_layout {
    lw_relation relation;
    uint16_t registers; /* 32-bit registers per lane, or columns of tensor memory */
    uint8_t operand;    /* lw_operand */
    uint8_t elem;       /* lw_elem */
    const lw_insn *insn;
    lw_arch arch;
    lw_mods mods;
    /* A sparse A whose elements are named by dense k: the index, nibbles [row][ks / chunk]; otherwise NULL */
    const uint8_t *index;
    uint8_t chunk; /* stored values per nibble of the index */
};

/* A place by lane and first bit; lane LW_NO_PLACE means that the element has no place. */
typedef struct lw_place {
    uint16_t lane, bit;
} lw_place;

/*
 * Chooses the lanes of the wave: `wave`; if that is 0, mods->wave; if that is 0 too, the usual size. The
 * result is written to mods->wave. LW_E_ARGUMENT where the two differ or the instruction does not run with
 * this wave, LW_E_ARCH.
 */
lw_status lw_layout_choose_wave(lw_arch arch, const lw_insn *insn, unsigned wave, lw_mods *mods,
                                lw_error *error);

/*
 * Builds the layout of an operand. `mods` must have passed lw_mods_check (NULL: none).
 * LW_E_ARGUMENT when the instruction has no such operand or cannot run with `wave` lanes.
 */
lw_status lw_layout_build(lw_arch arch, const lw_insn *insn, lw_operand operand, unsigned wave,
                          const lw_mods *mods, lw_layout *layout, lw_error *error);

/* The layout of C, be it the C operand or accumulators that are read from D's registers. */
lw_status lw_layout_build_c(lw_arch arch, const lw_insn *insn, unsigned wave, const lw_mods *mods,
                            lw_layout *layout, lw_error *error);

/* Number of (place, element) pairs. */
size_t lw_layout_pairs(const lw_layout *layout);

/* Pair number n < lw_layout_pairs, in the order of lw_relation_pair. */
lw_pair lw_layout_pair(const lw_layout *layout, size_t n);

/* Number of elements: rows * cols * ks * blocks. */
size_t lw_layout_elements_total(const lw_layout *layout);

/*
 * The number of an element in the order (block, row, col, k), k fastest. Since an operand lacks one of row,
 * col and k, this is A[block][row][k], C[block][row][col], and B[block][col][k]: B is transposed, so that the
 * k that are summed are adjacent.
 */
size_t lw_layout_ordinal(const lw_layout *layout, unsigned block, unsigned row, unsigned col, unsigned k);

/*
 * Fills places[lw_layout_ordinal(...)] for every element. Where an element has copies, the one in the
 * lowest lane is taken. `places` has lw_layout_elements_total entries.
 */
void lw_layout_fill(const lw_layout *layout, lw_place *places);

/* The X and Y coordinates that users see for an element: i k, k j, i j. See lanewise/layout.h. */
unsigned lw_layout_x(const lw_layout *layout, const lw_pair *pair);
unsigned lw_layout_y(const lw_layout *layout, const lw_pair *pair);

/* Whether this is the A of a sparse instruction, of which only the values that the index keeps are stored. */
static inline bool lw_layout_is_stored(const lw_layout *layout)
{
    return layout->operand == LW_OPERAND_A && lw_insn_is_sparse(layout->insn);
}

#endif
