/* SPDX-License-Identifier: MIT */
/*
 * What is known of an instruction before it runs: its class, its operands, the counters and caches it
 * affects. Observers are given these facts once for each place of a program (lanewise/observe.h) and need no
 * mnemonic, no encoding and no table of their own. Structures here may grow at their end; lw_facts begins
 * with its size.
 */
#ifndef LANEWISE_FACTS_H
#define LANEWISE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Registers ---- */

/* Values may be added at the end. Vector files have a value for each lane, all others one for the wave. */
typedef enum lw_reg_file {
    LW_FILE_VGPR,
    LW_FILE_AGPR,
    LW_FILE_SGPR,      /* s0 and on; the special ones are LW_FILE_NAMED */
    LW_FILE_TRAP,      /* ttmp0 and on */
    LW_FILE_NAMED,     /* lw_named */
    LW_FILE_PREDICATE, /* PTX: one bit for each lane */
    LW_FILE_COUNT,
} lw_reg_file;

/* Registers that have a name, whatever number a generation encodes them with. */
typedef enum lw_named {
    LW_NAMED_VCC_LO,
    LW_NAMED_VCC_HI,
    LW_NAMED_EXEC_LO,
    LW_NAMED_EXEC_HI,
    LW_NAMED_M0,
    LW_NAMED_SCC,
    LW_NAMED_MODE,
    LW_NAMED_COUNT,
} lw_named;

/* ---- Operands ---- */

typedef enum lw_role {
    LW_ROLE_SOURCE,
    LW_ROLE_RESULT,
    LW_ROLE_KEPT,    /* lanes or bytes of its result that the instruction keeps: count as read */
    LW_ROLE_ADDRESS, /* of memory: base, offset, resource */
    LW_ROLE_DATA,    /* what is stored to memory */
    LW_ROLE_MASK,    /* a bit for each lane */
    LW_ROLE_INDEX,   /* of a sparse matrix */
    LW_ROLE_SCALE,   /* of a matrix's blocks */
    LW_ROLE_IMPLIED, /* not named by an operand of the text: SCC, M0, MODE, EXEC as data, VCC */
} lw_role;

/* Which lanes of a register an operand uses. lw_event_lanes gives them for one execution. */
typedef enum lw_lanes {
    LW_LANES_SCALAR, /* one value for the wave */
    LW_LANES_ACTIVE,
    LW_LANES_ALL,  /* active or not */
    LW_LANES_ONE,  /* one, selected by data; lw_event_lanes gives all that it might be */
    LW_LANES_SOME, /* active ones, as modifiers select */
} lw_lanes;

/* Bits of lw_fact_operand.bytes_read and bytes_written. */
enum { LW_BYTES_ALL = 15 };

typedef struct lw_fact_operand {
    lw_role role;
    bool is_register; /* else it is `constant` */
    lw_reg_file file;
    uint16_t first, count;
    lw_lanes lanes;
    bool read, written; /* both: a tied result, or one that keeps bytes */
    uint8_t bytes_read; /* a bit for each byte of each register; all bytes where nothing says otherwise */
    uint8_t bytes_written;
    uint64_t constant; /* bits of an inline constant, a literal, an immediate */
} lw_fact_operand;

/* ---- Instructions ---- */

/* Values may be added at the end. */
typedef enum lw_class {
    LW_CLASS_OTHER, /* none of those below: s_nop, s_sleep, priorities */
    LW_CLASS_SCALAR,
    LW_CLASS_VECTOR, /* lane by lane, and between lanes without memory */
    LW_CLASS_MATRIX,
    LW_CLASS_SCALAR_MEMORY,
    LW_CLASS_GLOBAL,  /* buffers too */
    LW_CLASS_GENERIC, /* the address decides: global memory, LDS or scratch */
    LW_CLASS_SCRATCH,
    LW_CLASS_LDS,   /* also permutes of the LDS unit, which access no memory */
    LW_CLASS_CACHE, /* writes back or invalidates */
    LW_CLASS_BRANCH,
    LW_CLASS_BARRIER,
    LW_CLASS_WAIT,    /* for counters */
    LW_CLASS_MESSAGE, /* to the host or fixed functions */
    LW_CLASS_SYNC,    /* global data share, global wave sync */
    LW_CLASS_END,
} lw_class;

/* Counters of operations that have been issued and have not completed. Values may be added at the end. */
typedef enum lw_counter {
    LW_COUNTER_VM,   /* vector memory */
    LW_COUNTER_LGKM, /* LDS, scalar memory, messages */
    LW_COUNTER_EXP,
    LW_COUNTER_VS,     /* vector memory stores, where they have a counter of their own: gfx11, gfx12 */
    LW_COUNTER_KM,     /* scalar memory and messages, where LDS has a counter of its own: gfx12 */
    LW_COUNTER_ASYNC,  /* asynchronous copies between memory and LDS: gfx1250 */
    LW_COUNTER_TENSOR, /* copies of tiles of tensors: gfx1250 */
    LW_COUNTER_X,      /* translations of addresses of vector and scalar memory: gfx1250 */
    LW_COUNTER_COUNT,
} lw_counter;

/* How many counters lw_facts has room for, and how many it had at first. */
enum { LW_COUNTER_ROOM = 16, LW_COUNTER_FIRST = 3 };

typedef struct lw_fact_counter {
    uint8_t raises; /* by how much */
    int16_t awaits; /* the value that the instruction waits for, or less; -1: it does not wait for it */
} lw_fact_counter;

/*
 * Which rules of software wait states (AMD's ISA manuals, "Manually inserted wait states") apply to an
 * instruction, where its operands do not show it. Operands show: scalar registers that a vector
 * instruction writes; EXEC; lane masks (LW_ROLE_MASK); M0 that is read late (LW_ROLE_IMPLIED); results of
 * which only some bytes are written; DPP's sources (LW_LANES_SOME). Values may be added at the end.
 */
typedef enum lw_hazard_class {
    LW_HAZARD_OTHER,
    LW_HAZARD_SALU,
    LW_HAZARD_SETREG,
    LW_HAZARD_GETREG,
    LW_HAZARD_RFE,    /* returns from an exception */
    LW_HAZARD_SMEM,   /* scalar memory */
    LW_HAZARD_MEMORY, /* vector memory and LDS */
    LW_HAZARD_VALU,
    LW_HAZARD_TRANS,    /* transcendental */
    LW_HAZARD_DOT,      /* dot products that are not matrix instructions */
    LW_HAZARD_FMA64,    /* v_fma_f64, v_fmac_f64 */
    LW_HAZARD_DIV_FMAS, /* reads VCC as a mask late */
    LW_HAZARD_LANE,     /* v_readlane, v_readfirstlane, v_writelane */
    LW_HAZARD_LANE_SWAP,
    LW_HAZARD_ACC_READ, /* moves from and to accumulation registers */
    LW_HAZARD_ACC_WRITE,
    LW_HAZARD_XDL, /* matrix instructions, except the next two */
    LW_HAZARD_SGEMM,
    LW_HAZARD_DGEMM,
    LW_HAZARD_WMMA,     /* RDNA's matrix instructions */
    LW_HAZARD_PERMLANE, /* RDNA's v_permlane16 and similar instructions */
    LW_HAZARD_WAIT_ALU, /* waits for results of vector and scalar instructions: s_waitcnt_depctr */
} lw_hazard_class;

/* The scope in which an access or a cache operation is ordered, as far as the encoding shows it (LLVM
 * AMDGPUUsage, "Memory Model"). */
typedef enum lw_scope {
    LW_SCOPE_WAVE,
    LW_SCOPE_WORKGROUP,
    LW_SCOPE_DEVICE,
    LW_SCOPE_SYSTEM,
} lw_scope;

typedef enum lw_memory_order {
    LW_ORDER_NONE,
    LW_ORDER_ACQUIRE, /* invalidates caches */
    LW_ORDER_RELEASE, /* writes them back */
    LW_ORDER_BOTH,
} lw_memory_order;

/* Synchronisation of the threads of a warp, a block or a cluster (PTX ISA). AMD's is given by lw_class, but
 * for s_barrier_signal, which is LW_SYNC_ARRIVE, and the further barriers of gfx1250. */
typedef enum lw_sync {
    LW_SYNC_NONE,
    LW_SYNC_BARRIER, /* of the block: waits for the others */
    LW_SYNC_ARRIVE,  /* of the block: does not wait */
    LW_SYNC_WARP,    /* bar.warp.sync */
    LW_SYNC_FENCE,   /* of the generic proxy, and membar; with LW_COMPLETION_OBJECT: fence.mbarrier_init */
    LW_SYNC_CLUSTER, /* of the cluster: lw_facts.step says whether it arrives or waits */
    LW_SYNC_OBJECT,  /* mbarrier; AMD: arrivals at a barrier in LDS */
    LW_SYNC_COPY,    /* asynchronous copies, and what waits for them */
    LW_SYNC_MATRIX,  /* asynchronous matrix instructions */
    LW_SYNC_PROXY,   /* fence.proxy.async, unless for global memory only */
    LW_SYNC_NAMED,   /* gfx1250: a named barrier. lw_facts.step: arrives, waits; begins, joins or leaves it */
} lw_sync;

/* What an instruction of LW_SYNC_OBJECT, LW_SYNC_COPY, LW_SYNC_MATRIX, LW_SYNC_CLUSTER or LW_SYNC_NAMED does.
 * Values may be added at the end. */
typedef enum lw_async_step {
    /* prefetches, wgmma.fence, the begin, the end and the expected bytes of an mbarrier, s_barrier_init and
     * the like */
    LW_ASYNC_OTHER,
    LW_ASYNC_ISSUES,  /* its accesses happen later */
    LW_ASYNC_COMMITS, /* what was issued is a group */
    /* Until at most lw_facts.immediate groups are pending; without has_immediate, until nothing is, or an
     * mbarrier's phase has ended, as the result says. */
    LW_ASYNC_WAITS,
    LW_ASYNC_ARRIVES, /* at a barrier; of LW_COMPLETION_GROUP: when the thread's copies have completed */
} lw_async_step;

/* What shows that asynchronous operations have completed. */
typedef enum lw_completion {
    LW_COMPLETION_NONE,
    LW_COMPLETION_GROUP,      /* cp.async.wait_group */
    LW_COMPLETION_BULK_GROUP, /* cp.async.bulk.wait_group */
    LW_COMPLETION_MATRIX,     /* wgmma.wait_group */
    LW_COMPLETION_OBJECT,     /* an mbarrier */
} lw_completion;

/* How the result of an instruction without memory depends on its sources. Values may be added at the end. */
typedef enum lw_flow {
    LW_FLOW_COMPUTES, /* every bit on every bit, as far as is known */
    LW_FLOW_COPIES,   /* register i of the result is register i of the source, unchanged */
    LW_FLOW_SELECTS,  /* it is one of the sources, unchanged, as a mask or SCC says */
    LW_FLOW_BITS,     /* each bit on the same bit of the sources */
    LW_FLOW_BYTES,  /* each byte is the byte of the first two sources that a byte of the third one selects: 0
                       to 3 of the second, 4 to 7 of the first; others are not copies */
    LW_FLOW_HALVES, /* each half of the result on the same half of the sources */
    LW_FLOW_PACKS,  /* the low half on the first source, the high half on the second */
    LW_FLOW_PARTS, /* the results are the sources, one after the other, unchanged; all of one side are equally
                      wide */
    LW_FLOW_LEFT,  /* source `shifted` moved towards high bits, by what the other source says; zeros follow. A
                      third source: each bit also on the same bit of that */
    LW_FLOW_RIGHT, /* the same towards low bits */
    LW_FLOW_CARRIES, /* each bit on the same bits of the sources and lower ones: sums, low halves of products;
                        results that are masks or flags, on all */
    LW_FLOW_LANES,   /* every lane's result on the sources of several lanes: lw_event_lane_sources */
} lw_flow;

/* The format of the numbers in a vector instruction's registers, if it computes with floating-point numbers.
 * Values may be added at the end. */
typedef enum lw_number {
    LW_NUMBER_NONE, /* integers, bits, or not known */
    LW_NUMBER_F16,
    LW_NUMBER_BF16,
    LW_NUMBER_F32,
    LW_NUMBER_F64,
    LW_NUMBER_F16X2, /* two in a register */
    LW_NUMBER_BF16X2,
    LW_NUMBER_F32X2, /* in two registers */
    /* Two in the low bits of a register, each in a byte but e2m1; results of conversions. */
    LW_NUMBER_E4M3X2,
    LW_NUMBER_E5M2X2,
    LW_NUMBER_E2M3X2,
    LW_NUMBER_E3M2X2,
    LW_NUMBER_E2M1X2,
    /* Side by side from the first byte of the result that is written: lw_facts.narrows of them. */
    LW_NUMBER_E4M3,
    LW_NUMBER_E4M3_FNUZ,
    LW_NUMBER_E5M2,
    LW_NUMBER_E5M2_FNUZ,
    LW_NUMBER_E2M3,
    LW_NUMBER_E3M2,
    LW_NUMBER_E2M1,
} lw_number;

typedef struct lw_fact_memory {
    bool load, store; /* both: atomic */
    bool returns;     /* an atomic's old value goes to a register */
    bool to_lds;      /* the loaded data go to LDS; of a store: the stored data come from there */
    bool buffer;      /* through a buffer resource, which bounds it */
    bool transposes;  /* lanes get elements that other lanes requested */
    bool nontemporal;
    /* Addresses for each lane: 1 or 2; 0: without memory, or if one address stands for a matrix whose
     * elements lie with all lanes (wmma.load, wmma.store). */
    uint8_t requests;
    uint16_t bytes;   /* of one request of one lane, or of a scalar access */
    uint8_t exchange; /* `transposes`: lanes of a group, from a multiple of it on, that exchange elements */
    lw_scope scope;
    lw_memory_order order; /* LW_CLASS_CACHE; PTX: of the access or the fence */
    int64_t
        offset; /* the immediate offset in bytes; where there are two requests, the first offset as encoded */
} lw_fact_memory;

typedef struct lw_facts {
    size_t struct_size; /* bytes that are filled in */
    lw_class kind;
    const lw_fact_operand
        *operands; /* the result first, then sources as they are written, then what is implied */
    size_t operand_count;
    lw_fact_memory memory; /* classes that access memory, and LW_CLASS_CACHE */
    /*
     * The first counters; `counters` has them all: by how much the instruction raises each, and the value of
     * each that it waits for; -1: it does not wait for it.
     */
    uint8_t raises[LW_COUNTER_FIRST];
    int16_t awaits[LW_COUNTER_FIRST];
    int barrier; /* LW_CLASS_BARRIER, LW_SYNC_NAMED: its number in the workgroup; in M0, or no barrier: -1 */
    bool conditional; /* LW_CLASS_BRANCH */
    bool has_target;  /* the branch's target is known: `target` */
    uint64_t target;  /* device address */
    bool has_immediate;
    int64_t immediate; /* the 16 bits of a scalar instruction, as encoded; LW_ASYNC_WAITS: groups */
    unsigned passes;   /* LW_CLASS_MATRIX: of four cycles each; 0: not published */
    /*
     * By lw_counter. LLVM 22 (SIInsertWaitcnts), AMD CDNA3 and RDNA3 ISA manuals. Where the increment of a
     * counter is not documented, the least possible one: 1 for scalar stores, scalar atomics and scalar cache
     * operations.
     */
    lw_fact_counter counters[LW_COUNTER_ROOM];
    lw_hazard_class hazard;
    uint32_t opcode;     /* equal for two instructions of one name, else different */
    uint8_t wait_states; /* how many it counts as between two others: 1; s_nop n: n + 1; 0: the machine has
                            none */
    /* The result goes to a part of its register that modifiers select: SDWA's dst_sel, op_sel's upper half, a
     * byte that is not the lowest. */
    bool part_result;
    lw_sync sync;
    lw_flow flow;
    lw_number number, source_number; /* of the result; of the first source */
    /* LW_FLOW_BITS: the result for each combination of source bits. Bit i of it is for the bits of the first
     * three sources that are bits 0, 1 and 2 of i. */
    uint8_t truth;
    uint8_t shifted; /* LW_FLOW_LEFT and LW_FLOW_RIGHT: 0 the first source, 1 the second */
    /* LW_SYNC_OBJECT, LW_SYNC_COPY, LW_SYNC_MATRIX, LW_SYNC_CLUSTER, LW_SYNC_NAMED */
    lw_async_step step;
    lw_completion completion;
    bool async_proxy; /* LW_ASYNC_ISSUES: its accesses are of the async proxy */
    bool source_only; /* LW_ASYNC_WAITS: until the sources have been read */
    uint8_t narrows;  /* AMD's conversions to 8 bits and fewer: how many numbers; 0: it is none */
    bool scaled;      /* they are divided by a power of two, the exponent of an f32 that is the last source */
    bool random;      /* they are rounded by random bits, the second source */
    /*
     * gfx1250, LW_CLASS_MATRIX: how many vector instructions stand at least between it and another one that
     * reads the result as A, B or the index; a vector instruction that uses the result, or overwrites A, B or
     * the index, needs one less. `strict` is LLVM 22's distance, the other one that of AMD's branch after
     * July 2026, where it is less. 0 elsewhere.
     */
    uint8_t distance, distance_strict;
    bool dual;            /* VOPD: two instructions in one */
    uint8_t scratch_base; /* gfx12: it reads src_flat_scratch_base_lo (bit 0), _hi (bit 1) */
} lw_facts;

#ifdef __cplusplus
}
#endif

#endif
