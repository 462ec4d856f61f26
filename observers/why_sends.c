/* SPDX-License-Identifier: MIT */
/* Values of registers that leave with an instruction and may arrive later: st.async and red.async. */
#include <string.h>

#include "observers/why.h"

bool lw_why_is_left_out(const lw_memory_access *a)
{
    return a->late || a->dropped || a->object;
}

static bool stores(const lw_event *event)
{
    bool any = false;
    for (size_t i = 0; i < event->access_count; i++)
        any = any || (event->accesses[i].store && !lw_why_is_left_out(&event->accesses[i]));
    return any;
}

bool lw_why_send(lw_why_log *log, lw_why_step *step, const lw_event *event)
{
    enum { MOST_BYTES = 32 };
    if (stores(event))
        return false;
    for (unsigned lane = 0; lane < event->lanes; lane++) {
        if (!(event->exec >> lane & 1) || !lw_why_room(log, (void **)&log->flights, log->flight_count,
                                                       &log->flight_room, sizeof(*log->flights)))
            continue;
        const uint64_t address = MOST_BYTES * (uint64_t)++log->flown;
        log->flights[log->flight_count++] =
            (lw_why_flight){ step->place, step->wave, (uint8_t)lane, address };
        lw_why_add_access(log, step,
                          &(lw_why_access){ .address = address,
                                            .size = event->facts->memory.bytes,
                                            .lane = (uint8_t)lane,
                                            .space = LW_WHY_FLIGHT,
                                            .store = true });
    }
    return true;
}

/* The first lane that stores. */
static int lane_of(const lw_event *event)
{
    for (size_t i = 0; i < event->access_count; i++)
        if (!lw_why_is_left_out(&event->accesses[i]))
            return event->accesses[i].lane;
    return -1;
}

uint64_t lw_why_land(lw_why_log *log, const lw_why_step *step, const lw_event *event)
{
    const int lane = lane_of(event);
    for (size_t i = 0; i < log->flight_count; i++) {
        const lw_why_flight f = log->flights[i];
        if (f.place != step->place || f.wave != step->wave || f.lane != (unsigned)lane)
            continue;
        memmove(&log->flights[i], &log->flights[i + 1], (--log->flight_count - i) * sizeof(f));
        return f.address;
    }
    return 0;
}
