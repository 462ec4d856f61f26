/* SPDX-License-Identifier: MIT */
#include "emu/device/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/device/fail.h"
#include "emu/device/snapshot.h"

enum { GUARD = 64 * 1024, NEAR_NULL = 64 * 1024 };

static const uint64_t MAX_TOTAL = UINT64_C(1) << 40;

long lw_memory_process(void)
{
#ifdef __wasi__
    return 0;
#else
    return (long)getpid();
#endif
}

lw_status lw_memory_create(lw_memory **memory)
{
    if (!memory)
        return LW_E_ARGUMENT;
    lw_memory *m = calloc(1, sizeof(*m));
    if (!m)
        return LW_E_NO_MEMORY;
    m->next = LW_ADDRESS_FIRST;
    m->process = lw_memory_process();
    m->limit = lw_memory_limit_default();
    m->keeper = lw_keeper_new(m);
    if (!m->keeper) {
        free(m);
        return LW_E_NO_MEMORY;
    }
    *memory = m;
    return LW_OK;
}

static void release_region(lw_region *r)
{
    free(r->name);
    free((void *)r->stored);
    lw_region_forget(r);
    if (r->owned)
        free(r->host);
}

void lw_memory_free(lw_memory *memory)
{
    if (!memory)
        return;
    for (size_t i = 0; i < memory->count; i++)
        release_region(&memory->regions[i]);
    lw_keeper_free(memory->keeper);
    free(memory->regions);
    free(memory);
}

lw_status lw_memory_set_limit(lw_memory *memory, uint64_t bytes)
{
    if (!memory)
        return LW_E_ARGUMENT;
    memory->limit = bytes ? bytes : lw_memory_limit_default();
    return LW_OK;
}

lw_status lw_memory_set_beside(lw_memory *memory, uint64_t bytes, lw_error *error)
{
    if (!memory)
        return lw_fail(error, LW_E_ARGUMENT, "there is no memory beside which bytes are held");
    const uint64_t room = lw_memory_room(memory) + memory->beside;
    if (bytes > memory->beside && bytes > room)
        return lw_fail(
            error, LW_E_NO_MEMORY, "the caller holds %llu bytes; the memory limit of %llu bytes leaves %llu",
            (unsigned long long)bytes, (unsigned long long)memory->limit, (unsigned long long)room);
    memory->used = memory->used - memory->beside + bytes;
    memory->beside = bytes;
    return LW_OK;
}

uint64_t lw_memory_room(const lw_memory *memory)
{
    const uint64_t taken = memory->used + lw_keeper_taken(memory->keeper);
    return memory->limit > taken ? memory->limit - taken : 0;
}

/* Index of the first region that ends after `address`. */
static size_t find_region(const lw_memory *memory, uint64_t address)
{
    size_t low = 0, high = memory->count;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        const lw_region *r = &memory->regions[mid];
        if (r->base + r->size <= address && r->base < address)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

lw_status lw_memory_map(lw_memory *memory, const lw_region *region)
{
    if (region->base + region->size < region->base)
        return LW_E_ARGUMENT;
    const size_t at = find_region(memory, region->base);
    if (at < memory->count) {
        const lw_region *next = &memory->regions[at];
        if (next->base == region->base || next->base < region->base + region->size)
            return LW_E_ARGUMENT;
    }
    if (memory->count == memory->capacity) {
        const size_t capacity = memory->capacity ? 2 * memory->capacity : 16;
        lw_region *grown = realloc(memory->regions, capacity * sizeof(*grown));
        if (!grown)
            return LW_E_NO_MEMORY;
        memory->regions = grown;
        memory->capacity = capacity;
    }
    char *name = strdup(region->name ? region->name : "");
    if (!name)
        return LW_E_NO_MEMORY;

    memmove(&memory->regions[at + 1], &memory->regions[at], (memory->count - at) * sizeof(lw_region));
    memory->regions[at] = *region;
    memory->regions[at].name = name;
    memory->regions[at].keeper = memory->keeper;
    memory->regions[at].serial = memory->serial++;
    memory->count++;
    return LW_OK;
}

void lw_memory_unmap(lw_memory *memory, uint64_t base)
{
    for (size_t i = 0; i < memory->count; i++) {
        if (memory->regions[i].base != base)
            continue;
        release_region(&memory->regions[i]);
        memory->count--;
        memmove(&memory->regions[i], &memory->regions[i + 1], (memory->count - i) * sizeof(lw_region));
        return;
    }
}

/* Whether `size` more bytes may be held under that name. */
static lw_status check_room(const lw_memory *memory, const char *name, uint64_t size, lw_error *error)
{
    if (size > MAX_TOTAL || memory->next - LW_ADDRESS_FIRST > MAX_TOTAL - size)
        return lw_fail(error, LW_E_ARGUMENT, "allocation \"%s\" of %llu bytes exceeds the 2^40 bytes of all",
                       name ? name : "", (unsigned long long)size);
    if (size > lw_memory_room(memory))
        return lw_fail(error, LW_E_NO_MEMORY,
                       "allocation \"%s\" of %llu bytes: the memory limit of %llu bytes leaves %llu",
                       name ? name : "", (unsigned long long)size, (unsigned long long)memory->limit,
                       (unsigned long long)lw_memory_room(memory));
    return LW_OK;
}

static lw_status place(lw_memory *memory, const char *name, uint64_t base, uint64_t size, lw_access access,
                       lw_error *error)
{
    const size_t bytes = (size_t)size; /* only 32 bits on some hosts */
    uint8_t *host = bytes == size ? calloc(1, bytes ? bytes : 1) : NULL;
    if (!host)
        return lw_fail(error, LW_E_NO_MEMORY, "no host memory for allocation \"%s\" of %llu bytes",
                       name ? name : "", (unsigned long long)size);
    const lw_region region = { .base = base,
                               .size = size,
                               .host = host,
                               .name = (char *)(uintptr_t)name,
                               .writable = access == LW_ACCESS_READ_WRITE,
                               .owned = true };
    const lw_status status = lw_memory_map(memory, &region);
    if (status != LW_OK) {
        free(host);
        return lw_fail(error, status, "allocation \"%s\" cannot be placed at 0x%llx", name ? name : "",
                       (unsigned long long)base);
    }
    memory->used += size;
    return LW_OK;
}

/* The first multiple of 64 KiB from memory->next on that leaves as much unmapped on both sides. */
static uint64_t next_address(const lw_memory *memory, uint64_t size)
{
    uint64_t base = memory->next;
    for (size_t at = find_region(memory, base - GUARD); at < memory->count; at++) {
        const lw_region *r = &memory->regions[at];
        if (r->base >= base + size + GUARD)
            break;
        if (r->base + r->size + GUARD > base)
            base = (r->base + r->size + 2 * GUARD - 1) / GUARD * GUARD;
    }
    return base;
}

lw_status lw_memory_allocate(lw_memory *memory, const char *name, uint64_t size, lw_access access,
                             uint64_t *address, lw_error *error)
{
    if (!memory || !address)
        return lw_fail(error, LW_E_ARGUMENT, "allocating device memory needs a memory and an address");
    lw_status status = check_room(memory, name, size, error);
    if (status != LW_OK)
        return status;
    const uint64_t base = next_address(memory, size);
    status = place(memory, name, base, size, access, error);
    if (status != LW_OK)
        return status;
    *address = base;
    memory->next = base + (size + GUARD + GUARD - 1) / GUARD * GUARD;
    return LW_OK;
}

lw_status lw_memory_allocate_at(lw_memory *memory, const char *name, uint64_t address, uint64_t size,
                                lw_access access, lw_error *error)
{
    if (!memory)
        return lw_fail(error, LW_E_ARGUMENT, "allocating device memory needs a memory");
    if (address < LW_ADDRESS_FIRST || address > LW_ADDRESS_END || size > LW_ADDRESS_END - address)
        return lw_fail(error, LW_E_ARGUMENT,
                       "allocation \"%s\": 0x%llx and %llu bytes are not between 0x%llx and 0x%llx",
                       name ? name : "", (unsigned long long)address, (unsigned long long)size,
                       (unsigned long long)LW_ADDRESS_FIRST, (unsigned long long)LW_ADDRESS_END);
    const lw_status status = check_room(memory, name, size, error);
    return status == LW_OK ? place(memory, name, address, size, access, error) : status;
}

lw_status lw_memory_release(lw_memory *memory, uint64_t address, lw_error *error)
{
    const size_t at = memory ? find_region(memory, address) : 0;
    const lw_region *r = memory && at < memory->count ? &memory->regions[at] : NULL;
    const bool given = r && r->base == address && (r->owned || (uint64_t)(uintptr_t)r->host == address);
    if (!given)
        return lw_fail(error, LW_E_ARGUMENT, "no allocation begins at address 0x%llx",
                       (unsigned long long)address);
    if (r->owned)
        memory->used -= r->size;
    lw_memory_unmap(memory, address);
    return LW_OK;
}

uint64_t lw_memory_gap(const lw_memory *memory, uint64_t from, uint64_t size)
{
    uint64_t base = from;
    if (size > LW_ADDRESS_FIRST)
        return UINT64_MAX;
    for (size_t at = find_region(memory, from); at < memory->count; at++) {
        const lw_region *r = &memory->regions[at];
        if (r->base >= base + size + GUARD)
            break;
        base = (r->base + r->size + 2 * GUARD - 1) / GUARD * GUARD;
    }
    return base + size + GUARD <= LW_ADDRESS_FIRST ? base : UINT64_MAX;
}

lw_status lw_memory_register(lw_memory *memory, const char *name, void *host, uint64_t size, lw_access access,
                             lw_error *error)
{
    if (!memory || !host || !size)
        return lw_fail(error, LW_E_ARGUMENT, "registering host memory needs a memory, a pointer and a size");
    const lw_region region = { .base = (uint64_t)(uintptr_t)host,
                               .size = size,
                               .host = host,
                               .name = (char *)(uintptr_t)name,
                               .writable = access == LW_ACCESS_READ_WRITE };
    const lw_status status = lw_memory_map(memory, &region);
    if (status == LW_E_NO_MEMORY)
        return lw_fail(error, status, "%s", lw_status_text(status));
    if (status != LW_OK)
        return lw_fail(error, status, "host memory \"%s\" at 0x%llx overlaps what is mapped already",
                       name ? name : "", (unsigned long long)region.base);
    return LW_OK;
}

static const lw_region *region_of(const lw_memory *memory, uint64_t address, uint64_t size)
{
    const size_t at = find_region(memory, address);
    if (at >= memory->count || !lw_region_holds(&memory->regions[at], address, size))
        return NULL;
    return &memory->regions[at];
}

void *lw_memory_host(const lw_memory *memory, uint64_t address, uint64_t size)
{
    if (!memory)
        return NULL;
    const lw_region *r = region_of(memory, address, size);
    return r ? r->host + (address - r->base) : NULL;
}

lw_status lw_memory_read(const lw_memory *memory, uint64_t address, void *bytes, uint64_t size)
{
    const void *host = lw_memory_host(memory, address, size);
    if (!host || !bytes)
        return LW_E_ARGUMENT;
    memcpy(bytes, host, (size_t)size);
    return LW_OK;
}

lw_status lw_memory_write(lw_memory *memory, uint64_t address, const void *bytes, uint64_t size)
{
    void *host = lw_memory_host(memory, address, size);
    if (!host || !bytes)
        return LW_E_ARGUMENT;
    const lw_status status = lw_memory_keep(memory, address, size);
    if (status == LW_OK)
        memcpy(host, bytes, (size_t)size);
    return status;
}

lw_status lw_memory_watch_stores(lw_memory *memory, uint64_t address, lw_error *error)
{
    const size_t at = memory ? find_region(memory, address) : 0;
    if (!memory || at >= memory->count || memory->regions[at].base != address)
        return lw_fail(error, LW_E_ARGUMENT, "watching stores needs the address of an allocation");
    lw_region *r = &memory->regions[at];
    const size_t marks = lw_region_marks(r);
    void *stored = calloc(marks ? marks : 1, 1);
    if (!stored)
        return lw_fail(error, LW_E_NO_MEMORY, "no host memory to watch the stores to \"%s\"", r->name);
    free((void *)r->stored);
    r->stored = stored;
    r->noted = true;
    return LW_OK;
}

static bool is_stored(const lw_region *r, uint64_t offset, uint64_t size)
{
    for (uint64_t at = offset; at < offset + size; at++)
        if (!(atomic_load_explicit(&r->stored[at / 4], memory_order_relaxed) >> at % 4 & 1))
            return false;
    return true;
}

lw_status lw_memory_unstored(const lw_memory *memory, uint64_t address, uint64_t unit, uint64_t count,
                             uint64_t *missing, uint64_t *first)
{
    uint64_t found = 0;
    if (!memory || !missing || !unit || (count && unit > UINT64_MAX / count))
        return LW_E_ARGUMENT;
    const lw_region *r = region_of(memory, address, unit * count);
    if (!r || !r->stored)
        return LW_E_ARGUMENT;
    for (uint64_t i = 0; i < count; i++) {
        if (is_stored(r, address - r->base + i * unit, unit))
            continue;
        if (first && found == 0)
            *first = i;
        found++;
    }
    *missing = found;
    return LW_OK;
}

size_t lw_memory_count(const lw_memory *memory)
{
    return memory ? memory->count : 0;
}

bool lw_memory_at(const lw_memory *memory, size_t index, lw_allocation *allocation)
{
    if (!memory || !allocation || index >= memory->count)
        return false;
    const lw_region *r = &memory->regions[index];
    *allocation = (lw_allocation){ r->name, r->base, r->size,
                                   r->writable ? LW_ACCESS_READ_WRITE : LW_ACCESS_READ, r->host };
    return true;
}

uint8_t *lw_mem_lookup(lw_mem_view *view, uint64_t address, uint64_t size, bool store)
{
    view->no_memory = false;
    if (!view->memory)
        return NULL;
    const lw_region *r = region_of(view->memory, address, size);
    if (!r || (store && !r->writable))
        return NULL;
    view->hit = *r;
    if (store && r->noted && !lw_region_tell(r, address - r->base, size)) {
        view->no_memory = true;
        return NULL;
    }
    return r->host + (address - r->base);
}

/* The region whose end or beginning is closest to `address`. */
static const lw_region *nearest_region(const lw_memory *memory, uint64_t address)
{
    const lw_region *best = NULL;
    uint64_t best_gap = UINT64_MAX;
    for (size_t i = 0; i < memory->count; i++) {
        const lw_region *r = &memory->regions[i];
        const uint64_t gap = address < r->base ? r->base - address : address - r->base - r->size;
        if (gap < best_gap) {
            best = r;
            best_gap = gap;
        }
    }
    return best;
}

void lw_mem_explain(const lw_mem_view *view, uint64_t address, uint64_t size, bool store, char *text,
                    size_t text_size)
{
    const char *verb = store ? "stores to" : "loads from";
    const unsigned long long a = address, n = size;
    const lw_memory *memory = view->memory;
    if (view->no_memory) {
        snprintf(text, text_size,
                 "stores to address 0x%llx, and there is no memory, or none within the limit of %llu bytes, "
                 "to save "
                 "what a snapshot has there",
                 a, (unsigned long long)memory->limit);
        return;
    }
    const lw_region *r = memory ? region_of(memory, address, 1) : NULL;
    if (r && lw_region_holds(r, address, size)) {
        snprintf(text, text_size, "%s address 0x%llx in read-only allocation \"%s\"", verb, a, r->name);
        return;
    }
    if (r) {
        snprintf(text, text_size,
                 "%s %llu bytes at address 0x%llx, which is %llu bytes before the end of \"%s\"", verb, n, a,
                 (unsigned long long)(r->base + r->size - address), r->name);
        return;
    }
    r = memory && memory->count ? nearest_region(memory, address) : NULL;
    if (!r) {
        snprintf(text, text_size, "%s address 0x%llx, but no memory is allocated", verb, a);
        return;
    }
    char place[256];
    lw_mem_place(view, address, place, sizeof(place));
    snprintf(text, text_size, "%s address 0x%llx in no allocation (%s)", verb, a, place);
}

void lw_mem_place(const lw_mem_view *view, uint64_t address, char *text, size_t text_size)
{
    const lw_memory *memory = view->memory;
    const lw_region *r = memory && memory->count ? region_of(memory, address, 1) : NULL;
    const bool inside = r != NULL;
    r = r || !memory || !memory->count ? r : nearest_region(memory, address);
    if (!r) {
        snprintf(text, text_size, "no memory is allocated");
        return;
    }
    if (!inside && address < NEAR_NULL) {
        snprintf(text, text_size, "a null pointer, or near one");
        return;
    }
    const bool below = address < r->base;
    const uint64_t gap = below ? r->base - address : address - r->base - (inside ? 0 : r->size);
    snprintf(text, text_size,
             inside ? "byte 0x%llx %s \"%s\", %llu bytes at 0x%llx"
                    : "%llu bytes %s \"%s\", %llu bytes at 0x%llx",
             (unsigned long long)gap,
             inside  ? "of"
             : below ? "before"
                     : "past the end of",
             r->name, (unsigned long long)r->size, (unsigned long long)r->base);
}

void lw_memory_guard(lw_memory *memory, uint64_t base)
{
    for (size_t i = 0; i < memory->count; i++)
        memory->regions[i].guarded = memory->regions[i].guarded || memory->regions[i].base == base;
}
