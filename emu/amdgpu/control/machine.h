/* SPDX-License-Identifier: MIT */
/* One launch: what all waves share, what a thread has for itself, and a workgroup. */
#ifndef LW_EMU_AMDGPU_MACHINE_H
#define LW_EMU_AMDGPU_MACHINE_H

#include <lanewise/launch.h>
#include <lanewise/observe.h>

#include "emu/amdgpu/control/wave.h"
#include "emu/device/copies.h"
#include "emu/device/grid.h"
#include "emu/device/memory.h"
#include "emu/device/watch.h"

/* A decoded instruction and what a launch counts about it. */
typedef struct lw_record {
    lw_decoded in;
    bool counted; /* by vmcnt */
    uint64_t executed;
} lw_record;

/* The records of one thread, indexed by dword of the code, filled on first arrival. */
typedef struct lw_code_cache {
    lw_record **slots; /* words of code; NULL: not decoded yet */
    struct lw_code_chunk *chunks;
} lw_code_cache;

typedef struct lw_stored_fault {
    uint64_t linear;
    lw_fault fault;
} lw_stored_fault;

/* Constant while waves run, apart from what workers hand in when they end. */
typedef struct lw_machine {
    lw_arch arch;
    const char *kernel;        /* "" for raw code */
    const lw_program *program; /* NULL for raw code */
    const char *null_service;  /* the hidden argument for printf and assert that is null; NULL: none */
    uint64_t entry;            /* where waves start */
    uint64_t kernel_base;      /* what code_offset counts from */
    uint64_t code_base;        /* device address of the first executable byte */
    const uint8_t *code;       /* up to the last one; between segments there may be data */
    uint64_t code_size;
    lw_memory *memory;

    uint32_t block[3], items[3], groups[3];
    unsigned vgprs, agprs; /* rows before a0 and from it on */
    unsigned vgpr_limit;   /* one more than the highest vN; beyond `vgprs` they are the AGPRs' rows */
    uint32_t lds_size;     /* as allocated: a multiple of the granule */
    uint32_t scratch_size; /* bytes per lane */
    uint32_t mode;
    uint32_t poison;
    uint32_t user_sgprs[16];
    unsigned user_sgpr_count;
    bool group_id_sgpr[3], group_info_sgpr;
    unsigned item_id_dims; /* 1..3: components packed into v0 */
    bool flat_scratch;

    lw_wave_state *raw; /* raw code: initial and final state of the waves */
    size_t raw_count;
    uint8_t *raw_lds;

    const char *const *readings;
    size_t reading_count;
    uint32_t machine_readings; /* lw_machine_reading */
    lw_schedule schedule;
    uint64_t seed;
    lw_async async;
    uint64_t async_seed;
    uint64_t budget;   /* instructions of one wave; 0: no limit */
    uint64_t held;     /* bytes of the memory limit that the launch takes beside its workgroups */
    double time_limit; /* seconds; 0: none */
    uint64_t stop_at;  /* lw_stand_clock; 0: no time limit */

    const lw_observer *const *observers;
    size_t observer_count;

    lw_watch *watch; /* of a parallel run; NULL: none */
    lw_lds_outside outside;
    uint64_t outside_linear; /* the workgroup it is of */
    struct lw_tally *tally;  /* LW_SEGMENTS for each row: what workers executed */
    lw_stored_fault *faults;
    size_t fault_count;
    uint64_t waves;
    lw_wave_stand *stands; /* of groups that were under way when the launch ended */
    size_t stand_count;
} lw_machine;

/* Executions of one row of lw_op_rows. */
typedef struct lw_tally {
    uint64_t executed;
    uint32_t aspects;
    uint8_t weakest; /* matrix: lw_label of the touched aspects */
    const char *source;
} lw_tally;

typedef struct lw_access_log {
    lw_memory_access *entries;
    size_t count, capacity;
    bool failed; /* no memory for an entry */
} lw_access_log;

/* What one thread has for itself. */
typedef struct lw_worker {
    lw_machine *machine;
    lw_mem_view view;
    lw_code_cache cache;
    lw_access_log log;
    lw_copy_pool copies;
    lw_watch_view *watch; /* NULL: memory is not watched */
    lw_lds_outside outside;
    uint64_t outside_linear, outside_pc;
    lw_fault fault;
    bool faulted;
    uint64_t fault_linear;
    uint64_t executed, waves;
    uint64_t changes; /* stores so far; under watch only those that changed a byte, and looks at clocks */
    struct lw_touches *touches; /* under watch: what the instruction may have changed; else NULL */
    struct lw_touches *touches_memory;
    struct lw_amd_group *spare; /* memory of an ended workgroup, for the next one */
} lw_worker;

/* A workgroup: a resumable context. Registers, LDS and scratch follow in the same allocation. */
typedef struct lw_amd_group {
    lw_worker *worker;
    const lw_machine *machine;
    uint64_t linear;
    uint32_t id[3];
    uint8_t *lds;
    uint32_t lds_size;
    lw_wave *waves;
    uint32_t wave_count;
    lw_copies copies; /* to LDS, issued and not completed */
    uint64_t turns;   /* random schedule: numbers drawn so far */
    uint64_t drawn;   /* LW_ASYNC_RANDOM: the same */
    unsigned idle;    /* rounds without progress */

    struct lw_watched *watched; /* a wave each; NULL: never watched */
    bool watching;
    uint64_t watch_left; /* instructions until watching ends, or may begin again */
} lw_amd_group;

enum { LW_SEGMENTS = 3 }; /* flat, scratch, global; other instructions count as the first */

/* ---- names.c ---- */

struct lw_op_row;
const char *lw_machine_mnemonic(const struct lw_op_row *row, unsigned seg);

/* ---- code.c: records ---- */

bool lw_code_init(lw_code_cache *cache, const lw_machine *machine);
void lw_code_free(lw_code_cache *cache);

/* The record at wave->pc; NULL after lw_wave_fault. */
lw_record *lw_code_fetch(lw_worker *worker, lw_wave *w);

/* The instruction of a record that exists: executed before by this worker. */
const lw_decoded *lw_code_at(const lw_worker *worker, uint64_t pc);

/* Adds what the records of a cache counted to the machine's tally. */
void lw_code_tally(const lw_code_cache *cache, lw_machine *machine);

/* ---- group.c: workgroups ---- */

/* What one takes of the host's memory. */
size_t lw_group_bytes(const lw_machine *machine);
lw_amd_group *lw_group_create(lw_worker *worker, uint64_t linear, const uint32_t id[3]);
lw_group_state lw_group_step(lw_worker *worker, lw_amd_group *group);
void lw_group_release(lw_worker *worker, lw_amd_group *group);

/* ---- start.c: the initial state of a wave ---- */

/* Number of waves of a workgroup at this place of the grid (partial ones have fewer). */
uint32_t lw_start_waves(const lw_machine *machine, const uint32_t id[3]);
void lw_start_wave(lw_wave *w);

/* ---- run.c: the loop over instructions ---- */

typedef enum lw_run_end {
    LW_RUN_TURN_OVER, /* the quantum is used up */
    LW_RUN_YIELD,
    LW_RUN_BARRIER,
    LW_RUN_WAIT, /* for copies below wave->wait_limit */
    LW_RUN_ENDED,
    LW_RUN_FAULT,
} lw_run_end;

/* Runs up to `quantum` instructions. */
lw_run_end lw_run_wave(lw_worker *worker, lw_wave *w, uint64_t quantum);

/* The source line of the instruction at `pc`. False, and an empty line, where it is not known. */
bool lw_run_line(const lw_machine *machine, uint64_t pc, lw_line *line);

/* Completes worker->fault with where it happened. */
void lw_run_locate_fault(lw_worker *worker, const lw_wave *w, const lw_decoded *in);

/* ---- still.c: waves that repeat themselves while no memory changes ---- */

/* Begins to watch the waves of a group. Without host memory for it the group is not watched. */
void lw_still_begin(lw_worker *worker, lw_amd_group *group);
void lw_still_free(lw_amd_group *group);

/* lw_run_wave under watch. A wave that repeats itself without passing a barrier ends its turn. */
lw_run_end lw_still_run(lw_worker *worker, lw_wave *w, uint64_t quantum);

/* Has the wave repeated its state, with no change of memory since? After how many instructions? */
bool lw_still_repeats(const lw_wave *w, uint64_t *period);

/* Can no wave of the group do anything new before memory changes? */
bool lw_still_all(const lw_amd_group *group);

/* Notes that a store reaches `size` bytes at `at`. */
void lw_still_touch(lw_worker *worker, const uint8_t *at, uint32_t size);

/* ---- stand.c: where waves stand when a launch ends early ---- */

/* Nanoseconds of a clock that only goes forward. */
uint64_t lw_stand_clock(void);

/* Adds the waves of a group to the machine's list, as far as there is room. */
void lw_stand_note(lw_machine *machine, const lw_amd_group *group);

/* The sentence for LW_E_BUDGET, LW_E_LIVELOCK and LW_E_STOPPED. */
lw_status lw_stand_explain(const lw_machine *machine, lw_status status, lw_error *error);

/* ---- event.c: observers ---- */

struct lw_event_state {
    lw_wave *wave;
    const lw_decoded *in; /* NULL at wave begin */
};

typedef enum lw_hook {
    LW_HOOK_WAVE_BEGIN,
    LW_HOOK_WAVE_END,
    LW_HOOK_BEFORE,
    LW_HOOK_AFTER,
    LW_HOOK_BARRIER,
    LW_HOOK_ARRIVED,
} lw_hook;

void lw_observe(lw_hook hook, lw_wave *w, const lw_decoded *in);

/* ---- machine.c: running what launch.c or raw.c prepared ---- */

lw_status lw_machine_run(lw_machine *machine, lw_grid_job *job, const char *schedule_reason,
                         lw_launch_result **result, lw_error *error);

/* Checks observers and readings and takes those of the machine; a sentence names the first that is wrong. */
lw_status lw_machine_options(lw_machine *machine, lw_error *error);

/* ---- order.c: may workgroups run in parallel? ---- */

/* NULL if nothing reachable from the entry can make their order visible; else why not. */
const char *lw_order_visible(const lw_machine *machine, bool *reachable_only);

#endif
