/* SPDX-License-Identifier: MIT */
/* Sixteen lanes of 32 bits for the panel kernels: AVX-512. The names are those of vec_avx2.h. */
#ifndef LW_EMU_FAST_VEC_AVX512_H
#define LW_EMU_FAST_VEC_AVX512_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define VEC __attribute__((always_inline)) static inline
#define VEC_FMA64_LIMITED 0
#define VEC_HAS_MIN8 1
#define VEC_HAS_PICKS 1 /* lanes select and shift by individual counts in one instruction */
#define VEC_CUTS 1      /* vf_from_int_cut is one instruction */

enum { VEC_LANES = 16 };

typedef __m512 vf;
typedef __m512i vi;
typedef __m512d vd; /* half as many lanes */
typedef __mmask16 vm;

VEC vi vi_load(const void *at)
{
    return _mm512_loadu_si512(at);
}
VEC void vi_store(void *at, vi v)
{
    _mm512_storeu_si512(at, v);
}
/* Stores the lanes whose bits are set in `lanes`; the others keep their contents. */
VEC void vi_store_some(void *at, unsigned lanes, vi v)
{
    _mm512_mask_storeu_epi32(at, (__mmask16)lanes, v);
}
/* The word at `at` in all lanes. */
VEC vi vi_each(const uint32_t *at)
{
    return _mm512_set1_epi32((int)*at);
}
VEC vi vi_all(int v)
{
    return _mm512_set1_epi32(v);
}
VEC vi vi_add(vi a, vi b)
{
    return _mm512_add_epi32(a, b);
}
VEC vi vi_sub(vi a, vi b)
{
    return _mm512_sub_epi32(a, b);
}
VEC vi vi_and(vi a, vi b)
{
    return _mm512_and_si512(a, b);
}
VEC vi vi_or(vi a, vi b)
{
    return _mm512_or_si512(a, b);
}
VEC vi vi_xor(vi a, vi b)
{
    return _mm512_xor_si512(a, b);
}
VEC vi vi_max(vi a, vi b)
{
    return _mm512_max_epi32(a, b);
}
VEC vi vi_min(vi a, vi b)
{
    return _mm512_min_epi32(a, b);
}
VEC vi vi_shl(vi a, int n)
{
    return _mm512_sll_epi32(a, _mm_cvtsi32_si128(n));
}
VEC vi vi_shr(vi a, int n)
{
    return _mm512_srl_epi32(a, _mm_cvtsi32_si128(n));
}
VEC vi vi_sar(vi a, int n)
{
    return _mm512_sra_epi32(a, _mm_cvtsi32_si128(n));
}
/* Shifts by the lanes of n; counts of 32 and more give zero (signs, for sar). */
VEC vi vi_shlv(vi a, vi n)
{
    return _mm512_sllv_epi32(a, n);
}
VEC vi vi_sarv(vi a, vi n)
{
    return _mm512_srav_epi32(a, n);
}
/* Where the sum overflows, it becomes the end of the range where it overflowed. */
VEC vi vi_add_saturated(vi a, vi b)
{
    const __m512i sum = _mm512_add_epi32(a, b);
    const __mmask16 over = _mm512_movepi32_mask(_mm512_ternarylogic_epi32(sum, a, b, 0x18));
    const __m512i end = _mm512_xor_si512(_mm512_srai_epi32(a, 31), _mm512_set1_epi32(INT32_MAX));
    return _mm512_mask_blend_epi32(over, sum, end);
}
VEC vi vi_add8(vi a, vi b)
{
    return _mm512_add_epi8(a, b);
}
VEC vi vi_max8(vi a, vi b)
{
    return _mm512_max_epi8(a, b);
}
/* Bytes with VEC_BYTE_BIAS added. */
enum { VEC_BYTE_BIAS = 0 };
VEC vi vi_max8_biased(vi a, vi b)
{
    return vi_max8(a, b);
}
VEC vm vi_eq(vi a, vi b)
{
    return _mm512_cmpeq_epi32_mask(a, b);
}
VEC vm vi_gt(vi a, vi b)
{
    return _mm512_cmpgt_epi32_mask(a, b);
}
VEC vm vm_or(vm a, vm b)
{
    return (vm)(a | b);
}
VEC vm vm_and(vm a, vm b)
{
    return (vm)(a & b);
}
VEC vm vm_not(vm m)
{
    return (vm)~m;
}
VEC vm vm_none(void)
{
    return 0;
}
VEC bool vm_any(vm m)
{
    return m != 0;
}
/* One bit per lane. */
VEC unsigned vm_bits(vm m)
{
    return m;
}
/* m ? a : b */
VEC vi vi_pick(vm m, vi a, vi b)
{
    return _mm512_mask_blend_epi32(m, b, a);
}
VEC vf vf_pick(vm m, vf a, vf b)
{
    return _mm512_mask_blend_ps(m, b, a);
}

/* The four words at `at` in every four lanes. */
VEC vi vi_four(const uint32_t *at)
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)at));
}
/* The word at `at` in eight lanes, and the one eight words after it in the next eight. */
VEC vi vi_each_eight(const uint32_t *at)
{
    return _mm512_mask_set1_epi32(vi_each(at), 0xff00, (int)at[8]);
}
/* Lane n of every four lanes, in all four. */
VEC vi vi_of_four(vi a, int n)
{
    return n == 0   ? _mm512_shuffle_epi32(a, _MM_PERM_AAAA)
           : n == 1 ? _mm512_shuffle_epi32(a, _MM_PERM_BBBB)
           : n == 2 ? _mm512_shuffle_epi32(a, _MM_PERM_CCCC)
                    : _mm512_shuffle_epi32(a, _MM_PERM_DDDD);
}

/* Halves and bytes of lanes. */
VEC vi vi_shr16(vi a, int n)
{
    return _mm512_srl_epi16(a, _mm_cvtsi32_si128(n));
}
VEC vi vi_sub16(vi a, vi b)
{
    return _mm512_sub_epi16(a, b);
}
VEC vi vi_max16(vi a, vi b)
{
    return _mm512_max_epi16(a, b);
}
VEC vi vi_min16(vi a, vi b)
{
    return _mm512_min_epi16(a, b);
}
/* b where a is zero, c elsewhere. */
VEC vi vi_if_zero16(vi a, vi b, vi c)
{
    return _mm512_mask_mov_epi16(c, _mm512_testn_epi16_mask(a, a), b);
}
VEC vi vi_if_zero8(vi a, vi b, vi c)
{
    return _mm512_mask_mov_epi8(c, _mm512_testn_epi8_mask(a, a), b);
}
/* Bytes equal, greater (signed): all ones or zeros. */
VEC vi vi_eq8(vi a, vi b)
{
    return _mm512_movm_epi8(_mm512_cmpeq_epi8_mask(a, b));
}
VEC vi vi_gt8(vi a, vi b)
{
    return _mm512_movm_epi8(_mm512_cmpgt_epi8_mask(a, b));
}
/* (a & mask) | b */
VEC vi vi_and_or(vi a, vi mask, vi b)
{
    return _mm512_ternarylogic_epi32(a, mask, b, 0xea);
}
/* Exchanges the two middle bytes of each lane. */
VEC vi vi_swap_middle(vi a)
{
    const __m128i order = _mm_setr_epi8(0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15);
    return _mm512_shuffle_epi8(a, _mm512_broadcast_i32x4(order));
}
/* Lanes whose top bit is set. */
VEC vm vi_negative(vi a)
{
    return _mm512_movepi32_mask(a);
}

VEC vf vf_load(const void *at)
{
    return _mm512_loadu_ps(at);
}
VEC void vf_store(void *at, vf v)
{
    _mm512_storeu_ps(at, v);
}
VEC vf vf_each(const uint32_t *at)
{
    return _mm512_castsi512_ps(vi_each(at));
}
VEC vf vf_all(float v)
{
    return _mm512_set1_ps(v);
}
VEC vf vf_add(vf a, vf b)
{
    return _mm512_add_ps(a, b);
}
VEC vf vf_mul(vf a, vf b)
{
    return _mm512_mul_ps(a, b);
}
VEC vf vf_fma(vf a, vf b, vf c)
{
    return _mm512_fmadd_ps(a, b, c);
}
VEC vi vf_bits(vf a)
{
    return _mm512_castps_si512(a);
}
VEC vf vf_from_bits(vi a)
{
    return _mm512_castsi512_ps(a);
}
VEC vf vf_abs(vf a)
{
    return _mm512_abs_ps(a);
}
/* The larger magnitude. */
VEC vf vf_larger(vf a, vf b)
{
    return _mm512_range_ps(a, b, 0xb);
}
/* a >= b, or either is a NaN. */
VEC vm vf_not_less(vf a, vf b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_NLT_UQ);
}
VEC vm vf_is_nan(vf a)
{
    return _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q);
}
VEC vi vf_cut(vf a)
{
    return _mm512_cvttps_epi32(a);
}
VEC vf vf_from_int(vi a)
{
    return _mm512_cvtepi32_ps(a);
}
/* Towards zero. */
VEC vf vf_from_int_cut(vi a)
{
    return _mm512_cvt_roundepi32_ps(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}
/* Towards minus infinity. */
VEC vi vf_floor_cut(vf a)
{
    return _mm512_cvt_roundps_epi32(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}
/* floor(a * b); b a power of two. The product of a tiny negative number rounds away from zero. */
VEC vi vf_floor_product(vf a, vf b)
{
    return _mm512_cvt_roundps_epi32(_mm512_mul_round_ps(a, b, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC),
                                    _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}
VEC vf vf_floor(vf a)
{
    return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}

VEC vd vd_all(double v)
{
    return _mm512_set1_pd(v);
}
VEC vd vd_load(const double *at)
{
    return _mm512_loadu_pd(at);
}
VEC void vd_store(double *at, vd a)
{
    _mm512_storeu_pd(at, a);
}
/* The four numbers at `at` in every four lanes. */
VEC vd vd_four(const double *at)
{
    return _mm512_broadcast_f64x4(_mm256_loadu_pd(at));
}

/* The lanes that n selects, within every four lanes. */
VEC vf vf_of_four(vf a, vi n)
{
    return _mm512_permutevar_ps(a, n);
}
/* The bytes that n selects, within every sixteen bytes. */
VEC vi vi_bytes_of(vi a, vi n)
{
    return _mm512_shuffle_epi8(a, n);
}
/* The two words at `at` in every two lanes. */
VEC vi vi_two(const uint32_t *at)
{
    int64_t both;
    memcpy(&both, at, sizeof(both));
    return _mm512_set1_epi64(both);
}
/* Four words from each of four places `step` apart, transposed. */
VEC void vec_turn_four(const uint32_t *from, int step, uint32_t *to, int to_step)
{
    __m128 row[4];
    for (int n = 0; n < 4; n++)
        row[n] = _mm_castsi128_ps(_mm_loadu_si128((const __m128i *)(const void *)(from + n * step)));
    _MM_TRANSPOSE4_PS(row[0], row[1], row[2], row[3]);
    for (int n = 0; n < 4; n++)
        _mm_storeu_si128((__m128i *)(void *)(to + n * to_step), _mm_castps_si128(row[n]));
}

/* Lanes of the lower or upper half as binary64. */
VEC vd vd_from_int(vi a, int half)
{
    return _mm512_cvtepi32_pd(half ? _mm512_extracti64x4_epi64(a, 1) : _mm512_castsi512_si256(a));
}
VEC vd vd_from_float(vf a, int half)
{
    return _mm512_cvtps_pd(half ? _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(a), 1))
                                : _mm512_castps512_ps256(a));
}
/* 2^e, -1022 <= e <= 1023. */
VEC vd vd_pow2(vi e, int half)
{
    const __m512i wide =
        _mm512_cvtepi32_epi64(half ? _mm512_extracti64x4_epi64(e, 1) : _mm512_castsi512_si256(e));
    return _mm512_castsi512_pd(_mm512_slli_epi64(_mm512_add_epi64(wide, _mm512_set1_epi64(1023)), 52));
}
VEC vd vd_mul(vd a, vd b)
{
    return _mm512_mul_pd(a, b);
}
VEC vd vd_add(vd a, vd b)
{
    return _mm512_add_pd(a, b);
}
VEC vd vd_sub(vd a, vd b)
{
    return _mm512_sub_pd(a, b);
}
VEC vd vd_or_bits(vd a, vd b)
{
    return _mm512_or_pd(a, b);
}
/* Numbers of both halves that are not zero, or NaNs. */
VEC vm vd_not_zero(vd low, vd high)
{
    const __m512d none = _mm512_setzero_pd();
    return (vm)(_mm512_cmp_pd_mask(low, none, _CMP_NEQ_UQ) | _mm512_cmp_pd_mask(high, none, _CMP_NEQ_UQ)
                                                                 << 8);
}
VEC vd vd_floor(vd a)
{
    return _mm512_roundscale_pd(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}
VEC vd vd_trunc(vd a)
{
    return _mm512_roundscale_pd(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}
/* Keeps 23 of the 52 fraction bits. */
VEC vd vd_cut23(vd a)
{
    return _mm512_castsi512_pd(_mm512_and_si512(_mm512_castpd_si512(a), _mm512_set1_epi64(-(1 << 29))));
}
/* Keeps 31 of the 52 fraction bits, towards minus infinity: first increases negative numbers' magnitudes. */
VEC vd vd_keep31(vd a)
{
    const __m512i low = _mm512_set1_epi64((1 << 21) - 1);
    const __m512i bits = _mm512_castpd_si512(a);
    const __m512i grown = _mm512_mask_add_epi64(bits, _mm512_movepi64_mask(bits), bits, low);
    return _mm512_castsi512_pd(_mm512_andnot_si512(low, grown));
}
/* Rounds to nearest even and joins. */
VEC vf vf_from_halves(vd low, vd high)
{
    return _mm512_castpd_ps(_mm512_insertf64x4(_mm512_castps_pd(_mm512_castps256_ps512(_mm512_cvtpd_ps(low))),
                                               _mm256_castps_pd(_mm512_cvtpd_ps(high)), 1));
}

/* binary64 numbers from their low and high words, in an order that vd_words undoes. */
VEC vd vd_from_words(vi low, vi high, int half)
{
    return _mm512_castsi512_pd(half ? _mm512_unpackhi_epi32(low, high) : _mm512_unpacklo_epi32(low, high));
}
VEC vi vd_words(vd a, vd b, int high)
{
    const __m512 x = _mm512_castpd_ps(a), y = _mm512_castpd_ps(b);
    return _mm512_castps_si512(high ? _mm512_shuffle_ps(x, y, 0xdd) : _mm512_shuffle_ps(x, y, 0x88));
}
VEC vd vd_fma(vd a, vd b, vd c)
{
    return _mm512_fmadd_pd(a, b, c);
}
/* a * b + c, for cases in which the exact result is a binary64 number. */
VEC vd vd_fma_exact(vd a, vd b, vd c)
{
    return vd_fma(a, b, c);
}
/* Replaces NaNs. */
VEC vd vd_canonical(vd a, uint64_t nan)
{
    const __mmask8 m = _mm512_cmp_pd_mask(a, a, _CMP_UNORD_Q);
    return _mm512_mask_blend_pd(m, a, _mm512_castsi512_pd(_mm512_set1_epi64((long long)nan)));
}

/*
 * Dot products of four bytes each, modulo 2^32. One factor must be unsigned and the other signed: S's signed
 * bytes are offset by 128, V's unsigned ones by -128, and BYTE_OFFSETS says that sums must be corrected for
 * that. A word of codes becomes BYTE_PARTS words.
 */
enum { BYTE_PARTS = 1, BYTE_OFFSETS = 1 };
VEC vi byte_flip(vi word)
{
    return _mm512_xor_si512(word, _mm512_set1_epi32((int)UINT32_C(0x80808080)));
}
VEC vi byte_part_s(vi word, bool is_unsigned, int part)
{
    (void)part;
    return is_unsigned ? word : byte_flip(word);
}
VEC vi byte_part_v(vi word, bool is_unsigned, int part)
{
    (void)part;
    return is_unsigned ? byte_flip(word) : word;
}
VEC vi byte_dot(vi sum, vi s, vi v)
{
    return _mm512_dpbusd_epi32(sum, s, v);
}

/* Small sums of products of unsigned by signed bytes; small_total returns them as words. */
VEC vi small_dot(vi sum, vi u, vi s)
{
    return _mm512_dpbusd_epi32(sum, u, s);
}
VEC vi small_total(vi sum)
{
    return sum;
}
/* The bytes of a 16-entry table that the low nibbles of n select. */
VEC vi vi_lookup(const uint8_t table[16], vi n)
{
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)table)),
                               n);
}

#endif
