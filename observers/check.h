/* SPDX-License-Identifier: MIT */
/* The parts of a built-in check: a row of `lw_checks`, and what the check keeps. */
#ifndef LW_OBSERVERS_CHECK_H
#define LW_OBSERVERS_CHECK_H

#include <lanewise/check.h>

#include "observers/findings.h"

enum { LW_UNCHECKED = 8 };

/* The first member of every check. */
struct lw_check {
    const struct lw_check_row *row;
    lw_observer observer; /* the observer; its context is the check */
    lw_finding_list findings;
    bool strict;
    void (*summarise)(struct lw_check *); /* NULL, or writes texts that are only known at the end */
    const char *unchecked[LW_UNCHECKED];  /* constants; the first NULL ends them */
};

typedef struct lw_check_row {
    const char *name, *summary;
    size_t size;                 /* of the check's own structure, whose first member is lw_check */
    bool (*begin)(lw_check *);   /* sets the observer's hooks and the rest; false: no host memory */
    void (*release)(lw_check *); /* frees what it keeps, except itself and its findings */
} lw_check_row;

extern const lw_check_row lw_check_hazards, lw_check_waits, lw_check_races, lw_check_bounds,
    lw_check_numerics, lw_check_uninit;

/* Adds a sentence unless the list already has it or is full. */
void lw_check_unchecked(lw_check *check, const char *sentence);

#endif
