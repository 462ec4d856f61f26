/* SPDX-License-Identifier: MIT */
/*
 * VOPD on gfx1100 (and gfx1201): every pair of opcodes compared with the two single instructions, which both
 * start from the same registers; examples of gfx11 silicon (tinygrad, test/amd/hw); AMD's captures of DOT2;
 * pairs that the assembler refuses; what observers see.
 */
#include <lanewise/lanewise.h>

#include "emu/amdgpu/control/machine.h"
#include "emu/amdgpu/decode/facts.h"
#include "isa_tables/amdgpu/registers.h"
#include "isa_tables/amdgpu/rows.h"
#include "machine/fixture.h"
#include "num/captures.h"

enum { REGS = 16, LITERAL = 0x40490fdb, MOV = 8, FMAAK = 1, FMAMK = 2, X_CODES = 14, Y_CODES = 19 };

static const uint32_t END = 0xbfb00000; /* s_endpgm */

/* For each VOPD opcode, the opcode in VOP2 (for mov, in VOP1); 0: there is no such single instruction. */
static const uint8_t alone[Y_CODES] = { 0x2b, 0x2d, 0x2c, 0x08, 0x03, 0x04, 0x05, 0x07, 0x01, 0x01,
                                        0x10, 0x0f, 0x02, 0,    0,    0,    0x25, 0x18, 0x1b };

/* gfx1201 has other numbers for the maximum and the minimum, and no dot product alone. */
static lw_arch target = LW_ARCH_GFX1100;

static uint8_t alone_here(unsigned op)
{
    static const uint8_t other[] = { [10] = 0x16, [11] = 0x15, [12] = 0 };
    return target == LW_ARCH_GFX1201 && op >= 10 && op <= 12 ? other[op] : alone[op];
}

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
        w->vgpr[i] = seed ^ seed >> 13;
    }
    w->wave.sgpr[LW_SGPR_EXEC] = seed % 3 ? UINT32_MAX : seed;
    w->wave.sgpr[LW_SGPR_VCC] = seed * 77;
    w->wave.sgpr[4] = 0x3fc00000;
}

static lw_status run(world *w, const uint32_t *words, size_t count)
{
    uint32_t code[4] = { 0 };
    memcpy(code, words, count * sizeof(*code));
    code[count] = END;
    lw_launch_result *result = NULL;
    const lw_code_options options = {
        .struct_size = sizeof(options), .arch = target, .code = code, .words = count + 1, .budget = 9
    };
    const lw_status status = lw_code_run(&options, &w->wave, 1, &result, &w->error);
    lw_launch_result_free(result);
    return status;
}

typedef struct half {
    unsigned op, dst, src0, src1;
} half;

static bool has_literal(const half *h)
{
    return h->op == FMAAK || h->op == FMAMK || h->src0 == 255;
}

static size_t dual(const half *x, const half *y, uint32_t words[3])
{
    words[0] = 0xc8000000 | x->op << 22 | y->op << 17 | (x->op == MOV ? 0 : x->src1 << 9) | x->src0;
    words[1] = y->src0 | (y->op == MOV ? 0 : y->src1 << 9) | y->dst / 2 << 17 | x->dst << 24;
    words[2] = LITERAL;
    return has_literal(x) || has_literal(y) ? 3 : 2;
}

static size_t single(const half *h, uint32_t words[2])
{
    words[0] = h->op == MOV ? 0x7e000200 | h->dst << 17 | h->src0
                            : (uint32_t)alone_here(h->op) << 25 | h->dst << 17 | h->src1 << 9 | h->src0;
    words[1] = LITERAL;
    return has_literal(h) ? 2 : 1;
}

/* What one half alone writes, starting from the registers of `from`. */
static void expect(const world *from, const half *h, uint32_t *row)
{
    uint32_t words[2];
    world w = *from;
    w.wave.vgpr = w.vgpr;
    ck_assert_msg(run(&w, words, single(h, words)) == LW_OK, "%u: %s", h->op, w.error.text);
    memcpy(row, w.vgpr + h->dst * 64, 64 * sizeof(*row));
}

static bool is_first(unsigned op)
{
    return op < X_CODES && alone_here(op);
}

static void check(unsigned x_op, unsigned y_op, unsigned round)
{
    static const unsigned sources[] = { 256 + 9, 4, 255, 128 + 20, 242 };
    const bool k = y_op == FMAAK || x_op == FMAAK || y_op == FMAMK || x_op == FMAMK;
    const unsigned x_src = k ? 256 + 9 : sources[(x_op + y_op + round) % 5];
    const unsigned x_dst = round & 1 ? 3 : 2, y_dst = round & 1 ? 6 : 7;
    /* the second half reads what the first one writes, and the other way round */
    /* addends are in two banks */
    const half x = { x_op, x_dst, x_src, x_op == FMAMK ? x_dst : y_dst };
    const half y = { y_op, y_dst, 256 + x_dst, y_op == FMAMK ? y_dst : round & 2 ? x_dst : 4 };
    world w;
    uint32_t words[3], rows[2][64];
    reset(&w, 1 + x_op * 64 + y_op + round * 4096);
    world before = w;
    expect(&before, &x, rows[0]);
    expect(&before, &y, rows[1]);
    memcpy(before.vgpr + x.dst * 64, rows[0], sizeof(rows[0]));
    memcpy(before.vgpr + y.dst * 64, rows[1], sizeof(rows[1]));
    ck_assert_msg(run(&w, words, dual(&x, &y, words)) == LW_OK, "%u %u %u: %s", x_op, y_op, round,
                  w.error.text);
    ck_assert_msg(memcmp(w.vgpr, before.vgpr, sizeof(w.vgpr)) == 0, "%u %u %u", x_op, y_op, round);
}

START_TEST(every_pair)
{
    const unsigned x = (unsigned)_i % X_CODES;
    target = _i < X_CODES ? LW_ARCH_GFX1100 : LW_ARCH_GFX1201;
    for (unsigned y = 0; y < Y_CODES; y++)
        for (unsigned round = 0; alone_here(y) && is_first(x) && round < 4; round++)
            check(x, y, round);
    target = LW_ARCH_GFX1100;
}
END_TEST

/* Examples 40 to 43. */
START_TEST(silicon)
{
    static const struct {
        half x, y;
        uint32_t v0, v1, v2, v3, x_is, y_is;
    } rows[] = {
        { { 8, 2, 128, 0 }, { 16, 1, 256 + 2, 0 }, 1, 0, 0xffffffff, 0, 0, 0 },
        { { 8, 2, 128, 0 }, { 16, 1, 256 + 2, 2 }, 0, 0, 100, 0, 0, 200 },
    };
    for (unsigned i = 0; i < 2; i++) {
        world w;
        uint32_t words[3];
        reset(&w, 2);
        w.wave.sgpr[LW_SGPR_EXEC] = UINT32_MAX;
        w.vgpr[0] = rows[i].v0;
        w.vgpr[64] = rows[i].v1;
        w.vgpr[128] = rows[i].v2;
        ck_assert_msg(run(&w, words, dual(&rows[i].x, &rows[i].y, words)) == LW_OK, "%s", w.error.text);
        ck_assert_uint_eq(w.vgpr[128], rows[i].x_is);
        ck_assert_uint_eq(w.vgpr[64], rows[i].y_is);
    }
}
END_TEST

/* DOT2 as captured on a Radeon Pro W7900, in both halves and alone. */
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
        const bool bf16 = strcmp(r.field[2], "bf16") == 0;
        const half x = { bf16 ? 13 : 12, 2, 256 + 5, 6 }, y = { bf16 ? 13 : 12, 3, 256 + 8, 9 };
        world w;
        uint32_t words[3] = { bf16 ? 0xcc1a400a : 0xcc13400a, 0x1c0a0d05, 0 }; /* v_dot2 v10, v5, v6, v2 */
        reset(&w, 2);
        w.wave.sgpr[LW_SGPR_EXEC] = 1;
        w.vgpr[2 * 64] = w.vgpr[3 * 64] = hex(&r, 5);
        w.vgpr[5 * 64] = w.vgpr[8 * 64] = hex(&r, 3);
        w.vgpr[6 * 64] = w.vgpr[9 * 64] = hex(&r, 4);
        ck_assert_msg(run(&w, words, 2) == LW_OK, "%s", w.error.text);
        ck_assert_uint_eq(w.vgpr[10 * 64], hex(&r, 6));
        ck_assert_msg(run(&w, words, dual(&x, &y, words)) == LW_OK, "%s", w.error.text);
        ck_assert_uint_eq(w.vgpr[2 * 64], hex(&r, 6));
        ck_assert_uint_eq(w.vgpr[3 * 64], hex(&r, 6));
        rows++;
    }
    fclose(f);
    ck_assert_uint_eq(rows, 103);
}
END_TEST

/* Each is an error of llvm-mc's assembler; its disassembler prints them. */
START_TEST(conflicts)
{
    static const struct {
        half x, y;
        const char *says;
    } rows[] = {
        { { 4, 3, 257, 2 }, { 4, 2, 261, 7 }, "the first sources" },
        { { 4, 3, 257, 2 }, { 4, 2, 256, 6 }, "the second sources" },
        { { 0, 3, 257, 2 }, { FMAMK, 4, 258, 7 }, "the addends" },
        { { 4, 3, 1, 2 }, { 9, 2, 2, 5 }, "more than two scalars" },
        { { 4, 3, 1, 2 }, { FMAAK, 2, 2, 5 }, "more than two scalars" },
    };
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        world w;
        uint32_t words[3];
        reset(&w, 3);
        const size_t count = dual(&rows[i].x, &rows[i].y, words);
        ck_assert_msg(run(&w, words, count) == LW_E_FAULT, "%s", rows[i].says);
        ck_assert_msg(strstr(w.error.text, rows[i].says) != NULL, "%s", w.error.text);
    }
}
END_TEST

START_TEST(decoding)
{
    static const struct {
        uint32_t words[3];
        const char *text;
    } rows[] = {
        { { 0xca200103, 0x02000b04, 0 }, "v_dual_mov_b32 v2, v3 :: v_dual_add_nc_u32 v1, v4, v5" },
        { { 0xc8440501, 0x03040704, 0x1234 },
          "v_dual_fmaak_f32 v3, v1, v2, 0x1234 :: v_dual_fmamk_f32 v4, v4, 0x1234, v3" },
        { { 0xca520401, 0x03040602, 0 }, "v_dual_cndmask_b32 v3, s1, v2 :: v_dual_cndmask_b32 v4, s2, v3" },
    };
    lw_decoded in;
    lw_disasm d;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        ck_assert_int_eq(lw_disasm_decode(LW_ARCH_GFX1100, rows[i].words, sizeof(rows[i].words), 0, &d),
                         LW_OK);
        ck_assert_str_eq(d.text, rows[i].text);
        ck_assert_uint_eq(d.size, rows[i].words[2] ? 12 : 8);
    }
    ck_assert_int_eq(lw_amdgpu_decode_wave(LW_ARCH_GFX1100, 64, rows[0].words, 2, &in), LW_E_FORMAT);
    ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX1100, rows[0].words, 1, &in), LW_E_TRUNCATED);
    ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX1100, rows[1].words, 2, &in), LW_E_TRUNCATED);
    static const uint32_t wrong[][2] = { { 0xcb900501, 0x03040104 },   /* not an opcode of the first half */
                                         { 0xca1c0101, 0x03040b04 },   /* nor of the second */
                                         { 0xca100f01, 0x03040104 } }; /* mov with a second source */
    for (unsigned i = 0; i < 3; i++)
        ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX1100, wrong[i], 2, &in), LW_E_FORMAT);
}
END_TEST

/* Observers see the registers of both halves, and VCC. */
START_TEST(facts)
{
    static const uint32_t words[] = { 0xca520401, 0x03040602 }; /* two v_dual_cndmask_b32 */
    lw_decoded in;
    lw_fact_operand o[24];
    ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX1100, words, 2, &in), LW_OK);
    const size_t n = lw_decoded_operands(&in, o, 24);
    unsigned written = 0, read = 0, vcc = 0;
    for (size_t i = 0; i < n; i++) {
        if (o[i].is_register && o[i].file == LW_FILE_VGPR && o[i].written)
            written |= 1u << o[i].first;
        if (o[i].is_register && o[i].file == LW_FILE_VGPR && o[i].read)
            read |= 1u << o[i].first;
        vcc += o[i].is_register && o[i].file == LW_FILE_NAMED && o[i].first == LW_NAMED_VCC_LO;
    }
    ck_assert_uint_eq(written, 1u << 3 | 1u << 4);
    ck_assert_uint_eq(read, 1u << 2 | 1u << 3);
    ck_assert_uint_eq(vcc, 2);
}
END_TEST

/* The names used for counting, which are in a table, are those of the rows. */
START_TEST(names)
{
    for (unsigned x = 0; x < X_CODES; x++)
        for (unsigned y = 0; y < Y_CODES; y++) {
            const uint32_t words[3] = { 0xc8000000 | x << 22 | y << 17 | 257, 258 | 3 << 24, 0 };
            lw_decoded in;
            char want[96];
            if (lw_amdgpu_decode(LW_ARCH_GFX1100, words, 3, &in) != LW_OK)
                continue;
            snprintf(want, sizeof(want), "v_dual_%s :: v_dual_%s", lw_op_name(in.row, LW_ARCH_GFX1100) + 2,
                     lw_op_name(in.second.row, LW_ARCH_GFX1100) + 2);
            ck_assert_str_eq(lw_decoded_name(LW_ARCH_GFX1100, &in), want);
            ck_assert_uint_lt(lw_decoded_kind(LW_ARCH_GFX1100, &in), LW_DECODED_KINDS);
        }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("dual");
    tcase_add_loop_test(tc, every_pair, 0, 2 * X_CODES);
    tcase_add_test(tc, silicon);
    tcase_add_test(tc, captures);
    tcase_add_test(tc, conflicts);
    tcase_add_test(tc, decoding);
    tcase_add_test(tc, facts);
    tcase_add_test(tc, names);
    return run_suite("dual", tc);
}
