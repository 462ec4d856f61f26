/* SPDX-License-Identifier: MIT */
/* Matrix instructions inside a wave: operands of both register files, constants, aliasing, refusals. */
#include <lanewise/mma.h>

#include "machine/fixture.h"

/* The result of emu/mma on plain register images. */
static void execute(lw_arch arch, const char *name, const lw_mma_registers *regs)
{
    const lw_insn *insn;
    lw_mma *mma;
    ck_assert_int_eq(lw_insn_find(arch, name, &insn, NULL), LW_OK);
    ck_assert_int_eq(lw_mma_create(arch, insn, NULL, &mma, NULL), LW_OK);
    ck_assert_int_eq(lw_mma_execute_registers(mma, regs, NULL), LW_OK);
    lw_mma_free(mma);
}

/* An inline 1.0 as C of an f64 instruction is a double. */
START_TEST(constant_accumulator)
{
    fixture f;
    fixture_init(&f, 1);
    set_exec(&f, 0); /* which matrix instructions ignore */
    snapshot s;
    take(&f, &s);
    const lw_mma_registers regs = { .a = &f.vgpr[0][0],
                                    .b = &f.vgpr[0][2 * 64],
                                    .d = &s.vgpr[4 * 64],
                                    .c_constant = UINT64_C(0x3ff0000000000000) };
    execute(LW_ARCH_GFX950, "v_mfma_f64_4x4x4_4b_f64", &regs);
    fixture_ok(&f, "mfma_f64");
    same_as(&f, &s, "f64 with a constant C");
    ck_assert_uint_eq(f.result->matrix_instructions, 1);
    fixture_free(&f);
}
END_TEST

START_TEST(accumulation_registers)
{
    fixture f;
    fixture_init(&f, 2);
    for (unsigned i = 0; i < VGPRS * 64; i++) { /* small halves, so that results are finite */
        f.vgpr[0][i] &= 0xbfffbfff;
        f.agpr[0][i] &= 0xbfffbfff;
    }
    uint32_t d[4 * 64];
    const lw_mma_registers regs = { .a = &f.vgpr[0][0], .b = &f.agpr[0][0], .c = &f.agpr[0][4 * 64], .d = d };
    execute(LW_ARCH_GFX950, "v_mfma_f32_16x16x16_f16", &regs);
    fixture_ok(&f, "mfma_acc");
    ck_assert_mem_eq(d, &f.agpr[0][4 * 64], sizeof(d));
    ck_assert_mem_eq(d, &f.vgpr[0][4 * 64], 64 * sizeof(d[0]));
    fixture_free(&f);
}
END_TEST

START_TEST(overlapping_operands)
{
    fixture f;
    fixture_init(&f, 3);
    snapshot s;
    take(&f, &s);
    const lw_mma_registers regs = {
        .a = &f.vgpr[0][0], .b = &f.vgpr[0][2 * 64], .d = s.vgpr, .c_constant = 0x40000000
    };
    execute(LW_ARCH_GFX950, "v_mfma_f32_16x16x16_f16", &regs);
    fixture_ok(&f, "mfma_alias");
    same_as(&f, &s, "D over A and B");
    fixture_free(&f);
}
END_TEST

START_TEST(undefined_modifiers)
{
    fixture f;
    fixture_init(&f, 4);
    f.options.arch = LW_ARCH_GFX942;
    ck_assert_int_eq(fixture_run(&f, "mfma_undefined", 1), LW_E_FAULT);
    ck_assert_ptr_nonnull(strstr(f.error.text, "cbsz"));
    f.options.readings = (const char *const[]){ "cbsz:ignored" };
    f.options.reading_count = 1;
    fixture_ok(&f, "mfma_undefined");
    fixture_free(&f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("matrix");
    tcase_add_test(tc, constant_accumulator);
    tcase_add_test(tc, accumulation_registers);
    tcase_add_test(tc, overlapping_operands);
    tcase_add_test(tc, undefined_modifiers);
    return run_suite("machine_matrix", tc);
}
