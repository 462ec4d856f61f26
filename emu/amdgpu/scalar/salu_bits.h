/* SPDX-License-Identifier: MIT */
/* Bit operations of the scalar ALU as pure functions. */
#ifndef LW_EMU_AMDGPU_SALU_BITS_H
#define LW_EMU_AMDGPU_SALU_BITS_H

#include <stdint.h>

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;

static inline u32 lw_bits_sext16(u32 k)
{
    return (u32)(i32)(int16_t)k;
}

static inline unsigned lw_bits_count(uint64_t x)
{
    unsigned n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

/* Position of the lowest set bit; -1 if there is none. */
static inline int32_t lw_bits_lowest(uint64_t x)
{
    return x ? (int32_t)lw_bits_count((x & (~x + 1)) - 1) : -1;
}

/* Zero bits above the highest set bit of a `width`-bit value; -1 if there is none. */
static inline int32_t lw_bits_leading(uint64_t x, int width)
{
    for (int i = width - 1; i >= 0; i--)
        if (x >> i & 1)
            return width - 1 - i;
    return -1;
}

/* The distance from the top of the first bit that differs from the sign; -1 if all are equal. */
static inline int32_t lw_bits_sign_run(uint64_t x, int width)
{
    const uint64_t all = width == 64 ? UINT64_MAX : (1ULL << width) - 1;
    return lw_bits_leading(x >> (width - 1) & 1 ? ~x & all : x, width);
}

static inline uint64_t lw_bits_reverse(uint64_t x, int width)
{
    uint64_t r = 0;
    for (int i = 0; i < width; i++)
        r |= (x >> i & 1) << (width - 1 - i);
    return r;
}

/* Bit i of the result: is any bit of quad i set? */
static inline uint64_t lw_bits_quads(uint64_t x)
{
    uint64_t r = 0;
    for (int i = 0; i < 16; i++)
        r |= (uint64_t)((x >> 4 * i & 15) != 0) << i;
    return r;
}

/* Whole quads: all four bits, if any of them is set. */
static inline uint64_t lw_bits_whole_quads(uint64_t x)
{
    uint64_t r = 0;
    for (int i = 0; i < 16; i++)
        if (x >> 4 * i & 15)
            r |= 15ULL << 4 * i;
    return r;
}

static inline uint64_t lw_bits_replicate(uint32_t x)
{
    uint64_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (uint64_t)(x >> i & 1) * 3 << 2 * i;
    return r;
}

/* The `count` lowest bits set; count is below 64. */
static inline uint64_t lw_bits_ones(unsigned count)
{
    return (1ULL << count) - 1;
}

/* A field of `width` bits at `offset`; 0 if width is 0; all the remaining bits if it is wider than the
 * value. */
static inline uint64_t lw_bits_field(uint64_t x, unsigned offset, unsigned width)
{
    x >>= offset;
    return width < 64 ? x & lw_bits_ones(width) : x;
}

/* The same for a sign-extended value; the result is sign-extended from the field's top bit. */
static inline int64_t lw_bits_signed_field(int64_t x, unsigned offset, unsigned width)
{
    if (width == 0)
        return 0;
    x >>= offset;
    return width < 64 ? (int64_t)((uint64_t)x << (64 - width)) >> (64 - width) : x;
}

#endif
