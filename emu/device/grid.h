/* SPDX-License-Identifier: MIT */
/* The loop over workgroups: order, threads, faults, ends, progress. Knows no vendor. */
#ifndef LW_EMU_DEVICE_GRID_H
#define LW_EMU_DEVICE_GRID_H

#include <lanewise/launch.h>

/* How far a workgroup got. */
typedef enum lw_group_state {
    LW_GROUP_DONE,
    LW_GROUP_SPINNING, /* every wave used up its turn without ending or waiting: others should run */
    LW_GROUP_STILL,    /* spinning, and nothing of it can change before some memory does */
    LW_GROUP_FAULT,    /* the worker knows the fault */
    LW_GROUP_BUDGET,   /* a wave has executed as many instructions as it may */
    LW_GROUP_STOPPED,  /* the time limit has passed */
    LW_GROUP_NO_MEMORY,
} lw_group_state;

/* What a machine offers. A worker belongs to one thread, a group to one worker. */
typedef struct lw_grid_job {
    void *context;
    void *(*worker_new)(void *context);               /* NULL: no memory */
    void (*worker_free)(void *context, void *worker); /* one at a time */
    void *(*group_new)(void *worker, uint64_t linear, const uint32_t id[3]);
    lw_group_state (*group_run)(void *worker, void *group);
    void (*group_free)(void *worker, void *group);
    uint64_t (*executed)(void *worker); /* wave instructions so far */
    uint64_t (*changes)(void *worker);  /* another number whenever a group of this worker changed memory */
    /* Notes where the waves of a group stand; `first`: forget the notes before. One at a time. */
    void (*describe)(void *context, void *group, bool first);

    uint32_t size[3];
    const uint32_t (*only)[3]; /* in this order, NULL: all */
    size_t only_count;
    bool parallel;
    unsigned threads;
    uint64_t most_live; /* groups that may exist at once; 0: no limit */
    lw_schedule schedule;
    uint64_t seed;
    lw_progress_fn progress;
    void *progress_context;
} lw_grid_job;

typedef struct lw_grid_result {
    uint64_t groups;
    unsigned threads, wanted; /* the host may give fewer than wanted */
    bool crowded; /* LW_E_NO_MEMORY: all groups that may exist wait for others, which cannot start */
    bool faulted;
    uint64_t fault_linear; /* of all groups that faulted the lowest in the order of execution */
} lw_grid_result;

/*
 * LW_OK, LW_E_FAULT, LW_E_BUDGET, LW_E_LIVELOCK, LW_E_STOPPED, LW_E_NO_MEMORY or what progress answered.
 * After LW_E_BUDGET, LW_E_LIVELOCK and LW_E_STOPPED the groups under way have been described, in the order
 * they run.
 */
lw_status lw_grid_run(const lw_grid_job *job, lw_grid_result *result);

/* How many threads lw_grid_run will use. */
unsigned lw_grid_threads(const lw_grid_job *job);

/* A number that depends on all bits of both: for reproducible random orders. */
uint64_t lw_grid_hash(uint64_t seed, uint64_t value);

#endif
