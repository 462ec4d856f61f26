/* SPDX-License-Identifier: MIT */
/*
 * A wave with everything that memory instructions reach: LDS, scratch, allocations of several kinds at the
 * same device addresses in every world, and the books that stores are entered in.
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

/* Allocations: a page and some, 300 bytes, three pages and some, read-only ones, one whose stores are told,
 * and one across a multiple of 4 GiB. */
void world_open(world *w);
void world_close(world *w);

/* Fills registers (forms_fill) and all memory from the seed, and empties the books. `watched`: as in a launch
 * on several threads; `repeating`: as under the watch for waves that repeat themselves. */
void world_fill(world *w, lw_arch arch, uint64_t seed, bool watched, bool repeating);

/* The same again, with empty books. */
void world_copy(world *to, const world *from);

/* All lanes get the registers of the first active one; and the registers of another world, the books as they
 * are.
 */
void world_together(world *w);
void world_return(world *w, const world *from);

/* Random addresses for a memory instruction, in the registers that it reads them from: the same for one seed.
 */
void world_aim(world *w, const lw_decoded *in);

/* Copies to LDS that the instruction issued arrive. False: one of them faults. */
bool world_arrive(world *w);

bool world_same(const world *a, const world *b, char *where, size_t size);

#endif
