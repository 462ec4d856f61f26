/* SPDX-License-Identifier: MIT */
/* One value that says where every element of an operand sits. */
#ifndef LW_LAYOUTS_LAYOUT_H
#define LW_LAYOUTS_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/layout.h>

#include "isa_tables/matrix.h"

/*
 * A layout is a relation between places (lane, bit of the operand's register string) and elements
 * (row, col, k, block). Counting through all digits enumerates its pairs: each digit value v < radix
 * adds v times its strides, the constants are added once, lanes are taken modulo the wave. Bit t of
 * the register string is bit t % 32 of register t / 32.
 *
 * A digit that moves only the place makes copies of elements; one that moves only the element lets a
 * place serve several elements.
 */
typedef struct lw_digit {
    uint16_t radix;
    uint16_t lane, bit;          /* strides in places */
    uint16_t row, col, k, block; /* strides in elements */
} lw_digit;

enum { LW_LAYOUT_MAX_DIGITS = 9, LW_NO_PLACE = 0xffff };

struct lw_layout {
    lw_digit digit[LW_LAYOUT_MAX_DIGITS];
    uint8_t digits;
    uint8_t width;                   /* bits of an element */
    uint8_t wave;                    /* lanes */
    uint8_t registers;               /* 32-bit registers per lane */
    lw_digit base;                   /* the constants; radix is unused */
    uint16_t rows, cols, ks, blocks; /* extents; 1 for a coordinate that the operand does not have */
    uint8_t operand;                 /* lw_operand */
    uint8_t elem;                    /* lw_elem */
    const lw_insn *insn;             /* what it was built for */
    lw_arch arch;
    lw_mods mods;
};

typedef struct lw_pair {
    uint16_t lane, bit;
    uint16_t row, col, k, block;
} lw_pair;

/* A place by lane and first bit; lane LW_NO_PLACE says that the element is nowhere. */
typedef struct lw_place {
    uint16_t lane, bit;
} lw_place;

/*
 * Lanes of the wave: `wave`, or where it is 0 mods->wave, or else the usual size; written to mods->wave.
 * LW_E_ARGUMENT where the two differ or the instruction cannot run so, LW_E_ARCH.
 */
lw_status lw_layout_choose_wave(lw_arch arch, const lw_insn *insn, unsigned wave, lw_mods *mods,
                                lw_error *error);

/*
 * Builds the layout of an operand. `mods` must have passed lw_mods_check (NULL: none).
 * LW_E_ARGUMENT when the instruction has no such operand or cannot run with `wave` lanes.
 */
lw_status lw_layout_build(lw_arch arch, const lw_insn *insn, lw_operand operand, unsigned wave,
                          const lw_mods *mods, lw_layout *layout, lw_error *error);

/* The layout of C wherever it is read from: of the C operand, or of the accumulators found in D's registers.
 */
lw_status lw_layout_build_c(lw_arch arch, const lw_insn *insn, unsigned wave, const lw_mods *mods,
                            lw_layout *layout, lw_error *error);

/* Number of (place, element) pairs: the product of the radices. */
size_t lw_layout_pairs(const lw_layout *layout);

/* Pair number n < lw_layout_pairs, digit 0 counting fastest. */
lw_pair lw_layout_pair(const lw_layout *layout, size_t n);

/* Number of elements: rows * cols * ks * blocks. */
size_t lw_layout_elements_total(const lw_layout *layout);

/*
 * The number of an element in the order (block, row, col, k), k fastest. Since an operand lacks one of
 * row, col and k, this is A[block][row][k], C[block][row][col], and B[block][col][k]: B comes
 * transposed, so that the k that are summed lie side by side.
 */
size_t lw_layout_ordinal(const lw_layout *layout, unsigned block, unsigned row, unsigned col, unsigned k);

/*
 * Fills places[lw_layout_ordinal(...)] for every element. Where an element has copies, the one in the
 * lowest lane is taken. `places` has lw_layout_elements_total entries.
 */
void lw_layout_fill(const lw_layout *layout, lw_place *places);

/* The X and Y coordinate under which users see an element: i k, k j, i j. See lanewise/layout.h. */
unsigned lw_layout_x(const lw_layout *layout, const lw_pair *pair);
unsigned lw_layout_y(const lw_layout *layout, const lw_pair *pair);

#endif
