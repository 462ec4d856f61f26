/* SPDX-License-Identifier: MIT */
/*
 * The debugger: a launch that can be stepped both ways, with breakpoints. Terminal and editor are two ways to
 * use it. It pauses only before instructions; the state before the n-th instruction of the launch is always
 * the same, so that n names it ("position n").
 */
#ifndef LW_CLI_DEBUG_DEBUG_H
#define LW_CLI_DEBUG_DEBUG_H

#include <lanewise/session.h>

#include "cli/debug/code.h"
#include "cli/debug/text.h"
#include "cli/run.h"

typedef struct debug_id {
    uint32_t workgroup[3], wave;
} debug_id;

typedef enum debug_reason {
    DEBUG_BEGINS,     /* nothing has run yet */
    DEBUG_STEPPED,    /* as far as was asked */
    DEBUG_BREAKPOINT, /* `number` */
    DEBUG_ACCESS,     /* `number`, `text` says what was accessed */
    DEBUG_PAUSED,     /* the user interrupted it */
    DEBUG_WAVE_ENDED, /* the wave that was stepped */
    DEBUG_FAULT,      /* the next instruction faults; `text` is the sentence */
    DEBUG_STUCK,      /* the launch ended early; `text` is the sentence */
    DEBUG_ENDED,      /* all waves have ended */
} debug_reason;

typedef struct debug_stop {
    debug_reason reason;
    unsigned number; /* of the breakpoint */
    char text[1400];
} debug_stop;

typedef enum debug_kind { DEBUG_AT_CODE, DEBUG_AT_MEMORY } debug_kind;

/* A breakpoint. Negative: any wave or lane. */
typedef struct debug_point {
    debug_kind kind;
    unsigned number;
    char *what; /* as it was given */
    bool any_group;
    uint32_t workgroup[3];
    int wave, lane;
    uint64_t *offsets; /* DEBUG_AT_CODE */
    size_t offset_count;
    lw_space space; /* DEBUG_AT_MEMORY */
    uint64_t address, size;
    bool loads, stores;
    int owner; /* of editors: which request set it; 0: the user */
} debug_point;

enum { DEBUG_CHECKPOINTS = 24 };

typedef struct debug_checkpoint {
    uint64_t number;
    lw_checkpoint *saved;
} debug_checkpoint;

typedef struct debugger {
    run_job *job;
    lw_session *session;
    debug_code code;
    bool amd;
    unsigned lanes;

    debug_checkpoint kept[DEBUG_CHECKPOINTS]; /* in ascending order; the first one is position 0 */
    size_t kept_count;
    uint64_t interval;

    uint64_t position;
    bool over;     /* nothing runs from here on */
    debug_id next; /* the wave that executes next, unless it is over */
    bool chosen;   /* `wave` exists */
    debug_id wave; /* that commands are about */
    unsigned lane;
    debug_stop stop;
    uint64_t told; /* position + 1 of the last breakpoint reported; 0: none */

    debug_point *points;
    size_t point_count;
    unsigned last_number;
    lw_observer observer;
    const lw_observer *observers[1];
    bool listens; /* accesses count now */
    debug_stop access;
    debug_id accessor;
    bool accessed;

    debug_text printed;                 /* by the kernel, and not shown yet */
    uint64_t furthest;                  /* position so far; what is printed before it has been shown */
    bool (*interrupted)(void *context); /* asked while the launch runs; NULL: never */
    void *interrupt_context;
} debugger;

/* ---- session.c: positions ---- */

/* Begins the launch of `job`, whose memory is made. CLI_FINE, or reports the error. */
int debug_open(debugger *d, run_job *job);
void debug_close(debugger *d);

/* Goes on until position `number`, or the end, without looking at breakpoints. False: no memory. */
bool debug_reach(debugger *d, uint64_t number);
/* The same from the nearest checkpoint before it. */
bool debug_seek(debugger *d, uint64_t number);
/* How many instructions a step towards position `limit` may execute. */
uint64_t debug_slice(const debugger *d, uint64_t limit);
/* Restores checkpoint `index`. */
bool debug_restore(debugger *d, size_t index);
/* After a step: which wave is next, or how the launch ended. */
bool debug_settle(debugger *d);
/* The launch has ended: back to the faulting instruction, if there is one. */
void debug_judge_end(debugger *d);

/* The session's number of a wave; false if it does not exist. */
bool debug_find(const debugger *d, const debug_id *id, size_t *index);
/* The place of a wave; false if there is no such wave. */
bool debug_stand(const debugger *d, const debug_id *id, lw_wave_stand *stand);
bool debug_same(const debug_id *a, const debug_id *b);
/* Chooses the wave that executes next. */
void debug_choose_next(debugger *d);

/* ---- control.c: moving. Each sets d->stop ---- */

void debug_step(debugger *d, uint64_t count);
void debug_step_line(debugger *d);
void debug_continue(debugger *d);
void debug_back(debugger *d, uint64_t count);
void debug_back_line(debugger *d);
void debug_reverse(debugger *d);
void debug_goto(debugger *d, uint64_t number);

/* ---- points.c ---- */

/*
 * "0x1a8", "12", "file.hip:12", "v_mfma_*", "matrix", "barrier", each with "wave W", "wave X,Y,Z:W", "lane
 * L". The number of the new breakpoint; 0 after putting a sentence into `why`.
 */
unsigned debug_break(debugger *d, const char *words, debug_text *why);
/* "C[2,17]", "lds 0x40 [BYTES]", "0x1000000000 [BYTES]", with "read", "write", "wave", "lane". */
unsigned debug_watch(debugger *d, const char *words, debug_text *why);
bool debug_delete(debugger *d, unsigned number);
const debug_point *debug_point_find(const debugger *d, unsigned number);
/* The breakpoint at which the next wave is; NULL: none. */
debug_point *debug_point_here(const debugger *d);
/* All offsets of breakpoints; the caller frees them. */
uint64_t *debug_offsets(const debugger *d, size_t *count);
void debug_points_free(debugger *d);
/* What observes accesses. */
void debug_observe(debugger *d);

#endif
