/* SPDX-License-Identifier: MIT */
#include "emu/device/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "emu/device/fail.h"
#include "emu/device/lock.h"

/* A saved page, shared by the snapshots that have it. */
typedef struct kept_page {
    size_t users;
    uint8_t *marks; /* marks of stores, after the bytes; NULL: there were none */
    uint8_t bytes[];
} kept_page;

/* What a snapshot holds of one region. */
typedef struct kept_region {
    uint64_t base, size, serial;
    kept_page **pages; /* NULL, or a NULL page: unchanged since */
} kept_region;

struct lw_snapshot {
    lw_snapshot *next;
    lw_keeper *keeper;    /* NULL: its memory has been freed */
    kept_region *regions; /* ascending by base */
    size_t count, room;
    uint64_t beside; /* further bytes counted with it */
    bool told;       /* it is told of every store */
};

/* Each block follows a pointer to its chunk. */
struct lw_chunk {
    size_t users; /* blocks, and whoever takes further ones */
    size_t size, used, blocks;
};

enum { BLOCK_ALIGNED = 16, CHUNK_BLOCKS = 64 };

struct lw_keeper {
    lw_lock lock;
    lw_chunk *chunk; /* of saved pages */
    lw_snapshot *first;
    lw_memory *memory;
    uint64_t moment; /* the number of snapshots so far */
    _Atomic uint64_t taken;
};

static size_t page_count(uint64_t size)
{
    return (size_t)((size + LW_KEPT_PAGE - 1) / LW_KEPT_PAGE);
}

static size_t page_size(uint64_t size, size_t page)
{
    const uint64_t left = size - (uint64_t)page * LW_KEPT_PAGE;
    return left < LW_KEPT_PAGE ? (size_t)left : LW_KEPT_PAGE;
}

lw_keeper *lw_keeper_new(lw_memory *memory)
{
    lw_keeper *k = calloc(1, sizeof(*k));
    if (!k || !lw_lock_create(&k->lock)) {
        free(k);
        return NULL;
    }
    k->memory = memory;
    return k;
}

void lw_keeper_free(lw_keeper *k)
{
    if (!k)
        return;
    for (lw_snapshot *s = k->first; s; s = s->next)
        s->keeper = NULL;
    lw_chunk_close(NULL, k->chunk);
    lw_lock_destroy(&k->lock);
    free(k);
}

/* ---- What counts within the limit ---- */

bool lw_keeper_take(lw_keeper *k, uint64_t bytes)
{
    const uint64_t limit = k->memory->limit, used = k->memory->used;
    const uint64_t most = limit > used ? limit - used : 0;
    uint64_t taken = atomic_load_explicit(&k->taken, memory_order_relaxed);
    do
        if (taken > most || bytes > most - taken)
            return false;
    while (!atomic_compare_exchange_weak_explicit(&k->taken, &taken, taken + bytes, memory_order_relaxed,
                                                  memory_order_relaxed));
    return true;
}

void lw_keeper_charge(lw_keeper *k, uint64_t bytes)
{
    atomic_fetch_add_explicit(&k->taken, bytes, memory_order_relaxed);
}

void lw_keeper_give(lw_keeper *k, uint64_t bytes)
{
    if (k)
        atomic_fetch_sub_explicit(&k->taken, bytes, memory_order_relaxed);
}

uint64_t lw_keeper_taken(const lw_keeper *k)
{
    return atomic_load_explicit(&k->taken, memory_order_relaxed);
}

void *lw_keeper_alloc(lw_keeper *k, size_t bytes)
{
    if (!lw_keeper_take(k, bytes))
        return NULL;
    void *made = calloc(1, bytes);
    if (!made)
        lw_keeper_give(k, bytes);
    return made;
}

void lw_keeper_drop(lw_keeper *k, void *allocated, size_t bytes)
{
    if (allocated)
        lw_keeper_give(k, bytes);
    free(allocated);
}

static size_t aligned(size_t bytes)
{
    return (bytes + BLOCK_ALIGNED - 1) / BLOCK_ALIGNED * BLOCK_ALIGNED;
}

static lw_chunk *new_chunk(lw_keeper *k, size_t blocks, size_t each)
{
    const size_t size = aligned(sizeof(lw_chunk)) + blocks * each;
    if (!lw_keeper_take(k, size))
        return NULL;
    lw_chunk *chunk = malloc(size);
    if (!chunk) {
        lw_keeper_give(k, size);
        return NULL;
    }
    *chunk = (lw_chunk){ 1, size, aligned(sizeof(lw_chunk)), blocks };
    return chunk;
}

void *lw_chunk_take(lw_keeper *k, lw_chunk **at, size_t bytes)
{
    const size_t each = BLOCK_ALIGNED + aligned(bytes);
    lw_chunk *chunk = *at;
    if (!chunk || each > chunk->size - chunk->used) {
        const size_t blocks = !chunk ? 1 : chunk->blocks < CHUNK_BLOCKS ? 2 * chunk->blocks : CHUNK_BLOCKS;
        lw_chunk *more = new_chunk(k, blocks, each);
        if (!more && !(more = new_chunk(k, 1, each)))
            return NULL;
        lw_chunk_close(k, chunk);
        *at = chunk = more;
    }
    uint8_t *block = (uint8_t *)chunk + chunk->used;
    memcpy(block, &chunk, sizeof(chunk));
    chunk->used += each;
    chunk->users++;
    /* By writing: a fresh page that is read first costs another fault, which stops the other threads. */
    return memset(block + BLOCK_ALIGNED, 0, bytes);
}

void lw_chunk_close(lw_keeper *k, lw_chunk *chunk)
{
    if (chunk && --chunk->users == 0)
        lw_keeper_drop(k, chunk, chunk->size);
}

void lw_chunk_give(lw_keeper *k, void *block)
{
    lw_chunk *chunk;
    if (!block)
        return;
    memcpy(&chunk, (uint8_t *)block - BLOCK_ALIGNED, sizeof(chunk));
    lw_chunk_close(k, chunk);
}

/* ---- Saving pages ---- */

static kept_region *region_in(const lw_snapshot *s, const lw_region *r)
{
    size_t low = 0, high = s->count;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (s->regions[mid].base < r->base)
            low = mid + 1;
        else
            high = mid;
    }
    return low < s->count && s->regions[low].serial == r->serial ? &s->regions[low] : NULL;
}

static kept_page *copy_page(const lw_region *r, size_t page)
{
    const size_t size = page_size(r->size, page), marks = r->stored ? (size + 3) / 4 : 0;
    kept_page *copy = lw_chunk_take(r->keeper, &r->keeper->chunk, sizeof(kept_page) + size + marks);
    if (!copy)
        return NULL;
    memcpy(copy->bytes, r->host + page * LW_KEPT_PAGE, size);
    copy->marks = marks ? copy->bytes + size : NULL;
    if (marks)
        memcpy(copy->marks, (const uint8_t *)(const void *)r->stored + page * (LW_KEPT_PAGE / 4), marks);
    return copy;
}

/* Gives the page to every snapshot that lacks it. The caller holds the lock. */
static bool save(const lw_region *r, size_t page)
{
    kept_page *copy = NULL;
    for (lw_snapshot *s = r->keeper->first; s; s = s->next) {
        kept_region *in = region_in(s, r);
        if (!in || (in->pages && in->pages[page]))
            continue;
        if (!in->pages)
            in->pages = lw_keeper_alloc(r->keeper, page_count(r->size) * sizeof(*in->pages));
        if (!in->pages || (!copy && !(copy = copy_page(r, page))))
            return false;
        in->pages[page] = copy;
        copy->users++;
    }
    atomic_store_explicit(&r->kept[page], r->keeper->moment, memory_order_release);
    return true;
}

static bool is_kept(const lw_region *r, size_t page, memory_order order)
{
    return atomic_load_explicit(&r->kept[page], order) == r->keeper->moment;
}

bool lw_region_keep(const lw_region *r, uint64_t offset, uint64_t size)
{
    if (!r->kept || !size)
        return true;
    const size_t last = (size_t)((offset + size - 1) / LW_KEPT_PAGE);
    bool good = true;
    for (size_t page = (size_t)(offset / LW_KEPT_PAGE); page <= last && good; page++) {
        if (is_kept(r, page, memory_order_acquire))
            continue;
        lw_lock_take(&r->keeper->lock);
        good = is_kept(r, page, memory_order_relaxed) || save(r, page);
        lw_lock_leave(&r->keeper->lock);
    }
    return good;
}

bool lw_region_tell(const lw_region *r, uint64_t offset, uint64_t size)
{
    if (!lw_region_keep(r, offset, size))
        return false;
    if (r->stored)
        lw_region_note(r, offset, size);
    return true;
}

lw_status lw_memory_keep(lw_memory *memory, uint64_t address, uint64_t size)
{
    for (size_t i = 0; memory && i < memory->count; i++) {
        const lw_region *r = &memory->regions[i];
        if (lw_region_holds(r, address, size))
            return lw_region_keep(r, address - r->base, size) ? LW_OK : LW_E_NO_MEMORY;
    }
    return LW_E_ARGUMENT;
}

/* ---- Taking and freeing ---- */

static void drop_page(lw_keeper *k, kept_page *page)
{
    if (page && --page->users == 0)
        lw_chunk_give(k, page);
}

static void drop_regions(lw_snapshot *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const kept_region *in = &s->regions[i];
        const size_t pages = page_count(in->size);
        for (size_t p = 0; in->pages && p < pages; p++)
            drop_page(s->keeper, in->pages[p]);
        lw_keeper_drop(s->keeper, in->pages, pages * sizeof(*in->pages));
    }
    lw_keeper_drop(s->keeper, s->regions, s->room);
}

static size_t moments_size(const lw_region *r)
{
    return (page_count(r->size) + 1) * sizeof(*r->kept);
}

void lw_region_forget(lw_region *r)
{
    if (r->kept)
        lw_keeper_drop(r->keeper, (void *)r->kept, moments_size(r));
}

/* The bytes that a snapshot takes before the first page is saved. */
static uint64_t table_size(const lw_memory *memory)
{
    uint64_t bytes = (memory->count + 1) * sizeof(kept_region);
    for (size_t i = 0; i < memory->count; i++)
        if (memory->regions[i].writable && !memory->regions[i].kept)
            bytes += moments_size(&memory->regions[i]);
    return bytes;
}

static bool add_region(lw_snapshot *s, lw_region *r)
{
    if (!r->kept)
        r->kept = lw_keeper_alloc(s->keeper, moments_size(r));
    if (!r->kept)
        return false;
    s->regions[s->count++] = (kept_region){ r->base, r->size, r->serial, NULL };
    return true;
}

lw_snapshot *lw_snapshot_new(lw_memory *memory)
{
    if (table_size(memory) > lw_memory_room(memory))
        return NULL;
    lw_snapshot *s = calloc(1, sizeof(*s));
    if (!s)
        return NULL;
    s->keeper = memory->keeper;
    s->room = (memory->count + 1) * sizeof(*s->regions);
    s->regions = lw_keeper_alloc(s->keeper, s->room);
    bool good = s->regions != NULL;
    for (size_t i = 0; good && i < memory->count; i++)
        good = !memory->regions[i].writable || add_region(s, &memory->regions[i]);
    if (!good) {
        drop_regions(s);
        free(s);
        return NULL;
    }
    s->keeper->moment++; /* pages saved earlier do not count as saved for this one */
    s->next = s->keeper->first;
    s->keeper->first = s;
    return s;
}

lw_status lw_memory_snapshot(lw_memory *memory, lw_snapshot **snapshot, lw_error *error)
{
    if (!memory || !snapshot)
        return lw_fail(error, LW_E_ARGUMENT, "a snapshot needs a memory and a place for its handle");
    const uint64_t size = table_size(memory), room = lw_memory_room(memory);
    if (size > room)
        return lw_fail(error, LW_E_NO_MEMORY,
                       "a snapshot begins with %llu bytes; the memory limit of %llu bytes leaves %llu",
                       (unsigned long long)size, (unsigned long long)memory->limit, (unsigned long long)room);
    lw_snapshot *s = lw_snapshot_new(memory);
    if (!s)
        return lw_fail(error, LW_E_NO_MEMORY, "no host memory for a snapshot");
    s->told = true;
    for (size_t i = 0; i < memory->count; i++)
        memory->regions[i].noted = memory->regions[i].noted || memory->regions[i].writable;
    *snapshot = s;
    return LW_OK;
}

bool lw_snapshot_take(lw_snapshot *s, uint64_t bytes)
{
    if (!lw_keeper_take(s->keeper, bytes))
        return false;
    s->beside += bytes;
    return true;
}

/* Stops reporting stores that are no longer needed. */
static void stop_telling(lw_keeper *k)
{
    for (const lw_snapshot *s = k->first; s; s = s->next)
        if (s->told)
            return;
    for (size_t i = 0; i < k->memory->count; i++)
        k->memory->regions[i].noted = k->memory->regions[i].stored != NULL;
}

/* No page of the chunk that the next one would come from is left. */
static void end_idle_chunk(lw_keeper *k)
{
    if (!k->chunk || k->chunk->users > 1)
        return;
    lw_chunk_close(k, k->chunk);
    k->chunk = NULL;
}

void lw_snapshot_free(lw_snapshot *s)
{
    if (!s)
        return;
    lw_keeper *k = s->keeper;
    lw_snapshot **at = k ? &k->first : NULL;
    while (at && *at != s)
        at = &(*at)->next;
    if (at)
        *at = s->next;
    if (k && s->told)
        stop_telling(k);
    drop_regions(s);
    if (k)
        end_idle_chunk(k);
    lw_keeper_give(k, s->beside);
    free(s);
}

/* ---- Going back ---- */

/* The snapshot's region; NULL: it has been released. */
static lw_region *region_of(lw_memory *memory, const kept_region *k)
{
    for (size_t i = 0; i < memory->count; i++)
        if (memory->regions[i].serial == k->serial)
            return &memory->regions[i];
    return NULL;
}

/* Saves what is about to be overwritten for other snapshots. */
static lw_status keep_all(lw_memory *memory, const lw_snapshot *s, lw_error *error)
{
    for (size_t i = 0; i < s->count; i++) {
        const kept_region *k = &s->regions[i];
        const lw_region *r = region_of(memory, k);
        if (!r)
            return lw_fail(error, LW_E_ARGUMENT,
                           "the snapshot has %llu bytes at address 0x%llx, which have been released",
                           (unsigned long long)k->size, (unsigned long long)k->base);
        for (size_t page = 0; page < page_count(k->size); page++)
            if (k->pages && k->pages[page] && !lw_region_keep(r, (uint64_t)page * LW_KEPT_PAGE, 1))
                return lw_fail(error, LW_E_NO_MEMORY,
                               "no memory, or none within the limit, for what other snapshots need");
    }
    return LW_OK;
}

static void put_back(const lw_region *r, size_t page, const kept_page *from)
{
    const size_t size = page_size(r->size, page);
    memcpy(r->host + page * LW_KEPT_PAGE, from->bytes, size);
    if (r->stored && from->marks)
        memcpy((uint8_t *)(void *)r->stored + page * (LW_KEPT_PAGE / 4), from->marks, (size + 3) / 4);
}

lw_status lw_memory_restore(lw_memory *memory, lw_snapshot *s, lw_error *error)
{
    if (!memory || !s || s->keeper != memory->keeper)
        return lw_fail(error, LW_E_ARGUMENT, "restoring needs a memory and a snapshot of it");
    const lw_status status = keep_all(memory, s, error);
    for (size_t i = 0; status == LW_OK && i < s->count; i++) {
        const kept_region *k = &s->regions[i];
        const lw_region *r = region_of(memory, k);
        for (size_t page = 0; page < page_count(k->size); page++)
            if (k->pages && k->pages[page])
                put_back(r, page, k->pages[page]);
    }
    return status;
}
