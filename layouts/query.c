/* SPDX-License-Identifier: MIT */
/* The public queries about a layout. */
#include <stdlib.h>
#include <string.h>

#include "isa_tables/error.h"
#include "layouts/query.h"

lw_status lw_layout_create(lw_arch arch, const lw_insn *insn, lw_operand operand, unsigned wave,
                           const lw_mods *mods, lw_layout **layout, lw_error *error)
{
    if (!layout)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_layout_create needs a result");
    lw_layout built;
    const lw_status st = lw_layout_build(arch, insn, operand, wave, mods, &built, error);
    if (st != LW_OK)
        return st;

    lw_layout *copy = malloc(sizeof(*copy));
    if (!copy)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory for a layout");
    *copy = built;
    *layout = copy;
    return LW_OK;
}

lw_status lw_layout_get_relation(const lw_layout *layout, lw_relation *relation)
{
    if (!layout || !relation)
        return LW_E_ARGUMENT;
    *relation = layout->relation;
    return LW_OK;
}

void lw_layout_free(lw_layout *layout)
{
    free(layout);
}

/* What entries are ordered by. */
typedef enum sort_key { KEY_BIT, KEY_LANE, KEY_BLOCK, KEY_X, KEY_Y, KEYS } sort_key;

static uint32_t key_of(const lw_layout_entry *e, sort_key key)
{
    switch (key) {
    case KEY_BIT:
        return 32u * e->reg + e->lsb;
    case KEY_LANE:
        return e->lane;
    case KEY_BLOCK:
        return e->block;
    case KEY_X:
        return e->x;
    case KEY_Y:
    case KEYS:
        break;
    }
    return e->y;
}

/* Entries with equal keys keep their order. */
static bool sort_by(sort_key key, const lw_layout_entry *from, lw_layout_entry *to, size_t count)
{
    uint32_t most = 0;
    for (size_t n = 0; n < count; n++)
        most = key_of(&from[n], key) > most ? key_of(&from[n], key) : most;
    size_t *before = calloc((size_t)most + 2, sizeof(*before));
    if (!before)
        return false;
    for (size_t n = 0; n < count; n++)
        before[key_of(&from[n], key) + 1]++;
    for (uint32_t k = 0; k < most; k++)
        before[k + 1] += before[k];
    for (size_t n = 0; n < count; n++)
        to[before[key_of(&from[n], key)]++] = from[n];
    free(before);
    return true;
}

/* By the last key first, so that the first one decides. Takes `all` over; NULL: no memory. */
static lw_layout_entry *sort(lw_layout_entry *all, size_t count, const sort_key order[KEYS])
{
    lw_layout_entry *other = malloc(count * sizeof(*other));
    bool done = other != NULL;
    for (int k = KEYS - 1; k >= 0 && done; k--) {
        lw_layout_entry *const from = all;
        done = sort_by(order[k], from, other, count);
        all = other;
        other = from;
    }
    free(other);
    if (done)
        return all;
    free(all);
    return NULL;
}

static lw_status sorted(const lw_layout *layout, const sort_key order[KEYS], lw_layout_entry **entries,
                        size_t *count)
{
    const size_t pairs = lw_layout_pairs(layout);
    lw_layout_entry *all = malloc(pairs * sizeof(*all));
    if (!all)
        return LW_E_NO_MEMORY;
    for (size_t n = 0; n < pairs; n++) {
        const lw_pair p = lw_layout_pair(layout, n);
        all[n] = (lw_layout_entry){
            .lane = (uint16_t)p.lane,
            .reg = (uint16_t)(p.bit / 32),
            .lsb = (uint16_t)(p.bit % 32),
            .msb = (uint16_t)(p.bit % 32 + layout->relation.width - 1),
            .block = (uint16_t)p.block,
            .x = (uint16_t)lw_layout_x(layout, &p),
            .y = (uint16_t)(layout->index ? lw_layout_dense_k(layout, &p) : lw_layout_y(layout, &p)),
        };
    }
    *entries = sort(all, pairs, order);
    *count = pairs;
    return *entries ? LW_OK : LW_E_NO_MEMORY;
}

lw_status lw_layout_sorted(const lw_layout *layout, lw_layout_entry **entries, size_t *count)
{
    static const sort_key order[KEYS] = { KEY_BIT, KEY_LANE, KEY_BLOCK, KEY_X, KEY_Y };
    return sorted(layout, order, entries, count);
}

lw_status lw_layout_sorted_by_element(const lw_layout *layout, lw_layout_entry **entries, size_t *count)
{
    static const sort_key order[KEYS] = { KEY_BLOCK, KEY_X, KEY_Y, KEY_BIT, KEY_LANE };
    return sorted(layout, order, entries, count);
}

/* Whether the entry has a bit in this register of its lane. */
static bool touches(const lw_layout_entry *entry, unsigned reg)
{
    return entry->reg <= reg && reg <= entry->reg + entry->msb / 32u;
}

bool lw_entry_matches(const lw_layout_entry *entry, const lw_layout_print_options *want)
{
    return (want->lane < 0 || entry->lane == want->lane) &&
           (want->block < 0 || entry->block == want->block) && (want->x < 0 || entry->x == want->x) &&
           (want->y < 0 || entry->y == want->y) && (want->reg < 0 || touches(entry, (unsigned)want->reg));
}

static lw_status entries_matching(const lw_layout *layout, const lw_layout_print_options *want,
                                  lw_layout_entry *entries, size_t capacity, size_t *count)
{
    lw_layout_entry *all;
    size_t total, found = 0;
    const lw_status st = lw_layout_sorted(layout, &all, &total);
    if (st != LW_OK)
        return st;
    for (size_t i = 0; i < total; i++) {
        if (!lw_entry_matches(&all[i], want))
            continue;
        if (found < capacity)
            entries[found] = all[i];
        found++;
    }
    free(all);
    *count = found;
    return LW_OK;
}

lw_status lw_layout_entries(const lw_layout *layout, lw_layout_entry *entries, size_t capacity, size_t *count)
{
    if (!layout || !count || (!entries && capacity))
        return LW_E_ARGUMENT;
    const lw_layout_print_options any = lw_layout_print_options_default();
    return entries_matching(layout, &any, entries, capacity, count);
}

lw_status lw_layout_places(const lw_layout *layout, unsigned block, unsigned x, unsigned y,
                           lw_layout_entry *entries, size_t capacity, size_t *count)
{
    if (!layout || !count || (!entries && capacity))
        return LW_E_ARGUMENT;
    lw_layout_info info;
    if (lw_layout_get_info(layout, &info) != LW_OK || block >= info.blocks || x >= info.x_count ||
        y >= info.y_count)
        return LW_E_ARGUMENT;
    lw_layout_print_options want = lw_layout_print_options_default();
    want.block = (int)block;
    want.x = (int)x;
    want.y = (int)y;
    return entries_matching(layout, &want, entries, capacity, count);
}

lw_status lw_layout_elements(const lw_layout *layout, unsigned lane, unsigned reg, lw_layout_entry *entries,
                             size_t capacity, size_t *count)
{
    if (!layout || !count || (!entries && capacity) || lane >= layout->relation.lanes ||
        reg >= layout->registers)
        return LW_E_ARGUMENT;
    lw_layout_print_options want = lw_layout_print_options_default();
    want.lane = (int)lane;
    want.reg = (int)reg;
    return entries_matching(layout, &want, entries, capacity, count);
}
