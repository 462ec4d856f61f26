/* SPDX-License-Identifier: MIT */
#include "observers/report.h"

#include <stdlib.h>
#include <string.h>

static size_t lower_bound(const lw_report_list *list, uint64_t code_offset)
{
    size_t lo = 0, hi = list->count;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (list->reports[mid].code_offset < code_offset)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static int grow(lw_report_list *list)
{
    if (list->count < list->capacity)
        return 1;
    const size_t capacity = list->capacity ? 2 * list->capacity : 16;
    lw_report *reports = realloc(list->reports, capacity * sizeof(*reports));
    if (!reports)
        return 0;
    list->reports = reports;
    unsigned char *items = realloc(list->items, capacity * list->item_size);
    if (!items)
        return 0;
    list->items = items;
    list->capacity = capacity;
    return 1;
}

bool lw_report_find(lw_report_list *list, const lw_event *event, size_t *item)
{
    const size_t at = lower_bound(list, event->code_offset);
    if (at < list->count && list->reports[at].code_offset == event->code_offset) {
        *item = list->reports[at].item;
        return true;
    }
    if (!grow(list))
        return false;
    memmove(list->reports + at + 1, list->reports + at, (list->count - at) * sizeof(*list->reports));
    lw_report *report = &list->reports[at];
    report->code_offset = event->code_offset;
    report->item = *item = list->count++;
    lw_event_text(event, report->instruction, sizeof(report->instruction));
    lw_event_line(event, &report->source);
    memset(lw_report_item(list, *item), 0, list->item_size);
    return true;
}

void *lw_report_item(const lw_report_list *list, size_t item)
{
    return list->items + item * list->item_size;
}

const lw_report *lw_report_at(const lw_report_list *list, size_t index, void **item)
{
    if (index >= list->count)
        return NULL;
    *item = lw_report_item(list, list->reports[index].item);
    return &list->reports[index];
}

void lw_report_free(lw_report_list *list)
{
    free(list->reports);
    free(list->items);
    *list = (lw_report_list){ .item_size = list->item_size };
}
