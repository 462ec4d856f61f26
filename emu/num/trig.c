/* SPDX-License-Identifier: MIT */
/*
 * Sine and cosine of an angle in turns: a cubic in each sixteenth of an eighth of a turn, in the fixed-point
 * steps that AMD's rocjitsu found for gfx1100 and gfx1201. They reproduce what it publishes of its captures:
 * all f16 and 35 chosen f32 (tests/num/test_captured.c). It does not claim that all f32 agree.
 */
#include "emu/num/transc.h"

#include "emu/num/u128.h"

enum { PHASE_BITS = 31, PART_BITS = 24, ONE_BITS = 29 };

#define F32_ONE 0x3f800000u
#define F32_SIGN 0x80000000u
#define PART ((uint32_t)1 << PART_BITS)

typedef struct part {
    uint32_t c0, c1, c2, c3;
} part;

#define SINE(c0, c1, c2, c3) { c0, c1, c2, c3 },
#define COSINE(c0, c1, c2, c3)
static const part sines[] = {
#include "trig_f32.inc"
};
#undef SINE
#undef COSINE
#define SINE(c0, c1, c2, c3)
#define COSINE(c0, c1, c2, c3) { c0, c1, c2, c3 },
static const part cosines[] = {
#include "trig_f32.inc"
};
#undef SINE
#undef COSINE

/* A point of the first eighth of a turn: `offset` in units of 2^-24 parts after the start of part `index`.
 * A point that was mirrored at the eighth approaches the end of its part from below: offset is 1 to 2^24,
 * and `mirrored` is 1. */
typedef struct point {
    uint32_t index, offset, mirrored;
} point;

/* v / 2^s to nearest even. */
static uint64_t rne(uint64_t v, unsigned s)
{
    const uint64_t half = (uint64_t)1 << (s - 1);
    return (v + half - 1 + (v >> s & 1)) >> s;
}

static unsigned width_of(uint32_t v)
{
    return v ? 64 - lw_clz64(v) : 0;
}

/* fixed / 2^frac as f32, cut. */
static uint32_t cut(uint64_t fixed, unsigned frac)
{
    const lw_fp_num v = lw_fp_from_int(false, fixed, -(int)frac);
    return (uint32_t)lw_fp_round_code(&lw_fp_f32, LW_FP_ZERO, &v);
}

/* The offset for the linear term without its last `drop` bits: rounded, but never into the next 2^20. */
static uint64_t rounded_offset(point p, unsigned drop)
{
    const uint32_t v = p.offset - p.mirrored, limit = (((v >> (20 + drop)) + 1) << 20) - 1;
    const uint32_t r = (v + ((uint32_t)1 << (drop - 1))) >> drop;
    return (uint64_t)(r < limit ? r : limit) << drop;
}

/* c2 + c3 f (cosine: c2 - c3 f), with seven fraction bits; 18 bits of the offset count. */
static uint64_t curvature(const part *r, point p, bool cosine)
{
    const uint32_t v = p.offset - p.mirrored, at = (cosine ? PART - 1 - v : v) & ~(uint32_t)63;
    const uint64_t c2 = cosine ? r->c2 - r->c3 : r->c2;
    return rne((c2 << PART_BITS) + (uint64_t)r->c3 * at, 17);
}

/* (offset / 2^7)^2 */
static uint64_t square_of(point p)
{
    const uint64_t v = (p.offset - p.mirrored) >> 7;
    return v * v;
}

static uint32_t ordinary(const part *r, point p, bool cosine)
{
    const uint64_t product = r->c1 * rounded_offset(p, 4), big = product >> 45;
    const uint64_t line = rne(product, 21 + (unsigned)big) << big;
    const uint64_t q = curvature(r, p, cosine) * (square_of(p) >> 10), half = q >> 47 ? 1 << 23 : 1 << 22;
    const uint64_t bend = q <= half ? 0 : (q - half + (1 << 29) - 1) >> 29;
    return cut(8 * (uint64_t)r->c0 + (cosine ? 0 - line : line) - 2 * bend, ONE_BITS);
}

/* The second part of the sine keeps one more bit of the line and six of the square term. */
static uint32_t second_sine(const part *r, point p)
{
    const uint64_t line = r->c1 * rounded_offset(p, 2) >> 20;
    const uint64_t bend = rne(curvature(r, p, false) * (square_of(p) >> 10), 23);
    return cut(((uint64_t)r->c0 << 8) + (line << 4) - bend, 34);
}

/* The first starts at zero: the offset is normalized in steps of four bits. */
static uint32_t first_sine(const part *r, point p)
{
    const unsigned width = width_of(p.offset);
    const unsigned steps = width < 24 ? (24 - width) / 4 * 4 : 0,
                   shift = width < 25 ? (25 - width) / 4 * 4 : 0;
    const unsigned kept = steps < 10 ? 24 + steps : 34;
    const bool whole = ((uint64_t)p.offset << steps & 0xfffff) == 0;
    const uint64_t at = ((uint64_t)p.offset << shift) - (p.mirrored && whole);
    const uint64_t line = r->c1 * at >> (18 + shift - steps);
    const uint64_t bend = rne(curvature(r, p, false) * (square_of(p) >> (34 - kept)), kept - 1 - steps);
    return cut((line << 2) - bend, 34 + steps);
}

/* |sin| or |cos| at `phase`, in units of 2^-31 turns, in the quarter that starts at zero. */
static uint32_t quarter(uint32_t phase, bool cosine)
{
    enum { EIGHTH = 1 << 28, LEVEL = 46592 }; /* up to here the cosine is 1 */
    const uint32_t mirrored = phase >= EIGHTH, at = mirrored ? 2 * EIGHTH - phase : phase;
    const uint32_t index = (at - mirrored) >> PART_BITS;
    const point p = { index, at - (index << PART_BITS), mirrored };
    if (cosine != (bool)mirrored)
        return at - mirrored < LEVEL ? F32_ONE : ordinary(&cosines[index], p, true);
    if (at == 0)
        return 0;
    return index == 0   ? first_sine(&sines[0], p)
           : index == 1 ? second_sine(&sines[1], p)
                        : ordinary(&sines[index], p, false);
}

/* |x| turns modulo 1, in units of 2^-31 turns, cut. */
static uint32_t phase_of(uint32_t x)
{
    const lw_fp_num v = lw_fp_unpack(&lw_fp_f32, x);
    const int up = v.exp + PHASE_BITS - 63;
    const uint64_t fixed = up >= 0 ? v.hi << up : up > -64 ? v.hi >> -up : 0;
    return (uint32_t)fixed & (((uint32_t)1 << PHASE_BITS) - 1);
}

static uint32_t wave(uint32_t x, bool cosine)
{
    const uint32_t phase = phase_of(x), turn = phase >> 29;
    const uint32_t r = quarter(phase & 0x1fffffff, cosine != (turn & 1));
    const bool neg = (turn >> 1) ^ (cosine ? turn & 1 : x >> 31);
    return r && neg ? r | F32_SIGN : r;
}

enum { FIELD_WHOLE = 127 + 23 }; /* from this exponent on, every f32 is a whole number of turns */

static bool trig_special(const lw_fp_env *e, uint32_t x, uint32_t whole, uint32_t *r)
{
    if (lw_fp_is_nan(&lw_fp_f32, x))
        *r = (uint32_t)lw_fp_pass_nan(&lw_fp_f32, e, x);
    else if (lw_fp_is_inf(&lw_fp_f32, x))
        *r = (uint32_t)lw_fp_nan(&lw_fp_f32, e);
    else if (lw_fp_field(&lw_fp_f32, x) >= FIELD_WHOLE)
        *r = whole;
    else
        return false;
    return true;
}

uint32_t lw_sin_f32(const lw_fp_env *e, uint32_t x)
{
    uint32_t r;
    x = (uint32_t)lw_fp_flush_in(&lw_fp_f32, e, x);
    if (trig_special(e, x, 0, &r))
        return r;
    if ((x & ~F32_SIGN) == 0)
        return x;
    if ((x & ~F32_SIGN) >= 0x39c00000u)
        return wave(x, false);
    /* Below 1.5 * 2^-12 turns: x times 2 pi in 24 bits, to nearest even. */
    const lw_fp_env out = { .keep_out = e->keep_out };
    const lw_fp_num v = lw_fp_unpack(&lw_fp_f32, x), two_pi = lw_fp_from_int(false, 0xc90fd5, -21);
    const lw_fp_num p = lw_fp_product(&v, &two_pi);
    return (uint32_t)lw_fp_pack(&lw_fp_f32, &out, &p);
}

uint32_t lw_cos_f32(const lw_fp_env *e, uint32_t x)
{
    uint32_t r;
    x = (uint32_t)lw_fp_flush_in(&lw_fp_f32, e, x);
    if (trig_special(e, x, F32_ONE, &r))
        return r;
    return (x & ~F32_SIGN) == 0 ? F32_ONE : wave(x, true);
}

/* The f32 models for lw_through_f32, which has flushed already. */
static const lw_fp_env keep = { .keep_in = true, .keep_out = true, .ieee = true };

static uint32_t sin_kept(uint32_t x)
{
    return lw_sin_f32(&keep, x);
}

static uint32_t cos_kept(uint32_t x)
{
    return lw_cos_f32(&keep, x);
}

uint32_t lw_sin_f16(const lw_fp_env *e, uint32_t x)
{
    return lw_through_f32(e, x, sin_kept);
}

uint32_t lw_cos_f16(const lw_fp_env *e, uint32_t x)
{
    return lw_through_f32(e, x, cos_kept);
}
