/* SPDX-License-Identifier: MIT */
/* --check races: shared by its parts. `races.c` follows workgroups and waves and passes on accesses,
 * `race_tell.c` makes findings, `race_waves.c` decides what is ordered on AMD. */
#ifndef LW_OBSERVERS_RACES_H
#define LW_OBSERVERS_RACES_H

#include "observers/check.h"
#include "observers/notes.h"
#include "observers/pending.h"
#include "observers/race_cells.h"
#include "observers/race_clock.h"

/* The channels of an AMD wave are the classes of lw_pending. LW_RACE_GLOBAL is vector memory as global memory
 * sees it, where a workgroup's operations keep their order on gfx9, whether waited for or not. */
enum { LW_RACE_GLOBAL = LW_PENDING_OTHER };

enum { LW_RACE_BARRIERS = 16 };

/* What is known about a place. */
typedef struct lw_race_place {
    lw_pending_kind kind;
    lw_finding_at at;
    lw_class class;
    lw_scope scope;
    lw_memory_order order;
    uint16_t bytes;
    bool known, memory, atomic, loads, stores;
    uint8_t channel;
    lw_sync sync;
    unsigned barrier;      /* 0 if a register holds it */
    lw_reg_file data_file; /* of a store: its first data register, if it has one */
    int data;
} lw_race_place;

typedef struct lw_race_wave_state {
    lw_pending pending;
    bool live, arrived, ended, scalar_fresh;
    lw_race_times known;    /* in its workgroup: what is complete before its next operation */
    lw_race_times passed;   /* what was issued before a barrier that it has passed */
    lw_race_times fresh;    /* what it knew when it last invalidated its caches */
    lw_race_times released; /* what it knew when it last wrote back caches */
    lw_race_clock others;   /* of other workgroups: by flags that meet all conditions */
    lw_race_clock loose;    /* by flags alone, whatever scopes and cache maintenance were */
    lw_race_clock taken;    /* read from flags; known once caches have been invalidated, or at a fence */
    /* warps only */
    uint32_t time, met; /* met: the time from which on its lanes have met */
    unsigned barrier;
    bool has_released;
    uint16_t gave; /* barriers at which it arrived without waiting, as bits, and what it knew */
    lw_race_times given[LW_RACE_BARRIERS];
} lw_race_wave_state;

typedef struct lw_race_group_state {
    uint32_t id[3], number;
    unsigned live, waves; /* waves: the highest number of a wave that has begun, plus 1 */
    lw_race_wave_state *wave[LW_RACE_WAVES];
    lw_race_cell *lds;
    size_t lds_size;
} lw_race_group_state;

typedef struct lw_races {
    lw_check check;
    lw_note_list places; /* of lw_race_place */
    lw_race_group_state **groups;
    size_t group_count, last;
    uint32_t numbers; /* of workgroups, used so far */
    lw_race_regions regions;
    lw_race_syncs syncs;
    lw_race_judge judge;
    const lw_pending_target *target; /* NULL: not an AMD target with known counters */
    lw_arch arch;
    bool threads; /* NVIDIA: what is ordered are lanes */
    bool beyond;  /* the kernel uses something that is not followed; nothing is reported */
    /* the current access */
    lw_race_group_state *group;
    lw_race_wave_state *wave;
    const lw_race_place *place;
    lw_space space;
    lw_event_region seen; /* the region of the previous access of this execution, and its cells; NULL: none */
    lw_race_cell *cells;
    lw_space seen_space;
    size_t told; /* the last finding reported in this execution; SIZE_MAX: none */
} lw_races;

/* ---- race_waves.c ---- */

lw_race_verdict lw_race_waves_judge(void *context, const lw_race_record *earlier, const lw_race_record *later,
                                    bool earlier_stores, bool later_stores);
/* The wave has arrived at a barrier; all waves of the workgroup that had arrived have passed it. */
void lw_race_waves_arrive(lw_races *races, lw_race_wave_state *wave, unsigned number);
void lw_race_waves_pass(lw_races *races, lw_race_group_state *group);
/* Only gfx942 and gfx950 may hold written bytes in a cache that other workgroups do not see, and have bits
 * for every scope. */
bool lw_race_writes_back(lw_arch arch);
/* The wave invalidates caches or writes them back. */
void lw_race_waves_cache(lw_races *races, unsigned number);
/* The wave has written or read with atomic operations, or possibly so: flags are passed on and received. */
void lw_race_waves_flags(lw_races *races, const lw_event *event, const lw_race_record *record);

/* ---- race_threads.c ---- */

lw_race_verdict lw_race_threads_judge(void *context, const lw_race_record *earlier,
                                      const lw_race_record *later, bool earlier_stores, bool later_stores);
void lw_race_threads_sync(lw_races *races, const lw_event *event);
/* A warp ends: waves that wait at barriers no longer wait for it. */
void lw_race_threads_end(lw_race_wave_state *wave, unsigned number);
/* All warps at the barrier where `last` waits continue. */
void lw_race_threads_pass(lw_race_group_state *group, const lw_race_wave_state *last);
void lw_race_threads_flags(lw_races *races, const lw_event *event);

/* ---- race_tell.c ---- */

void lw_race_tell(void *context, const lw_event *event, const lw_race_pair *pair);

#endif
