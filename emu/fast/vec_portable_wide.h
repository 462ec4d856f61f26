/* SPDX-License-Identifier: MIT */
/* The rest of vec_portable.h: what works in binary64, the emulated FMA of binary32 included. */
#ifndef LW_EMU_FAST_VEC_PORTABLE_WIDE_H
#define LW_EMU_FAST_VEC_PORTABLE_WIDE_H

#include "emu/fast/vec_portable.h"

VEC vd vd_all(double v)
{
    return (vd){ d2_all(v), d2_all(v) };
}
VEC vd vd_load(const double *at)
{
    vd v;
    memcpy(&v, at, sizeof(v));
    return v;
}
VEC void vd_store(double *at, vd a)
{
    memcpy(at, &a, sizeof(a));
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
/* a * b + c where that is a binary64 number. */
VEC vd vd_fma_exact(vd a, vd b, vd c)
{
    return vd_add(vd_mul(a, b), c);
}

#define SIGN64 UINT64_C(0x8000000000000000)

VEC q2 q2_pick(q2 m, q2 a, q2 b)
{
    return (a & m) | (b & ~m);
}
/* To the nearest integer of a number below 2^52 in magnitude, `large` being 2^52 with its sign. */
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
/* Rounded to nearest even and joined. */
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
VEC d2 d2_keep31(d2 a)
{
    const q2 low = q2_all((1 << 21) - 1), bits = (q2)a;
    return (d2)((bits + (low & (q2)((l2)bits < (l2)q2_all(0)))) & ~low);
}
/* Keeps 31 of the 52 fraction bits, towards minus infinity: magnitudes of negative numbers grow first. */
VEC vd vd_keep31(vd a)
{
    return (vd){ d2_keep31(a.lo), d2_keep31(a.hi) };
}

/*
 * Round to odd: a + b, b too small to reach a's last place, with the last bit standing for what is lost.
 * Rounding that to fewer bits (two less at least) is rounding the exact sum. Nothing is done to infinities
 * and NaNs, whose b is a NaN.
 */
VEC d2 d2_odd(d2 a, d2 b)
{
    const q2 one = q2_all(1), bits = (q2)a;
    const q2 lost = (q2)(b < d2_all(0.0)) | (q2)(b > d2_all(0.0)), even = (bits & one) - one;
    const q2 apart = (q2)(((l2)(bits ^ (q2)b)) < (l2)q2_all(0)); /* signs differ: towards zero */
    return (d2)(bits + ((apart | one) & lost & even));
}
/* a * b + c, each product exact in binary64; what the sum loses is found after Knuth (TwoSum). */
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

#endif
