/* SPDX-License-Identifier: MIT */
#include "emu/device/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "emu/device/fail.h"
#include "emu/device/lock.h"

/* A page as it was, shared by the snapshots that have it. */
typedef struct kept_page {
    size_t users;
    bool marked; /* there are marks of stores */
    uint8_t bytes[LW_KEPT_PAGE], marks[LW_KEPT_PAGE / 4];
} kept_page;

/* What a snapshot has of one region. */
typedef struct kept_region {
    uint64_t base, size, serial;
    kept_page **pages; /* NULL: as it is now */
} kept_region;

struct lw_snapshot {
    lw_snapshot *next;
    lw_keeper *keeper;    /* NULL: its memory is gone */
    kept_region *regions; /* ascending base */
    size_t count;
};

struct lw_keeper {
    lw_lock lock;
    lw_snapshot *first;
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

lw_keeper *lw_keeper_new(void)
{
    lw_keeper *k = calloc(1, sizeof(*k));
    if (k && lw_lock_create(&k->lock))
        return k;
    free(k);
    return NULL;
}

void lw_keeper_free(lw_keeper *k)
{
    if (!k)
        return;
    for (lw_snapshot *s = k->first; s; s = s->next)
        s->keeper = NULL;
    lw_lock_destroy(&k->lock);
    free(k);
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
    const size_t size = page_size(r->size, page);
    kept_page *copy = malloc(sizeof(*copy));
    if (!copy)
        return NULL;
    copy->users = 0;
    copy->marked = r->stored != NULL;
    memcpy(copy->bytes, r->host + page * LW_KEPT_PAGE, size);
    if (copy->marked)
        memcpy(copy->marks, (const uint8_t *)(const void *)r->stored + page * (LW_KEPT_PAGE / 4),
               (size + 3) / 4);
    return copy;
}

/* Gives the page to every snapshot that lacks it. The lock is held. */
static bool save(const lw_region *r, size_t page)
{
    kept_page *copy = NULL;
    for (lw_snapshot *s = r->keeper->first; s; s = s->next) {
        kept_region *in = region_in(s, r);
        if (!in || in->pages[page])
            continue;
        if (!copy && !(copy = copy_page(r, page)))
            return false;
        in->pages[page] = copy;
        copy->users++;
    }
    atomic_store_explicit(&r->kept[page], 1, memory_order_release);
    return true;
}

bool lw_region_keep(const lw_region *r, uint64_t offset, uint64_t size)
{
    if (!r->kept || !size)
        return true;
    const size_t last = (size_t)((offset + size - 1) / LW_KEPT_PAGE);
    bool good = true;
    for (size_t page = (size_t)(offset / LW_KEPT_PAGE); page <= last && good; page++) {
        if (atomic_load_explicit(&r->kept[page], memory_order_acquire))
            continue;
        lw_lock_take(&r->keeper->lock);
        if (!atomic_load_explicit(&r->kept[page], memory_order_relaxed))
            good = save(r, page);
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

static void drop_page(kept_page *page)
{
    if (page && --page->users == 0)
        free(page);
}

static void free_regions(lw_snapshot *s)
{
    for (size_t i = 0; i < s->count; i++) {
        for (size_t p = 0; p < page_count(s->regions[i].size); p++)
            drop_page(s->regions[i].pages[p]);
        free(s->regions[i].pages);
    }
    free(s->regions);
}

/* Room for what the snapshot may get of a region; its pages are to be saved from now on. */
static bool add_region(lw_snapshot *s, lw_region *r)
{
    const size_t pages = page_count(r->size);
    if (!r->kept && (r->kept = malloc(pages * sizeof(*r->kept) + 1)) != NULL)
        memset((void *)r->kept, 1, pages);
    kept_page **kept = calloc(pages + 1, sizeof(*kept));
    if (!r->kept || !kept) {
        free(kept);
        return false;
    }
    s->regions[s->count++] = (kept_region){ r->base, r->size, r->serial, kept };
    return true;
}

lw_status lw_memory_snapshot(lw_memory *memory, lw_snapshot **snapshot, lw_error *error)
{
    if (!memory || !snapshot)
        return lw_fail(error, LW_E_ARGUMENT, "a snapshot needs a memory and a place for its handle");
    lw_snapshot *s = calloc(1, sizeof(*s));
    bool good = s && (s->regions = calloc(memory->count + 1, sizeof(*s->regions))) != NULL;
    for (size_t i = 0; good && i < memory->count; i++)
        good = !memory->regions[i].writable || add_region(s, &memory->regions[i]);
    if (!good) {
        if (s)
            free_regions(s);
        free(s);
        return lw_fail(error, LW_E_NO_MEMORY, "no host memory for a snapshot");
    }
    for (size_t i = 0; i < memory->count; i++) {
        lw_region *r = &memory->regions[i];
        if (!r->writable)
            continue;
        memset((void *)r->kept, 0, page_count(r->size));
        r->noted = true;
    }
    s->keeper = memory->keeper;
    s->next = s->keeper->first;
    s->keeper->first = s;
    *snapshot = s;
    return LW_OK;
}

void lw_snapshot_free(lw_snapshot *s)
{
    if (!s)
        return;
    lw_snapshot **at = s->keeper ? &s->keeper->first : NULL;
    while (at && *at != s)
        at = &(*at)->next;
    if (at)
        *at = s->next;
    free_regions(s);
    free(s);
}

/* ---- Going back ---- */

/* The region that the snapshot has; NULL: it has been released. */
static lw_region *region_of(lw_memory *memory, const kept_region *k)
{
    for (size_t i = 0; i < memory->count; i++)
        if (memory->regions[i].serial == k->serial)
            return &memory->regions[i];
    return NULL;
}

/* Other snapshots get what is to be overwritten. */
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
            if (k->pages[page] && !lw_region_keep(r, (uint64_t)page * LW_KEPT_PAGE, 1))
                return lw_fail(error, LW_E_NO_MEMORY, "no host memory for what other snapshots need");
    }
    return LW_OK;
}

static void put_back(const lw_region *r, size_t page, const kept_page *from)
{
    const size_t size = page_size(r->size, page);
    memcpy(r->host + page * LW_KEPT_PAGE, from->bytes, size);
    if (r->stored && from->marked)
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
            if (k->pages[page])
                put_back(r, page, k->pages[page]);
    }
    return status;
}
