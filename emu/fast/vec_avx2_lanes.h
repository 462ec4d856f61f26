/* SPDX-License-Identifier: MIT */
/* The rest of vec_avx2.h: operations that only the vectorised instructions of kernels need. */
#ifndef LW_EMU_FAST_VEC_AVX2_LANES_H
#define LW_EMU_FAST_VEC_AVX2_LANES_H

#include "emu/fast/vec_avx2.h"

#define VEC_HAS_FMA32 1
#define VEC_HAS_SHUFFLE 1 /* bytes shuffled and bits shifted by vectors of counts at once */

VEC vi vi_xor3(vi a, vi b, vi c)
{
    return vi_xor(vi_xor(a, b), c);
}
/* (a & mask) ^ flip */
VEC vi vi_and_xor(vi a, vi mask, vi flip)
{
    return _mm256_xor_si256(_mm256_and_si256(a, mask), flip);
}
/* The lanes whose bits are set. */
VEC vm vm_of(unsigned lanes)
{
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)lanes), bits), bits);
}
/* Shifts by the lanes of n; counts of 32 and more give zero. */
VEC vi vi_shrv(vi a, vi n)
{
    return _mm256_srlv_epi32(a, n);
}
VEC vi vi_mul(vi a, vi b)
{
    return _mm256_mullo_epi32(a, b);
}
/* The upper halves of unsigned and signed products. */
VEC vi vi_mul_hi_u(vi a, vi b)
{
    const __m256i even = _mm256_mul_epu32(a, b);
    const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32));
    return _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
}
VEC vi vi_mul_hi_i(vi a, vi b)
{
    const __m256i even = _mm256_mul_epi32(a, b);
    const __m256i odd = _mm256_mul_epi32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32));
    return _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
}
VEC vi vi_max_u(vi a, vi b)
{
    return _mm256_max_epu32(a, b);
}
/* Is none of the bits set? */
VEC vm vi_lacks(vi a, vi bits)
{
    return _mm256_cmpeq_epi32(_mm256_and_si256(a, bits), _mm256_setzero_si256());
}
/* a, in the lanes of m without the bits. */
VEC vi vi_clear(vm m, vi a, vi bits)
{
    return _mm256_andnot_si256(_mm256_and_si256(m, bits), a);
}
VEC vi vi_min_u(vi a, vi b)
{
    return _mm256_min_epu32(a, b);
}
/* a <= b, unsigned. */
VEC vm vi_le_u(vi a, vi b)
{
    return _mm256_cmpeq_epi32(_mm256_min_epu32(a, b), a);
}

/* The words, of sixteen at `from`, that the nibbles of n select. */
VEC void vec_moved(vi to[2], const uint32_t *from, uint64_t n)
{
    const __m256i places = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    const __m256i low = vi_load(from), high = vi_load(from + 8);
    for (int i = 0; i < 2; i++) {
        const __m256i at = _mm256_srlv_epi32(_mm256_set1_epi32((int)(n >> 32 * i)), places);
        const __m256 x = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(low, at));
        const __m256 y = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(high, at));
        to[i] = _mm256_castps_si256(_mm256_blendv_ps(x, y, _mm256_castsi256_ps(_mm256_slli_epi32(at, 28))));
    }
}

VEC vf vf_sub(vf a, vf b)
{
    return _mm256_sub_ps(a, b);
}
/* False for NaNs. */
VEC vm vf_less(vf a, vf b)
{
    return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_LT_OQ));
}
VEC vm vf_less_equal(vf a, vf b)
{
    return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
}
VEC vm vf_equal(vf a, vf b)
{
    return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_EQ_OQ));
}
VEC vm vf_unordered(vf a, vf b)
{
    return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_UNORD_Q));
}
/* The larger and the smaller of two numbers, with -0 below +0: the host returns its second source where they
 * are equal. */
VEC vf vf_max_number(vf a, vf b)
{
    return _mm256_and_ps(_mm256_max_ps(a, b), _mm256_max_ps(b, a));
}
VEC vf vf_min_number(vf a, vf b)
{
    return _mm256_or_ps(_mm256_min_ps(a, b), _mm256_min_ps(b, a));
}
/*
 * x * y + z to odd: towards zero, with the last bit set where that is not exact. The product of f16 numbers
 * is exact, and the error of the sum is representable (TwoSum).
 */
VEC vf vf_sum_to_odd(vf x, vf y, vf z)
{
    const vf p = vf_mul(x, y), s = vf_add(p, z), back = vf_sub(s, p);
    const vf error = vf_add(vf_sub(p, vf_sub(s, back)), vf_sub(z, back));
    const __m256i sum = vf_bits(s);
    const __m256i inexact = _mm256_castps_si256(_mm256_cmp_ps(error, _mm256_setzero_ps(), _CMP_NEQ_OQ));
    const __m256i over = _mm256_srai_epi32(_mm256_xor_si256(vf_bits(error), sum), 31);
    const __m256i cut = _mm256_add_epi32(sum, _mm256_and_si256(over, inexact));
    return vf_from_bits(_mm256_or_si256(cut, _mm256_srli_epi32(inexact, 31)));
}
/* One bit per lane of a row of 64. */
VEC uint64_t vm_row_bits(const vm m[8])
{
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    uint64_t bits = 0;
    for (int i = 0; i < 8; i += 4) {
        const __m256i halves = _mm256_packs_epi32(m[i], m[i + 1]),
                      more = _mm256_packs_epi32(m[i + 2], m[i + 3]);
        const __m256i bytes = _mm256_permutevar8x32_epi32(_mm256_packs_epi16(halves, more), order);
        bits |= (uint64_t)(uint32_t)_mm256_movemask_epi8(bytes) << 8 * i;
    }
    return bits;
}

/* binary16 numbers in the low halves of lanes, whose upper halves are zero: to binary32, exactly, and from
 * it, to nearest even. */
VEC vf vf_from_f16(vi a)
{
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(a, a), 0x08);
    return _mm256_cvtph_ps(_mm256_castsi256_si128(packed));
}
VEC vi vi_f16_of(vf a)
{
    return _mm256_cvtepu16_epi32(_mm256_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

/* For numbers that binary16 has. */
VEC vi vi_f16_exact(vf a)
{
    return vi_f16_of(a);
}

/* Numbers of 16 bits as lanes, and back, for lanes without upper halves. */
VEC vi vi_load_halves(const void *at)
{
    return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)at));
}
VEC void vi_store_halves(void *at, vi a)
{
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(a, a), 0x08);
    _mm_storeu_si128((__m128i *)at, _mm256_castsi256_si128(packed));
}

/* The numbers of the lower or the upper half of a vector of halves as f32, and back. */
VEC vf vf_f16_part(vi a, int part)
{
    return _mm256_cvtph_ps(part ? _mm256_extracti128_si256(a, 1) : _mm256_castsi256_si128(a));
}
VEC vi vi_f16_join(vf low, vf high)
{
    const __m128i l = _mm256_cvtps_ph(low, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const __m128i h = _mm256_cvtps_ph(high, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(l), h, 1);
}

/* Halves of lanes. */
VEC vi vi_add16(vi a, vi b)
{
    return _mm256_add_epi16(a, b);
}
VEC vi vi_mul16(vi a, vi b)
{
    return _mm256_mullo_epi16(a, b);
}
VEC vi vi_max_u16(vi a, vi b)
{
    return _mm256_max_epu16(a, b);
}
VEC vi vi_min_u16(vi a, vi b)
{
    return _mm256_min_epu16(a, b);
}
VEC vi vi_sub16_saturated(vi a, vi b)
{
    return _mm256_subs_epi16(a, b);
}
/* All ones or all zeros in each half. */
VEC vi vi_gt16(vi a, vi b)
{
    return _mm256_cmpgt_epi16(a, b);
}
VEC vi vi_eq16(vi a, vi b)
{
    return _mm256_cmpeq_epi16(a, b);
}
VEC vi vi_sar16(vi a, int n)
{
    return _mm256_sra_epi16(a, _mm_cvtsi32_si128(n));
}
VEC vi vi_shl16(vi a, int n)
{
    return _mm256_sll_epi16(a, _mm_cvtsi32_si128(n));
}
/* m ? a : b, m all ones or zeros in a byte. */
VEC vi vi_choose(vi m, vi a, vi b)
{
    return _mm256_blendv_epi8(b, a, m);
}
/* The same, bit by bit. */
VEC vi vi_choose_bits(vi m, vi a, vi b)
{
    return _mm256_or_si256(_mm256_and_si256(m, a), _mm256_andnot_si256(m, b));
}
/* Is a > b in a half? */
VEC bool vi_any_gt16(vi a, vi b)
{
    const __m256i more = _mm256_cmpgt_epi16(a, b);
    return !_mm256_testz_si256(more, more);
}
/* Halves of a where the top bit of m's half is set, otherwise of b. */
VEC vi vi_pick16(vi m, vi a, vi b)
{
    return _mm256_blendv_epi8(b, a, _mm256_srai_epi16(m, 15));
}
VEC bool vi_is_zero(vi a)
{
    return _mm256_testz_si256(a, a);
}
/* ~a & b */
VEC vi vi_without(vi a, vi b)
{
    return _mm256_andnot_si256(a, b);
}

/* Sums of the products of halves, modulo 2^32. */
VEC vi vi_dot16(vi a, vi b)
{
    return _mm256_madd_epi16(a, b);
}

/* One bit per number that is a NaN. */
VEC bool vd_any_nan(vd a)
{
    return _mm256_movemask_pd(_mm256_cmp_pd(a, a, _CMP_UNORD_Q)) != 0;
}

/* The entries of a table that n selects. */
VEC vi vi_gather(const uint32_t *table, vi n)
{
    return _mm256_i32gather_epi32((const int *)(const void *)table, n, 4);
}

/* 64-bit numbers: those of even and of odd lanes separately. */
typedef __m256i vq;
VEC vq vq_even(vi a)
{
    return _mm256_and_si256(a, _mm256_set1_epi64x(0xffffffff));
}
VEC vq vq_odd(vi a)
{
    return _mm256_srli_epi64(a, 32);
}
/* Rejoins low words. */
VEC vi vq_join(vq even, vq odd)
{
    return _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);
}
VEC vq vq_all(uint64_t v)
{
    return _mm256_set1_epi64x((long long)v);
}
VEC vq vq_add(vq a, vq b)
{
    return _mm256_add_epi64(a, b);
}
VEC vq vq_sub(vq a, vq b)
{
    return _mm256_sub_epi64(a, b);
}
VEC vq vq_and(vq a, vq b)
{
    return _mm256_and_si256(a, b);
}
/* Products of low words. */
VEC vq vq_mul(vq a, vq b)
{
    return _mm256_mul_epu32(a, b);
}
VEC vq vq_shr(vq a, int n)
{
    return _mm256_srl_epi64(a, _mm_cvtsi32_si128(n));
}
VEC vq vq_shl(vq a, int n)
{
    return _mm256_sll_epi64(a, _mm_cvtsi32_si128(n));
}
VEC vq vq_shrv(vq a, vq n)
{
    return _mm256_srlv_epi64(a, n);
}
VEC vq vq_shlv(vq a, vq n)
{
    return _mm256_sllv_epi64(a, n);
}

/* 64-bit products: of even or of odd lanes. */
VEC vq vq_product(vi a, vi b, int odd)
{
    return odd ? _mm256_mul_epu32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32))
               : _mm256_mul_epu32(a, b);
}
/* The binary64 number that equals a, a < 2^52. */
VEC vq vq_double_of(vq a)
{
    const __m256d large = _mm256_set1_pd(0x1p52);
    return _mm256_castpd_si256(_mm256_sub_pd(_mm256_or_pd(_mm256_castsi256_pd(a), large), large));
}
/* The entries of a table of 32 that the low five bits of n select. */
VEC vi vi_of_32(const uint32_t table[32], vi n)
{
    return vi_gather(table, _mm256_and_si256(n, _mm256_set1_epi32(31)));
}

/* The same of 64 and six bits. */
VEC vi vi_of_64(const uint32_t table[64], vi n)
{
    return vi_gather(table, _mm256_and_si256(n, _mm256_set1_epi32(63)));
}
/* Operations on bytes. */
/* Bytes of a where the top bit of m's byte is set, otherwise of b. */
VEC vi vi_pick8(vi m, vi a, vi b)
{
    return _mm256_blendv_epi8(b, a, m);
}
VEC vi vi_min_u8(vi a, vi b)
{
    return _mm256_min_epu8(a, b);
}
VEC vi vi_max_u8(vi a, vi b)
{
    return _mm256_max_epu8(a, b);
}
VEC vi vi_sub8(vi a, vi b)
{
    return _mm256_sub_epi8(a, b);
}

/* The word at `at` in eight lanes, and the one eight words after it in the next eight, if there are any. */
VEC vi vi_each_eight(const uint32_t *at)
{
    return vi_each(at);
}

/* Lane n of each pair, in both. */
VEC vd vd_of_pair(vd a, int n)
{
    return n ? _mm256_unpackhi_pd(a, a) : _mm256_unpacklo_pd(a, a);
}

#endif
