/* SPDX-License-Identifier: MIT */
/* What a check of the stock consists of: a row of `lw_checks` and what it keeps. */
#ifndef LW_OBSERVERS_CHECK_H
#define LW_OBSERVERS_CHECK_H

#include <lanewise/check.h>

#include "observers/findings.h"

enum { LW_UNCHECKED = 8 };

/* What every check begins with. */
struct lw_check {
    const struct lw_check_row *row;
    lw_observer observer; /* its context is the check */
    lw_finding_list findings;
    bool strict;
    void (*summarise)(struct lw_check *); /* NULL, or writes texts that are known at the end only */
    const char *unchecked[LW_UNCHECKED];  /* constants, the first NULL ends them */
};

typedef struct lw_check_row {
    const char *name, *summary;
    size_t size;                 /* of the check's own structure, which begins with lw_check */
    bool (*begin)(lw_check *);   /* fills hooks of the observer and the rest; false: no host memory */
    void (*release)(lw_check *); /* what it keeps, but not itself and not its findings */
} lw_check_row;

extern const lw_check_row lw_check_hazards, lw_check_waits, lw_check_races, lw_check_bounds,
    lw_check_numerics;

/* Adds a sentence unless it is there; a full list drops it. */
void lw_check_unchecked(lw_check *check, const char *sentence);

#endif
