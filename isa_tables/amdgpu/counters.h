/* SPDX-License-Identifier: MIT */
/*
 * What memory instructions, messages and waits do to the counters of a wave. A row names its traffic. Each
 * family of generations defines by how much that traffic raises each counter, where s_waitcnt holds the
 * counter's number, and what the cache bits request. The tables are in counters.inc.
 */
#ifndef LW_ISA_AMDGPU_COUNTERS_H
#define LW_ISA_AMDGPU_COUNTERS_H

#include <lanewise/facts.h>

#include "isa_tables/amdgpu/opcode.h"

/* What an instruction sends to memory and the like. */
typedef enum lw_traffic {
    LW_TRAFFIC_NONE,
    LW_TRAFFIC_LOAD,   /* vector memory, to registers or to LDS; an atomic that returns */
    LW_TRAFFIC_STORE,  /* a store, an atomic that returns nothing */
    LW_TRAFFIC_ATOMIC, /* rows only: one of the two above, chosen by the instruction's bits */
    LW_TRAFFIC_INVALIDATE,
    LW_TRAFFIC_INVALIDATE_L1, /* gfx11: only the cache behind the first one */
    LW_TRAFFIC_WRITE_BACK,
    LW_TRAFFIC_FLAT_LOAD, /* the address decides between memory and LDS */
    LW_TRAFFIC_FLAT_STORE,
    LW_TRAFFIC_LDS, /* also lane permutations, which go through the LDS unit */
    LW_TRAFFIC_GDS, /* and global wave sync */
    LW_TRAFFIC_SCALAR,
    LW_TRAFFIC_SCALAR_WIDE, /* more than one dword */
    LW_TRAFFIC_SCALAR_STORE,
    LW_TRAFFIC_SCALAR_ATOMIC,
    LW_TRAFFIC_SCALAR_INVALIDATE,
    LW_TRAFFIC_SCALAR_INVALIDATE_L1, /* gfx11's s_gl1_inv: a vector cache (AMD's emulator rocjitsu), not
                                        the scalar one */
    LW_TRAFFIC_SCALAR_WRITE_BACK,
    LW_TRAFFIC_SCALAR_PROBE, /* address translation, discarding of lines */
    LW_TRAFFIC_TIME,
    LW_TRAFFIC_MESSAGE,
    LW_TRAFFIC_ASYNC,       /* gfx1250: copies to LDS that are counted apart */
    LW_TRAFFIC_ASYNC_STORE, /* and from LDS */
    LW_TRAFFIC_TENSOR,
    LW_TRAFFIC_COUNT,
} lw_traffic;

/* What an instruction waits for. */
typedef enum lw_wait {
    LW_WAIT_NONE,
    LW_WAIT_FIELDS, /* s_waitcnt: a number for each counter that has a field */
    LW_WAIT_VS,     /* the immediate is that counter's number; so are the next ones */
    LW_WAIT_VM,
    LW_WAIT_EXP,
    LW_WAIT_LGKM,
    LW_WAIT_KM,
    LW_WAIT_ASYNC,
    LW_WAIT_TENSOR,
    LW_WAIT_X,
    LW_WAIT_LOAD_DS,  /* bits 13:8 vector memory, bits 5:0 LDS */
    LW_WAIT_STORE_DS, /* bits 13:8 stores, bits 5:0 LDS */
    LW_WAIT_IDLE,     /* everything */
} lw_wait;

/* What the cache bits of an access request. Bit 0 is sc0 (glc), bit 1 sc1 (dlc); on gfx12 they are the scope
 * field. */
typedef struct lw_cache_bits {
    uint8_t load[4], store[4], atomic[4], cache[4]; /* lw_scope; cache: invalidations and write-backs */
} lw_cache_bits;

typedef struct lw_counter_field {
    uint8_t bits[2], low[2]; /* two parts of the immediate; 0 bits: no such part */
} lw_counter_field;

typedef struct lw_counters {
    uint16_t most[LW_COUNTER_COUNT]; /* the highest value; 0: there is no such counter */
    lw_counter_field field[LW_COUNTER_COUNT];
    uint8_t raises[LW_TRAFFIC_COUNT][LW_COUNTER_COUNT];
    lw_cache_bits scopes;
} lw_counters;

extern const lw_counters lw_counters_gfx9, lw_counters_gfx11, lw_counters_gfx12, lw_counters_gfx1250;

/* How many operations of `counter` may be outstanding after s_waitcnt with this immediate. -1: its field is
 * all ones, and the instruction does not wait for it. */
int lw_counters_left(const lw_counters *c, lw_counter counter, unsigned immediate);

#endif
