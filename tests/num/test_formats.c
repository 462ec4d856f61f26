/* SPDX-License-Identifier: MIT */
/* Every code of every format of up to 16 bits, against host arithmetic and the tables of the manuals. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

#include "emu/num/fp.h"
#include "emu/num/part.h"

static double value_of(const lw_format *f, lw_part p)
{
    const double v = ldexp((double)p.sig, p.exp - lw_part_frac(f));
    return p.kind == LW_PART_NAN   ? NAN
           : p.kind == LW_PART_INF ? (p.neg ? -INFINITY : INFINITY)
           : p.neg                 ? -v
                                   : v;
}

/* The rule in one line: m * 2^(1-bias-mbits) or (1 + m/2^mbits) * 2^(field-bias), specials by name of the
 * format. */
static double manual(const lw_format *f, unsigned code)
{
    const int e = f->exp_bits, m = f->frac_bits;
    const unsigned frac = code % (1u << m), field = code / (1u << m) % (1u << e), neg = code >> (e + m) & 1;
    const bool fnuz = strstr(f->name, "fnuz") != NULL;
    const bool ieee = !fnuz && (f->bits == 16 || strcmp(f->name, "bf8 e5m2") == 0);
    if (fnuz && code == 0x80)
        return NAN;
    if (strcmp(f->name, "fp8 e4m3") == 0 && (code & 0x7f) == 0x7f)
        return NAN;
    if (ieee && field == (1u << e) - 1)
        return frac ? NAN : neg ? -INFINITY : INFINITY;
    if ((strcmp(f->name, "ue4m3") == 0 && (code & 0x7f) == 0x7f) ||
        (strcmp(f->name, "e5m3") == 0 && code == 0xff))
        return NAN;
    const double v = field ? ldexp(1 + ldexp(frac, -m), (int)field - f->bias) : ldexp(frac, 1 - f->bias - m);
    return neg && f->name[0] != 'u' ? -v : v;
}

START_TEST(every_code)
{
    const lw_format *f = &lw_formats[_i];
    if (f->bits > 16 || f->top == LW_TOP_INT || f->top == LW_TOP_UINT || f->top == LW_TOP_SCALE)
        return;
    for (unsigned code = 0; code < 1u << f->bits; code++) {
        const double want = manual(f, code), got = value_of(f, lw_part_make(f, code, false));
        if (!(isnan(want) ? isnan(got) : want == got && !signbit(want) == !signbit(got)))
            ck_abort_msg("%s %04x: %g, not %g", f->name, code, got, want);
        char text[32];
        if (lw_mma_decode(f->name, code, text, sizeof(text)) != LW_OK)
            ck_abort_msg("%s", f->name);
        const double read = strtod(text, NULL);
        if (!(isnan(want) ? isnan(read) : want == read && !signbit(want) == !signbit(read)))
            ck_abort_msg("%s %04x prints %s", f->name, code, text);
    }
}
END_TEST

START_TEST(listed_values)
{
    static const double fp4[8] = { 0, 0.5, 1, 1.5, 2, 3, 4, 6 };
    for (unsigned c = 0; c < 8; c++)
        ck_assert(value_of(&lw_formats[LW_FORMAT_FP4], lw_part_make(&lw_formats[LW_FORMAT_FP4], c, false)) ==
                  fp4[c]);
    for (unsigned c = 0; c < 32; c++) {
        const double fp6 = c < 16 ? c / 8.0 : c < 24 ? (8 + c % 8) / 4.0 : (8 + c % 8) / 2.0;
        const double bf6 = c < 4 ? c / 16.0 : ldexp(4 + c % 4, (int)(c / 4) - 5);
        ck_assert(value_of(&lw_formats[LW_FORMAT_FP6], lw_part_make(&lw_formats[LW_FORMAT_FP6], c, false)) ==
                  fp6);
        ck_assert(value_of(&lw_formats[LW_FORMAT_BF6], lw_part_make(&lw_formats[LW_FORMAT_BF6], c, false)) ==
                  bf6);
    }
    static const struct {
        lw_format_id id;
        uint32_t code;
        double value;
    } named[] = {
        { LW_FORMAT_FP8_FNUZ, 0x7f, 240 },  { LW_FORMAT_FP8_FNUZ, 0x08, 0x1p-7 },
        { LW_FORMAT_FP8_FNUZ, 1, 0x1p-10 }, { LW_FORMAT_BF8_FNUZ, 0x7f, 57344 },
        { LW_FORMAT_BF8_FNUZ, 4, 0x1p-15 }, { LW_FORMAT_BF8_FNUZ, 1, 0x1p-17 },
        { LW_FORMAT_FP8_OCP, 0x7e, 448 },   { LW_FORMAT_FP8_OCP, 8, 0x1p-6 },
        { LW_FORMAT_FP8_OCP, 1, 0x1p-9 },   { LW_FORMAT_BF8_OCP, 0x7b, 57344 },
        { LW_FORMAT_BF8_OCP, 4, 0x1p-14 },  { LW_FORMAT_BF8_OCP, 1, 0x1p-16 },
        { LW_FORMAT_BF16, 1, 0x1p-133 },    { LW_FORMAT_F16, 1, 0x1p-24 },
        { LW_FORMAT_F32, 1, 0x1p-149 },     { LW_FORMAT_XF32, 0x2000, 0x1p-136 },
        { LW_FORMAT_XF32, 0x1fff, 0 },      { LW_FORMAT_XF32, 0x3f801fff, 1 },
    };
    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
        const lw_format *f = &lw_formats[named[i].id];
        ck_assert_msg(value_of(f, lw_part_make(f, named[i].code, false)) == named[i].value, "%s %x", f->name,
                      named[i].code);
    }
}
END_TEST

START_TEST(masked_nan)
{
    const lw_format *xf32 = &lw_formats[LW_FORMAT_XF32];
    ck_assert_int_eq(lw_part_make(xf32, 0x7f800001, false).kind, LW_PART_NAN);
    ck_assert_int_eq(lw_part_make(xf32, 0x7f800001, true).kind, LW_PART_INF);
    ck_assert_int_eq(lw_part_make(xf32, 0x7fc00000, true).kind, LW_PART_NAN);
}
END_TEST

/* The vector ALU has a table of formats of its own; both mean the same. */
START_TEST(same_as_scalar_formats)
{
    static const struct {
        lw_format_id id;
        const lw_fp_fmt *fmt;
    } pairs[] = {
        { LW_FORMAT_F64, &lw_fp_f64 },           { LW_FORMAT_F32, &lw_fp_f32 },
        { LW_FORMAT_F16, &lw_fp_f16 },           { LW_FORMAT_BF16, &lw_fp_bf16 },
        { LW_FORMAT_FP8_OCP, &lw_fp_fp8 },       { LW_FORMAT_BF8_OCP, &lw_fp_bf8 },
        { LW_FORMAT_FP8_FNUZ, &lw_fp_fp8_fnuz }, { LW_FORMAT_BF8_FNUZ, &lw_fp_bf8_fnuz },
        { LW_FORMAT_FP6, &lw_fp_fp6 },           { LW_FORMAT_BF6, &lw_fp_bf6 },
        { LW_FORMAT_FP4, &lw_fp_fp4 },
    };
    static const uint8_t tops[] = { [LW_TOP_IEEE] = LW_FP_TOP_IEEE,
                                    [LW_TOP_NAN] = LW_FP_TOP_NAN,
                                    [LW_TOP_NUMBER] = LW_FP_TOP_NUMBER,
                                    [LW_TOP_FNUZ] = LW_FP_TOP_FNUZ };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        const lw_format *f = &lw_formats[pairs[i].id];
        ck_assert_int_eq(f->exp_bits, pairs[i].fmt->exp_bits);
        ck_assert_int_eq(f->frac_bits, pairs[i].fmt->frac_bits);
        ck_assert_int_eq(f->bias, pairs[i].fmt->bias);
        ck_assert_int_eq(tops[f->top], pairs[i].fmt->top);
        ck_assert_int_eq(f->bits, 1 + f->exp_bits + f->frac_bits);
    }
}
END_TEST

START_TEST(architectures)
{
    ck_assert_str_eq(lw_format_of(LW_ELEM_FP8, LW_ARCH_GFX942)->name, "fp8 e4m3 fnuz");
    ck_assert_str_eq(lw_format_of(LW_ELEM_BF8, LW_ARCH_GFX942)->name, "bf8 e5m2 fnuz");
    ck_assert_str_eq(lw_format_of(LW_ELEM_FP8, LW_ARCH_GFX950)->name, "fp8 e4m3");
    ck_assert_str_eq(lw_format_of(LW_ELEM_BF8, LW_ARCH_GFX950)->name, "bf8 e5m2");
    ck_assert_ptr_null(lw_format_of(LW_ELEM_CBSZ, LW_ARCH_GFX950));
    ck_assert_ptr_null(lw_format_of(LW_ELEM_INDEX, LW_ARCH_GFX950));
    ck_assert_ptr_null(lw_format_of(LW_ELEM_NONE, LW_ARCH_GFX950));
    ck_assert_uint_eq(lw_format_bytes(lw_format_of(LW_ELEM_FP4, LW_ARCH_GFX950)), 1);
    ck_assert_uint_eq(lw_format_bytes(lw_format_of(LW_ELEM_BF16, LW_ARCH_GFX950)), 2);
    ck_assert_uint_eq(lw_format_bytes(lw_format_of(LW_ELEM_F64, LW_ARCH_GFX950)), 8);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("num_formats");
    TCase *tc = tcase_create("formats");
    tcase_add_loop_test(tc, every_code, 0, LW_FORMAT_COUNT);
    tcase_add_test(tc, listed_values);
    tcase_add_test(tc, masked_nan);
    tcase_add_test(tc, same_as_scalar_formats);
    tcase_add_test(tc, architectures);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
