/* SPDX-License-Identifier: MIT */
#include "observers/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Scalar registers that have no number of their own (AMD CDNA3 ISA manual, "Scalar operands"). */
static const char *scalar_name(unsigned reg)
{
    switch (reg) {
    case 106:
        return "vcc_lo";
    case 107:
        return "vcc_hi";
    case 124:
        return "m0";
    case 126:
        return "exec_lo";
    case 127:
        return "exec_hi";
    default:
        return NULL;
    }
}

void lw_register_name(lw_reg_file file, unsigned reg, char text[LW_REGISTER_NAME])
{
    enum { FIRST_TTMP = 108, LAST_TTMP = 123 };
    const char *name = file == LW_FILE_SGPR ? scalar_name(reg) : NULL;
    if (file == LW_FILE_SCC || file == LW_FILE_MODE)
        name = file == LW_FILE_SCC ? "scc" : "mode";
    if (name)
        snprintf(text, LW_REGISTER_NAME, "%s", name);
    else if (file == LW_FILE_SGPR && reg >= FIRST_TTMP && reg <= LAST_TTMP)
        snprintf(text, LW_REGISTER_NAME, "ttmp%u", reg - FIRST_TTMP);
    else
        snprintf(text, LW_REGISTER_NAME, "%c%u",
                 file == LW_FILE_VGPR   ? 'v'
                 : file == LW_FILE_AGPR ? 'a'
                                        : 's',
                 reg);
}

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

void *lw_report_find(lw_report_list *list, const lw_event *event, int *is_new)
{
    const size_t at = lower_bound(list, event->code_offset);
    *is_new = 0;
    if (at < list->count && list->reports[at].code_offset == event->code_offset)
        return list->items + list->reports[at].item * list->item_size;
    if (!grow(list))
        return NULL;
    memmove(list->reports + at + 1, list->reports + at, (list->count - at) * sizeof(*list->reports));
    lw_report *report = &list->reports[at];
    report->code_offset = event->code_offset;
    report->item = list->count++;
    lw_event_text(event, report->instruction, sizeof(report->instruction));
    *is_new = 1;
    return memset(list->items + report->item * list->item_size, 0, list->item_size);
}

const lw_report *lw_report_at(const lw_report_list *list, size_t index, void **item)
{
    if (index >= list->count)
        return NULL;
    *item = list->items + list->reports[index].item * list->item_size;
    return &list->reports[index];
}

void lw_report_free(lw_report_list *list)
{
    free(list->reports);
    free(list->items);
    *list = (lw_report_list){ .item_size = list->item_size };
}
