/* SPDX-License-Identifier: MIT */
/*
 * What the host's threads touch while workgroups run in parallel, or while a launch's footprint is recorded.
 * Each thread keeps bitmaps of the bytes that it read and wrote, and the first write to a page saves it. If
 * one thread wrote what another one read or wrote, the order of workgroups may have been observed; the pages
 * are then restored and the launch is repeated serially. Memory that kernels cannot write is not watched.
 */
#ifndef LW_EMU_DEVICE_WATCH_H
#define LW_EMU_DEVICE_WATCH_H

#include "emu/device/snapshot.h"

enum { LW_WATCH_PAGE = LW_KEPT_PAGE };

/* What one thread touched of a page, one bit per byte. */
typedef struct lw_watch_page {
    uint64_t bits[2][LW_WATCH_PAGE / 64]; /* read, written */
    bool saved;
} lw_watch_page;

/* Bytes [start, end) of one page that are already marked, or will be when the run ends. */
typedef struct lw_watch_run {
    lw_watch_page *page;
    uint64_t base;             /* address of the page's first byte */
    uint64_t start, end, most; /* most: the end of the page */
} lw_watch_run;

/* Shared by the threads of a launch. No region may be added or removed during its lifetime. */
typedef struct lw_watch lw_watch;

enum { LW_WATCH_LANES = 64, LW_WATCH_SHAPES = 128, LW_WATCH_WAYS = 4, LW_WATCH_KNOWN = 1024 };

/* The relative addresses of a wave's lanes in an access. */
typedef struct lw_watch_shape {
    uint32_t from_first[LW_WATCH_LANES]; /* inactive lanes: 0 */
    uint64_t active, number;             /* unique; modulo LW_WATCH_SHAPES, its slot; 0: none yet */
    unsigned bytes, step;                /* step: the logarithm of bytes' lowest bit */
    bool store, in_line;
    /* The bytes of all lanes as runs without gaps, from the first active lane on; 0: not found out yet. */
    unsigned pieces;
    uint32_t piece_from[LW_WATCH_LANES], piece_size[LW_WATCH_LANES];
} lw_watch_shape;

/*
 * Accesses of one shape that are already marked. The first active lane of each is at `address` plus a
 * multiple of the shape's step; bit i of `steps` stands for the i-th multiple, as a loop over a row of a
 * matrix makes them.
 */
typedef struct lw_watch_known {
    uint64_t address, shape, steps; /* shape: its number */
} lw_watch_known;

/* For loops that repeat their accesses. */
typedef struct lw_watch_memo {
    lw_watch_shape shape[LW_WATCH_SHAPES]; /* by instruction; one may replace another */
    lw_watch_known known[LW_WATCH_KNOWN][LW_WATCH_WAYS];
    uint64_t shapes;
} lw_watch_memo;

/* The watch of one thread. */
typedef struct lw_watch_view {
    lw_watch *watch;
    lw_watch_memo memo;
    void ***pages;       /* lw_watch_page, by region and page; NULL: not touched */
    lw_chunk *chunk;     /* of the pages */
    size_t region;       /* of the last slow access */
    lw_watch_run run[2]; /* of reads, of writes */
} lw_watch_view;

/* NULL: no host memory, or none within the memory's limit. */
lw_watch *lw_watch_new(lw_memory *memory);
lw_watch_view *lw_watch_view_new(lw_watch *watch);

/* Ends a thread's part and compares it with those that ended before. One call at a time. */
void lw_watch_view_end(lw_watch_view *view);

/* After all views have ended: did one thread touch what another one wrote? */
bool lw_watch_met(const lw_watch *watch);

/* After all views have ended: what was touched of a page; NULL: nothing. */
const lw_watch_page *lw_watch_page_at(const lw_watch *watch, size_t region, size_t page);
const lw_memory *lw_watch_memory(const lw_watch *watch);

/* Restores every page that was written. LW_E_NO_MEMORY if snapshots were taken since. */
lw_status lw_watch_restore(lw_watch *watch);
void lw_watch_free(lw_watch *watch);

/* Marks the bytes of a run. */
void lw_watch_end_run(lw_watch_run *run, bool store);

/* The slow path of lw_watch_note: another page, or an access across the end of one. */
bool lw_watch_start(lw_watch_view *view, uint64_t address, uint64_t size, bool store);

/* Does an access continue where the last one ended, within its page? If so, extends the run. */
static inline bool lw_watch_extends(lw_watch_view *view, uint64_t address, uint64_t size, bool store)
{
    lw_watch_run *run = &view->run[store];
    if (address != run->end || size > run->most - address)
        return false;
    run->end += size;
    return true;
}

/*
 * Marks an access that is about to happen to a region that may be written. An access that continues where the
 * last one ended costs one comparison. False: no memory for that, and the access must not happen.
 */
static inline bool lw_watch_note(lw_watch_view *view, uint64_t address, uint64_t size, bool store)
{
    lw_watch_run *run = &view->run[store];
    if (lw_watch_extends(view, address, size, store))
        return true;
    if (address >= run->start && address < run->end && size <= run->end - address)
        return true;
    if (address < run->base || address >= run->most || size > run->most - address)
        return lw_watch_start(view, address, size, store);
    const uint64_t first = run->start - run->base, count = run->end - run->start;
    if (count < 64 && first % 64 + count <= 64)
        run->page->bits[store][first / 64] |= ((UINT64_C(1) << count) - 1) << first % 64;
    else
        lw_watch_end_run(run, store);
    run->start = address;
    run->end = address + size;
    return true;
}

/* What the lanes of a wave access in one region: `bytes` bytes at start + at[lane] each. */
typedef struct lw_watch_wave {
    uint64_t start;
    const uint32_t *at;
    uint64_t active;
    unsigned bytes;
    bool in_line; /* all lanes are active, each beginning where the previous one ends */
} lw_watch_wave;

/* lw_watch_note for every active lane. */
bool lw_watch_note_wave(lw_watch_view *view, const lw_watch_wave *wave, bool store);

/* The slot for an instruction's shape; `hint` differs between instructions. */
static inline lw_watch_shape *lw_watch_shape_of(lw_watch_view *view, uintptr_t hint)
{
    return &view->memo.shape[(hint >> 6) % LW_WATCH_SHAPES];
}

/* The address under which an access is remembered: its bits that count steps are zero. */
static inline uint64_t lw_watch_row(const lw_watch_shape *shape, uint64_t address)
{
    return address & ~(UINT64_C(63) << shape->step);
}

/* The first of the LW_WATCH_WAYS slots in which a row may be remembered; four neighbours have the same. */
static inline lw_watch_known *lw_watch_slots(lw_watch_view *view, const lw_watch_shape *shape, uint64_t row)
{
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15); /* 2^64 over the golden ratio, which mixes the bits */
    const uint64_t mixed = (row >> (shape->step + 8) ^ shape->number << 48) * odd;
    return view->memo.known[mixed >> 54];
}

/* NULL: no access of the row is known. */
static inline lw_watch_known *lw_watch_find(lw_watch_view *view, const lw_watch_shape *shape, uint64_t row)
{
    lw_watch_known *slots = lw_watch_slots(view, shape, row);
    for (unsigned i = 0; i < LW_WATCH_WAYS; i++)
        if (slots[i].address == row && slots[i].shape == shape->number)
            return &slots[i];
    return NULL;
}

/* Has an access of this shape, with the first active lane at `address`, been marked? */
static inline bool lw_watch_knows(lw_watch_view *view, const lw_watch_shape *shape, uint64_t address)
{
    const lw_watch_known *known = lw_watch_find(view, shape, lw_watch_row(shape, address));
    return known && known->steps >> (address >> shape->step & 63) & 1;
}

/* As lw_watch_note_wave, and remembers the access. `same`: `shape` is already the wave's. */
bool lw_watch_learn(lw_watch_view *view, const lw_watch_wave *wave, bool store, lw_watch_shape *shape,
                    bool same);

#endif
