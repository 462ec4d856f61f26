/* SPDX-License-Identifier: MIT */
/* NVIDIA's fused units compared with the oracle in doubles, and the sequences that replace them. */
#include <check.h>
#include <stdlib.h>

#include "emu/num/dot.h"
#include "mma/oracle.h"
#include "num/fused_oracle.h"
#include "num/oracle.h"

enum { CASES = 100000 };

typedef struct format_pair {
    fused_format oracle;
    lw_format_id id;
} format_pair;

static const format_pair formats[] = {
    { { "f16", 16, 5, 10, 15, SPECIAL_IEEE, 0 }, LW_FORMAT_F16 },
    { { "bf16", 16, 8, 7, 127, SPECIAL_IEEE, 0 }, LW_FORMAT_BF16 },
    { { "tf32", 32, 8, 23, 127, SPECIAL_IEEE, 13 }, LW_FORMAT_XF32 },
    { { "e4m3", 8, 4, 3, 7, SPECIAL_ONES, 0 }, LW_FORMAT_FP8_OCP },
    { { "e5m2", 8, 5, 2, 15, SPECIAL_IEEE, 0 }, LW_FORMAT_BF8_OCP },
    { { "e3m2", 6, 3, 2, 3, SPECIAL_NONE, 0 }, LW_FORMAT_BF6 },
    { { "e2m3", 6, 2, 3, 1, SPECIAL_NONE, 0 }, LW_FORMAT_FP6 },
    { { "e2m1", 4, 2, 1, 1, SPECIAL_NONE, 0 }, LW_FORMAT_FP4 },
};

enum { F16, BF16, TF32, E4M3, E5M2, E3M2, E2M3, E2M1 };

/* The rule of each unit, written a second time, and the formats it multiplies. */
static const struct unit_case {
    int unit, a, b, k;
    fused_rule rule;
    bool scaled;
} units[] = {
    { LW_UNIT_FUSED4_23, F16, F16, 4, { 4, 23, -131, -19, 23, false, false }, false },
    { LW_UNIT_FUSED4_24, F16, F16, 4, { 4, 24, -132, -20, 23, false, false }, false },
    { LW_UNIT_FUSED4_24, TF32, TF32, 8, { 4, 24, -132, -20, 23, false, false }, false },
    { LW_UNIT_FUSED8_24, F16, F16, 16, { 8, 24, -132, -20, 23, false, false }, false },
    { LW_UNIT_FUSED8_24, BF16, BF16, 16, { 8, 24, -132, -20, 23, false, false }, false },
    { LW_UNIT_FUSED4_25, TF32, TF32, 8, { 4, 25, -133, -21, 23, false, false }, false },
    { LW_UNIT_FUSED8_25, TF32, TF32, 8, { 8, 25, -133, -21, 23, false, false }, false },
    { LW_UNIT_FUSED16_25, F16, F16, 16, { 16, 25, -133, -21, 23, false, false }, false },
    { LW_UNIT_FUSED16_25, BF16, BF16, 16, { 16, 25, -133, -21, 23, false, false }, false },
    { LW_UNIT_FUSED32_25, E4M3, E5M2, 32, { 32, 25, -133, -21, 23, false, false }, false },
    { LW_UNIT_FUSED32_25, E3M2, E2M1, 32, { 32, 25, -133, -21, 23, false, false }, false },
    { LW_UNIT_FUSED32_25, E2M3, E5M2, 32, { 32, 25, -133, -21, 23, false, false }, false },
    { LW_UNIT_FUSED32_25, E4M3, E4M3, 32, { 32, 25, -133, -21, 23, false, false }, true },
    { LW_UNIT_FUSED32_25, E2M1, E5M2, 32, { 32, 25, -133, -21, 23, false, false }, true },
    { LW_UNIT_FUSED16_13, E4M3, E4M3, 32, { 16, 13, -132, -20, 13, false, false }, false },
    { LW_UNIT_FUSED16_13, E5M2, E4M3, 32, { 16, 13, -132, -20, 13, false, false }, false },
    { LW_UNIT_FUSED32_13, E5M2, E5M2, 32, { 32, 13, -133, -21, 13, false, false }, false },
    /* Other readings for tiny sums. */
    { LW_UNIT_FUSED16_25, BF16, BF16, 16, { 16, 25, -133, -21, 23, false, true }, false },
    { LW_UNIT_FUSED16_25, BF16, BF16, 16, { 16, 25, -126, -126, 23, true, false }, false },
    { LW_UNIT_FUSED8_24, F16, F16, 16, { 8, 24, -126, -126, 23, true, false }, false },
};

/* The exponents of a case: anywhere in the format, or around one centre. */
static uint32_t draw(uint64_t *seed, const fused_format *f, int centre)
{
    const uint64_t r = next_random(seed);
    if (f->bits <= 8 || centre < 0)
        return (uint32_t)(r & ((UINT64_C(1) << f->bits) - 1));
    if (r % 16 == 0)
        return (uint32_t)nasty(seed, f->exp_bits, f->frac_bits);
    int field = centre + (int)(r >> 8 & 15) - 8;
    field = field < 0 ? 0 : field >= 1 << f->exp_bits ? (1 << f->exp_bits) - 1 : field;
    const uint32_t frac = r >> 16 & 3 ? (uint32_t)(r >> 20) : 0;
    return (uint32_t)(r >> 63) << (f->bits - 1) | (uint32_t)field << f->frac_bits |
           (frac & ((1u << f->frac_bits) - 1));
}

typedef struct operands {
    lw_part a[FUSED_MAX_K], b[FUSED_MAX_K];
    fused_value va[FUSED_MAX_K], vb[FUSED_MAX_K];
} operands;

static void put(operands *o, int i, const format_pair *fa, uint32_t a, const format_pair *fb, uint32_t b)
{
    o->a[i] = lw_part_make(&lw_formats[fa->id], a, true);
    o->b[i] = lw_part_make(&lw_formats[fb->id], b, true);
    o->va[i] = fused_decode(&fa->oracle, a);
    o->vb[i] = fused_decode(&fb->oracle, b);
}

static void fill(operands *o, uint64_t *seed, const format_pair *fa, const format_pair *fb, int count)
{
    const uint64_t style = next_random(seed);
    const int ca = style & 3 ? (int)(style >> 8) & ((1 << fa->oracle.exp_bits) - 1) : -1;
    const int cb = style & 3 ? (int)(style >> 24) & ((1 << fb->oracle.exp_bits) - 1) : -1;
    for (int i = 0; i < count; i++)
        put(o, i, fa, draw(seed, &fa->oracle, ca), fb, draw(seed, &fb->oracle, cb));
    for (int i = 0; i < count; i++) {
        const uint64_t r = next_random(seed);
        /* Sparse and cancelling products reveal the alignment. */
        if (style >> 40 & 1 && r & 3)
            put(o, i, fa, 0, fb, 0);
        else if (style >> 41 & 1 && i && r >> 2 & 1) {
            o->a[i] = o->a[i - 1], o->b[i] = o->b[i - 1], o->va[i] = o->va[i - 1], o->vb[i] = o->vb[i - 1];
            o->a[i].neg ^= 1;
            o->va[i].v = -o->va[i].v;
        }
    }
}

static uint32_t draw_c(uint64_t *seed, bool narrow)
{
    const uint64_t r = next_random(seed);
    if (r % 4 == 0)
        return r >> 8 & 1 ? 0 : narrow ? 0x8000 : 0x80000000;
    return (uint32_t)nasty(seed, narrow ? 5 : 8, narrow ? 10 : 23);
}

static uint32_t run_unit(const lw_dot_unit *unit, const operands *o, int frac, int a_frac, int k, int scale,
                         bool narrow, uint32_t c)
{
    static const lw_dot_env env;
    lw_dot_group groups[LW_DOT_MAX_GROUPS];
    int n = 0;
    for (int i = 0; i < k; i += unit->group)
        groups[n++] = (lw_dot_group){ .a = o->a + i,
                                      .b = o->b + i,
                                      .count = k - i < unit->group ? k - i : unit->group,
                                      .frac = frac,
                                      .a_frac = a_frac,
                                      .scale = scale,
                                      .scale_sig = 1 };
    return lw_dot_step(unit, groups, n, narrow ? LW_ACC_F16 : LW_ACC_F32, c, &env, NULL);
}

START_TEST(fused_units_agree_with_the_oracle)
{
    const struct unit_case *u = &units[_i];
    const format_pair *fa = &formats[u->a], *fb = &formats[u->b];
    const int a_frac = lw_part_frac(&lw_formats[fa->id]), frac = a_frac + lw_part_frac(&lw_formats[fb->id]);
    lw_dot_unit unit = lw_dot_units[u->unit];
    uint64_t seed = 0x9e3779b97f4a7c15u + (unsigned)_i;
    operands *o = malloc(sizeof(*o));
    ck_assert_ptr_nonnull(o);
    unit.plus_underflow = u->rule.plus_underflow;
    if (u->rule.zero_terms) {
        unit.zero_terms = true;
        unit.floor32 = unit.floor16 = (int16_t)u->rule.floor32;
    }
    for (int n = 0; n < CASES; n++) {
        const bool narrow = n & 1 && !u->scaled && u->a != TF32 && u->a != BF16;
        const int k = n % 5 == 0 ? u->k / 2 : u->k;
        const int scale = u->scaled ? (int)(next_random(&seed) % 509) - 254 : 0;
        fill(o, &seed, fa, fb, k);
        const uint32_t c = draw_c(&seed, narrow);
        const uint32_t want = fused_oracle(&u->rule, o->va, o->vb, k, scale, narrow, c);
        const uint32_t got = run_unit(&unit, o, frac, a_frac, k, scale, narrow, c);
        ck_assert_msg(got == want, "%s, %s * %s, case %d, c %08x: %08x, not %08x", unit.name, fa->oracle.name,
                      fb->oracle.name, n, c, got, want);
    }
    free(o);
}
END_TEST

/* A scale code: ue8m0, or ue4m3, whose top bit is ignored. */
static fused_scale scale_of(uint32_t code, bool ue4m3)
{
    if (!ue4m3)
        return (fused_scale){ .sig = 1, .e = (int)code - 127, .nan = code == 255 };
    const int field = (int)(code >> 3 & 15), frac = (int)(code & 7);
    return (fused_scale){ field ? 8 + frac : frac, (field ? field : 1) - 7, 3, (code & 127) == 127 };
}

START_TEST(scaled_sums_agree_with_the_oracle)
{
    static const lw_dot_env env;
    const lw_dot_unit *unit = &lw_dot_units[LW_UNIT_FUSED_MX4];
    const format_pair *f = &formats[E2M1];
    uint64_t seed = 77;
    operands *o = malloc(sizeof(*o));
    ck_assert_ptr_nonnull(o);
    for (int n = 0; n < 2 * CASES; n++) {
        lw_dot_group groups[4];
        fused_scale scales[4];
        fill(o, &seed, f, f, 64);
        const uint64_t r = next_random(&seed);
        for (int q = 0; q < 4; q++) {
            const uint64_t bytes = next_random(&seed);
            const bool ue4m3 = n & 1;
            /* Exponents of ue8m0 close to each other, so that the sums overlap. */
            const uint32_t near = (uint32_t)(r >> 8 & 255) + (uint32_t)(bytes >> 32 & 31);
            const fused_scale sa = scale_of(r % 3 ? near & 255 : bytes & 255, ue4m3),
                              sb = scale_of(bytes >> 8 & 255, ue4m3);
            if (r % 3 && !ue4m3)
                scales[q] = scale_of((uint32_t)(127 + (bytes >> 40 & 15)), false);
            else
                scales[q] =
                    (fused_scale){ sa.sig * sb.sig, sa.e + sb.e, sa.frac + sb.frac, sa.nan || sb.nan };
            groups[q] = (lw_dot_group){ .a = o->a + 16 * q,
                                        .b = o->b + 16 * q,
                                        .count = 16,
                                        .frac = 2,
                                        .a_frac = 1,
                                        .scale = scales[q].e,
                                        .scale_sig = (uint32_t)scales[q].sig,
                                        .scale_frac = scales[q].frac,
                                        .scale_nan = scales[q].nan };
        }
        const uint32_t c = draw_c(&seed, false);
        const uint32_t want = fused_scaled_oracle(35, -139, o->va, o->vb, scales, 4, 16, c);
        const uint32_t got = lw_dot_step(unit, groups, 4, LW_ACC_F32, c, &env, NULL);
        ck_assert_msg(got == want, "case %d, c %08x: %08x, not %08x", n, c, got, want);
    }
    free(o);
}
END_TEST

static uint32_t fma_ones(uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t r = oracle_fma32(a, b, c);
    return r == 0x7fc00000 ? 0x7fffffff : r;
}

static uint32_t f32_of_f16(uint32_t code)
{
    const uint32_t sign = code >> 15 << 31;
    if ((code & 0x7c00) == 0x7c00)
        return sign | (code & 0x3ff ? 0x7fc00000 : 0x7f800000);
    return sign | bits_of_f32((float)fabs(f16_value(code)));
}

START_TEST(pairs_and_chains_agree_with_fused_multiply_adds)
{
    uint64_t seed = 5;
    operands *o = malloc(sizeof(*o));
    ck_assert_ptr_nonnull(o);
    for (int n = 0; n < CASES / 4; n++) {
        uint32_t a[4], b[4];
        for (int i = 0; i < 4; i++) {
            const uint32_t ca = (uint32_t)nasty(&seed, 5, 10), cb = (uint32_t)nasty(&seed, 5, 10);
            put(o, i, &formats[F16], ca, &formats[F16], cb);
            a[i] = f32_of_f16(ca);
            b[i] = f32_of_f16(cb);
        }
        const uint32_t c = n & 1 ? 0 : draw_c(&seed, false), minus_zero = 0x80000000, one = 0x3f800000;
        uint32_t chain = c;
        for (int i = 0; i < 4; i++)
            chain = fma_ones(a[i], b[i], chain);
        const uint32_t p = fma_ones(a[1], b[1], fma_ones(a[0], b[0], minus_zero));
        const uint32_t q = fma_ones(a[3], b[3], fma_ones(a[2], b[2], minus_zero));
        const uint32_t pairs = fma_ones(one, q, fma_ones(one, p, c));
        ck_assert_uint_eq(run_unit(&lw_dot_units[LW_UNIT_FMA32_ONES], o, 20, 10, 4, 0, false, c), chain);
        ck_assert_uint_eq(run_unit(&lw_dot_units[LW_UNIT_FMA_PAIRS], o, 20, 10, 4, 0, false, c), pairs);
    }
    free(o);
}
END_TEST

/* Examples 11, 12 and 12'' of docs/numerics.md on the unit that mma.sync does not use: sm_90's fp8 for
 * wgmma. */
START_TEST(warpgroup_unit)
{
    static const struct {
        int k[5];
        uint32_t a[5], b[5], c, d;
    } cases[] = {
        { { 0 }, { 0 }, { 0 }, 0x3f8003ff, 0x3f800000 },
        { { 1, 8, 9, 22, 30 },
          { 0x38, 0x21, 0xc5, 0x45, 0x5b },
          { 0x3b, 0x3f, 0x4d, 0x38, 0x4d },
          0x3eaaaaab,
          0x42fe2c00 },
    };
    const lw_dot_unit *unit = &lw_dot_units[LW_UNIT_FUSED32_13];
    operands *o = malloc(sizeof(*o));
    ck_assert_ptr_nonnull(o);
    for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
        for (int i = 0; i < 32; i++)
            put(o, i, &formats[E4M3], 0, &formats[E4M3], 0);
        for (int i = 0; i < 5; i++)
            put(o, cases[n].k[i], &formats[E4M3], cases[n].a[i], &formats[E4M3], cases[n].b[i]);
        ck_assert_uint_eq(run_unit(unit, o, 6, 3, 32, 0, false, cases[n].c), cases[n].d);
    }
    for (int i = 0; i < 32; i++)
        put(o, i, &formats[E4M3], i ? 0x01 : 0x78, &formats[E4M3], 0x38);
    ck_assert_uint_eq(run_unit(unit, o, 6, 3, 32, 0, false, 0), 0x43800000);
    free(o);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fused");
    TCase *tc = tcase_create("fused");
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, fused_units_agree_with_the_oracle, 0, sizeof(units) / sizeof(units[0]));
    tcase_add_test(tc, scaled_sums_agree_with_the_oracle);
    tcase_add_test(tc, warpgroup_unit);
    tcase_add_test(tc, pairs_and_chains_agree_with_fused_multiply_adds);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
