/* SPDX-License-Identifier: MIT */
/* Snapshots of a memory: a page is saved before it is written for the first time after one was taken. */
#ifndef LW_EMU_DEVICE_SNAPSHOT_H
#define LW_EMU_DEVICE_SNAPSHOT_H

#include "emu/device/memory.h"

enum { LW_KEPT_PAGE = 4096 };

/* The snapshots of one memory, and the lock under which pages are saved. */
typedef struct lw_keeper lw_keeper;

/* NULL: no host memory. */
lw_keeper *lw_keeper_new(void);
/* The memory goes; its snapshots can only be freed from now on. */
void lw_keeper_free(lw_keeper *keeper);

/* Saves the pages of a run of bytes for the snapshots that lack them. False: no host memory. */
bool lw_region_keep(const lw_region *r, uint64_t offset, uint64_t size);

#endif
