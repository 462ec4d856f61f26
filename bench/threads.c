/* SPDX-License-Identifier: MIT */
/* The gain from a second thread: launches whose workgroups may run in parallel, alternately on one thread and
 * on two. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench.h"

enum { ROUNDS = 7 };

/* The target applies to launches of at least so many seconds. */
static const double long_enough = 0.05, aim = 1.8;

typedef struct thread_case {
    const char *kernel;
    uint32_t groups, block, n;
    uint64_t out_bytes, in_bytes; /* per operand */
    unsigned operands;            /* inputs, before the last argument, n */
} thread_case;

static const thread_case cases[] = {
    { "softmax", 512, 256, 4096, 512 * 4096 * 4, 512 * 4096 * 4, 1 },
    { "attention", 64, 64, 1024, 64 * 16 * 64 * 4, 1024 * 64 * 2, 3 },
};
enum { CASES = sizeof(cases) / sizeof(cases[0]), MAX_OPERANDS = 3 };

/* Floats in [0.5, 2), which are also numbers in f16. */
static void fill(void *at, size_t bytes)
{
    uint32_t x = 1;
    for (size_t i = 0; i < bytes / 4; i++) {
        x = x * 1664525u + 1013904223u;
        ((uint32_t *)at)[i] = 0x38003800u | (x >> 4 & 0x03ff03ffu);
    }
}

/* The best of the launches with one number of threads. */
typedef struct least {
    double clock, processor;
    unsigned threads; /* that took part */
} least;

static void keep_least(least *best, double clock_seconds, double processor, unsigned threads)
{
    if (best->clock <= 0 || clock_seconds < best->clock)
        best->clock = clock_seconds;
    if (best->processor <= 0 || processor < best->processor)
        best->processor = processor;
    best->threads = threads;
}

static lw_status launch(const thread_case *c, const lw_program *program, unsigned threads, least *best,
                        lw_error *error)
{
    lw_memory *memory = NULL;
    uint64_t out, in[MAX_OPERANDS];
    lw_arg args[MAX_OPERANDS + 2] = { { NULL, &out, 8, true } };
    size_t kernel = 0;
    lw_status st = lw_program_find(program, c->kernel, &kernel, error);
    if (st == LW_OK)
        st = lw_memory_create(&memory);
    if (st == LW_OK)
        st = lw_memory_allocate(memory, "out", c->out_bytes, LW_ACCESS_READ_WRITE, &out, error);
    for (unsigned i = 0; i < c->operands && st == LW_OK; i++) {
        st = lw_memory_allocate(memory, "in", c->in_bytes, LW_ACCESS_READ, &in[i], error);
        if (st == LW_OK)
            fill(lw_memory_host(memory, in[i], c->in_bytes), (size_t)c->in_bytes);
        args[1 + i] = (lw_arg){ NULL, &in[i], 8, true };
    }
    args[1 + c->operands] = (lw_arg){ NULL, &c->n, 4, false };
    lw_launch_options options = lw_launch_options_default();
    options.program = program;
    options.kernel = kernel;
    options.memory = memory;
    options.grid[0] = c->groups;
    options.block[0] = c->block;
    options.args = args;
    options.arg_count = 2 + c->operands;
    options.threads = threads;
    lw_launch_result *result = NULL;
    const clock_t before = clock();
    const double start = bench_now();
    if (st == LW_OK)
        st = lw_launch(&options, &result, error);
    if (st == LW_OK)
        keep_least(best, bench_now() - start, (double)(clock() - before) / CLOCKS_PER_SEC, result->threads);
    lw_launch_result_free(result);
    lw_memory_free(memory);
    return st;
}

/* 1 if the target is missed. */
static int report(const least best[2], const char *name)
{
    const double gain = best[0].clock / best[1].clock;
    const bool missed = best[1].threads == 2 && best[0].clock >= long_enough && gain < aim;
    printf("%10.3f %10.3f %6.2f %6.2f  %s%s\n", best[0].clock, best[1].clock, gain,
           best[1].processor / best[0].processor, name,
           best[1].threads < 2           ? " (serial)"
           : best[0].clock < long_enough ? " (short)"
           : missed                      ? " (below the aim)"
                                         : "");
    return missed;
}

static int bench_own(const lw_program *program, const thread_case *c)
{
    lw_error error = { "out of memory" };
    least best[2] = { { 0 } };
    lw_status st = LW_OK;
    for (unsigned n = 0; n < 2 * ROUNDS && st == LW_OK; n++)
        st = launch(c, program, 1 + n % 2, &best[n % 2], &error);
    if (st == LW_OK)
        return report(best, c->kernel);
    fprintf(stderr, "bench: %s: %s\n", c->kernel, error.text);
    return 1;
}

static int bench_kernel(const char *objects, size_t i)
{
    least best[2] = { { 0 } };
    for (unsigned n = 0; n < 2 * ROUNDS; n++) {
        bench_times seconds = { 0 };
        if (!bench_launch_on(objects, i, 1 + n % 2, &seconds))
            return 1;
        keep_least(&best[n % 2], seconds.clock, seconds.processor, seconds.threads);
    }
    char name[64];
    snprintf(name, sizeof(name), "%s, case %u", bench_kernel_name(i), (unsigned)i + 1);
    return report(best, name);
}

int bench_threads(const char *own, const char *objects, const char *only)
{
    char path[1024];
    lw_error error = { "" };
    lw_program *program = NULL;
    snprintf(path, sizeof(path), "%s/threads.co", own);
    if (lw_program_load_file(path, NULL, &program, &error) != LW_OK) {
        fprintf(stderr, "bench: %s\n", error.text);
        return 1;
    }
    printf("\nlaunches on one thread and on two, seconds, the least of %d; work: processor time of both "
           "threads\n"
           "over that of one. The aim for launches of %.0f ms and more is a ratio of %.1f, on two idle "
           "cores; the\n"
           "status is 1 where one misses it\n%10s %10s %6s %6s  kernel\n",
           ROUNDS, 1e3 * long_enough, aim, "one", "two", "ratio", "work");
    int bad = 0;
    for (size_t i = 0; i < CASES; i++)
        if (bench_wanted("threads", cases[i].kernel, only))
            bad |= bench_own(program, &cases[i]);
    lw_program_free(program);
    for (size_t i = 0; bench_kernel_name(i); i++)
        if (bench_wanted("threads", bench_kernel_name(i), only))
            bad |= bench_kernel(objects, i);
    return bad;
}
