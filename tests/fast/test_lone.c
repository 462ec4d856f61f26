/* SPDX-License-Identifier: MIT */
/*
 * One special number in A, B or C, everything else moderate, so that most outputs are computed by the kernel
 * and few are left for the reference; through every instruction in every wave size.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "codes.h"
#include "contest.h"

enum { TRIES = CONTEST_SLOW ? 24 : 192 };

/* An infinity, a NaN, the largest number, or anything finite. */
static uint64_t special(const lw_format *f, unsigned n, uint64_t *state)
{
    const uint64_t ones = f->bits == 64 ? UINT64_MAX : (UINT64_C(1) << f->bits) - 1;
    const uint64_t frac = (UINT64_C(1) << f->frac_bits) - 1, largest = ((ones >> 1) & ~frac) - 1;
    if (n % 4 == 3 || !f->exp_bits)
        return codes_element(f, KIND_FINITE, state);
    return n % 4 == 2 ? largest : codes_odd(f, state);
}

static void fill(const contest *c, contest_images *im, uint64_t *state)
{
    const lw_mma *mma = c->reference;
    memset(im->index, 0x44, sizeof(im->index));
    memset(im->scale_a, 0x40, sizeof(im->scale_a));
    memset(im->scale_b, 0x3f, sizeof(im->scale_b));
    for (unsigned e = 0; e < mma->port[LW_OPERAND_A].elements; e++)
        contest_put(c, LW_OPERAND_A, im->a, e, codes_element(mma->a, KIND_NORMAL, state));
    for (unsigned e = 0; e < mma->port[LW_OPERAND_B].elements; e++)
        contest_put(c, LW_OPERAND_B, im->b, e, codes_element(mma->b, KIND_NORMAL, state));
    for (unsigned e = 0; e < mma->port[LW_OPERAND_C].elements; e++)
        contest_put(c, LW_OPERAND_C, im->c, e, codes_c(mma->c, KIND_NORMAL, state));
}

/* In its place for one call. */
static void try(const contest *c, contest_images *im, lw_operand operand, unsigned n, uint64_t *state)
{
    const lw_mma *mma = c->reference;
    const bool is_c = operand == LW_OPERAND_C;
    const lw_format *f = operand == LW_OPERAND_A ? mma->a : is_c ? mma->c : mma->b;
    uint32_t *regs = operand == LW_OPERAND_A ? im->a : is_c ? im->c : im->b;
    const unsigned e = (unsigned)(codes_next(state) % mma->port[operand].elements);
    contest_put(c, operand, regs, e, special(f, n, state));
    contest_run_all(c, im, 0, n / 8 % 2, "a special number");
    contest_put(c, operand, regs, e,
                is_c ? codes_c(f, KIND_NORMAL, state) : codes_element(f, KIND_NORMAL, state));
}

static void check(lw_arch arch, const lw_insn *insn, unsigned wave)
{
    static const lw_operand operands[] = { LW_OPERAND_A, LW_OPERAND_B, LW_OPERAND_C };
    static contest_images im;
    contest c;
    if (!contest_open_wave(arch, insn, wave, &c))
        return;
    uint64_t state = wave;
    if (!contest_repeats(&c)) {
        memset(&im, 0, sizeof(im));
        fill(&c, &im, &state);
        for (unsigned n = 0; n < TRIES; n++)
            try(&c, &im, operands[n % 3], n / 3, &state);
    }
    contest_close(&c);
}

START_TEST(every_instruction)
{
    const lw_arch arch = (lw_arch)_i;
    for (size_t i = 0; contest_isas() && i < lw_insn_count(arch); i++) {
        check(arch, lw_insn_at(arch, i), 32);
        check(arch, lw_insn_at(arch, i), 64);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fast_lone");
    TCase *tc = tcase_create("lone");
    tcase_set_timeout(tc, 0);
    tcase_add_loop_test(tc, every_instruction, 1, LW_ARCH_COUNT);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
