/* SPDX-License-Identifier: MIT */
/* Unpacking and rounding numbers, and the three operations with one rounding. */
#include "emu/num/fp.h"

#include "emu/num/u128.h"

static lw_fp_num normalise(bool neg, int exp, lw_u128 sig)
{
    const unsigned up = sig.hi ? lw_clz64(sig.hi) : 64 + lw_clz64(sig.lo);
    sig = lw_u128_shl(sig, up);
    return (lw_fp_num){ neg, exp - (int)up, sig.hi, sig.lo };
}

lw_fp_num lw_fp_from_int(bool neg, uint64_t mantissa, int exp)
{
    return normalise(neg, exp + 63, (lw_u128){ mantissa, 0 });
}

lw_fp_num lw_fp_unpack(const lw_format *f, uint64_t x)
{
    const uint64_t frac = x & (((uint64_t)1 << f->frac_bits) - 1);
    const int field = lw_fp_field(f, x);
    const uint64_t sig = field ? frac | (uint64_t)1 << f->frac_bits : frac;
    return lw_fp_from_int(lw_fp_neg(f, x), sig, (field ? field : 1) - f->bias - f->frac_bits);
}

static bool rounds_up(lw_fp_rounding round, bool neg, bool odd, bool guard, bool sticky)
{
    switch (round) {
    case LW_FP_RNE:
        return guard && (sticky || odd);
    case LW_FP_UP:
        return !neg && (guard || sticky);
    case LW_FP_DOWN:
        return neg && (guard || sticky);
    case LW_FP_ZERO:
        break;
    }
    return false;
}

/* The leading `keep` bits as an integer, rounded; keep may be 0 or less, and is at most 54. */
static uint64_t round_bits(const lw_fp_num *v, lw_fp_rounding round, int keep)
{
    if (keep < 0)
        return rounds_up(round, v->neg, false, false, true);
    if (keep == 0)
        return rounds_up(round, v->neg, false, true, (v->hi << 1 | v->lo) != 0);

    const uint64_t sig = v->hi >> (64 - keep);
    const bool guard = v->hi >> (63 - keep) & 1;
    const bool sticky = (v->hi << keep << 1 | v->lo) != 0;
    return sig + rounds_up(round, v->neg, sig & 1, guard, sticky);
}

uint64_t lw_fp_round_code(const lw_format *f, lw_fp_rounding round, const lw_fp_num *v)
{
    const int emin = 1 - f->bias;
    const int below = v->exp < emin ? emin - v->exp : 0;
    const int keep = below > f->frac_bits + 2 ? -1 : f->frac_bits + 1 - below;
    const uint64_t sig = round_bits(v, round, keep);
    if (below)
        return sig;
    return ((uint64_t)(v->exp - emin) << f->frac_bits) + sig;
}

uint64_t lw_fp_round_int(const lw_fp_num *v, lw_fp_rounding round)
{
    return round_bits(v, round, v->exp < -1 ? -1 : v->exp + 1);
}

/* After rounding to full precision with unbounded exponent, is the result below the normal range? */
static bool is_tiny(const lw_format *f, lw_fp_rounding round, const lw_fp_num *v)
{
    const int emin = 1 - f->bias;
    if (v->exp >= emin)
        return false;
    const bool carries = round_bits(v, round, f->frac_bits + 1) >> (f->frac_bits + 1);
    return !(carries && v->exp == emin - 1);
}

static bool overflows_to_max(lw_fp_rounding round, bool neg)
{
    return round == LW_FP_ZERO || (round == LW_FP_UP && neg) || (round == LW_FP_DOWN && !neg);
}

uint64_t lw_fp_pack(const lw_format *f, const lw_fp_env *e, const lw_fp_num *v)
{
    const uint64_t sign = v->neg ? lw_fp_sign_bit(f) : 0;
    const lw_fp_rounding round = (lw_fp_rounding)e->round;
    if (v->exp > f->bias + 1 || lw_fp_round_code(f, round, v) >= lw_fp_inf(f))
        return sign | (lw_fp_inf(f) - (e->saturate || overflows_to_max(round, v->neg)));
    if (!e->keep_out && is_tiny(f, round, v))
        return sign;
    return sign | lw_fp_round_code(f, round, v);
}

lw_fp_num lw_fp_product(const lw_fp_num *a, const lw_fp_num *b)
{
    return normalise(a->neg != b->neg, a->exp + b->exp + 1, lw_u128_mul(a->hi, b->hi));
}

bool lw_fp_sum(const lw_fp_num *a, const lw_fp_num *b, lw_fp_num *sum)
{
    if (a->exp < b->exp) {
        const lw_fp_num *t = a;
        a = b;
        b = t;
    }
    /* One bit of headroom for the carry. Products leave many more zero bits than are dropped here. */
    const unsigned apart = (unsigned)(a->exp - b->exp);
    lw_u128 big = lw_u128_shr_jam((lw_u128){ a->hi, a->lo }, 1);
    lw_u128 small = lw_u128_shr_jam((lw_u128){ b->hi, b->lo }, apart > 200 ? 201 : apart + 1);
    if (a->neg == b->neg) {
        *sum = normalise(a->neg, a->exp + 1, lw_u128_add(big, small));
        return true;
    }
    const bool swap = lw_u128_less(big, small);
    const lw_u128 rest = swap ? lw_u128_sub(small, big) : lw_u128_sub(big, small);
    if (!rest.hi && !rest.lo)
        return false;
    *sum = normalise(swap ? b->neg : a->neg, a->exp + 1, rest);
    return true;
}

/* A NaN or infinite result of a*b+c, if there is one. */
static bool fma_special(const lw_format *f, const lw_fp_env *e, const uint64_t s[3], uint64_t *r)
{
    const bool inf_a = lw_fp_is_inf(f, s[0]), inf_b = lw_fp_is_inf(f, s[1]);
    if ((inf_a && lw_fp_is_zero(f, s[1])) || (inf_b && lw_fp_is_zero(f, s[0]))) {
        *r = lw_fp_nan(f, e);
        return true;
    }
    for (int i = 0; i < 3; i++)
        if (lw_fp_is_nan(f, s[i])) {
            *r = lw_fp_pass_nan(f, e, s[i]);
            return true;
        }
    const uint64_t sign = (s[0] ^ s[1]) & lw_fp_sign_bit(f);
    if (!inf_a && !inf_b) {
        *r = s[2];
        return lw_fp_is_inf(f, s[2]);
    }
    const bool opposed = lw_fp_is_inf(f, s[2]) && sign != (s[2] & lw_fp_sign_bit(f));
    *r = opposed ? lw_fp_nan(f, e) : sign | lw_fp_inf(f);
    return true;
}

/* a*b+c of finite sources, exactly. False when it is zero; *zero is then the signed zero. */
static bool fma_exact(const lw_format *f, lw_fp_rounding round, const uint64_t s[3], lw_fp_num *v,
                      bool *neg_zero)
{
    const bool neg_p = lw_fp_neg(f, s[0] ^ s[1]), neg_c = lw_fp_neg(f, s[2]);
    const bool zero_p = lw_fp_is_zero(f, s[0]) || lw_fp_is_zero(f, s[1]);
    const bool zero_c = lw_fp_is_zero(f, s[2]);
    *neg_zero = round == LW_FP_DOWN;
    if (zero_p && zero_c) {
        if (neg_p == neg_c)
            *neg_zero = neg_p;
        return false;
    }
    if (zero_p) {
        *v = lw_fp_unpack(f, s[2]);
        return true;
    }
    const lw_fp_num a = lw_fp_unpack(f, s[0]), b = lw_fp_unpack(f, s[1]);
    const lw_fp_num p = lw_fp_product(&a, &b);
    if (zero_c) {
        *v = p;
        return true;
    }
    const lw_fp_num c = lw_fp_unpack(f, s[2]);
    return lw_fp_sum(&p, &c, v);
}

uint64_t lw_fp_fma_scaled(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c,
                          int scale)
{
    const uint64_t s[3] = { a, b, c };
    uint64_t r;
    if (fma_special(f, e, s, &r))
        return r;
    lw_fp_num v;
    bool neg_zero;
    if (!fma_exact(f, (lw_fp_rounding)e->round, s, &v, &neg_zero))
        return neg_zero ? lw_fp_sign_bit(f) : 0;
    v.exp += scale;
    return lw_fp_pack(f, e, &v);
}

uint64_t lw_fp_fma(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    return lw_fp_fma_scaled(f, e, lw_fp_flush_in(f, e, a), lw_fp_flush_in(f, e, b), lw_fp_flush_in(f, e, c),
                            0);
}

uint64_t lw_fp_add(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    const uint64_t one = lw_fp_one(f);
    return lw_fp_fma(f, e, a, one, b);
}

uint64_t lw_fp_sub(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    return lw_fp_add(f, e, a, lw_fp_is_nan(f, b) ? b : b ^ lw_fp_sign_bit(f));
}

uint64_t lw_fp_subrev(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    return lw_fp_add(f, e, lw_fp_is_nan(f, a) ? a : a ^ lw_fp_sign_bit(f), b);
}

uint64_t lw_fp_mul(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    a = lw_fp_flush_in(f, e, a);
    b = lw_fp_flush_in(f, e, b);
    const uint64_t s[3] = { a, b, 0 };
    const uint64_t sign = (a ^ b) & lw_fp_sign_bit(f);
    uint64_t r;
    if (fma_special(f, e, s, &r))
        return r;
    if (lw_fp_is_zero(f, a) || lw_fp_is_zero(f, b))
        return sign;
    const lw_fp_num na = lw_fp_unpack(f, a), nb = lw_fp_unpack(f, b);
    const lw_fp_num p = lw_fp_product(&na, &nb);
    return lw_fp_pack(f, e, &p);
}

uint64_t lw_fp_mul_legacy(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    if (lw_fp_is_zero(f, lw_fp_flush_in(f, e, a)) || lw_fp_is_zero(f, lw_fp_flush_in(f, e, b)))
        return 0;
    return lw_fp_mul(f, e, a, b);
}

uint64_t lw_fp_mad(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t s[3] = { lw_fp_flush_in(f, e, a), lw_fp_flush_in(f, e, b), lw_fp_flush_in(f, e, c) };
    uint64_t r;
    if (fma_special(f, e, s, &r) && lw_fp_is_nan(f, r))
        return r;
    /* Unlike in a fused operation, a product that overflows is added to an infinite c as infinity. */
    return lw_fp_add(f, e, lw_fp_mul(f, e, a, b), c);
}

uint64_t lw_fp_fma_f32_to(const lw_format *to, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t s[3] = { a, b, c };
    uint64_t r;
    if (fma_special(&lw_fp_f32, e, s, &r)) {
        const lw_fp_env keep = { .keep_in = true, .keep_out = true, .ieee = e->ieee, .nan = e->nan };
        return lw_fp_convert(&lw_fp_f32, &keep, to, e, r);
    }
    lw_fp_num v;
    bool neg_zero;
    if (!fma_exact(&lw_fp_f32, (lw_fp_rounding)e->round, s, &v, &neg_zero))
        return neg_zero ? lw_fp_sign_bit(to) : 0;
    return lw_fp_pack(to, e, &v);
}
