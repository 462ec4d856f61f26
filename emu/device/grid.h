/* SPDX-License-Identifier: MIT */
/* The loop over workgroups: order, threads, faults, budget, progress. Knows no vendor. */
#ifndef LW_EMU_DEVICE_GRID_H
#define LW_EMU_DEVICE_GRID_H

#include <lanewise/launch.h>

/* How far a workgroup got. */
typedef enum lw_group_state {
    LW_GROUP_DONE,
    LW_GROUP_SPINNING, /* every wave used up its turn without ending or waiting: others should run */
    LW_GROUP_FAULT,    /* the worker knows the fault */
    LW_GROUP_BUDGET,
    LW_GROUP_NO_MEMORY,
} lw_group_state;

/* What a machine offers. A worker belongs to one thread, a group to one worker. */
typedef struct lw_grid_job {
    void *context;
    void *(*worker_new)(void *context);               /* NULL: no memory */
    void (*worker_free)(void *context, void *worker); /* one at a time */
    void *(*group_new)(void *worker, uint64_t linear, const uint32_t id[3]);
    lw_group_state (*group_run)(void *worker, void *group, uint64_t instruction_limit);
    void (*group_free)(void *worker, void *group);
    uint64_t (*executed)(void *worker); /* wave instructions so far */

    uint32_t size[3];
    const uint32_t (*only)[3]; /* in this order, NULL: all */
    size_t only_count;
    bool parallel;
    unsigned threads;
    uint64_t budget; /* 0: none */
    lw_schedule schedule;
    uint64_t seed;
    lw_progress_fn progress;
    void *progress_context;
} lw_grid_job;

typedef struct lw_grid_result {
    uint64_t groups;
    unsigned threads;
    bool faulted;
    uint64_t fault_linear; /* of all groups that faulted the lowest in the order of execution */
} lw_grid_result;

/* LW_OK, LW_E_FAULT, LW_E_BUDGET, LW_E_NO_MEMORY or what progress answered. */
lw_status lw_grid_run(const lw_grid_job *job, lw_grid_result *result);

/* A number that depends on all bits of both: for reproducible random orders. */
uint64_t lw_grid_hash(uint64_t seed, uint64_t value);

#endif
