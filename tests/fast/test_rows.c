/* SPDX-License-Identifier: MIT */
/*
 * Every instruction with every vectorised implementation that the host can run, on register images, against
 * the reference: equal bits. LW_FULL=1 runs many more tiles.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/mma/panels.h"

enum { MAX_REGISTERS = 64, MAX_LANES = 64, WORDS = MAX_REGISTERS * MAX_LANES };

/* What operands are made of. */
typedef enum kind {
    KIND_NORMAL,  /* moderate numbers */
    KIND_BITS,    /* anything */
    KIND_FINITE,  /* anything finite */
    KIND_NARROW,  /* few exponents, one fraction bit: sums cancel */
    KIND_SPARSE,  /* zeros and subnormals */
    KIND_LARGE,   /* near the greatest number */
    KIND_ONE_ODD, /* moderate but for one infinity or NaN */
    KIND_FAR,     /* moderate products, C much larger */
    KIND_TINY_C,  /* moderate products, C tiny, zero or subnormal */
    KIND_COUNT,
} kind;

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t code_of(uint64_t sign, uint64_t field, uint64_t frac, const lw_format *f)
{
    const uint64_t most = (UINT64_C(1) << f->exp_bits) - 1;
    field = field > most ? most : field;
    return sign << (f->bits - 1) | field << f->frac_bits | (frac & ((UINT64_C(1) << f->frac_bits) - 1));
}

static uint64_t element(const lw_format *f, kind what, uint64_t *state)
{
    const uint64_t r = next(state), sign = r & 1, low = r >> 16;
    const uint64_t top = (UINT64_C(1) << f->exp_bits) - 1;
    const uint64_t one = (uint64_t)(f->bias < 1 ? 1 : f->bias), spread = r >> 1 & 7;
    if (!f->exp_bits || what == KIND_BITS)
        return f->bits == 64 ? next(state) : next(state) & ((UINT64_C(1) << f->bits) - 1);
    switch (what) {
    case KIND_FINITE:
        return code_of(sign, next(state) % (top + (f->top == LW_TOP_NUMBER)), low, f);
    case KIND_NARROW:
        return code_of(sign, one + (spread & 1), low << (f->frac_bits - (f->frac_bits > 0)), f);
    case KIND_SPARSE:
        if (r >> 8 & 1)
            return code_of(f->top == LW_TOP_FNUZ ? 0 : sign, 0, 0, f);
        return r >> 9 & 1 ? code_of(sign, 0, low | 1, f) : code_of(sign, one, low, f);
    case KIND_LARGE:
        return code_of(sign, top - 1 - (spread == 7), low | (r >> 8 & 3 ? UINT64_MAX : 0), f);
    default:
        return code_of(sign, one > 4 ? one - spread % 5 + 1 : one, low, f);
    }
}

static uint64_t c_element(const lw_format *f, kind what, uint64_t *state)
{
    const uint64_t r = next(state), one = (uint64_t)f->bias;
    if (f->top == LW_TOP_INT)
        return what == KIND_LARGE ? 0x7fffffff - r % 100000 : r & 0xffffffff;
    if (f->exp_bits < 8)
        return element(f, what, state);
    switch (what) {
    case KIND_FAR:
        return code_of(r & 1, one + (r >> 1 & 63), r >> 16, f);
    case KIND_TINY_C:
        return r & 2 ? code_of(r & 1, 0, r & 4 ? r >> 16 : 0, f)
                     : code_of(r & 1, one - 20 - (r >> 3) % 90, r >> 16, f);
    case KIND_LARGE:
        return code_of(r & 1, one + 20 + (r >> 1) % 20, r >> 16, f);
    case KIND_ONE_ODD:
        return code_of(r & 1, one, r >> 16, f);
    case KIND_NARROW:
        return code_of(r & 1, one + (r >> 1 & 3), r >> 3 & 1 ? 0 : r << (f->frac_bits - 2), f);
    default:
        return element(f, what, state);
    }
}

static void put(uint32_t *regs, unsigned lanes, lw_place place, unsigned width, uint64_t code)
{
    if (place.lane == LW_NO_PLACE)
        return;
    for (unsigned bit = 0; bit < width; bit++) {
        const unsigned at = place.bit + bit;
        uint32_t *word = regs + (size_t)(at / 32) * lanes + place.lane;
        *word = (*word & ~(1u << at % 32)) | (uint32_t)(code >> bit & 1) << at % 32;
    }
}

typedef struct images {
    uint32_t a[WORDS], b[WORDS], c[WORDS], d[WORDS], want[WORDS];
    uint32_t index[WORDS], scale_a[WORDS], scale_b[WORDS];
} images;

static void fill(const lw_mma *mma, kind what, uint64_t *state, images *im)
{
    const struct {
        lw_operand op;
        const lw_format *format;
        uint32_t *regs;
    } part[] = { { LW_OPERAND_A, mma->a, im->a },
                 { LW_OPERAND_B, mma->b, im->b },
                 { LW_OPERAND_C, mma->c, im->c } };
    const uint64_t odd = next(state);
    for (size_t i = 0; i < sizeof(im->a) / 4; i++)
        im->a[i] = im->b[i] = im->c[i] = im->d[i] = im->scale_a[i] = im->scale_b[i] = (uint32_t)next(state);
    for (unsigned n = 0; n < 3; n++) {
        const lw_mma_port *port = &mma->port[part[n].op];
        const lw_format *f = part[n].format;
        for (unsigned e = 0; e < port->elements; e++)
            put(part[n].regs, port->lanes, port->place[e], f->bits,
                n == 2 ? c_element(f, what, state) : element(f, what, state));
        if (what == KIND_ONE_ODD && odd % 3 == n && f->top != LW_TOP_INT) {
            const unsigned e = (unsigned)(odd >> 8) % port->elements;
            const uint64_t ones = (UINT64_C(1) << (f->exp_bits + f->frac_bits)) - 1;
            put(part[n].regs, port->lanes, port->place[e], f->bits,
                f->top == LW_TOP_FNUZ ? ones + 1
                : odd >> 40 & 1       ? ones
                                      : ones >> f->frac_bits << f->frac_bits);
        }
    }
    for (int n = 0; n < 2; n++)
        if (mma->scaled) {
            const lw_mma_port *port = &mma->port[n ? LW_OPERAND_SCALE_B : LW_OPERAND_SCALE_A];
            for (unsigned e = 0; e < port->elements; e++) {
                const uint64_t r = next(state);
                const uint64_t code = what == KIND_BITS  ? r & 0xff
                                      : what == KIND_FAR ? 97 + r % 61
                                                         : 124 + r % 7;
                put(n ? im->scale_b : im->scale_a, port->lanes, port->place[e], 8, code);
            }
        }
}

/* How registers and constants meet. */
static void call(const lw_mma *mma, images *im, unsigned how, uint32_t *d)
{
    const bool in_place = mma->sparse || how % 4 < 2;
    memcpy(d, in_place ? im->c : im->d, sizeof(im->d));
    const lw_mma_registers regs = {
        .a = im->a,
        .b = im->b,
        .c = in_place       ? d
             : how % 4 == 2 ? im->c
                            : NULL,
        .d = d,
        .index = im->index,
        .scale_a = how % 8 == 3 ? NULL : im->scale_a,
        .scale_b = im->scale_b,
        .c_constant = mma->c->bits == 64 ? UINT64_C(0x3fe0000000000000) : 0x3f000000,
        .scale_a_constant = 126,
    };
    ck_assert_int_eq(lw_mma_execute_registers(mma, &regs, NULL), LW_OK);
}

static lw_mma *make(lw_arch arch, const lw_insn *insn, const lw_mods *mods, bool reference)
{
    const lw_mma_options options = { .mods = mods, .reference_only = reference };
    lw_error error = { "" };
    lw_mma *mma;
    ck_assert_msg(lw_mma_create(arch, insn, &options, &mma, &error) == LW_OK, "%s", error.text);
    return mma;
}

static unsigned rounds(void)
{
    const char *full = getenv("LW_FULL");
    return full && *full == '1' ? 40 : 2;
}

static const char *const isas[] = { "avx2", "avx512" };

static void check_row(lw_arch arch, const lw_insn *insn, const lw_mods *mods, unsigned host)
{
    static images im;
    lw_mma *reference = make(arch, insn, mods, true), *fast[2] = { NULL, NULL };
    for (unsigned isa = 0; isa < host; isa++) {
        setenv("LANEWISE_CPU", isas[isa], 1);
        fast[isa] = make(arch, insn, mods, false);
    }
    unsetenv("LANEWISE_CPU");
    uint64_t state = 11;
    const unsigned words =
        lw_insn_registers(reference->arch, insn, LW_OPERAND_D, &reference->mods) * reference->wave;
    for (unsigned n = 0; n < KIND_COUNT * rounds(); n++) {
        fill(reference, (kind)(n % KIND_COUNT), &state, &im);
        call(reference, &im, n, im.want);
        for (unsigned isa = 0; isa < host; isa++) {
            uint32_t *d = im.d;
            static uint32_t keep[WORDS];
            memcpy(keep, im.d, sizeof(keep));
            static uint32_t got[WORDS];
            call(fast[isa], &im, n, got);
            memcpy(d, keep, sizeof(keep));
            for (unsigned w = 0; w < words; w++)
                ck_assert_msg(got[w] == im.want[w],
                              "%s %s, %s, kind %u, round %u, register %u lane %u: %08x, reference %08x",
                              lw_arch_get(arch)->name, insn->mnemonic, isas[isa], n % KIND_COUNT, n,
                              w / reference->wave, w % reference->wave, got[w], im.want[w]);
        }
    }
    for (unsigned isa = 0; isa < host; isa++)
        lw_mma_free(fast[isa]);
    lw_mma_free(reference);
}

/* Number of entries of `isas` that the host has. */
static unsigned host_isas(void)
{
    lw_fast_isa isa;
    ck_assert_int_eq(lw_fast_isa_choose(&isa, NULL), LW_OK);
    return (unsigned)isa;
}

START_TEST(equal_to_reference)
{
    const lw_arch arch = (lw_arch)_i;
    const unsigned host = host_isas();
    for (size_t i = 0; host && i < lw_insn_count(arch); i++) {
        const lw_insn *insn = lw_insn_at(arch, i);
        const bool by_mods = insn->a == LW_ELEM_CBSZ || insn->a == LW_ELEM_FMT_A;
        for (unsigned f = 0; f < (by_mods ? 25u : 1u); f++) {
            const lw_mods mods = { .cbsz = (uint8_t)(f / 5), .blgp = (uint8_t)(f % 5) };
            check_row(arch, insn, &mods, host);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fast_rows");
    TCase *tc = tcase_create("rows");
    tcase_set_timeout(tc, 3000);
    tcase_add_loop_test(tc, equal_to_reference, 1, LW_ARCH_COUNT);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
