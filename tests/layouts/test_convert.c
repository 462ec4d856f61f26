/* SPDX-License-Identifier: MIT */
/*
 * Layouts without an instruction: examples that other tools' own programs computed (CUTLASS's pycute,
 * Triton's to_linear_layout), texts of every operand read and written again, moves from operand to operand,
 * damaged texts.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { TEXT_MAX = 1 << 20 };
static char out[TEXT_MAX];
static size_t used;

static lw_status collect(void *context, const char *bytes, size_t size)
{
    (void)context;
    ck_assert_uint_lt(used + size, TEXT_MAX);
    memcpy(out + used, bytes, size);
    used += size;
    out[used] = '\0';
    return LW_OK;
}

static void clear(void)
{
    used = 0;
    out[0] = '\0';
}

/* ---- CuTe's algebra ---- */

static const struct {
    const char *expression, *result;
} sums[] = {
    { "compose((6,2):(8,2), (4,3):(3,1))", "((2,2),3):((24,2),8)\n" },
    { "complement(4:2, 24)", "(2,3):(1,8)\n" },
    { "complement((2,2):(1,6), 24)", "(3,2):(2,12)\n" },
    { "divide((4,2,3):(2,1,8), 4:2)", "((2,2),(2,3)):((4,1),(2,8))\n" },
    { "inverse(((4,8),(2,2,2)):((32,1),(16,8,128)))", "(8,2,2,4,2):(4,64,32,1,128)\n" },
    { "inverse(((16,2),16):((1,0),16))", "(16,16):(1,32)\n" },
    { "compose(inverse(((16,4),4):((1,64),16)), ((16,4),4):((16,4),1))", "(((4,4),4),4):(((64,16),4),1)\n" },
    { "coalesce((2,(1,6)):(1,(6,2)))", "12:1\n" },
    { "compose(20:2, (5,4):(4,1))", "(5,4):(8,2)\n" },
    { "compose((10,2):(16,4), (5,4):(1,5))", "(5,(2,2)):(16,(80,4))\n" },
    { "coalesce((1,1):(7,9))", "1:0\n" },
};

START_TEST(algebra)
{
    lw_error error = { "" };
    clear();
    ck_assert_msg(lw_cute_evaluate(sums[_i].expression, strlen(sums[_i].expression), collect, NULL, &error) ==
                      LW_OK,
                  "%s", error.text);
    ck_assert_str_eq(out, sums[_i].result);
    for (size_t n = 0; n < strlen(sums[_i].expression); n++) {
        const lw_status st = lw_cute_evaluate(sums[_i].expression, n, collect, NULL, &error);
        ck_assert_msg(st == LW_E_FORMAT && strstr(error.text, "column "), "%.*s: %s", (int)n,
                      sums[_i].expression, error.text);
    }
}
END_TEST

START_TEST(algebra_refused)
{
    static const char *const cases[][2] = {
        { "compose((4,6):(1,8), 2:3)", "does not divide evenly" },
        { "compose((6,2):(1,7), 4:4)", "does not divide evenly" },
        { "complement((2,2):(1,3), 24)", "does not divide evenly" },
        { "complement((4,4):(1,2), 24)", "does not divide" },
        { "add(1:1, 2:2)", "column 1" },
        { "inverse(4:1) 3", "ends before this" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lw_error error = { "" };
        ck_assert_int_eq(lw_cute_evaluate(cases[i][0], strlen(cases[i][0]), collect, NULL, &error),
                         LW_E_FORMAT);
        ck_assert_msg(strstr(error.text, cases[i][1]), "%s: %s", cases[i][0], error.text);
    }
}
END_TEST

/* ---- Every operand ---- */

/* The text of an operand, read without the instruction and written again in the same notation. */
static unsigned again(const lw_layout *layout, lw_layout_format format)
{
    static char first[TEXT_MAX];
    lw_layout_info info;
    lw_relation relation;
    lw_error error = { "" };
    lw_layout_get_info(layout, &info);
    clear();
    if (lw_layout_print(layout, format, NULL, collect, NULL, NULL) != LW_OK)
        return 0;
    memcpy(first, out, used + 1);
    const lw_status st = lw_notation_read(first, used, info.operand, info.x_count, info.y_count, info.wave,
                                          &relation, NULL, &error);
    if (st == LW_E_UNSUPPORTED) /* lanes that hold nothing */
        return 0;
    ck_assert_msg(st == LW_OK, "%s %s: %s", info.mnemonic, first, error.text);
    clear();
    ck_assert_msg(lw_notation_print(&relation, info.operand, format, collect, NULL, &error) == LW_OK,
                  "%s: %s", first, error.text);
    ck_assert_msg(strncmp(first, out, strlen(out)) == 0, "%s %s became %s", info.mnemonic, first, out);
    return 1;
}

START_TEST(every_operand)
{
    static const lw_layout_format formats[] = { LW_LAYOUT_FORMULA, LW_LAYOUT_CUTE, LW_LAYOUT_TRITON,
                                                LW_LAYOUT_GLUON,   LW_LAYOUT_IREE, LW_LAYOUT_TIRX,
                                                LW_LAYOUT_CK };
    static const lw_arch archs[] = { LW_ARCH_GFX942, LW_ARCH_GFX950, LW_ARCH_GFX1100, LW_ARCH_GFX1201 };
    unsigned count = 0;
    for (size_t a = 0; a < sizeof(archs) / sizeof(archs[0]); a++)
        for (size_t n = 0; n < lw_insn_count(archs[a]); n++)
            for (int o = LW_OPERAND_A; o <= LW_OPERAND_D; o++) {
                lw_layout *layout = NULL;
                lw_layout_info info;
                if (lw_layout_create(archs[a], lw_insn_at(archs[a], n), (lw_operand)o, 0, NULL, &layout,
                                     NULL) != LW_OK)
                    continue;
                lw_layout_get_info(layout, &info);
                for (size_t f = 0; info.blocks == 1 && f < sizeof(formats) / sizeof(formats[0]); f++)
                    count += again(layout, formats[f]);
                lw_layout_free(layout);
            }
    ck_assert_uint_gt(count, 2500);
}
END_TEST

/* ---- Tiles ---- */

static const char *const tiles[] = {
    "Sw<3,3,3> o 0 o (64,64):(64,1)",
    "Sw<2,4,3> o 0 o (64,64):(64,1)",
    "(64,64):(72,1)",
    "Sw<2,3,3> o 0 o (64,(32,2)):(32,(1,2048))",
    "Sw<3,3,3> o 0 o (64,64):(1,64)",
    "(64,(8,8)):(8,(1,512))",
    "Sw<4,2,4> o 0 o (64,64):(64,1)",
};

/* Each notation of a tile, when read again, has every element in the same place. */
START_TEST(tiles_again)
{
    static const lw_layout_format formats[] = { LW_LAYOUT_CUTE, LW_LAYOUT_TRITON, LW_LAYOUT_IREE,
                                                LW_LAYOUT_TIRX };
    lw_tile *tile = NULL, *copy = NULL;
    ck_assert_int_eq(lw_tile_read(tiles[_i], strlen(tiles[_i]), 64, 64, 16, &tile, NULL), LW_OK);
    for (size_t f = 0; f < sizeof(formats) / sizeof(formats[0]); f++) {
        lw_error error = { "" };
        clear();
        const lw_status st = lw_tile_print(tile, formats[f], collect, NULL, &error);
        ck_assert(st == LW_OK || (f > 0 && st == LW_E_UNSUPPORTED && error.text[0]));
        if (st != LW_OK)
            continue;
        if (f == 0)
            ck_assert_int_eq(strncmp(out, tiles[_i], strlen(tiles[_i])), 0);
        ck_assert_msg(lw_tile_read(out, used, 64, 64, 16, &copy, &error) == LW_OK, "%s: %s", out, error.text);
        for (uint32_t i = 0; i < 64 * 64; i++) {
            uint64_t one, other;
            lw_tile_bit(tile, i / 64, i % 64, &one);
            lw_tile_bit(copy, i / 64, i % 64, &other);
            ck_assert_uint_eq(one, other);
        }
        lw_tile_free(copy);
    }
    lw_tile_free(tile);
}
END_TEST

/* ---- Moves ---- */

#define K16 "v_mfma_f32_16x16x16_f16"
#define MMA "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
#define MMA8 "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"

static lw_layout *layout_of(lw_arch arch, const char *name, lw_operand operand)
{
    const lw_insn *insn = NULL;
    lw_layout *layout = NULL;
    ck_assert_int_eq(lw_insn_find(arch, name, &insn, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_create(arch, insn, operand, 0, NULL, &layout, NULL), LW_OK);
    return layout;
}

START_TEST(moves)
{
    static const struct {
        lw_arch arch;
        const char *from, *to;
        lw_operand operand;
        size_t count, moved, reordered;
    } cases[] = {
        { LW_ARCH_GFX942, K16, K16, LW_OPERAND_B, 256, 0, 0 },
        { LW_ARCH_GFX942, K16, K16, LW_OPERAND_C, 256, 0, 0 },
        { LW_ARCH_GFX942, K16, K16, LW_OPERAND_A, 256, 240, 0 },
        { LW_ARCH_GFX942, "v_mfma_f32_32x32x8_f16", "v_mfma_f32_32x32x8_f16", LW_OPERAND_B, 256, 0, 0 },
        { LW_ARCH_SM_80, MMA, MMA8, LW_OPERAND_A, 128, 0, 0 },
    };
    static lw_layout_move list[1024];
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        lw_layout *from = layout_of(cases[c].arch, cases[c].from, LW_OPERAND_D),
                  *to = layout_of(cases[c].arch, cases[c].to, cases[c].operand);
        size_t count = 0, moved = 0, reordered = 0;
        ck_assert_int_eq(lw_layout_moves(from, to, 0, 0, list, 1024, &count, NULL), LW_OK);
        for (size_t i = 0; i < count; i++) {
            moved += list[i].lane != list[i].from_lane;
            reordered += list[i].lane == list[i].from_lane && list[i].value != list[i].from_value;
        }
        ck_assert_msg(count == cases[c].count && moved == cases[c].moved && reordered == cases[c].reordered,
                      "case %zu: %zu %zu %zu", c, count, moved, reordered);
        lw_layout_free(from);
        lw_layout_free(to);
    }
}
END_TEST

/* Where a lane has a copy of its own, nothing moves: A of gfx1100 is in both halves of the wave. */
START_TEST(moves_of_copies)
{
    lw_layout *a = layout_of(LW_ARCH_GFX1100, "v_wmma_f32_16x16x16_f16", LW_OPERAND_A);
    static lw_layout_move list[512];
    size_t count = 0;
    ck_assert_int_eq(lw_layout_moves(a, a, 0, 0, list, 512, &count, NULL), LW_OK);
    ck_assert_uint_eq(count, 512);
    for (size_t i = 0; i < count; i++)
        ck_assert(list[i].lane == list[i].from_lane && list[i].value == list[i].from_value);
    lw_layout_free(a);
}
END_TEST

/* D of 16x16x16 to A, written out: A's lane l, value v is element (l % 16, 4 (l / 16) + v), which D has in
 * lane k + 16 (i / 4), value i % 4. */
START_TEST(moves_from_d_to_a)
{
    lw_layout *from = layout_of(LW_ARCH_GFX942, K16, LW_OPERAND_D),
              *to = layout_of(LW_ARCH_GFX942, K16, LW_OPERAND_A);
    lw_layout_move list[256];
    size_t count = 0;
    lw_error error = { "" };
    ck_assert_int_eq(lw_layout_moves(from, to, 0, 0, list, 256, &count, NULL), LW_OK);
    for (unsigned n = 0; n < 256; n++) {
        const unsigned l = n / 4, v = n % 4, i = l % 16, k = 4 * (l / 16) + v;
        ck_assert_uint_eq(list[n].lane, l);
        ck_assert_uint_eq(list[n].value, v);
        ck_assert_uint_eq(list[n].from_lane, k + 16 * (i / 4));
        ck_assert_uint_eq(list[n].from_value, i % 4);
    }
    ck_assert_int_eq(lw_layout_moves(from, to, 1, 0, list, 256, &count, &error), LW_E_ARGUMENT);
    ck_assert_str_eq(error.text, "16 rows from 1 on do not fit into 16");
    lw_layout_free(from);
    lw_layout_free(to);
}
END_TEST

START_TEST(refused)
{
    static const struct {
        const char *text, *says;
        lw_status status;
    } cases[] = {
        { "((16,4),4):((1,64),32)", "the shape has 16", LW_E_FORMAT },
        { "((16,4),4):((1,64),16", "',' or a closing bracket", LW_E_FORMAT },
        { "MMA_Atom\nThrID: _64:_1\nLayoutA_TV: (_64,_4):(_4,_1)", "for an operand of an instruction only",
          LW_E_FORMAT },
        { "ThrID (2,8):(1,4), (16,16):(1,16)", "hold nothing", LW_E_UNSUPPORTED },
        { "i = l%16, k = (l/16 + v*5 + v/3)%16", "neither digits nor XOR bases", LW_E_UNSUPPORTED },
        { "i = l%16, k = 4*(l/16)+v, x", "column 27", LW_E_FORMAT },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lw_relation r;
        lw_error error = { "" };
        const lw_status st = lw_notation_read(cases[i].text, strlen(cases[i].text), LW_OPERAND_A, 16, 16, 64,
                                              &r, NULL, &error);
        ck_assert_msg(st == cases[i].status && strstr(error.text, cases[i].says), "%s: %s", cases[i].text,
                      error.text);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("convert");
    TCase *tc = tcase_create("convert");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, algebra, 0, sizeof(sums) / sizeof(sums[0]));
    tcase_add_test(tc, algebra_refused);
    tcase_add_test(tc, every_operand);
    tcase_add_loop_test(tc, tiles_again, 0, sizeof(tiles) / sizeof(tiles[0]));
    tcase_add_test(tc, moves);
    tcase_add_test(tc, moves_of_copies);
    tcase_add_test(tc, moves_from_d_to_a);
    tcase_add_test(tc, refused);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
