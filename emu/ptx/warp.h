/* SPDX-License-Identifier: MIT */
/* NVIDIA's warps: their state, and instructions of a module ready to run. */
#ifndef LW_EMU_PTX_WARP_H
#define LW_EMU_PTX_WARP_H

#include <string.h>

#include "emu/device/session.h"
#include "emu/device/watch.h"
#include "emu/fast/panel.h"
#include "emu/num/fp.h"
#include "loaders/program.h"
#include "loaders/ptx/module.h"

enum {
    LW_PTX_LANES = 32,
    LW_PTX_MOST_ELEMENTS = 9, /* results or sources of one instruction */
    LW_PTX_MOST_SOURCES = 4,  /* sources of a lw_ptx_lane */
    LW_PTX_MOST_BLOCK = 1024,
    LW_PTX_MOST_COMMITS = 64,
};

/*
 * Registers are rows of 32 lanes: row r of lane l is rows[r * 32 + l]. A 64-bit register takes two rows, the
 * low half first. A predicate is a mask of lanes. Every function has its own rows (lw_ptx_placed); a lane
 * that calls a function which it is already in saves the old values on its stack. Lanes have their own
 * program counters (instruction numbers); `active` lanes are at head.pc, and their lane_pc is not kept up to
 * date.
 */
typedef struct lw_ptx_warp {
    lw_wave_head head;
    uint32_t *rows, *predicates;
    uint32_t *stack;  /* stack_words of each lane, lane after lane; see calls.c */
    uint8_t *local;   /* local_size bytes of each lane, lane after lane */
    uint32_t *owners; /* of each row, in launches that can have any: see wgmma_owned.c */
    /* when parked lanes have their turn */
    uint32_t turns;       /* backward branches since lanes were last parked, while others could run */
    uint32_t parked_left; /* instructions until the parked ones may run again */
    /* from here to `seen`: everything else that determines what the warp does next */
    uint32_t lane_pc[LW_PTX_LANES];
    uint32_t frame[LW_PTX_LANES];     /* where the lane's frame begins in its local memory */
    uint32_t stack_top[LW_PTX_LANES]; /* words used */
    uint16_t depth[LW_PTX_LANES];     /* of calls */
    uint32_t live;                    /* lanes that have not ended */
    uint32_t active;                  /* of these, the lanes that run */
    uint32_t blocked;                 /* wait at a barrier */
    uint32_t waiting;                 /* wait at lane_pc for other lanes of the warp */
    uint32_t parked;                  /* gave way to others, see control.c */
    uint32_t carry;                   /* the carry flag, one bit per lane */
    uint32_t barrier, expected;       /* where the blocked lanes wait */
    uint32_t barrier_pc;
    uint64_t commit_count;                 /* groups of cp.async committed so far; see copies.c */
    uint64_t commits[LW_PTX_MOST_COMMITS]; /* copies issued before each commit */
    uint64_t bulk_issued, bulk_count;      /* bulk copies that belong to groups; groups of them */
    uint64_t bulk_commits[LW_PTX_MOST_COMMITS];
    uint64_t wgmma_count; /* groups of wgmma */
    uint64_t wgmma_commits[LW_PTX_MOST_COMMITS];
    uint32_t wgmma_last, wgmma_done; /* groups, counted from 1: of the last wgmma, and the last waited for */
    bool owned;                      /* some registers belong to a wgmma; see wgmma_owned.c */
    uint32_t bulk_lanes;             /* lanes that have issued such copies */
    uint32_t cluster_lanes; /* lanes that have arrived at the cluster's barrier and do not wait yet */
    uint16_t cluster_turn;  /* how often that barrier had opened at that time */
    bool seen;              /* observers are being told about an instruction */
    uint32_t seen_lanes;    /* the lanes that execute it */
    uint32_t executing;     /* lanes of the current instruction, after its guard */
} lw_ptx_warp;

/* Addresses of shared memory: bits 31 to 24 are the rank of the block in its cluster. */
enum { LW_PTX_RANK_AT = 24 };

/* Where the generic window of kernel parameters begins. */
#define LW_PTX_APERTURE_PARAM UINT64_C(0x3000000000000)

/* What a launch has in addition to its session. */
typedef struct lw_ptx_launch {
    const lw_ptx_module *module;
    const lw_ptx_function *function;
    uint8_t *params;           /* function->param_size bytes */
    uint32_t rows, predicates; /* of the kernel and all functions that it may call */
    uint32_t stack_words;      /* per lane */
    uint32_t dynamic_shared;   /* bytes */
    bool owns;                 /* registers may belong to a wgmma */
    bool in_clusters;          /* the kernel or the launch says how many blocks they have */
    struct lw_mma_set *matrices;
} lw_ptx_launch;

typedef enum lw_ptx_step {
    LW_PTX_STEP_NEXT,
    LW_PTX_STEP_JUMPED,  /* head.pc and active are set */
    LW_PTX_STEP_BARRIER, /* all lanes wait; head.pc is set */
    LW_PTX_STEP_YIELD,   /* executed, but must be repeated: other warps have their turn */
    LW_PTX_STEP_WAIT,    /* copies below head.wait_limit must arrive; pc is past the instruction */
    LW_PTX_STEP_END,
    LW_PTX_STEP_FAULT,
    LW_PTX_STEP_LOST, /* a fault that has been located */
} lw_ptx_step;

typedef enum lw_ptx_source_kind {
    LW_PTX_SOURCE_CONSTANT,
    LW_PTX_SOURCE_REGISTER,
    LW_PTX_SOURCE_PREDICATE,
    LW_PTX_SOURCE_SPECIAL,
    LW_PTX_SOURCE_FRAME,   /* the address of an object in the lane's frame of local memory */
    LW_PTX_SOURCE_SHARED,  /* of an object in the block's shared memory; the block's rank is in bits 31 to 24
                            */
    LW_PTX_SOURCE_NOWHERE, /* _ */
} lw_ptx_source_kind;

typedef struct lw_ptx_source {
    uint8_t kind; /* lw_ptx_source_kind */
    uint8_t bits; /* of the register */
    uint8_t want; /* bits that the instruction uses */
    uint8_t part;
    uint8_t member;
    bool is_signed; /* how these are extended */
    bool negated;
    uint32_t slot; /* first row, predicate, or lw_ptx_special */
    uint64_t value;
} lw_ptx_source;

struct lw_ptx_record;
struct lw_ptx_placed;
struct lw_ptx_decoding;
typedef lw_ptx_step lw_ptx_exec(lw_ptx_warp *w, const struct lw_ptx_record *r, uint32_t lanes);
/* One lane's result from its sources, each extended to 64 bits according to its type. */
typedef uint64_t lw_ptx_lane(const struct lw_ptx_record *r, const uint64_t *in);
/* What the lanes of `members` do together; lane i executes of[i]. False after a fault, which has been
 * reported. */
typedef bool lw_ptx_together(lw_ptx_warp *w, const struct lw_ptx_record *const *of, uint32_t members);
/* What is decoded in addition to operands. */
typedef bool lw_ptx_prepare_record(struct lw_ptx_decoding *d, struct lw_ptx_record *r);

typedef struct lw_ptx_handler {
    lw_ptx_exec *exec;
    lw_ptx_lane *lane;              /* for lw_ptx_compute and others that loop over lanes */
    lw_ptx_together *together;      /* for lw_ptx_meet */
    lw_ptx_prepare_record *prepare; /* NULL: nothing */
} lw_ptx_handler;

/* What the loop and the fast forms use of an instruction, one cache line. */
typedef struct lw_ptx_hot {
    lw_ptx_exec *exec;     /* a fast form, or the handler's */
    uint32_t guard, flip;  /* the guard's predicate or LW_PTX_NONE, and the bits to flip in it */
    uint32_t dst;          /* where the result's row begins in `rows` */
    uint32_t at[3], up[3]; /* the same for sources; constants: the lower and upper word */
    uint32_t inverted;     /* comparisons: all ones if the answer is the opposite */
    uint8_t constant;      /* bit i: source i is a constant */
    uint8_t relation;      /* what a comparison tests */
    bool together;         /* the results' rows follow each other */
    bool ends;             /* the last instruction of its function */
    bool whole;            /* lanes do it together, and its members are all 32 */
} lw_ptx_hot;

/* A decoded instruction. */
typedef struct lw_ptx_record {
    lw_ptx_hot hot;
    const lw_ptx_insn *insn;
    const lw_ptx_handler *handler;
    lw_ptx_source dst[LW_PTX_MOST_ELEMENTS], src[LW_PTX_MOST_ELEMENTS];
    lw_ptx_source address, from, third; /* in memory; `from` is the second address of a copy */
    uint8_t dst_count, src_count;
    uint8_t type, src_type;     /* lw_ptx_type of the result and of the sources */
    uint8_t dst_bits, src_bits; /* of each number in them */
    uint8_t dst_whole;          /* bits of the result */
    uint8_t parts;              /* two numbers in a packed type, otherwise one */
    bool dst_signed, src_signed;
    bool sat, relu;
    bool aligned;            /* all lanes of the warp must execute it together */
    bool ends;               /* the last one of its function */
    bool to_end;             /* its target is after the last one */
    uint8_t word;            /* lw_ptx_word_id of its comparison, half and the like */
    uint8_t boolean;         /* the word that combines a comparison with a predicate */
    uint8_t space;           /* the word of its space of memory */
    uint8_t round;           /* for integers: lw_fp_rounding */
    lw_ptx_group_set groups; /* groups of all its words */
    lw_fp_env env;
    const lw_format *fmt, *src_fmt;             /* for floating-point numbers */
    uint64_t offset, from_offset, third_offset; /* memory: added to the address */
    uint32_t target;                            /* the instruction that a branch goes to */
    uint32_t guard;                             /* predicate; LW_PTX_NONE: always executes */
    const lw_ptx_function *function;
    void *extra; /* the handler's; never changed after decoding */
    void (*extra_free)(void *extra);
} lw_ptx_record;

/* Indexed by lw_ptx_op_id. */
extern const lw_ptx_handler *const lw_ptx_handlers[LW_PTX_OP_COUNT];

static inline bool lw_ptx_has(const lw_ptx_record *r, lw_ptx_group group)
{
    return (r->groups & LW_PTX_GROUP_BIT(group)) != 0;
}

/* Does a mask operand name the lanes that execute it together? Otherwise it needs all 32. */
static inline bool lw_ptx_takes_mask(const lw_ptx_record *r)
{
    return strchr(r->insn->op->operands, 'n') == NULL;
}

static inline lw_ptx_warp *lw_ptx_warp_of(lw_wave_head *head)
{
    return (lw_ptx_warp *)(void *)head;
}

static inline const lw_ptx_warp *lw_ptx_const_warp(const lw_wave_head *head)
{
    return (const lw_ptx_warp *)(const void *)head;
}

static inline uint64_t lw_ptx_mask(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* The low `bits` of a value, sign- or zero-extended. */
static inline uint64_t lw_ptx_extend(uint64_t v, unsigned bits, bool is_signed)
{
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    v &= lw_ptx_mask(bits);
    return is_signed && bits < 64 ? (v ^ sign) - sign : v;
}

/* ---- state.c ---- */

/* Extended to 64 bits from the bits that the instruction uses. */
uint64_t lw_ptx_get(const lw_ptx_warp *w, const lw_ptx_source *s, unsigned lane);
void lw_ptx_put(lw_ptx_warp *w, const lw_ptx_source *d, unsigned lane, uint64_t value);
/* Is it certainly the same in all 32 lanes? */
bool lw_ptx_is_uniform(const lw_ptx_warp *w, const lw_ptx_source *s);
uint64_t lw_ptx_special_value(const lw_ptx_warp *w, const lw_ptx_source *s, unsigned lane);

/* ---- decode.c ---- */

/* The record of an instruction. NULL after a fault, which has been reported. */
const lw_ptx_record *lw_ptx_fetch(lw_worker *worker, lw_ptx_warp *w);
void lw_ptx_records_free(struct lw_ptx_placed *own);
static inline void lw_ptx_extra_free(lw_ptx_record *r)
{
    if (r->extra)
        r->extra_free(r->extra);
    r->extra = NULL;
}

/* ---- control.c ---- */

/* Chooses the lanes that run next; called after lane_pc, live or blocked changed. */
lw_ptx_step lw_ptx_choose(lw_ptx_warp *w);
/* The active lanes continue at head.pc. Lets lanes that wait there join them, or runs lanes at a lower pc
 * first. Called only when lanes have diverged. */
void lw_ptx_rejoin(lw_ptx_warp *w);
/* All lanes that waited have passed the barrier. */
void lw_ptx_release(lw_ptx_warp *w);
/* Records that these lanes are at `pc`. */
void lw_ptx_stand(lw_ptx_warp *w, uint32_t lanes, uint32_t pc);
uint32_t lw_ptx_here(const lw_ptx_warp *w);

/* ---- meet.c: lanes that do something together ---- */

lw_ptx_exec lw_ptx_meet;
/* Continues the waiting lanes whose partners have arrived or ended. False after a fault, which has been
 * reported. */
bool lw_ptx_settle(lw_ptx_warp *w);
/* No lane can continue: reports what each waits for. */
void lw_ptx_say_stuck(lw_ptx_warp *w);

/* ---- calls.c ---- */

/* The lanes return, end, or run off the end of their function. */
lw_ptx_step lw_ptx_return(lw_ptx_warp *w, uint32_t lanes);
/* Words of stack per lane that a kernel needs; local memory for the frames of all functions that it may
 * call. */
uint32_t lw_ptx_stack_words(const lw_ptx_module *m, const lw_ptx_function *kernel);
uint64_t lw_ptx_frames(const lw_ptx_module *m, const lw_ptx_function *kernel);

/* ---- memory.c ---- */

/* The same place in the shared memory of the block with that rank. */
static inline uint32_t lw_ptx_in_rank(uint64_t address, uint32_t rank)
{
    return ((uint32_t)address & 0xffffffu) | rank << LW_PTX_RANK_AT;
}

/* A lane's access to `size` bytes: their address on the host. NULL after a fault, which has been reported. */
uint8_t *lw_ptx_reach(lw_ptx_warp *w, unsigned lane, uint8_t space, uint64_t address, uint32_t size,
                      bool store);
uint64_t lw_ptx_address(const lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane);

/* ---- shapes ---- */

lw_ptx_exec lw_ptx_compute; /* computes each lane's result with handler->lane */

/* ---- wgmma_owned.c ---- */

/* Words of `rows`, and of `predicates` and `owners` behind them. */
size_t lw_ptx_row_words(const lw_ptx_launch *l);
/* A row belongs to the wgmma at head.pc, in the group that is committed next. */
void lw_ptx_own(lw_ptx_warp *w, uint32_t slot);
/* All but the last `left` groups have been waited for. */
void lw_ptx_disown(lw_ptx_warp *w, uint64_t left);
/* May the instruction access its registers? Otherwise a fault has been reported. Only asked if `owned`. */
bool lw_ptx_registers_are_free(lw_ptx_warp *w, const lw_ptx_record *r);

/* ---- mbarrier.c ---- */

/* Bytes have arrived, or `arrive` of the arrivals that the barrier counts. False after a fault, which has
 * been reported. */
bool lw_ptx_mbarrier_report(lw_ptx_warp *w, unsigned lane, uint32_t address, uint64_t bytes, uint32_t arrive);

/* ---- copies.c ---- */

bool lw_ptx_arrive(lw_wave_head *head, const lw_copy *copy);

/* ---- heap.c: malloc and free of kernels ---- */

/* Allocates the heap, once per module that names malloc. */
lw_status lw_ptx_heap_open(lw_module *module, lw_error *error);
/* The address of `size` bytes; 0 if there is no room. False after a fault, which has been reported. */
bool lw_ptx_heap_take(lw_ptx_warp *w, unsigned lane, uint64_t size, uint64_t *address);
bool lw_ptx_heap_give(lw_ptx_warp *w, unsigned lane, uint64_t address);
/* May the lane access these bytes of the heap? Otherwise a fault has been reported. */
bool lw_ptx_heap_allows(lw_ptx_warp *w, unsigned lane, uint64_t address, uint32_t size, bool store);

/* ---- module.c, launch.c ---- */

/* The data of a placed module. */
typedef struct lw_ptx_placed {
    struct lw_ptx_chunk *chunks; /* of records */
    uint64_t *addresses;         /* of variables in global memory */
    uint32_t *rows, *predicates; /* where a function's rows and predicates begin */
    uint32_t all_rows, all_predicates;
    uint64_t consts, consts_size; /* constant memory */
    uint64_t heap;                /* the address of malloc's memory; 0: not allocated yet */
    uint64_t barrier;             /* of the grid: the address of its workspace; 0: not allocated yet */
    bool has_wgmma;
    bool has_barrier;                /* some instruction names the registers that hold that address */
    struct lw_mma_key *keys;         /* matrix instructions with their modifiers */
    struct lw_mma_set *sets;         /* prepared ones, for each choice of readings */
    const lw_ptx_function **defined; /* in the order of their first instructions */
    size_t defined_count;
    lw_fast_isa isa; /* the host's instruction set, which fast forms may use */
} lw_ptx_placed;

lw_status lw_ptx_open(lw_module *module, lw_error *error);
void lw_ptx_close(lw_module *module);
lw_status lw_ptx_symbol(const lw_module *module, const char *name, uint64_t *address, uint64_t *size);
lw_status lw_ptx_prepare(struct lw_session *session, const lw_launch_options *options, lw_error *error);
void lw_ptx_leave(struct lw_session *session);
const lw_ptx_insn *lw_ptx_insn_of(const lw_module *module, uint64_t pc);

lw_run_end lw_ptx_run(lw_worker *worker, lw_wave_head *head, uint64_t quantum);

/* ---- machine.c ---- */

/* The name in a function for a row of its frame; its size. */
size_t lw_ptx_register_name(const lw_module *module, const lw_ptx_function *f, lw_reg_file file, unsigned reg,
                            char *out, size_t size);

/* ---- facts.c ---- */

lw_facts lw_ptx_facts(lw_arch arch, const void *record, uint64_t pc, lw_fact_operand *operands);

extern const lw_machine lw_ptx_machine;

#endif
