/* SPDX-License-Identifier: MIT */
/*
 * What a wave has issued and not waited for: a queue of operations, and what a wait proves about them (AMD).
 *
 * A wait that leaves n of a counter proves an operation done if its class keeps its order and more than n
 * tokens of the class were issued from it on; of a class without order only a wait that leaves none proves
 * anything. A counter is finite: what would exceed it is not issued until older operations are done.
 */
#ifndef LW_OBSERVERS_PENDING_H
#define LW_OBSERVERS_PENDING_H

#include <lanewise/observe.h>

#include "observers/shadow.h"

enum { LW_PENDING_MOST = 192, LW_PENDING_RUNS = 2 };

/* Operations of one class on one counter complete in their order, where it has one. */
typedef enum lw_pending_class {
    LW_PENDING_VMEM, /* vector memory; where stores are counted apart, loads */
    LW_PENDING_STORE,
    LW_PENDING_LDS,
    LW_PENDING_SCALAR, /* no order */
    LW_PENDING_FLAT,   /* no order; each raises two counters */
    LW_PENDING_OTHER,  /* messages and the like: no order */
    LW_PENDING_CLASSES,
} lw_pending_class;

/* What a place does to counters. */
typedef struct lw_pending_kind {
    uint8_t tokens[LW_COUNTER_COUNT];
    int16_t awaits[LW_COUNTER_COUNT];
    uint8_t class; /* lw_pending_class */
    bool issues, waits;
} lw_pending_kind;

typedef struct lw_pending_op {
    uint32_t place;
    uint8_t class, waiting; /* waiting: a bit for each counter that has not proved it done */
    uint8_t tokens[LW_COUNTER_COUNT];
    uint64_t index; /* among those of its class, from 1 on */
    uint64_t lanes;
    struct {
        uint32_t row;
        uint16_t count;
        uint8_t bytes;
    } runs[LW_PENDING_RUNS]; /* registers that it will write */
    uint8_t run_count;
    bool to_lds;
    uint32_t lds_first, lds_end; /* bytes that it will write there */
} lw_pending_op;

/* Of a wave. */
typedef struct lw_pending {
    lw_pending_op ops[LW_PENDING_MOST];
    uint8_t order[LW_PENDING_MOST]; /* the oldest first */
    uint8_t free[LW_PENDING_MOST];
    unsigned count, free_count;
    uint64_t issued[LW_PENDING_CLASSES];
    uint64_t done[LW_PENDING_CLASSES]; /* of a class with order: this and all before it */
    uint8_t *row_ops;                  /* for each register: the operation that will write it, plus 1 */
    size_t row_count;
} lw_pending;

/* What is known of a target's counters. */
typedef struct lw_pending_target {
    uint16_t most[LW_COUNTER_COUNT];
    bool flat_counts; /* FLAT operations keep the order of others on each counter */
} lw_pending_target;

/* NULL: the target's counters are not known here. */
const lw_pending_target *lw_pending_target_of(lw_arch arch);

void lw_pending_kind_of(lw_pending_kind *kind, const lw_facts *facts);

/* False: no host memory. */
bool lw_pending_begin(lw_pending *p, size_t rows);
void lw_pending_release(lw_pending *p);

void lw_pending_wait(lw_pending *p, const lw_pending_target *target, const lw_pending_kind *kind);
/* What must be done before there is room for the tokens. */
void lw_pending_make_room(lw_pending *p, const lw_pending_target *target, const lw_pending_kind *kind);
/* The operation that is issued, at the end of the queue; the caller fills registers in and tells
 * lw_pending_claim. */
lw_pending_op *lw_pending_issue(lw_pending *p, const lw_pending_kind *kind, uint32_t place);
void lw_pending_claim(lw_pending *p, const lw_pending_op *op);
/* The operation counts as done: it has been reported. */
void lw_pending_forget(lw_pending *p, const lw_pending_op *op);

/* What a wait may leave of the counter so that `op` is done. */
unsigned lw_pending_left_for(const lw_pending *p, const lw_pending_target *target, const lw_pending_op *op,
                             lw_counter counter);

#endif
