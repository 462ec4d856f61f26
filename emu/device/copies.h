/* SPDX-License-Identifier: MIT */
/*
 * The pending asynchronous copies of a workgroup: issued, not yet performed. Independent of the vendor: the
 * machine defines what a piece means, when a copy is due and how its bytes move.
 */
#ifndef LW_EMU_DEVICE_COPIES_H
#define LW_EMU_DEVICE_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One run of bytes, with what the instruction knew when it was issued; the source's bytes are read at
 * completion. `more`: the number of further runs, of the same size and of the following lanes, each of which
 * begins where the previous one ends, on both sides.
 */
typedef struct lw_copy_piece {
    uint64_t from;
    uint32_t to;
    int16_t lane;
    uint8_t bytes; /* bytes to read; 0: zeros are written */
    uint8_t width; /* bytes to write; 0: none */
    uint8_t kind;  /* defined by the machine */
    uint8_t more;  /* the same: AMD, lanes that follow; PTX, the type of a tensor's elements */
} lw_copy_piece;

typedef struct lw_copy {
    struct lw_copy *next;
    uint32_t owner; /* the wave that issued it, plus LW_COPY_REPORTS if no wait of a wave covers it */
    uint64_t pc;    /* of the instruction that issued it */
    uint64_t index; /* its position among the operations of its counter */
    uint8_t kind;   /* 0 unless the machine sets it: which of a wave's counters counts it */
    lw_copy_piece *pieces;
    size_t count, capacity;
    struct lw_copy_pool *pool; /* that it was made for */
} lw_copy;

/* The copy reports its completion in memory and is due when no wave can continue without it. */
#define LW_COPY_REPORTS (UINT32_C(1) << 31)

/* Copies that have been performed, kept for reuse, and the bytes that these and pending ones take. Those
 * beyond a small amount count towards a memory's limit. */
typedef struct lw_copy_pool {
    lw_copy *free;
    struct lw_keeper *keeper; /* NULL: they do not count */
    uint64_t bytes, taken;
    bool full; /* the limit has left no room */
} lw_copy_pool;

/* In the order of issue. All zero: none. */
typedef struct lw_copies {
    lw_copy_pool *pool;
    lw_copy *first, *last;
} lw_copies;

/* A new copy without pieces, not yet pending. NULL: no host memory, or none left within the limit. */
lw_copy *lw_copies_new(lw_copies *copies, uint32_t owner, uint64_t pc, uint64_t index);

/* Room for one more piece, to be filled by the caller. NULL: the same. */
lw_copy_piece *lw_copy_add(lw_copy *copy);

/* Room for that many more, which copy->count does not count yet. NULL: the same. */
lw_copy_piece *lw_copy_room(lw_copy *copy, size_t count);

/* Makes it pending. */
void lw_copies_issue(lw_copies *copies, lw_copy *copy);

/* Is a copy of the owner with an index below `limit` pending? */
bool lw_copies_covered(const lw_copies *copies, uint32_t owner, uint64_t limit);

/* Removes and returns the first of those, or NULL. It is given back with lw_copies_recycle. */
lw_copy *lw_copies_take(lw_copies *copies, uint32_t owner, uint64_t limit);
void lw_copies_recycle(lw_copies *copies, lw_copy *copy);

/* Does a pending copy report its completion? Removes and returns the first copy of all, or NULL. */
bool lw_copies_report(const lw_copies *copies);
lw_copy *lw_copies_take_first(lw_copies *copies);

/* Removes all pending copies without performing them: the workgroup has ended early. */
void lw_copies_drop(lw_copies *copies);

/* Bytes that the pending copies take. */
uint64_t lw_copies_bytes(const lw_copies *copies);

void lw_copy_pool_free(lw_copy_pool *pool);

#endif
