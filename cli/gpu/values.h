/* SPDX-License-Identifier: MIT */
/* Operands that tell rules of arithmetic apart, from a seed: the same on every host. */
#ifndef LW_CLI_GPU_VALUES_H
#define LW_CLI_GPU_VALUES_H

#include <stdint.h>

#include "cli/wave.h"

/* Raised whenever the same seed gives other operands: recordings state it. */
enum { VALUES_VERSION = 1 };

/* How many kinds of operands there are, and a kind's name; case number n is of kind n modulo the count. */
size_t values_kinds(void);
const char *values_kind_name(size_t kind);

/* splitmix64. */
uint64_t values_next(uint64_t *state);
/* The state that belongs to a seed, a name and a number. */
uint64_t values_state(uint64_t seed, const char *name, uint64_t number);

/* Fills all operands that an instruction reads for case `number`. */
void values_fill_wave(cli_wave *wave, uint64_t seed, const char *name, uint64_t number);

/*
 * A lane's source of `bits` (16, 32, 64) for a vector instruction. `type` is PTX's: "f16", "bf16", "f32",
 * "f64", "f16x2", "e4m3x2", otherwise integers; NULL: any of these, as the case's number decides.
 */
uint64_t values_lane(const char *type, unsigned bits, uint64_t number, uint64_t *state);

#endif
