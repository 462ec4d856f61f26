/* SPDX-License-Identifier: MIT */
/*
 * lanewise-bench
 * [code|classes|aspects|matrix|create|rows|load|kernels|threads|launch|watch|observers|fma|shares|ptx]...
 * [--only TEXT]
 * [--against OLD]: figures per instruction class, matrix instruction, row of the tables and kernel; `rows`
 * and `threads` only when requested.
 * --against runs this program and an earlier build of it in turns and prints the ratios of their figures.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_processor(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *const parts[] = { "code",    "classes", "aspects", "matrix", "create",    "rows",
                                     "kernels", "threads", "launch",  "watch",  "observers", "fma",
                                     "shares",  "ptx",     "aims",    "load" };
enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

static int wanted(int argc, char **argv, const char *part)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], part) == 0)
            return 1;
    return argc < 2 && strcmp(part, "rows") != 0 && strcmp(part, "threads") != 0;
}

static int is_part(const char *word)
{
    for (int i = 0; i < PARTS; i++)
        if (strcmp(parts[i], word) == 0)
            return 1;
    return 0;
}

/* Takes "OPTION VALUE" from the end of the words; NULL if it is not there. */
static const char *take_option(int *argc, char **argv, const char *option)
{
    if (*argc < 3 || strcmp(argv[*argc - 2], option) != 0)
        return NULL;
    *argc -= 2;
    return argv[*argc + 1];
}

int main(int argc, char **argv)
{
    const char *against = take_option(&argc, argv, "--against");
    const int all = argc;
    const char *only = take_option(&argc, argv, "--only");
    for (int i = 1; i < argc; i++)
        if (!is_part(argv[i])) {
            fprintf(stderr,
                    "usage: lanewise-bench [code] [classes] [aspects] [matrix] [create] [rows] [load] "
                    "[kernels] [threads] [launch] [watch] [observers] [fma] [shares] [ptx] [aims] "
                    "[--only TEXT] [--against OLD]\n");
            return 2;
        }
    if (against)
        return bench_against(argv[0], against, argv + 1, all - 1);
    int bad = 0;
    if (wanted(argc, argv, "code"))
        bad |= bench_code();
    if (wanted(argc, argv, "classes"))
        bad |= bench_classes(only);
    if (wanted(argc, argv, "aspects"))
        bad |= bench_aspects();
    if (wanted(argc, argv, "matrix"))
        bad |= bench_matrix(only);
    if (wanted(argc, argv, "create"))
        bad |= bench_create(only);
    if (wanted(argc, argv, "rows"))
        bad |= bench_rows(only);
    if (wanted(argc, argv, "load"))
        bad |= bench_load(LW_SOURCE_DIR "/examples/objects", only);
    if (wanted(argc, argv, "kernels"))
        bad |= bench_kernels(LW_SOURCE_DIR "/examples/objects", only);
    const char *aims = getenv("LANEWISE_AIMS"); /* set by aims.sh */
    if (aims && wanted(argc, argv, "aims"))
        bad |= bench_aims(aims, only);
    if (wanted(argc, argv, "threads"))
        bad |= bench_threads(LW_SOURCE_DIR "/bench/threads", LW_SOURCE_DIR "/examples/objects", only);
    if (wanted(argc, argv, "launch"))
        bad |= bench_launch_costs(LW_SOURCE_DIR "/tests/data/machine");
    if (wanted(argc, argv, "watch"))
        bad |= bench_watch(LW_SOURCE_DIR "/examples/objects");
    if (wanted(argc, argv, "fma"))
        bad |= bench_fma();
    if (wanted(argc, argv, "shares"))
        bad |= bench_shares(LW_SOURCE_DIR "/examples/objects", only);
    if (wanted(argc, argv, "ptx"))
        bad |= bench_ptx(LW_SOURCE_DIR, only);
    if (wanted(argc, argv, "observers"))
        bad |= bench_observers(LW_SOURCE_DIR "/examples/objects", only);

    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        printf("\npeak memory %.1f MB\n", (double)usage.ru_maxrss / 1024);
    return bad;
}
