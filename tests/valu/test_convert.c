/* SPDX-License-Identifier: MIT */
/*
 * Every conversion between floats, integers and normalised integers: all 16-bit sources, 32-bit sources with
 * every upper half, edges of 64-bit ones; the modes of f32 and of f16 and f64 change every 64 lanes. The
 * expected values are computed in binary64, where all of these values, scaled ones included, are exact.
 */
#include <check.h>

#include "isa_tables/amdgpu/rows.h"
#include "tests/num/oracle.h"
#include "tests/valu/wave_kit.h"

enum { SRC = 4, DST = 20, PASSES = 10 };

static kit k;

typedef struct format {
    int exp_bits, frac_bits;
} format;

static const format F16 = { 5, 10 }, F32 = { 8, 23 }, F64 = { 11, 52 }, BF16 = { 8, 7 };

/* The fields of MODE, index 0 for f32 and 1 for f16 and f64. */
typedef struct mode {
    unsigned round[2];
    bool keep_in[2], keep_out[2], ieee, ovfl;
} mode;

static mode draw_mode(void)
{
    const uint32_t r = (uint32_t)(kit_random(&k) >> 24);
    mode m = { .ieee = r >> 8 & 1, .ovfl = r >> 9 & 1 };
    for (unsigned i = 0; i < 2; i++) {
        m.round[i] = r >> (2 * i) & 3;
        m.keep_in[i] = r >> (4 + 2 * i) & 1;
        m.keep_out[i] = r >> (5 + 2 * i) & 1;
    }
    k.w.mode = (r & 0xff) | (m.ieee ? 1u << 9 : 0) | (m.ovfl ? 1u << 23 : 0) | 1u << 8;
    return m;
}

static unsigned of_mode(const format *f)
{
    return f->exp_bits != 8;
}

static uint64_t sign_of(const format *f)
{
    return (uint64_t)1 << (f->exp_bits + f->frac_bits);
}

static uint64_t inf_of(const format *f)
{
    return (((uint64_t)1 << f->exp_bits) - 1) << f->frac_bits;
}

static int emin_of(const format *f)
{
    return 2 - (1 << (f->exp_bits - 1));
}

static double value_of(const format *f, uint64_t x)
{
    if (f->frac_bits == 52)
        return f64_of(x);
    if ((x & inf_of(f)) == inf_of(f))
        return x & (((uint64_t)1 << f->frac_bits) - 1) ? NAN : x & sign_of(f) ? -INFINITY : INFINITY;
    return small_value((uint32_t)x, f->exp_bits, f->frac_bits, 1 - emin_of(f));
}

/* The code of a value that the format can represent. */
static uint64_t code_of(const format *f, double v)
{
    const uint64_t sign = signbit(v) ? sign_of(f) : 0;
    const double m = fabs(v);
    int e;
    if (f->frac_bits == 52)
        return bits_of_f64(v);
    if (isinf(v))
        return sign | inf_of(f);
    frexp(m, &e);
    if (m < ldexp(1, emin_of(f)))
        return sign | (uint64_t)ldexp(m, f->frac_bits - emin_of(f));
    const uint64_t field = (uint64_t)(e - emin_of(f));
    return sign | (((field - 1) << f->frac_bits) + (uint64_t)ldexp(m, f->frac_bits + 1 - e));
}

/* To a multiple of the last place; exponents below emin count as emin. */
static double rounded(double v, int frac, int emin, unsigned round)
{
    int e;
    frexp(v, &e);
    const int at = e - 1 < emin ? emin : e - 1;
    const double q = ldexp(fabs(v), frac - at), low = floor(q), rest = q - low;
    const bool up = round == 0 ? rest > 0.5 || (rest == 0.5 && fmod(low, 2) != 0)
                               : rest > 0 && round == (signbit(v) ? 2u : 1u);
    return copysign(ldexp(low + up, at - frac), v);
}

static uint64_t pack(const format *f, const mode *m, double v)
{
    const unsigned which = of_mode(f), round = m->round[which];
    const int emin = emin_of(f), top = 1 - emin;
    const bool neg = signbit(v);
    if (v == 0 || isinf(v) || f->frac_bits == 52)
        return code_of(f, v);
    const double r = rounded(v, f->frac_bits, emin, round);
    if (!m->keep_out[which] && fabs(rounded(v, f->frac_bits, -5000, round)) < ldexp(1, emin))
        return neg ? sign_of(f) : 0;
    if (fabs(r) < ldexp(1, top + 1))
        return code_of(f, r);
    const bool stays = round == 3 || round == (neg ? 1u : 2u) || (f->frac_bits == 10 && m->ovfl);
    return (neg ? sign_of(f) : 0) | (inf_of(f) - stays);
}

static uint64_t convert(const format *from, const format *to, const mode *m, uint64_t x)
{
    const uint64_t sign = x & sign_of(from) ? sign_of(to) : 0;
    double v = value_of(from, x);
    if (isnan(v)) {
        const uint64_t payload = x & (((uint64_t)1 << from->frac_bits) - 1);
        const int wider = to->frac_bits - from->frac_bits;
        const uint64_t quiet = wider < 0 || m->ieee ? (uint64_t)1 << (to->frac_bits - 1) : 0;
        return sign | inf_of(to) | quiet | (wider < 0 ? payload >> -wider : payload << wider);
    }
    if (!m->keep_in[of_mode(from)] && fabs(v) < ldexp(1, emin_of(from)))
        v = copysign(0, v);
    return pack(to, m, v);
}

/* A source as integer conversions read it. */
static double flushed(const format *f, const mode *m, uint64_t x)
{
    const double v = value_of(f, x);
    return !m->keep_in[of_mode(f)] && fabs(v) < ldexp(1, emin_of(f)) ? 0 : v;
}

static uint64_t integer(double v, double low, double high)
{
    if (isnan(v))
        return 0;
    return (uint64_t)(int64_t)(v < low ? low : v > high ? high : v);
}

static uint64_t normalised(double v, double steps, double low)
{
    return integer(nearbyint(v * steps), low, steps) & 0xffff;
}

/* NaN according to its sign, as conversions with floor and with half up treat it. */
static uint64_t by_floor(const mode *m, uint64_t x, double plus)
{
    const double v = flushed(&F32, m, x);
    if (isnan(v))
        return x >> 31 ? 0x80000000u : 0x7fffffff;
    return integer(floor(v + plus), -0x1p31, 0x1p31 - 1) & 0xffffffff;
}

typedef uint64_t (*want_fn)(const mode *m, uint64_t x);

#define WANT(name, expr)                                                                                     \
    static uint64_t w_##name(const mode *m, uint64_t x)                                                      \
    {                                                                                                        \
        (void)m;                                                                                             \
        return (uint64_t)(expr);                                                                             \
    }

#define U32_MAX 4294967295.0
WANT(i32_f64, integer(trunc(flushed(&F64, m, x)), -0x1p31, 0x1p31 - 1) & 0xffffffff)
WANT(u32_f64, integer(trunc(flushed(&F64, m, x)), 0, U32_MAX))
WANT(i32_f32, integer(trunc(flushed(&F32, m, x)), -0x1p31, 0x1p31 - 1) & 0xffffffff)
WANT(u32_f32, integer(trunc(flushed(&F32, m, x)), 0, U32_MAX))
WANT(i16_f16, integer(trunc(flushed(&F16, m, x)), -32768, 32767) & 0xffff)
WANT(u16_f16, integer(trunc(flushed(&F16, m, x)), 0, 65535))
WANT(flr, by_floor(m, x, 0))
WANT(rpi, by_floor(m, x, 0.5))
WANT(norm_i16, normalised(flushed(&F16, m, x), 32767, -32767))
WANT(norm_u16, normalised(flushed(&F16, m, x), 65535, 0))
WANT(f64_i32, pack(&F64, m, (int32_t)x))
WANT(f64_u32, pack(&F64, m, (uint32_t)x))
WANT(f32_i32, pack(&F32, m, (int32_t)x))
WANT(f32_u32, pack(&F32, m, (uint32_t)x))
WANT(f16_i16, pack(&F16, m, (int16_t)x))
WANT(f16_u16, pack(&F16, m, (uint16_t)x))
WANT(ubyte0, pack(&F32, m, (double)(x % 256)))
WANT(ubyte1, pack(&F32, m, (double)(x / 256 % 256)))
WANT(ubyte2, pack(&F32, m, (double)(x / 65536 % 256)))
WANT(ubyte3, pack(&F32, m, (double)(x / 16777216)))
WANT(off_i4, pack(&F32, m, ((double)(x % 16) - (x % 16 < 8 ? 0 : 16)) / 16))
WANT(f16_f32, convert(&F32, &F16, m, x))
WANT(f32_f16, convert(&F16, &F32, m, x))
WANT(f32_f64, convert(&F64, &F32, m, x))
WANT(f64_f32, convert(&F32, &F64, m, x))
WANT(f32_bf16, x * 65536)

typedef enum source { FLOAT16, FLOAT32, FLOAT64, INT16, INT32 } source;

typedef struct conversion {
    const char *name;
    lw_exec_fn fn;
    want_fn want;
    source source;
    bool wide; /* a result of 64 bits */
} conversion;

#define ROW(name, want, ...)                                                                                 \
    {                                                                                                        \
#name, lw_sem_##name, w_##want, __VA_ARGS__                                                          \
    }
static const conversion conversions[] = {
    ROW(v_cvt_i32_f64, i32_f64, FLOAT64, false),       ROW(v_cvt_u32_f64, u32_f64, FLOAT64, false),
    ROW(v_cvt_i32_f32, i32_f32, FLOAT32, false),       ROW(v_cvt_u32_f32, u32_f32, FLOAT32, false),
    ROW(v_cvt_i16_f16, i16_f16, FLOAT16, false),       ROW(v_cvt_u16_f16, u16_f16, FLOAT16, false),
    ROW(v_cvt_flr_i32_f32, flr, FLOAT32, false),       ROW(v_cvt_rpi_i32_f32, rpi, FLOAT32, false),
    ROW(v_cvt_norm_i16_f16, norm_i16, FLOAT16, false), ROW(v_cvt_norm_u16_f16, norm_u16, FLOAT16, false),
    ROW(v_cvt_f64_i32, f64_i32, INT32, true),          ROW(v_cvt_f64_u32, f64_u32, INT32, true),
    ROW(v_cvt_f32_i32, f32_i32, INT32, false),         ROW(v_cvt_f32_u32, f32_u32, INT32, false),
    ROW(v_cvt_f16_i16, f16_i16, INT16, false),         ROW(v_cvt_f16_u16, f16_u16, INT16, false),
    ROW(v_cvt_f32_ubyte0, ubyte0, INT32, false),       ROW(v_cvt_f32_ubyte1, ubyte1, INT32, false),
    ROW(v_cvt_f32_ubyte2, ubyte2, INT32, false),       ROW(v_cvt_f32_ubyte3, ubyte3, INT32, false),
    ROW(v_cvt_off_f32_i4, off_i4, INT32, false),       ROW(v_cvt_f16_f32, f16_f32, FLOAT32, false),
    ROW(v_cvt_f32_f16, f32_f16, FLOAT16, false),       ROW(v_cvt_f32_f64, f32_f64, FLOAT64, false),
    ROW(v_cvt_f64_f32, f64_f32, FLOAT32, true),        ROW(v_cvt_f32_bf16, f32_bf16, FLOAT16, false),
};
#undef ROW
enum { CONVERSIONS = sizeof(conversions) / sizeof(conversions[0]) };

/* Source n of a kind: 16-bit ones with random bits in the upper half, 32-bit ones with every upper half. */
static uint64_t source_at(source s, uint32_t n)
{
    static const uint16_t low[] = { 0, 1, 0x7fff, 0x8000, 0x8001, 0xffff, 0x1000, 0x0fff, 0x1001, 0xf000 };
    const uint64_t random = kit_random(&k);
    switch (s) {
    case FLOAT16:
    case INT16:
        return (n & 0xffff) | (random >> 48) << 16;
    case FLOAT32:
    case INT32:
        return (n & 0xffff) << 16 | (n >> 16 < 10 ? low[n >> 16] : random & 0xffff);
    case FLOAT64: /* near the edges of integers, f32 and f32's subnormals, or anything */
        if (n % 3 == 0)
            return nasty(&k.seed, 11, 52);
        return (random >> 63) << 63 |
               (uint64_t)(n % 3 == 1 ? 1023 + n / 3 % 36 : 1023 - 152 + n / 3 % 40) << 52 |
               (nasty(&k.seed, 11, 52) & 0xfffffffffffff);
    }
    return 0;
}

static uint64_t signs(source s, const lw_decoded *in, uint64_t x)
{
    const uint64_t top = s == FLOAT16 ? 0x8000 : s == FLOAT32 ? 0x80000000u : (uint64_t)1 << 63;
    if (s == INT16 || s == INT32)
        return s == INT16 ? x & 0xffff : x;
    x = s == FLOAT16 ? x & 0xffff : x;
    x = in->src[0].abs ? x & ~top : x;
    return in->src[0].neg ? x ^ top : x;
}

START_TEST(one_source)
{
    const conversion *c = &conversions[_i];
    const uint32_t rounds = 0x10000 * PASSES;
    uint64_t x[64];
    for (uint32_t first = 0; first < rounds; first += 64) {
        const mode m = draw_mode();
        lw_decoded in = kit_inst(DST, SRC, SRC, SRC);
        if (c->source <= FLOAT64) {
            in.src[0].neg = kit_random(&k) >> 40 & 1;
            in.src[0].abs = kit_random(&k) >> 40 & 1;
        }
        in.src[0].dwords = c->source == FLOAT64 ? 2 : 1;
        for (unsigned lane = 0; lane < 64; lane++) {
            x[lane] = source_at(c->source, first + lane);
            k.vgpr[SRC][lane] = (uint32_t)x[lane];
            k.vgpr[SRC + 1][lane] = (uint32_t)(x[lane] >> 32);
        }
        ck_assert_int_eq(c->fn(&k.w, &in), LW_STEP_NEXT);
        for (unsigned lane = 0; lane < 64; lane++) {
            const uint64_t seen = signs(c->source, &in, x[lane]), want = c->want(&m, seen);
            const uint64_t got = k.vgpr[DST][lane] | (c->wide ? (uint64_t)k.vgpr[DST + 1][lane] << 32 : 0);
            if (got != want)
                ck_abort_msg("%s(%016llx) = %016llx, not %016llx, MODE %x", c->name, (unsigned long long)seen,
                             (unsigned long long)got, (unsigned long long)want, k.w.mode);
        }
    }
}
END_TEST

/* Two sources to two halves, or one value and another operand to a part of the result. */
typedef struct pair_of {
    uint32_t a, b, c, old;
} pair_of;

typedef uint32_t (*pair_fn)(const mode *m, pair_of s);

static uint32_t halves(uint64_t low, uint64_t high)
{
    return (uint32_t)((low & 0xffff) | high << 16);
}

static uint64_t f16_in(const mode *m, unsigned round, uint32_t x)
{
    mode other = *m;
    other.round[1] = round;
    return convert(&F32, &F16, &other, x);
}

static uint64_t bf16_in(uint32_t x)
{
    const mode keep = { .keep_in = { true, true }, .keep_out = { true, true }, .ieee = true };
    return convert(&F32, &BF16, &keep, x);
}

/* v_pack: sources of 16 bits, where only NaNs and subnormals change. */
static uint64_t packed(const mode *m, uint32_t x)
{
    const double v = value_of(&F16, x & 0xffff);
    if (isnan(v))
        return (x & 0xffff) | 0x200;
    return fabs(v) < 0x1p-14 && !m->keep_in[1] ? x & 0x8000 : x & 0xffff;
}

/* The dropped bits and the seed's top bits are added as integers; NaN and infinity are converted as without a
 * seed. */
static uint64_t stochastic(const format *f, const mode *m, uint32_t x, uint32_t seed)
{
    const double v = value_of(&F32, x);
    const int drop = 23 - f->frac_bits, emin = emin_of(f);
    const bool neg = x >> 31;
    if (isnan(v) || isinf(v) || v == 0) {
        const mode keep = { .keep_in = { true, true }, .keep_out = { true, true } };
        return convert(&F32, f, &keep, x);
    }
    int e;
    frexp(v, &e);
    const int at = e - 1 < emin ? emin : e - 1;
    const double q = floor(ldexp(fabs(v), 23 - at)) + (double)(seed >> (32 - drop));
    const double r = ldexp(floor(ldexp(q, -drop)), at - f->frac_bits);
    if (r >= ldexp(1, 2 - emin))
        return (neg ? sign_of(f) : 0) | (inf_of(f) - (f->frac_bits == 10 && m->ovfl));
    return code_of(f, copysign(r, v));
}

static uint64_t byte_of(uint32_t x)
{
    const double v = nearbyint(value_of(&F32, x));
    return isnan(v) ? 0 : integer(v, 0, 255);
}

static uint64_t shifted(uint32_t x, uint32_t by, int64_t low, int64_t high)
{
    const int64_t v = (int64_t)floor((double)(int32_t)x / (double)((uint64_t)1 << by % 32));
    return (uint64_t)(v < low ? low : v > high ? high : v) & 0xff;
}

#define PAIR(name, expr)                                                                                     \
    static uint32_t p_##name(const mode *m, pair_of s)                                                       \
    {                                                                                                        \
        (void)m;                                                                                             \
        return (uint32_t)(expr);                                                                             \
    }
PAIR(pkrtz, halves(f16_in(m, 3, s.a), f16_in(m, 3, s.b)))
PAIR(pk_f16, halves(f16_in(m, 0, s.a), f16_in(m, 0, s.b)))
PAIR(pk_bf16, halves(bf16_in(s.a), bf16_in(s.b)))
PAIR(norm_i, halves(normalised(flushed(&F32, m, s.a), 32767, -32767),
                    normalised(flushed(&F32, m, s.b), 32767, -32767)))
PAIR(norm_u, halves(normalised(flushed(&F32, m, s.a), 65535, 0), normalised(flushed(&F32, m, s.b), 65535, 0)))
PAIR(norm_i16, halves(w_norm_i16(m, s.a & 0xffff), w_norm_i16(m, s.b & 0xffff)))
PAIR(norm_u16, halves(w_norm_u16(m, s.a & 0xffff), w_norm_u16(m, s.b & 0xffff)))
PAIR(pack, halves(packed(m, s.a), packed(m, s.b)))
PAIR(u16, halves(integer((double)s.a, 0, 65535), integer((double)s.b, 0, 65535)))
PAIR(i16, halves(integer((int32_t)s.a, -32768, 32767), integer((int32_t)s.b, -32768, 32767)))
PAIR(i16_f32,
     halves(integer(flushed(&F32, m, s.a), -32768, 32767), integer(flushed(&F32, m, s.b), -32768, 32767)))
PAIR(u16_f32, halves(integer(flushed(&F32, m, s.a), 0, 65535), integer(flushed(&F32, m, s.b), 0, 65535)))
PAIR(sr_f16, (s.old & 0xffff0000) | stochastic(&F16, m, s.a, s.b))
PAIR(sr_bf16, (s.old & 0xffff0000) | stochastic(&BF16, m, s.a, s.b))
PAIR(u8, (s.c & ~(255u << s.b % 4 * 8)) | byte_of(s.a) << s.b % 4 * 8)
PAIR(ashr_i8, (s.old & 0xffff0000) | shifted(s.a, s.c, -128, 127) | shifted(s.b, s.c, -128, 127) << 8)
PAIR(ashr_u8, (s.old & 0xffff0000) | shifted(s.a, s.c, 0, 255) | shifted(s.b, s.c, 0, 255) << 8)

static const struct {
    const char *name;
    lw_exec_fn fn;
    pair_fn want;
    bool half_sources;
} pairs[] = {
#define ROW(name, want, half)                                                                                \
    {                                                                                                        \
#name, lw_sem_##name, p_##want, half                                                                 \
    }
    ROW(v_cvt_pkrtz_f16_f32, pkrtz, false),    ROW(v_cvt_pk_f16_f32, pk_f16, false),
    ROW(v_cvt_pk_bf16_f32, pk_bf16, false),    ROW(v_cvt_pknorm_i16_f32, norm_i, false),
    ROW(v_cvt_pknorm_u16_f32, norm_u, false),  ROW(v_cvt_pknorm_i16_f16, norm_i16, true),
    ROW(v_cvt_pknorm_u16_f16, norm_u16, true), ROW(v_pack_b32_f16, pack, true),
    ROW(v_cvt_pk_u16_u32, u16, false),         ROW(v_cvt_pk_i16_i32, i16, false),
    ROW(v_cvt_pk_i16_f32, i16_f32, false),     ROW(v_cvt_pk_u16_f32, u16_f32, false),
    ROW(v_cvt_sr_f16_f32, sr_f16, false),      ROW(v_cvt_sr_bf16_f32, sr_bf16, false),
    ROW(v_cvt_pk_u8_f32, u8, false),           ROW(v_ashr_pk_i8_i32, ashr_i8, false),
    ROW(v_ashr_pk_u8_i32, ashr_u8, false),
#undef ROW
};
enum { PAIRS = sizeof(pairs) / sizeof(pairs[0]) };

START_TEST(two_sources)
{
    for (uint32_t first = 0; first < 0x10000 * PASSES; first += 64) {
        const mode m = draw_mode();
        const lw_decoded in = kit_inst(DST, SRC, SRC + 1, SRC + 2);
        uint32_t old[64];
        for (unsigned lane = 0; lane < 64; lane++) {
            const source s = pairs[_i].half_sources ? FLOAT16 : FLOAT32;
            k.vgpr[SRC][lane] = (uint32_t)source_at(s, first + lane);
            k.vgpr[SRC + 1][lane] = (uint32_t)source_at(s, (first + lane) * 40503u % (0x10000 * PASSES));
            k.vgpr[SRC + 2][lane] = (uint32_t)kit_random(&k);
        }
        memcpy(old, k.vgpr[DST], sizeof(old));
        ck_assert_int_eq(pairs[_i].fn(&k.w, &in), LW_STEP_NEXT);
        for (unsigned lane = 0; lane < 64; lane++) {
            const pair_of s = { k.vgpr[SRC][lane], k.vgpr[SRC + 1][lane], k.vgpr[SRC + 2][lane], old[lane] };
            const uint32_t got = k.vgpr[DST][lane], want = pairs[_i].want(&m, s);
            ck_assert_msg(got == want, "%s(%08x, %08x, %08x) = %08x, not %08x, MODE %x", pairs[_i].name, s.a,
                          s.b, s.c, got, want, k.w.mode);
        }
    }
}
END_TEST

/* op_sel: halves of f16 sources, and the half of the result that is kept. */
START_TEST(halves_by_op_sel)
{
    const mode m = draw_mode();
    for (unsigned sel = 0; sel < 4; sel++) {
        lw_decoded in = kit_inst(DST, SRC, SRC + 1, SRC + 2);
        kit_halves(&in, sel);
        ck_assert_int_eq(lw_sem_v_cvt_pknorm_u16_f16(&k.w, &in), LW_STEP_NEXT);
        for (unsigned lane = 0; lane < 64; lane++) {
            const pair_of s = { k.vgpr[SRC][lane] >> (sel & 1 ? 16 : 0),
                                k.vgpr[SRC + 1][lane] >> (sel & 2 ? 16 : 0), 0, 0 };
            ck_assert_uint_eq(k.vgpr[DST][lane], p_norm_u16(&m, s));
        }
        kit_halves(&in, sel & 1 ? 8 : 0);
        const uint32_t old = k.vgpr[DST][sel];
        ck_assert_int_eq(lw_sem_v_cvt_sr_bf16_f32(&k.w, &in), LW_STEP_NEXT);
        const uint32_t code = (uint32_t)stochastic(&BF16, &m, k.vgpr[SRC][sel], k.vgpr[SRC + 1][sel]);
        ck_assert_uint_eq(k.vgpr[DST][sel],
                          sel & 1 ? (old & 0xffff) | code << 16 : (old & 0xffff0000) | code);
    }
}
END_TEST

static bool is_small(const char *name)
{
    static const char *const formats[] = { "fp8",   "bf8",     "fp6",     "bf6",    "fp4",
                                           "sr_pk", "i32_i16", "u32_u16", "pkaccum" };
    for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        if (strstr(name, formats[i]))
            return true;
    return false;
}

/* A row without a test fails here. Others: test_small.c, test_gfx1250.c, machine_halves, machine_refused. */
START_TEST(no_conversion_is_left_out)
{
    for (unsigned i = 0; i < LW_OP_COUNT; i++) {
        const lw_op_row *row = &lw_op_rows[i];
        bool found = strncmp(row->name, "v_cvt_", 6) || !strcmp(row->sem, "none") || is_small(row->name);
        for (unsigned n = 0; n < CONVERSIONS; n++)
            found |= !strcmp(conversions[n].name, row->name);
        for (unsigned n = 0; n < PAIRS; n++)
            found |= !strcmp(pairs[n].name, row->name);
        ck_assert_msg(found, "%s has no test", row->name);
    }
}
END_TEST

static void setup(void)
{
    kit_reset(&k, LW_ARCH_GFX950);
}

int main(void)
{
    Suite *suite = suite_create("convert");
    TCase *tc = tcase_create("convert");
    tcase_set_timeout(tc, 300);
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_loop_test(tc, one_source, 0, CONVERSIONS);
    tcase_add_loop_test(tc, two_sources, 0, PAIRS);
    tcase_add_test(tc, halves_by_op_sel);
    tcase_add_test(tc, no_conversion_is_left_out);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
