/* SPDX-License-Identifier: MIT */
/* Single bits: from codes in a byte each, whose upper bits are ignored, to words. */
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "emu/fast/dense.h"

enum { WORD = 32, EIGHT = 8 };

static const uint64_t LOWEST = UINT64_C(0x0101010101010101);

static uint64_t eight_at(const uint8_t *codes)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t x;
    memcpy(&x, codes, sizeof(x));
#else
    uint64_t x = 0;
    for (int n = 0; n < EIGHT; n++)
        x |= (uint64_t)codes[n] << 8 * n;
#endif
    return x & LOWEST;
}

#ifdef __SSE2__

/* Shifting the lowest bit of each byte to its top leaves it where movemask finds it. */
static uint32_t sixteen(const uint8_t *codes)
{
    const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)codes);
    return (uint32_t)_mm_movemask_epi8(_mm_slli_epi16(x, 7));
}

static uint32_t word_of(const uint8_t *codes)
{
    return sixteen(codes) | sixteen(codes + 16) << 16;
}

#else

/* The product's highest byte gathers the bits: that of byte n arrives at bit 56 + n. */
static uint32_t gathered(uint64_t bits)
{
    return (uint32_t)(bits * UINT64_C(0x0102040810204080) >> 56);
}

static uint32_t word_of(const uint8_t *codes)
{
    return gathered(eight_at(codes)) | gathered(eight_at(codes + 8)) << 8 |
           gathered(eight_at(codes + 16)) << 16 | gathered(eight_at(codes + 24)) << 24;
}

#endif

void lw_dense_bits(const uint8_t *codes, unsigned words, uint32_t *out)
{
    for (unsigned w = 0; w < words; w++)
        out[w] = word_of(codes + (size_t)w * WORD);
}

/* Eight rows of eight columns: a byte for each column. */
static void eight_rows(const uint8_t *rows, unsigned columns, uint8_t *out)
{
    uint64_t x = 0;
    for (unsigned n = 0; n < EIGHT; n++)
        x |= eight_at(rows + n * columns) << n;
    for (unsigned n = 0; n < EIGHT; n++)
        out[n] = (uint8_t)(x >> 8 * n);
}

void lw_dense_bit_columns(const uint8_t *rows, unsigned columns, uint32_t *out)
{
    for (unsigned x = 0; x < columns; x += EIGHT) {
        uint8_t bytes[4 * EIGHT];
        for (unsigned n = 0; n < 4; n++)
            eight_rows(rows + n * EIGHT * columns + x, columns, bytes + n * EIGHT);
        lw_dense_byte_columns(bytes, EIGHT, out + x);
    }
}
