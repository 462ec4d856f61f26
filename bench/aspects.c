/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "bench.h"
#ifdef LW_BENCH_STATIC
#include "emu/mma/prepared.h" /* no public function notes aspects without a wave */
enum { NOTES = 1 };
#else
enum { NOTES = 0 };
#endif

enum { LANES = 64, A = 8, B = 12, D = 16, INDEX = 4, REPEATS = 400, BATCH = 64, ROWS = 16, USED_ROWS = 4 };

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

static lw_status call(const lw_mma *mma, const lw_mma_registers *regs, bool noting)
{
#ifdef LW_BENCH_STATIC
    static lw_mma_use use; /* of the case at hand, as a wave has it: what has been found is not looked for */
    static const lw_mma *of;
    if (of != mma)
        use = (lw_mma_use){ 0 };
    of = mma;
    if (noting)
        return lw_mma_execute_noting(mma, regs, &use);
#endif
    (void)noting;
    return lw_mma_execute_registers(mma, regs, NULL);
}

/* The call alone, without a wave, in nanoseconds: without noting aspects and with it, by turns. */
typedef struct call_times {
    double plain, noting;
} call_times;

static bool time_calls(const lw_mma *mma, const lw_mma_registers *regs, call_times *times)
{
    double best[2] = { 1e9, 1e9 };
    for (int n = 0; n < 2 * REPEATS; n++) {
        const double start = bench_now();
        for (int i = 0; i < BATCH; i++)
            if (call(mma, regs, n % 2) != LW_OK)
                return false;
        const double ns = 1e9 * (bench_now() - start) / (double)BATCH;
        best[n % 2] = ns < best[n % 2] ? ns : best[n % 2];
    }
    *times = (call_times){ best[0], best[1] };
    return true;
}

static bool calls_of(const aspects_case *c, uint32_t *registers, call_times *times)
{
    const lw_insn *insn;
    lw_mods mods;
    lw_mma *mma = NULL;
    const lw_mma_options options = { .struct_size = sizeof(options), .mods = &mods };
    if (lw_insn_parse(LW_ARCH_GFX950, c->insn.text, &insn, &mods, NULL) != LW_OK ||
        lw_mma_create(LW_ARCH_GFX950, insn, &options, &mma, NULL) != LW_OK)
        return false;
    const lw_mma_registers regs = { .a = at(registers, A),
                                    .b = at(registers, B),
                                    .c = at(registers, c->c),
                                    .d = at(registers, D),
                                    .index = at(registers, INDEX),
                                    .scale_a = registers,
                                    .scale_b = at(registers, 1) };
    const bool good = time_calls(mma, &regs, times);
    lw_mma_free(mma);
    return good;
}

/* Four of every sixteen rows of A are used, and C is zero. */
static void pad(uint32_t *registers)
{
    for (unsigned i = 0; i < LANES * (B - A); i++)
        if (i % ROWS >= USED_ROWS)
            at(registers, A)[i] = 0;
    memset(at(registers, D), 0, (size_t)(BENCH_VGPRS - D) * LANES * sizeof(*registers));
}

/* Prints a case's times with ordinary registers or padded ones. */
static bool show(const aspects_case *c, bool padded)
{
    static uint32_t registers[BENCH_VGPRS * LANES];
    call_times times;
    bench_fill_registers(registers);
    if (padded)
        pad(registers);
    const double wave = bench_insn_ns(&c->insn, registers);
    if (wave < 0 || !calls_of(c, registers, &times))
        return false;
    printf("%8.1f %8.1f ", wave, times.plain);
    if (NOTES)
        printf("%8.1f ", times.noting - times.plain);
    else
        printf("%8s ", "-");
    return true;
}

int bench_aspects(void)
{
    int bad = 0;
    printf(
        "\nmatrix instructions of a wave of gfx950 (one thread), which notes the aspects that numbers touch: "
        "nanoseconds\n"
        "call: lw_mma_execute_registers alone; noting: what a call takes more that notes aspects (-: a "
        "shared "
        "library hides it)\n"
        "padded: 12 of 16 rows of A and all of C are zero\n"
        "%8s %8s %8s %8s %8s %8s  instruction\n",
        "wave", "call", "noting", "padded", "call", "noting");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const aspects_case *c = &cases[i];
        bad |= !show(c, false) || !show(c, true);
        printf(" %s%s\n", c->insn.text, c->c == D ? ", D in C's place" : "");
    }
    return bad;
}
