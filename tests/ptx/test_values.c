/* SPDX-License-Identifier: MIT */
/* PTX instructions on difficult and random operands, compared with C: integers with written-out arithmetic,
 * floats with the host's IEEE operations in its rounding modes. */
#include <check.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ptx/values_kit.h"

#ifdef __clang__
#pragma STDC FENV_ACCESS ON
#endif

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

/* ---- Host arithmetic on bits ---- */

typedef enum operation { ADD, SUB, MUL, DIV, FMA, SQRT } operation;

static float do32(operation op, float x, float y, float z)
{
    const volatile float a = x, b = y, c = z;
    return op == ADD   ? a + b
           : op == SUB ? a - b
           : op == MUL ? a * b
           : op == DIV ? a / b
           : op == FMA ? fmaf(a, b, c)
                       : sqrtf(a);
}

static double do64(operation op, double x, double y, double z)
{
    const volatile double a = x, b = y, c = z;
    return op == ADD   ? a + b
           : op == SUB ? a - b
           : op == MUL ? a * b
           : op == DIV ? a / b
           : op == FMA ? fma(a, b, c)
                       : sqrt(a);
}

static uint64_t round32(int mode, operation op, uint64_t a, uint64_t b, uint64_t c)
{
    fesetround(mode);
    const volatile float r = do32(op, f32(a), f32(b), f32(c));
    fesetround(FE_TONEAREST);
    return bits32(r);
}

static uint64_t round64(int mode, operation op, uint64_t a, uint64_t b, uint64_t c)
{
    fesetround(mode);
    const volatile double r = do64(op, f64(a), f64(b), f64(c));
    fesetround(FE_TONEAREST);
    return bits64(r);
}

/* f16 and bf16 as numbers of f64. */
static double half(uint64_t a, int exp_bits, int frac_bits)
{
    const int field = (int)(a >> frac_bits & ((1u << exp_bits) - 1)), bias = (1 << (exp_bits - 1)) - 1;
    const double frac = (double)(a & ((1u << frac_bits) - 1)), sign = a >> 15 & 1 ? -1 : 1;
    if (field == 2 * bias + 1)
        return frac != 0 ? NAN : sign * INFINITY;
    return sign * (field ? ldexp(frac + ldexp(1, frac_bits), field - bias - frac_bits)
                         : ldexp(frac, 1 - bias - frac_bits));
}

/* To nearest, ties to even, by adding a value that makes the host round there. */
static uint64_t narrow(double d, int exp_bits, int frac_bits)
{
    const int bias = (1 << (exp_bits - 1)) - 1;
    const uint64_t sign = signbit(d) ? 0x8000 : 0, inf = (uint64_t)(2 * bias + 1) << frac_bits;
    int e;
    if (d != d)
        return 0x7fff;
    if (isinf(d) || d == 0)
        return sign | (d != 0 ? inf : 0);
    frexp(d, &e);
    const int unit = (e - 1 < 1 - bias ? 1 - bias : e - 1) - frac_bits;
    const double whole = nearbyint(ldexp(fabs(d), -unit));
    const uint64_t code = (uint64_t)(unit + frac_bits + bias - 1) << frac_bits;
    const uint64_t v = code + (uint64_t)whole;
    return sign | (v > inf ? inf : v);
}

/* a * b + c in f64, with an odd last bit if it is not exact: then a second rounding does no harm. */
static double odd_fma(double a, double b, double c)
{
    const volatile double p = a * b, s = p + c, back = s - p, error = (p - (s - back)) + (c - back);
    uint64_t v;
    memcpy(&v, (const void *)&s, sizeof(v));
    if (error != 0 && isfinite(s) && !(v & 1))
        return nextafter(s, error > 0 ? INFINITY : -INFINITY);
    return s;
}

static uint64_t fma16(uint64_t a, uint64_t b, uint64_t c)
{
    return narrow(odd_fma(half(a, 5, 10), half(b, 5, 10), half(c, 5, 10)), 5, 10);
}

static uint64_t fma_bf16(uint64_t a, uint64_t b, uint64_t c)
{
    return narrow(odd_fma(half(a, 8, 7), half(b, 8, 7), half(c, 8, 7)), 8, 7);
}

/* ---- Integers ---- */

static uint64_t to_int(double d, int mode, double low, double high, uint64_t nan)
{
    if (d != d)
        return nan;
    fesetround(mode);
    const volatile double in = d;
    const double w = nearbyint(in);
    fesetround(FE_TONEAREST);
    if (w <= low)
        return (uint64_t)(int64_t)low;
    if (w >= high)
        return high > 1e19 ? UINT64_MAX : high > 1e18 ? (uint64_t)INT64_MAX : (uint64_t)high;
    return w < 0 ? (uint64_t)(int64_t)w : (uint64_t)w;
}

static uint64_t bfe(uint64_t a, unsigned width, unsigned pos, unsigned len, int is_signed)
{
    const uint64_t all = width == 64 ? UINT64_MAX : 0xffffffff;
    uint64_t top;
    a &= all;
    if (!len)
        return 0;
    top = pos + len > width ? width - 1 : pos + len - 1;
    const uint64_t field = pos >= width ? 0 : a >> pos & (len >= 64 ? UINT64_MAX : (UINT64_C(1) << len) - 1);
    const unsigned kept = pos >= width ? 0 : (unsigned)(top - pos + 1);
    if (is_signed && (a >> top & 1))
        return (field | (kept >= 64 ? 0 : UINT64_MAX << kept)) & all;
    return field;
}

static uint64_t bfi(uint64_t a, uint64_t b, unsigned width, unsigned pos, unsigned len)
{
    for (unsigned i = 0; i < len && i + pos < width; i++)
        b = (b & ~(UINT64_C(1) << (i + pos))) | (a >> i & 1) << (i + pos);
    return b;
}

static uint64_t prmt(uint64_t a, uint64_t b, uint64_t c)
{
    uint8_t bytes[8];
    uint64_t v = 0;
    memcpy(bytes, &a, 4);
    memcpy(bytes + 4, &b, 4);
    for (unsigned i = 0; i < 4; i++) {
        const unsigned s = c >> 4 * i & 15;
        v |= (uint64_t)(uint8_t)(s & 8 ? (int8_t)bytes[s & 7] >> 7 : bytes[s & 7]) << 8 * i;
    }
    return v;
}

static uint64_t dp4a(uint64_t a, uint64_t b, uint64_t c)
{
    int32_t sum = (int32_t)c;
    for (unsigned i = 0; i < 4; i++)
        sum = (int32_t)((uint32_t)sum + (uint32_t)((int8_t)(a >> 8 * i) * (uint8_t)(b >> 8 * i)));
    return (uint32_t)sum;
}

static uint64_t fns(uint64_t mask, uint64_t base, uint64_t offset)
{
    const int n = (int)offset;
    int seen = 0;
    if (n == 0)
        return mask >> base & 1 ? base : 0xffffffff;
    for (int i = (int)base; i >= 0 && i < 32; i += n < 0 ? -1 : 1)
        if ((mask >> i & 1) && ++seen == abs(n))
            return (uint64_t)i;
    return 0xffffffff;
}

#define S(x) ((int64_t)(int32_t)(uint32_t)(x))
#define U(x) ((uint64_t)(uint32_t)(x))

REF(mul_hi_u64, (u128)a *b >> 64)
REF(mul_hi_s64, (u128)((s128)(int64_t)a *(int64_t)b) >> 64)
REF(mad_hi_s32, U((uint64_t)(S(a) * S(b)) >> 32) + U(c))
REF(mad_wide_s16, U((int16_t)a *(int16_t)b) + U(c))
REF(mad_wide_u32, U(a) * U(b) + c)
REF(mul24_hi, (uint64_t)(((S(a << 8) >> 8) * (S(b << 8) >> 8)) >> 16))
REF(mul24_lo, (a & 0xffffff) * (b & 0xffffff))
REF(sad_s32, (S(a) < S(b) ? S(b) - S(a) : S(a) - S(b)) + (int64_t)U(c))
REF(div_u32, U(b) ? U(a) / U(b) : 0xffffffff)
REF(div_s32, S(b) ? S(a) / S(b) : -1)
REF(rem_s32, S(b) ? S(a) % S(b) : S(a))
REF(div_s64, b == 0 ? UINT64_MAX : b == UINT64_MAX ? 0 - a : (uint64_t)((int64_t)a / (int64_t)b))
REF(rem_u64, b ? a % b : a)
REF(div_s16, (int16_t)b ? (uint16_t)((int16_t)a / (int16_t)b) : 0xffff)
REF(add128_hi, ((((u128)c << 64 | a) + (((u128)a << 64) | b)) >> 64))
REF(carry_of_two, ((u128)(U(a) << 32 | U(a)) + (U(b) << 32 | U(b))) >> 64)
REF(sub128_hi, ((((u128)c << 64 | a) - (((u128)a << 64) | b)) >> 64))
REF(mul64_by_32, (uint64_t)a *b)
REF(shf_l_wrap, ((b << 32 | U(a)) << (c & 31)) >> 32)
REF(shf_r_clamp, U(c) > 31 ? U(b) : (b << 32 | U(a)) >> U(c))
REF(shr_s64, (int64_t)a >> (U(b) > 63 ? 63 : U(b)))
REF(bfind_s32, S(a) == 0 || S(a) == -1 ? -1 : 31 - __builtin_clz((uint32_t)(S(a) < 0 ? ~a : a)))
REF(bfind_amt, U(a) ? __builtin_clz((uint32_t)a) : -1)
REF(clz64, a ? __builtin_clzll(a) : 64)
REF(popc64, __builtin_popcountll(a))
REF(bfe_u32, bfe(a, 32, b & 255, c & 255, 0))
REF(bfe_s64, bfe(a, 64, b & 255, c & 255, 1))
REF(bfi_b32, U(bfi(a, U(b), 32, c & 63, b & 31)))
REF(permuted, prmt(a, b, c))
REF(lop3_96, (a & b & c) | (a & ~b & ~c) | (~a & b & ~c) | (~a & ~b & c))
REF(dot4, dp4a(a, b, c))
REF(nth, fns(U(a), b & 31, c & 7))
REF(szext_s, (b & 31) ? S(a << (32 - (b & 31))) >> (32 - (b & 31)) : 0)
REF(bmsk_c, (U(b) >= 32 ? 0xffffffff : (UINT64_C(1) << U(b)) - 1) << (U(a) > 31 ? 32 : U(a)))
REF(slct_s, S(c) >= 0 ? a : b)
REF(set_u32, f32(a) < f32(b) ? 0xffffffff : 0)
REF(set_f32, f32(a) <= f32(b) ? 0x3f800000 : 0)
REF(cvt_s8, (int64_t)(int8_t)a)
REF(cvt_sat_s16, S(a) > 32767 ? 32767 : S(a) < -32768 ? -32768 : S(a))
REF(cvt_sat_u8_s64, (int64_t)a<0 ? 0 : a> 255 ? 255 : a)

REF(add_rz, round32(FE_TOWARDZERO, ADD, a, b, 0))
REF(sub_rm, round32(FE_DOWNWARD, SUB, a, b, 0))
REF(mul_rp, round32(FE_UPWARD, MUL, a, b, 0))
REF(fma_rn, round32(FE_TONEAREST, FMA, a, b, c))
REF(fma_rm, round32(FE_DOWNWARD, FMA, a, b, c))
REF(div_rn, round32(FE_TONEAREST, DIV, a, b, 0))
REF(div_rp, round32(FE_UPWARD, DIV, a, b, 0))
REF(rcp_rz, round32(FE_TOWARDZERO, DIV, 0x3f800000, a, 0))
REF(rcp_rn, round32(FE_TONEAREST, DIV, 0x3f800000, a, 0))
REF(sqrt_rn, round32(FE_TONEAREST, SQRT, a, 0, 0))
REF(sqrt_rp, round32(FE_UPWARD, SQRT, a, 0, 0))
REF(rsqrt_near, f32(a) < 0 ? 0x7fffffff : bits32((float)(1.0L / sqrtl((long double)f32(a)))))
REF(exp2_near, bits32((float)exp2l((long double)f32(a))))
REF(exp2_ftz, flush(bits32((float)exp2l((long double)f32(flush(a))))))
REF(log2_near, bits32((float)log2l((long double)f32(a))))
REF(sin_near, bits32((float)sinl((long double)f32(a))))
REF(cos_near, bits32((float)cosl((long double)f32(a))))
REF(tanh_near, bits32((float)tanhl((long double)f32(a))))
REF(exp2_f16, narrow(exp2(half(a & 0xffff, 5, 10)), 5, 10))
REF(tanh_bf16, narrow(tanh(half(a & 0xffff, 8, 7)), 8, 7))
REF(tanh_f16x2,
    narrow(tanh(half(a & 0xffff, 5, 10)), 5, 10) | narrow(tanh(half(a >> 16 & 0xffff, 5, 10)), 5, 10) << 16)
REF(mul_ftz, flush(round32(FE_TONEAREST, MUL, flush(a), flush(b), 0)))
REF(add64_rn, round64(FE_TONEAREST, ADD, a, b, 0))
REF(add64_rp, round64(FE_UPWARD, ADD, a, b, 0))
REF(mul64_rm, round64(FE_DOWNWARD, MUL, a, b, 0))
REF(fma64_rn, round64(FE_TONEAREST, FMA, a, b, c))
REF(fma64_rz, round64(FE_TOWARDZERO, FMA, a, b, c))
REF(div64_rn, round64(FE_TONEAREST, DIV, a, b, 0))
REF(div64_rm, round64(FE_DOWNWARD, DIV, a, b, 0))
REF(sqrt64_rz, round64(FE_TOWARDZERO, SQRT, a, 0, 0))
REF(f16_fma, fma16(a & 0xffff, b & 0xffff, c & 0xffff))
REF(bf16_fma, fma_bf16(a & 0xffff, b & 0xffff, c & 0xffff))
REF(f16_mul, narrow(half(a & 0xffff, 5, 10) * half(b & 0xffff, 5, 10), 5, 10))
REF(f16x2_add, narrow(half(a & 0xffff, 5, 10) + half(b & 0xffff, 5, 10), 5, 10) |
                   narrow(half(a >> 16 & 0xffff, 5, 10) + half(b >> 16 & 0xffff, 5, 10), 5, 10) << 16)
REF(to_f16, narrow(f32(a), 5, 10))
REF(to_bf16x2, narrow(f32(a), 8, 7) << 16 | narrow(f32(b), 8, 7))
REF(f64_to_f16, narrow(f64(a), 5, 10))
REF(from_f16, bits32((float)half(a & 0xffff, 5, 10)))
REF(f64_to_f32_rz, (fesetround(FE_TOWARDZERO), 0) + bits32((float)f64(a)))
REF(widen, bits64((double)f32(a)))
REF(s64_from_f32,
    to_int(f32(a), FE_TOWARDZERO, -9223372036854775808.0, 9223372036854775807.0, UINT64_C(1) << 63))
REF(s32_from_f64, U(to_int(f64(a), FE_UPWARD, -2147483648.0, 2147483647.0, UINT64_C(1) << 31)))
REF(u8_from_f32, to_int(f32(a), FE_TONEAREST, 0, 255, 0))
REF(u64_from_f64, to_int(f64(a), FE_TONEAREST, 0, 18446744073709551615.0, UINT64_C(1) << 63))
REF(from_u64, bits32((float)a))
REF(f64_from_s64, bits64((double)(int64_t)a))
REF(copysigned, (a & 0x80000000) | (b & 0x7fffffff))
REF(tf32_rna, f32(a) != f32(a) ? 0x7fffe000 : isinf(f32(a)) ? a & 0xffffffff : (a + 0x1000) & 0xffffe000)

static const values_case cases[] = {
#include "values.inc"
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
    return values_run("ptx_values", tc);
}
