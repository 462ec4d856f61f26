/* SPDX-License-Identifier: MIT */
/* The transcendental models compared with libm in binary64: within one unit in the last place, and the
 * special values. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "emu/num/transc.h"
#include "tests/num/oracle.h"

static const lw_fp_env keep = { .keep_in = true, .keep_out = true, .ieee = true, .dx10_clamp = true };
static const lw_fp_env flush = { .keep_in = false, .keep_out = false, .ieee = true };

static double as_f16(uint32_t bits)
{
    const double m = bits & 0x3ff, sign = bits & 0x8000 ? -1 : 1;
    const int e = bits >> 10 & 31;
    if (e == 31)
        return m != 0 ? NAN : sign * INFINITY;
    return sign * (e ? ldexp(1024 + m, e - 25) : ldexp(m, -24));
}

/* Distance in units of the exact value's last place, for a significand of `digits` bits. */
static double ulps(double got, double want, int digits, int emin)
{
    int e;
    frexp(want, &e);
    e = e - 1 < emin ? emin : e - 1;
    return fabs(got - want) / ldexp(1, e - digits + 1);
}

typedef struct model {
    const char *name;
    uint32_t (*run)(uint32_t);
    double (*exact)(double);
    double limit;
} model;

static double exact_rcp(double x)
{
    return 1 / x;
}

static double exact_rsq(double x)
{
    return 1 / sqrt(x);
}

static const model models[] = {
    { "exp2", lw_exp2_f32, exp2, 0.80 },    { "log2", lw_log2_f32, log2, 1.0 },
    { "sqrt", lw_sqrt_f32, sqrt, 0.95 },    { "rcp", lw_rcp_f32, exact_rcp, 0.95 },
    { "rsq", lw_rsq_f32, exact_rsq, 0.95 },
};

START_TEST(models_stay_within_an_ulp)
{
    const model *m = &models[_i];
    uint64_t seed = 88172645463325252u;
    double worst = 0;
    for (int i = 0; i < 2000000; i++) {
        uint32_t x = (uint32_t)next_random(&seed);
        if (i & 1) /* near 1 and small arguments, where the segments change */
            x = (x & 0x80ffffffu) | 0x3f000000u;
        const double in = (double)f32_of(x);
        const double want = m->exact(in);
        if ((x >> 23 & 0xff) == 0 || isnan(want) || isinf(in) || isinf(want))
            continue;
        if (fabs(want) < ldexp(1, -126) || fabs(want) >= ldexp(1, 128))
            continue;
        const uint32_t r = m->run(x);
        const double off = ulps((double)f32_of(r), want, 24, -126);
        worst = off > worst ? off : worst;
        ck_assert_msg(off <= m->limit, "%s(%08x) = %08x is %f ulp off", m->name, x, r, off);
    }
    ck_assert(worst > 0.4);
}
END_TEST

typedef struct special {
    uint32_t (*run)(uint32_t);
    uint32_t in, out;
} special;

static const special specials[] = {
    { lw_exp2_f32, 0xff800000, 0 },          { lw_exp2_f32, 0x7f800000, 0x7f800000 },
    { lw_exp2_f32, 0x00000000, 0x3f800000 }, { lw_exp2_f32, 0xb3000000, 0x3f800000 },
    { lw_exp2_f32, 0x43000000, 0x7f800000 }, { lw_exp2_f32, 0xc2fe0000, 0 }, /* 2^-127 */
    { lw_exp2_f32, 0xc2fc0000, 0x00800000 }, { lw_exp2_f32, 0x7f800001, 0x7fc00001 },
    { lw_exp2_f32, 0x40400000, 0x41000000 }, { lw_log2_f32, 0x00000000, 0xff800000 },
    { lw_log2_f32, 0x80000001, 0xff800000 }, { lw_log2_f32, 0xbf800000, 0xffc00000 },
    { lw_log2_f32, 0x3f800000, 0 },          { lw_log2_f32, 0x7f800000, 0x7f800000 },
    { lw_log2_f32, 0x41000000, 0x40400000 }, { lw_log2_f32, 0xff812345, 0xffc12345 },
    { lw_rcp_f32, 0x00000000, 0x7f800000 },  { lw_rcp_f32, 0x80000005, 0xff800000 },
    { lw_rcp_f32, 0xff800000, 0x80000000 },  { lw_rcp_f32, 0x7f000000, 0 },
    { lw_rcp_f32, 0x7e800000, 0x00800000 },  { lw_rcp_f32, 0x00800000, 0x7e800000 },
    { lw_rsq_f32, 0x80000000, 0xff800000 },  { lw_rsq_f32, 0xbf800000, 0xffc00000 },
    { lw_rsq_f32, 0x7f800000, 0 },           { lw_rsq_f32, 0x40800000, 0x3f000000 },
    { lw_rsq_f32, 0x00000007, 0x7f800000 },  { lw_sqrt_f32, 0x80000000, 0x80000000 },
    { lw_sqrt_f32, 0xbf800000, 0xffc00000 }, { lw_sqrt_f32, 0x007fffff, 0 },
    { lw_sqrt_f32, 0x40800000, 0x40000000 }, { lw_sqrt_f32, 0x7f800000, 0x7f800000 },
};

START_TEST(special_values)
{
    const special *s = &specials[_i];
    const uint32_t r = s->run(s->in);
    ck_assert_msg(r == s->out, "case %d: %08x gives %08x, not %08x", _i, s->in, r, s->out);
}
END_TEST

START_TEST(f16_forms_over_all_inputs)
{
    struct {
        uint32_t (*run)(const lw_fp_env *, uint32_t);
        double (*exact)(double);
    } const ops[] = { { lw_exp2_f16, exp2 },
                      { lw_log2_f16, log2 },
                      { lw_sqrt_f16, sqrt },
                      { lw_rcp_f16, exact_rcp },
                      { lw_rsq_f16, exact_rsq } };
    for (uint32_t x = 0; x < 0x10000; x++) {
        const double want = ops[_i].exact(as_f16(x));
        const uint32_t r = ops[_i].run(&keep, x);
        const double got = as_f16(r);
        if (isnan(want))
            ck_assert_msg(isnan(got), "op %d (%04x) = %04x", _i, x, r);
        else if (fabs(want) >= 65520)
            ck_assert_msg(isinf(got) && (got > 0) == (want > 0), "op %d (%04x) = %04x", _i, x, r);
        else
            ck_assert_msg(ulps(got, want, 11, -14) <= 0.501, "op %d (%04x) = %04x", _i, x, r);
    }
    const lw_fp_env ovfl = { .keep_in = true, .keep_out = true, .ieee = true, .saturate = true };
    ck_assert_uint_eq(lw_rcp_f16(&ovfl, 0x8000), 0xfbff);
    ck_assert_uint_eq(lw_rcp_f16(&keep, 0x8000), 0xfc00);
    ck_assert_uint_eq(lw_rcp_f16(&flush, 0x8001), 0xfc00);
    ck_assert_uint_eq(lw_exp2_f16(&ovfl, 0x4c00), 0x7bff);
    ck_assert_uint_eq(lw_exp2_f16(&ovfl, 0x5800), 0x7bff); /* 2^128 and beyond still overflow */
    ck_assert_uint_eq(lw_exp2_f16(&ovfl, 0x7bff), 0x7bff);
    ck_assert_uint_eq(lw_exp2_f16(&ovfl, 0x7c00), 0x7c00); /* an infinite source is not an overflow */
    ck_assert_uint_eq(lw_exp2_f16(&keep, 0x5800), 0x7c00);
}
END_TEST

/* AMD promises 2^29 units of the last place; its unit keeps 2^28. */
START_TEST(f64_forms)
{
    static const struct {
        uint64_t (*run)(const lw_fp_env *, uint64_t);
        double (*exact)(double);
    } ops[] = { { lw_rcp_f64, exact_rcp }, { lw_rsq_f64, exact_rsq }, { lw_sqrt_f64, sqrt } };
    uint64_t seed = 2463534242u;
    for (int i = 0; i < 200000; i++) {
        const uint64_t x = next_random(&seed);
        const double in = f64_of(x);
        for (int op = 0; op < 3; op++) {
            const double got = f64_of(ops[op].run(&keep, x)), want = ops[op].exact(in);
            if (isnormal(in) && isnormal(want))
                ck_assert_msg(ulps(got, want, 53, -1022) < 0x1p28, "op %d: %a gives %a", op, in, got);
        }
    }
    ck_assert_uint_eq(lw_rcp_f64(&keep, 0x8000000000000000u), 0xfff0000000000000u);
    ck_assert_uint_eq(lw_rcp_f64(&keep, 0x4000000000000000u), 0x3fe0000000000000u);
    ck_assert_uint_eq(lw_rcp_f64(&flush, 1), 0x7ff0000000000000u);
    ck_assert_uint_eq(lw_rcp_f64(&keep, 0x3fefffffffffffffu), 0x3ff0000000000001u); /* every fraction bit */
    ck_assert_uint_eq(lw_rcp_f64(&keep, 0x3ff0000000000001u), 0x3fefffffffffffffu); /* the lowest one */
    ck_assert_uint_eq(lw_rcp_f64(&keep, 0x7fefffffffffffffu), 0x0004000000000001u);
    ck_assert_uint_eq(lw_rcp_f64(&flush, 0x7fefffffffffffffu), 0);
    ck_assert_uint_eq(lw_rsq_f64(&keep, 0x3ff0000000000001u), 0x3fefffffffffffffu);
    ck_assert_uint_eq(lw_rsq_f64(&keep, 0x4010000000000000u), 0x3fe0000000000000u);
    ck_assert_uint_eq(lw_sqrt_f64(&keep, 0x8000000000000000u), 0x8000000000000000u);
    ck_assert_uint_eq(lw_rsq_f64(&keep, 0xfff0000000000001u), 0xfff8000000000001u);
    ck_assert_uint_eq(lw_sqrt_f64(&keep, 0xbff0000000000000u), 0xfff8000000000000u);
}
END_TEST

/* The bound that docs/numerics.md states: the largest error of any f32, 2^-22.92. */
#define TRIG_BOUND 1.26e-7

START_TEST(sine_and_cosine)
{
    const double two_pi = 6.283185307179586476925;
    double worst = 0;
    uint64_t seed = 362436069u;
    for (int i = 0; i < 400000; i++) {
        const uint32_t raw = (uint32_t)next_random(&seed);
        const uint32_t x = (raw & 0x80ffffffu) + ((0x38u + (raw >> 24 & 0xf)) << 24); /* 2^-15 .. 2^17 */
        const double in = (double)f32_of(x), turn = in - floor(in);
        const double angle = two_pi * (turn > 0.5 ? turn - 1 : turn);
        const double s = (double)f32_of(lw_sin_f32(&keep, x)), c = (double)f32_of(lw_cos_f32(&keep, x));
        const double slack = fabs(in) < 0x1.8p-12 ? fabs(sin(angle)) * 5.2e-7 : TRIG_BOUND;
        ck_assert_msg(fabs(s - sin(angle)) <= slack, "sin %a = %a", in, s);
        ck_assert_msg(fabs(c - cos(angle)) <= TRIG_BOUND, "cos %a = %a", in, c);
        worst = fmax(worst, fmax(fabs(s - sin(angle)), fabs(c - cos(angle))));
    }
    ck_assert(worst > 0.9 * TRIG_BOUND);
    ck_assert_uint_eq(lw_sin_f32(&keep, 0x3e800000), 0x3f800000); /* a quarter turn */
    ck_assert_uint_eq(lw_sin_f32(&keep, 0xbe800000), 0xbf800000);
    ck_assert_uint_eq(lw_cos_f32(&keep, 0x3f000000), 0xbf800000);
    ck_assert_uint_eq(lw_cos_f32(&keep, 0x3e800000), 0);
    ck_assert_uint_eq(lw_cos_f32(&keep, 0x80000000), 0x3f800000);
    ck_assert_uint_eq(lw_sin_f32(&keep, 0x80000000), 0x80000000);
    ck_assert_uint_eq(lw_sin_f32(&keep, 0xcb000000), 0);
    ck_assert_uint_eq(lw_cos_f32(&keep, 0xcb000000), 0x3f800000);
    ck_assert_uint_eq(lw_sin_f32(&keep, 0x7f800000), 0xffc00000);
    ck_assert_uint_eq(lw_sin_f32(&flush, 0x80000001), 0x80000000);
    ck_assert_uint_eq(lw_sin_f32(&keep, 0x00000002), 0x0000000d);
}
END_TEST

int main(void)
{
    enum { MODELS = sizeof(models) / sizeof(models[0]), SPECIALS = sizeof(specials) / sizeof(specials[0]) };
    Suite *suite = suite_create("transc");
    TCase *tc = tcase_create("transc");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, models_stay_within_an_ulp, 0, MODELS);
    tcase_add_loop_test(tc, special_values, 0, SPECIALS);
    tcase_add_loop_test(tc, f16_forms_over_all_inputs, 0, 5);
    tcase_add_test(tc, f64_forms);
    tcase_add_test(tc, sine_and_cosine);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
