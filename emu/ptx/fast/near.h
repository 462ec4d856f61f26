/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of functions of f32. A value v is found in binary64 with a relative error far below 2^-42. Where
 * all numbers from v (1 - 2^-42) to v (1 + 2^-42) round to one number of f32, that is what the exact value
 * rounds to; the other lanes, and those whose source or result is not a normal number, are the handler's,
 * unless the source alone decides (NEAR_GIVEN).
 */
#ifndef LW_EMU_PTX_FAST_NEAR_H
#define LW_EMU_PTX_FAST_NEAR_H

#include <string.h>

#include "emu/num/u128.h"
#include "emu/ptx/fast/floats.h"

enum { NEAR_LANES = LW_PTX_LANES, NEAR_BIAS = 1023 };

/* A warp: sources, the values found, and where they count: NEAR_VALUE; NEAR_GIVEN: the result stands in `in`.
 */
enum { NEAR_VALUE = 1, NEAR_GIVEN = 2 };
typedef struct near_row {
    _Alignas(64) uint32_t in[NEAR_LANES];
    double x[NEAR_LANES], v[NEAR_LANES]; /* x: of the sources that are normal numbers, otherwise 1 */
    uint32_t fine[NEAR_LANES];
} near_row;

typedef void near_fn(near_row *n);

VEC uint64_t near_bits(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof(bits));
    return bits;
}

VEC double near_double(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof(v));
    return v;
}

VEC uint32_t near_code(float v)
{
    uint32_t code;
    memcpy(&code, &v, sizeof(code));
    return code;
}

/* v 2^k, for k in the low bits of `whole`. */
VEC double near_scaled(double v, uint64_t whole)
{
    return near_double(near_bits(v) + (whole << 52));
}

/* A normal number to f32, the bits below cut off. */
VEC uint32_t near_cut(double v)
{
    const uint64_t bits = near_bits(v);
    const uint32_t exponent = (uint32_t)(bits >> 52 & 0x7ff) - (NEAR_BIAS - 127);
    return (uint32_t)(bits >> 63) << 31 | exponent << 23 | (uint32_t)(bits >> 29 & 0x7fffff);
}

VEC void near_read(const lw_ptx_warp *w, const lw_ptx_record *r, near_row *n)
{
    row_room room;
    const row from = row_source(w, r, 0, 0, &room);
    for (unsigned i = 0; i < ROW_VECTORS; i++)
        vi_store(n->in + i * VEC_LANES, row_at(from, i));
    for (unsigned i = 0; i < NEAR_LANES; i++) {
        const uint32_t size = n->in[i] & INT32_MAX, normal = size - 0x00800000 < 0x7f000000;
        const uint32_t code = normal ? n->in[i] : 0x3f800000;
        float x;
        memcpy(&x, &code, sizeof(x));
        n->x[i] = x;
        n->fine[i] = normal;
    }
}

/* A source of a function that has no value for negative numbers. */
VEC double near_positive(near_row *n, unsigned i)
{
    const bool negative = n->x[i] < 0;
    n->fine[i] = negative ? NEAR_GIVEN : n->fine[i];
    n->in[i] = negative ? (uint32_t)NAN_F32 : n->in[i];
    return negative ? 1 : n->x[i];
}

/* Rounded to nearest; or what is below and whether it is one more, for the other ways, whose result the sign
 * tells. */
VEC void near_round(near_row *n, unsigned round, uint32_t out[NEAR_LANES])
{
    const double below = 1 - 0x1p-42, above = 1 + 0x1p-42;
    for (unsigned i = 0; i < NEAR_LANES; i++) {
        const double low = n->v[i] * below, high = n->v[i] * above, size = low < 0 ? -low : low;
        n->fine[i] &= NEAR_GIVEN | (size > 0x1p-126 && size < 0x1p127);
        out[i] = near_code((float)low);
        n->fine[i] &= NEAR_GIVEN | (round != LW_FP_RNE || out[i] == near_code((float)high));
        out[i] = n->fine[i] & NEAR_GIVEN ? n->in[i] : out[i];
    }
    for (unsigned i = 0; i < NEAR_LANES && round != LW_FP_RNE; i++) {
        const uint32_t cut = near_cut(n->v[i] * below),
                       up = cut >> 31 ? round == LW_FP_DOWN : round == LW_FP_UP;
        n->fine[i] &= NEAR_GIVEN | (cut == near_cut(n->v[i] * above));
        out[i] = n->fine[i] & NEAR_GIVEN ? n->in[i] : cut + up;
    }
}

VEC lw_ptx_step row_near(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes, near_fn *find)
{
    near_row n;
    _Alignas(64) uint32_t out[NEAR_LANES];
    near_read(w, r, &n);
    find(&n);
    near_round(&n, r->env.round, out);
    for (unsigned i = 0; i < NEAR_LANES; i++)
        if (!n.fine[i] && lanes >> i & 1) {
            const uint64_t in[4] = { n.in[i] };
            out[i] = (uint32_t)r->handler->lane(r, in);
        }
    for (unsigned i = 0; i < ROW_VECTORS; i++)
        row_put(row_of_result(w, r), i, lanes, vi_load(out + i * VEC_LANES));
    return LW_PTX_STEP_NEXT;
}

#define NEAR_FORM(name)                                                                                      \
    static lw_ptx_step form_##name(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)                   \
    {                                                                                                        \
        return row_near(w, r, lanes, near_##name);                                                           \
    }

/* A polynomial, the highest power first. */
VEC double near_sum(const double *c, unsigned count, double x)
{
    double sum = c[0];
    for (unsigned i = 1; i < count; i++)
        sum = sum * x + c[i];
    return sum;
}

/* ---- 2^x ---- */

/* ln(2)^n / n! */
static const double near_powers_of_ln2[] = {
    2.5678435993488196e-11,
    4.44553827187081e-10,
    7.054911620801121e-09,
    1.0178086009239696e-07,
    1.3215486790144305e-06,
    1.5252733804059838e-05,
    0.00015403530393381606,
    0.0013333558146428441,
    0.009618129107628477,
    0.055504108664821576,
    0.2402265069591007,
    0.6931471805599453,
    1.0,
};

/* To a whole number and a rest of at most 1/2; *whole: its low bits. */
VEC double near_split(double x, uint64_t *whole)
{
    const double shift = 0x1.8p52, moved = x + shift;
    *whole = near_bits(moved);
    return x - (moved - shift);
}

VEC double near_power(double x)
{
    uint64_t whole;
    const double rest = near_split(x, &whole);
    return near_scaled(near_sum(near_powers_of_ln2, 13, rest), whole);
}

VEC void near_ex2(near_row *n)
{
    for (unsigned i = 0; i < NEAR_LANES; i++) {
        const double x = n->x[i];
        const bool small = x > -126 && x < 127, zero = x < -150, infinite = x >= 128;
        n->v[i] = near_power(small ? x : 0);
        n->fine[i] = small ? n->fine[i] : zero || infinite ? NEAR_GIVEN : 0;
        n->in[i] = zero ? 0 : infinite ? FIELD_F32 : n->in[i];
    }
}

/* ---- log2 ---- */

/* 2 / ((2n + 1) ln 2) */
static const double near_atanh[] = {
    0.1373995277037108, 0.15186263588304877, 0.16972882833987804, 0.19235933878519512,
    0.2219530832136867, 0.2623081892525388,  0.3205988979753252,  0.41219858311113244,
    0.5770780163555853, 0.9617966939259757,  2.8853900817779268,
};

/* Between sqrt(1/2) and sqrt(2) times a power of two, as 2 atanh((m - 1) / (m + 1)) / ln 2. */
VEC void near_lg2(near_row *n)
{
    const uint64_t half_root = UINT64_C(0x3fe6a09e667f3bcd), exponent = UINT64_C(0xfff) << 52;
    const double shift = 0x1.8p52;
    for (unsigned i = 0; i < NEAR_LANES; i++) {
        const uint64_t bits = near_bits(near_positive(n, i)), steps = (bits - half_root) & exponent;
        const double m = near_double(bits - steps), s = (m - 1) / (m + 1);
        const uint64_t whole = ((steps >> 52) ^ 0x800) - 0x800; /* its low bits */
        n->v[i] = near_double(near_bits(shift) + whole) - shift + s * near_sum(near_atanh, 11, s * s);
    }
}

/* ---- Roots and reciprocals ---- */

/* Newton's method; the first guess is off by at most 3.5 %, which four steps reduce to less than 2^-50. */
VEC double near_inverse_root(double x)
{
    double y = near_double(UINT64_C(0x5fe6eb50c7b537a9) - (near_bits(x) >> 1));
    for (unsigned step = 0; step < 4; step++)
        y = y * (1.5 - 0.5 * x * y * y);
    return y;
}

VEC void near_rsqrt(near_row *n)
{
    for (unsigned i = 0; i < NEAR_LANES; i++) {
        n->v[i] = near_inverse_root(near_positive(n, i));
    }
}

VEC void near_sqrt(near_row *n)
{
    for (unsigned i = 0; i < NEAR_LANES; i++) {
        const double x = near_positive(n, i);
        n->v[i] = x * near_inverse_root(x);
    }
}

VEC void near_rcp(near_row *n)
{
    for (unsigned i = 0; i < NEAR_LANES; i++)
        n->v[i] = 1 / n->x[i];
}

/* ---- tanh ---- */

/* 1 / (n + 1)! */
static const double near_expm1[] = {
    2.08767569878681e-09,
    2.505210838544172e-08,
    2.755731922398589e-07,
    2.7557319223985893e-06,
    2.48015873015873e-05,
    0.0001984126984126984,
    0.001388888888888889,
    0.008333333333333333,
    0.041666666666666664,
    0.16666666666666666,
    0.5,
    1.0,
};

/* d / (d + 2) with d = e^2x - 1 below 1/8, 1 - 2 / (e^2x + 1) above. */
VEC void near_tanh(near_row *n)
{
    const double log2_e = 1.4426950408889634;
    for (unsigned i = 0; i < NEAR_LANES; i++) {
        const double size = n->x[i] < 0 ? -n->x[i] : n->x[i], twice = 2 * (size < 20 ? size : 20);
        const double d = twice * near_sum(near_expm1, 12, twice < 0.25 ? twice : 0);
        const double v = twice < 0.25 ? d / (d + 2) : 1 - 2 / (near_power(twice * log2_e) + 1);
        n->v[i] = n->x[i] < 0 ? -v : v;
        n->fine[i] = size < 20 ? n->fine[i] : NEAR_GIVEN; /* rounds to 1 */
        n->in[i] = size < 20 ? n->in[i] : 0x3f800000 | (n->in[i] & (uint32_t)SIGN_F32);
    }
}

/* ---- sin and cos ---- */

/* 2 / pi, starting with the bit worth 1/2. */
static const uint64_t near_two_over_pi[6] = { 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
                                              0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c };

VEC uint64_t near_turn_bits(unsigned at)
{
    const unsigned word = at / 64, bit = at % 64;
    const uint64_t first = near_two_over_pi[word] << bit;
    return bit ? first | near_two_over_pi[word + 1] >> (64 - bit) : first;
}

/*
 * The number's magnitude in quarter turns, 62 bits after the binary point, without multiples of four: m 2^s
 * times 128 bits of 2 / pi from that on which contributes less than four.
 */
VEC uint64_t near_quarters(uint32_t size)
{
    const int s = (int)(size >> 23) - 127 - 23;
    const uint64_t m = (size & 0x7fffff) | 0x800000;
    const unsigned at = s > 2 ? (unsigned)s - 2 : 0, down = (unsigned)(s > 2 ? 0 : 2 - s);
    const lw_u128 high = lw_u128_mul(m, near_turn_bits(at)), low = lw_u128_mul(m, near_turn_bits(at + 64));
    const lw_u128 sum = lw_u128_add(high, (lw_u128){ 0, low.hi });
    return down ? sum.lo >> down | sum.hi << (64 - down) : sum.lo;
}

/* 1 / n! with changing signs, n odd and even. */
static const double near_sines[] = {
    -7.647163731819816e-13, 1.6059043836821613e-10, -2.505210838544172e-08, 2.7557319223985893e-06,
    -0.0001984126984126984, 0.008333333333333333,   -0.16666666666666666,   1.0,
};
static const double near_cosines[] = {
    4.779477332387385e-14,
    -1.1470745597729725e-11,
    2.08767569878681e-09,
    -2.755731922398589e-07,
    2.48015873015873e-05,
    -0.001388888888888889,
    0.041666666666666664,
    -0.5,
    1.0,
};

/* A rest of less than 2^-18 quarter turns has too few exact bits. */
VEC void near_wave(near_row *n, unsigned more)
{
    const double quarter = 1.5707963267948966 * 0x1p-62;
    double rest[NEAR_LANES];
    uint32_t turned[NEAR_LANES];
    for (unsigned i = 0; i < NEAR_LANES; i++) {
        const uint32_t size = n->fine[i] ? n->in[i] & INT32_MAX : 0x3f800000, negative = n->in[i] >> 31;
        const uint64_t all = size < 0x3f000000 ? 0 : near_quarters(size), nearest = all + (UINT64_C(1) << 61);
        const int64_t part = (int64_t)(all - (nearest >> 62 << 62));
        const bool small = size<0x3f000000, clear = part> INT64_C(1) << 44 || part < -(INT64_C(1) << 44);
        const double turn = (double)part * quarter, way = negative ? -turn : turn;
        rest[i] = small ? n->x[i] : way;
        turned[i] = (small      ? 0
                     : negative ? 0u - (uint32_t)(nearest >> 62)
                                : (uint32_t)(nearest >> 62)) +
                    more;
        n->fine[i] &= small || clear;
    }
    for (unsigned i = 0; i < NEAR_LANES; i++) {
        const double square = rest[i] * rest[i];
        const double sine = rest[i] * near_sum(near_sines, 8, square),
                     cosine = near_sum(near_cosines, 9, square);
        const double v = turned[i] & 1 ? cosine : sine;
        n->v[i] = turned[i] & 2 ? -v : v;
    }
}

VEC void near_sin(near_row *n)
{
    near_wave(n, 0);
}

VEC void near_cos(near_row *n)
{
    near_wave(n, 1);
}

NEAR_FORM(ex2)
NEAR_FORM(lg2)
NEAR_FORM(rsqrt)
NEAR_FORM(sqrt)
NEAR_FORM(rcp)
NEAR_FORM(tanh)
NEAR_FORM(sin)
NEAR_FORM(cos)

static lw_ptx_exec *take_near(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    const bool good = r->fmt == &lw_fp_f32 && !r->sat && !r->relu && take_plain(form, r);
    return good ? form->fn[0] : NULL;
}

/* clang-format off */
#define NEAR_FORMS                                                                                           \
    { &lw_ptx_sem_ex2, take_near, { form_ex2 }, 32, 1, 32 },                                                 \
    { &lw_ptx_sem_lg2, take_near, { form_lg2 }, 32, 1, 32 },                                                 \
    { &lw_ptx_sem_rsqrt, take_near, { form_rsqrt }, 32, 1, 32 },                                             \
    { &lw_ptx_sem_sqrt, take_near, { form_sqrt }, 32, 1, 32 },                                               \
    { &lw_ptx_sem_sqrt_approx, take_near, { form_sqrt }, 32, 1, 32 },                                        \
    { &lw_ptx_sem_rcp, take_near, { form_rcp }, 32, 1, 32 },                                                 \
    { &lw_ptx_sem_rcp_approx, take_near, { form_rcp }, 32, 1, 32 },                                          \
    { &lw_ptx_sem_tanh, take_near, { form_tanh }, 32, 1, 32 },                                               \
    { &lw_ptx_sem_sin, take_near, { form_sin }, 32, 1, 32 },                                                 \
    { &lw_ptx_sem_cos, take_near, { form_cos }, 32, 1, 32 }
/* clang-format on */

#endif
