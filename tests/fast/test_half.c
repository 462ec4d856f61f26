/* SPDX-License-Identifier: MIT */
/*
 * Integers times a power of two as f16 numbers, as the kernels with f16 accumulators round them, against
 * emu/num: every number of twelve significant bits at every size, which includes all numbers of f16 and all
 * that lie halfway between two, and what is next to it by a power of two or one less or more. LW_FULL=1:
 * every integer of 32 bits, at three scales.
 */
#include <check.h>
#include <stdlib.h>

#include "emu/fast/panel_isa.h"
#include "emu/num/fp.h"

#ifdef LW_FAST_VECTORS

#include "emu/fast/vec_portable_lanes.h"

#include "emu/fast/panel_half.h"

/* Binary32's bits for a code of f16; 65536 for infinity. */
static uint32_t wide(uint32_t code)
{
    const uint32_t sign = (code & 0x8000) << 16, size = code & 0x7fff;
    const float x = (float)(int)size * 0x1p-24f;
    uint32_t bits;
    if (size >= 0x400)
        return sign | ((size << 13) + ((127u - 15) << 23));
    memcpy(&bits, &x, sizeof(bits));
    return sign | bits;
}

/* What is at least 65536 only has to be that. */
static uint32_t bounded(uint32_t bits)
{
    return (bits & UINT32_C(0x7fffffff)) < 0x47800000 ? bits : (bits & UINT32_C(0x80000000)) | 0x47800000;
}

/* units * 2^-n in f16. */
static uint32_t expected(uint32_t units, int n)
{
    const bool neg = units >> 31;
    const uint32_t size = neg ? 0 - units : units;
    if (!size)
        return 0;
    const lw_fp_num v = lw_fp_from_int(false, size, -n);
    const uint64_t exact = lw_fp_round_code(&lw_fp_f16, LW_FP_RNE, &v);
    const uint32_t code = exact < 0x7c00 ? (uint32_t)exact : 0x7c00;
    return bounded(wide(neg ? code | 0x8000 : code));
}

static vf rounded(vi units, int n)
{
    return half_nearest(vf_mul(float_for_half(units), vf_from_bits(vi_all((127 - n) << 23))));
}

/* The number is in all lanes: its neighbours must not decide how it is rounded. */
static void compare(uint32_t units, int n)
{
    uint32_t got[VEC_LANES];
    vf_store(got, rounded(vi_each(&units), n));
    if (bounded(got[0]) != expected(units, n))
        ck_abort_msg("%08x * 2^-%d: %08x, not %08x", units, n, got[0], expected(units, n));
}

START_TEST(near_every_tie)
{
    for (int n = -4; n < 56; n += 9)
        for (int up = 0; up < 20; up++)
            for (uint32_t m = 2048; m < 4096; m++)
                for (int by = -1; by < up; by++) {
                    const uint32_t at = m << up, apart = by < 0 ? 0 : UINT32_C(1) << by;
                    const uint32_t some[] = {
                        at + apart,     at - apart,     0 - at - apart, apart - at,
                        at + apart + 1, apart - at + 1, at + apart - 1, at - apart - 1
                    };
                    for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++)
                        compare(some[i], n);
                }
}
END_TEST

/* The short way and the one by an odd last bit give the same, for all integers. */
START_TEST(all_integers)
{
    static const int scales[] = { 14, 30, 44 };
    const char *full = getenv("LW_FULL");
    const uint64_t step = full && *full == '1' ? VEC_LANES : 4099 * VEC_LANES;
    for (size_t s = 0; s < sizeof(scales) / sizeof(scales[0]); s++)
        for (uint64_t first = 0; first < UINT64_C(1) << 32; first += step) {
            const w4 lo = { 0, 1, 2, 3 };
            const vf unit = vf_from_bits(vi_all((127 - scales[s]) << 23));
            const vi units = vi_add((vi){ lo, lo + w4_all(4) }, vi_all((int)(uint32_t)first));
            const vf x = rounded(units, scales[s]), y = half_nearest(vf_mul(float_to_odd(units), unit));
            if (vm_any(vm_not(vi_eq(vf_bits(x), vf_bits(y)))))
                ck_abort_msg("from %llu on", (unsigned long long)first);
        }
}
END_TEST

#endif

int main(void)
{
#ifdef LW_FAST_VECTORS
    Suite *suite = suite_create("fast_half");
    TCase *tc = tcase_create("half");
    tcase_set_timeout(tc, 0);
    tcase_add_test(tc, near_every_tie);
    tcase_add_test(tc, all_integers);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
#else
    return EXIT_SUCCESS;
#endif
}
