/* SPDX-License-Identifier: MIT */
#include "layouts/notation/tuple.h"

static bool claim(lw_reader *r, uint64_t lane, uint32_t value, uint64_t number)
{
    uint8_t axis[LW_TV_MOST_AXES];
    uint32_t at[LW_TV_MOST_AXES];
    const unsigned axes = lw_reader_axes(r, true, axis);
    for (unsigned a = 0; a < axes; a++) {
        const uint32_t extent = lw_tv_extent(r->tv, axis[a]);
        at[a] = (uint32_t)(a + 1 < axes ? number % extent : number > UINT32_MAX ? UINT32_MAX : number);
        number /= extent;
    }
    return lw_reader_claim(r, lane > LW_MOST_NUMBER ? LW_MOST_NUMBER : (uint32_t)lane, value, axis, at, axes);
}

void lw_read_cute(lw_reader *r)
{
    lw_tuple lanes = { .leaves = 0 }, strides, shape, stride;
    const bool listed = lw_reader_take(r, "ThrID");
    if (listed) {
        lw_reader_take(r, ":");
        if (!lw_tuple_read_layout(r, &lanes, &strides) || !lw_reader_need(r, ","))
            return;
    }
    if (lw_reader_take(r, "Swizzle<") || lw_reader_take(r, "Sw<")) {
        lw_reader_fail(r, "a swizzle applies to memory, not to lanes and values");
        return;
    }
    if (!lw_tuple_read_layout(r, &shape, &stride))
        return;
    if (!lw_reader_end(r)) {
        lw_reader_fail(r, "the layout ends before this");
        return;
    }
    if (shape.modes != 2) {
        lw_reader_fail(r, "the layout before this has no two modes, threads and values");
        return;
    }
    const uint32_t t = lw_tuple_size(&shape, 0, shape.end_of_first),
                   v = lw_tuple_size(&shape, shape.end_of_first, shape.leaves);
    if (!t || !v || t > LW_MOST_LANES || v > LW_MOST_CLAIMS / t) {
        lw_reader_fail(r, "the layout before this has more than %d places", LW_MOST_CLAIMS);
        return;
    }
    if (listed && lw_tuple_size(&lanes, 0, lanes.leaves) != t) {
        lw_reader_fail(r, "ThrID lists %u threads, the layout has %u", lw_tuple_size(&lanes, 0, lanes.leaves),
                       t);
        return;
    }
    for (uint32_t l = 0; l < t; l++)
        for (uint32_t value = 0; value < v; value++)
            if (!claim(r, listed ? lw_tuple_map(&lanes, &strides, 0, lanes.leaves, l) : l, value,
                       lw_tuple_map(&shape, &stride, 0, shape.end_of_first, l) +
                           lw_tuple_map(&shape, &stride, shape.end_of_first, shape.leaves, value)))
                return;
}
