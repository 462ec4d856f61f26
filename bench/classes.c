/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

/* target times in ns with AVX2 and with AVX-512 */
typedef struct class_row {
    bench_insn insn;
    unsigned aim, aim512;
} class_row;

static const class_row classes[] = {
#define CLASS(text_, aim_, aim512_, words_, ...) { { text_, words_, { __VA_ARGS__ } }, aim_, aim512_ },
#include "classes.inc"
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

int bench_classes(const char *only)
{
    char aim[2][16];
    uint32_t *registers = calloc((size_t)BENCH_VGPRS * 64, sizeof(*registers));
    int bad = 0;
    if (!registers) {
        fprintf(stderr, "bench: out of memory\n");
        return 1;
    }
    bench_fill_registers(registers);
    printf("classes of instructions (gfx950, one wave of 64 lanes, one thread), and what was aimed at\n"
           "%10s %6s %8s  instruction\n",
           "ns", "AVX2", "AVX-512");
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        const class_row *c = &classes[i];
        if (!bench_wanted("gfx950", c->insn.text, only))
            continue;
        const double ns = bench_insn_ns(&c->insn, registers);
        bad |= ns < 0;
        if (ns >= 0)
            printf("%10.1f %6s %8s  %s\n", ns, aim_text(aim[0], c->aim), aim_text(aim[1], c->aim512),
                   c->insn.text);
    }
    free(registers);
    return bad;
}
