/* SPDX-License-Identifier: MIT */
/* Signals that would end the program are deferred while files are partly written. */
#ifndef LW_CLI_STOP_H
#define LW_CLI_STOP_H

#include <signal.h>
#include <stdbool.h>

enum { STOP_SIGNALS = 7 };

typedef struct stop_hold {
    struct sigaction before[STOP_SIGNALS];
} stop_hold;

/* From here on a signal only makes stop_wanted() true, and interrupts blocking calls. */
void stop_begin(stop_hold *hold);
bool stop_wanted(void);
/* Restores the handlers; a signal that arrived in between takes effect now, so this may not return. */
void stop_end(const stop_hold *hold);

#endif
