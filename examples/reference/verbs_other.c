/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "gauss.h"
#include "units.h"
#include "verbs.h"

int verb_add_data(int argc, char **argv)
{
    const char *dir = word_at(argc, argv, 0, "DIR");
    const unsigned count = number_at(argc, argv, 1, 1, 1000);
    gauss g = gauss_seeded(number_at(argc, argv, 2, 0, 1));

    array a = array_new_flat("<f4", count), b = array_new_flat("<f4", count),
          c = array_new_flat("<f4", count);
    uint32_t *x = a.data, *y = b.data, *z = c.data;
    for (unsigned i = 0; i < count; i++) {
        x[i] = f32_round(gauss_next(&g));
        y[i] = f32_round(gauss_next(&g));
        z[i] = f32_add(x[i], y[i]);
    }
    array_write(&a, dir, "a.npy");
    array_write(&b, dir, "b.npy");
    array_write(&c, dir, "expected.npy");
    array_free(&a);
    array_free(&b);
    array_free(&c);
    return 0;
}

/* Whole numbers of magnitude at most 8. */
static int8_t *write_whole(gauss *g, const char *dir, const char *name, size_t rows, size_t cols)
{
    array a = array_new("<f2", rows, cols);
    int8_t *values = malloc(rows * cols);
    if (!values)
        fail("M N K", "no memory");
    for (size_t i = 0; i < rows * cols; i++) {
        values[i] = (int8_t)(gauss_bits(g) % 17 - 8);
        ((uint16_t *)a.data)[i] = f16_round((exact){ values[i], 0 });
    }
    array_write(&a, dir, name);
    array_free(&a);
    return values;
}

/* B as n rows of k numbers, or as k rows of n. */
static int whole_product(int argc, char **argv, bool rows_of_n)
{
    const char *dir = word_at(argc, argv, 0, "DIR");
    const size_t m = number_at(argc, argv, 1, 1, 64), n = number_at(argc, argv, 2, 1, 64),
                 k = number_at(argc, argv, 3, 1, 64);
    if (k > 1 << 17)
        fail("K", "at most 131072, so that every sum is exact");
    gauss g = gauss_seeded(number_at(argc, argv, 4, 0, 1));
    int8_t *a = write_whole(&g, dir, "a.npy", m, k),
           *b = write_whole(&g, dir, "b.npy", rows_of_n ? k : n, rows_of_n ? n : k);
    const size_t column = rows_of_n ? 1 : k, next = rows_of_n ? n : 1;
    array c = array_new("<f4", m, n);
    for (size_t i = 0; i < m * n; i++) {
        int64_t sum = 0;
        for (size_t at = 0; at < k; at++)
            sum += a[i / n * k + at] * b[i % n * column + at * next];
        ((uint32_t *)c.data)[i] = f32_round((exact){ sum, 0 });
    }
    array_write(&c, dir, "expected.npy");
    array_free(&c);
    free(a);
    free(b);
    return 0;
}

int verb_gemm_data(int argc, char **argv)
{
    return whole_product(argc, argv, false);
}

int verb_matmul_data(int argc, char **argv)
{
    return whole_product(argc, argv, true);
}

enum { SKINNY_ROWS = 8, SKINNY_STEP = 64 };

typedef struct skinny {
    const char *dir;
    size_t n, k;
} skinny;

static skinny skinny_of(int argc, char **argv)
{
    const skinny s = { word_at(argc, argv, 0, "DIR"), number_at(argc, argv, 1, 16, 0),
                       number_at(argc, argv, 2, SKINNY_STEP, 0) };
    if (s.n == 0 || s.k == 0 || s.n % 16 || s.k % SKINNY_STEP)
        fail("N K", "N must be a multiple of 16 and K of 64");
    return s;
}

/* f16 numbers, each run of 8 scaled by its own power of two. */
static void write_f16(gauss *g, const char *dir, const char *name, size_t rows, size_t k, int spread)
{
    array a = array_new("<f2", rows, k);
    uint16_t *out = a.data;
    for (size_t i = 0; i < rows * k; i += 8) {
        const int move = gauss_exponent(g, spread);
        for (size_t j = i; j < i + 8; j++) {
            exact v = gauss_next(g);
            v.unit += move;
            out[j] = f16_round(v);
        }
    }
    array_write(&a, dir, name);
    array_free(&a);
}

int verb_skinny_data(int argc, char **argv)
{
    const skinny s = skinny_of(argc, argv);
    gauss g = gauss_seeded(number_at(argc, argv, 3, 0, 1));
    const int spread = (int)number_at(argc, argv, 4, 0, 0);
    if (spread > 12)
        fail("SPREAD", "at most 12");
    write_f16(&g, s.dir, "a.npy", SKINNY_ROWS, s.k, spread);
    write_f16(&g, s.dir, "b.npy", s.n, s.k, spread);
    return 0;
}

/* The dense kernel: 16 k per instruction, in two groups of 8 consecutive k. */
static uint32_t dense_dot(const uint16_t *a, const uint16_t *b, size_t k)
{
    uint32_t acc = 0;
    for (size_t at = 0; at < k; at += 8)
        acc = join_group(sum_f16(a + at, b + at, 8), acc, JOIN_FLOOR);
    return acc;
}

/*
 * One of the two sparse rows that stand for a row of C. The 16 kept products of the instruction belong to
 * four lane groups, four values each; the order of summation is assumed to be that of the kept values (no
 * measurement of sparse instructions is public). The 16 k of a lane group are split between the two rows, and
 * each of the two instructions of a step takes half of those.
 */
static uint32_t sparse_row(const uint16_t *a, const uint16_t *b, size_t k, size_t odd)
{
    uint32_t acc = 0;
    for (size_t at = 0; at < k; at += SKINNY_STEP)
        for (size_t half = 0; half < 2; half++) {
            uint16_t x[16], y[16];
            for (size_t group = 0; group < 4; group++) {
                const size_t from = at + group * 16 + odd * 8 + half * 4;
                memcpy(x + group * 4, a + from, 8);
                memcpy(y + group * 4, b + from, 8);
            }
            acc = join_group(sum_f16(x, y, 8), acc, JOIN_FLOOR);
            acc = join_group(sum_f16(x + 8, y + 8, 8), acc, JOIN_FLOOR);
        }
    return acc;
}

int verb_skinny(int argc, char **argv)
{
    const skinny s = skinny_of(argc, argv);
    const char *out = word_at(argc, argv, 3, "OUT.npy");
    const char *kind = word_at(argc, argv, 4, "vdmfma|dense");
    const bool sparse = strcmp(kind, "vdmfma") == 0;
    if (!sparse && strcmp(kind, "dense") != 0)
        fail(kind, "vdmfma or dense");

    array a = array_read(s.dir, "a.npy", "<f2", SKINNY_ROWS * s.k);
    array b = array_read(s.dir, "b.npy", "<f2", s.n * s.k);
    array c = array_new("<f4", SKINNY_ROWS, s.n);
    const uint16_t *x = a.data, *y = b.data;
    uint32_t *z = c.data;
    for (size_t i = 0; i < SKINNY_ROWS; i++)
        for (size_t j = 0; j < s.n; j++) {
            const uint16_t *row = x + i * s.k, *col = y + j * s.k;
            z[i * s.n + j] = sparse ? f32_add(sparse_row(row, col, s.k, 0), sparse_row(row, col, s.k, 1))
                                    : dense_dot(row, col, s.k);
        }
    array_write(&c, s.dir, out);
    array_free(&a);
    array_free(&b);
    array_free(&c);
    return 0;
}

int verb_compare(int argc, char **argv)
{
    const char *dir = word_at(argc, argv, 0, "DIR");
    const char *type = word_at(argc, argv, 3, "TYPE");
    const unsigned count = number_at(argc, argv, 4, 1, 1);
    array a = array_read(dir, word_at(argc, argv, 1, "X.npy"), type, count);
    array b = array_read(dir, word_at(argc, argv, 2, "Y.npy"), type, count);

    size_t elements = 0, bytes = 0;
    const unsigned char *x = a.data, *y = b.data;
    for (size_t i = 0; i < count; i++) {
        size_t differ = 0;
        for (size_t j = 0; j < a.item; j++)
            differ += x[i * a.item + j] != y[i * a.item + j];
        bytes += differ;
        elements += differ != 0;
    }
    printf("%zu of %u elements differ, %zu of %zu bytes\n", elements, count, bytes, count * a.item);
    array_free(&a);
    array_free(&b);
    return elements ? 1 : 0;
}
