/* SPDX-License-Identifier: MIT */
/* The checks of one launch. */
#ifndef LW_RUNTIME_CHECKS_H
#define LW_RUNTIME_CHECKS_H

#include "runtime/device/device.h"

enum { RT_MOST_CHECKS = 16 };

typedef struct rt_checks {
    lw_check *check[RT_MOST_CHECKS];
    const lw_observer *observers[RT_MOST_CHECKS];
    size_t count, errors, findings;
} rt_checks;

/* The checks that the environment requests. */
lw_status rt_checks_begin(rt_checks *checks);
/* Prints what they found, and counts it. */
void rt_checks_end(rt_checks *checks, const char *kernel);

#endif
