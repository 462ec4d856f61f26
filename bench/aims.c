/* SPDX-License-Identifier: MIT */
/* Kernels of aims.sh, which compiles them: products of f16 and 8-bit matrices for several targets, and
 * gravity. */
#include <stdio.h>
#include <string.h>

#include "bench.h"

enum { LAUNCHES = 7 };

/* n == 0: gravity of m bodies. A and B have k numbers of `bytes` in a row. */
typedef struct aim {
    const char *object, *kernel;
    uint32_t block, m, n, k, bytes;
    double one, two; /* seconds on one thread and on two; 0: no aim */
} aim;

static const aim aims[] = {
    { "mfma_gfx950.co", "f16_16", 64, 256, 256, 256, 2, 0.005, 0 },
    { "wmma_rdna4_gfx1201.co", "f16_16", 32, 256, 256, 256, 2, 0.005, 0 },
    { "wmma_gfx1100.co", "f16_16", 32, 256, 256, 256, 2, 0.005, 0 },
    { "mfma_gfx950.co", "f16_16", 64, 1024, 1024, 1024, 2, 0, 0.15 },
    { "wmma_rdna4_gfx1201.co", "f16_16", 32, 1024, 1024, 1024, 2, 0, 0.15 },
    { "wmma_gfx1100.co", "f16_16", 32, 1024, 1024, 1024, 2, 0, 0.15 },
    { "wmma_rdna4_gfx1201.co", "fp8_16", 32, 256, 256, 3072, 1, 0.1, 0 },
    { "nbody_gfx950.co", "nbody", 256, 2048, 0, 0, 4, 0, 0 },
    { "nbody_gfx1201.co", "nbody", 256, 2048, 0, 0, 4, 0, 0 },
    { "nbody_gfx1100.co", "nbody", 256, 2048, 0, 0, 4, 0, 0 },
};

static lw_status allocate(lw_memory *memory, uint64_t size, const aim *a, uint64_t *address, lw_error *error)
{
    const lw_status st = lw_memory_allocate(memory, "data", size, LW_ACCESS_READ_WRITE, address, error);
    if (st != LW_OK)
        return st;
    uint8_t *at = lw_memory_host(memory, *address, size);
    uint32_t x = 1;
    for (uint64_t i = 0; i < size; i++) { /* small numbers in every format */
        x = x * 1664525u + 1013904223u;
        const uint32_t top = i % a->bytes == a->bytes - 1u;
        at[i] = (uint8_t)(top ? (x >> 31) << 7 | (a->bytes == 1 ? 0x30 : 0x3c) | (x >> 24 & 3) : x >> 24);
    }
    return LW_OK;
}

static lw_status launch(const aim *a, lw_program *program, unsigned threads, lw_launch_result **result,
                        double *seconds, lw_error *error)
{
    lw_memory *memory = NULL;
    const bool bodies = a->n == 0;
    uint64_t out = 0, in[2] = { 0 };
    lw_status st = lw_memory_create(&memory);
    if (st == LW_OK)
        st = allocate(memory, bodies ? 16u * a->m : 4u * a->m * a->n, a, &out, error);
    if (st == LW_OK)
        st = allocate(memory, bodies ? 16u * a->m : (uint64_t)a->m * a->k * a->bytes, a, &in[0], error);
    if (st == LW_OK && !bodies)
        st = allocate(memory, (uint64_t)a->n * a->k * a->bytes, a, &in[1], error);
    size_t kernel = 0;
    if (st == LW_OK)
        st = lw_program_find(program, a->kernel, &kernel, error);
    if (st == LW_OK) {
        const lw_arg product[] = { { NULL, &out, 8, true },
                                   { NULL, &in[0], 8, true },
                                   { NULL, &in[1], 8, true },
                                   { NULL, &a->n, 4, false },
                                   { NULL, &a->k, 4, false } };
        const lw_arg gravity[] = { { NULL, &out, 8, true },
                                   { NULL, &in[0], 8, true },
                                   { NULL, &a->m, 4, false } };
        lw_launch_options options = lw_launch_options_default();
        options.program = program;
        options.kernel = kernel;
        options.memory = memory;
        options.grid[0] = bodies ? a->m / a->block : a->n / 16;
        options.grid[1] = bodies ? 1 : a->m / 16;
        options.grid[2] = 1;
        options.block[0] = a->block;
        options.args = bodies ? gravity : product;
        options.arg_count = bodies ? 3 : 5;
        options.threads = threads;
        const double clock = bench_now(), processor = bench_processor();
        st = lw_launch(&options, result, error);
        *seconds = threads == 1 ? bench_processor() - processor : bench_now() - clock;
    }
    lw_memory_free(memory);
    return st;
}

static int run_aim(const char *folder, const aim *a)
{
    char path[1024];
    lw_program *program = NULL;
    lw_error error = { "out of memory" };
    double best[2] = { 1e9, 1e9 };
    unsigned long long instructions = 0;
    snprintf(path, sizeof(path), "%s/%s", folder, a->object);
    lw_status st = lw_program_load_file(path, NULL, &program, &error);
    for (unsigned i = 0; st == LW_OK && i < 2 * LAUNCHES; i++) {
        lw_launch_result *result = NULL;
        double seconds = 0;
        st = launch(a, program, 1 + i % 2, &result, &seconds, &error);
        if (st == LW_OK && seconds < best[i % 2])
            best[i % 2] = seconds;
        if (st == LW_OK)
            instructions = result->instructions;
        lw_launch_result_free(result);
    }
    lw_program_free(program);
    if (st != LW_OK) {
        fprintf(stderr, "bench: %s: %s\n", path, error.text);
        return 1;
    }
    printf("%9.4f %8.3f %9.4f %8.3f %12llu %8.1f  %s %s M=%u N=%u K=%u\n", best[0], a->one, best[1], a->two,
           instructions, 1e-6 * (double)instructions / best[0], a->object, a->kernel, (unsigned)a->m,
           (unsigned)a->n, (unsigned)a->k);
    return 0;
}

int bench_aims(const char *folder, const char *only)
{
    int bad = 0;
    printf("\nkernels of %s: seconds of processor time on one thread, by the clock on two, the least of %d; "
           "aims (0: none)\n"
           "%9s %8s %9s %8s %12s %8s\n",
           folder, LAUNCHES, "one", "aim", "two", "aim", "instructions", "M/s, one");
    for (size_t i = 0; i < sizeof(aims) / sizeof(aims[0]); i++)
        if (bench_wanted(aims[i].object, aims[i].kernel, only))
            bad |= run_aim(folder, &aims[i]);
    return bad;
}
