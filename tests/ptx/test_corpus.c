/* SPDX-License-Identifier: MIT */
/* Whole CUDA kernels as nvcc compiles them, compared with the same computation in C: corpus/kernels.cu. */
#include <math.h>

#include "tests/ptx/corpus_kit.h"

START_TEST(sums_by_shuffles)
{
    enum { N = 1000, THREADS = 96 };
    corpus_bench t = corpus_open();
    float in[N], lane[THREADS] = { 0 }, part[3], out, wanted = 0;
    const int n = N;
    for (int i = 0; i < N; i++) {
        in[i] = (float)(corpus_noise((uint32_t)i) % 1000) / 7.0f;
        lane[i % THREADS] += in[i];
    }
    for (int w = 0; w < 3; w++) {
        for (int step = 16; step; step >>= 1) /* lanes beyond the end give values that are not used */
            for (int l = 0; l < step; l++)
                lane[32 * w + l] += lane[32 * w + l + step];
        part[w] = lane[32 * w];
    }
    for (int w = 0; w < 3; w++)
        wanted += part[w];
    corpus_put(&t, 0, in, sizeof(in));
    corpus_launch(&t, "reduce_shfl", 1, THREADS, 2, &n);
    corpus_get(&t, 1, &out, sizeof(out));
    ck_assert_msg(memcmp(&out, &wanted, 4) == 0, "%a, not %a", (double)out, (double)wanted);
    corpus_close(&t);
}
END_TEST

START_TEST(scans_with_barriers)
{
    corpus_bench t = corpus_open();
    int in[256], out[256], sum = 0;
    for (int i = 0; i < 256; i++)
        in[i] = (int)(corpus_noise((uint32_t)i) % 100);
    corpus_put(&t, 0, in, sizeof(in));
    corpus_launch(&t, "scan", 1, 256, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    for (int i = 0; i < 256; i++)
        ck_assert_int_eq(out[i], sum += in[i]);
    corpus_close(&t);
}
END_TEST

START_TEST(counts_with_atomics)
{
    enum { N = 5000 };
    corpus_bench t = corpus_open();
    uint8_t in[N];
    uint32_t out[16] = { 0 }, wanted[16] = { 0 };
    const int n = N;
    for (int i = 0; i < N; i++) {
        in[i] = (uint8_t)corpus_noise((uint32_t)i);
        wanted[in[i] % 16]++;
    }
    corpus_put(&t, 0, in, sizeof(in));
    corpus_put(&t, 1, out, sizeof(out));
    corpus_launch(&t, "histogram", 4, 128, 2, &n);
    corpus_get(&t, 1, out, sizeof(out));
    ck_assert_int_eq(memcmp(out, wanted, sizeof(out)), 0);
    corpus_close(&t);
}
END_TEST

START_TEST(transposes_through_shared_memory)
{
    enum { N = 64 };
    corpus_bench t = corpus_open();
    static int in[N * N], out[N * N];
    for (int i = 0; i < N * N; i++)
        in[i] = i;
    corpus_put(&t, 0, in, sizeof(in));
    corpus_launch(&t, "transpose", 202, 80032, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    for (int i = 0; i < N * N; i++)
        ck_assert_int_eq(out[i], in[i % N * N + i / N]);
    corpus_close(&t);
}
END_TEST

static int collatz(uint32_t n)
{
    int steps = 0;
    while (n != 1 && steps <= 500) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

static uint32_t reverse(uint32_t v)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (v >> i & 1) << (31 - i);
    return r;
}

static int branch(int v, int before)
{
    uint32_t u = (uint32_t)v;
    switch (v % 19) {
    case 0:
        return collatz(u + 1);
    case 1:
        return v * 3;
    case 2:
        return v - 7;
    case 3:
        return v ^ 0x55;
    case 4:
        return __builtin_popcount(u);
    case 5:
        return v ? __builtin_clz(u) : 32;
    case 6:
        return v / 7;
    case 7:
        return v % 11;
    case 8:
        return (int)reverse(u);
    case 9:
        return (int)(u << 3);
    case 10:
        return collatz(u);
    case 11:
        return -v;
    case 12:
        return __builtin_ffs(v);
    case 13:
        return (int)(u * u);
    case 14:
        return v >> 2;
    case 15:
        return ~v;
    case 16:
        return v & 32 ? before : 5;
    default:
        do
            u = u * 5 + 1;
        while (u & 12);
        return (int)u;
    }
}

START_TEST(lanes_part_in_every_way)
{
    enum { N = 256 };
    corpus_bench t = corpus_open();
    int in[N], out[N];
    for (int i = 0; i < N; i++) {
        in[i] = (int)(corpus_noise((uint32_t)i) % 100000);
        out[i] = 77;
    }
    corpus_put(&t, 0, in, sizeof(in));
    corpus_put(&t, 1, out, sizeof(out));
    corpus_launch(&t, "diverge", 2, 128, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    for (int i = 0; i < N; i++)
        ck_assert_msg(out[i] == branch(in[i], 77), "%d: %d, not %d", in[i], out[i], branch(in[i], 77));
    corpus_close(&t);
}
END_TEST

START_TEST(functions_are_called_by_address)
{
    corpus_bench t = corpus_open();
    int in[64], out[64];
    for (int i = 0; i < 64; i++)
        in[i] = (int)(corpus_noise((uint32_t)i) % 1000);
    corpus_put(&t, 0, in, sizeof(in));
    corpus_launch(&t, "pointers", 1, 64, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    for (int i = 0; i < 64; i++)
        ck_assert_int_eq(out[i], in[i] % 3 == 0 ? in[i] + i : in[i] % 3 == 1 ? in[i] - i : in[i] * i);
    corpus_close(&t);
}
END_TEST

START_TEST(functions_call_themselves)
{
    static const int fib[] = { 0, 1, 1, 2, 3, 5, 8, 13, 21 };
    corpus_bench t = corpus_open();
    int out[64];
    corpus_launch(&t, "recursion", 1, 64, 1, NULL);
    corpus_get(&t, 0, out, sizeof(out));
    for (int i = 0; i < 64; i++)
        ck_assert_int_eq(out[i], fib[i % 9]);
    corpus_close(&t);
}
END_TEST

START_TEST(a_lock_is_passed_on)
{
    corpus_bench t = corpus_open();
    int zero = 0, count;
    corpus_put(&t, 0, &zero, sizeof(zero));
    corpus_put(&t, 1, &zero, sizeof(zero));
    corpus_launch(&t, "spin_lock", 1, 96, 2, NULL);
    corpus_get(&t, 1, &count, sizeof(count));
    ck_assert_int_eq(count, 95 * 96 / 2);
    corpus_close(&t);
}
END_TEST

START_TEST(warps_and_blocks_vote)
{
    corpus_bench t = corpus_open();
    int in[64];
    uint32_t out[64], odd = 0;
    for (int i = 0; i < 64; i++) {
        in[i] = (int)(corpus_noise((uint32_t)i) % 97 + 4);
        odd += in[i] & 1;
    }
    corpus_put(&t, 0, in, sizeof(in));
    corpus_launch(&t, "votes", 1, 64, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    for (int i = 0; i < 64; i++) {
        uint32_t ballot = 0, match = 0, most = 0;
        for (int l = 0; l < 32; l++) {
            const int other = in[i / 32 * 32 + l];
            ballot |= (uint32_t)(other & 1) << l;
            match |= (uint32_t)(other % 5 == in[i] % 5) << l;
            most = (uint32_t)other > most ? (uint32_t)other : most;
        }
        ck_assert_uint_eq(out[i], ballot ^ match * 3 ^ (1 + 4 * odd) * 7 ^ most << 8);
    }
    corpus_close(&t);
}
END_TEST

START_TEST(doubles_are_ieee)
{
    corpus_bench t = corpus_open();
    double in[32], out[32];
    for (int i = 0; i < 32; i++)
        in[i] = i * 0.37 - 1.5;
    corpus_put(&t, 0, in, sizeof(in));
    corpus_launch(&t, "doubles", 1, 32, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    for (int i = 0; i < 32; i++) {
        double v = in[i];
        for (int k = 0; k < 5; k++)
            v = sqrt(fma(v, v, 1.0)) / fma(v, 0.5, 1.0);
        ck_assert_msg(memcmp(&v, &out[i], sizeof(v)) == 0, "%a, not %a", out[i], v);
    }
    ck_assert_uint_eq(t.approximate, 0);
    corpus_close(&t);
}
END_TEST

START_TEST(threads_print)
{
    static const char wanted[] =
        "thread 0 of prints:  2.25 123456789abc\nthread 1 of prints:  2.25 123456789abc\n"
        "thread 2 of prints:  2.25 123456789abc\n";
    corpus_bench t = corpus_open();
    const int n = 9;
    corpus_launch(&t, "prints", 1, 32, 0, &n);
    ck_assert_uint_eq(t.used, strlen(wanted));
    ck_assert_str_eq(t.printed, wanted);
    corpus_close(&t);
}
END_TEST

START_TEST(softmax_of_rows)
{
    enum { ROWS = 4, N = 100 };
    corpus_bench t = corpus_open();
    float in[ROWS * N], out[ROWS * N];
    const int n = N;
    for (int i = 0; i < ROWS * N; i++)
        in[i] = (float)((int)(corpus_noise((uint32_t)i) % 4001) - 2000) / 100;
    corpus_put(&t, 0, in, sizeof(in));
    corpus_launch(&t, "softmax", ROWS, 32, 2, &n);
    corpus_get(&t, 1, out, sizeof(out));
    for (int row = 0; row < ROWS; row++) {
        double sum = 0;
        for (int i = 0; i < N; i++)
            sum += exp((double)in[row * N + i]);
        for (int i = 0; i < N; i++) {
            const double wanted = exp((double)in[row * N + i]) / sum, got = out[row * N + i];
            ck_assert_msg(fabs(got - wanted) <= wanted * 4e-6, "row %d, %d: %g, not %g", row, i, got, wanted);
        }
    }
    ck_assert_uint_gt(t.approximate, 0);
    corpus_close(&t);
}
END_TEST

/* Within the bounds of the CUDA C++ Programming Guide, "Mathematical Functions", and of the PTX ISA for sin
 * and cos. */
START_TEST(elementary_functions)
{
    enum { N = 32, EACH = 8 };
    corpus_bench t = corpus_open();
    float in[N], out[N * EACH];
    for (int i = 0; i < N; i++)
        in[i] = (float)(i - 16) * 0.37f + 0.01f;
    corpus_put(&t, 0, in, sizeof(in));
    corpus_launch(&t, "elementary", 1, N, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    for (int i = 0; i < N; i++) {
        const double x = in[i];
        const double wanted[EACH] = { tanh(x),
                                      sin(x),
                                      cos(x),
                                      log2(fabs((double)(fabsf(in[i]) + 1))),
                                      erf(x),
                                      pow(fabs(x), 1.5),
                                      log((double)(fabsf(in[i]) + 1)),
                                      sin((double)(in[i] * 1000.0f)) };
        static const double bound[EACH] = { 3e-7, 7e-7, 7e-7, 3e-7, 3e-7, 2e-6, 3e-7, 3e-7 };
        for (int k = 0; k < EACH; k++) {
            const double got = out[i * EACH + k];
            ck_assert_msg(fabs(got - wanted[k]) <= bound[k] * (fabs(wanted[k]) > 1 ? fabs(wanted[k]) : 1),
                          "%g, function %d: %.9g, not %.9g", x, k, got, wanted[k]);
        }
    }
    corpus_close(&t);
}
END_TEST

static Suite *make(void)
{
    Suite *suite = suite_create("ptx_corpus");
    TCase *tc = tcase_create("kernels");
    tcase_add_test(tc, sums_by_shuffles);
    tcase_add_test(tc, scans_with_barriers);
    tcase_add_test(tc, counts_with_atomics);
    tcase_add_test(tc, transposes_through_shared_memory);
    tcase_add_test(tc, lanes_part_in_every_way);
    tcase_add_test(tc, functions_are_called_by_address);
    tcase_add_test(tc, functions_call_themselves);
    tcase_add_test(tc, a_lock_is_passed_on);
    tcase_add_test(tc, warps_and_blocks_vote);
    tcase_add_test(tc, doubles_are_ieee);
    tcase_add_test(tc, threads_print);
    tcase_add_test(tc, softmax_of_rows);
    tcase_add_test(tc, elementary_functions);
    suite_add_tcase(suite, tc);
    return suite;
}

int main(void)
{
    static const char *const files[] = { "kernels_nvcc.ptx", "kernels_clang.ptx" };
    return corpus_main(make, files, 2);
}
