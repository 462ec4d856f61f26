/* SPDX-License-Identifier: MIT */
/*
 * What the AVX2 dot units share. Host floating point is used where it is exact (stated at each place) or
 * where one IEEE operation rounded to nearest even is what the unit does; select.c sets the host's control
 * word for it.
 */
#ifndef LW_EMU_FAST_AVX2_H
#define LW_EMU_FAST_AVX2_H

#include "emu/fast/fast.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define LW_FAST_AVX2 1
#define LW_AVX2 __attribute__((target("avx2,fma")))
#define LW_AVX2_INLINE __attribute__((target("avx2,fma"), always_inline)) static inline

#include <immintrin.h>

enum {
    LW_FAST_MAX_ELEMENTS = 2048, /* of A or B in a block, columns padded to eight */
    LW_FAST_NO_EXP = -1000,      /* exponent of a zero */
};

/*
 * A block's operands as numbers. Rows of A are a[row * k + i]; B comes in slices of eight columns,
 * b[(slice * k + i) * 8 + column % 8].
 */
typedef struct lw_avx2_operands {
    _Alignas(32) uint32_t a[LW_FAST_MAX_ELEMENTS];
    _Alignas(32) uint32_t b[LW_FAST_MAX_ELEMENTS];
    _Alignas(32) int32_t a_exp[LW_FAST_MAX_ELEMENTS];
    _Alignas(32) int32_t b_exp[LW_FAST_MAX_ELEMENTS];
} lw_avx2_operands;

/*
 * Takes a block apart into binary32 values and nominal exponents. False when it holds a NaN, an infinity, or
 * exponents that the aligned kernel does not take.
 */
bool lw_avx2_decode_floats(const lw_fast_shape *shape, const lw_fast_tile *tile, unsigned block,
                           lw_avx2_operands *out);

/* Sixteen-bit integers in the low halves of words; A's upper halves are zero. */
void lw_avx2_decode_ints(const lw_fast_shape *shape, const lw_fast_tile *tile, unsigned block,
                         lw_avx2_operands *out);

/* The words of A and B as they are. */
void lw_avx2_decode_words(const lw_fast_shape *shape, const lw_fast_tile *tile, unsigned block,
                          lw_avx2_operands *out);

/* The kernels; select.c calls them with all exceptions masked, rounding to nearest, no flushing. */
bool lw_avx2_aligned(const lw_fast_shape *shape, const lw_fast_tile *tile);
bool lw_avx2_fp4(const lw_fast_shape *shape, const lw_fast_tile *tile);
bool lw_avx2_int(const lw_fast_shape *shape, const lw_fast_tile *tile);
bool lw_avx2_fma32(const lw_fast_shape *shape, const lw_fast_tile *tile);
bool lw_avx2_fma64(const lw_fast_shape *shape, const lw_fast_tile *tile);

/* Lanes 0..count-1. */
LW_AVX2_INLINE __m256i lw_avx2_lanes(int count)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/* 2^e as binary32, for -126 <= e <= 127. */
LW_AVX2_INLINE __m256 lw_avx2_pow2(__m256i e)
{
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(e, _mm256_set1_epi32(127)), 23));
}

/* 2^e as binary64, for -1022 <= e <= 1023. */
LW_AVX2_INLINE __m256d lw_avx2_pow2_wide(__m128i e)
{
    const __m256i biased = _mm256_cvtepi32_epi64(_mm_add_epi32(e, _mm_set1_epi32(1023)));
    return _mm256_castsi256_pd(_mm256_slli_epi64(biased, 52));
}

/* Nominal exponents of binary32 numbers: subnormals and zeros have -126. */
LW_AVX2_INLINE __m256i lw_avx2_exponent(__m256 c)
{
    const __m256i field =
        _mm256_and_si256(_mm256_srli_epi32(_mm256_castps_si256(c), 23), _mm256_set1_epi32(255));
    return _mm256_sub_epi32(_mm256_max_epi32(field, _mm256_set1_epi32(1)), _mm256_set1_epi32(127));
}

/* Lanes that hold an infinity or a NaN. */
LW_AVX2_INLINE __m256i lw_avx2_special(__m256 c)
{
    const __m256i inf = _mm256_set1_epi32(0x7f800000);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_castps_si256(c), inf), inf);
}

/* Lanes of four as binary64: one step of a unit from the sum of products to the rounded result. */
LW_AVX2_INLINE __m128 lw_avx2_meet_half(__m128i sum, __m128i exp, __m128i c_exp, __m128 c, int drop)
{
    const __m128i top = _mm_max_epi32(exp, c_exp);
    /* In units of 2^(top - 32): below 2^40, so binary64 holds every step exactly. */
    const __m256d products = _mm256_floor_pd(
        _mm256_mul_pd(_mm256_cvtepi32_pd(sum),
                      lw_avx2_pow2_wide(_mm_sub_epi32(_mm_add_epi32(exp, _mm_set1_epi32(8)), top))));
    __m256d cf = _mm256_floor_pd(
        _mm256_mul_pd(_mm256_cvtps_pd(c), lw_avx2_pow2_wide(_mm_sub_epi32(_mm_set1_epi32(24), top))));
    if (drop) {
        const __m128i gone = _mm_cmpgt_epi32(_mm_sub_epi32(top, _mm_set1_epi32(drop)), c_exp);
        cf = _mm256_andnot_pd(_mm256_castsi256_pd(_mm256_cvtepi32_epi64(gone)), cf);
    }
    const __m256d total = _mm256_add_pd(products, _mm256_mul_pd(cf, _mm256_set1_pd(256.0)));
    /* Keep 31 fraction bits of the 52, towards minus infinity: magnitudes of negative totals grow first. */
    const __m256i low = _mm256_set1_epi64x((1 << 21) - 1);
    __m256i bits = _mm256_castpd_si256(total);
    bits = _mm256_add_epi64(bits, _mm256_and_si256(low, _mm256_cmpgt_epi64(_mm256_setzero_si256(), bits)));
    const __m256d kept = _mm256_castsi256_pd(_mm256_andnot_si256(low, bits));
    return _mm256_cvtpd_ps(_mm256_mul_pd(kept, lw_avx2_pow2_wide(_mm_sub_epi32(top, _mm_set1_epi32(32)))));
}

/*
 * Adds C to sums of products in units of 2^(exp - 24), |sum| < 2^31, where `any` says that a product is not
 * zero, as emu/num/aligned.c does. Lanes that need the reference are added to *bad: results that overflow,
 * and exponents so low that the normalised total is cut by the format's least exponent.
 */
LW_AVX2_INLINE __m256 lw_avx2_meet(__m256i sum, __m256i exp, __m256i any, __m256 c, int drop, __m256i *bad)
{
    const __m256i c_exp = lw_avx2_exponent(c);
    const __m256i e = _mm256_blendv_epi8(c_exp, exp, any);
    const __m128 low = lw_avx2_meet_half(_mm256_castsi256_si128(sum), _mm256_castsi256_si128(e),
                                         _mm256_castsi256_si128(c_exp), _mm256_castps256_ps128(c), drop);
    const __m128 high =
        lw_avx2_meet_half(_mm256_extracti128_si256(sum, 1), _mm256_extracti128_si256(e, 1),
                          _mm256_extracti128_si256(c_exp, 1), _mm256_extractf128_ps(c, 1), drop);
    const __m256 met = _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
    const __m256i tiny = _mm256_cmpgt_epi32(_mm256_set1_epi32(-94), _mm256_max_epi32(e, c_exp));
    *bad = _mm256_or_si256(*bad, _mm256_and_si256(any, _mm256_or_si256(tiny, lw_avx2_special(met))));
    return _mm256_blendv_ps(_mm256_add_ps(c, _mm256_setzero_ps()), met, _mm256_castsi256_ps(any));
}

#endif
#endif
