/* SPDX-License-Identifier: MIT */
/* The worked examples of AMD's dot units, computed by the units. */
#include <check.h>
#include <stdlib.h>

#include "num/dot_amd.h"
#include "num/examples_amd.h"

START_TEST(one_example)
{
    const example *e = &examples[_i];
    uint32_t a[CHAIN_MAX] = { 0 }, b[CHAIN_MAX] = { 0 };
    for (int k = 0; k < 4; k++) {
        a[k] = e->a[k];
        b[k] = e->b[k];
    }
    const uint32_t d = run_chain(e->unit, e->format, e->format, LW_ACC_F32, false, a, b, e->count, e->c);
    ck_assert_msg(d == e->d, "example %d, %s: %08x instead of %08x", e->number, lw_dot_units[e->unit].name, d,
                  e->d);
}
END_TEST

/*
 * f16 C and D, FP16_OVFL: two products of 65504*2, later -65504. The overflow of the first step is 65504, so
 * that the rest cancels; on gfx11 the one's complement leaves a trace. Captured from a gfx1100 and a gfx1201.
 */
START_TEST(clamped_overflow)
{
    static const struct {
        lw_dot_unit_id unit;
        uint32_t flip, d;
    } rows[] = {
        { LW_UNIT_PAIRS4, 0, 0x0000 },
        { LW_UNIT_PAIRS4, 0x8000, 0x0000 },
        { LW_UNIT_ONES2, 0, 0x9800 },
        { LW_UNIT_ONES2, 0x8000, 0x1c00 },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const uint32_t f = rows[i].flip;
        const uint32_t a[CHAIN_MAX] = { 0x7bff ^ f, 0x7bff ^ f, 0, 0, 0xfbff ^ f },
                       b[CHAIN_MAX] = { 0x4000, 0x4000, 0, 0, 0x3c00 };
        const uint32_t d =
            run_chain(rows[i].unit, LW_FORMAT_F16, LW_FORMAT_F16, LW_ACC_F16, true, a, b, CHAIN_MAX, 0);
        ck_assert_msg(d == rows[i].d, "row %zu: %04x instead of %04x", i, d, rows[i].d);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("num_dot_examples");
    TCase *tc = tcase_create("examples");
    tcase_add_loop_test(tc, one_example, 0, (int)(sizeof(examples) / sizeof(examples[0])));
    tcase_add_test(tc, clamped_overflow);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
