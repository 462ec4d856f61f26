/* SPDX-License-Identifier: MIT */
/*
 * Selections that are new in gfx12, on all triples of special values: AMD RDNA4 ISA manual's rules (IEEE
 * 754-2019, minimumNumber and minimum), written again with the host's comparisons and a sorted list.
 */
#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "emu/num/fp.h"

static const uint32_t values[] = { 0,          0x80000000, 0x3f800000, 0xbf800000, 0x40000000,
                                   0xc0000000, 0x00000001, 0x80000001, 0x7f800000, 0xff800000,
                                   0x7f7fffff, 0x7fc00001, 0xffc00002, 0x7f800003, 0xff800004 };
enum { VALUES = sizeof(values) / sizeof(values[0]), QUIET = 0x400000 };

static float host(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof(f));
    return f;
}

static bool less(uint32_t x, uint32_t y)
{
    return host(x) == 0 && host(y) == 0 ? x > y : host(x) < host(y);
}

static uint32_t least(uint32_t x, uint32_t y, bool most)
{
    return less(x, y) != most ? x : y;
}

/* A number wins; of two NaNs the first, quieted. */
static uint32_t number(uint32_t x, uint32_t y, bool most)
{
    if (isnan(host(x)) && isnan(host(y)))
        return x | QUIET;
    return isnan(host(x)) ? y : isnan(host(y)) ? x : x == y ? x : least(x, y, most);
}

/* A NaN wins: the first one, quieted. */
static uint32_t strict(uint32_t x, uint32_t y, bool most)
{
    if (isnan(host(x)) || isnan(host(y)))
        return (isnan(host(x)) ? x : y) | QUIET;
    return x == y ? x : least(x, y, most);
}

static int by_value(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return less(x, y) ? -1 : less(y, x) ? 1 : 0;
}

static uint32_t median(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t all[3] = { a, b, c };
    if (isnan(host(a)) || isnan(host(b)) || isnan(host(c)))
        return number(number(a, b, false), c, false);
    qsort(all, 3, sizeof(all[0]), by_value);
    return all[1];
}

START_TEST(two)
{
    const lw_fp_env e = { .keep_in = true, .keep_out = true };
    const lw_format *f = &lw_fp_f32;
    for (unsigned i = 0; i < VALUES * VALUES; i++) {
        const uint32_t a = values[i % VALUES], b = values[i / VALUES];
        ck_assert_uint_eq(lw_fp_min_num(f, &e, a, b), number(a, b, false));
        ck_assert_uint_eq(lw_fp_max_num(f, &e, a, b), number(a, b, true));
        ck_assert_uint_eq(lw_fp_minimum(f, &e, a, b), strict(a, b, false));
        ck_assert_uint_eq(lw_fp_maximum(f, &e, a, b), strict(a, b, true));
    }
}
END_TEST

START_TEST(three)
{
    const lw_fp_env e = { .keep_in = true, .keep_out = true };
    const lw_format *f = &lw_fp_f32;
    for (unsigned i = 0; i < VALUES * VALUES * VALUES; i++) {
        const uint32_t a = values[i % VALUES], b = values[i / VALUES % VALUES],
                       c = values[i / VALUES / VALUES];
        ck_assert_uint_eq(lw_fp_min3_num(f, &e, a, b, c), number(number(a, b, false), c, false));
        ck_assert_uint_eq(lw_fp_max3_num(f, &e, a, b, c), number(number(a, b, true), c, true));
        ck_assert_uint_eq(lw_fp_minmax_num(f, &e, a, b, c), number(number(a, b, false), c, true));
        ck_assert_uint_eq(lw_fp_maxmin_num(f, &e, a, b, c), number(number(a, b, true), c, false));
        ck_assert_uint_eq(lw_fp_minimummaximum(f, &e, a, b, c), strict(strict(a, b, false), c, true));
        ck_assert_uint_eq(lw_fp_maximumminimum(f, &e, a, b, c), strict(strict(a, b, true), c, false));
        ck_assert_uint_eq(lw_fp_med3_num(f, &e, a, b, c), median(a, b, c));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("num_selection");
    TCase *tc = tcase_create("selection");
    tcase_add_test(tc, two);
    tcase_add_test(tc, three);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
