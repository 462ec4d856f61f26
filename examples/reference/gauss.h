/* SPDX-License-Identifier: MIT */
/* Reproducible, nearly Gaussian numbers from integers only: the same on every host. */
#ifndef REFERENCE_GAUSS_H
#define REFERENCE_GAUSS_H

#include <stdint.h>

#include "exact.h"

/* A 64-bit linear congruential state whose output is mixed (the "splitmix" construction). */
typedef struct gauss {
    uint64_t state;
} gauss;

gauss gauss_seeded(uint64_t seed);
uint32_t gauss_bits(gauss *g);

/* Uniform in -spread..spread. */
int gauss_exponent(gauss *g, int spread);

/* Mean 0, variance 1: twelve uniform numbers of 24 bits, less six. Always within +-6. */
exact gauss_next(gauss *g);

#endif
