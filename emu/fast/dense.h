/* SPDX-License-Identifier: MIT */
/* Rearranging dense matrices: by the vectors that every host of x86-64 has, elsewhere word by word. */
#ifndef LW_EMU_FAST_DENSE_H
#define LW_EMU_FAST_DENSE_H

#include <stdint.h>

/* to[x * to_step + y] = from[y * from_step + x] for all y < ys, x < xs. */
void lw_dense_turn(const uint32_t *from, unsigned from_step, unsigned ys, unsigned xs, uint32_t *to,
                   unsigned to_step);

/* Squares of four rows of four bytes: a word of each column. */
void lw_dense_byte_squares(const uint8_t *bytes, unsigned squares, uint32_t *out);

/* Codes of four bits, a byte each (whose upper half does not count): eight become a word, lowest bits first.
 */
void lw_dense_nibbles(const uint8_t *codes, unsigned words, uint32_t *out);

/* The same down eight rows of such bytes: a word of each column; a multiple of eight columns. */
void lw_dense_nibble_columns(const uint8_t *rows, unsigned columns, uint32_t *out);

#endif
