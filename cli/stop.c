/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "cli/stop.h"

static const int signals[STOP_SIGNALS] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU, SIGXFSZ };

static volatile sig_atomic_t wanted; /* the signal that arrived; 0: none */

static void note(int number)
{
    wanted = number;
}

bool stop_wanted(void)
{
    return wanted != 0;
}

void stop_begin(stop_hold *hold)
{
    struct sigaction action = { .sa_handler = note };
    sigemptyset(&action.sa_mask);
    wanted = 0;
    for (int i = 0; i < STOP_SIGNALS; i++) {
        sigaction(signals[i], NULL, &hold->before[i]);
        /* Signals that the caller ignores (nohup) stay ignored. */
        if (hold->before[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

void stop_end(const stop_hold *hold)
{
    for (int i = 0; i < STOP_SIGNALS; i++)
        sigaction(signals[i], &hold->before[i], NULL);
    if (wanted)
        raise(wanted);
}
