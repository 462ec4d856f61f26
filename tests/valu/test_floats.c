/* SPDX-License-Identifier: MIT */
/* Each row of float arithmetic does the operation of its mnemonic, in its format, with its sources in order
 * and its upper half cleared or kept. The operations themselves: tests/num. */
#include <check.h>

#include "emu/num/fp_div.h"
#include "emu/num/transc.h"
#include "tests/num/oracle.h"
#include "tests/valu/wave_kit.h"

enum { DST = 20, ROUNDS = 40 };

static kit k;

typedef uint64_t (*one_fn)(const lw_format *, const lw_fp_env *, uint64_t);
typedef uint64_t (*two_fn)(const lw_format *, const lw_fp_env *, uint64_t, uint64_t);
typedef uint64_t (*three_fn)(const lw_format *, const lw_fp_env *, uint64_t, uint64_t, uint64_t);
typedef uint32_t (*half_fn)(const lw_fp_env *, uint32_t);
typedef uint64_t (*wide_fn)(const lw_fp_env *, uint64_t);
typedef uint32_t (*model_fn)(uint32_t);

typedef struct row {
    const char *name;
    lw_exec_fn fn;
    const lw_format *fmt;
    one_fn one;
    two_fn two;
    three_fn three;
    half_fn half;
    wide_fn wide;
    model_fn model;
    bool keeps; /* the upper half of the register */
} row;

#define ROW(name_, fmt_, ...)                                                                                \
    {                                                                                                        \
        .name = #name_, .fn = lw_sem_##name_, .fmt = &lw_fp_##fmt_, __VA_ARGS__                              \
    }
#define EACH(name_, ...)                                                                                     \
    ROW(name_##_f16, f16, __VA_ARGS__), ROW(name_##_f32, f32, __VA_ARGS__), ROW(name_##_f64, f64, __VA_ARGS__)

static const row rows[] = {
    EACH(v_trunc, .one = lw_fp_trunc),
    EACH(v_ceil, .one = lw_fp_ceil),
    EACH(v_floor, .one = lw_fp_floor),
    EACH(v_rndne, .one = lw_fp_rndne),
    EACH(v_fract, .one = lw_fp_fract),
    EACH(v_frexp_mant, .one = lw_fp_frexp_mant),
    EACH(v_min, .two = lw_fp_min),
    EACH(v_max, .two = lw_fp_max),
    EACH(v_add, .two = lw_fp_add),
    EACH(v_mul, .two = lw_fp_mul),
    ROW(v_sub_f16, f16, .two = lw_fp_sub),
    ROW(v_subrev_f16, f16, .two = lw_fp_subrev),
    ROW(v_min3_f16, f16, .three = lw_fp_min3, .keeps = true),
    ROW(v_min3_f32, f32, .three = lw_fp_min3),
    ROW(v_max3_f16, f16, .three = lw_fp_max3, .keeps = true),
    ROW(v_max3_f32, f32, .three = lw_fp_max3),
    ROW(v_med3_f16, f16, .three = lw_fp_med3, .keeps = true),
    ROW(v_med3_f32, f32, .three = lw_fp_med3),
    ROW(v_minimum3_f32, f32, .three = lw_fp_minimum3),
    ROW(v_maximum3_f32, f32, .three = lw_fp_maximum3),
    ROW(v_fma_f16, f16, .three = lw_fp_fma, .keeps = true),
    ROW(v_fma_legacy_f16, f16, .three = lw_fp_fma),
    ROW(v_mad_f16, f16, .three = lw_fp_mad, .keeps = true),
    ROW(v_mad_legacy_f16, f16, .three = lw_fp_mad),
    ROW(v_div_fixup_f16, f16, .three = lw_fp_div_fixup, .keeps = true),
    ROW(v_div_fixup_legacy_f16, f16, .three = lw_fp_div_fixup),
    ROW(v_div_fixup_f32, f32, .three = lw_fp_div_fixup),
    ROW(v_div_fixup_f64, f64, .three = lw_fp_div_fixup),
    ROW(v_exp_f32, f32, .model = lw_exp2_f32),
    ROW(v_log_f32, f32, .model = lw_log2_f32),
    ROW(v_rcp_f32, f32, .model = lw_rcp_f32),
    ROW(v_rcp_iflag_f32, f32, .model = lw_rcp_f32),
    ROW(v_rsq_f32, f32, .model = lw_rsq_f32),
    ROW(v_sqrt_f32, f32, .model = lw_sqrt_f32),
    ROW(v_sin_f32, f32, .half = lw_sin_f32),
    ROW(v_cos_f32, f32, .half = lw_cos_f32),
    ROW(v_exp_f16, f16, .half = lw_exp2_f16),
    ROW(v_log_f16, f16, .half = lw_log2_f16),
    ROW(v_rcp_f16, f16, .half = lw_rcp_f16),
    ROW(v_rsq_f16, f16, .half = lw_rsq_f16),
    ROW(v_sqrt_f16, f16, .half = lw_sqrt_f16),
    ROW(v_sin_f16, f16, .half = lw_sin_f16),
    ROW(v_cos_f16, f16, .half = lw_cos_f16),
    ROW(v_rcp_f64, f64, .wide = lw_rcp_f64),
    ROW(v_rsq_f64, f64, .wide = lw_rsq_f64),
    ROW(v_sqrt_f64, f64, .wide = lw_sqrt_f64),
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* Random MODE, with separate fields for f32 and for f16 and f64; and what it means for the row's format. */
static lw_fp_env draw_mode(const lw_format *fmt)
{
    const uint32_t r = (uint32_t)(kit_random(&k) >> 24);
    const unsigned at = fmt == &lw_fp_f32 ? 0 : 2;
    k.w.mode = (r & 0xff) | (r & 0x100 ? LW_MODE_IEEE : 0) | (r & 0x200 ? LW_MODE_FP16_OVFL : 0) |
               LW_MODE_DX10_CLAMP;
    return (lw_fp_env){ .round = r >> at & 3,
                        .keep_in = r >> (4 + at) & 1,
                        .keep_out = r >> (5 + at) & 1,
                        .ieee = r >> 8 & 1,
                        .dx10_clamp = true,
                        .saturate = fmt == &lw_fp_f16 && r >> 9 & 1 };
}

static uint64_t want(const row *r, const lw_fp_env *e, const uint64_t s[3])
{
    return r->one                       ? r->one(r->fmt, e, s[0])
           : r->two                     ? r->two(r->fmt, e, s[0], s[1])
           : r->three                   ? r->three(r->fmt, e, s[0], s[1], s[2])
           : r->half                    ? r->half(e, (uint32_t)s[0])
           : r->wide                    ? r->wide(e, s[0])
           : lw_fp_is_nan(r->fmt, s[0]) ? lw_fp_pass_nan(r->fmt, e, s[0])
                                        : r->model((uint32_t)s[0]);
}

START_TEST(what_the_mnemonic_says)
{
    const row *r = &rows[_i];
    const bool is_half = r->fmt == &lw_fp_f16, is_wide = r->fmt == &lw_fp_f64;
    for (unsigned n = 0; n < ROUNDS; n++) {
        const lw_fp_env e = draw_mode(r->fmt);
        lw_decoded in = kit_inst(DST, 0, 2, 4);
        uint64_t s[64][3];
        uint32_t old[64];
        for (unsigned lane = 0; lane < 64; lane++)
            for (unsigned i = 0; i < 3; i++) {
                s[lane][i] = nasty(&k.seed, r->fmt->exp_bits, r->fmt->frac_bits);
                k.vgpr[2 * i][lane] = (uint32_t)s[lane][i] | (is_half ? (uint32_t)kit_random(&k) << 16 : 0);
                k.vgpr[2 * i + 1][lane] = (uint32_t)(s[lane][i] >> 32);
                in.src[i].dwords = is_wide ? 2 : 1;
            }
        memcpy(old, k.vgpr[DST], sizeof(old));
        ck_assert_int_eq(r->fn(&k.w, &in), LW_STEP_NEXT);
        for (unsigned lane = 0; lane < 64; lane++) {
            const uint64_t upper = r->keeps ? old[lane] & 0xffff0000 : 0, w = want(r, &e, s[lane]) | upper;
            const uint64_t got = k.vgpr[DST][lane] | (is_wide ? (uint64_t)k.vgpr[DST + 1][lane] << 32 : 0);
            if (got != w)
                ck_abort_msg("%s(%llx, %llx, %llx) = %llx, not %llx, MODE %x", r->name,
                             (unsigned long long)s[lane][0], (unsigned long long)s[lane][1],
                             (unsigned long long)s[lane][2], (unsigned long long)got, (unsigned long long)w,
                             k.w.mode);
        }
    }
}
END_TEST

/* Source 1 is an integer, of 16 bits for f16. */
START_TEST(scaling_by_powers)
{
    static const struct {
        lw_exec_fn fn;
        const lw_format *fmt;
    } forms[] = { { lw_sem_v_ldexp_f16, &lw_fp_f16 },
                  { lw_sem_v_ldexp_f32, &lw_fp_f32 },
                  { lw_sem_v_ldexp_f64, &lw_fp_f64 } };
    for (unsigned n = 0; n < 3 * ROUNDS; n++) {
        const lw_format *fmt = forms[n % 3].fmt;
        const lw_fp_env e = draw_mode(fmt);
        lw_decoded in = kit_inst(DST, 0, 2, 4);
        in.src[0].dwords = fmt == &lw_fp_f64 ? 2 : 1;
        uint64_t x[64];
        for (unsigned lane = 0; lane < 64; lane++) {
            x[lane] = nasty(&k.seed, fmt->exp_bits, fmt->frac_bits);
            k.vgpr[0][lane] = (uint32_t)x[lane];
            k.vgpr[1][lane] = (uint32_t)(x[lane] >> 32);
            k.vgpr[2][lane] =
                lane % 8 ? (uint32_t)((int)(kit_random(&k) >> 50 & 127) - 64) : (uint32_t)kit_random(&k);
        }
        ck_assert_int_eq(forms[n % 3].fn(&k.w, &in), LW_STEP_NEXT);
        for (unsigned lane = 0; lane < 64; lane++) {
            const uint32_t by = k.vgpr[2][lane];
            const uint64_t w = lw_fp_ldexp(fmt, &e, x[lane], n % 3 ? (int32_t)by : (int16_t)(by & 0xffff));
            ck_assert_uint_eq(k.vgpr[DST][lane], (uint32_t)w);
            if (n % 3 == 2)
                ck_assert_uint_eq(k.vgpr[DST + 1][lane], w >> 32);
        }
    }
}
END_TEST

static void setup(void)
{
    kit_reset(&k, LW_ARCH_GFX950);
}

/* MAD of f32 rounds the product, then the sum, and flushes whatever MODE says (AMD Vega ISA manual; LLVM
 * assumes the same): worked out by hand. */
START_TEST(mad_rounds_twice_and_flushes)
{
    static const struct {
        uint32_t a, b, c, sum, legacy;
    } cases[] = {
        { 0x3f800001, 0x3f800001, 0xbf800002, 0, 0 },                   /* 1 + 2^-22 + 2^-46 - 1 - 2^-22 */
        { 0x3fc00000, 0x40000000, 0x3f800000, 0x40800000, 0x40800000 }, /* 1.5 * 2 + 1 */
        { 0x0d800000, 0x2b800000, 0, 0, 0 },                            /* 2^-100 * 2^-40 */
        { 0x00400000, 0x4b000000, 0x3f800000, 0x3f800000, 0x3f800000 }, /* a subnormal source */
        { 0x3f800000, 0x00800000, 0x80400000, 0x00800000, 0x00800000 }, /* a subnormal addend */
        { 0, 0x7f800000, 0x3f800000, 0xffc00000, 0x3f800000 },          /* 0 * Inf + 1 */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (unsigned form = 0; form < 3; form++) {
            static const lw_exec_fn run[] = { lw_sem_v_mad_f32, lw_sem_v_mac_f32, lw_sem_v_mad_legacy_f32 };
            const lw_decoded in = kit_inst(form == 1 ? 2 : DST, 0, 1, 2);
            kit_reset(&k, LW_ARCH_GFX90A);
            k.vgpr[0][5] = cases[i].a;
            k.vgpr[1][5] = cases[i].b;
            k.vgpr[2][5] = cases[i].c;
            ck_assert_int_eq(run[form](&k.w, &in), LW_STEP_NEXT);
            ck_assert_uint_eq(k.vgpr[in.dst.reg][5], form == 2 ? cases[i].legacy : cases[i].sum);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("floats");
    TCase *tc = tcase_create("floats");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_loop_test(tc, what_the_mnemonic_says, 0, ROWS);
    tcase_add_test(tc, scaling_by_powers);
    tcase_add_test(tc, mad_rounds_twice_and_flushes);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
