/* SPDX-License-Identifier: MIT */
/* Corner cases of rules that random operands do not reach, each worked out by hand from the rule's text. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { SIDE = 16, MOST_K = 32 };

/* Element (0, 0) of D where only product 0 and C's element (0, 0) are not zero. */
typedef struct corner {
    lw_arch arch;
    const char *text;
    uint16_t a, b;
    uint32_t c, mode, d;
} corner;

static const corner corners[] = {
    /* TR of CDNA3: the normalised sum keeps 31 bits below its leading one, and below 2^-126 no fewer: the
       last bit of 2^-126 + 2^-150 + 2^-157 still lifts it above the tie. */
    { LW_ARCH_GFX942, "v_mfma_f32_16x16x16_bf16", 0x1a01, 0x1a00, 0x00800000, 0, 0x00800001 },
    { LW_ARCH_GFX942, "v_mfma_f32_16x16x16_bf16", 0x1a00, 0x1a00, 0x00800000, 0, 0x00800000 },
    /* FP16_OVFL clamps finite overflows only; on gfx1250 this is a default. */
    { LW_ARCH_GFX1250, "v_wmma_f16_16x16x32_f16", 0x7c00, 0x3c00, 0, LW_MMA_MODE_FP16_OVFL, 0x7c00 },
    { LW_ARCH_GFX1250, "v_wmma_f16_16x16x32_f16", 0x7bff, 0xfbff, 0, LW_MMA_MODE_FP16_OVFL, 0xfbff },
    { LW_ARCH_GFX1201, "v_wmma_f16_16x16x16_f16", 0x7c00, 0x3c00, 0, LW_MMA_MODE_FP16_OVFL, 0x7c00 },
};

START_TEST(by_hand)
{
    const corner *x = &corners[_i];
    static uint16_t a[SIDE * MOST_K], b[MOST_K * SIDE];
    uint32_t c[SIDE * SIDE] = { x->c }, d[SIDE * SIDE] = { 0 };
    lw_error error = { "" };
    const lw_insn *insn;
    lw_mods mods;
    a[0] = x->a;
    b[0] = x->b;
    ck_assert_msg(lw_insn_parse(x->arch, x->text, &insn, &mods, &error) == LW_OK, "%s", error.text);
    for (int reference = 0; reference < 2; reference++) {
        lw_mma *mma;
        const lw_mma_options options = { .struct_size = sizeof(lw_mma_options),
                                         .mods = &mods,
                                         .reference_only = reference };
        const lw_mma_matrices m = { .a = a, .b = b, .c = c, .d = d, .mode = x->mode };
        ck_assert_msg(lw_mma_create(x->arch, insn, &options, &mma, &error) == LW_OK, "%s", error.text);
        ck_assert_int_eq(lw_mma_execute_matrices(mma, &m, NULL), LW_OK);
        lw_mma_shape shape;
        ck_assert_int_eq(lw_mma_get_shape(mma, &shape), LW_OK);
        const uint32_t got = shape.d_bytes == 2 ? d[0] & 0xffff : d[0];
        ck_assert_msg(got == x->d, "%s: %08x, not %08x", x->text, got, x->d);
        lw_mma_free(mma);
    }
}
END_TEST

/* Of two readings of one topic, the later one counts. */
START_TEST(the_last_reading_counts)
{
    static const char *const names[] = { "doubled-k:gtr16", "doubled-k:tr16" };
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options),
                                     .readings = names,
                                     .reading_count = 2 };
    const lw_insn *insn;
    lw_mma *mma;
    ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX950, "v_mfma_f32_16x16x32_f16", &insn, NULL), LW_OK);
    ck_assert_int_eq(lw_mma_create(LW_ARCH_GFX950, insn, &options, &mma, NULL), LW_OK);
    ck_assert_str_eq(lw_mma_get_reading(mma, "doubled-k")->name, "tr16");
    lw_mma_free(mma);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mma_corners");
    TCase *tc = tcase_create("corners");
    tcase_add_loop_test(tc, by_hand, 0, sizeof(corners) / sizeof(corners[0]));
    tcase_add_test(tc, the_last_reading_counts);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
