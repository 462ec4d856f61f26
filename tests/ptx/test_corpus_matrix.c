/* SPDX-License-Identifier: MIT */
/* Products of matrices in CUDA kernels as nvcc compiles them, compared with whole numbers in C:
 * corpus/kernels.cu, scaled.cu. */
#include <math.h>

#include "tests/ptx/corpus_kit.h"

/* Small whole numbers, whose products and sums are exact in every unit. */
static uint16_t half(int v)
{
    static const uint16_t codes[] = { 0xc200, 0xc000, 0xbc00, 0x0000, 0x3c00, 0x4000, 0x4200 };
    return codes[v + 3];
}

START_TEST(products_of_matrices)
{
    static const struct {
        const char *kernel;
        int columns;
    } cases[] = { { "gemm_wmma", 16 }, { "gemm_mma", 8 } };
    corpus_bench t = corpus_open();
    const int n = cases[_i].columns;
    uint16_t a[16 * 32], b[16 * 32];
    int va[16 * 32], vb[16 * 32];
    float c[16 * 16];
    for (int i = 0; i < 16 * 32; i++) {
        a[i] = half(va[i] = (int)(corpus_noise((uint32_t)i) % 7) - 3);
        b[i] = half(vb[i] = (int)(corpus_noise((uint32_t)i + 1000) % 7) - 3);
    }
    corpus_put(&t, 0, a, sizeof(a));
    corpus_put(&t, 1, b, sizeof(b));
    corpus_launch(&t, cases[_i].kernel, 1, 32, 3, NULL);
    corpus_get(&t, 2, c, sizeof(c));
    for (int row = 0; row < 16; row++)
        for (int col = 0; col < n; col++) {
            int sum = 0;
            for (int k = 0; k < 32; k++)
                sum += va[row * 32 + k] * vb[col * 32 + k];
            ck_assert_msg(c[row * n + col] == (float)sum, "%d, %d: %g, not %d", row, col,
                          (double)c[row * n + col], sum);
        }
    corpus_close(&t);
}
END_TEST

/* The k in the dense row for stored value j of a row: two of every four are stored. */
static int dense_k(int row, int j)
{
    static const int pairs[6][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };
    return j / 2 * 4 + pairs[corpus_noise((uint32_t)(row * 8 + j / 2)) % 6][j % 2];
}

/* Lanes 2 and 3 of each four hold the positions of row lane / 4 in the low half, and of that row + 8 in the
 * high half. */
static uint32_t metadata_of(int lane)
{
    uint32_t e = 0;
    if (lane % 4 < 2)
        return 0xdeadbeef;
    for (int j = 0; j < 16; j++)
        e |= (uint32_t)(dense_k(lane / 4 + j / 8 * 8, lane % 2 * 8 + j % 8) % 4) << 2 * j;
    return e;
}

START_TEST(a_product_with_a_sparse_factor)
{
    corpus_bench t = corpus_open();
    uint16_t a[16 * 16], b[8 * 32];
    uint32_t e[32];
    int va[16 * 16], vb[8 * 32];
    float c[16 * 8];
    for (int i = 0; i < 256; i++) {
        a[i] = half(va[i] = (int)(corpus_noise((uint32_t)i) % 7) - 3);
        b[i] = half(vb[i] = (int)(corpus_noise((uint32_t)i + 1000) % 7) - 3);
    }
    for (int lane = 0; lane < 32; lane++)
        e[lane] = metadata_of(lane);
    corpus_put(&t, 0, a, sizeof(a));
    corpus_put(&t, 1, b, sizeof(b));
    corpus_put(&t, 2, e, sizeof(e));
    corpus_launch(&t, "product_sparse", 1, 32, 4, NULL);
    corpus_get(&t, 3, c, sizeof(c));
    for (int row = 0; row < 16; row++)
        for (int col = 0; col < 8; col++) {
            int sum = 1 + col % 2 + row / 8 * 2;
            for (int j = 0; j < 16; j++)
                sum += va[row * 16 + j] * vb[col * 32 + dense_k(row, j)];
            ck_assert_msg(c[row * 8 + col] == (float)sum, "%d, %d: %g, not %d", row, col,
                          (double)c[row * 8 + col], sum);
        }
    e[6] = 0x55555555; /* position 1 twice */
    corpus_put(&t, 2, e, sizeof(e));
    corpus_refused(&t, "product_sparse", 4, "which the PTX ISA leaves undefined");
    corpus_close(&t);
}
END_TEST

/*
 * 2^24 - 2^24 + 1, whose terms are in two groups or, under another reading, in one. The 1 is lost between
 * groups, where a sum becomes f32.
 */
START_TEST(a_reading_is_chosen)
{
    corpus_bench t = corpus_open();
    uint16_t a[16 * 16] = { [0] = 0x6c00, [15] = 0xec00 }, b[8 * 32];
    uint32_t e[32];
    float c[16 * 8];
    for (int i = 0; i < 8 * 32; i++)
        b[i] = 0x6c00;
    for (int lane = 0; lane < 32; lane++)
        e[lane] = metadata_of(lane);
    ck_assert_int_eq(lw_module_load(t.memory, t.program, &t.module, NULL), LW_OK);
    corpus_put(&t, 0, a, sizeof(a));
    corpus_put(&t, 1, b, sizeof(b));
    corpus_put(&t, 2, e, sizeof(e));
    corpus_launch(&t, "product_sparse", 1, 32, 4, NULL);
    corpus_get(&t, 3, c, sizeof(c));
    ck_assert(c[0] == 0);
    t.reading = "sparse-group:doubled";
    corpus_launch(&t, "product_sparse", 1, 32, 4, NULL);
    corpus_get(&t, 3, c, sizeof(c));
    ck_assert(c[0] == 1);
    t.reading = NULL;
    corpus_launch(&t, "product_sparse", 1, 32, 4, NULL);
    corpus_get(&t, 3, c, sizeof(c));
    ck_assert(c[0] == 0);
    t.reading = "sparse-group:tripled";
    ck_assert_int_eq(corpus_try(&t, "product_sparse", 1, 32, 4, NULL), LW_E_NOT_FOUND);
    corpus_close(&t);
}
END_TEST

/* Whole numbers from -3 to 3 as e4m3, and scales of 2^-2 to 2^2 as ue8m0. */
START_TEST(a_product_with_scales)
{
    static const uint8_t codes[] = { 0xc4, 0xc0, 0xb8, 0x00, 0x38, 0x40, 0x44 };
    corpus_bench t = corpus_open_file(LW_PTX_CORPUS "/scaled_nvcc.ptx");
    uint8_t a[16 * 32], b[8 * 32], s[24];
    int va[16 * 32], vb[8 * 32];
    float c[16 * 8];
    for (int i = 0; i < 16 * 32; i++)
        a[i] = codes[(va[i] = (int)(corpus_noise((uint32_t)i) % 7) - 3) + 3];
    for (int i = 0; i < 8 * 32; i++)
        b[i] = codes[(vb[i] = (int)(corpus_noise((uint32_t)i + 1000) % 7) - 3) + 3];
    for (int i = 0; i < 24; i++)
        s[i] = (uint8_t)(125 + corpus_noise((uint32_t)i + 2000) % 5);
    corpus_put(&t, 0, a, sizeof(a));
    corpus_put(&t, 1, b, sizeof(b));
    corpus_put(&t, 2, s, sizeof(s));
    corpus_launch(&t, "product_scaled", 1, 32, 4, NULL);
    corpus_get(&t, 3, c, sizeof(c));
    for (int row = 0; row < 16; row++)
        for (int col = 0; col < 8; col++) {
            int sum = 0;
            for (int k = 0; k < 32; k++)
                sum += va[row * 32 + k] * vb[col * 32 + k];
            const double wanted = 1 + col % 2 + row / 8 * 2 + ldexp(sum, s[row] + s[16 + col] - 254);
            ck_assert_msg(c[row * 8 + col] == (float)wanted, "%d, %d: %g, not %g", row, col,
                          (double)c[row * 8 + col], wanted);
        }
    corpus_close(&t);
}
END_TEST

static Suite *make(void)
{
    Suite *suite = suite_create("ptx_corpus_matrix");
    TCase *tc = tcase_create("kernels");
    tcase_add_test(tc, a_product_with_a_sparse_factor);
    tcase_add_test(tc, a_reading_is_chosen);
    tcase_add_test(tc, a_product_with_scales);
    tcase_add_loop_test(tc, products_of_matrices, 0, 2);
    suite_add_tcase(suite, tc);
    return suite;
}

int main(void)
{
    static const char *const files[] = { "kernels_nvcc.ptx", "kernels_clang.ptx" };
    return corpus_main(make, files, 2);
}
