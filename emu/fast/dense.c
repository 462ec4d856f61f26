/* SPDX-License-Identifier: MIT */
#include "emu/fast/dense.h"

#include <string.h>

#ifdef __SSE2__

#include <emmintrin.h>

enum { FOUR = 4 };

static void turn_four(const uint32_t *from, unsigned from_step, uint32_t *to, unsigned to_step)
{
    __m128 row[FOUR];
    for (unsigned n = 0; n < FOUR; n++)
        row[n] = _mm_castsi128_ps(_mm_loadu_si128((const __m128i *)(const void *)(from + n * from_step)));
    _MM_TRANSPOSE4_PS(row[0], row[1], row[2], row[3]);
    for (unsigned n = 0; n < FOUR; n++)
        _mm_storeu_si128((__m128i *)(void *)(to + n * to_step), _mm_castps_si128(row[n]));
}

/* As much as is made of squares of four by four. */
static void turn_squares(const uint32_t *from, unsigned from_step, unsigned ys, unsigned xs, uint32_t *to,
                         unsigned to_step)
{
    for (unsigned y = 0; y + FOUR <= ys; y += FOUR)
        for (unsigned x = 0; x + FOUR <= xs; x += FOUR)
            turn_four(from + y * from_step + x, from_step, to + x * to_step + y, to_step);
}

static __m128i nibbles_at(const uint8_t *codes)
{
    return _mm_and_si128(_mm_loadu_si128((const __m128i *)(const void *)codes), _mm_set1_epi8(0xf));
}

/* Sixteen codes: a byte of two in the lower half of each 16 bits. */
static __m128i pairs_at(const uint8_t *codes)
{
    const __m128i x = nibbles_at(codes);
    return _mm_and_si128(_mm_or_si128(x, _mm_srli_epi16(x, 4)), _mm_set1_epi16(0xff));
}

static unsigned pack_vectors(const uint8_t *codes, unsigned words, uint32_t *out)
{
    unsigned w = 0;
    for (; w + FOUR <= words; w += FOUR, codes += 32)
        _mm_storeu_si128((__m128i *)(void *)(out + w),
                         _mm_packus_epi16(pairs_at(codes), pairs_at(codes + 16)));
    return w;
}

/* Bytes of two rows each, of sixteen columns, to words of all. */
static void join_pairs(const __m128i pair[FOUR], uint32_t *out)
{
    const __m128i low[2] = { _mm_unpacklo_epi8(pair[0], pair[1]), _mm_unpackhi_epi8(pair[0], pair[1]) };
    const __m128i high[2] = { _mm_unpacklo_epi8(pair[2], pair[3]), _mm_unpackhi_epi8(pair[2], pair[3]) };
    for (int n = 0; n < 2; n++) {
        _mm_storeu_si128((__m128i *)(void *)(out + 8 * n), _mm_unpacklo_epi16(low[n], high[n]));
        _mm_storeu_si128((__m128i *)(void *)(out + 8 * n + 4), _mm_unpackhi_epi16(low[n], high[n]));
    }
}

static unsigned join_vectors(const uint8_t *rows, unsigned columns, uint32_t *out)
{
    unsigned x = 0;
    for (; x + 16 <= columns; x += 16) {
        __m128i pair[FOUR];
        for (unsigned n = 0; n < FOUR; n++)
            pair[n] = _mm_or_si128(nibbles_at(rows + 2 * n * columns + x),
                                   _mm_slli_epi16(nibbles_at(rows + (2 * n + 1) * columns + x), 4));
        join_pairs(pair, out + x);
    }
    return x;
}

/* Eight columns: two rows to a vector. */
static void join_eight_columns(const uint8_t *rows, uint32_t *out)
{
    __m128i pair[FOUR];
    for (unsigned n = 0; n < FOUR; n++) {
        const __m128i two = nibbles_at(rows + 16 * n);
        pair[n] = _mm_or_si128(two, _mm_slli_epi16(_mm_srli_si128(two, 8), 4));
    }
    const __m128i low = _mm_unpacklo_epi8(pair[0], pair[1]), high = _mm_unpacklo_epi8(pair[2], pair[3]);
    _mm_storeu_si128((__m128i *)(void *)out, _mm_unpacklo_epi16(low, high));
    _mm_storeu_si128((__m128i *)(void *)(out + 4), _mm_unpackhi_epi16(low, high));
}

#else

enum { FOUR = 1 << 30 };

static void turn_squares(const uint32_t *from, unsigned from_step, unsigned ys, unsigned xs, uint32_t *to,
                         unsigned to_step)
{
    (void)from, (void)from_step, (void)ys, (void)xs, (void)to, (void)to_step;
}

static unsigned pack_vectors(const uint8_t *codes, unsigned words, uint32_t *out)
{
    (void)codes, (void)words, (void)out;
    return 0;
}

static unsigned join_vectors(const uint8_t *rows, unsigned columns, uint32_t *out)
{
    (void)rows, (void)columns, (void)out;
    return 0;
}

#endif

void lw_dense_turn(const uint32_t *from, unsigned from_step, unsigned ys, unsigned xs, uint32_t *to,
                   unsigned to_step)
{
    const unsigned whole_y = ys / FOUR * FOUR, whole_x = xs / FOUR * FOUR;
    turn_squares(from, from_step, ys, xs, to, to_step);
    for (unsigned y = 0; y < ys; y++)
        for (unsigned x = y < whole_y ? whole_x : 0; x < xs; x++)
            to[x * to_step + y] = from[y * from_step + x];
}

void lw_dense_byte_squares(const uint8_t *bytes, unsigned squares, uint32_t *out)
{
    for (unsigned n = 0; n < squares; n++, bytes += 16, out += 4) {
#ifdef __SSE2__
        const __m128i rows = _mm_loadu_si128((const __m128i *)(const void *)bytes);
        const __m128i pairs = _mm_unpacklo_epi8(rows, _mm_srli_si128(rows, 4)),
                      others = _mm_unpacklo_epi8(_mm_srli_si128(rows, 8), _mm_srli_si128(rows, 12));
        _mm_storeu_si128((__m128i *)(void *)out, _mm_unpacklo_epi16(pairs, others));
#else
        for (unsigned x = 0; x < 4; x++)
            out[x] = bytes[x] | (uint32_t)bytes[4 + x] << 8 | (uint32_t)bytes[8 + x] << 16 |
                     (uint32_t)bytes[12 + x] << 24;
#endif
    }
}

/* Neighbours join, twice as wide each time. */
void lw_dense_nibbles(const uint8_t *codes, unsigned words, uint32_t *out)
{
    for (unsigned w = pack_vectors(codes, words, out); w < words; w++) {
        uint32_t word = 0;
        for (unsigned n = 0; n < 8; n++)
            word |= (codes[8 * w + n] & 15u) << 4 * n;
        out[w] = word;
    }
}

void lw_dense_nibble_columns(const uint8_t *rows, unsigned columns, uint32_t *out)
{
#ifdef __SSE2__
    if (columns == 8) {
        join_eight_columns(rows, out);
        return;
    }
#endif
    for (unsigned x = join_vectors(rows, columns, out); x < columns; x++) {
        uint32_t word = 0;
        for (unsigned n = 0; n < 8; n++)
            word |= (rows[n * columns + x] & 15u) << 4 * n;
        out[x] = word;
    }
}
