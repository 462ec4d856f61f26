/* SPDX-License-Identifier: MIT */
/* Every code of every format of up to 16 bits, compared with host arithmetic and the tables of the
 * manuals. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

#include "emu/mma/pack.h"
#include "emu/mma/text.h"
#include "emu/num/fp.h"
#include "emu/num/part.h"
#include "isa_tables/matrix.h"
#include "isa_tables/ptx/op.h"

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
    if (f->bits > 16 || !f->exp_bits || f->top == LW_TOP_SCALE)
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

/* A code consists of sign (if there is one), exponent and fraction; for an integer, everything but the sign
 * is fraction. */
START_TEST(columns_agree)
{
    const lw_format *f = &lw_formats[_i];
    const bool no_sign = f->top == LW_TOP_UINT || f->top == LW_TOP_BITS || f->top == LW_TOP_SCALE ||
                         _i == LW_FORMAT_E5M3; /* its ninth bit is not in the code */
    ck_assert_msg(f->bits == f->exp_bits + f->frac_bits + !no_sign, "%s", f->name);
    ck_assert_msg(f->exp_bits || !f->bias, "%s", f->name);
    for (int other = 0; other < _i; other++)
        ck_assert_str_ne(lw_formats[other].name, f->name);
    ck_assert_ptr_nonnull(f->source);
}
END_TEST

/* Types that PTX calls signed are signed in the table of formats, and so on. */
START_TEST(types_of_ptx)
{
    for (int t = LW_PTX_TYPE_NONE + 1; t < LW_PTX_TYPE_COUNT; t++) {
        const lw_ptx_type_info *type = &lw_ptx_types[t];
        const lw_format *f = &lw_formats[type->format];
        const bool is_float = f->exp_bits != 0;
        ck_assert_msg(type->kind != LW_PTX_CLASS_SIGNED || f->top == LW_TOP_INT, "%s", type->word);
        ck_assert_msg(type->kind != LW_PTX_CLASS_UNSIGNED || f->top == LW_TOP_UINT, "%s", type->word);
        ck_assert_msg(type->kind != LW_PTX_CLASS_BITS || f->top == LW_TOP_BITS, "%s", type->word);
        ck_assert_msg(type->kind != LW_PTX_CLASS_FLOAT || is_float, "%s", type->word);
        ck_assert_msg(type->kind == LW_PTX_CLASS_PACKED || type->count == 1, "%s", type->word);
        const unsigned each =
            type->count > 1 && f->bits == 6 ? 8 : f->bits; /* in a pack, six bits take a byte */
        ck_assert_msg(type->bits == type->count * each, "%s", type->word);
    }
    ck_assert_uint_eq(lw_ptx_types[LW_PTX_TYPE_E2M3X4].bits, 32);
    ck_assert_uint_eq(lw_ptx_types[LW_PTX_TYPE_E2M1X4].bits, 16);
    ck_assert_uint_eq(lw_ptx_types[LW_PTX_TYPE_E2M3].bits, 6);
}
END_TEST

/* The NaN belongs to the environment, not to the format. */
START_TEST(nans)
{
    static const struct {
        const lw_format *f;
        uint64_t snan, quieted, made, quiet, ones;
    } rows[] = {
        { &lw_fp_f64, UINT64_C(0xfff0000000000001), UINT64_C(0xfff8000000000001),
          UINT64_C(0xfff8000000000000), UINT64_C(0x7ff8000000000000), UINT64_C(0x7fffffffffffffff) },
        { &lw_fp_f32, 0xff800001, 0xffc00001, 0xffc00000, 0x7fc00000, 0x7fffffff },
        { &lw_fp_f16, 0xfc01, 0xfe01, 0xfe00, 0x7e00, 0x7fff },
        { &lw_fp_bf16, 0xff81, 0xffc1, 0xffc0, 0x7fc0, 0x7fff },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const lw_format *f = rows[i].f;
        const uint64_t inf = lw_fp_inf(f), zero = 0, one = (uint64_t)f->bias << f->frac_bits;
        lw_fp_env e = { .keep_in = true, .keep_out = true };
        ck_assert(lw_fp_add(f, &e, rows[i].snan, one) == rows[i].snan);
        e.ieee = true;
        ck_assert(lw_fp_add(f, &e, rows[i].snan, one) == rows[i].quieted);
        ck_assert(lw_fp_mul(f, &e, inf, zero) == rows[i].made);
        for (int rule = LW_NAN_QUIET; rule <= LW_NAN_ONES; rule++) {
            const uint64_t want = rule == LW_NAN_ONES ? rows[i].ones : rows[i].quiet;
            e.nan = (uint8_t)rule;
            ck_assert(lw_fp_add(f, &e, rows[i].snan, one) == want);
            ck_assert(lw_fp_mul(f, &e, inf, zero) == want);
            ck_assert(lw_fp_fma(f, &e, one, one, rows[i].snan) == want);
            ck_assert(lw_fp_trunc(f, &e, rows[i].snan) == want);
            ck_assert(lw_fp_convert(&lw_fp_f32, &e, f, &e, 0xff800001) == want);
        }
    }
}
END_TEST

/* One more row is all that a format needs: no code refers to formats by name. Five bits, with infinities. */
START_TEST(made_up)
{
    static const lw_format dream = { "dream e3m1", 5, 3, 1, 3, LW_TOP_IEEE, "nobody" };
    enum { CODES = 32, WORDS = CODES * 5 / 32 };
    const lw_mma_port port = { .elements = CODES, .row_elements = CODES, .words = WORDS, .row_words = WORDS };
    const lw_fp_env env = { .keep_in = true, .keep_out = true, .nan = LW_NAN_QUIET };
    uint8_t codes[CODES], back[CODES] = { 0 };
    uint32_t image[WORDS] = { 0 };
    for (unsigned c = 0; c < CODES; c++)
        codes[c] = (uint8_t)c;
    lw_mma_pack_rows(&port, &dream, codes, image);
    ck_assert_uint_eq(image[0], 0u | 1u << 5 | 2u << 10 | 3u << 15 | 4u << 20 | 5u << 25 | 6u << 30);
    lw_mma_unpack_rows(&port, &dream, image, back);
    ck_assert_mem_eq(codes, back, sizeof(codes));
    for (unsigned c = 0; c < CODES; c++) {
        const double v = value_of(&dream, lw_part_make(&dream, c, false));
        const uint64_t wide = lw_fp_convert(&dream, &env, &lw_fp_f32, &env, c);
        const uint32_t bits = (uint32_t)wide;
        char text[LW_NUMBER_TEXT];
        float f;
        memcpy(&f, &bits, sizeof(f));
        lw_text_code(&dream, c, text);
        ck_assert_msg(isnan(v) == (c % 16 == 15), "%u", c);
        ck_assert_msg(isnan(v) || ((double)f == v && strtod(text, NULL) == v), "%u: %g %g %s", c, v,
                      (double)f, text);
        ck_assert_uint_eq(lw_fp_convert(&lw_fp_f32, &env, &dream, &env, wide), isnan(v) ? 15 : c);
    }
    ck_assert_uint_eq(lw_fp_add(&dream, &env, 6, 6), 8);   /* 1 + 1 = 2 */
    ck_assert_uint_eq(lw_fp_mul(&dream, &env, 13, 8), 14); /* 12 * 2 overflows */
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
    tcase_add_loop_test(tc, columns_agree, 0, LW_FORMAT_COUNT);
    tcase_add_test(tc, types_of_ptx);
    tcase_add_test(tc, nans);
    tcase_add_test(tc, made_up);
    tcase_add_test(tc, architectures);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
