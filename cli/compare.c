/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "cli/compare.h"

static uint64_t code_at(const lw_npy *array, uint64_t index)
{
    const size_t size = lw_dtype_size(array->dtype);
    uint64_t code = 0;
    memcpy(&code, (const char *)array->data + index * size, size);
    return code;
}

static bool is_signed_integer(const arg_type *type)
{
    return type->name[0] == 'i';
}

static uint64_t sign_bit(const arg_type *type)
{
    return 1ull << (lw_dtype_size(type->dtype) * 8 - 1);
}

static bool is_nan(const arg_type *type, uint64_t code)
{
    const uint64_t infinity = ((1ull << type->exponent) - 1) << type->significand;
    return type->significand && (code & (sign_bit(type) - 1)) > infinity;
}

/* 2^exponent by repeated squaring; the program does not link with libm. */
static double power_of_two(int exponent)
{
    double result = 1, base = exponent < 0 ? 0.5 : 2;
    for (int e = exponent < 0 ? -exponent : exponent; e; e >>= 1) {
        result *= e & 1 ? base : 1;
        base *= base;
    }
    return result;
}

double compare_value(const arg_type *type, uint64_t code)
{
    const uint64_t sign = sign_bit(type);
    if (type->dtype == LW_DTYPE_F8) {
        double d;
        memcpy(&d, &code, sizeof(d));
        return d;
    }
    if (!type->significand)
        return is_signed_integer(type) ? (double)(int64_t)((code ^ sign) - sign) : (double)code;

    const int bias = (1 << (type->exponent - 1)) - 1;
    const int top = (1 << type->exponent) - 1;
    const int exponent = (int)(code >> type->significand) & top;
    const uint64_t fraction = code & ((1ull << type->significand) - 1);
    const double sig = (double)(exponent ? fraction | 1ull << type->significand : fraction);
    const double size = exponent == top
                            ? (fraction ? (double)NAN : (double)INFINITY)
                            : sig * power_of_two((exponent ? exponent : 1) - bias - type->significand);
    return code & sign ? -size : size;
}

/* Maps codes to the order of the numbers they stand for; -0 and +0 map to the same. */
static uint64_t order_of(const arg_type *type, uint64_t code)
{
    const uint64_t sign = sign_bit(type);
    if (is_signed_integer(type))
        return code ^ sign;
    if (!type->significand)
        return code;
    return code & sign ? sign - (code & (sign - 1)) : sign + code;
}

static uint64_t distance(const arg_type *type, uint64_t a, uint64_t b)
{
    const uint64_t x = order_of(type, a), y = order_of(type, b);
    if (is_nan(type, a) || is_nan(type, b))
        return is_nan(type, a) && is_nan(type, b) ? 0 : UINT64_MAX;
    return x > y ? x - y : y - x;
}

static bool is_near(const arg_type *type, uint64_t got, uint64_t expected, double rtol)
{
    if (is_nan(type, got) || is_nan(type, expected))
        return is_nan(type, got) && is_nan(type, expected);
    const double e = compare_value(type, expected), g = compare_value(type, got);
    const double off = g > e ? g - e : e - g;
    return g == e || (off < (double)INFINITY && off <= rtol * (e < 0 ? -e : e));
}

static bool is_covered(const arg_type *type, const compare_limits *limits, const compare_sample *s)
{
    return (limits->has_ulp && s->ulp <= limits->ulp) ||
           (limits->has_rtol && is_near(type, s->got, s->expected, limits->rtol));
}

/* Keeps the first samples; one outside the tolerance replaces the first kept one that is inside. */
static void keep_sample(compare_result *result, size_t *outside_kept, const compare_sample *s, bool outside)
{
    if (outside && *outside_kept < COMPARE_SAMPLES) {
        result->sample[(*outside_kept)++] = *s;
        if (result->samples < *outside_kept)
            result->samples = *outside_kept;
    } else if (!outside && *outside_kept == 0 && result->samples < COMPARE_SAMPLES) {
        result->sample[result->samples++] = *s;
    }
}

void compare_arrays(const arg_type *type, const lw_npy *got, const lw_npy *expected,
                    const compare_limits *limits, compare_result *result)
{
    size_t outside_kept = 0;
    *result =
        (compare_result){ .count = got->count,
                          .has_ulp = type->significand || (!type->raw && type->dtype != LW_DTYPE_BOOL) };
    for (uint64_t i = 0; i < got->count; i++) {
        compare_sample s = { .index = i, .got = code_at(got, i), .expected = code_at(expected, i) };
        if (s.got == s.expected)
            continue;
        s.ulp = distance(type, s.got, s.expected);
        const bool outside = !is_covered(type, limits, &s);
        result->differ++;
        result->outside += outside;
        result->worst_ulp = s.ulp > result->worst_ulp ? s.ulp : result->worst_ulp;
        keep_sample(result, &outside_kept, &s, outside);
    }
    if (outside_kept)
        result->samples = outside_kept;
}
