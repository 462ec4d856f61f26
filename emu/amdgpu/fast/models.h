/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of the transcendental operations: the table models of emu/num/transc.c and transc_root.c on
 * vectors, with products of more than 32 bits computed separately in even and odd lanes.
 */
#ifndef LW_EMU_AMDGPU_FAST_MODELS_H
#define LW_EMU_AMDGPU_FAST_MODELS_H

#include "emu/amdgpu/fast/halves.h"

enum { HIDDEN = 1 << 23, FRACTION = HIDDEN - 1, ROWS = 32 };

/* ---- The tables by columns ---- */

/* clang-format off */
#define ROW(c0, c1, c2, c3) c0,
static const uint32_t exp_c0[ROWS] = {
#include "emu/num/exp2_f32.inc"
};
static const uint32_t sqrt_c0[ROWS] = {
#include "emu/num/sqrt_f32.inc"
};
static const uint32_t rcp_c0[ROWS] = {
#include "emu/num/rcp_f32.inc"
};
static const uint32_t rsq_c0[2 * ROWS] = {
#include "emu/num/rsq_f32.inc"
};
#undef ROW
#define ROW(c0, c1, c2, c3) c1,
static const uint32_t exp_c1[ROWS] = {
#include "emu/num/exp2_f32.inc"
};
static const uint32_t sqrt_c1[ROWS] = {
#include "emu/num/sqrt_f32.inc"
};
static const uint32_t rcp_c1[ROWS] = {
#include "emu/num/rcp_f32.inc"
};
static const uint32_t rsq_c1[2 * ROWS] = {
#include "emu/num/rsq_f32.inc"
};
#undef ROW
#define ROW(c0, c1, c2, c3) c2,
static const uint32_t exp_c2[ROWS] = {
#include "emu/num/exp2_f32.inc"
};
static const uint32_t sqrt_c2[ROWS] = {
#include "emu/num/sqrt_f32.inc"
};
static const uint32_t rcp_c2[ROWS] = {
#include "emu/num/rcp_f32.inc"
};
static const uint32_t rsq_c2[2 * ROWS] = {
#include "emu/num/rsq_f32.inc"
};
#undef ROW
#define ROW(c0, c1, c2, c3) c3,
static const uint32_t exp_c3[ROWS] = {
#include "emu/num/exp2_f32.inc"
};
static const uint32_t sqrt_c3[ROWS] = {
#include "emu/num/sqrt_f32.inc"
};
static const uint32_t rcp_c3[ROWS] = {
#include "emu/num/rcp_f32.inc"
};
static const uint32_t rsq_c3[2 * ROWS] = {
#include "emu/num/rsq_f32.inc"
};
#undef ROW
#define ROW(c0, c1, c2, c3, bias) c0,
static const uint32_t log_c0[ROWS + 1] = {
#include "emu/num/log2_f32.inc"
};
#undef ROW
#define ROW(c0, c1, c2, c3, bias) c1,
static const uint32_t log_c1[ROWS + 1] = {
#include "emu/num/log2_f32.inc"
};
#undef ROW
#define ROW(c0, c1, c2, c3, bias) c2,
static const uint32_t log_c2[ROWS + 1] = {
#include "emu/num/log2_f32.inc"
};
#undef ROW
#define ROW(c0, c1, c2, c3, bias) c3,
static const uint32_t log_c3[ROWS + 1] = {
#include "emu/num/log2_f32.inc"
};
#undef ROW
#define ROW(c0, c1, c2, c3, bias) bias,
static const uint32_t log_bias[ROWS + 1] = {
#include "emu/num/log2_f32.inc"
};
#undef ROW
/* clang-format on */

/* The exponent field. */
VEC vi exponent_of(vi x)
{
    return vi_and(vi_shr(x, 23), vi_all(255));
}

/* ---- 2^x ---- */

/* The terms of first and second degree, rounded as in the model: depending on their size. */
VEC vq exp_line(vq p)
{
    return vq_shr(vq_add(vq_add(p, vq_all(1 << 22)), vq_shl(vq_shr(p, 47), 22)), 24);
}

VEC vq square_rounded(vq q, vq less)
{
    const vq big = vq_shr(q, 47), s = vq_add(big, vq_all(23));
    const vq sum = vq_add(vq_add(q, vq_sub(vq_all(1 << 22), less)), vq_shl(big, 22));
    return vq_shlv(vq_shrv(sum, s), big);
}

VEC vq exp_square(vq q)
{
    return square_rounded(q, vq_all(0));
}

/* 2^x as *high * 2^(n-28), with eight more bits in *low, for inputs that use the table. */
VEC vi exp_parts(vi x, vi *high, vi *low)
{
    const vi m = vi_or(vi_and(x, vi_all(FRACTION)), vi_all(HIDDEN));
    const vi up = vi_sub(exponent_of(x), vi_all(121)), mask = vi_all((1 << 29) - 1), minus = vi_sar(x, 31);
    const vi fixed = vi_or(vi_shlv(m, up), vi_shrv(m, vi_sub(vi_all(0), up)));
    const vi f = vi_and(vi_xor(fixed, minus), mask), at = vi_shr(f, 24);
    const vi t = vi_and(f, vi_all(0xffffff)), h = vi_shr(t, 6), tall = vi_shl(h, 10);
    const vi c1 = vi_of_32(exp_c1, at),
             inner = vi_add(vi_shl(vi_of_32(exp_c2, at), 7), vi_mul(vi_of_32(exp_c3, at), h));
    const vi odd = vi_and(vi_shr(inner, 7), vi_all(1));
    const vi slope = vi_shr(vi_add(inner, vi_add(odd, vi_all(63))), 7), square = vi_mul_hi_u(tall, tall);
    const vi line = vq_join(exp_line(vq_product(c1, t, 0)), exp_line(vq_product(c1, t, 1)));
    const vi quad =
        vq_join(exp_square(vq_product(square, slope, 0)), exp_square(vq_product(square, slope, 1)));
    *high = vi_add(vi_add(vi_of_32(exp_c0, at), line), vi_shr(quad, 8));
    *low = vi_and(quad, vi_all(255));
    return vi_xor(vi_shrv(m, vi_sub(vi_all(29), up)), minus);
}

/* Inputs that need no table: NaNs; tiny ones, which give 1; large ones, which give Inf or 0. */
VEC vi exp_special(vi x, vi quiet, vi r)
{
    enum { TINY = 103, HUGE_FIELD = 134 };
    const vi field = exponent_of(x);
    const vi far = vi_pick(vi_gt(vi_all(0), x), vi_all(0), vi_all(format_f32.inf));
    r = vi_pick(vi_gt(field, vi_all(HUGE_FIELD - 1)), far, r);
    r = vi_pick(vi_gt(vi_all(TINY), field), vi_all(format_f32.one), r);
    return vi_pick(is_nan(F32, x), vi_or(x, quiet), r);
}

VEC vi exp_f32(vi x, vi quiet)
{
    vi high, low;
    const vi n = exp_parts(x, &high, &low), odd = vi_and(vi_shr(high, 5), vi_all(1));
    const vi carry = vi_shr(vi_add(low, vi_add(odd, vi_all(4095))), 8);
    const vi sig = vi_shr(vi_add(high, carry), 5); /* may be 2^24 */
    const vi bits = vi_add(vi_shl(vi_add(n, vi_all(126)), 23), sig);
    return exp_special(x, quiet, vi_pick(vi_gt(vi_all(HIDDEN), bits), vi_all(0), bits));
}

/* The conversion quiets NaNs, which MODE may forbid. */
VEC vi half_or_nan(vi half, vi quiet, vf r)
{
    return vi_pick(is_nan(F16, half), vi_or(half, quiet), vi_f16_of(r));
}

/* Rounds to odd, so that only the rounding to f16 counts; results below the f32 range round to zero in any
 * case. */
VEC vi exp_f16(vi half, vi quiet)
{
    vi high, low;
    const vi x = vf_bits(vf_from_f16(half)), n = exp_parts(x, &high, &low);
    const vi rest = vi_or(vi_and(high, vi_all(31)), low);
    const vi sticky = vi_pick(vi_eq(rest, vi_all(0)), vi_all(0), vi_all(1));
    const vi bits = vi_add(vi_shl(vi_add(n, vi_all(126)), 23), vi_or(vi_shr(high, 5), sticky));
    const vi normal = vi_pick(vi_gt(vi_all(HIDDEN), bits), vi_all(0), bits);
    return half_or_nan(half, quiet, vf_from_bits(exp_special(x, quiet, normal)));
}

/* ---- 1 / x and the roots ---- */

/* Below 2^47, halves go to the even neighbour. */
VEC vq even_square(vq q)
{
    const vq big = vq_shr(q, 47), one = vq_all(1), even = vq_sub(one, vq_and(vq_shr(q, 23), one));
    return square_rounded(q, vq_and(even, vq_sub(one, big)));
}

/* The terms of second and third degree: c3f is c3 times the offset, `half` the offset's upper 17 bits. Halves
 * of the product go to the even neighbour where `even`; elsewhere that makes no difference to any f32 (the
 * test with all inputs). */
VEC vi upper_terms(vi c2, vi c3f, int up, int down, vi half, bool even)
{
    const vi odd = vi_and(vi_shr(c3f, down), vi_all(1)), tall = vi_shl(half, 11);
    const vi curve = vi_shr(vi_add(c3f, vi_add(odd, vi_all((1 << (down - 1)) - 1))), down);
    const vi inner = vi_sub(vi_shl(c2, up), curve), square = vi_mul_hi_u(tall, tall);
    const vq low = vq_product(inner, square, 0), high = vq_product(inner, square, 1);
    return even ? vq_join(even_square(low), even_square(high)) : vq_join(exp_square(low), exp_square(high));
}

/* (high * 2^low_bits + low) / 2^(5 + low_bits), to nearest even. */
VEC vi root_rounded(vi high, vi low, int low_bits)
{
    const vi odd = vi_and(vi_shr(high, 5), vi_all(1)), half = vi_all((16 << low_bits) - 1);
    return vi_shr(vi_add(high, vi_shr(vi_add(low, vi_add(odd, half)), low_bits)), 5);
}

/* Rounded to 24 bits, to nearest even, then up: below 2^38 (1/x) and 2^37 (1/sqrt) in one step. */
VEC vq rcp_line(vq p)
{
    const vq one = vq_all(1), low = vq_all(1 << 13), big = vq_sub(vq_all(0), vq_shr(p, 38));
    const vq less = vq_and(vq_sub(low, vq_and(vq_shr(p, 15), one)), big);
    return vq_shr(vq_add(p, vq_sub(vq_all((3 << 13) - 1), less)), 15);
}

VEC vq rsq_line(vq p)
{
    return vq_shr(vq_add(p, vq_sub(vq_all((7 << 12) - 1), vq_shl(vq_shr(p, 37), 12))), 15);
}

VEC vi rcp_f32(vi x, vi quiet)
{
    const vi sign = vi_and(x, vi_all(INT32_MIN)), field = exponent_of(x), at = vi_shr(x, 18);
    const vi f = vi_and(x, vi_all(0x3ffff)), c1 = vi_of_32(rcp_c1, at), c0 = vi_shl(vi_of_32(rcp_c0, at), 3);
    const vi c3f = vi_mul(vi_of_32(rcp_c3, at), vi_add(vi_shl(f, 2), vi_all(1)));
    const vi line = vq_join(rcp_line(vq_product(c1, f, 0)), rcp_line(vq_product(c1, f, 1)));
    const vi quad = upper_terms(vi_of_32(rcp_c2, at), c3f, 8, 12, vi_shr(f, 1), false);
    const vi high = vi_add(vi_sub(c0, line), vi_shr(quad, 6));
    const vi sig = root_rounded(high, vi_and(quad, vi_all(63)), 6); /* of 1/x * 2^(24 + e) */
    const vi bits = vi_add(vi_shl(vi_sub(vi_all(252), field), 23), sig);
    vi r = vi_pick(vi_gt(vi_all(HIDDEN), bits), sign, vi_or(sign, bits));
    r = vi_pick(vi_eq(field, vi_all(0)), vi_or(sign, vi_all(format_f32.inf)), r);
    r = vi_pick(vi_eq(field, vi_all(255)), sign, r);
    return vi_pick(is_nan(F32, x), vi_or(x, quiet), r);
}

/* Results of roots and logarithms for zeros, negative numbers and NaNs. */
VEC vi root_special(vi x, vi quiet, vi of_zero, vi of_inf, vi r)
{
    const vi field = exponent_of(x);
    r = vi_pick(vi_eq(field, vi_all(255)), of_inf, r);
    r = vi_pick(vi_gt(vi_all(0), x), vi_all(format_f32.made), r);
    r = vi_pick(vi_eq(field, vi_all(0)), of_zero, r);
    return vi_pick(is_nan(F32, x), vi_or(x, quiet), r);
}

/* The fraction with the exponent's parity above it. */
VEC vi root_index(vi x, vi e)
{
    return vi_or(vi_shl(vi_and(e, vi_all(1)), 23), vi_and(x, vi_all(FRACTION)));
}

VEC vi rsq_f32(vi x, vi quiet)
{
    const vi e = vi_sub(exponent_of(x), vi_all(127)), index = root_index(x, e), at = vi_shr(index, 18);
    const vi f = vi_and(x, vi_all(0x3ffff)), c1 = vi_of_64(rsq_c1, at), c0 = vi_shl(vi_of_64(rsq_c0, at), 3);
    const vi c3f = vi_mul(vi_of_64(rsq_c3, at), vi_add(vi_shl(f, 2), vi_all(1)));
    const vi line = vq_join(rsq_line(vq_product(c1, f, 0)), rsq_line(vq_product(c1, f, 1)));
    const vi quad = upper_terms(vi_of_64(rsq_c2, at), c3f, 9, 11, vi_shr(f, 1), false);
    const vi high = vi_add(vi_sub(c0, line), vi_shr(quad, 7));
    const vi sig = root_rounded(high, vi_and(quad, vi_all(127)), 7);
    const vi r = vi_add(vi_shl(vi_sub(vi_all(125), vi_sar(e, 1)), 23), sig);
    return root_special(x, quiet, vi_or(vi_and(x, vi_all(INT32_MIN)), vi_all(format_f32.inf)), vi_all(0), r);
}

VEC vq sqrt_line(vq p)
{
    return vq_shr(vq_add(vq_add(p, vq_all(0x8000)), vq_shl(vq_shr(p, 40), 15)), 17);
}

VEC vi sqrt_f32(vi x, vi quiet)
{
    const vi e = vi_sub(exponent_of(x), vi_all(127)), index = root_index(x, e), at = vi_shr(index, 19);
    const vi t = vi_and(index, vi_all(0x7ffff)), c1 = vi_of_32(sqrt_c1, at);
    const vi c3t = vi_mul(vi_of_32(sqrt_c3, at), vi_add(vi_add(t, t), vi_all(1)));
    const vi line = vq_join(sqrt_line(vq_product(c1, t, 0)), sqrt_line(vq_product(c1, t, 1)));
    const vi quad = upper_terms(vi_of_32(sqrt_c2, at), c3t, 8, 11, vi_shr(t, 2), true);
    const vi high =
        vi_sub(vi_add(vi_shl(vi_of_32(sqrt_c0, at), 3), line), vi_shr(vi_add(quad, vi_all(127)), 7));
    const vi sig = root_rounded(high, vi_and(vi_sub(vi_all(0), quad), vi_all(127)), 7);
    const vi r = vi_add(vi_shl(vi_add(vi_sar(e, 1), vi_all(126)), 23), sig);
    return root_special(x, quiet, vi_and(x, vi_all(INT32_MIN)), x, r);
}

/* ---- The logarithm ---- */

VEC vq clear_odd(vq v)
{
    return vq_sub(v, vq_and(v, vq_shr(v, 25))); /* v < 2^26: if bit 25 is set, bit 0 is cleared */
}

/* v * 2^-frac as f32 bits: cut or, if `away` is all ones, rounded away from zero; 0 < v < 2^52. */
VEC vq log_rounded(vq v, vq away)
{
    return vq_shr(vq_add(vq_double_of(v), vq_and(away, vq_all((1 << 29) - 1))), 29);
}

typedef struct log_row {
    vi c0, c1, c2, c3, bias;
} log_row;

/* c0 may be negative in the rows near one; the bias makes it positive. */
enum { NEAR_BIAS = 1024 };

VEC log_row row_pick(vm m, const int64_t a[5], log_row b)
{
    return (log_row){ vi_pick(m, vi_all((int)a[0] + NEAR_BIAS), b.c0), vi_pick(m, vi_all((int)a[1]), b.c1),
                      vi_pick(m, vi_all((int)a[2]), b.c2), vi_pick(m, vi_all((int)a[3]), b.c3),
                      vi_pick(m, vi_all((int)a[4]), b.bias) };
}

/* log2_near_one (transc.c) for half of the lanes; s is the shift that makes n large. */
VEC vq near_half(const log_row *r, vi n, vi s, bool above, int odd)
{
    const vq shift = odd ? vq_odd(s) : vq_even(s), one = odd ? vq_odd(n) : vq_even(n);
    const vq big = vq_shlv(one, shift), sq = vq_shrv(vq_mul(big, big), vq_add(shift, vq_all(12)));
    const vq bias = odd ? vq_odd(r->bias) : vq_even(r->bias), c2 = odd ? vq_odd(r->c2) : vq_even(r->c2);
    const vq c1 = odd ? vq_odd(r->c1) : vq_even(r->c1), c0 = odd ? vq_odd(r->c0) : vq_even(r->c0);
    const vq cu = vq_add(vq_product(r->c3, n, odd), bias);
    const vq lin = vq_sub(vq_add(vq_shl(vq_shr(vq_mul(c1, big), 15), 3), c0), vq_all(NEAR_BIAS));
    const vq in = above ? vq_sub(c2, vq_shr(cu, 23)) : vq_add(c2, vq_shr(cu, 22));
    const vq square = clear_odd(vq_shr(vq_mul(in, sq), above ? 22 : 23));
    return log_rounded(above ? vq_sub(lin, square) : vq_add(lin, square), vq_all(~UINT64_C(0)));
}

static LW_APART vi log_near_one(vi n, bool above)
{
#define ABOVE(...) { __VA_ARGS__ },
#define BELOW(...) { __VA_ARGS__ },
    static const int64_t above_rows[][5] = {
#undef BELOW
#include "emu/num/log2_near_one.inc"
    };
#undef ABOVE
#define BELOW(...) { __VA_ARGS__ },
    static const int64_t below_rows[][5] = {
#include "emu/num/log2_near_one.inc"
    };
#undef BELOW
    const log_row none = { vi_all(0), vi_all(0), vi_all(0), vi_all(0), vi_all(0) };
    const vm all = vi_eq(n, n);
    log_row r = row_pick(all, above ? above_rows[2] : below_rows[1], none);
    r = row_pick(vi_gt(vi_all(1 << 17), n), above ? above_rows[1] : below_rows[0], r);
    if (above)
        r = row_pick(vi_gt(vi_all(1 << 16), n), above_rows[0], r);
    vi s = vi_all(0);
    for (int bits = 14; bits > 0; bits -= 4) /* n << s is at least 2^14 */
        s = vi_add(s, vi_and(vi_all(4), vi_pick(vi_gt(vi_all(1 << bits), n), vi_all(-1), vi_all(0))));
    const vi bits = vq_join(near_half(&r, n, s, above, 0), near_half(&r, n, s, above, 1));
    const vi scale = vi_shl(vi_add(s, vi_all(896 + (above ? 36 : 37))), 23);
    return vi_or(vi_sub(bits, scale), vi_all(above ? 0 : INT32_MIN));
}

typedef struct log_parts {
    vi c0, c1, inner_c3, c2, bias, d, square, e;
} log_parts;

/* The sum e * 2^36 + log for half of the lanes: f32 bits with an exponent that is 36 too large, and the
 * sign. */
VEC vq log_half(const log_parts *p, int odd, vq *minus)
{
    const vq bias = odd ? vq_odd(p->bias) : vq_even(p->bias), c2 = odd ? vq_odd(p->c2) : vq_even(p->c2);
    const vq c0 = odd ? vq_odd(p->c0) : vq_even(p->c0), e = odd ? vq_odd(p->e) : vq_even(p->e);
    const vq square = odd ? vq_odd(p->square) : vq_even(p->square);
    const vq in = vq_sub(c2, vq_shr(vq_add(vq_product(p->inner_c3, p->d, odd), bias), 23));
    const vq line = vq_add(c0, vq_shr(vq_product(p->c1, p->d, odd), 16));
    const vq y = vq_sub(vq_add(vq_shl(e, 36), vq_shl(line, 6)), clear_odd(vq_shr(vq_mul(in, square), 22)));
    *minus = vq_sub(vq_all(0), vq_shr(y, 63));
    return log_rounded(vq_sub(y, vq_shl(vq_and(y, *minus), 1)), *minus);
}

VEC vi log_of_33(const uint32_t table[ROWS + 1], vm last, vi at)
{
    return vi_pick(last, vi_all((int)table[ROWS]), vi_of_32(table, at));
}

VEC vi log_f32(vi x, vi quiet)
{
    const vi m = vi_and(x, vi_all(FRACTION)), e = vi_sub(exponent_of(x), vi_all(127)), at = vi_shr(m, 18);
    const vi d = vi_and(m, vi_all(0x3ffff)), tall = vi_shl(d, 10), zero = vi_all(0);
    const vm last = vi_eq(vi_shr(m, 17), vi_all(3));
    const log_parts p = { log_of_33(log_c0, last, at),   log_of_33(log_c1, last, at),
                          log_of_33(log_c3, last, at),   log_of_33(log_c2, last, at),
                          log_of_33(log_bias, last, at), d,
                          vi_mul_hi_u(tall, tall),       e };
    vq minus[2];
    const vq even = log_half(&p, 0, &minus[0]), odd = log_half(&p, 1, &minus[1]);
    const vi sign = vi_and(vq_join(minus[0], minus[1]), vi_all(INT32_MIN));
    vi r = vi_or(vi_sub(vq_join(even, odd), vi_all((int)((896u + 36) << 23))), sign);
    const vm above = vm_and(vi_eq(e, zero), vi_gt(vi_all(1 << 18), m));
    const vm below = vm_and(vi_eq(e, vi_all(-1)), vi_gt(m, vi_all(0x7c0000)));
    if (vm_any(above))
        r = vi_pick(vi_eq(x, vi_all(format_f32.one)), zero, vi_pick(above, log_near_one(m, true), r));
    if (vm_any(below))
        r = vi_pick(below, log_near_one(vi_sub(vi_all(HIDDEN), m), false), r);
    return root_special(x, quiet, vi_all((int)UINT32_C(0xff800000)), vi_all(format_f32.inf), r);
}

/* ---- f16 by way of f32, with one rounding to nearest even ---- */

#define THROUGH_F32(name)                                                                                    \
    VEC vi name##_f16(vi half, vi quiet)                                                                     \
    {                                                                                                        \
        return half_or_nan(half, quiet, vf_from_bits(name##_f32(vf_bits(vf_from_f16(half)), quiet)));        \
    }

THROUGH_F32(log)
THROUGH_F32(rcp)
THROUGH_F32(rsq)
THROUGH_F32(sqrt)

LANE_1(exp_f32)
LANE_1(log_f32)
LANE_1(rcp_f32)
LANE_1(rsq_f32)
LANE_1(sqrt_f32)
LANE_1(exp_f16)
LANE_1(log_f16)
LANE_1(rcp_f16)
LANE_1(rsq_f16)
LANE_1(sqrt_f16)

FORM_FLOAT(v_exp_f32, lane_exp_f32, F32, 1, MODEL, LW_VD_FULL)
FORM_FLOAT(v_log_f32, lane_log_f32, F32, 1, MODEL, LW_VD_FULL)
FORM_FLOAT(v_rcp_f32, lane_rcp_f32, F32, 1, MODEL, LW_VD_FULL)
FORM_FLOAT(v_rsq_f32, lane_rsq_f32, F32, 1, MODEL, LW_VD_FULL)
FORM_FLOAT(v_sqrt_f32, lane_sqrt_f32, F32, 1, MODEL, LW_VD_FULL)
FORM_FLOAT(v_exp_f16, lane_exp_f16, F16, 1, ARITHMETIC, LW_VD_FULL)
FORM_FLOAT(v_log_f16, lane_log_f16, F16, 1, ARITHMETIC, LW_VD_FULL)
FORM_FLOAT(v_rcp_f16, lane_rcp_f16, F16, 1, ARITHMETIC, LW_VD_FULL)
FORM_FLOAT(v_rsq_f16, lane_rsq_f16, F16, 1, ARITHMETIC, LW_VD_FULL)
FORM_FLOAT(v_sqrt_f16, lane_sqrt_f16, F16, 1, ARITHMETIC, LW_VD_FULL)

#define MODELS_FORMS                                                                                         \
    FLOAT(v_exp_f32), FLOAT(v_log_f32), FLOAT(v_rcp_f32), FLOAT_ROW(v_rcp_iflag_f32, v_rcp_f32, 0),          \
        FLOAT(v_rsq_f32), FLOAT(v_sqrt_f32), FLOAT(v_exp_f16), FLOAT(v_log_f16), FLOAT(v_rcp_f16),           \
        FLOAT(v_rsq_f16), FLOAT(v_sqrt_f16)

#endif
