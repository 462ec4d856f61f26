/* SPDX-License-Identifier: MIT */
/* Several waves: barriers, spinning, schedules, budgets; and the host's floating-point mode. */
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <stdio.h>

#include "machine/fixture.h"

static void every_schedule(fixture *f, int i)
{
    f->options.schedule = i ? LW_SCHEDULE_RANDOM : LW_SCHEDULE_SERIAL;
    f->options.seed = (uint64_t)i;
}

/* Each wave writes its number, waits, and reads its neighbour's; in odd runs the last wave sleeps first. */
START_TEST(barriers)
{
    fixture f;
    fixture_init(&f, 1);
    every_schedule(&f, _i / 2);
    for (unsigned w = 0; w < 4; w++) {
        f.wave[w].sgpr[0] = w;
        for (unsigned lane = 0; lane < 64; lane++) {
            f.vgpr[w][2 * 64 + lane] = (w * 64 + lane) * 4;
            f.vgpr[w][3 * 64 + lane] = ((w + 1) % 4 * 64 + 63 - lane) * 4;
            f.vgpr[w][4 * 64 + lane] = w * 1000 + lane;
        }
    }
    ck_assert_int_eq(fixture_run(&f, _i & 1 ? "barrier_late" : "barrier", 4), LW_OK);
    for (unsigned w = 0; w < 4; w++)
        for (unsigned lane = 0; lane < 64; lane++)
            ck_assert_uint_eq(f.vgpr[w][5 * 64 + lane], (w + 1) % 4 * 1000 + 63 - lane);
    fixture_free(&f);
}
END_TEST

/* Waves that have ended count as having arrived. */
START_TEST(ended_waves_arrive)
{
    fixture f;
    fixture_init(&f, 2);
    every_schedule(&f, _i);
    for (unsigned w = 0; w < 4; w++)
        f.wave[w].sgpr[0] = w == 2 ? 0 : w;
    f.wave[0].sgpr[0] = 5;
    ck_assert_int_eq(fixture_run(&f, "barrier_some_end", 4), LW_OK);
    for (unsigned w = 0; w < 4; w++)
        if (w != 2)
            ck_assert_uint_eq(f.wave[w].sgpr[2], 2);
    fixture_free(&f);
}
END_TEST

/* Wave 0 waits for what wave 1 writes, with and without sleeping. */
START_TEST(spinning)
{
    static const char *const blocks[] = { "spin", "busy_spin" };
    for (int b = 0; b < 2; b++) {
        fixture f;
        fixture_init(&f, 3);
        every_schedule(&f, _i);
        f.options.budget = 10000000;
        for (unsigned w = 0; w < 2; w++) {
            f.wave[w].sgpr[0] = w;
            for (unsigned lane = 0; lane < 64; lane++) {
                f.vgpr[w][3 * 64 + lane] = 0;
                f.vgpr[w][4 * 64 + lane] = 1;
            }
        }
        ck_assert_int_eq(fixture_run(&f, blocks[b], 2), LW_OK);
        fixture_free(&f);
    }
}
END_TEST

START_TEST(budgets)
{
    fixture f;
    fixture_init(&f, 4);
    f.options.budget = 1000;
    f.wave[0].sgpr[1] = 0;
    ck_assert_int_eq(fixture_run(&f, "count_forever", 1), LW_E_BUDGET);
    ck_assert_str_eq(f.error.text,
                     "code, workgroup (0,0,0), wave 0, pc +0x0 \"s_add_u32 s1, s1, 1\": has used up its "
                     "budget of 1000 instructions");
    ck_assert_uint_eq(f.result->instructions, 1000);
    ck_assert(!f.result->faulted);

    /* the loop takes exactly this many */
    f.options.budget = 2 + 4 * 64 + 1;
    ck_assert_int_eq(fixture_run(&f, "loop", 1), LW_OK);
    f.options.budget--;
    ck_assert_int_eq(fixture_run(&f, "loop", 1), LW_E_BUDGET);
    fixture_free(&f);
}
END_TEST

START_TEST(bad_options)
{
    fixture f;
    fixture_init(&f, 5);
    f.options.code = (const uint32_t[]){ 0xbf810000 };
    f.options.words = 1;
    ck_assert_int_eq(lw_code_run(&f.options, f.wave, 0, NULL, &f.error), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_code_run(NULL, f.wave, 1, NULL, &f.error), LW_E_ARGUMENT);
    f.wave[1].vgprs = 8;
    ck_assert_int_eq(lw_code_run(&f.options, f.wave, 2, NULL, &f.error), LW_E_ARGUMENT);
    ck_assert_str_eq(f.error.text, "wave 1 has other numbers of registers than wave 0");
    f.options.readings = (const char *const[]){ "no:such" };
    f.options.reading_count = 1;
    ck_assert_int_eq(lw_code_run(&f.options, f.wave, 1, NULL, &f.error), LW_E_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(f.error.text, "there is no reading \"no:such\"; the nearest are "));
    f.options.reading_count = 0;
    f.options.arch = LW_ARCH_SM_80; /* PTX is text */
    ck_assert_int_eq(lw_code_run(&f.options, f.wave, 1, NULL, &f.error), LW_E_UNSUPPORTED);
    fixture_free(&f);
}
END_TEST

/* A host with FTZ, DAZ and directed rounding set gets the same bits, and its mode is restored. */
START_TEST(host_float_mode)
{
#if defined(__x86_64__)
    fixture f, g;
    fixture_init(&f, 6);
    for (unsigned lane = 0; lane < 64; lane++) {
        reg(&f, 0)[lane] = lane * 4;
        reg(&f, 3)[lane] = 0x00000100 + lane;
        reg(&f, 4)[lane] = lane & 1 ? 0x3f800001 : 0x00000007;
    }
    g = f;
    fixture_ok(&f, "dim");
    snapshot s;
    take(&f, &s);
    const unsigned before = _mm_getcsr(), odd = 0x1f80 | 0x8040 | 0x6000;
    for (unsigned w = 0; w < MAX_WAVES; w++) {
        g.wave[w].vgpr = g.vgpr[w];
        g.wave[w].agpr = g.agpr[w];
    }
    g.options.lds = g.lds;
    _mm_setcsr(odd);
    const lw_status status = fixture_run(&g, "dim", 1);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    ck_assert_int_eq(status, LW_OK);
    ck_assert_uint_eq(after & ~0x3fu, odd);
    same_as(&g, &s, "with FTZ and DAZ");
    lw_launch_result_free(g.result);
    fixture_free(&f);
#endif
}
END_TEST

/* Interpreting a wave instruction takes tens of nanoseconds; this bound only catches gross slowdowns. */
START_TEST(not_absurdly_slow)
{
    fixture f;
    fixture_init(&f, 7);
    f.options.budget = 0;
    f.wave[0].sgpr[1] = 100000;
    ck_assert_int_eq(fixture_run(&f, "many", 1), LW_OK);
    const uint64_t instructions = 35 * 100000 + 1;
    ck_assert_uint_eq(f.result->instructions, instructions);
    ck_assert(f.result->seconds / (double)instructions < 2e-6);
    if (getenv("LW_TIMES"))
        printf("%.1f ns a wave instruction\n", 1e9 * f.result->seconds / (double)instructions);
    fixture_free(&f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("groups");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, barriers, 0, 40);
    tcase_add_loop_test(tc, ended_waves_arrive, 0, 20);
    tcase_add_loop_test(tc, spinning, 0, 4);
    tcase_add_test(tc, budgets);
    tcase_add_test(tc, bad_options);
    tcase_add_test(tc, host_float_mode);
    tcase_add_test(tc, not_absurdly_slow);
    return run_suite("machine_groups", tc);
}
