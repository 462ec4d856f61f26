/* SPDX-License-Identifier: MIT */
/* Several threads for one piece of work, as many as the host provides. */
#ifndef LW_EMU_DEVICE_CREW_H
#define LW_EMU_DEVICE_CREW_H

/* Processors that this process may run on; at least 1. */
unsigned lw_crew_processors(void);

/*
 * Calls work(context) on `wanted` threads at once, one of them the caller's, and returns when all calls have
 * returned. If the host refuses threads, there are fewer, but the caller's thread always takes part. Returns
 * the number of threads.
 */
unsigned lw_crew_run(unsigned wanted, void (*work)(void *context), void *context);

#endif
