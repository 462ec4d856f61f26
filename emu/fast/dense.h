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

/* Columns of bytes, four rows: a word of each; and of 16-bit codes, two rows. A multiple of eight columns, or
 * of halves four. */
void lw_dense_byte_columns(const uint8_t *rows, unsigned columns, uint32_t *out);
void lw_dense_half_columns(const void *rows, unsigned columns, uint32_t *out);

/* Elements of 64 bits: the low words of `most` at once, then their high ones; and back. */
void lw_dense_part(const void *elements, unsigned count, unsigned most, uint32_t *to);
void lw_dense_join(const uint32_t *parts, unsigned count, unsigned most, uint32_t *elements);

/* Of every eight words the even ones, then the odd ones. */
void lw_dense_evens(const void *words, unsigned eights, uint32_t *to);

/* Rows of eight columns and multiples, four by four, to runs of four rows by four even, four odd columns; and
 * back. */
void lw_dense_to_runs(const uint32_t *rows, unsigned count, unsigned columns, uint32_t *runs);
void lw_dense_from_runs(const uint32_t *runs, unsigned count, unsigned columns, uint32_t *rows);

/* Four squares of four by four elements of 64 bits to a run of low and one of high words for each row, the
 * squares side by side; and back. */
void lw_dense_part_squares(const void *squares, uint32_t *runs);
void lw_dense_join_squares(const uint32_t *runs, uint32_t *squares);

#endif
