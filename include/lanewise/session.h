/* SPDX-License-Identifier: MIT */
/*
 * Launches that can pause: begin, step, look at any wave, save and go back, cancel, finish.
 *
 * lw_launch is a session that runs to its end. A session that is stepped runs on one thread, in the order of
 * its schedule; pausing changes no result. A session belongs to one thread at a time; only lw_session_cancel
 * may be called from any other, at any time.
 */
#ifndef LANEWISE_SESSION_H
#define LANEWISE_SESSION_H

#include <lanewise/launch.h>
#include <lanewise/observe.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_session lw_session;

/*
 * Checks the options, builds the arguments, and runs nothing yet. Arrays of the options are copied; program,
 * module, memory, observers and contexts must stay valid until lw_session_finish. Fails as lw_launch does
 * before it runs.
 */
LW_API lw_status lw_session_begin(const lw_launch_options *options, lw_session **session, lw_error *error);

/* The same for raw machine code (lw_code_run). `waves` and the LDS must stay valid; they are written when the
 * session is finished. */
LW_API lw_status lw_session_begin_code(const lw_code_options *options, lw_wave_state *waves,
                                       size_t wave_count, lw_session **session, lw_error *error);

/* Why a step paused. */
typedef enum lw_pause_reason {
    LW_PAUSE_ENDED,        /* all waves have ended, or the launch cannot go on: lw_session_finish says */
    LW_PAUSE_INSTRUCTIONS, /* the requested number has been executed */
    LW_PAUSE_BREAKPOINT,   /* the wave is about to execute an instruction of the list */
    LW_PAUSE_WAVE_BEGAN,
    LW_PAUSE_WAVE_ENDED,
    LW_PAUSE_BARRIER, /* all waves have arrived; this wave is the last one */
    LW_PAUSE_WAITS,   /* the wave waits: at a barrier, for copies, or it sleeps */
    LW_PAUSE_ARRIVED, /* a copy of the wave has completed */
    LW_PAUSE_BEFORE,  /* the wave is about to execute an instruction, whichever it is: also the first one */
    LW_PAUSE_ASKED,   /* an observer called lw_session_ask during this step; the wave executes next, or has
                         executed the instruction in question */
} lw_pause_reason;

typedef struct lw_pause {
    lw_pause_reason reason;
    uint32_t workgroup[3]; /* the wave it is about; zeros for LW_PAUSE_ENDED */
    uint32_t wave;
} lw_pause;

typedef struct lw_step_options {
    size_t struct_size;        /* sizeof(lw_step_options) */
    uint64_t instructions;     /* pause after so many wave instructions; 0: no such pause */
    uint32_t events;           /* bits 1u << lw_pause_reason: pause there too */
    const uint32_t *workgroup; /* three numbers: only its waves count for all of this; NULL: all */
    int wave;                  /* only this wave of a workgroup counts; -1: all */
    const uint64_t
        *breakpoints; /* code offsets, as in lw_fault; the one where a step begins does not pause it */
    size_t breakpoint_count;
} lw_step_options;

/* struct_size set, no limit, no events, all waves, no breakpoints: to the end. */
LW_API void lw_step_options_init(lw_step_options *options, size_t size);
static inline lw_step_options lw_step_options_default(void)
{
    lw_step_options options;
    lw_step_options_init(&options, sizeof(options));
    return options;
}

/*
 * Runs until a requested event happens, or to the end. LW_OK with *pause set; LW_E_ARGUMENT for
 * NULL and for options of an unknown size; LW_E_NO_MEMORY.
 */
LW_API lw_status lw_session_step(lw_session *session, const lw_step_options *options, lw_pause *pause,
                                 lw_error *error);

/*
 * For hooks of observers (lanewise/observe.h): the step under way pauses as soon as the instruction in
 * progress is complete, if LW_PAUSE_ASKED is among its events; no other instruction runs in between. Has no
 * effect between steps. NULL is allowed.
 */
LW_API void lw_session_ask(lw_session *session);

/*
 * How many wave instructions all steps together have executed; going back restores the number. States in
 * which a step paused with LW_PAUSE_BEFORE for all waves are equal if their numbers are.
 */
LW_API uint64_t lw_session_instructions(const lw_session *session);

/*
 * After LW_PAUSE_ENDED: what lw_session_finish would return, with its sentence. The session is not finished:
 * it can be inspected, and go back. `fault` may be NULL; it is filled for LW_E_FAULT. LW_E_ARGUMENT for NULL
 * and if the session has not ended.
 */
LW_API lw_status lw_session_outcome(const lw_session *session, lw_fault *fault, lw_error *error);

/*
 * Makes the session stop, whatever it is doing: within a millisecond, unless a single instruction takes
 * longer. lw_session_finish then returns LW_E_STOPPED. May be called from any thread, and from signal
 * handlers.
 */
LW_API void lw_session_cancel(lw_session *session);

/*
 * Runs the rest (in parallel, if nothing has been stepped yet and the options allow it), and frees the
 * session in every case. Returns as lw_launch does. NULL is LW_E_ARGUMENT.
 */
LW_API lw_status lw_session_finish(lw_session *session, lw_launch_result **result, lw_error *error);

/*
 * The same, but does not free the session: for callers whose other threads may still cancel it. Afterwards it
 * can only be cancelled, without effect, and dropped. LW_E_ARGUMENT for NULL and for a session that has been
 * run.
 */
LW_API lw_status lw_session_run(lw_session *session, lw_launch_result **result, lw_error *error);

/* Frees a session without finishing it; memory keeps what was stored until then. NULL is allowed. */
LW_API void lw_session_drop(lw_session *session);

/* ---- Inspecting: the waves of workgroups that have begun and not ended, in the order in which they run ----
 */

LW_API size_t lw_session_wave_count(const lw_session *session);

/* Where a wave is; lw_wave_stand is in lanewise/launch.h. False if `index` is not below the count. */
LW_API bool lw_session_wave_at(const lw_session *session, size_t index, lw_wave_stand *stand);

/* The source line of the wave's next instruction; false where it is not known. */
LW_API bool lw_session_wave_line(const lw_session *session, size_t index, lw_line *line);

/* Its active lanes, one bit each. 0 if there is no such wave. */
LW_API uint64_t lw_session_wave_exec(const lw_session *session, size_t index);

/* A register's value, as lw_event_value gives it; and how many registers a file has. */
LW_API uint32_t lw_session_value(const lw_session *session, size_t index, lw_reg_file file, unsigned reg,
                                 unsigned lane);
LW_API unsigned lw_session_register_count(const lw_session *session, size_t index, lw_reg_file file);

/*
 * The instruction that the wave executes next, as an observer's `before` would be given it (`place` is 0),
 * for the lw_event_ functions. Valid until the next call or until the session continues. NULL if there is no
 * such wave, if it has ended, and where no instruction can be decoded.
 */
LW_API const lw_event *lw_session_wave_event(lw_session *session, size_t index);

/* The LDS of the wave's workgroup, and its size; valid until the session continues. NULL if there is no such
 * wave. */
LW_API const void *lw_session_lds(const lw_session *session, size_t index, uint32_t *size);

/* ---- Going back ---- */

/*
 * The state of a session: all waves, LDS, pending copies, counts, and a snapshot of its memory
 * (lw_memory_snapshot). What observers have recorded is not restored.
 */
typedef struct lw_checkpoint lw_checkpoint;

/* LW_E_ARGUMENT for NULL; LW_E_NO_MEMORY. */
LW_API lw_status lw_session_save(lw_session *session, lw_checkpoint **checkpoint, lw_error *error);

/* Goes back to the checkpoint, any number of times, even after the end was reached. LW_E_ARGUMENT if it
 * belongs to another session; LW_E_NO_MEMORY, also where the limit has no room for its workgroups. */
LW_API lw_status lw_session_restore(lw_session *session, const lw_checkpoint *checkpoint, lw_error *error);

/* Allowed before and after its session is finished or dropped. NULL is allowed. */
LW_API void lw_checkpoint_free(lw_checkpoint *checkpoint);

#ifdef __cplusplus
}
#endif

#endif
