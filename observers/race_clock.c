/* SPDX-License-Identifier: MIT */
#include "observers/race_clock.h"

#include <stdlib.h>
#include <string.h>

void lw_race_join(lw_race_times *times, const lw_race_times *with, unsigned waves)
{
    for (unsigned w = 0; w < waves; w++)
        for (unsigned c = 0; c < LW_RACE_CHANNELS; c++)
            if (with->at[w][c] > times->at[w][c])
                times->at[w][c] = with->at[w][c];
}

const lw_race_times *lw_race_clock_of(const lw_race_clock *clock, uint32_t group)
{
    for (size_t i = clock->count; i-- > 0;)
        if (clock->of[i].group == group)
            return &clock->of[i].times;
    return NULL;
}

bool lw_race_clock_add(lw_race_clock *clock, uint32_t group, const lw_race_times *times)
{
    for (size_t i = clock->count; i-- > 0;)
        if (clock->of[i].group == group) {
            lw_race_join(&clock->of[i].times, times, LW_RACE_WAVES);
            return true;
        }
    struct lw_race_of_group *grown = realloc(clock->of, (clock->count + 1) * sizeof(*grown));
    if (!grown)
        return false;
    clock->of = grown;
    grown[clock->count].group = group;
    grown[clock->count++].times = *times;
    return true;
}

bool lw_race_clock_join(lw_race_clock *clock, const lw_race_clock *with)
{
    bool all = true;
    for (size_t i = 0; i < with->count; i++)
        all = lw_race_clock_add(clock, with->of[i].group, &with->of[i].times) && all;
    return all;
}

void lw_race_clock_free(lw_race_clock *clock)
{
    free(clock->of);
    *clock = (lw_race_clock){ 0 };
}

/* The slot that holds the key, or would hold it. */
static size_t home_of(const lw_race_syncs *all, uint64_t key)
{
    size_t at = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (all->capacity - 1);
    while (all->slots[at] && all->slots[at]->key != key)
        at = (at + 1) & (all->capacity - 1);
    return at;
}

lw_race_sync *lw_race_sync_find(const lw_race_syncs *all, uint64_t key)
{
    return all->count ? all->slots[home_of(all, key)] : NULL;
}

static bool widen(lw_race_syncs *all)
{
    if (2 * (all->count + 1) <= all->capacity)
        return true;
    lw_race_syncs wider = { .capacity = all->capacity ? 2 * all->capacity : 64, .count = all->count };
    wider.slots = calloc(wider.capacity, sizeof(lw_race_sync *));
    if (!wider.slots)
        return false;
    for (size_t i = 0; i < all->capacity; i++)
        if (all->slots[i])
            wider.slots[home_of(&wider, all->slots[i]->key)] = all->slots[i];
    free(all->slots);
    *all = wider;
    return true;
}

lw_race_sync *lw_race_sync_make(lw_race_syncs *all, uint64_t key)
{
    lw_race_sync *found = lw_race_sync_find(all, key);
    if (found || !widen(all))
        return found;
    lw_race_sync *made = calloc(1, sizeof(*made));
    if (!made)
        return NULL;
    made->key = key;
    all->count++;
    return all->slots[home_of(all, key)] = made;
}

void lw_race_syncs_free(lw_race_syncs *all)
{
    for (size_t i = 0; i < all->capacity; i++) {
        if (!all->slots[i])
            continue;
        lw_race_clock_free(&all->slots[i]->full);
        lw_race_clock_free(&all->slots[i]->loose);
        free(all->slots[i]);
    }
    free(all->slots);
    *all = (lw_race_syncs){ 0 };
}
