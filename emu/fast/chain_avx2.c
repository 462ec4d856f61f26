/* SPDX-License-Identifier: MIT */
/* FMA chains, which the host's fused multiply-add computes by definition, and integer sums. */
#include "emu/fast/avx2.h"

#include <stddef.h>
#include <string.h>

#ifdef LW_FAST_AVX2

enum { MAX_PRODUCTS = 128, MAX_F64 = 256 }; /* mma.m16n8k16 of f64 */

static const uint32_t NAN32 = UINT32_C(0x7fc00000);         /* LW_DOT_NAN32 */
static const uint64_t NAN64 = UINT64_C(0x7ff8000000000000); /* LW_DOT_NAN64 */

/* Row i of a block: products of 16-bit halves, the upper ones zero. */
LW_AVX2_INLINE void int_row(const lw_fast_shape *s, const lw_fast_tile *t, const lw_avx2_operands *op,
                            unsigned i, size_t row_at, const uint8_t *k_of)
{
    const __m256i lanes = lw_avx2_lanes(s->n);
    const uint32_t *a = op->a + (size_t)i * s->a_k;
    for (unsigned j = 0; j < s->n; j += 8) {
        const uint32_t *b = op->b + (size_t)j * s->k;
        __m256i acc = _mm256_maskload_epi32((const int *)(const void *)(t->c + row_at + j), lanes);
        for (unsigned k = 0; k < s->a_k; k++) {
            const unsigned at = 8 * (k_of ? k_of[k] : k);
            const __m256i bv = _mm256_load_si256((const __m256i *)(const void *)(b + at));
            acc = _mm256_add_epi32(acc, _mm256_madd_epi16(_mm256_set1_epi32((int)a[k]), bv));
        }
        _mm256_maskstore_epi32((int *)(void *)(t->d + row_at + j), lanes, acc);
    }
}

LW_AVX2 bool lw_avx2_int(const lw_fast_shape *s, const lw_fast_tile *t)
{
    for (unsigned block = 0; block < s->blocks; block++) {
        lw_avx2_operands op;
        lw_avx2_decode_ints(s, t, block, &op);
        for (unsigned i = 0; i < s->m; i++) {
            const size_t at = ((size_t)block * s->m + i) * s->n;
            uint8_t k_of[MAX_PRODUCTS];
            if (t->index)
                lw_fast_places(s, t, i, k_of);
            int_row(s, t, &op, i, at, t->index ? k_of : NULL);
        }
    }
    return true;
}

LW_AVX2 bool lw_avx2_fma32(const lw_fast_shape *s, const lw_fast_tile *t)
{
    const __m256i lanes = lw_avx2_lanes(s->n);
    const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32((int)NAN32));
    for (unsigned block = 0; block < s->blocks; block++) {
        lw_avx2_operands op;
        lw_avx2_decode_words(s, t, block, &op);
        for (unsigned i = 0; i < s->m; i++) {
            const float *a = (const float *)(const void *)(op.a + (size_t)i * s->k);
            for (unsigned j = 0; j < s->n; j += 8) {
                const size_t at = ((size_t)block * s->m + i) * s->n + j;
                const float *b = (const float *)(const void *)(op.b + (size_t)j * s->k);
                __m256 acc = _mm256_maskload_ps((const float *)(const void *)(t->c + at), lanes);
                for (unsigned k = 0; k < s->k; k++)
                    acc = _mm256_fmadd_ps(_mm256_broadcast_ss(a + k), _mm256_load_ps(b + 8 * k), acc);
                acc = _mm256_blendv_ps(acc, nan, _mm256_cmp_ps(acc, acc, _CMP_UNORD_Q));
                _mm256_maskstore_ps((float *)(void *)(t->d + at), lanes, acc);
            }
        }
    }
    return true;
}

LW_AVX2 bool lw_avx2_fma64(const lw_fast_shape *s, const lw_fast_tile *t)
{
    const __m256d nan = _mm256_castsi256_pd(_mm256_set1_epi64x((long long)NAN64));
    for (unsigned block = 0; block < s->blocks; block++) {
        double a[MAX_F64], b[MAX_F64]; /* b[k][column] */
        memcpy(a, t->a + (size_t)block * s->m * s->a_words, (size_t)s->m * s->k * sizeof(*a));
        for (unsigned j = 0; j < s->n; j++)
            for (unsigned k = 0; k < s->k; k++)
                memcpy(&b[k * s->n + j], t->b + (size_t)(block * s->n + j) * s->b_words + 2 * (size_t)k,
                       sizeof(*b));
        for (unsigned i = 0; i < s->m; i++)
            for (unsigned j = 0; j < s->n; j += 4) {
                const size_t at = (((size_t)block * s->m + i) * s->n + j) * 2;
                __m256d acc = _mm256_loadu_pd((const double *)(const void *)(t->c + at));
                for (unsigned k = 0; k < s->k; k++)
                    acc = _mm256_fmadd_pd(_mm256_set1_pd(a[i * s->k + k]), _mm256_loadu_pd(&b[k * s->n + j]),
                                          acc);
                acc = _mm256_blendv_pd(acc, nan, _mm256_cmp_pd(acc, acc, _CMP_UNORD_Q));
                _mm256_storeu_pd((double *)(void *)(t->d + at), acc);
            }
    }
    return true;
}

#endif
