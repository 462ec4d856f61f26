/* SPDX-License-Identifier: MIT */
/*
 * The dot units of CDNA1, CDNA2, RDNA3 and RDNA4 compared with the oracle: chains of steps on random,
 * cancelling, subnormal and special operands, and every pair of small codes. LW_FULL=1 adds every f16 times
 * every f16.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/num/dot.h"
#include "num/amd_oracle.h"
#include "num/oracle.h"

enum { CASES = 110000, STEPS = 4, MOST = 4 };

typedef struct format {
    lw_format_id id;
    amd_format f;
} format;

static const format F16 = { LW_FORMAT_F16, { 16, 5, 10, 15, AMD_IEEE } };
static const format BF16 = { LW_FORMAT_BF16, { 16, 8, 7, 127, AMD_IEEE } };
static const format FP8 = { LW_FORMAT_FP8_OCP, { 8, 4, 3, 7, AMD_ONES } };
static const format BF8 = { LW_FORMAT_BF8_OCP, { 8, 5, 2, 15, AMD_IEEE } };
static const format FP6 = { LW_FORMAT_FP6, { 6, 2, 3, 1, AMD_PLAIN } };
static const format BF6 = { LW_FORMAT_BF6, { 6, 3, 2, 3, AMD_PLAIN } };
static const format FP4 = { LW_FORMAT_FP4, { 4, 2, 1, 1, AMD_PLAIN } };

typedef struct unit_case {
    lw_dot_unit_id unit;
    const format *a, *b;
    lw_dot_acc acc;
    amd_rule rule; /* for RDNA */
} unit_case;

#define ONES(...)                                                                                            \
    {                                                                                                        \
        .ones = true, .scale = 1, __VA_ARGS__                                                                \
    }
#define PAIRS(...)                                                                                           \
    {                                                                                                        \
        .pairs = true, .scale = 1, __VA_ARGS__                                                               \
    }
#define SINGLE(...)                                                                                          \
    {                                                                                                        \
        .one_nan = true, .scale = 1, __VA_ARGS__                                                             \
    }

static const unit_case cases[] = {
    { LW_UNIT_EXACT4, &F16, &F16, LW_ACC_F32, { .scale = 1 } },
    { LW_UNIT_EXACT2, &BF16, &BF16, LW_ACC_F32, { .scale = 1 } },
    { LW_UNIT_TREE4, &F16, &F16, LW_ACC_F32, { .scale = 1 } },
    { LW_UNIT_TREE4, &BF16, &BF16, LW_ACC_F32, { .scale = 1 } },
    { LW_UNIT_TREE2, &BF16, &BF16, LW_ACC_F32, { .scale = 1 } },
    { LW_UNIT_ONES2, &F16, &F16, LW_ACC_F32, ONES(.flush = false) },
    { LW_UNIT_ONES2, &F16, &F16, LW_ACC_F16, ONES(.flush = false) },
    { LW_UNIT_ONES2, &F16, &F16, LW_ACC_F16, ONES(.ovfl = true) },
    { LW_UNIT_ONES2F, &BF16, &BF16, LW_ACC_F32, ONES(.flush = true) },
    { LW_UNIT_ONES2F, &BF16, &BF16, LW_ACC_BF16, ONES(.flush = true) },
    { LW_UNIT_PAIRS4, &F16, &F16, LW_ACC_F32, PAIRS(.flush = false) },
    { LW_UNIT_PAIRS4, &F16, &F16, LW_ACC_F16, PAIRS(.flush = false) },
    { LW_UNIT_PAIRS4, &F16, &F16, LW_ACC_F16, PAIRS(.ovfl = true) },
    { LW_UNIT_PAIRS4, &BF16, &BF16, LW_ACC_F32, PAIRS(.flush = false) },
    { LW_UNIT_PAIRS4, &BF16, &BF16, LW_ACC_BF16, PAIRS(.flush = false) },
    { LW_UNIT_PAIRS2, &F16, &F16, LW_ACC_F32, PAIRS(.flush = false) },
    { LW_UNIT_PAIRS2, &BF16, &BF16, LW_ACC_F32, PAIRS(.flush = false) },
    { LW_UNIT_PAIRS2, &F16, &F16, LW_ACC_F16, PAIRS(.flush = false) },
    { LW_UNIT_SINGLE4, &FP8, &FP8, LW_ACC_F32, SINGLE(.flush = false) },
    { LW_UNIT_SINGLE4, &FP8, &BF8, LW_ACC_F32, SINGLE(.flush = false) },
    { LW_UNIT_SINGLE4, &BF8, &FP8, LW_ACC_F16, SINGLE(.flush = false) },
    { LW_UNIT_SINGLE4, &BF8, &BF8, LW_ACC_F16, SINGLE(.ovfl = true) },
    { LW_UNIT_SINGLE4, &FP4, &FP6, LW_ACC_F32, { .one_nan = true, .scale = 0x1p-9, .scale_e = -9 } },
    { LW_UNIT_SINGLE4, &BF6, &FP8, LW_ACC_F32, { .one_nan = true, .scale = 0x1p-140, .scale_e = -140 } },
    { LW_UNIT_SINGLE4, &FP4, &FP4, LW_ACC_F32, { .one_nan = true, .scale = 195 * 0x1p5, .scale_e = 11 } },
    { LW_UNIT_SINGLE2, &BF8, &FP8, LW_ACC_F32, SINGLE(.flush = false) },
};

static uint32_t code_of(uint64_t *seed, const amd_format *f)
{
    uint64_t code = nasty(seed, f->exp_bits, f->frac_bits);
    /* infinities and NaNs only rarely, since they end a chain */
    if (amd_decode(f, (uint32_t)code).nan || amd_decode(f, (uint32_t)code).inf)
        if (next_random(seed) % 16)
            code ^= (uint64_t)1 << (f->frac_bits + f->exp_bits - 1);
    return (uint32_t)code;
}

static uint32_t acc_code(uint64_t *seed, lw_dot_acc acc)
{
    static const amd_format formats[] = { { 32, 8, 23, 127, AMD_IEEE },
                                          { 16, 5, 10, 15, AMD_IEEE },
                                          { 16, 8, 7, 127, AMD_IEEE } };
    return next_random(seed) % 4 ? code_of(seed, &formats[acc]) : next_random(seed) % 2 ? 0 : 0x8000;
}

/* Operands of one step; often one product is (nearly) the negative of another, or of the accumulator. */
static void make_step(uint64_t *seed, const unit_case *u, int count, uint32_t *a, uint32_t *b)
{
    const uint64_t r = next_random(seed);
    for (int i = 0; i < count; i++) {
        a[i] = code_of(seed, &u->a->f);
        b[i] = code_of(seed, &u->b->f);
        if (r >> i & 16)
            a[i] &= 1u << (u->a->f.bits - 1);
    }
    const int i = (int)(r >> 40) % count, j = (int)(r >> 48) % count;
    if ((r & 3) && i != j) {
        a[i] = a[j] ^ 1u << (u->a->f.bits - 1);
        b[i] = b[j] ^ ((r & 3) == 1 ? 0 : (uint32_t)(r >> 56 & 1));
    }
}

static uint32_t library(const unit_case *u, const uint32_t *a, const uint32_t *b, int count, bool first,
                        uint32_t c)
{
    lw_part pa[MOST], pb[MOST];
    for (int i = 0; i < count; i++) {
        pa[i] = lw_part_make(&lw_formats[u->a->id], a[i], false);
        pb[i] = lw_part_make(&lw_formats[u->b->id], b[i], false);
    }
    int e;
    (void)frexp(u->rule.scale, &e);
    const lw_dot_env env = { .clamp = u->rule.ovfl, .first = first };
    const lw_dot_group group = { .a = pa,
                                 .b = pb,
                                 .count = count,
                                 .frac = u->a->f.frac_bits + u->b->f.frac_bits,
                                 .a_frac = u->a->f.frac_bits,
                                 .scale = u->rule.scale_e,
                                 .scale_frac = 7,
                                 .scale_sig = (uint32_t)ldexp(u->rule.scale, 7 - u->rule.scale_e) };
    return lw_dot_step(&lw_dot_units[u->unit], &group, 1, u->acc, c, &env, NULL);
}

static uint32_t expected(const unit_case *u, const uint32_t *a, const uint32_t *b, int count, bool first,
                         uint32_t c)
{
    amd_value va[MOST], vb[MOST];
    for (int i = 0; i < count; i++) {
        va[i] = amd_decode(&u->a->f, a[i]);
        vb[i] = amd_decode(&u->b->f, b[i]);
    }
    switch ((lw_dot_kind)lw_dot_units[u->unit].kind) {
    case LW_KIND_EXACT:
        return amd_exact_step(va, vb, count, c);
    case LW_KIND_TREE:
        return amd_tree_step(va, vb, count, first, c);
    default:
        return amd_rdna_step(&u->rule, va, vb, count, (amd_acc)u->acc, c);
    }
}

static void compare(const unit_case *u, const uint32_t *a, const uint32_t *b, int count, bool first,
                    uint32_t c, uint32_t *d)
{
    *d = library(u, a, b, count, first, c);
    const uint32_t e = expected(u, a, b, count, first, c);
    if (*d == e)
        return;
    fprintf(stderr, "%s, accumulator %d:", lw_dot_units[u->unit].name, (int)u->acc);
    for (int i = 0; i < count; i++)
        fprintf(stderr, " %x*%x", a[i], b[i]);
    ck_abort_msg("%s + %x: %x, oracle %x", lw_dot_units[u->unit].name, c, *d, e);
}

START_TEST(chains)
{
    const unit_case *u = &cases[_i];
    const int count = lw_dot_units[u->unit].group;
    uint64_t seed = 0x9e3779b97f4a7c15u + (uint64_t)_i;
    for (int n = 0; n < CASES / STEPS; n++) {
        uint32_t c = acc_code(&seed, u->acc);
        for (int step = 0; step < STEPS; step++) {
            uint32_t a[MOST], b[MOST];
            make_step(&seed, u, count, a, b);
            compare(u, a, b, count, step == 0, c, &c);
        }
    }
}
END_TEST

/* Blocks of FMA chains, scaled, then added, computed in host floats. */
START_TEST(blocks)
{
    uint64_t seed = 4242;
    for (int n = 0; n < CASES; n++) {
        const int count = 8, scale = (int)(next_random(&seed) % 40) - 20,
                  sig = 1 + (int)(next_random(&seed) % 15);
        const uint32_t code = acc_code(&seed, LW_ACC_F32);
        float c = f32_of(code), sum = 0;
        lw_part a[8], b[8];
        for (int i = 0; i < count; i++) {
            const uint32_t ca = code_of(&seed, &FP8.f), cb = code_of(&seed, &BF8.f);
            const amd_value va = amd_decode(&FP8.f, ca), vb = amd_decode(&BF8.f, cb);
            a[i] = lw_part_make(&lw_formats[FP8.id], ca, false);
            b[i] = lw_part_make(&lw_formats[BF8.id], cb, false);
            const float x = va.nan ? NAN : (float)(va.neg ? -va.v : va.v);
            const float y = vb.nan   ? NAN
                            : vb.inf ? (vb.neg ? -INFINITY : INFINITY)
                                     : (float)(vb.neg ? -vb.v : vb.v);
            sum = fmaf(x, y, sum);
        }
        c += sum * (float)ldexp(sig, scale);
        const lw_dot_group group = { .a = a,
                                     .b = b,
                                     .count = count,
                                     .frac = 5,
                                     .a_frac = 3,
                                     .scale = scale + 3,
                                     .scale_frac = 3,
                                     .scale_sig = (uint32_t)sig };
        const lw_dot_env env = { .first = true };
        const uint32_t d =
            lw_dot_step(&lw_dot_units[LW_UNIT_BLOCKS], &group, 1, LW_ACC_F32, code, &env, NULL);
        const uint32_t e = isnan(c) ? 0x7fc00000 : bits_of_f32(c);
        ck_assert_msg(d == e, "case %d: %x, host %x", n, d, e);
    }
}
END_TEST

/* Every pair of codes of at most 8 bits, alone and together with its double. */
START_TEST(small_pairs)
{
    static const format *const small[] = { &FP8, &BF8, &FP6, &BF6, &FP4 };
    static const uint32_t accumulators[] = { 0, 0x80000000, 0x3f800000, 0xbf800000, 0x80000001, 0xc3000000 };
    const unit_case u = { LW_UNIT_SINGLE4, small[_i / 5], small[_i % 5], LW_ACC_F32, SINGLE(.flush = false) };
    for (uint32_t a = 0; a < 1u << u.a->f.bits; a++)
        for (uint32_t b = 0; b < 1u << u.b->f.bits; b++)
            for (size_t n = 0; n < sizeof(accumulators) / sizeof(accumulators[0]); n++) {
                const uint32_t as[4] = { a, n & 1 ? a ^ 1 : 0, 0, 0 }, bs[4] = { b, n & 1 ? b : 0, 0, 0 };
                uint32_t d;
                compare(&u, as, bs, 4, true, accumulators[n], &d);
            }
}
END_TEST

/* Every f16 times every f16 (without LW_FULL=1: every 1021st), in the units that take f16. */
START_TEST(f16_pairs)
{
    const char *full = getenv("LW_FULL");
    const uint32_t stride = full && *full == '1' ? 1 : 1021;
    static const lw_dot_unit_id units[] = { LW_UNIT_TREE4, LW_UNIT_ONES2, LW_UNIT_PAIRS4, LW_UNIT_EXACT4 };
    const bool ones = units[_i] == LW_UNIT_ONES2;
    const unit_case u = { units[_i], &F16, &F16, LW_ACC_F32, { .ones = ones, .pairs = !ones, .scale = 1 } };
    const int count = lw_dot_units[u.unit].group;
    for (uint32_t a = 0; a < 0x10000; a++)
        for (uint32_t b = a % stride; b < 0x10000; b += stride) {
            const uint32_t as[4] = { a }, bs[4] = { b };
            uint32_t d;
            compare(&u, as, bs, count, true, 0, &d);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("num_dot_amd");
    TCase *tc = tcase_create("units");
    tcase_set_timeout(tc, 0);
    tcase_add_loop_test(tc, chains, 0, (int)(sizeof(cases) / sizeof(cases[0])));
    tcase_add_test(tc, blocks);
    tcase_add_loop_test(tc, small_pairs, 0, 25);
    tcase_add_loop_test(tc, f16_pairs, 0, 4);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
