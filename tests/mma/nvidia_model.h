/* SPDX-License-Identifier: MIT */
/*
 * The value that an NVIDIA target computes for one element of D, written again from docs/numerics.md: rules
 * by generation, sums in doubles (num/fused_oracle.h), fused multiply-adds in long fixed point (oracle.h).
 */
#ifndef LW_TESTS_MMA_NVIDIA_MODEL_H
#define LW_TESTS_MMA_NVIDIA_MODEL_H

#include "nvidia_bench.h"

typedef struct nvidia_model {
    const char *spelling;
    const lw_mma_shape *s;
    int generation; /* 70, 75, 80, 89, 90, 100, 120 */
    bool wmma, quad, saturate, exclusive;
    char round; /* n, z, m, p */
} nvidia_model;

nvidia_model nvidia_model_of(const char *spelling, lw_arch arch, const lw_mma_shape *shape);

/* Converts a code of another format (lw_mma_shape's name) to binary16, to nearest even. */
uint32_t nvidia_f16_of(const char *format, uint64_t code);
uint32_t nvidia_f32_of_f16(uint32_t code);

/* x + c in binary16 or binary32, to nearest even. */
uint32_t nvidia_add(bool half, uint32_t x, uint32_t c);

/* `a` and `b` are the codes of the products, in order; scales one byte per block, NULL where none. */
uint64_t nvidia_element(const nvidia_model *m, const uint64_t *a, const uint64_t *b, int count, uint64_t c,
                        const uint8_t *scale_a, const uint8_t *scale_b);

#endif
