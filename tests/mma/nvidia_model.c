/* SPDX-License-Identifier: MIT */
#include "nvidia_model.h"

#include <check.h>
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "num/fused_oracle.h"
#include "oracle.h"

static const fused_format formats[] = {
    { "f16", 16, 5, 10, 15, SPECIAL_IEEE, 0 },    { "bf16", 16, 8, 7, 127, SPECIAL_IEEE, 0 },
    { "xf32", 32, 8, 23, 127, SPECIAL_IEEE, 13 }, { "fp8 e4m3", 8, 4, 3, 7, SPECIAL_ONES, 0 },
    { "bf8 e5m2", 8, 5, 2, 15, SPECIAL_IEEE, 0 }, { "bf6 e3m2", 6, 3, 2, 3, SPECIAL_NONE, 0 },
    { "fp6 e2m3", 6, 2, 3, 1, SPECIAL_NONE, 0 },  { "fp4 e2m1", 4, 2, 1, 1, SPECIAL_NONE, 0 },
    { "f32", 32, 8, 23, 127, SPECIAL_IEEE, 0 },
};

static const fused_format *format_named(const char *name)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    ck_abort_msg("no format %s", name);
    return NULL;
}

static int generation_of(lw_arch arch)
{
    switch (arch) {
    case LW_ARCH_SM_70:
    case LW_ARCH_SM_72:
        return 70;
    case LW_ARCH_SM_75:
        return 75;
    case LW_ARCH_SM_80:
    case LW_ARCH_SM_86:
        return 80;
    case LW_ARCH_SM_89:
        return 89;
    case LW_ARCH_SM_90:
        return 90;
    case LW_ARCH_SM_100:
    case LW_ARCH_SM_100A:
        return 100;
    default:
        return 120;
    }
}

nvidia_model nvidia_model_of(const char *spelling, lw_arch arch, const lw_mma_shape *shape)
{
    nvidia_model m = { .spelling = spelling, .s = shape, .generation = generation_of(arch), .round = 'n' };
    m.wmma = strncmp(spelling, "wmma", 4) == 0;
    m.quad = strstr(spelling, "m8n8k4.") && !strstr(spelling, "f64");
    m.saturate = strstr(spelling, "satfinite") != NULL;
    m.exclusive = strstr(spelling, "xor") != NULL;
    for (const char *r = "zmp"; *r; r++) {
        const char text[] = { '.', 'r', *r, '.', 0 };
        if (strstr(spelling, text))
            m.round = *r;
    }
    return m;
}

static fused_rule rule_of(const nvidia_model *m, int bits)
{
    const int g = m->generation;
    fused_rule r = { .frac = g == 70 ? 23 : g < 90 ? 24 : 25, .out = 23 };
    r.floor32 = g == 70 ? -131 : g < 90 ? -132 : -133;
    r.floor16 = g == 70 ? -19 : g < 90 ? -20 : -21;
    /* Bytes of a row of A that a group takes. */
    const int bytes = g == 70 || (m->quad && g == 75) ? 8 : g < 90 ? 16 : 32;
    r.group = bits >= 16 ? 8 * bytes / bits : bytes;
    if (bits == 32 && m->wmma)
        r.group = 4;
    if (bits <= 8 && g == 89)
        r.frac = r.out = 13;
    return r;
}

static uint32_t ones(uint32_t f32)
{
    return (f32 & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : f32;
}

/* Any value of a small format as binary32, exactly. */
static uint32_t widen(const fused_format *f, uint64_t code)
{
    const fused_value v = fused_decode(f, (uint32_t)code);
    const float x = (float)v.v;
    uint32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return v.nan ? 0x7fffffff : bits;
}

/* binary16 of a value, to nearest even; a NaN is all ones. */
static uint32_t narrow(double v)
{
    const uint32_t sign = signbit(v) ? 0x8000 : 0;
    if (isnan(v))
        return 0x7fff;
    if (isinf(v))
        return sign | 0x7c00;
    return v == 0 ? sign : sign | fused_encode(v, true, 10);
}

static double value_of(const char *format, uint64_t code)
{
    const fused_value v = fused_decode(format_named(format), (uint32_t)code);
    return v.nan ? NAN : v.v;
}

uint32_t nvidia_f16_of(const char *format, uint64_t code)
{
    return narrow(value_of(format, code));
}

uint32_t nvidia_f32_of_f16(uint32_t code)
{
    return widen(format_named("f16"), code);
}

uint32_t nvidia_add(bool half, uint32_t sum, uint32_t c)
{
    return half ? narrow(value_of("f16", sum) + value_of("f16", c)) : ones(oracle_fma32(0x3f800000, sum, c));
}

static uint32_t quad(const nvidia_model *m, const uint64_t *a, const uint64_t *b, uint32_t c)
{
    uint32_t x[4], y[4], s = 0;
    const fused_format *f = format_named("f16");
    for (int k = 0; k < 4; k++) {
        x[k] = widen(f, a[k]);
        y[k] = widen(f, b[k]);
        s = oracle_fma32(x[k], y[k], s);
    }
    if (m->s->d_bits == 32)
        return nvidia_add(false, s, c);
    for (int k = 0; k < 4; k += 2) {
        const uint32_t pair = oracle_fma32(x[k + 1], y[k + 1], oracle_fma32(x[k], y[k], 0x80000000));
        c = oracle_fma32(0x3f800000, pair, c);
    }
    return narrow(value_of("f32", c));
}

static int scale_bits(const nvidia_model *m)
{
    return strstr(m->spelling, "ue4m3") ? 7 : 8;
}

static fused_scale scale_of(const nvidia_model *m, uint8_t code)
{
    static const fused_format ue4m3 = { "ue4m3", 7, 4, 3, 7, SPECIAL_ONES, 0 };
    if (scale_bits(m) == 8)
        return (fused_scale){ 1, code - 127, 0, code == 255 };
    const fused_value v = fused_decode(&ue4m3, code & 127);
    return (fused_scale){ (int)ldexp(v.v, 3 - v.e), v.e, 3, v.nan };
}

static fused_scale both_scales(const nvidia_model *m, uint8_t a, uint8_t b)
{
    const fused_scale x = scale_of(m, a), y = scale_of(m, b);
    return (fused_scale){ x.sig * y.sig, x.e + y.e, x.frac + y.frac, x.nan || y.nan };
}

static uint32_t halves(const fused_rule *rule, const fused_value *a, const fused_value *b, int count,
                       bool half, uint32_t c)
{
    uint32_t h = 0;
    for (int part = 0; part < 2; part++) {
        fused_value x[FUSED_MAX_K], y[FUSED_MAX_K];
        int n = 0;
        for (int k = 0; k < count; k++)
            if (k % 4 / 2 == part) {
                x[n] = a[k];
                y[n++] = b[k];
            }
        h = fused_oracle(rule, x, y, n, 0, half, h);
    }
    return nvidia_add(half, h, c);
}

static uint32_t float_element(const nvidia_model *m, const uint64_t *ac, const uint64_t *bc, int count,
                              uint64_t c, const uint8_t *scale_a, const uint8_t *scale_b)
{
    const lw_mma_shape *s = m->s;
    const fused_format *fa = format_named(s->a_format), *fb = format_named(s->b_format);
    const bool half = s->c_bits == 16 && s->d_bits == 16 && !(m->quad && m->generation >= 80);
    const uint32_t acc = half ? (uint32_t)c : s->c_bits == 16 ? widen(format_named("f16"), c) : (uint32_t)c;
    fused_value a[FUSED_MAX_K], b[FUSED_MAX_K];
    fused_scale scales[4];
    if (m->quad && m->generation >= 80)
        return quad(m, ac, bc, acc);
    const bool as_f16 = s->a_bits == 8 && (m->generation == 90 || m->generation == 100);
    for (int k = 0; k < count; k++) {
        a[k] = as_f16 ? fused_decode(format_named("f16"), nvidia_f16_of(s->a_format, ac[k]))
                      : fused_decode(fa, (uint32_t)ac[k]);
        b[k] = as_f16 ? fused_decode(format_named("f16"), nvidia_f16_of(s->b_format, bc[k]))
                      : fused_decode(fb, (uint32_t)bc[k]);
    }
    fused_rule rule = rule_of(m, s->a_bits);
    if (scale_a && strstr(m->spelling, "mxf8f6f4")) {
        const fused_scale both = both_scales(m, *scale_a, *scale_b);
        return both.nan ? 0x7fffffff : fused_oracle(&rule, a, b, count, both.e, false, acc);
    }
    for (int q = 0; scale_a && q < 4; q++)
        scales[q] = both_scales(m, scale_a[q * s->scale_k / 4], scale_b[q * s->scale_k / 4]);
    if (scale_a)
        return fused_scaled_oracle(35, -139, a, b, scales, 4, count / 4, acc);
    if (as_f16) {
        rule.group = 16;
        return halves(&rule, a, b, count, half, acc);
    }
    const uint32_t d = fused_oracle(&rule, a, b, count, 0, half, acc);
    return !half && s->d_bits == 16 ? narrow(value_of("f32", d)) : d;
}

static int64_t int_value(const char *format, int bits, uint64_t code)
{
    return format[0] == 'i' && code >> (bits - 1) ? (int64_t)code - (1 << bits) : (int64_t)code;
}

static uint32_t int_element(const nvidia_model *m, const uint64_t *a, const uint64_t *b, int count,
                            uint32_t c)
{
    const lw_mma_shape *s = m->s;
    int64_t sum = (int32_t)c;
    for (int k = 0; k < count; k++) {
        const int64_t x = int_value(s->a_format, s->a_bits, a[k]),
                      y = int_value(s->b_format, s->b_bits, b[k]);
        sum += m->exclusive ? x != y : x * y;
    }
    if (m->saturate)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return (uint32_t)sum;
}

static uint64_t f64_element(const nvidia_model *m, const uint64_t *a, const uint64_t *b, int count,
                            uint64_t c)
{
    const int mode = m->round == 'z' ? FE_TOWARDZERO : m->round == 'm' ? FE_DOWNWARD : FE_UPWARD;
    double (*volatile host_fma)(double, double, double) = fma;
    double acc, x, y;
    if (m->round == 'n') {
        for (int k = 0; k < count; k++)
            c = oracle_fma64(a[k], b[k], c);
        return c;
    }
    memcpy(&acc, &c, sizeof(acc));
    fesetround(mode);
    for (int k = 0; k < count; k++) {
        memcpy(&x, &a[k], sizeof(x));
        memcpy(&y, &b[k], sizeof(y));
        acc = host_fma(x, y, acc);
    }
    fesetround(FE_TONEAREST);
    memcpy(&c, &acc, sizeof(c));
    return isnan(acc) ? UINT64_C(0x7ff8000000000000) : c;
}

uint64_t nvidia_element(const nvidia_model *m, const uint64_t *a, const uint64_t *b, int count, uint64_t c,
                        const uint8_t *scale_a, const uint8_t *scale_b)
{
    if (m->s->d_bits == 64)
        return f64_element(m, a, b, count, c);
    if (strcmp(m->s->d_format, "i32") == 0)
        return int_element(m, a, b, count, (uint32_t)c);
    return float_element(m, a, b, count, c, scale_a, scale_b);
}
