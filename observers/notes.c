/* SPDX-License-Identifier: MIT */
#include "observers/notes.h"

#include <stdlib.h>
#include <string.h>

void *lw_note_new(lw_note_list *list, uint32_t place)
{
    const size_t count = place < 64 ? 128 : 2 * ((size_t)place + 1);
    unsigned char *grown = realloc(list->items, count * list->item_size);
    if (!grown)
        return NULL;
    memset(grown + list->count * list->item_size, 0, (count - list->count) * list->item_size);
    list->items = grown;
    list->count = count;
    return list->items + place * list->item_size;
}

void lw_note_free(lw_note_list *list)
{
    free(list->items);
    *list = (lw_note_list){ .item_size = list->item_size };
}
