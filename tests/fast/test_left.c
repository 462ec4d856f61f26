/* SPDX-License-Identifier: MIT */
/*
 * FMA chains in a padded tile whose D takes C's place: the C that is kept has +0 in rows that were left
 * alone, whatever the tile before had there. Otherwise D's zeros would count as zeros of an arbitrary C.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "codes.h"
#include "contest.h"
#include "emu/mma/prepared.h"

enum { USED = 2 };

static const char *const chains[] = { "v_mfma_f32_16x16x4_f32", "v_mfma_f32_32x32x2_f32",
                                      "v_mfma_f32_32x32x1_2b_f32", "v_mfma_f32_16x16x1_4b_f32" };

static void put_all(const contest *c, lw_operand operand, uint32_t *regs, unsigned rows, uint64_t code)
{
    const lw_mma_port *port = &c->reference->port[operand];
    for (unsigned e = 0; e < port->elements; e++)
        contest_put(c, operand, regs, e, e / port->row_elements % c->reference->insn->m < rows ? code : 0);
}

static uint32_t noted(const lw_mma *mma, const contest_images *im, uint32_t *d)
{
    lw_mma_use use = { .open = UINT32_MAX, .expects_zeros = 1 };
    memcpy(d, im->c, sizeof(im->c));
    const lw_mma_registers regs = { .a = im->a, .b = im->b, .c = d, .d = d };
    ck_assert_int_eq(lw_mma_execute_noting(mma, &regs, &use), LW_OK);
    return use.touched;
}

START_TEST(kept_zeros)
{
    static contest_images full, padded;
    static uint32_t want[CONTEST_WORDS], got[CONTEST_WORDS];
    const uint32_t one = 0x3f800000, infinity = 0x7f800000;
    const lw_mods mods = { 0 };
    const lw_insn *insn = NULL;
    lw_mods parsed;
    contest c;
    ck_assert_int_eq(lw_insn_parse(LW_ARCH_GFX942, chains[_i], &insn, &parsed, NULL), LW_OK);
    ck_assert(contest_open(LW_ARCH_GFX942, insn, &mods, &c));
    const unsigned rows = insn->m;
    put_all(&c, LW_OPERAND_A, full.a, rows, one);
    put_all(&c, LW_OPERAND_C, full.c, rows, one);
    put_all(&c, LW_OPERAND_A, padded.a, USED, one);
    put_all(&c, LW_OPERAND_C, padded.c, USED, one);
    contest_put(&c, LW_OPERAND_C, padded.c, 0, infinity);
    for (unsigned e = 0; e < c.reference->port[LW_OPERAND_B].elements; e++) {
        contest_put(&c, LW_OPERAND_B, full.b, e, one);
        contest_put(&c, LW_OPERAND_B, padded.b, e, one);
    }
    uint32_t touched = 0;
    const lw_mma_registers regs = { .a = padded.a, .b = padded.b, .c = padded.c, .d = want };
    ck_assert_int_eq(lw_mma_execute_registers(c.reference, &regs, &touched), LW_OK);
    for (unsigned isa = 0; isa < c.isas; isa++) {
        (void)noted(c.fast[isa], &full, got);
        ck_assert_uint_eq(noted(c.fast[isa], &padded, got), touched);
        ck_assert_mem_eq(got, want, c.words * sizeof(*want));
    }
    contest_close(&c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fast_left");
    TCase *tc = tcase_create("left");
    tcase_add_loop_test(tc, kept_zeros, 0, sizeof(chains) / sizeof(chains[0]));
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
