/* SPDX-License-Identifier: MIT */
#include "bench.h"

#ifdef LW_BENCH_OPENBLAS

#include <cblas.h>
#include <stdlib.h>

enum { SIZE = 256, REPEATS = 300 };

bench_blas bench_blas_rates(void)
{
    const size_t words = (size_t)SIZE * SIZE;
    bench_blas rates = { .n = SIZE };
    double *x = calloc(3 * words, sizeof(*x));
    if (!x)
        return rates;
    openblas_set_num_threads(1);
    for (size_t i = 0; i < 2 * words; i++)
        x[i] = (double)(i * 7919 % 1000) / 1000;
    float *f = (float *)calloc(3 * words, sizeof(*f));
    for (size_t i = 0; f && i < 2 * words; i++)
        f[i] = (float)x[i];
    for (int repeat = 0; f && repeat < REPEATS; repeat++) {
        double start = bench_now();
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIZE, SIZE, SIZE, 1, f, SIZE, f + words, SIZE,
                    0, f + 2 * words, SIZE);
        const double single = (double)words * (double)SIZE / (bench_now() - start) * 1e-9;
        start = bench_now();
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIZE, SIZE, SIZE, 1, x, SIZE, x + words, SIZE,
                    0, x + 2 * words, SIZE);
        const double full = (double)words * (double)SIZE / (bench_now() - start) * 1e-9;
        rates.f32 = single > rates.f32 ? single : rates.f32;
        rates.f64 = full > rates.f64 ? full : rates.f64;
    }
    free(f);
    free(x);
    return rates;
}

#else

bench_blas bench_blas_rates(void)
{
    return (bench_blas){ 0 };
}

#endif
