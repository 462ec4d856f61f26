/* SPDX-License-Identifier: MIT */
/*
 * Pages of a memory as they were. A page is saved before it is written for the first time after somebody
 * asked for it: a snapshot of the caller's, which has every store told from then on (lw_region.noted), or one
 * of a parallel run, whose threads tell of their first store to a page themselves (watch.h). What is saved
 * counts within the memory's limit.
 */
#ifndef LW_EMU_DEVICE_SNAPSHOT_H
#define LW_EMU_DEVICE_SNAPSHOT_H

#include "emu/device/memory.h"

enum { LW_KEPT_PAGE = 4096 };

/* The snapshots of one memory, the lock under which pages are saved, and what of the limit they take. */
typedef struct lw_keeper lw_keeper;

/* NULL: no host memory. */
lw_keeper *lw_keeper_new(lw_memory *memory);
/* The memory goes; its snapshots can only be freed from now on. */
void lw_keeper_free(lw_keeper *keeper);

/* Counts bytes within the memory's limit, and counts them no more. False: the limit does not leave so many.
 */
bool lw_keeper_take(lw_keeper *keeper, uint64_t bytes);
/* Counts them though the limit may not leave so many: for what replaces something that is given back next. */
void lw_keeper_charge(lw_keeper *keeper, uint64_t bytes);
void lw_keeper_give(lw_keeper *keeper, uint64_t bytes);
uint64_t lw_keeper_taken(const lw_keeper *keeper);

/* calloc and free of what counts. NULL: no host memory, or none within the limit. */
void *lw_keeper_alloc(lw_keeper *keeper, size_t bytes);
void lw_keeper_drop(lw_keeper *keeper, void *allocated, size_t bytes);

/* Saves the pages of a run of bytes for the snapshots that lack them. False: no memory. */
bool lw_region_keep(const lw_region *r, uint64_t offset, uint64_t size);

/* A region goes. */
void lw_region_forget(lw_region *r);

/* A snapshot that no store is told to: its owner calls lw_region_keep before each. NULL: no memory. */
lw_snapshot *lw_snapshot_new(lw_memory *memory);

/* Counts further bytes with the snapshot's, for what is saved beside it. */
bool lw_snapshot_take(lw_snapshot *snapshot, uint64_t bytes);

#endif
