/* SPDX-License-Identifier: MIT */
/*
 * Watching kernels run: one hook interface, and the observers that come with the library.
 *
 * Observers cost nothing when a launch has none. A launch with observers runs on one thread, in the order
 * of its schedule. Callbacks cannot change anything. What is the same at every execution of an
 * instruction is given once, as facts (lanewise/facts.h).
 */
#ifndef LANEWISE_OBSERVE_H
#define LANEWISE_OBSERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/arch.h>
#include <lanewise/banks.h>
#include <lanewise/export.h>
#include <lanewise/facts.h>
#include <lanewise/insn.h>
#include <lanewise/program.h>
#include <lanewise/sink.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The hook interface ---- */

typedef enum lw_space {
    LW_SPACE_GLOBAL,
    LW_SPACE_LDS,     /* address = byte in the workgroup's LDS */
    LW_SPACE_SCRATCH, /* address = byte in the lane's scratch */
} lw_space;

/* What one lane of a memory instruction accessed, or several lanes (LW_SEE_RUNS). Scalar loads have lane
 * -1. */
typedef struct lw_memory_access {
    int lane;
    lw_space space;
    bool load, store; /* both: atomic */
    bool dropped;     /* out of range: reads gave zero, writes had no effect */
    bool late;        /* of a copy to LDS that has only been issued: it happens when the copy arrives */
    bool object;      /* by an operation on an mbarrier, or a report to one: it is the mbarrier's word */
    uint8_t block;    /* of shared memory: 0 that of the event's block, n that of block n - 1 of its cluster
                         (LW_SEE_CLUSTER) */
    uint8_t again; /* LW_SEE_ONCE: this many of the following lanes loaded the same bytes; `more` is 0 then */
    uint64_t address;
    uint32_t size;
    uint32_t more; /* this many of the following lanes did the same, each from where the one before ended */
} lw_memory_access;

/* An operand of a matrix instruction: its registers, or a constant. */
typedef struct lw_matrix_operand {
    bool is_register;
    lw_reg_file file;
    uint16_t first, count;
    uint64_t constant; /* where it is not a register: the inline constant's bits */
} lw_matrix_operand;

typedef struct lw_matrix_event {
    const lw_insn *insn;
    lw_mods mods;
    lw_matrix_operand operand[LW_OPERAND_COUNT];
} lw_matrix_event;

/* The most lanes that a wave has. */
enum { LW_MAX_LANES = 64 };

/*
 * What is happening. Valid during the callback only. The lw_event_ functions take an event that a callback
 * was given, never NULL. Members may be added at the end.
 *
 * `place` numbers the instructions of a launch in the order in which they are first reached, from 0 on
 * without gaps, so that an observer can keep its data for each instruction in an array. A second launch
 * starts at 0 again, and calls `decoded` again before it uses a number.
 */
typedef struct lw_event {
    const char *kernel; /* "" for raw code */
    lw_arch arch;
    uint32_t workgroup[3];
    uint32_t wave;
    uint64_t pc;          /* device address */
    uint64_t code_offset; /* from the kernel's first byte */
    uint64_t exec;
    uint64_t number; /* instructions that this wave has executed before */
    const char *mnemonic;
    const lw_memory_access
        *accesses; /* `after` and `arrived`; in ascending lane order; dwordx2 and wider: one per lane */
    size_t access_count;
    const uint32_t *
        poison; /* what registers and LDS hold before they are written; NULL: raw code, where all are given */
    const struct lw_event_state *state;
    uint32_t lanes;        /* of the wave: 32 or 64 */
    uint32_t place;        /* of an instruction: its number */
    const lw_facts *facts; /* of an instruction; NULL for waves and barriers */
    /* Registers are addressed through an index, so the operands of this execution are not those that
     * `decoded` was given; `facts` are those of this execution. */
    bool moved;
} lw_event;

/* What `decoded` returns: the hooks that are called for the instruction. */
enum {
    LW_SEE_NOTHING = 0,
    LW_SEE_BEFORE = 1,
    LW_SEE_AFTER = 2,
    LW_SEE_ACCESSES = 4, /* `after` is given the accesses; `arrived` is called */
    LW_SEE_ALL = 7,
    /* Together with LW_SEE_ACCESSES, for observers that need less than the whole list, which then takes less
     * time. They are hints: if another observer of the launch wants the whole list, all are given it. */
    LW_SEE_RUNS = 8,  /* an access may stand for several lanes: lw_memory_access.more; otherwise it is 0 */
    LW_SEE_DONE = 16, /* accesses that are `late` may be left out */
    LW_SEE_ONCE = 64, /* of lanes that load the same bytes one after the other, the first may stand for all:
                       * lw_memory_access.again; otherwise it is 0 */
    /* Together with LW_SEE_ACCESSES: also accesses to shared memory of other blocks of the cluster. Where
     * another observer of the launch wants the list without them, they come last. */
    LW_SEE_CLUSTER = 32,
};

/* Every hook may be NULL. Only what an observer asks for is prepared: without `before` and `after` there is
 * no event for each instruction, without LW_SEE_ACCESSES no list of accesses. */
typedef struct lw_observer {
    size_t struct_size; /* sizeof(lw_observer) */
    void *context;
    void (*wave_begin)(void *context, const lw_event *event); /* pc: the first instruction */
    void (*wave_end)(void *context, const lw_event *event);
    void (*before)(void *context,
                   const lw_event *event);               /* registers still hold what the instruction reads */
    void (*after)(void *context, const lw_event *event); /* registers hold what it wrote */
    void (*barrier)(void *context, const lw_event *event); /* all waves have arrived; event of the last one */
    /* A copy to LDS has completed (lw_launch_options.async): the event of the instruction that issued it, at
     * a later time. Its `after` has listed the same accesses as `late`. Not called where copies complete when
     * they are issued. */
    void (*arrived)(void *context, const lw_event *event);
    /* Called once for each place of a launch, before it is executed for the first time. Returns which hooks
     * are called for it: LW_SEE_ values combined with |. NULL: every hook that is not NULL is called,
     * everywhere. */
    uint32_t (*decoded)(void *context, const lw_event *event);
} lw_observer;

/*
 * In `before`: the observer needs neither `after` nor accesses of this execution. They cost nothing if every
 * observer that asked for `after` says so; otherwise it is called nevertheless.
 */
LW_API void lw_event_decline(const lw_event *event);
/*
 * The source line of the instruction (lw_program_line). False where it is not known; *line is then empty,
 * with line 0.
 */
LW_API bool lw_event_line(const lw_event *event, lw_line *line);
/* Writes the instruction's text as llvm-objdump prints it; as snprintf does. */
LW_API size_t lw_event_text(const lw_event *event, char *text, size_t size);
/* The lanes of an operand of event->facts, one bit each; scalars: lane 0. */
LW_API uint64_t lw_event_lanes(const lw_event *event, const lw_fact_operand *operand);
/*
 * For instructions that move values between lanes: the lane whose value of the operand each lane receives;
 * 255: none, or one that cannot be told. Call it in `before`. False: each lane uses its own value, or the
 * lanes are not known.
 */
LW_API bool lw_event_lane_sources(const lw_event *event, const lw_fact_operand *operand,
                                  uint8_t from[LW_MAX_LANES]);
/* A register's value now; scalars ignore `lane`. 0 outside the wave's registers. */
LW_API uint32_t lw_event_value(const lw_event *event, lw_reg_file file, unsigned reg, unsigned lane);
/* The same for the first `count` lanes at once. */
LW_API void lw_event_values(const lw_event *event, lw_reg_file file, unsigned reg, uint32_t *values,
                            size_t count);
/* A register as assemblers write it: "v17", "a0", "vcc_lo", "ttmp3", "scc"; as snprintf does. */
LW_API size_t lw_event_register_name(const lw_event *event, lw_reg_file file, unsigned reg, char *text,
                                     size_t size);
/* false if the instruction is not a matrix instruction. */
LW_API bool lw_event_matrix(const lw_event *event, lw_matrix_event *matrix);
/*
 * The number of the register, in the operand's file, that has word `index` of an operand of a matrix
 * instruction. AMD's are adjacent: first + index. 0 where the instruction has no such register.
 */
LW_API unsigned lw_event_matrix_register(const lw_event *event, lw_operand operand, unsigned index);
/*
 * The same for everything that multiplies, whose operands are words of 32 bits that lw_event_product_word
 * reads in the first `count` lanes, wherever they are. A wgmma is here, for each warp, the product of eight
 * columns that `insn` names, repeated: the words of B and D are those of the first eight columns, then those
 * of the next ones; what is in shared memory is read as it is at that moment. C is left out there, since
 * an earlier wgmma may still have to write it. False where there is no such word.
 */
LW_API bool lw_event_product(const lw_event *event, lw_matrix_event *matrix);
LW_API bool lw_event_product_word(const lw_event *event, lw_operand operand, unsigned word, uint32_t *values,
                                  size_t count);
/* Where a word of lw_event_product_word is. */
typedef struct lw_product_place {
    bool shared; /* in shared memory; else in register `reg` of `file` */
    lw_reg_file file;
    uint32_t reg;
    uint32_t address[2][LW_MAX_LANES]; /* shared: the bytes of the low and of the high half of each lane's */
} lw_product_place;

/* C has the words of D, unless it is left out or a constant. A wgmma reads its operands when it is computed:
 * in `arrived` these are the places that it has read then, before that those that its registers name now.
 * False where there is no such word, and before the instruction is reached. */
LW_API bool lw_event_product_place(const lw_event *event, lw_operand operand, unsigned word,
                                   lw_product_place *place);
/* How many registers of a file the wave has. */
LW_API unsigned lw_event_register_count(const lw_event *event, lw_reg_file file);
/* VGPRs from this number on are AGPRs: v(n + i) is a(i). Where the two files are separate, it is the number
 * of VGPRs. */
LW_API unsigned lw_event_accum_offset(const lw_event *event);
/* May waves of the workgroup run on both compute units of a WGP, each with a first-level vector cache (L0) of
 * its own? Bit 29 of compute_pgm_rsrc1 in the kernel's descriptor (WGP mode; gfx11, gfx12). False elsewhere,
 * and for code without a descriptor. */
LW_API bool lw_event_splits_l0(const lw_event *event);
/* Bytes of LDS the workgroup has. */
LW_API uint32_t lw_event_lds_size(const lw_event *event);

/* A contiguous region of memory: an allocation, or the LDS of the event's workgroup. */
typedef struct lw_event_region {
    const char *name;     /* as the caller named it; "" without a name */
    uint64_t base, size;  /* of LDS: base 0 */
    uint64_t serial;      /* unique among the allocations of a memory; LDS: 0 */
    const uint8_t *bytes; /* the contents now */
} lw_event_region;

/* The region of an address, valid during the callback. False where there is none, and for scratch. */
LW_API bool lw_event_region_at(const lw_event *event, lw_space space, uint64_t address,
                               lw_event_region *region);

/* The workgroup that is block `rank` of the event's cluster. False: the cluster has no such block. */
LW_API bool lw_event_cluster_block(const lw_event *event, unsigned rank, uint32_t workgroup[3]);
/* The LDS of that block, as a region valid during the callback. */
LW_API bool lw_event_cluster_region(const lw_event *event, unsigned rank, lw_event_region *region);

/* An mbarrier (PTX), or a barrier in LDS (gfx1250), as it is now. */
typedef struct lw_event_object {
    uint32_t expected, pending; /* arrivals of a phase; those that the current phase still waits for */
    int32_t bytes;              /* that the current phase still waits for; negative: too many have come */
    bool phase;                 /* the parity of the current phase; 0 at the beginning */
} lw_event_object;

/* The mbarrier at a byte of the shared memory of the event's block. False where there is none; the barriers
 * of gfx1250 cannot be told from other words, so that any eight bytes of LDS are one. */
LW_API bool lw_event_object_at(const lw_event *event, uint64_t address, lw_event_object *object);
/* The same in the shared memory of block `rank` of the event's cluster. */
LW_API bool lw_event_cluster_object(const lw_event *event, unsigned rank, uint64_t address,
                                    lw_event_object *object);

/* A barrier of gfx1250 that counts signals, as it is now. */
typedef struct lw_event_barrier {
    unsigned members, arrived; /* signals that open it; those that have come since it last opened */
    unsigned joined;           /* the named barrier that the event's wave has joined; 0: none */
} lw_event_barrier;

/* The named barrier of that number, from 1 on, of the event's workgroup; 0: that of its cluster. False where
 * there is none. */
LW_API bool lw_event_barrier_at(const lw_event *event, unsigned number, lw_event_barrier *barrier);

/* ---- Trace: what ran, and what it changed ---- */

typedef struct lw_trace lw_trace;

typedef struct lw_trace_options {
    size_t struct_size; /* sizeof(lw_trace_options) */
    lw_sink sink; /* receives the text; a return value other than LW_OK ends the trace, not the launch */
    void *sink_context;
    const uint32_t *workgroup; /* three numbers: only this one; NULL: all */
    int wave;                  /* only this wave of a workgroup; -1: all */
    bool matrices;             /* show operands of matrix instructions as matrices */
    uint64_t limit;            /* stop after that many instructions; 0: never */
} lw_trace_options;

/* No sink, all workgroups and waves, matrices shown, no limit. */
LW_API lw_trace_options lw_trace_options_default(void);
LW_API lw_status lw_trace_create(const lw_trace_options *options, lw_trace **trace);
LW_API const lw_observer *lw_trace_observer(const lw_trace *trace);
LW_API void lw_trace_free(lw_trace *trace);

/* ---- Uninitialised reads ---- */

/*
 * Tracks which registers, lane by lane, and which bytes of LDS have been written. These reads are reported,
 * once for each instruction address: of a register, in an active lane, that was not written since the wave
 * began and is not part of the initial state (it holds the poison pattern); of an LDS byte that was never
 * written, or that is past the end of the workgroup's LDS. Registers are tracked byte by byte: the part of
 * its result that an instruction keeps (the other half, or the lanes that DPP gives no result) stays what it
 * was, and is reported when it is read. For readlane, writelane and LDS permutes, the lanes selected by data
 * are not tracked. A workgroup that waits for others is tracked until the next one begins. In raw code every
 * register and LDS byte counts as written.
 */
typedef struct lw_uninit lw_uninit;

typedef struct lw_uninit_report {
    uint64_t code_offset;
    const char *instruction; /* its text */
    uint32_t workgroup[3];   /* where it was first seen */
    uint32_t wave;
    int lane;         /* -1: scalar */
    const char *what; /* "v17", "s4", "a0", "vcc_lo", "LDS byte 0x120", "LDS byte 0x400, past the
                         workgroup's 1024 bytes" */
    uint64_t times;   /* wave instructions that did so at this address */
    lw_line source;   /* of the instruction; line 0 where it is not known */
} lw_uninit_report;

LW_API lw_status lw_uninit_create(lw_uninit **check);
LW_API const lw_observer *lw_uninit_observer(const lw_uninit *check);
LW_API size_t lw_uninit_count(const lw_uninit *check);
/* In ascending order of code_offset; NULL if `index` is not below the count. */
LW_API const lw_uninit_report *lw_uninit_at(const lw_uninit *check, size_t index);
LW_API void lw_uninit_free(lw_uninit *check);

/* ---- LDS bank conflicts ---- */

/*
 * Counts, for each LDS instruction, how many different dwords of one bank the lanes of one phase request.
 * Degree 1 is free of conflicts (a dword is broadcast to all lanes that request it), degree n takes n turns.
 * Banks and phases are those of lanewise/banks.h; where they are inferred, `assumed` says so. Accesses for
 * which there is no rule are not counted: lw_banks_uncounted tells how many there were.
 */
typedef struct lw_banks lw_banks;

typedef struct lw_banks_report {
    uint64_t code_offset;
    const char *instruction;
    uint64_t executed;   /* wave instructions */
    uint64_t phases;     /* phases with at least one active lane, summed */
    uint64_t turns;      /* turns they took: phases when free of conflicts */
    unsigned max_degree; /* the worst phase */
    bool assumed;        /* the phases or banks of this instruction are inferred */
    lw_line source;      /* of the instruction; line 0 where it is not known */
} lw_banks_report;

LW_API lw_status lw_banks_create(lw_banks **banks);
LW_API const lw_observer *lw_banks_observer(const lw_banks *banks);
LW_API size_t lw_banks_count(const lw_banks *banks);
/* In ascending order of code_offset; NULL if `index` is not below the count. */
LW_API const lw_banks_report *lw_banks_at(const lw_banks *banks, size_t index);
/* Wave instructions that accessed LDS and were not counted, because there is no rule for them on that target.
 */
LW_API uint64_t lw_banks_uncounted(const lw_banks *banks);

/* What would remove the conflicts of the requests that were seen. */
typedef struct lw_banks_repair {
    size_t requests;     /* that were tried: at most 32 of each instruction, 1024 in all */
    bool whole;          /* which are all that were counted */
    lw_bank_turns plain; /* of these */
    bool swizzled;       /* there is a swizzle with fewer turns: the one with the fewest turns, then the */
    uint8_t b, m, s;     /* fewest bits, then the shortest shift is Swizzle<b, m, s> of byte offsets in LDS */
    lw_bank_turns swizzle;
    bool padded; /* there is a padding with fewer turns: of those with the fewest, the smallest per row */
    uint32_t row, pad; /* `pad` bytes after each `row` bytes of LDS */
    lw_bank_turns padding;
} lw_banks_repair;

/*
 * Tries swizzles of up to five bits, which exchange whole accesses, and paddings of up to 256 bytes after
 * each 64, 128 .. 4096 bytes, on all LDS instructions at once, offsets counted from the start of LDS. Nothing
 * is tried where there is no conflict. The result is valid until the next call; NULL for NULL.
 */
LW_API const lw_banks_repair *lw_banks_find_repair(lw_banks *banks);

LW_API void lw_banks_free(lw_banks *banks);

/* ---- Coalescing ---- */

/*
 * Counts, for each instruction whose lanes access global memory, the aligned blocks of 32, 64 and 128 bytes
 * that its active lanes touch. `unit` is the one of them that memory is fetched in: 32 bytes on NVIDIA's GPUs
 * (sectors; CUDA C++ Programming Guide), 64 on gfx942 and gfx950 (AMD's documents), 128 on gfx1250, and where
 * `assumed`, 64 on gfx908 and gfx90a, 128 on gfx11 and gfx12. Caches are not modelled: a block counts again
 * for each wave instruction that touches it. Accesses without a lane (scalar loads, bulk copies) and dropped
 * ones are not counted.
 */
typedef struct lw_coalescing lw_coalescing;

enum { LW_COALESCING_SIZES = 3 };

typedef struct lw_coalescing_report {
    uint64_t code_offset;
    const char *instruction;
    uint64_t executed;                    /* wave instructions with an access */
    uint64_t bytes;                       /* distinct bytes that each requested, summed */
    uint64_t blocks[LW_COALESCING_SIZES]; /* of 32, 64 and 128 bytes that each touched, summed */
    uint64_t touched;                     /* those of `unit` bytes */
    uint64_t needed;     /* blocks of `unit` that as many consecutive bytes would take, summed */
    uint64_t misaligned; /* executions whose first byte is not at the start of a block */
    int64_t stride;      /* bytes from one lane to the next; 0 unless `strided` */
    uint32_t unit;       /* 32, 64 or 128 */
    bool strided;        /* every execution has the same distance between lanes */
    bool irregular;      /* one has not */
    bool assumed;        /* `unit` is inferred */
    lw_line source;      /* of the instruction; line 0 where it is not known */
} lw_coalescing_report;

LW_API lw_status lw_coalescing_create(lw_coalescing **coalescing);
LW_API const lw_observer *lw_coalescing_observer(const lw_coalescing *coalescing);
LW_API size_t lw_coalescing_count(const lw_coalescing *coalescing);
/* In ascending order of code_offset; NULL if `index` is not below the count. */
LW_API const lw_coalescing_report *lw_coalescing_at(const lw_coalescing *coalescing, size_t index);
LW_API void lw_coalescing_free(lw_coalescing *coalescing);

#ifdef __cplusplus
}
#endif

#endif
