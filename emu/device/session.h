/* SPDX-License-Identifier: MIT */
/* A launch that can pause: internal interface. */
#ifndef LW_EMU_DEVICE_SESSION_H
#define LW_EMU_DEVICE_SESSION_H

#include <time.h>

#include <lanewise/session.h>

#include "emu/device/footprint.h"
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
    unsigned lanes; /* of a wave; 0: the usual number */
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
    bool passed; /* do not pause at the breakpoint where the step began */
    bool due;
    bool asked;     /* by an observer */
    lw_pause pause; /* when due */
} lw_pausing;

/* Constant while waves run, except for what workers hand in when they end, and `cancelled`. */
struct lw_session {
    const lw_machine *machine;
    lw_module *module;
    bool owns_module;
    lw_memory *own_memory; /* NULL: the memory is the caller's */
    void *own;             /* the machine's */
    lw_arch arch;
    const char *kernel;       /* "" for raw code */
    size_t number;            /* of the kernel */
    const char *null_service; /* the hidden argument for printf or assert that is null; NULL: none is */
    uint64_t entry;           /* where waves start */
    uint64_t kernel_base;     /* what code_offset counts from */
    lw_memory *memory;
    uint64_t mapped[2]; /* the session's own regions */
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
    bool poisoned; /* registers and LDS hold `poison` before they are written */
    lw_given given;

    char **readings; /* copies */
    size_t reading_count;
    uint32_t kernel_readings; /* the machine's, for instructions other than matrix instructions */
    lw_schedule schedule;
    uint64_t seed;
    lw_async async;
    uint64_t async_seed;
    uint64_t budget;   /* instructions of one wave; 0: no limit */
    uint64_t held;     /* bytes of the memory limit that the launch takes in addition to its workgroups */
    uint64_t taken;    /* bytes of the limit taken by `held` and by a workgroup */
    double time_limit; /* seconds; 0: none */
    uint64_t stop_at;  /* lw_stand_clock; 0: no time limit */
    atomic_bool cancelled;

    const lw_observer **observers;
    size_t observer_count;
    uint32_t (*only)[3];

    lw_print_fn print;
    void *print_context;

    lw_grid_job job;
    lw_grid *grid; /* the serial run in progress */
    const char *schedule_reason, *repeated;
    lw_pausing pausing;
    bool begun, ended;
    bool over;        /* it has ended and must be dropped */
    lw_status status; /* set at the end */
    uint64_t spent;   /* nanoseconds spent in steps */
    uint64_t stepped; /* wave instructions of steps */

    lw_event shown; /* by lw_session_wave_event */
    struct lw_event_state shown_state;
    lw_facts shown_facts;
    lw_fact_operand shown_operands[LW_MAX_OPERANDS];

    lw_watch *watch; /* of a parallel run, or for the footprint; NULL: none */
    lw_footprint *footprint;
    bool explained; /* recording it has failed, and the sentence says why */
    lw_lds_outside outside;
    uint64_t outside_linear; /* the workgroup that it belongs to */
    lw_tally *tallies;
    size_t tally_count;
    uint16_t *tally_of; /* by kind: index + 1 */
    lw_stored_fault *faults;
    size_t fault_count;
    uint64_t waves;
    lw_wave_stand *stands; /* waves of the unfinished groups when the launch ended */
    size_t stand_count;
};

/* ---- session.c ---- */

/* Makes a session with what all launches have in common; the machine prepares the rest. */
lw_status lw_session_new(lw_module *module, const lw_launch_options *options, const lw_given *given,
                         lw_session **session, lw_error *error);
void lw_session_free(lw_session *session);

/* What a kernel prints. */
void lw_session_print(lw_session *session, const char *text, size_t size);

/* The serial run that steps continue. False: no host memory. */
bool lw_session_open_grid(lw_session *session);

/* Must the launch end now, because it was cancelled or its time is over? */
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

/* Discards what workers handed in. */
void lw_worker_forget(lw_session *session);

/* ---- result.c ---- */

/* Ends whose result says where every wave is. */
bool lw_has_stands(lw_status status);

/* NULL: no host memory. */
lw_launch_result *lw_result_new(lw_session *session, const lw_grid_result *grid);
lw_status lw_result_explain(const lw_session *session, const lw_grid_result *grid,
                            const lw_launch_result *result, lw_error *error);

/* ---- pause.c ---- */

/* Something happened to a wave: must the step pause? */
void lw_pause_note(lw_session *session, const lw_wave_head *wave, lw_pause_reason reason);

/* How many instructions the wave may execute before the step pauses; 0: it pauses now. */
uint64_t lw_pause_room(lw_session *session, const lw_wave_head *wave);

/* The wave has executed that many instructions. */
void lw_pause_spend(lw_session *session, const lw_wave_head *wave, uint64_t executed);

/* " (file.hip:12:3)"; only the end of a path of more than `most` characters; "" if the line is not known. */
void lw_fault_line_text(const lw_line *line, size_t most, char *text, size_t size);

/*
 * Memory that only one wave can address is part of that wave's state, and stores there change no memory that
 * others may wait for. Where there is much of it, it counts as memory instead: comparing would take too long.
 */
static inline bool lw_still_compares_own(const lw_session *s)
{
    return s->scratch_size <= 128 * 1024;
}

/* lw_note_store, in such memory. */
static inline void lw_note_own_store(lw_wave_head *w, const uint8_t *at, uint32_t size)
{
    if (!lw_still_compares_own(w->group->session))
        lw_note_store(w->group->worker, at, size);
}

#endif
