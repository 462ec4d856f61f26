/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* target times in ns with AVX2 and with AVX-512 */
typedef struct class_row {
    bench_insn insn;
    unsigned aim, aim512;
} class_row;

static const class_row classes[] = {
#define CLASS(text_, aim_, aim512_, words_, ...)                                                             \
    { { .text = text_, .words = words_, .word = { __VA_ARGS__ } }, aim_, aim512_ },
#define CLASS_FLUSHING(text_, aim_, aim512_, words_, ...)                                                    \
    { { .text = text_, .words = words_, .word = { __VA_ARGS__ }, .flushes = true }, aim_, aim512_ },
#include "classes.inc"
#undef CLASS_FLUSHING
#undef CLASS
};

static const class_row rdna[] = {
#define CLASS(text_, aim_, aim512_, words_, ...)                                                             \
    { { .text = text_, .words = words_, .word = { __VA_ARGS__ }, .arch = LW_ARCH_GFX1201 }, aim_, aim512_ },
#include "classes_rdna.inc"
#undef CLASS
};

/* A target time, or a dash if there is none. */
static const char *aim_text(char text[16], unsigned aim)
{
    if (!aim)
        return "-";
    snprintf(text, 16, "%u", aim);
    return text;
}

enum {
    LANES = 64,
    FIRST = 4,
    COUNT = 4 /* registers that hold f16 numbers for instructions that read those */
};

static bool reads_halves(const class_row *c)
{
    return strstr(c->insn.text, "f16") && !strstr(c->insn.text, "bf16");
}

/* Pairs of f16 numbers in [0.5, 1). */
static void fill_halves(uint32_t *registers)
{
    uint32_t x = 1;
    for (size_t i = FIRST * LANES; i < (size_t)(FIRST + COUNT) * LANES; i++) {
        x = x * 1664525u + 1013904223u;
        registers[i] = 0x38003800u | (x >> 3 & 0x03ff03ffu);
    }
}

static int print_class(const class_row *c, const uint32_t *registers, const char *more)
{
    char aim[2][16];
    const double ns = bench_insn_ns(&c->insn, registers);
    if (ns >= 0)
        printf("%10.1f %6s %8s  %s%s%s\n", ns, aim_text(aim[0], c->aim), aim_text(aim[1], c->aim512),
               c->insn.text, c->insn.flushes ? ", flushing subnormals" : "", more);
    return ns < 0;
}

int bench_classes(const char *only)
{
    uint32_t *registers = calloc((size_t)BENCH_VGPRS * 64, sizeof(*registers));
    uint32_t *halves = calloc((size_t)BENCH_VGPRS * 64, sizeof(*halves));
    int bad = 0;
    if (!registers || !halves) {
        free(registers);
        free(halves);
        fprintf(stderr, "bench: out of memory\n");
        return 1;
    }
    bench_fill_registers(registers);
    bench_fill_registers(halves);
    fill_halves(halves);
    printf("classes of instructions (gfx950, one wave of 64 lanes, one thread), and what was aimed at\n"
           "%10s %6s %8s  instruction\n",
           "ns", "AVX2", "AVX-512");
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        const class_row *c = &classes[i];
        if (!bench_wanted("gfx950", c->insn.text, only))
            continue;
        bad |= print_class(c, reads_halves(c) ? halves : registers, "");
        if (reads_halves(c) && strncmp(c->insn.text, "v_pk_", 5) == 0)
            bad |= print_class(c, registers, ", with NaNs in 3 % of the low halves");
    }
    printf("\ngfx1201, one wave of 32 lanes: what RDNA adds, after its relatives\n");
    for (size_t i = 0; i < sizeof(rdna) / sizeof(rdna[0]); i++)
        if (bench_wanted("gfx1201", rdna[i].insn.text, only))
            bad |= print_class(&rdna[i], reads_halves(&rdna[i]) ? halves : registers, "");
    free(halves);
    free(registers);
    return bad;
}
