/* SPDX-License-Identifier: MIT */
/* The rest of vec_portable.h: operations that only the vectorised instructions of kernels need. */
#ifndef LW_EMU_FAST_VEC_PORTABLE_LANES_H
#define LW_EMU_FAST_VEC_PORTABLE_LANES_H

#include "emu/fast/vec_portable.h"

#define VEC_HAS_FMA32 0
#define VEC_HAS_SHUFFLE 0 /* bytes shuffled and bits shifted by vectors of counts at once */

VEC vi vi_xor3(vi a, vi b, vi c)
{
    return vi_xor(vi_xor(a, b), c);
}
/* (a & mask) ^ flip */
VEC vi vi_and_xor(vi a, vi mask, vi flip)
{
    return (vi){ (a.lo & mask.lo) ^ flip.lo, (a.hi & mask.hi) ^ flip.hi };
}
/* The lanes whose bits are set. */
VEC vm vm_of(unsigned lanes)
{
    const w4 low = { 1, 2, 4, 8 }, all = w4_all(lanes);
    return (vm){ (w4)((all & low) != 0), (w4)((all & low << 4) != 0) };
}
/* Shifts by the lanes of n; counts of 32 and more give zero. */
VEC vi vi_shrv(vi a, vi n)
{
    const w4 most = w4_all(31);
    const w4 lo = n.lo & most, hi = n.hi & most;
    return (vi){ (a.lo >> lo) & (w4)(n.lo == lo), (a.hi >> hi) & (w4)(n.hi == hi) };
}
VEC vi vi_mul(vi a, vi b)
{
    return (vi){ a.lo * b.lo, a.hi * b.hi };
}

/* 64-bit numbers: those of even and of odd lanes separately. */
typedef struct vq {
    q2 lo, hi;
} vq;
VEC vq vq_all(uint64_t v)
{
    return (vq){ q2_all(v), q2_all(v) };
}
VEC vq vq_even(vi a)
{
    return (vq){ (q2)a.lo & q2_all(0xffffffff), (q2)a.hi & q2_all(0xffffffff) };
}
VEC vq vq_odd(vi a)
{
    return (vq){ (q2)a.lo >> 32, (q2)a.hi >> 32 };
}
/* Rejoins low words. */
VEC vi vq_join(vq even, vq odd)
{
    const q2 low = q2_all(0xffffffff);
    return (vi){ (w4)((even.lo & low) | odd.lo << 32), (w4)((even.hi & low) | odd.hi << 32) };
}
VEC vq vq_add(vq a, vq b)
{
    return (vq){ a.lo + b.lo, a.hi + b.hi };
}
VEC vq vq_sub(vq a, vq b)
{
    return (vq){ a.lo - b.lo, a.hi - b.hi };
}
VEC vq vq_and(vq a, vq b)
{
    return (vq){ a.lo & b.lo, a.hi & b.hi };
}
VEC q2 q2_mul(q2 a, q2 b)
{
#ifdef __SSE2__
    return (q2)_mm_mul_epu32((__m128i)a, (__m128i)b);
#else
    const q2 low = q2_all(0xffffffff);
    return (a & low) * (b & low);
#endif
}
/* Products of low words. */
VEC vq vq_mul(vq a, vq b)
{
    return (vq){ q2_mul(a.lo, b.lo), q2_mul(a.hi, b.hi) };
}
VEC vq vq_shr(vq a, int n)
{
    return (vq){ a.lo >> (uint64_t)n, a.hi >> (uint64_t)n };
}
VEC vq vq_shl(vq a, int n)
{
    return (vq){ a.lo << (uint64_t)n, a.hi << (uint64_t)n };
}
VEC vq vq_shrv(vq a, vq n)
{
    return (vq){ a.lo >> n.lo, a.hi >> n.hi };
}
VEC vq vq_shlv(vq a, vq n)
{
    return (vq){ a.lo << n.lo, a.hi << n.hi };
}

/* The upper halves of unsigned and signed products. */
VEC vi vi_mul_hi_u(vi a, vi b)
{
    return vq_join(vq_shr(vq_mul(vq_even(a), vq_even(b)), 32), vq_shr(vq_mul(vq_odd(a), vq_odd(b)), 32));
}
VEC vi vi_mul_hi_i(vi a, vi b)
{
    const vi more = vi_add(vi_and(vi_sar(a, 31), b), vi_and(vi_sar(b, 31), a));
    return vi_sub(vi_mul_hi_u(a, b), more);
}
VEC vm vi_le_u(vi a, vi b)
{
    return (vm){ (w4)(a.lo <= b.lo), (w4)(a.hi <= b.hi) };
}
VEC vi vi_max_u(vi a, vi b)
{
    return vi_pick(vi_le_u(a, b), b, a);
}
/* Is none of the bits set? */
VEC vm vi_lacks(vi a, vi bits)
{
    return vi_eq(vi_and(a, bits), vi_all(0));
}
/* a, in the lanes of m without the bits. */
VEC vi vi_clear(vm m, vi a, vi bits)
{
    return (vi){ a.lo & ~(m.lo & bits.lo), a.hi & ~(m.hi & bits.hi) };
}
VEC vi vi_min_u(vi a, vi b)
{
    return vi_pick(vi_le_u(a, b), a, b);
}

/* The words, of sixteen at `from`, that the nibbles of n select. */
VEC void vec_moved(vi to[2], const uint32_t *from, uint64_t n)
{
    uint32_t moved[16];
    for (unsigned i = 0; i < 16; i++)
        moved[i] = from[n >> 4 * i & 15];
    to[0] = vi_load(moved);
    to[1] = vi_load(moved + 8);
}

VEC vf vf_sub(vf a, vf b)
{
    return (vf){ a.lo - b.lo, a.hi - b.hi };
}
/* False for NaNs. */
VEC vm vf_less(vf a, vf b)
{
    return (vm){ (w4)(a.lo < b.lo), (w4)(a.hi < b.hi) };
}
VEC vm vf_less_equal(vf a, vf b)
{
    return (vm){ (w4)(a.lo <= b.lo), (w4)(a.hi <= b.hi) };
}
VEC vm vf_equal(vf a, vf b)
{
    return (vm){ (w4)(a.lo == b.lo), (w4)(a.hi == b.hi) };
}
VEC vm vf_unordered(vf a, vf b)
{
    return (vm){ (w4)(a.lo != a.lo) | (w4)(b.lo != b.lo), (w4)(a.hi != a.hi) | (w4)(b.hi != b.hi) };
}
/* The larger and the smaller of two numbers, with -0 below +0: both orders are combined, as equal numbers
 * compare equal. */
VEC w4 w4_greater(f4 a, f4 b)
{
    return w4_pick((w4)(a > b), (w4)a, (w4)b);
}
VEC vf vf_max_number(vf a, vf b)
{
    return (vf){ (f4)(w4_greater(a.lo, b.lo) & w4_greater(b.lo, a.lo)),
                 (f4)(w4_greater(a.hi, b.hi) & w4_greater(b.hi, a.hi)) };
}
VEC w4 w4_less(f4 a, f4 b)
{
    return w4_pick((w4)(a < b), (w4)a, (w4)b);
}
VEC vf vf_min_number(vf a, vf b)
{
    return (vf){ (f4)(w4_less(a.lo, b.lo) | w4_less(b.lo, a.lo)),
                 (f4)(w4_less(a.hi, b.hi) | w4_less(b.hi, a.hi)) };
}
/*
 * x * y + z to odd: towards zero, with the last bit set where that is not exact. The product of f16 numbers
 * is exact, and the error of the sum is representable (TwoSum).
 */
VEC vf vf_sum_to_odd(vf x, vf y, vf z)
{
    const vf p = vf_mul(x, y), s = vf_add(p, z), back = vf_sub(s, p);
    const vf error = vf_add(vf_sub(p, vf_sub(s, back)), vf_sub(z, back));
    const vf zero = { { 0 }, { 0 } };
    const vi sum = { (w4)s.lo, (w4)s.hi };
    const vi inexact = { (w4)((error.lo < zero.lo) | (error.lo > zero.lo)),
                         (w4)((error.hi < zero.hi) | (error.hi > zero.hi)) };
    const vi over = vi_sar(vi_xor((vi){ (w4)error.lo, (w4)error.hi }, sum), 31);
    const vi cut = vi_or(vi_add(sum, vi_and(over, inexact)), vi_shr(inexact, 31));
    return (vf){ (f4)cut.lo, (f4)cut.hi };
}
/* One bit per lane of a row of 64. */
VEC uint64_t vm_row_bits(const vm m[8])
{
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++)
        bits |= (uint64_t)vm_bits(m[i]) << 8 * i;
    return bits;
}

/*
 * binary16 numbers in the low halves of lanes, whose upper halves are zero: to binary32, exactly, and from
 * it, to nearest even. A subnormal becomes a number with exponent -14, from which 2^-14 is subtracted; NaNs
 * keep the upper bits of their fraction.
 */
VEC w4 w4_from_f16(w4 a)
{
    const w4 size = (a & w4_all(0x7fff)) << 13, sign = (a & w4_all(0x8000)) << 16;
    const w4 top = (w4)(size >= w4_all(31 << 23)), bottom = (w4)(size < w4_all(1 << 23));
    const w4 shifted = size + w4_all(112 << 23) + (top & w4_all(112 << 23)) + (bottom & w4_all(1 << 23));
    const f4 less = (f4)shifted - (f4)(bottom & (w4)f4_all(0x1p-14f));
    return w4_pick(top, shifted, (w4)less) | sign;
}
VEC vf vf_from_f16(vi a)
{
    return (vf){ (f4)w4_from_f16(a.lo), (f4)w4_from_f16(a.hi) };
}
VEC w4 w4_f16_of(w4 a)
{
    const w4 sign = a >> 16 & w4_all(0x8000), size = a & w4_all(INT32_MAX);
    const w4 normal = (size + w4_all(0xfff) + (size >> 13 & w4_all(1)) - w4_all(112 << 23)) >> 13;
    const w4 small = (w4)((f4)(size & (w4)(size < w4_all(113 << 23))) + f4_all(0.5f)) - (w4)f4_all(0.5f);
    const w4 nan = w4_all(0x7e00) | (size >> 13 & w4_all(0x3ff));
    const w4 finite = w4_pick((w4)(size < w4_all(113 << 23)), small, normal);
    const w4 bounded = w4_pick((w4)(size >= w4_all(143 << 23)), w4_all(0x7c00), finite);
    return w4_pick((w4)(size > w4_all(UINT32_C(0x7f800000))), nan, bounded) | sign;
}
VEC vi vi_f16_of(vf a)
{
    return (vi){ w4_f16_of((w4)a.lo), w4_f16_of((w4)a.hi) };
}

/* The same for numbers that binary16 has. A subnormal one becomes a number with exponent -14 by adding 2^-14.
 */
VEC w4 w4_f16_exact(f4 a)
{
    const w4 size = (w4)a & w4_all(INT32_MAX), small = (w4)((i4)size < (i4)w4_all(113 << 23));
    const w4 large = (w4)((f4)size + (f4)(small & w4_all(113 << 23)));
    const w4 code = (large - w4_all(112 << 23) - (small & w4_all(1 << 23))) >> 13;
    return code | ((w4)a >> 16 & w4_all(0x8000));
}
VEC vi vi_f16_exact(vf a)
{
    return (vi){ w4_f16_exact(a.lo), w4_f16_exact(a.hi) };
}

/* One half of the numbers of a vector of halves as f32, and back. */
VEC vf vf_f16_part(vi a, int part)
{
    return vf_from_f16(part ? vi_shr(a, 16) : vi_and(a, vi_all(0xffff)));
}
VEC vi vi_f16_join(vf low, vf high)
{
    return vi_or(vi_f16_of(low), vi_shl(vi_f16_of(high), 16));
}

/* Numbers of 16 bits as lanes, and back, for lanes without upper halves. */
VEC vi vi_load_halves(const void *at)
{
    const h8 none = { 0 };
    h8 x;
    memcpy(&x, at, sizeof(x));
    return (vi){ (w4)__builtin_shufflevector(x, none, 0, 8, 1, 9, 2, 10, 3, 11),
                 (w4)__builtin_shufflevector(x, none, 4, 12, 5, 13, 6, 14, 7, 15) };
}
VEC void vi_store_halves(void *at, vi a)
{
#ifdef __SSE2__
    const i4 lo = (i4)(a.lo << 16) >> 16, hi = (i4)(a.hi << 16) >> 16;
    const h8 x = (h8)_mm_packs_epi32((__m128i)lo, (__m128i)hi);
#else
    const h8 x = __builtin_shufflevector((h8)a.lo, (h8)a.hi, 0, 2, 4, 6, 8, 10, 12, 14);
#endif
    memcpy(at, &x, sizeof(x));
}
/* Halves of lanes. */
VEC vi vi_add16(vi a, vi b)
{
    return (vi){ (w4)((h8)a.lo + (h8)b.lo), (w4)((h8)a.hi + (h8)b.hi) };
}
VEC vi vi_mul16(vi a, vi b)
{
    return (vi){ (w4)((h8)a.lo * (h8)b.lo), (w4)((h8)a.hi * (h8)b.hi) };
}
VEC w4 w4_le_u16(w4 a, w4 b)
{
    return (w4)((h8)a <= (h8)b);
}
VEC vi vi_max_u16(vi a, vi b)
{
    return (vi){ w4_pick(w4_le_u16(a.lo, b.lo), b.lo, a.lo), w4_pick(w4_le_u16(a.hi, b.hi), b.hi, a.hi) };
}
VEC vi vi_min_u16(vi a, vi b)
{
    return (vi){ w4_pick(w4_le_u16(a.lo, b.lo), a.lo, b.lo), w4_pick(w4_le_u16(a.hi, b.hi), a.hi, b.hi) };
}
/* Where the difference overflows, it becomes the end of the range where it overflowed. */
VEC w4 w4_sub16_saturated(w4 a, w4 b)
{
#ifdef __SSE2__
    return (w4)_mm_subs_epi16((__m128i)a, (__m128i)b);
#else
    const h8 less = (h8)a - (h8)b, over = ((h8)a ^ (h8)b) & ((h8)a ^ less);
    const h8 end = (h8)((s8)a >> 15) ^ (h8)w4_all(0x7fff7fff);
    return w4_pick((w4)((s8)over >> 15), (w4)end, (w4)less);
#endif
}
VEC vi vi_sub16_saturated(vi a, vi b)
{
    return (vi){ w4_sub16_saturated(a.lo, b.lo), w4_sub16_saturated(a.hi, b.hi) };
}
/* All ones or all zeros in each half. */
VEC vi vi_gt16(vi a, vi b)
{
    return (vi){ w4_gt16(a.lo, b.lo), w4_gt16(a.hi, b.hi) };
}
VEC vi vi_eq16(vi a, vi b)
{
    return (vi){ (w4)((h8)a.lo == (h8)b.lo), (w4)((h8)a.hi == (h8)b.hi) };
}
VEC vi vi_sar16(vi a, int n)
{
    return (vi){ (w4)((s8)a.lo >> (int16_t)n), (w4)((s8)a.hi >> (int16_t)n) };
}
VEC vi vi_shl16(vi a, int n)
{
    return (vi){ (w4)((h8)a.lo << (uint16_t)n), (w4)((h8)a.hi << (uint16_t)n) };
}
VEC bool vi_is_zero(vi a)
{
    const q2 x = (q2)(a.lo | a.hi);
    return (x[0] | x[1]) == 0;
}
/* m ? a : b, m all ones or zeros in a byte. */
VEC vi vi_choose(vi m, vi a, vi b)
{
    return (vi){ w4_pick(m.lo, a.lo, b.lo), w4_pick(m.hi, a.hi, b.hi) };
}
/* The same, bit by bit. */
VEC vi vi_choose_bits(vi m, vi a, vi b)
{
    return (vi){ w4_pick(m.lo, a.lo, b.lo), w4_pick(m.hi, a.hi, b.hi) };
}
/* Is a > b in a half? */
VEC bool vi_any_gt16(vi a, vi b)
{
    return !vi_is_zero(vi_gt16(a, b));
}
/* Halves of a where the top bit of m's half is set, otherwise of b. */
VEC vi vi_pick16(vi m, vi a, vi b)
{
    const vi set = vi_sar16(m, 15);
    return (vi){ w4_pick(set.lo, a.lo, b.lo), w4_pick(set.hi, a.hi, b.hi) };
}
/* ~a & b */
VEC vi vi_without(vi a, vi b)
{
    return (vi){ ~a.lo & b.lo, ~a.hi & b.hi };
}

/* Sums of the products of halves, modulo 2^32. */
VEC vi vi_dot16(vi a, vi b)
{
    return (vi){ (w4)i4_dot(a.lo, b.lo), (w4)i4_dot(a.hi, b.hi) };
}

/* The entries of a table that n selects. */
VEC vi vi_gather(const uint32_t *table, vi n)
{
    return (vi){ { table[n.lo[0]], table[n.lo[1]], table[n.lo[2]], table[n.lo[3]] },
                 { table[n.hi[0]], table[n.hi[1]], table[n.hi[2]], table[n.hi[3]] } };
}

/* 64-bit products: of even or of odd lanes. */
VEC vq vq_product(vi a, vi b, int odd)
{
    const uint64_t n = odd ? 32 : 0;
    return (vq){ q2_mul((q2)a.lo >> n, (q2)b.lo >> n), q2_mul((q2)a.hi >> n, (q2)b.hi >> n) };
}
/* The binary64 number that equals a, a < 2^52. */
VEC vq vq_double_of(vq a)
{
    const d2 large = d2_all(0x1p52);
    return (vq){ (q2)((d2)(a.lo | (q2)large) - large), (q2)((d2)(a.hi | (q2)large) - large) };
}
/* The entries of a table of 32 that the low five bits of n select. */
VEC vi vi_of_32(const uint32_t table[32], vi n)
{
    return vi_gather(table, vi_and(n, vi_all(31)));
}

/* The same of 64 and six bits. */
VEC vi vi_of_64(const uint32_t table[64], vi n)
{
    return vi_gather(table, vi_and(n, vi_all(63)));
}
/* Operations on bytes. */
/* Bytes of a where the top bit of m's byte is set, otherwise of b. */
VEC vi vi_pick8(vi m, vi a, vi b)
{
    const c16 none = { 0 };
    return vi_pick((vm){ (w4)((c16)m.lo < none), (w4)((c16)m.hi < none) }, a, b);
}
VEC vi vi_max_u8(vi a, vi b)
{
    return vi_pick((vm){ (w4)((b16)a.lo > (b16)b.lo), (w4)((b16)a.hi > (b16)b.hi) }, a, b);
}
VEC vi vi_min_u8(vi a, vi b)
{
    return vi_pick((vm){ (w4)((b16)a.lo < (b16)b.lo), (w4)((b16)a.hi < (b16)b.hi) }, a, b);
}
VEC vi vi_sub8(vi a, vi b)
{
    return (vi){ (w4)((b16)a.lo - (b16)b.lo), (w4)((b16)a.hi - (b16)b.hi) };
}

#endif
