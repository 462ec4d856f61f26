/* SPDX-License-Identifier: MIT */
#include "emu/device/log.h"

#include <stdlib.h>
#include <string.h>

static bool grow(lw_access_log *log)
{
    const size_t capacity = log->capacity ? 2 * log->capacity : 256;
    lw_memory_access *grown = realloc(log->entries, capacity * sizeof(*grown));
    if (!grown) {
        log->failed = true;
        return false;
    }
    log->entries = grown;
    log->capacity = capacity;
    return true;
}

lw_memory_access *lw_log_next(lw_access_log *log)
{
    if (log->count == log->capacity && !grow(log))
        return NULL;
    lw_memory_access *entry = &log->entries[log->count++];
    memset(entry, 0, sizeof(*entry));
    return entry;
}

lw_memory_access *lw_log_room(lw_access_log *log, size_t most)
{
    while (log->capacity - log->count < most)
        if (!grow(log))
            return NULL;
    return &log->entries[log->count];
}

/* How many lanes after this one are active and begin `step` bytes after the one before. */
static unsigned lanes_in_line(const lw_log_lanes *lanes, unsigned lane, uint32_t step)
{
    unsigned next = lane + 1;
    while (next < LW_MAX_LANES && lanes->active >> next & 1 &&
           lanes->at[next] - lanes->at[next - 1] == step && lanes->at[next] >= step)
        next++;
    return next - lane - 1;
}

/* All lanes of a wave, each `step` bytes after the one before: how many lanes after the first; 0: not so. */
static unsigned all_in_line(const lw_log_lanes *lanes, uint32_t step)
{
    const unsigned count = lanes->active == UINT64_MAX ? LW_MAX_LANES : LW_MAX_LANES / 2;
    if ((lanes->active != UINT64_MAX && lanes->active != UINT32_MAX) ||
        lanes->at[0] + (count - 1) * (uint64_t)step > UINT32_MAX)
        return 0;
    uint32_t other = 0;
    for (unsigned lane = 0; lane < count; lane++)
        other |= lanes->at[lane] ^ (lanes->at[0] + lane * step);
    return other ? 0 : count - 1;
}

static inline void put(lw_memory_access *entry, const lw_log_lanes *lanes, unsigned lane)
{
    memset(entry, 0, sizeof(*entry));
    entry->lane = (int)lane;
    entry->space = lanes->space;
    entry->load = lanes->load;
    entry->store = lanes->store;
    entry->address = lanes->base + lanes->at[lane] - (uint64_t)lane * lanes->apart;
    entry->size = lanes->size;
}

void lw_log_wave(lw_access_log *log, const lw_log_lanes *lanes)
{
    lw_memory_access *const first = lw_log_room(log, LW_MAX_LANES), *entry = first;
    const bool runs = log->runs, once = log->once && lanes->load && !lanes->store;
    const uint32_t step = lanes->size + lanes->apart;
    if (!first)
        return;
    const unsigned run = runs ? all_in_line(lanes, step) : 0;
    const unsigned again = once && !run ? all_in_line(lanes, lanes->apart) : 0;
    if (run || again) {
        put(entry, lanes, 0);
        entry->more = run;
        entry->again = (uint8_t)again;
        log->count++;
        return;
    }
    for (unsigned lane = 0; lane < LW_MAX_LANES; lane++) {
        if (!(lanes->active >> lane & 1))
            continue;
        put(entry, lanes, lane);
        const unsigned more = runs ? lanes_in_line(lanes, lane, step) : 0;
        const unsigned same = once && !more ? lanes_in_line(lanes, lane, lanes->apart) : 0;
        entry->more = more;
        entry->again = (uint8_t)same;
        lane += more + same;
        entry++;
    }
    log->count += (size_t)(entry - first);
}
