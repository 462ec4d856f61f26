/* SPDX-License-Identifier: MIT */
/* lanewise/disasm.h: sizes, branch targets computed by hand, and input that is refused without touching the
 * result. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/disasm.h>

/* Words and texts as llvm-mc 22 prints them for gfx950. */
static const struct {
    uint32_t words[4];
    size_t size;
    const char *text;
} known[] = {
    { { 0xbf800000 }, 4, "s_nop 0" },
    { { 0xc00200c0, 0x18 }, 8, "s_load_dword s3, s[0:1], 0x18" },
    { { 0xd3cd0000, 0x04020d04 }, 8, "v_mfma_f32_16x16x16_f16 v[0:3], v[4:5], v[6:7], v[0:3]" },
};

START_TEST(known_words)
{
    lw_disasm d;
    ck_assert_int_eq(lw_disasm_decode(LW_ARCH_GFX950, known[_i].words, sizeof(known[_i].words), 0, &d),
                     LW_OK);
    ck_assert_str_eq(d.text, known[_i].text);
    ck_assert_uint_eq(d.size, known[_i].size);
    ck_assert(!d.branches);
}
END_TEST

START_TEST(branches_count_dwords_from_the_next_instruction)
{
    static const struct {
        uint32_t word;
        uint64_t address, target;
    } cases[] = {
        { 0xbf820000, 0x1000, 0x1004 }, /* s_branch 0 */
        { 0xbf82ffff, 0x1000, 0x1000 }, /* to itself */
        { 0xbf857fff, 0x1000, 0x1004 + 0x7fff * 4 },
        { 0xbf888000, 0x40000, 0x40004 - 0x8000 * 4 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lw_disasm d;
        ck_assert_int_eq(lw_disasm_decode(LW_ARCH_GFX942, &cases[i].word, 4, cases[i].address, &d), LW_OK);
        ck_assert(d.branches);
        ck_assert_uint_eq(d.target, cases[i].target);
    }
}
END_TEST

START_TEST(refusals_leave_the_result_alone)
{
    const uint32_t load[2] = { 0xc00200c0, 0x18 }, unknown = 0xffffffff;
    lw_disasm d, before;
    memset(&d, 0x5a, sizeof(d));
    d.struct_size = sizeof(d);
    before = d;
    ck_assert_int_eq(lw_disasm_decode(LW_ARCH_GFX950, NULL, 4, 0, &d), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_disasm_decode(LW_ARCH_GFX950, load, 8, 0, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_disasm_decode(LW_ARCH_SM_80, load, 8, 0, &d), LW_E_ARCH); /* PTX is text */
    ck_assert_int_eq(lw_disasm_decode(LW_ARCH_NONE, load, 8, 0, &d), LW_E_ARCH);
    ck_assert_int_eq(lw_disasm_decode(LW_ARCH_GFX950, &unknown, 4, 0, &d), LW_E_FORMAT);
    for (size_t size = 0; size < 8; size++)
        ck_assert_int_eq(lw_disasm_decode(LW_ARCH_GFX950, load, size, 0, &d), LW_E_TRUNCATED);
    ck_assert_mem_eq(&d, &before, sizeof(d));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("disasm_api");
    TCase *tc = tcase_create("one instruction");
    tcase_add_loop_test(tc, known_words, 0, (int)(sizeof(known) / sizeof(known[0])));
    tcase_add_test(tc, branches_count_dwords_from_the_next_instruction);
    tcase_add_test(tc, refusals_leave_the_result_alone);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    const int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
