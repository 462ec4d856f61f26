/* SPDX-License-Identifier: MIT */
/*
 * Conversions to and from formats of 8, 6 and 4 bits, packed f32, mixed sums, atomics on vectors and other
 * additions of newer targets, compared with C. A conversion to a small format is checked against a search
 * through all its codes.
 */
#include <check.h>
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ptx/values_kit.h"

#ifdef __clang__
#pragma STDC FENV_ACCESS ON
#endif

/* ---- Small formats: sign, exponent, fraction; `special` 0: all codes are numbers, 1: the last is a NaN, 2:
 * IEEE ---- */

typedef struct shape {
    int exp_bits, frac_bits, special;
} shape;

static const shape e4m3 = { 4, 3, 1 }, e5m2 = { 5, 2, 2 }, e2m3 = { 2, 3, 0 }, e3m2 = { 3, 2, 0 },
                   e2m1 = { 2, 1, 0 }, f16 = { 5, 10, 2 }, bf16 = { 8, 7, 2 };

static unsigned top_code(const shape *s)
{
    const unsigned all = (1u << (s->exp_bits + s->frac_bits)) - 1;
    return s->special == 0 ? all : s->special == 1 ? all - 1 : all - (1u << s->frac_bits);
}

static double value(const shape *s, unsigned code)
{
    const int bias = (1 << (s->exp_bits - 1)) - 1, width = s->exp_bits + s->frac_bits;
    const unsigned m = code & ((1u << width) - 1), field = m >> s->frac_bits,
                   frac = m & ((1u << s->frac_bits) - 1);
    const double sign = code >> width & 1 ? -1 : 1;
    if (m > top_code(s))
        return s->special == 2 && frac == 0 ? sign * INFINITY : NAN;
    return sign * (field ? ldexp(1 + ldexp(frac, -s->frac_bits), (int)field - bias)
                         : ldexp(frac, 1 - bias - s->frac_bits));
}

/* The nearest code, the even one of two equally near; the largest for values beyond it. */
static unsigned nearest(const shape *s, double d)
{
    const unsigned sign = signbit(d) ? 1u << (s->exp_bits + s->frac_bits) : 0;
    unsigned best = 0;
    if (d != d)
        return s->special ? (1u << (s->exp_bits + s->frac_bits)) - 1 : top_code(s);
    d = fabs(d);
    if (d > value(s, top_code(s)))
        return sign | top_code(s);
    for (unsigned step = 1u << (s->exp_bits + s->frac_bits - 1); step; step /= 2)
        if (best + step <= top_code(s) && value(s, best + step) <= d)
            best += step;
    if (best < top_code(s)) {
        const double below = d - value(s, best), above = value(s, best + 1) - d;
        best += above < below || (above == below && (best & 1));
    }
    return sign | best;
}

static unsigned relu(const shape *s, unsigned code)
{
    return code >> (s->exp_bits + s->frac_bits) & 1 ? 0 : code;
}

static uint64_t half_of(double d)
{
    unsigned code;
    if (d != d)
        return 0x7fff;
    code = nearest(&f16, d);
    return fabs(d) >= 65520 ? (signbit(d) ? 0xfc00 : 0x7c00) : code;
}

static uint64_t halves(const shape *s, uint64_t high, uint64_t low)
{
    return half_of(value(s, (unsigned)high)) << 16 | half_of(value(s, (unsigned)low));
}

static double of_f16(uint64_t a)
{
    return value(&f16, a & 0xffff);
}

static double of_bf16(uint64_t a)
{
    return f32(a << 16);
}

/* ---- Scales: powers of two ---- */

static unsigned power(float f, bool up, bool finite)
{
    int e;
    const float m = fabsf(f);
    if (f != f)
        return 255;
    if (isinf(f))
        return finite ? 254 : 255;
    if (m <= 0x1p-127f)
        return 0;
    const bool exact = frexpf(m, &e) == 0.5f;
    const int code = e - 1 + 127 + (up && !exact);
    return code < 0 ? 0 : code > 254 && finite ? 254 : (unsigned)code;
}

static uint64_t of_scale(unsigned code)
{
    return code == 255 ? 0x7fff : bits32(ldexpf(1, (int)code - 127)) >> 16;
}

/* ---- Random bits below the last place ---- */

static uint64_t random_to(const shape *s, uint64_t a, uint64_t random, bool finite)
{
    const int bias = (1 << (s->exp_bits - 1)) - 1, cut = 23 - s->frac_bits;
    const double d = f32(a), m = fabs(d);
    const uint64_t sign = signbit(d) ? 0x8000 : 0, inf = (uint64_t)(2 * bias + 1) << s->frac_bits;
    int e;
    if (d != d)
        return 0x7fff;
    if (isinf(d))
        return sign | (inf - finite);
    frexp(m, &e);
    const int unit = (m == 0 || e - 1 < 1 - bias ? 1 - bias : e - 1) - s->frac_bits;
    const double places = ldexp(m, -unit), whole = floor(places), rest = floor(ldexp(places - whole, cut));
    const double code = whole + (rest + (double)(random & ((1u << cut) - 1)) >= ldexp(1, cut));
    const uint64_t v = ((uint64_t)(unit + s->frac_bits + bias - 1) << s->frac_bits) + (uint64_t)code;
    return sign | (v >= inf ? inf - finite : v);
}

/* The first of two numbers reads their 16 random bits mirrored. */
static unsigned random16(uint64_t bits, bool mirror)
{
    unsigned v = 0;
    for (unsigned i = 0; mirror && i < 16; i++)
        v |= (unsigned)(bits >> (15 - i) & 1) << i;
    return mirror ? v : (unsigned)(bits & 0xffff);
}

/* What is cut off, in 65536ths of the last place and below, plus the random number of 65536ths. */
static unsigned random_code(const shape *s, uint64_t a, unsigned random)
{
    const int bias = (1 << (s->exp_bits - 1)) - 1;
    const double d = (double)f32(a), m = fabs(d);
    const unsigned sign = signbit(d) ? 1u << (s->exp_bits + s->frac_bits) : 0, top = top_code(s);
    int e;
    if (d != d || m > value(s, top))
        return nearest(s, d);
    frexp(m, &e);
    const int least = m == 0 || e - 1 < 1 - bias ? 1 - bias : e - 1;
    const unsigned places = (unsigned)floor(ldexp(m, s->frac_bits - least) + random / 65536.0);
    const unsigned code = ((unsigned)(least + bias - 1) << s->frac_bits) + places;
    return sign | (code < top ? code : top);
}

/* Four numbers of `bits` each; `halves` are the random bits of the first two and of the last two. */
static uint64_t random_four(const shape *s, unsigned bits, uint64_t a, uint64_t b, uint64_t c,
                            uint32_t halves)
{
    const uint64_t in[4] = { a, b, c, a >> 32 };
    uint64_t v = 0;
    for (unsigned i = 0; i < 4; i++)
        v = v << bits | random_code(s, in[i], random16(halves >> (i < 2 ? 16 : 0), i % 2 == 0));
    return v;
}

static uint32_t random_word(uint64_t b, uint64_t c)
{
    return (uint32_t)((b ^ c) >> 32);
}

/* e2m1x4 takes the middle bytes in the other order. */
static uint32_t middle_exchanged(uint32_t r)
{
    return (r & 0xff0000ff) | (r >> 8 & 0xff) << 16 | (r >> 16 & 0xff) << 8;
}

static uint64_t relu_four(uint64_t v)
{
    for (unsigned i = 0; i < 32; i += 8)
        if (v >> i & 0x80)
            v &= ~(UINT64_C(0xff) << i);
    return v;
}

/* ---- Integer operations of cvt.pack and others ---- */

static uint64_t limit(int32_t v, int low, int high, unsigned bits)
{
    return (uint64_t)(v < low ? low : v > high ? high : v) & ((1u << bits) - 1);
}

static float rounded(int mode, float a, float b, float c)
{
    const volatile float x = a, y = b, z = c;
    fesetround(mode);
    const volatile float r = fmaf(x, y, z);
    fesetround(FE_TONEAREST);
    return r;
}

static uint64_t add_f16x2(uint64_t a, uint64_t b)
{
    return half_of(of_f16(a) + of_f16(b)) | half_of(of_f16(a >> 16) + of_f16(b >> 16)) << 16;
}

static uint64_t limit_sum(int64_t product, int64_t c)
{
    const int64_t v = (int32_t)product + c;
    return (uint32_t)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
}

/* To the nearest number with 20 bits of fraction; subnormals become zeros. */
static uint64_t coarse(double d)
{
    const uint64_t a = bits64(d), low = a & UINT32_MAX, odd = a >> 32 & 1;
    if (d != d)
        return UINT64_C(0x7fffffff00000000);
    const uint64_t up = (a >> 32) + (low > 0x80000000u || (low == 0x80000000u && odd));
    return up & 0x7ff00000 ? up << 32 : (up & 0x80000000) << 32;
}

/* Its subnormals are zeros, and the lower word is ignored. */
static double upper_word(uint64_t a)
{
    return f64(a >> 52 & 0x7ff ? a >> 32 << 32 : a & UINT64_C(1) << 63);
}

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 quad;
#else
typedef long double quad;
#endif

/* One step of Newton's method doubles the digits of long double. */
static double inverse_root(double d)
{
    const long double first = 1 / sqrtl((long double)d);
    const quad r = first;
    if (!isfinite(first) || first == 0)
        return (double)first;
    return (double)(r + r * (1 - (quad)d * r * r) / 2);
}

static float smaller(float a, float b, bool nan)
{
    if (a != a || b != b)
        return nan || (a != a && b != b) ? NAN : a != a ? b : a;
    return a == b ? (signbit(a) ? a : b) : a < b ? a : b;
}

#define S(x) ((int32_t)(uint32_t)(x))
#define L(x) ((x) >> 32)
#define TWO(name, format, bits)                                                                              \
    REF(name, nearest(&format, (double)f32(a)) << bits | nearest(&format, (double)f32(b)))

TWO(to_e4m3, e4m3, 8)
TWO(to_e5m2, e5m2, 8)
TWO(to_e2m3, e2m3, 8)
TWO(to_e3m2, e3m2, 8)
TWO(to_e2m1, e2m1, 4)
REF(to_e5m2_relu,
    relu(&e5m2, nearest(&e5m2, (double)f32(a))) << 8 | relu(&e5m2, nearest(&e5m2, (double)f32(b))))
REF(to_e2m1_relu,
    relu(&e2m1, nearest(&e2m1, (double)f32(a))) << 4 | relu(&e2m1, nearest(&e2m1, (double)f32(b))))
REF(f16_to_e4m3, nearest(&e4m3, of_f16(a >> 16)) << 8 | nearest(&e4m3, of_f16(a)))
REF(f16_to_e5m2, nearest(&e5m2, of_f16(a >> 16)) << 8 | nearest(&e5m2, of_f16(a)))
REF(f16_to_e2m1, nearest(&e2m1, of_f16(a >> 16)) << 4 | nearest(&e2m1, of_f16(a)))
REF(from_e4m3, halves(&e4m3, a >> 8, a))
REF(from_e5m2, halves(&e5m2, a >> 8, a))
REF(from_e5m2_relu, relu(&f16, (unsigned)(halves(&e5m2, a >> 8, a) & 0xffff)) |
                        relu(&f16, (unsigned)(halves(&e5m2, a >> 8, a) >> 16)) << 16)
REF(from_e2m3, halves(&e2m3, a >> 8 & 0x3f, a & 0x3f))
REF(from_e3m2, halves(&e3m2, a >> 8 & 0x3f, a & 0x3f))
REF(from_e2m1, halves(&e2m1, a >> 4 & 15, a & 15))
REF(scale_rz, power(f32(a), false, false) << 8 | power(f32(b), false, false))
REF(scale_rp, power(f32(a), true, true) << 8 | power(f32(b), true, true))
REF(scale_bf16, power(f32(a & 0xffff0000), true, false) << 8 | power(f32(a << 16), true, false))
REF(from_scale, of_scale(a >> 8 & 255) << 16 | of_scale(a & 255))
REF(random_f16, random_to(&f16, a, c >> 16, false) << 16 | random_to(&f16, b, c, false))
REF(random_bf16, random_to(&bf16, a, c >> 16, true) << 16 | random_to(&bf16, b, c, true))
REF(four_e4m3, random_four(&e4m3, 8, a, b, c, random_word(b, c)))
REF(four_e5m2, relu_four(random_four(&e5m2, 8, a, b, c, random_word(b, c))))
REF(four_e2m3, random_four(&e2m3, 8, a, b, c, random_word(b, c)))
REF(four_e3m2, random_four(&e3m2, 8, a, b, c, random_word(b, c)))
REF(four_e2m1, random_four(&e2m1, 4, a, b, c, middle_exchanged(random_word(b, c))))
REF(bf16_to_f32, bits32(f32(a << 16)))
REF(bf16_to_f32_ftz, flush(bits32(f32(a << 16))))
REF(bf16_to_f64, bits64((double)f32(a << 16)))
REF(bf16_to_f16, half_of(of_bf16(a)))
REF(pack_u16, limit(S(a), 0, 65535, 16) << 16 | limit(S(b), 0, 65535, 16))
REF(pack_s8, limit(S(a), -128, 127, 8) << 8 | limit(S(b), -128, 127, 8) | (c & 0xffff) << 16)
REF(pack_s4, limit(S(a), -8, 7, 4) << 4 | limit(S(b), -8, 7, 4) | c << 8)
REF(pack_u4, limit(S(a), 0, 15, 4) << 4 | limit(S(b), 0, 15, 4) | c << 8)
REF(add_x2, bits32(rounded(FE_TONEAREST, f32(a), 1, f32(b))) |
                bits32(rounded(FE_TONEAREST, f32(L(a)), 1, f32(L(b)))) << 32)
REF(sub_x2_rz, bits32(rounded(FE_TOWARDZERO, f32(b), -1, f32(a))) |
                   bits32(rounded(FE_TOWARDZERO, f32(L(b)), -1, f32(L(a)))) << 32)
REF(fma_x2_rm, bits32(rounded(FE_DOWNWARD, f32(a), f32(b), f32(c))) |
                   bits32(rounded(FE_DOWNWARD, f32(L(a)), f32(L(b)), f32(L(c)))) << 32)
REF(mixed_add, bits32(rounded(FE_TOWARDZERO, (float)of_f16(a), 1, f32(b))))
REF(mixed_sub, bits32(rounded(FE_TONEAREST, (float)of_bf16(a), 1, -f32(b))))
REF(mixed_fma, bits32(rounded(FE_UPWARD, (float)of_bf16(a), (float)of_bf16(b), f32(c))))
REF(min_of_three, bits32(smaller(smaller(f32(a), f32(b), false), f32(c), false)))
REF(min_abs_nan, bits32(smaller(smaller(fabsf(f32(a)), fabsf(f32(b)), true), fabsf(f32(c)), true)))
REF(relu_min, S(a) < S(b) ? (S(a) < 0 ? 0 : a) : (S(b) < 0 ? 0 : b))
REF(mad24_sat, limit_sum((S(a << 8) >> 8) * (int64_t)(S(b << 8) >> 8) >> 16, S(c)))
REF(lop3_or, ((a & b & c & UINT32_MAX) != 0 || (b & 1)) ? 1 : 0)
REF(rcp_coarse, coarse(1 / upper_word(a)))
REF(rsqrt_coarse, coarse(inverse_root(upper_word(a))))
REF(rsqrt_near, bits64(inverse_root(f64(a))))
REF(atomic_f32, flush(bits32(rounded(FE_TONEAREST, f32(flush(a)), 1, f32(flush(b))))) |
                    flush(bits32(rounded(FE_TONEAREST, f32(flush(L(a))), 1, f32(flush(c))))) << 32)
REF(atomic_f16x2, add_f16x2(a, b) | add_f16x2(L(a), c) << 32)
REF(eight, a ^ b)

/* The fourth number and the random bits. */
#define FOUR                                                                                                 \
    "mov.b64 {_, %r3}, %rd0; mov.b64 {_, %r4}, %rd1; mov.b64 {_, %r5}, %rd2; xor.b32 %r4, %r4, %r5;\n"

static const values_case cases[] = {
#include "narrow.inc"
};

START_TEST(instructions_compute_what_c_computes)
{
    values_check(&cases[_i]);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("instructions");
    tcase_add_loop_test(tc, instructions_compute_what_c_computes, 0, sizeof(cases) / sizeof(cases[0]));
    return values_run("ptx_narrow", tc);
}
