/* SPDX-License-Identifier: MIT */
/* PTX kernels: classes of instructions, parsing, and the two matrix products of docs/performance.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/tensor_map.h>

#include "bench.h"

enum { UNROLL = 16, FEW = 50, MANY = 1550, TRIES = 40, LAUNCHES = 5, SIZE = 512, MEGABYTE = 1 << 20 };

static const struct {
    const char *text;
    unsigned aim; /* nanoseconds; 0: none */
} classes[] = {
    { "fma.rn.f32 %f4, %f1, %f2, %f3", 8 },
    { "ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%s]", 30 },
    { "add.f32 %f4, %f1, %f2", 0 },
    { "mul.ftz.f32 %f4, %f1, %f2", 0 },
    { "max.f32 %f4, %f1, %f2", 0 },
    { "mov.b32 %r4, %r1", 0 },
    { "add.s32 %r4, %r1, %r2", 0 },
    { "mad.lo.s32 %r4, %r1, %r2, %r3", 0 },
    { "shl.b32 %r4, %r1, 3", 0 },
    { "setp.lt.s32 %p1, %r1, %r2", 0 },
    { "setp.lt.f32 %p1, %f1, %f2", 0 },
    { "selp.b32 %r4, %r1, %r2, %p2", 0 },
    { "mul.wide.s32 %d2, %r1, %r2", 0 },
    { "add.s64 %d2, %d1, 64", 0 },
    { "cvt.rn.f16x2.f32 %r4, %f1, %f2", 0 },
    { "ld.shared.b32 %r4, [%s]", 0 },
    { "st.shared.b32 [%s], %r1", 0 },
    { "st.shared.v4.b32 [%s], {%r1, %r2, %r3, %r4}", 0 },
    { "ld.global.b32 %r4, [%g]", 0 },
    { "ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%g]", 0 },
    { "st.global.b32 [%g], %r1", 0 },
    { "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%s]", 0 },
    { "shfl.sync.bfly.b32 %r4, %r1, 16, 31, 0xffffffff", 0 },
    { "ex2.approx.ftz.f32 %f4, %f1", 0 },
    { "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f4, %f5, %f6, %f7}, {%r1, %r2, %r1, %r2}, {%r1, "
      "%r2}, "
      "{%f4, %f5, %f6, %f7}",
      0 },
};

/* A kernel that executes the instruction UNROLL times a round. */
static void write_kernel(char *to, size_t size, const char *insn)
{
    size_t used = (size_t)snprintf(
        to, size,
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry k(.param .u64 data, .param .u32 rounds) {\n"
        ".reg .b32 %%r<8>; .reg .f32 %%f<8>; .reg .b64 %%d<3>; .reg .b64 %%g; .reg .b32 %%s, %%n, %%t;\n"
        ".reg .pred %%p<3>, %%q; .shared .align 16 .b8 room[512];\n"
        "ld.param.u64 %%g, [data]; ld.param.u32 %%n, [rounds]; mov.u32 %%t, %%tid.x;\n"
        "mul.lo.u32 %%r0, %%t, 16; mov.u32 %%s, room; add.u32 %%s, %%s, %%r0; cvt.u64.u32 %%d0, %%r0;\n"
        "add.u64 %%g, %%g, %%d0; mov.b64 %%d1, 5; mov.b64 %%d2, 0;\n"
        "add.u32 %%r1, %%t, 0x3c003c00; add.u32 %%r2, %%r1, 3; add.u32 %%r3, %%r1, 5;\n"
        "mov.b32 %%r4, 0; mov.b32 %%r5, 0; mov.b32 %%r6, 0; mov.b32 %%r7, 0;\n"
        "cvt.rn.f32.u32 %%f1, %%t; add.f32 %%f2, %%f1, 0f3F000000; mov.f32 %%f3, 0f3FC00000;\n"
        "mov.f32 %%f4, 0f3F800000; mov.f32 %%f5, %%f4; mov.f32 %%f6, %%f4; mov.f32 %%f7, %%f4;\n"
        "setp.lt.u32 %%p1, %%t, 9; setp.gt.u32 %%p2, %%t, 9;\nround:\n");
    for (int i = 0; i < UNROLL; i++)
        used += (size_t)snprintf(to + used, size - used, "%s;\n", insn);
    snprintf(to + used, size - used,
             "sub.u32 %%n, %%n, 1; setp.ne.u32 %%q, %%n, 0; @%%q bra round;\nret;\n}\n");
}

typedef struct loaded {
    lw_program *program;
    lw_memory *memory;
    lw_module *module;
} loaded;

static void unload(loaded *l)
{
    lw_module_unload(l->module);
    lw_program_free(l->program);
    lw_memory_free(l->memory);
}

static lw_status complain(const char *what, lw_status status, const lw_error *error)
{
    if (status != LW_OK)
        fprintf(stderr, "bench: %s: %s\n", what, error->text);
    return status;
}

static lw_status load(loaded *l, const char *text, lw_error *error)
{
    *l = (loaded){ NULL, NULL, NULL };
    lw_status status = lw_program_load(text, strlen(text), NULL, &l->program, error);
    if (status == LW_OK)
        status = lw_memory_create(&l->memory);
    if (status == LW_OK)
        status = lw_module_load(l->memory, l->program, &l->module, error);
    return status;
}

static lw_status launch(const lw_launch_options *options, double *seconds, lw_error *error)
{
    lw_launch_result *result = NULL;
    const double start = bench_now();
    const lw_status status = lw_launch(options, &result, error);
    *seconds = bench_now() - start;
    lw_launch_result_free(result);
    return status;
}

/* The shortest launch with that many rounds. */
static lw_status time_rounds(const loaded *l, uint64_t data, uint32_t rounds, double *best, lw_error *error)
{
    const lw_arg args[] = { { NULL, &data, 8, true }, { NULL, &rounds, 4, false } };
    lw_launch_options o = lw_launch_options_default();
    lw_status status = LW_OK;
    o.module = l->module;
    o.grid[0] = 1;
    o.block[0] = 32;
    o.args = args;
    o.arg_count = 2;
    o.threads = 1;
    *best = 1e9;
    for (int i = 0; i < TRIES && status == LW_OK; i++) {
        double seconds;
        status = launch(&o, &seconds, error);
        if (seconds < *best)
            *best = seconds;
    }
    return status;
}

static int time_class(size_t i)
{
    char text[8192], aim[16] = "-";
    loaded l;
    uint64_t data = 0;
    lw_error error = { "out of memory" };
    double few = 0, many = 0;
    write_kernel(text, sizeof(text), classes[i].text);
    lw_status status = load(&l, text, &error);
    if (status == LW_OK)
        status = lw_memory_allocate(l.memory, "data", 4096, LW_ACCESS_READ_WRITE, &data, &error);
    if (status == LW_OK)
        status = time_rounds(&l, data, FEW, &few, &error);
    if (status == LW_OK)
        status = time_rounds(&l, data, MANY, &many, &error);
    if (classes[i].aim)
        snprintf(aim, sizeof(aim), "%u", classes[i].aim);
    if (status == LW_OK)
        printf("%10.1f %6s  %s\n", 1e9 * (many - few) / (double)(UNROLL * (MANY - FEW)), aim,
               classes[i].text);
    unload(&l);
    return complain(classes[i].text, status, &error) != LW_OK;
}

/* ---- Parsing ---- */

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = file ? calloc(1, MEGABYTE) : NULL;
    if (text && !fread(text, 1, MEGABYTE - 1, file)) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    if (!text)
        fprintf(stderr, "bench: %s cannot be read\n", path);
    return text;
}

/* The kernel of a file, under other names, until the text has a megabyte. */
static char *repeat_kernel(const char *text, size_t *size)
{
    const char *entry = strstr(text, ".visible .entry "), *rest = entry ? strchr(entry, '(') : NULL;
    char *all = rest ? malloc(MEGABYTE + strlen(text) + 100) : NULL;
    if (!all)
        return NULL;
    *size = (size_t)sprintf(all, "%.*s", (int)(entry - text), text);
    for (int i = 0; *size < MEGABYTE; i++)
        *size += (size_t)sprintf(all + *size, ".visible .entry k%d%s", i, rest);
    return all;
}

static int time_parsing(const char *folder)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/bench/ptx/gemm.ptx", folder);
    char *text = read_text(path);
    size_t size = 0;
    char *all = text ? repeat_kernel(text, &size) : NULL;
    double best = 1e9;
    lw_status status = all ? LW_OK : LW_E_NOT_FOUND;
    lw_error error = { "the file cannot be used" };
    for (int i = 0; i < LAUNCHES && status == LW_OK; i++) {
        lw_program *program = NULL;
        const double start = bench_now();
        status = lw_program_load(all, size, NULL, &program, &error);
        if (bench_now() - start < best)
            best = bench_now() - start;
        lw_program_free(program);
    }
    if (status == LW_OK)
        printf("\nparsing %.2f MB of PTX: %.1f ms (aim 50)\n", (double)size / (double)MEGABYTE, 1e3 * best);
    free(text);
    free(all);
    return complain("parsing", status, &error) != LW_OK;
}

/* ---- Products of 512 x 512 x 512 ---- */

typedef struct gemm_case {
    const char *file, *kernel;
    uint32_t grid, block, shared;
    bool maps; /* A and B are tensor maps of boxes of 64 x 64 */
    double aim;
} gemm_case;

static const gemm_case gemms[] = {
    { "bench/ptx/gemm.ptx", "gemm_f16", 4, 256, 61440, false, 0.06 },
    { "tests/ptx/corpus/wgmma_nvcc.ptx", "wgmma_pipeline", 8, 160, 33792, true, 0.04 },
};

static lw_status make_map(uint64_t address, uint8_t *map, lw_error *error)
{
    lw_tensor_map m = { .type = LW_TENSOR_F16,
                        .rank = 2,
                        .address = address,
                        .dims = { SIZE, SIZE },
                        .box = { 64, 64 },
                        .swizzle = 128 };
    lw_tensor_map_pack_strides(&m);
    return lw_tensor_map_encode(&m, map, error);
}

/* Magnitudes in [0.5, 2). */
static lw_status make_matrix(lw_memory *memory, const char *name, uint64_t *at, lw_error *error)
{
    const lw_status status = lw_memory_allocate(memory, name, SIZE * SIZE * 2, LW_ACCESS_READ, at, error);
    uint16_t *to = status == LW_OK ? lw_memory_host(memory, *at, SIZE * SIZE * 2) : NULL;
    uint32_t x = 1;
    for (size_t i = 0; to && i < SIZE * SIZE; i++) {
        x = x * 1664525u + 1013904223u;
        to[i] = (uint16_t)(0x3a00 | x >> 24 | (x >> 8 & 0x8000u));
    }
    return status;
}

static lw_status run_gemm(const gemm_case *c, const loaded *l, double best[2], lw_error *error)
{
    uint64_t a, b, out;
    uint8_t maps[2][LW_TENSOR_MAP_BYTES];
    const uint32_t n = SIZE, tiles = SIZE / 64;
    lw_launch_options o = lw_launch_options_default();
    lw_status status = make_matrix(l->memory, "a", &a, error);
    if (status == LW_OK)
        status = make_matrix(l->memory, "b", &b, error);
    if (status == LW_OK)
        status = lw_memory_allocate(l->memory, "c", SIZE * SIZE * 4, LW_ACCESS_READ_WRITE, &out, error);
    if (status == LW_OK)
        status = make_map(a, maps[0], error);
    if (status == LW_OK)
        status = make_map(b, maps[1], error);
    if (status == LW_OK)
        status = lw_program_find(l->program, c->kernel, &o.kernel, error);
    if (status != LW_OK)
        return status;
    const lw_arg plain[] = { { NULL, &a, 8, true },
                             { NULL, &b, 8, true },
                             { NULL, &out, 8, true },
                             { NULL, &n, 4, false },
                             { NULL, &n, 4, false } };
    const lw_arg mapped[] = { { NULL, maps[0], sizeof(maps[0]), false },
                              { NULL, maps[1], sizeof(maps[1]), false },
                              { NULL, &out, 8, true },
                              { NULL, &tiles, 4, false } };
    o.module = l->module;
    o.grid[0] = o.grid[1] = c->grid;
    o.block[0] = c->block;
    o.dynamic_lds = c->shared;
    o.args = c->maps ? mapped : plain;
    o.arg_count = c->maps ? 4 : 5;
    for (unsigned i = 0; i < 2 * LAUNCHES && status == LW_OK; i++) {
        double seconds;
        o.threads = 1 + i % 2;
        status = launch(&o, &seconds, error);
        if (seconds < best[i % 2])
            best[i % 2] = seconds;
    }
    return status;
}

static int time_gemm(const gemm_case *c, const char *folder)
{
    char path[1024];
    loaded l = { NULL, NULL, NULL };
    double best[2] = { 1e9, 1e9 };
    lw_error error = { "out of memory" };
    snprintf(path, sizeof(path), "%s/%s", folder, c->file);
    char *text = read_text(path);
    lw_status status = text ? load(&l, text, &error) : LW_E_NOT_FOUND;
    if (status == LW_OK)
        status = run_gemm(c, &l, best, &error);
    if (status == LW_OK)
        printf("%10.3f %10.3f %10.2f  %s %dx%dx%d\n", best[0], best[1], c->aim, c->kernel, SIZE, SIZE, SIZE);
    unload(&l);
    free(text);
    return complain(c->kernel, status, &error) != LW_OK;
}

int bench_ptx(const char *folder, const char *only)
{
    int bad = 0;
    printf("\nPTX: classes of instructions (one warp, one thread), and what was aimed at\n%10s %6s  "
           "instruction\n",
           "ns", "aim");
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
        if (!only || strstr(classes[i].text, only))
            bad |= time_class(i);
    if (!only)
        bad |= time_parsing(folder);
    printf("\nPTX: a launch on one thread and on two, and what was aimed at on two\n%10s %10s %10s  kernel\n",
           "one", "two", "aim");
    for (size_t i = 0; i < sizeof(gemms) / sizeof(gemms[0]); i++)
        if (!only || strstr(gemms[i].kernel, only))
            bad |= time_gemm(&gemms[i], folder);
    return bad;
}
