/* SPDX-License-Identifier: MIT */
/* Digests of D recorded on a gfx1201, through whole instructions: layouts, index, modifiers, both
 * implementations. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

#include "cli/digests.h"

enum { LINES = 1280 };

/* D of one line, by the reference or by the default implementation. */
static void run(const digest_case *c, const digest_words *words, bool reference, uint32_t *d, unsigned *count)
{
    const lw_insn *insn;
    lw_mods mods;
    lw_mma *mma;
    lw_operand_info info;
    lw_error error = { "" };
    lw_status st = lw_insn_parse(LW_ARCH_GFX1201, c->insn, &insn, &mods, &error);
    ck_assert_msg(st == LW_OK, "%s: %s", c->insn, error.text);
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options),
                                     .mods = &mods,
                                     .wave = DIGEST_LANES,
                                     .reference_only = reference };
    st = lw_mma_create(LW_ARCH_GFX1201, insn, &options, &mma, &error);
    ck_assert_msg(st == LW_OK, "%s: %s", c->insn, error.text);
    ck_assert_int_eq(lw_insn_operand(LW_ARCH_GFX1201, insn, LW_OPERAND_D, &mods, &info, &error), LW_OK);
    const lw_mma_registers regs = {
        .a = words->a, .b = words->b, .c = words->c, .index = words->index, .d = d
    };
    ck_assert_int_eq(lw_mma_execute_registers(mma, &regs, NULL), LW_OK);
    *count = (unsigned)info.registers * DIGEST_LANES;
    lw_mma_free(mma);
}

/* The generators themselves: digests of the operands of two samples. */
START_TEST(operands)
{
    static const struct {
        const char *line;
        uint64_t digest;
    } samples[] = {
        { "int,v_wmma_i32_16x16x16_iu8,\"neg_lo:[0,0,0]\",0,0", UINT64_C(0x7689d9af055e43b6) },
        { "int,v_wmma_i32_16x16x16_iu8,\"neg_lo:[0,0,0]\",15,0", UINT64_C(0x1fadfb09a98d158f) },
    };
    digest_case c;
    digest_words words;
    ck_assert(digest_parse(samples[_i].line, &c));
    digest_generate(&c, &words);
    ck_assert_uint_eq(words.registers, 15);
    ck_assert_uint_eq(digest_of(words.a, words.registers * DIGEST_LANES), samples[_i].digest);
}
END_TEST

START_TEST(recorded)
{
    static const unsigned expected[] = { [DIGEST_INT] = 1024, [DIGEST_F16] = 128, [DIGEST_F8] = 128 };
    unsigned lines[3] = { 0 }, wrong = 0, total = 0;
    char line[256];
    FILE *file = fopen(LW_SOURCE_DIR "/tests/data/gfx1201_wmma_swmmac_digests.csv", "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof(line), file)) {
        digest_case c;
        digest_words words;
        if (*line == '#')
            continue;
        ck_assert_msg(digest_parse(line, &c), "%s", line);
        digest_generate(&c, &words);
        lines[c.generator]++;
        for (int reference = 0; reference < 2; reference++) {
            uint32_t d[8 * DIGEST_LANES];
            unsigned count;
            run(&c, &words, reference, d, &count);
            if (digest_leading(&c, d, count) == c.want)
                continue;
            wrong++;
            if (wrong < 10)
                printf("%s sample %u%s: another digest than the recorded %0*llx\n", c.insn, c.sample,
                       reference ? ", reference" : "", (int)c.digits, (unsigned long long)c.want);
        }
    }
    fclose(file);
    for (unsigned g = 0; g < 3; g++) {
        ck_assert_uint_eq(lines[g], expected[g]);
        total += lines[g];
    }
    ck_assert_uint_eq(total, LINES);
    ck_assert_msg(wrong == 0, "%u of %u digests differ", wrong, 2 * total);
}
END_TEST

/* Lines that are not digests. */
START_TEST(refused)
{
    static const char *const lines[] = {
        "int,v_wmma_i32_16x16x16_iu8,\"neg_lo:[0,0,0]\",0",
        "int,v_wmma_i32_16x16x16_iu8,\"neg_lo:[0,0,0]\",x,c22a",
        "int,v_wmma_i32_16x16x16_iu8,\"neg_lo:[0,0,0]\",0,c22g",
        "int,v_wmma_i32_16x16x16_iu8,\"neg_lo:[0,0,0]\",0,c22ac22ac22ac22ac",
        "int,v_wmma_i32_16x16x16_iu8,\"neg_lo:[0,0,0]\",0,",
        "f64,v_wmma_i32_16x16x16_iu8,,0,c22a",
        "int,v_an_instruction_with_a_name_that_is_much_longer_than_any,,0,c22a",
        "int",
    };
    digest_case c;
    ck_assert(!digest_parse(lines[_i], &c));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mma_digests");
    TCase *tc = tcase_create("digests");
    tcase_add_loop_test(tc, operands, 0, 2);
    tcase_add_test(tc, recorded);
    tcase_add_loop_test(tc, refused, 0, 8);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
