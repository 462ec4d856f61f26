/* SPDX-License-Identifier: MIT */
/* exp2 and log2 of f32 as table models. */
#include "emu/num/transc.h"

#include "emu/num/u128.h"

enum { FIELD_INF = 255, HIDDEN = 1 << 23 };

#define F32_NAN 0xffc00000u
#define F32_INF 0x7f800000u
#define F32_ONE 0x3f800000u
#define F32_SIGN 0x80000000u
#define F32_QUIET 0x00400000u

typedef struct quad_row {
    uint32_t c0, c1, c2, c3;
} quad_row;

typedef struct log_row {
    int64_t c0, c1, c2, c3, bias;
} log_row;

#define ROW(c0, c1, c2, c3) { c0, c1, c2, c3 },
static const quad_row exp_rows[] = {
#include "exp2_f32.inc"
};
#undef ROW

#define ROW(c0, c1, c2, c3, bias) { c0, c1, c2, c3, bias },
static const log_row log_rows[] = {
#include "log2_f32.inc"
};
#undef ROW
#define ABOVE(c0, c1, c2, c3, bias) { c0, c1, c2, c3, bias },
static const log_row above_rows[] = {
#include "log2_near_one.inc"
};
#undef ABOVE
#define BELOW(c0, c1, c2, c3, bias) { c0, c1, c2, c3, bias },
static const log_row below_rows[] = {
#include "log2_near_one.inc"
};
#undef BELOW

/* v / 2^s to nearest even. */
static uint64_t rne(uint64_t v, unsigned s)
{
    const uint64_t half = (uint64_t)1 << (s - 1);
    return (v + half - 1 + (v >> s & 1)) >> s;
}

static bool is_nan32(uint32_t x)
{
    return (x & ~F32_SIGN) > F32_INF;
}

/* 2^x as sig * 2^(n-36) with sig in [2^36, 2^37], for 2^-24 <= |x| < 128. */
static uint64_t exp2_sig(uint32_t x, int *n)
{
    enum { FRAC = 29, MASK = (1 << FRAC) - 1 };
    const int up = (int)(x >> 23 & 0xff) - 121;
    const uint64_t m = (x & (HIDDEN - 1)) | HIDDEN;
    const uint64_t fixed = up >= 0 ? m << up : m >> -up;
    uint32_t f = (uint32_t)fixed & MASK;
    *n = (int)(fixed >> FRAC);
    if (x & F32_SIGN) {
        *n = -*n - 1;
        f = ~f & MASK;
    }
    const quad_row *row = &exp_rows[f >> 24];
    const uint64_t t = f & 0xffffff, h = t >> 6;
    const uint64_t p = row->c1 * t;
    const uint64_t lin = (p + (p >> 47 ? 1u << 23 : 1u << 22)) >> 24;
    const uint64_t q = (h * h >> 12) * rne(128 * (uint64_t)row->c2 + row->c3 * h, 7);
    const uint64_t quad = q >> 47 ? 2 * ((q + (1u << 23)) >> 24) : (q + (1u << 22)) >> 23;
    return ((row->c0 + lin) << 8) + quad;
}

/* The inputs of exp2 that need no table; true if x is one of them. */
static bool exp2_special(uint32_t x, uint32_t *r)
{
    enum { TINY = 103, HUGE_FIELD = 134 };
    const uint32_t field = x >> 23 & 0xff;
    if (is_nan32(x))
        *r = x | F32_QUIET;
    else if (field < TINY)
        *r = F32_ONE;
    else if (field >= HUGE_FIELD)
        *r = x & F32_SIGN ? 0 : F32_INF;
    else
        return false;
    return true;
}

uint32_t lw_exp2_f32(uint32_t x)
{
    uint32_t r;
    if (exp2_special(x, &r))
        return r;
    int n;
    const uint64_t sig = rne(exp2_sig(x, &n), 13); /* may be 2^24 */
    const int64_t bits = (int64_t)(n + 126) * HIDDEN + (int64_t)sig;
    if (bits < HIDDEN)
        return 0;
    return bits >= (int64_t)F32_INF ? F32_INF : (uint32_t)bits;
}

uint32_t lw_exp2_f16(const lw_fp_env *e, uint32_t x)
{
    const lw_fp_env out = { .keep_out = e->keep_out, .saturate = e->saturate };
    static const lw_fp_env exact = { .keep_in = true, .keep_out = true, .ieee = true };
    x = (uint32_t)lw_fp_flush_in(&lw_fp_f16, e, x);
    if (lw_fp_is_nan(&lw_fp_f16, x))
        return (uint32_t)lw_fp_pass_nan(&lw_fp_f16, e, x);
    const uint32_t wide = (uint32_t)lw_fp_convert(&lw_fp_f16, &exact, &lw_fp_f32, &exact, x);
    uint32_t r;
    if (exp2_special(wide, &r)) {
        const uint32_t special = (uint32_t)lw_fp_convert(&lw_fp_f32, &exact, &lw_fp_f16, &out, r);
        const bool overflow = r == F32_INF && wide != F32_INF; /* of a finite source: FP16_OVFL applies */
        return special - (overflow && e->saturate);
    }
    int n;
    const uint64_t sig = exp2_sig(wide, &n);
    const lw_fp_num v = lw_fp_from_int(false, sig, n - 36);
    return (uint32_t)lw_fp_pack(&lw_fp_f16, &out, &v);
}

static int64_t clear_odd(int64_t v)
{
    return v >= 1 << 25 ? v & ~(int64_t)1 : v;
}

/* magnitude * 2^-frac as f32, rounded away from zero or cut. */
static uint32_t log_result(bool neg, int64_t magnitude, int frac, bool away)
{
    const lw_fp_num v = lw_fp_from_int(neg, (uint64_t)magnitude, -frac);
    const lw_fp_rounding round = !away ? LW_FP_ZERO : neg ? LW_FP_DOWN : LW_FP_UP;
    return (neg ? F32_SIGN : 0) | (uint32_t)lw_fp_round_code(&lw_fp_f32, round, &v);
}

/* log2(1 +- n * 2^-23 or -24), n < 2^18, n != 0. */
static uint32_t log2_near_one(bool above, int64_t n)
{
    unsigned s = 0;
    while (n << s < 1 << 14)
        s += 4;
    const int64_t big = n << s, sq = big * big >> (12 + s);
    if (above) {
        const log_row *r = &above_rows[n < 1 << 16 ? 0 : n < 1 << 17 ? 1 : 2];
        const int64_t cu = r->c3 * n + r->bias;
        const int64_t lin = (r->c1 * big >> 15) << 3;
        return log_result(false, r->c0 + lin - clear_odd((r->c2 - (cu >> 23)) * sq >> 22), 36 + (int)s, true);
    }
    const log_row *r = &below_rows[n < 1 << 17 ? 0 : 1];
    const int64_t cu = r->c3 * n + r->bias;
    const int64_t lin = (r->c1 * big >> 15) << 3;
    return log_result(true, r->c0 + lin + clear_odd((r->c2 + (cu >> 22)) * sq >> 23), 37 + (int)s, true);
}

uint32_t lw_log2_f32(uint32_t x)
{
    const uint32_t field = x >> 23 & 0xff;
    if (is_nan32(x))
        return x | F32_QUIET;
    if (field == 0)
        return F32_SIGN | F32_INF;
    if (x & F32_SIGN)
        return F32_NAN;
    if (field == FIELD_INF)
        return F32_INF;

    const int64_t e = (int64_t)field - 127, m = x & (HIDDEN - 1);
    if (e == 0 && m == 0)
        return 0;
    if (e == 0 && m < 1 << 18)
        return log2_near_one(true, m);
    if (e == -1 && m > 0x7c0000)
        return log2_near_one(false, HIDDEN - m);

    const log_row *r = &log_rows[m >> 17 == 3 ? 32 : m >> 18];
    const int64_t d = m & 0x3ffff;
    const int64_t in = r->c2 - ((r->c3 * d + r->bias) >> 23);
    const int64_t log = 64 * r->c0 + 64 * (r->c1 * d >> 16) - clear_odd(in * (d * d >> 12) >> 22);
    const int64_t y = e * ((int64_t)1 << 36) + log;
    if (y == 0)
        return 0;
    return log_result(y < 0, y < 0 ? -y : y, 36, y < 0);
}
