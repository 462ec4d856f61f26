/* SPDX-License-Identifier: MIT */
/*
 * Who accessed a byte last: a record of the last write and of a few reads for bytes of LDS and of global
 * memory. Most accesses are to 16 aligned bytes at once, which then have one history; four bytes get their
 * own once they are accessed alone. Independent of the vendor: a callback says whether two accesses are
 * ordered.
 */
#ifndef LW_OBSERVERS_RACE_CELLS_H
#define LW_OBSERVERS_RACE_CELLS_H

#include <lanewise/observe.h>

/* Fields of lw_race_record.how, lowest first. */
enum {
    LW_RACE_LANE = 0x1f,       /* the lane, where lanes matter; the first of several */
    LW_RACE_SPREAD = 1 << 5,   /* of a line: each four bytes belong to a lane, the next ones to the next */
    LW_RACE_CHANNEL = 7 << 6,  /* the counter of the wave's operations */
    LW_RACE_MASK = 15 << 9,    /* a bit for each of the four bytes */
    LW_RACE_ATOMIC = 1 << 13,  /* atomic, at least within the workgroup */
    LW_RACE_WIDE = 1 << 14,    /* atomic for the whole device */
    LW_RACE_QUIET = 1 << 15,   /* a write that changed nothing */
    LW_RACE_LATE = 1 << 16,    /* by a copy that has been issued: the bytes are not known yet */
    LW_RACE_SEVERAL = 1 << 17, /* a read: more lanes of the wave did the same */
    LW_RACE_FLAG = 1 << 17,    /* a write by few lanes, possibly a flag for others to wait for */
    LW_RACE_PLACE_SHIFT = 18,
    LW_RACE_PLACES = 1 << 14,
    LW_RACE_WAVE_BITS = 5,
};

/* An access to four bytes; index 0: none. */
typedef struct lw_race_record {
    uint32_t index; /* number of the operation in its wave and channel, or the wave's time; from 1 on */
    uint32_t who;   /* the wave's number in its workgroup; above it the workgroup's number */
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

enum { LW_RACE_READS = 2, LW_RACE_LINE = 16, LW_RACE_CELLS = LW_RACE_LINE / 4 };

typedef struct lw_race_cell {
    lw_race_record write, read[LW_RACE_READS];
} lw_race_cell;

/* The cells of a line, or the next ones that no line uses. */
typedef union lw_race_cells {
    lw_race_cell of[LW_RACE_CELLS];
    union lw_race_cells *next;
} lw_race_cells;

/* Aligned bytes, LW_RACE_LINE of them. */
typedef struct lw_race_line {
    lw_race_cell whole;            /* while all accesses were to all bytes at once */
    lw_race_cells *split;          /* otherwise: a cell for each four bytes; NULL: `whole` holds */
    uint32_t value[LW_RACE_CELLS]; /* the bytes after the last access, unless that was late */
} lw_race_line;

/* The lines of a memory, and the room for their cells. */
typedef struct lw_race_lines {
    lw_race_line *of;
    size_t count;
    struct lw_race_chunk *chunks, *room; /* room: the one that may have some */
    lw_race_cells *idle;                 /* cells of lines that are no longer split, chained */
} lw_race_lines;

/* Lines without accesses for that many bytes; those there were are forgotten. False: no host memory; there
 * are then none. */
bool lw_race_lines_begin(lw_race_lines *lines, uint64_t bytes);
void lw_race_lines_free(lw_race_lines *lines);

typedef struct lw_race_region {
    uint64_t serial;
    lw_race_lines lines;
} lw_race_region;

/* Global memory; the lines of an allocation are made when it is first accessed. */
typedef struct lw_race_regions {
    lw_race_region **regions;
    size_t count, last;
} lw_race_regions;

/* The lines of a region; NULL: no host memory. */
lw_race_lines *lw_race_region_lines(lw_race_regions *all, const lw_event_region *seen);
void lw_race_regions_free(lw_race_regions *all);

/* How two accesses are related. */
typedef enum lw_race_verdict {
    LW_RACE_ORDERED,
    LW_RACE_UNORDERED,
    LW_RACE_UNWAITED,    /* a barrier was passed, but the earlier access may not have been complete */
    LW_RACE_WEAK,        /* ordered, but in a scope that does not include both */
    LW_RACE_STALE,       /* ordered, but the read may return an old copy */
    LW_RACE_STALE_L0,    /* the same, of a vector load: its first-level cache may hold the bytes of before */
    LW_RACE_MIXED,       /* a plain read and an atomic operation: LLVM's own cmpswap loops begin this way */
    LW_RACE_AT_ONCE,     /* two lanes of one instruction store */
    LW_RACE_LANES,       /* by two lanes of one wave */
    LW_RACE_ASYNC,       /* one belongs to an asynchronous operation that nothing has shown to be complete */
    LW_RACE_PROXY,       /* ordered, but no fence makes the write visible to the asynchronous operation */
    LW_RACE_FENCED_LATE, /* the same, but another thread than the writer has executed the fence */
    LW_RACE_VERDICTS,
} lw_race_verdict;

/* Two accesses that race, for the callback. */
typedef struct lw_race_pair {
    lw_race_record earlier, later;
    bool earlier_stores, later_stores;
    lw_race_verdict verdict;
    uint64_t address; /* of the first byte that both access */
    int lane;         /* of the later access; -1: a scalar one */
} lw_race_pair;

/* The callbacks: one judges, one reports; both receive `context`. */
typedef struct lw_race_judge {
    /* The last judgement: the lanes of an instruction repeat the same question. Index 0 at the beginning of
     * an instruction. */
    lw_race_record last;
    lw_race_verdict last_verdict;
    bool last_stores, last_later;
    uint32_t last_lane;

    lw_race_verdict (*judge)(void *context, const lw_race_record *earlier, const lw_race_record *later,
                             bool earlier_stores, bool later_stores);
    void (*tell)(void *context, const lw_event *event, const lw_race_pair *pair);
    void *context;
    bool lanes_matter; /* two lanes of one wave may race */
    bool by_lane;      /* set by an access about which another lane might be judged differently */
    bool lost;         /* there was no host memory for an access, which was not compared */
} lw_race_judge;

/* The access of a lane, or of several (lw_memory_access.more), within `seen`. `record` says who and how,
 * without mask. */
void lw_race_touch(lw_race_judge *judge, const lw_event *event, lw_race_lines *lines,
                   const lw_event_region *seen, const lw_memory_access *access, lw_race_record record);

#endif
