/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

enum { LAUNCHES = 3 };

#define GEMM_F16 "gemm_f16.co"

/* The grids are those of examples/README.md. */
static const struct {
    const char *object;
    uint32_t grid[3], block, m, n, k;
} cases[] = {
    { "mxfp4_basic.co", { 132, 1, 1 }, 64, 16, 2112, 7168 },
    { "mxfp4_direct.co", { 132, 1, 1 }, 64, 16, 2112, 7168 },
    { "mxfp4_swizzled.co", { 132, 1, 1 }, 64, 16, 2112, 7168 },
    { "mxfp4_double.co", { 132, 1, 1 }, 64, 16, 2112, 7168 },
    { "mxfp4_transposed.co", { 132, 1, 1 }, 64, 16, 2112, 7168 },
    { "mxfp4_splitk.co", { 132, 1, 1 }, 256, 16, 2112, 7168 },
    { "mxfp4_blocked.co", { 96, 8, 1 }, 256, 256, 3072, 1536 },
    { "mxfp4_basic.co", { 180, 1, 1 }, 64, 4, 2880, 512 },
    { GEMM_F16, { 4, 4, 1 }, 256, 256, 256, 256 },
    { GEMM_F16, { 16, 16, 1 }, 256, 1024, 1024, 1024 },
};

typedef struct gemm {
    lw_memory *memory;
    bool is_f16; /* gemm_f16: C f32, A and B f16, no scales, no M */
    uint64_t c, a, b, scales;
} gemm;

static uint32_t next(uint32_t *x)
{
    *x = *x * 1664525u + 1013904223u;
    return *x;
}

/* Magnitudes in [0.5, 2): the upper halves of f32 for bf16, the same for f16. */
static void fill16(void *at, size_t count, uint16_t bits, uint32_t *x)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t r = next(x);
        ((uint16_t *)at)[i] = (uint16_t)(bits | (r >> 24) | (r >> 8 & 0x8000u));
    }
}

static lw_status allocate(gemm *g, size_t i, lw_error *error)
{
    const uint64_t m = cases[i].m, n = cases[i].n, k = cases[i].k;
    g->is_f16 = strcmp(cases[i].object, GEMM_F16) == 0;
    const uint64_t b_bytes = g->is_f16 ? n * k * 2 : n * k / 2;
    lw_status st = lw_memory_create(&g->memory);
    if (st == LW_OK)
        st = lw_memory_allocate(g->memory, "C", m * n * (g->is_f16 ? 4 : 2), LW_ACCESS_READ_WRITE, &g->c,
                                error);
    if (st == LW_OK)
        st = lw_memory_allocate(g->memory, "A", m * k * 2, LW_ACCESS_READ, &g->a, error);
    if (st == LW_OK)
        st = lw_memory_allocate(g->memory, "B", b_bytes, LW_ACCESS_READ, &g->b, error);
    if (st == LW_OK)
        st = lw_memory_allocate(g->memory, "Bscale", n * k / 32, LW_ACCESS_READ, &g->scales, error);
    if (st != LW_OK)
        return st;

    uint32_t x = 1;
    fill16(lw_memory_host(g->memory, g->a, m * k * 2), (size_t)(m * k), g->is_f16 ? 0x3a00 : 0x3f00, &x);
    uint8_t *b = lw_memory_host(g->memory, g->b, b_bytes);
    if (g->is_f16)
        fill16(b, (size_t)(n * k), 0x3a00, &x);
    else
        for (size_t j = 0; j < b_bytes; j++)
            b[j] = (uint8_t)(next(&x) >> 24);
    memset(lw_memory_host(g->memory, g->scales, n * k / 32), 0x7f, (size_t)(n * k / 32));
    return LW_OK;
}

/* Loads, allocates and launches one case. */
static lw_status run_case(const char *objects, size_t i, unsigned threads, const lw_observer *observer,
                          bench_times *seconds, lw_launch_result **result, lw_error *error)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s", objects, cases[i].object);
    lw_program *program = NULL;
    gemm g = { 0 };
    const uint32_t sizes[3] = { cases[i].m, cases[i].n, cases[i].k };

    lw_status st = lw_program_load_file(path, NULL, &program, error);
    if (st == LW_OK)
        st = allocate(&g, i, error);
    if (st == LW_OK) {
        const lw_arg plain[] = { { NULL, &g.c, 8, true },
                                 { NULL, &g.a, 8, true },
                                 { NULL, &g.b, 8, true },
                                 { NULL, &sizes[1], 4, false },
                                 { NULL, &sizes[2], 4, false } };
        const lw_arg args[] = { { NULL, &g.c, 8, true },       { NULL, &g.a, 8, true },
                                { NULL, &g.b, 8, true },       { NULL, &g.scales, 8, true },
                                { NULL, &sizes[0], 4, false }, { NULL, &sizes[1], 4, false },
                                { NULL, &sizes[2], 4, false } };
        lw_launch_options options = lw_launch_options_default();
        options.program = program;
        options.memory = g.memory;
        memcpy(options.grid, cases[i].grid, sizeof(options.grid));
        options.block[0] = cases[i].block;
        options.args = g.is_f16 ? plain : args;
        options.arg_count = g.is_f16 ? sizeof(plain) / sizeof(plain[0]) : sizeof(args) / sizeof(args[0]);
        options.threads = threads;
        options.observers = &observer;
        options.observer_count = observer != NULL;
        const clock_t start = clock();
        const double from = bench_now();
        st = lw_launch(&options, result, error);
        *seconds = (bench_times){ .processor = (double)(clock() - start) / CLOCKS_PER_SEC,
                                  .clock = bench_now() - from,
                                  .threads = st == LW_OK ? (*result)->threads : 0 };
    }
    lw_memory_free(g.memory);
    lw_program_free(program);
    return st;
}

const char *bench_kernel_name(size_t i)
{
    return i < sizeof(cases) / sizeof(cases[0]) ? cases[i].object : NULL;
}

double bench_launch(const char *objects, size_t i, const lw_observer *observer)
{
    lw_error error = { "out of memory" };
    lw_launch_result *result = NULL;
    bench_times seconds = { 0 };
    const lw_status st = run_case(objects, i, 1, observer, &seconds, &result, &error);
    if (st != LW_OK)
        fprintf(stderr, "bench: %s: %s\n", cases[i].object, error.text);
    lw_launch_result_free(result);
    return st == LW_OK ? seconds.processor : 0;
}

bool bench_launch_on(const char *objects, size_t i, unsigned threads, bench_times *seconds)
{
    lw_error error = { "out of memory" };
    lw_launch_result *result = NULL;
    const lw_status st = run_case(objects, i, threads, NULL, seconds, &result, &error);
    if (st != LW_OK)
        fprintf(stderr, "bench: %s: %s\n", cases[i].object, error.text);
    lw_launch_result_free(result);
    return st == LW_OK;
}

/* The shortest time of a launch on one and on two threads, run alternately, by the clock. */
static bool time_threads(const char *objects, size_t i, double best[2])
{
    for (unsigned n = 0; n < 2 * LAUNCHES; n++) {
        bench_times seconds = { 0 };
        if (!bench_launch_on(objects, i, 1 + n % 2, &seconds))
            return false;
        if (n < 2 || seconds.clock < best[n % 2])
            best[n % 2] = seconds.clock;
    }
    return true;
}

static int bench_case(const char *objects, size_t i)
{
    lw_launch_result *result = NULL;
    lw_error error = { "out of memory" };
    bench_times launch;
    double best[2] = { 0 };
    const double start = bench_now();
    const lw_status st = run_case(objects, i, 2, NULL, &launch, &result, &error);
    const double seconds = bench_now() - start;
    const bool good = st == LW_OK && time_threads(objects, i, best);
    if (good)
        printf("%10.3f %10.3f %10.3f %6.2f %12llu %10llu  %s M=%u N=%u K=%u (%s)\n", seconds, best[0],
               best[1], best[0] / best[1], (unsigned long long)result->instructions,
               (unsigned long long)result->matrix_instructions, cases[i].object, cases[i].m, cases[i].n,
               cases[i].k, result->schedule);
    else if (st != LW_OK)
        fprintf(stderr, "bench: %s: %s\n", cases[i].object, error.text);
    lw_launch_result_free(result);
    return !good;
}

int bench_kernels(const char *objects, const char *only)
{
    printf(
        "\nkernels: from file to result on two threads; launches on one thread and on two, and their ratio\n"
        "%10s %10s %10s %6s %12s %10s  kernel\n",
        "s", "one", "two", "ratio", "instructions", "matrix");
    int bad = 0;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (!only || strstr(cases[i].object, only))
            bad |= bench_case(objects, i);
    return bad;
}
