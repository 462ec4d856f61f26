/* SPDX-License-Identifier: MIT */
/* Data that an observer keeps for each wave that has begun and not ended. */
#ifndef LW_OBSERVERS_LIVE_H
#define LW_OBSERVERS_LIVE_H

#include <lanewise/observe.h>

typedef struct lw_live_key {
    uint32_t workgroup[3], wave;
    bool used;
} lw_live_key;

typedef struct lw_live_list {
    size_t item_size;
    lw_live_key *keys;
    void **items;
    size_t count, last; /* last: the one requested most recently */
} lw_live_list;

static inline bool lw_live_is(const lw_live_key *key, const lw_event *event)
{
    return key->used && key->wave == event->wave && key->workgroup[0] == event->workgroup[0] &&
           key->workgroup[1] == event->workgroup[1] && key->workgroup[2] == event->workgroup[2];
}

/* lw_live_of for another wave than the last one. */
void *lw_live_find(lw_live_list *list, const lw_event *event);

/* The wave's item. A new wave gets one that is zeroed, or as a wave that has ended left it. NULL: no host
 * memory. Items do not move. */
static inline void *lw_live_of(lw_live_list *list, const lw_event *event)
{
    return list->count && lw_live_is(&list->keys[list->last], event) ? list->items[list->last]
                                                                     : lw_live_find(list, event);
}
/* The wave ends: its item may be reused. */
void lw_live_end(lw_live_list *list, const lw_event *event);
/* Calls `release` for every item that was ever made, then frees them. */
void lw_live_free(lw_live_list *list, void (*release)(void *item));

#endif
