/* SPDX-License-Identifier: MIT */
/* Conversion between callers' matrices, with whole bytes per element, and dense images, with codes packed in
 * words. */
#ifndef LW_EMU_MMA_PACK_H
#define LW_EMU_MMA_PACK_H

#include "emu/mma/mma.h"

/* Is the image that lw_mma_pack_rows makes identical to the matrix, byte for byte? */
bool lw_mma_pack_is_copy(const lw_mma_port *port, const lw_format *format);

/* matrix[row][y] becomes rows of `port->row_words` words; bits past a row's last code are zero. */
void lw_mma_pack_rows(const lw_mma_port *port, const lw_format *format, const void *matrix, uint32_t *image);

/* matrix[block][y][x] becomes image[block][w][x], where w counts the words of the string of codes of column
 * x. */
void lw_mma_pack_columns(const lw_mma_port *port, const lw_format *format, unsigned columns,
                         const void *matrix, uint32_t *image);

/* [block][w][x] becomes [block][x][w], with `columns` values of x and `words` of w. */
void lw_mma_turn(unsigned blocks, unsigned words, unsigned columns, const uint32_t *restrict from,
                 uint32_t *restrict to);

/* The reverse of lw_mma_pack_rows. */
void lw_mma_unpack_rows(const lw_mma_port *port, const lw_format *format, const uint32_t *image,
                        void *matrix);

#endif
