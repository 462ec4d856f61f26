/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "emu/device/watch.h"

struct lw_watch {
    lw_memory *memory;
    lw_snapshot *before; /* of the launch */
    void ***pages;       /* lw_watch_page: what the threads that have ended touched */
    bool met;
};

static size_t page_count(const lw_region *r)
{
    return (size_t)((r->size + LW_WATCH_PAGE - 1) / LW_WATCH_PAGE);
}

static size_t page_size(const lw_region *r, size_t page)
{
    const uint64_t left = r->size - (uint64_t)page * LW_WATCH_PAGE;
    return left < LW_WATCH_PAGE ? (size_t)left : LW_WATCH_PAGE;
}

lw_watch *lw_watch_new(lw_memory *memory)
{
    lw_watch *w = calloc(1, sizeof(*w));
    if (!w)
        return NULL;
    w->memory = memory;
    w->pages = calloc(memory->count + 1, sizeof(*w->pages));
    w->before = w->pages ? lw_snapshot_new(memory) : NULL;
    if (w->before)
        return w;
    free(w->pages);
    free(w);
    return NULL;
}

lw_watch_view *lw_watch_view_new(lw_watch *watch)
{
    lw_watch_view *v = calloc(1, sizeof(*v));
    if (!v)
        return NULL;
    v->watch = watch;
    v->pages = calloc(watch->memory->count + 1, sizeof(*v->pages));
    if (v->pages)
        return v;
    free(v);
    return NULL;
}

static size_t region_at(const lw_memory *memory, uint64_t address)
{
    size_t low = 0, high = memory->count;
    while (high - low > 1) {
        const size_t mid = low + (high - low) / 2;
        if (memory->regions[mid].base <= address)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* The pointers of a region's pages, allocated when first needed. */
static void **row_of(void ***rows, const lw_memory *memory, size_t region)
{
    if (!rows[region])
        rows[region] = lw_keeper_alloc(memory->keeper, page_count(&memory->regions[region]) * sizeof(void *));
    return rows[region];
}

static void free_row(const lw_memory *memory, size_t region, void **row)
{
    lw_keeper_drop(memory->keeper, row, page_count(&memory->regions[region]) * sizeof(void *));
}

static void free_page(const lw_memory *memory, void *page)
{
    lw_chunk_give(memory->keeper, page);
}

/* The thread's page; its contents are saved if it is to be written. NULL: no memory. */
static lw_watch_page *page_at(lw_watch_view *v, size_t region, size_t page, bool store)
{
    const lw_memory *memory = v->watch->memory;
    void **row = row_of(v->pages, memory, region);
    if (!row)
        return NULL;
    if (!row[page])
        row[page] = lw_chunk_take(memory->keeper, &v->chunk, sizeof(lw_watch_page));
    lw_watch_page *p = row[page];
    if (p && store && !p->saved)
        p->saved = lw_region_keep(&memory->regions[region], (uint64_t)page * LW_WATCH_PAGE, 1);
    return p && (!store || p->saved) ? p : NULL;
}

static uint64_t bits_from(uint64_t low, uint64_t count)
{
    return (count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX) << low;
}

static void mark(uint64_t *bits, uint64_t first, uint64_t end)
{
    const uint64_t low = first % 64, head = first / 64, tail = end / 64;
    if (first >= end)
        return;
    if (head == tail || end - first <= 64 - low) {
        bits[head] |= bits_from(low, end - first);
        return;
    }
    bits[head] |= bits_from(low, 64);
    memset(&bits[head + 1], 0xff, (size_t)(tail - head - 1) * sizeof(*bits));
    if (end % 64)
        bits[tail] |= bits_from(0, end % 64);
}

void lw_watch_end_run(lw_watch_run *run, bool store)
{
    if (run->page)
        mark(run->page->bits[store], run->start - run->base, run->end - run->base);
}

bool lw_watch_start(lw_watch_view *v, uint64_t address, uint64_t size, bool store)
{
    const lw_memory *memory = v->watch->memory;
    if (!lw_region_holds(&memory->regions[v->region], address, size))
        v->region = region_at(memory, address);
    const size_t region = v->region;
    const lw_region *r = &memory->regions[region];
    lw_watch_run *run = &v->run[store];
    while (size) {
        const uint64_t offset = address - r->base;
        const size_t page = (size_t)(offset / LW_WATCH_PAGE);
        const uint64_t base = r->base + (uint64_t)page * LW_WATCH_PAGE, most = base + page_size(r, page);
        const uint64_t part = size < most - address ? size : most - address;
        lw_watch_page *p = page_at(v, region, page, store);
        if (!p)
            return false;
        lw_watch_end_run(run, store);
        *run = (lw_watch_run){ p, base, address, address + part, most };
        address += part;
        size -= part;
    }
    return true;
}

/* A page of row v->region, ready to be marked. NULL: no memory for that. */
static lw_watch_page *ready(lw_watch_view *v, void **row, size_t page, bool store)
{
    lw_watch_page *p = row[page];
    return !p || (store && !p->saved) ? page_at(v, v->region, page, store) : p;
}

/* Marks a range of a region. False: no memory for that. */
static bool mark_range(lw_watch_view *v, void **row, uint64_t first, uint64_t end, bool store)
{
    while (first < end) {
        const size_t page = (size_t)(first / LW_WATCH_PAGE);
        const uint64_t base = (uint64_t)page * LW_WATCH_PAGE;
        const uint64_t stop = end < base + LW_WATCH_PAGE ? end : base + LW_WATCH_PAGE;
        lw_watch_page *p = ready(v, row, page, store);
        if (!p)
            return false;
        mark(p->bits[store], first - base, stop - base);
        first = stop;
    }
    return true;
}

/* Sets the bits of the bytes at `at` of a page; they are in one word. */
static void mark_lane(uint64_t *bits, uint64_t at, uint64_t bytes, uint64_t lane_bits)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    /* Avoids waiting for the previous store to the same word. */
    if (bytes == 16 && at % 16 == 0) {
        memset((char *)bits + at / 8, 0xff, 2);
        return;
    }
#endif
    bits[at / 64] |= lane_bits << at % 64;
}

/* Where marks are made: a region's pages, and the bits of the page last marked. */
typedef struct marker {
    lw_watch_view *view;
    void **row;
    uint64_t *bits, page;
    bool store;
} marker;

/* Marks bytes of a region, which usually stay within the page and within one word of its bits. False: no
 * memory for that. */
static inline bool mark_bytes(marker *m, uint64_t at, uint64_t bytes, uint64_t bits)
{
    if (at % 64 + bytes > 64)
        return mark_range(m->view, m->row, at, at + bytes, m->store);
    if (at / LW_WATCH_PAGE != m->page) {
        lw_watch_page *p = ready(m->view, m->row, (size_t)(at / LW_WATCH_PAGE), m->store);
        if (!p)
            return false;
        m->page = at / LW_WATCH_PAGE;
        m->bits = p->bits[m->store];
    }
    mark_lane(m->bits, at % LW_WATCH_PAGE, bytes, bits);
    return true;
}

/* For the region of an address; *offset: where in it that is. */
static bool marker_at(lw_watch_view *v, uint64_t address, bool store, marker *m, uint64_t *offset)
{
    const lw_memory *memory = v->watch->memory;
    if (!lw_region_holds(&memory->regions[v->region], address, 1))
        v->region = region_at(memory, address);
    *m = (marker){ v, row_of(v->pages, memory, v->region), NULL, UINT64_MAX, store };
    *offset = address - memory->regions[v->region].base;
    return m->row != NULL;
}

bool lw_watch_note_wave(lw_watch_view *v, const lw_watch_wave *wave, bool store)
{
    if (wave->in_line)
        return lw_watch_note(v, wave->start + wave->at[0], (uint64_t)LW_WATCH_LANES * wave->bytes, store);
    const uint64_t bits = bits_from(0, wave->bytes);
    uint64_t start;
    marker m;
    bool good = marker_at(v, wave->start, store, &m, &start);
    for (uint64_t left = wave->active; left && good; left &= left - 1)
        good = mark_bytes(&m, start + wave->at[__builtin_ctzll(left)], wave->bytes, bits);
    return good;
}

/* Joins the lanes' bytes, by ascending address. */
static void find_pieces(const lw_watch_wave *wave, uint32_t first, lw_watch_shape *shape)
{
    uint32_t at[LW_WATCH_LANES];
    unsigned lanes = 0;
    for (uint64_t left = wave->active; left; left &= left - 1) {
        const uint32_t own = wave->at[__builtin_ctzll(left)];
        unsigned place = lanes++;
        for (; place && at[place - 1] > own; place--)
            at[place] = at[place - 1];
        at[place] = own;
    }
    uint64_t end = 0; /* of the last piece */
    for (unsigned i = 0; i < lanes; i++) {
        const uint64_t own_end = (uint64_t)at[i] + wave->bytes;
        if (shape->pieces && at[i] <= end) {
            shape->piece_size[shape->pieces - 1] += (uint32_t)(own_end - end);
        } else {
            shape->piece_from[shape->pieces] = at[i] - first;
            shape->piece_size[shape->pieces++] = wave->bytes;
        }
        end = own_end;
    }
}

/* lw_watch_note_wave for a wave of a shape that has been met before. */
static bool note_pieces(lw_watch_view *v, const lw_watch_wave *wave, bool store, uint32_t first,
                        lw_watch_shape *shape)
{
    uint64_t start;
    marker m;
    if (!shape->pieces)
        find_pieces(wave, first, shape);
    bool good = marker_at(v, wave->start, store, &m, &start);
    for (unsigned i = 0; i < shape->pieces && good; i++) {
        const uint32_t at = first + shape->piece_from[i], size = shape->piece_size[i];
        if (size - 1 > UINT32_MAX - at) /* parts of it are 2^32 bytes apart */
            return lw_watch_note_wave(v, wave, store);
        good = mark_bytes(&m, start + at, size, bits_from(0, size));
    }
    return good;
}

bool lw_watch_learn(lw_watch_view *v, const lw_watch_wave *wave, bool store, lw_watch_shape *shape, bool same)
{
    const uint32_t first = wave->at[__builtin_ctzll(wave->active)];
    if (!(same && !wave->in_line ? note_pieces(v, wave, store, first, shape)
                                 : lw_watch_note_wave(v, wave, store)))
        return false;
    if (!same) {
        shape->pieces = 0;
        for (unsigned lane = 0; lane < LW_WATCH_LANES; lane++)
            shape->from_first[lane] = wave->active >> lane & 1 ? wave->at[lane] - first : 0;
        shape->active = wave->active;
        shape->number = ++v->memo.shapes * LW_WATCH_SHAPES + (uint64_t)(shape - v->memo.shape);
        shape->in_line = wave->in_line;
        shape->bytes = wave->bytes;
        shape->step = (unsigned)__builtin_ctz(wave->bytes);
        shape->store = store;
    }
    const uint64_t address = wave->start + first, row = lw_watch_row(shape, address);
    lw_watch_known *known = lw_watch_find(v, shape, row);
    if (!known) {
        known = lw_watch_slots(v, shape, row);
        memmove(known + 1, known, (LW_WATCH_WAYS - 1) * sizeof(*known));
        *known = (lw_watch_known){ row, shape->number, 0 };
    }
    known->steps |= UINT64_C(1) << (address >> shape->step & 63);
    return true;
}

static bool pages_meet(const lw_watch_page *a, const lw_watch_page *b)
{
    for (size_t i = 0; i < LW_WATCH_PAGE / 64; i++)
        if ((a->bits[1][i] & (b->bits[0][i] | b->bits[1][i])) | (a->bits[0][i] & b->bits[1][i]))
            return true;
    return false;
}

static void join_pages(lw_watch_page *into, const lw_watch_page *from)
{
    for (size_t i = 0; i < LW_WATCH_PAGE / 64; i++) {
        into->bits[0][i] |= from->bits[0][i];
        into->bits[1][i] |= from->bits[1][i];
    }
}

static void join_region(lw_watch *w, size_t region, void **row)
{
    const size_t count = page_count(&w->memory->regions[region]);
    void **known = w->pages[region];
    for (size_t i = 0; i < count; i++) {
        if (!row[i] || !known[i]) {
            known[i] = row[i] ? row[i] : known[i];
            continue;
        }
        w->met = w->met || pages_meet(known[i], row[i]);
        join_pages(known[i], row[i]);
        free_page(w->memory, row[i]);
    }
    free_row(w->memory, region, row);
}

void lw_watch_view_end(lw_watch_view *v)
{
    lw_watch *w = v->watch;
    lw_watch_end_run(&v->run[0], false);
    lw_watch_end_run(&v->run[1], true);
    for (size_t i = 0; i < w->memory->count; i++) {
        if (!v->pages[i])
            continue;
        if (w->pages[i])
            join_region(w, i, v->pages[i]);
        else
            w->pages[i] = v->pages[i];
    }
    lw_chunk_close(w->memory->keeper, v->chunk);
    free(v->pages);
    free(v);
}

bool lw_watch_met(const lw_watch *watch)
{
    return watch->met;
}

const lw_watch_page *lw_watch_page_at(const lw_watch *watch, size_t region, size_t page)
{
    return watch->pages[region] ? watch->pages[region][page] : NULL;
}

const lw_memory *lw_watch_memory(const lw_watch *watch)
{
    return watch->memory;
}

lw_status lw_watch_restore(lw_watch *w)
{
    return lw_memory_restore(w->memory, w->before, NULL);
}

void lw_watch_free(lw_watch *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->memory->count; i++) {
        void **row = w->pages[i];
        for (size_t page = 0; row && page < page_count(&w->memory->regions[i]); page++)
            free_page(w->memory, row[page]);
        free_row(w->memory, i, row);
    }
    free(w->pages);
    lw_snapshot_free(w->before);
    free(w);
}
