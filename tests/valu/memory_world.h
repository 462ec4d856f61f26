/* SPDX-License-Identifier: MIT */
/*
 * A wave with everything that memory instructions reach: LDS, scratch, allocations of several kinds at the
 * same device addresses in every world, and the records of stores.
 */
#ifndef LW_TESTS_VALU_MEMORY_WORLD_H
#define LW_TESTS_VALU_MEMORY_WORLD_H

#include "emu/amdgpu/control/machine.h"
#include "tests/valu/forms_kit.h"

enum { WORLD_LDS = 1 << 13, WORLD_SCRATCH = 100, WORLD_REGIONS = 6, WORLD_TOUCHES = 1 << 16 };

typedef struct world {
    kit k;
    lw_group group;
    lw_worker worker;
    lw_session session;
    lw_memory *memory;
    lw_watch *watch;
    lw_copy_pool pool;
    uint64_t base[WORLD_REGIONS], size[WORLD_REGIONS];
    uint8_t lds[WORLD_LDS], scratch[WORLD_SCRATCH * LW_LANES];
    void *touches;
    bool watched, repeating;
} world;

/* Allocations: slightly more than one page, 300 bytes, slightly more than three pages, read-only ones, one
 * whose stores are reported, and one across a multiple of 4 GiB. */
void world_open(world *w);
void world_close(world *w);

/* Fills registers (forms_fill) and all memory from the seed, and empties the records. `watched`: as in a
 * launch on several threads; `repeating`: as in the detection of waves that repeat themselves. */
void world_fill(world *w, lw_arch arch, uint64_t seed, bool watched, bool repeating);

/* A copy with empty records. */
void world_copy(world *to, const world *from);

/* world_together: all lanes get the registers of the first active one. world_return: the registers of another
 * world; the records are unchanged. */
void world_together(world *w);
void world_return(world *w, const world *from);

/* Random addresses for a memory instruction, in the registers from which it reads them: the same for one
 * seed. */
void world_aim(world *w, const lw_decoded *in);

/* Copies to LDS that the instruction issued arrive. False: one of them faults. */
bool world_arrive(world *w);

bool world_same(const world *a, const world *b, char *where, size_t size);

#endif
