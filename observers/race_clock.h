/* SPDX-License-Identifier: MIT */
/*
 * Which operations a wave knows to be complete: the last operation in each channel, for every wave of its
 * workgroup and for waves of other workgroups from which it has read a flag. This code is independent of the
 * vendor: its callers decide what a channel counts.
 */
#ifndef LW_OBSERVERS_RACE_CLOCK_H
#define LW_OBSERVERS_RACE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "observers/race_cells.h"

enum { LW_RACE_WAVES = 1 << LW_RACE_WAVE_BITS, LW_RACE_CHANNELS = 10 };

/* Of one workgroup. */
typedef struct lw_race_times {
    uint32_t at[LW_RACE_WAVES][LW_RACE_CHANNELS];
} lw_race_times;

void lw_race_join(lw_race_times *times, const lw_race_times *with, unsigned waves);

/* Of several workgroups. */
typedef struct lw_race_clock {
    struct lw_race_of_group {
        uint32_t group;
        lw_race_times times;
    } * of;
    size_t count;
} lw_race_clock;

/* False, here and below: no host memory; the clock is then incomplete. */
bool lw_race_clock_add(lw_race_clock *clock, uint32_t group, const lw_race_times *times);
bool lw_race_clock_join(lw_race_clock *clock, const lw_race_clock *with);
/* The times of a workgroup; NULL: nothing is known about it. */
const lw_race_times *lw_race_clock_of(const lw_race_clock *clock, uint32_t group);
void lw_race_clock_free(lw_race_clock *clock);

/* What the waves that wrote to an address passed on to its readers. */
typedef struct lw_race_sync {
    uint64_t key; /* address + 1; of LDS, with the workgroup's number in its upper half */
    uint64_t version;
    lw_race_clock full;  /* by writers that met all conditions */
    lw_race_clock loose; /* by writers that only wrote */
} lw_race_sync;

typedef struct lw_race_syncs {
    lw_race_sync **slots; /* by hash */
    size_t capacity, count;
} lw_race_syncs;

lw_race_sync *lw_race_sync_find(const lw_race_syncs *all, uint64_t key);
/* The same, added if it is missing; NULL: no host memory. */
lw_race_sync *lw_race_sync_make(lw_race_syncs *all, uint64_t key);
void lw_race_syncs_free(lw_race_syncs *all);

#endif
