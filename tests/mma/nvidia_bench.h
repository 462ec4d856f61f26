/* SPDX-License-Identifier: MIT */
/* A PTX instruction with matrices to execute it on. */
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

/* Prepares a spelling, all matrices zero. Fails the test when that does not work. */
void bench_open(bench *x, lw_arch arch, const char *spelling, const char *const *choices, size_t count,
                bool reference);
void bench_run(bench *x, const char *what);

/* Element `n` of a matrix. */
void bench_put(uint8_t *matrix, size_t n, unsigned bytes, uint64_t code);
uint64_t bench_get(const uint8_t *matrix, size_t n, unsigned bytes);

#endif
