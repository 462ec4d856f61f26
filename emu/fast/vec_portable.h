/* SPDX-License-Identifier: MIT */
/*
 * Eight lanes of 32 bits for the panel kernels, with the vectors that gcc and clang provide on every host.
 * The names are those of vec_avx2.h. A few operations that x86-64 always has, and that take many steps in C,
 * use intrinsics.
 */
#ifndef LW_EMU_FAST_VEC_PORTABLE_H
#define LW_EMU_FAST_VEC_PORTABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define VEC __attribute__((always_inline)) static inline
#define VEC_HAS_MIN8 0
#define VEC_FMA64_LIMITED 1 /* see d2_fma64 */
#define VEC_HAS_PICKS 0     /* lanes select and shift by individual counts in one instruction */
#define VEC_CUTS 0          /* vf_from_int_cut is one instruction */

enum { VEC_LANES = 8 };

/* Half a vector: four words, viewed in several ways. */
typedef uint32_t w4 __attribute__((vector_size(16)));
typedef int32_t i4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef uint64_t q2 __attribute__((vector_size(16)));
typedef int64_t l2 __attribute__((vector_size(16)));
typedef uint16_t h8 __attribute__((vector_size(16)));
typedef int16_t s8 __attribute__((vector_size(16)));
typedef uint8_t b16 __attribute__((vector_size(16)));
typedef int8_t c16 __attribute__((vector_size(16)));

typedef struct vi {
    w4 lo, hi;
} vi;
typedef vi vm; /* all ones or all zeros in a lane */
typedef struct vf {
    f4 lo, hi;
} vf;
typedef struct vd {
    d2 lo, hi;
} vd; /* half as many lanes */

VEC w4 w4_all(uint32_t v)
{
    return (w4){ v, v, v, v };
}
VEC f4 f4_all(float v)
{
    return (f4){ v, v, v, v };
}
VEC q2 q2_all(uint64_t v)
{
    return (q2){ v, v };
}
VEC d2 d2_all(double v)
{
    return (d2){ v, v };
}
/* m ? a : b */
VEC w4 w4_pick(w4 m, w4 a, w4 b)
{
    return (a & m) | (b & ~m);
}

/* Half by half, because gcc copies a structure through memory. */
VEC vi vi_load(const void *at)
{
    vi v;
    memcpy(&v.lo, at, sizeof(v.lo));
    memcpy(&v.hi, (const char *)at + sizeof(v.lo), sizeof(v.hi));
    return v;
}
VEC void vi_store(void *at, vi v)
{
    memcpy(at, &v.lo, sizeof(v.lo));
    memcpy((char *)at + sizeof(v.lo), &v.hi, sizeof(v.hi));
}
VEC vi vi_all(int v)
{
    const w4 x = w4_all((uint32_t)v);
    return (vi){ x, x };
}
/* Stores the lanes whose bits are set in `lanes`; the others keep their contents. */
VEC void vi_store_some(void *at, unsigned lanes, vi v)
{
    const w4 low = { 1, 2, 4, 8 }, all = w4_all(lanes);
    const vi old = vi_load(at);
    const w4 lo = (w4)((all & low) != 0), hi = (w4)((all & low << 4) != 0);
    const vi mixed = { (v.lo & lo) | (old.lo & ~lo), (v.hi & hi) | (old.hi & ~hi) };
    vi_store(at, mixed);
}
/* The word at `at` in all lanes. */
VEC vi vi_each(const uint32_t *at)
{
    return vi_all((int)*at);
}
VEC vi vi_add(vi a, vi b)
{
    return (vi){ a.lo + b.lo, a.hi + b.hi };
}
VEC vi vi_sub(vi a, vi b)
{
    return (vi){ a.lo - b.lo, a.hi - b.hi };
}
VEC vi vi_and(vi a, vi b)
{
    return (vi){ a.lo & b.lo, a.hi & b.hi };
}
VEC vi vi_or(vi a, vi b)
{
    return (vi){ a.lo | b.lo, a.hi | b.hi };
}
VEC vi vi_xor(vi a, vi b)
{
    return (vi){ a.lo ^ b.lo, a.hi ^ b.hi };
}
VEC vm vi_eq(vi a, vi b)
{
    return (vm){ (w4)(a.lo == b.lo), (w4)(a.hi == b.hi) };
}
VEC vm vi_gt(vi a, vi b)
{
    return (vm){ (w4)((i4)a.lo > (i4)b.lo), (w4)((i4)a.hi > (i4)b.hi) };
}
/* m ? a : b */
VEC vi vi_pick(vm m, vi a, vi b)
{
    return (vi){ w4_pick(m.lo, a.lo, b.lo), w4_pick(m.hi, a.hi, b.hi) };
}
VEC vf vf_pick(vm m, vf a, vf b)
{
    return (vf){ (f4)w4_pick(m.lo, (w4)a.lo, (w4)b.lo), (f4)w4_pick(m.hi, (w4)a.hi, (w4)b.hi) };
}
VEC vi vi_max(vi a, vi b)
{
    return vi_pick(vi_gt(a, b), a, b);
}
VEC vi vi_min(vi a, vi b)
{
    return vi_pick(vi_gt(a, b), b, a);
}
VEC vi vi_shl(vi a, int n)
{
    return (vi){ a.lo << (uint32_t)n, a.hi << (uint32_t)n };
}
VEC vi vi_shr(vi a, int n)
{
    return (vi){ a.lo >> (uint32_t)n, a.hi >> (uint32_t)n };
}
VEC vi vi_sar(vi a, int n)
{
    return (vi){ (w4)((i4)a.lo >> n), (w4)((i4)a.hi >> n) };
}
/* Shifts by the lanes of n; counts of 32 and more give zero (signs, for sar). */
VEC vi vi_shlv(vi a, vi n)
{
    const w4 most = w4_all(31);
    const w4 lo = n.lo & most, hi = n.hi & most;
    return (vi){ (a.lo << lo) & (w4)(n.lo == lo), (a.hi << hi) & (w4)(n.hi == hi) };
}
VEC vi vi_sarv(vi a, vi n)
{
    const w4 most = w4_all(31);
    return (vi){ (w4)((i4)a.lo >> (i4)w4_pick((w4)(n.lo > most), most, n.lo)),
                 (w4)((i4)a.hi >> (i4)w4_pick((w4)(n.hi > most), most, n.hi)) };
}
/* Lanes whose top bit is set. */
VEC vm vi_negative(vi a)
{
    return vi_sar(a, 31);
}
/* Where the sum overflows, it becomes the end of the range where it overflowed. */
VEC vi vi_add_saturated(vi a, vi b)
{
    const vi sum = vi_add(a, b), over = vi_and(vi_xor(sum, a), vi_xor(sum, b));
    return vi_pick(vi_negative(over), vi_xor(vi_sar(a, 31), vi_all(INT32_MAX)), sum);
}
VEC vm vm_or(vm a, vm b)
{
    return vi_or(a, b);
}
VEC vm vm_and(vm a, vm b)
{
    return vi_and(a, b);
}
VEC vm vm_not(vm m)
{
    return (vm){ ~m.lo, ~m.hi };
}
VEC vm vm_none(void)
{
    return vi_all(0);
}
/* One bit per lane. */
VEC unsigned vm_bits(vm m)
{
#ifdef __SSE2__
    return (unsigned)_mm_movemask_ps((__m128)m.lo) | (unsigned)_mm_movemask_ps((__m128)m.hi) << 4;
#else
    const w4 one = { 1, 2, 4, 8 }, x = (m.lo & one) | (m.hi & one << 4);
    return x[0] | x[1] | x[2] | x[3];
#endif
}
VEC bool vm_any(vm m)
{
#ifdef __SSE2__
    return _mm_movemask_ps((__m128)(m.lo | m.hi)) != 0;
#else
    const q2 x = (q2)(m.lo | m.hi);
    return (x[0] | x[1]) != 0;
#endif
}

/* The four words at `at` in every four lanes. */
VEC vi vi_four(const uint32_t *at)
{
    w4 x;
    memcpy(&x, at, sizeof(x));
    return (vi){ x, x };
}
/* The word at `at` in eight lanes, and the one eight words after it in the next eight, if there are any. */
VEC vi vi_each_eight(const uint32_t *at)
{
    return vi_each(at);
}
VEC w4 w4_of_four(w4 a, int n)
{
    return n == 0   ? __builtin_shufflevector(a, a, 0, 0, 0, 0)
           : n == 1 ? __builtin_shufflevector(a, a, 1, 1, 1, 1)
           : n == 2 ? __builtin_shufflevector(a, a, 2, 2, 2, 2)
                    : __builtin_shufflevector(a, a, 3, 3, 3, 3);
}
/* Lane n of every four lanes, in all four. */
VEC vi vi_of_four(vi a, int n)
{
    return (vi){ w4_of_four(a.lo, n), w4_of_four(a.hi, n) };
}

/* Halves and bytes of lanes. */
VEC vi vi_add8(vi a, vi b)
{
    return (vi){ (w4)((b16)a.lo + (b16)b.lo), (w4)((b16)a.hi + (b16)b.hi) };
}
VEC w4 w4_gt8(w4 a, w4 b)
{
    return (w4)((c16)a > (c16)b);
}
VEC vi vi_max8(vi a, vi b)
{
    return (vi){ w4_pick(w4_gt8(a.lo, b.lo), a.lo, b.lo), w4_pick(w4_gt8(a.hi, b.hi), a.hi, b.hi) };
}
VEC vi vi_shr16(vi a, int n)
{
    return (vi){ (w4)((h8)a.lo >> (uint16_t)n), (w4)((h8)a.hi >> (uint16_t)n) };
}
VEC vi vi_sub16(vi a, vi b)
{
    return (vi){ (w4)((h8)a.lo - (h8)b.lo), (w4)((h8)a.hi - (h8)b.hi) };
}
VEC w4 w4_gt16(w4 a, w4 b)
{
    return (w4)((s8)a > (s8)b);
}
VEC w4 w4_max16(w4 a, w4 b)
{
#ifdef __SSE2__
    return (w4)_mm_max_epi16((__m128i)a, (__m128i)b);
#else
    return w4_pick(w4_gt16(a, b), a, b);
#endif
}
VEC vi vi_max16(vi a, vi b)
{
    return (vi){ w4_max16(a.lo, b.lo), w4_max16(a.hi, b.hi) };
}
VEC w4 w4_min16(w4 a, w4 b)
{
#ifdef __SSE2__
    return (w4)_mm_min_epi16((__m128i)a, (__m128i)b);
#else
    return w4_pick(w4_gt16(a, b), b, a);
#endif
}
VEC vi vi_min16(vi a, vi b)
{
    return (vi){ w4_min16(a.lo, b.lo), w4_min16(a.hi, b.hi) };
}
/* b where a is zero, c elsewhere. */
VEC vi vi_if_zero16(vi a, vi b, vi c)
{
    return (vi){ w4_pick((w4)((h8)a.lo == (h8)w4_all(0)), b.lo, c.lo),
                 w4_pick((w4)((h8)a.hi == (h8)w4_all(0)), b.hi, c.hi) };
}
VEC vi vi_if_zero8(vi a, vi b, vi c)
{
    return (vi){ w4_pick((w4)((b16)a.lo == (b16)w4_all(0)), b.lo, c.lo),
                 w4_pick((w4)((b16)a.hi == (b16)w4_all(0)), b.hi, c.hi) };
}
/* Bytes equal, greater (signed): all ones or zeros. */
VEC vi vi_eq8(vi a, vi b)
{
    return (vi){ (w4)((b16)a.lo == (b16)b.lo), (w4)((b16)a.hi == (b16)b.hi) };
}
VEC vi vi_gt8(vi a, vi b)
{
    return (vi){ w4_gt8(a.lo, b.lo), w4_gt8(a.hi, b.hi) };
}
/* (a & mask) | b */
VEC vi vi_and_or(vi a, vi mask, vi b)
{
    return vi_or(vi_and(a, mask), b);
}
VEC vi vf_bits(vf a)
{
    return (vi){ (w4)a.lo, (w4)a.hi };
}
VEC vf vf_from_bits(vi a)
{
    return (vf){ (f4)a.lo, (f4)a.hi };
}
VEC vf vf_load(const void *at)
{
    return vf_from_bits(vi_load(at));
}
VEC void vf_store(void *at, vf v)
{
    vi_store(at, vf_bits(v));
}
VEC vf vf_each(const uint32_t *at)
{
    return vf_from_bits(vi_each(at));
}
VEC vf vf_all(float v)
{
    return (vf){ f4_all(v), f4_all(v) };
}
VEC vf vf_add(vf a, vf b)
{
    return (vf){ a.lo + b.lo, a.hi + b.hi };
}
VEC vf vf_mul(vf a, vf b)
{
    return (vf){ a.lo * b.lo, a.hi * b.hi };
}
VEC vf vf_abs(vf a)
{
    return vf_from_bits(vi_and(vf_bits(a), vi_all(INT32_MAX)));
}
/* The larger magnitude. */
VEC vf vf_larger(vf a, vf b)
{
    return vf_from_bits(vi_max(vf_bits(vf_abs(a)), vf_bits(vf_abs(b))));
}
/* a >= b, or either is a NaN. */
VEC vm vf_not_less(vf a, vf b)
{
    return (vm){ ~(w4)(a.lo < b.lo), ~(w4)(a.hi < b.hi) };
}
VEC vm vf_is_nan(vf a)
{
    return (vm){ (w4)(a.lo != a.lo), (w4)(a.hi != a.hi) };
}
/* Towards zero; the least integer for numbers that are out of range. */
VEC w4 f4_cut(f4 a)
{
#ifdef __SSE2__
    return (w4)_mm_cvttps_epi32((__m128)a);
#else
    const w4 fits = (w4)(a < f4_all(0x1p31f)) & (w4)(a >= f4_all(-0x1p31f));
    return w4_pick(fits, (w4) __builtin_convertvector((f4)((w4)a & fits), i4), w4_all(UINT32_C(0x80000000)));
#endif
}
VEC vi vf_cut(vf a)
{
    return (vi){ f4_cut(a.lo), f4_cut(a.hi) };
}
VEC vf vf_from_int(vi a)
{
    return (vf){ __builtin_convertvector((i4)a.lo, f4), __builtin_convertvector((i4)a.hi, f4) };
}
/* Towards zero: one unit in the last place less where rounding to nearest rounded up. */
VEC vf vf_from_int_cut(vi a)
{
    const vi sign = vi_sar(a, 31), size = vi_sub(vi_xor(a, sign), sign);
    const vf near = vf_from_int(size);
    const vi kept = vi_add(vf_bits(near), vi_sar(vi_sub(size, vf_cut(near)), 31));
    return vf_from_bits(vi_or(kept, vi_and(a, vi_all(INT32_MIN))));
}
/* Adding and subtracting 2^23 leaves an integer, rounded to nearest; larger numbers are integers. */
VEC f4 f4_floor(f4 a)
{
    const w4 sign = (w4)a & w4_all(UINT32_C(0x80000000));
    const f4 large = (f4)((w4)f4_all(0x1p23f) | sign), near = (a + large) - large;
    const f4 less = near - (f4)((w4)f4_all(1.0f) & (w4)(near > a));
    const w4 is_small = (w4)((f4)((w4)a & ~w4_all(UINT32_C(0x80000000))) < f4_all(0x1p23f));
    return (f4)(w4_pick(is_small, (w4)less, (w4)a) | sign);
}
VEC vf vf_floor(vf a)
{
    return (vf){ f4_floor(a.lo), f4_floor(a.hi) };
}
/* Towards minus infinity; the least integer for numbers that are out of range. */
VEC w4 f4_floor_cut(f4 a)
{
    const w4 cut = f4_cut(a);
    const w4 above = (w4)(__builtin_convertvector((i4)cut, f4) > a);
    return cut + (above & (w4)(a >= f4_all(-0x1p31f)));
}
VEC vi vf_floor_cut(vf a)
{
    return (vi){ f4_floor_cut(a.lo), f4_floor_cut(a.hi) };
}
/*
 * floor(a * b); b = 2^e with -126 <= e <= 126. As integers, negative binary32 numbers are ordered backwards:
 * max turns a negative number above -1 / b into -1 / b, whose product is -1 and does not round to zero.
 */
VEC vi vf_floor_product(vf a, vf b)
{
    const vi least = vi_sub(vi_all((int)UINT32_C(0xff000000)), vf_bits(b));
    return vf_floor_cut(vf_mul(vf_from_bits(vi_max(vf_bits(a), least)), b));
}

VEC w4 w4_bytes_of(const uint8_t table[16], w4 n)
{
    uint8_t at[16], out[16];
    w4 to;
    memcpy(at, &n, sizeof(at));
    for (int i = 0; i < 16; i++)
        out[i] = table[at[i] & 15];
    memcpy(&to, out, sizeof(to));
    return to;
}
/* The bytes that n selects, within every sixteen bytes. */
VEC vi vi_bytes_of(vi a, vi n)
{
    uint8_t table[2][16];
    memcpy(table, &a, sizeof(table));
    return (vi){ w4_bytes_of(table[0], n.lo), w4_bytes_of(table[1], n.hi) };
}
/* The bytes of a 16-entry table that the low nibbles of n select. */
VEC vi vi_lookup(const uint8_t table[16], vi n)
{
    return (vi){ w4_bytes_of(table, n.lo), w4_bytes_of(table, n.hi) };
}
VEC w4 w4_load(const uint32_t *at)
{
    w4 v;
    memcpy(&v, at, sizeof(v));
    return v;
}
VEC void w4_store(uint32_t *at, w4 v)
{
    memcpy(at, &v, sizeof(v));
}
/* Rows become columns. */
VEC void w4_turn(w4 row[4])
{
    const w4 low = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5),
             low2 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5),
             high = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7),
             high2 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
    row[0] = __builtin_shufflevector(low, low2, 0, 1, 4, 5);
    row[1] = __builtin_shufflevector(low, low2, 2, 3, 6, 7);
    row[2] = __builtin_shufflevector(high, high2, 0, 1, 4, 5);
    row[3] = __builtin_shufflevector(high, high2, 2, 3, 6, 7);
}
/* Four words from each of four places `step` apart, transposed. */
VEC void vec_turn_four(const uint32_t *from, int step, uint32_t *to, int to_step)
{
    w4 row[4] = { w4_load(from), w4_load(from + step), w4_load(from + 2 * step), w4_load(from + 3 * step) };
    w4_turn(row);
    w4_store(to, row[0]);
    w4_store(to + to_step, row[1]);
    w4_store(to + 2 * to_step, row[2]);
    w4_store(to + 3 * to_step, row[3]);
}

VEC i4 i4_dot(w4 a, w4 b)
{
#ifdef __SSE2__
    return (i4)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
    const i4 x = (i4)a, y = (i4)b;
    return (x << 16 >> 16) * (y << 16 >> 16) + (x >> 16) * (y >> 16);
#endif
}

#endif
