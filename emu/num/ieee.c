/* SPDX-License-Identifier: MIT */
/* Quotients and roots one bit at a time, as in long division; the remainder decides the sticky bit. */
#include "emu/num/ieee.h"

#include "emu/num/u128.h"

#define TOP (UINT64_C(1) << 63)

lw_fp_num lw_fp_quotient(const lw_fp_num *a, const lw_fp_num *b)
{
    lw_fp_num q = { .neg = a->neg != b->neg, .exp = a->exp - b->exp };
    uint64_t rest = a->hi;
    bool carry = false; /* bit 64 of the remainder */
    if (rest < b->hi) {
        q.exp--;
        carry = true;
        rest <<= 1;
    }
    for (int i = 0; i < 64; i++) {
        const bool fits = carry || rest >= b->hi;
        q.hi = q.hi << 1 | fits;
        rest -= fits ? b->hi : 0;
        carry = rest >> 63;
        rest <<= 1;
    }
    q.lo = carry || rest != 0;
    return q;
}

lw_fp_num lw_fp_root(const lw_fp_num *v)
{
    const bool odd = v->exp & 1;
    const lw_u128 want = odd ? (lw_u128){ v->hi, 0 } : (lw_u128){ v->hi >> 1, v->hi << 63 };
    lw_fp_num r = { .exp = (v->exp - odd) / 2 };
    for (uint64_t bit = TOP; bit; bit >>= 1)
        if (!lw_u128_less(want, lw_u128_mul(r.hi | bit, r.hi | bit)))
            r.hi |= bit;
    const lw_u128 square = lw_u128_mul(r.hi, r.hi);
    r.lo = square.hi != want.hi || square.lo != want.lo;
    return r;
}

/* The first NaN of two sources; true if there is one. */
static bool pass(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t *r)
{
    *r = lw_fp_pass_nan(f, e, lw_fp_is_nan(f, a) ? a : b);
    return lw_fp_is_nan(f, a) || lw_fp_is_nan(f, b);
}

uint64_t lw_fp_div(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    uint64_t r;
    a = lw_fp_flush_in(f, e, a);
    b = lw_fp_flush_in(f, e, b);
    const uint64_t sign = (a ^ b) & lw_fp_sign_bit(f);
    const bool zero_a = lw_fp_is_zero(f, a), zero_b = lw_fp_is_zero(f, b);
    const bool inf_a = lw_fp_is_inf(f, a), inf_b = lw_fp_is_inf(f, b);
    if (pass(f, e, a, b, &r))
        return r;
    if ((zero_a && zero_b) || (inf_a && inf_b))
        return lw_fp_nan(f, e);
    if (zero_a || inf_b)
        return sign;
    if (zero_b || inf_a)
        return sign | lw_fp_inf(f);
    const lw_fp_num x = lw_fp_unpack(f, a), y = lw_fp_unpack(f, b), q = lw_fp_quotient(&x, &y);
    return lw_fp_pack(f, e, &q);
}

uint64_t lw_fp_sqrt(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    x = lw_fp_flush_in(f, e, x);
    if (lw_fp_is_nan(f, x))
        return lw_fp_pass_nan(f, e, x);
    if (lw_fp_is_zero(f, x))
        return x;
    if (lw_fp_neg(f, x))
        return lw_fp_nan(f, e);
    if (lw_fp_is_inf(f, x))
        return x;
    const lw_fp_num v = lw_fp_unpack(f, x), r = lw_fp_root(&v);
    return lw_fp_pack(f, e, &r);
}

/* |v| as an integer of 64 bits, rounded; false if it does not fit. */
static bool whole(const lw_fp_num *v, lw_fp_rounding round, uint64_t *out)
{
    if (v->exp < 62) {
        *out = lw_fp_round_int(v, round);
        return true;
    }
    if (v->exp > 63)
        return false;
    *out = v->hi >> (63 - v->exp); /* no format has bits below one at this size */
    return true;
}

uint64_t lw_fp_to_whole(const lw_format *f, const lw_fp_env *e, lw_fp_rounding round, unsigned bits,
                        bool is_signed, uint64_t x)
{
    const uint64_t all = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    const uint64_t most = is_signed ? all >> 1 : all;
    uint64_t v;
    x = lw_fp_flush_in(f, e, x);
    if (lw_fp_is_zero(f, x))
        return 0;
    const bool neg = lw_fp_neg(f, x);
    const uint64_t limit = neg ? (is_signed ? most + 1 : 0) : most;
    if (lw_fp_is_inf(f, x))
        return neg ? 0 - limit : limit;
    const lw_fp_num n = lw_fp_unpack(f, x);
    if (!whole(&n, round, &v) || v > limit)
        v = limit;
    return neg ? 0 - v : v;
}
