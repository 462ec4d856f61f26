/* SPDX-License-Identifier: MIT */
/* The rest of vec_portable.h that the panel kernels need: operations in binary64, the emulated FMA of
 * binary32, and dot products of bytes. */
#ifndef LW_EMU_FAST_VEC_PORTABLE_WIDE_H
#define LW_EMU_FAST_VEC_PORTABLE_WIDE_H

#include "emu/fast/vec_portable.h"

/* Bytes with VEC_BYTE_BIAS added: unsigned, since SSE2 has no other maximum of bytes. */
enum { VEC_BYTE_BIAS = -0x7f7f7f80 };
VEC w4 w4_max8_biased(w4 a, w4 b)
{
#ifdef __SSE2__
    return (w4)_mm_max_epu8((__m128i)a, (__m128i)b);
#else
    return w4_pick((w4)((b16)a > (b16)b), a, b);
#endif
}
VEC vi vi_max8_biased(vi a, vi b)
{
    return (vi){ w4_max8_biased(a.lo, b.lo), w4_max8_biased(a.hi, b.hi) };
}

/* The bytes of four lanes as signed 16-bit numbers: of bytes 0 and 1, and of bytes 2 and 3. */
VEC void w4_halves_of_bytes(w4 a, w4 out[2])
{
    const b16 x = (b16)a;
    const b16 low = __builtin_shufflevector(x, x, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7),
              high =
                  __builtin_shufflevector(x, x, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15);
    const w4 first = (w4)((s8)low >> 8), rest = (w4)((s8)high >> 8);
    out[0] = __builtin_shufflevector(first, rest, 0, 2, 4, 6);
    out[1] = __builtin_shufflevector(first, rest, 1, 3, 5, 7);
}
/* The lower bytes of halves: two of each lane of `low`, then two of `high`. */
VEC w4 w4_bytes_of_halves(w4 low, w4 high)
{
#ifdef __SSE2__
    const __m128i x = _mm_packus_epi16((__m128i)low, (__m128i)high);
    return (w4)_mm_unpacklo_epi16(x, _mm_srli_si128(x, 8));
#else
    return (w4)__builtin_shufflevector((b16)low, (b16)high, 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14,
                                       28, 30);
#endif
}

VEC vd vd_all(double v)
{
    return (vd){ d2_all(v), d2_all(v) };
}
VEC vd vd_load(const double *at)
{
    vd v;
    memcpy(&v.lo, at, sizeof(v.lo));
    memcpy(&v.hi, (const char *)at + sizeof(v.lo), sizeof(v.hi));
    return v;
}
VEC void vd_store(double *at, vd a)
{
    memcpy(at, &a.lo, sizeof(a.lo));
    memcpy((char *)at + sizeof(a.lo), &a.hi, sizeof(a.hi));
}
/* The four numbers at `at` in every four lanes. */
VEC vd vd_four(const double *at)
{
    return vd_load(at);
}
VEC vd vd_mul(vd a, vd b)
{
    return (vd){ a.lo * b.lo, a.hi * b.hi };
}
VEC vd vd_add(vd a, vd b)
{
    return (vd){ a.lo + b.lo, a.hi + b.hi };
}
VEC vd vd_sub(vd a, vd b)
{
    return (vd){ a.lo - b.lo, a.hi - b.hi };
}
VEC vd vd_or_bits(vd a, vd b)
{
    return (vd){ (d2)((q2)a.lo | (q2)b.lo), (d2)((q2)a.hi | (q2)b.hi) };
}
VEC w4 w4_not_zero(vd a)
{
    const d2 none = d2_all(0.0);
    return ~__builtin_shufflevector((w4)(a.lo == none), (w4)(a.hi == none), 0, 2, 4, 6);
}
/* Numbers of both halves that are not zero, or NaNs. */
VEC vm vd_not_zero(vd low, vd high)
{
    return (vm){ w4_not_zero(low), w4_not_zero(high) };
}
/* a * b + c, for cases in which the exact result is a binary64 number. */
VEC vd vd_fma_exact(vd a, vd b, vd c)
{
    return vd_add(vd_mul(a, b), c);
}

#define SIGN64 UINT64_C(0x8000000000000000)

VEC q2 q2_pick(q2 m, q2 a, q2 b)
{
    return (a & m) | (b & ~m);
}
/* Rounds a number below 2^52 in magnitude to the nearest integer; `large` is 2^52 with the number's sign. */
VEC d2 d2_near(d2 a, d2 large)
{
    return (a + large) - large;
}
VEC d2 d2_trunc(d2 a)
{
    const q2 sign = (q2)a & q2_all(SIGN64);
    const d2 size = (d2)((q2)a & ~q2_all(SIGN64)), near = d2_near(size, d2_all(0x1p52));
    const d2 less = near - (d2)((q2)d2_all(1.0) & (q2)(near > size));
    return (d2)(q2_pick((q2)(size < d2_all(0x1p52)), (q2)less, (q2)size) | sign);
}
VEC d2 d2_floor(d2 a)
{
    const q2 sign = (q2)a & q2_all(SIGN64);
    const d2 size = (d2)((q2)a & ~q2_all(SIGN64)), near = d2_near(a, (d2)((q2)d2_all(0x1p52) | sign));
    const d2 less = near - (d2)((q2)d2_all(1.0) & (q2)(near > a));
    return (d2)(q2_pick((q2)(size < d2_all(0x1p52)), (q2)less, (q2)a) | sign);
}
VEC vd vd_floor(vd a)
{
    return (vd){ d2_floor(a.lo), d2_floor(a.hi) };
}
VEC vd vd_trunc(vd a)
{
    return (vd){ d2_trunc(a.lo), d2_trunc(a.hi) };
}

/* Lanes of the lower or upper half as binary64. */
VEC vd vd_from_int(vi a, int half)
{
    const w4 x = half ? a.hi : a.lo;
#ifdef __SSE2__
    return (vd){ (d2)_mm_cvtepi32_pd((__m128i)x),
                 (d2)_mm_cvtepi32_pd((__m128i)__builtin_shufflevector(x, x, 2, 3, 2, 3)) };
#else
    const i4 y = (i4)x;
    return (vd){ (d2){ y[0], y[1] }, (d2){ y[2], y[3] } };
#endif
}
VEC vd vd_from_float(vf a, int half)
{
    const f4 x = half ? a.hi : a.lo;
#ifdef __SSE2__
    return (vd){ (d2)_mm_cvtps_pd((__m128)x),
                 (d2)_mm_cvtps_pd((__m128)__builtin_shufflevector(x, x, 2, 3, 2, 3)) };
#else
    return (vd){ (d2){ (double)x[0], (double)x[1] }, (d2){ (double)x[2], (double)x[3] } };
#endif
}
VEC f4 f4_from_double(vd a)
{
#ifdef __SSE2__
    return __builtin_shufflevector((f4)_mm_cvtpd_ps((__m128d)a.lo), (f4)_mm_cvtpd_ps((__m128d)a.hi), 0, 1, 4,
                                   5);
#else
    return (f4){ (float)a.lo[0], (float)a.lo[1], (float)a.hi[0], (float)a.hi[1] };
#endif
}
/* Rounds to nearest even and joins. */
VEC vf vf_from_halves(vd low, vd high)
{
    return (vf){ f4_from_double(low), f4_from_double(high) };
}
/* 2^e, -1022 <= e <= 1023. */
VEC vd vd_pow2(vi e, int half)
{
    const w4 high = ((half ? e.hi : e.lo) + w4_all(1023)) << 20, none = w4_all(0);
    return (vd){ (d2)__builtin_shufflevector(none, high, 0, 4, 1, 5),
                 (d2)__builtin_shufflevector(none, high, 2, 6, 3, 7) };
}
/* Keeps 23 of the 52 fraction bits. */
VEC vd vd_cut23(vd a)
{
    const q2 kept = q2_all(~UINT64_C(0x1fffffff));
    return (vd){ (d2)((q2)a.lo & kept), (d2)((q2)a.hi & kept) };
}
/* All ones where negative. */
VEC q2 q2_signs(q2 a)
{
    const w4 sign = (w4)((i4)a >> 31);
    return (q2)__builtin_shufflevector(sign, sign, 1, 1, 3, 3);
}
VEC d2 d2_keep31(d2 a)
{
    const q2 low = q2_all((1 << 21) - 1), bits = (q2)a;
    return (d2)((bits + (low & q2_signs(bits))) & ~low);
}
/* Keeps 31 of the 52 fraction bits, towards minus infinity: first increases negative numbers' magnitudes. */
VEC vd vd_keep31(vd a)
{
    return (vd){ d2_keep31(a.lo), d2_keep31(a.hi) };
}

/*
 * Round to odd: a + b, where b is too small to reach a's last place; the last bit represents what is lost.
 * Rounding the result to fewer bits (at least two fewer) is the same as rounding the exact sum. Infinities
 * and NaNs, whose b is a NaN, are left unchanged.
 */
VEC d2 d2_odd(d2 a, d2 b)
{
    const q2 one = q2_all(1), bits = (q2)a;
    const q2 lost = (q2)(b < d2_all(0.0)) | (q2)(b > d2_all(0.0)), even = (bits & one) - one;
    const q2 apart = q2_signs(bits ^ (q2)b); /* signs differ: towards zero */
    return (d2)(bits + ((apart | one) & lost & even));
}
/* a * b + c, where each product is exact in binary64; Knuth's TwoSum gives what the sum loses. */
VEC d2 d2_fma32(d2 a, d2 b, d2 c)
{
    const d2 p = a * b, sum = p + c, c_part = sum - p, p_part = sum - c_part;
    return d2_odd(sum, (p - p_part) + (c - c_part));
}
VEC vd vd_fma32(vf a, vf b, vf c, int half)
{
    const vd x = vd_from_float(a, half), y = vd_from_float(b, half), z = vd_from_float(c, half);
    return (vd){ d2_fma32(x.lo, y.lo, z.lo), d2_fma32(x.hi, y.hi, z.hi) };
}
VEC vf vf_fma(vf a, vf b, vf c)
{
    return vf_from_halves(vd_fma32(a, b, c, 0), vd_fma32(a, b, c, 1));
}

/* Limits on the exponent fields of A's and B's numbers other than zero, and of C's: within them, the error of
 * a product is representable, because its lowest bit is above 2^-1074, and no sum of a chain overflows. */
enum { FMA64_LEAST = 1023 - 450, FMA64_MOST = 1023 + 450, FMA64_MOST_C = 1023 + 950 };

/* The sum, and what rounding it lost (Knuth's TwoSum). */
VEC d2 d2_two_sum(d2 a, d2 b, d2 *lost)
{
    const d2 sum = a + b, b_part = sum - a, a_part = sum - b_part;
    *lost = (a - a_part) + (b - b_part);
    return sum;
}
/* The upper 26 bits: products of such halves and of the remainders are exact (Veltkamp, Dekker). */
VEC d2 d2_upper(d2 a)
{
    const d2 large = a * d2_all(0x1p27 + 1);
    return large - (large - a);
}
/* A number and its halves. */
typedef struct vd_factor {
    vd all, upper, lower;
} vd_factor;
VEC vd_factor vd_factor_of(vd a)
{
    const vd upper = { d2_upper(a.lo), d2_upper(a.hi) };
    return (vd_factor){ a, upper, { a.lo - upper.lo, a.hi - upper.hi } };
}
/* What the product p of two such numbers has lost. */
VEC d2 d2_product_lost(d2 p, d2 a_upper, d2 a_lower, d2 b_upper, d2 b_lower)
{
    return ((a_upper * b_upper - p) + a_upper * b_lower + a_lower * b_upper) + a_lower * b_lower;
}
/*
 * a * b + c rounded once, where p is a * b rounded and p_lost is what that lost. C and both are added without
 * loss, except for the last two parts, whose sum is rounded to odd (Boldo and Melquiond). A zero has the sign
 * of p + c.
 */
VEC d2 d2_fma64(d2 p, d2 p_lost, d2 c)
{
    d2 low_lost, sum_lost, rest_lost;
    const d2 low = d2_two_sum(c, p_lost, &low_lost), sum = d2_two_sum(p, low, &sum_lost);
    const d2 rest = d2_two_sum(low_lost, sum_lost, &rest_lost), d = sum + d2_odd(rest, rest_lost);
    return (d2)q2_pick((q2)(d == d2_all(0.0)), (q2)(p + c), (q2)d);
}
/* Lane n of each pair, in both. */
VEC d2 d2_of_pair(d2 a, int n)
{
    return n ? __builtin_shufflevector(a, a, 1, 1) : __builtin_shufflevector(a, a, 0, 0);
}
VEC vd_factor vd_of_pair(vd_factor a, int n)
{
    return (vd_factor){ { d2_of_pair(a.all.lo, n), d2_of_pair(a.all.hi, n) },
                        { d2_of_pair(a.upper.lo, n), d2_of_pair(a.upper.hi, n) },
                        { d2_of_pair(a.lower.lo, n), d2_of_pair(a.lower.hi, n) } };
}
/* Numbers whose halves are known to be equal: what is done with one of them need not be done again. */
VEC vd vd_equal_halves(vd a)
{
    return (vd){ a.lo, a.lo };
}
VEC vd_factor vd_equal_factors(vd_factor a)
{
    return (vd_factor){ vd_equal_halves(a.all), vd_equal_halves(a.upper), vd_equal_halves(a.lower) };
}
VEC vd vd_fma(vd_factor a, vd_factor b, vd c)
{
    const d2 low = a.all.lo * b.all.lo, high = a.all.hi * b.all.hi;
    return (
        vd){ d2_fma64(low, d2_product_lost(low, a.upper.lo, a.lower.lo, b.upper.lo, b.lower.lo), c.lo),
             d2_fma64(high, d2_product_lost(high, a.upper.hi, a.lower.hi, b.upper.hi, b.lower.hi), c.hi) };
}

/* Four vectors whose steps alternate: a processor that looks ahead by few instructions then finds some that
 * do not wait for each other. */
typedef struct d8 {
    d2 a, b, c, d;
} d8;
VEC d8 d8_of(vd a, vd b)
{
    return (d8){ a.lo, a.hi, b.lo, b.hi };
}
VEC d8 d8_add(d8 x, d8 y)
{
    return (d8){ x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d };
}
VEC d8 d8_sub(d8 x, d8 y)
{
    return (d8){ x.a - y.a, x.b - y.b, x.c - y.c, x.d - y.d };
}
VEC d8 d8_mul(d8 x, d8 y)
{
    return (d8){ x.a * y.a, x.b * y.b, x.c * y.c, x.d * y.d };
}
VEC d8 d8_scale(d8 x, double by)
{
    const d2 y = d2_all(by);
    return (d8){ x.a * y, x.b * y, x.c * y, x.d * y };
}
/*
 * The same as two vd_fma with fewer steps, unless an exact sum lies so near to the middle of two numbers that
 * these steps cannot tell: then lanes of *doubt become other than zero. p, the rounded product, drops out:
 * Knuth's parts add up to near = p_part + c_part, which is too large by p_part - a * b + c_part - c.
 * Where p_part is p all differences are exact (Dekker), and `more` has a relative error of 2^-53. Elsewhere
 * p + c was not exact, so that near's last place is at least half of p's, and the four differences are off by
 * less than 2^-21 of that place together. If what is 2^-17 larger and what is 2^-17 smaller than `more` give
 * the same number, so does the exact sum: it lies between them, or so close to `near` (an eighth of a place)
 * that all three are `near`. Where p and c are zeros all differences are +0, and d has the sign of p + c.
 */
VEC void vd_fma_likely(vd_factor a, const vd_factor b[2], vd c[2], vm *doubt)
{
    const d8 upper = d8_of(a.upper, a.upper), lower = d8_of(a.lower, a.lower),
             b_upper = d8_of(b[0].upper, b[1].upper), b_lower = d8_of(b[0].lower, b[1].lower);
    const d8 old = d8_of(c[0], c[1]), p = d8_mul(d8_of(a.all, a.all), d8_of(b[0].all, b[1].all)),
             near = d8_add(p, old), c_part = d8_sub(near, p), p_part = d8_sub(near, c_part);
    const d8 c_more = d8_sub(c_part, old);
    d8 more = d8_sub(p_part, d8_mul(upper, b_upper));
    more = d8_sub(more, d8_mul(upper, b_lower));
    more = d8_sub(more, d8_mul(lower, b_upper));
    more = d8_sub(more, d8_mul(lower, b_lower));
    more = d8_add(more, c_more);
    const d8 other = d8_sub(near, d8_scale(more, 1 - 0x1p-17)), d = d8_sub(near, d8_scale(more, 1 + 0x1p-17));
    doubt->lo |= (w4)((q2)d.a ^ (q2)other.a) | (w4)((q2)d.b ^ (q2)other.b);
    doubt->hi |= (w4)((q2)d.c ^ (q2)other.c) | (w4)((q2)d.d ^ (q2)other.d);
    c[0] = (vd){ d.a, d.b };
    c[1] = (vd){ d.c, d.d };
}
/* Nothing to do: such a chain has no NaNs. */
VEC vd vd_canonical(vd a, uint64_t nan)
{
    (void)nan;
    return a;
}
/* binary64 numbers from their low and high words, in an order that vd_words undoes. */
VEC d2 d2_from_words(w4 low, w4 high, int half)
{
    return half ? (d2)__builtin_shufflevector(low, high, 2, 6, 3, 7)
                : (d2)__builtin_shufflevector(low, high, 0, 4, 1, 5);
}
VEC vd vd_from_words(vi low, vi high, int half)
{
    return (vd){ d2_from_words(low.lo, high.lo, half), d2_from_words(low.hi, high.hi, half) };
}
VEC w4 w4_words(d2 a, d2 b, int high)
{
    return high ? __builtin_shufflevector((w4)a, (w4)b, 1, 3, 5, 7)
                : __builtin_shufflevector((w4)a, (w4)b, 0, 2, 4, 6);
}
VEC vi vd_words(vd a, vd b, int high)
{
    return (vi){ w4_words(a.lo, b.lo, high), w4_words(a.hi, b.hi, high) };
}

/*
 * Dot products of four bytes each, modulo 2^32: even and odd bytes separately become 16-bit numbers. A word
 * of codes becomes BYTE_PARTS words.
 */
enum { BYTE_PARTS = 2, BYTE_OFFSETS = 0 };
VEC w4 w4_part(w4 word, bool is_unsigned, int part)
{
    const h8 top = part ? (h8)word : (h8)word << 8;
    return is_unsigned ? (w4)(top >> 8) : (w4)((s8)top >> 8);
}
VEC vi byte_part_v(vi word, bool is_unsigned, int part)
{
    return (vi){ w4_part(word.lo, is_unsigned, part), w4_part(word.hi, is_unsigned, part) };
}
VEC vi byte_part_s(vi word, bool is_unsigned, int part)
{
    return byte_part_v(word, is_unsigned, part);
}
VEC vi byte_dot(vi sum, vi s, vi v)
{
    return (vi){ sum.lo + (w4)i4_dot(s.lo, v.lo), sum.hi + (w4)i4_dot(s.hi, v.hi) };
}

/* Small sums of products of unsigned by signed bytes: 16-bit halves hold them until small_total. */
VEC w4 w4_small_dot(w4 sum, w4 u, w4 s)
{
    const h8 even = ((h8)u & (h8)w4_all(0x00ff00ff)) * (h8)((s8)((h8)s << 8) >> 8);
    const h8 odd = ((h8)u >> 8) * (h8)((s8)s >> 8);
    return (w4)((h8)sum + even + odd);
}
VEC vi small_dot(vi sum, vi u, vi s)
{
    return (vi){ w4_small_dot(sum.lo, u.lo, s.lo), w4_small_dot(sum.hi, u.hi, s.hi) };
}
VEC vi small_total(vi sum)
{
    const w4 ones = w4_all(0x00010001);
    return (vi){ (w4)i4_dot(sum.lo, ones), (w4)i4_dot(sum.hi, ones) };
}

#endif
