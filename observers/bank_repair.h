/* SPDX-License-Identifier: MIT */
/* The LDS requests that a run made, as far as they are kept to try swizzles and paddings on. */
#ifndef LW_OBSERVERS_BANK_REPAIR_H
#define LW_OBSERVERS_BANK_REPAIR_H

#include <lanewise/banks.h>
#include <lanewise/observe.h>

enum { LW_KEPT_OF_PLACE = 32, LW_KEPT_IN_ALL = 1024 };

typedef struct lw_kept_request {
    const lw_bank_rule *rule;
    size_t first, count; /* of `accesses` */
} lw_kept_request;

typedef struct lw_kept {
    lw_kept_request *requests;
    size_t count;
    lw_bank_access *accesses;
    size_t used, room;
    bool whole; /* no request was left out */
} lw_kept;

void lw_kept_start(lw_kept *kept);
void lw_kept_free(lw_kept *kept);

/* Keeps a request unless there are too many, or memory lacks. */
void lw_kept_add(lw_kept *kept, const lw_bank_rule *rule, const lw_bank_access *accesses, size_t count);

void lw_kept_repair(const lw_kept *kept, lw_banks_repair *made);

#endif
