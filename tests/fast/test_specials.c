/* SPDX-License-Identifier: MIT */
/*
 * Every special value of A against every one of B and of C, through every instruction in every wave size:
 * zeros, the ends of the subnormal and of the normal numbers, one, infinities, NaNs quiet, signalling and
 * with payloads.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "codes.h"
#include "contest.h"

enum { MOST_SPECIALS = 32 };

typedef struct specials {
    uint64_t code[MOST_SPECIALS];
    unsigned count;
} specials;

static void add(specials *s, uint64_t code)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->code[i] == code)
            return;
    s->code[s->count++] = code;
}

/* For integers and codes of up to four bits: the ends, their neighbours, and the middle. */
static specials specials_of(const lw_format *f)
{
    const uint64_t ones = f->bits == 64 ? UINT64_MAX : (UINT64_C(1) << f->bits) - 1;
    const uint64_t sign = ones ^ ones >> 1, frac = (UINT64_C(1) << f->frac_bits) - 1;
    const uint64_t infinity = (ones >> 1) & ~frac;
    const uint64_t magnitudes[] = {
        0,
        1,
        frac,                                        /* the largest subnormal */
        frac + 1,                                    /* the smallest normal number */
        (uint64_t)(unsigned)f->bias << f->frac_bits, /* 1 */
        infinity - 1,                                /* the largest number, if the top binade is special */
        infinity,
        infinity | 1,                  /* signalling */
        infinity | (frac ^ frac >> 1), /* quiet */
        ones >> 1,
        (ones >> 1) - 1,
    };
    specials s = { .count = 0 };
    for (unsigned i = 0; i < sizeof(magnitudes) / sizeof(magnitudes[0]); i++)
        for (unsigned neg = 0; neg < 2; neg++)
            add(&s, ((f->exp_bits ? magnitudes[i] : i * 3) & ones >> 1) | (neg ? sign : 0));
    return s;
}

static void put_side(const contest *c, lw_operand operand, uint32_t *regs, const specials *s, unsigned first,
                     unsigned k)
{
    const lw_mma_port *port = &c->reference->port[operand];
    for (unsigned r = 0; r < port->elements / port->row_elements; r++)
        contest_put(c, operand, regs, r * port->row_elements + k, s->code[(first + r) % s->count]);
}

/* The other products are zeros, or moderate. */
static void fill(const contest *c, contest_images *im, bool crowd, uint64_t *state)
{
    const lw_mma *mma = c->reference;
    memset(im, 0, sizeof(*im));
    memset(im->index, 0x44, sizeof(im->index));
    memset(im->scale_a, 0x40, sizeof(im->scale_a));
    memset(im->scale_b, 0x3f, sizeof(im->scale_b));
    for (unsigned e = 0; crowd && e < mma->port[LW_OPERAND_A].elements; e++)
        contest_put(c, LW_OPERAND_A, im->a, e, codes_element(mma->a, KIND_NORMAL, state));
    for (unsigned e = 0; crowd && e < mma->port[LW_OPERAND_B].elements; e++)
        contest_put(c, LW_OPERAND_B, im->b, e, codes_element(mma->b, KIND_NORMAL, state));
}

static void check(lw_arch arch, const lw_insn *insn, unsigned wave)
{
    static contest_images im;
    contest c;
    if (!contest_open_wave(arch, insn, wave, &c))
        return;
    const specials a = specials_of(c.reference->a), b = specials_of(c.reference->b),
                   cs = specials_of(c.reference->c);
    uint64_t state = wave;
    if (contest_repeats(&c)) {
        contest_close(&c);
        return;
    }
    for (unsigned n = 0; n < cs.count + cs.count / 3; n += CONTEST_SLOW ? 7 : 1)
        for (unsigned first = 0; first < a.count; first += insn->m)
            for (unsigned other = 0; other < b.count; other += insn->n) {
                fill(&c, &im, n >= cs.count, &state);
                put_side(&c, LW_OPERAND_A, im.a, &a, first, 0);
                put_side(&c, LW_OPERAND_B, im.b, &b, other, 0);
                for (unsigned e = 0; e < c.reference->port[LW_OPERAND_C].elements; e++)
                    contest_put(&c, LW_OPERAND_C, im.c, e, cs.code[n % cs.count * (n < cs.count ? 1 : 3)]);
                contest_run(&c, &im, 0, n & 1, "special values");
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
    Suite *suite = suite_create("fast_specials");
    TCase *tc = tcase_create("specials");
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
