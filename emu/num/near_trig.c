/* SPDX-License-Identifier: MIT */
/*
 * sin and cos of radians. The number of quarter turns is found from as many bits of 2 / pi as the exponent of
 * x requires; no argument is too large.
 */
#include "emu/num/near.h"

#define HALF_PI UINT64_C(0xc90fdaa22168c234) /* 2^63 pi / 2 */
#define TOP ((uint64_t)1 << 63)

/* 2 / pi, starting with the bit worth 1/2. */
static const uint64_t two_over_pi[6] = { 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
                                         0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c };

/* 64 bits of 2 / pi, starting with bit `at`. */
static uint64_t bits_from(unsigned at)
{
    const unsigned word = at / 64, bit = at % 64;
    const uint64_t first = two_over_pi[word] << bit;
    return bit ? first | two_over_pi[word + 1] >> (64 - bit) : first;
}

/*
 * The magnitude of v, at least 1/2, in turns: 192 bits after the binary point, the highest first. The
 * significand has 24 bits; whole turns are left out.
 */
static void turns_of(const lw_fp_num *v, uint64_t turns[3])
{
    const uint64_t m = v->hi >> 40;                 /* v = m 2^(exp - 23) */
    const int skip = v->exp > 25 ? v->exp - 25 : 0; /* bits of 2 / pi that contribute whole turns only */
    const unsigned down = (unsigned)(v->exp > 25 ? 0 : 25 - v->exp);
    uint64_t carry = 0;
    for (int i = 2; i >= 0; i--) {
        const lw_u128 p =
            lw_u128_add(lw_u128_mul(m, bits_from((unsigned)skip + 64u * (unsigned)i)), (lw_u128){ 0, carry });
        turns[i] = p.lo;
        carry = p.hi;
    }
    for (int i = 2; i >= 0 && down; i--)
        turns[i] = turns[i] >> down | (i ? turns[i - 1] : carry) << (64 - down);
}

/* The remainder of v after *quarters quarter turns, in radians, from -pi/4 to pi/4; never 0. */
static lw_fp_num reduced(const lw_fp_num *v, unsigned *quarters)
{
    uint64_t t[3];
    turns_of(v, t);
    *quarters = (unsigned)(t[0] >> 62);
    uint64_t f[3] = { t[0] << 2 | t[1] >> 62, t[1] << 2 | t[2] >> 62, t[2] << 2 };
    const bool neg = f[0] >> 63;
    if (neg) {
        *quarters += 1;
        for (int i = 0; i < 3; i++)
            f[i] = ~f[i];
    }
    const unsigned zeros = lw_clz64(f[0]); /* no argument is so close to a multiple that there are 64 */
    const lw_u128 top = lw_u128_shl((lw_u128){ f[0], f[1] }, zeros);
    return lw_near_times(neg, top.hi, -1 - (int)zeros, HALF_PI);
}

/* 1 - u / (n + 1)(n + 2) + ..., times 2^63: cos(r) for n = 0, sin(r) / r for n = 1; u / 2^64 is r^2. */
static uint64_t series(uint64_t square, int n)
{
    uint64_t sum = 0;
    for (int k = n + 18; k >= n; k -= 2)
        sum = lw_near_factorials[k] - lw_near_high(square, sum);
    return sum;
}

/* For r between -pi/4 and pi/4, except 0. */
static lw_fp_num sine(const lw_fp_num *r, uint64_t square)
{
    return lw_near_times(r->neg, r->hi, r->exp, series(square, 1));
}

static lw_fp_num cosine(uint64_t square)
{
    return square ? lw_near_times(false, TOP, 0, series(square, 0))
                  : (lw_fp_num){ .exp = -1, .hi = UINT64_MAX, .lo = 1 };
}

/* sin(x + quarters pi / 2), x finite and not 0. */
static uint64_t wave(const lw_format *f, const lw_fp_env *e, uint64_t x, unsigned quarters)
{
    lw_fp_num r = lw_fp_unpack(f, x);
    unsigned turned = 0;
    const bool neg = r.neg;
    r.neg = false;
    if (r.exp >= -1)
        r = reduced(&r, &turned);
    r.neg ^= neg;
    quarters += neg ? 0u - turned : turned;
    const unsigned down = (unsigned)(-2 * r.exp - 2);
    const uint64_t square = down < 64 ? lw_near_high(r.hi, r.hi) >> down : 0;
    lw_fp_num v = quarters & 1 ? cosine(square) : sine(&r, square);
    v.neg ^= (quarters & 2) != 0;
    return lw_fp_pack(f, e, &v);
}

uint64_t lw_near_sin(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    x = lw_fp_flush_in(f, e, x);
    if (lw_fp_is_nan(f, x))
        return lw_fp_pass_nan(f, e, x);
    if (lw_fp_is_inf(f, x))
        return lw_fp_nan(f, e);
    return lw_fp_is_zero(f, x) ? x : wave(f, e, x, 0);
}

uint64_t lw_near_cos(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    x = lw_fp_flush_in(f, e, x);
    if (lw_fp_is_nan(f, x))
        return lw_fp_pass_nan(f, e, x);
    if (lw_fp_is_inf(f, x))
        return lw_fp_nan(f, e);
    return lw_fp_is_zero(f, x) ? lw_fp_one(f) : wave(f, e, x, 1);
}
