/* SPDX-License-Identifier: MIT */
/* --check races: shared by its parts. `races.c` follows workgroups and waves and passes on accesses,
 * `race_tell.c` makes findings, `race_waves.c` decides what is ordered on AMD, `race_caches.c` what its
 * caches may hide. */
#ifndef LW_OBSERVERS_RACES_H
#define LW_OBSERVERS_RACES_H

#include "observers/check.h"
#include "observers/notes.h"
#include "observers/pending.h"
#include "observers/race_cells.h"
#include "observers/race_clock.h"

/*
 * The channels of a warp: the times of its threads; asynchronous operations by what shows that they are
 * complete, a number for each (of an mbarrier its phases: the wave is then the number of the mbarrier); and
 * which times and copies fences have made visible to asynchronous operations.
 */
enum {
    LW_RACE_TIME,
    LW_RACE_COPY,   /* cp.async */
    LW_RACE_OUT,    /* bulk copies from shared memory: what they write */
    LW_RACE_SOURCE, /* and what they read */
    LW_RACE_MATRIX, /* what wgmma reads */
    LW_RACE_OBJECT, /* what reports to an mbarrier */
    LW_RACE_BEGUN, /* times again, of the beginning of mbarriers, which fence.mbarrier_init passes on alone */
    /* not in records */
    LW_RACE_FENCED,  /* times, by a fence of the same warp */
    LW_RACE_COVERED, /* times, by a fence of any thread that knew of them */
    LW_RACE_COVERED_COPY,
};

/* The channels of an AMD wave are the classes of lw_pending. LW_RACE_GLOBAL is vector memory as global memory
 * sees it, where a workgroup's operations keep their order on gfx9, whether waited for or not. */
enum { LW_RACE_GLOBAL = LW_PENDING_OTHER };

enum { LW_RACE_BARRIERS = 16, LW_RACE_COMMITS = 64 };

/* Split barriers: what a wave knew when it signalled, and what all knew whose barrier has opened since. */
enum { LW_RACE_SIGNALLED, LW_RACE_OPENED };

/* What is known about a place. */
typedef struct lw_race_place {
    lw_pending_kind kind;
    lw_finding_at at;
    lw_class class;
    lw_scope scope;
    lw_memory_order order;
    uint16_t bytes;
    bool known, memory, atomic, loads, stores;
    bool groups; /* AMD: the workgroup's barrier */
    uint8_t channel;
    lw_sync sync;
    unsigned barrier;      /* 0 if a register holds it */
    int named;             /* LW_SYNC_NAMED; -1: M0 holds it */
    lw_reg_file data_file; /* of a store: its first data register, if it has one */
    int data;
    lw_async_step step;
    lw_completion completion;
    bool async_proxy, source_only;
    bool begins;             /* mbarrier.init */
    int64_t left;            /* LW_ASYNC_WAITS: groups; -1: everything */
    lw_reg_file answer_file; /* LW_ASYNC_WAITS for an mbarrier: its result; -1: none */
    int answer;
} lw_race_place;

/* An asynchronous operation that has been issued and has not arrived. */
typedef struct lw_race_flight {
    uint32_t place;
    uint32_t index; /* in its channel; of an arrival that waits for copies: the last copy */
    uint32_t met;   /* of the issuing warp, and what it knew */
    lw_race_times known;
    lw_race_clock others, loose;
} lw_race_flight;

typedef struct lw_race_flights {
    lw_race_flight *of; /* in the order of issue */
    size_t count, capacity;
} lw_race_flights;

enum { LW_RACE_NAMED = 17 };

/* gfx1250: what the waves knew that have signalled a barrier. */
typedef struct lw_race_gate {
    lw_race_clock known, fresh; /* fresh: lw_race_wave_state.fresh_others of those */
    lw_race_times passed;       /* of the workgroup: what was issued before */
    bool some;                  /* a wave has signalled */
} lw_race_gate;

/* How what warps knew that arrive at an mbarrier is passed on: they are of its block; of another one, with a
 * scope that includes both; of another one, without. */
enum { LW_RACE_NEAR, LW_RACE_FAR, LW_RACE_SHORT, LW_RACE_WAYS };

/* An mbarrier of a block. */
typedef struct lw_race_object {
    uint64_t address;
    uint32_t phases; /* that have ended */
    bool parity;
    /* what those knew that arrived in the current phase; in earlier ones */
    lw_race_clock current[LW_RACE_WAYS], complete[LW_RACE_WAYS];
} lw_race_object;

typedef enum lw_race_gates {
    LW_RACE_NO_GATE,
    LW_RACE_NAMED_GATE,
    LW_RACE_CLUSTER_GATE,
    LW_RACE_GATES
} lw_race_gates;
struct lw_race_gate;

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
    lw_race_clock inner;    /* AMD: `taken`, when the wave last invalidated the caches behind the first one */
    lw_race_clock fresh_others; /* AMD: of `others`, what no first-level cache hides; see lw_race_may_hide */
    /* warps only */
    uint32_t time, met; /* met: the time from which on its lanes have met */
    unsigned barrier;
    bool has_released;
    uint16_t gave; /* barriers at which it arrived without waiting, as bits, and what it knew */
    lw_race_times given[LW_RACE_BARRIERS]; /* AMD: LW_RACE_SIGNALLED, LW_RACE_OPENED */
    uint32_t issued[LW_RACE_CHANNELS], met_done[LW_RACE_CHANNELS]; /* met_done: complete when its lanes met */
    uint32_t cluster_turn, cluster_time; /* how often it has arrived at the cluster's barrier, and when */
    bool cluster_waits;                  /* it waits there, or has just left */
    /* gfx1250: the named barrier that it has joined; what it learns at its next wait there, and at that of
     * the cluster; where it waits, or has just waited; the last copy of a tile that has arrived */
    unsigned joined;
    struct lw_race_gate *opened[LW_RACE_GATES];
    lw_race_gates waits_at;
    uint32_t landed;
    uint32_t commits[LW_RACE_CHANNELS][LW_RACE_COMMITS], commit_count[LW_RACE_CHANNELS];
    lw_race_flights flights;
} lw_race_wave_state;

typedef struct lw_race_group_state {
    uint32_t id[3], number;
    unsigned live, waves; /* waves: the highest number of a wave that has begun, plus 1 */
    lw_race_wave_state *wave[LW_RACE_WAVES];
    lw_race_object *objects[LW_RACE_WAVES];
    unsigned object_count;
    lw_race_gate *named; /* gfx1250: LW_RACE_NAMED of them, by number; NULL: none was used yet */
    lw_race_lines lds;
} lw_race_group_state;

/* An mbarrier that an instruction reaches. */
typedef struct lw_race_report {
    lw_race_group_state *home; /* whose shared memory it is in */
    lw_race_object *object;
    unsigned number; /* of the block's mbarriers */
    size_t at;       /* the access to it */
} lw_race_report;

typedef struct lw_race_cluster lw_race_cluster;

typedef struct lw_races {
    lw_check check;
    lw_note_list places; /* of lw_race_place */
    lw_race_group_state **groups;
    size_t group_count, last;
    uint32_t numbers; /* of workgroups, used so far */
    lw_race_cluster **clusters;
    size_t cluster_count;
    lw_race_regions regions;
    lw_race_syncs syncs;
    lw_race_judge judge;
    const lw_pending_target *target; /* NULL: not an AMD target with known counters */
    lw_arch arch;
    bool threads;   /* NVIDIA: what is ordered are lanes */
    bool clustered; /* several blocks in a cluster */
    bool split_l0;  /* AMD: lw_event_splits_l0 */
    bool beyond;    /* the kernel uses something that is not followed; nothing is reported */
    /* the current access */
    lw_race_group_state *group;
    lw_race_wave_state *wave;
    const lw_race_place *place;
    lw_space space;
    /* The regions that this execution accessed last, of global memory and of LDS, and their lines; NULL:
     * none. */
    lw_event_region seen[2];
    lw_race_lines *lines[2];
    uint64_t execution; /* numbers those with accesses */
    /* An asynchronous operation that arrives: `wave` is then `issuer`, which knows what it knew when it
     * issued the operation. */
    bool arriving, object; /* object: the access is a report to an mbarrier */
    unsigned issuer_number;
    lw_race_wave_state issuer;
    unsigned block; /* lw_memory_access.block of the current access */
} lw_races;

/* PTX: is it the access of a thread, not one of an asynchronous operation? Its index is then a time. */
static inline bool lw_race_of_thread(const lw_race_record *record)
{
    return lw_race_channel(record) == LW_RACE_TIME || lw_race_channel(record) == LW_RACE_BEGUN;
}

/* Nothing of this launch is reported, for this reason. */
void lw_races_go_beyond(lw_races *races, const char *sentence);
/* Adds what the current wave knows to a clock, if it is relaxed what it knew at its last fence; and the
 * contrary, which is an acquire. */
void lw_race_give(const lw_races *races, lw_race_clock *clock, bool relaxed);
void lw_race_take(const lw_races *races, const lw_race_clock *clock);
/* One access of the current instruction; `record` says who and how, without mask. */
void lw_races_touch(lw_races *races, const lw_event *event, const lw_memory_access *access,
                    lw_race_record record);

/* ---- race_waves.c ---- */

lw_race_verdict lw_race_waves_judge(void *context, const lw_race_record *earlier, const lw_race_record *later,
                                    bool earlier_stores, bool later_stores);
/* The wave has arrived at a barrier; all waves of the workgroup that had arrived have passed it. */
void lw_race_waves_arrive(lw_races *races, lw_race_wave_state *wave, unsigned number);
void lw_race_waves_pass(lw_races *races, lw_race_group_state *group);
/* Split barriers: the wave signals that it has arrived, and goes on. It then waits, unless the barrier
 * has opened already. */
void lw_race_waves_signal(lw_races *races, lw_race_wave_state *wave, unsigned number);
void lw_race_waves_wait(lw_race_wave_state *wave);
/* The least scope that makes a load or a store of a generation atomic: gfx1250's plain ones have that of the
 * workgroup. */
lw_scope lw_race_atomic_scope(lw_arch arch);
/* Only gfx942 and gfx950 may hold written bytes in a cache that other workgroups do not see. */
bool lw_race_writes_back(lw_arch arch);
/* Do loads and stores have bits for the scopes of a wave, a workgroup and the device? */
bool lw_race_has_scopes(lw_arch arch);
/* The wave has written or read with atomic operations, or possibly so: flags are passed on and received. */
void lw_race_waves_flags(lw_races *races, const lw_event *event, const lw_race_record *record);

/* What the wave knows of itself. */
void lw_race_waves_note(const lw_races *races, lw_race_wave_state *wave, unsigned number);

/* ---- race_caches.c ---- */

/* The wave invalidates caches or writes them back. */
void lw_race_caches_use(lw_races *races, unsigned number);
/* May the first-level cache of the current wave hide what the earlier access stored, although the two are
 * ordered? */
bool lw_race_may_hide(const lw_races *races, const lw_race_record *earlier, const lw_race_record *later,
                      bool earlier_stores, bool later_stores);

/* ---- race_gates.c: further barriers of gfx1250 ---- */

/* Before a wait at a named barrier or at the cluster's; before the wave's next instruction. */
void lw_race_gates_wait(lw_races *races);
void lw_race_gates_continue(lw_races *races);
/* After an instruction on a named barrier or the cluster's that does not wait. */
void lw_race_gates_after(lw_races *races, const lw_event *event);
/* Barriers in LDS: after an instruction that accesses memory; when a copy has arrived. */
void lw_race_cells_after(lw_races *races, const lw_event *event);
void lw_race_cells_arrived(lw_races *races, const lw_event *event);
/* Is one access an arrival at a barrier in LDS, and the other one reads it? */
bool lw_race_gates_polls(lw_races *races, const lw_race_record *earlier, bool earlier_stores,
                         bool later_stores);
/* Adds what the gate holds to what the wave gets at its next wait; `same`: it is of the same workgroup as
 * those who have signalled last. */
void lw_race_gate_give(lw_race_wave_state *wave, lw_race_gates which, const lw_race_gate *gate, bool same);
void lw_race_gates_free_wave(lw_race_wave_state *wave);
void lw_race_gates_free_group(lw_race_group_state *group);

/* ---- race_threads.c ---- */

lw_race_verdict lw_race_threads_judge(void *context, const lw_race_record *earlier,
                                      const lw_race_record *later, bool earlier_stores, bool later_stores);
void lw_race_threads_sync(lw_races *races, const lw_event *event);
/* A warp ends: waves that wait at barriers no longer wait for it. */
void lw_race_threads_end(lw_race_wave_state *wave, unsigned number);
/* All warps at the barrier where `last` waits continue. */
void lw_race_threads_pass(lw_race_group_state *group, const lw_race_wave_state *last);
void lw_race_threads_flags(lw_races *races, const lw_event *event);
/* The warp's time goes on; `meets`: its lanes have waited for each other. */
void lw_race_threads_tick(lw_race_wave_state *wave, unsigned number, bool meets);
/* How many numbers of lw_race_times the block uses: of its warps and of its mbarriers. */
unsigned lw_race_threads_rows(const lw_race_group_state *group);
/* Is the access of another block known to the current warp? */
lw_race_verdict lw_race_threads_of_blocks(const lw_races *races, const lw_race_record *earlier);
/* Is the access known to it only through a scope that is too small? */
bool lw_race_threads_is_loose(const lw_races *races, const lw_race_record *earlier);

/* ---- race_async.c: asynchronous operations of PTX ---- */

/* Is it an instruction of this part? */
bool lw_race_is_async(const lw_race_place *place);
void lw_race_async_decoded(lw_race_place *place, const lw_facts *facts);
/* After such an instruction. */
void lw_race_async_after(lw_races *races, const lw_event *event);
void lw_race_async_arrived(lw_races *races, const lw_event *event);
void lw_race_async_fence(lw_race_wave_state *wave, unsigned number);
/* Where the earlier access, or the current one, belongs to an asynchronous operation. */
lw_race_verdict lw_race_async_judge(const lw_races *races, const lw_race_record *earlier,
                                    const lw_race_record *later, bool earlier_stores);
void lw_race_async_begin_group(lw_race_group_state *group);
void lw_race_async_begin_wave(lw_race_wave_state *wave);
void lw_race_async_free_group(lw_race_group_state *group);
void lw_race_async_free_wave(lw_race_wave_state *wave);

/* An operation that has been issued; NULL: no host memory. */
lw_race_flight *lw_race_flight_add(lw_race_flights *flights);
/* Takes the oldest one of the place, which is then the caller's; false: none is known, and the wave of now
 * stands for the issuer. */
bool lw_race_flight_take(lw_race_wave_state *wave, uint32_t place, lw_race_flight *flight);

/* ---- race_objects.c: mbarriers of PTX, barriers in LDS of gfx1250 ---- */

/* After an mbarrier instruction. */
void lw_race_objects_use(lw_races *races, const lw_event *event);
/* The mbarrier that is accessed; false: no host memory, or more than are followed. Nothing is reported
 * then. */
bool lw_race_object_find(lw_races *races, const lw_event *event, const lw_memory_access *a,
                         lw_race_report *report);
/* A new one may begin with another parity than the last one at its address ended with. */
void lw_race_object_begin(const lw_event *event, const lw_memory_access *a, lw_race_object *object);
/* Has a phase ended? What those knew who arrived in it is then known to those who see it. */
void lw_race_object_look(const lw_event *event, const lw_memory_access *a, lw_race_object *object);
/* Copies of a wave of the block, up to this one in its channel, have arrived in the current phase. */
void lw_race_object_copied(lw_race_report *report, unsigned wave, unsigned channel, uint32_t index);
void lw_race_objects_free(lw_race_group_state *group);

/* ---- race_clusters.c: clusters of PTX ---- */

void lw_race_clusters_begin(lw_races *races, const lw_event *event); /* a wave begins */
void lw_race_clusters_end(lw_races *races, const lw_event *event);   /* the current one ends */
void lw_race_clusters_free(lw_races *races);
/* The current wave arrives at the cluster's barrier or comes to wait there; it waits no more. */
void lw_race_clusters_sync(lw_races *races, const lw_event *event);
void lw_race_clusters_continue(lw_races *races, const lw_event *event);
/* The block whose shared memory is accessed; NULL: not followed. */
lw_race_group_state *lw_race_clusters_block(const lw_races *races, const lw_event *event,
                                            const lw_memory_access *access);
/* The gate of the cluster's barrier (gfx1250); NULL: not followed. */
lw_race_gate *lw_race_clusters_gate(const lw_races *races, const lw_event *event);
/* Gives what the gate holds to all waves of the cluster. */
void lw_race_clusters_open(const lw_races *races, const lw_event *event, lw_race_gate *gate);
/* lw_races_touch in another block. */
void lw_race_clusters_touch(lw_races *races, const lw_event *event, const lw_memory_access *access,
                            lw_race_record record);

/* ---- race_tell.c ---- */

void lw_race_tell(void *context, const lw_event *event, const lw_race_pair *pair);

#endif
