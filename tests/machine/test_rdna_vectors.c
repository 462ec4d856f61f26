/* SPDX-License-Identifier: MIT */
/*
 * Vector instructions that are new in gfx11 and gfx12, compared lane by lane with their definitions (AMD
 * RDNA3 and RDNA4 ISA manuals) written a second time: selections of two and three, halves of registers,
 * integer dots. Words: llvm-mc 22.
 */
#include "isa_tables/amdgpu/registers.h"
#include "machine/fixture.h"
#include "machine/rdna_lanes.h"

/* ---- Selections ---- */

/* gfx11: with IEEE, a signalling NaN wins, quieted; a quiet one loses; of two, the second remains. */
static uint32_t legacy(const rules *r, uint32_t a, uint32_t b, bool most)
{
    a = in(r, a), b = in(r, b);
    const bool na = isnan(value(r, a)), nb = isnan(value(r, b));
    if (na && quiet(r, a) != a)
        return quiet(r, a);
    if (nb && quiet(r, b) != b)
        return quiet(r, b);
    return na ? b : nb ? a : chosen(r, a, b, most);
}

typedef uint32_t (*want3)(const rules *r, uint32_t a, uint32_t b, uint32_t c);

#define PICK(name, expression)                                                                               \
    static uint32_t name(const rules *r, uint32_t a, uint32_t b, uint32_t c)                                 \
    {                                                                                                        \
        (void)c;                                                                                             \
        return expression;                                                                                   \
    }
PICK(w_min_num, number(r, a, b, false))
PICK(w_max_num, number(r, a, b, true))
PICK(w_minimum, strict(r, a, b, false))
PICK(w_maximum, strict(r, a, b, true))
PICK(w_min3_num, number(r, number(r, a, b, false), c, false))
PICK(w_max3_num, number(r, number(r, a, b, true), c, true))
PICK(w_minmax_num, number(r, number(r, a, b, false), c, true))
PICK(w_maxmin_num, number(r, number(r, a, b, true), c, false))
PICK(w_minimum3, strict(r, strict(r, a, b, false), c, false))
PICK(w_maximum3, strict(r, strict(r, a, b, true), c, true))
PICK(w_minimummaximum, strict(r, strict(r, a, b, false), c, true))
PICK(w_maximumminimum, strict(r, strict(r, a, b, true), c, false))
PICK(w_minmax, legacy(r, legacy(r, a, b, false), c, true))
PICK(w_maxmin, legacy(r, legacy(r, a, b, true), c, false))
PICK(w_fma, fused(r, a, b, c))

/* Neither the smallest nor the largest; the smallest number if there are NaNs. */
static uint32_t w_med3_num(const rules *r, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t low = number(r, a, b, false), high = number(r, a, b, true);
    if (isnan(value(r, in(r, a))) || isnan(value(r, in(r, b))) || isnan(value(r, in(r, c))))
        return w_min3_num(r, a, b, c);
    return number(r, low, number(r, high, c, false), true);
}

/* Subnormals are always flushed. A factor of zero gives +0, which is added. */
static uint32_t w_fma_dx9(const rules *r, uint32_t a, uint32_t b, uint32_t c)
{
    const rules flushed = { .round = r->round };
    const bool zero = value(r, in(&flushed, a)) == 0 || value(r, in(&flushed, b)) == 0;
    return zero ? fused(&flushed, 0x3f800000, 0, c) : fused(&flushed, a, b, c);
}

static const struct {
    lw_arch arch;
    uint16_t op; /* in VOP3 */
    uint8_t sources;
    bool half;
    want3 want;
} floats[] = {
    { LW_ARCH_GFX1201, 0x115, 2, false, w_min_num },
    { LW_ARCH_GFX1201, 0x116, 2, false, w_max_num },
    { LW_ARCH_GFX1201, 0x365, 2, false, w_minimum },
    { LW_ARCH_GFX1201, 0x366, 2, false, w_maximum },
    { LW_ARCH_GFX1201, 0x229, 3, false, w_min3_num },
    { LW_ARCH_GFX1201, 0x22a, 3, false, w_max3_num },
    { LW_ARCH_GFX1201, 0x231, 3, false, w_med3_num },
    { LW_ARCH_GFX1201, 0x268, 3, false, w_minmax_num },
    { LW_ARCH_GFX1201, 0x269, 3, false, w_maxmin_num },
    { LW_ARCH_GFX1201, 0x26c, 3, false, w_minimummaximum },
    { LW_ARCH_GFX1201, 0x26d, 3, false, w_maximumminimum },
    { LW_ARCH_GFX1201, 0x22d, 3, false, w_minimum3 },
    { LW_ARCH_GFX1201, 0x22e, 3, false, w_maximum3 },
    { LW_ARCH_GFX1201, 0x130, 2, true, w_min_num },
    { LW_ARCH_GFX1201, 0x131, 2, true, w_max_num },
    { LW_ARCH_GFX1201, 0x367, 2, true, w_minimum },
    { LW_ARCH_GFX1201, 0x368, 2, true, w_maximum },
    { LW_ARCH_GFX1201, 0x22b, 3, true, w_min3_num },
    { LW_ARCH_GFX1201, 0x22c, 3, true, w_max3_num },
    { LW_ARCH_GFX1201, 0x232, 3, true, w_med3_num },
    { LW_ARCH_GFX1201, 0x26a, 3, true, w_minmax_num },
    { LW_ARCH_GFX1201, 0x26b, 3, true, w_maxmin_num },
    { LW_ARCH_GFX1201, 0x26e, 3, true, w_minimummaximum },
    { LW_ARCH_GFX1201, 0x26f, 3, true, w_maximumminimum },
    { LW_ARCH_GFX1201, 0x22f, 3, true, w_minimum3 },
    { LW_ARCH_GFX1201, 0x230, 3, true, w_maximum3 },
    { LW_ARCH_GFX1100, 0x25e, 3, false, w_maxmin },
    { LW_ARCH_GFX1100, 0x25f, 3, false, w_minmax },
    { LW_ARCH_GFX1100, 0x260, 3, true, w_maxmin },
    { LW_ARCH_GFX1100, 0x261, 3, true, w_minmax },
    { LW_ARCH_GFX1201, 0x209, 3, false, w_fma_dx9 },
    { LW_ARCH_GFX1100, 0x209, 3, false, w_fma_dx9 },
    { LW_ARCH_GFX1201, 0x248, 3, true, w_fma },
    { LW_ARCH_GFX1100, 0x248, 3, true, w_fma },
};

static uint32_t half_of(uint32_t v, unsigned high)
{
    return high ? v >> 16 : v & 0xffff;
}

/* v6 = op(v0, v1, v2); op_sel selects halves, also of v6, whose other half is kept. */
START_TEST(float_rows)
{
    for (unsigned n = 0; n < ROUNDS; n++) {
        const bool half = floats[_i].half;
        const uint32_t mode = draw_mode() | IEEE | DX10;
        const unsigned sel =
            half ? (unsigned)(next_random(&seed) >> 60) & (floats[_i].sources == 3 ? 15u : 11u) : 0;
        const rules r = of_mode(mode, half);
        draw_registers(half, true);
        run(floats[_i].arch, mode, 0xd4000000 | (uint32_t)floats[_i].op << 16 | sel << 11 | D,
            256 | 257 << 9 | (floats[_i].sources == 3 ? 258u << 18 : 0));
        for (unsigned lane = 0; lane < 64; lane++) {
            uint32_t s[3], want = before.v[D][lane];
            for (unsigned i = 0; i < 3; i++)
                s[i] = half ? half_of(before.v[i][lane], sel >> i & 1) : before.v[i][lane];
            const uint32_t result = floats[_i].want(&r, s[0], s[1], s[2]);
            if (lane < LANES && before.wave.sgpr[LW_SGPR_EXEC] >> lane & 1)
                want = !half     ? result
                       : sel & 8 ? (want & 0xffff) | result << 16
                                 : (want & 0xffff0000) | result;
            ck_assert_msg(after.v[D][lane] == want,
                          "op %x of %08x %08x %08x, sel %x, MODE %x: %08x, not %08x", floats[_i].op, s[0],
                          s[1], s[2], sel, mode, after.v[D][lane], want);
        }
    }
}
END_TEST

/* v_pk_min_num_f16 and the like: both halves, any half of each source, with or without negation. */
START_TEST(packed_rows)
{
    static const want3 wants[] = { w_min_num, w_max_num, w_minimum, w_maximum };
    for (unsigned n = 0; n < ROUNDS; n++) {
        const uint32_t mode = draw_mode();
        const unsigned bits = (unsigned)(next_random(&seed) >> 56), low = bits & 3, high = bits >> 2 & 3,
                       neg_low = bits >> 4 & 3, neg_high = bits >> 6 & 3;
        const rules r = of_mode(mode, true);
        draw_registers(true, true);
        run(LW_ARCH_GFX1201, mode, 0xcc004000 | (0x1bu + (unsigned)_i) << 16 | neg_high << 8 | low << 11 | D,
            256 | 257 << 9 | high << 27 | neg_low << 29);
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t want = 0;
            for (unsigned k = 0; k < 2; k++) {
                uint32_t s[2];
                for (unsigned i = 0; i < 2; i++)
                    s[i] = half_of(before.v[i][lane], (k ? high : low) >> i & 1) ^
                           ((k ? neg_high : neg_low) >> i & 1) << 15;
                want |= wants[_i](&r, s[0], s[1], 0) << 16 * k;
            }
            if (before.wave.sgpr[LW_SGPR_EXEC] >> lane & 1)
                ck_assert_msg(after.v[D][lane] == want, "%d: %08x, not %08x", _i, after.v[D][lane], want);
        }
    }
}
END_TEST

static bool first_64(double x, double y, uint64_t a)
{
    return x == 0 && y == 0 ? a >> 63 : x < y;
}

/* v[6:7] as f64, subnormals kept. */
START_TEST(double_rows)
{
    static const uint16_t ops[] = { 0x10d, 0x10e, 0x341, 0x342 };
    const uint64_t quiet_bit = UINT64_C(1) << 51;
    for (unsigned n = 0; n < ROUNDS; n++) {
        uint64_t a[LANES], b[LANES];
        draw_registers(false, false);
        for (unsigned lane = 0; lane < LANES; lane++) {
            a[lane] = nasty(&seed, 11, 52);
            b[lane] = lane % 3 ? nasty(&seed, 11, 52) : a[lane] ^ UINT64_C(1) << (lane % 2 ? 63 : 51);
            before.v[0][lane] = (uint32_t)a[lane], before.v[1][lane] = (uint32_t)(a[lane] >> 32);
            before.v[2][lane] = (uint32_t)b[lane], before.v[3][lane] = (uint32_t)(b[lane] >> 32);
        }
        run(LW_ARCH_GFX1201, 0xf0, 0xd4000000 | (uint32_t)ops[_i] << 16 | D, 256 | 258 << 9);
        for (unsigned lane = 0; lane < LANES; lane++) {
            const double x = f64_of(a[lane]), y = f64_of(b[lane]);
            uint64_t want = first_64(x, y, a[lane]) != (_i & 1) ? a[lane] : b[lane];
            if (isnan(x) || isnan(y)) /* minimum: the first NaN; min_num: the number */
                want = _i >= 2                ? (isnan(x) ? a[lane] : b[lane]) | quiet_bit
                       : isnan(x) && isnan(y) ? a[lane] | quiet_bit
                       : isnan(x)             ? b[lane]
                                              : a[lane];
            if (before.wave.sgpr[LW_SGPR_EXEC] >> lane & 1)
                ck_assert_msg(after.v[6][lane] == (uint32_t)want && after.v[7][lane] == want >> 32,
                              "%d: %016llx %016llx", _i, (unsigned long long)a[lane],
                              (unsigned long long)b[lane]);
        }
    }
}
END_TEST

/* ---- Integers ---- */

static int64_t sx(uint32_t v, unsigned bits)
{
    return (int64_t)((uint64_t)v << (64 - bits)) >> (64 - bits);
}

static uint32_t clip(double x, double low, double high)
{
    return (uint32_t)(int32_t)(isnan(x) ? 0 : x < low ? low : x > high ? high : trunc(x));
}

static uint32_t dot(uint32_t a, uint32_t b, uint32_t c, unsigned width, bool sign_a, bool clamp)
{
    int64_t sum = sx(c, 32);
    for (unsigned at = 0; at < 32; at += width) {
        const uint32_t x = a >> at & ((1u << width) - 1), y = b >> at & ((1u << width) - 1);
        sum += (sign_a ? sx(x, width) : (int64_t)x) * (int64_t)y;
    }
    return (uint32_t)(clamp && sum > INT32_MAX ? INT32_MAX : clamp && sum < INT32_MIN ? INT32_MIN : sum);
}

static uint32_t bytes_of(uint32_t v)
{
    const int64_t x = sx(v & 0xffff, 16), y = sx(v >> 16, 16);
    return (uint32_t)((x < 0 ? 0 : x > 255 ? 255 : x) | (y < 0 ? 0 : y > 255 ? 255 : y) << 8);
}

#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#define S(x) ((int32_t)(x))
#define LOW(x) ((old & 0xffff0000) | ((x)&0xffff))
#define RULE(name, expression)                                                                               \
    static uint32_t name(uint32_t a, uint32_t b, uint32_t c, uint32_t old, uint32_t bit)                     \
    {                                                                                                        \
        (void)a, (void)b, (void)c, (void)old, (void)bit;                                                     \
        return (uint32_t)(expression);                                                                       \
    }
RULE(w_maxmin_u32, MIN(MAX(a, b), c))
RULE(w_minmax_u32, MAX(MIN(a, b), c))
RULE(w_maxmin_i32, MIN(MAX(S(a), S(b)), S(c)))
RULE(w_minmax_i32, MAX(MIN(S(a), S(b)), S(c)))
RULE(w_xor3, a ^ b ^ c)
RULE(w_and_16, LOW(a &b))
RULE(w_or_16, LOW(a | b))
RULE(w_xor_16, LOW(a ^ b))
RULE(w_not_16, LOW(~a))
RULE(w_mov_16, LOW(a))
RULE(w_cndmask_16, LOW(bit ? b : a))
RULE(w_alignbit, (((uint64_t)a << 32 | b) >> (c >> 16) % 32))
RULE(w_alignbyte, (((uint64_t)a << 32 | b) >> (c >> 16) % 4 * 8))
RULE(w_i32_i16, sx(a & 0xffff, 16))
RULE(w_u32_u16, a & 0xffff)
RULE(w_sat_pk, LOW(bytes_of(a)))
RULE(w_mad_u16, LOW(a *b + c))
RULE(w_add_u16, LOW(MIN((a & 0xffff) + (b & 0xffff), 0xffff)))
RULE(w_dot4, dot(a, b, c, 8, false, false))
RULE(w_dot4_signed, dot(a, b, c, 8, true, false))
RULE(w_dot4_clamp, dot(a, b, c, 8, false, true))
RULE(w_dot8_signed, dot(a, b, c, 4, true, false))
RULE(w_pk_i16, (clip(f32_of(a), -32768, 32767) & 0xffff) | clip(f32_of(b), -32768, 32767) << 16)
RULE(w_pk_u16, clip(f32_of(a), 0, 65535) | clip(f32_of(b), 0, 65535) << 16)

static const struct {
    uint32_t first, second;
    uint32_t (*want)(uint32_t a, uint32_t b, uint32_t c, uint32_t old, uint32_t bit);
    bool numbers;
} integers[] = {
    { 0xd6620006, 0x040a0300, w_maxmin_u32, false }, { 0xd6630006, 0x040a0300, w_minmax_u32, false },
    { 0xd6640006, 0x040a0300, w_maxmin_i32, false }, { 0xd6650006, 0x040a0300, w_minmax_i32, false },
    { 0xd6400006, 0x040a0300, w_xor3, false },       { 0xd7620006, 0x00020300, w_and_16, false },
    { 0xd7630006, 0x00020300, w_or_16, false },      { 0xd7640006, 0x00020300, w_xor_16, false },
    { 0xd5e90006, 0x00000100, w_not_16, false },     { 0xd59c0006, 0x00000100, w_mov_16, false },
    { 0xd65d0006, 0x00220300, w_cndmask_16, false }, { 0xd6162006, 0x040a0300, w_alignbit, false },
    { 0xd6172006, 0x040a0300, w_alignbyte, false },  { 0xd5ea0006, 0x00000100, w_i32_i16, false },
    { 0xd5eb0006, 0x00000100, w_u32_u16, false },    { 0xd5e20006, 0x00000100, w_sat_pk, false },
    { 0xd6410006, 0x040a0300, w_mad_u16, false },    { 0xd7038006, 0x00020300, w_add_u16, false },
    { 0xcc164006, 0x1c0a0300, w_dot4, false },       { 0xcc164006, 0x3c0a0300, w_dot4_signed, false },
    { 0xcc16c006, 0x1c0a0300, w_dot4_clamp, false }, { 0xcc184006, 0x3c0a0300, w_dot8_signed, false },
    { 0xd7060006, 0x00020300, w_pk_i16, true },      { 0xd7070006, 0x00020300, w_pk_u16, true },
};

/* The same on gfx1100 and gfx1201. */
START_TEST(integer_rows)
{
    for (unsigned n = 0; n < ROUNDS; n++) {
        draw_registers(false, integers[_i].numbers);
        for (unsigned lane = 0; lane < LANES; lane += 4)
            before.v[2][lane] = 0x7fffff00; /* where sums are clamped */
        run(n % 2 ? LW_ARCH_GFX1100 : LW_ARCH_GFX1201, 0xf0 | IEEE | DX10, integers[_i].first,
            integers[_i].second);
        for (unsigned lane = 0; lane < 64; lane++) {
            const uint32_t old = before.v[D][lane], bit = lane < LANES && before.wave.sgpr[8] >> lane & 1;
            const bool active = lane < LANES && before.wave.sgpr[LW_SGPR_EXEC] >> lane & 1;
            const uint32_t want = !active ? old
                                          : integers[_i].want(before.v[0][lane], before.v[1][lane],
                                                              before.v[2][lane], old, bit);
            ck_assert_msg(after.v[D][lane] == want, "%08x of %08x %08x %08x: %08x, not %08x",
                          integers[_i].first, before.v[0][lane], before.v[1][lane], before.v[2][lane],
                          after.v[D][lane], want);
        }
    }
}
END_TEST

/* f16 with a constant of 10: v_fmamk_f16 v6.l, v0.l, 10, v1.l; v_fmaak_f16; v_fmac_f16 into v6.h. */
START_TEST(halves_with_constants)
{
    for (unsigned n = 0; n < ROUNDS; n++) {
        const uint32_t mode = draw_mode() | IEEE | DX10;
        const lw_arch arch = n % 2 ? LW_ARCH_GFX1100 : LW_ARCH_GFX1201;
        const rules r = of_mode(mode, true);
        static const uint32_t words[3][2] = { { 0x6e0c0300, 0x4900 },
                                              { 0x700c0300, 0x4900 },
                                              { 0x6d0c0300, 0xbf800000 } };
        for (unsigned form = 0; form < 3; form++) {
            draw_registers(true, true);
            run(arch, mode, words[form][0], words[form][1]);
            for (unsigned lane = 0; lane < LANES; lane++) {
                const uint32_t a = before.v[0][lane] & 0xffff, b = before.v[1][lane] & 0xffff,
                               old = before.v[D][lane];
                const uint32_t want = form == 0   ? (old & 0xffff0000) | fused(&r, a, 0x4900, b)
                                      : form == 1 ? (old & 0xffff0000) | fused(&r, a, b, 0x4900)
                                                  : (old & 0xffff) | fused(&r, a, b, old >> 16) << 16;
                if (before.wave.sgpr[LW_SGPR_EXEC] >> lane & 1)
                    ck_assert_msg(after.v[D][lane] == want, "%u: %04x %04x %08x: %08x, not %08x", form, a, b,
                                  old, after.v[D][lane], want);
            }
        }
    }
}
END_TEST

/* v_mullit_f32 (AMD RDNA3 ISA manual): -MAX unless source 2 is above zero and source 1 a number above -MAX.
 */
START_TEST(mullit)
{
    static const uint32_t values[] = { 0,          0x80000000, 0x3f800000, 0xbf800000, 0x40400000, 0xff7fffff,
                                       0xff800000, 0x7f800000, 0x7fc00001, 0xffc00002, 0x7f7fffff };
    enum { COUNT = sizeof(values) / sizeof(values[0]) };
    for (unsigned i = 0; i < COUNT * COUNT * COUNT; i++) {
        const uint32_t a = values[i % COUNT], b = values[i / COUNT % COUNT], c = values[i / COUNT / COUNT];
        const float x = f32_of(a), y = f32_of(b), z = f32_of(c);
        const rules r = of_mode(0xf0, false);
        before.wave.sgpr[LW_SGPR_EXEC] = 1;
        before.v[0][0] = a, before.v[1][0] = b, before.v[2][0] = c;
        run(i % 2 ? LW_ARCH_GFX1100 : LW_ARCH_GFX1201, 0xf0 | IEEE | DX10, 0xd6180006, 0x040a0300);
        const uint32_t product = x == 0 || y == 0 ? 0 : fused(&r, a, b, (a ^ b) & 0x80000000);
        const uint32_t want = y > -0x1.fffffep127f && z > 0 ? product : 0xff7fffff;
        ck_assert_msg(after.v[D][0] == want, "%08x %08x %08x: %08x, not %08x", a, b, c, after.v[D][0], want);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("rdna vectors");
    tcase_add_loop_test(tc, float_rows, 0, (int)(sizeof(floats) / sizeof(floats[0])));
    tcase_add_loop_test(tc, packed_rows, 0, 4);
    tcase_add_loop_test(tc, double_rows, 0, 4);
    tcase_add_loop_test(tc, integer_rows, 0, (int)(sizeof(integers) / sizeof(integers[0])));
    tcase_add_test(tc, halves_with_constants);
    tcase_add_test(tc, mullit);
    tcase_set_timeout(tc, 60);
    return run_suite("rdna vectors", tc);
}
