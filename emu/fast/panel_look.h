/* SPDX-License-Identifier: MIT */
/*
 * Looking at numbers, vectors at a time. Included after vec_avx2_lanes.h or the like.
 *
 * Twice a code drops its sign; the negative of that orders magnitudes backwards but for zero, which stays the
 * least unsigned number: the largest one is that of the least magnitude that is not zero. Of a binary64
 * number twice its high word is taken, with the lowest bit set where the low word is not zero.
 */
#ifndef LW_EMU_FAST_PANEL_LOOK_H
#define LW_EMU_FAST_PANEL_LOOK_H

#include "emu/fast/look.h"
#include "emu/fast/panel_decode.h"

enum {
    LEAST_NORMAL = 0x00800000,
    LEAST_NORMAL64 = 0x00100000,
    INFINITE = 0x7f800000,
    INFINITE64 = 0x7ff00000
};

VEC vi look_twice64(const uint32_t *low, const uint32_t *high)
{
    const vi x = vi_load(high), none = vi_all(0);
    return vi_pick(vi_eq(vi_load(low), none), vi_add(x, x), vi_or(vi_add(x, x), vi_all(1)));
}

/* Twice the numbers of part h of a run; `at` of its first plane. */
VEC vi look_twice(const uint32_t *words, const uint16_t *at, int part, bool wide)
{
    const uint32_t *first = words + at[0] + part * VEC_LANES;
    if (wide)
        return look_twice64(first, words + at[1] + part * VEC_LANES);
    return vi_add(vi_load(first), vi_load(first));
}

/* Is any word of an accumulated unsigned maximum that of a magnitude below `least`? */
VEC bool look_found(vi most, uint32_t least)
{
    const vi limit = vi_all((int)(1u - 2 * least));
    return vm_any(vi_eq(vi_max_u(most, limit), most));
}

/* Most of halves or bytes, as words: none is above `limit`, which is the same in all of them. */
VEC bool look_above16(vi most, unsigned limit)
{
    const vi all = vi_all((int)(limit * 0x10001u));
    return vm_any(vm_not(vi_eq(vi_max_u16(most, all), all)));
}

VEC bool look_above8(vi most, unsigned limit)
{
    const vi all = vi_all((int)(limit * 0x01010101u));
    return vm_any(vm_not(vi_eq(vi_max_u8(most, all), all)));
}

/* -2 * x by words, halves or bytes. */
VEC vi look_negated(vi x, unsigned bits)
{
    const vi none = vi_all(0);
    return bits == 32   ? vi_sub(none, vi_add(x, x))
           : bits == 16 ? vi_sub16(none, vi_add16(x, x))
                        : vi_sub8(none, vi_add8(x, x));
}

VEC vi look_more(vi a, vi b, unsigned bits)
{
    return bits == 32 ? vi_max_u(a, b) : bits == 16 ? vi_max_u16(a, b) : vi_max_u8(a, b);
}

/* Two maxima, as each waits for the one before. */
VEC bool small_codes(const uint32_t *words, size_t count, unsigned bits, uint32_t least)
{
    vi even = vi_all(0), odd = vi_all(0);
    size_t i = 0;
    for (; i + 2 * VEC_LANES <= count; i += 2 * VEC_LANES) {
        even = look_more(even, look_negated(vi_load(words + i), bits), bits);
        odd = look_more(odd, look_negated(vi_load(words + i + VEC_LANES), bits), bits);
    }
    if (i < count)
        even = look_more(even, look_negated(vi_load(words + i), bits), bits);
    const vi most = look_more(even, odd, bits);
    return bits == 32   ? look_found(most, least)
           : bits == 16 ? look_above16(most, 0x10000 - 2 * least)
                        : look_above8(most, 0x100 - 2 * least);
}

VEC bool small_nibbles(const uint32_t *words, size_t count, uint32_t least)
{
    const vi size = vi_all(0x07070707);
    vi most = vi_all(0);
    for (size_t i = 0; i < count; i += VEC_LANES) {
        const vi x = vi_load(words + i);
        most = vi_max_u8(most, vi_sub8(vi_all(0), vi_and(x, size)));
        most = vi_max_u8(most, vi_sub8(vi_all(0), vi_and(vi_shr(x, 4), size)));
    }
    return look_above8(most, 0x100 - least);
}

/* Codes of six bits: sixteen in three words of a lane. */
VEC bool small_sixes(const uint32_t *image, unsigned words, unsigned stride, uint32_t least)
{
    enum { SIX = 6, WORDS = 3, CODES = 16 };
    vi most = vi_all(0);
    for (unsigned w = 0; w < words; w += WORDS)
        for (unsigned lane = 0; lane < stride; lane += VEC_LANES)
            for (int k = 0; k < CODES; k++) {
                const vi code = code_at(image + w * stride + lane, (int)stride, k, SIX);
                most = vi_max_u(most, vi_sub(vi_all(0), vi_and(vi_add(code, code), vi_all(0x3e))));
            }
    return look_found(most, least);
}

VEC bool small_wide(const uint32_t *image, unsigned words, unsigned stride)
{
    vi most = vi_all(0);
    for (unsigned w = 0; w < words; w += 2)
        for (unsigned lane = 0; lane < stride; lane += VEC_LANES) {
            const uint32_t *low = image + w * stride + lane;
            most = vi_max_u(most, vi_sub(vi_all(0), look_twice64(low, low + stride)));
        }
    return look_found(most, LEAST_NORMAL64);
}

static bool look_small(const uint32_t *image, unsigned words, unsigned stride, unsigned bits, uint32_t least)
{
    const size_t count = (size_t)words * stride;
    switch (bits) {
    case 64:
        return small_wide(image, words, stride);
    case 32:
        return small_codes(image, count, 32, least);
    case 16:
        return small_codes(image, count, 16, least);
    case 8:
        return small_codes(image, count, 8, least);
    case 6:
        return small_sixes(image, words, stride, least);
    default:
        return small_nibbles(image, count, least);
    }
}

/* Of twice the words, the halves of runs apart: each waits for the one before. */
enum { HALVES = LW_PANEL / VEC_LANES };

typedef struct look_range {
    vi least[HALVES], most[HALVES];
} look_range;

VEC unsigned look_seen(const look_range *r, bool wide)
{
    const uint32_t normal = wide ? LEAST_NORMAL64 : LEAST_NORMAL, infinite = wide ? INFINITE64 : INFINITE;
    const vi low = vi_all((int)(2 * normal - 1)), high = vi_all((int)(2 * (infinite - 1)));
    const vi least = vi_min_u(r->least[0], r->least[HALVES - 1]),
             most = vi_max_u(r->most[0], r->most[HALVES - 1]);
    return (vm_any(vi_eq(vi_min_u(least, low), least)) ? LW_SEEN_LOW : 0u) |
           (vm_any(vi_eq(vi_max_u(most, high), most)) ? LW_SEEN_TOP : 0u);
}

VEC unsigned kinds_of(const uint32_t *words, const uint16_t *at, unsigned runs, bool wide)
{
    look_range r;
    for (int h = 0; h < HALVES; h++) {
        r.least[h] = vi_all(-1);
        r.most[h] = vi_all(0);
    }
    for (unsigned run = 0; run < runs; run += wide ? 2 : 1)
        for (int h = 0; h < HALVES; h++) {
            const vi twice = look_twice(words, at + run, h, wide);
            r.least[h] = vi_min_u(r.least[h], twice);
            r.most[h] = vi_max_u(r.most[h], twice);
        }
    return look_seen(&r, wide);
}

static unsigned look_kinds(const uint32_t *words, const uint16_t *at, unsigned runs, bool wide)
{
    return wide ? kinds_of(words, at, runs, true) : kinds_of(words, at, runs, false);
}

VEC bool subnormal_of(const uint32_t *words, const uint16_t *at, unsigned runs, bool wide)
{
    vi most[HALVES];
    for (int h = 0; h < HALVES; h++)
        most[h] = vi_all(0);
    for (unsigned run = 0; run < runs; run += wide ? 2 : 1)
        for (int h = 0; h < HALVES; h++)
            most[h] = vi_max_u(most[h], vi_sub(vi_all(0), look_twice(words, at + run, h, wide)));
    return look_found(vi_max_u(most[0], most[HALVES - 1]), wide ? LEAST_NORMAL64 : LEAST_NORMAL);
}

static bool runs_subnormal(const uint32_t *words, const uint16_t *at, unsigned runs, bool wide)
{
    return wide ? subnormal_of(words, at, runs, true) : subnormal_of(words, at, runs, false);
}

VEC bool side_subnormal(const lw_format *f, const uint32_t *image, unsigned words, unsigned stride)
{
    return look_small(image, words, stride, f->bits, f->bits == 64 ? 0 : UINT32_C(1) << f->frac_bits);
}

static unsigned look_first(const lw_panel_shape *s, const lw_panels *p, unsigned runs, unsigned c_runs,
                           bool sources)
{
    const bool wide = s->s->bits == 64;
    const unsigned seen = look_kinds(p->d, p->d_at, runs, wide), blocks = s->blocks;
    if (!sources)
        return seen;
    const bool sides = side_subnormal(s->s, p->s, blocks * s->s_words, s->s_stride) ||
                       side_subnormal(s->v, p->v, blocks * s->v_words, s->v_count);
    return seen | (sides ? LW_SEEN_SIDES : 0u) |
           (runs_subnormal(p->c, p->c_at, c_runs, wide) ? LW_SEEN_C : 0u);
}

/* Per row of an image: zero where all its codes are +0, else all ones. */
VEC void used_rows(const uint32_t *image, unsigned words, unsigned stride, uint32_t *rows)
{
    for (unsigned lane = 0; lane < stride; lane += VEC_LANES) {
        vi any = vi_all(0);
        for (unsigned w = 0; w < words; w++)
            any = vi_or(any, vi_load(image + w * stride + lane));
        vi_store(rows + lane, vi_pick(vi_eq(any, vi_all(0)), vi_all(0), vi_all(-1)));
    }
}

/* Where it is plainly zero: D and C are +0, and the row of S or the lane of V is not used. */
VEC vm plainly_zero(const uint32_t *c, const uint32_t *d, vi used)
{
    return vi_eq(vi_or(vi_or(vi_load(c), vi_load(d)), used), vi_all(0));
}

/* The least of twice D, part h of a run, plain zeros left out. */
VEC vi least_of(const lw_panels *p, unsigned run, int part, vi used, bool wide)
{
    const uint32_t *c = p->c + part * VEC_LANES, *d = p->d + part * VEC_LANES;
    vm plain = plainly_zero(c + p->c_at[run], d + p->d_at[run], used);
    if (wide)
        plain = vm_and(plain, plainly_zero(c + p->c_at[run + 1], d + p->d_at[run + 1], used));
    return vi_pick(plain, vi_all(-1), look_twice(p->d, p->d_at + run, part, wide));
}

VEC unsigned zeros_of(const lw_panel_shape *s, const lw_panels *p, bool wide)
{
    _Alignas(64) uint32_t s_used[2 * LW_PANEL], v_used[2 * LW_PANEL];
    vi all = vi_all(-1);
    unsigned run = 0;
    for (unsigned block = 0; block < s->blocks; block++) {
        used_rows(p->s + (size_t)block * s->s_words * s->s_stride, s->s_words, s->s_stride, s_used);
        used_rows(p->v + (size_t)block * s->v_words * s->v_count, s->v_words, s->v_count, v_used);
        for (unsigned i = 0; i < s->s_count; i++)
            for (unsigned lane = 0; lane < s->v_count; lane += LW_PANEL, run += wide ? 2 : 1) {
                vi least[HALVES];
                for (int h = 0; h < HALVES; h++)
                    least[h] = least_of(
                        p, run, h, vi_and(vi_each(&s_used[i]), vi_load(v_used + lane + h * VEC_LANES)), wide);
                all = vi_min_u(all, vi_min_u(least[0], least[HALVES - 1]));
            }
    }
    const vi low = vi_all(2 * (wide ? LEAST_NORMAL64 : LEAST_NORMAL) - 1);
    if (!vm_any(vi_eq(vi_min_u(all, low), all)))
        return 0;
    return (vm_any(vi_eq(all, vi_all(0))) ? LW_SEEN_ODD_ZERO : 0u) |
           (runs_subnormal(p->d, p->d_at, run, wide) ? LW_SEEN_SUBNORMAL : 0u);
}

static unsigned look_zeros(const lw_panel_shape *s, const lw_panels *p)
{
    return s->s->bits == 64 ? zeros_of(s, p, true) : zeros_of(s, p, false);
}

static bool look_near_zero(const uint32_t *words, const uint16_t *at, unsigned runs)
{
    const vi quarter = vi_all(0x40000000);
    vi far = vi_all(0);
    for (unsigned run = 0; run < runs; run++)
        for (int half = 0; half < LW_PANEL; half += VEC_LANES)
            far = vi_or(far, vi_add(vi_load(words + at[run] + half), quarter));
    return !vm_any(vi_gt(vi_all(0), far));
}

static bool look_wrapped(const lw_panels *p, unsigned runs)
{
    vi left = vi_all(0);
    for (unsigned run = 0; run < runs; run++)
        for (int half = 0; half < LW_PANEL; half += VEC_LANES) {
            const vi c = vi_load(p->c + p->c_at[run] + half), d = vi_load(p->d + p->d_at[run] + half);
            left = vi_or(left, vi_and(vi_xor(d, c), vi_xor(d, vi_sub(d, c))));
        }
    return vm_any(vi_gt(vi_all(0), left));
}

static const lw_look looks = { look_small, look_kinds, look_first, look_zeros, look_near_zero, look_wrapped };

#endif
