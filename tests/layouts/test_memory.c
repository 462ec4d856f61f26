/* SPDX-License-Identifier: MIT */
/* Every allocation of the layout functions fails once; they must report it, write no result and leak
 * nothing. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

/* The linker sends the library's allocations here (--wrap). */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

static int fail_in; /* counts down to the allocation that fails; 0: none */

static int fails(void)
{
    return fail_in > 0 && --fail_in == 0;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

static lw_status swallow(void *context, const char *text, size_t size)
{
    (void)context;
    (void)text;
    (void)size;
    return LW_OK;
}

/* Check allocates too: failures are armed only around the call that is tested. */
static lw_layout *make(int nth, lw_status *status)
{
    const lw_insn *insn = NULL;
    lw_layout *layout = NULL;
    ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX942, "v_mfma_f32_4x4x4_16b_f16", &insn, NULL), LW_OK);
    fail_in = nth;
    *status = lw_layout_create(LW_ARCH_GFX942, insn, LW_OPERAND_A, 0, NULL, &layout, NULL);
    fail_in = 0;
    return layout;
}

START_TEST(creation_reports_missing_memory)
{
    lw_status st;
    ck_assert_ptr_null(make(1, &st));
    ck_assert_int_eq(st, LW_E_NO_MEMORY);
}
END_TEST

START_TEST(queries_report_missing_memory)
{
    lw_status st;
    lw_layout *layout = make(0, &st);
    lw_layout_entry entry;
    size_t count = 77;
    fail_in = 1;
    st = lw_layout_entries(layout, &entry, 1, &count);
    fail_in = 0;
    ck_assert_int_eq(st, LW_E_NO_MEMORY);
    fail_in = 1;
    st = lw_layout_places(layout, 0, 0, 0, &entry, 1, &count);
    fail_in = 0;
    ck_assert_int_eq(st, LW_E_NO_MEMORY);
    fail_in = 1;
    st = lw_layout_elements(layout, 0, 0, &entry, 1, &count);
    fail_in = 0;
    ck_assert_int_eq(st, LW_E_NO_MEMORY);
    ck_assert_uint_eq(count, 77);
    lw_layout_free(layout);
}
END_TEST

START_TEST(printing_reports_missing_memory)
{
    lw_status st;
    lw_layout *layout = make(0, &st);
    int failures = 0;
    for (int nth = 1;; nth++) {
        lw_error error = { { 0 } };
        fail_in = nth;
        st = lw_layout_print(layout, (lw_layout_format)_i, NULL, swallow, NULL, &error);
        fail_in = 0;
        if (st == LW_OK)
            break;
        ck_assert_int_eq(st, LW_E_NO_MEMORY);
        ck_assert_ptr_nonnull(strstr(error.text, "memory"));
        failures++;
    }
    ck_assert_int_ge(failures, 1);
    lw_layout_free(layout);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layout memory");
    TCase *tc = tcase_create("all");
    tcase_add_test(tc, creation_reports_missing_memory);
    tcase_add_test(tc, queries_report_missing_memory);
    tcase_add_loop_test(tc, printing_reports_missing_memory, LW_LAYOUT_LISTING, LW_LAYOUT_SVG + 1);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
