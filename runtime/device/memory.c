/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "runtime/device/device.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Allocations in ascending order of address. */
static struct {
    pthread_mutex_t lock;
    rt_range *range;
    size_t count, room;
    uint64_t bytes;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Index of the first allocation that begins after `address`. */
static size_t after(uint64_t address)
{
    size_t low = 0, high = all.count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (all.range[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool overlaps(uint64_t address, uint64_t size)
{
    const size_t at = after(address);
    return (at && all.range[at - 1].size > address - all.range[at - 1].address) ||
           (at < all.count && all.range[at].address - address < size);
}

static int insert(const rt_range *range)
{
    int error = RT_OK;
    pthread_mutex_lock(&all.lock);
    if (all.count == all.room) {
        const size_t room = all.room ? 2 * all.room : 64;
        rt_range *more = realloc(all.range, room * sizeof(*more));
        if (more) {
            all.range = more;
            all.room = room;
        } else {
            error = RT_OUT_OF_MEMORY;
        }
    }
    if (error == RT_OK) {
        const size_t at = after(range->address);
        memmove(all.range + at + 1, all.range + at, (all.count - at) * sizeof(*range));
        all.range[at] = *range;
        all.count++;
        all.bytes += range->kind == RT_REGISTERED ? 0 : range->size;
    }
    pthread_mutex_unlock(&all.lock);
    return error;
}

/* Removes the allocation that begins at `address`, if `fits` allows it. */
static int take(uint64_t address, bool (*fits)(const rt_range *), rt_range *taken)
{
    int error = RT_INVALID_VALUE;
    pthread_mutex_lock(&all.lock);
    const size_t at = after(address);
    if (at && all.range[at - 1].address == address && fits(&all.range[at - 1])) {
        *taken = all.range[at - 1];
        memmove(all.range + at - 1, all.range + at, (all.count - at) * sizeof(*taken));
        all.count--;
        all.bytes -= taken->kind == RT_REGISTERED ? 0 : taken->size;
        error = RT_OK;
    }
    pthread_mutex_unlock(&all.lock);
    return error;
}

bool rt_find(uint64_t address, rt_range *range)
{
    pthread_mutex_lock(&all.lock);
    const size_t at = after(address);
    const bool found = at && address - all.range[at - 1].address < all.range[at - 1].size;
    if (found)
        *range = all.range[at - 1];
    pthread_mutex_unlock(&all.lock);
    return found;
}

void rt_room(uint64_t *left, uint64_t *in_all)
{
    *in_all = (uint64_t)rt_product_get()->memory_gib << 30;
    pthread_mutex_lock(&all.lock);
    *left = all.bytes < *in_all ? *in_all - all.bytes : 0;
    pthread_mutex_unlock(&all.lock);
}

static lw_status map_host(lw_memory *memory, const char *name, rt_range *range, lw_error *error)
{
    void *host =
        mmap(NULL, range->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED)
        return LW_E_NO_MEMORY;
    const lw_status status = lw_memory_register(memory, name, host, range->size, LW_ACCESS_READ_WRITE, error);
    if (status != LW_OK)
        munmap(host, range->size);
    range->address = (uintptr_t)host;
    return status;
}

static void unmap(lw_memory *memory, const rt_range *range)
{
    (void)lw_memory_release(memory, range->address, NULL);
    if (range->kind == RT_PINNED || range->kind == RT_MANAGED)
        munmap((void *)(uintptr_t)range->address, range->size);
}

int rt_allocate(rt_kind kind, int device, uint64_t size, unsigned flags, const char *name, uint64_t *address)
{
    rt_range range = { .size = size, .kind = kind, .device = device, .flags = flags };
    lw_error error = { "" };
    uint64_t left, whole;
    rt_room(&left, &whole);
    if (size > left)
        return RT_OUT_OF_MEMORY;
    lw_memory *memory = rt_memory_lock();
    const lw_status status = kind == RT_DEVICE ? lw_memory_allocate(memory, name, size, LW_ACCESS_READ_WRITE,
                                                                    &range.address, &error)
                                               : map_host(memory, name, &range, &error);
    int answer = status == LW_OK ? insert(&range) : RT_OUT_OF_MEMORY;
    if (status == LW_OK && answer != RT_OK)
        unmap(memory, &range);
    rt_memory_unlock();
    if (status != LW_OK && error.text[0])
        rt_say("%s", error.text);
    if (answer == RT_OK)
        *address = range.address;
    return answer;
}

int rt_register(void *host, uint64_t size, int device, unsigned flags)
{
    const rt_range range = {
        .address = (uintptr_t)host, .size = size, .kind = RT_REGISTERED, .device = device, .flags = flags
    };
    if (!host || !size || range.address + size < size)
        return RT_INVALID_VALUE;
    pthread_mutex_lock(&all.lock);
    const bool taken = overlaps(range.address, size);
    pthread_mutex_unlock(&all.lock);
    if (taken)
        return RT_ALREADY_REGISTERED;
    lw_memory *memory = rt_memory_lock();
    const lw_status status =
        lw_memory_register(memory, "registered host memory", host, size, LW_ACCESS_READ_WRITE, NULL);
    int answer = status == LW_OK           ? insert(&range)
                 : status == LW_E_ARGUMENT ? RT_ALREADY_REGISTERED
                                           : RT_OUT_OF_MEMORY;
    if (status == LW_OK && answer != RT_OK)
        unmap(memory, &range);
    rt_memory_unlock();
    return answer;
}

static bool is_device(const rt_range *range)
{
    return range->kind == RT_DEVICE || range->kind == RT_MANAGED;
}

static bool is_pinned(const rt_range *range)
{
    return range->kind == RT_PINNED;
}

static bool is_registered(const rt_range *range)
{
    return range->kind == RT_REGISTERED;
}

static int give_back(uint64_t address, bool (*fits)(const rt_range *))
{
    rt_range range;
    const int error = take(address, fits, &range);
    if (error != RT_OK)
        return error;
    unmap(rt_memory_lock(), &range);
    rt_memory_unlock();
    return RT_OK;
}

int rt_free(uint64_t address, bool pinned)
{
    const int error = rt_wait_all();
    return error == RT_OK ? give_back(address, pinned ? is_pinned : is_device) : error;
}

int rt_unregister(void *host)
{
    const int error = rt_wait_all();
    if (error != RT_OK)
        return error;
    return give_back((uintptr_t)host, is_registered) == RT_OK ? RT_OK : RT_NOT_REGISTERED;
}
