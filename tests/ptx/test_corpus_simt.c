/* SPDX-License-Identifier: MIT */
/* Kernels without tensor cores (corpus/simt.cu) as nvcc and clang compile them, compared with the same
 * computation in C, bit for bit. */
#include <math.h>

#include "tests/ptx/corpus_kit.h"

enum { N = 256 };

static int in[N], out[N];

static void fill(corpus_bench *t, int spread)
{
    for (int i = 0; i < N; i++)
        in[i] = (int)(corpus_noise((uint32_t)i + 77) % (uint32_t)spread) - spread / 3;
    corpus_put(t, 0, in, sizeof(in));
}

static corpus_bench launched(const char *kernel, uint32_t blocks, uint32_t threads, int spread)
{
    corpus_bench t = corpus_open();
    fill(&t, spread);
    corpus_launch(&t, kernel, blocks, threads, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    return t;
}

START_TEST(saxpy)
{
    corpus_bench t = corpus_open();
    const int n = 1000;
    float x[1000], y[1000], got[1000];
    for (int i = 0; i < n; i++) {
        x[i] = (float)(corpus_noise((uint32_t)i) % 1000) / 37.0f;
        y[i] = (float)(corpus_noise((uint32_t)(i + n)) % 1000) / 11.0f;
    }
    corpus_put(&t, 0, x, sizeof(x));
    corpus_put(&t, 1, y, sizeof(y));
    corpus_launch(&t, "saxpy", 3, 96, 2, &n);
    corpus_get(&t, 1, got, sizeof(got));
    for (int i = 0; i < n; i++)
        ck_assert_msg(got[i] == fmaf(2.5f, x[i], y[i]), "%d", i);
    corpus_close(&t);
}
END_TEST

START_TEST(matmul)
{
    corpus_bench t = corpus_open();
    static int a[32 * 48], b[48 * 32], c[32 * 32];
    for (int i = 0; i < 32 * 48; i++) {
        a[i] = (int)(corpus_noise((uint32_t)i) % 100) - 50;
        b[i] = (int)(corpus_noise((uint32_t)i + 5000) % 100) - 50;
    }
    corpus_put(&t, 0, a, sizeof(a));
    corpus_put(&t, 1, b, sizeof(b));
    corpus_launch(&t, "matmul", 202, 160016, 3, NULL);
    corpus_get(&t, 2, c, sizeof(c));
    for (int row = 0; row < 32; row++)
        for (int col = 0; col < 32; col++) {
            int sum = 0;
            for (int k = 0; k < 48; k++)
                sum += a[row * 48 + k] * b[k * 32 + col];
            ck_assert_int_eq(c[row * 32 + col], sum);
        }
    corpus_close(&t);
}
END_TEST

START_TEST(scan_shfl)
{
    corpus_bench t = launched("scan_shfl", 1, N, 1000);
    int sum = 0;
    for (int i = 0; i < N; i++)
        ck_assert_int_eq(out[i], sum += in[i]);
    corpus_close(&t);
}
END_TEST

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

START_TEST(bitonic)
{
    corpus_bench t = corpus_open();
    fill(&t, 1000);
    t.shared = N * sizeof(int);
    corpus_launch(&t, "bitonic", 1, N, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    qsort(in, N, sizeof(in[0]), ascending);
    ck_assert_int_eq(memcmp(in, out, sizeof(in)), 0);
    corpus_close(&t);
}
END_TEST

START_TEST(compact)
{
    corpus_bench t = corpus_open();
    const int n = 224;
    int found = 0;
    fill(&t, 1000);
    corpus_launch(&t, "compact", 1, 32, 2, &n);
    corpus_get(&t, 1, out, sizeof(out));
    for (int i = 0; i < n; i++)
        if (in[i] % 2 == 0)
            ck_assert_int_eq(out[found++], in[i]);
    ck_assert_int_eq(out[n], found);
    corpus_close(&t);
}
END_TEST

START_TEST(life)
{
    corpus_bench t = corpus_open();
    uint8_t a[512], b[512];
    for (int i = 0; i < 512; i++)
        a[i] = corpus_noise((uint32_t)i) % 3 == 0;
    corpus_put(&t, 0, a, sizeof(a));
    corpus_launch(&t, "life", 1, 160032, 2, NULL);
    corpus_get(&t, 1, b, sizeof(b));
    for (int i = 0; i < 512; i++) {
        int around = 0;
        for (int k = 0; k < 9; k++)
            around += k == 4 ? 0 : a[((i / 32 + k / 3 + 15) % 16) * 32 + (i + k % 3 + 31) % 32];
        ck_assert_int_eq(b[i], around == 3 || (around == 2 && a[i]));
    }
    corpus_close(&t);
}
END_TEST

START_TEST(mandelbrot)
{
    corpus_bench t = corpus_open();
    corpus_launch(&t, "mandelbrot", 2, 128, 1, NULL);
    corpus_get(&t, 0, out, sizeof(out));
    for (int i = 0; i < N; i++) {
        const float cx = (float)(i % 32) / 16.0f - 1.5f, cy = (float)(i / 32) / 8.0f - 1.0f;
        volatile float x = 0, y = 0, xx = 0, yy = 0;
        int n = 0;
        for (; n < 60 && xx + yy < 4; n++) {
            const volatile float difference = xx - yy, twice = 2 * x, product = twice * y;
            x = difference + cx;
            y = product + cy;
            xx = x * x;
            yy = y * y;
        }
        ck_assert_int_eq(out[i], n);
    }
    corpus_close(&t);
}
END_TEST

START_TEST(match_count)
{
    corpus_bench t = corpus_open();
    int wanted[8] = { 0 }, got[8] = { 0 };
    fill(&t, 1000);
    corpus_put(&t, 1, got, sizeof(got));
    corpus_launch(&t, "match_count", 1, 128, 2, NULL);
    corpus_get(&t, 1, got, sizeof(got));
    for (int i = 0; i < 128; i++)
        wanted[in[i] & 7]++;
    ck_assert_int_eq(memcmp(got, wanted, sizeof(got)), 0);
    corpus_close(&t);
}
END_TEST

START_TEST(redux)
{
    corpus_bench t = launched("redux", 1, 64, 100000);
    for (int w = 0; w < 64; w += 32) {
        int sum = 0, most = in[w], any = 0, odd = 0;
        for (int l = w; l < w + 32; l++) {
            sum += in[l];
            most = in[l] > most ? in[l] : most;
            any |= in[l];
            odd ^= in[l];
        }
        for (int l = w; l < w + 32; l++)
            ck_assert_int_eq(out[l], sum ^ most ^ any ^ odd);
    }
    corpus_close(&t);
}
END_TEST

static uint32_t reversed(uint32_t v)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (v >> i & 1) << (31 - i);
    return r;
}

static uint32_t picked(uint32_t a, uint32_t b, uint32_t s)
{
    const uint64_t both = (uint64_t)b << 32 | a;
    uint32_t r = 0;
    for (int i = 0; i < 4; i++)
        r |= (uint32_t)(both >> 8 * (s >> 4 * i & 7) & 255) << 8 * i;
    return r;
}

START_TEST(bits)
{
    corpus_bench t = launched("bits", 1, N, 2000000000);
    for (int i = 0; i < N; i++) {
        const uint32_t a = (uint32_t)in[i], b = (uint32_t)in[i ^ 1];
        const uint64_t pair = (uint64_t)b << 32 | a;
        uint32_t v = reversed(a) + (uint32_t)__builtin_popcount(b) +
                     (a ? (uint32_t)__builtin_clz(a) : 32) * 3 + (uint32_t)__builtin_ffs((int)b) * 5;
        v ^= picked(a, b, 0x5216) + (uint32_t)(pair << 7 >> 32) + (uint32_t)(pair >> (b & 31));
        uint32_t dot = 7;
        for (int k = 0; k < 4; k++)
            dot += (uint32_t)((int8_t)(a >> 8 * k) * (int8_t)(b >> 8 * k));
        v += (uint32_t)((uint64_t)a * b >> 32) + (uint32_t)((uint64_t)((int64_t)(int)a * (int)b) >> 32) +
             ((a < b ? b - a : a - b) + v) + dot;
        ck_assert_uint_eq((uint32_t)out[i], v);
    }
    corpus_close(&t);
}
END_TEST

START_TEST(wide)
{
    corpus_bench t = corpus_open();
    uint64_t a[64], got[64];
    for (uint32_t i = 0; i < 64; i++)
        a[i] = (uint64_t)corpus_noise(i) << 37 ^ (uint64_t)corpus_noise(i + 99) << (i % 24);
    corpus_put(&t, 0, a, sizeof(a));
    corpus_launch(&t, "wide", 1, 64, 2, NULL);
    corpus_get(&t, 1, got, sizeof(got));
    for (int i = 0; i < 64; i++) {
        const uint64_t x = a[i], y = a[i ^ 1] | 1;
        __extension__ typedef unsigned __int128 u128;
        ck_assert_uint_eq(got[i], x / y + x % y * 3 + (uint64_t)((u128)x * y >> 64) +
                                      (uint64_t)((int64_t)x / (int64_t)y) + (x >> (y & 63)) +
                                      (uint64_t)__builtin_popcountll(x) + (uint64_t)__builtin_clzll(y));
    }
    corpus_close(&t);
}
END_TEST

START_TEST(atomics)
{
    corpus_bench t = corpus_open();
    int got[10] = { 1000, -1000, -1, 0, 0, 0, 0, 0, 0, 0 }, want[10];
    fill(&t, 1000);
    memcpy(want, got, sizeof(got));
    corpus_put(&t, 1, got, sizeof(got));
    corpus_launch(&t, "atomics", 2, 128, 2, NULL);
    corpus_get(&t, 1, got, sizeof(got));
    int64_t sum = 0;
    for (int n = 0; n < 2 * 128; n++) {
        const int v = in[n % 128];
        want[0] = v < want[0] ? v : want[0];
        want[1] = v > want[1] ? v : want[1];
        want[2] &= (int)((uint32_t)v | 0xffff0000u);
        want[3] |= v & 0xff;
        want[4] ^= v;
        want[5] = want[5] >= 9 ? 0 : want[5] + 1;
        want[6] = want[6] == 0 || want[6] > 50 ? 50 : want[6] - 1;
        want[7] += v % 10;
        sum += v;
    }
    memcpy(&want[8], &sum, sizeof(sum));
    for (int i = 0; i < 10; i++)
        ck_assert_msg(got[i] == want[i], "%d: %d, not %d", i, got[i], want[i]);
    corpus_close(&t);
}
END_TEST

START_TEST(objects)
{
    corpus_bench t = launched("objects", 1, 96, 1000);
    for (int i = 0; i < 96; i++) {
        const int v = in[i] & 255;
        ck_assert_int_eq(out[i], i % 3 == 0 ? v * 7 : i % 3 == 1 ? v * 3 / 2 : 3 * v * v + 5);
    }
    corpus_close(&t);
}
END_TEST

START_TEST(spaces)
{
    static const int primes[8] = { 2, 3, 5, 7, 11, 13, 17, 19 };
    corpus_bench t = corpus_open();
    fill(&t, 1000);
    ck_assert_int_eq(lw_module_load(t.memory, t.program, &t.module, &t.error), LW_OK);
    for (int launch = 0; launch < 3; launch++) {
        corpus_launch(&t, "spaces", 1, 32, 2, NULL);
        corpus_get(&t, 1, out, sizeof(out));
        for (int l = 0; l < 32; l++) {
            int sum = 0;
            for (int i = 0; i < 16; i++) {
                const int at = (in[l] + i * 5) & 15;
                sum = sum * 2 + in[(l + at) & 31] * primes[at & 7];
            }
            ck_assert_int_eq(out[l], sum + 100 + launch);
        }
    }
    corpus_close(&t);
}
END_TEST

START_TEST(counts)
{
    corpus_bench t = launched("counts", 1, 96, 1000);
    int odd = 0;
    for (int i = 0; i < 96; i++)
        odd += in[i] & 1;
    for (int i = 0; i < 96; i++)
        ck_assert_int_eq(out[i], odd * 4 + 2);
    corpus_close(&t);
}
END_TEST

START_TEST(relay)
{
    corpus_bench t = corpus_open();
    const int zero = 0;
    int want = 1;
    corpus_put(&t, 0, &zero, sizeof(zero));
    t.race = "race-read"; /* no fence follows the flag: stores of others may be seen late */
    corpus_launch(&t, "relay", 8, 32, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    for (int i = 0; i < 8; i++, want = want * 3 + 1)
        ck_assert_int_eq(out[i], want);
    corpus_close(&t);
}
END_TEST

START_TEST(casts)
{
    corpus_bench t = corpus_open();
    float x[128];
    for (int i = 0; i < 128; i++)
        x[i] = (float)((int)(corpus_noise((uint32_t)i) % 20000) - 4000) / 13.0f;
    corpus_put(&t, 0, x, sizeof(x));
    corpus_launch(&t, "casts", 1, 128, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    for (int i = 0; i < 128; i++) {
        const double d = (double)x[i], near = nearbyint(d), down = floor(d), up = ceil(d);
        const double less = d * 1.1;
        const float narrow = (float)less,
                    below = (double)narrow > less ? nextafterf(narrow, -INFINITY) : narrow;
        int v = (int)d + (int)near * 3 + (int)up * 5 + (d < 0 ? 0 : (int)d) * 7;
        /* to f16 and back: eleven significant bits */
        int e;
        frexp(d, &e);
        const double unit = ldexp(1, e - 11), half = d == 0 ? 0 : nearbyint(d / unit) * unit;
        v += (int8_t)(int)down + (int)half + (int)nearbyint((double)(x[i] * 3.0f));
        ck_assert_int_eq(out[i], v + (int)below);
    }
    corpus_close(&t);
}
END_TEST

START_TEST(lists)
{
    corpus_bench t = corpus_open();
    const int n = 5;
    corpus_launch(&t, "lists", 2, 64, 1, &n);
    corpus_get(&t, 0, out, sizeof(out));
    for (int i = 0; i < 128; i++) {
        int sum = 0;
        for (int k = n - 1; k >= 0; k--)
            sum = sum * 3 + k * (i % 64 + 1);
        ck_assert_int_eq(out[i], sum);
    }
    corpus_refused(&t, "freed_twice", 1, "which is free already: it is the block of 16 bytes at 0x");
    corpus_close(&t);
}
END_TEST

static Suite *make(void)
{
    const TTest *const tests[] = { saxpy,      matmul,      scan_shfl, bitonic, compact, life,
                                   mandelbrot, match_count, redux,     bits,    wide,    atomics,
                                   objects,    spaces,      counts,    relay,   casts,   lists };
    Suite *suite = suite_create("ptx_corpus_simt");
    TCase *tc = tcase_create("kernels");
    for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
        tcase_add_test(tc, tests[i]);
    suite_add_tcase(suite, tc);
    return suite;
}

int main(void)
{
    static const char *const files[] = { "simt_nvcc.ptx", "simt_clang.ptx" };
    return corpus_main(make, files, 2);
}
