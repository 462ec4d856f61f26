/* SPDX-License-Identifier: MIT */
/*
 * Block-scaled fp4 with scales far apart, groups without products, and a C of any size: cases in which the
 * vectorised code must truncate terms, or must leave out the scales of zeros. Bit-identical to the
 * reference.
 */
#include <check.h>
#include <stdlib.h>

#include "codes.h"
#include "contest.h"

#define MXF4 "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale"
#define NVF4 "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale"

static const struct {
    const char *spelling;
    bool ue4m3;
} cases[] = { { MXF4 ".scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0", false },
              { NVF4 ".scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0", false },
              { NVF4 ".scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3", true } };
enum { CASES = sizeof(cases) / sizeof(cases[0]), WARP = 32, A_WORDS = 4 * WARP, B_WORDS = 2 * WARP };

static uint32_t below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(codes_next(state) >> 32) % n;
}

/* Four scales; for ue8m0, at most 2^`spread` from 1. */
static uint32_t scales(bool ue4m3, uint32_t spread, uint64_t *state)
{
    uint32_t word = 0;
    for (unsigned byte = 0; byte < 4; byte++) {
        const uint32_t code = ue4m3 ? below(state, 0x7f) : 127 - spread + below(state, 2 * spread + 1);
        word |= code << 8 * byte;
    }
    return word;
}

/* Eight codes: none of them nonzero, a single one, or any. */
static uint32_t codes(uint64_t *state)
{
    const uint32_t any = (uint32_t)(codes_next(state) >> 32), pick = below(state, 4);
    return pick < 2 ? 0 : pick == 2 ? any & 15u << 4 * below(state, 8) : any;
}

/* A number within 2^70 of 1, a zero or a subnormal. */
static uint32_t accumulator(uint64_t *state)
{
    const uint32_t bits = (uint32_t)(codes_next(state) >> 32) & 0x807fffff, pick = below(state, 8);
    return pick == 0 ? bits & 0x80000000 : pick == 1 ? bits : bits | (127 - 70 + below(state, 141)) << 23;
}

static void fill(bool ue4m3, uint64_t *state, contest_images *im)
{
    static const uint32_t spreads[] = { 0, 3, 12, 30, 127 };
    const uint32_t spread = spreads[below(state, sizeof(spreads) / sizeof(spreads[0]))];
    const bool dense = below(state, 2);
    for (unsigned w = 0; w < A_WORDS; w++)
        im->a[w] = dense ? (uint32_t)codes_next(state) : codes(state);
    for (unsigned w = 0; w < B_WORDS; w++)
        im->b[w] = codes(state);
    for (unsigned w = 0; w < A_WORDS; w++)
        im->c[w] = accumulator(state);
    for (unsigned w = 0; w < WARP; w++) {
        im->scale_a[w] = scales(ue4m3, spread, state);
        im->scale_b[w] = scales(ue4m3, spread, state);
    }
}

/* The second half of k cancels the first, so that C with its low bits remains. */
static void cancel(uint64_t *state, contest_images *im)
{
    for (unsigned lane = 0; lane < WARP; lane++) {
        im->a[2 * WARP + lane] = im->a[lane];
        im->a[3 * WARP + lane] = im->a[WARP + lane];
        im->b[WARP + lane] = im->b[lane] ^ 0x88888888;
        im->scale_a[lane] = (im->scale_a[lane] & 0xff) * 0x01010101u;
        im->scale_b[lane] = (im->scale_b[lane] & 0xff) * 0x01010101u;
    }
    for (unsigned w = 0; w < A_WORDS; w++)
        im->c[w] = ((uint32_t)(codes_next(state) >> 32) & 0x807fffff) | (127 - 40 + below(state, 44)) << 23;
}

START_TEST(scales_far_apart)
{
    const int rounds = CONTEST_SLOW ? 100 : getenv("LW_FULL") ? 40000 : 2000;
    static contest_images im;
    const lw_insn *insn;
    lw_mods mods;
    contest c;
    ck_assert_int_eq(lw_insn_parse(LW_ARCH_SM_120A, cases[_i].spelling, &insn, &mods, NULL), LW_OK);
    ck_assert(contest_open(LW_ARCH_SM_120A, insn, &mods, &c));
    for (unsigned isa = 0; isa < c.isas; isa++)
        ck_assert_ptr_nonnull(c.fast[isa]->panels);
    uint64_t state = 20260601 + (uint64_t)_i;
    for (int round = 0; round < rounds; round++) {
        fill(cases[_i].ue4m3, &state, &im);
        if (round % 4 == 1)
            cancel(&state, &im);
        contest_run(&c, &im, 0, round % 3 == 0, "scales far apart");
    }
    contest_close(&c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fast_mx4");
    TCase *tc = tcase_create("mx4");
    tcase_set_timeout(tc, 0);
    tcase_add_loop_test(tc, scales_far_apart, 0, CASES);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
