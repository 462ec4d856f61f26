/* SPDX-License-Identifier: MIT */
/*
 * Who accessed a byte last: a record of the last write and of a few reads for each four bytes of LDS and of
 * global memory. Knows no vendor: whether two accesses are ordered is asked for.
 */
#ifndef LW_OBSERVERS_RACE_CELLS_H
#define LW_OBSERVERS_RACE_CELLS_H

#include <lanewise/observe.h>

/* Bits of lw_race_record.how, lowest first. */
enum {
    LW_RACE_LANE = 0x3f,       /* the lane; of several, the first */
    LW_RACE_CHANNEL = 7 << 6,  /* what the wave's operations are counted in */
    LW_RACE_MASK = 15 << 9,    /* a bit for each of the four bytes */
    LW_RACE_ATOMIC = 1 << 13,  /* indivisible, for the workgroup at least */
    LW_RACE_WIDE = 1 << 14,    /* for the whole device */
    LW_RACE_QUIET = 1 << 15,   /* a write that changed nothing */
    LW_RACE_LATE = 1 << 16,    /* of a copy that has been issued: its bytes are not known */
    LW_RACE_SEVERAL = 1 << 17, /* a read: more lanes of the wave did the same */
    LW_RACE_FLAG = 1 << 17,    /* a write by few lanes, which may be meant as one for others to wait for */
    LW_RACE_PLACE_SHIFT = 18,
    LW_RACE_PLACES = 1 << 14,
    LW_RACE_WAVE_BITS = 5,
};

/* An access to four bytes; index 0: none. */
typedef struct lw_race_record {
    uint32_t index; /* of the operation, among those of its wave and channel, or its wave's time; from 1 on */
    uint32_t who;   /* the wave's number in its workgroup, the workgroup's number above it */
    uint32_t how;
} lw_race_record;

static inline unsigned lw_race_wave(const lw_race_record *r)
{
    return r->who & ((1u << LW_RACE_WAVE_BITS) - 1);
}

static inline uint32_t lw_race_group(const lw_race_record *r)
{
    return r->who >> LW_RACE_WAVE_BITS;
}

static inline unsigned lw_race_channel(const lw_race_record *r)
{
    return (r->how & LW_RACE_CHANNEL) >> 6;
}

enum { LW_RACE_READS = 2 };

typedef struct lw_race_cell {
    lw_race_record write, read[LW_RACE_READS];
    uint32_t value; /* the bytes after the last access, where it is not late */
} lw_race_cell;

typedef struct lw_race_region {
    uint64_t serial, base, size;
    lw_race_cell *cells;
} lw_race_region;

/* The cells of global memory, made when an allocation is accessed first. */
typedef struct lw_race_regions {
    lw_race_region *regions;
    size_t count, last;
} lw_race_regions;

/* The region of an address; NULL: there is none, or no host memory. */
lw_race_region *lw_race_region_of(lw_race_regions *all, const lw_event *event, uint64_t address,
                                  lw_event_region *seen);
void lw_race_regions_free(lw_race_regions *all);

/* How two accesses stand to each other. */
typedef enum lw_race_verdict {
    LW_RACE_ORDERED,
    LW_RACE_UNORDERED,
    LW_RACE_UNWAITED, /* a barrier was passed, but the earlier one may still have been under way */
    LW_RACE_WEAK,     /* ordered for fewer than both of them */
    LW_RACE_STALE,    /* ordered, but what is read may be an old copy */
    LW_RACE_MIXED,    /* a plain read and an atomic operation: LLVM's own loops around cmpswap begin so */
    LW_RACE_AT_ONCE,  /* two lanes of one instruction store */
    LW_RACE_LANES,    /* of two lanes of one wave */
    LW_RACE_VERDICTS,
} lw_race_verdict;

/* Two accesses that race: what a callback is told. */
typedef struct lw_race_pair {
    lw_race_record earlier, later;
    bool earlier_stores, later_stores;
    lw_race_verdict verdict;
    uint64_t address; /* of the first byte of both */
    const lw_memory_access *access;
} lw_race_pair;

/* Asks and tells; `context` is handed to both. */
typedef struct lw_race_judge {
    /* What was judged last: the lanes of an instruction ask the same again and again. Index 0 where another
     * instruction begins. */
    lw_race_record last;
    lw_race_verdict last_verdict;
    bool last_stores, last_later;

    lw_race_verdict (*judge)(void *context, const lw_race_record *earlier, const lw_race_record *later,
                             bool earlier_stores, bool later_stores);
    void (*tell)(void *context, const lw_event *event, const lw_race_pair *pair);
    void *context;
    bool lanes_matter; /* two lanes of one wave may race */
} lw_race_judge;

/* One lane's access; `record` says who and how, but for lane and mask. `bytes` are what memory holds from the
 * cells' first byte on. */
void lw_race_touch(lw_race_judge *judge, const lw_event *event, lw_race_cell *cells, const uint8_t *bytes,
                   uint64_t offset, uint64_t size, const lw_memory_access *access, lw_race_record record);

#endif
