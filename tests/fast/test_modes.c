/* SPDX-License-Identifier: MIT */
/*
 * Every AMD instruction in every wave size, with every modifier it takes and the bits of MODE: the vectorised
 * implementations are bit-identical to the reference. LW_FULL=1 runs more tiles.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codes.h"
#include "contest.h"

#define BOTH_FP4 "matrix_a_fmt:MATRIX_FMT_FP4 matrix_b_fmt:MATRIX_FMT_FP4"
#define BOTH_E4M3 "matrix_a_scale_fmt:MATRIX_SCALE_FMT_E4M3 matrix_b_scale_fmt:MATRIX_SCALE_FMT_E4M3"

static const char *const modifiers[] = {
    "",
    "cbsz:1 abid:1",
    "cbsz:2 abid:3",
    "cbsz:4 abid:9",
    "abid:1",
    "abid:3",
    "cbsz:1",
    "blgp:1",
    "blgp:3",
    "blgp:6",
    "neg:[1,0,0]",
    "neg:[0,1,1]",
    "cbsz:2 blgp:4",
    "cbsz:4 blgp:4 op_sel:[1,0] op_sel_hi:[1,1]",
    "cbsz:1 blgp:0 op_sel:[0,1] op_sel_hi:[1,0]",
    "neg_lo:[1,0,0]",
    "neg_lo:[0,1,1] neg_hi:[1,0,1]",
    "neg_lo:[0,0,1]",
    "neg_hi:[0,0,1]",
    "op_sel:[0,0,1]",
    "op_sel:[0,0,1] neg_lo:[0,1,1] neg_hi:[1,0,0]",
    "neg_lo:[1,0,0] clamp",
    "neg_lo:[1,1,0]",
    "neg_lo:[1,1,0] clamp",
    "clamp",
    "index_key:1",
    "index_key:3 neg_lo:[0,1,0]",
    "index_key:1 neg_lo:[1,1,0] clamp",
    "matrix_a_fmt:MATRIX_FMT_BF8 matrix_b_fmt:MATRIX_FMT_FP6 neg_lo:[0,0,1]",
    "matrix_a_fmt:MATRIX_FMT_FP4 matrix_b_fmt:MATRIX_FMT_BF6",
    "matrix_a_scale:MATRIX_SCALE_ROW1",
    "matrix_b_scale:MATRIX_SCALE_ROW1 matrix_a_reuse",
    (BOTH_FP4 " " BOTH_E4M3),
    BOTH_E4M3,
    "matrix_b_fmt:MATRIX_FMT_FP4 matrix_b_scale_fmt:MATRIX_SCALE_FMT_E5M3",
};
enum { MODIFIERS = sizeof(modifiers) / sizeof(modifiers[0]) };

static const unsigned modes[] = { 0, LW_MMA_MODE_FP16_OVFL,
                                  LW_MMA_MODE_F32_FLUSH_IN | LW_MMA_MODE_F32_FLUSH_OUT };

enum { MODES = sizeof(modes) / sizeof(modes[0]) };

static void fill(const contest *c, kind what, uint64_t *state, contest_images *im)
{
    const struct {
        lw_operand operand;
        const lw_format *format;
        uint32_t *regs;
    } parts[] = { { LW_OPERAND_A, c->reference->a, im->a },
                  { LW_OPERAND_B, c->reference->b, im->b },
                  { LW_OPERAND_C, c->reference->c, im->c } };
    for (unsigned w = 0; w < CONTEST_WORDS; w++) {
        im->index[w] = (uint32_t)codes_next(state);
        im->scale_a[w] = im->scale_b[w] = (uint32_t)codes_next(state) & 0x07070707;
        im->scale_a[w] += what == KIND_BITS ? (uint32_t)codes_next(state) : 0x7a7a7a7a;
        im->scale_b[w] += 0x7c7c7c7c;
        im->a[w] = im->b[w] = im->c[w] = (uint32_t)codes_next(state);
    }
    for (unsigned n = 0; n < 3; n++)
        for (unsigned e = 0; e < c->reference->port[parts[n].operand].elements; e++)
            contest_put(c, parts[n].operand, parts[n].regs, e,
                        n == 2 ? codes_c(parts[n].format, what, state)
                               : codes_element(parts[n].format, what, state));
    if (what == KIND_ONE_ODD && c->reference->a->exp_bits)
        contest_put(c, LW_OPERAND_A, im->a,
                    (unsigned)codes_next(state) % c->reference->port[LW_OPERAND_A].elements,
                    codes_odd(c->reference->a, state));
}

static unsigned check(lw_arch arch, const lw_insn *insn, const char *text, unsigned wave)
{
    static contest_images im;
    contest c;
    lw_mods mods;
    lw_insn_info info;
    char whole[256];
    const char *full = getenv("LW_FULL");
    const unsigned rounds = CONTEST_SLOW ? 1 : KIND_COUNT * (full && *full == '1' ? 20 : 1);
    uint64_t state = wave + (uint64_t)(unsigned char)text[0];
    if (lw_insn_get_info(arch, insn, &info) != LW_OK || !(info.wave_sizes & (wave == 32 ? 1 : 2)))
        return 0;
    snprintf(whole, sizeof(whole), "%s wave:%u", text, wave);
    if (lw_mods_parse(arch, insn, whole, &mods, NULL) != LW_OK || !contest_open(arch, insn, &mods, &c))
        return 0;
    for (unsigned n = 0; n < rounds; n++) {
        fill(&c, (kind)(n % KIND_COUNT), &state, &im);
        contest_run(&c, &im, modes[0], n % 2, "plain");
        contest_run(&c, &im, modes[1 + n % (MODES - 1)], n / 2 % 2, "under MODE");
    }
    contest_close(&c);
    return 1;
}

static unsigned taken[MODIFIERS];

START_TEST(every_modifier)
{
    const lw_arch arch = (lw_arch)_i;
    for (size_t i = 0; contest_isas() && i < lw_insn_count(arch); i++)
        for (unsigned n = 0; n < MODIFIERS; n++)
            taken[n] += check(arch, lw_insn_at(arch, i), modifiers[n], 32) +
                        check(arch, lw_insn_at(arch, i), modifiers[n], 64);
}
END_TEST

/* Each of the texts above is used. */
START_TEST(all_taken)
{
    for (unsigned n = 0; contest_isas() && n < MODIFIERS; n++)
        ck_assert_msg(taken[n] > 0, "no instruction takes %s", modifiers[n]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fast_modes");
    TCase *tc = tcase_create("modes");
    tcase_set_timeout(tc, 0);
    tcase_add_loop_test(tc, every_modifier, LW_ARCH_GFX908, LW_ARCH_GFX1250 + 1);
    tcase_add_test(tc, all_taken);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
