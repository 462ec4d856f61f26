/* SPDX-License-Identifier: MIT */
/*
 * Scalar ALU handlers compared with the same rules written a second time: bit by bit, or on wide signed
 * integers, from the tables of AMD's CDNA3 ISA manual. Every pair of interesting values, both states of
 * SCC.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/scalar/scalar.h"

typedef struct answer {
    uint64_t d;
    int scc; /* -1: unchanged */
} answer;

static const uint64_t values[] = { 0,
                                   1,
                                   2,
                                   3,
                                   0x1f,
                                   0x20,
                                   0x21,
                                   0x3f,
                                   0x40,
                                   0x7f,
                                   0x80,
                                   0xff,
                                   0x7fff,
                                   0x8000,
                                   0xffff,
                                   0x10000,
                                   0x55555555,
                                   0x7fffffff,
                                   0x80000000,
                                   0x80000001,
                                   0xaaaaaaaa,
                                   0xfffffffe,
                                   0xffffffff,
                                   0x00080004,
                                   0x001f0000,
                                   0x00200001,
                                   0x0020001f,
                                   0x00400000,
                                   0x0010003c,
                                   0x123456789abcdef0,
                                   0x8000000000000000,
                                   0x7fffffffffffffff,
                                   0xffffffffffffffff,
                                   0xffffffff00000000,
                                   0x0000000100000000,
                                   0xf0f0000000000f0f };
enum { VALUES = sizeof(values) / sizeof(values[0]) };

static int64_t s32(uint64_t x)
{
    return (int64_t)(int32_t)(uint32_t)x;
}

static answer flagged(uint64_t d, int scc)
{
    return (answer){ d, scc };
}

static answer nonzero(uint64_t d, int width)
{
    if (width == 32)
        d &= UINT32_MAX;
    return (answer){ d, d != 0 };
}

/* A truth table applied bit by bit: bit 3 for a=1 b=1, bit 2 for a=1 b=0, bit 1 for a=0 b=1, bit 0 for 0 0.
 */
static answer logic(unsigned table, uint64_t a, uint64_t b, int width)
{
    uint64_t d = 0;
    for (int i = 0; i < width; i++)
        d |= (uint64_t)(table >> ((a >> i & 1) * 2 + (b >> i & 1)) & 1) << i;
    return nonzero(d, width);
}

static answer sum(int64_t exact, int is_signed)
{
    const int scc = is_signed ? exact < INT32_MIN || exact > INT32_MAX : exact < 0 || exact > UINT32_MAX;
    return flagged((uint32_t)exact, scc);
}

static answer shift(uint64_t a, unsigned count, int width, char kind)
{
    uint64_t d = 0;
    for (int i = 0; i < width; i++) {
        const int from = kind == 'l' ? i - (int)count : i + (int)count;
        const int top = kind == 'a' ? (int)(a >> (width - 1) & 1) : 0;
        const int bit = from < 0 ? 0 : from < width ? (int)(a >> from & 1) : top;
        d |= (uint64_t)bit << i;
    }
    return nonzero(d, width);
}

static answer field(uint64_t a, uint64_t control, int width, int is_signed)
{
    const unsigned offset = (unsigned)(control % (unsigned)width), count = (unsigned)(control >> 16 & 127);
    uint64_t d = 0;
    for (unsigned i = 0; i < (unsigned)width; i++) {
        const unsigned last = count ? offset + count - 1 : 0;
        unsigned from = offset + i;
        if (is_signed && count && from > last)
            from = last;
        if (count == 0 || (!is_signed && from > last))
            continue;
        if (from >= (unsigned)width) {
            if (!is_signed)
                continue;
            from = (unsigned)width - 1;
        }
        d |= (a >> from & 1) << i;
    }
    return nonzero(d, width);
}

static answer mask(unsigned count, unsigned offset, int width)
{
    uint64_t d = 0;
    for (unsigned i = 0; i < count && i + offset < (unsigned)width; i++)
        d |= 1ULL << (i + offset);
    return flagged(d, -1);
}

static uint64_t whole_quads(uint64_t x, int width)
{
    uint64_t d = 0;
    for (int i = 0; i < width; i++)
        for (int j = i / 4 * 4; j < i / 4 * 4 + 4; j++)
            d |= (x >> j & 1) << i;
    return d;
}

static uint64_t quads(uint64_t x, int width)
{
    uint64_t d = 0;
    for (int i = 0; i < width; i++)
        d |= (x >> i & 1) << i / 4;
    return d;
}

static uint64_t reversed(uint64_t x, int width)
{
    uint64_t d = 0;
    for (int i = 0; i < width; i++, x /= 2)
        d = d * 2 + x % 2;
    return d;
}

static uint64_t ones(uint64_t x, int width)
{
    uint64_t n = 0;
    for (int i = 0; i < width; i++)
        n += x >> i & 1;
    return n;
}

/* Distance from the low (or the high) end to the first bit that is `bit`; -1 if there is none. */
static uint64_t first_of(uint64_t x, int width, unsigned bit, int from_low)
{
    for (int i = 0; i < width; i++)
        if ((x >> (from_low ? i : width - 1 - i) & 1) == bit)
            return (uint64_t)i;
    return UINT64_MAX;
}

static uint64_t doubled(uint64_t x)
{
    uint64_t d = 0;
    for (int i = 31; i >= 0; i--)
        d = d * 4 + (x >> i & 1) * 3;
    return d;
}

static uint64_t s16(uint64_t x)
{
    return x < 0x8000 ? x : (x + 0xffffffffffff0000ULL) & UINT32_MAX;
}

typedef answer (*rule2)(uint64_t a, uint64_t b, int scc);

#define U32(x) ((int64_t)((x)&UINT32_MAX))
#define RULE(name, expression)                                                                               \
    static answer rule_##name(uint64_t a, uint64_t b, int scc)                                               \
    {                                                                                                        \
        (void)a, (void)b, (void)scc;                                                                         \
        return expression;                                                                                   \
    }
#include "rules.inc"
#undef RULE

typedef struct case2 {
    const char *name;
    lw_exec_fn run;
    rule2 rule;
} case2;

static const case2 cases[] = {
#define RULE(name, expression) { #name, lw_sem_##name, rule_##name },
#include "rules.inc"
#undef RULE
};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

static const lw_op_row *row_named(const char *name)
{
    for (size_t i = 0; i < LW_OP_COUNT; i++)
        if (strcmp(lw_op_rows[i].name, name) == 0)
            return &lw_op_rows[i];
    return NULL;
}

static lw_opnd sgpr(unsigned reg, unsigned dwords)
{
    return (lw_opnd){ .kind = LW_OPND_SGPR, .reg = (uint16_t)reg, .dwords = (uint8_t)dwords };
}

/* d in s[8:9], a in s[4:5], b in s[6:7], all of 32 or 64 bits as the row says; poison around d. */
static lw_decoded make(const lw_op_row *row, uint64_t b)
{
    lw_decoded in = { .row = row, .enc = row->enc, .words = 1, .imm = (uint32_t)b & 0xffff };
    if (row->enc == LW_ENC_SOPK) {
        in.dst = sgpr(4, 1);
        return in;
    }
    if (row->dst.type != LW_TYPE_NONE)
        in.dst = sgpr(8, row->dst.dwords);
    in.src[0] = sgpr(4, row->src[0].dwords);
    if (row->src[1].type != LW_TYPE_NONE)
        in.src[1] = sgpr(6, row->src[1].dwords);
    return in;
}

static void check_case(const case2 *c, uint64_t a, uint64_t b, int scc)
{
    const lw_op_row *row = row_named(c->name);
    ck_assert_msg(row != NULL, "no row %s", c->name);
    lw_wave wave = { .lanes = 64, .arch = LW_ARCH_GFX942, .sgprs = 102, .scc = (uint8_t)scc };
    lw_wave_set_sgpr64(&wave, 4, a);
    lw_wave_set_sgpr64(&wave, 6, b);
    wave.sgpr[8] = wave.sgpr[9] = wave.sgpr[10] = 0xdeadbeef;
    const lw_decoded in = make(row, b);

    const uint64_t a_seen = row->enc == LW_ENC_SOPK || row->src[0].dwords == 1 ? a & UINT32_MAX : a;
    const uint64_t b_seen = row->enc == LW_ENC_SOPK   ? b & 0xffff
                            : row->src[1].dwords == 1 ? b & UINT32_MAX
                                                      : b;
    const answer want = c->rule(a_seen, b_seen, scc);
    ck_assert_int_eq(c->run(&wave, &in), LW_STEP_NEXT);

    const int want_scc = want.scc < 0 ? scc : want.scc;
    ck_assert_msg(wave.scc == want_scc, "%s %llx %llx scc %d: SCC %d, not %d", c->name, (unsigned long long)a,
                  (unsigned long long)b, scc, wave.scc, want_scc);
    if (row->enc == LW_ENC_SOPC || (row->enc == LW_ENC_SOPK && row->access == 1))
        return;
    const unsigned at = row->enc == LW_ENC_SOPK ? 4 : 8;
    const uint64_t got = row->dst.dwords == 2 ? lw_wave_sgpr64(&wave, at) : wave.sgpr[at];
    const uint64_t expected = row->dst.dwords == 2 ? want.d : want.d & UINT32_MAX;
    ck_assert_msg(got == expected, "%s %llx %llx scc %d: %llx, not %llx", c->name, (unsigned long long)a,
                  (unsigned long long)b, scc, (unsigned long long)got, (unsigned long long)expected);
    ck_assert_msg(wave.sgpr[8 + 2] == 0xdeadbeef, "%s writes beyond its result", c->name);
    if (at == 8 && row->dst.dwords == 1)
        ck_assert_msg(wave.sgpr[9] == 0xdeadbeef, "%s writes beyond its result", c->name);
}

START_TEST(results_and_scc)
{
    for (int i = 0; i < VALUES; i++)
        for (int j = 0; j < VALUES; j++)
            for (int scc = 0; scc < 2; scc++)
                check_case(&cases[_i], values[i], values[j], scc);
}
END_TEST

/* name; new EXEC from source a and old e, as a truth table (bit a*2+e); 1 if the result is the new EXEC */
static const struct {
    const char *name;
    lw_exec_fn run;
    unsigned table;
    int result_is_new;
} exec_cases[] = {
    { "and", lw_sem_s_and_saveexec_b64, 0x8, 0 },
    { "or", lw_sem_s_or_saveexec_b64, 0xe, 0 },
    { "xor", lw_sem_s_xor_saveexec_b64, 0x6, 0 },
    { "andn2", lw_sem_s_andn2_saveexec_b64, 0x4, 0 },
    { "orn2", lw_sem_s_orn2_saveexec_b64, 0xd, 0 },
    { "nand", lw_sem_s_nand_saveexec_b64, 0x7, 0 },
    { "nor", lw_sem_s_nor_saveexec_b64, 0x1, 0 },
    { "xnor", lw_sem_s_xnor_saveexec_b64, 0x9, 0 },
    { "andn1", lw_sem_s_andn1_saveexec_b64, 0x2, 0 },
    { "orn1", lw_sem_s_orn1_saveexec_b64, 0xb, 0 },
    { "andn1_wrexec", lw_sem_s_andn1_wrexec_b64, 0x2, 1 },
    { "andn2_wrexec", lw_sem_s_andn2_wrexec_b64, 0x4, 1 },
};

START_TEST(saveexec)
{
    for (int i = 0; i < VALUES; i++)
        for (int j = 0; j < VALUES; j++) {
            lw_wave wave = { .lanes = 64, .sgprs = 102 };
            lw_wave_set_sgpr64(&wave, 4, values[i]);
            lw_wave_set_sgpr64(&wave, LW_SGPR_EXEC, values[j]);
            const lw_decoded in = { .dst = sgpr(8, 2), .src = { sgpr(4, 2) } };
            const answer want = logic(exec_cases[_i].table, values[i], values[j], 64);
            ck_assert_int_eq(exec_cases[_i].run(&wave, &in), LW_STEP_NEXT);
            ck_assert_uint_eq(lw_wave_exec(&wave), want.d);
            ck_assert_uint_eq(lw_wave_sgpr64(&wave, 8), exec_cases[_i].result_is_new ? want.d : values[j]);
            ck_assert_int_eq(wave.scc, want.scc);
        }
}
END_TEST

/* The result register is a source too. */
START_TEST(tied_results)
{
    for (int i = 0; i < VALUES; i++)
        for (int j = 0; j < VALUES; j++) {
            const uint64_t a = values[i], old = values[j];
            lw_wave wave = { .lanes = 64, .sgprs = 102, .scc = (uint8_t)(i & 1) };
            const lw_decoded wide = { .dst = sgpr(8, 2), .src = { sgpr(4, 1) } };
            const lw_decoded narrow = { .dst = sgpr(8, 1), .src = { sgpr(4, 1) } };
            lw_wave_set_sgpr64(&wave, 4, a);

            lw_wave_set_sgpr64(&wave, 8, old);
            lw_sem_s_bitset0_b64(&wave, &wide);
            ck_assert_uint_eq(lw_wave_sgpr64(&wave, 8), old & ~(1ULL << a % 64));
            lw_wave_set_sgpr64(&wave, 8, old);
            lw_sem_s_bitset1_b64(&wave, &wide);
            ck_assert_uint_eq(lw_wave_sgpr64(&wave, 8), old | 1ULL << a % 64);
            lw_wave_set_sgpr64(&wave, 8, old);
            lw_sem_s_bitset0_b32(&wave, &narrow);
            ck_assert_uint_eq(lw_wave_sgpr64(&wave, 8), old & ~(1ULL << a % 32));
            lw_wave_set_sgpr64(&wave, 8, old);
            lw_sem_s_bitset1_b32(&wave, &narrow);
            ck_assert_uint_eq(lw_wave_sgpr64(&wave, 8), old | 1ULL << a % 32);
            lw_wave_set_sgpr64(&wave, 8, old);
            lw_sem_s_cmov_b32(&wave, &narrow);
            ck_assert_uint_eq(wave.sgpr[8], (uint32_t)(i & 1 ? a : old));
            ck_assert_int_eq(wave.scc, i & 1);
        }
}
END_TEST

START_TEST(relative_moves_stay_inside)
{
    const lw_decoded in = { .dst = sgpr(8, 2), .src = { sgpr(4, 2) } };
    for (uint32_t m0 = 0; m0 < 200; m0++) {
        struct lw_fault *none = NULL;
        lw_wave wave = { .lanes = 64, .sgprs = 102, .head.fault = none };
        for (unsigned i = 0; i < 102; i++)
            wave.sgpr[i] = 1000 + i;
        wave.sgpr[LW_SGPR_M0] = m0;
        if (4 + m0 + 2 > 102)
            break;
        ck_assert_int_eq(lw_sem_s_movrels(&wave, &in), LW_STEP_NEXT);
        ck_assert_uint_eq(wave.sgpr[8], m0 == 4 || m0 == 5 ? wave.sgpr[8] : 1004 + m0);
        ck_assert_uint_eq(wave.sgpr[9], 1005 + m0);
    }
}
END_TEST

START_TEST(special_sources)
{
    lw_wave wave = { .lanes = 64, .scc = 1 };
    uint64_t v;
    const lw_opnd vccz = { .kind = LW_OPND_SPECIAL, .reg = 251, .dwords = 1 };
    lw_opnd op = vccz;
    ck_assert(lw_scalar_read(&wave, &op, &v) && v == 1);
    wave.sgpr[LW_SGPR_VCC + 1] = 1;
    ck_assert(lw_scalar_read(&wave, &op, &v) && v == 0);
    op.reg = 252;
    ck_assert(lw_scalar_read(&wave, &op, &v) && v == 1);
    op.reg = 253;
    ck_assert(lw_scalar_read(&wave, &op, &v) && v == 1);
    op.reg = 235;
    ck_assert_msg(!lw_scalar_read(&wave, &op, &v), "the apertures have no 32-bit value");
    op.dwords = 2;
    ck_assert(lw_scalar_read(&wave, &op, &v) && v == 0x1000000000000);
    op.reg = 254;
    ck_assert(!lw_scalar_read(&wave, &op, &v));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("salu");
    TCase *tc = tcase_create("salu");
    tcase_add_loop_test(tc, results_and_scc, 0, CASES);
    tcase_add_loop_test(tc, saveexec, 0, sizeof(exec_cases) / sizeof(exec_cases[0]));
    tcase_add_test(tc, tied_results);
    tcase_add_test(tc, relative_moves_stay_inside);
    tcase_add_test(tc, special_sources);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
