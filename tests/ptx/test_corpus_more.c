/* SPDX-License-Identifier: MIT */
/*
 * Products of one warp in further types, sorts, a GEMM with stages, attention and layer norm
 * (corpus/more.cu), and products of 8 and 4 bits (corpus/narrow.cu), against the same in C: equal where the
 * numbers are exact, within bounds of the approximate instructions elsewhere.
 */
#include <math.h>

#include "tests/ptx/corpus_kit.h"

/* ---- Products: 16 rows and 8 columns of 256 bits each ---- */

typedef enum kind { S8, U8, S4, U4, B1, BF16, TF32, E4M3, E5M2, E2M1 } kind;

static unsigned bits_of(kind k)
{
    static const uint8_t bits[] = { 8, 8, 4, 4, 1, 16, 32, 8, 8, 4 };
    return bits[k];
}

/* A number that the type holds, and its code. */
static double draw(kind k, uint32_t noise, uint32_t *code)
{
    static const double fp4[] = { 0, 0.5, 1, 1.5, 2, 3, 4, 6 };
    static const uint32_t bf16[] = { 0, 0x3f80, 0x4000, 0x4040 }, e4m3[] = { 0, 0x38, 0x40, 0x44 },
                          e5m2[] = { 0, 0x3c, 0x40, 0x42 };
    const unsigned bits = bits_of(k), size = noise % 4, minus = noise >> 4 & 1;
    const uint32_t sign = minus << (bits - 1);
    if (k <= B1) {
        *code = noise & ((bits == 8 ? 256u : 1u << bits) - 1);
        const bool negative = (k == S8 || k == S4) && *code >> (bits - 1);
        return (double)*code - (negative ? (double)(1u << bits) : 0);
    }
    if (k == E2M1) {
        *code = noise % 16;
        return (*code & 8 ? -1 : 1) * fp4[*code & 7];
    }
    *code = sign | (k == BF16   ? bf16[size]
                    : k == TF32 ? bf16[size] << 16
                    : k == E4M3 ? e4m3[size]
                                : e5m2[size]);
    return minus ? -(double)size : (double)size;
}

/* Rows of 256 bits with their numbers. */
static void fill_rows(kind k, uint32_t seed, unsigned rows, uint32_t *words, double *values)
{
    const unsigned bits = bits_of(k), count = 256 / bits;
    memset(words, 0, rows * 32);
    for (unsigned i = 0; i < rows * count; i++) {
        uint32_t code;
        values[i] = draw(k, corpus_noise(seed + i), &code);
        words[i * bits / 32] |= code << i * bits % 32;
    }
}

typedef struct product {
    const char *kernel;
    kind a, b;
    bool exclusive, saturates, real;
} product;

static double want_of(const product *p, const double *a, const double *b, unsigned count, double sum)
{
    for (unsigned k = 0; k < count; k++)
        sum += p->exclusive ? (a[k] != b[k]) : a[k] * b[k];
    if (p->saturates && sum > INT32_MAX)
        return INT32_MAX;
    return sum;
}

static void check_product(const product *p)
{
    static uint32_t a[16 * 8], b[8 * 8], c[16 * 8], d[16 * 8];
    static double va[16 * 256], vb[8 * 256], vc[16 * 8];
    const unsigned count = 256 / bits_of(p->a);
    corpus_bench t = corpus_open();
    fill_rows(p->a, 1, 16, a, va);
    fill_rows(p->b, 100000, 8, b, vb);
    for (int i = 0; i < 16 * 8; i++) {
        const int v = p->saturates && i % 2 ? INT32_MAX - i : (int)(corpus_noise((uint32_t)i + 7) % 100) - 50;
        const float f = (float)v;
        memcpy(&c[i], p->real ? (const void *)&f : (const void *)&v, 4);
        vc[i] = v;
    }
    corpus_put(&t, 0, a, sizeof(a));
    corpus_put(&t, 1, b, sizeof(b));
    corpus_put(&t, 2, c, sizeof(c));
    corpus_launch(&t, p->kernel, 1, 32, 3, NULL);
    corpus_get(&t, 2, d, sizeof(d));
    for (unsigned i = 0; i < 16 * 8; i++) {
        const double want = want_of(p, va + i / 8 * count, vb + i % 8 * count, count, vc[i]);
        float f;
        memcpy(&f, &d[i], 4);
        const double got = p->real ? (double)f : (double)(int32_t)d[i];
        ck_assert_msg(got == want, "%s: (%u, %u) is %g, not %g", p->kernel, i / 8, i % 8, got, want);
    }
    corpus_close(&t);
}

START_TEST(products_of_many_types)
{
    static const product cases[] = {
        { "product_s8", S8, S8, false, false, false },
        { "product_u8_sat", U8, S8, false, true, false },
        { "product_s4", S4, S4, false, false, false },
        { "product_u4", U4, S4, false, false, false },
        { "product_b1", B1, B1, false, false, false },
        { "product_b1_xor", B1, B1, true, false, false },
        { "product_bf16", BF16, BF16, false, false, true },
        { "product_tf32", TF32, TF32, false, false, true },
    };
    check_product(&cases[_i]);
}
END_TEST

START_TEST(product_of_fp8)
{
    static const product p = { "product_fp8", E4M3, E5M2, false, false, true };
    check_product(&p);
}
END_TEST

/* Scales are powers of two, so that all is exact: ue8m0 has them, and so have ue4m3's with fraction 0. */
START_TEST(products_of_fp4_with_scales)
{
    const unsigned blocks = _i ? 4 : 2, bias = _i ? 7 : 127, shift = _i ? 3 : 0;
    static uint32_t a[16 * 8], b[8 * 8];
    static double va[16 * 64], vb[8 * 64];
    uint8_t s[24 * 4];
    double vs[24 * 4];
    float d[16 * 8];
    corpus_bench t = corpus_open();
    fill_rows(E2M1, 1, 16, a, va);
    fill_rows(E2M1, 5000, 8, b, vb);
    for (unsigned i = 0; i < 24 * blocks; i++) {
        const unsigned up = corpus_noise(i + 99) % 3;
        s[i] = (uint8_t)((bias + up - 1) << shift);
        vs[i] = up == 0 ? 0.5 : up;
    }
    corpus_put(&t, 0, a, sizeof(a));
    corpus_put(&t, 1, b, sizeof(b));
    corpus_put(&t, 2, s, sizeof(s));
    corpus_launch(&t, _i ? "product_nvf4" : "product_mxf4", 1, 32, 4, NULL);
    corpus_get(&t, 3, d, sizeof(d));
    for (unsigned i = 0; i < 16 * 8; i++) {
        const unsigned row = i / 8, col = i % 8;
        double want = row / 8 * 2 + col % 2;
        for (unsigned k = 0; k < 64; k++)
            want += va[row * 64 + k] * vb[col * 64 + k] * vs[row * blocks + k / (64 / blocks)] *
                    vs[(16 + col) * blocks + k / (64 / blocks)];
        ck_assert_msg((double)d[i] == want, "(%u, %u) is %g, not %g", row, col, (double)d[i], want);
    }
    corpus_close(&t);
}
END_TEST

/* ---- Sorts ---- */

static int compare(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

static int compare_unsigned(const void *a, const void *b)
{
    const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return x < y ? -1 : x > y;
}

START_TEST(numbers_are_sorted)
{
    static const char *const kernels[] = { "bitonic_sort", "merge_sort", "radix_sort" };
    const size_t count = _i == 2 ? 128 : 256;
    corpus_bench t = corpus_open();
    int in[256], out[256];
    for (size_t i = 0; i < count; i++)
        in[i] = (int)(corpus_noise((uint32_t)i) << 3) % (_i == 1 ? 100 : 1 << 30);
    corpus_put(&t, 0, in, count * sizeof(int));
    corpus_launch(&t, kernels[_i], 1, 128, 2, NULL);
    corpus_get(&t, 1, out, count * sizeof(int));
    qsort(in, count, sizeof(int), _i == 2 ? compare_unsigned : compare);
    ck_assert_mem_eq(out, in, count * sizeof(int));
    corpus_close(&t);
}
END_TEST

START_TEST(equal_keys_add_together)
{
    corpus_bench t = corpus_open();
    int in[64], out[128];
    for (int i = 0; i < 64; i++)
        in[i] = (int)(corpus_noise((uint32_t)i) % 8000);
    corpus_put(&t, 0, in, sizeof(in));
    corpus_launch(&t, "grouped", 1, 64, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    for (int i = 0; i < 64; i++) {
        int sum = 0, most = 0;
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32; j++)
            if ((in[j] & 7) == (in[i] & 7)) {
                sum += in[j] >> 3;
                most = in[j] >> 3 > most ? in[j] >> 3 : most;
            }
        ck_assert_int_eq(out[2 * i], sum);
        ck_assert_int_eq(out[2 * i + 1], most);
    }
    corpus_close(&t);
}
END_TEST

START_TEST(a_gemm_has_stages)
{
    enum { M = 32, N = 32, K = 64 };
    static const uint16_t codes[] = { 0xc200, 0xc000, 0xbc00, 0x0000, 0x3c00, 0x4000, 0x4200 };
    static const lw_async ways[] = { LW_ASYNC_LATE, LW_ASYNC_EARLY, LW_ASYNC_RANDOM };
    static uint16_t a[M * K], b[N * K];
    static int va[M * K], vb[N * K];
    float c[M * N];
    corpus_bench t = corpus_open();
    t.async = ways[_i];
    for (uint32_t i = 0; i < M * K; i++) {
        a[i] = codes[(va[i] = (int)(corpus_noise(i) % 7)) % 7];
        b[i] = codes[(vb[i] = (int)(corpus_noise(i + 5000) % 7)) % 7];
    }
    corpus_put(&t, 0, a, sizeof(a));
    corpus_put(&t, 1, b, sizeof(b));
    corpus_launch(&t, "gemm_stages", 1, 64, 3, NULL);
    corpus_get(&t, 2, c, sizeof(c));
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int sum = 0;
            for (int k = 0; k < K; k++)
                sum += (va[i * K + k] - 3) * (vb[j * K + k] - 3);
            ck_assert_msg(c[i * N + j] == (float)sum, "(%d, %d) is %g, not %d", i, j, (double)c[i * N + j],
                          sum);
        }
    corpus_close(&t);
}
END_TEST

/* ---- Within bounds: ex2, rcp and rsqrt are correctly rounded here, and sums have a few roundings ---- */

static float real(uint32_t i)
{
    return (float)((double)(corpus_noise(i) % 4001) / 1000.0 - 2.0);
}

START_TEST(attention_in_one_pass)
{
    enum { D = 16, KEYS = 48, QUERIES = 64 };
    static float q[QUERIES * D], k[KEYS * D], v[KEYS * D], out[QUERIES * D];
    corpus_bench t = corpus_open();
    for (uint32_t i = 0; i < QUERIES * D; i++)
        q[i] = real(i);
    for (uint32_t i = 0; i < KEYS * D; i++) {
        k[i] = real(i + 3000);
        v[i] = real(i + 6000);
    }
    corpus_put(&t, 0, q, sizeof(q));
    corpus_put(&t, 1, k, sizeof(k));
    corpus_put(&t, 2, v, sizeof(v));
    corpus_launch(&t, "attention", 1, QUERIES, 4, NULL);
    corpus_get(&t, 3, out, sizeof(out));
    for (int i = 0; i < QUERIES; i++) {
        double weight[KEYS], total = 0;
        for (int j = 0; j < KEYS; j++) {
            double score = 0;
            for (int n = 0; n < D; n++)
                score += (double)q[i * D + n] * (double)k[j * D + n];
            total += weight[j] = exp(score / 4);
        }
        for (int n = 0; n < D; n++) {
            double sum = 0;
            for (int j = 0; j < KEYS; j++)
                sum += weight[j] * (double)v[j * D + n];
            ck_assert_double_eq_tol((double)out[i * D + n], sum / total, 1e-5);
        }
    }
    ck_assert_uint_gt(t.approximate, 0);
    corpus_close(&t);
}
END_TEST

START_TEST(rows_are_normalised)
{
    enum { ROWS = 4, N = 64 };
    float in[ROWS * N], out[ROWS * N];
    corpus_bench t = corpus_open();
    for (uint32_t i = 0; i < ROWS * N; i++)
        in[i] = real(i) * (float)(1 + i / N);
    corpus_put(&t, 0, in, sizeof(in));
    corpus_launch(&t, "layer_norm", 1, 32 * ROWS, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    for (int r = 0; r < ROWS; r++) {
        double mean = 0, squares = 0;
        for (int i = 0; i < N; i++)
            mean += (double)in[r * N + i] / (double)N;
        for (int i = 0; i < N; i++)
            squares += ((double)in[r * N + i] - mean) * ((double)in[r * N + i] - mean) / (double)N;
        for (int i = 0; i < N; i++)
            ck_assert_double_eq_tol((double)out[r * N + i],
                                    ((double)in[r * N + i] - mean) / sqrt(squares + 1e-5), 2e-6);
    }
    ck_assert_uint_gt(t.approximate, 0);
    corpus_close(&t);
}
END_TEST

static Suite *make(void)
{
    Suite *suite = suite_create("ptx_corpus_more");
    TCase *tc = tcase_create("kernels");
    tcase_add_loop_test(tc, products_of_many_types, 0, 8);
    tcase_add_loop_test(tc, numbers_are_sorted, 0, 3);
    tcase_add_test(tc, equal_keys_add_together);
    tcase_add_loop_test(tc, a_gemm_has_stages, 0, 3);
    tcase_add_test(tc, attention_in_one_pass);
    tcase_add_test(tc, rows_are_normalised);
    suite_add_tcase(suite, tc);
    return suite;
}

static Suite *make_narrow(void)
{
    Suite *suite = suite_create("ptx_corpus_narrow");
    TCase *tc = tcase_create("kernels");
    tcase_add_test(tc, product_of_fp8);
    tcase_add_loop_test(tc, products_of_fp4_with_scales, 0, 2);
    suite_add_tcase(suite, tc);
    return suite;
}

int main(void)
{
    static const char *const files[] = { "more_nvcc.ptx", "more_clang.ptx" };
    static const char *const narrow[] = { "narrow_nvcc.ptx" };
    const int failed = corpus_main(make, files, 2);
    return corpus_main(make_narrow, narrow, 1) || failed;
}
