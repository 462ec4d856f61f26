/* SPDX-License-Identifier: MIT */
/*
 * 16-bit accumulators and results where their rounding shows: sums below the least subnormal number, around
 * the least normal one, at the largest, halfway between two numbers, and a tiny C beside larger products; and
 * instructions that add C last.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "codes.h"
#include "contest.h"

/* Powers of two of products and of C: from, and how many. `fraction`: leading fraction bits that are random.
 */
static const struct {
    int product, products, c, cs, fraction;
    const char *what;
} plans[] = {
    { -34, 12, -26, 4, 10, "below subnormal numbers" },
    { -20, 10, -24, 12, 10, "around the least normal number" },
    { 9, 6, 13, 3, 10, "at the largest number" },
    { -3, 4, 4, 10, 2, "halfway" },
    { 4, 14, -25, 12, 10, "a tiny C" },
    { -8, 16, -8, 16, 10, "moderate numbers" },
    { -47, 24, -24, 2, 0, "ties that a tiny product decides" },
};

/* A number with about that power of two; at the ends of the format's range, what is nearest to it. */
static uint64_t code_of(const lw_format *f, int power, int fraction, uint64_t random)
{
    const int top = (1 << f->exp_bits) - 2, field = power + f->bias;
    const uint64_t sign = (random & 1) << (f->bits - 1), ones = (UINT64_C(1) << f->frac_bits) - 1;
    const uint64_t kept = fraction < f->frac_bits ? ones & ~(ones >> fraction) : ones;
    const uint64_t frac = random >> 8 & kept;
    if (field > 0)
        return sign | (uint64_t)(field < top ? field : top) << f->frac_bits | frac;
    return sign | (field > -f->frac_bits ? (frac | (ones + 1)) >> (1 - field) : 0);
}

static void fill(const contest *c, unsigned plan, uint64_t *state, contest_images *im)
{
    const lw_mma *mma = c->reference;
    const int share = (int)(codes_next(state) % 9) - 4;
    for (size_t i = 0; i < CONTEST_WORDS; i++)
        im->c[i] = (uint32_t)codes_next(state);
    memset(im->index, 0x4e, sizeof(im->index));
    for (unsigned e = 0; e < mma->port[LW_OPERAND_A].elements; e++) {
        const uint64_t r = codes_next(state);
        const int power = plans[plan].product / 2 + share + (int)(r >> 32) % (plans[plan].products / 2);
        contest_put(c, LW_OPERAND_A, im->a, e, r >> 60 ? code_of(mma->a, power, plans[plan].fraction, r) : 0);
    }
    for (unsigned e = 0; e < mma->port[LW_OPERAND_B].elements; e++) {
        const uint64_t r = codes_next(state);
        const int power = plans[plan].product - plans[plan].product / 2 - share +
                          (int)(r >> 33) % (plans[plan].products / 2);
        contest_put(c, LW_OPERAND_B, im->b, e, code_of(mma->b, power, plans[plan].fraction, r));
    }
    for (unsigned e = 0; e < mma->port[LW_OPERAND_C].elements; e++) {
        const uint64_t r = codes_next(state);
        const int power = plans[plan].c + (int)(r >> 34) % plans[plan].cs;
        contest_put(c, LW_OPERAND_C, im->c, e, code_of(mma->c, power, plans[plan].fraction, r));
    }
}

/* The largest number of C and a first product that makes it an infinity, by a tie; the last one is negative.
 */
static void fill_over(const contest *c, contest_images *im)
{
    const lw_mma *mma = c->reference;
    const lw_mma_port *a = &mma->port[LW_OPERAND_A], *b = &mma->port[LW_OPERAND_B];
    const uint64_t minus = UINT64_C(1) << (mma->a->bits - 1);
    memset(im, 0, sizeof(*im));
    memset(im->index, 0x4e, sizeof(im->index));
    for (unsigned e = 0; e < a->elements; e += a->row_elements) {
        contest_put(c, LW_OPERAND_A, im->a, e, code_of(mma->a, 2, 0, 0));
        contest_put(c, LW_OPERAND_A, im->a, e + a->row_elements - 1, minus | code_of(mma->a, 6, 0, 0));
    }
    for (unsigned e = 0; e < b->elements; e += b->row_elements)
        for (unsigned k = 0; k < b->row_elements; k++)
            contest_put(c, LW_OPERAND_B, im->b, e + k,
                        code_of(mma->b, k < b->row_elements / 2 ? 2 : 4, 0, 0));
    for (unsigned e = 0; e < mma->port[LW_OPERAND_C].elements; e++)
        contest_put(c, LW_OPERAND_C, im->c, e, 0x7bff);
}

static bool is_concerned(const lw_mma *mma)
{
    const bool floats = mma->d->bits == 16 || (mma->d->bits == 32 && mma->recipe.shape.c_last);
    return floats && !mma->scaled && mma->a->exp_bits && mma->a->bits <= 16;
}

static void check(lw_arch arch, const lw_insn *insn, unsigned wave, unsigned *count)
{
    static contest_images im;
    contest c;
    if (!contest_open_wave(arch, insn, wave, &c))
        return;
    uint64_t state = (uint64_t)arch * 1000 + wave;
    const unsigned tiles = CONTEST_SLOW ? 1 : 8;
    if (is_concerned(c.reference) && !contest_repeats(&c)) {
        for (unsigned n = 0; n < tiles * (sizeof(plans) / sizeof(plans[0])); n++) {
            fill(&c, n / tiles, &state, &im);
            contest_run(&c, &im, 0, n & 1, plans[n / tiles].what);
        }
        fill_over(&c, &im);
        if (c.reference->c == &lw_formats[LW_FORMAT_F16])
            contest_run_all(&c, &im, 0, false, "over and back");
        *count += 1;
    }
    contest_close(&c);
}

START_TEST(every_instruction)
{
    unsigned count = 0;
    for (int arch = 1; arch < LW_ARCH_COUNT && contest_isas(); arch++)
        for (size_t i = 0; i < lw_insn_count((lw_arch)arch); i++) {
            check((lw_arch)arch, lw_insn_at((lw_arch)arch, i), 32, &count);
            check((lw_arch)arch, lw_insn_at((lw_arch)arch, i), 64, &count);
        }
    ck_assert_msg(!contest_isas() || count >= 60, "only %u instructions", count);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fast_narrow");
    TCase *tc = tcase_create("narrow");
    tcase_set_timeout(tc, 0);
    tcase_add_test(tc, every_instruction);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
