/* SPDX-License-Identifier: MIT */
/* Findings of a check, merged by rule and places. */
#ifndef LW_OBSERVERS_FINDINGS_H
#define LW_OBSERVERS_FINDINGS_H

#include <lanewise/check.h>

enum { LW_FINDING_INSTRUCTION = 120, LW_FINDING_WHAT = 240, LW_FINDING_CURE = 120 };

/* An instruction as a finding names it. */
typedef struct lw_finding_at {
    uint64_t code_offset, pc;
    char instruction[LW_FINDING_INSTRUCTION];
} lw_finding_at;

void lw_finding_at_event(lw_finding_at *at, const lw_event *event);

typedef struct lw_finding_record {
    lw_finding finding;
    lw_finding_at place, other;
    char what[LW_FINDING_WHAT], cure[LW_FINDING_CURE];
    uint64_t counted; /* the last execution that `times` counts */
} lw_finding_record;

/* The finding occurs at an execution, which its observer numbers, from 1 on; it counts once there. */
static inline void lw_finding_occurs(lw_finding_record *record, uint64_t execution)
{
    record->finding.times += record->counted != execution;
    record->counted = execution;
}

typedef struct lw_finding_list {
    lw_finding_record *records; /* in the order in which they were found */
    size_t count, capacity;
    uint32_t *order; /* the order of listing; made on demand */
    size_t ordered;
} lw_finding_list;

/* A finding to be added. The strings `rule` and `why` are constants; the others are copied. */
typedef struct lw_finding_new {
    lw_severity severity;
    const char *rule, *why;
    const lw_finding_at *place, *other; /* `other` may be NULL */
    int lane;
} lw_finding_new;

/*
 * The number of the finding with that rule and these places. If it is new (*fresh), it is made, and the
 * caller then writes `what` and `cure` of its record. SIZE_MAX: no host memory. Does not count an execution.
 */
size_t lw_finding_find(lw_finding_list *list, const lw_event *event, const lw_finding_new *made, bool *fresh);

size_t lw_finding_count(const lw_finding_list *list, bool strict);
const lw_finding *lw_finding_get(lw_finding_list *list, size_t index, bool strict);
void lw_finding_free(lw_finding_list *list);

#endif
