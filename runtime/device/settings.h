/* SPDX-License-Identifier: MIT */
/* What the parts of the device tell each other while it starts. */
#ifndef LW_RUNTIME_SETTINGS_H
#define LW_RUNTIME_SETTINGS_H

/* The checks of every launch, names with commas between; an unknown name is refused. */
int rt_checks_choose(const char *names);
/* Where the report goes when the process ends; "": nowhere. */
void rt_report_open(const char *path);

#endif
