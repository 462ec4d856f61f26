/* SPDX-License-Identifier: MIT */
/*
 * Words of lanes, from places in memory to rows of registers and back: eight lanes at a time, with AVX2. Rows
 * of one access are LW_LANES words apart. Stores are done lane after lane.
 */
#ifndef LW_EMU_AMDGPU_FAST_TURN_X86_H
#define LW_EMU_AMDGPU_FAST_TURN_X86_H

#include <immintrin.h>

#include "emu/amdgpu/control/wave.h"

enum { TURN_LANES = 8 };

typedef struct turn4 {
    __m256i v[4];
} turn4;

VEC __m128i turn_get(const uint8_t *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

/* Transposes lanes 0 to 3 in the lower halves and lanes 4 to 7 in the upper halves. */
VEC turn4 turn_round(turn4 a)
{
    const __m256i low01 = _mm256_unpacklo_epi32(a.v[0], a.v[1]),
                  low23 = _mm256_unpacklo_epi32(a.v[2], a.v[3]);
    const __m256i high01 = _mm256_unpackhi_epi32(a.v[0], a.v[1]),
                  high23 = _mm256_unpackhi_epi32(a.v[2], a.v[3]);
    return (turn4){ { _mm256_unpacklo_epi64(low01, low23), _mm256_unpackhi_epi64(low01, low23),
                      _mm256_unpacklo_epi64(high01, high23), _mm256_unpackhi_epi64(high01, high23) } };
}

VEC void turn_load4(const uint8_t *host, const uint32_t *at, uint32_t *row)
{
    turn4 a;
    for (unsigned n = 0; n < 4; n++)
        a.v[n] = _mm256_inserti128_si256(_mm256_castsi128_si256(turn_get(host + at[n])),
                                         turn_get(host + at[4 + n]), 1);
    a = turn_round(a);
    for (unsigned n = 0; n < 4; n++)
        _mm256_storeu_si256((__m256i *)(void *)(row + n * LW_LANES), a.v[n]);
}

VEC __m256 turn_word(const uint8_t *at)
{
    float word;
    memcpy(&word, at, sizeof(word));
    return _mm256_set1_ps(word);
}

/* One word of each lane. */
VEC void turn_load1(const uint8_t *host, const uint32_t *at, uint32_t *row)
{
    const __m256 a = _mm256_blend_ps(turn_word(host + at[0]), turn_word(host + at[1]), 0x02);
    const __m256 b = _mm256_blend_ps(turn_word(host + at[2]), turn_word(host + at[3]), 0x08);
    const __m256 c = _mm256_blend_ps(turn_word(host + at[4]), turn_word(host + at[5]), 0x20);
    const __m256 d = _mm256_blend_ps(turn_word(host + at[6]), turn_word(host + at[7]), 0x80);
    _mm256_storeu_ps((float *)(void *)row,
                     _mm256_blend_ps(_mm256_blend_ps(a, b, 0x0c), _mm256_blend_ps(c, d, 0xc0), 0xf0));
}

/* to[n] = from[number[n]] for all lanes; numbers are below LW_LANES. */
VEC void turn_pick(const uint32_t *from, const uint32_t *number, uint32_t *to)
{
#ifdef __AVX512F__
    __m512i part[4];
    for (unsigned i = 0; i < 4; i++)
        part[i] = _mm512_loadu_si512(from + 16 * i);
    for (unsigned i = 0; i < 4; i++) {
        const __m512i n = _mm512_loadu_si512(number + 16 * i);
        const __m512i low = _mm512_permutex2var_epi32(part[0], n, part[1]),
                      high = _mm512_permutex2var_epi32(part[2], n, part[3]);
        const __mmask16 is_high = _mm512_test_epi32_mask(n, _mm512_set1_epi32(LW_LANES / 2));
        _mm512_storeu_si512(to + 16 * i, _mm512_mask_blend_epi32(is_high, low, high));
    }
#else
    for (unsigned lane = 0; lane < LW_LANES; lane += 4)
        _mm_storeu_si128((__m128i *)(void *)(to + lane),
                         _mm_set_epi32((int)from[number[lane + 3]], (int)from[number[lane + 2]],
                                       (int)from[number[lane + 1]], (int)from[number[lane]]));
#endif
}

/* Byte i of words 0 to 3 becomes word i. */
VEC void turn_bytes(const uint32_t *from, uint32_t *to)
{
    const __m128i order = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    _mm_storeu_si128((__m128i *)(void *)to, _mm_shuffle_epi8(turn_get((const uint8_t *)from), order));
}

VEC __m128 turn_pair(const uint8_t *first, const uint8_t *second)
{
    const __m128i low = _mm_loadl_epi64((const __m128i *)(const void *)first);
    return _mm_loadh_pi(_mm_castsi128_ps(low), (const __m64 *)(const void *)second);
}

/* Eight bytes of each of sixteen lanes. A run is what four lanes have read; word q of lane l is half l of
 * runs 2q and 2q + 1. */
VEC void turn_b16(const uint8_t *bytes, uint32_t *to)
{
    const __m256i *run = (const __m256i *)(const void *)bytes;
    for (unsigned q = 0; q < 2; q++) {
        const __m256i a = _mm256_loadu_si256(run + 2 * q), b = _mm256_loadu_si256(run + 2 * q + 1);
        const __m256i low = _mm256_unpacklo_epi16(a, b), high = _mm256_unpackhi_epi16(a, b);
        _mm256_storeu_si256((__m256i *)(void *)(to + q * LW_LANES),
                            _mm256_permute2x128_si256(low, high, 0x20));
        _mm256_storeu_si256((__m256i *)(void *)(to + q * LW_LANES + 8),
                            _mm256_permute2x128_si256(low, high, 0x31));
    }
}

/* The same with runs of two lanes: the bytes come from runs 4q to 4q + 3. */
VEC void turn_b8(const uint8_t *bytes, uint32_t *to)
{
    for (unsigned q = 0; q < 2; q++) {
        __m128i half[4];
        for (unsigned n = 0; n < 4; n += 2) {
            const __m128i a = turn_get(bytes + 64 * q + 16 * n), b = turn_get(bytes + 64 * q + 16 * n + 16);
            half[n] = _mm_unpacklo_epi8(a, b);
            half[n + 1] = _mm_unpackhi_epi8(a, b);
        }
        __m128i *word = (__m128i *)(void *)(to + q * LW_LANES);
        for (unsigned n = 0; n < 2; n++) {
            _mm_storeu_si128(word + 2 * n, _mm_unpacklo_epi16(half[n], half[n + 2]));
            _mm_storeu_si128(word + 2 * n + 1, _mm_unpackhi_epi16(half[n], half[n + 2]));
        }
    }
}

VEC void turn_load2(const uint8_t *host, const uint32_t *at, uint32_t *row)
{
    for (unsigned n = 0; n < TURN_LANES; n += 4) {
        const __m128 a = turn_pair(host + at[n], host + at[n + 1]);
        const __m128 b = turn_pair(host + at[n + 2], host + at[n + 3]);
        _mm_storeu_ps((float *)(void *)(row + n), _mm_shuffle_ps(a, b, 0x88));
        _mm_storeu_ps((float *)(void *)(row + LW_LANES + n), _mm_shuffle_ps(a, b, 0xdd));
    }
}

VEC void turn_store4(uint8_t *host, const uint32_t *at, const uint32_t *row)
{
    turn4 a;
    for (unsigned n = 0; n < 4; n++)
        a.v[n] = _mm256_loadu_si256((const __m256i *)(const void *)(row + n * LW_LANES));
    a = turn_round(a);
    for (unsigned n = 0; n < 4; n++)
        _mm_storeu_si128((__m128i *)(void *)(host + at[n]), _mm256_castsi256_si128(a.v[n]));
    for (unsigned n = 0; n < 4; n++)
        _mm_storeu_si128((__m128i *)(void *)(host + at[4 + n]), _mm256_extracti128_si256(a.v[n], 1));
}

VEC void turn_store2(uint8_t *host, const uint32_t *at, const uint32_t *row)
{
    const __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)row);
    const __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(row + LW_LANES));
    uint64_t pair[2][4]; /* of lanes 0, 1, 4, 5, and of 2, 3, 6, 7 */
    _mm256_storeu_si256((__m256i *)(void *)pair[0], _mm256_unpacklo_epi32(a, b));
    _mm256_storeu_si256((__m256i *)(void *)pair[1], _mm256_unpackhi_epi32(a, b));
    for (unsigned n = 0; n < TURN_LANES; n++)
        memcpy(host + at[n], &pair[n >> 1 & 1][(n >> 2) * 2 + (n & 1)], sizeof(pair[0][0]));
}

#endif
