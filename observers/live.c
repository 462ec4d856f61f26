/* SPDX-License-Identifier: MIT */
#include "observers/live.h"

#include <stdlib.h>
#include <string.h>

static bool grow(lw_live_list *list)
{
    const size_t count = list->count ? 2 * list->count : 16;
    lw_live_key *keys = realloc(list->keys, count * sizeof(*keys));
    if (!keys)
        return false;
    list->keys = keys;
    void **items = realloc(list->items, count * sizeof(*items));
    if (!items)
        return false;
    list->items = items;
    memset(keys + list->count, 0, (count - list->count) * sizeof(*keys));
    memset(items + list->count, 0, (count - list->count) * sizeof(*items));
    list->count = count;
    return true;
}

static void *begin(lw_live_list *list, const lw_event *event)
{
    size_t at = 0;
    while (at < list->count && list->keys[at].used)
        at++;
    if (at == list->count && !grow(list))
        return NULL;
    if (!list->items[at])
        list->items[at] = calloc(1, list->item_size);
    if (!list->items[at])
        return NULL;
    list->keys[at] = (lw_live_key){ .wave = event->wave, .used = true };
    memcpy(list->keys[at].workgroup, event->workgroup, sizeof(event->workgroup));
    list->last = at;
    return list->items[at];
}

void *lw_live_find(lw_live_list *list, const lw_event *event)
{
    for (size_t i = 0; i < list->count; i++)
        if (lw_live_is(&list->keys[i], event))
            return list->items[list->last = i];
    return begin(list, event);
}

void lw_live_end(lw_live_list *list, const lw_event *event)
{
    for (size_t i = 0; i < list->count; i++)
        if (lw_live_is(&list->keys[i], event))
            list->keys[i].used = false;
}

void lw_live_free(lw_live_list *list, void (*release)(void *item))
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i] && release)
            release(list->items[i]);
        free(list->items[i]);
    }
    free(list->keys);
    free(list->items);
    *list = (lw_live_list){ .item_size = list->item_size };
}
