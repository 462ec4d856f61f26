/* SPDX-License-Identifier: MIT */
/* A launch that can pause, inside. */
#ifndef LW_EMU_DEVICE_SESSION_H
#define LW_EMU_DEVICE_SESSION_H

#include <time.h>

#include <lanewise/session.h>

#include "emu/device/machine.h"

typedef struct lw_stored_fault {
    uint64_t linear;
    lw_fault fault;
} lw_stored_fault;

/* Raw code: its waves and LDS, before and after. */
typedef struct lw_given {
    lw_wave_state *waves; /* NULL: a kernel is launched */
    size_t count;
    void *lds;
    uint32_t lds_size, scratch;
} lw_given;

/* Where a step is to pause. */
typedef struct lw_pausing {
    bool active;
    uint64_t left; /* instructions; UINT64_MAX: any number */
    uint32_t events;
    bool one_group;
    uint32_t workgroup[3];
    int wave;
    const uint64_t *breakpoints; /* device addresses, ascending */
    size_t breakpoint_count;
    bool passed; /* the instruction at the breakpoint where the step began is to be executed */
    bool due;
    lw_pause pause; /* when due */
} lw_pausing;

/* Constant while waves run, apart from what workers hand in when they end, and `cancelled`. */
struct lw_session {
    const lw_machine *machine;
    lw_module *module;
    bool owns_module;
    lw_memory *own_memory; /* NULL: it is the caller's */
    void *own;             /* the machine's */
    lw_arch arch;
    const char *kernel;       /* "" for raw code */
    size_t number;            /* of the kernel */
    const char *null_service; /* the hidden argument for printf and assert that is null; NULL: none */
    uint64_t entry;           /* where waves start */
    uint64_t kernel_base;     /* what code_offset counts from */
    lw_memory *memory;
    uint64_t mapped[2]; /* regions of its own */
    size_t mapped_count;

    uint32_t block[3], items[3], groups[3]; /* groups: workgroups */
    uint32_t cluster[3], ranks;             /* workgroups that run as one group; else 1 */
    uint32_t lanes;                         /* of a wave */
    uint32_t most_waves;                    /* of a workgroup */
    uint32_t lds_size;                      /* as allocated */
    uint32_t scratch_size;                  /* bytes per lane */
    size_t wave_bytes;                      /* of the machine's wave structure, a multiple of 64 */
    size_t area_bytes;                      /* of a wave's area, the same */
    uint32_t poison;
    bool poisoned; /* registers and LDS hold it before they are written */
    lw_given given;

    char **readings; /* copies */
    size_t reading_count;
    uint32_t kernel_readings; /* of instructions beside matrix instructions: the machine's */
    lw_schedule schedule;
    uint64_t seed;
    lw_async async;
    uint64_t async_seed;
    uint64_t budget;   /* instructions of one wave; 0: no limit */
    uint64_t held;     /* bytes of the memory limit that the launch takes beside its workgroups */
    uint64_t taken;    /* of the limit, by what is held and by a workgroup */
    double time_limit; /* seconds; 0: none */
    uint64_t stop_at;  /* lw_stand_clock; 0: no time limit */
    atomic_bool cancelled;

    const lw_observer **observers;
    size_t observer_count;
    uint32_t (*only)[3];

    lw_print_fn print;
    void *print_context;

    lw_grid_job job;
    lw_grid *grid; /* of a serial run under way */
    const char *schedule_reason, *repeated;
    lw_pausing pausing;
    bool begun, ended;
    bool over;        /* it has been run to its end and waits to be dropped */
    lw_status status; /* when ended */
    uint64_t spent;   /* nanoseconds in steps */

    lw_watch *watch; /* of a parallel run; NULL: none */
    lw_lds_outside outside;
    uint64_t outside_linear; /* the workgroup it is of */
    lw_tally *tallies;
    size_t tally_count;
    uint16_t *tally_of; /* by kind: index + 1 */
    lw_stored_fault *faults;
    size_t fault_count;
    uint64_t waves;
    lw_wave_stand *stands; /* of groups that were under way when the launch ended */
    size_t stand_count;
};

/* ---- session.c ---- */

/* A session with what all launches have in common; the machine prepares the rest. */
lw_status lw_session_new(lw_module *module, const lw_launch_options *options, const lw_given *given,
                         lw_session **session, lw_error *error);
void lw_session_free(lw_session *session);

/* What a kernel prints. */
void lw_session_print(lw_session *session, const char *text, size_t size);

/* The serial run that steps go on with. False: no host memory. */
bool lw_session_open_grid(lw_session *session);

/* Is it to end now: was it cancelled, or is its time over? */
bool lw_session_is_late(const lw_session *session);

/* Maps `size` bytes of the session's own at the lowest free place from `from` on. */
lw_status lw_session_map(lw_session *session, uint64_t from, uint8_t *host, uint64_t size, const char *name,
                         uint64_t *address, lw_error *error);

/* ---- sizes.c: grid and workgroup, checked against what the kernel says ---- */

lw_status lw_session_sizes(lw_session *session, const lw_launch_options *options,
                           const lw_kernel_info *kernel, uint32_t most_items, lw_error *error);

/* ---- worker.c ---- */

/* Fills in the job's functions. */
void lw_worker_job(lw_session *session);

/* Forgets what workers handed in. */
void lw_worker_forget(lw_session *session);

/* ---- result.c ---- */

/* Ends whose result says where every wave stands. */
bool lw_has_stands(lw_status status);

/* NULL: no host memory. */
lw_launch_result *lw_result_new(lw_session *session, const lw_grid_result *grid);
lw_status lw_result_explain(const lw_session *session, const lw_grid_result *grid,
                            const lw_launch_result *result, lw_error *error);

/* ---- pause.c ---- */

/* Something happened to a wave: is the step to pause? */
void lw_pause_note(lw_session *session, const lw_wave_head *wave, lw_pause_reason reason);

/* How many instructions the wave may execute before the step pauses; 0: pauses now. */
uint64_t lw_pause_room(lw_session *session, const lw_wave_head *wave);

/* The wave has executed so many. */
void lw_pause_spend(lw_session *session, const lw_wave_head *wave, uint64_t executed);

/* " (file.hip:12:3)", of a path of more than `most` characters the end; "" where the line is not known. */
void lw_fault_line_text(const lw_line *line, size_t most, char *text, size_t size);

#endif
