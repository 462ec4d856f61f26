/* SPDX-License-Identifier: MIT */
/* The loop over workgroups: order, threads, faults, ends, progress. Independent of the vendor. */
#ifndef LW_EMU_DEVICE_GRID_H
#define LW_EMU_DEVICE_GRID_H

#include <lanewise/launch.h>

/* How far a workgroup got. */
typedef enum lw_group_state {
    LW_GROUP_DONE,
    LW_GROUP_SPINNING, /* every wave used up its turn without ending or waiting: other groups should run */
    LW_GROUP_POLLING,  /* the same, and no wave computed: each came back to where it was, slept or waits */
    LW_GROUP_STILL,    /* spinning, and its state cannot change before some memory does */
    LW_GROUP_FAULT,    /* the worker holds the fault */
    LW_GROUP_BUDGET,   /* a wave has executed as many instructions as it may */
    LW_GROUP_STOPPED,  /* the time limit has passed, or the session was cancelled */
    LW_GROUP_PAUSED,   /* the step that runs it pauses here; serial runs only */
    LW_GROUP_NO_MEMORY,
} lw_group_state;

/* The functions of a machine. A worker belongs to one thread, a group to one worker. */
typedef struct lw_grid_job {
    void *context;
    void *(*worker_new)(void *context);               /* NULL: no memory */
    void (*worker_free)(void *context, void *worker); /* one at a time */
    void *(*group_new)(void *worker, uint64_t linear, const uint32_t id[3]);
    lw_group_state (*group_run)(void *worker, void *group);
    void (*group_free)(void *worker, void *group);
    bool (*has_room)(void *worker);     /* is there room for one more group? NULL: always */
    uint64_t (*executed)(void *worker); /* wave instructions so far */
    uint64_t (*changes)(void *worker);  /* a new number after a group of this worker changed memory */
    /* Records where the waves of a group are; `first`: discard earlier records. One call at a time. */
    void (*describe)(void *context, void *group, bool first);

    uint32_t size[3];
    const uint32_t (*only)[3]; /* these groups in this order; NULL: all */
    size_t only_count;
    uint32_t part, parts; /* without `only`: one part of them, as in lw_launch_options */
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
    unsigned threads, wanted; /* the host may provide fewer than wanted */
    bool crowded;             /* LW_E_NO_MEMORY: all groups that fit wait for others, which cannot start */
    size_t live;              /* if so: how many groups there are */
    bool faulted;
    uint64_t fault_linear; /* of the groups that faulted, the first in the order */
} lw_grid_result;

/* A serial run that can pause. */
typedef struct lw_grid lw_grid;

/* NULL: no host memory. The job must outlive the grid. */
lw_grid *lw_grid_open(const lw_grid_job *job);

/* Continues until group_run pauses (true) or the run ends (false). */
bool lw_grid_step(lw_grid *grid);

/* The groups that have begun and not ended, in the order they run. NULL if `index` is out of range. */
size_t lw_grid_live(const lw_grid *grid);
void *lw_grid_group(const lw_grid *grid, size_t index);
void *lw_grid_worker(const lw_grid *grid);

/* What lw_grid_close would return. False: the run has not ended. */
bool lw_grid_outcome(const lw_grid *grid, lw_status *status);

/*
 * Ends it: LW_OK, LW_E_FAULT, LW_E_BUDGET, LW_E_LIVELOCK, LW_E_STOPPED, LW_E_NO_MEMORY or what `progress`
 * returned. After LW_E_BUDGET, LW_E_LIVELOCK and LW_E_STOPPED the unfinished groups have been described, in
 * the order they run.
 */
lw_status lw_grid_close(lw_grid *grid, lw_grid_result *result);

/* Opens, runs and closes; in parallel if the job allows it and there are threads. */
lw_status lw_grid_run(const lw_grid_job *job, lw_grid_result *result);

/* What is needed to go back to an earlier point of a run: see checkpoint.c. */
typedef struct lw_grid_place {
    uint64_t next, done, instructions;
    size_t live, at;
    bool in_round, one_done, all_still;
    uint64_t changes;
    uint64_t *positions, *linears; /* of the live groups */
} lw_grid_place;

/* False: no host memory. */
bool lw_grid_save(const lw_grid *grid, lw_grid_place *place);
void lw_grid_place_free(lw_grid_place *place);

/*
 * Goes back: groups[i] replace the live groups, which are freed; the grid owns them from now on. False: no
 * host memory, and nothing has changed.
 */
bool lw_grid_restore(lw_grid *grid, const lw_grid_place *place, void *const *groups);

/* The first group of a part: count * part / parts, rounded down. */
uint64_t lw_grid_first(const lw_grid_job *job, uint32_t part);

/* How many groups are to run. */
uint64_t lw_grid_count(const lw_grid_job *job);

/* The number of threads that lw_grid_run will use. */
unsigned lw_grid_threads(const lw_grid_job *job);

/* A hash of all bits of both, for reproducible random orders. */
uint64_t lw_grid_hash(uint64_t seed, uint64_t value);

#endif
