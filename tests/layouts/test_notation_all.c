/* SPDX-License-Identifier: MIT */
/* Every operand of every instruction, written in every notation that can say it, read back and found equal.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { TEXT_MAX = 1 << 22 };
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

static lw_status print(const lw_layout *layout, lw_layout_format format)
{
    used = 0;
    out[0] = '\0';
    return lw_layout_print(layout, format, NULL, collect, NULL, NULL);
}

static unsigned read_back[LW_LAYOUT_LATEX + 1], operands;

/* A layout that several targets share is read once. */
static bool is_new(const lw_layout *layout, lw_operand operand)
{
    enum { MOST = 4096 };
    static uint64_t seen[MOST];
    static size_t count;
    lw_layout_info info;
    ck_assert_int_eq(lw_layout_get_info(layout, &info), LW_OK);
    ck_assert_int_eq(print(layout, LW_LAYOUT_CUTE), LW_OK);
    uint64_t hash = (uint64_t)operand | (uint64_t)info.x_count << 8 | (uint64_t)info.y_count << 24 |
                    (uint64_t)info.width << 40;
    for (size_t i = 0; i < used; i++)
        hash = (hash ^ (unsigned char)out[i]) * UINT64_C(0x100000001b3);
    for (size_t i = 0; i < count; i++)
        if (seen[i] == hash)
            return false;
    ck_assert_uint_lt(count, MOST);
    seen[count++] = hash;
    return true;
}

/* Returns whether the operand has a layout. */
static bool read_all(lw_arch arch, const lw_insn *insn, const char *name, lw_operand operand, unsigned wave)
{
    static const lw_layout_format formats[] = { LW_LAYOUT_FORMULA,   LW_LAYOUT_CUTE,    LW_LAYOUT_TRITON,
                                                LW_LAYOUT_GLUON,     LW_LAYOUT_IREE,    LW_LAYOUT_TIRX,
                                                LW_LAYOUT_CK,        LW_LAYOUT_LISTING, LW_LAYOUT_CSV,
                                                LW_LAYOUT_CALCULATOR };
    lw_layout *layout = NULL;
    lw_error error = { "" };
    if (lw_layout_create(arch, insn, operand, wave, NULL, &layout, &error) != LW_OK)
        return false;
    if (!is_new(layout, operand)) {
        lw_layout_free(layout);
        return true;
    }
    operands++;
    for (size_t f = 0; f < sizeof(formats) / sizeof(formats[0]); f++) {
        lw_layout_judgement j;
        /* the slow ones take turns, unless all are wanted */
        const bool often = formats[f] != LW_LAYOUT_FORMULA && formats[f] != LW_LAYOUT_LISTING &&
                           formats[f] != LW_LAYOUT_CSV && formats[f] != LW_LAYOUT_CALCULATOR;
        if ((!often && (operands + f) % 4 && !getenv("LW_FULL")) || print(layout, formats[f]) != LW_OK)
            continue;
        ck_assert_msg(lw_layout_judge(layout, out, used, &j, &error) == LW_OK, "%s %s: %s: %s", name,
                      lw_operand_name(operand), out, error.text);
        ck_assert_msg(j.verdict == LW_VERDICT_EQUAL, "%s %s: %s %s", name, lw_operand_name(operand), out,
                      j.text);
        read_back[formats[f]]++;
    }
    lw_layout_free(layout);
    return true;
}

START_TEST(written_and_read)
{
    const lw_arch arch = (lw_arch)_i;
    for (size_t i = 0; i < lw_insn_count(arch); i++) {
        const lw_insn *insn = lw_insn_at(arch, i);
        lw_insn_info info;
        if (lw_insn_get_info(arch, insn, &info) != LW_OK)
            continue;
        for (int o = 0; o < LW_OPERAND_COUNT; o++)
            for (unsigned wave = 32; wave <= 128; wave *= 2)
                if (info.operand[o].present && info.wave_sizes & (wave / 32))
                    read_all(arch, insn, info.mnemonic, (lw_operand)o, wave);
    }
}
END_TEST

/* Operands with N columns, of instructions that have many widths. 11 of them have scales whose layout can be
 * said. */
START_TEST(widths)
{
    static const struct {
        const char *name;
        lw_arch arch;
        lw_operand operand;
        unsigned step, widths;
    } rows[] = { { "wgmma.m64n%uk16.f32.f16.f16", LW_ARCH_SM_90, LW_OPERAND_D, 8, 32 },
                 { "wgmma.m64n%uk16.f16.f16.f16", LW_ARCH_SM_90, LW_OPERAND_D, 8, 32 },
                 { "wgmma.m64n%uk32.s32.int8.int8", LW_ARCH_SM_90, LW_OPERAND_D, 32, 8 },
                 { "tcgen05.m128n%uk16.f32.f16.f16", LW_ARCH_SM_100A, LW_OPERAND_D, 16, 16 },
                 { "tcgen05.m128n%uk64.mxf4.f32.e2m1.e2m1", LW_ARCH_SM_100A, LW_OPERAND_SCALE_B, 8, 11 } };
    unsigned found = 0;
    for (unsigned n = rows[_i].step; n <= 256; n += rows[_i].step) {
        char name[64];
        const lw_insn *insn;
        snprintf(name, sizeof(name), rows[_i].name, n);
        ck_assert_msg(lw_insn_find(rows[_i].arch, name, &insn, NULL) == LW_OK, "%s", name);
        found += read_all(rows[_i].arch, insn, name, rows[_i].operand, 128);
    }
    ck_assert_uint_eq(found, rows[_i].widths);
}
END_TEST

START_TEST(every_one_was_read)
{
    ck_assert_uint_gt(operands, 200);
    ck_assert_uint_eq(read_back[LW_LAYOUT_CUTE], operands);
    ck_assert_uint_eq(read_back[LW_LAYOUT_TIRX], operands);
    ck_assert_uint_gt(read_back[LW_LAYOUT_TRITON], operands - operands / 8);
    ck_assert_uint_eq(read_back[LW_LAYOUT_GLUON], read_back[LW_LAYOUT_TRITON]);
    ck_assert_uint_eq(read_back[LW_LAYOUT_CK], read_back[LW_LAYOUT_TRITON]);
    ck_assert_uint_gt(read_back[LW_LAYOUT_FORMULA], operands / 5);
    ck_assert_uint_gt(read_back[LW_LAYOUT_LISTING], operands / 5);
    ck_assert_uint_gt(read_back[LW_LAYOUT_IREE], operands / 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layout_notation_all");
    TCase *tc = tcase_create("all");
    tcase_add_loop_test(tc, written_and_read, 0, LW_ARCH_COUNT);
    tcase_add_test(tc, every_one_was_read);
    tcase_add_loop_test(tc, widths, 0, 5); /* many are no powers of two */
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
