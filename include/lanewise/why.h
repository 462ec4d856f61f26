/* SPDX-License-Identifier: MIT */
/*
 * Where bytes that a launch has stored come from: the store, the instructions that computed the value, the
 * elements of matrices, and the bytes of arrays that they were loaded from.
 *
 * lw_why_find runs the launch. It then runs the workgroup that stored the bytes once more, alone, and records
 * what each instruction reads and writes. If that workgroup read what another workgroup of the same launch
 * had written, all workgroups are run again and recorded. From the last store it then traces back in time.
 *
 * The answer is a graph. A node is what one instruction wrote to one register of one lane, or to four bytes
 * of memory; an element of D of a matrix instruction; or an end of the trace. An edge leads from a node to
 * one that it was made from. Node 0 is the bytes asked about. Nodes are numbered backwards in time: an edge
 * leads to a higher number.
 *
 * Values are traced; addresses and conditions are not: for a load, the bytes that it read; for a select, both
 * values. For instructions that move data between lanes (DPP, permutes, swizzles), every lane that may have
 * been read counts, and for an instruction that is not a plain copy, every byte of its sources. Memory is
 * traced to the byte, and matrix instructions to the element. For a sparse A, the whole column of B counts.
 *
 * Asynchronous copies and wgmma (PTX) read and write when they complete: `number` is that moment's. An
 * element of D of a wgmma is one of its 64 rows, and elements of A and B lead to the bytes of shared memory
 * that its descriptors name. In clusters of several blocks, all workgroups are recorded.
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
    LW_WHY_GIVEN,     /* a register that the launch sets: work-item, workgroup, arguments' address */
    LW_WHY_UNWRITTEN, /* a register, or a byte of LDS or scratch, that was never written */
    LW_WHY_STORE,     /* four bytes of memory, from a register */
    LW_WHY_ATOMIC,    /* the same, from a register and the previous contents */
    LW_WHY_COPY,      /* bytes that a copy from memory to memory wrote; without edges: zeros */
    LW_WHY_LOAD,      /* a register, from memory */
    LW_WHY_MATRIX,    /* an element of D */
    LW_WHY_COMPUTED,  /* a register, from registers and constants */
} lw_why_kind;

LW_API const char *lw_why_kind_name(lw_why_kind kind); /* "asked", "input"; "" out of range */

typedef struct lw_why_node {
    lw_why_kind kind;
    bool exact; /* its bytes are copies of its sources' bytes, as the edges say */

    /* The instruction; "" and 0 for kinds without one. */
    const char *instruction;
    uint64_t code_offset;
    const lw_line *source; /* NULL if unknown */
    uint64_t number;       /* its position among the instructions that the run executed; UINT64_MAX: none */
    uint32_t workgroup[3], wave;
    int lane; /* -1: scalar; for a matrix, the lane that holds the element */

    /* What is written: a register, or memory. */
    const char *reg; /* "v17"; "" for memory */
    uint32_t value;  /* the register after the instruction; of memory, for INPUT only: its contents */
    lw_space space;
    uint64_t address;     /* of the four bytes, a multiple of 4; ASKED: of the first byte */
    uint32_t size;        /* 4; ASKED: how many bytes */
    const char *region;   /* name of the allocation; "" for LDS and scratch */
    uint64_t region_base; /* address - region_base: offset in it */

    /* LW_WHY_MATRIX */
    const lw_insn *insn; /* lw_insn_operand and layouts take it with `mods` */
    const lw_mods *mods;
    uint16_t block, row, col;
    uint8_t lsb, bits; /* of the element, from bit 0 of `reg` */
    bool constant_c;   /* C is the constant `c` */
    uint64_t c;
} lw_why_node;

typedef struct lw_why_edge {
    uint32_t from, to; /* nodes */
    lw_role role;      /* LW_ROLE_SOURCE, LW_ROLE_DATA, ..; of memory LW_ROLE_DATA */
    /* Exact nodes: for each bit b of `bytes`, byte b of `from` is byte b + shift of `to`. Otherwise: the
     * bytes of `to` that count. */
    uint8_t bytes;
    int8_t shift;

    /* For a matrix: the element of that operand. Bits lsb to lsb + bits - 1 of `to` hold its bits from `at`
     * on. x and y are those of lanewise/layout.h. */
    lw_operand operand; /* LW_OPERAND_COUNT: not of a matrix */
    uint16_t x, y;
    uint8_t at, lsb, bits;
} lw_why_edge;

typedef struct lw_why lw_why;

typedef struct lw_why_options {
    size_t struct_size; /* sizeof(lw_why_options) */
    uint64_t limit;     /* bytes of host memory for the record; 0: 1 GiB */
} lw_why_options;

LW_API lw_why_options lw_why_options_default(void);

/*
 * Runs the launch, which must have no observers and name a program and a memory, or a module, and finds out
 * where the `size` bytes (1 to 8) at `address` came from; they must lie in one allocation. `options` may be
 * NULL. Memory is left as the launch leaves it. Besides what lw_launch returns: LW_E_NOT_FOUND if no store
 * reached the bytes; LW_E_NO_MEMORY if the limit does not suffice; LW_E_UNSUPPORTED if the bytes depend on
 * instructions that are not traced: st.async and red.async with a constant among their values, the global
 * data share.
 */
LW_API lw_status lw_why_find(const lw_launch_options *launch, uint64_t address, uint32_t size,
                             const lw_why_options *options, lw_why **why, lw_error *error);
LW_API void lw_why_free(lw_why *why); /* NULL is allowed */

LW_API size_t lw_why_node_count(const lw_why *why);
/* NULL if `index` is not below the count. */
LW_API const lw_why_node *lw_why_node_at(const lw_why *why, size_t index);

/* The edges of a node, for a matrix sorted by operand, then x and y; NULL past the last one. */
LW_API const lw_why_edge *lw_why_edge_at(const lw_why *why, size_t node, size_t index);

/* How many workgroups were recorded: 1, or all of the launch. */
LW_API uint64_t lw_why_groups(const lw_why *why);
/* How many instructions were recorded, and the bytes that the record took. */
LW_API uint64_t lw_why_instructions(const lw_why *why);
LW_API uint64_t lw_why_bytes(const lw_why *why);

/* The end of a chain of copies. */
typedef struct lw_why_origin {
    uint32_t node; /* INPUT, or the first node that is not a copy */
    uint8_t bit;   /* where the bits begin in the node's four bytes */
    bool copied;   /* false: the bits came from different nodes, and `node` is the last one they share */
} lw_why_origin;

/* Traces `bits` bits, from bit `lsb` of a node's four bytes on, through copies. False: there is no such node,
 * or the bits end past bit 32. */
LW_API bool lw_why_trace(const lw_why *why, size_t node, unsigned lsb, unsigned bits, lw_why_origin *origin);

/* Bytes of one allocation: those at offsets `first` and `last`, and perhaps some between them. */
typedef struct lw_why_range {
    const char *region; /* its name */
    uint64_t base, first, last;
} lw_why_range;

/* The inputs that a node depends on: one range per allocation, in order of address. Writes at most `capacity`
 * of them, and always their number to *count; with more than 8 allocations, some are left out. Must not be
 * called by two threads at once. LW_E_ARGUMENT for NULL or an unknown node, LW_E_NO_MEMORY. */
LW_API lw_status lw_why_inputs(const lw_why *why, size_t node, lw_why_range *ranges, size_t capacity,
                               size_t *count);

#ifdef __cplusplus
}
#endif

#endif
