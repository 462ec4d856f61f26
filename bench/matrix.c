/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { REPEATS = 5, LANES = 64, MAX_REGISTERS = 64 };

static const struct {
    lw_arch arch;
    const char *name, *mods;
} cases[] = {
    { LW_ARCH_GFX942, "v_mfma_f32_16x16x16_f16", "" },
    { LW_ARCH_GFX942, "v_mfma_f32_32x32x8_f16", "" },
    { LW_ARCH_GFX942, "v_mfma_f32_16x16x16_bf16", "" },
    { LW_ARCH_GFX942, "v_mfma_f32_16x16x32_fp8_fp8", "" },
    { LW_ARCH_GFX942, "v_mfma_i32_16x16x32_i8", "" },
    { LW_ARCH_GFX942, "v_mfma_f32_32x32x2_f32", "" },
    { LW_ARCH_GFX942, "v_mfma_f64_16x16x4_f64", "" },
    { LW_ARCH_GFX942, "v_mfma_f32_16x16x8_xf32", "" },
    { LW_ARCH_GFX942, "v_smfmac_f32_16x16x32_f16", "" },
    { LW_ARCH_GFX950, "v_mfma_f32_16x16x32_f16", "" },
    { LW_ARCH_GFX950, "v_mfma_f32_16x16x128_f8f6f4", "cbsz:4 blgp:4" },
    { LW_ARCH_GFX950, "v_mfma_scale_f32_16x16x128_f8f6f4", "cbsz:4 blgp:4" },
    { LW_ARCH_GFX950, "v_mfma_scale_f32_32x32x64_f8f6f4", "cbsz:4 blgp:4" },
    { LW_ARCH_GFX950, "v_mfma_scale_f32_16x16x128_f8f6f4", "cbsz:0 blgp:0" },
};

typedef struct images {
    uint32_t a[MAX_REGISTERS * LANES], b[MAX_REGISTERS * LANES], c[MAX_REGISTERS * LANES],
        d[MAX_REGISTERS * LANES];
    uint32_t index[LANES], scale[LANES];
} images;

/* Small normal numbers in every format: each byte is one, and so are pairs of bytes. */
static void fill(images *im, const lw_insn_info *info)
{
    const int wide = strcmp(info->operand[LW_OPERAND_A].format, "f64") == 0;
    uint32_t x = 1;
    for (size_t i = 0; i < MAX_REGISTERS * LANES; i++) {
        x = x * 1664525u + 1013904223u;
        const uint32_t pair = 0x30303030u | (x >> 3 & 0x87878787u);
        im->a[i] = wide && (i / LANES & 1) ? 0x3fe00000u | x >> 12 : pair;
        im->b[i] = im->a[i];
        im->c[i] = wide && (i / LANES & 1) ? 0x3fe00000u | x >> 12 : 0x3f000000u | x >> 9;
    }
    for (size_t i = 0; i < LANES; i++) {
        im->index[i] = 0x44444444u;
        im->scale[i] = 0x7f7f7f7fu;
    }
}

static double time_calls(const lw_mma *mma, const lw_mma_registers *regs)
{
    double best = 1e9;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        unsigned calls = 0;
        const double start = bench_now();
        double spent;
        do {
            for (int i = 0; i < 20; i++, calls++)
                if (lw_mma_execute_registers(mma, regs, NULL) != LW_OK)
                    return -1;
            spent = bench_now() - start;
        } while (spent < 0.02);
        if (spent / calls < best)
            best = spent / calls;
    }
    return best;
}

static int bench_case(size_t i, images *im)
{
    const lw_insn *insn;
    lw_insn_info info;
    lw_mods mods;
    lw_mma *mma = NULL;
    lw_error error = { "" };
    lw_mma_options options = { .mods = &mods };
    if (lw_insn_find(cases[i].arch, cases[i].name, &insn, &error) != LW_OK ||
        lw_insn_get_info(cases[i].arch, insn, &info) != LW_OK ||
        lw_mods_parse(cases[i].arch, insn, cases[i].mods, &mods, &error) != LW_OK ||
        lw_mma_create(cases[i].arch, insn, &options, &mma, &error) != LW_OK) {
        fprintf(stderr, "bench: %s: %s\n", cases[i].name, error.text);
        return 1;
    }
    fill(im, &info);
    const lw_mma_registers regs = { .a = im->a,
                                    .b = im->b,
                                    .c = info.sparse ? im->d : im->c,
                                    .d = im->d,
                                    .index = im->index,
                                    .scale_a = im->scale,
                                    .scale_b = im->scale };
    const double seconds = time_calls(mma, &regs);
    const double macs = (double)info.m * info.n * info.k * info.blocks;
    printf("%10.0f %8.2f  %s %s %s\n", 1e9 * seconds, macs / seconds * 1e-9, lw_arch_get(cases[i].arch)->name,
           cases[i].name, cases[i].mods);
    lw_mma_free(mma);
    return seconds < 0;
}

int bench_matrix(void)
{
    images *im = calloc(1, sizeof(*im));
    if (!im)
        return 1;
    printf("\nmatrix instructions on register images (one thread)\n%10s %8s  instruction\n", "ns", "GMAC/s");
    int bad = 0;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        bad |= bench_case(i, im);
    free(im);
    return bad;
}
