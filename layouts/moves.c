/* SPDX-License-Identifier: MIT */
/* How the elements of one operand become those of another. */
#include <stdlib.h>
#include <string.h>

#include <lanewise/convert.h>

#include "isa_tables/error.h"
#include "layouts/notation/tv.h"

static lw_status open_side(const lw_layout *layout, lw_tv *tv, lw_error *error)
{
    const lw_status st = lw_tv_make(layout, "moves", tv, error);
    if (st != LW_OK)
        return st;
    if (layout->index || tv->r.blocks > 1 || tv->still.count || tv->axes != 2)
        return lw_error_fail(
            error, LW_E_UNSUPPORTED,
            "moves are only listed between operands of one block, without index data and broadcasts");
    return LW_OK;
}

/* The place of an element in `from`: in `lane` if there is a copy there, otherwise in the lowest lane. */
static bool find_place(const lw_tv *from, uint32_t x, uint32_t y, uint32_t lane, lw_layout_move *move)
{
    enum { MOST_COPIES = 64 };
    lw_pair found[MOST_COPIES];
    lw_vector want = { { 0 } };
    size_t count = 0;
    want.on[from->axis[0]] = x;
    want.on[from->axis[1]] = y;
    const lw_pair element = lw_vector_pair(&want);
    if (lw_relation_places(&from->r, &element, found, MOST_COPIES, &count) != LW_OK || !count ||
        count > MOST_COPIES)
        return false;
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (found[best].lane != lane && (found[i].lane == lane || found[i].lane < found[best].lane))
            best = i;
    move->from_lane = (uint16_t)found[best].lane;
    move->from_value = (uint16_t)((found[best].bit - from->r.start) / from->r.pitch);
    return true;
}

static int by_place(const void *a, const void *b)
{
    const lw_layout_move *p = a, *q = b;
    return p->lane != q->lane ? (p->lane < q->lane ? -1 : 1) : (p->value > q->value) - (p->value < q->value);
}

static lw_status list(const lw_tv *from, const lw_tv *to, uint32_t x, uint32_t y, lw_layout_move *all,
                      size_t pairs)
{
    for (size_t n = 0; n < pairs; n++) {
        lw_pair p;
        lw_relation_pair(&to->r, n, &p);
        const lw_vector v = lw_pair_vector(&p);
        all[n] = (lw_layout_move){ .lane = (uint16_t)p.lane,
                                   .value = (uint16_t)((p.bit - to->r.start) / to->r.pitch) };
        if (!find_place(from, x + v.on[to->axis[0]], y + v.on[to->axis[1]], p.lane, &all[n]))
            return LW_E_UNSUPPORTED;
    }
    qsort(all, pairs, sizeof(*all), by_place);
    return LW_OK;
}

lw_status lw_layout_moves(const lw_layout *from, const lw_layout *to, uint32_t x, uint32_t y,
                          lw_layout_move *moves, size_t capacity, size_t *count, lw_error *error)
{
    lw_tv there, here;
    if (!from || !to || !count || (!moves && capacity))
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_layout_moves needs two layouts and a result");
    lw_status st = open_side(from, &there, error);
    if (st != LW_OK || (st = open_side(to, &here, error)) != LW_OK)
        return st;
    if (there.r.lanes != here.r.lanes)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "one has waves of %u lanes, the other of %u",
                             there.r.lanes, here.r.lanes);
    for (unsigned a = 0; a < 2; a++) {
        const uint32_t has = lw_tv_extent(&there, there.axis[a]), needs = lw_tv_extent(&here, here.axis[a]);
        if (needs > has || (a ? y : x) > has - needs)
            return lw_error_fail(error, LW_E_ARGUMENT, "%u %s from %u on do not fit into %u", needs,
                                 a ? "columns" : "rows", a ? y : x, has);
    }
    const size_t pairs = (size_t)lw_relation_count(&here.r);
    lw_layout_move *all = malloc(pairs * sizeof(*all));
    if (!all)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory for moves");
    st = list(&there, &here, x, y, all, pairs);
    if (st == LW_OK) {
        if (moves)
            memcpy(moves, all, (pairs < capacity ? pairs : capacity) * sizeof(*all));
        *count = pairs;
    } else {
        lw_error_fail(error, st, "a needed element has no place, or too many");
    }
    free(all);
    return st;
}
