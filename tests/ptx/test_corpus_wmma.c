/* SPDX-License-Identifier: MIT */
/*
 * Products by wmma in every type (corpus/wmma.cu) and what sm_100a adds for ordinary arithmetic
 * (corpus/blackwell.cu), against the same in C: whole numbers, sums that are exact, and the host's IEEE
 * operations.
 */
#include <math.h>

#include "tests/ptx/corpus_kit.h"

typedef enum kind { F16, BF16, TF32, F64, S8, U8, S4, U4, B1 } kind;

typedef struct product {
    const char *kernel;
    kind type;
    int m, n, k;
    bool turned; /* A by columns */
    bool halves; /* sums in f16 */
    bool exclusive;
} product;

static const product products[] = {
    { "wmma_f16", F16, 16, 16, 16, false, true, false },
    { "wmma_f16_wide", F16, 8, 32, 16, false, false, false },
    { "wmma_f16_tall", F16, 32, 8, 16, true, false, false },
    { "wmma_bf16", BF16, 16, 16, 16, false, false, false },
    { "wmma_bf16_wide", BF16, 8, 32, 16, false, false, false },
    { "wmma_tf32", TF32, 16, 16, 8, false, false, false },
    { "wmma_f64", F64, 8, 8, 4, true, false, false },
    { "wmma_s8", S8, 16, 16, 16, false, false, false },
    { "wmma_s8_wide", S8, 8, 32, 16, true, false, false },
    { "wmma_u8_tall", U8, 32, 8, 16, false, false, false },
    { "wmma_s4", S4, 8, 8, 32, false, false, false },
    { "wmma_u4", U4, 8, 8, 32, false, false, false },
    { "wmma_b1_xor", B1, 8, 8, 128, false, false, true },
    { "wmma_b1_and", B1, 8, 8, 128, false, false, false },
};
enum { PRODUCTS = sizeof(products) / sizeof(products[0]), MOST = 1024 };

static unsigned bits_of(kind k)
{
    static const uint8_t bits[] = { 16, 16, 32, 64, 8, 8, 4, 4, 1 };
    return bits[k];
}

/* A whole number that the type holds, and its code. */
static int draw(kind k, uint32_t noise, uint64_t *code)
{
    static const uint16_t f16[] = { 0, 0x3c00, 0x4000, 0x4200 }, bf16[] = { 0, 0x3f80, 0x4000, 0x4040 };
    const unsigned bits = bits_of(k), size = noise % 4, minus = noise >> 4 & 1;
    if (k >= S8) {
        *code = noise & ((UINT64_C(1) << bits) - 1);
        return (int)*code - ((k == S8 || k == S4) && *code >> (bits - 1) ? 1 << bits : 0);
    }
    *code = k == F16 ? f16[size] : k == BF16 ? bf16[size] : (uint64_t)bf16[size] << 16;
    const double value = size;
    if (k == F64)
        memcpy(code, &value, sizeof(value));
    *code |= (uint64_t)minus << (bits - 1);
    return minus ? -(int)size : (int)size;
}

static void put(uint8_t *bytes, unsigned bits, int index, uint64_t code)
{
    for (unsigned b = 0; b < bits; b++)
        if (code >> b & 1)
            bytes[((unsigned)index * bits + b) / 8] |= (uint8_t)(1u << ((unsigned)index * bits + b) % 8);
}

/* A sum that the type of C holds exactly, as its bits; `size` is that type's size. */
static uint64_t sum_code(const product *p, int sum, size_t *size)
{
    uint64_t code = 0;
    const float f = (float)sum;
    const double d = sum;
    *size = p->type == F64 ? 8 : p->halves ? 2 : 4;
    if (p->type >= S8)
        code = (uint32_t)sum;
    else if (p->type == F64)
        memcpy(&code, &d, 8);
    else
        memcpy(&code, &f, 4);
    if (p->halves) { /* whole numbers below 2,048 */
        const uint32_t word = (uint32_t)code;
        code = sum ? (word >> 31 << 15) | (((word >> 23 & 255) - 112) << 10) | (word >> 13 & 1023) : 0;
    }
    return code;
}

START_TEST(a_product_is_exact)
{
    const product *p = &products[_i];
    static uint8_t a[MOST * 8], b[MOST * 8], c[MOST * 8];
    static int va[MOST * 4], vb[MOST * 4];
    const unsigned bits = bits_of(p->type);
    size_t size = 4;
    corpus_bench t = corpus_open();
    memset(a, 0, sizeof(a));
    memset(b, 0, sizeof(b));
    for (int i = 0; i < p->m * p->k; i++) {
        uint64_t code;
        const int row = i / p->k, k = i % p->k;
        va[i] = draw(p->type, corpus_noise((uint32_t)i), &code);
        put(a, bits, p->turned ? k * p->m + row : i, code);
    }
    for (int i = 0; i < p->n * p->k; i++) {
        uint64_t code;
        vb[i] = draw(p->type, corpus_noise((uint32_t)i + 5000), &code);
        put(b, bits, i, code);
    }
    for (int i = 0; i < p->m * p->n; i++) {
        const uint64_t code = sum_code(p, i % 7 - 3, &size);
        memcpy(c + (size_t)i * size, &code, size);
    }
    corpus_put(&t, 0, a, (size_t)(p->m * p->k) * bits / 8);
    corpus_put(&t, 1, b, (size_t)(p->n * p->k) * bits / 8);
    corpus_put(&t, 2, c, (size_t)(p->m * p->n) * size);
    corpus_launch(&t, p->kernel, 1, 32, 3, NULL);
    corpus_get(&t, 2, c, (size_t)(p->m * p->n) * size);
    for (int i = 0; i < p->m * p->n; i++) {
        int sum = i % 7 - 3;
        uint64_t got = 0;
        for (int k = 0; k < p->k; k++) {
            const int x = va[i / p->n * p->k + k], y = vb[i % p->n * p->k + k];
            sum += p->type == B1 ? (p->exclusive ? x ^ y : x & y) : x * y;
        }
        memcpy(&got, c + (size_t)i * size, size);
        ck_assert_msg(got == sum_code(p, sum, &size), "%s, element %d: %llx, not %d", p->kernel, i,
                      (unsigned long long)got, sum);
    }
    corpus_close(&t);
}
END_TEST

/* ---- sm_100a ---- */

enum { COUNT = 256 };

static float number(int i)
{
    const int32_t n = (int32_t)corpus_noise((uint32_t)i + 77);
    return (float)n / (float)(1 << (n & 15));
}

static void numbers(float *x, int seed)
{
    for (int i = 0; i < COUNT; i++)
        x[i] = number(seed + i);
}

START_TEST(pairs_of_floats)
{
    static float x[2 * COUNT], y[2 * COUNT], got[2 * COUNT];
    const int n = COUNT;
    corpus_bench t = corpus_open_file(LW_PTX_CORPUS "/blackwell_nvcc.ptx");
    for (int i = 0; i < 2; i++) {
        numbers(x + i * COUNT, i * 1000);
        numbers(y + i * COUNT, i * 1000 + 500);
    }
    corpus_put(&t, 0, x, sizeof(x));
    corpus_put(&t, 1, y, sizeof(y));
    corpus_launch(&t, "axpy_pairs", 4, 64, 3, &n);
    corpus_get(&t, 2, got, sizeof(got));
    for (int i = 0; i < 2 * COUNT; i++) {
        const float by = i % 2 ? -0.5f : 3.0f, first = fmaf(x[i], by, y[i]);
        const float times = first * by, sum = times + x[i];
        ck_assert_msg(got[i] == sum, "%d: %a, not %a", i, (double)got[i], (double)sum);
    }
    corpus_close(&t);
}
END_TEST

START_TEST(extremes_of_warps)
{
    static float x[COUNT], got[COUNT / 32 * 3];
    corpus_bench t = corpus_open_file(LW_PTX_CORPUS "/blackwell_nvcc.ptx");
    numbers(x, 0);
    x[40] = -0.0f;
    corpus_put(&t, 0, x, sizeof(x));
    corpus_launch(&t, "extremes", 4, 64, 2, NULL);
    corpus_get(&t, 1, got, sizeof(got));
    for (int w = 0; w < COUNT / 32; w++) {
        float most = -INFINITY, least = INFINITY, size = 0;
        for (int i = 32 * w; i < 32 * w + 32; i++) {
            most = x[i] > most ? x[i] : most;
            least = x[i] < least ? x[i] : least;
            size = fabsf(x[i]) > size ? fabsf(x[i]) : size;
        }
        ck_assert(got[3 * w] == most && got[3 * w + 1] == least && got[3 * w + 2] == size);
    }
    corpus_close(&t);
}
END_TEST

START_TEST(the_largest_of_three)
{
    static float x[COUNT], got[COUNT];
    const int n = COUNT;
    corpus_bench t = corpus_open_file(LW_PTX_CORPUS "/blackwell_nvcc.ptx");
    numbers(x, 31);
    corpus_put(&t, 0, x, sizeof(x));
    corpus_launch(&t, "pool", 4, 64, 2, &n);
    corpus_get(&t, 1, got, sizeof(got));
    for (int i = 0; i < COUNT; i++) {
        const float a = x[i], b = x[(i + 1) % COUNT], c = x[(i + 2) % COUNT];
        const float wanted = a > b ? (a > c ? a : c) : (b > c ? b : c);
        ck_assert_msg(got[i] == wanted, "%d: %a, not %a", i, (double)got[i], (double)wanted);
    }
    corpus_close(&t);
}
END_TEST

/* The nearest of the eight magnitudes, the even code of two. */
static unsigned nearest_fp4(float x)
{
    static const float values[] = { 0, 0.5f, 1, 1.5f, 2, 3, 4, 6 };
    unsigned best = 0;
    for (unsigned i = 1; i < 8; i++) {
        const float now = fabsf(values[i] - fabsf(x)), before = fabsf(values[best] - fabsf(x));
        if (now < before || (now == before && i % 2 == 0))
            best = i;
    }
    return best | (signbit(x) ? 8u : 0u);
}

START_TEST(blocks_become_four_bits)
{
    static float x[COUNT];
    uint8_t codes[COUNT / 2], scales[COUNT / 32];
    corpus_bench t = corpus_open_file(LW_PTX_CORPUS "/blackwell_nvcc.ptx");
    numbers(x, 900);
    corpus_put(&t, 0, x, sizeof(x));
    corpus_launch(&t, "quantise_fp4", 4, 64, 3, NULL);
    corpus_get(&t, 1, codes, sizeof(codes));
    corpus_get(&t, 2, scales, sizeof(scales));
    for (int w = 0; w < COUNT / 32; w++) {
        float size = 0;
        int exponent;
        for (int i = 32 * w; i < 32 * w + 32; i++)
            size = fabsf(x[i]) > size ? fabsf(x[i]) : size;
        frexpf(size, &exponent);
        exponent -= 3; /* so that the largest is from 4 up to 8 */
        ck_assert_int_eq(scales[w], exponent + 127);
        for (int i = 32 * w; i < 32 * w + 32; i++) {
            const unsigned code = i % 2 ? codes[i / 2] >> 4 : codes[i / 2] & 15u;
            ck_assert_uint_eq(code, nearest_fp4(ldexpf(x[i], -exponent)));
        }
    }
    corpus_close(&t);
}
END_TEST

static Suite *make(void)
{
    Suite *suite = suite_create("ptx_corpus_wmma");
    TCase *tc = tcase_create("kernels");
    tcase_add_loop_test(tc, a_product_is_exact, 0, PRODUCTS);
    tcase_add_test(tc, pairs_of_floats);
    tcase_add_test(tc, extremes_of_warps);
    tcase_add_test(tc, the_largest_of_three);
    tcase_add_test(tc, blocks_become_four_bits);
    suite_add_tcase(suite, tc);
    return suite;
}

int main(void)
{
    static const char *const files[] = { "wmma_nvcc.ptx", "wmma_clang.ptx" };
    return corpus_main(make, files, sizeof(files) / sizeof(files[0]));
}
