/* SPDX-License-Identifier: MIT */
/* Information that parts of the device exchange while it starts. */
#ifndef LW_RUNTIME_SETTINGS_H
#define LW_RUNTIME_SETTINGS_H

#include <stddef.h>

/* The checks of every launch, names separated by commas; an unknown name is refused. */
int rt_checks_choose(const char *names);
/* How launches read what sources leave open, "topic:name" separated by commas; an unknown one is refused. */
int rt_readings_choose(const char *names);
const char *const *rt_readings(size_t *count);
/* Where the report is written when the process ends; "": nowhere. */
void rt_report_open(const char *path);

#endif
