/* SPDX-License-Identifier: MIT */
/* Unsigned 128-bit integers as two halves, enough for exact products and sums of 53-bit significands. */
#ifndef LW_EMU_NUM_U128_H
#define LW_EMU_NUM_U128_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lw_u128 {
    uint64_t hi, lo;
} lw_u128;

static inline lw_u128 lw_u128_mul(uint64_t a, uint64_t b)
{
    const uint64_t a0 = a & 0xffffffffu, a1 = a >> 32;
    const uint64_t b0 = b & 0xffffffffu, b1 = b >> 32;
    const uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0;
    const uint64_t mid = (p00 >> 32) + (p01 & 0xffffffffu) + (p10 & 0xffffffffu);
    return (lw_u128){ a1 * b1 + (p01 >> 32) + (p10 >> 32) + (mid >> 32), (mid << 32) | (p00 & 0xffffffffu) };
}

static inline lw_u128 lw_u128_add(lw_u128 a, lw_u128 b)
{
    const uint64_t lo = a.lo + b.lo;
    return (lw_u128){ a.hi + b.hi + (lo < a.lo), lo };
}

static inline lw_u128 lw_u128_sub(lw_u128 a, lw_u128 b)
{
    return (lw_u128){ a.hi - b.hi - (a.lo < b.lo), a.lo - b.lo };
}

static inline bool lw_u128_less(lw_u128 a, lw_u128 b)
{
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

/* Shifts left by 0..127. */
static inline lw_u128 lw_u128_shl(lw_u128 a, unsigned n)
{
    if (n == 0)
        return a;
    if (n >= 64)
        return (lw_u128){ a.lo << (n - 64), 0 };
    return (lw_u128){ (a.hi << n) | (a.lo >> (64 - n)), a.lo << n };
}

/* Shifts right by any amount and drops the bits that fall out. */
static inline lw_u128 lw_u128_shr(lw_u128 a, unsigned n)
{
    if (n == 0)
        return a;
    if (n >= 128)
        return (lw_u128){ 0, 0 };
    if (n >= 64)
        return (lw_u128){ 0, a.hi >> (n - 64) };
    return (lw_u128){ a.hi >> n, (a.lo >> n) | (a.hi << (64 - n)) };
}

/* Shifts right by any amount; bit 0 of the result is also set if any bit that fell out was. */
static inline lw_u128 lw_u128_shr_jam(lw_u128 a, unsigned n)
{
    lw_u128 r = lw_u128_shr(a, n);
    const lw_u128 back = n >= 128 ? (lw_u128){ 0, 0 } : lw_u128_shl(r, n);
    r.lo |= (uint64_t)(back.hi != a.hi || back.lo != a.lo);
    return r;
}

/* Leading zero bits; 64 for 0. */
static inline unsigned lw_clz64(uint64_t v)
{
#ifdef __GNUC__
    return v ? (unsigned)__builtin_clzll(v) : 64;
#else
    unsigned n = 0;
    for (uint64_t top = (uint64_t)1 << 63; top && !(v & top); top >>= 1)
        n++;
    return n;
#endif
}

#endif
