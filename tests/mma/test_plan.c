/* SPDX-License-Identifier: MIT */
/* Prepared instructions: modes, touched aspects, evidence, readings, explanations, refusals. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_tables/recipes.h"
#include "tiles.h"

typedef struct single {
    lw_mma *mma;
    lw_mma_shape s;
    tile t;
    uint64_t d[2048];
    uint32_t touched;
} single;

/* An instruction with all operands zero, ready for single elements. */
static single *start(lw_arch arch, const char *mnemonic, const char *mods, const char *reading)
{
    single *x = calloc(1, sizeof(*x));
    const lw_insn *insn;
    lw_mods m;
    lw_error error = { "" };
    ck_assert_ptr_nonnull(x);
    ck_assert_msg(lw_insn_find(arch, mnemonic, &insn, &error) == LW_OK, "%s", error.text);
    ck_assert_msg(lw_mods_parse(arch, insn, mods, &m, &error) == LW_OK, "%s", error.text);
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options),
                                     .mods = &m,
                                     .readings = &reading,
                                     .reading_count = reading != NULL };
    ck_assert_msg(lw_mma_create(arch, insn, &options, &x->mma, &error) == LW_OK, "%s", error.text);
    ck_assert_int_eq(lw_mma_get_shape(x->mma, &x->s), LW_OK);
    memset(x->t.scale_a, 127, sizeof(x->t.scale_a));
    memset(x->t.scale_b, 127, sizeof(x->t.scale_b));
    return x;
}

static void finish(single *x)
{
    lw_mma_free(x->mma);
    free(x);
}

/* A[0][k] and B[k][0]. */
static void product(single *x, unsigned k, uint64_t a, uint64_t b)
{
    tile_put(x->t.a, k, x->s.a_bytes, a);
    tile_put(x->t.b, (size_t)k * x->s.n, x->s.b_bytes, b);
}

static uint64_t run(single *x, uint64_t c, uint32_t mode)
{
    tile_put(x->t.c, 0, x->s.c_bytes, c);
    lw_mma_matrices mat = tile_matrices(&x->s, &x->t, x->d);
    mat.mode = mode;
    ck_assert_int_eq(lw_mma_execute_matrices(x->mma, &mat, &x->touched), LW_OK);
    return tile_get(x->d, 0, x->s.d_bytes);
}

enum { OVFL = LW_MMA_MODE_FP16_OVFL, FLUSH = LW_MMA_MODE_F32_FLUSH_IN | LW_MMA_MODE_F32_FLUSH_OUT };

START_TEST(fp16_ovfl)
{
    single *x = start(LW_ARCH_GFX950, "v_mfma_f32_32x32x8_f16", "", NULL);
    product(x, 0, 0x7bff, 0x7bff);
    ck_assert_uint_eq(run(x, 0x7f7fffff, 0), 0x7f7fffff); /* the product is below half an ulp */
    finish(x);
    x = start(LW_ARCH_GFX950, "v_mfma_f32_32x32x8_bf16", "", NULL);
    product(x, 0, 0x7f7f, 0x3f80);
    ck_assert_uint_eq(run(x, 0x7f7f0000, 0), 0x7f800000);
    ck_assert_uint_eq(x->touched, 1u << LW_MMA_FINITE | 1u << LW_MMA_OVERFLOW);
    ck_assert_uint_eq(run(x, 0x7f7f0000, OVFL), 0x7f7fffff);
    ck_assert_uint_eq(x->touched, 1u << LW_MMA_FINITE | 1u << LW_MMA_OVERFLOW | 1u << LW_MMA_MODE);
    ck_assert_uint_eq(run(x, 0x7f800000, OVFL), 0x7f800000); /* an infinite operand is not an overflow */
    finish(x);
    x = start(LW_ARCH_GFX950, "v_mfma_f32_32x32x8_bf16", "", "fp16-ovfl:ignored");
    product(x, 0, 0xff7f, 0x3f80);
    ck_assert_uint_eq(run(x, 0xff7f0000, OVFL), 0xff800000);
    ck_assert(x->touched & 1u << LW_MMA_MODE); /* the other reading differs */
    ck_assert_uint_eq(run(x, 0x7f7f0000, OVFL), 0);
    ck_assert(!(x->touched & 1u << LW_MMA_MODE));
    finish(x);
    x = start(LW_ARCH_GFX942, "v_mfma_f32_32x32x2_f32", "", NULL);
    product(x, 0, 0xff7fffff, 0x40000000);
    ck_assert_uint_eq(run(x, 0, OVFL), 0xff7fffff);
    ck_assert_int_eq(lw_mma_weakest(x->mma, x->touched), LW_LABEL_INFERRED); /* CDNA4's rule, carried over */
    ck_assert_uint_eq(run(x, 0, 0), 0xff800000);
    ck_assert_int_eq(lw_mma_weakest(x->mma, x->touched), LW_LABEL_MEASURED);
    ck_assert_uint_eq(run(x, 0x3f800000, OVFL), 0xff7fffff);
    product(x, 0, 0x3f800000, 0x40000000);
    ck_assert_uint_eq(run(x, 0x3f800000, OVFL), 0x40400000); /* no overflow: MODE has no effect */
    ck_assert_int_eq(lw_mma_weakest(x->mma, x->touched), LW_LABEL_MEASURED);
    finish(x);
    x = start(LW_ARCH_GFX1201, "v_wmma_f32_16x16x16_bf16", "", NULL); /* RDNA clamps f16 results only */
    product(x, 0, 0x7f7f, 0x3f80);
    ck_assert_uint_eq(run(x, 0x7f7f0000, OVFL), 0x7f800000);
    ck_assert(!(x->touched & 1u << LW_MMA_MODE));
    finish(x);
}
END_TEST

START_TEST(integers)
{
    single *x = start(LW_ARCH_GFX950, "v_mfma_i32_16x16x32_i8", "", NULL);
    product(x, 0, 0x80, 0x80); /* 16384 */
    ck_assert_uint_eq(run(x, 0x7fffffff, 0), 0x80003fff);
    ck_assert_uint_eq(x->touched, 1u << LW_MMA_FINITE | 1u << LW_MMA_OVERFLOW);
    ck_assert_uint_eq(run(x, 0x7fffffff, OVFL), 0x7fffffff);
    ck_assert_uint_eq(x->touched, 1u << LW_MMA_FINITE | 1u << LW_MMA_OVERFLOW | 1u << LW_MMA_MODE);
    ck_assert_uint_eq(run(x, 5, OVFL), 16389);
    ck_assert_uint_eq(x->touched, 1u << LW_MMA_FINITE);
    product(x, 1, 0x7f, 0x80); /* -16256 */
    ck_assert_uint_eq(run(x, 0x7fffffff - 130, OVFL), 0x7ffffffd);
    product(x, 0, 0, 0);
    ck_assert_uint_eq(run(x, 0x80000000, OVFL), 0x80000000);
    ck_assert_uint_eq(run(x, 0x80000000, 0), 0x7fffc080);
    finish(x);
}
END_TEST

START_TEST(f32_denormals)
{
    single *x = start(LW_ARCH_GFX942, "v_mfma_f32_32x32x2_f32", "", NULL);
    product(x, 0, 0x80000001, 0x3f800000);
    ck_assert_uint_eq(run(x, 0, 0), 0x80000001);
    ck_assert_uint_eq(x->touched, 1u << LW_MMA_FINITE | 1u << LW_MMA_SUBNORMAL);
    ck_assert_uint_eq(run(x, 0, FLUSH), 0);
    ck_assert(x->touched & 1u << LW_MMA_MODE);
    product(x, 0, 0x80800000, 0x3f000000);
    ck_assert_uint_eq(run(x, 0x80000000, 0), 0x80400000);
    ck_assert_uint_eq(run(x, 0x80000000, LW_MMA_MODE_F32_FLUSH_IN),
                      0); /* the second step's accumulator is a source */
    finish(x);
    x = start(LW_ARCH_GFX950, "v_mfma_f32_32x32x2_f32", "", "f32-denorm:kept");
    product(x, 0, 0x80000001, 0x3f800000);
    ck_assert_uint_eq(run(x, 0, FLUSH), 0x80000001);
    finish(x);
    x = start(LW_ARCH_GFX942, "v_mfma_f32_32x32x8_f16", "", NULL); /* MODE does not affect narrower formats */
    product(x, 0, 0x0001, 0x0001);
    ck_assert_uint_eq(run(x, 0x007fffff, FLUSH), 0x27800000);
    ck_assert_uint_eq(run(x, 0, FLUSH), 0x27800000);
    ck_assert(!(x->touched & 1u << LW_MMA_MODE));
    finish(x);
    x = start(LW_ARCH_GFX908, "v_mfma_f32_32x32x2f32", "", NULL); /* nor on gfx908 */
    product(x, 0, 0x80000001, 0x3f800000);
    ck_assert_uint_eq(run(x, 0, FLUSH), 0x80000001);
    ck_assert(!(x->touched & 1u << LW_MMA_MODE));
    finish(x);
}
END_TEST

START_TEST(scales)
{
    single *x = start(LW_ARCH_GFX950, "v_mfma_scale_f32_16x16x128_f8f6f4", "cbsz:4 blgp:4", NULL);
    product(x, 0, 2, 2);
    product(x, 127, 4, 2);
    ck_assert_uint_eq(run(x, 0, 0), 0x40400000); /* 1 + 2 */
    x->t.scale_b[3] = 130;
    ck_assert_uint_eq(run(x, 0, 0), 0x41880000); /* 1 + 16 */
    x->t.scale_a[3] = 0;
    x->t.scale_b[3] = 0;
    ck_assert_uint_eq(run(x, 0, 0), 0x3f800000); /* 2^-253 is too small */
    product(x, 0, 0, 0);
    ck_assert_uint_eq(run(x, 0, 0), 0); /* rounds to zero */
    x->t.scale_a[3] = 0xfe;
    x->t.scale_b[3] = 0xfe;
    ck_assert_uint_eq(run(x, 0, 0), 0x7f800000);
    x->t.scale_a[1] = 0xff; /* a block of zeros */
    ck_assert_uint_eq(run(x, 0, 0), 0x7fc00000);
    ck_assert_uint_eq(tile_get(x->d, x->s.n, 4), 0); /* the next row has scales of its own */
    finish(x);
}
END_TEST

/*
 * Cases in which the vectorised code computes differently from the reference. By hand: the normalised total
 * keeps no bit below 2^-157, so 2^-150 + 2^-158 is a tie and 2^-150 + 2^-157 is not; 2^31 + 128 + 1/4 is a
 * tie because the total keeps no bit below 1, 2^31 + 129 is not; a C of exactly -2^(E-25) is still added.
 */
START_TEST(least_exponents)
{
    single *x = start(LW_ARCH_GFX942, "v_mfma_f32_32x32x8_bf16", "", NULL);
    product(x, 0, 0x1a00, 0x1a00);
    product(x, 1, 0x1800, 0x1800);
    ck_assert_uint_eq(run(x, 0, 0), 0);
    product(x, 1, 0x1880, 0x1800);
    ck_assert_uint_eq(run(x, 0, 0), 1);
    product(x, 0, 0, 0);
    product(x, 1, 0x1800, 0x1800);
    ck_assert_uint_eq(run(x, 0, 0), 0); /* nothing is left of 2^-158 */
    product(x, 1, 0x9800, 0x1800);
    ck_assert_uint_eq(run(x, 0, 0), 0x80000000); /* -2^-158 is floored to -2^-157 */
    finish(x);
    x = start(LW_ARCH_GFX950, "v_mfma_scale_f32_16x16x128_f8f6f4", "cbsz:0 blgp:0", NULL);
    memset(x->t.scale_a, 52, sizeof(x->t.scale_a));
    memset(x->t.scale_b, 52, sizeof(x->t.scale_b));
    product(x, 0, 0x38, 0x38);
    product(x, 1, 0x18, 0x18);
    ck_assert_uint_eq(run(x, 0, 0), 0);
    product(x, 1, 0x20, 0x18);
    ck_assert_uint_eq(run(x, 0, 0), 1);
    finish(x);
}
END_TEST

START_TEST(fp4_edges)
{
    single *x = start(LW_ARCH_GFX950, "v_mfma_scale_f32_16x16x128_f8f6f4", "cbsz:4 blgp:4", NULL);
    product(x, 0, 7, 7); /* 36 three times, 18, 2, 1/4 */
    product(x, 3, 7, 7);
    product(x, 6, 7, 7);
    product(x, 9, 7, 5);
    product(x, 10, 2, 4);
    product(x, 31, 1, 1);
    ck_assert_uint_eq(run(x, 0x4f000000, 0), 0x4f000000);
    product(x, 30, 1, 3); /* 129 */
    ck_assert_uint_eq(run(x, 0x4f000000, 0), 0x4f000001);
    finish(x);
    x = start(LW_ARCH_GFX950, "v_mfma_scale_f32_16x16x128_f8f6f4", "cbsz:4 blgp:4", NULL);
    product(x, 0, 7, 7);
    product(x, 1, 0xf, 7);
    ck_assert_uint_eq(run(x, 0xb5000000, 0), 0xb5800000);
    ck_assert_uint_eq(run(x, 0xb4ffffff, 0), 0x00000000);
    ck_assert_uint_eq(run(x, 0x357fffff, 0), 0x00000000);
    ck_assert_uint_eq(run(x, 0x35800000, 0), 0x35800000);
    finish(x);
}
END_TEST

/* Products whose exponents are outside the range in which binary32 scales are normal numbers. */
START_TEST(wide_exponents)
{
    uint64_t state = 3;
    for (int n = 0; n < 40; n++) {
        single *x =
            start(LW_ARCH_GFX942, n % 2 ? "v_mfma_f32_32x32x4_xf32" : "v_mfma_f32_32x32x8_bf16", "", NULL);
        const lw_mma_options options = { .struct_size = sizeof(lw_mma_options), .reference_only = true };
        lw_mma *reference;
        static uint64_t want[2048];
        ck_assert_int_eq(lw_mma_create(LW_ARCH_GFX942, x->s.insn, &options, &reference, NULL), LW_OK);
        const unsigned middle = (unsigned)(n / 2) * 12 + 10, shift = x->s.a_bits - 9u;
        for (size_t i = 0; i < 32u * x->s.k; i++) {
            const uint64_t r = next_random(&state), q = next_random(&state);
            tile_put(x->t.a, i, x->s.a_bytes, (r & 0x807f) << (shift - 7) | (middle + r % 7) << shift);
            tile_put(x->t.b, i, x->s.b_bytes, (q & 0x7f) << (shift - 7) | (middle + q % 7) << shift);
        }
        for (size_t i = 0; i < 1024; i++) {
            /* C is 2^9 to 2^22 times a product; in every fourth tile it is zero in places. */
            const uint64_t r = next_random(&state), field = 2 * middle + 15 + r % 8;
            const uint64_t kept = field < 122 ? 0 : field - 121 > 254 ? 254 : field - 121;
            tile_put(x->t.c, i, 4, n % 8 < 6 || i % 3 ? (r >> 8 & 0x807fffff) | kept << 23 : 0);
        }
        lw_mma_matrices mat = tile_matrices(&x->s, &x->t, x->d);
        ck_assert_int_eq(lw_mma_execute_matrices(x->mma, &mat, NULL), LW_OK);
        mat.d = want;
        ck_assert_int_eq(lw_mma_execute_matrices(reference, &mat, NULL), LW_OK);
        ck_assert_mem_eq(x->d, want, 1024 * 4);
        lw_mma_free(reference);
        finish(x);
    }
}
END_TEST

START_TEST(touched_zeros)
{
    single *x = start(LW_ARCH_GFX942, "v_mfma_f32_16x16x32_fp8_fp8", "", NULL);
    ck_assert_uint_eq(run(x, 0, 0), 0);
    ck_assert_uint_eq(x->touched, 1u << LW_MMA_FINITE); /* zeros everywhere: plainly +0 */
    product(x, 0, 0x40, 0x40);
    ck_assert_uint_eq(run(x, 0xbf800000, 0), 0);
    ck_assert_uint_eq(x->touched, 1u << LW_MMA_FINITE | 1u << LW_MMA_ZERO_SIGN);
    ck_assert_int_eq(lw_mma_weakest(x->mma, x->touched), LW_LABEL_INFERRED);
    ck_assert_int_eq(lw_mma_weakest(x->mma, 0), LW_LABEL_MEASURED);
    ck_assert_uint_eq(run(x, 0xff800000, 0), 0xff800000); /* not measured: the unit may ignore C */
    ck_assert_int_eq(lw_mma_weakest(x->mma, x->touched), LW_LABEL_UNKNOWN);
    product(x, 0, 0x80, 0x40);
    ck_assert_uint_eq(run(x, 0, 0), 0x7fc00000);
    ck_assert_int_eq(lw_mma_weakest(x->mma, x->touched), LW_LABEL_UNKNOWN);
    finish(x);
}
END_TEST

START_TEST(every_row_has_evidence)
{
    static const lw_arch archs[] = { LW_ARCH_GFX942, LW_ARCH_GFX950 };
    for (int a = 0; a < 2; a++)
        for (size_t i = 0; i < lw_insn_count(archs[a]); i++) {
            lw_mma *mma;
            lw_mma_evidence e;
            lw_mma_rule rule;
            ck_assert_int_eq(lw_mma_create(archs[a], lw_insn_at(archs[a], i), NULL, &mma, NULL), LW_OK);
            for (int aspect = 0; aspect < LW_MMA_ASPECT_COUNT; aspect++) {
                ck_assert_int_eq(lw_mma_get_evidence(mma, (lw_mma_aspect)aspect, &e), LW_OK);
                ck_assert(e.source && strlen(e.source) > 10);
                ck_assert_msg(archs[a] != LW_ARCH_GFX950 || e.label != LW_LABEL_MEASURED,
                              "nobody measured a gfx950");
            }
            ck_assert_int_eq(lw_mma_get_rule(mma, &rule), LW_OK);
            ck_assert(strlen(rule.recipe) > 3 && strlen(rule.text) > 30 && strlen(rule.text) < 1400);
            lw_mma_free(mma);
        }
}
END_TEST

START_TEST(readings)
{
    single *x = start(LW_ARCH_GFX950, "v_mfma_f32_16x16x32_f16", "", "doubled-k:gtr16");
    lw_mma_evidence e;
    ck_assert_str_eq(lw_mma_get_reading(x->mma, "doubled-k")->name, "gtr16");
    ck_assert_ptr_null(lw_mma_get_reading(x->mma, "f8f6f4-c"));
    ck_assert_int_eq(lw_mma_get_evidence(x->mma, LW_MMA_FINITE, &e), LW_OK);
    ck_assert_ptr_nonnull(strstr(e.source, "cycle counts"));
    finish(x);
    size_t defaults = 0, count = 0;
    const char *topic = "";
    for (const lw_reading *c; (c = lw_reading_at(count)) != NULL; count++) {
        ck_assert(c->is_default ==
                  (strcmp(c->topic, topic) != 0)); /* the first of its topic, and only that one */
        topic = c->topic;
        defaults += c->is_default;
        bool used = false, has_rows = false;
        for (lw_arch arch = LW_ARCH_NONE; arch < LW_ARCH_COUNT; arch++) {
            const size_t rows = lw_reading_rows[count].archs >> arch & 1u ? lw_insn_count(arch) : 0;
            has_rows |= rows != 0;
            for (size_t i = 0; i < rows && !used; i++)
                used = lw_reading_concerns(arch, lw_insn_at(arch, i), c);
        }
        ck_assert_msg(used || !has_rows, "%s:%s concerns nothing", c->topic, c->name);
    }
    ck_assert_uint_eq(count, lw_reading_count);
    ck_assert_uint_lt(2 * defaults, count + 1); /* every topic has another reading */
}
END_TEST

static lw_status note(void *context, const lw_mma_explain_row *row)
{
    char *all = context;
    snprintf(all + strlen(all), 8192 - strlen(all), "%s\n", row->text);
    return LW_OK;
}

static lw_status stop(void *context, const lw_mma_explain_row *row)
{
    (void)row;
    return ++*(int *)context == 2 ? LW_E_IO : LW_OK;
}

START_TEST(explanation)
{
    static char text[8192];
    single *x = start(LW_ARCH_GFX942, "v_mfma_f32_32x32x16_fp8_fp8", "", NULL);
    product(x, 0, 0x78, 0x78);
    product(x, 1, 0xa4, 0x08);
    tile_put(x->t.c, 0, 4, 0xc6800000);
    const lw_mma_matrices mat = tile_matrices(&x->s, &x->t, NULL);
    text[0] = '\0';
    ck_assert_int_eq(lw_mma_explain_matrices(x->mma, &mat, 0, 0, 0, note, text), LW_OK);
    ck_assert_msg(strstr(text, "C = -16384 (0xc6800000)"), "%s", text);
    ck_assert_msg(
        strstr(text,
               "    0             128             128                 16384    14        16777216  2^-10"),
        "%s", text);
    ck_assert_msg(strstr(text, "    1        -0.09375       0.0078125            -0x1.8p-11   -11 "), "%s",
                  text);
    ck_assert_msg(strstr(text, "towards minus infinity where the classes meet"), "%s", text);
    ck_assert_msg(strstr(text, "D = -0.0009765625 (0xba800000)"), "%s", text);
    int calls = 0;
    ck_assert_int_eq(lw_mma_explain_matrices(x->mma, &mat, 0, 0, 0, stop, &calls), LW_E_IO);
    ck_assert_int_eq(calls, 2);
    ck_assert_int_eq(lw_mma_explain_matrices(x->mma, &mat, 0, 32, 0, note, text), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mma_explain_matrices(x->mma, &mat, 1, 0, 0, note, text), LW_E_ARGUMENT);
    finish(x);
}
END_TEST

START_TEST(refusals)
{
    const lw_insn *insn;
    lw_mma *mma = NULL;
    lw_error error;
    const char *wrong[] = { "doubled-k:tr9" }, *unknown[] = { "k" };
    ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX950, "v_mfma_f32_16x16x32_f16", &insn, NULL), LW_OK);
    ck_assert_int_eq(lw_mma_create(LW_ARCH_GFX942, insn, NULL, &mma, &error), LW_E_ARCH);
    ck_assert_int_eq(lw_mma_create(LW_ARCH_NONE, insn, NULL, &mma, &error), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mma_create(LW_ARCH_GFX950, NULL, NULL, &mma, &error), LW_E_ARGUMENT);
    lw_mma_options options = { .struct_size = sizeof(lw_mma_options), .readings = wrong, .reading_count = 1 };
    ck_assert_int_eq(lw_mma_create(LW_ARCH_GFX950, insn, &options, &mma, &error), LW_E_NOT_FOUND);
    ck_assert_msg(strstr(error.text, "doubled-k:tr8, doubled-k:gtr16, doubled-k:tr16"), "%s", error.text);
    options.readings = unknown;
    ck_assert_int_eq(lw_mma_create(LW_ARCH_GFX950, insn, &options, &mma, &error), LW_E_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(error.text, "there is no reading \"k\"; the nearest are "));
    options = (lw_mma_options){ .struct_size = sizeof(lw_mma_options), .wave = 32 };
    ck_assert_int_eq(lw_mma_create(LW_ARCH_GFX950, insn, &options, &mma, &error), LW_E_ARGUMENT);
    options = (lw_mma_options){ .struct_size = sizeof(lw_mma_options), .wave = 4096 };
    ck_assert_int_eq(lw_mma_create(LW_ARCH_GFX950, insn, &options, &mma, &error), LW_E_ARGUMENT);
    ck_assert_ptr_null(mma);
    ck_assert_int_eq(lw_mma_create(LW_ARCH_GFX950, insn, NULL, &mma, &error), LW_OK);
    const lw_mma_registers none = { 0 };
    ck_assert_int_eq(lw_mma_execute_registers(mma, &none, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mma_execute_registers(mma, NULL, NULL), LW_E_ARGUMENT);
    char text[32];
    ck_assert_int_eq(lw_mma_decode("f17", 0, text, sizeof(text)), LW_E_NOT_FOUND);
    ck_assert_int_eq(lw_mma_decode("f16", 0, text, 31), LW_E_ARGUMENT);
    lw_mma_free(mma);
    lw_mma_free(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mma_plan");
    TCase *tc = tcase_create("plan");
    tcase_add_test(tc, fp16_ovfl);
    tcase_add_test(tc, integers);
    tcase_add_test(tc, f32_denormals);
    tcase_add_test(tc, scales);
    tcase_add_test(tc, least_exponents);
    tcase_add_test(tc, fp4_edges);
    tcase_add_test(tc, wide_exponents);
    tcase_add_test(tc, touched_zeros);
    tcase_add_test(tc, every_row_has_evidence);
    tcase_add_test(tc, readings);
    tcase_add_test(tc, explanation);
    tcase_add_test(tc, refusals);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
