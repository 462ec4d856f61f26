/* SPDX-License-Identifier: MIT */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

static void set_bits(real *r, uint64_t v, int at)
{
    for (int i = 0; i < 64; i++)
        if (v >> i & 1)
            r->w[(at + i) / 32] |= 1u << (at + i) % 32;
}

real real_make(bool neg, uint64_t sig, int exp)
{
    real r;
    memset(&r, 0, sizeof(r));
    set_bits(&r, sig, exp - UNIT_EXP);
    return neg ? real_negate(&r) : r;
}

real real_add(const real *a, const real *b)
{
    real r;
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (uint64_t)a->w[i] + b->w[i];
        r.w[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return r;
}

real real_negate(const real *a)
{
    real r;
    uint64_t carry = 1;
    for (int i = 0; i < LIMBS; i++) {
        carry += (uint32_t)~a->w[i];
        r.w[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return r;
}

bool real_is_zero(const real *a)
{
    for (int i = 0; i < LIMBS; i++)
        if (a->w[i])
            return false;
    return true;
}

bool real_is_negative(const real *a)
{
    return a->w[LIMBS - 1] >> 31;
}

int real_lead(const real *a)
{
    const real m = real_is_negative(a) ? real_negate(a) : *a;
    for (int bit = LIMBS * 32 - 1; bit >= 0; bit--)
        if (m.w[bit / 32] >> bit % 32 & 1)
            return bit + UNIT_EXP;
    abort();
}

real real_floor(const real *a, int g)
{
    real r = *a;
    for (int bit = 0; bit < g - UNIT_EXP; bit++)
        if (bit % 32 == 0 && bit + 32 <= g - UNIT_EXP) {
            r.w[bit / 32] = 0;
            bit += 31;
        } else {
            r.w[bit / 32] &= ~(1u << bit % 32);
        }
    return r;
}

real real_truncate(const real *a, int g)
{
    if (!real_is_negative(a))
        return real_floor(a, g);
    real m = real_negate(a);
    m = real_floor(&m, g);
    return real_negate(&m);
}

static int real_compare(const real *a, const real *b)
{
    const real minus = real_negate(b);
    const real difference = real_add(a, &minus);
    return real_is_zero(&difference) ? 0 : real_is_negative(&difference) ? -1 : 1;
}

static uint64_t bits_from(const real *a, int exp)
{
    uint64_t v = 0;
    for (int i = 0; i < 64; i++) {
        const int at = exp - UNIT_EXP + i;
        v |= (uint64_t)(a->w[at / 32] >> at % 32 & 1) << i;
    }
    return v;
}

uint64_t real_nearest(const real *a, int frac, int emin, int *exp2)
{
    const real m = real_is_negative(a) ? real_negate(a) : *a;
    const int lead = real_lead(a);
    *exp2 = (lead > emin ? lead : emin) - frac;
    const real below = real_floor(&m, *exp2);
    const real half = real_make(false, 1, *exp2 - 1);
    const real middle = real_add(&below, &half);
    const uint64_t kept = bits_from(&below, *exp2);
    const int side = real_compare(&m, &middle);
    return kept + (side > 0 || (side == 0 && (kept & 1)));
}

static const oracle_format formats[] = {
    { "f64", 11, 52, 1023, TOP_INF_NAN },
    { "f32", 8, 23, 127, TOP_INF_NAN },
    { "xf32", 8, 23, 127, TOP_INF_NAN },
    { "f16", 5, 10, 15, TOP_INF_NAN },
    { "bf16", 8, 7, 127, TOP_INF_NAN },
    { "fp8 e4m3 fnuz", 4, 3, 8, TOP_MINUS_ZERO_NAN },
    { "bf8 e5m2 fnuz", 5, 2, 16, TOP_MINUS_ZERO_NAN },
    { "fp8 e4m3", 4, 3, 7, TOP_ALL_ONES_NAN },
    { "bf8 e5m2", 5, 2, 15, TOP_INF_NAN },
    { "fp6 e2m3", 2, 3, 1, TOP_PLAIN },
    { "bf6 e3m2", 3, 2, 3, TOP_PLAIN },
    { "fp4 e2m1", 2, 1, 1, TOP_PLAIN },
};

const oracle_format *oracle_format_named(const char *name)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

typedef struct number {
    bool nan, inf, zero, neg;
    int e;        /* nominal exponent */
    uint64_t sig; /* value = sig * 2^(e - frac) */
    int frac;
} number;

static number read_code(const oracle_format *f, uint64_t code)
{
    number x = { .frac = f->frac_bits };
    uint64_t m = code % (UINT64_C(1) << f->frac_bits);
    const uint64_t e = code / (UINT64_C(1) << f->frac_bits) % (UINT64_C(1) << f->exp_bits);
    const uint64_t emax = (UINT64_C(1) << f->exp_bits) - 1, mmax = (UINT64_C(1) << f->frac_bits) - 1;
    x.neg = code >> (f->exp_bits + f->frac_bits) & 1;
    x.nan = (f->top == TOP_INF_NAN && e == emax && m) ||
            (f->top == TOP_ALL_ONES_NAN && e == emax && m == mmax) ||
            (f->top == TOP_MINUS_ZERO_NAN && x.neg && !e && !m);
    if (strcmp(f->name, "xf32") == 0)
        m -= m % 8192;
    x.inf = !x.nan && f->top == TOP_INF_NAN && e == emax;
    x.e = (int)(e ? e : 1) - f->bias;
    x.sig = e ? m + mmax + 1 : m;
    x.zero = !x.nan && !x.inf && x.sig == 0;
    return x;
}

static uint32_t to_f32(const real *v)
{
    int exp2;
    if (real_is_zero(v))
        return 0;
    uint64_t units = real_nearest(v, 23, -126, &exp2);
    const uint32_t sign = real_is_negative(v) ? 0x80000000u : 0;
    if (units == UINT64_C(1) << 24) {
        units /= 2;
        exp2++;
    }
    if (units < UINT64_C(1) << 23)
        return sign | (uint32_t)units;
    if (exp2 + 23 > 127)
        return sign | 0x7f800000;
    return sign | (uint32_t)(exp2 + 23 + 127) << 23 | (uint32_t)(units - (UINT64_C(1) << 23));
}

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

/* The contribution of the products of one group. */
typedef struct group_sum {
    bool nan, plus_inf, minus_inf, any;
    int e_dot; /* with scale */
    real sum;
} group_sum;

static group_sum sum_group(const oracle_dot *d, int from, int to)
{
    group_sum g = { .sum = real_make(false, 0, 0) };
    int e[2];
    bool has[2] = { false, false };
    for (int pass = 0; pass < 2; pass++) {
        real part[2] = { real_make(false, 0, 0), real_make(false, 0, 0) };
        for (int k = from; k < to; k++) {
            const number a = read_code(d->fa, d->a[k]), b = read_code(d->fb, d->b[k]);
            const int cls = d->rule.two_grids && d->odd[k];
            g.nan |= a.nan || b.nan || d->nan_scale[k] || (a.inf && b.zero) || (a.zero && b.inf);
            if (d->rule.zeros && pass == 1 && has[cls] && (a.zero || b.zero))
                e[cls] = max_int(e[cls], -126);
        }
        for (int k = from; k < to; k++) {
            const number a = read_code(d->fa, d->a[k]), b = read_code(d->fb, d->b[k]);
            const int cls = d->rule.two_grids && d->odd[k];
            if (a.nan || b.nan || a.zero || b.zero)
                continue;
            const real p = real_make(a.neg != b.neg, a.sig * b.sig, a.e + b.e - a.frac - b.frac);
            if (a.inf || b.inf || real_lead(&p) >= 128) {
                *(a.neg != b.neg ? &g.minus_inf : &g.plus_inf) = true;
                continue;
            }
            if (pass == 0)
                e[cls] = has[cls] ? max_int(e[cls], a.e + b.e) : a.e + b.e;
            has[cls] = true;
            if (pass == 1) {
                const real t = real_truncate(&p, e[cls] - 24);
                part[cls] = real_add(&part[cls], &t);
            }
        }
        g.any = has[0] || has[1];
        if (!g.any || pass == 0)
            continue;
        g.e_dot = has[0] && has[1] ? max_int(e[0], e[1]) : has[0] ? e[0] : e[1];
        for (int cls = 0; cls < 2; cls++) {
            const real t = real_floor(&part[cls], g.e_dot - 24);
            g.sum = real_add(&g.sum, &t);
        }
    }
    return g;
}

/* v * 2^n */
static real shifted(const real *v, int n)
{
    real r;
    const bool neg = real_is_negative(v);
    const real m = neg ? real_negate(v) : *v;
    memset(&r, 0, sizeof(r));
    for (int bit = 0; bit < LIMBS * 32; bit++)
        if (m.w[bit / 32] >> bit % 32 & 1)
            r.w[(bit + n) / 32] |= 1u << (bit + n) % 32;
    return neg ? real_negate(&r) : r;
}

static uint32_t meet_c(const oracle_dot *d, group_sum *g, int count, uint32_t c_bits)
{
    const number c = read_code(&formats[1], c_bits);
    bool nan = c.nan, plus = c.inf && !c.neg, minus = c.inf && c.neg, any = false;
    int e_dot = 0;
    for (int i = 0; i < count; i++) {
        nan |= g[i].nan;
        plus |= g[i].plus_inf;
        minus |= g[i].minus_inf;
        if (g[i].any)
            e_dot = any ? max_int(e_dot, g[i].e_dot) : g[i].e_dot;
        any |= g[i].any;
    }
    if (nan || (plus && minus))
        return 0x7fc00000;
    if (plus || minus)
        return plus ? 0x7f800000 : 0xff800000;

    real s = real_make(false, 0, 0);
    for (int i = 0; i < count; i++)
        if (g[i].any) {
            const real t = real_floor(&g[i].sum, e_dot - 24);
            s = real_add(&s, &t);
        }
    const int e = any ? max_int(e_dot, c.e) : c.e;
    const real cv = real_make(c.neg, c.sig, c.e - 23);
    real v = real_floor(&s, e - 32);
    if (!d->rule.drop || c.e >= e - d->rule.drop) {
        const real t = real_floor(&cv, e - 24);
        v = real_add(&v, &t);
    }
    if (real_is_zero(&v))
        return 0;
    v = real_floor(&v, max_int(real_lead(&v), -126) - 31);
    return to_f32(&v);
}

uint32_t oracle_aligned(const oracle_dot *d, uint32_t c)
{
    group_sum sums[ORACLE_MAX_K];
    int held = 0;
    for (int k = 0; k < d->count; k += d->rule.group) {
        const int end = k + d->rule.group < d->count ? k + d->rule.group : d->count;
        group_sum g = sum_group(d, k, end);
        if (g.any && d->scale[k]) {
            g.sum = shifted(&g.sum, d->scale[k]);
            g.e_dot += d->scale[k];
        }
        sums[held++] = g;
        if (d->rule.fused && end < d->count)
            continue;
        c = meet_c(d, sums, held, c);
        held = 0;
    }
    return c;
}

/* a*b + c with one rounding, as binary64 or binary32 code. */
static uint64_t fma_any(const oracle_format *f, uint64_t ab, uint64_t bb, uint64_t cb)
{
    const number a = read_code(f, ab), b = read_code(f, bb), c = read_code(f, cb);
    const uint64_t one = 1, inf = ((one << f->exp_bits) - 1) << f->frac_bits,
                   sign = one << (f->exp_bits + f->frac_bits);
    const bool neg = a.neg != b.neg, infinite = a.inf || b.inf;
    if (a.nan || b.nan || c.nan || (a.inf && b.zero) || (a.zero && b.inf) ||
        (infinite && c.inf && neg != c.neg))
        return inf | one << (f->frac_bits - 1);
    if (infinite || c.inf)
        return inf | ((infinite ? neg : c.neg) ? sign : 0);
    const int exp = a.e + b.e - 2 * f->frac_bits;
    real v = real_make(c.neg, c.sig, c.e - f->frac_bits);
    for (int half = 0; half < 4; half++) {
        const uint64_t x = half & 1 ? a.sig >> 32 : a.sig & 0xffffffff,
                       y = half & 2 ? b.sig >> 32 : b.sig & 0xffffffff;
        const real p = real_make(neg, x * y, exp + 32 * (half & 1) + 32 * (half >> 1));
        v = real_add(&v, &p);
    }
    if (real_is_zero(&v)) {
        const bool product_zero = a.zero || b.zero, both = c.neg && neg;
        return product_zero && c.zero ? (both ? sign : 0) : 0;
    }
    int exp2;
    const int emin = 1 - f->bias;
    uint64_t units = real_nearest(&v, f->frac_bits, emin, &exp2);
    if (units == one << (f->frac_bits + 1)) {
        units /= 2;
        exp2++;
    }
    const uint64_t s = real_is_negative(&v) ? sign : 0;
    if (units < one << f->frac_bits)
        return s | units;
    if (exp2 + f->frac_bits > f->bias)
        return s | inf;
    return s | (uint64_t)(exp2 + f->frac_bits + f->bias) << f->frac_bits | (units - (one << f->frac_bits));
}

uint32_t oracle_fma32(uint32_t a, uint32_t b, uint32_t c)
{
    return (uint32_t)fma_any(&formats[1], a, b, c);
}

uint64_t oracle_fma64(uint64_t a, uint64_t b, uint64_t c)
{
    return fma_any(&formats[0], a, b, c);
}
