/* SPDX-License-Identifier: MIT */
/*
 * Where bytes that a launch has stored come from: the store, the instructions that computed the value, the
 * elements of matrices, and the bytes of arrays that they were loaded from.
 *
 * lw_why_find runs the launch, and then the workgroup that stored the bytes once more, alone, while it notes
 * what each instruction reads and writes. Where that workgroup has read what another one of the same launch
 * had written, all workgroups are run and noted. From the last store it then goes back in time.
 *
 * The answer is a graph. A node is what one instruction put into one register of one lane, or into four bytes
 * of memory; an element of D of a matrix instruction; or a place where the way back ends. An edge leads from
 * a node to one of those that it was made of. Node 0 is the bytes that were asked for. Nodes are numbered
 * against time: an edge leads to a higher number.
 *
 * Values are followed, addresses and conditions are not: of a load the bytes that it read, of a select both
 * values. Between lanes (DPP, permutes, swizzles), every lane that the instruction may have read counts, and
 * of an instruction that is no plain copy every byte of its sources. What comes from memory is exact to the
 * byte, and what goes through a matrix instruction to the element. Of a sparse A, all of B's column counts.
 */
#ifndef LANEWISE_WHY_H
#define LANEWISE_WHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/export.h>
#include <lanewise/facts.h>
#include <lanewise/insn.h>
#include <lanewise/launch.h>
#include <lanewise/observe.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Values may be added at the end. */
typedef enum lw_why_kind {
    LW_WHY_ASKED,     /* node 0 */
    LW_WHY_INPUT,     /* bytes of memory as they were before the launch */
    LW_WHY_GIVEN,     /* a register that the launch sets: work-item, workgroup, address of the arguments */
    LW_WHY_UNWRITTEN, /* a register, or a byte of LDS or scratch, that was never written */
    LW_WHY_STORE,     /* four bytes of memory, from a register */
    LW_WHY_ATOMIC,    /* the same, from a register and what was there before */
    LW_WHY_COPY,      /* bytes of LDS that a load to LDS put there */
    LW_WHY_LOAD,      /* a register, from memory */
    LW_WHY_MATRIX,    /* an element of D */
    LW_WHY_COMPUTED,  /* a register, from registers and constants */
} lw_why_kind;

LW_API const char *lw_why_kind_name(lw_why_kind kind); /* "asked", "input"; "" out of range */

typedef struct lw_why_node {
    lw_why_kind kind;
    bool exact; /* its bytes are copies of bytes of its sources, as the edges say */

    /* The instruction; "" and 0 where the kind has none. */
    const char *instruction;
    uint64_t code_offset;
    const lw_line *source; /* NULL where it is not known */
    uint64_t number;       /* of the instructions that the run executed, from 0; UINT64_MAX: none */
    uint32_t workgroup[3], wave;
    int lane; /* -1: scalar; of a matrix the lane that has the element */

    /* What is written: a register, or memory. */
    const char *reg; /* "v17"; "" for memory */
    uint32_t value;  /* the register after the instruction; of memory INPUT only: what was there */
    lw_space space;
    uint64_t address;     /* a multiple of 4, from which bytes are counted; ASKED: of the first byte */
    uint32_t size;        /* 4; ASKED: how many bytes */
    const char *region;   /* name of the allocation; "" for LDS and scratch */
    uint64_t region_base; /* address - region_base: offset in it */

    /* LW_WHY_MATRIX */
    const lw_insn *insn;
    const lw_mods *mods;
    uint16_t block, row, col;
    uint8_t lsb, bits; /* of the element, from bit 0 of `reg` */
    bool constant_c;   /* C is the constant `c` */
    uint64_t c;
} lw_why_node;

typedef struct lw_why_edge {
    uint32_t from, to; /* nodes */
    lw_role role;      /* LW_ROLE_SOURCE, LW_ROLE_DATA, ..; of memory LW_ROLE_DATA */
    /* Exact nodes: byte b of `from`, for each bit b of `bytes`, is byte b + shift of `to`. Else: the bytes of
     * `to` that count. */
    uint8_t bytes;
    int8_t shift;

    /* Of a matrix: the element of that operand, of which bits from `at` on are in `bits` bits of `to`, from
     * its bit lsb on. x and y are those of lanewise/layout.h. */
    lw_operand operand; /* LW_OPERAND_COUNT: not of a matrix */
    uint16_t x, y;
    uint8_t at, lsb, bits;
} lw_why_edge;

typedef struct lw_why lw_why;

typedef struct lw_why_options {
    size_t struct_size; /* sizeof(lw_why_options) */
    uint64_t limit;     /* bytes of host memory for what is noted; 0: 1 GiB */
} lw_why_options;

LW_API lw_why_options lw_why_options_default(void);

/*
 * Runs the launch, which has no observers and a memory of its own (no module), and finds out where the `size`
 * bytes (1 to 8) at `address` came from; they must lie in one allocation. `options` may be NULL. Memory is
 * left as the launch leaves it. Beside what lw_launch returns: LW_E_NOT_FOUND where no store reached the
 * bytes; LW_E_NO_MEMORY where the limit does not suffice; LW_E_UNSUPPORTED where the bytes depend on
 * instructions that are not followed: wgmma, copies of PTX that report to mbarriers.
 */
LW_API lw_status lw_why_find(const lw_launch_options *launch, uint64_t address, uint32_t size,
                             const lw_why_options *options, lw_why **why, lw_error *error);
LW_API void lw_why_free(lw_why *why); /* NULL is allowed */

LW_API size_t lw_why_node_count(const lw_why *why);
/* NULL if `index` is not below the count. */
LW_API const lw_why_node *lw_why_node_at(const lw_why *why, size_t index);

/* The edges of a node, those of a matrix by operand, then x and y; NULL past the last one. */
LW_API const lw_why_edge *lw_why_edge_at(const lw_why *why, size_t node, size_t index);

/* The workgroups that were run and noted: 1, or all of the launch. */
LW_API uint64_t lw_why_groups(const lw_why *why);
/* Instructions that were noted, and bytes that this took. */
LW_API uint64_t lw_why_instructions(const lw_why *why);
LW_API uint64_t lw_why_bytes(const lw_why *why);

/* The end of a chain of copies. */
typedef struct lw_why_origin {
    uint32_t node; /* INPUT, or the first one that is no copy */
    uint8_t bit;   /* bits from this one on of the node's four bytes */
    bool copied;   /* false: parts came from different nodes, and `node` is where they part */
} lw_why_origin;

/* Follows `bits` bits from bit `lsb` of a node's four bytes through copies. False: no such node, or bits past
 * 32. */
LW_API bool lw_why_trace(const lw_why *why, size_t node, unsigned lsb, unsigned bits, lw_why_origin *origin);

/* Bytes of one allocation: those at offsets `first` and `last`, and perhaps some between them. */
typedef struct lw_why_range {
    const char *region; /* its name */
    uint64_t base, first, last;
} lw_why_range;

/* The inputs that a node depends on, one range for each allocation in the order of their addresses. Writes at
 * most `capacity` of them and always their number to *count; of more than 8 allocations some are left out.
 * Must not be called by two threads at once. LW_E_ARGUMENT, LW_E_NO_MEMORY. */
LW_API lw_status lw_why_inputs(const lw_why *why, size_t node, lw_why_range *ranges, size_t capacity,
                               size_t *count);

#ifdef __cplusplus
}
#endif

#endif
