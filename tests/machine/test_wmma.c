/* SPDX-License-Identifier: MIT */
/*
 * Matrix instructions of gfx1100 as machine code: all of them, with their modifiers, compared with emu/mma on
 * register images built here; AMD's captures; operands and lane masks that are refused. The words are
 * assembled by llvm-mc 22.
 */
#include <lanewise/lanewise.h>

#include "machine/fixture.h"
#include "isa_tables/amdgpu/registers.h"
#include "num/captures.h"

enum { LANES32 = 32, REGS = 40, A = 0, B = 8, C = 16, D = 24, K = 16 };

static const uint32_t END = 0xbfb00000; /* s_endpgm */

typedef struct world {
    lw_wave_state wave;
    uint32_t vgpr[REGS * 64];
    lw_error error;
} world;

static void reset(world *w, uint32_t seed)
{
    *w = (world){ .wave = { .vgprs = REGS, .mode = 0x3f0 } };
    w->wave.vgpr = w->vgpr;
    for (unsigned i = 0; i < REGS * 64; i++) {
        seed = seed * 1664525u + 1013904223u;
        w->vgpr[i] = (seed ^ seed >> 15) & 0xbfffbfff; /* finite as halves and as words */
    }
    w->wave.sgpr[LW_SGPR_EXEC] = UINT32_MAX;
}

static lw_status run(world *w, uint32_t low, uint32_t high)
{
    const uint32_t words[] = { low, high, END };
    lw_launch_result *result = NULL;
    const lw_code_options options = {
        .struct_size = sizeof(options), .arch = LW_ARCH_GFX1100, .code = words, .words = 3, .budget = 1000
    };
    const lw_status status = lw_code_run(&options, &w->wave, 1, &result, &w->error);
    if (status == LW_OK)
        ck_assert_uint_eq(result->matrix_instructions, 1);
    lw_launch_result_free(result);
    return status;
}

/* Registers first.. of the wave as an image of 32 words each. */
static void image(const world *w, unsigned first, uint32_t *to)
{
    for (unsigned r = 0; r < 8; r++)
        memcpy(to + r * LANES32, w->vgpr + (first + r) * 64, LANES32 * sizeof(*to));
}

/* v[24:31] = A v[0:7], B v[8:15], C v[16:23], as llvm-mc assembles the text. */
static const struct {
    const char *text;
    uint32_t low, high;
} cases[] = {
    { "v_wmma_f32_16x16x16_f16", 0xcc404018, 0x1c421100 },
    { "v_wmma_f32_16x16x16_f16 neg_lo:[1,0,1] neg_hi:[0,1,1]", 0xcc404618, 0xbc421100 },
    { "v_wmma_f32_16x16x16_bf16", 0xcc414018, 0x1c421100 },
    { "v_wmma_f32_16x16x16_bf16 neg_lo:[0,1,0] neg_hi:[1,0,0]", 0xcc414118, 0x5c421100 },
    { "v_wmma_f16_16x16x16_f16", 0xcc424018, 0x1c421100 },
    { "v_wmma_f16_16x16x16_f16 op_sel:[0,0,1]", 0xcc426018, 0x1c421100 },
    { "v_wmma_bf16_16x16x16_bf16", 0xcc434018, 0x1c421100 },
    { "v_wmma_bf16_16x16x16_bf16 op_sel:[0,0,1] neg_lo:[1,1,0]", 0xcc436018, 0x7c421100 },
    { "v_wmma_i32_16x16x16_iu8", 0xcc444018, 0x1c421100 },
    { "v_wmma_i32_16x16x16_iu8 neg_lo:[1,0,0] clamp", 0xcc44c018, 0x3c421100 },
    { "v_wmma_i32_16x16x16_iu8 neg_lo:[1,1,0]", 0xcc444018, 0x7c421100 },
    { "v_wmma_i32_16x16x16_iu4", 0xcc454018, 0x1c421100 },
    { "v_wmma_i32_16x16x16_iu4 neg_lo:[0,1,0]", 0xcc454018, 0x5c421100 },
};

/* The decoded text is the text that emu/mma gets, except for operands. */
static void same_text(const char *text, uint32_t low, uint32_t high)
{
    const uint32_t words[] = { low, high };
    const size_t name = strcspn(text, " ");
    lw_disasm d;
    ck_assert_int_eq(lw_disasm_decode(LW_ARCH_GFX1100, words, sizeof(words), 0, &d), LW_OK);
    ck_assert_int_eq(strncmp(d.text, text, name), 0);
    const char *mods = strchr(strstr(d.text, "v[16:23]"), ' ');
    ck_assert_str_eq(mods ? mods : "", text + name);
}

START_TEST(every_row)
{
    for (uint32_t seed = 1; seed < 9; seed++) {
        world w;
        lw_error error;
        const lw_insn *insn;
        lw_mods mods;
        lw_mma *mma;
        uint32_t a[8 * LANES32], b[8 * LANES32], c[8 * LANES32], d[8 * LANES32], got[8 * LANES32];
        reset(&w, seed);
        image(&w, A, a);
        image(&w, B, b);
        image(&w, C, c);
        image(&w, D, d);
        same_text(cases[_i].text, cases[_i].low, cases[_i].high);
        ck_assert_msg(lw_insn_parse(LW_ARCH_GFX1100, cases[_i].text, &insn, &mods, &error) == LW_OK, "%s",
                      error.text);
        const lw_mma_options options = { .struct_size = sizeof(options), .mods = &mods, .wave = LANES32 };
        ck_assert_int_eq(lw_mma_create(LW_ARCH_GFX1100, insn, &options, &mma, &error), LW_OK);
        const lw_mma_registers regs = { .a = a, .b = b, .c = c, .d = d };
        ck_assert_int_eq(lw_mma_execute_registers(mma, &regs, NULL), LW_OK);
        lw_mma_free(mma);
        uint32_t before[REGS * 64];
        memcpy(before, w.vgpr, sizeof(before));
        ck_assert_msg(run(&w, cases[_i].low, cases[_i].high) == LW_OK, "%s", w.error.text);
        image(&w, D, got);
        ck_assert_msg(memcmp(got, d, sizeof(d)) == 0, "%s", cases[_i].text);
        for (unsigned r = 0; r < 8; r++) /* nothing else is written */
            memcpy(before + (D + r) * 64, d + r * LANES32, LANES32 * sizeof(*d));
        ck_assert_mem_eq(before, w.vgpr, sizeof(before));
    }
}
END_TEST

/* D overlapping A, and an inline 1.0 as C: follows from the definition, with A and B zero except for one
 * product. */
START_TEST(constants_and_overlap)
{
    world w;
    reset(&w, 1);
    memset(w.vgpr, 0, 16 * 64 * sizeof(*w.vgpr));
    for (unsigned lane = 3; lane < LANES32; lane += 16)
        w.vgpr[A * 64 + lane] = 0x3c00; /* A[3][0] = 1, in both halves of the wave */
    for (unsigned lane = 5; lane < LANES32; lane += 16)
        w.vgpr[B * 64 + lane] = 0x4000;                       /* B[0][5] = 2 */
    ck_assert_int_eq(run(&w, 0xcc404000, 0x1bca1100), LW_OK); /* ... v[0:7], v[0:7], v[8:15], 1.0 */
    for (unsigned i = 0; i < K; i++)
        for (unsigned j = 0; j < K; j++)
            ck_assert_uint_eq(w.vgpr[i / 2 * 64 + 16 * (i % 2) + j],
                              i == 3 && j == 5 ? 0x40400000 : 0x3f800000);
}
END_TEST

/* iu8: a sum past the largest integer, with and without clamp. */
START_TEST(saturation)
{
    for (unsigned clamp = 0; clamp < 2; clamp++) {
        world w;
        reset(&w, 1);
        for (unsigned i = 0; i < 16 * 64; i++)
            w.vgpr[i] = 0x01010101;
        for (unsigned i = C * 64; i < (C + 8) * 64; i++)
            w.vgpr[i] = 0x7ffffff5;
        ck_assert_int_eq(run(&w, 0xcc444018 | clamp << 15, 0x7c421100), LW_OK); /* both signed */
        ck_assert_uint_eq(w.vgpr[D * 64 + 9], clamp ? 0x7fffffff : 0x80000005);
    }
}
END_TEST

START_TEST(refusals)
{
    world w;
    reset(&w, 1);
    w.wave.sgpr[LW_SGPR_EXEC] = 0x7fffffff;
    ck_assert_int_eq(run(&w, cases[0].low, cases[0].high), LW_E_FAULT);
    ck_assert_ptr_nonnull(strstr(w.error.text, "EXEC to be all ones"));
    reset(&w, 1);
    ck_assert_int_eq(run(&w, 0xcc424018, 0x1bca1100), LW_E_FAULT); /* f16, C 1.0 */
    ck_assert_ptr_nonnull(strstr(w.error.text, "16-bit C"));
    ck_assert_int_eq(run(&w, 0xcc424018, 0x1a021100), LW_OK);      /* f16, C 0 */
    ck_assert_int_eq(run(&w, 0xcc444018, 0x9c421100), LW_E_FAULT); /* iu8 neg_lo:[0,0,1] */
    ck_assert_int_eq(run(&w, 0xcc404818, 0x1c421100), LW_E_FAULT); /* f32 op_sel:[1,0,0] */
    ck_assert_ptr_nonnull(strstr(w.error.text, "not an instruction of gfx1100"));
    ck_assert_int_eq(run(&w, 0xcc404018, 0x1c4210f0), LW_E_FAULT); /* A is a constant */
    ck_assert_int_eq(run(&w, 0xcc4040fa, 0x1c421100), LW_E_FAULT); /* D ends past v255 */
}
END_TEST

/*
 * AMD's captures on a Radeon Pro W7900: row 11 of A, column 6 of B, their element of C and D. A captured DOT2
 * is the instruction's first step, with zeros after it.
 */
static void replay(const capture *r, uint32_t low)
{
    world w;
    const unsigned at = 11 / 2 * 64 + 16 * (11 % 2) + 6;
    reset(&w, 1);
    memset(w.vgpr, 0, sizeof(w.vgpr));
    for (unsigned half = 0; half < LANES32; half += 16) {
        w.vgpr[A * 64 + half + 11] = hex(r, 3);
        w.vgpr[B * 64 + half + 6] = hex(r, 4);
    }
    w.vgpr[C * 64 + at] = hex(r, 5);
    ck_assert_msg(run(&w, low, 0x1c421100) == LW_OK, "%s", w.error.text);
    ck_assert_uint_eq(w.vgpr[D * 64 + at], hex(r, 6));
}

START_TEST(captures)
{
    FILE *f = fopen(CAPTURES_PATH, "r");
    ck_assert_ptr_nonnull(f);
    char line[LINE];
    unsigned rows = 0;
    while (fgets(line, sizeof(line), f)) {
        const capture r = split(line);
        if (strcmp(r.field[0], "dot2") != 0 || strcmp(r.field[1], "gfx1100") != 0)
            continue;
        replay(&r, strcmp(r.field[2], "f16") == 0 ? 0xcc404018 : 0xcc414018);
        rows++;
    }
    fclose(f);
    ck_assert_uint_eq(rows, 103);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("wmma");
    tcase_add_loop_test(tc, every_row, 0, sizeof(cases) / sizeof(cases[0]));
    tcase_add_test(tc, constants_and_overlap);
    tcase_add_test(tc, saturation);
    tcase_add_test(tc, refusals);
    tcase_add_test(tc, captures);
    return run_suite("wmma", tc);
}
