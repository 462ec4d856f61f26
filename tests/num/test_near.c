/* SPDX-License-Identifier: MIT */
/*
 * Elementary functions to the nearest number, compared with the host's long double functions rounded once.
 * f16 and bf16: all inputs. f32: a stride over all of them; all of exp2 and log2 if LW_FULL is set.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emu/num/near.h"
#include "tests/num/oracle.h"

typedef uint64_t (*near_fn)(const lw_format *f, const lw_fp_env *e, uint64_t x);

static long double sine(long double x)
{
    return sinl(x);
}

static const struct {
    const char *name;
    near_fn ours;
    long double (*host)(long double);
} functions[] = { { "exp2", lw_near_exp2, exp2l },
                  { "log2", lw_near_log2, log2l },
                  { "tanh", lw_near_tanh, tanhl },
                  { "sin", lw_near_sin, sine },
                  { "cos", lw_near_cos, cosl } };

enum { FUNCTIONS = sizeof(functions) / sizeof(functions[0]), EXP2 = 0, LOG2 = 1 };

static const lw_fp_env kept = { .keep_in = true, .keep_out = true, .nan = LW_NAN_ONES };

/* All NaNs count as one code here. */
static uint32_t code_of(float v)
{
    uint32_t code;
    memcpy(&code, &v, sizeof(code));
    return v != v ? 0x7fffffff : code;
}

/* long double to a short format, to nearest, ties to even, using a grid of whole numbers. */
static uint64_t narrow(long double v, const lw_format *f)
{
    const uint64_t sign = signbit(v) ? lw_fp_sign_bit(f) : 0;
    int exp;
    if (v != v)
        return lw_fp_sign_bit(f) - 1;
    if (isinf(v) || v == 0)
        return sign | (v == 0 ? 0 : lw_fp_inf(f));
    frexpl(v, &exp);
    const int least = 1 - f->bias, e = exp - 1 < least ? least : exp - 1, unit = e - f->frac_bits;
    const uint64_t whole = (uint64_t)nearbyintl(ldexpl(fabsl(v), -unit));
    const uint64_t code = ((uint64_t)(e + f->bias - 1) << f->frac_bits) + whole;
    return sign | (code < lw_fp_inf(f) ? code : lw_fp_inf(f));
}

static long double short_value(uint64_t x, const lw_format *f)
{
    const int field = (int)lw_fp_field(f, x);
    const uint64_t frac = x & (((uint64_t)1 << f->frac_bits) - 1);
    const long double sign = x & lw_fp_sign_bit(f) ? -1 : 1;
    if (lw_fp_magnitude(f, x) >= lw_fp_inf(f))
        return frac ? (long double)NAN : sign * (long double)INFINITY;
    const uint64_t m = field ? frac | (uint64_t)1 << f->frac_bits : frac;
    return sign * ldexpl((long double)m, (field ? field : 1) - f->bias - f->frac_bits);
}

START_TEST(all_inputs_of_16_bits)
{
    const lw_format *formats[] = { &lw_fp_f16, &lw_fp_bf16 };
    for (int k = 0; k < 2; k++)
        for (uint32_t x = 0; x < 0x10000; x++) {
            const lw_format *f = formats[k];
            const uint64_t wanted = narrow(functions[_i].host(short_value(x, f)), f);
            const uint64_t got = functions[_i].ours(f, &kept, x);
            if (got != wanted)
                ck_abort_msg("%s of %04x, format %d: %04x, not %04x", functions[_i].name, (unsigned)x, k,
                             (unsigned)got, (unsigned)wanted);
        }
}
END_TEST

static void try_f32(int number, uint32_t x)
{
    const uint32_t wanted = code_of((float)functions[number].host((long double)f32_of(x)));
    const uint32_t got = (uint32_t)functions[number].ours(&lw_fp_f32, &kept, x);
    if (got != wanted) /* passing assertions would take longer than everything else here */
        ck_abort_msg("%s of %08x: %08x, not %08x", functions[number].name, (unsigned)x, (unsigned)got,
                     (unsigned)wanted);
}

START_TEST(inputs_of_f32)
{
    const bool all = getenv("LW_FULL") && (_i == EXP2 || _i == LOG2);
    const uint64_t stride = all ? 1 : 65521;
    for (uint64_t x = 0; x <= UINT32_MAX; x += stride)
        try_f32(_i, (uint32_t)x);
    for (uint32_t x = 0x3f7f0000; x < 0x3f810000; x += 7) /* around 1 */
        try_f32(_i, x);
}
END_TEST

/* Numbers close to quarter turns: the f32 nearest to k pi / 2. */
START_TEST(quarter_turns)
{
    for (int k = 1; k < 40000; k++) {
        const uint32_t x = code_of((float)(k * (3.14159265358979323846264338327950288L / 2)));
        for (int d = -1; d <= 1; d++) {
            try_f32(3, x + (uint32_t)d);
            try_f32(4, x + (uint32_t)d);
        }
    }
}
END_TEST

START_TEST(subnormals_are_flushed_where_asked)
{
    const lw_fp_env flushes = { .nan = LW_NAN_ONES };
    const uint32_t below = 0x807fffff, x = 0xc2fd0000; /* 2^-126.5 */
    ck_assert_uint_eq(lw_near_exp2(&lw_fp_f32, &flushes, x), 0);
    ck_assert_uint_ne(lw_near_exp2(&lw_fp_f32, &kept, x), 0);
    ck_assert_uint_eq(lw_near_sin(&lw_fp_f32, &flushes, below), 0x80000000);
    ck_assert_uint_eq(lw_near_sin(&lw_fp_f32, &kept, below), below);
    ck_assert_uint_eq(lw_near_log2(&lw_fp_f32, &flushes, 1), 0xff800000);
}
END_TEST

/* The host's root and quotient in binary64, rounded once more: no f32 comes close to a midpoint. */
START_TEST(reciprocal_roots)
{
    for (uint32_t x = 0x00800000; x < 0x7f800000; x += 1021)
        ck_assert_uint_eq(lw_near_rsqrt_f32(x), bits_of_f32((float)(1 / sqrt((double)f32_of(x)))));
    ck_assert_uint_eq(lw_near_rsqrt_f32(0x80000001), 0xff800000);
    ck_assert_uint_eq(lw_near_rsqrt_f32(0xbf800000), 0xffc00000);
    ck_assert_uint_eq(lw_near_rsqrt_f32(0x7f800000), 0);
    ck_assert_uint_eq(lw_near_rsqrt_f32(0xff800001), 0xffc00001);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("num_near");
    TCase *tc = tcase_create("near");
    tcase_set_timeout(tc, 7200);
    tcase_add_loop_test(tc, all_inputs_of_16_bits, 0, FUNCTIONS);
    tcase_add_loop_test(tc, inputs_of_f32, 0, FUNCTIONS);
    tcase_add_test(tc, quarter_turns);
    tcase_add_test(tc, subnormals_are_flushed_where_asked);
    tcase_add_test(tc, reciprocal_roots);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    const int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
