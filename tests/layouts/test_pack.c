/* SPDX-License-Identifier: MIT */
/*
 * Arrays in tiles: values computed by iree-base-compiler's linalg.pack, indices computed a second time
 * dimension by dimension, and unpacking.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

static int32_t source[7][5];

static void fill(void)
{
    for (int m = 0; m < 7; m++)
        for (int k = 0; k < 5; k++)
            source[m][k] = 10 * m + k;
}

START_TEST(as_the_compiler)
{
    static const int32_t first[4][3] = { { 3, 4, -1 }, { 13, 14, -1 }, { 23, 24, -1 }, { 33, 34, -1 } },
                         second[3][4] = { { 40, 50, 60, -1 }, { 41, 51, 61, -1 }, { 42, 52, 62, -1 } };
    const lw_pack rows = { 2, 2, { 7, 5 }, { 0, 1 }, { 4, 3 }, { 0, 1 } },
                  turned = { 2, 2, { 7, 5 }, { 1, 0 }, { 3, 4 }, { 1, 0 } };
    const int32_t pad = -1;
    int32_t a[2][2][4][3], b[2][2][3][4], back[7][5];
    uint64_t shape[2 * LW_PACK_DIMS];
    fill();
    ck_assert_int_eq(lw_pack_shape(&rows, shape, NULL), LW_OK);
    ck_assert(shape[0] == 2 && shape[1] == 2 && shape[2] == 4 && shape[3] == 3);
    ck_assert_int_eq(lw_pack_array(&rows, source, 4, &pad, a, NULL), LW_OK);
    ck_assert_mem_eq(a[0][1], first, sizeof(first));
    ck_assert(a[1][0][3][0] == -1 && a[1][0][3][2] == -1 && a[1][1][2][1] == 64 && ((int32_t *)a)[43] == 64);
    ck_assert_int_eq(lw_pack_array(&turned, source, 4, &pad, b, NULL), LW_OK);
    ck_assert_mem_eq(b[0][1], second, sizeof(second));
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(b[1][1][2][i], -1);
    ck_assert_int_eq(lw_unpack_array(&turned, b, 4, back, NULL), LW_OK);
    ck_assert_mem_eq(back, source, sizeof(source));
}
END_TEST

/* Three dimensions, two of them tiled, in every order: each element where nested loops put it. */
START_TEST(three_dimensions)
{
    enum { A = 5, B = 4, C = 7, TA = 2, TC = 3 };
    static const uint32_t orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
                                           { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
    static uint8_t in[A][B][C], packed[3 * 4 * 3 * 3 * 2], back[A][B][C];
    const uint8_t pad = 255;
    for (int i = 0; i < A * B * C; i++)
        ((uint8_t *)in)[i] = (uint8_t)i;
    for (int o = 0; o < 6; o++) {
        lw_pack pack = { 3, 2, { A, B, C }, { 2, 0 }, { TC, TA }, { 0 } };
        uint64_t shape[2 * LW_PACK_DIMS];
        memcpy(pack.perm, orders[o], sizeof(orders[o]));
        ck_assert_int_eq(lw_pack_shape(&pack, shape, NULL), LW_OK);
        ck_assert_int_eq(lw_pack_array(&pack, in, 1, &pad, packed, NULL), LW_OK);
        for (unsigned a = 0; a < A; a++)
            for (unsigned b = 0; b < B; b++)
                for (unsigned c = 0; c < C; c++) {
                    const uint64_t outer[3] = { a / TA, b, c / TC };
                    uint64_t n = 0;
                    for (int x = 0; x < 3; x++)
                        n = n * shape[x] + outer[orders[o][x]];
                    ck_assert_uint_eq(packed[(n * TC + c % TC) * TA + a % TA], in[a][b][c]);
                }
        memset(back, 0, sizeof(back));
        ck_assert_int_eq(lw_unpack_array(&pack, packed, 1, back, NULL), LW_OK);
        ck_assert_mem_eq(back, in, sizeof(in));
    }
}
END_TEST

static lw_status collect(void *context, const char *text, size_t size)
{
    strncat(context, text, size);
    return LW_OK;
}

START_TEST(in_words)
{
    const lw_pack pack = { 2, 2, { 7, 5 }, { 0, 1 }, { 4, 3 }, { 0, 1 } },
                  one = { 3, 1, { 4, 6, 5 }, { 1 }, { 2 }, { 0, 2, 1 } };
    char text[256] = "", other[256] = "";
    lw_tile *tile = NULL;
    ck_assert_int_eq(lw_pack_print(&pack, collect, text, NULL), LW_OK);
    ck_assert_str_eq(text, "offset = ((d0/4*2 + d1/3)*4 + d0%4)*3 + d1%3\n((4,2),(3,2)):((3,24),(1,12))\n");
    ck_assert_int_eq(lw_pack_print(&one, collect, other, NULL), LW_OK);
    ck_assert_str_eq(other, "offset = ((d0*5 + d2)*3 + d1/2)*2 + d1%2\n(4,(2,3),5):(30,(1,2),6)\n");
    /* The CuTe layout agrees with where packing puts each element. */
    const char *cute = strchr(text, '\n') + 1;
    int32_t packed[48];
    const int32_t pad = -1;
    fill();
    ck_assert_int_eq(lw_tile_read(cute, strlen(cute), 8, 6, 32, &tile, NULL), LW_OK);
    ck_assert_int_eq(lw_pack_array(&pack, source, 4, &pad, packed, NULL), LW_OK);
    for (uint32_t m = 0; m < 7; m++)
        for (uint32_t k = 0; k < 5; k++) {
            uint64_t bit;
            lw_tile_bit(tile, m, k, &bit);
            ck_assert_int_eq(packed[bit / 32], source[m][k]);
        }
    lw_tile_free(tile);
}
END_TEST

START_TEST(refused)
{
    static const struct {
        lw_pack pack;
        const char *says;
    } bad[] = {
        { { 2, 2, { 7, 5 }, { 0, 0 }, { 4, 3 }, { 0, 1 } }, "two tiles" },
        { { 2, 2, { 7, 5 }, { 0, 2 }, { 4, 3 }, { 0, 1 } }, "no such dimension" },
        { { 2, 2, { 7, 5 }, { 0, 1 }, { 4, 0 }, { 0, 1 } }, "a tile of 0" },
        { { 2, 2, { 7, 5 }, { 0, 1 }, { 4, 3 }, { 1, 1 } }, "not a permutation" },
        { { 2, 3, { 7, 5 }, { 0, 1 }, { 4, 3 }, { 0, 1 } }, "2 dimensions with 3 tiles" },
        { { 0, 0, { 7, 5 }, { 0, 1 }, { 4, 3 }, { 0, 1 } }, "0 dimensions" },
        { { 2, 1, { UINT64_C(1) << 40, UINT64_C(1) << 40 }, { 0 }, { 4 }, { 0, 1 } }, "2^48" },
    };
    uint64_t shape[2 * LW_PACK_DIMS];
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        lw_error error = { "" };
        ck_assert_int_eq(lw_pack_shape(&bad[i].pack, shape, &error), LW_E_ARGUMENT);
        ck_assert_msg(strstr(error.text, bad[i].says), "%s", error.text);
    }
    const lw_pack ragged = { 2, 2, { 7, 5 }, { 0, 1 }, { 4, 3 }, { 0, 1 } };
    int32_t packed[48];
    lw_error error = { "" };
    ck_assert_int_eq(lw_pack_array(&ragged, source, 4, NULL, packed, &error), LW_E_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(error.text, "only full tiles"));
}
END_TEST

/* ---- IREE's data tiling ---- */

#define PROBLEM(arch_, m_, n_, k_, a_, c_, chip_)                                                            \
    {                                                                                                        \
        LW_ARCH_##arch_, m_, n_, k_, a_, a_, c_, chip_, false                                                \
    }

/* As printed by iree-compile 3.13.0; 1 ends a shape. */
static const struct {
    lw_tiling_problem problem;
    lw_operand operand;
    uint64_t shape[LW_DATA_TILING_DIMS];
} encodings[] = {
    { PROBLEM(GFX942, 100, 60, 500, "f16", "f32", NULL), LW_OPERAND_A, { 7, 16, 4, 16, 2, 4 } },
    { PROBLEM(GFX942, 100, 60, 500, "f16", "f32", NULL), LW_OPERAND_B, { 4, 16, 4, 16, 2, 4 } },
    { PROBLEM(GFX942, 4096, 4096, 4096, "f16", "f32", NULL), LW_OPERAND_A, { 32, 128, 2, 4, 4, 16, 2, 4 } },
    { PROBLEM(GFX942, 4096, 4096, 4096, "f16", "f32", NULL), LW_OPERAND_C, { 32, 32, 2, 2, 4, 4, 4, 16, 4 } },
    { PROBLEM(GFX942, 1024, 1024, 1024, "i8", "i32", NULL), LW_OPERAND_A, { 32, 16, 2, 4, 16, 2, 8 } },
    { PROBLEM(GFX942, 1024, 1024, 1024, "i8", "i32", NULL), LW_OPERAND_B, { 16, 16, 4, 4, 16, 2, 8 } },
    { PROBLEM(GFX942, 1024, 1024, 1024, "f32", "f32", NULL), LW_OPERAND_A, { 32, 64, 2, 4, 16, 4 } },
    { PROBLEM(GFX942, 333, 4096, 128, "f16", "f32", "mi300x"), LW_OPERAND_A, { 6, 4, 2, 2, 4, 16, 2, 4 } },
    { PROBLEM(GFX942, 333, 512, 300, "f16", "f32", NULL), LW_OPERAND_B, { 32, 10, 4, 16, 2, 4 } },
    { PROBLEM(GFX1201, 128, 2048, 333, "f16", "f32", NULL), LW_OPERAND_A, { 8, 21, 2, 16, 8 } },
    { PROBLEM(GFX1201, 512, 4096, 512, "i8", "i32", NULL), LW_OPERAND_B, { 64, 16, 2, 2, 2, 16, 2, 8 } },
    { PROBLEM(GFX90A, 4096, 4096, 2048, "bf16", "f32", "mi250x"), LW_OPERAND_A, { 64, 64, 4, 4, 16, 4, 2 } },
    { PROBLEM(GFX90A, 4096, 4096, 2048, "bf16", "f32", "mi250x"),
      LW_OPERAND_B,
      { 32, 64, 4, 2, 4, 16, 4, 2 } },
    { PROBLEM(GFX90A, 1024, 1024, 1024, "bf16", "f32", NULL), LW_OPERAND_A, { 32, 32, 2, 4, 16, 4, 2 } },
    /* Few rows or columns: several instructions along one dimension; four that would be a subgroup each are
       none. */
    { PROBLEM(GFX942, 4096, 16, 512, "f16", "f32", "mi308x"), LW_OPERAND_A, { 64, 16, 4, 4, 16, 2, 4 } },
    { PROBLEM(GFX942, 16, 4096, 512, "f16", "f32", "mi308x"), LW_OPERAND_B, { 256, 16, 4, 16, 2, 4 } },
    { PROBLEM(GFX1201, 16, 4096, 512, "f16", "f32", "rx9070xt"), LW_OPERAND_B, { 32, 32, 4, 2, 2, 16, 8 } },
    { PROBLEM(GFX1100, 4096, 32, 512, "f16", "f32", "rx7900xtx"), LW_OPERAND_A, { 64, 32, 4, 1, 16, 16 } },
    { PROBLEM(GFX1100, 512, 1024, 256, "f16", "f32", NULL), LW_OPERAND_A, { 16, 16, 2, 1, 16, 16 } },
    { PROBLEM(GFX1100, 512, 1024, 256, "f16", "f32", NULL), LW_OPERAND_B, { 32, 16, 2, 1, 16, 16 } },
    { PROBLEM(GFX1100, 512, 1024, 256, "i8", "i32", NULL), LW_OPERAND_C, { 16, 32, 2, 2, 8, 2, 16 } },
    { PROBLEM(GFX1250, 512, 1024, 256, "f16", "f32", NULL), LW_OPERAND_A, { 16, 8, 2, 2, 16, 16 } },
    { PROBLEM(GFX1250, 512, 1024, 256, "fp8", "f32", NULL), LW_OPERAND_B, { 32, 2, 2, 2, 16, 64 } },
    { PROBLEM(GFX1250, 512, 1024, 256, "f32", "f32", NULL), LW_OPERAND_A, { 16, 32, 2, 2, 16, 2, 2 } },
    { PROBLEM(GFX1250, 512, 1024, 256, "f16", "f32", NULL), LW_OPERAND_C, { 16, 32, 2, 2, 2, 16, 8 } },
};

START_TEST(encoded)
{
    lw_data_tiling e;
    lw_error error = { "" };
    ck_assert_msg(lw_data_tiling_derive(&encodings[_i].problem, encodings[_i].operand, &e, &error) == LW_OK,
                  "%s", error.text);
    for (uint32_t x = 0; x < LW_DATA_TILING_DIMS; x++)
        ck_assert_uint_eq(x < e.dims ? e.dim[x].extent : 0, encodings[_i].shape[x]);
}
END_TEST

/* A of 100 x 500: an element's place by the compiler's map (7, 16), (16, 2, 4, 4), and back. */
START_TEST(encoded_elements)
{
    enum { ROWS = 100, COLS = 500 };
    static uint16_t matrix[ROWS][COLS], back[ROWS][COLS], packed[7][16][4][16][2][4];
    const lw_tiling_problem problem = PROBLEM(GFX942, ROWS, 60, COLS, "f16", "f32", NULL);
    lw_data_tiling e;
    ck_assert_int_eq(lw_data_tiling_derive(&problem, LW_OPERAND_A, &e, NULL), LW_OK);
    for (int m = 0; m < ROWS; m++)
        for (int k = 0; k < COLS; k++)
            matrix[m][k] = (uint16_t)(1 + m * COLS + k);
    memset(packed, 0xff, sizeof(packed));
    ck_assert_int_eq(lw_data_tiling_pack(&e, matrix, 2, packed), LW_OK);
    for (int m = 0; m < 112; m++)
        for (int k = 0; k < 512; k++)
            ck_assert_uint_eq(packed[m / 16][k / 32][k / 4 % 4][m % 16][k / 16 % 2][k % 4],
                              m < ROWS && k < COLS ? matrix[m][k] : 0);
    ck_assert_int_eq(lw_data_tiling_unpack(&e, packed, 2, back), LW_OK);
    ck_assert_mem_eq(back, matrix, sizeof(matrix));
    ck_assert_int_eq(lw_data_tiling_pack(NULL, matrix, 2, packed), LW_E_ARGUMENT);
    e.dims = 99;
    ck_assert_int_eq(lw_data_tiling_unpack(&e, packed, 2, back), LW_E_ARGUMENT);
}
END_TEST

/* C of 64 x 32 on gfx1100: the map that the compiler writes for it, rows two apart in a lane. */
START_TEST(results_of_gfx1100)
{
    enum { ROWS = 64, COLS = 32 };
    static uint32_t matrix[ROWS][COLS], packed[4][2][8][2][16];
    const lw_tiling_problem problem = PROBLEM(GFX1100, ROWS, COLS, 64, "f16", "f32", NULL);
    lw_data_tiling e;
    ck_assert_int_eq(lw_data_tiling_derive(&problem, LW_OPERAND_C, &e, NULL), LW_OK);
    for (uint32_t m = 0; m < ROWS; m++)
        for (uint32_t n = 0; n < COLS; n++)
            matrix[m][n] = 1 + m * COLS + n;
    ck_assert_int_eq(lw_data_tiling_pack(&e, matrix, 4, packed), LW_OK);
    for (int m = 0; m < ROWS; m++)
        for (int n = 0; n < COLS; n++)
            ck_assert_uint_eq(packed[m / 16][n / 16][m / 2 % 8][m % 2][n % 16], matrix[m][n]);
}
END_TEST

START_TEST(not_encoded)
{
    static const lw_tiling_problem bad[] = { PROBLEM(GFX1100, 64, 64, 64, "fp8", "f32", NULL),
                                             PROBLEM(GFX942, 64, 64, 64, "f64", "f32", NULL),
                                             PROBLEM(SM_80, 64, 64, 64, "f16", "f32", NULL) };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        lw_data_tiling e;
        lw_error error = { "" };
        ck_assert_int_eq(lw_data_tiling_derive(&bad[i], LW_OPERAND_A, &e, &error), LW_E_UNSUPPORTED);
        ck_assert_str_ne(error.text, "");
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pack");
    TCase *tc = tcase_create("pack");
    tcase_add_test(tc, as_the_compiler);
    tcase_add_loop_test(tc, encoded, 0, sizeof(encodings) / sizeof(encodings[0]));
    tcase_add_test(tc, encoded_elements);
    tcase_add_test(tc, results_of_gfx1100);
    tcase_add_test(tc, not_encoded);
    tcase_add_test(tc, three_dimensions);
    tcase_add_test(tc, in_words);
    tcase_add_test(tc, refused);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
