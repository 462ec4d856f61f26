/* SPDX-License-Identifier: MIT */
/* Register images compared with matrices, through the public layouts; aliasing, poison, constants, the host's
 * modes. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "images.h"

static void run_row(lw_arch arch, size_t index)
{
    static const char *const mods[] = {
        "",
        "cbsz:1 abid:1",
        "cbsz:2 abid:3",
        "cbsz:4 abid:9",
        "blgp:1",
        "blgp:3",
        "blgp:6",
        "cbsz:1 abid:0 blgp:2",
        "abid:1",
        "abid:3",
        "neg:[1,0,0]",
        "neg:[0,1,1]",
        "cbsz:2 blgp:4",
        "cbsz:3 blgp:0",
        "cbsz:4 blgp:4",
        "cbsz:0 blgp:4 op_sel:[1,0] op_sel_hi:[0,1]",
        "cbsz:4 blgp:4 op_sel:[0,1] op_sel_hi:[1,1]",
    };
    uint64_t state = 77 + index;
    for (size_t m = 0; m < sizeof(mods) / sizeof(mods[0]); m++) {
        subject s;
        if (!subject_parse(arch, index, mods[m], 0, &s))
            continue;
        subject_run(&s, &state);
        lw_mma_free(s.mma);
    }
}

START_TEST(images_gfx942)
{
    if ((size_t)_i < lw_insn_count(LW_ARCH_GFX942))
        run_row(LW_ARCH_GFX942, (size_t)_i);
}
END_TEST

START_TEST(images_gfx950)
{
    if ((size_t)_i < lw_insn_count(LW_ARCH_GFX950))
        run_row(LW_ARCH_GFX950, (size_t)_i);
}
END_TEST

START_TEST(constants)
{
    static images im;
    static uint32_t d[ARENA], want[ARENA];
    for (size_t index = 0; index < lw_insn_count(LW_ARCH_GFX950); index++) {
        subject s;
        ck_assert(subject_parse(LW_ARCH_GFX950, index, "", 0, &s));
        uint64_t state = index;
        images_fill(&s, &im, &state);
        for (size_t i = 0; i < ARENA; i++) {
            const bool high = s.shape.c_bits == 64 && i / MAX_LANES % 2;
            im.c[i] = s.shape.c_bits == 64 ? (high ? 0xbfe00000 : 0) : 0x40800000;
            im.scale_a[i] = 0x81818181;
            im.scale_b[i] = 0x7e7e7e7e;
        }
        memset(d, 0, sizeof(d));
        memset(want, 0, sizeof(want));
        lw_mma_registers regs = registers_of(&s, &im, want);
        ck_assert_int_eq(lw_mma_execute_registers(s.mma, &regs, NULL), LW_OK);
        regs.c = regs.scale_a = regs.scale_b = NULL;
        regs.c_constant = s.shape.c_bits == 64 ? UINT64_C(0xbfe0000000000000) : 0x40800000;
        regs.scale_a_constant = 0x81;
        regs.scale_b_constant = 0x7e;
        regs.d = d;
        ck_assert_int_eq(lw_mma_execute_registers(s.mma, &regs, NULL), LW_OK);
        ck_assert_mem_eq(d, want, sizeof(d));
        lw_mma_free(s.mma);
    }
}
END_TEST

/* The caller's floating-point control word, unmasked exceptions and sticky flags included, neither changes
 * results nor is changed. */
START_TEST(host_modes)
{
#if defined(__x86_64__)
    static images im;
    static uint32_t d[ARENA], want[ARENA];
    static const unsigned words[] = { 0x9fc0, 0x3f80, 0x5f80, 0x7f80, 0xffc0, 0x0000, 0xe07f };
    for (size_t index = 0; index < lw_insn_count(LW_ARCH_GFX950); index++) {
        subject s;
        ck_assert(subject_parse(LW_ARCH_GFX950, index, "", 0, &s));
        uint64_t state = index;
        images_fill(&s, &im, &state);
        for (size_t i = 0; i < ARENA; i++) {
            im.c[i] &= i % 3 ? UINT32_MAX : 0x807fffff;
            im.a[i] &= 0xbfbfbfbf;
        }
        lw_mma_registers regs = registers_of(&s, &im, want);
        ck_assert_int_eq(lw_mma_execute_registers(s.mma, &regs, NULL), LW_OK);
        regs.d = d;
        memcpy(d, want, sizeof(d));
        for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++) {
            const unsigned saved = _mm_getcsr();
            _mm_setcsr(words[w]);
            const lw_status st = lw_mma_execute_registers(s.mma, &regs, NULL);
            const unsigned after = _mm_getcsr();
            _mm_setcsr(saved);
            ck_assert_int_eq(st, LW_OK);
            ck_assert_uint_eq(after, words[w]);
            ck_assert_mem_eq(d, want, sizeof(d));
        }
        lw_mma_free(s.mma);
    }
#endif
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mma_registers");
    TCase *tc = tcase_create("registers");
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, images_gfx942, 0, 46);
    tcase_add_loop_test(tc, images_gfx950, 0, 68);
    tcase_add_test(tc, constants);
    tcase_add_test(tc, host_modes);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
