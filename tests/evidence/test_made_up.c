/* SPDX-License-Identifier: MIT */
/*
 * A library with one more row in matrix.inc, v_mfma_f32_16x16x8_dream with op 0x5c and four known formats: it
 * is listed, laid out, evaluated, decoded, printed and run in a kernel, although no other file contains its
 * name.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/disasm.h>
#include <lanewise/launch.h>
#include <lanewise/layout.h>
#include <lanewise/mma.h>

enum { SIZE = 16, K = 8, GROUP_K = 2, LANES = 64, D_REGS = 4, FIRST_D = 8 };
static const char NAME[] = "v_mfma_f32_16x16x8_dream";

/* v_mfma_f32_16x16x8_dream v[8:11], v0, v1, 1.0 and s_endpgm, by the fields of VOP3P-MAI */
static const uint32_t code[] = { 0xd3800000 | 0x5c << 16 | FIRST_D, 256 | 257 << 9 | 242 << 18, 0xbf810000 };

static const lw_insn *dream(lw_arch arch)
{
    const lw_insn *insn = NULL;
    ck_assert_int_eq(lw_insn_find(arch, NAME, &insn, NULL), LW_OK);
    return insn;
}

/* Element (row, k) of A and (k, column) of B: small integers. */
static int a_at(unsigned row, unsigned k)
{
    return (int)((row * 3 + k * 5) % 7) - 3;
}

static int b_at(unsigned k, unsigned column)
{
    return (int)((column * 2 + k * 7 + 1) % 5) - 2;
}

/* Integers from -3 to 3 as f16, by hand. */
static uint32_t half(int v)
{
    static const uint16_t magnitudes[] = { 0, 0x3c00, 0x4000, 0x4200 };
    return v < 0 ? magnitudes[-v] | 0x8000u : magnitudes[v];
}

static void fill(uint32_t a[LANES], uint32_t b[LANES])
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        const unsigned at = lane % SIZE, k = lane / SIZE * GROUP_K;
        a[lane] = half(a_at(at, k)) | half(a_at(at, k + 1)) << 16;
        b[lane] = half(b_at(k, at)) | half(b_at(k + 1, at)) << 16;
    }
}

static void expect(const uint32_t *d)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned r = 0; r < D_REGS; r++) {
            const unsigned row = lane / SIZE * D_REGS + r, column = lane % SIZE;
            int sum = 1;
            for (unsigned k = 0; k < K; k++)
                sum += a_at(row, k) * b_at(k, column);
            float f;
            memcpy(&f, &d[r * LANES + lane], sizeof(f));
            ck_assert_msg(f >= (float)sum && f <= (float)sum, "(%u, %u) is %g, not %d", row, column,
                          (double)f, sum);
        }
}

START_TEST(is_listed_and_laid_out)
{
    const lw_arch arch = _i ? LW_ARCH_GFX950 : LW_ARCH_GFX942;
    const lw_insn *insn = dream(arch);
    size_t found = 0;
    for (size_t i = 0; i < lw_insn_count(arch); i++)
        found += lw_insn_at(arch, i) == insn;
    ck_assert_uint_eq(found, 1);
    lw_layout *layout = NULL;
    lw_layout_entry entry;
    size_t count = 0;
    ck_assert_int_eq(lw_layout_create(arch, insn, LW_OPERAND_D, 0, NULL, &layout, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_places(layout, 0, 9, 3, &entry, 1, &count), LW_OK);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(entry.lane, 9 / D_REGS * SIZE + 3);
    ck_assert_uint_eq(entry.reg, 9 % D_REGS);
    lw_layout_free(layout);
}
END_TEST

START_TEST(is_evaluated)
{
    const lw_arch arch = _i ? LW_ARCH_GFX950 : LW_ARCH_GFX942;
    uint32_t a[LANES], b[LANES], d[D_REGS * LANES];
    lw_mma *mma;
    fill(a, b);
    ck_assert_int_eq(lw_mma_create(arch, dream(arch), NULL, &mma, NULL), LW_OK);
    const lw_mma_registers regs = { .a = a, .b = b, .d = d, .c_constant = 0x3f800000 };
    ck_assert_int_eq(lw_mma_execute_registers(mma, &regs, NULL), LW_OK);
    lw_mma_free(mma);
    expect(d);
}
END_TEST

START_TEST(is_decoded_and_printed)
{
    const lw_arch arch = _i ? LW_ARCH_GFX950 : LW_ARCH_GFX942;
    lw_disasm d;
    ck_assert_int_eq(lw_disasm_decode(arch, code, sizeof(code), 0, &d), LW_OK);
    ck_assert_str_eq(d.text, "v_mfma_f32_16x16x8_dream v[8:11], v0, v1, 1.0");
    ck_assert_uint_eq(d.size, 8);
    uint32_t odd[] = { code[0] + 1, code[1] }; /* a group of four registers begins at an even one */
    ck_assert_int_eq(lw_disasm_decode(arch, odd, sizeof(odd), 0, &d), LW_E_FORMAT);
}
END_TEST

START_TEST(runs_in_a_kernel)
{
    enum { VGPRS = FIRST_D + D_REGS };
    static uint32_t vgpr[VGPRS * LANES];
    lw_wave_state wave = { .vgpr = vgpr, .vgprs = VGPRS, .mode = 0x3f0 };
    const lw_code_options options = { .struct_size = sizeof(options),
                                      .arch = _i ? LW_ARCH_GFX950 : LW_ARCH_GFX942,
                                      .code = code,
                                      .words = sizeof(code) / sizeof(code[0]) };
    lw_launch_result *result = NULL;
    lw_error error = { .text = "" };
    memset(vgpr, 0, sizeof(vgpr));
    fill(vgpr, vgpr + LANES);
    ck_assert_msg(lw_code_run(&options, &wave, 1, &result, &error) == LW_OK, "%s", error.text);
    ck_assert_uint_eq(result->matrix_instructions, 1);
    ck_assert_str_eq(result->counts[1].name, NAME);
    ck_assert_int_eq(result->weakest, LW_LABEL_INFERRED);
    lw_launch_result_free(result);
    expect(vgpr + FIRST_D * LANES);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("made up");
    TCase *tc = tcase_create("row");
    tcase_add_loop_test(tc, is_listed_and_laid_out, 0, 2);
    tcase_add_loop_test(tc, is_evaluated, 0, 2);
    tcase_add_loop_test(tc, is_decoded_and_printed, 0, 2);
    tcase_add_loop_test(tc, runs_in_a_kernel, 0, 2);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
