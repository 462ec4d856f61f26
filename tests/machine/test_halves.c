/* SPDX-License-Identifier: MIT */
/*
 * 16-bit operands of gfx1100 are halves of registers: examples of gfx11 silicon (tinygrad, test/amd/hw), and
 * for instructions of each kind every choice of halves, compared by definition with the choice of low
 * ones.
 */
#include <lanewise/lanewise.h>

#include "emu/amdgpu/decode/facts.h"
#include "isa_tables/amdgpu/registers.h"
#include "machine/fixture.h"

enum { REGS = 8 };

static const uint32_t END = 0xbfb00000; /* s_endpgm */

typedef struct world {
    lw_wave_state wave;
    uint32_t vgpr[REGS * 64];
    lw_error error;
} world;

static void run(world *w, uint32_t first, uint32_t second, size_t count)
{
    uint32_t code[] = { first, second, END };
    lw_launch_result *result = NULL;
    code[count] = END;
    w->wave = (lw_wave_state){ .vgprs = REGS, .mode = 0x3f0, .vgpr = w->vgpr };
    w->wave.sgpr[LW_SGPR_EXEC] = 1;
    w->wave.sgpr[LW_SGPR_VCC] = 0;
    const lw_code_options options = {
        .struct_size = sizeof(options), .arch = LW_ARCH_GFX1100, .code = code, .words = count + 1, .budget = 9
    };
    ck_assert_msg(lw_code_run(&options, &w->wave, 1, &result, &w->error) == LW_OK, "%s", w->error.text);
    lw_launch_result_free(result);
}

/* Examples 10 to 16; v_min_f32 and v_med3_f32 of example 55; v_maxmin, v_xor3 and v_alignbit by definition.
 */
static const struct {
    uint32_t code[2], v[4], dst, is;
} examples[] = {
    { { 0x65000501 }, { 0x0000beef, 0x3c00, 0x4000, 0 }, 0, 0x4200beef }, /* v_add_f16 v0.h, v1.l, v2.l */
    { { 0x6d000501 }, { 0x3800dead, 0x4000, 0x4200, 0 }, 0, 0x4680dead }, /* v_fmac_f16 v0.h, v1.l, v2.l */
    { { 0x64030100 }, { 0x40003c00, 0, 0, 0 }, 1, 0x4200 },               /* v_add_f16 v1.l, v0.l, v0.h */
    { { 0x7e021780 }, { 0x40003c00, 0, 0, 0 }, 1, 0x40000000 },           /* v_cvt_f32_f16 v1, v0.h */
    { { 0x7e0014f2 }, { 0xdead0000, 0, 0, 0 }, 0, 0xdead3c00 },           /* v_cvt_f16_f32 v0.l, 1.0 */
    { { 0x7f003901 }, { 0x0000dead, 0x5678, 0, 0 }, 0, 0x5678dead },      /* v_mov_b16 v0.h, v1.l */
    { { 0x7e023980 }, { 0xbeefdead, 0, 0, 0 }, 1, 0x0000beef },           /* v_mov_b16 v1.l, v0.h */
    { { 0x1e060300 }, { 0, 0x80000000, 0, 0 }, 3, 0x80000000 },           /* v_min_f32 v3, v0, v1 */
    { { 0xd61f0003, 0x040a0300 }, { 0x7fc00000, 0x3f800000, 0x40000000, 0 }, 3, 0x3f800000 }, /* v_med3_f32 */
    { { 0xd6400003, 0x040a0300 }, { 0x0f, 0x35, 0x50, 0 }, 3, 0x6a },                         /* v_xor3_b32 */
    { { 0xd6640003, 0x040a0300 }, { 5, 0xfffffff0, 3, 0 }, 3, 3 }, /* v_maxmin_i32 v3, v0, v1, v2 */
    { { 0xd6650003, 0x040a0300 }, { 5, 0xfffffff0, 3, 0 }, 3, 3 }, /* v_minmax_i32 */
    { { 0xd65e0003, 0x040a0300 }, { 0x40a00000, 0xc0000000, 0x40400000, 0 }, 3, 0x40400000 }, /* maxmin_f32 */
    { { 0xd6162003, 0x040a0300 },
      { 0x12345678, 0x9abcdef0, 0x00040000, 0 },
      3,
      0x89abcdef },                                             /* alignbit .h */
    { { 0x7e06d580 }, { 0x8001beef, 0, 0, 0 }, 3, 0xffff8001 }, /* v_cvt_i32_i16 v3, v0.h */
    { { 0x7e06d700 }, { 0x80018002, 0, 0, 0 }, 3, 0x00008002 }, /* v_cvt_u32_u16 v3, v0.l */
};

START_TEST(silicon)
{
    world w = { 0 };
    for (unsigned i = 0; i < 4; i++)
        w.vgpr[i * 64] = examples[_i].v[i];
    run(&w, examples[_i].code[0], examples[_i].code[1], examples[_i].code[1] ? 2 : 1);
    ck_assert_msg(w.vgpr[examples[_i].dst * 64] == examples[_i].is, "%d: %08x", _i,
                  w.vgpr[examples[_i].dst * 64]);
}
END_TEST

/* Opcodes in VOP3, and their number of sources. */
static const struct {
    uint16_t op;
    uint8_t sources;
} kinds[] = { { 0x132, 2 }, { 0x135, 2 }, { 0x139, 2 }, { 0x13a, 2 }, { 0x248, 3 }, { 0x303, 2 },
              { 0x305, 2 }, { 0x309, 2 }, { 0x30c, 2 }, { 0x30d, 2 }, { 0x338, 2 }, { 0x33a, 2 },
              { 0x241, 3 }, { 0x24c, 3 }, { 0x24f, 3 }, { 0x251, 3 }, { 0x260, 3 }, { 0x362, 2 },
              { 0x364, 2 }, { 0x1dc, 1 }, { 0x1d0, 1 }, { 0x1e9, 1 }, { 0x1d4, 1 } };

static uint32_t half(uint32_t v, bool high)
{
    return high ? v >> 16 : v & 0xffff;
}

/* v3 = op(v0, v1, v2) by halves that op_sel names. */
static uint32_t with_halves(unsigned op, unsigned op_sel, const uint32_t v[3], uint32_t old)
{
    world w = { 0 };
    for (unsigned i = 0; i < 3; i++)
        w.vgpr[i * 64] = v[i];
    w.vgpr[3 * 64] = old;
    run(&w, 0xd4000003 | op << 16 | op_sel << 11, 256 | 257 << 9 | 258u << 18, 2);
    return w.vgpr[3 * 64];
}

START_TEST(every_choice)
{
    static const uint32_t values[][3] = { { 0x3c00c500, 0x42003555, 0xb8004900 },
                                          { 0x7fff0001, 0x00038000, 0x1234fffe } };
    const unsigned n = kinds[_i].sources;
    for (unsigned op_sel = 0; op_sel < 16; op_sel++) {
        if (op_sel & 7 & ~((1u << n) - 1))
            continue;
        for (unsigned v = 0; v < 2; v++) {
            uint32_t low[3];
            for (unsigned i = 0; i < 3; i++)
                low[i] = half(values[v][i], op_sel >> i & 1);
            const uint32_t result = half(with_halves(kinds[_i].op, 0, low, 0), false);
            const uint32_t got = with_halves(kinds[_i].op, op_sel, values[v], 0xbeefdead);
            const uint32_t want = op_sel & 8 ? result << 16 | 0xdead : result | 0xbeef0000;
            ck_assert_msg(got == want, "op %x op_sel %x: %08x, not %08x", kinds[_i].op, op_sel, got, want);
        }
    }
}
END_TEST

/* Results that follow from integers alone. */
START_TEST(integers)
{
    const uint32_t v[3] = { 0x7fff0005, 0x00038000, 0x00020001 };
    ck_assert_uint_eq(with_halves(0x303, 3, v, 0), 0x8002);              /* v_add_nc_u16 v3.l, v0.h, v1.h */
    ck_assert_uint_eq(with_halves(0x305, 2, v, 0xffff0000), 0xffff000f); /* v_mul_lo_u16 v3.l, v0.l, v1.h */
    ck_assert_uint_eq(with_halves(0x241, 12, v, 0), 0x80020000); /* v_mad_u16 v3.h, v0.l, v1.l, v2.h */
    ck_assert_uint_eq(with_halves(0x33a, 0, v, 0), 0xfc00);      /* v_ashrrev_i16 v3.l, v0.l, v1.l */
}
END_TEST

/* Loads of 16 bits keep the other half; observers see two bytes. */
START_TEST(bytes)
{
    static const struct {
        uint32_t words[2];
        unsigned written;
    } rows[] = {
        { { 0xd5325000, 0x00020501 }, 0xc }, /* v_add_f16 v0.h, v1.l, v2.h */
        { { 0x64000501, 0 }, 0x3 },          /* v_add_f16 v0.l, v1.l, v2.l */
        { { 0xda9c0000, 0x00000001 }, 0xc }, /* ds_load_u16_d16_hi v0, v1 */
        { { 0xda980000, 0x00000001 }, 0x3 }, /* ds_load_u16_d16 v0, v1 */
    };
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        lw_decoded in;
        lw_fact_operand o[24];
        ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX1100, rows[i].words, 2, &in), LW_OK);
        lw_decoded_operands(&in, o, 24);
        ck_assert(o[0].written);
        ck_assert_uint_eq(o[0].bytes_written, rows[i].written);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("halves");
    tcase_add_loop_test(tc, silicon, 0, sizeof(examples) / sizeof(examples[0]));
    tcase_add_loop_test(tc, every_choice, 0, sizeof(kinds) / sizeof(kinds[0]));
    tcase_add_test(tc, integers);
    tcase_add_test(tc, bytes);
    return run_suite("halves", tc);
}
