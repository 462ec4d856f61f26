/* SPDX-License-Identifier: MIT */
/* LANEWISE_CPU: what it forces, what it refuses; and the host's floating-point state, which must not matter.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "codes.h"
#include "emu/fast/fp16.h"
#include "emu/mma/panels.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

static lw_status create(const char *cpu, lw_mma **mma, lw_error *error)
{
    const lw_insn *insn;
    ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX942, "v_mfma_f32_16x16x16_f16", &insn, NULL), LW_OK);
    setenv("LANEWISE_CPU", cpu, 1);
    const lw_status status = lw_mma_create(LW_ARCH_GFX942, insn, NULL, mma, error);
    unsetenv("LANEWISE_CPU");
    return status;
}

START_TEST(choosing)
{
    lw_mma *mma = NULL;
    lw_error error = { "" };
    lw_fast_isa host;
    ck_assert_int_eq(lw_fast_isa_choose(&host, &error), LW_OK);

    ck_assert_int_eq(create("portable", &mma, &error), LW_OK);
    ck_assert_ptr_nonnull(mma->panels);
    lw_mma_free(mma);
    ck_assert_int_eq(create("", &mma, &error), LW_OK);
    ck_assert_ptr_nonnull(mma->panels);
    lw_mma_free(mma);

    mma = NULL;
    ck_assert_int_eq(create("avx9", &mma, &error), LW_E_ARGUMENT);
    ck_assert_ptr_null(mma);
    ck_assert_str_eq(error.text, "LANEWISE_CPU=avx9: there are portable, avx2, avx512, avx512fp16");
    static const char *const names[] = { "portable", "avx2", "avx512", "avx512fp16" };
    for (unsigned i = 0; i <= LW_FAST_AVX512FP16; i++) {
        const lw_status status = create(names[i], &mma, &error);
        ck_assert_int_eq(status, i <= (unsigned)host ? LW_OK : LW_E_UNSUPPORTED);
        if (status == LW_OK)
            lw_mma_free(mma);
        else
            ck_assert_ptr_nonnull(strstr(error.text, "this processor offers no more than"));
    }
}
END_TEST

#if defined(__x86_64__)
/* Flushing, denormals as zero, directed rounding on: results are unchanged, and so is the control word. */
START_TEST(host_modes)
{
    static uint32_t a[128], b[128], c[256], want[256], got[256];
    static const unsigned modes[] = { 0x1f80, 0x9fc0, 0x3f80, 0x5f80, 0x7f80, 0xffc0, 0x0000, 0xe07f };
    uint64_t state = 1;
    lw_mma *mma;
    for (int i = 0; i < 256; i++) {
        if (i < 128) {
            a[i] = (uint32_t)(codes_next(&state) & 0xbfffbfff); /* subnormals included, no infinities */
            b[i] = (uint32_t)(codes_next(&state) & 0xbfffbfff);
        }
        c[i] = (uint32_t)codes_c(&lw_formats[LW_FORMAT_F32], i % 2 ? KIND_TINY_C : KIND_FAR, &state);
    }
    ck_assert_int_eq(create(_i ? "portable" : "", &mma, NULL), LW_OK);
    for (unsigned n = 0; n < sizeof(modes) / sizeof(modes[0]); n++) {
        const lw_mma_registers regs = { .a = a, .b = b, .c = c, .d = n ? got : want };
        const unsigned saved = _mm_getcsr();
        _mm_setcsr(modes[n]);
        const lw_status status = lw_mma_execute_registers(mma, &regs, NULL);
        const unsigned after = _mm_getcsr();
        _mm_setcsr(saved);
        ck_assert_int_eq(status, LW_OK);
        ck_assert_uint_eq(after, modes[n]);
        if (n)
            ck_assert_mem_eq(got, want, sizeof(got));
    }
    lw_mma_free(mma);
}
END_TEST
#endif

int main(void)
{
    unsetenv("LANEWISE_CPU"); /* the suite may run with it */
    Suite *suite = suite_create("fast_cpu");
    TCase *tc = tcase_create("cpu");
    tcase_add_test(tc, choosing);
#if defined(__x86_64__)
    tcase_add_loop_test(tc, host_modes, 0, 2);
#endif
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
