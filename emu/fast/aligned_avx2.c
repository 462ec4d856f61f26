/* SPDX-License-Identifier: MIT */
/*
 * Groups of products on common grids. Products of the formats taken here have at most 22 significant bits, so
 * a binary32 multiplication is exact; scaling by a power of two is exact; conversion cuts by magnitude, as
 * the unit does. At most 32 products below 2^26 units make a sum below 2^31.
 */
#include "emu/fast/avx2.h"

#include <stddef.h>

#ifdef LW_FAST_AVX2

enum { MAX_PRODUCTS = 128, MAX_SLICES = 4, LEAST_TOP = -100 };

typedef struct slice {
    const float *b;
    const int32_t *b_exp;
} slice;

typedef struct row {
    const float *a;
    const int32_t *a_exp;
    const uint8_t *k_of; /* NULL: stored place and k are the same */
} row;

LW_AVX2_INLINE int b_offset(const row *r, int k)
{
    return 8 * (r->k_of ? r->k_of[k] : k);
}

/* Products from..to-1, every `step`th: their sum in units of 2^(top - 24), and the largest nominal exponent.
 */
LW_AVX2_INLINE __m256i sum_class(const row *r, const slice *s, int from, int to, int step, __m256i *top)
{
    __m256i largest = _mm256_set1_epi32(LW_FAST_NO_EXP * 2);
    for (int k = from; k < to; k += step) {
        const __m256i be = _mm256_load_si256((const __m256i *)(const void *)(s->b_exp + b_offset(r, k)));
        largest = _mm256_max_epi32(largest, _mm256_add_epi32(_mm256_set1_epi32(r->a_exp[k]), be));
    }
    *top = largest;
    const __m256 scale = lw_avx2_pow2(
        _mm256_sub_epi32(_mm256_set1_epi32(24), _mm256_max_epi32(largest, _mm256_set1_epi32(LEAST_TOP))));
    __m256i sum = _mm256_setzero_si256();
    for (int k = from; k < to; k += step) {
        const __m256 b = _mm256_load_ps(s->b + b_offset(r, k));
        const __m256 p = _mm256_mul_ps(_mm256_mul_ps(_mm256_broadcast_ss(r->a + k), b), scale);
        sum = _mm256_add_epi32(sum, _mm256_cvttps_epi32(p));
    }
    return sum;
}

/* A group's sum in units of 2^(top - 24); shifts by 32 and more give what flooring gives. */
LW_AVX2_INLINE __m256i sum_group(const row *r, const slice *s, int from, int to, int classes, __m256i *top)
{
    if (classes == 1)
        return sum_class(r, s, from, to, 1, top);
    __m256i even_top, odd_top;
    const __m256i even = sum_class(r, s, from, to, 2, &even_top);
    const __m256i odd = sum_class(r, s, from + 1, to, 2, &odd_top);
    *top = _mm256_max_epi32(even_top, odd_top);
    return _mm256_add_epi32(_mm256_srav_epi32(even, _mm256_sub_epi32(*top, even_top)),
                            _mm256_srav_epi32(odd, _mm256_sub_epi32(*top, odd_top)));
}

LW_AVX2_INLINE __m256i scale_of(const lw_fast_shape *s, const lw_fast_tile *t, unsigned i, unsigned column,
                                int k)
{
    const unsigned blocks = s->k / 32u, q = (unsigned)k / 32u;
    int32_t exps[8];
    for (unsigned j = 0; j < 8; j++)
        exps[j] = t->scale_b[(column + j) * blocks + q] - 254;
    return _mm256_add_epi32(_mm256_loadu_si256((const __m256i *)(const void *)exps),
                            _mm256_set1_epi32(t->scale_a[i * blocks + q]));
}

/* One row of D, eight columns from `column`. */
LW_AVX2_INLINE __m256 row_of_d(const lw_fast_shape *s, const lw_fast_tile *t, const row *r, const slice *sl,
                               unsigned i, unsigned column, int group, int classes, __m256 acc, __m256i *bad)
{
    const int drop = s->recipe->unit.drop;
    for (int k = 0; k < s->a_k; k += group) {
        __m256i top;
        *bad = _mm256_or_si256(*bad, lw_avx2_special(acc));
        const __m256i sum = sum_group(r, sl, k, k + group, classes, &top);
        const __m256i any = _mm256_cmpgt_epi32(top, _mm256_set1_epi32(LW_FAST_NO_EXP / 2));
        if (t->scale_a)
            top = _mm256_add_epi32(top, scale_of(s, t, i, column, k));
        acc = lw_avx2_meet(sum, top, any, acc, drop, bad);
    }
    return acc;
}

LW_AVX2_INLINE bool block_of(const lw_fast_shape *s, const lw_fast_tile *t, unsigned block, int group,
                             int classes, bool sparse)
{
    lw_avx2_operands op;
    if (!lw_avx2_decode_floats(s, t, block, &op))
        return false;
    const __m256i lanes = lw_avx2_lanes(s->n);
    __m256i bad = _mm256_setzero_si256();
    for (unsigned i = 0; i < s->m; i++) {
        uint8_t k_of[MAX_PRODUCTS];
        if (sparse)
            lw_fast_places(s, t, i, k_of);
        const row r = { (const float *)(const void *)(op.a + (size_t)i * s->a_k),
                        op.a_exp + (size_t)i * s->a_k, sparse ? k_of : NULL };
        for (unsigned j = 0; j < s->n; j += 8) {
            const size_t at = ((size_t)block * s->m + i) * s->n + j, from = (size_t)j * s->k;
            const slice sl = { (const float *)(const void *)(op.b + from), op.b_exp + from };
            const __m256 c = _mm256_maskload_ps((const float *)(const void *)(t->c + at), lanes);
            const __m256 d = row_of_d(s, t, &r, &sl, i, j, group, classes, c, &bad);
            _mm256_maskstore_ps((float *)(void *)(t->d + at), lanes, d);
        }
    }
    return _mm256_testz_si256(bad, bad);
}

typedef bool (*block_fn)(const lw_fast_shape *shape, const lw_fast_tile *tile, unsigned block);

/* The loops once more for each usual kind of group, its size known to the compiler. */
LW_AVX2 static bool dense_tr4(const lw_fast_shape *s, const lw_fast_tile *t, unsigned block)
{
    return block_of(s, t, block, 4, 1, false);
}

LW_AVX2 static bool dense_tr8(const lw_fast_shape *s, const lw_fast_tile *t, unsigned block)
{
    return block_of(s, t, block, 8, 1, false);
}

LW_AVX2 static bool dense_gtr16(const lw_fast_shape *s, const lw_fast_tile *t, unsigned block)
{
    return block_of(s, t, block, 16, 2, false);
}

LW_AVX2 static bool dense_gtr32(const lw_fast_shape *s, const lw_fast_tile *t, unsigned block)
{
    return block_of(s, t, block, 32, 2, false);
}

LW_AVX2 static bool sparse_tr8(const lw_fast_shape *s, const lw_fast_tile *t, unsigned block)
{
    return block_of(s, t, block, 8, 1, true);
}

LW_AVX2 static bool sparse_gtr16(const lw_fast_shape *s, const lw_fast_tile *t, unsigned block)
{
    return block_of(s, t, block, 16, 2, true);
}

LW_AVX2 static bool block_any(const lw_fast_shape *s, const lw_fast_tile *t, unsigned block)
{
    const int group = s->recipe->unit.group < s->a_k ? s->recipe->unit.group : s->a_k;
    return block_of(s, t, block, group, s->recipe->unit.classes, true);
}

static block_fn block_for(const lw_fast_shape *s, bool sparse)
{
    static const struct {
        uint8_t group, classes;
        bool sparse;
        block_fn fn;
    } usual[] = {
        { 4, 1, false, dense_tr4 },    { 8, 1, false, dense_tr8 }, { 16, 2, false, dense_gtr16 },
        { 32, 2, false, dense_gtr32 }, { 8, 1, true, sparse_tr8 }, { 16, 2, true, sparse_gtr16 },
    };
    const int group = s->recipe->unit.group < s->a_k ? s->recipe->unit.group : s->a_k;
    for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
        if (usual[i].group == group && usual[i].classes == s->recipe->unit.classes &&
            usual[i].sparse == sparse)
            return usual[i].fn;
    return block_any;
}

static bool has_nan_scale(const lw_fast_shape *s, const lw_fast_tile *t)
{
    const unsigned a = s->m * (s->k / 32u), b = s->n * (s->k / 32u);
    for (unsigned i = 0; i < a; i++)
        if (t->scale_a[i] == 0xff)
            return true;
    for (unsigned i = 0; i < b; i++)
        if (t->scale_b[i] == 0xff)
            return true;
    return false;
}

bool lw_avx2_aligned(const lw_fast_shape *s, const lw_fast_tile *t)
{
    const block_fn run = block_for(s, t->index != NULL);
    if (t->scale_a && has_nan_scale(s, t))
        return false;
    for (unsigned block = 0; block < s->blocks; block++)
        if (!run(s, t, block))
            return false;
    return true;
}

#endif
