/* SPDX-License-Identifier: MIT */
/* Packed codes to numbers in the order the AVX2 kernels read them. */
#include "emu/fast/avx2.h"

#include <string.h>

#ifdef LW_FAST_AVX2

enum { MAX_K = 128, MAX_COLUMNS = 32 };

/* How codes of a format become binary32 numbers. */
typedef struct codec {
    int bits, frac, bias;
    int special_from; /* least magnitude that is a NaN or an infinity */
    int special_code; /* a code that is a NaN though its magnitude is not, or -1 */
    bool as_is;       /* the code, shifted up, is the binary32 number */
    uint32_t keep;    /* bits of it that take part */
} codec;

/* What was seen among the elements of a block. */
typedef struct seen {
    __m256i special, least, most;
} seen;

static codec codec_of(const lw_format *f)
{
    const int ones = (int)((UINT32_C(1) << (f->bits - 1)) - 1);
    const int inf = ones >> f->frac_bits << f->frac_bits;
    codec c = { .bits = f->bits,
                .frac = f->frac_bits,
                .bias = f->bias,
                .special_from = ones,
                .special_code = -1,
                .as_is = f->exp_bits == 8,
                .keep = UINT32_MAX };
    if (f->top == LW_TOP_IEEE)
        c.special_from = inf;
    else if (f->top != LW_TOP_NAN)
        c.special_from = ones + (f->bits < 32);
    if (f->top == LW_TOP_FNUZ)
        c.special_code = ones + 1;
    if (f == &lw_formats[LW_FORMAT_XF32])
        c.keep = ~UINT32_C(0x1fff); /* CDNA3 clears the 13 bits that xf32 does not have */
    return c;
}

/* Eight codes from number `i`, a multiple of 8, of a packed row. */
LW_AVX2_INLINE __m256i load_codes(const uint32_t *row, int i, int bits)
{
    const char *at = (const char *)row + (size_t)i * (size_t)bits / 8;
    uint64_t v = 0;
    switch (bits) {
    case 32:
        return _mm256_loadu_si256((const __m256i *)(const void *)at);
    case 16:
        return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)at));
    case 8:
        return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)at));
    case 6: {
        memcpy(&v, at, sizeof(v));
        const __m256i four =
            _mm256_set_m128i(_mm_set1_epi32((int)(uint32_t)(v >> 24)), _mm_set1_epi32((int)(uint32_t)v));
        return _mm256_and_si256(_mm256_srlv_epi32(four, _mm256_setr_epi32(0, 6, 12, 18, 0, 6, 12, 18)),
                                _mm256_set1_epi32(63));
    }
    default: {
        uint32_t w;
        memcpy(&w, at, sizeof(w));
        return _mm256_and_si256(
            _mm256_srlv_epi32(_mm256_set1_epi32((int)w), _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28)),
            _mm256_set1_epi32(15));
    }
    }
}

/* Values and exponents of eight codes. Integer to binary32 and the scaling by a power of two are exact. */
LW_AVX2_INLINE __m256 decode(const codec *f, __m256i code, __m256i *exp, seen *s)
{
    const __m256i ones = _mm256_set1_epi32((int)((UINT32_C(1) << (f->bits - 1)) - 1));
    const __m256i mag = _mm256_and_si256(code, ones);
    s->special = _mm256_or_si256(s->special, _mm256_cmpgt_epi32(mag, _mm256_set1_epi32(f->special_from - 1)));
    s->special = _mm256_or_si256(s->special, _mm256_cmpeq_epi32(code, _mm256_set1_epi32(f->special_code)));
    const __m256i used = _mm256_and_si256(mag, _mm256_set1_epi32((int)f->keep));
    const __m256i zero = _mm256_cmpeq_epi32(used, _mm256_setzero_si256());
    const __m256i field = _mm256_srli_epi32(used, f->frac);
    const __m256i e =
        _mm256_sub_epi32(_mm256_max_epi32(field, _mm256_set1_epi32(1)), _mm256_set1_epi32(f->bias));
    *exp = _mm256_blendv_epi8(e, _mm256_set1_epi32(LW_FAST_NO_EXP), zero);
    s->most = _mm256_max_epi32(s->most, *exp);
    s->least = _mm256_min_epi32(s->least, _mm256_blendv_epi8(e, s->least, zero));

    const __m256i sign = _mm256_slli_epi32(_mm256_xor_si256(code, mag), 32 - f->bits);
    if (f->as_is)
        return _mm256_castsi256_ps(_mm256_or_si256(sign, _mm256_slli_epi32(used, 32 - f->bits)));
    const __m256i hidden = _mm256_andnot_si256(_mm256_cmpeq_epi32(field, _mm256_setzero_si256()),
                                               _mm256_set1_epi32(1 << f->frac));
    const __m256i sig = _mm256_or_si256(_mm256_and_si256(mag, _mm256_set1_epi32((1 << f->frac) - 1)), hidden);
    const __m256 value =
        _mm256_mul_ps(_mm256_cvtepi32_ps(sig), lw_avx2_pow2(_mm256_sub_epi32(e, _mm256_set1_epi32(f->frac))));
    return _mm256_or_ps(value, _mm256_castsi256_ps(sign));
}

LW_AVX2_INLINE void transpose(const uint32_t *from, size_t stride, uint32_t *to, int rows)
{
    __m256 r[8], t[8];
    for (int i = 0; i < 8; i++)
        r[i] = _mm256_loadu_ps((const float *)(const void *)(from + (size_t)i * stride));
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
        t[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
    }
    for (int i = 0; i < 8; i += 4)
        for (int h = 0; h < 2; h++) {
            r[i + 2 * h] = _mm256_shuffle_ps(t[i + h], t[i + h + 2], 0x44);
            r[i + 2 * h + 1] = _mm256_shuffle_ps(t[i + h], t[i + h + 2], 0xee);
        }
    for (int i = 0; i < rows && i < 4; i++)
        _mm256_store_ps((float *)(void *)(to + 8 * i), _mm256_permute2f128_ps(r[i], r[i + 4], 0x20));
    for (int i = 4; i < rows; i++)
        _mm256_store_ps((float *)(void *)(to + 8 * i), _mm256_permute2f128_ps(r[i - 4], r[i], 0x31));
}

/* columns[j][k] (rows of MAX_K, `n` of them, rest zero) to slices. */
LW_AVX2 static void to_slices(const uint32_t *columns, int n, int k, uint32_t *out)
{
    for (int slice = 0; slice < (n + 7) / 8; slice++)
        for (int i = 0; i < k; i += 8)
            transpose(columns + (size_t)slice * 8 * MAX_K + i, MAX_K,
                      out + ((size_t)slice * (size_t)k + (size_t)i) * 8, k - i < 8 ? k - i : 8);
}

/* One row of A into `values` and `exps`; whole vectors are written. */
LW_AVX2_INLINE void decode_row(const codec *f, const uint32_t *row, int k, int bits, uint32_t *values,
                               int32_t *exps, seen *s)
{
    for (int i = 0; i < k; i += 8) {
        __m256i exp, code = load_codes(row, i, bits);
        if (k - i < 8)
            code = _mm256_and_si256(code, lw_avx2_lanes(k - i));
        const __m256 value = decode(f, code, &exp, s);
        _mm256_storeu_ps((float *)(void *)(values + i), value);
        _mm256_storeu_si256((__m256i *)(void *)(exps + i), exp);
    }
}

/* The same with the number of bits known to the compiler. */
LW_AVX2_INLINE void decode_any(const codec *f, const uint32_t *row, int k, uint32_t *values, int32_t *exps,
                               seen *s)
{
    switch (f->bits) {
    case 32:
        decode_row(f, row, k, 32, values, exps, s);
        break;
    case 16:
        decode_row(f, row, k, 16, values, exps, s);
        break;
    case 8:
        decode_row(f, row, k, 8, values, exps, s);
        break;
    case 6:
        decode_row(f, row, k, 6, values, exps, s);
        break;
    default:
        decode_row(f, row, k, 4, values, exps, s);
        break;
    }
}

LW_AVX2 static int least_lane(__m256i v)
{
    int32_t lane[8];
    _mm256_storeu_si256((__m256i *)(void *)lane, v);
    int least = lane[0];
    for (int i = 1; i < 8; i++)
        least = lane[i] < least ? lane[i] : least;
    return least;
}

/* Products of elements other than zero must have exponents that keep every scale an ordinary binary32. */
LW_AVX2 static bool in_range(const seen *a, const seen *b)
{
    const int most_a = -least_lane(_mm256_sub_epi32(_mm256_setzero_si256(), a->most));
    const int most_b = -least_lane(_mm256_sub_epi32(_mm256_setzero_si256(), b->most));
    const __m256i special = _mm256_or_si256(a->special, b->special);
    return _mm256_testz_si256(special, special) && least_lane(a->least) + least_lane(b->least) >= -94 &&
           most_a + most_b <= 100;
}

LW_AVX2 static seen nothing_seen(void)
{
    return (seen){ _mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_set1_epi32(LW_FAST_NO_EXP) };
}

LW_AVX2 bool lw_avx2_decode_floats(const lw_fast_shape *s, const lw_fast_tile *t, unsigned block,
                                   lw_avx2_operands *out)
{
    _Alignas(32) uint32_t values[MAX_COLUMNS * MAX_K];
    _Alignas(32) int32_t exps[MAX_COLUMNS * MAX_K];
    const codec fa = codec_of(s->a), fb = codec_of(s->b);
    seen in_a = nothing_seen(), in_b = nothing_seen();
    const uint32_t *a = t->a + (size_t)block * s->m * s->a_words,
                   *b = t->b + (size_t)block * s->n * s->b_words;

    for (unsigned i = 0; i < s->m; i++) {
        _Alignas(32) uint32_t row[MAX_K];
        _Alignas(32) int32_t row_exp[MAX_K];
        const bool straight = s->a_k % 8 == 0;
        uint32_t *to = straight ? out->a + (size_t)i * s->a_k : row;
        int32_t *to_exp = straight ? out->a_exp + (size_t)i * s->a_k : row_exp;
        decode_any(&fa, a + (size_t)i * s->a_words, s->a_k, to, to_exp, &in_a);
        if (!straight) {
            memcpy(out->a + (size_t)i * s->a_k, row, s->a_k * sizeof(*row));
            memcpy(out->a_exp + (size_t)i * s->a_k, row_exp, s->a_k * sizeof(*row_exp));
        }
    }
    for (unsigned j = 0; j < s->n; j++)
        decode_any(&fb, b + (size_t)j * s->b_words, s->k, values + (size_t)j * MAX_K,
                   exps + (size_t)j * MAX_K, &in_b);
    for (unsigned j = s->n; j < 8; j++) {
        memset(values + (size_t)j * MAX_K, 0, MAX_K * sizeof(*values));
        memset(exps + (size_t)j * MAX_K, 0, MAX_K * sizeof(*exps));
    }
    if (!in_range(&in_a, &in_b))
        return false;
    to_slices(values, s->n, s->k, out->b);
    to_slices((const uint32_t *)exps, s->n, s->k, (uint32_t *)out->b_exp);
    return true;
}

LW_AVX2 void lw_avx2_decode_ints(const lw_fast_shape *s, const lw_fast_tile *t, unsigned block,
                                 lw_avx2_operands *out)
{
    _Alignas(32) uint32_t values[MAX_COLUMNS * MAX_K];
    const int8_t *a = (const int8_t *)(t->a + (size_t)block * s->m * s->a_words);
    const uint32_t *b = t->b + (size_t)block * s->n * s->b_words;
    for (unsigned i = 0; i < s->m; i++)
        for (unsigned k = 0; k < s->a_k; k++)
            out->a[i * s->a_k + k] = (uint32_t)a[i * s->a_words * 4u + k] & 0xffff;
    for (unsigned j = s->n; j < 8; j++)
        memset(values + (size_t)j * MAX_K, 0, MAX_K * sizeof(*values));
    for (unsigned j = 0; j < s->n; j++)
        for (unsigned k = 0; k < s->k; k += 8) {
            const char *at = (const char *)(b + (size_t)j * s->b_words) + k;
            _mm256_store_si256((__m256i *)(void *)(values + (size_t)j * MAX_K + k),
                               _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)at)));
        }
    to_slices(values, s->n, s->k, out->b);
}

LW_AVX2 void lw_avx2_decode_words(const lw_fast_shape *s, const lw_fast_tile *t, unsigned block,
                                  lw_avx2_operands *out)
{
    const uint32_t *a = t->a + (size_t)block * s->m * s->a_words,
                   *b = t->b + (size_t)block * s->n * s->b_words;
    memcpy(out->a, a, (size_t)s->m * s->a_words * sizeof(*a));
    for (unsigned j = 0; j < (s->n < 8u ? 8u : s->n); j++)
        for (unsigned k = 0; k < s->k; k++)
            out->b[((size_t)(j / 8) * s->k + k) * 8 + j % 8] = j < s->n ? b[(size_t)j * s->b_words + k] : 0;
}

#endif
