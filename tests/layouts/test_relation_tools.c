/* SPDX-License-Identifier: MIT */
/*
 * Layouts of other tools as relations: vectors from Triton 3.9.0's to_linear_layout, strings equal to
 * CUTLASS's and FlyDSL's atoms, swizzled and padded tiles by the formulas of their users, and data that moves
 * from one operand or tile to another.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

static lw_relation relation_of(const char *arch, const char *name, lw_operand operand, unsigned wave)
{
    lw_arch a;
    const lw_insn *insn = NULL;
    lw_mods mods = { 0 };
    lw_layout *layout = NULL;
    lw_relation r;
    lw_error error = { "" };
    ck_assert_int_eq(lw_arch_find(arch, &a), LW_OK);
    ck_assert_msg(lw_insn_parse(a, name, &insn, &mods, &error) == LW_OK, "%s: %s", name, error.text);
    ck_assert_msg(lw_layout_create(a, insn, operand, wave, &mods, &layout, &error) == LW_OK, "%s",
                  error.text);
    ck_assert_int_eq(lw_layout_get_relation(layout, &r), LW_OK);
    lw_layout_free(layout);
    ck_assert_int_eq(lw_relation_check(&r, &error), LW_OK);
    return r;
}

#define F16_K16 "v_mfma_f32_16x16x16_f16"
#define MMA "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"

static const struct {
    const char *arch, *name;
    lw_operand operand;
    unsigned wave;
    const char *registers, *lanes; /* X,Y as Lanewise shows them; NULL: not run through Triton */
    const char *cute;
} operands[] = {
    { "gfx942", F16_K16, LW_OPERAND_A, 0, "0,1 0,2", "1,0 2,0 4,0 8,0 0,4 0,8", "((16,4),4):((1,64),16)" },
    { "gfx942", F16_K16, LW_OPERAND_B, 0, NULL, NULL, "((16,4),4):((1,64),16)" },
    { "gfx942", F16_K16, LW_OPERAND_D, 0, "1,0 2,0", "0,1 0,2 0,4 0,8 4,0 8,0", "((16,4),4):((16,4),1)" },
    { "gfx942", "v_mfma_f32_32x32x8_f16", LW_OPERAND_D, 0, "1,0 2,0 8,0 16,0", "0,1 0,2 0,4 0,8 0,16 4,0",
      "((32,2),(4,4)):((32,4),(1,8))" },
    { "gfx942", "v_mfma_f64_16x16x4_f64", LW_OPERAND_D, 0, "4,0 8,0", "0,1 0,2 0,4 0,8 1,0 2,0",
      "((16,4),4):((16,1),4)" },
    { "gfx942", "v_mfma_f32_4x4x4_16b_f16", LW_OPERAND_A, 0, NULL, NULL, "((4,16),4):((1,16),4)" },
    { "gfx942", "v_mfma_f32_4x4x4_16b_f16", LW_OPERAND_D, 0, NULL, NULL, "(64,4):(4,1)" },
    { "gfx942", "v_smfmac_f32_16x16x32_f16", LW_OPERAND_A, 0, NULL, NULL, "((16,4),4):((1,64),16)" },
    { "gfx942", "v_smfmac_f32_16x16x32_f16", LW_OPERAND_INDEX, 0, NULL, NULL, "((16,4),2):((1,32),16)" },
    { "gfx950", "v_mfma_f32_16x16x128_f8f6f4 cbsz:0 blgp:0", LW_OPERAND_A, 0, "0,1 0,2 0,4 0,8 0,64",
      "1,0 2,0 4,0 8,0 0,16 0,32", "((16,4),(16,2)):((1,256),(16,1024))" },
    { "gfx950", "v_mfma_f32_16x16x128_f8f6f4 cbsz:2 blgp:2", LW_OPERAND_A, 0, NULL, NULL,
      "((16,4),32):((1,512),16)" },
    { "gfx950", "v_mfma_f32_16x16x128_f8f6f4 cbsz:4 blgp:4", LW_OPERAND_A, 0, NULL, NULL,
      "((16,4),32):((1,512),16)" },
    { "gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32, "0,1 0,2 0,4 0,8", "1,0 2,0 4,0 8,0 0,0",
      "((16,2),16):((1,0),16)" },
    { "gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_D, 32, "2,0 4,0 8,0", "0,1 0,2 0,4 0,8 1,0",
      "((16,2),8):((16,1),2)" },
    { "gfx1201", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32, "0,1 0,2 0,8", "1,0 2,0 4,0 8,0 0,4",
      "((16,2),(4,2)):((1,64),(16,128))" },
    { "gfx1201", "v_wmma_f32_16x16x16_f16", LW_OPERAND_D, 32, NULL, NULL, "((16,2),8):((16,8),1)" },
    { "gfx1201", "v_wmma_f32_16x16x16_f16", LW_OPERAND_D, 64, NULL, NULL, "((16,2,2),4):((16,8,4),1)" },
    { "gfx1250", "v_wmma_f32_16x16x32_f16", LW_OPERAND_A, 0, "0,1 0,2 0,4 0,16", "1,0 2,0 4,0 8,0 0,8",
      "((16,2),(8,2)):((1,128),(16,256))" },
    { "sm_80", MMA, LW_OPERAND_A, 0, "0,1 8,0 0,8", "0,2 0,4 1,0 2,0 4,0",
      "((4,8),(2,2,2)):((32,1),(16,8,128))" },
    { "sm_80", MMA, LW_OPERAND_B, 0, "1,0 8,0", "2,0 4,0 0,1 0,2 0,4", "((4,8),(2,2)):((16,1),(8,64))" },
    { "sm_80", MMA, LW_OPERAND_D, 0, "0,1 8,0", "0,2 0,4 1,0 2,0 4,0", "((4,8),(2,2)):((32,1),(16,8))" },
};
enum { OPERANDS = sizeof(operands) / sizeof(operands[0]) };

static void append(char *text, const char *sep, unsigned value)
{
    snprintf(text + strlen(text), 128 - strlen(text), "%s%u", *text ? sep : "", value);
}

/* The bases in Triton's order: places are single bits, lowest first. */
START_TEST(bases_are_tritons_vectors)
{
    if (!operands[_i].registers)
        return;
    const lw_operand op = operands[_i].operand;
    const lw_relation r = relation_of(operands[_i].arch, operands[_i].name, op, operands[_i].wave);
    lw_relation bases;
    char registers[128] = "", lanes[128] = "";
    ck_assert_int_eq(lw_relation_to_bases(&r, &bases, NULL), LW_OK);
    uint32_t v = 1, l = 1;
    for (unsigned i = 0; i < bases.bases; i++) {
        const lw_pair *b = &bases.base[i];
        const bool sum = op == LW_OPERAND_C || op == LW_OPERAND_D;
        const uint32_t x = op == LW_OPERAND_B ? b->k : b->row, y = sum || op == LW_OPERAND_B ? b->col : b->k;
        char *text = b->bit ? registers : lanes;
        ck_assert_uint_eq(b->bit, b->bit ? v : 0);
        ck_assert_uint_eq(b->lane, b->bit ? 0 : l);
        append(text, " ", x);
        append(text, ",", y);
        b->bit ? (v *= 2) : (l *= 2);
    }
    ck_assert_str_eq(registers, operands[_i].registers);
    ck_assert_str_eq(lanes, operands[_i].lanes);
}
END_TEST

/* CuTe's codomain: the outer coordinate is fastest, then the other, then blocks. */
static uint32_t cute_stride(const lw_relation *r, const lw_digit *d)
{
    const uint32_t area = r->rows * r->cols * r->ks;
    const uint32_t outer = r->rows > 1 ? r->rows : r->cols;
    return d->row + (r->rows > 1 ? d->col * outer : d->col) + d->k * outer + d->block * area;
}

/* One of the two modes, joined: "(4,8)" and "(16,1)". */
static void cute_mode(const lw_relation *r, bool lanes, char *shape, char *strides)
{
    uint32_t size[LW_RELATION_MAX_DIGITS], step[LW_RELATION_MAX_DIGITS];
    unsigned count = 0;
    *shape = *strides = '\0';
    for (unsigned i = 0; i < r->digits; i++) {
        const lw_digit *d = &r->digit[i];
        if (lanes ? !d->lane : !d->bit)
            continue;
        if (count && cute_stride(r, d) == size[count - 1] * step[count - 1]) {
            size[count - 1] *= d->radix;
            continue;
        }
        size[count] = d->radix;
        step[count++] = cute_stride(r, d);
    }
    for (unsigned i = 0; i < count; i++) {
        append(shape, ",", size[i]);
        append(strides, ",", step[i]);
    }
    if (count > 1)
        for (char **text = (char *[]){ shape, strides, NULL }; *text; text++) {
            char inner[128];
            memcpy(inner, *text, sizeof(inner));
            snprintf(*text, 128, "(%.120s)", inner);
        }
}

START_TEST(digits_are_cutes_layouts)
{
    const lw_relation r =
        relation_of(operands[_i].arch, operands[_i].name, operands[_i].operand, operands[_i].wave);
    lw_relation form;
    char t[2][128] = { "", "" }, v[2][128] = { "", "" }, text[600];
    ck_assert_int_eq(lw_relation_normalize(&r, &form), LW_OK);
    cute_mode(&form, true, t[0], t[1]);
    cute_mode(&form, false, v[0], v[1]);
    snprintf(text, sizeof(text), "(%s,%s):(%s,%s)", t[0], v[0], t[1], v[1]);
    ck_assert_str_eq(text, operands[_i].cute);
}
END_TEST

/* A tile of rows * columns elements of 16 bits in memory, row by row. */
static lw_relation tile_of(uint32_t rows, uint32_t columns)
{
    return (lw_relation){
        .digits = 2,
        .digit = { { .radix = columns, .bit = 16, .col = 1 },
                   { .radix = rows, .bit = 16 * columns, .row = 1 } },
        .pitch = 1,
        .lanes = 1,
        .bits = 16 * rows * columns,
        .width = 16,
        .rows = rows,
        .cols = columns,
        .ks = 1,
        .blocks = 1,
    };
}

static void expect_offset(const lw_relation *r, uint32_t row, uint32_t col, uint32_t bit)
{
    lw_pair got[2];
    size_t count = 0;
    const lw_pair want = { .row = row, .col = col };
    if (lw_relation_places(r, &want, got, 2, &count) != LW_OK || count != 1 || got[0].bit != bit)
        ck_abort_msg("row %u col %u: %zu places, bit %u, not %u", row, col, count, got[0].bit, bit);
    if (lw_relation_elements(r, 0, bit, got, 2, &count) != LW_OK || count != 1 || got[0].row != row ||
        got[0].col != col)
        ck_abort_msg("bit %u: %zu elements, row %u col %u", bit, count, got[0].row, got[0].col);
}

/* ttg.swizzled_shared<vec, perPhase, maxPhase>, and the equivalent Swizzle of elements. */
static const struct {
    uint32_t vec, per_phase, max_phase, columns;
    unsigned b, m;
    int s;
} swizzles[] = {
    { 8, 1, 8, 64, 3, 3, 3 },  { 8, 2, 4, 32, 2, 3, 3 },  { 8, 4, 2, 16, 1, 3, 3 },
    { 4, 1, 16, 64, 4, 2, 4 }, { 8, 1, 8, 128, 3, 3, 4 },
};

START_TEST(swizzled_tiles_follow_their_formula)
{
    const uint32_t vec = swizzles[_i].vec, columns = swizzles[_i].columns;
    const unsigned b = swizzles[_i].b, m = swizzles[_i].m;
    static const uint32_t heights[] = { 32, 48 }; /* 48: a digit of radix 3 remains */
    for (int h = 0; h < 2; h++) {
        const lw_relation plain = tile_of(heights[h], columns);
        lw_relation r, bytes, back;
        bool equal = false;
        ck_assert_int_eq(lw_relation_swizzle(&plain, 16, b, m, swizzles[_i].s, &r, NULL), LW_OK);
        for (uint32_t row = 0; row < heights[h]; row++)
            for (uint32_t col = 0; col < columns; col++) {
                const uint32_t phase = row / swizzles[_i].per_phase % swizzles[_i].max_phase;
                expect_offset(&r, row, col, 16 * (row * columns + (col / vec ^ phase) * vec + col % vec));
            }
        /* in bytes, one bit higher; applied twice, it is the identity; no digits can express it */
        ck_assert_int_eq(lw_relation_swizzle(&plain, 8, b, m + 1, swizzles[_i].s, &bytes, NULL), LW_OK);
        ck_assert_int_eq(lw_relation_equal(&r, &bytes, &equal), LW_OK);
        ck_assert(equal);
        ck_assert_int_eq(lw_relation_swizzle(&r, 16, b, m, swizzles[_i].s, &back, NULL), LW_OK);
        ck_assert_int_eq(lw_relation_equal(&back, &plain, &equal), LW_OK);
        ck_assert(equal);
        ck_assert_int_eq(lw_relation_equal(&r, &plain, &equal), LW_OK);
        ck_assert(!equal);
        ck_assert_int_eq(lw_relation_to_digits(&r, &back, NULL), LW_E_UNSUPPORTED);
    }
}
END_TEST

/* Bits of x from base + shift on are XORed into those from base on, one by one; for negative shifts, the
 * other way round. */
static uint32_t swizzle_bits(uint32_t x, unsigned b, unsigned m, int s)
{
    uint32_t y = x;
    for (unsigned i = 0; i < b; i++) {
        const unsigned from = s > 0 ? m + (unsigned)s + i : m + i, to = s > 0 ? m + i : m + (unsigned)-s + i;
        y ^= (x >> from & 1) << to;
    }
    return y;
}

START_TEST(any_swizzle_is_bitwise)
{
    const lw_relation plain = tile_of(32, 32);
    for (unsigned b = 1; b < 5; b++)
        for (unsigned m = 0; m < 5; m++)
            for (int s = -5; s <= 5; s++) {
                lw_relation r;
                const unsigned far = (unsigned)abs(s);
                const lw_status st = lw_relation_swizzle(&plain, 16, b, m, s, &r, NULL);
                if (far < b || m + far + b > 10) { /* the tile has ten bits: bits above it are 0 or outside */
                    ck_assert(far >= b || st == LW_E_ARGUMENT);
                    continue;
                }
                ck_assert_int_eq(st, LW_OK);
                for (uint32_t x = 0; x < 1024; x += 5)
                    expect_offset(&r, x / 32, x % 32, 16 * swizzle_bits(x, b, m, s));
            }
    lw_relation r;
    lw_error error = { "" };
    ck_assert_int_eq(lw_relation_swizzle(&plain, 16, 3, 31, 3, &r, &error), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_relation_swizzle(&plain, 0, 3, 3, 3, &r, &error), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_relation_swizzle(&plain, 16, 3, 3, -2147483647 - 1, &r, &error), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_relation_swizzle(&plain, 32, 3, 3, 3, &r, &error), LW_E_UNSUPPORTED);
    ck_assert_str_eq(error.text, "places 16 bits apart, from bit 0 on, are not counted in 32");
    const lw_relation three = tile_of(1, 24);
    ck_assert_int_eq(lw_relation_swizzle(&three, 16, 3, 3, 3, &r, &error), LW_E_UNSUPPORTED);
    ck_assert_str_eq(error.text, "a digit of radix 3 moves places among the bits that are swizzled");
}
END_TEST

/* Two consecutive swizzles, in bytes, as a kernel computes them by hand: no single Swizzle expresses them. */
START_TEST(swizzles_compose)
{
    const lw_relation plain = tile_of(16, 64);
    lw_relation r;
    ck_assert_int_eq(lw_relation_swizzle(&plain, 8, 1, 7, 3, &r, NULL), LW_OK);
    ck_assert_int_eq(lw_relation_swizzle(&r, 8, 2, 4, 4, &r, NULL), LW_OK);
    for (uint32_t byte = 0; byte < 2048; byte += 2) {
        uint32_t at = byte;
        at ^= (at >> 10 & 1) << 7;
        at ^= (at >> 8 & 3) << 4;
        expect_offset(&r, byte / 128, byte / 2 % 64, 8 * at);
    }
}
END_TEST

/* ttg.padded_shared<[32:+4, 64:+8]>: 4 elements after each 32, 8 more after each 64. */
START_TEST(padded_tiles_are_digits)
{
    lw_relation r = tile_of(16, 32);
    r.digits = 3;
    r.digit[1] = (lw_digit){ .radix = 2, .bit = 16 * (32 + 4), .row = 1 };
    r.digit[2] = (lw_digit){ .radix = 8, .bit = 16 * (64 + 2 * 4 + 8), .row = 2 };
    r.bits = 16 * 8 * 80;
    for (uint32_t offset = 0; offset < 512; offset++)
        expect_offset(&r, offset / 32, offset % 32, 16 * (offset + offset / 32 * 4 + offset / 64 * 8));
    lw_relation bases;
    ck_assert_int_eq(lw_relation_to_bases(&r, &bases, NULL), LW_E_UNSUPPORTED);
}
END_TEST

/* D of one product can be B of the next as it is; to be A, it has to change lanes. */
START_TEST(results_become_operands)
{
    const lw_relation a = relation_of("gfx942", F16_K16, LW_OPERAND_A, 0);
    const lw_relation d = relation_of("gfx942", F16_K16, LW_OPERAND_D, 0);
    lw_relation as_a = d, r;
    for (unsigned i = 0; i < d.digits; i++) { /* D's columns are k of A */
        as_a.digit[i].k = d.digit[i].col;
        as_a.digit[i].col = 0;
    }
    as_a.ks = d.cols;
    as_a.cols = 1;
    ck_assert_int_eq(lw_relation_compose(&as_a, &a, &r, NULL), LW_OK);
    for (uint32_t l = 0; l < 64; l++)
        for (uint32_t v = 0; v < 4; v++) {
            lw_pair got[2];
            size_t count = 0;
            ck_assert_int_eq(lw_relation_elements(&r, l, 32 * v, got, 2, &count), LW_OK);
            ck_assert_uint_eq(count, 1);
            const uint32_t i = 4 * (l / 16) + v, k = l % 16;
            ck_assert_uint_eq(got[0].row, i + 16 * (k / 4));
            ck_assert_uint_eq(got[0].col, 16 * (k % 4));
        }
}
END_TEST

/* Which bits of a swizzled tile each lane of A loads; each place of the tile is in both half-waves on gfx11.
 */
START_TEST(operands_find_their_bytes)
{
    lw_relation tile = tile_of(16, 64), r, back;
    for (unsigned i = 0; i < 2; i++) {
        tile.digit[i].k = tile.digit[i].col;
        tile.digit[i].col = 0;
    }
    tile.ks = 64;
    tile.cols = 1;
    ck_assert_int_eq(lw_relation_swizzle(&tile, 16, 3, 3, 3, &tile, NULL), LW_OK);
    const lw_relation a = relation_of("gfx942", F16_K16, LW_OPERAND_A, 0);
    ck_assert_int_eq(lw_relation_compose(&a, &tile, &r, NULL), LW_OK);
    for (uint32_t l = 0; l < 64; l++)
        for (uint32_t v = 0; v < 4; v++) {
            lw_pair got;
            size_t count = 0;
            const uint32_t x = l % 16 * 64 + 4 * (l / 16) + v;
            ck_assert_int_eq(lw_relation_elements(&r, l, 16 * v, &got, 1, &count), LW_OK);
            ck_assert_uint_eq(count, 1);
            ck_assert_uint_eq(got.row, 0);
            ck_assert_uint_eq(got.col, 16 * swizzle_bits(x, 3, 3, 3));
        }
    const lw_relation copied = relation_of("gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, 32);
    tile.rows = 16;
    ck_assert_int_eq(lw_relation_compose(&copied, &tile, &r, NULL), LW_OK);
    lw_error error = { "" };
    ck_assert_int_eq(lw_relation_compose(&tile, &copied, &back, &error), LW_E_UNSUPPORTED);
    ck_assert_msg(strstr(error.text, "has no place where it should go"), "%s", error.text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("relations of other tools");
    TCase *tc = tcase_create("all");
    tcase_add_loop_test(tc, bases_are_tritons_vectors, 0, OPERANDS);
    tcase_add_loop_test(tc, digits_are_cutes_layouts, 0, OPERANDS);
    tcase_add_loop_test(tc, swizzled_tiles_follow_their_formula, 0, sizeof(swizzles) / sizeof(swizzles[0]));
    tcase_add_test(tc, any_swizzle_is_bitwise);
    tcase_add_test(tc, swizzles_compose);
    tcase_add_test(tc, padded_tiles_are_digits);
    tcase_add_test(tc, results_become_operands);
    tcase_add_test(tc, operands_find_their_bytes);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
