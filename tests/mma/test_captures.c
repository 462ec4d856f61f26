/* SPDX-License-Identifier: MIT */
/*
 * AMD's published captures and the worked examples through whole instructions. Register images are laid out
 * here with 8 (wave64: 4) consecutive k per lane, as in the captures, without the library's layouts.
 */
#include <lanewise/lanewise.h>

#include "num/captures.h"
#include "num/examples_amd.h"

enum { REGS = 8, LANES = 64, K = 16 };

typedef struct images {
    uint32_t a[REGS * LANES], b[REGS * LANES], c[REGS * LANES], d[REGS * LANES];
} images;

static lw_mma *prepare(lw_arch arch, const char *mnemonic, const lw_mods *mods, unsigned wave, bool reference)
{
    const lw_insn *insn;
    lw_mma *mma;
    lw_error error = { "" };
    const lw_mma_options options = {
        .struct_size = sizeof(lw_mma_options), .mods = mods, .wave = wave, .reference_only = reference
    };
    ck_assert_msg(lw_insn_find(arch, mnemonic, &insn, &error) == LW_OK, "%s", error.text);
    ck_assert_msg(lw_mma_create(arch, insn, &options, &mma, &error) == LW_OK, "%s: %s", mnemonic, error.text);
    return mma;
}

static unsigned place_of_d(lw_arch arch, unsigned wave, unsigned i, unsigned j)
{
    const unsigned rows = wave / 16;
    if ((arch == LW_ARCH_GFX1100 || arch == LW_ARCH_GFX1150))
        return i / rows * wave + 16 * (i % rows) + j;
    if (wave == 32)
        return i % 8 * wave + 16 * (i / 8) + j;
    return i % 4 * wave + 32 * (i / 4 % 2) + 16 * (i / 8) + j;
}

/* One row of A or column of B: 16-bit elements, two per register. gfx11: every group of 16 lanes has a
 * copy. */
static void place(lw_arch arch, unsigned wave, unsigned row, const uint32_t *codes, uint32_t *image)
{
    const bool copies = (arch == LW_ARCH_GFX1100 || arch == LW_ARCH_GFX1150);
    const unsigned per_lane = copies ? K : K / (wave / 16);
    for (unsigned lane = row; lane < wave; lane += 16)
        for (unsigned s = 0; s < per_lane; s++) {
            const unsigned k = copies ? s : lane / 16 * per_lane + s;
            image[s / 2 * wave + lane] |= codes[k] << 16 * (s % 2);
        }
}

static uint32_t wmma(lw_arch arch, const char *mnemonic, unsigned wave, bool reference, const uint32_t *a,
                     const uint32_t *b, uint32_t c, unsigned mode)
{
    images m = { { 0 }, { 0 }, { 0 }, { 0 } };
    const unsigned row = 11, col = 6, at = place_of_d(arch, wave, row, col);
    place(arch, wave, row, a, m.a);
    place(arch, wave, col, b, m.b);
    m.c[at] = c;
    lw_mma *mma = prepare(arch, mnemonic, NULL, wave, reference);
    const lw_mma_registers regs = { .a = m.a, .b = m.b, .c = m.c, .d = m.d, .mode = mode };
    ck_assert_int_eq(lw_mma_execute_registers(mma, &regs, NULL), LW_OK);
    lw_mma_free(mma);
    return m.d[at];
}

static void check(const capture *r, lw_arch arch, const uint32_t *a, const uint32_t *b, uint32_t c,
                  uint32_t d32, uint32_t d64)
{
    const char *mnemonic =
        strcmp(r->field[2], "f16") == 0 ? "v_wmma_f32_16x16x16_f16" : "v_wmma_f32_16x16x16_bf16";
    for (unsigned n = 0; n < 4; n++) {
        const unsigned wave = n & 1 ? 64 : 32;
        const uint32_t d = wmma(arch, mnemonic, wave, n & 2, a, b, c, 0), e = n & 1 ? d64 : d32;
        ck_assert_msg(d == e, "%s %s wave%u C %08x: %08x, hardware %08x", r->field[1], r->field[2], wave, c,
                      d, e);
    }
}

/*
 * A captured DOT2 is the first step of the instruction, with zeros after it: these do not change f32 results,
 * since on gfx11 their -1 units are a quarter of an ulp at most.
 */
START_TEST(captured_rows)
{
    FILE *f = fopen(CAPTURES_PATH, "r");
    ck_assert_ptr_nonnull(f);
    char line[LINE];
    int rows = 0;
    while (fgets(line, sizeof(line), f)) {
        if (line[0] == '#')
            continue;
        const capture r = split(line);
        const lw_arch arch = strcmp(r.field[1], "gfx1100") == 0 ? LW_ARCH_GFX1100 : LW_ARCH_GFX1201;
        uint32_t a[K] = { 0 }, b[K] = { 0 };
        rows++;
        if (strcmp(r.field[0], "dot2") == 0) {
            a[0] = hex(&r, 3) & 0xffff;
            a[1] = hex(&r, 3) >> 16;
            b[0] = hex(&r, 4) & 0xffff;
            b[1] = hex(&r, 4) >> 16;
            check(&r, arch, a, b, hex(&r, 5), hex(&r, 6), hex(&r, 6));
            continue;
        }
        for (int k = 0; k < K; k++) {
            a[k] = hex(&r, 3 + k);
            b[k] = hex(&r, 19 + k);
        }
        check(&r, arch, a, b, hex(&r, 35), hex(&r, 36), hex(&r, 37));
    }
    fclose(f);
    ck_assert_int_eq(rows, 224 + 24);
}
END_TEST

/* As in num_dot_examples: an overflow that FP16_OVFL clamps in the first step and that later products
 * cancel. */
START_TEST(clamped_overflow)
{
    static const struct {
        lw_arch arch;
        uint32_t flip, d;
    } rows[] = {
        { LW_ARCH_GFX1201, 0, 0x0000 },
        { LW_ARCH_GFX1201, 0x8000, 0x0000 },
        { LW_ARCH_GFX1100, 0, 0x9800 },
        { LW_ARCH_GFX1100, 0x8000, 0x1c00 },
    };
    const uint32_t f = rows[_i].flip;
    const uint32_t a[K] = { 0x7bff ^ f, 0x7bff ^ f, [15] = 0xfbff ^ f };
    const uint32_t b[K] = { 0x4000, 0x4000, [15] = 0x3c00 };
    lw_mma *mma = prepare(rows[_i].arch, "v_wmma_f16_16x16x16_f16", NULL, 0, false);
    static uint32_t am[K * K], bm[K * K], dm[K * K];
    for (int k = 0; k < K; k++) {
        ((uint16_t *)am)[2 * K + k] = (uint16_t)a[k];
        ((uint16_t *)bm)[k * K + 9] = (uint16_t)b[k];
    }
    const lw_mma_matrices mat = { .a = am, .b = bm, .d = dm, .mode = LW_MMA_MODE_FP16_OVFL };
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_OK);
    lw_mma_free(mma);
    ck_assert_uint_eq(((uint16_t *)dm)[2 * K + 9], rows[_i].d);
}
END_TEST

/* clang-format off */
static const struct {
    lw_dot_unit_id unit;
    lw_format_id format;
    int count;
    lw_arch arch;
    const char *mnemonic;
} carriers[] = {
    { LW_UNIT_EXACT4, LW_FORMAT_F16,  8, LW_ARCH_GFX908, "v_mfma_f32_32x32x8f16" },
    { LW_UNIT_EXACT2, LW_FORMAT_BF16, 8, LW_ARCH_GFX908, "v_mfma_f32_32x32x4bf16" },
    { LW_UNIT_TREE4,  LW_FORMAT_F16,  8, LW_ARCH_GFX90A, "v_mfma_f32_32x32x8f16" },
    { LW_UNIT_TREE2,  LW_FORMAT_BF16, 2, LW_ARCH_GFX90A, "v_mfma_f32_32x32x2bf16" },
    { LW_UNIT_TREE2,  LW_FORMAT_BF16, 4, LW_ARCH_GFX90A, "v_mfma_f32_32x32x4bf16" },
    { LW_UNIT_TREE2,  LW_FORMAT_BF16, 8, LW_ARCH_GFX90A, "v_mfma_f32_32x32x4bf16" },
    { LW_UNIT_TREE4,  LW_FORMAT_BF16, 4, LW_ARCH_GFX90A, "v_mfma_f32_32x32x4bf16_1k" },
    { LW_UNIT_TREE4,  LW_FORMAT_BF16, 8, LW_ARCH_GFX90A, "v_mfma_f32_32x32x8bf16_1k" },
    { LW_UNIT_TR8,    LW_FORMAT_F16,  8, LW_ARCH_GFX942, "v_mfma_f32_32x32x8_f16" },
    { LW_UNIT_TR8,    LW_FORMAT_BF16, 8, LW_ARCH_GFX942, "v_mfma_f32_32x32x8_bf16" },
};
/* clang-format on */

/* Examples have at most four products; where K is 4, the zeros that would complete a group of 8 are missing,
 * which does not matter. */
static uint32_t mfma(const example *e, lw_arch arch, const char *mnemonic, bool reference)
{
    static uint16_t a[2 * 32 * 8], b[2 * 32 * 8];
    static uint32_t c[2 * 32 * 32], d[2 * 32 * 32];
    lw_mma *mma = prepare(arch, mnemonic, NULL, 0, reference);
    lw_mma_shape s;
    ck_assert_int_eq(lw_mma_get_shape(mma, &s), LW_OK);
    memset(a, 0, sizeof(a));
    memset(b, 0, sizeof(b));
    memset(c, 0, sizeof(c));
    for (int k = 0; k < s.k && k < 4; k++) {
        a[17 * s.k + k] = (uint16_t)e->a[k];
        b[k * s.n + 5] = (uint16_t)e->b[k];
    }
    c[17 * s.n + 5] = e->c;
    const lw_mma_matrices mat = { .a = a, .b = b, .c = c, .d = d };
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_OK);
    lw_mma_free(mma);
    return d[17 * s.n + 5];
}

START_TEST(cdna_examples)
{
    int seen = 0;
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        const example *e = &examples[i];
        if (e->unit != carriers[_i].unit || e->format != carriers[_i].format ||
            e->count != carriers[_i].count)
            continue;
        for (int reference = 0; reference < 2; reference++) {
            const uint32_t d = mfma(e, carriers[_i].arch, carriers[_i].mnemonic, reference);
            ck_assert_msg(d == e->d, "example %d, %s: %08x instead of %08x", e->number, carriers[_i].mnemonic,
                          d, e->d);
        }
        seen++;
    }
    ck_assert_int_gt(seen, 0);
}
END_TEST

/* Examples 26 and 27: FMA chains. */
START_TEST(f32_examples)
{
    static const lw_arch archs[] = { LW_ARCH_GFX908, LW_ARCH_GFX90A, LW_ARCH_GFX942 };
    static uint32_t a[32 * 2], b[32 * 2], c[32 * 32], d[32 * 32];
    lw_mma *mma = prepare(archs[_i], "v_mfma_f32_32x32x2f32", NULL, 0, false);
    const lw_mma_matrices mat = { .a = a, .b = b, .c = c, .d = d };
    a[2 * 3] = b[4] = 0x3f800800;
    c[3 * 32 + 4] = 0xbf800000;
    a[2 * 5] = a[2 * 5 + 1] = b[6] = b[32 + 6] = 0x3f800000;
    c[5 * 32 + 6] = 0x4b800000;
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_OK);
    lw_mma_free(mma);
    ck_assert_uint_eq(d[3 * 32 + 4], 0x3a000400);
    ck_assert_uint_eq(d[5 * 32 + 6], 0x4b800000);
}
END_TEST

/* The lower half of k exceeds the range, the upper half brings the sum back: gfx1201 clamps in between. */
START_TEST(integer_clamp)
{
    static const struct {
        lw_arch arch;
        uint32_t d;
    } rows[] = { { LW_ARCH_GFX1201, INT32_MAX - 200 }, { LW_ARCH_GFX1100, INT32_MAX - 100 } };
    const lw_mods mods = { .neg_lo = 3, .clamp = 1 };
    lw_mma *mma = prepare(rows[_i].arch, "v_wmma_i32_16x16x16_iu8", &mods, 0, false);
    static int8_t a[K * K], b[K * K];
    static uint32_t c[K * K], d[K * K];
    a[0] = 7;
    b[0] = 100;
    a[8] = -10;
    b[8 * K] = 20;
    c[0] = INT32_MAX - 600;
    const lw_mma_matrices mat = { .a = a, .b = b, .c = c, .d = d };
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_OK);
    lw_mma_free(mma);
    ck_assert_uint_eq(d[0], rows[_i].d);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mma_captures");
    TCase *tc = tcase_create("captures");
    tcase_add_test(tc, captured_rows);
    tcase_add_loop_test(tc, clamped_overflow, 0, 4);
    tcase_add_loop_test(tc, cdna_examples, 0, (int)(sizeof(carriers) / sizeof(carriers[0])));
    tcase_add_loop_test(tc, f32_examples, 0, 3);
    tcase_add_loop_test(tc, integer_clamp, 0, 2);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
