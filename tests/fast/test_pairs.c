/* SPDX-License-Identifier: MIT */
/*
 * Exhaustive comparisons of the vectorised implementations with the reference, through whole instructions:
 * every pair of codes of every pair of formats of at most 8 bits in every instruction, alone, together with
 * its negative, and with other products. LW_FULL=1 adds every f16 times every f16 (without: some of them).
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codes.h"
#include "contest.h"

/* The other products in the sum. */
typedef enum company { ALONE, CANCELLED, CROWD, COMPANIES } company;

static const char *const company_names[COMPANIES] = { "alone", "beside its negative", "in a crowd" };

static bool full(void)
{
    const char *value = getenv("LW_FULL");
    return value && *value == '1';
}

static uint64_t sign_of(const lw_format *f)
{
    return f->exp_bits ? UINT64_C(1) << (f->bits - 1) : 0;
}

/* The dense k of each stored value; the index says positions 0 and 1 of every group. */
static void places(const contest *c, contest_images *im, uint8_t *k_of)
{
    static lw_mma_tile tile;
    for (unsigned k = 0; k < 256; k++)
        k_of[k] = (uint8_t)k;
    if (!c->reference->sparse)
        return;
    const lw_mma_registers regs = { .a = im->a,
                                    .b = im->b,
                                    .c = im->c,
                                    .d = im->c,
                                    .index = im->index,
                                    .scale_a = im->scale_a,
                                    .scale_b = im->scale_b };
    ck_assert_int_eq(lw_mma_tile_from_registers(c->reference, &regs, &tile), LW_OK);
    lw_mma_dense_k(c->reference, &tile, 0, k_of);
}

typedef struct side {
    lw_operand operand;
    const lw_format *format;
    uint32_t *regs;
    unsigned rows, ks; /* rows of A, columns of B, of all blocks */
    uint64_t first;    /* row r has this code plus r, modulo the number of codes of the format */
    unsigned modulo;   /* rows of A repeat in every block */
} side;

static side side_of(const contest *c, contest_images *im, lw_operand operand)
{
    const lw_mma *mma = c->reference;
    const lw_mma_port *port = &mma->port[operand];
    const bool a = operand == LW_OPERAND_A;
    return (side){ .operand = operand,
                   .format = a ? mma->a : mma->b,
                   .regs = a ? im->a : im->b,
                   .rows = (unsigned)port->elements / port->row_elements,
                   .ks = port->row_elements,
                   .modulo = a ? mma->insn->m : (unsigned)port->elements / port->row_elements };
}

/* Column `k` of A, or row `k` of B: the codes of the pairs, with their signs changed by `flip`. */
static void put_codes(const contest *c, const side *s, unsigned k, uint64_t flip)
{
    const uint64_t mask = (UINT64_C(1) << s->format->bits) - 1;
    for (unsigned r = 0; r < s->rows; r++)
        contest_put(c, s->operand, s->regs, r * s->ks + k, ((s->first + r % s->modulo) & mask) ^ flip);
}

static void put_random(const contest *c, const side *s, unsigned k, kind what, uint64_t *state)
{
    for (unsigned r = 0; r < s->rows; r++)
        contest_put(c, s->operand, s->regs, r * s->ks + k, codes_element(s->format, what, state));
}

static void put_c(const contest *c, contest_images *im, uint64_t *state)
{
    static const kind kinds[] = { KIND_NORMAL, KIND_TINY_C, KIND_FAR, KIND_SPARSE };
    const lw_format *f = c->reference->c;
    const unsigned which = (unsigned)(codes_next(state) % 6);
    for (unsigned e = 0; e < c->reference->port[LW_OPERAND_C].elements; e++)
        contest_put(c, LW_OPERAND_C, im->c, e,
                    which > 3 ? which == 4 ? 0 : sign_of(f) : codes_c(f, kinds[which], state));
}

static void set_up(const contest *c, contest_images *im)
{
    memset(im, 0, sizeof(*im));
    memset(im->index, 0x44, sizeof(im->index));
    memset(im->scale_a, 0x7f, sizeof(im->scale_a));
    memset(im->scale_b, 0x7f, sizeof(im->scale_b));
    if (c->reference->scaled && c->reference->scale_a->frac_bits == 3) /* 1.0 of E4M3 */
        memset(im->scale_a, 0x38, sizeof(im->scale_a));
    if (c->reference->scaled && c->reference->scale_b->frac_bits == 3)
        memset(im->scale_b, 0x38, sizeof(im->scale_b));
}

/* One tile: the pairs of `a` and `b` as product number x, and the other products. */
static void fill(const contest *c, contest_images *im, const side *a, const side *b, const uint8_t *k_of,
                 company with, uint64_t *state)
{
    const unsigned x = (unsigned)(codes_next(state) % a->ks);
    memset(im->a, 0, sizeof(im->a));
    memset(im->b, 0, sizeof(im->b));
    put_c(c, im, state);
    for (unsigned n = 0; with == CROWD && n < a->ks; n++) {
        put_random(c, a, n, KIND_FINITE, state);
        put_random(c, b, k_of[n], KIND_NARROW, state);
    }
    put_codes(c, a, x, 0);
    put_codes(c, b, k_of[x], 0);
    if (with != CANCELLED || a->ks < 4)
        return;
    const unsigned y = (x + 1 + (unsigned)(codes_next(state) % (a->ks - 2))) % a->ks;
    const unsigned z = (y + 1) % a->ks == x ? (y + 2) % a->ks : (y + 1) % a->ks;
    put_codes(c, a, y, sign_of(a->format));
    put_codes(c, b, k_of[y], 0);
    put_random(c, a, z, KIND_FINITE, state);
    put_random(c, b, k_of[z], KIND_FINITE, state);
}

/* Runs pairs of codes: all of A's, and every `stride`th run of B's. */
static void run_pairs(const contest *c, company with, uint64_t stride)
{
    static contest_images im;
    uint8_t k_of[256];
    uint64_t state = 5, tiles = 0;
    set_up(c, &im);
    places(c, &im, k_of);
    side a = side_of(c, &im, LW_OPERAND_A), b = side_of(c, &im, LW_OPERAND_B);
    for (a.first = 0; a.first < UINT64_C(1) << a.format->bits; a.first += a.modulo)
        for (b.first = a.first / a.modulo % stride * b.modulo; b.first < UINT64_C(1) << b.format->bits;
             b.first += stride * b.modulo) {
            fill(c, &im, &a, &b, k_of, with, &state);
            contest_run(c, &im, 0, tiles++ % 2, company_names[with]);
        }
}

/*
 * Every product of two codes, with all products of a sum in use: the codes in a row of A are consecutive, so
 * that all are of similar size and none hides the others. Every `stride`th run of B's codes.
 */
static void run_sums(const contest *c, uint64_t stride)
{
    static contest_images im;
    uint64_t state = 7, run = 0;
    set_up(c, &im);
    side a = side_of(c, &im, LW_OPERAND_A), b = side_of(c, &im, LW_OPERAND_B);
    for (a.first = 0; a.first < UINT64_C(1) << a.format->bits; a.first += (uint64_t)a.rows * a.ks)
        for (b.first = 0; b.first < UINT64_C(1) << b.format->bits; b.first += b.rows) {
            if (run++ % stride)
                continue;
            for (unsigned r = 0; r < a.rows; r++)
                for (unsigned k = 0; k < a.ks; k++)
                    contest_put(c, a.operand, a.regs, r * a.ks + k, a.first + r * a.ks + k);
            for (unsigned k = 0; k < b.ks; k++)
                put_codes(c, &b, k, 0);
            put_c(c, &im, &state);
            contest_run(c, &im, 0, run & 1, "every product");
        }
}

static bool is_small(const contest *c)
{
    return c->reference->a->bits <= 8 && c->reference->b->bits <= 8 && c->reference->a->bits > 1;
}

START_TEST(small_formats)
{
    const lw_arch arch = (lw_arch)_i;
    for (size_t i = 0; contest_isas() && i < lw_insn_count(arch); i++) {
        const lw_insn *insn = lw_insn_at(arch, i);
        const bool by_mods = insn->a == LW_ELEM_CBSZ || insn->a == LW_ELEM_FMT_A;
        for (unsigned f = 0; f < (by_mods ? 25u : 1u); f++) {
            const lw_mods mods = { .cbsz = (uint8_t)(f / 5), .blgp = (uint8_t)(f % 5) };
            contest c;
            if (!contest_open(arch, insn, &mods, &c))
                continue;
            const bool wanted = is_small(&c) && !contest_repeats(&c);
            for (company with = ALONE; wanted && with < COMPANIES; with++)
                run_pairs(&c, with, CONTEST_SLOW ? 601 : with == ALONE || full() ? 1 : 31);
            contest_close(&c);
        }
    }
}
END_TEST

static const struct {
    lw_arch arch;
    const char *mnemonic;
} f16_rows[] = {
    { LW_ARCH_GFX908, "v_mfma_f32_32x32x8f16" },
    { LW_ARCH_GFX90A, "v_mfma_f32_32x32x8f16" },
    { LW_ARCH_GFX942, "v_mfma_f32_32x32x8_f16" },
    { LW_ARCH_GFX1100, "v_wmma_f32_16x16x16_f16" },
    { LW_ARCH_GFX1201, "v_wmma_f32_16x16x16_f16" },
    { LW_ARCH_SM_70, "wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32" },
    { LW_ARCH_SM_80, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" },
    { LW_ARCH_SM_90, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" },
};

START_TEST(f16_products)
{
    const lw_insn *insn;
    lw_mods mods;
    lw_error error = { "" };
    contest c;
    ck_assert_msg(lw_insn_parse(f16_rows[_i].arch, f16_rows[_i].mnemonic, &insn, &mods, &error) == LW_OK,
                  "%s", error.text);
    ck_assert(contest_open(f16_rows[_i].arch, insn, &mods, &c));
    if (contest_isas()) {
        run_pairs(&c, ALONE, CONTEST_SLOW ? 65537 : 8209);
        run_sums(&c, CONTEST_SLOW ? 16411 : full() ? 1 : 1021);
    }
    contest_close(&c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fast_pairs");
    TCase *small = tcase_create("small"), *f16 = tcase_create("f16"); /* CK_RUN_CASE=f16 runs only these */
    tcase_set_timeout(small, 0);
    tcase_set_timeout(f16, 0);
    tcase_add_loop_test(small, small_formats, 1, LW_ARCH_COUNT);
    tcase_add_loop_test(f16, f16_products, 0, (int)(sizeof(f16_rows) / sizeof(f16_rows[0])));
    suite_add_tcase(suite, small);
    suite_add_tcase(suite, f16);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
