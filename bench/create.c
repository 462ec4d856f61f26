/* SPDX-License-Identifier: MIT */
/* Preparing matrix instructions. */
#include <stdio.h>

#include "bench.h"

enum { REPEATS = 30, CLONES = 1000 };

/* Microseconds of lw_mma_create, and nanoseconds of lw_mma_clone with lw_mma_free; negative: refused. */
static double time_create(lw_arch arch, const lw_insn *insn, double *clone)
{
    double best = -1;
    *clone = -1;
    for (int i = 0; i < REPEATS; i++) {
        lw_mma *mma = NULL, *copy = NULL;
        double start = bench_now();
        if (lw_mma_create(arch, insn, NULL, &mma, NULL) != LW_OK)
            return -1;
        const double us = 1e6 * (bench_now() - start);
        best = best < 0 || us < best ? us : best;
        start = bench_now();
        for (int n = 0; n < CLONES && lw_mma_clone(mma, &copy) == LW_OK; n++)
            lw_mma_free(copy);
        const double ns = 1e9 * (bench_now() - start) / (double)CLONES;
        *clone = *clone < 0 || ns < *clone ? ns : *clone;
        lw_mma_free(mma);
    }
    return best;
}

int bench_create(const char *only)
{
    double worst = 0, worst_clone = 0, sum = 0;
    int count = 0;
    printf("\npreparing matrix instructions: lw_mma_create, lw_mma_clone\n%10s %10s\n", "us", "clone ns");
    for (int arch = 1; arch < LW_ARCH_COUNT; arch++)
        for (size_t i = 0; i < lw_insn_count((lw_arch)arch); i++) {
            const lw_insn *insn = lw_insn_at((lw_arch)arch, i);
            lw_insn_info info;
            double clone;
            if (lw_insn_get_info((lw_arch)arch, insn, &info) != LW_OK ||
                !bench_wanted(lw_arch_get((lw_arch)arch)->name, info.mnemonic, only))
                continue;
            const double us = time_create((lw_arch)arch, insn, &clone);
            if (us < 0)
                continue;
            count++;
            sum += us;
            worst = us > worst ? us : worst;
            worst_clone = clone > worst_clone ? clone : worst_clone;
            if (only)
                printf("%10.1f %10.1f  create %s %s\n", us, clone, lw_arch_get((lw_arch)arch)->name,
                       info.mnemonic);
        }
    if (count == 0)
        return 1;
    printf("%10.1f %10.1f  create, the slowest of %d\n%10.1f %10s  create, the mean\n", worst, worst_clone,
           count, sum / count, "");
    return 0;
}
