/* SPDX-License-Identifier: MIT */
/*
 * The forms of transcendental operations compared with their handlers: rows of 64 f32 inputs from the whole
 * range, with LW_FULL=1 all 2^32, and all f16 in every MODE that affects them; on every instruction set of
 * this host.
 */
#include <check.h>
#include <stdlib.h>

#include "emu/fast/fp16.h"
#include "tests/valu/forms_kit.h"

enum { ROWS_OF_EXPONENT = (1 << 23) / LW_LANES, SOURCE = 1, RESULT = 2 };

static kit general, form;

/* v2 = op(v1). */
static lw_decoded instruction(const char *name)
{
    lw_decoded in = kit_inst(RESULT, SOURCE, SOURCE, SOURCE);
    for (unsigned op = 0; op < LW_OP_COUNT; op++)
        if (!strcmp(lw_op_rows[op].name, name))
            in.row = &lw_op_rows[op];
    ck_assert_msg(in.row != NULL, "%s", name);
    in.src[1].kind = in.src[2].kind = LW_OPND_NONE;
    in.exec = lw_handler_of(in.row, LW_ARCH_GFX950);
    return in;
}

/* The forms that the host has, including the portable one if it exists. */
static unsigned prepare(const lw_decoded *in, lw_hot hot[LW_FAST_AVX512FP16 + 1])
{
    lw_fast_isa host;
    unsigned count = 0;
    ck_assert_int_eq(lw_fast_isa_choose(&host, NULL), LW_OK);
    for (int isa = 0; isa <= (int)host; isa++) {
        lw_hot_prepare((lw_fast_isa)isa, in, &hot[count]);
        count += hot[count].fn != lw_hot_general;
    }
    ck_assert_uint_ge(count, (unsigned)host);
    return count;
}

/* An assertion for each lane would take longer than computing it. */
static void compare(const lw_decoded *in, const lw_hot *hot, unsigned count)
{
    const lw_step step = in->exec(&general.w, in);
    for (unsigned i = 0; i < count; i++) {
        const lw_step same = hot[i].fn(&form.w, &hot[i]);
        if (step == LW_STEP_NEXT && same == step &&
            !memcmp(form.vgpr[RESULT], general.vgpr[RESULT], sizeof(form.vgpr[RESULT])))
            continue;
        ck_assert_int_eq(step, LW_STEP_NEXT);
        ck_assert_int_eq(same, LW_STEP_NEXT);
        for (unsigned lane = 0; lane < LW_LANES; lane++)
            ck_assert_msg(form.vgpr[RESULT][lane] == general.vgpr[RESULT][lane],
                          "%s of %08x, form %u of %u, mode %x: %08x, not %08x", in->row->name,
                          form.vgpr[SOURCE][lane], i, count, general.w.mode, form.vgpr[RESULT][lane],
                          general.vgpr[RESULT][lane]);
    }
}

static void fill(uint32_t first)
{
    for (uint32_t lane = 0; lane < LW_LANES; lane++)
        general.vgpr[SOURCE][lane] = form.vgpr[SOURCE][lane] = first + lane;
}

/* Without LW_FULL=1: for every sign and exponent the first and the last row, and every 1021st. */
START_TEST(f32_models)
{
    static const char *const names[] = { "v_exp_f32", "v_log_f32",  "v_rcp_f32",
                                         "v_rsq_f32", "v_sqrt_f32", "v_rcp_iflag_f32" };
    const uint32_t step = getenv("LW_FULL") ? 1 : 1021;
    lw_hot hot[LW_FAST_AVX512FP16 + 1];
    kit_reset(&general, LW_ARCH_GFX950);
    kit_reset(&form, LW_ARCH_GFX950);
    const lw_decoded in = instruction(names[_i]);
    const unsigned count = prepare(&in, hot);
    for (uint32_t top = 0; top < 512; top++) {
        for (uint32_t row = 0; row < ROWS_OF_EXPONENT; row += step) {
            fill(top << 23 | row * LW_LANES);
            compare(&in, hot, count);
        }
        fill(top << 23 | (ROWS_OF_EXPONENT - 1) * LW_LANES);
        compare(&in, hot, count);
    }
    fill(0x0106e680); /* a root whose second-degree term exceeds 2^47 and affects the last place */
    compare(&in, hot, count);
    fill(0x01744000); /* a root whose second-degree term is half a unit more than an even number */
    compare(&in, hot, count);
}
END_TEST

/* All f16, for every way of flushing, IEEE on and off, FP16_OVFL on and off. */
START_TEST(f16_models)
{
    static const char *const names[] = { "v_exp_f16", "v_log_f16", "v_rcp_f16", "v_rsq_f16", "v_sqrt_f16" };
    lw_hot hot[LW_FAST_AVX512FP16 + 1];
    kit_reset(&general, LW_ARCH_GFX950);
    kit_reset(&form, LW_ARCH_GFX950);
    const lw_decoded in = instruction(names[_i]);
    const unsigned count = prepare(&in, hot);
    for (uint32_t way = 0; way < 16; way++) {
        const uint32_t kept = (way & 3) << LW_MODE_DENORM_F64_SHIFT;
        general.w.mode = form.w.mode =
            kept | (way & 4 ? LW_MODE_IEEE : 0) | (way & 8 ? LW_MODE_FP16_OVFL : 0);
        for (uint32_t first = 0; first < 65536; first += LW_LANES) {
            fill(first);
            compare(&in, hot, count);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("forms_models");
    TCase *tcase = tcase_create("forms_models");
    tcase_set_timeout(tcase, getenv("LW_FULL") ? 7200 : 300);
    tcase_add_loop_test(tcase, f32_models, 0, 6);
    tcase_add_loop_test(tcase, f16_models, 0, 5);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
