/* SPDX-License-Identifier: MIT */
/* A PTX instruction, with matrices to execute it on. */
#ifndef LW_TESTS_MMA_NVIDIA_BENCH_H
#define LW_TESTS_MMA_NVIDIA_BENCH_H

#include <lanewise/lanewise.h>

enum { BENCH_MAX_K = 256, BENCH_MATRIX = 8 * 16 * BENCH_MAX_K };

typedef struct bench {
    lw_mma *mma;
    lw_mma_shape s;
    lw_mods mods;
    uint8_t a[BENCH_MATRIX], b[BENCH_MATRIX], c[BENCH_MATRIX], d[BENCH_MATRIX];
    uint8_t index[16 * BENCH_MAX_K / 2], scale_a[16 * 8], scale_b[16 * 8];
} bench;

/* Prepares a spelling, with all matrices zero. Fails the test if that does not work. */
void bench_open(bench *x, lw_arch arch, const char *spelling, const char *const *readings, size_t count,
                bool reference);
void bench_run(bench *x, const char *what);

/* Element `n` of a matrix. */
void bench_put(uint8_t *matrix, size_t n, unsigned bytes, uint64_t code);
uint64_t bench_get(const uint8_t *matrix, size_t n, unsigned bytes);

/* How operands are drawn. */
typedef enum bench_style {
    BENCH_NASTY,  /* formats of 8 bits and less: any code; wider: exponents close together or at the edges */
    BENCH_NORMAL, /* around one, so that sums keep bits of every term */
    BENCH_SPARSE, /* the same, and zeros */
    BENCH_SUBNORMAL, /* most of them subnormal or close to it */
    BENCH_SPECIAL,   /* around one, and NaNs, infinities, the largest number, signed zeros */
    BENCH_STYLES,
} bench_style;

/* Draws all operands. `ordered`: indices ascend. */
void bench_fill(bench *x, uint64_t *seed, bench_style style, bool ordered);

/* Dense k of stored value j of a row. */
unsigned bench_dense_k(const bench *x, unsigned row, unsigned j);

#endif
