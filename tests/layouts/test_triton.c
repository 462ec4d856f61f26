/* SPDX-License-Identifier: MIT */
/*
 * Triton's attributes as linear layouts: the answers of Triton 3.9.0's to_linear_layout for tensors larger
 * and smaller than a tile, over several warps; damaged texts. judge_triton.py compares random ones with
 * Triton itself.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

static char out[1 << 14];
static size_t used;

static lw_status collect(void *context, const char *bytes, size_t size)
{
    (void)context;
    ck_assert_uint_lt(used + size, sizeof(out));
    memcpy(out + used, bytes, size);
    used += size;
    out[used] = '\0';
    return LW_OK;
}

#define NV2                                                                                                  \
    "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>"

static const struct {
    const char *text;
    uint32_t shape[3], rank;
    const char *says; /* register, lane, warp */
} cases[] = {
    { "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>",
      { 8, 16 },
      2,
      "register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [0, "
      "0]]" },
    { "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>",
      { 64, 128 },
      2,
      "register = [[0, 1], [0, 2], [0, 32], [0, 64], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, "
      "0], "
      "[2, 0]], warp = [[4, 0], [8, 0]]" },
    { "#ttg.blocked<{sizePerThread = [1, 2, 2], threadsPerWarp = [2, 4, 4], warpsPerCTA = [1, 2, 2], order = "
      "[2, 0, "
      "1]}>",
      { 4, 16, 16 },
      3,
      "register = [[0, 0, 1], [0, 1, 0], [2, 0, 0]], lane = [[0, 0, 2], [0, 0, 4], [1, 0, 0], [0, 2, 0], [0, "
      "4, 0]], "
      "warp = [[0, 0, 8], [0, 8, 0]]" },
    { NV2,
      { 64, 64 },
      2,
      "register = [[0, 1], [8, 0], [0, 16], [0, 32], [32, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, "
      "0]], warp = "
      "[[0, 8], [16, 0]]" },
    { "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 32, "
      "16]}>",
      { 128, 64 },
      2,
      "register = [[0, 1], [8, 0], [0, 8], [0, 16], [64, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, "
      "0]], warp = "
      "[[16, 0], [32, 0], [0, 32]]" },
    { "#m = #ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 2], instrShape = [16, 16, 32], isTransposed = "
      "false, "
      "tilesPerWarp = [2, 1]}>",
      { 128, 64 },
      2,
      "register = [[1, 0], [2, 0], [0, 32], [16, 0], [64, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, "
      "0], [8, 0]], "
      "warp = [[0, 16], [32, 0]]" },
    { "#m = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = "
      "true}>\n"
      "#ttg.slice<{dim = 1, parent = #m}>",
      { 128 },
      1,
      NULL },
    { "#ttg.slice<{dim = 0, parent = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, "
      "8], "
      "isTransposed = true}>}>",
      { 128 },
      1,
      "register = [[1], [2], [8], [16], [64]], lane = [[0], [0], [0], [0], [0], [4]], warp = [[32], [0]]" },
    { "#ttg.dot_op<{opIdx = 0, parent = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [4, "
      "64, 4], "
      "isTransposed = false}>, kWidth = 8}>",
      { 16, 16 },
      2,
      "register = [[0, 1], [0, 2], [0, 4], [8, 0]], lane = [[1, 0], [2, 0], [0, 8], [0, 0], [0, 0], [0, 0]], "
      "warp = [[0, "
      "0], [4, 0]]" },
    { "#ttg.dot_op<{opIdx = 1, parent = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [4, "
      "64, 4], "
      "isTransposed = false}>, kWidth = 8}>",
      { 16, 16 },
      2,
      "register = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 0], [0, 0], [0, 0]], lane = [[0, 1], [0, 2], [0, 4], "
      "[0, 8], [0, "
      "0], [0, 0]], warp = [[0, 0], [0, 0]]" },
    { "#ttg.dot_op<{opIdx = 0, parent = #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = "
      "[[0, 1], "
      "[1, 0]]}}>, kWidth = 16}>",
      { 32, 64 },
      2,
      "register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, "
      "0], [0, 0]], "
      "warp = [[0, 0], [16, 0]]" },
    { "#ttg.linear<{register = [[0, 1]], lane = [[1, 0]], warp = [], block = []}>",
      { 4, 2 },
      2,
      "register = [[0, 1], [2, 0]], lane = [[1, 0]], warp = []" },
    /* Missing bits are added in the order in which registers move the dimensions. */
    { "#ttg.linear<{register = [[1, 0]], lane = [[0, 2], [0, 4], [0, 8], [0, 1], [2, 0]], warp = [[4, 0], "
      "[8, "
      "0]], block = []}>",
      { 32, 32 },
      2,
      "register = [[1, 0], [16, 0], [0, 16]], lane = [[0, 2], [0, 4], [0, 8], [0, 1], [2, 0]], warp = [[4, "
      "0], [8, 0]]" },
    /* Registers outside the tensor are left out. */
    { "#ttg.linear<{register = [[0, 0], [16, 0]], lane = [[0, 2], [4, 0], [8, 0], [1, 0], [2, 0]], warp = "
      "[[0, "
      "1], [0, 0]], block = []}>",
      { 8, 8 },
      2,
      "register = [[0, 0], [0, 4]], lane = [[0, 2], [4, 0], [0, 0], [1, 0], [2, 0]], warp = [[0, 1], [0, "
      "0]]" },
    { "#ttg.generic_linear<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = "
      "[[4, "
      "8], [4, 0]], block = []}>",
      { 8, 8 },
      2,
      "register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [4, 0]]" },
    { "#ttg.amd_wmma<{version = 3, isTranspose = false, ctaLayout = {register = [[2, 0]], warp = [[2, 1], "
      "[1, "
      "0]]}, instrShape = [16, 16, 32]}>",
      { 64, 64 },
      2,
      "register = [[1, 0], [2, 0], [4, 0], [32, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [8, "
      "0]], warp = [[32, 16], [16, 0]]" },
    { "#ttg.amd_wmma<{version = 3, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}, instrShape = "
      "[32, 16, 128]}>",
      { 64, 64 },
      2,
      "register = [[1, 0], [2, 0], [4, 0], [16, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [8, "
      "0]], warp = [[0, 16], [32, 0]]" },
    { "#ttg.dot_op<{opIdx = 1, parent = #ttg.amd_wmma<{version = 3, isTranspose = true, ctaLayout = {warp = "
      "[[0, 1], [1, 0]]}, instrShape = [32, 16, 128]}>, kWidth = 16}>",
      { 128, 64 },
      2,
      "register = [[1, 0], [2, 0], [4, 0], [8, 0], [32, 0], [64, 0], [0, 16]], lane = [[0, 1], [0, 2], [0, "
      "4], [0, 8], [16, 0]], warp = [[0, 32], [0, 0]]" },
};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

static lw_status linear(const char *text, size_t size, const uint32_t *shape, uint32_t rank, lw_error *error)
{
    used = 0;
    out[0] = '\0';
    return lw_triton_linear(text, size, shape, rank, LW_LAYOUT_TRITON, collect, NULL, error);
}

START_TEST(as_triton)
{
    lw_error error = { "" };
    char want[1024];
    ck_assert_msg(linear(cases[_i].text, strlen(cases[_i].text), cases[_i].shape, cases[_i].rank, &error) ==
                      LW_OK,
                  "%s: %s", cases[_i].text, error.text);
    if (!cases[_i].says)
        return;
    snprintf(want, sizeof(want), "#ttg.linear<{%s, block = []}>\n", cases[_i].says);
    ck_assert_str_eq(out, want);
}
END_TEST

/* Every prefix and every changed character: another layout, or an error with its column. */
START_TEST(damaged)
{
    static const char signs[] = "(<[{,:=0179lv%*/+-@}x#\n_. ";
    char text[512];
    const size_t size = strlen(cases[_i].text);
    ck_assert_uint_lt(size, sizeof(text));
    for (size_t n = 0; n < 2 * size; n++) {
        lw_error error = { "" };
        memcpy(text, cases[_i].text, size);
        if (n >= size)
            text[n - size] = signs[(n + (size_t)_i) % (sizeof(signs) - 1)];
        const size_t length = n < size ? n : size;
        char *exact = malloc(length ? length : 1);
        ck_assert_ptr_nonnull(exact);
        memcpy(exact, text, length);
        const lw_status st = linear(exact, length, cases[_i].shape, cases[_i].rank, &error);
        free(exact);
        ck_assert_msg(n < size && cases[_i].says ? st == LW_E_FORMAT : st == LW_OK || st == LW_E_FORMAT,
                      "%.*s", (int)length, text);
        ck_assert(st == LW_OK || strstr(error.text, "column "));
    }
}
END_TEST

START_TEST(refused)
{
    static const char *const texts[] = {
        "#ttg.dot_op<{opIdx = 0, parent = " NV2 ", kWidth = 3}>",
        "#ttg.slice<{dim = 4, parent = " NV2 "}>",
        "#ttg.nvidia_mma<{versionMajor = 5, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>",
        "#ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [64, 4, 4], isTransposed = false}>",
        "#ttg.amd_wmma<{version = 2, isTranspose = false, ctaLayout = {warp = [[1, 1]]}}>",
    };
    const uint32_t shape[2] = { 64, 64 }, ragged[2] = { 48, 64 };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        ck_assert_int_eq(linear(texts[i], strlen(texts[i]), shape, 2, NULL), LW_E_FORMAT);
    ck_assert_int_eq(linear(NV2, strlen(NV2), ragged, 2, NULL), LW_E_FORMAT);
    ck_assert_int_eq(linear(NV2, strlen(NV2), shape, 0, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(linear(NULL, 0, shape, 2, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_triton_linear(NV2, strlen(NV2), shape, 2, LW_LAYOUT_CUTE, collect, NULL, NULL),
                     LW_E_ARGUMENT);
    used = 0;
    ck_assert_int_eq(lw_triton_linear(NV2, strlen(NV2), shape, 2, LW_LAYOUT_GLUON, collect, NULL, NULL),
                     LW_OK);
    ck_assert_ptr_nonnull(strstr(out, "shape=[64, 64])"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("triton");
    TCase *tc = tcase_create("triton");
    tcase_add_loop_test(tc, as_triton, 0, CASES);
    tcase_add_loop_test(tc, damaged, 0, CASES);
    tcase_add_test(tc, refused);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
