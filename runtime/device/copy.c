/* SPDX-License-Identifier: MIT */
#include "runtime/device/device.h"

#include <string.h>

/* Range of emulated addresses: modules and allocations of the device. Hosts have no memory there. */
static const uint64_t device_first = UINT64_C(0x800000000), device_end = UINT64_C(0x20000000000);

/* Number of bytes from the first to the last that a box touches on one side; UINT64_MAX if there are too
 * many. */
static uint64_t extent(const rt_box *box, uint64_t pitch, uint64_t slice)
{
    const __uint128_t bytes =
        box->width + (__uint128_t)(box->height - 1) * pitch + (__uint128_t)(box->depth - 1) * slice;
    return bytes > INT64_MAX ? UINT64_MAX : (uint64_t)bytes;
}

static bool is_empty(const rt_box *box)
{
    return !box->width || !box->height || !box->depth;
}

/* Whether the range is inside a known allocation. Also false if it extends past the end of the allocation;
 * *known says whether the address belongs to one at all. */
static bool lies_inside(uint64_t address, uint64_t size, bool *known)
{
    rt_range range;
    *known = rt_find(address, &range);
    if (*known)
        return size <= range.size - (address - range.address);
    if (address < device_first || address >= device_end)
        return true; /* host memory */
    *known = true;   /* a variable of a module, or unmapped */
    const bool found = lw_memory_host(rt_memory_lock(), address, size);
    rt_memory_unlock();
    return found;
}

int rt_copy_check(uint64_t to, uint64_t from, const rt_box *box)
{
    bool known;
    if (is_empty(box))
        return RT_OK;
    if (!to || !from)
        return RT_INVALID_VALUE;
    if (box->height > 1 && (box->to_pitch < box->width || box->from_pitch < box->width))
        return RT_INVALID_VALUE;
    return lies_inside(to, extent(box, box->to_pitch, box->to_slice), &known) &&
                   lies_inside(from, extent(box, box->from_pitch, box->from_slice), &known)
               ? RT_OK
               : RT_INVALID_VALUE;
}

bool rt_copy_is_pageable(uint64_t to, uint64_t from)
{
    bool to_known, from_known;
    (void)lies_inside(to, 1, &to_known);
    (void)lies_inside(from, 1, &from_known);
    return !to_known || !from_known;
}

/* The bytes at an address, in the device's memory or the host's own. NULL if they no longer exist. */
static void *bytes_at(lw_memory *memory, uint64_t address, uint64_t size)
{
    if (address < device_first || address >= device_end)
        return (void *)(uintptr_t)address;
    return lw_memory_host(memory, address, size);
}

int rt_copy(uint64_t to, uint64_t from, const rt_box *box)
{
    if (is_empty(box))
        return RT_OK;
    lw_memory *memory = rt_memory_lock();
    char *out = bytes_at(memory, to, extent(box, box->to_pitch, box->to_slice));
    const char *in = bytes_at(memory, from, extent(box, box->from_pitch, box->from_slice));
    for (uint64_t z = 0; out && in && z < box->depth; z++)
        for (uint64_t y = 0; y < box->height; y++)
            memmove(out + z * box->to_slice + y * box->to_pitch,
                    in + z * box->from_slice + y * box->from_pitch, box->width);
    rt_memory_unlock();
    return out && in ? RT_OK : RT_INVALID_VALUE;
}

static rt_box box_of_fill(uint64_t pitch, uint64_t rows, uint64_t count, unsigned unit)
{
    return (rt_box){ .width = count * unit, .height = rows, .depth = 1, .to_pitch = pitch };
}

int rt_fill_check(uint64_t to, uint64_t pitch, uint64_t rows, uint64_t count, unsigned unit)
{
    bool known;
    if (!rows || !count)
        return RT_OK;
    if (!to || to % unit || count > INT64_MAX / unit || (rows > 1 && pitch < count * unit))
        return RT_INVALID_VALUE;
    const rt_box box = box_of_fill(pitch, rows, count, unit);
    return lies_inside(to, extent(&box, pitch, 0), &known) && known ? RT_OK : RT_INVALID_VALUE;
}

int rt_fill(uint64_t to, uint64_t pitch, uint64_t rows, uint64_t count, unsigned unit, uint32_t value)
{
    if (!rows || !count)
        return RT_OK;
    const rt_box box = box_of_fill(pitch, rows, count, unit);
    char *out = bytes_at(rt_memory_lock(), to, extent(&box, pitch, 0));
    for (uint64_t y = 0; out && y < rows; y++)
        for (uint64_t x = 0; x < count; x++)
            memcpy(out + y * pitch + x * unit, &value, unit); /* the host is little endian */
    rt_memory_unlock();
    return out ? RT_OK : RT_INVALID_VALUE;
}
