/* SPDX-License-Identifier: MIT */
#include "num/fused_oracle.h"

#include <math.h>

static const fused_format f32_format = { "f32", 32, 8, 23, 127, SPECIAL_IEEE, 0 };
static const fused_format f16_format = { "f16", 16, 5, 10, 15, SPECIAL_IEEE, 0 };

fused_value fused_decode(const fused_format *f, uint32_t code)
{
    code = code >> f->ignored << f->ignored;
    const uint32_t frac_size = UINT32_C(1) << f->frac_bits, exp_size = UINT32_C(1) << f->exp_bits;
    const uint32_t frac = code % frac_size, field = code / frac_size % exp_size;
    const bool neg = code / frac_size / exp_size % 2;
    fused_value x = { .e = (field ? (int)field : 1) - f->bias };
    if (f->special == SPECIAL_IEEE && field == exp_size - 1) {
        x.nan = frac != 0;
        x.inf = frac == 0;
        x.v = neg ? -INFINITY : INFINITY;
    } else if (f->special == SPECIAL_ONES && field == exp_size - 1 && frac == frac_size - 1) {
        x.nan = true;
    } else {
        x.v = ldexp((double)(field ? frac + frac_size : frac), x.e - f->frac_bits);
        if (neg)
            x.v = -x.v;
    }
    return x;
}

static double cut_to(double v, int exp)
{
    return trunc(ldexp(v, -exp));
}

uint32_t fused_encode(double v, bool narrow, int out)
{
    const int frac = narrow ? 10 : out, emin = narrow ? -14 : -126, emax = narrow ? 15 : 127;
    int lead = ilogb(v);
    if (lead < emin)
        lead = emin;
    const double scaled = ldexp(fabs(v), frac - lead);
    double units = narrow ? nearbyint(scaled) : trunc(scaled);
    if (units >= ldexp(1, frac + 1)) {
        units /= 2;
        lead++;
    }
    if (lead > emax)
        return narrow ? 0x7c00 : 0x7f800000;
    const uint32_t significand = (uint32_t)units;
    const uint32_t field = significand >> frac ? (uint32_t)(lead - emin + 1) : 0;
    const uint32_t code = field << frac | (significand & ((1u << frac) - 1));
    return narrow ? code : code << (23 - out);
}

static uint32_t signed_code(bool neg, uint32_t code, bool narrow)
{
    return code | (neg ? narrow ? 0x8000u : 0x80000000u : 0);
}

/* NaNs and infinities among `count` products and c; true if they decide the result. */
static bool specials(const fused_value *a, const fused_value *b, int count, const fused_value *c, bool narrow,
                     uint32_t *code)
{
    bool nan = c->nan, plus = c->inf && c->v > 0, minus = c->inf && c->v < 0;
    for (int i = 0; i < count; i++) {
        nan |= a[i].nan || b[i].nan || (a[i].inf && b[i].v == 0) || (b[i].inf && a[i].v == 0);
        if (!nan && (a[i].inf || b[i].inf)) {
            plus |= signbit(a[i].v) == signbit(b[i].v);
            minus |= signbit(a[i].v) != signbit(b[i].v);
        }
    }
    if (nan || (plus && minus))
        *code = narrow ? 0x7fff : 0x7fffffff;
    else
        *code = signed_code(minus, narrow ? 0x7c00 : 0x7f800000, narrow);
    return nan || plus || minus;
}

static uint32_t group_of(const fused_rule *r, const fused_value *a, const fused_value *b, int count,
                         int scale, bool narrow, uint32_t c_code)
{
    const fused_value c = fused_decode(narrow ? &f16_format : &f32_format, c_code);
    uint32_t code;
    if (specials(a, b, count, &c, narrow, &code))
        return code;
    int top = narrow ? r->floor16 : r->floor32;
    if (c.v != 0 && c.e > top)
        top = c.e;
    for (int i = 0; i < count; i++) {
        const int ea = a[i].v == 0 ? -126 : a[i].e, eb = b[i].v == 0 ? -126 : b[i].e;
        if ((r->zero_terms || (a[i].v != 0 && b[i].v != 0)) && ea + eb + scale > top)
            top = ea + eb + scale;
    }
    double sum = cut_to(c.v, top - r->frac);
    for (int i = 0; i < count; i++)
        sum += cut_to(a[i].v * b[i].v, top - r->frac - scale);
    if (sum == 0)
        return 0;
    code = fused_encode(ldexp(sum, top - r->frac), narrow, r->out);
    return code || !r->plus_underflow ? signed_code(sum < 0, code, narrow) : 0;
}

uint32_t fused_oracle(const fused_rule *r, const fused_value *a, const fused_value *b, int count, int scale,
                      bool narrow, uint32_t c)
{
    for (int i = 0; i < count; i += r->group)
        c = group_of(r, a + i, b + i, count - i < r->group ? count - i : r->group, scale, narrow, c);
    return c;
}

uint32_t fused_scaled_oracle(int frac, int floor32, const fused_value *a, const fused_value *b,
                             const fused_scale *scales, int blocks, int per_block, uint32_t c_code)
{
    const fused_value c = fused_decode(&f32_format, c_code);
    double total[FUSED_MAX_K], sum;
    int top = floor32;
    uint32_t code;
    for (int q = 0; q < blocks; q++)
        if (scales[q].nan)
            return 0x7fffffff;
    if (specials(a, b, blocks * per_block, &c, false, &code))
        return code;
    if (c.v != 0 && c.e > top)
        top = c.e;
    for (int q = 0; q < blocks; q++) {
        bool live = false;
        total[q] = 0;
        for (int i = q * per_block; i < (q + 1) * per_block; i++) {
            total[q] += a[i].v * b[i].v;
            live |= a[i].v * b[i].v != 0;
        }
        if (live && scales[q].sig && scales[q].e > top)
            top = scales[q].e;
    }
    sum = cut_to(c.v, top - frac);
    for (int q = 0; q < blocks; q++)
        sum += trunc(ldexp(total[q] * scales[q].sig, scales[q].e - scales[q].frac - top + frac));
    return sum == 0 ? 0 : signed_code(sum < 0, fused_encode(ldexp(sum, top - frac), false, 23), false);
}
