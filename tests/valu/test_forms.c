/* SPDX-License-Identifier: MIT */
/*
 * Every fast form of the vector and the scalar unit compared with the general handler that it replaces, on
 * every instruction set of this host. The general handlers are compared with other sources elsewhere (valu_*,
 * salu, kernels).
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/amdgpu/decode/decoded.h"
#include "tests/valu/forms_kit.h"

enum { ROUNDS = 160 };

static kit general, form;
static unsigned taken[LW_OP_COUNT], drawn[LW_OP_COUNT];

/* With the registers as they are. */
static void compare_filled(lw_fast_isa isa, forms_case *c)
{
    static const char *const names[] = { "portable", "avx2", "avx512", "avx512fp16" };
    lw_hot hot;
    char where[120], text[200];
    c->in.pc = general.w.head.pc;
    lw_hot_prepare(isa, &c->in, &hot);
    drawn[lw_op_index(c->row)] += !(c->in.dst.flags & LW_OPND_F_KEEP); /* no form handles it */
    if (hot.fn == lw_hot_general)
        return;
    taken[lw_op_index(c->row)]++;
    form = general;
    form.w.vgpr = form.vgpr[0];
    form.w.agpr = form.agpr[0];
    form.w.head.fault = &form.fault;
    const lw_step a = c->in.exec(&general.w, &c->in), b = hot.fn(&form.w, &hot);
    lw_amdgpu_text(c->arch, &c->in, text, sizeof(text));
    ck_assert_msg(a == b, "%s %s: step %d, form %d", names[isa], text, a, b);
    if (a == LW_STEP_NEXT || a == LW_STEP_JUMPED)
        ck_assert_msg(forms_same(&general, &form, where, sizeof(where)), "%s %s, exec %llx mode %x: %s",
                      names[isa], text, (unsigned long long)lw_wave_exec(&general.w), general.w.mode, where);
}

static void compare(lw_fast_isa isa, forms_case *c)
{
    forms_fill(&general, c->arch);
    compare_filled(isa, c);
}

static bool lists(const lw_hot_forms *forms, lw_exec_fn handler)
{
    for (size_t i = 0; i < forms->count; i++)
        if (forms->forms[i].general == handler)
            return true;
    return false;
}

/* With instruction sets up to the host's. */
static bool has_form(const lw_op_row *row, lw_arch arch, lw_fast_isa host)
{
    const bool memory = row->enc == LW_ENC_DS || row->enc == LW_ENC_FLAT || row->enc == LW_ENC_MUBUF ||
                        row->enc == LW_ENC_MTBUF || row->enc == LW_ENC_SMEM;
    if (memory || lw_op_code(row, arch) < 0)
        return false;
    const lw_exec_fn handler = lw_handler_of(row, arch);
    const lw_hot_forms *group;
    for (int isa = 0; isa <= (int)host; isa++)
        for (size_t n = 0; (group = lw_hot_group((lw_fast_isa)isa, n)); n++)
            if (lists(group, handler))
                return true;
    return lists(&lw_hot_scalar, handler);
}

static void compare_all(lw_arch arch)
{
    lw_fast_isa host;
    ck_assert_int_eq(lw_fast_isa_choose(&host, NULL), LW_OK);
    const char *more = getenv("LW_FORMS_ROUNDS"); /* a longer comparison */
    const unsigned rounds = more ? (unsigned)strtoul(more, NULL, 10) : ROUNDS;
    kit_reset(&general, arch);
    memset(taken, 0, sizeof(taken));
    memset(drawn, 0, sizeof(drawn));
    for (unsigned op = 0; op < LW_OP_COUNT; op++) {
        if (!has_form(&lw_op_rows[op], arch, host))
            continue;
        forms_case c;
        for (unsigned round = 0; round < rounds; round++)
            for (int isa = 0; isa <= (int)host && forms_random(&general, arch, &lw_op_rows[op], &c); isa++)
                compare((lw_fast_isa)isa, &c);
        ck_assert_msg(taken[op] >= rounds / 20 || !drawn[op], "%s: a form took it %u times only",
                      lw_op_rows[op].name, taken[op]);
    }
}

START_TEST(forms_equal_handlers)
{
    static const lw_arch archs[] = { LW_ARCH_GFX942, LW_ARCH_GFX950, LW_ARCH_GFX1100, LW_ARCH_GFX1201 };
    compare_all(archs[_i]);
}
END_TEST

/* ---- Conversions to and from small floats: all codes with scales ---- */

/* A form of the row whose first source and scale are separate vector registers. */
static bool find_case(const lw_op_row *row, lw_arch arch, lw_fast_isa isa, forms_case *c, lw_hot *hot)
{
    for (unsigned tries = 0; tries < 3000; tries++) {
        const lw_opnd *s = c->in.src;
        if (!forms_random(&general, arch, row, c))
            continue;
        lw_hot_prepare(isa, &c->in, hot);
        if (hot->fn != lw_hot_general && s[0].kind == LW_OPND_VGPR && s[1].kind == LW_OPND_VGPR &&
            s[0].reg + 1 < s[1].reg && c->in.dst.reg > s[1].reg)
            return true;
    }
    return false;
}

/* 128 halves from `first` on, or 64 words of two bytes each. */
static void fill_codes(uint32_t *row, uint32_t first)
{
    for (uint32_t lane = 0; lane < LW_LANES; lane++)
        row[lane] = ((first + 2 * lane) & 0xffff) | (first + 2 * lane + 1) << 16;
}

static void all_codes(lw_fast_isa isa, const lw_op_row *row, unsigned scale_step)
{
    forms_case c;
    lw_hot hot;
    char where[120];
    ck_assert_msg(find_case(row, LW_ARCH_GFX950, isa, &c, &hot), "%s: no such form", row->name);
    lw_wave_set_sgpr64(&general.w, LW_SGPR_EXEC, ~(uint64_t)0);
    general.w.mode = KIT_DEFAULT_MODE;
    for (uint32_t scale = 0; scale < 256; scale += scale_step)
        for (uint32_t first = 0; first < 65536; first += 128) {
            fill_codes(general.vgpr[c.in.src[0].reg], first);
            for (unsigned lane = 0; lane < LW_LANES; lane++)
                general.vgpr[c.in.src[1].reg][lane] = scale << 23;
            form = general;
            form.w.vgpr = form.vgpr[0];
            form.w.agpr = form.agpr[0];
            ck_assert_int_eq(c.in.exec(&general.w, &c.in), hot.fn(&form.w, &hot));
            ck_assert_msg(forms_same(&general, &form, where, sizeof(where)), "%s, scale %u: %s", row->name,
                          scale, where);
        }
}

/* For narrowing and widening conversions with the scale in source 1: f16, bf16 or codes as sources. With
 * LW_FORMS_ALL set, all scales. */
START_TEST(small_conversions)
{
    static const char *const from[] = { "_f16", "_bf16", "_fp8", "_bf8", "_fp4" };
    lw_fast_isa host;
    ck_assert_int_eq(lw_fast_isa_choose(&host, NULL), LW_OK);
    kit_reset(&general, LW_ARCH_GFX950);
    for (unsigned op = 0; op < LW_OP_COUNT; op++) {
        const lw_op_row *row = &lw_op_rows[op];
        const char *end = strrchr(row->name, '_');
        if (strncmp(row->name, "v_cvt_scalef32_pk_", 18) != 0 || strcmp(end, from[_i]) != 0)
            continue;
        for (int isa = 0; isa <= (int)host; isa++)
            all_codes((lw_fast_isa)isa, row, getenv("LW_FORMS_ALL") ? 1 : 51);
    }
}
END_TEST

/* ---- Conversions of 32 numbers to and from 6-bit floats ---- */

enum { SIX_ROWS = 12, SIX_SOURCE = 8, SIX_SOURCES = 32, SIX_RESULT = 48, SIX_SCALE = 6 };

/* RESULT = op(SOURCE, SCALE), with registers of their own; f32 numbers come from two sources of 16. */
static bool six_case(const lw_op_row *row, bool apart, lw_fast_isa isa, forms_case *c, lw_hot *hot)
{
    for (unsigned tries = 0; tries < 3000; tries++) {
        lw_opnd *s = c->in.src, *scale = &s[apart ? 2 : 1];
        if (!forms_random(&general, LW_ARCH_GFX950, row, c) || s[0].kind != LW_OPND_VGPR ||
            s[1].kind != LW_OPND_VGPR || scale->kind != LW_OPND_VGPR || c->in.dst.kind != LW_OPND_VGPR)
            continue;
        s[0].reg = SIX_SOURCE;
        s[1].reg = SIX_SOURCE + SIX_SOURCES / 2;
        scale->reg = SIX_SCALE;
        c->in.dst.reg = SIX_RESULT;
        lw_hot_prepare(isa, &c->in, hot);
        if (hot->fn != lw_hot_general)
            return true;
    }
    return false;
}

/* Each lane's number, as a code, at all 32 places. */
static void fill_six_codes(void)
{
    for (unsigned r = 0; r < 6; r++)
        for (unsigned lane = 0; lane < LW_LANES; lane++)
            general.vgpr[SIX_SOURCE + r][lane] =
                (uint32_t)(lane * UINT64_C(0x41041041041041) >> (32 * r % 6));
}

/* Halves from `first` on, or f32 numbers with those as upper halves: 2048 of them. */
static void fill_six_numbers(uint32_t first, bool is_f32)
{
    for (uint32_t r = 0; r < SIX_SOURCES; r++)
        for (uint32_t lane = 0; lane < LW_LANES; lane++) {
            const uint32_t n = r * LW_LANES + lane, two = first + 2 * n;
            general.vgpr[SIX_SOURCE + r][lane] =
                is_f32 ? (first + n) << 16 | (r & 1 ? 0x8000 : lane & 1) : (two & 0xffff) | (two + 1) << 16;
        }
}

static void compare_six(const lw_op_row *row, uint32_t scale, forms_case *c, const lw_hot *hot)
{
    char where[120];
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        general.vgpr[SIX_SCALE][lane] = scale << 23;
    form = general;
    form.w.vgpr = form.vgpr[0];
    form.w.agpr = form.agpr[0];
    ck_assert_int_eq(c->in.exec(&general.w, &c->in), hot->fn(&form.w, hot));
    ck_assert_msg(forms_same(&general, &form, where, sizeof(where)), "%s, scale %u: %s", row->name, scale,
                  where);
}

static void all_six(lw_fast_isa isa, const lw_op_row *row, bool narrows)
{
    enum { NUMBERS = SIX_SOURCES * LW_LANES };
    const bool is_f32 = strncmp(row->name, "v_cvt_scalef32_2xpk16_", 22) == 0;
    forms_case c;
    lw_hot hot;
    ck_assert_msg(six_case(row, is_f32, isa, &c, &hot), "%s: no such form", row->name);
    lw_wave_set_sgpr64(&general.w, LW_SGPR_EXEC, ~(uint64_t)0);
    general.w.mode = KIT_DEFAULT_MODE;
    fill_six_codes();
    for (uint32_t scale = 0; scale < 256; scale += narrows && !getenv("LW_FORMS_ALL") ? 51 : 1)
        for (uint32_t first = 0; first < (narrows ? 65536 : 1); first += NUMBERS) {
            if (narrows)
                fill_six_numbers(first, is_f32);
            compare_six(row, scale, &c, &hot);
        }
}

/* All codes with all scales; all halves, or the f32 numbers with those as upper halves, with every 51st. */
START_TEST(six_bits)
{
    unsigned rows = 0;
    lw_fast_isa host;
    ck_assert_int_eq(lw_fast_isa_choose(&host, NULL), LW_OK);
    kit_reset(&general, LW_ARCH_GFX950);
    for (unsigned op = 0; op < LW_OP_COUNT; op++) {
        const lw_op_row *row = &lw_op_rows[op];
        const bool narrows = strncmp(row->name, "v_cvt_scalef32_2xpk16_", 22) == 0 ||
                             strncmp(row->name, "v_cvt_scalef32_pk32_fp6_", 24) == 0 ||
                             strncmp(row->name, "v_cvt_scalef32_pk32_bf6_", 24) == 0;
        if (!narrows && strncmp(row->name, "v_cvt_scalef32_pk32_", 20) != 0)
            continue;
        rows++;
        for (int isa = 0; isa <= (int)host; isa++)
            all_six((lw_fast_isa)isa, row, narrows);
    }
    ck_assert_uint_eq(rows, SIX_ROWS);
}
END_TEST

/* ---- Products that are subnormal before rounding and the least normal number afterwards ---- */

static bool is_product(const forms_case *c)
{
    const lw_decoded *in = &c->in;
    return in->src[0].kind == LW_OPND_VGPR && in->src[1].kind == LW_OPND_VGPR &&
           in->src[0].reg != in->src[1].reg && in->sub == LW_SUB_NONE && !in->clamp && !in->omod;
}

/* (1 - 2^-12) * 2^-126 * (1 + 2^-12) in one lane. */
static void compare_least(lw_fast_isa isa, const lw_op_row *row, unsigned lane)
{
    enum { FLUSHES = KIT_DEFAULT_MODE & ~(3 << LW_MODE_DENORM_F32_SHIFT), ONE = 0x3f800000 };
    forms_case c;
    unsigned tries = 0;
    while (!forms_random(&general, LW_ARCH_GFX950, row, &c) || !is_product(&c))
        ck_assert_uint_lt(tries++, 10000);
    lw_wave_set_sgpr64(&general.w, LW_SGPR_EXEC, ~(uint64_t)0);
    general.w.mode = FLUSHES;
    for (unsigned i = 0; i < LW_LANES; i++) {
        general.vgpr[c.in.src[0].reg][i] = i == lane ? 0x3f7ff000 : ONE;
        general.vgpr[c.in.src[1].reg][i] = i == lane ? 0x00800800 : ONE;
    }
    compare_filled(isa, &c);
    ck_assert_uint_eq(general.vgpr[c.in.dst.reg][lane] & INT32_MAX, 0);
}

START_TEST(just_below_normal)
{
    lw_fast_isa host;
    ck_assert_int_eq(lw_fast_isa_choose(&host, NULL), LW_OK);
    kit_reset(&general, LW_ARCH_GFX950);
    for (unsigned op = 0; op < LW_OP_COUNT; op++)
        for (int isa = 0; strcmp(lw_op_rows[op].name, "v_mul_f32") == 0 && isa <= (int)host; isa++)
            for (unsigned lane = 0; lane < LW_LANES; lane += 21)
                compare_least((lw_fast_isa)isa, &lw_op_rows[op], lane);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("forms");
    TCase *tcase = tcase_create("forms");
    tcase_set_timeout(tcase, 600);
    tcase_add_loop_test(tcase, forms_equal_handlers, 0, 4);
    tcase_add_loop_test(tcase, small_conversions, 0, 5);
    tcase_add_test(tcase, six_bits);
    tcase_add_test(tcase, just_below_normal);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
