/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "gauss.h"
#include "mxfp4.h"
#include "verbs.h"

typedef struct problem {
    const char *dir;
    size_t m, n, k;
} problem;

static problem problem_of(int argc, char **argv)
{
    const problem p = { word_at(argc, argv, 0, "DIR"), number_at(argc, argv, 1, 1, 0),
                        number_at(argc, argv, 2, 32, 0), number_at(argc, argv, 3, 256, 0) };
    if (p.m == 0 || p.n == 0 || p.k == 0)
        fail("M N K", "are missing");
    if (p.n % 32 || p.k % 256)
        fail("M N K", "N must be a multiple of 32 and K of 256");
    return p;
}

/* The second half of each row repeats the first one, with the sign flipped if `turn` is 0x8000. */
static void repeat_half(array *a, uint16_t turn)
{
    const size_t k = a->shape[1];
    uint16_t *x = a->data;
    for (size_t row = 0; row < a->shape[0]; row++)
        for (size_t i = 0; i < k / 2; i++)
            x[row * k + k / 2 + i] = x[row * k + i] ^ turn;
}

/* rows x k bf16 numbers; each block of 32 is scaled by its own power of two. */
static array gaussian(gauss *g, size_t rows, size_t k, int spread)
{
    array a = array_new("<u2", rows, k);
    uint16_t *out = a.data;
    for (size_t i = 0; i < rows * k; i += MX_BLOCK) {
        const int move = gauss_exponent(g, spread);
        for (size_t j = i; j < i + MX_BLOCK; j++) {
            exact v = gauss_next(g);
            v.unit += move;
            out[j] = bf16_round(v);
        }
    }
    return a;
}

int verb_mxfp4_data(int argc, char **argv)
{
    const problem p = problem_of(argc, argv);
    gauss g = gauss_seeded(number_at(argc, argv, 4, 0, 1));
    const int spread = (int)number_at(argc, argv, 5, 0, 0);
    if (spread > 40)
        fail("SPREAD", "at most 40");
    const bool cancel = argc > 6 && strcmp(argv[6], "cancel") == 0;
    if (argc > 6 && !cancel)
        fail(argv[6], "cancel or nothing");

    array a = gaussian(&g, p.m, p.k, spread);
    if (cancel)
        repeat_half(&a, 0x8000);
    array_write(&a, p.dir, "a.npy");
    array_free(&a);

    array weights = gaussian(&g, p.n, p.k, spread);
    if (cancel)
        repeat_half(&weights, 0);
    mx_matrix b = mx_new(p.n, p.k);
    mx_quantize(weights.data, &b);
    array codes = array_new_flat("|u1", p.n * p.k / 2), scales = array_new_flat("|u1", p.n * p.k / MX_BLOCK);
    mx_shuffle(&b, codes.data, scales.data);
    array_write(&codes, p.dir, "b.npy");
    array_write(&scales, p.dir, "bscale.npy");

    array_free(&weights);
    array_free(&codes);
    array_free(&scales);
    mx_free(&b);
    return 0;
}

static mx_matrix read_b(const problem *p)
{
    array codes = array_read(p->dir, "b.npy", "|u1", p->n * p->k / 2);
    array scales = array_read(p->dir, "bscale.npy", "|u1", p->n * p->k / MX_BLOCK);
    mx_matrix b = mx_new(p->n, p->k);
    mx_unshuffle(codes.data, scales.data, &b);
    for (size_t i = 0; i < scales.count; i++)
        if (b.scales[i] == 255)
            fail("bscale.npy", "has a NaN scale (255)");
    array_free(&codes);
    array_free(&scales);
    return b;
}

int verb_mxfp4(int argc, char **argv)
{
    const problem p = problem_of(argc, argv);
    const char *out = word_at(argc, argv, 4, "OUT.npy");
    const char *rule = argc > 5 ? argv[5] : "chained";
    unsigned which = 0;
    while (which < MX_RULES && strcmp(rule, mx_rule_names[which]) != 0)
        which++;
    if (which == MX_RULES)
        fail(rule, "no such rule");
    const unsigned parts = number_at(argc, argv, 6, 1, 1);
    if (p.k % (MX_STEP * parts))
        fail("PARTS", "K is not a multiple of 128 times that");

    array raw = array_read(p.dir, "a.npy", "<u2", p.m * p.k);
    mx_matrix a = mx_new(p.m, p.k), b = read_b(&p);
    mx_quantize(raw.data, &a);
    array c = array_new("<u2", p.m, p.n);
    mx_gemm(&a, &b, parts, (mx_rule)which, c.data);
    array_write(&c, p.dir, out);

    array_free(&raw);
    array_free(&c);
    mx_free(&a);
    mx_free(&b);
    return 0;
}

static double bf16_value(uint16_t bits)
{
    const exact v = f32_value((uint32_t)bits << 16);
    return ldexp((double)v.n, v.unit);
}

/* The product of A as given (not quantized) with B's values. Its last bits do not matter. */
int verb_mxfp4_error(int argc, char **argv)
{
    const problem p = problem_of(argc, argv);
    array raw = array_read(p.dir, "a.npy", "<u2", p.m * p.k);
    array c = array_read(p.dir, word_at(argc, argv, 4, "RESULT.npy"), "<u2", p.m * p.n);
    mx_matrix b = read_b(&p);
    const uint16_t *a_bits = raw.data, *c_bits = c.data;
    double *row = malloc(p.k * sizeof(*row));
    if (!row)
        fail("row", "out of memory");

    double error = 0, size = 0, worst = 0;
    for (size_t j = 0; j < p.n; j++) {
        for (size_t k = 0; k < p.k; k++)
            row[k] = mx_value(&b, j, k);
        for (size_t i = 0; i < p.m; i++) {
            double sum = 0;
            for (size_t k = 0; k < p.k; k++)
                sum += bf16_value(a_bits[i * p.k + k]) * row[k];
            const double off = bf16_value(c_bits[i * p.n + j]) - sum;
            error += off * off;
            size += sum * sum;
            if (fabs(off) > worst)
                worst = fabs(off);
        }
    }
    printf("relative error (root of summed squares) %.4f, largest difference %.3g, typical result %.3g\n",
           sqrt(error / size), worst, sqrt(size / (double)(p.m * p.n)));

    free(row);
    array_free(&raw);
    array_free(&c);
    mx_free(&b);
    return 0;
}
