/* SPDX-License-Identifier: MIT */
/* Products of tcgen05.mma of every kind with exact sums, and numbers that show which unit adds them. */
#include "ptx/tcgen05_fixture.h"

static unsigned draw(uint64_t *state, unsigned below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % below;
}

/* Codes of 0, 1 and 2, then the sign bit. */
static const struct {
    const char *name;
    uint32_t code[3], sign;
    uint8_t bytes;
} numbers[] = {
    { "f16", { 0, 0x3c00, 0x4000 }, 0x8000, 2 },
    { "bf16", { 0, 0x3f80, 0x4000 }, 0x8000, 2 },
    { "tf32", { 0, 0x3f800000, 0x40000000 }, 0x80000000, 4 },
    { "e4m3", { 0, 0x38, 0x40 }, 0x80, 1 },
    { "e5m2", { 0, 0x3c, 0x40 }, 0x80, 1 },
    { "e2m3", { 0, 0x08, 0x10 }, 0x20, 1 },
    { "e3m2", { 0, 0x0c, 0x10 }, 0x20, 1 },
    { "e2m1", { 0, 0x2, 0x4 }, 0x8, 1 },
};

static uint32_t code_of(const char *type, int value)
{
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (strcmp(type, numbers[i].name) == 0)
            return numbers[i].code[abs(value)] | (value < 0 ? numbers[i].sign : 0);
    return (uint32_t)value;
}

/* An integer as f16, f32 or s32. */
static uint32_t sum_code(const char *format, int value)
{
    const float f = (float)value;
    uint32_t word;
    if (strcmp(format, "f16") == 0) {
        unsigned e = 0;
        const uint32_t size = (uint32_t)abs(value);
        while (size >> (e + 1))
            e++;
        return value ? (uint32_t)(value < 0) << 15 | (e + 15) << 10 | ((size << 10 >> e) & 0x3ff) : 0;
    }
    if (strcmp(format, "f32") != 0)
        return (uint32_t)value;
    memcpy(&word, &f, sizeof(word));
    return value ? word : 0;
}

enum { MOST = 128 * 256 };
static int va[MOST], vb[MOST], vc[MOST];
static uint8_t ma[4 * MOST], mb[4 * MOST], mc[4 * MOST], md[4 * MOST], mi[MOST], sa[4 * 128], sb[4 * 256];

static unsigned k_of(const lw_mma_shape *s, unsigned row, unsigned n)
{
    const unsigned chunk = s->groups ? (unsigned)s->k / s->groups : 1;
    if (!s->groups)
        return n;
    if (chunk == 2)
        return 2 * n + (mi[row * s->groups + n] == 0xe);
    if (chunk == 4)
        return n / 2 * 4 + (mi[row * s->groups + n / 2] >> n % 2 * 2 & 3);
    return n / 4 * 8 + (mi[row * s->groups + n / 4] >> n / 2 % 2 * 2 & 3) * 2 + n % 2; /* pairs */
}

/* Scales are powers of two: ue8m0 127 + e, ue4m3 (7 + e) << 3. */
static int scale_of(const uint8_t *scales, const lw_mma_shape *s, unsigned row, unsigned n, bool e8)
{
    const unsigned code = scales[row * s->scale_k + n * s->scale_k / s->a_k];
    return 1 << (e8 ? code - 127 : (code >> 3) - 7);
}

static void check_product(const char *text, const char *a, const char *b, int sign, bool adds,
                          uint64_t *state)
{
    static const uint8_t nibbles[] = { 4, 8, 12, 9, 13, 14 };
    lw_mods mods;
    lw_mma *mma;
    lw_mma_shape s;
    lw_error error = { "" };
    const lw_insn *insn = parse(text, &mods);
    const lw_mma_options options = { .struct_size = sizeof(options), .mods = &mods };
    ck_assert_msg(lw_mma_create(ARCH, insn, &options, &mma, &error) == LW_OK, "%s: %s", text, error.text);
    ck_assert_int_eq(lw_mma_get_shape(mma, &s), LW_OK);
    ck_assert(s.m == insn->m && s.n == insn->n && s.wave == 128 && s.insn == insn);
    const bool a_signed = strcmp(a, "u8") != 0, b_signed = strcmp(b, "u8") != 0,
               e8 = insn->ptx->scale == LW_ELEM_UE8M0;
    for (unsigned i = 0; i < s.m * s.a_k; i++) {
        va[i] = (int)draw(state, 3) * (a_signed && draw(state, 2) ? -1 : 1);
        const uint32_t code = code_of(a, va[i]);
        memcpy(ma + (size_t)i * s.a_bytes, &code, s.a_bytes);
    }
    for (unsigned i = 0; i < s.k * s.n; i++) {
        vb[i] = (int)draw(state, 3) * (b_signed && draw(state, 2) ? -1 : 1);
        const uint32_t code = code_of(b, vb[i]);
        memcpy(mb + (size_t)i * s.b_bytes, &code, s.b_bytes);
    }
    for (unsigned i = 0; i < s.m * s.n; i++) {
        vc[i] = (int)draw(state, 101) - 50;
        const uint32_t code = sum_code(s.c_format, vc[i]);
        memcpy(mc + (size_t)i * s.c_bytes, &code, s.c_bytes);
    }
    for (unsigned i = 0; i < s.m * s.groups; i++)
        mi[i] = s.k / s.groups == 2 ? (draw(state, 2) ? 4 : 14) : nibbles[draw(state, 6)];
    for (unsigned i = 0; i < s.scale_k * 256u; i++) {
        if (i < s.scale_k * 128u)
            sa[i] = (uint8_t)(e8 ? 127 + draw(state, 3) : (7 + draw(state, 3)) << 3);
        sb[i] = (uint8_t)(e8 ? 127 + draw(state, 3) : (7 + draw(state, 3)) << 3);
    }
    const lw_mma_matrices mat = { .a = ma,
                                  .b = mb,
                                  .c = mc,
                                  .d = md,
                                  .index = s.groups ? mi : NULL,
                                  .scale_a = s.scale_k ? sa : NULL,
                                  .scale_b = s.scale_k ? sb : NULL };
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_OK);
    for (unsigned i = 0; i < s.m; i++)
        for (unsigned j = 0; j < s.n; j++) {
            int sum = 0;
            uint32_t got = 0;
            for (unsigned n = 0; n < s.a_k; n++) {
                const int scale = s.scale_k ? scale_of(sa, &s, i, n, e8) * scale_of(sb, &s, j, n, e8) : 1;
                sum += va[i * s.a_k + n] * vb[k_of(&s, i, n) * s.n + j] * scale;
            }
            sum = sign * sum + (adds ? vc[i * s.n + j] : 0);
            memcpy(&got, md + ((size_t)i * s.n + j) * s.d_bytes, s.d_bytes);
            ck_assert_msg(got == sum_code(s.d_format, sum), "%s: D(%u, %u) is %x, not %d", text, i, j, got,
                          sum);
        }
    lw_mma_free(mma);
}

START_TEST(products_of_small_integers_are_exact)
{
    static const struct {
        const char *head, *kind, *tail, *a, *b;
        unsigned k;
    } cases[] = {
        { "", "f16", "f16.f16.f16", "f16", "f16", 16 },
        { "", "f16", "f32.f16.f16", "f16", "f16", 16 },
        { "", "f16", "f32.bf16.bf16", "bf16", "bf16", 16 },
        { "", "tf32", "f32.tf32.tf32", "tf32", "tf32", 8 },
        { "", "f8f6f4", "f32.e2m3.e5m2", "e2m3", "e5m2", 32 },
        { "", "f8f6f4", "f16.e2m1.e3m2", "e2m1", "e3m2", 32 },
        { "", "i8", "s32.u8.s8", "u8", "s8", 32 },
        { "", "mxf8f6f4.block_scale", "f32.e4m3.e2m1.ue8m0", "e4m3", "e2m1", 32 },
        { "", "mxf4.block_scale", "f32.e2m1.e2m1.ue8m0", "e2m1", "e2m1", 64 },
        { "", "mxf4nvf4.block_scale.block32", "f32.e2m1.e2m1.ue8m0", "e2m1", "e2m1", 64 },
        { "", "mxf4nvf4.block_scale.block16", "f32.e2m1.e2m1.ue4m3", "e2m1", "e2m1", 64 },
        { "", "mxf4nvf4.block_scale.block16", "f32.e2m1.e2m1.ue8m0", "e2m1", "e2m1", 64 },
        { ".sp", "f16", "f32.f16.f16", "f16", "f16", 32 },
        { ".sp", "tf32", "f32.tf32.tf32", "tf32", "tf32", 16 },
        { ".sp", "f8f6f4", "f16.e5m2.e4m3", "e5m2", "e4m3", 64 },
        { ".sp", "i8", "s32.s8.u8", "s8", "u8", 64 },
        { ".sp", "mxf8f6f4.block_scale", "f32.e2m3.e4m3.ue8m0", "e2m3", "e4m3", 64 },
        { ".sp", "mxf4nvf4.block_scale.block16", "f32.e2m1.e2m1.ue4m3", "e2m1", "e2m1", 128 },
    };
    uint64_t state = 11;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (unsigned way = 0; way < 3; way++) {
            static const unsigned widths[] = { 8, 48, 96 };
            const bool real = strcmp(cases[i].kind, "i8") != 0, scaled = cases[i].kind[0] == 'm';
            const unsigned m = scaled || way ? 128 : 64, n = widths[(way + i) % 3];
            char text[200];
            snprintf(text, sizeof(text), "tcgen05.mma%s.cta_group::1.kind::%s.m%un%uk%u.%s%s", cases[i].head,
                     cases[i].kind, m, m == 128 && n == 8 && !scaled ? 16 : n, cases[i].k, cases[i].tail,
                     way == 0   ? ""
                     : way == 1 ? " enable-input-d:0"
                     : !real    ? ""
                     : i % 2    ? " negate-a:1"
                                : " negate-b:1");
            check_product(text, cases[i].a, cases[i].b, way == 2 && real ? -1 : 1, way != 1, &state);
        }
    refused("tcgen05.m64n8k32.s32.int8.int8 negate-a:1", LW_E_UNSUPPORTED, "enable-input-d transpose-a");
}
END_TEST

/* Numbers that show the unit: example 21 of docs/numerics.md (four scales), f8f6f4 with 25 bits, groups
 * of 16. */
static uint32_t one_element(const char *text, const void *a, const void *b, uint32_t c,
                            const uint8_t *a_scale, const uint8_t *b_scale)
{
    lw_mods mods;
    lw_mma *mma;
    lw_mma_shape s;
    uint32_t d = 0;
    memset(ma, 0, sizeof(ma));
    memset(mb, 0, sizeof(mb));
    memset(mc, 0, sizeof(mc));
    memset(sa, 0x7f, sizeof(sa));
    memset(sb, 0x7f, sizeof(sb));
    const lw_insn *insn = parse(text, &mods);
    const lw_mma_options options = { .struct_size = sizeof(options), .mods = &mods };
    ck_assert_int_eq(lw_mma_create(ARCH, insn, &options, &mma, NULL), LW_OK);
    ck_assert_int_eq(lw_mma_get_shape(mma, &s), LW_OK);
    memcpy(ma, a, (size_t)s.a_k * s.a_bytes);
    for (unsigned k = 0; k < s.k; k++)
        memcpy(mb + (size_t)k * s.n * s.b_bytes, (const uint8_t *)b + (size_t)k * s.b_bytes, s.b_bytes);
    memcpy(mc, &c, s.c_bytes);
    if (a_scale)
        memcpy(sa, a_scale, s.scale_k);
    if (b_scale)
        memcpy(sb, b_scale, s.scale_k);
    const lw_mma_matrices mat = {
        .a = ma, .b = mb, .c = mc, .d = md, .scale_a = s.scale_k ? sa : NULL, .scale_b = s.scale_k ? sb : NULL
    };
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_OK);
    memcpy(&d, md, s.d_bytes);
    lw_mma_free(mma);
    return d;
}

START_TEST(numbers_of_each_unit)
{
    uint8_t a8[32] = { 0 }, b8[32] = { 0 }, seven[64];
    uint16_t a16[16] = { 0x5c00, 0xdc00 }, b16[16] = { 0x5c00, 0x5c00 };
    static const uint8_t scale_a[] = { 0x38, 0x7e, 0x01, 0xb9 }, scale_b[] = { 0x38, 0x7e, 0x01, 0x39 };
    for (unsigned k = 2; k < 16; k++)
        a16[k] = b16[k] = 0x1400;
    ck_assert_uint_eq(one_element("tcgen05.m64n8k16.f32.f16.f16", a16, b16, 0, NULL, NULL), 0);
    static const uint8_t at[] = { 1, 8, 9, 22, 30 }, as[] = { 0x38, 0x21, 0xc5, 0x45, 0x5b },
                         bs[] = { 0x3b, 0x3f, 0x4d, 0x38, 0x4d };
    for (unsigned i = 0; i < sizeof(at); i++) {
        a8[at[i]] = as[i];
        b8[at[i]] = bs[i];
    }
    ck_assert_uint_eq(one_element("tcgen05.m64n8k32.f32.f8f6f4.f8f6f4", a8, b8, 0x3eaaaaab, NULL, NULL),
                      0x42fe31aa);
    memset(seven, 7, sizeof(seven));
    ck_assert_uint_eq(one_element("tcgen05.m128n8k64.mxf4nvf4.4x.f32.e2m1.e2m1", seven, seven, 0x3f800001,
                                  scale_a, scale_b),
                      0x4cdc80a3);
    memset(a8, 0, sizeof(a8));
    memset(b8, 0, sizeof(b8));
    a8[0] = b8[0] = b8[1] = 0x38;
    a8[1] = 0x40;
    const uint8_t up = 0x80, down = 0x7e;
    ck_assert_uint_eq(
        one_element("tcgen05.m128n8k32.mxf8f6f4.f32.f8f6f4.f8f6f4", a8, b8, 0x3f800000, &up, &down),
        0x40800000);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("tcgen05");
    tcase_add_test(tc, products_of_small_integers_are_exact);
    tcase_add_test(tc, numbers_of_each_unit);
    return run_tcgen05("ptx_tcgen05_products", tc);
}
