/* SPDX-License-Identifier: MIT */
/*
 * Saved pages of a memory. A page is saved before it is first written after a snapshot was taken. The
 * snapshot may be the caller's, in which case every store is reported from then on (lw_region.noted), or that
 * of a parallel run, whose threads report their first store to a page themselves (watch.h). Saved bytes count
 * towards the memory's limit.
 */
#ifndef LW_EMU_DEVICE_SNAPSHOT_H
#define LW_EMU_DEVICE_SNAPSHOT_H

#include "emu/device/memory.h"

enum { LW_KEPT_PAGE = 4096 };

/* The snapshots of one memory, the lock under which pages are saved, and their share of the limit. */
typedef struct lw_keeper lw_keeper;

/* NULL: no host memory. */
lw_keeper *lw_keeper_new(lw_memory *memory);
/* The memory is freed; from now on its snapshots can only be freed. */
void lw_keeper_free(lw_keeper *keeper);

/* Counts bytes towards the memory's limit, and gives them back. False: the limit does not leave that many. */
bool lw_keeper_take(lw_keeper *keeper, uint64_t bytes);
/* Counts them even beyond the limit: for what replaces something that is given back next. */
void lw_keeper_charge(lw_keeper *keeper, uint64_t bytes);
void lw_keeper_give(lw_keeper *keeper, uint64_t bytes);
uint64_t lw_keeper_taken(const lw_keeper *keeper);

/* calloc and free with counting. NULL: no host memory, or none left within the limit. */
void *lw_keeper_alloc(lw_keeper *keeper, size_t bytes);
void lw_keeper_drop(lw_keeper *keeper, void *allocated, size_t bytes);

/*
 * Blocks of host memory, several in one allocation, which counts towards the limit until the last of them is
 * given back. *chunk is the one that the next block comes from, NULL at first; lw_chunk_close ends it. One
 * call at a time for blocks of one chunk. Blocks are zeroed; NULL: no host memory, or none left within the
 * limit.
 */
typedef struct lw_chunk lw_chunk;
void *lw_chunk_take(lw_keeper *keeper, lw_chunk **chunk, size_t bytes);
void lw_chunk_give(lw_keeper *keeper, void *block);
void lw_chunk_close(lw_keeper *keeper, lw_chunk *chunk);

/* Saves the pages of a run of bytes for the snapshots that lack them. False: no memory. */
bool lw_region_keep(const lw_region *r, uint64_t offset, uint64_t size);

/* A region is removed. */
void lw_region_forget(lw_region *r);

/* A snapshot to which stores are not reported: its owner calls lw_region_keep before each store. NULL: no
 * memory. */
lw_snapshot *lw_snapshot_new(lw_memory *memory);

/* Counts further bytes with the snapshot's, for what is saved together with it. */
bool lw_snapshot_take(lw_snapshot *snapshot, uint64_t bytes);

#endif
