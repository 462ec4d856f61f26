/* SPDX-License-Identifier: MIT */
/* Rearranging dense matrices, with the vectors that every x86-64 host has, or word by word on other hosts. */
#ifndef LW_EMU_FAST_DENSE_H
#define LW_EMU_FAST_DENSE_H

#include <stdint.h>

/* to[x * to_step + y] = from[y * from_step + x] for all y < ys, x < xs. */
void lw_dense_turn(const uint32_t *from, unsigned from_step, unsigned ys, unsigned xs, uint32_t *to,
                   unsigned to_step);

/* From squares of four rows of four bytes to one word per column. */
void lw_dense_byte_squares(const uint8_t *bytes, unsigned squares, uint32_t *out);

/* 4-bit codes in a byte each, whose upper half is ignored: eight become a word, lowest bits first. */
void lw_dense_nibbles(const uint8_t *codes, unsigned words, uint32_t *out);

/* The same down eight rows of such bytes: one word per column. The number of columns is a multiple of
 * eight. */
void lw_dense_nibble_columns(const uint8_t *rows, unsigned columns, uint32_t *out);

/* Single bits in a byte each, whose upper seven bits are ignored: 32 become a word, lowest bit first; and the
 * same down 32 rows: one word per column. The number of columns is a multiple of eight. */
void lw_dense_bits(const uint8_t *codes, unsigned words, uint32_t *out);
void lw_dense_bit_columns(const uint8_t *rows, unsigned columns, uint32_t *out);

/* One word per column: from four rows of bytes, or two rows of 16-bit codes. The number of columns is a
 * multiple of eight, or of four for 16-bit codes. */
void lw_dense_byte_columns(const uint8_t *rows, unsigned columns, uint32_t *out);
void lw_dense_half_columns(const void *rows, unsigned columns, uint32_t *out);

/* 64-bit elements, `most` at a time, to their low words followed by their high words; and back. */
void lw_dense_part(const void *elements, unsigned count, unsigned most, uint32_t *to);
void lw_dense_join(const uint32_t *parts, unsigned count, unsigned most, uint32_t *elements);

/* From every eight words, the even ones, then the odd ones. */
void lw_dense_evens(const void *words, unsigned eights, uint32_t *to);

/* Rows of a multiple of eight columns, in groups of four, to runs of four rows by four even columns and by
 * four odd columns; and back. */
void lw_dense_to_runs(const uint32_t *rows, unsigned count, unsigned columns, uint32_t *runs);
void lw_dense_from_runs(const uint32_t *runs, unsigned count, unsigned columns, uint32_t *rows);

/* Four squares of four by four 64-bit elements, side by side, to one run of low words and one of high words
 * for each row; and back. */
void lw_dense_part_squares(const void *squares, uint32_t *runs);
void lw_dense_join_squares(const uint32_t *runs, uint32_t *squares);

#endif
