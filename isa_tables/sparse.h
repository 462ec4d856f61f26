/* SPDX-License-Identifier: MIT */
/*
 * The index (PTX: metadata) of a sparse A: which dense k each stored value belongs to. A nibble describes
 * `chunk` stored values: 1 of 2 k, 2 of 4, or 4 of 8 (in pairs of neighbours). Its low two bits are the first
 * position, its high two the second. Sources: AMD's CDNA3 and RDNA4 ISA manuals, the PTX ISA manual (mma.sp).
 */
#ifndef LW_ISA_TABLES_SPARSE_H
#define LW_ISA_TABLES_SPARSE_H

#include <stdint.h>

#include <lanewise/insn.h>

/* Sets of nibbles, a bit for each: the first position below the second; two different positions; the halves
 * of an element. */
enum { LW_SPARSE_ASCENDING = 0x7310, LW_SPARSE_DIFFERENT = 0x7bde, LW_SPARSE_ONE_OF_TWO = 0x4010 };

/* The dense k of value number `stored` of a row, given the nibble of its chunk. */
static inline unsigned lw_sparse_dense_k(unsigned chunk, unsigned nibble, unsigned stored)
{
    const unsigned base = stored / chunk * 2 * chunk;
    if (chunk == 1) /* the patterns of the two halves of an element */
        return base + (nibble & 3) / 2;
    if (chunk == 2)
        return base + (nibble >> 2 * (stored % 2) & 3);
    return base + 2 * (nibble >> 2 * (stored % 4 / 2) & 3) + stored % 2; /* pairs of neighbours */
}

/* Bit n: documents define nibble n for this instruction. */
uint16_t lw_sparse_legal(const lw_insn *insn, const lw_mods *mods, unsigned chunk);

/* The first of `count` nibbles that documents do not define, or -1. */
int lw_sparse_find_undefined(uint16_t legal, const uint8_t *nibbles, unsigned count);

/* Fails with a sentence about the undefined nibble of a PTX instruction: number `at` of a matrix with so many
 * in a row. */
lw_status lw_sparse_fail(const lw_insn *insn, const lw_mods *mods, unsigned chunk, const uint8_t *nibbles,
                         unsigned in_a_row, unsigned at, lw_error *error);

#endif
