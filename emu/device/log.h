/* SPDX-License-Identifier: MIT */
/* The accesses of an instruction, for observers. Call these only if a wave's log is not NULL. */
#ifndef LW_EMU_DEVICE_LOG_H
#define LW_EMU_DEVICE_LOG_H

#include "emu/device/machine.h"

/*
 * Room for one access, all zero. NULL: no host memory, which the log remembers. Fill in the result in place:
 * building a struct elsewhere and copying it takes ten times as long.
 */
lw_memory_access *lw_log_next(lw_access_log *log);

/* The same for several at once, which are not zero; those used are to be added to the log's count. */
lw_memory_access *lw_log_room(lw_access_log *log, size_t most);

/* The accesses of the active lanes, in their order: lane l's is at base + at[l] - l * apart. */
typedef struct lw_log_lanes {
    const uint32_t *at; /* of LW_MAX_LANES */
    uint64_t active, base;
    uint32_t apart, size;
    lw_space space;
    bool load, store;
} lw_log_lanes;
void lw_log_wave(lw_access_log *log, const lw_log_lanes *lanes);

#endif
