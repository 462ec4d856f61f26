/* SPDX-License-Identifier: MIT */
/* Signals that would end the program, held back while files are half written. */
#ifndef LW_CLI_STOP_H
#define LW_CLI_STOP_H

#include <signal.h>
#include <stdbool.h>

enum { STOP_SIGNALS = 7 };

typedef struct stop_hold {
    struct sigaction before[STOP_SIGNALS];
} stop_hold;

/* From here on a signal only makes stop_wanted() true, and interrupts what waits. */
void stop_begin(stop_hold *hold);
bool stop_wanted(void);
/* Puts the handlers back; a signal that came in between takes effect now, and may not return. */
void stop_end(const stop_hold *hold);

#endif
