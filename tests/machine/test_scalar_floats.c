/* SPDX-License-Identifier: MIT */
/*
 * Floats in scalar registers on gfx1201 and gfx1150, in every rounding mode, with subnormals kept and
 * flushed: compared with the host's hardware (f32) and with doubles that hold the exact result (f16). The
 * rules for NaNs are those of vector instructions (AMD RDNA4 ISA manual), written a second time. Words:
 * llvm-mc 22.
 */
#include "isa_tables/amdgpu/registers.h"
#include "machine/fixture.h"
#include "machine/float_rules.h"

enum { ROUNDS = 1500, D = 4, A = 5, B = 6 };

static const uint32_t END = 0xbfb00000;
static uint64_t seed = 0x853c49e6748fea9bu;

static uint32_t one(const rules *r)
{
    return r->half ? 0x3c00 : 0x3f800000;
}

static uint32_t w_add(const rules *r, uint32_t a, uint32_t b, uint32_t old)
{
    (void)old;
    return fused(r, a, one(r), b);
}

static uint32_t w_sub(const rules *r, uint32_t a, uint32_t b, uint32_t old)
{
    (void)old;
    if (isnan(value(r, in(r, a))) || isnan(value(r, in(r, b))))
        return w_add(r, a, b, 0);
    return fused(r, a, one(r), b ^ sign_of(r));
}

static uint32_t w_mul(const rules *r, uint32_t a, uint32_t b, uint32_t old)
{
    (void)old;
    const uint32_t x = in(r, a), y = in(r, b);
    return fused(r, a, b, (x ^ y) & sign_of(r)); /* a zero with the product's sign */
}

static uint32_t w_fmac(const rules *r, uint32_t a, uint32_t b, uint32_t old)
{
    return fused(r, a, b, old);
}

/* ---- Selections ---- */

#define PICK(name, rule, most)                                                                               \
    static uint32_t name(const rules *r, uint32_t a, uint32_t b, uint32_t old)                               \
    {                                                                                                        \
        (void)old;                                                                                           \
        return rule(r, a, b, most);                                                                          \
    }
PICK(w_min_num, number, false)
PICK(w_max_num, number, true)
PICK(w_minimum, strict, false)
PICK(w_maximum, strict, true)

/* ---- One source ---- */

static uint32_t integral(const rules *r, uint32_t a, double (*fn)(double))
{
    a = in(r, a);
    const double x = value(r, a), whole = isfinite(x) ? copysign(fn(x), x) : x;
    return isnan(x) ? quiet(r, a) : !isfinite(x) ? a : r->half ? code16(whole) : bits_of_f32((float)whole);
}

#define WHOLE(name, fn)                                                                                      \
    static uint32_t name(const rules *r, uint32_t a, uint32_t b, uint32_t old)                               \
    {                                                                                                        \
        (void)b, (void)old;                                                                                  \
        return integral(r, a, fn);                                                                           \
    }
WHOLE(w_ceil, ceil)
WHOLE(w_floor, floor)
WHOLE(w_trunc, trunc)
WHOLE(w_rndne, to_even)

/* gfx1150: with MODE.IEEE, a signalling NaN wins and is quieted; other NaNs lose (AMD RDNA3 ISA manual,
 * V_MIN_F32). */
static uint32_t older(const rules *r, uint32_t a, uint32_t b, bool most, bool ieee)
{
    a = in(r, a), b = in(r, b);
    const bool na = isnan(value(r, a)), nb = isnan(value(r, b));
    if (ieee && na && quiet(r, a) != a)
        return quiet(r, a);
    if (ieee && nb && quiet(r, b) != b)
        return quiet(r, b);
    return na ? b : nb ? a : chosen(r, a, b, most);
}

typedef uint32_t (*want_fn)(const rules *r, uint32_t a, uint32_t b, uint32_t old);

/* s4 = op(s5, s6), by the opcodes of f32 and of f16; `single`: opcodes of SOP1, of s5 only. */
static const struct {
    const char *name;
    want_fn want;
    uint8_t op32, op16, single;
} operations[] = {
    { "add", w_add, 0x40, 0x49, 0 },         { "sub", w_sub, 0x41, 0x4a, 0 },
    { "mul", w_mul, 0x44, 0x4d, 0 },         { "fmac", w_fmac, 0x47, 0x4e, 0 },
    { "min_num", w_min_num, 0x42, 0x4b, 0 }, { "max_num", w_max_num, 0x43, 0x4c, 0 },
    { "minimum", w_minimum, 0x4f, 0x51, 0 }, { "maximum", w_maximum, 0x50, 0x52, 0 },
    { "ceil", w_ceil, 0x60, 0x6b, 1 },       { "floor", w_floor, 0x61, 0x6c, 1 },
    { "trunc", w_trunc, 0x62, 0x6d, 1 },     { "rndne", w_rndne, 0x63, 0x6e, 1 },
};

static lw_wave_state wave;
static uint32_t vgpr[4 * 64];
static lw_arch arch = LW_ARCH_GFX1201;

/* s4 after executing the words, which are one instruction. */
static uint32_t run(uint32_t mode, const uint32_t words[2], uint32_t a, uint32_t b, uint32_t old)
{
    const uint32_t code[] = { words[0], words[1] ? words[1] : 0xbf800000, END };
    const lw_code_options o = {
        .struct_size = sizeof(o), .arch = arch, .code = code, .words = 3, .budget = 9
    };
    lw_error error;
    wave.vgpr = vgpr, wave.vgprs = 4, wave.mode = mode;
    wave.sgpr[LW_SGPR_EXEC] = 1;
    wave.sgpr[A] = a, wave.sgpr[B] = b, wave.sgpr[D] = old;
    ck_assert_msg(lw_code_run(&o, &wave, 1, NULL, &error) == LW_OK, "%s", error.text);
    return wave.sgpr[D];
}

static uint32_t draw_mode(void)
{
    const uint64_t r = next_random(&seed);
    return (uint32_t)(r >> 20 & 0xff) | (r >> 40 & 1 ? OVFL : 0);
}

/* Values that are close to each other now and then; random bits above 16. */
static uint32_t draw(bool half)
{
    return half ? (uint32_t)nasty(&seed, 5, 10) | (uint32_t)(next_random(&seed) >> 48 << 16)
                : (uint32_t)nasty(&seed, 8, 23);
}

static void check_operation(unsigned i, bool half)
{
    const unsigned op = half ? operations[i].op16 : operations[i].op32;
    const uint32_t words[2] = { operations[i].single ? 0xbe800000 | D << 16 | op << 8 | A
                                                     : 0x80000000 | (uint32_t)op << 23 | D << 16 | B << 8 | A,
                                0 };
    for (unsigned n = 0; n < ROUNDS; n++) {
        const uint32_t mode = draw_mode(), a = draw(half), near = a ^ (uint32_t)(next_random(&seed) >> 63),
                       b = n % 5 ? draw(half) : near ^ (half ? 0x8000 : 0x80000000), old = draw(half);
        const rules r = of_mode(mode, half);
        const uint32_t got = run(mode, words, a, b, old), want = operations[i].want(&r, a, b, old);
        ck_assert_msg(got == want, "s_%s_%s(%08x, %08x), old %08x, MODE %x: %08x, not %08x",
                      operations[i].name, half ? "f16" : "f32", a, b, old, mode, got, want);
    }
}

START_TEST(arithmetic)
{
    check_operation((unsigned)_i, false);
    check_operation((unsigned)_i, true);
}
END_TEST

/* On gfx1150, which lacks minimum and maximum; with IEEE set, NaNs are quieted as on gfx1201. */
START_TEST(arithmetic_of_gfx1150)
{
    enum { IEEE = 1 << 9, DX10_CLAMP = 1 << 8 };
    arch = LW_ARCH_GFX1150;
    for (unsigned half = 0; half < 2; half++) {
        const unsigned i = (unsigned)_i, op = half ? operations[i].op16 : operations[i].op32;
        const uint32_t words[2] = { operations[i].single
                                        ? 0xbe800000 | D << 16 | op << 8 | A
                                        : 0x80000000 | (uint32_t)op << 23 | D << 16 | B << 8 | A,
                                    0 };
        const bool most = operations[i].want == w_max_num, selects = most || operations[i].want == w_min_num;
        for (unsigned n = 0; n < ROUNDS && operations[i].want != w_minimum && operations[i].want != w_maximum;
             n++) {
            const bool ieee = !selects || n & 1;
            const uint32_t mode = draw_mode() | DX10_CLAMP | (ieee ? IEEE : 0), a = draw(half),
                           b = draw(half), old = draw(half);
            const rules r = of_mode(mode, half);
            const uint32_t got = run(mode, words, a, b, old);
            const uint32_t want = selects ? older(&r, a, b, most, ieee) : operations[i].want(&r, a, b, old);
            ck_assert_msg(got == want, "s_%s, %u bits (%08x, %08x), old %08x, MODE %x: %08x, not %08x",
                          operations[i].name, half ? 16 : 32, a, b, old, mode, got, want);
        }
    }
    arch = LW_ARCH_GFX1201;
}
END_TEST

/* lt eq le gt lg ge o u, then the negations of the first seven in reverse order: opcodes 41 to 4e and 51 to
 * 5e. */
START_TEST(comparisons)
{
    static const char *const when[14] = { "<", "=",  "<=", ">",   "<>", ">=",  "<=>",
                                          "u", "<u", "=u", "<=u", ">u", "<>u", "=>u" };
    const bool half = _i >= 14;
    const unsigned at = (unsigned)_i % 14;
    for (unsigned n = 0; n < ROUNDS; n++) {
        const uint32_t mode = draw_mode(), a = draw(half), b = n % 3 ? draw(half) : a;
        const uint32_t words[2] = { 0xbf000000 | (0x41u + at + (half ? 16u : 0u)) << 16 | B << 8 | A, 0 };
        const rules r = of_mode(mode, half);
        const double x = value(&r, in(&r, a)), y = value(&r, in(&r, b));
        const char is = x < y ? '<' : x > y ? '>' : x == y ? '=' : 'u';
        run(mode, words, a, b, 0);
        ck_assert_msg(wave.scc == (strchr(when[at], is) != NULL), "%s of %08x and %08x: %u", when[at], a, b,
                      wave.scc);
    }
}
END_TEST

/* ---- Conversions ---- */

static uint32_t to_integer(uint32_t a, double low, double high)
{
    const double x = f32_of(a), whole = isnan(x) ? 0 : x < low ? low : x > high ? high : trunc(x);
    return (uint32_t)(int64_t)whole;
}

static uint32_t to_float(const rules *r, int64_t a)
{
    volatile int64_t from = a;
    fesetround(host_round[r->round]);
    const volatile float x = (float)from;
    fesetround(FE_TONEAREST);
    return bits_of_f32(x);
}

START_TEST(conversions)
{
    for (unsigned n = 0; n < ROUNDS; n++) {
        const uint32_t mode = draw_mode(), a = n & 1 ? draw(n & 2) : (uint32_t)next_random(&seed),
                       b = draw(false);
        const rules f32 = of_mode(mode, false), f16 = of_mode(mode, true);
        rules cut = f16;
        cut.round = 3;
        const uint32_t near = n & 1 ? bits_of_f32((float)(f16_value(a & 0xffff) * 1.0003)) : a;
        const struct {
            uint32_t word, source, want;
        } rows[] = {
            { 0xbe846405, a, to_float(&f32, (int32_t)a) }, /* s_cvt_f32_i32 */
            { 0xbe846505, a, to_float(&f32, a) },          /* s_cvt_f32_u32 */
            { 0xbe846605, a, to_integer(in(&f32, a), INT32_MIN, INT32_MAX) },
            { 0xbe846705, a, to_integer(in(&f32, a), 0, UINT32_MAX) },
            { 0xbe846805, near, to_half(&f32, &f16, near) },
            { 0xbe846905, a, to_single(&f16, a) },
            { 0xbe846a05, a, to_single(&f16, a >> 16) }, /* s_cvt_hi_f32_f16 */
            { 0xa4040605, near, to_half(&f32, &cut, near) | to_half(&f32, &cut, b) << 16 },
        };
        for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
            const uint32_t words[2] = { rows[i].word, 0 }, got = run(mode, words, rows[i].source, b, 77);
            ck_assert_msg(got == rows[i].want, "%08x of %08x, MODE %x: %08x, not %08x", rows[i].word,
                          rows[i].source, mode, got, rows[i].want);
        }
    }
}
END_TEST

/* Constants are numbers of the instruction's size; f16 uses the low half of literals. */
START_TEST(constants)
{
    static const struct {
        uint32_t words[2], want;
    } rows[] = {
        { { 0xa48405f2, 0 }, 0x4000 },          /* s_add_f16 s4, 1.0, s5: 1 + 1 */
        { { 0xa48405ff, 0x12344000 }, 0x4200 }, /* s_add_f16 s4, 2.0 with bits above it, s5 */
        { { 0xa00405f2, 0 }, 0x3f800000 },      /* s_add_f32 s4, 1.0, s5: adds a subnormal */
    };
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        ck_assert_uint_eq(run(0xf0, rows[i].words, 0x3c00, 0, 0), rows[i].want);
}
END_TEST

/* v_s_*: the opcode in VOP3, the operand, the result; then the same for f16. */
START_TEST(models)
{
    static const struct {
        uint32_t op, x, want, x16, want16;
    } rows[] = {
        { 0x280, 0x40400000, 0x41000000, 0x4200, 0x4800 }, /* exp2(3) = 8 */
        { 0x282, 0x41000000, 0x40400000, 0x4800, 0x4200 }, /* log2(8) */
        { 0x284, 0x40800000, 0x3e800000, 0x4400, 0x3400 }, /* 1 / 4 */
        { 0x286, 0x41800000, 0x3e800000, 0x4c00, 0x3400 }, /* 1 / sqrt(16) */
        { 0x288, 0x41100000, 0x40400000, 0x4880, 0x4200 }, /* sqrt(9) */
        { 0x284, 0, 0x7f800000, 0x8000, 0xfc00 },          /* 1 / 0 */
        { 0x288, 0xbf800000, 0xffc00000, 0xbc00, 0xfe00 }, /* sqrt(-1) */
    };
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const uint32_t wide[2] = { 0xd4000000 | rows[i].op << 16 | D, A },
                       narrow[2] = { 0xd4000000 | (rows[i].op + 1) << 16 | D, A };
        ck_assert_uint_eq(run(0xf0, wide, rows[i].x, 0, 77), rows[i].want);
        ck_assert_uint_eq(run(0xf0, narrow, rows[i].x16 | 0x12340000, 0, UINT32_MAX), rows[i].want16);
    }
    const uint32_t clamped[2] = { 0xd6848104, 0x28000005 }, /* v_s_rcp_f32 s4, -|s5| clamp mul:2 */
        halved[2] = { 0xd6850104, 0x38000005 };             /* v_s_rcp_f16 s4, -|s5| div:2 */
    ck_assert_uint_eq(run(0xf0, clamped, 0x40800000, 0, 77), 0);
    ck_assert_uint_eq(run(0xf0, halved, 0xc400, 0, 77), 0xb000);
}
END_TEST

/* EXEC is ignored; any input gives the result of the vector instruction. */
START_TEST(models_of_vectors)
{
    static const uint32_t ops[10] = { 0x1a5, 0x1d8, 0x1a7, 0x1d7, 0x1aa, 0x1d4, 0x1ae, 0x1d6, 0x1b3, 0x1d5 };
    const bool half = _i & 1;
    for (unsigned n = 0; n < ROUNDS; n++) {
        const uint32_t mode = draw_mode(), a = draw(half) & (half ? 0xffff : UINT32_MAX);
        const uint32_t scalar[2] = { 0xd4000000 | (0x280u + (unsigned)_i) << 16 | D, A },
                       vector[2] = { 0xd4000000 | ops[_i] << 16 | 1, A };
        const uint32_t got = run(mode, scalar, a, 0, 77);
        vgpr[64] = 0;
        run(mode, vector, a, 0, 77);
        ck_assert_msg(got == vgpr[64], "%d: %08x, MODE %x: %08x, not %08x", _i, a, mode, got, vgpr[64]);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("scalar floats");
    tcase_add_loop_test(tc, arithmetic, 0, (int)(sizeof(operations) / sizeof(operations[0])));
    tcase_add_loop_test(tc, arithmetic_of_gfx1150, 0, (int)(sizeof(operations) / sizeof(operations[0])));
    tcase_add_loop_test(tc, comparisons, 0, 28);
    tcase_add_test(tc, conversions);
    tcase_add_test(tc, constants);
    tcase_add_test(tc, models);
    tcase_add_loop_test(tc, models_of_vectors, 0, 10);
    tcase_set_timeout(tc, 60);
    return run_suite("scalar floats", tc);
}
