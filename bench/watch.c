/* SPDX-License-Identifier: MIT */
/* The cost of watching: loads of 16 bytes in a loop on two threads, from memory that kernels may only read,
 * which is not watched, and from memory that they may write. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

enum { GROUPS = 256, BYTES = 1 << 21, LOADS = 1000, REPEATS = 9, LANE_SHIFT = 3 };

/* 250 rounds of four global_load_dwordx4 v[4:7], v0, s[4:5], each 1024 bytes after the previous one; llvm-mc
 * 22. */
static const uint32_t loop[] = {
    0xc0060100, 0x00000000, 0x260000bf, 0x24000084, 0xb00700fa, 0xbf8cc07f, 0xdc5c8000,
    0x04040000, 0xdc5c8400, 0x04040000, 0xdc5c8800, 0x04040000, 0xdc5c8c00, 0x04040000,
    0x680000ff, 0x00001000, 0x80878107, 0xbf078007, 0xbf85fff3, 0xbf810000,
};

/* The first words of vector_add in its code object, where the loop is inserted. */
static const uint32_t replaced[] = { 0xc00200c0, 0x00000018, 0xd2000000, 0x04011002 };

/* `shift`: log2 of the bytes from lane to lane. */
static lw_program *load(const char *path, unsigned shift)
{
    static unsigned char bytes[1 << 16];
    uint32_t code[sizeof(loop) / sizeof(loop[0])];
    lw_program *program = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    const size_t size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    memcpy(code, loop, sizeof(code));
    code[LANE_SHIFT] = 0x24000080 + shift;
    for (size_t at = 0; at + sizeof(code) <= size; at += 4) {
        if (memcmp(bytes + at, replaced, sizeof(replaced)) != 0)
            continue;
        memcpy(bytes + at, code, sizeof(code));
        return lw_program_load(bytes, size, NULL, &program, NULL) == LW_OK ? program : NULL;
    }
    return NULL;
}

/* Nanoseconds of processor time for each wave's load, the best of several; 0 if something failed. */
static double measure(const lw_program *program, lw_memory *memory, uint64_t c)
{
    const uint32_t n = 0;
    const lw_arg args[] = {
        { NULL, &c, 8, true }, { NULL, &c, 8, true }, { NULL, &c, 8, true }, { NULL, &n, 4, false }
    };
    lw_launch_options options = lw_launch_options_default();
    options.program = program;
    options.memory = memory;
    options.grid[0] = GROUPS;
    options.block[0] = 64;
    options.args = args;
    options.arg_count = 4;
    options.threads = 2;
    double best = 0;
    for (int i = 0; i < REPEATS; i++) {
        lw_launch_result *result = NULL;
        const clock_t start = clock();
        const lw_status status = lw_launch(&options, &result, NULL);
        const double ns = 1e9 * (double)(clock() - start) / CLOCKS_PER_SEC / ((double)GROUPS * (double)LOADS);
        const bool good = status == LW_OK && result->threads == 2;
        lw_launch_result_free(result);
        if (!good)
            return 0;
        best = i == 0 || ns < best ? ns : best;
    }
    return best;
}

/* ---- What recording a footprint costs ---- */

enum { EDGE = 256, ELEMENTS = 1 << 18, ARRAYS = 3 };

/* Seconds of processor time, the best of several; interleaved, without and with a footprint. False if a
 * launch failed. */
static bool compare_footprint(lw_launch_options *options, lw_footprint *footprint, double best[2])
{
    for (int i = 0; i < 2 * REPEATS; i++) {
        const clock_t start = clock();
        options->footprint = i % 2 ? footprint : NULL;
        if (lw_launch(options, NULL, NULL) != LW_OK)
            return false;
        const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        best[i % 2] = i < 2 || seconds < best[i % 2] ? seconds : best[i % 2];
    }
    return true;
}

/* gemm_f16 of EDGE in each dimension, or vector_add; c, a, b and the sizes. */
static int footprint_of(const char *objects, bool gemm)
{
    char path[1024];
    lw_program *program = NULL;
    lw_memory *memory = NULL;
    lw_footprint *footprint = NULL;
    uint64_t at[ARRAYS];
    const uint32_t n = gemm ? EDGE : ELEMENTS;
    double best[2] = { 0, 0 };
    snprintf(path, sizeof(path), "%s/%s", objects, gemm ? "gemm_f16.co" : "vector_add_gfx950.co");
    bool good = lw_program_load_file(path, NULL, &program, NULL) == LW_OK &&
                lw_memory_create(&memory) == LW_OK && lw_footprint_create(&footprint) == LW_OK;
    for (int i = 0; i < ARRAYS && good; i++)
        good = lw_memory_allocate(memory, "", 4 * ELEMENTS, i ? LW_ACCESS_READ : LW_ACCESS_READ_WRITE, &at[i],
                                  NULL) == LW_OK;
    const lw_arg args[] = { { NULL, &at[0], 8, true },
                            { NULL, &at[1], 8, true },
                            { NULL, &at[2], 8, true },
                            { NULL, &n, 4, false },
                            { NULL, &n, 4, false } };
    lw_launch_options options = lw_launch_options_default();
    options.program = program;
    options.memory = memory;
    options.grid[0] = gemm ? EDGE / 64 : ELEMENTS / 256;
    options.grid[1] = gemm ? EDGE / 64 : 1;
    options.block[0] = 256;
    options.args = args;
    options.arg_count = gemm ? 5 : 4;
    options.threads = 1;
    good = good && compare_footprint(&options, footprint, best);
    if (good)
        printf("%10.2f %10.2f %6.2f  %s\n", 1e3 * best[0], 1e3 * best[1], best[1] / best[0],
               gemm ? "gemm_f16, 256 x 256 x 256" : "vector_add, 262,144 elements");
    else
        fprintf(stderr, "bench: %s does not run\n", path);
    lw_footprint_free(footprint);
    lw_memory_free(memory);
    lw_program_free(program);
    return !good;
}

int bench_watch(const char *objects)
{
    char path[1024];
    lw_memory *memory = NULL;
    uint64_t c[2] = { 0, 0 };
    int bad = lw_memory_create(&memory) != LW_OK;
    snprintf(path, sizeof(path), "%s/vector_add_gfx950.co", objects);
    for (int i = 0; i < 2 && !bad; i++)
        bad = lw_memory_allocate(memory, "c", BYTES, i ? LW_ACCESS_READ_WRITE : LW_ACCESS_READ, &c[i],
                                 NULL) != LW_OK;
    printf(
        "\nwatching parallel runs: a wave's load of 16 bytes a lane, ns of processor time\n%10s %10s %6s\n",
        "not", "watched", "ratio");
    for (unsigned shift = 4; shift <= 6 && !bad; shift += 2) {
        lw_program *program = load(path, shift);
        const double alone = program ? measure(program, memory, c[0]) : 0;
        const double watched = program ? measure(program, memory, c[1]) : 0;
        bad = alone <= 0 || watched <= 0;
        if (!bad)
            printf("%10.1f %10.1f %6.2f  lanes %u bytes apart\n", alone, watched, watched / alone,
                   1u << shift);
        lw_program_free(program);
    }
    if (bad)
        fprintf(stderr, "bench: the loop of loads does not run\n");
    lw_memory_free(memory);
    printf("\na launch whose footprint is recorded, as --part does: ms of processor time, one thread\n%10s "
           "%10s %6s\n",
           "not", "recorded", "ratio");
    bad = footprint_of(objects, true) || bad;
    return footprint_of(objects, false) || bad;
}
