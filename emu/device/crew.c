/* SPDX-License-Identifier: MIT */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#endif

#include "emu/device/crew.h"

#ifdef __wasi__

unsigned lw_crew_processors(void)
{
    return 1;
}

unsigned lw_crew_run(unsigned wanted, void (*work)(void *context), void *context)
{
    (void)wanted;
    work(context);
    return 1;
}

#else

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

unsigned lw_crew_processors(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
        return (unsigned)CPU_COUNT(&set);
#endif
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 && count < 4096 ? (unsigned)count : 1;
}

typedef struct crew {
    void (*work)(void *context);
    void *context;
} crew;

static void *member(void *pointer)
{
    const crew *c = pointer;
    c->work(c->context);
    return NULL;
}

/*
 * Not OpenMP: libgomp ends the process when it cannot create a thread, and after a fork its threads no longer
 * exist. Signals are left to the program's own threads.
 */
unsigned lw_crew_run(unsigned wanted, void (*work)(void *context), void *context)
{
    crew c = { work, context };
    unsigned count = 0;
    sigset_t all, before;
    pthread_t *threads = wanted > 1 ? malloc((wanted - 1) * sizeof(*threads)) : NULL;
    sigfillset(&all);
    if (threads && pthread_sigmask(SIG_SETMASK, &all, &before) == 0) {
        while (count < wanted - 1 && pthread_create(&threads[count], NULL, member, &c) == 0)
            count++;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    work(context);
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    return count + 1;
}

#endif
