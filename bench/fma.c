/* SPDX-License-Identifier: MIT */
/*
 * The cost of an exact binary64 multiply-add in additions and multiplications, as a baseline for the portable
 * code: independent chains of nothing else, with factors split beforehand.
 */
#include <stdio.h>

#include "bench.h"

#ifdef __GNUC__

typedef double pair __attribute__((vector_size(16)));
typedef unsigned long long bits __attribute__((vector_size(16)));

enum { CHAINS = 4, STEPS = 4096, WINDOWS = 200 };

typedef struct factor {
    pair all, upper, lower;
} factor;

static factor factor_of(double x)
{
    const pair all = { x, x }, large = all * (0x1p27 + 1), upper = large - (large - all);
    return (factor){ all, upper, all - upper };
}

/* The steps of the portable kernels (vd_fma_likely): the product's error after Dekker, the sum's after Knuth;
 * `doubt` collects results whose rounding these steps cannot decide. */
static inline pair fma_of(const factor *a, const factor *b, pair c, pair *doubt)
{
    const pair p = a->all * b->all, near = p + c, c_part = near - p, p_part = near - c_part;
    const pair more =
        (((p_part - a->upper * b->upper) - a->upper * b->lower) - a->lower * b->upper) - a->lower * b->lower;
    const pair rest = more + (c_part - c);
    const pair d = near - rest * (1 + 0x1p-17);
    *doubt = (pair)((bits)*doubt | ((bits)d ^ (bits)(near - rest * (1 - 0x1p-17))));
    return d;
}

static inline pair rough_of(const factor *a, const factor *b, pair c, pair *doubt)
{
    (void)doubt;
    return a->all * b->all + c;
}

typedef pair (*step_fn)(const factor *a, const factor *b, pair c, pair *doubt);

/* Nanoseconds per product. */
static inline double time_chains(step_fn step, double *kept)
{
    const factor a = factor_of(0.7310585), b = factor_of(0.5772157);
    pair sum[CHAINS] = { { 1, 2 }, { 3, 4 }, { 5, 6 }, { 7, 8 } }, doubt[CHAINS] = { { 0 } };
    double best = 0;
    for (int i = 0; i < WINDOWS; i++) {
        const double start = bench_processor();
        for (int n = 0; n < STEPS; n++)
            for (int c = 0; c < CHAINS; c++)
                sum[c] = step(&a, &b, sum[c], &doubt[c]);
        const double ns = 1e9 * (bench_processor() - start) / (2.0 * (double)(CHAINS * STEPS));
        best = i == 0 || ns < best ? ns : best;
    }
    for (int c = 0; c < CHAINS; c++)
        *kept += sum[c][0] + sum[c][1] + doubt[c][0] + doubt[c][1];
    return best;
}

int bench_fma(void)
{
    double kept = 0;
    const double rough = time_chains(rough_of, &kept), exact = time_chains(fma_of, &kept);
    printf("\nbinary64 a * b + c in vectors of two, ns for each product, without a fused instruction\n"
           "%10.2f  rounded twice\n%10.2f  exact%s\n",
           rough, exact, kept > 0 ? "" : " ");
    return 0;
}

#else

int bench_fma(void)
{
    printf("\nbinary64 a * b + c: this compiler has no vectors\n");
    return 0;
}

#endif
