/* SPDX-License-Identifier: MIT */
/* The rest of vec_avx512.h: operations that only the vectorised instructions of kernels need. */
#ifndef LW_EMU_FAST_VEC_AVX512_LANES_H
#define LW_EMU_FAST_VEC_AVX512_LANES_H

#include "emu/fast/vec_avx512.h"

#define VEC_HAS_FMA32 1
#define VEC_HAS_SHUFFLE 1 /* bytes shuffled and bits shifted by vectors of counts at once */

VEC vi vi_xor3(vi a, vi b, vi c)
{
    return _mm512_ternarylogic_epi32(a, b, c, 0x96);
}
/* (a & mask) ^ flip */
VEC vi vi_and_xor(vi a, vi mask, vi flip)
{
    return _mm512_ternarylogic_epi32(a, mask, flip, 0x6a);
}
/* The lanes whose bits are set. */
VEC vm vm_of(unsigned lanes)
{
    return (vm)lanes;
}
/* Shifts by the lanes of n; counts of 32 and more give zero. */
VEC vi vi_shrv(vi a, vi n)
{
    return _mm512_srlv_epi32(a, n);
}
VEC vi vi_mul(vi a, vi b)
{
    return _mm512_mullo_epi32(a, b);
}
/* The upper halves of unsigned and signed products. */
VEC vi vi_mul_hi_u(vi a, vi b)
{
    const __m512i even = _mm512_mul_epu32(a, b);
    const __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(a, 32), _mm512_srli_epi64(b, 32));
    return _mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64(even, 32), odd);
}
VEC vi vi_mul_hi_i(vi a, vi b)
{
    const __m512i even = _mm512_mul_epi32(a, b);
    const __m512i odd = _mm512_mul_epi32(_mm512_srli_epi64(a, 32), _mm512_srli_epi64(b, 32));
    return _mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64(even, 32), odd);
}
VEC vi vi_max_u(vi a, vi b)
{
    return _mm512_max_epu32(a, b);
}
/* Is none of the bits set? */
VEC vm vi_lacks(vi a, vi bits)
{
    return _mm512_testn_epi32_mask(a, bits);
}
/* a, in the lanes of m without the bits. */
VEC vi vi_clear(vm m, vi a, vi bits)
{
    return _mm512_mask_andnot_epi32(a, m, bits, a);
}
VEC vi vi_min_u(vi a, vi b)
{
    return _mm512_min_epu32(a, b);
}
/* a <= b, unsigned. */
VEC vm vi_le_u(vi a, vi b)
{
    return _mm512_cmple_epu32_mask(a, b);
}

/* The words, of sixteen at `from`, that the nibbles of n select. */
VEC void vec_moved(vi to[1], const uint32_t *from, uint64_t n)
{
    const __m512i places = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28);
    const __m512i both =
        _mm512_mask_blend_epi32(0xff00, _mm512_set1_epi32((int)n), _mm512_set1_epi32((int)(n >> 32)));
    to[0] = _mm512_permutexvar_epi32(_mm512_srlv_epi32(both, places), vi_load(from));
}

VEC vf vf_sub(vf a, vf b)
{
    return _mm512_sub_ps(a, b);
}
/* False for NaNs. */
VEC vm vf_less(vf a, vf b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}
VEC vm vf_less_equal(vf a, vf b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}
VEC vm vf_equal(vf a, vf b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
}
VEC vm vf_unordered(vf a, vf b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q);
}
/* The larger and the smaller of two numbers, with -0 below +0. */
VEC vf vf_max_number(vf a, vf b)
{
    return _mm512_range_ps(a, b, 5);
}
VEC vf vf_min_number(vf a, vf b)
{
    return _mm512_range_ps(a, b, 4);
}
/* x * y + z to odd: towards zero, with the last bit set where rounding up and rounding down differ. */
VEC vf vf_sum_to_odd(vf x, vf y, vf z)
{
    const __m512i cut = vf_bits(_mm512_fmadd_round_ps(x, y, z, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
    const __m512 up = _mm512_fmadd_round_ps(x, y, z, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
    const __m512 down = _mm512_fmadd_round_ps(x, y, z, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    const __mmask16 inexact = _mm512_cmp_ps_mask(up, down, _CMP_NEQ_OQ);
    return vf_from_bits(_mm512_mask_or_epi32(cut, inexact, cut, _mm512_set1_epi32(1)));
}
/* One bit per lane of a row of 64. */
VEC uint64_t vm_row_bits(const vm m[4])
{
    return _mm512_kunpackd(_mm512_kunpackw(m[3], m[2]), _mm512_kunpackw(m[1], m[0]));
}

/* binary16 numbers in the low halves of lanes, whose upper halves are zero: to binary32, exactly, and from
 * it, to nearest even. */
VEC vf vf_from_f16(vi a)
{
    return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(a));
}
VEC vi vi_f16_of(vf a)
{
    return _mm512_cvtepu16_epi32(_mm512_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

/* For numbers that binary16 has. */
VEC vi vi_f16_exact(vf a)
{
    return vi_f16_of(a);
}

/* Numbers of 16 bits as lanes, and back, for lanes without upper halves. */
VEC vi vi_load_halves(const void *at)
{
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)at));
}
VEC void vi_store_halves(void *at, vi a)
{
    _mm256_storeu_si256((__m256i *)at, _mm512_cvtepi32_epi16(a));
}

/* The numbers of the lower or the upper half of a vector of halves as f32, and back. */
VEC vf vf_f16_part(vi a, int part)
{
    return _mm512_cvtph_ps(part ? _mm512_extracti64x4_epi64(a, 1) : _mm512_castsi512_si256(a));
}
VEC vi vi_f16_join(vf low, vf high)
{
    const __m256i l = _mm512_cvtps_ph(low, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const __m256i h = _mm512_cvtps_ph(high, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    return _mm512_inserti64x4(_mm512_castsi256_si512(l), h, 1);
}

/* Halves of lanes. */
VEC vi vi_add16(vi a, vi b)
{
    return _mm512_add_epi16(a, b);
}
VEC vi vi_mul16(vi a, vi b)
{
    return _mm512_mullo_epi16(a, b);
}
VEC vi vi_max_u16(vi a, vi b)
{
    return _mm512_max_epu16(a, b);
}
VEC vi vi_min_u16(vi a, vi b)
{
    return _mm512_min_epu16(a, b);
}
VEC vi vi_sub16_saturated(vi a, vi b)
{
    return _mm512_subs_epi16(a, b);
}
/* All ones or all zeros in each half. */
VEC vi vi_gt16(vi a, vi b)
{
    return _mm512_movm_epi16(_mm512_cmpgt_epi16_mask(a, b));
}
VEC vi vi_eq16(vi a, vi b)
{
    return _mm512_movm_epi16(_mm512_cmpeq_epi16_mask(a, b));
}
VEC vi vi_sar16(vi a, int n)
{
    return _mm512_sra_epi16(a, _mm_cvtsi32_si128(n));
}
VEC vi vi_shl16(vi a, int n)
{
    return _mm512_sll_epi16(a, _mm_cvtsi32_si128(n));
}
/* m ? a : b, m all ones or zeros in a byte. */
VEC vi vi_choose(vi m, vi a, vi b)
{
    return _mm512_ternarylogic_epi32(m, a, b, 0xca);
}
/* The same, bit by bit. */
VEC vi vi_choose_bits(vi m, vi a, vi b)
{
    return _mm512_ternarylogic_epi32(m, a, b, 0xca);
}
/* Is a > b in a half? */
VEC bool vi_any_gt16(vi a, vi b)
{
    return _mm512_cmpgt_epi16_mask(a, b) != 0;
}
/* Halves of a where the top bit of m's half is set, otherwise of b. */
VEC vi vi_pick16(vi m, vi a, vi b)
{
    return _mm512_mask_blend_epi16(_mm512_movepi16_mask(m), b, a);
}
VEC bool vi_is_zero(vi a)
{
    return _mm512_test_epi32_mask(a, a) == 0;
}
/* ~a & b */
VEC vi vi_without(vi a, vi b)
{
    return _mm512_andnot_si512(a, b);
}

/* Sums of the products of halves, modulo 2^32. */
VEC vi vi_dot16(vi a, vi b)
{
    return _mm512_madd_epi16(a, b);
}

/* One bit per number that is a NaN. */
VEC bool vd_any_nan(vd a)
{
    return _mm512_cmp_pd_mask(a, a, _CMP_UNORD_Q) != 0;
}

/* The entries of a table that n selects. */
VEC vi vi_gather(const uint32_t *table, vi n)
{
    return _mm512_i32gather_epi32(n, (const void *)table, 4);
}

/* 64-bit numbers: those of even and of odd lanes separately. */
typedef __m512i vq;
VEC vq vq_even(vi a)
{
    return _mm512_and_si512(a, _mm512_set1_epi64(0xffffffff));
}
VEC vq vq_odd(vi a)
{
    return _mm512_srli_epi64(a, 32);
}
/* Rejoins low words. */
VEC vi vq_join(vq even, vq odd)
{
    return _mm512_mask_blend_epi32(0xaaaa, even, _mm512_slli_epi64(odd, 32));
}
VEC vq vq_all(uint64_t v)
{
    return _mm512_set1_epi64((long long)v);
}
VEC vq vq_add(vq a, vq b)
{
    return _mm512_add_epi64(a, b);
}
VEC vq vq_sub(vq a, vq b)
{
    return _mm512_sub_epi64(a, b);
}
VEC vq vq_and(vq a, vq b)
{
    return _mm512_and_si512(a, b);
}
/* Products of low words. */
VEC vq vq_mul(vq a, vq b)
{
    return _mm512_mul_epu32(a, b);
}
VEC vq vq_shr(vq a, int n)
{
    return _mm512_srl_epi64(a, _mm_cvtsi32_si128(n));
}
VEC vq vq_shl(vq a, int n)
{
    return _mm512_sll_epi64(a, _mm_cvtsi32_si128(n));
}
VEC vq vq_shrv(vq a, vq n)
{
    return _mm512_srlv_epi64(a, n);
}
VEC vq vq_shlv(vq a, vq n)
{
    return _mm512_sllv_epi64(a, n);
}

/* 64-bit products: of even or of odd lanes. */
VEC vq vq_product(vi a, vi b, int odd)
{
    return odd ? _mm512_mul_epu32(_mm512_srli_epi64(a, 32), _mm512_srli_epi64(b, 32))
               : _mm512_mul_epu32(a, b);
}
/* The binary64 number that equals a, a < 2^52. */
VEC vq vq_double_of(vq a)
{
    const __m512d large = _mm512_set1_pd(0x1p52);
    return _mm512_castpd_si512(_mm512_sub_pd(_mm512_or_pd(_mm512_castsi512_pd(a), large), large));
}
/* The entries of a table of 32 that the low five bits of n select. */
VEC vi vi_of_32(const uint32_t table[32], vi n)
{
    return _mm512_permutex2var_epi32(vi_load(table), n, vi_load(table + 16));
}

/* The same of 64 and six bits. */
VEC vi vi_of_64(const uint32_t table[64], vi n)
{
    return vi_pick(vi_eq(vi_and(n, vi_all(32)), vi_all(0)), vi_of_32(table, n), vi_of_32(table + 32, n));
}
/* Operations on bytes. */
/* Bytes of a where the top bit of m's byte is set, otherwise of b. */
VEC vi vi_pick8(vi m, vi a, vi b)
{
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(m), b, a);
}
VEC vi vi_min_u8(vi a, vi b)
{
    return _mm512_min_epu8(a, b);
}
VEC vi vi_max_u8(vi a, vi b)
{
    return _mm512_max_epu8(a, b);
}
VEC vi vi_sub8(vi a, vi b)
{
    return _mm512_sub_epi8(a, b);
}

/* Lane n of each pair, in both. */
VEC vd vd_of_pair(vd a, int n)
{
    return n ? _mm512_unpackhi_pd(a, a) : _mm512_unpacklo_pd(a, a);
}

#endif
