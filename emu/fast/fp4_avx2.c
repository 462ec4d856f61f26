/* SPDX-License-Identifier: MIT */
/*
 * fp4 by fp4 in groups of 32: the exact sum of a group fits an integer, in quarters, whatever its grids are,
 * because products span 2^-2 to 2^6 only. Classes therefore do not matter.
 */
#include "emu/fast/avx2.h"

#include <string.h>

#ifdef LW_FAST_AVX2

enum { MAX_ROWS = 32, MAX_BLOCKS = 4, ROW_BLOCKS = 64, BIAS = 12, MODERATE = 30 };

/*
 * Rows of A (columns of B) by block of 32 codes. Bytes: twice the value, A's plus BIAS to be unsigned; dwords
 * 0..3 from low nibbles, 4..7 from high ones. Masks: bit per code, exponent at least 0, 1, 2.
 */
typedef struct fp4_side {
    _Alignas(32) uint32_t bytes[ROW_BLOCKS][8];
    uint32_t mask[ROW_BLOCKS][4];
} fp4_side;

/* B with eight columns side by side: [block][slice] */
typedef struct fp4_columns {
    _Alignas(32) uint32_t bytes[MAX_BLOCKS][MAX_ROWS / 8][8][8];
    _Alignas(32) uint32_t mask[MAX_BLOCKS][MAX_ROWS / 8][3][8];
    _Alignas(32) int32_t correction[MAX_BLOCKS][MAX_ROWS / 8][8];
    _Alignas(32) int32_t scale[MAX_BLOCKS][MAX_ROWS / 8][8];
} fp4_columns;

LW_AVX2_INLINE void split(const uint32_t *packed, int bias, fp4_side *out, unsigned n)
{
    const __m128i raw = _mm_loadu_si128((const __m128i *)(const void *)packed);
    const __m128i nibble = _mm_set1_epi8(15);
    const __m256i codes =
        _mm256_set_m128i(_mm_and_si128(_mm_srli_epi16(raw, 4), nibble), _mm_and_si128(raw, nibble));
    const __m256i twice =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12));
    const __m256i magnitude = _mm256_and_si256(codes, _mm256_set1_epi8(7));
    _mm256_store_si256((__m256i *)(void *)out->bytes[n],
                       _mm256_add_epi8(_mm256_shuffle_epi8(twice, codes), _mm256_set1_epi8((char)bias)));
    out->mask[n][0] = (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(magnitude, _mm256_set1_epi8(0)));
    out->mask[n][1] = (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(magnitude, _mm256_set1_epi8(3)));
    out->mask[n][2] = (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(magnitude, _mm256_set1_epi8(5)));
}

/* Every scale within 2^+-MODERATE of one? */
static bool scales_moderate(const uint8_t *scale, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (scale[i] < 127 - MODERATE || scale[i] > 127 + MODERATE)
            return false;
    return true;
}

LW_AVX2 static void make_columns(const lw_fast_shape *s, const lw_fast_tile *t, fp4_columns *out)
{
    const unsigned blocks = s->k / 32u;
    for (unsigned j = 0; j < s->n; j++)
        for (unsigned q = 0; q < blocks; q++) {
            fp4_side one;
            split(t->b + (size_t)j * s->b_words + 4 * (size_t)q, 0, &one, 0);
            const __m256i bytes = _mm256_load_si256((const __m256i *)(const void *)one.bytes[0]);
            const __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi8(1), bytes);
            int32_t part[8], sum = 0;
            _mm256_storeu_si256((__m256i *)(void *)part, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
            for (int w = 0; w < 8; w++) {
                sum += part[w];
                out->bytes[q][j / 8][w][j % 8] = one.bytes[0][w];
            }
            for (int e = 0; e < 3; e++)
                out->mask[q][j / 8][e][j % 8] = one.mask[0][e];
            out->correction[q][j / 8][j % 8] = -BIAS * sum;
            out->scale[q][j / 8][j % 8] = t->scale_b ? t->scale_b[j * blocks + q] - 254 : -127;
        }
}

/* Four times the dot product of a block. |int16 partial sums| <= 8 * 2 * 24 * 12. */
LW_AVX2_INLINE __m256i dot(const uint32_t *a, uint32_t (*b)[8], const int32_t *correction)
{
    __m256i sum = _mm256_setzero_si256();
    for (int w = 0; w < 8; w++) {
        const __m256i bv = _mm256_load_si256((const __m256i *)(const void *)b[w]);
        sum = _mm256_add_epi16(sum, _mm256_maddubs_epi16(_mm256_set1_epi32((int)a[w]), bv));
    }
    return _mm256_add_epi32(_mm256_madd_epi16(sum, _mm256_set1_epi16(1)),
                            _mm256_load_si256((const __m256i *)(const void *)correction));
}

LW_AVX2_INLINE __m256i empty(__m256i set)
{
    return _mm256_cmpeq_epi32(set, _mm256_setzero_si256());
}

/* Largest nominal exponent of the products, -1 where all are zero: the sets of level e are nested. */
LW_AVX2_INLINE __m256i top_of(const uint32_t *a, uint32_t (*b)[8])
{
    const __m256i a0 = _mm256_set1_epi32((int)a[0]), a1 = _mm256_set1_epi32((int)a[1]),
                  a2 = _mm256_set1_epi32((int)a[2]);
    const __m256i b0 = _mm256_load_si256((const __m256i *)(const void *)b[0]);
    const __m256i b1 = _mm256_load_si256((const __m256i *)(const void *)b[1]);
    const __m256i b2 = _mm256_load_si256((const __m256i *)(const void *)b[2]);
    const __m256i level4 = _mm256_and_si256(a2, b2);
    const __m256i level3 = _mm256_or_si256(_mm256_and_si256(a2, b1), _mm256_and_si256(a1, b2));
    const __m256i level2 = _mm256_or_si256(
        _mm256_or_si256(_mm256_and_si256(a2, b0), _mm256_and_si256(a0, b2)), _mm256_and_si256(a1, b1));
    __m256i top = _mm256_add_epi32(_mm256_set1_epi32(4), _mm256_add_epi32(empty(level4), empty(level3)));
    const __m256i none = empty(level2);
    if (_mm256_testz_si256(none, none))
        return top;
    const __m256i level1 = _mm256_or_si256(_mm256_and_si256(a1, b0), _mm256_and_si256(a0, b1));
    top = _mm256_add_epi32(top, _mm256_add_epi32(none, empty(level1)));
    return _mm256_add_epi32(top, empty(_mm256_and_si256(a0, b0)));
}

/*
 * Adds C with one binary32 addition, in units of 2^(exp - 24): `sum` has 13 bits, C floored to these units is
 * exact in binary32, and below |C| = 2^49 units nothing else is cut. Ignoring C 25 below the top is |C| < 1/2
 * unit.
 */
LW_AVX2_INLINE __m256 meet_moderate(__m256i quarters, __m256i top, __m256i exp, __m256i any, __m256 c,
                                    __m256i *far)
{
    const __m256i up = _mm256_sub_epi32(_mm256_set1_epi32(24), exp);
    const __m256 cs = _mm256_mul_ps(c, lw_avx2_pow2(up));
    const __m256 size = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), cs);
    const __m256 cf =
        _mm256_and_ps(_mm256_floor_ps(cs), _mm256_cmp_ps(size, _mm256_set1_ps(0.5f), _CMP_GE_OQ));
    const __m256 s = _mm256_mul_ps(_mm256_cvtepi32_ps(quarters),
                                   lw_avx2_pow2(_mm256_sub_epi32(_mm256_set1_epi32(22), top)));
    const __m256 met =
        _mm256_mul_ps(_mm256_add_ps(cf, s), lw_avx2_pow2(_mm256_sub_epi32(exp, _mm256_set1_epi32(24))));
    *far =
        _mm256_and_si256(any, _mm256_castps_si256(_mm256_cmp_ps(size, _mm256_set1_ps(0x1p49f), _CMP_NLT_UQ)));
    return _mm256_blendv_ps(_mm256_add_ps(c, _mm256_setzero_ps()), met, _mm256_castsi256_ps(any));
}

LW_AVX2_INLINE __m256 block_step(const fp4_side *a, unsigned row, const int32_t *scale_a, fp4_columns *b,
                                 unsigned q, unsigned slice, int drop, __m256 c, __m256i *bad)
{
    const __m256i quarters = dot(a->bytes[row], b->bytes[q][slice], b->correction[q][slice]);
    const __m256i top = top_of(a->mask[row], b->mask[q][slice]);
    const __m256i any = _mm256_cmpgt_epi32(top, _mm256_set1_epi32(-1));
    const __m256i exp =
        _mm256_add_epi32(_mm256_add_epi32(top, _mm256_set1_epi32(*scale_a)),
                         _mm256_load_si256((const __m256i *)(const void *)b->scale[q][slice]));
    __m256i far;
    const __m256 met = meet_moderate(quarters, top, exp, any, c, &far);
    if (_mm256_testz_si256(far, far))
        return met;
    const __m256i units = _mm256_sllv_epi32(quarters, _mm256_sub_epi32(_mm256_set1_epi32(22), top));
    return lw_avx2_meet(units, exp, any, c, drop, bad);
}

LW_AVX2 bool lw_avx2_fp4(const lw_fast_shape *s, const lw_fast_tile *t)
{
    const unsigned blocks = s->k / 32u;
    const int drop = s->recipe->unit.drop;
    if (drop != 25)
        return false;
    if (t->scale_a &&
        !(scales_moderate(t->scale_a, s->m * blocks) && scales_moderate(t->scale_b, s->n * blocks)))
        return false;
    fp4_side a;
    fp4_columns b;
    int32_t scale_a[ROW_BLOCKS];
    make_columns(s, t, &b);
    for (unsigned i = 0; i < s->m; i++)
        for (unsigned q = 0; q < blocks; q++) {
            split(t->a + (size_t)i * s->a_words + 4 * (size_t)q, BIAS, &a, i * blocks + q);
            scale_a[i * blocks + q] = t->scale_a ? t->scale_a[i * blocks + q] : 127;
        }
    __m256i bad = _mm256_setzero_si256();
    for (unsigned i = 0; i < s->m; i++)
        for (unsigned slice = 0; slice < s->n / 8u; slice++) {
            const size_t at = (size_t)i * s->n + 8 * (size_t)slice;
            __m256 c = _mm256_loadu_ps((const float *)(const void *)(t->c + at));
            bad = _mm256_or_si256(bad, lw_avx2_special(c));
            for (unsigned q = 0; q < blocks; q++)
                c = block_step(&a, i * blocks + q, &scale_a[i * blocks + q], &b, q, slice, drop, c, &bad);
            _mm256_storeu_ps((float *)(void *)(t->d + at), c);
        }
    return _mm256_testz_si256(bad, bad);
}

#endif
