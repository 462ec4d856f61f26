/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { UNROLL = 16, FEW = 20, MANY = 270, REPEATS = 60, BUFFER = 1 << 16, MAX_WORDS = UNROLL * 4 + 8 };

/* Assembled with llvm-mc 22 for gfx950. v2, v3 and s[10:11] are LDS and global addresses, s[12:15] the same
 * memory as a buffer; v61 is an LDS address of lanes next to each other, v[62:63] a global one; the rest is
 * data.
 */
static const bench_insn insns[] = {
#define INSN(text_, words_, ...) { .text = text_, .words = words_, .word = { __VA_ARGS__ } },
#include "code.inc"
#undef INSN
};

/* s0 = number of rounds; the unrolled instructions; s_sub_u32 s0,s0,1; s_cmp_lg_u32 s0,0; s_cbranch_scc1;
 * s_endpgm. The last two have other numbers on RDNA. */
static size_t build(const bench_insn *insn, unsigned copies, uint32_t code[MAX_WORDS])
{
    size_t n = 0;
    for (unsigned i = 0; i < copies; i++)
        for (unsigned w = 0; w < insn->words; w++)
            code[n++] = insn->word[w];
    code[n++] = 0x80808100;
    code[n++] = 0xbf078000;
    code[n] = (!insn->arch ? 0xbf850000 : 0xbfa20000) | (uint16_t)(-(int)(n + 1));
    n++;
    code[n++] = !insn->arch ? 0xbf810000 : 0xbfb00000;
    return n;
}

void bench_fill_registers(uint32_t *vgpr)
{
    uint32_t x = 1;
    for (size_t i = 0; i < (size_t)BENCH_VGPRS * 64; i++) {
        x = x * 1664525u + 1013904223u;
        vgpr[i] = 0x3f000000u | x >> 9; /* f32 in [0.5, 1) */
        if (i / 64 >= 8 && i / 64 < 16) /* inputs of matrix instructions: small in every format */
            vgpr[i] = 0x30303030u | (x >> 3 & 0x87878787u);
    }
    for (uint32_t lane = 0; lane < 64; lane++) {
        vgpr[0 * 64 + lane] = vgpr[1 * 64 + lane] = 0x7f7f7f7f; /* scales of 1 */
        vgpr[2 * 64 + lane] = vgpr[3 * 64 + lane] = lane * 16;
    }
}

/* Addresses that depend on where memory is, and those of lanes next to each other. */
static void place(uint32_t *vgpr, uint64_t address)
{
    enum { NEXT = 61, LOW, HIGH };
    for (uint32_t lane = 0; lane < 64; lane++) {
        const uint64_t at = address + lane * 16;
        vgpr[NEXT * 64 + lane] = lane * 4;
        vgpr[LOW * 64 + lane] = (uint32_t)at;
        vgpr[HIGH * 64 + lane] = (uint32_t)(at >> 32);
    }
}

static lw_status run(lw_memory *memory, uint64_t address, const bench_insn *insn, const uint32_t *code,
                     size_t words, uint32_t loops, const uint32_t *registers, double *seconds,
                     lw_error *error)
{
    static const lw_wave_state zero;
    const size_t size = (size_t)BENCH_VGPRS * 64 * sizeof(*registers);
    lw_wave_state *wave = malloc(sizeof(*wave));
    uint32_t *vgpr = malloc(size);
    void *lds = calloc(1, BUFFER);
    lw_status status = LW_E_NO_MEMORY;
    if (wave && vgpr && lds) {
        *wave = zero;
        memcpy(vgpr, registers, size);
        place(vgpr, address);
        wave->vgpr = vgpr;
        wave->vgprs = BENCH_VGPRS;
        wave->mode = insn->flushes ? 0x3c0 : 0x3f0;
        wave->sgpr[0] = loops;
        wave->sgpr[10] = (uint32_t)address;
        wave->sgpr[11] = (uint32_t)(address >> 32);
        wave->sgpr[12] = wave->sgpr[10]; /* a buffer of raw dwords */
        wave->sgpr[13] = wave->sgpr[11];
        wave->sgpr[14] = BUFFER;
        wave->sgpr[15] = 0x00020000;
        wave->sgpr[126] = wave->sgpr[127] = UINT32_MAX;
        const lw_code_options options = { .struct_size = sizeof(options),
                                          .arch = insn->arch ? insn->arch : LW_ARCH_GFX950,
                                          .code = code,
                                          .words = words,
                                          .memory = memory,
                                          .lds = lds,
                                          .lds_size = BUFFER };
        const double start = bench_now();
        status = lw_code_run(&options, wave, 1, NULL, error);
        *seconds = bench_now() - start;
    }
    free(wave);
    free(vgpr);
    free(lds);
    return status;
}

static lw_status best_of(lw_memory *memory, uint64_t address, const bench_insn *insn, uint32_t loops,
                         const uint32_t *registers, double *best, lw_error *error)
{
    uint32_t code[MAX_WORDS];
    const size_t words = build(insn, UNROLL, code);
    *best = 1e9;
    for (int i = 0; i < REPEATS; i++) {
        double seconds;
        const lw_status status = run(memory, address, insn, code, words, loops, registers, &seconds, error);
        if (status != LW_OK)
            return status;
        if (seconds < *best)
            *best = seconds;
    }
    return LW_OK;
}

static lw_status make_memory(lw_memory **memory, uint64_t *address, lw_error *error)
{
    const lw_status status = lw_memory_create(memory);
    return status == LW_OK ? lw_memory_allocate(*memory, "data", BUFFER, LW_ACCESS_READ_WRITE, address, error)
                           : status;
}

double bench_insn_ns(const bench_insn *insn, const uint32_t *registers)
{
    lw_memory *memory = NULL;
    uint64_t address = 0;
    lw_error error = { "out of memory" };
    double few = 0, many = 0;
    lw_status status = make_memory(&memory, &address, &error);
    if (status == LW_OK)
        status = best_of(memory, address, insn, FEW, registers, &few, &error);
    if (status == LW_OK)
        status = best_of(memory, address, insn, MANY, registers, &many, &error);
    lw_memory_free(memory);
    if (status != LW_OK) {
        fprintf(stderr, "bench: %s: %s\n", insn->text, error.text);
        return -1;
    }
    return 1e9 * (many - few) / (double)(UNROLL * (MANY - FEW));
}

int bench_code(void)
{
    static uint32_t registers[BENCH_VGPRS * 64];
    int bad = 0;
    bench_fill_registers(registers);
    printf("machine instructions (gfx950, one wave of 64 lanes, one thread)\n%10s  instruction\n", "ns");
    for (size_t i = 0; i < sizeof(insns) / sizeof(insns[0]); i++) {
        const double ns = bench_insn_ns(&insns[i], registers);
        bad |= ns < 0;
        if (ns >= 0)
            printf("%10.1f  %s\n", ns, insns[i].text);
    }
    return bad;
}
