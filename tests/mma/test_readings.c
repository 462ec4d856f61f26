/* SPDX-License-Identifier: MIT */
/*
 * Named readings of gfx11, gfx12 and gfx1250: each can be selected and changes the result for some operands;
 * where a probe with a known answer for each reading exists, they give these answers.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { MOST_A = 32 * 128, MOST_D = 32 * 16, TRIES = 200 };

typedef struct operands {
    uint16_t a[MOST_A], b[MOST_A];
    uint32_t c[MOST_D];
    uint8_t index[16 * 32], scale_a[32 * 8], scale_b[16 * 8];
} operands;

static lw_mma *prepare(lw_arch arch, const char *mnemonic, const char *reading, bool clamp)
{
    const lw_insn *insn;
    lw_mma *mma;
    lw_error error = { "" };
    const lw_mods mods = { .clamp = clamp, .neg_lo = clamp ? 3 : 0 };
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options),
                                     .mods = &mods,
                                     .readings = &reading,
                                     .reading_count = reading != NULL };
    ck_assert_msg(lw_insn_find(arch, mnemonic, &insn, &error) == LW_OK, "%s", error.text);
    ck_assert_msg(lw_mma_create(arch, insn, &options, &mma, &error) == LW_OK, "%s: %s", mnemonic, error.text);
    return mma;
}

static uint32_t next(uint32_t *s)
{
    *s = *s * 1664525 + 1013904223;
    return *s >> 8;
}

/* One 16-bit code, or two of 8 bits. */
static uint16_t draw(unsigned bytes, uint32_t *seed)
{
    static const uint16_t f16[] = { 0x3c00, 0xbc00, 0x3c01, 0x5801, 0xd801, 0x0c00, 0x8c00, 0x7801, 0xf801 };
    static const uint16_t small[] = { 0x38, 0xb8, 0x39, 0x79, 0xf9, 0x0a, 0x8a, 0x01, 0x81 };
    const uint32_t x = next(seed) % 9, y = next(seed) % 9;
    return bytes == 2 ? f16[x] : (uint16_t)(small[x] | (unsigned)small[y] << 8);
}

/* Codes around 1 that often cancel, with large and small ones among them; for byte elements, in bytes. */
static void fill(const lw_mma_shape *s, uint32_t *seed, operands *o)
{
    for (size_t i = 0; i < MOST_A; i++) {
        o->a[i] = draw(s->a_bytes, seed);
        o->b[i] = draw(s->b_bytes, seed);
    }
    for (size_t i = 0; i < MOST_D; i++) {
        static const uint32_t c[] = { 0, 0x3f800001, 0xbf800001, 0x4b800003, 0xcb800003, 0x3c013c01 };
        o->c[i] = strcmp(s->c_format, "i32") == 0 ? INT32_MAX - next(seed) % 100 : c[next(seed) % 6];
    }
    for (size_t i = 0; i < sizeof(o->index); i++)
        o->index[i] = next(seed) & 1 ? 0x4 : 0xe;
    for (size_t i = 0; i < sizeof(o->scale_a); i++)
        o->scale_a[i] = (uint8_t)(120 + next(seed) % 14);
    for (size_t i = 0; i < sizeof(o->scale_b); i++)
        o->scale_b[i] = (uint8_t)(120 + next(seed) % 14);
}

static void run(const lw_mma *mma, const operands *o, uint32_t mode, void *d)
{
    const lw_mma_matrices mat = { .a = o->a,
                                  .b = o->b,
                                  .c = o->c,
                                  .d = d,
                                  .index = o->index,
                                  .scale_a = o->scale_a,
                                  .scale_b = o->scale_b,
                                  .mode = mode };
    memset(d, 0, 4 * MOST_D);
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_OK);
}

static const struct {
    lw_arch arch;
    const char *mnemonic, *reading;
} readings[] = {
    { LW_ARCH_GFX1201, "v_wmma_f32_16x16x16_fp8_bf8", "gfx12-fp8-order:ascending" },
    { LW_ARCH_GFX1201, "v_swmmac_f32_16x16x32_fp8_fp8", "gfx12-fp8-order:ascending" },
    { LW_ARCH_GFX1201, "v_swmmac_f32_16x16x32_f16", "swmmac-group:dense-k" },
    { LW_ARCH_GFX1250, "v_swmmac_bf16_16x16x64_bf16", "swmmac-group:dense-k" },
    { LW_ARCH_GFX1201, "v_swmmac_f32_16x16x32_bf8_bf8", "swmmac-fp8-group:dense-k" },
    { LW_ARCH_GFX1250, "v_swmmac_f16_16x16x128_fp8_fp8", "swmmac-fp8-group:dense-k" },
    { LW_ARCH_GFX1100, "v_wmma_i32_16x16x16_iu8", "int-clamp:stages" },
    { LW_ARCH_GFX1250, "v_wmma_i32_16x16x64_iu8", "int-clamp:stages" },
    { LW_ARCH_GFX1250, "v_wmma_f32_16x16x32_f16", "gfx1250-sum:fma" },
    { LW_ARCH_GFX1250, "v_wmma_f32_16x16x64_fp8_fp8", "gfx1250-sum:fma" },
    { LW_ARCH_GFX1250, "v_swmmac_f32_16x16x64_bf16", "gfx1250-sum:fma" },
    { LW_ARCH_GFX1250, "v_wmma_f16_16x16x32_f16", "gfx1250-narrow:once" },
    { LW_ARCH_GFX1250, "v_wmma_bf16_16x16x32_bf16", "gfx1250-narrow:once" },
    { LW_ARCH_GFX1250, "v_wmma_f16_16x16x128_fp8_fp8", "gfx1250-narrow:once" },
    { LW_ARCH_GFX1250, "v_wmma_bf16f32_16x16x32_bf16", "gfx1250-bf16f32:nearest" },
    { LW_ARCH_GFX1250, "v_wmma_scale_f32_16x16x128_f8f6f4", "gfx1250-scaled:block-fma" },
    { LW_ARCH_GFX1250, "v_wmma_scale16_f32_16x16x128_f8f6f4", "gfx1250-scaled:block-fma" },
    { LW_ARCH_GFX1250, "v_wmma_f32_16x16x128_f8f6f4", "gfx1250-scaled:block-fma" },
};

START_TEST(reading_matters)
{
    static operands o;
    static uint32_t d0[MOST_D], d1[MOST_D];
    const bool clamp = strstr(readings[_i].mnemonic, "_i32_") != NULL;
    lw_mma *plain = prepare(readings[_i].arch, readings[_i].mnemonic, NULL, clamp);
    lw_mma *chosen = prepare(readings[_i].arch, readings[_i].mnemonic, readings[_i].reading, clamp);
    lw_mma_shape s;
    ck_assert_int_eq(lw_mma_get_shape(plain, &s), LW_OK);
    uint32_t seed = 5;
    bool differs = false;
    for (int n = 0; n < TRIES && !differs; n++) {
        fill(&s, &seed, &o);
        run(plain, &o, 0, d0);
        run(chosen, &o, 0, d1);
        differs = memcmp(d0, d1, sizeof(d0)) != 0;
    }
    ck_assert_msg(differs, "%s of %s makes no difference", readings[_i].reading, readings[_i].mnemonic);
    lw_mma_free(plain);
    lw_mma_free(chosen);
}
END_TEST

/* D[0][0] of gfx1250's f16 form with two products, at k = 0 and k = 4: two steps. */
static uint32_t narrow(const char *reading, uint16_t a0, uint16_t a4, uint16_t c, uint32_t mode)
{
    static operands o;
    static uint32_t d[MOST_D];
    memset(&o, 0, sizeof(o));
    o.a[0] = a0;
    o.a[4] = a4;
    o.b[0] = o.b[4 * 16] = 0x3c00;
    o.c[0] = c;
    lw_mma *mma = prepare(LW_ARCH_GFX1250, "v_wmma_f16_16x16x32_f16", reading, false);
    run(mma, &o, mode, d);
    lw_mma_free(mma);
    return d[0] & 0xffff;
}

/* 2048 + 1 + 1: 2048 if every step rounds, 2050 if the accumulator stays wide. */
START_TEST(narrowing_probe)
{
    ck_assert_uint_eq(narrow("gfx1250-narrow:each-step", 0x3c00, 0x3c00, 0x6800, 0), 0x6800);
    ck_assert_uint_eq(narrow("gfx1250-narrow:once", 0x3c00, 0x3c00, 0x6800, 0), 0x6801);
}
END_TEST

/* FP16_OVFL: a finite overflow is 65504 either way, an infinity under one reading only. */
START_TEST(overflow_probe)
{
    ck_assert_uint_eq(narrow("gfx1250-ovfl:finite", 0x7bff, 0x7bff, 0, LW_MMA_MODE_FP16_OVFL), 0x7bff);
    ck_assert_uint_eq(narrow("gfx1250-ovfl:finite", 0x7c00, 0, 0, LW_MMA_MODE_FP16_OVFL), 0x7c00);
    ck_assert_uint_eq(narrow("gfx1250-ovfl:infinities", 0x7c00, 0, 0, LW_MMA_MODE_FP16_OVFL), 0x7bff);
    ck_assert_uint_eq(narrow("gfx1250-ovfl:infinities", 0xfc00, 0, 0, LW_MMA_MODE_FP16_OVFL), 0xfbff);
    ck_assert_uint_eq(narrow("gfx1250-ovfl:infinities", 0xfc00, 0, 0, 0), 0xfc00);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mma_readings");
    TCase *tc = tcase_create("readings");
    tcase_add_loop_test(tc, reading_matters, 0, (int)(sizeof(readings) / sizeof(readings[0])));
    tcase_add_test(tc, narrowing_probe);
    tcase_add_test(tc, overflow_probe);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
