/* SPDX-License-Identifier: MIT */
/*
 * The machine, independent of the vendor: what waves, workgroups and threads have in common on all machines,
 * and the table of functions through which emu/device calls one.
 *
 * A workgroup is one allocation: the group, its waves, LDS, then each wave's area (registers, scratch). The
 * whole state of a wave is in its structure and its area. Only `attach` sets pointers into it; therefore a
 * workgroup can be copied, restored elsewhere and continued.
 */
#ifndef LW_EMU_DEVICE_MACHINE_H
#define LW_EMU_DEVICE_MACHINE_H

#include <stdarg.h>

#include <lanewise/launch.h>
#include <lanewise/observe.h>

#include "emu/device/code.h"
#include "emu/device/copies.h"
#include "emu/device/grid.h"
#include "emu/device/memory.h"
#include "emu/device/module.h"
#include "emu/device/observed.h"
#include "emu/device/watch.h"

struct lw_group;
struct lw_session;

typedef enum lw_wave_progress {
    LW_WAVE_READY,
    LW_WAVE_AT_BARRIER,
    LW_WAVE_WAITS, /* for asynchronous copies */
    LW_WAVE_ENDED,
} lw_wave_progress;

/*
 * A group runs one workgroup or, in a launch with clusters, those of one cluster, whose waves follow each
 * other by rank. Barriers of a workgroup are numbered from LW_BARRIERS * rank on, and kernels name 0 to 16;
 * the last one of rank 0 is that of all waves of the group. A wave whose `expected` is LW_OPENED_BY_SIGNAL is
 * woken by the machine.
 */
enum {
    LW_BARRIERS = 18,
    LW_MOST_RANKS = 16,
    LW_WHOLE_BARRIER = LW_BARRIERS - 1,
    LW_OPENED_BY_SIGNAL = 0xffff
};

typedef struct lw_access_log {
    lw_memory_access *entries;
    size_t count, capacity;
    bool failed; /* no memory for an entry */
    bool runs;   /* entries may stand for several lanes */
    bool done;   /* accesses that happen later may be left out */
    bool once;   /* of lanes that load the same bytes one after the other, the first is enough */
    bool across; /* accesses to other blocks of the cluster are listed */
} lw_access_log;

/* The first member of every machine's wave. */
typedef struct lw_wave_head {
    struct lw_group *group; /* LDS, memory, other waves */
    lw_fault *fault;        /* the machine reports errors here: `reason` and `lane` */
    lw_access_log *log;     /* NULL unless observed: memory handlers record their accesses here */
    uint64_t pc;            /* address of the instruction being executed */
    uint64_t executed;      /* instructions so far */
    uint32_t id;            /* within the group */
    uint32_t rank, place;   /* its workgroup among those of the group; within that workgroup */
    uint8_t state;          /* lw_wave_progress */
    uint16_t barrier;       /* LW_WAVE_AT_BARRIER: its number */
    uint16_t expected;      /* waves that this barrier waits for; 0: all that have not ended */

    uint64_t waits_at;   /* LW_WAVE_AT_BARRIER, LW_WAVE_WAITS: the waiting instruction; pc is the next one */
    uint32_t pending;    /* copies that have not completed */
    uint64_t issued;     /* operations of their counter; those without a pending copy are left out */
    uint64_t wait_limit; /* LW_WAVE_WAITS: copies below this one must complete */
    uint32_t voters, ayes; /* LW_WAVE_AT_BARRIER: of its lanes that vote; once it opens, of all waves */
    uint64_t slept_as;     /* a hash of its state when it last slept */
} lw_wave_head;

/* Why a wave stopped running. */
typedef enum lw_run_end {
    LW_RUN_TURN_OVER, /* the quantum is used up */
    LW_RUN_YIELD,     /* the wave sleeps */
    LW_RUN_BARRIER,   /* head.barrier, head.expected */
    LW_RUN_WAIT,      /* for copies below head.wait_limit */
    LW_RUN_ENDED,
    LW_RUN_FAULT, /* lw_fault_locate has been called */
} lw_run_end;

/* The state of one thread. */
typedef struct lw_worker {
    struct lw_session *session;
    lw_mem_view view;
    lw_counts counts;
    lw_code_cursor cursor;
    lw_observed *observed;                 /* NULL: no observers */
    lw_event event;                        /* of the instruction reported to observers */
    const struct lw_wave_head *event_wave; /* the wave it belongs to, with its workgroup */
    uint64_t event_group;
    bool declined; /* lw_event_decline was called */
    lw_access_log log;
    lw_copy_pool copies;
    lw_watch_view *watch; /* NULL: memory is not watched */
    lw_lds_outside outside;
    uint64_t outside_linear, outside_pc;
    lw_fault fault;
    bool faulted;
    uint64_t fault_linear;
    uint64_t executed, waves;
    uint64_t changes; /* stores so far; while comparing, only those that changed a byte, and clock reads */
    struct lw_touches *touches; /* while comparing: what the instruction may have changed; otherwise NULL */
    struct lw_touches *touches_memory;
    struct lw_group *spare; /* memory of an ended workgroup, for reuse */
    uint8_t *notes;         /* the machine's, initially zero: lw_worker_note */
    size_t note_bytes;
    size_t groups; /* workgroups whose memory it holds, including the spare one */
} lw_worker;

/* The result of the waves' turns of one round. */
typedef struct lw_round {
    bool progress;    /* a wave ended or waits for others */
    bool working;     /* a wave yielded or was cut short, and its state changes: it does not spin */
    bool turned_over; /* a wave used up its quantum */
    bool computes;    /* one that did was not seen to repeat its state */
    bool begun;
    uint32_t first, at; /* the wave that began the round; how many waves have had their turn */
    uint64_t before;    /* the worker's instructions when the round began */
    uint64_t quantum;   /* of the turn in progress; 0: none is */
    uint64_t ran;       /* instructions of that turn so far */

    bool spins;                /* the wave was seen to repeat its state: its turn is over */
    uint64_t look, looks_from; /* at which of the turn's instructions to look next; where this look began */
    uint64_t look_pc, look_state;
    bool look_has_state;
} lw_round;

typedef struct lw_group {
    lw_worker *worker;
    struct lw_session *session;
    uint64_t linear;
    uint32_t id[3];    /* of the workgroup, or of the cluster: lw_wave_workgroup */
    uint8_t *lds;      /* of rank 0, the others follow: lw_group_lds */
    uint32_t lds_size; /* of each */
    uint8_t *waves;    /* session->wave_bytes each: lw_group_wave */
    uint32_t wave_count;
    lw_copies copies;                              /* issued and not completed */
    uint16_t arrived[LW_BARRIERS * LW_MOST_RANKS]; /* waves that came to a barrier and went on */
    uint16_t opened[LW_BARRIERS * LW_MOST_RANKS];  /* how often it has opened, modulo 2^16 */
    uint16_t members[LW_BARRIERS * LW_MOST_RANKS]; /* the machine's: how many signals open it */
    uint32_t came;  /* the machine's: ranks that have signalled at the barrier of all */
    uint64_t turns; /* random schedule: numbers drawn so far */
    uint64_t drawn; /* LW_ASYNC_RANDOM: the same */
    unsigned idle;  /* rounds without progress */
    bool paused;
    lw_round round;

    struct lw_compared *compared; /* one per wave; NULL: never compared */
    bool comparing;
    uint64_t compare_left; /* instructions until comparing ends, or may begin again */
} lw_group;

/* A run of bytes that belongs to a wave's state. */
typedef struct lw_span {
    const void *at;
    size_t size;
    bool
        patience; /* counts how long lanes have waited: it says when they have their turn, not what they do */
    bool own_memory; /* memory that no other wave can address */
} lw_span;

enum { LW_MAX_SPANS = 8 };

/* What a launch counts for one kind of instruction. */
typedef struct lw_tally {
    unsigned kind; /* the machine's number for it */
    uint64_t executed;
    const char *name;
    lw_label label; /* the weakest that was touched */
    bool is_matrix;
    uint32_t aspects;
    const char *source; /* the source of the label, or what is computed; otherwise "" */
} lw_tally;

/* Every function may be called by several threads, but for different waves, workers and sessions. */
typedef struct lw_machine {
    const char *group_word, *wave_word; /* "workgroup", "wave" */
    const char *shared_word;            /* "LDS" */
    unsigned kinds;                     /* of instructions: lw_tally.kind is below it */
    bool clusters;                      /* it runs workgroups of a cluster together */

    /* Places module->program in module->memory and opens module->code. */
    lw_status (*open)(lw_module *module, lw_error *error);
    /* The same for raw code; NULL: the machine does not run raw code. */
    lw_status (*open_code)(lw_module *module, const uint32_t *words, size_t count, lw_error *error);
    void (*close)(lw_module *module); /* also after a failed open: frees whatever exists */
    lw_status (*symbol)(const lw_module *module, const char *name, uint64_t *address, uint64_t *size);

    /* Checks the options against the kernel and fills in what the session leaves to the machine. */
    lw_status (*prepare)(struct lw_session *session, const lw_launch_options *options, lw_error *error);
    void (*leave)(struct lw_session *session);

    /* Can workgroups observe the order in which they run? A sentence that says why, or NULL. */
    const char *(*order)(const struct lw_session *session, bool *reachable_only);

    void (*attach)(lw_wave_head *wave, uint8_t *area); /* sets the wave's pointers */
    void (*start)(lw_wave_head *wave);                 /* sets the state at the kernel's entry */
    void (*end)(lw_group *group);                      /* may be NULL; called before a group is freed */
    lw_run_end (*run)(lw_worker *worker, lw_wave_head *wave, uint64_t quantum);
    size_t (*state)(const lw_wave_head *wave,
                    lw_span spans[LW_MAX_SPANS]); /* everything that determines its behaviour */
    /* Moves the bytes of a copy. False: a fault, not yet located. */
    bool (*copy)(lw_wave_head *wave, const lw_copy *copy);

    /* The record of the instruction that the wave executes next, made if needed. NULL: there is none. */
    const void *(*fetch)(lw_worker *worker, lw_wave_head *wave);
    /* The instruction's text; "" if there is none. */
    void (*text)(const lw_module *module, uint64_t pc, char *text, size_t size);
    bool (*line)(const lw_module *module, uint64_t pc, lw_line *line);
    uint64_t (*exec)(const lw_wave_head *wave);
    /* What an object in shared memory still waits for, if the instruction at `pc` asks it: "1 of 2 arrivals".
     * May be NULL. False: it asks none. */
    bool (*asked)(const lw_wave_head *wave, uint64_t pc, char *text, size_t size);
    /* lw_event_cluster_object, of a block that there is; NULL: there are no such objects. */
    bool (*object)(const lw_group *group, unsigned rank, uint64_t address, lw_event_object *object);
    /* lw_event_barrier_at; NULL: there are no such barriers. */
    bool (*barrier)(const lw_wave_head *wave, unsigned number, lw_event_barrier *barrier);

    /* Adds what a worker counted about a record. */
    unsigned (*kind)(const void *record);
    void (*tally)(const lw_worker *worker, const void *record, uint64_t executed, lw_tally *tally);
    /* Adds what it has counted elsewhere to the worker's counts and restarts those at 0. May be NULL. */
    void (*settle)(lw_worker *worker);

    /* See lanewise/observe.h. `record` is NULL for events without an instruction. */
    const char *(*mnemonic)(const void *record);
    size_t (*event_text)(const lw_event *event, char *text, size_t size);
    uint64_t (*event_lanes)(const lw_event *event, const lw_fact_operand *operand);
    bool (*lane_sources)(const lw_event *event, const lw_fact_operand *operand,
                         uint8_t from[LW_MAX_LANES]); /* NULL: unknown */
    bool (*event_matrix)(const lw_event *event, lw_matrix_event *matrix);
    /* Word `index` of an operand; NULL: operands are runs of registers. */
    unsigned (*matrix_register)(const lw_event *event, lw_operand operand, unsigned index);
    /* Instructions that multiply and the words of their operands; NULL: those of event_matrix, in registers.
     */
    bool (*product)(const lw_event *event, lw_matrix_event *matrix);
    void (*product_word)(const lw_event *event, lw_operand operand, unsigned word, uint32_t *values,
                         size_t count);
    /* Where a word is; NULL: in the registers of event_matrix. */
    bool (*product_place)(const lw_event *event, lw_operand operand, unsigned word, lw_product_place *place);
    uint32_t (*value)(const lw_wave_head *wave, lw_reg_file file, unsigned reg, unsigned lane);
    void (*values)(const lw_wave_head *wave, lw_reg_file file, unsigned reg, uint32_t *values, size_t count);
    unsigned (*registers)(const lw_wave_head *wave, lw_reg_file file);
    size_t (*register_name)(const lw_event *event, lw_reg_file file, unsigned reg, char *text, size_t size);
    unsigned (*lanes)(const lw_wave_head *wave);
    /* The facts of the instruction at `pc`; `operands` has room for LW_MAX_OPERANDS. */
    lw_facts (*facts)(lw_arch arch, const void *record, uint64_t pc, lw_fact_operand *operands);
    unsigned (*accum_offset)(const lw_wave_head *wave);
    bool (*splits_l0)(const lw_wave_head *wave); /* lw_event_splits_l0; NULL: never */
} lw_machine;

struct lw_event_state {
    lw_wave_head *wave;
    const void *record;         /* the machine's; NULL at the beginning and end of a wave and at barriers */
    const struct lw_copy *copy; /* that has arrived; NULL at all other events */
};

/* ---- worker.c ---- */

/* Completes the worker's counts. */
static inline void lw_worker_settle(lw_worker *worker, const lw_machine *machine)
{
    if (machine->settle)
        machine->settle(worker);
}

/* Note number `index`; all notes of a machine have the same `size` in bytes. NULL: no host memory. */
void *lw_worker_note(lw_worker *worker, size_t index, size_t size);

/* ---- group.c ---- */

static inline size_t lw_group_align(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

lw_wave_head *lw_group_wave(const lw_group *group, uint32_t index);

/* The workgroup of a wave; the shared memory of the workgroup with that rank; how many workgroups there are.
 */
void lw_wave_workgroup(const lw_wave_head *wave, uint32_t id[3]);
uint8_t *lw_group_lds(const lw_group *group, uint32_t rank);
uint32_t lw_group_ranks(const lw_group *group);
/* Does a barrier of that number concern the wave? */
static inline bool lw_wave_is_of(const lw_wave_head *wave, unsigned barrier)
{
    return barrier == LW_WHOLE_BARRIER || wave->rank == barrier / LW_BARRIERS;
}

/* The host memory that one group takes. */
size_t lw_group_bytes(const struct lw_session *session);
/* The first workgroup of a worker is counted when its launch begins; further ones count towards the limit. */
bool lw_group_has_room(const lw_worker *worker);
/* Counts `groups` more regardless of the limit; gives back one. */
void lw_group_charge(lw_worker *worker, size_t groups);
void lw_group_free(lw_worker *worker, lw_group *group);

lw_group *lw_group_create(lw_worker *worker, uint64_t linear, const uint32_t id[3]);
lw_group_state lw_group_step(lw_worker *worker, lw_group *group);
void lw_group_release(lw_worker *worker, lw_group *group);

/* Sets all pointers into a group's allocation. */
void lw_group_attach(lw_group *group);

/* The size of the workgroup at this place; the last one of a dimension may be partial. */
void lw_group_extent(const struct lw_session *session, const uint32_t id[3], uint32_t extent[3]);

/* ---- arrive.c: asynchronous copies ---- */

/* The first wave of the workgroup that waits for copies; NULL if none does. */
lw_wave_head *lw_waiting_wave(const lw_group *group);

/*
 * Completes the wave's copies with an index below `limit`, in order. False after a fault, which names the
 * issuing instruction and has been located.
 */
bool lw_copies_complete(lw_wave_head *wave, uint64_t limit);

/* Says that there is no room for a copy: no host memory, or none left within the memory's limit. */
void lw_copies_refuse(lw_wave_head *wave);

/* Completes the first copy of the workgroup, whichever wave issued it: some wave waits for a copy that
 * reports to memory. */
bool lw_copies_complete_first(lw_group *group);

/* Completes some of the wave's copies, or none, as lw_launch_options.async_seed decides. False as above. */
bool lw_copies_drift(lw_wave_head *wave);

/* Called between two turns of a workgroup's waves: with LW_ASYNC_RANDOM some copies complete. False as
 * above. */
bool lw_group_drift(lw_group *group);

/* A hash of everything that determines what the wave does, but memory (its own, too) and, if so wanted,
 * lw_span.patience. */
uint64_t lw_wave_hash(const lw_wave_head *wave, bool patience);

/*
 * A wave has slept. Did it sleep in the same state the last time? Always true if no wave waits for copies;
 * its state is then not examined.
 */
bool lw_wave_sleeps_again(lw_wave_head *wave);

/* ---- spin.c: waves that repeat their state, whether or not memory changes ---- */

/* A turn begins. */
void lw_spin_begin(lw_round *round);

/* The turn has come to `round->look`: sets `spins`, or where to look next. */
void lw_spin_look(lw_round *round, const lw_wave_head *wave);

/* ---- still.c: waves that repeat their state while no memory changes ---- */

/* Begins to compare the waves of a group with their earlier states. Without host memory, nothing is
 * compared. */
void lw_still_begin(lw_worker *worker, lw_group *group);
void lw_still_free(lw_group *group);

/* machine->run, with the wave compared. A wave that repeats its state without passing a barrier ends its
 * turn. */
lw_run_end lw_still_run(lw_worker *worker, lw_wave_head *wave, uint64_t quantum);

/* Has the wave repeated its state, with no change of memory since? `period`: after how many instructions. */
bool lw_still_repeats(const lw_wave_head *wave, uint64_t *period);
/* Such a wave: does it pass a barrier each time? */
bool lw_still_crosses(const lw_wave_head *wave);

/* Is no wave of the group able to do anything new before memory changes? */
bool lw_still_all(const lw_group *group);

/* Records that a store is about to write `size` bytes at `at`. */
void lw_still_touch(lw_worker *worker, const uint8_t *at, uint32_t size);

/* Every store passes here: this is what tells livelock from waiting. */
static inline void lw_note_store(lw_worker *worker, const uint8_t *at, uint32_t size)
{
    if (worker->touches)
        lw_still_touch(worker, at, size);
    else
        worker->changes++;
}

/* ---- fault.c ---- */

/* Says why the wave cannot continue: only the reason; lw_fault_locate adds the rest. */
void lw_fault_say_all(lw_wave_head *wave, int lane, const char *format, va_list args)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 0)))
#endif
    ;
void lw_fault_say(lw_wave_head *wave, int lane, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Adds to the worker's fault where it happened: at wave->pc. `text`: the code there is an instruction. */
void lw_fault_locate(lw_worker *worker, const lw_wave_head *wave, bool text);

/* ---- stand.c: where waves are when a launch ends early ---- */

/* Nanoseconds of a monotonic clock. */
uint64_t lw_stand_clock(void);

void lw_stand_of(const lw_wave_head *wave, lw_wave_stand *stand);

/* Adds the waves of a group to the session's list, as far as there is room. */
void lw_stand_note(struct lw_session *session, const lw_group *group);

/* The sentence for LW_E_BUDGET, LW_E_LIVELOCK and LW_E_STOPPED. */
lw_status lw_stand_explain(const struct lw_session *session, lw_status status, lw_error *error);

/* ---- event.c: observers ---- */

/* The hooks of waves and barriers. */
void lw_observe(lw_hook hook, lw_wave_head *wave);

/* The event of a wave where it is now; `state` must live as long. */
void lw_event_fill(lw_event *event, const lw_wave_head *wave, const struct lw_event_state *state);

/* The state between the hooks of an instruction. */
typedef struct lw_seen_step {
    lw_worker *worker;
    const lw_seen_place *place;
    bool ends; /* an observer wants `after` */
    struct lw_event_state state;
    lw_facts facts; /* for this execution, if its registers differ from the encoded ones */
    lw_fact_operand operands[LW_MAX_OPERANDS];
} lw_seen_step;

/* Not inlined: rare, and kept out of what every instruction does. */
#define LW_RARELY __attribute__((noinline))

/* Do observers want instructions? */
static inline bool lw_observes_steps(const lw_worker *worker)
{
    return worker->observed && worker->observed->steps;
}

/*
 * Reports the place at wave->pc if it is new, calls `before`, and sets wave->log if accesses are wanted.
 * `record` is what is executed, `encoded` what the code contains; `exec`: the lanes. False: no host memory.
 */
bool lw_observe_begin(lw_worker *worker, lw_wave_head *wave, const void *encoded, const void *record,
                      uint64_t exec, lw_seen_step *step);

/* After the instruction has been executed without a fault: calls `after`. */
void lw_observe_end(lw_seen_step *step, uint64_t exec);

/* The log for what the copy issued by the instruction at wave->pc accesses when it arrives; NULL: no observer
 * wants to know. */
lw_access_log *lw_observe_arrival_log(const lw_wave_head *wave);

/* The copy has arrived; wave->log says what it accessed. */
void lw_observe_arrival(lw_wave_head *wave, const void *record, const struct lw_copy *copy);

#endif
