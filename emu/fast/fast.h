/* SPDX-License-Identifier: MIT */
/*
 * Vectorised dot units, equal to emu/num bit for bit on every tile they accept.
 *
 * A tile is one instruction's operands packed densely: row i of A (column j of B) of a block is a string of
 * `a_k` (`k`) codes, k ascending, lowest bit first, in whole 32-bit words; blocks follow each other. C and D
 * are packed alike, row by row. Loads may run up to 32 bytes past the end of A and B.
 */
#ifndef LW_EMU_FAST_FAST_H
#define LW_EMU_FAST_FAST_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/fast/panel.h"
#include "isa_tables/formats.h"
#include "isa_tables/recipes.h"

typedef struct lw_fast_tile {
    const uint32_t *a, *b, *c;
    uint32_t *d;            /* distinct from the sources */
    const uint8_t *index;   /* [m][a_k / chunk], NULL where dense */
    const uint8_t *scale_a; /* [m][a_k / scale_span], NULL where not scaled */
    const uint8_t *scale_b; /* [n][a_k / scale_span] */
} lw_fast_tile;

typedef struct lw_fast_shape {
    const lw_format *a, *b, *c, *d;
    const lw_format *scale_a, *scale_b; /* NULL where not scaled */
    const lw_recipe *recipe;
    uint16_t m, n, k, blocks;
    uint16_t a_k;              /* products per output: k, or k / 2 where sparse */
    uint16_t a_words, b_words; /* words of a row of A, of a column of B */
    uint16_t c_words, d_words; /* words of a row of C, of D */
    uint16_t scale_span;       /* products per scale; 0 where not scaled */
    uint8_t acc;               /* the accumulator: 0 f32, 1 f16, 2 bf16 (lw_dot_acc) */
    uint8_t chunk;             /* stored values per index element: 1 (of 2), 2 (of 4), 4 (of 8); 0 dense */
    uint8_t int_op, round;     /* lw_dot_int_op; f64: lw_fp_rounding */
    bool saturate;             /* integers: limited to the range of i32 */
} lw_fast_shape;

/* Computes D; false when the tile holds something that only the reference does (D is then undefined). */
typedef bool (*lw_fast_fn)(const lw_fast_shape *shape, const lw_fast_tile *tile);

/* The function for a shape on this host; NULL when the reference has to do it. */
lw_fast_fn lw_fast_find(const lw_fast_shape *shape, lw_fast_isa isa);

/* The dense k of every stored place of a row, or 0, 1, 2 ... where A is dense. */
void lw_fast_places(const lw_fast_shape *shape, const lw_fast_tile *tile, unsigned row, uint8_t *k_of);

#endif
