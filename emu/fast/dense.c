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

/* Transposes as much as consists of squares of four by four. */
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

/* Sixteen codes to eight bytes of two codes, each in the lower half of 16 bits. */
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

/* Interleaves bytes of two rows each, for sixteen columns, into words of all rows. */
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

/* Eight columns, with two rows per vector. */
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

static __m128i load_at(const void *at)
{
    return _mm_loadu_si128((const __m128i *)at);
}

static void store_at(uint32_t *to, __m128i words)
{
    _mm_storeu_si128((__m128i *)(void *)to, words);
}

/* Four rows of eight bytes, two per vector. */
static void join_eight_bytes(const uint8_t *rows, uint32_t *out)
{
    const __m128i two = load_at(rows), more = load_at(rows + 16);
    const __m128i low = _mm_unpacklo_epi8(two, _mm_srli_si128(two, 8)),
                  high = _mm_unpacklo_epi8(more, _mm_srli_si128(more, 8));
    store_at(out, _mm_unpacklo_epi16(low, high));
    store_at(out + 4, _mm_unpackhi_epi16(low, high));
}

static unsigned byte_vectors(const uint8_t *rows, unsigned columns, uint32_t *out)
{
    unsigned x = 0;
    if (columns == 8) {
        join_eight_bytes(rows, out);
        return columns;
    }
    for (; x + 16 <= columns; x += 16) {
        const __m128i row[FOUR] = { load_at(rows + x), load_at(rows + columns + x),
                                    load_at(rows + 2 * columns + x), load_at(rows + 3 * columns + x) };
        join_pairs(row, out + x);
    }
    return x;
}

static unsigned half_vectors(const char *rows, unsigned columns, uint32_t *out)
{
    unsigned x = 0;
    if (columns == 4) {
        const __m128i two = load_at(rows);
        store_at(out, _mm_unpacklo_epi16(two, _mm_srli_si128(two, 8)));
        return columns;
    }
    for (; x + 8 <= columns; x += 8) {
        const __m128i low = load_at(rows + 2 * x), high = load_at(rows + 2 * (columns + x));
        store_at(out + x, _mm_unpacklo_epi16(low, high));
        store_at(out + x + 4, _mm_unpackhi_epi16(low, high));
    }
    return x;
}

static unsigned part_vectors(const char *elements, unsigned count, uint32_t *low, uint32_t *high)
{
    unsigned n = 0;
    for (; n + FOUR <= count; n += FOUR) {
        const __m128 two = _mm_castsi128_ps(load_at(elements + 8 * n)),
                     more = _mm_castsi128_ps(load_at(elements + 8 * n + 16));
        store_at(low + n, _mm_castps_si128(_mm_shuffle_ps(two, more, _MM_SHUFFLE(2, 0, 2, 0))));
        store_at(high + n, _mm_castps_si128(_mm_shuffle_ps(two, more, _MM_SHUFFLE(3, 1, 3, 1))));
    }
    return n;
}

static unsigned paired_vectors(const uint32_t *low, const uint32_t *high, unsigned count, uint32_t *elements)
{
    unsigned n = 0;
    for (; n + FOUR <= count; n += FOUR) {
        const __m128i l = load_at(low + n), h = load_at(high + n);
        store_at(elements + 2 * n, _mm_unpacklo_epi32(l, h));
        store_at(elements + 2 * n + 4, _mm_unpackhi_epi32(l, h));
    }
    return n;
}

static void part_eight(const void *words, uint32_t *evens, uint32_t *odds)
{
    (void)part_vectors(words, FOUR, evens, odds);
}

static void join_eight(const uint32_t *evens, const uint32_t *odds, uint32_t *words)
{
    (void)paired_vectors(evens, odds, FOUR, words);
}

#else

enum { FOUR = 1 << 30 };

static void part_eight(const void *words, uint32_t *evens, uint32_t *odds)
{
    uint32_t word[8];
    memcpy(word, words, sizeof(word));
    for (unsigned n = 0; n < 4; n++) {
        evens[n] = word[2 * n];
        odds[n] = word[2 * n + 1];
    }
}

static void join_eight(const uint32_t *evens, const uint32_t *odds, uint32_t *words)
{
    for (unsigned n = 0; n < 4; n++) {
        words[2 * n] = evens[n];
        words[2 * n + 1] = odds[n];
    }
}

static unsigned byte_vectors(const uint8_t *rows, unsigned columns, uint32_t *out)
{
    (void)rows, (void)columns, (void)out;
    return 0;
}

static unsigned half_vectors(const char *rows, unsigned columns, uint32_t *out)
{
    (void)rows, (void)columns, (void)out;
    return 0;
}

static unsigned part_vectors(const char *elements, unsigned count, uint32_t *low, uint32_t *high)
{
    (void)elements, (void)count, (void)low, (void)high;
    return 0;
}

static unsigned paired_vectors(const uint32_t *low, const uint32_t *high, unsigned count, uint32_t *elements)
{
    (void)low, (void)high, (void)count, (void)elements;
    return 0;
}

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

void lw_dense_byte_columns(const uint8_t *rows, unsigned columns, uint32_t *out)
{
    for (unsigned x = byte_vectors(rows, columns, out); x < columns; x++)
        out[x] = rows[x] | (uint32_t)rows[columns + x] << 8 | (uint32_t)rows[2 * columns + x] << 16 |
                 (uint32_t)rows[3 * columns + x] << 24;
}

void lw_dense_half_columns(const void *rows, unsigned columns, uint32_t *out)
{
    const char *from = rows;
    for (unsigned x = half_vectors(from, columns, out); x < columns; x++) {
        uint16_t low, high;
        memcpy(&low, from + 2 * x, sizeof(low));
        memcpy(&high, from + 2 * (columns + x), sizeof(high));
        out[x] = low | (uint32_t)high << 16;
    }
}

static inline void part_some(const char *from, unsigned count, uint32_t *low, uint32_t *high)
{
    for (unsigned n = part_vectors(from, count, low, high); n < count; n++) {
        uint64_t code;
        memcpy(&code, from + n * sizeof(code), sizeof(code));
        low[n] = (uint32_t)code;
        high[n] = (uint32_t)(code >> 32);
    }
}

static inline void join_some(const uint32_t *low, const uint32_t *high, unsigned count, uint32_t *elements)
{
    for (unsigned n = paired_vectors(low, high, count, elements); n < count; n++) {
        elements[2 * n] = low[n];
        elements[2 * n + 1] = high[n];
    }
}

/* The usual number, sixteen as in panels, is made known to the compiler. */
void lw_dense_part(const void *elements, unsigned count, unsigned most, uint32_t *to)
{
    const char *from = elements;
    for (unsigned n = 0; n < count; n += most, from += most * sizeof(uint64_t), to += 2 * most)
        if (most == 16)
            part_some(from, 16, to, to + 16);
        else
            part_some(from, most, to, to + most);
}

void lw_dense_join(const uint32_t *parts, unsigned count, unsigned most, uint32_t *elements)
{
    for (unsigned n = 0; n < count; n += most, parts += 2 * most, elements += 2 * most)
        if (most == 16)
            join_some(parts, parts + 16, 16, elements);
        else
            join_some(parts, parts + most, most, elements);
}

void lw_dense_evens(const void *words, unsigned eights, uint32_t *to)
{
    const char *from = words;
    for (unsigned n = 0; n < eights; n++, from += 8 * sizeof(*to), to += 8)
        part_eight(from, to, to + 4);
}

void lw_dense_to_runs(const uint32_t *rows, unsigned count, unsigned columns, uint32_t *runs)
{
    for (unsigned row = 0; row < count; row += 4, runs += (size_t)4 * columns)
        for (unsigned n = 0; n < 4; n++)
            for (unsigned col = 0; col < columns; col += 8, rows += 8)
                part_eight(rows, runs + 4 * (col + n), runs + 4 * (col + n) + 16);
}

void lw_dense_from_runs(const uint32_t *runs, unsigned count, unsigned columns, uint32_t *rows)
{
    for (unsigned row = 0; row < count; row += 4, runs += (size_t)4 * columns)
        for (unsigned n = 0; n < 4; n++)
            for (unsigned col = 0; col < columns; col += 8, rows += 8)
                join_eight(runs + 4 * (col + n), runs + 4 * (col + n) + 16, rows);
}

void lw_dense_part_squares(const void *squares, uint32_t *runs)
{
    const char *from = squares;
    for (unsigned n = 0; n < 4; n++, runs += 4)
        for (unsigned row = 0; row < 4; row++, from += 8 * sizeof(*runs))
            part_eight(from, runs + 32 * row, runs + 32 * row + 16);
}

void lw_dense_join_squares(const uint32_t *runs, uint32_t *squares)
{
    for (unsigned n = 0; n < 4; n++, runs += 4)
        for (unsigned row = 0; row < 4; row++, squares += 8)
            join_eight(runs + 32 * row, runs + 32 * row + 16, squares);
}
