/* SPDX-License-Identifier: MIT */
#include "num/amd_oracle.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MAX_TERMS = 5 };

static const amd_format acc_formats[] = { [AMD_F32] = { 32, 8, 23, 127, AMD_IEEE },
                                          [AMD_F16] = { 16, 5, 10, 15, AMD_IEEE },
                                          [AMD_BF16] = { 16, 8, 7, 127, AMD_IEEE } };

amd_value amd_decode(const amd_format *f, uint32_t code)
{
    const int max = (1 << f->exp_bits) - 1, field = (int)(code >> f->frac_bits) & max;
    const uint32_t frac = code & ((1u << f->frac_bits) - 1);
    amd_value r = { .neg = code >> (f->bits - 1) & 1 };
    if (field == max && f->special == AMD_IEEE) {
        r.nan = frac != 0;
        r.inf = frac == 0;
    }
    if (field == max && f->special == AMD_ONES)
        r.nan = frac == (1u << f->frac_bits) - 1;
    r.e = (field ? field : 1) - f->bias;
    r.v = ldexp(frac + (field ? ldexp(1, f->frac_bits) : 0), r.e - f->frac_bits);
    r.subnormal = !field && frac;
    return r;
}

/* x rounded to `bits` significant bits with a spacing of at least 2^least; exact halves go to even. */
static double nearest(double x, int bits, int least)
{
    int e;
    (void)frexp(x, &e);
    const int g = e - bits > least ? e - bits : least;
    const double scaled = ldexp(x, -g), below = floor(scaled), rest = scaled - below;
    const bool up = rest > 0.5 || (rest == 0.5 && fmod(below, 2) != 0);
    return ldexp(below + up, g);
}

/* The code of a non-negative number that the format can represent. */
static uint32_t encode(const amd_format *f, double x)
{
    int e;
    (void)frexp(x, &e);
    if (x == 0)
        return 0;
    if (e - 1 > f->bias)
        return (uint32_t)((1 << f->exp_bits) - 1) << f->frac_bits;
    const int least = 1 - f->bias;
    if (e - 1 < least)
        return (uint32_t)ldexp(x, f->frac_bits - least);
    const double units = ldexp(x, f->frac_bits - (e - 1)) - ldexp(1, f->frac_bits);
    return (uint32_t)(e - 1 + f->bias) << f->frac_bits | (uint32_t)units;
}

static uint32_t finish(const amd_rule *rule, amd_acc acc, double total)
{
    const amd_format *f = &acc_formats[acc];
    const uint32_t sign = total < 0 ? 1u << (f->bits - 1) : 0;
    const double x = fabs(total);
    uint32_t code;
    if (acc == AMD_F16) {
        code = encode(f, nearest(x, 11, -24));
        if (code == 0x7c00 && rule->ovfl)
            code = 0x7bff;
        return code ? sign | code : 0;
    }
    double r = nearest(x, 24, rule->ones ? -2000 : -149);
    if (rule->ones && r < ldexp(1, -126))
        r = 0;
    code = encode(&acc_formats[AMD_F32], r);
    if (!code)
        return 0;
    return sign | (acc == AMD_BF16 ? code >> 16 : code);
}

static const uint32_t FACTOR[] = { 0xffc00a3d, 0xfe3d, 0xfffd };
static const uint32_t CONFLICT[] = { 0xffc00000, 0xfe00, 0xffc0 };
static const uint32_t INFINITE[] = { 0x7f800000, 0x7c00, 0x7f80 };
static const uint32_t QUIET[] = { 0x00400000, 0x0200, 0x0040 };

static bool is_zero(const amd_rule *rule, const amd_value *x)
{
    return !x->nan && !x->inf && (x->v == 0 || (rule->flush && x->subnormal));
}

/* In this order: a NaN factor, Inf * 0 or opposite infinite products, a NaN accumulator, infinities. 0: none
 * of these. */
static uint32_t decide(const amd_rule *rule, const amd_value *a, const amd_value *b, int count, amd_acc acc,
                       uint32_t code, const amd_value *c)
{
    bool plus = false, minus = false, invalid = false;
    const uint32_t conflict = rule->one_nan ? FACTOR[acc] : CONFLICT[acc];
    for (int i = 0; i < count; i++)
        if (a[i].nan || b[i].nan)
            return FACTOR[acc];
    for (int i = 0; i < count; i++) {
        if (!a[i].inf && !b[i].inf)
            continue;
        if (is_zero(rule, &a[i]) || is_zero(rule, &b[i]))
            invalid = true;
        else
            *(a[i].neg != b[i].neg ? &minus : &plus) = true;
    }
    if (invalid || (plus && minus))
        return conflict;
    if (c->nan)
        return code | QUIET[acc];
    if (c->inf)
        *(c->neg ? &minus : &plus) = true;
    if (plus && minus)
        return conflict;
    if (!plus && !minus)
        return 0;
    return INFINITE[acc] | (minus ? 1u << (acc_formats[acc].bits - 1) : 0);
}

static int lead(double x)
{
    int e;
    (void)frexp(x, &e);
    return e - 1;
}

/* A term: sign, magnitude, nominal exponent. t[0] is the accumulator. */
typedef struct term {
    bool neg;
    double v;
    int e;
} term;

static double ones_total(const term *t, int count, amd_acc acc)
{
    int grid = -100000;
    bool any = false;
    for (int i = 0; i < count; i++)
        if (t[i].v != 0) {
            any = true;
            grid = (int)fmax(grid, lead(t[i].v) - 26);
            if (i > 0)
                grid = (int)fmax(grid, t[i].e - 24);
        }
    if (!any)
        return 0;
    if (acc == AMD_F16)
        grid = (int)fmax(grid, -14 - 26);
    double units = 0;
    for (int i = 0; i < count; i++) {
        const double m = floor(ldexp(t[i].v, -grid));
        units += t[i].neg == t[0].neg ? m : -m - 1;
    }
    return ldexp(t[0].neg ? -units : units, grid);
}

static double floor_to(double x, int grid)
{
    return ldexp(floor(ldexp(x, -grid)), grid);
}

static double signed_value(const term *t)
{
    return t->neg ? -t->v : t->v;
}

static double floors_total(const amd_rule *rule, const term *t, int count, amd_acc acc)
{
    const int cf = acc == AMD_F16 ? -14 : -126;
    int grid = (t[0].v != 0 && lead(t[0].v) > cf ? lead(t[0].v) : cf) - 26, gp[MAX_TERMS];
    for (int i = 1; i < count; i++) {
        const int first = rule->pairs ? (i - 1) / 2 * 2 + 1 : 1;
        const int last = rule->pairs ? first + 1 : count - 1;
        gp[i] = -100000;
        for (int j = first; j <= last && j < count; j++)
            if (t[j].v != 0)
                gp[i] = (int)fmax(gp[i], t[j].e - 24);
        grid = (int)fmax(grid, gp[i]);
    }
    const double c = signed_value(&t[0]);
    double total = grid > cf && t[0].v < ldexp(1, grid) ? 0 : floor_to(c, grid);
    for (int i = 1; i < count;) {
        double sum = 0;
        const int end = rule->pairs && i + 2 < count ? i + 2 : count, start = i;
        for (; i < end; i++)
            if (gp[start] > -100000)
                sum += floor_to(signed_value(&t[i]), gp[start]);
        total += floor_to(sum, grid);
    }
    return total;
}

uint32_t amd_rdna_step(const amd_rule *rule, const amd_value *a, const amd_value *b, int count, amd_acc acc,
                       uint32_t code)
{
    const amd_value c = amd_decode(&acc_formats[acc], code);
    const uint32_t special = decide(rule, a, b, count, acc, code, &c);
    if (special)
        return special;
    term t[MAX_TERMS] = { { c.neg, c.v, c.e } };
    if (rule->ones && acc != AMD_F16 && c.subnormal)
        t[0].v = 0;
    for (int i = 0; i < count; i++) {
        const bool zero = is_zero(rule, &a[i]) || is_zero(rule, &b[i]);
        t[i + 1] = (term){ a[i].neg != b[i].neg, zero ? 0 : a[i].v * b[i].v * rule->scale,
                           a[i].e + b[i].e + rule->scale_e };
    }
    return finish(rule, acc,
                  rule->ones ? ones_total(t, count + 1, acc) : floors_total(rule, t, count + 1, acc));
}

/* An f32 operation of CDNA2: a denormal result becomes a zero with its sign. */
static float flushed(float x)
{
    return x != 0 && fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

static float source(const amd_value *x)
{
    if (x->nan)
        return NAN;
    const float v = x->inf ? INFINITY : x->subnormal || x->v == 0 ? 0 : (float)x->v;
    return x->neg && v != 0 ? -v : v;
}

uint32_t amd_tree_step(const amd_value *a, const amd_value *b, int count, bool first, uint32_t code)
{
    float v[4] = { 0 }, c;
    memcpy(&c, &code, sizeof(c));
    if (first && fabsf(c) < 0x1p-126f)
        c = 0;
    for (int i = 0; i < count; i++)
        v[i] = flushed(source(&a[i]) * source(&b[i]));
    float s = flushed(v[0] + v[1]);
    if (count == 4)
        s = flushed(s + flushed(v[2] + v[3]));
    c = flushed(c + s);
    if (isnan(c))
        return 0x7fc00000;
    memcpy(&code, &c, sizeof(c));
    return code;
}

/* *high becomes the double nearest to the sum, *low the exact rest. */
static void two_sum(double *high, double *low)
{
    const double sum = *high + *low, part = sum - *high;
    *low = (*high - (sum - part)) + (*low - part);
    *high = sum;
}

/*
 * The exact sum of doubles as doubles that do not overlap, smallest first: each new term passes through all
 * of them and leaves the rounding error of each sum (Shewchuk's expansions).
 */
static void grow(double *expansion, int *count, double x)
{
    for (int i = 0; i < *count; i++)
        two_sum(&x, &expansion[i]);
    expansion[(*count)++] = x;
    for (int pass = 0; pass < *count; pass++)
        for (int i = *count - 1; i > 0; i--)
            two_sum(&expansion[i], &expansion[i - 1]);
}

/* Rounded to odd where necessary, so that rounding again to fewer bits is right. */
static double collapse(const double *expansion, int count)
{
    int top = count - 1;
    while (top > 0 && expansion[top] == 0)
        top--;
    double head = expansion[top], rest = 0;
    for (int i = top - 1; i >= 0 && rest == 0; i--)
        rest = expansion[i];
    uint64_t bits;
    memcpy(&bits, &head, sizeof(bits));
    return rest != 0 && bits % 2 == 0 ? nextafter(head, rest > 0 ? INFINITY : -INFINITY) : head;
}

static uint32_t f32_of(double x)
{
    const uint32_t code = encode(&acc_formats[AMD_F32], nearest(fabs(x), 24, -149));
    return x == 0 ? 0 : code | (x < 0 ? 0x80000000u : 0);
}

uint32_t amd_exact_step(const amd_value *a, const amd_value *b, int count, uint32_t code)
{
    const amd_value c = amd_decode(&acc_formats[AMD_F32], code);
    bool plus = c.inf && !c.neg, minus = c.inf && c.neg;
    if (c.nan)
        return 0x7fc00000;
    double sum[MAX_TERMS];
    int terms = 0;
    grow(sum, &terms, c.inf ? 0 : c.neg ? -c.v : c.v);
    for (int i = 0; i < count; i++) {
        const bool inf = a[i].inf || b[i].inf, neg = a[i].neg != b[i].neg;
        if (a[i].nan || b[i].nan || (a[i].inf && !b[i].inf && b[i].v == 0) ||
            (b[i].inf && !a[i].inf && a[i].v == 0))
            return 0x7fc00000;
        plus |= inf && !neg;
        minus |= inf && neg;
        const double p = inf ? 0 : a[i].v * b[i].v;
        grow(sum, &terms, neg ? -p : p);
    }
    if (plus && minus)
        return 0x7fc00000;
    if (plus || minus)
        return minus ? 0xff800000 : 0x7f800000;
    return f32_of(collapse(sum, terms));
}
