/* SPDX-License-Identifier: MIT */
/* What the built-in observers share: a list of reports, one per instruction address, kept in ascending
 * order. */
#ifndef LW_OBSERVERS_REPORT_H
#define LW_OBSERVERS_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include <lanewise/observe.h>

enum { LW_REGISTER_NAME = 16 };

typedef struct lw_report {
    uint64_t code_offset;
    char instruction[200];
    lw_line source;
    size_t item; /* index of the observer's own record */
} lw_report;

typedef struct lw_report_list {
    lw_report *reports; /* ascending code_offset */
    size_t count, capacity;
    unsigned char *items; /* records of item_size bytes, in order of first execution */
    size_t item_size;
} lw_report_list;

/*
 * The number of the record of the event's instruction; a new record is zeroed. False when the host is out of
 * memory: the report is then incomplete, but not wrong.
 */
bool lw_report_find(lw_report_list *list, const lw_event *event, size_t *item);

/* The record of that number. Records move when the list grows. */
void *lw_report_item(const lw_report_list *list, size_t item);

/* Report number `index`, in ascending order of address, and its record. NULL if out of range. */
const lw_report *lw_report_at(const lw_report_list *list, size_t index, void **item);

void lw_report_free(lw_report_list *list);

#endif
