/* SPDX-License-Identifier: MIT */
/* Data that an observer keeps for each place of a launch: an array that grows as places are reached. */
#ifndef LW_OBSERVERS_NOTES_H
#define LW_OBSERVERS_NOTES_H

#include <stddef.h>
#include <stdint.h>

typedef struct lw_note_list {
    unsigned char *items; /* of item_size bytes */
    size_t count, item_size;
} lw_note_list;

/* lw_note_of for a place past the end. */
void *lw_note_new(lw_note_list *list, uint32_t place);

/* The item of a place; all zero before its first use. NULL: no host memory. Items move when the list
 * grows. */
static inline void *lw_note_of(lw_note_list *list, uint32_t place)
{
    return place < list->count ? list->items + place * list->item_size : lw_note_new(list, place);
}

void lw_note_free(lw_note_list *list);

#endif
