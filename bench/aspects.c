/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "bench.h"

enum { LANES = 64, A = 8, B = 12, D = 16, INDEX = 4, REPEATS = 200, BATCH = 64, ROWS = 16, USED_ROWS = 4 };

typedef struct aspects_case {
    bench_insn insn; /* its text is as lw_insn_parse reads it */
    unsigned c;      /* its first register */
} aspects_case;

/* Assembled with llvm-mc 22 for gfx950. */
static const aspects_case cases[] = {
#define INSN(text_, c_, words_, ...) { { .text = text_, .words = words_, .word = { __VA_ARGS__ } }, c_ },
#include "aspects.inc"
#undef INSN
};

static uint32_t *at(uint32_t *registers, unsigned first)
{
    return registers + (size_t)first * LANES;
}

/* The call alone, without a wave: nanoseconds, -1 if it fails. */
static double plain_ns(const aspects_case *c, uint32_t *registers)
{
    const lw_insn *insn;
    lw_mods mods;
    lw_mma *mma = NULL;
    const lw_mma_options options = { .struct_size = sizeof(options), .mods = &mods };
    if (lw_insn_parse(LW_ARCH_GFX950, c->insn.text, &insn, &mods, NULL) != LW_OK ||
        lw_mma_create(LW_ARCH_GFX950, insn, &options, &mma, NULL) != LW_OK)
        return -1;
    const lw_mma_registers regs = { .a = at(registers, A),
                                    .b = at(registers, B),
                                    .c = at(registers, c->c),
                                    .d = at(registers, D),
                                    .index = at(registers, INDEX),
                                    .scale_a = registers,
                                    .scale_b = at(registers, 1) };
    double best = 1e9;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const double start = bench_now();
        for (int i = 0; i < BATCH; i++)
            if (lw_mma_execute_registers(mma, &regs, NULL) != LW_OK)
                return -1;
        const double ns = 1e9 * (bench_now() - start) / (double)BATCH;
        best = ns < best ? ns : best;
    }
    lw_mma_free(mma);
    return best;
}

/* Four of every sixteen rows of A are used, and C is zero. */
static void pad(uint32_t *registers)
{
    for (unsigned i = 0; i < LANES * (B - A); i++)
        if (i % ROWS >= USED_ROWS)
            at(registers, A)[i] = 0;
    memset(at(registers, D), 0, (size_t)(BENCH_VGPRS - D) * LANES * sizeof(*registers));
}

int bench_aspects(void)
{
    static uint32_t registers[BENCH_VGPRS * LANES];
    int bad = 0;
    printf(
        "\nmatrix instructions of a wave of gfx950 (one thread), which notes the aspects that numbers touch: "
        "nanoseconds\n"
        "call: lw_mma_execute_registers alone; padded: 12 of 16 rows of A and all of C are zero\n"
        "%8s %8s %8s %8s  instruction\n",
        "watched", "call", "padded", "call");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const aspects_case *c = &cases[i];
        double ns[4];
        bench_fill_registers(registers);
        ns[0] = bench_insn_ns(&c->insn, registers);
        ns[1] = plain_ns(c, registers);
        bench_fill_registers(registers);
        pad(registers);
        ns[2] = bench_insn_ns(&c->insn, registers);
        ns[3] = plain_ns(c, registers);
        for (int n = 0; n < 4; n++)
            bad |= ns[n] < 0;
        printf("%8.1f %8.1f %8.1f %8.1f  %s%s\n", ns[0], ns[1], ns[2], ns[3], c->insn.text,
               c->c == D ? ", D in C's place" : "");
    }
    return bad;
}
