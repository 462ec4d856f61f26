/* SPDX-License-Identifier: MIT */
#include "emu/device/footprint.h"

#include <stdlib.h>
#include <string.h>

#include "emu/device/fail.h"

typedef struct run_list {
    lw_byte_run *runs; /* by device address, none touching the next */
    size_t count, room;
} run_list;

/* One region that kernels may write. */
typedef struct area {
    uint64_t base, size;
    char *name;
    uint8_t *before; /* its bytes when the launch began; NULL once it has ended */
} area;

struct lw_footprint {
    run_list lists[2]; /* read, written */
    area *areas;
    size_t area_count;
    lw_keeper *keeper; /* of the launch's memory */
};

lw_status lw_footprint_create(lw_footprint **footprint)
{
    lw_footprint *f = footprint ? calloc(1, sizeof(*f)) : NULL;
    if (f)
        *footprint = f;
    return f ? LW_OK : footprint ? LW_E_NO_MEMORY : LW_E_ARGUMENT;
}

void lw_footprint_end(lw_footprint *f)
{
    for (size_t i = 0; i < f->area_count; i++) {
        if (f->areas[i].before)
            lw_keeper_drop(f->keeper, f->areas[i].before, (size_t)f->areas[i].size);
        f->areas[i].before = NULL;
    }
    f->keeper = NULL;
}

static void clear(lw_footprint *f)
{
    for (size_t i = 0; i < f->area_count; i++)
        free(f->areas[i].name);
    free(f->areas);
    free(f->lists[0].runs);
    free(f->lists[1].runs);
    *f = (lw_footprint){ .area_count = 0 };
}

void lw_footprint_free(lw_footprint *f)
{
    if (f)
        clear(f);
    free(f);
}

static bool copy_region(lw_footprint *f, const lw_region *r)
{
    area *a = &f->areas[f->area_count];
    *a = (area){ .base = r->base, .size = r->size, .name = strdup(r->name ? r->name : "") };
    f->area_count++;
    if (!a->name || !r->size)
        return a->name != NULL;
    if (lw_keeper_take(f->keeper, r->size) && !(a->before = malloc((size_t)r->size)))
        lw_keeper_give(f->keeper, r->size);
    if (a->before)
        memcpy(a->before, r->host, (size_t)r->size);
    return a->before != NULL;
}

lw_status lw_footprint_begin(lw_footprint *f, const lw_memory *memory, lw_error *error)
{
    clear(f);
    f->keeper = memory->keeper;
    f->areas = calloc(memory->count + 1, sizeof(*f->areas));
    bool good = f->areas != NULL;
    for (size_t i = 0; i < memory->count && good; i++)
        good = !memory->regions[i].writable || copy_region(f, &memory->regions[i]);
    if (good)
        return LW_OK;
    lw_footprint_end(f);
    clear(f);
    return lw_fail(
        error, LW_E_NO_MEMORY,
        "recording what a launch touches needs a copy of the arrays that it may write, and the memory "
        "limit of %llu bytes leaves no room for it",
        (unsigned long long)memory->limit);
}

/* ---- From bitmaps to runs ---- */

static bool add_run(lw_footprint *f, run_list *list, uint64_t start, uint64_t size)
{
    lw_byte_run *last = list->count ? &list->runs[list->count - 1] : NULL;
    if (last && last->start + last->size == start) {
        last->size += size;
        return true;
    }
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 64;
        const uint64_t more = (room - list->room) * sizeof(*list->runs);
        lw_byte_run *grown =
            lw_keeper_take(f->keeper, more) ? realloc(list->runs, room * sizeof(*grown)) : NULL;
        if (!grown)
            return false;
        lw_keeper_give(f->keeper, more); /* the caller's from now on, as results are */
        list->runs = grown;
        list->room = room;
    }
    list->runs[list->count++] = (lw_byte_run){ start, size };
    return true;
}

/* The ones among the bits of a page that begins at device address `base`. */
static bool add_bits(lw_footprint *f, run_list *list, const uint64_t *bits, uint64_t base)
{
    bool good = true;
    for (unsigned i = 0; i < LW_WATCH_PAGE / 64 && good; i++) {
        uint64_t left = bits[i];
        if (left == UINT64_MAX) {
            good = add_run(f, list, base + 64 * i, 64);
            continue;
        }
        while (left && good) {
            const unsigned first = (unsigned)__builtin_ctzll(left);
            const uint64_t tail = ~(left >> first);
            const unsigned count = (unsigned)__builtin_ctzll(tail);
            good = add_run(f, list, base + 64 * i + first, count);
            left &= ~(((UINT64_C(1) << count) - 1) << first);
        }
    }
    return good;
}

static bool add_pages(lw_footprint *f, const lw_watch *watch, size_t region, const lw_region *r)
{
    for (uint64_t at = 0; at < r->size; at += LW_WATCH_PAGE) {
        const lw_watch_page *page = lw_watch_page_at(watch, region, (size_t)(at / LW_WATCH_PAGE));
        for (int kind = 0; kind < 2 && page; kind++)
            if (!add_bits(f, &f->lists[kind], page->bits[kind], r->base + at))
                return false;
    }
    return true;
}

/* The first byte from `from` to `to` that differs from the copy; `to` if none does. */
static uint64_t first_change(const area *a, const uint8_t *now, uint64_t from, uint64_t to)
{
    if (from >= to || memcmp(a->before + from, now + from, (size_t)(to - from)) == 0)
        return to;
    while (a->before[from] == now[from])
        from++;
    return from;
}

/* Has only what was seen to be written changed? The written runs of the region begin at list[*at]. */
static lw_status check_region(const lw_footprint *f, const area *a, const lw_region *r, size_t *at,
                              lw_error *error)
{
    const run_list *list = &f->lists[1];
    uint64_t from = 0, to, change;
    do {
        const bool more = *at < list->count && list->runs[*at].start - a->base < a->size;
        to = more ? list->runs[*at].start - a->base : a->size;
        change = a->before ? first_change(a, r->host, from, to) : to;
        from = more ? to + list->runs[*at].size : a->size;
        *at += more;
    } while (change == to && to < a->size);
    if (change == to)
        return LW_OK;
    return lw_fail(
        error, LW_E_UNSUPPORTED,
        "byte %llu of \"%s\" has changed, but no store to it was seen: what this launch touches cannot be "
        "recorded",
        (unsigned long long)change, a->name);
}

lw_status lw_footprint_take(lw_footprint *f, const lw_watch *watch, lw_error *error)
{
    const lw_memory *memory = lw_watch_memory(watch);
    for (size_t i = 0; i < memory->count; i++)
        if (memory->regions[i].writable && !add_pages(f, watch, i, &memory->regions[i]))
            return lw_fail(error, LW_E_NO_MEMORY,
                           "the memory limit of %llu bytes leaves no room for what the launch touched",
                           (unsigned long long)memory->limit);
    lw_status status = LW_OK;
    for (size_t i = 0, at = 0, known = 0; i < memory->count && status == LW_OK; i++)
        if (memory->regions[i].writable)
            status = check_region(f, &f->areas[known++], &memory->regions[i], &at, error);
    return status;
}

/* ---- Asking ---- */

size_t lw_footprint_runs(const lw_footprint *f, uint64_t address, uint64_t size, bool written,
                         lw_byte_run *runs, size_t room)
{
    size_t count = 0;
    const run_list *list = f ? &f->lists[written] : NULL;
    for (size_t i = 0; list && i < list->count; i++) {
        const uint64_t start = list->runs[i].start, end = start + list->runs[i].size;
        const uint64_t from = start > address ? start : address;
        const uint64_t to = end < address + size ? end : address + size;
        if (from >= to)
            continue;
        if (runs && count < room)
            runs[count] = (lw_byte_run){ from - address, to - from };
        count++;
    }
    return count;
}

/* How many bytes from `address` on lie in an area; areas may adjoin. */
static uint64_t held(const lw_byte_run *areas, size_t count, uint64_t address)
{
    for (size_t i = 0; i < count; i++)
        if (address - areas[i].start < areas[i].size)
            return areas[i].size - (address - areas[i].start);
    return 0;
}

static lw_status fail_outside(const lw_footprint *f, uint64_t address, lw_error *error)
{
    for (size_t i = 0; i < f->area_count; i++)
        if (address - f->areas[i].base < f->areas[i].size)
            return lw_fail(
                error, LW_E_UNSUPPORTED,
                "the kernel writes byte %llu of \"%s\", which is none of the arrays that parts keep; run the "
                "launch whole",
                (unsigned long long)(address - f->areas[i].base), f->areas[i].name);
    return lw_fail(error, LW_E_UNSUPPORTED, "the kernel writes to 0x%llx, which is in none of the arrays",
                   (unsigned long long)address);
}

lw_status lw_footprint_within(const lw_footprint *f, const lw_byte_run *areas, size_t count, lw_error *error)
{
    if (!f || (!areas && count))
        return lw_fail(error, LW_E_ARGUMENT, "a footprint and areas are needed");
    const run_list *list = &f->lists[1];
    for (size_t i = 0; i < list->count; i++) {
        const uint64_t end = list->runs[i].start + list->runs[i].size;
        for (uint64_t at = list->runs[i].start; at < end;) {
            const uint64_t in = held(areas, count, at);
            if (!in)
                return fail_outside(f, at, error);
            at += in < end - at ? in : end - at;
        }
    }
    return LW_OK;
}
