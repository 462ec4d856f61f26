/* SPDX-License-Identifier: MIT */
/* Information that parts of the device exchange while it starts. */
#ifndef LW_RUNTIME_SETTINGS_H
#define LW_RUNTIME_SETTINGS_H

/* The checks of every launch, names separated by commas; an unknown name is refused. */
int rt_checks_choose(const char *names);
/* Where the report is written when the process ends; "": nowhere. */
void rt_report_open(const char *path);

#endif
