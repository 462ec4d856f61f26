/* SPDX-License-Identifier: MIT */
/* Owners of a prepared instruction. ASan shows what is freed too early or never, ThreadSanitizer
 * (test_threads.c) what two threads touch at once. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { LANES = 64, A_WORDS = 2 * LANES, D_WORDS = 4 * LANES };

static lw_mma *make(void)
{
    const lw_insn *insn = NULL;
    lw_mma *mma = NULL;
    ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX942, "v_mfma_f32_16x16x16_f16", &insn, NULL), LW_OK);
    ck_assert_int_eq(lw_mma_create(LW_ARCH_GFX942, insn, NULL, &mma, NULL), LW_OK);
    return mma;
}

static void execute(const lw_mma *mma, uint32_t d[D_WORDS])
{
    uint32_t ab[A_WORDS];
    for (uint32_t i = 0; i < A_WORDS; i++)
        ab[i] = 0x3c003800 + i * 0x00070005;
    const lw_mma_registers regs = { .a = ab, .b = ab, .d = d };
    ck_assert_int_eq(lw_mma_execute_registers(mma, &regs, NULL), LW_OK);
}

/* Whichever owner is freed first, the others still compute. */
START_TEST(every_owner_computes_until_it_is_freed)
{
    enum { OWNERS = 4 };
    lw_mma *owner[OWNERS] = { make() };
    uint32_t expected[D_WORDS] = { 0 };
    execute(owner[0], expected);
    for (int i = 1; i < OWNERS; i++)
        ck_assert_int_eq(lw_mma_clone(owner[i - 1], &owner[i]), LW_OK);
    for (int n = 0; n < OWNERS; n++) {
        lw_mma_free(owner[(_i + n) % OWNERS]);
        for (int left = n + 1; left < OWNERS; left++) {
            uint32_t d[D_WORDS] = { 0 };
            execute(owner[(_i + left) % OWNERS], d);
            ck_assert(memcmp(d, expected, sizeof(d)) == 0);
        }
    }
}
END_TEST

START_TEST(clones_say_what_the_first_says)
{
    lw_mma *first = make(), *clone = NULL;
    lw_mma_shape a, b;
    ck_assert_int_eq(lw_mma_clone(first, &clone), LW_OK);
    ck_assert_int_eq(lw_mma_get_shape(first, &a), LW_OK);
    lw_mma_free(first);
    ck_assert_int_eq(lw_mma_get_shape(clone, &b), LW_OK);
    ck_assert_int_eq(a.m, b.m);
    ck_assert_int_eq(a.k, b.k);
    ck_assert_ptr_eq(a.insn, b.insn);
    lw_mma_free(clone);
}
END_TEST

START_TEST(cloning_needs_both_pointers)
{
    lw_mma *mma = make(), *clone = NULL;
    ck_assert_int_eq(lw_mma_clone(NULL, &clone), LW_E_ARGUMENT);
    ck_assert_ptr_null(clone);
    ck_assert_int_eq(lw_mma_clone(mma, NULL), LW_E_ARGUMENT);
    lw_mma_free(mma);
    lw_mma_free(NULL);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("clones");
    TCase *tc = tcase_create("clones");
    tcase_add_loop_test(tc, every_owner_computes_until_it_is_freed, 0, 4);
    tcase_add_test(tc, clones_say_what_the_first_says);
    tcase_add_test(tc, cloning_needs_both_pointers);
    suite_add_tcase(s, tc);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
