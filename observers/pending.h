/* SPDX-License-Identifier: MIT */
/*
 * What a wave has issued and not waited for: a queue of operations, and what a wait guarantees about them
 * (AMD).
 *
 * A wait that allows n to remain on a counter proves an operation complete if its class completes in order
 * and more than n tokens of the class were issued with it and after it. For a class without order, only a
 * wait for 0 proves anything. A counter is finite: an operation that would exceed it is not issued until
 * older ones are complete.
 */
#ifndef LW_OBSERVERS_PENDING_H
#define LW_OBSERVERS_PENDING_H

#include <string.h>

#include <lanewise/observe.h>

#include "observers/shadow.h"

enum { LW_PENDING_MOST = 192, LW_PENDING_RUNS = 2 };

/* Operations of one class on one counter complete in order, unless the class has none. */
typedef enum lw_pending_class {
    LW_PENDING_VMEM, /* vector memory; loads only, where stores have their own counter */
    LW_PENDING_STORE,
    LW_PENDING_LDS,
    LW_PENDING_SCALAR, /* no order */
    LW_PENDING_FLAT,   /* no order; each raises two counters */
    LW_PENDING_OTHER,  /* messages and the like: no order */
    LW_PENDING_ASYNC,  /* gfx1250's copies to LDS: loadcnt counts them too, but only asynccnt shows that they
                          are complete */
    LW_PENDING_TENSOR, /* gfx1250's copies of tiles */
    LW_PENDING_CLASSES,
} lw_pending_class;

/* The effect of a place on counters. */
typedef struct lw_pending_kind {
    uint8_t tokens[LW_COUNTER_COUNT];
    int16_t awaits[LW_COUNTER_COUNT];
    uint8_t class; /* lw_pending_class */
    uint8_t shows; /* a bit for each counter that shows when an operation is complete */
    bool issues, waits;
} lw_pending_kind;

typedef struct lw_pending_op {
    uint32_t place;
    uint8_t class, waiting; /* waiting: a bit for each counter that has not proved it complete */
    uint8_t shows;          /* a bit for each counter that can */
    uint8_t tokens[LW_COUNTER_COUNT];
    uint64_t index; /* its number within its class, from 1 on */
    uint64_t lanes;
    struct {
        uint32_t row;
        uint16_t count;
        uint8_t bytes;
    } runs[LW_PENDING_RUNS]; /* registers that it will write */
    uint8_t run_count;
    bool copies, from_lds;       /* between memory and LDS; from_lds: LDS is what it reads */
    uint32_t lds_first, lds_end; /* bytes of LDS that it will write or read */
} lw_pending_op;

/* The queue of a wave. */
typedef struct lw_pending {
    lw_pending_op ops[LW_PENDING_MOST];
    uint8_t order[LW_PENDING_MOST]; /* the oldest first */
    uint8_t free[LW_PENDING_MOST];
    unsigned count, free_count;
    uint64_t issued[LW_PENDING_CLASSES];
    uint64_t done[LW_PENDING_CLASSES]; /* for a class with order: this one and all before it */
    unsigned tokens[LW_COUNTER_COUNT]; /* of all operations in the queue */
    unsigned copies;                   /* of which so many are copies between memory and LDS */
    uint8_t *row_ops; /* for each register: the operation that will write it, plus 1; then 7 more */
    size_t row_count;
} lw_pending;

/* What is known about a target's counters. */
typedef struct lw_pending_target {
    uint16_t most[LW_COUNTER_COUNT];
    bool flat_counts; /* FLAT operations complete in order with others on each counter */
    bool loads_cross; /* loads count down in order, and may still write registers out of order */
    const char *names[LW_COUNTER_COUNT]; /* of the instruction that waits for each counter; NULL: s_waitcnt */
} lw_pending_target;

/* NULL: the target's counters are not known. */
const lw_pending_target *lw_pending_target_of(lw_arch arch);

void lw_pending_kind_of(lw_pending_kind *kind, const lw_facts *facts);

/* False: no host memory. */
bool lw_pending_begin(lw_pending *p, size_t rows);
void lw_pending_release(lw_pending *p);

void lw_pending_wait(lw_pending *p, const lw_pending_target *target, const lw_pending_kind *kind);
/* Completes what must be complete before there is room for the tokens. */
void lw_pending_make_room(lw_pending *p, const lw_pending_target *target, const lw_pending_kind *kind);
/* Appends an operation to the queue; the caller fills in its registers and then calls lw_pending_claim. */
lw_pending_op *lw_pending_issue(lw_pending *p, const lw_pending_kind *kind, uint32_t place);
void lw_pending_claim(lw_pending *p, const lw_pending_op *op);
/* Will an operation write one of these registers? */
static inline bool lw_pending_any(const lw_pending *p, uint32_t row, unsigned count)
{
    uint64_t some;
    for (; count > sizeof(some); row += (uint32_t)sizeof(some), count -= (unsigned)sizeof(some)) {
        memcpy(&some, p->row_ops + row, sizeof(some));
        if (some)
            return true;
    }
    memcpy(&some, p->row_ops + row, sizeof(some));
    return count && some << 8 * (sizeof(some) - count);
}

/* The operation counts as complete, because it has been reported. */
void lw_pending_forget(lw_pending *p, const lw_pending_op *op);

/* Does a wait for the counter show that the operation is complete? */
static inline bool lw_pending_shows(const lw_pending_op *op, lw_counter counter)
{
    return op->shows >> counter & 1;
}

/* The largest count of the counter that a wait may allow so that `op` is complete. */
unsigned lw_pending_left_for(const lw_pending *p, const lw_pending_target *target, const lw_pending_op *op,
                             lw_counter counter);

#endif
