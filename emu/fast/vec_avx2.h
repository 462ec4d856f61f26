/* SPDX-License-Identifier: MIT */
/* Eight lanes of 32 bits for the panel kernels: AVX2 and FMA. The names are those of vec_avx512.h. */
#ifndef LW_EMU_FAST_VEC_AVX2_H
#define LW_EMU_FAST_VEC_AVX2_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define VEC __attribute__((always_inline)) static inline
#define VEC_FMA64_LIMITED 0
#define VEC_HAS_MIN8 1  /* minima of bytes take one instruction */
#define VEC_HAS_PICKS 1 /* lanes select and shift by individual counts in one instruction */
#define VEC_CUTS 0      /* vf_from_int_cut is one instruction */

enum { VEC_LANES = 8 };

typedef __m256 vf;
typedef __m256i vi;
typedef __m256d vd; /* half as many lanes */
typedef __m256i vm; /* all ones or all zeros in a lane */

VEC vi vi_load(const void *at)
{
    return _mm256_loadu_si256((const __m256i *)at);
}
VEC void vi_store(void *at, vi v)
{
    _mm256_storeu_si256((__m256i *)at, v);
}
/* Stores the lanes whose bits are set in `lanes`; the others keep their contents. */
VEC void vi_store_some(void *at, unsigned lanes, vi v)
{
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i set = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)lanes), bits), bits);
    vi_store(at, _mm256_blendv_epi8(vi_load(at), v, set)); /* masked stores are slow on some processors */
}
/* The word at `at` in all lanes. */
VEC vi vi_each(const uint32_t *at)
{
    return _mm256_set1_epi32((int)*at);
}
VEC vi vi_all(int v)
{
    return _mm256_set1_epi32(v);
}
VEC vi vi_add(vi a, vi b)
{
    return _mm256_add_epi32(a, b);
}
VEC vi vi_sub(vi a, vi b)
{
    return _mm256_sub_epi32(a, b);
}
VEC vi vi_and(vi a, vi b)
{
    return _mm256_and_si256(a, b);
}
VEC vi vi_or(vi a, vi b)
{
    return _mm256_or_si256(a, b);
}
VEC vi vi_xor(vi a, vi b)
{
    return _mm256_xor_si256(a, b);
}
VEC vi vi_max(vi a, vi b)
{
    return _mm256_max_epi32(a, b);
}
VEC vi vi_min(vi a, vi b)
{
    return _mm256_min_epi32(a, b);
}
VEC vi vi_shl(vi a, int n)
{
    return _mm256_sll_epi32(a, _mm_cvtsi32_si128(n));
}
VEC vi vi_shr(vi a, int n)
{
    return _mm256_srl_epi32(a, _mm_cvtsi32_si128(n));
}
VEC vi vi_sar(vi a, int n)
{
    return _mm256_sra_epi32(a, _mm_cvtsi32_si128(n));
}
/* Shifts by the lanes of n; counts of 32 and more give zero (signs, for sar). */
VEC vi vi_shlv(vi a, vi n)
{
    return _mm256_sllv_epi32(a, n);
}
VEC vi vi_sarv(vi a, vi n)
{
    return _mm256_srav_epi32(a, n);
}
/* Where the sum overflows, it becomes the end of the range where it overflowed. */
VEC vi vi_add_saturated(vi a, vi b)
{
    const __m256i sum = _mm256_add_epi32(a, b);
    const __m256i over = _mm256_and_si256(_mm256_xor_si256(sum, a), _mm256_xor_si256(sum, b));
    const __m256i end = _mm256_xor_si256(_mm256_srai_epi32(a, 31), _mm256_set1_epi32(INT32_MAX));
    return _mm256_blendv_epi8(sum, end, _mm256_srai_epi32(over, 31));
}
VEC vi vi_add8(vi a, vi b)
{
    return _mm256_add_epi8(a, b);
}
VEC vi vi_max8(vi a, vi b)
{
    return _mm256_max_epi8(a, b);
}
/* Bytes with VEC_BYTE_BIAS added. */
enum { VEC_BYTE_BIAS = 0 };
VEC vi vi_max8_biased(vi a, vi b)
{
    return vi_max8(a, b);
}
VEC vm vi_eq(vi a, vi b)
{
    return _mm256_cmpeq_epi32(a, b);
}
VEC vm vi_gt(vi a, vi b)
{
    return _mm256_cmpgt_epi32(a, b);
}
VEC vm vm_or(vm a, vm b)
{
    return _mm256_or_si256(a, b);
}
VEC vm vm_and(vm a, vm b)
{
    return _mm256_and_si256(a, b);
}
VEC vm vm_not(vm m)
{
    return _mm256_xor_si256(m, _mm256_set1_epi32(-1));
}
VEC vm vm_none(void)
{
    return _mm256_setzero_si256();
}
VEC bool vm_any(vm m)
{
    return !_mm256_testz_si256(m, m);
}
/* One bit per lane. */
VEC unsigned vm_bits(vm m)
{
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(m));
}
/* m ? a : b */
VEC vi vi_pick(vm m, vi a, vi b)
{
    return _mm256_blendv_epi8(b, a, m);
}
VEC vf vf_pick(vm m, vf a, vf b)
{
    return _mm256_blendv_ps(b, a, _mm256_castsi256_ps(m));
}

/* The four words at `at` in every four lanes. */
VEC vi vi_four(const uint32_t *at)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)at));
}
/* Lane n of every four lanes, in all four. */
VEC vi vi_of_four(vi a, int n)
{
    return n == 0   ? _mm256_shuffle_epi32(a, 0x00)
           : n == 1 ? _mm256_shuffle_epi32(a, 0x55)
           : n == 2 ? _mm256_shuffle_epi32(a, 0xaa)
                    : _mm256_shuffle_epi32(a, 0xff);
}

/* Halves and bytes of lanes. */
VEC vi vi_shr16(vi a, int n)
{
    return _mm256_srl_epi16(a, _mm_cvtsi32_si128(n));
}
VEC vi vi_sub16(vi a, vi b)
{
    return _mm256_sub_epi16(a, b);
}
VEC vi vi_max16(vi a, vi b)
{
    return _mm256_max_epi16(a, b);
}
VEC vi vi_min16(vi a, vi b)
{
    return _mm256_min_epi16(a, b);
}
/* b where a is zero, c elsewhere. */
VEC vi vi_if_zero16(vi a, vi b, vi c)
{
    return _mm256_blendv_epi8(c, b, _mm256_cmpeq_epi16(a, _mm256_setzero_si256()));
}
VEC vi vi_if_zero8(vi a, vi b, vi c)
{
    return _mm256_blendv_epi8(c, b, _mm256_cmpeq_epi8(a, _mm256_setzero_si256()));
}
/* Bytes equal, greater (signed): all ones or zeros. */
VEC vi vi_eq8(vi a, vi b)
{
    return _mm256_cmpeq_epi8(a, b);
}
VEC vi vi_gt8(vi a, vi b)
{
    return _mm256_cmpgt_epi8(a, b);
}
/* (a & mask) | b */
VEC vi vi_and_or(vi a, vi mask, vi b)
{
    return _mm256_or_si256(_mm256_and_si256(a, mask), b);
}
/* Exchanges the two middle bytes of each lane. */
VEC vi vi_swap_middle(vi a)
{
    const __m128i order = _mm_setr_epi8(0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15);
    return _mm256_shuffle_epi8(a, _mm256_broadcastsi128_si256(order));
}
/* Lanes whose top bit is set. */
VEC vm vi_negative(vi a)
{
    return _mm256_srai_epi32(a, 31);
}

VEC vf vf_load(const void *at)
{
    return _mm256_loadu_ps((const float *)at);
}
VEC void vf_store(void *at, vf v)
{
    _mm256_storeu_ps((float *)at, v);
}
VEC vf vf_each(const uint32_t *at)
{
    return _mm256_castsi256_ps(vi_each(at));
}
VEC vf vf_all(float v)
{
    return _mm256_set1_ps(v);
}
VEC vf vf_add(vf a, vf b)
{
    return _mm256_add_ps(a, b);
}
VEC vf vf_mul(vf a, vf b)
{
    return _mm256_mul_ps(a, b);
}
VEC vf vf_fma(vf a, vf b, vf c)
{
    return _mm256_fmadd_ps(a, b, c);
}
VEC vi vf_bits(vf a)
{
    return _mm256_castps_si256(a);
}
VEC vf vf_from_bits(vi a)
{
    return _mm256_castsi256_ps(a);
}
VEC vf vf_abs(vf a)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}
/* The larger magnitude. */
VEC vf vf_larger(vf a, vf b)
{
    return _mm256_castsi256_ps(_mm256_max_epi32(vf_bits(vf_abs(a)), vf_bits(vf_abs(b))));
}
/* a >= b, or either is a NaN. */
VEC vm vf_not_less(vf a, vf b)
{
    return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_NLT_UQ));
}
VEC vm vf_is_nan(vf a)
{
    return _mm256_castps_si256(_mm256_cmp_ps(a, a, _CMP_UNORD_Q));
}
VEC vi vf_cut(vf a)
{
    return _mm256_cvttps_epi32(a);
}
VEC vf vf_from_int(vi a)
{
    return _mm256_cvtepi32_ps(a);
}
/* Towards zero: one unit in the last place less where rounding to nearest rounded up. */
VEC vf vf_from_int_cut(vi a)
{
    const __m256i size = _mm256_abs_epi32(a);
    const __m256 near = _mm256_cvtepi32_ps(size);
    const __m256i over = _mm256_srai_epi32(_mm256_sub_epi32(size, _mm256_cvttps_epi32(near)), 31);
    const __m256i kept = _mm256_add_epi32(_mm256_castps_si256(near), over);
    return _mm256_castsi256_ps(
        _mm256_or_si256(kept, _mm256_and_si256(a, _mm256_set1_epi32((int)UINT32_C(0x80000000)))));
}
/* Towards minus infinity. */
VEC vi vf_floor_cut(vf a)
{
    return _mm256_cvttps_epi32(_mm256_floor_ps(a));
}
VEC vf vf_floor(vf a)
{
    return _mm256_floor_ps(a);
}
/*
 * floor(a * b); b = 2^e with -126 <= e <= 126. As integers, negative binary32 numbers are ordered backwards:
 * max turns a negative number above -1 / b into -1 / b, whose product is -1 and does not round to zero.
 */
VEC vi vf_floor_product(vf a, vf b)
{
    const __m256i least =
        _mm256_sub_epi32(_mm256_set1_epi32((int)UINT32_C(0xff000000)), _mm256_castps_si256(b));
    const __m256 grown = _mm256_castsi256_ps(_mm256_max_epi32(_mm256_castps_si256(a), least));
    return _mm256_cvttps_epi32(_mm256_floor_ps(_mm256_mul_ps(grown, b)));
}

VEC vd vd_all(double v)
{
    return _mm256_set1_pd(v);
}
VEC vd vd_load(const double *at)
{
    return _mm256_loadu_pd(at);
}
VEC void vd_store(double *at, vd a)
{
    _mm256_storeu_pd(at, a);
}
/* The four numbers at `at` in every four lanes. */
VEC vd vd_four(const double *at)
{
    return _mm256_loadu_pd(at);
}

/* The lanes that n selects, within every four lanes. */
VEC vf vf_of_four(vf a, vi n)
{
    return _mm256_permutevar_ps(a, n);
}
/* The bytes that n selects, within every sixteen bytes. */
VEC vi vi_bytes_of(vi a, vi n)
{
    return _mm256_shuffle_epi8(a, n);
}
/* The two words at `at` in every two lanes. */
VEC vi vi_two(const uint32_t *at)
{
    int64_t both;
    memcpy(&both, at, sizeof(both));
    return _mm256_set1_epi64x(both);
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
    return _mm256_cvtepi32_pd(half ? _mm256_extracti128_si256(a, 1) : _mm256_castsi256_si128(a));
}
VEC vd vd_from_float(vf a, int half)
{
    return _mm256_cvtps_pd(half ? _mm256_extractf128_ps(a, 1) : _mm256_castps256_ps128(a));
}
/* 2^e, -1022 <= e <= 1023. */
VEC vd vd_pow2(vi e, int half)
{
    const __m256i wide =
        _mm256_cvtepi32_epi64(half ? _mm256_extracti128_si256(e, 1) : _mm256_castsi256_si128(e));
    return _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_add_epi64(wide, _mm256_set1_epi64x(1023)), 52));
}
VEC vd vd_mul(vd a, vd b)
{
    return _mm256_mul_pd(a, b);
}
VEC vd vd_add(vd a, vd b)
{
    return _mm256_add_pd(a, b);
}
VEC vd vd_sub(vd a, vd b)
{
    return _mm256_sub_pd(a, b);
}
VEC vd vd_or_bits(vd a, vd b)
{
    return _mm256_or_pd(a, b);
}
/* Numbers of both halves that are not zero, or NaNs. */
VEC vm vd_not_zero(vd low, vd high)
{
    const __m256d none = _mm256_setzero_pd();
    const __m256 both = _mm256_shuffle_ps(_mm256_castpd_ps(_mm256_cmp_pd(low, none, _CMP_NEQ_UQ)),
                                          _mm256_castpd_ps(_mm256_cmp_pd(high, none, _CMP_NEQ_UQ)), 0x88);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(both), 0xd8);
}
VEC vd vd_floor(vd a)
{
    return _mm256_floor_pd(a);
}
VEC vd vd_trunc(vd a)
{
    return _mm256_round_pd(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}
/* Keeps 23 of the 52 fraction bits. */
VEC vd vd_cut23(vd a)
{
    return _mm256_castsi256_pd(_mm256_and_si256(_mm256_castpd_si256(a), _mm256_set1_epi64x(-(1 << 29))));
}
/* Keeps 31 of the 52 fraction bits, towards minus infinity: first increases negative numbers' magnitudes. */
VEC vd vd_keep31(vd a)
{
    const __m256i low = _mm256_set1_epi64x((1 << 21) - 1);
    const __m256i bits = _mm256_castpd_si256(a);
    const __m256i negative = _mm256_cmpgt_epi64(_mm256_setzero_si256(), bits);
    return _mm256_castsi256_pd(
        _mm256_andnot_si256(low, _mm256_add_epi64(bits, _mm256_and_si256(low, negative))));
}
/* Rounds to nearest even and joins. */
VEC vf vf_from_halves(vd low, vd high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(low)), _mm256_cvtpd_ps(high), 1);
}

/* binary64 numbers from their low and high words, in an order that vd_words undoes. */
VEC vd vd_from_words(vi low, vi high, int half)
{
    return _mm256_castsi256_pd(half ? _mm256_unpackhi_epi32(low, high) : _mm256_unpacklo_epi32(low, high));
}
VEC vi vd_words(vd a, vd b, int high)
{
    const __m256 x = _mm256_castpd_ps(a), y = _mm256_castpd_ps(b);
    return _mm256_castps_si256(high ? _mm256_shuffle_ps(x, y, 0xdd) : _mm256_shuffle_ps(x, y, 0x88));
}
VEC vd vd_fma(vd a, vd b, vd c)
{
    return _mm256_fmadd_pd(a, b, c);
}
/* a * b + c, for cases in which the exact result is a binary64 number. */
VEC vd vd_fma_exact(vd a, vd b, vd c)
{
    return vd_fma(a, b, c);
}
/* Replaces NaNs. */
VEC vd vd_canonical(vd a, uint64_t nan)
{
    return _mm256_blendv_pd(a, _mm256_castsi256_pd(_mm256_set1_epi64x((long long)nan)),
                            _mm256_cmp_pd(a, a, _CMP_UNORD_Q));
}

/*
 * Dot products of four bytes each, modulo 2^32: even and odd bytes separately become 16-bit numbers. A word
 * of codes becomes BYTE_PARTS words.
 */
enum { BYTE_PARTS = 2, BYTE_OFFSETS = 0 };
VEC vi byte_part_v(vi word, bool is_unsigned, int part)
{
    const __m256i top = part ? word : _mm256_slli_epi16(word, 8);
    return is_unsigned ? _mm256_srli_epi16(top, 8) : _mm256_srai_epi16(top, 8);
}
VEC vi byte_part_s(vi word, bool is_unsigned, int part)
{
    return byte_part_v(word, is_unsigned, part);
}
VEC vi byte_dot(vi sum, vi s, vi v)
{
    return _mm256_add_epi32(sum, _mm256_madd_epi16(s, v));
}

/* Small sums of products of unsigned by signed bytes: 16-bit halves hold them until small_total. */
VEC vi small_dot(vi sum, vi u, vi s)
{
    return _mm256_add_epi16(sum, _mm256_maddubs_epi16(u, s));
}
VEC vi small_total(vi sum)
{
    return _mm256_madd_epi16(sum, _mm256_set1_epi16(1));
}

/* The bytes of a 16-entry table that the low nibbles of n select. */
VEC vi vi_lookup(const uint8_t table[16], vi n)
{
    return _mm256_shuffle_epi8(
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)table)), n);
}

#endif
