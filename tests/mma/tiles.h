/* SPDX-License-Identifier: MIT */
/* Random and difficult operands for a prepared instruction, as plain matrices. */
#ifndef LW_TESTS_MMA_TILES_H
#define LW_TESTS_MMA_TILES_H

#include <lanewise/lanewise.h>

enum {
    TILE_RANDOM_BITS, /* NaNs and infinities included */
    TILE_FINITE,      /* any finite code */
    TILE_NORMAL,      /* magnitudes around one */
    TILE_CANCEL,      /* products come in pairs that cancel, except for small ones */
    TILE_TINY,        /* zeros and subnormals */
    TILE_OPPOSE_C,    /* C is near the negated sum of the products */
    TILE_HUGE,        /* largest magnitudes, C of any size */
    TILE_EDGE_C,      /* C from zeros, subnormals, powers of two, the largest number */
    TILE_KINDS,
};

typedef struct tile {
    uint64_t a[2048], b[2048], c[2048]; /* stored with the element sizes of lw_mma_shape */
    uint8_t index[512], scale_a[256], scale_b[256];
} tile;

/* A reproducible stream of 64 random bits. */
uint64_t next_random(uint64_t *state);

void tile_fill(const lw_mma_shape *shape, int kind, uint64_t *state, tile *t);

uint64_t tile_get(const void *matrix, size_t n, unsigned bytes);
void tile_put(void *matrix, size_t n, unsigned bytes, uint64_t code);

/* The tile as an argument of lw_mma_execute_matrices. */
lw_mma_matrices tile_matrices(const lw_mma_shape *shape, tile *t, void *d);

#endif
