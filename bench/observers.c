/* SPDX-License-Identifier: MIT */
/* The cost of observers: kernels on one thread, without any and with each, one after the other, the best of
 * several runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { REPEATS = 5 };

typedef enum watcher { NOBODY, STARTS, UNINIT, BANKS, CHECKS, WATCHERS = CHECKS + 8 } watcher;

/* NULL if there is no such check. */
static const char *name_of(int who)
{
    static const char *const names[CHECKS] = { "none", "starts of waves only", "uninit=strict", "banks" };
    return who < CHECKS ? names[who] : lw_check_name_at((size_t)(who - CHECKS));
}

static void count_wave(void *context, const lw_event *event)
{
    (void)event;
    ++*(uint64_t *)context;
}

/* Processor time of one launch in seconds; 0 if something failed. */
static double run(const char *objects, size_t kernel, watcher who)
{
    uint64_t waves = 0;
    lw_uninit *uninit = NULL;
    lw_banks *banks = NULL;
    lw_check *check = NULL;
    const lw_observer starts = { .struct_size = sizeof(starts), .context = &waves, .wave_begin = count_wave };
    const lw_observer *observer = &starts;
    if (who == UNINIT && lw_uninit_create(&uninit) == LW_OK)
        observer = lw_uninit_observer(uninit);
    if (who == BANKS && lw_banks_create(&banks) == LW_OK)
        observer = lw_banks_observer(banks);
    if (who >= CHECKS && lw_check_create(name_of((int)who), NULL, &check) == LW_OK)
        observer = lw_check_observer(check);
    const double seconds = bench_launch(objects, kernel, who == NOBODY ? NULL : observer);
    const size_t found = lw_check_count(check) - lw_check_count_of(check, LW_SEVERITY_INFO);
    if (found)
        printf("%s: %zu findings\n", name_of((int)who), found);
    lw_uninit_free(uninit);
    lw_banks_free(banks);
    lw_check_free(check);
    return seconds;
}

static int bench_one(const char *objects, size_t kernel)
{
    double best[WATCHERS] = { 0 };
    for (int i = 0; i < REPEATS; i++)
        for (int who = 0; name_of(who); who++) {
            const double seconds = run(objects, kernel, (watcher)who);
            if (seconds <= 0)
                return 1;
            best[who] = i == 0 || seconds < best[who] ? seconds : best[who];
        }
    for (int who = 0; name_of(who); who++)
        printf("%10.3f %8.2f  %s, observer: %s\n", best[who], best[who] / best[NOBODY],
               bench_kernel_name(kernel), name_of(who));
    return 0;
}

int bench_observers(const char *objects, const char *only)
{
    int bad = 0;
    printf("\nobservers: a launch on one thread, seconds of processor time\n%10s %8s\n", "s", "ratio");
    for (size_t kernel = 0; bench_kernel_name(kernel); kernel++)
        if (!only || strstr(bench_kernel_name(kernel), only))
            bad |= bench_one(objects, kernel);
    return bad;
}
