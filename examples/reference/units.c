/* SPDX-License-Identifier: MIT */
#include "units.h"

enum { PRODUCT_BITS = 24, JOIN_BITS = 32, RESULT_BITS = 31, MIN_EXPONENT = -126 };

static int leading_exponent(exact v)
{
    uint64_t mag = v.n < 0 ? 0 - (uint64_t)v.n : (uint64_t)v.n;
    int e = v.unit - 1;
    for (; mag; mag >>= 1)
        e++;
    return e;
}

uint32_t join_group(group_sum sum, uint32_t c, joining how)
{
    const exact s = { sum.n, sum.top - PRODUCT_BITS };
    if (!f32_is_finite(c)) /* an earlier step overflowed: products are finite and cannot change that */
        return c & 0x7fffff ? 0x7fc00000 : c;
    if (how == JOIN_EXACT)
        return f32_round_sum(s, f32_value(c));

    const int c_top = f32_exponent(c); /* zero and subnormal: -126 */
    const int top = sum.any && sum.top > c_top ? sum.top : c_top;
    const bool dropped = how == JOIN_DROP && c_top < top - (PRODUCT_BITS + 1);
    const int64_t c_part = dropped ? 0 : floor_to(f32_value(c), top - PRODUCT_BITS);
    const int64_t s_part = sum.any ? floor_to(s, top - JOIN_BITS) : 0;

    exact v = { c_part * (1 << (JOIN_BITS - PRODUCT_BITS)) + s_part, top - JOIN_BITS };
    if (v.n == 0)
        return 0;
    int lead = leading_exponent(v);
    if (lead < MIN_EXPONENT)
        lead = MIN_EXPONENT;
    const int grid = lead - RESULT_BITS;
    if (grid > v.unit)
        v = (exact){ floor_to(v, grid), grid };
    if (v.n == 0)
        return 0;
    const uint32_t bits = f32_round(v);
    return bits & 0x7fffffff ? bits : (v.n < 0 ? 0x80000000u : 0);
}

typedef struct product {
    exact value;
    int nominal; /* sum of the factors' exponents, not renormalised */
} product;

static exact f16_value(uint16_t bits, int *exponent)
{
    const int field = bits >> 10 & 31;
    *exponent = field ? field - 15 : -14;
    const int64_t n = (bits & 1023) | (field ? 1024 : 0);
    return (exact){ bits >> 15 ? -n : n, *exponent - 10 };
}

group_sum sum_f16(const uint16_t *a, const uint16_t *b, size_t count)
{
    product p[8];
    group_sum s = { 0, 0, false };
    for (size_t i = 0; i < count; i++) {
        int ea, eb;
        const exact x = f16_value(a[i], &ea), y = f16_value(b[i], &eb);
        p[i] = (product){ { x.n * y.n, x.unit + y.unit }, ea + eb };
        if (p[i].value.n && (!s.any || p[i].nominal > s.top)) {
            s.top = p[i].nominal;
            s.any = true;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (p[i].value.n)
            s.n += trunc_to(p[i].value, s.top - PRODUCT_BITS);
    return s;
}

/* E2M1 by code: twice the value, and the exponent (subnormals have that of the smallest normal). */
static const int8_t fp4_doubled[16] = { 0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12 };
static const int8_t fp4_exponent[16] = { 0, 0, 0, 0, 1, 1, 2, 2, 0, 0, 0, 0, 1, 1, 2, 2 };

/* Every `step`th product. Products are multiples of 1/4, so nothing is cut at 2^-20. */
static group_sum sum_fp4_class(const uint8_t *a, const uint8_t *b, size_t count, size_t step)
{
    int n = 0, top = -1;
    for (size_t k = 0; k < count; k += step) {
        const int p = fp4_doubled[a[k]] * fp4_doubled[b[k]];
        const int e = fp4_exponent[a[k]] + fp4_exponent[b[k]];
        n += p;
        if (p && e > top)
            top = e;
    }
    if (top < 0)
        return (group_sum){ 0, 0, false };
    return (group_sum){ trunc_to((exact){ n, -2 }, top - PRODUCT_BITS), top, true };
}

group_sum fuse_sums(const group_sum *sums, size_t count)
{
    group_sum s = { 0, 0, false };
    for (size_t i = 0; i < count; i++)
        if (sums[i].any && (!s.any || sums[i].top > s.top)) {
            s.top = sums[i].top;
            s.any = true;
        }
    for (size_t i = 0; i < count; i++)
        if (sums[i].any)
            s.n += floor_to((exact){ sums[i].n, sums[i].top - PRODUCT_BITS }, s.top - PRODUCT_BITS);
    return s;
}

group_sum sum_fp4(const uint8_t *a, const uint8_t *b, size_t count, size_t classes, uint8_t scale_a,
                  uint8_t scale_b)
{
    group_sum parts[2] = { sum_fp4_class(a, b, count, classes) };
    if (classes == 2)
        parts[1] = sum_fp4_class(a + 1, b + 1, count - 1, 2);
    group_sum s = fuse_sums(parts, classes);
    s.top += scale_a - 127 + scale_b - 127;
    return s;
}
