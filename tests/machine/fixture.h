/* SPDX-License-Identifier: MIT */
/* One wave with known registers, memory and LDS, and pieces of machine code by name. */
#ifndef TESTS_MACHINE_FIXTURE_H
#define TESTS_MACHINE_FIXTURE_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/launch.h>
#include <lanewise/observe.h>

enum { VGPRS = 16, AGPRS = 16, BUFFER = 4096, LDS = 2048, SCRATCH = 64, MAX_WAVES = 4 };

typedef struct code_block {
    const char *name;
    const uint32_t *words;
    size_t count;
} code_block;

/* All blocks of code.s; the last one's name is NULL. */
extern const code_block code_blocks[];
const code_block *code_find(const char *name);

typedef struct fixture {
    lw_wave_state wave[MAX_WAVES];
    uint32_t vgpr[MAX_WAVES][VGPRS * 64], agpr[MAX_WAVES][AGPRS * 64];
    uint8_t lds[LDS];
    lw_memory *memory;
    uint64_t address; /* of the buffer */
    uint8_t *buffer;
    lw_code_options options;
    lw_error error;
    lw_launch_result *result;
} fixture;

/* Registers, buffer and LDS hold numbers derived from the seed; EXEC is full; gfx950. */
void fixture_init(fixture *f, uint64_t seed);
void fixture_free(fixture *f);

/* Runs a block on `waves` waves. */
lw_status fixture_run(fixture *f, const char *block, size_t waves);
/* The same, and the run must succeed. */
void fixture_ok(fixture *f, const char *block);

static inline uint32_t *reg(fixture *f, unsigned r)
{
    return &f->vgpr[0][r * 64];
}

static inline void set_pair(fixture *f, unsigned r, unsigned lane, uint64_t v)
{
    reg(f, r)[lane] = (uint32_t)v;
    reg(f, r + 1)[lane] = (uint32_t)(v >> 32);
}

static inline uint64_t get_pair(fixture *f, unsigned r, unsigned lane)
{
    return reg(f, r)[lane] | (uint64_t)reg(f, r + 1)[lane] << 32;
}

static inline void set_scalar64(fixture *f, unsigned r, uint64_t v)
{
    f->wave[0].sgpr[r] = (uint32_t)v;
    f->wave[0].sgpr[r + 1] = (uint32_t)(v >> 32);
}

static inline void set_exec(fixture *f, uint64_t v)
{
    set_scalar64(f, 126, v);
}

/* A pseudo-random number. */
uint64_t mix(uint64_t x);

/* Copies the state that tests compare. */
typedef struct snapshot {
    uint32_t vgpr[VGPRS * 64];
    uint8_t lds[LDS], buffer[BUFFER];
} snapshot;

void take(const fixture *f, snapshot *s);

/* Fails unless registers, LDS and buffer are exactly as expected. */
void same_as(const fixture *f, const snapshot *expected, const char *what);

/* Runs a suite of one case; Check's fork is off because the tests loop over tables. */
int run_suite(const char *name, TCase *tc);

#endif
