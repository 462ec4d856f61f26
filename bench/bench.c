/* SPDX-License-Identifier: MIT */
/* lanewise-bench [code|matrix|rows|kernels|watch|observers]... [--only TEXT]: figures per instruction class,
 * matrix instruction, row of the tables and kernel; `rows` only when asked for. */
#include "bench.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int wanted(int argc, char **argv, const char *part)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], part) == 0)
            return 1;
    return argc < 2 && strcmp(part, "rows") != 0;
}

int main(int argc, char **argv)
{
    const char *only = NULL;
    if (argc > 2 && strcmp(argv[argc - 2], "--only") == 0) {
        only = argv[argc - 1];
        argc -= 2;
    }
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "code") != 0 && strcmp(argv[i], "matrix") != 0 && strcmp(argv[i], "rows") != 0 &&
            strcmp(argv[i], "kernels") != 0 && strcmp(argv[i], "watch") != 0 &&
            strcmp(argv[i], "observers") != 0) {
            fprintf(stderr, "usage: lanewise-bench [code] [matrix] [rows] [kernels] [watch] [observers] "
                            "[--only TEXT]\n");
            return 2;
        }
    int bad = 0;
    if (wanted(argc, argv, "code"))
        bad |= bench_code();
    if (wanted(argc, argv, "matrix"))
        bad |= bench_matrix(only);
    if (wanted(argc, argv, "rows"))
        bad |= bench_rows(only);
    if (wanted(argc, argv, "kernels"))
        bad |= bench_kernels(LW_SOURCE_DIR "/examples/objects", 2);
    if (wanted(argc, argv, "watch"))
        bad |= bench_watch(LW_SOURCE_DIR "/examples/objects");
    if (wanted(argc, argv, "observers"))
        bad |= bench_observers(LW_SOURCE_DIR "/examples/objects", only);

    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        printf("\npeak memory %.1f MB\n", (double)usage.ru_maxrss / 1024);
    return bad;
}
