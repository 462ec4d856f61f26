/* SPDX-License-Identifier: MIT */
/*
 * Examining numbers, a vector at a time. Included after vec_avx2_lanes.h or the like.
 */
#ifndef LW_EMU_FAST_PANEL_LOOK_H
#define LW_EMU_FAST_PANEL_LOOK_H

#include "emu/fast/look.h"
#include "emu/fast/panel_decode.h"
#include "emu/fast/panel_quiet.h"

VEC vi look_twice64(const uint32_t *low, const uint32_t *high)
{
    const vi x = vi_load(high), none = vi_all(0);
    return vi_pick(vi_eq(vi_load(low), none), vi_add(x, x), vi_or(vi_add(x, x), vi_all(1)));
}

/* Part h of a run of numbers, doubled; `at` belongs to its first plane. */
VEC vi look_twice(const uint32_t *words, const uint16_t *at, int part, bool wide)
{
    const uint32_t *first = words + at[0] + part * VEC_LANES;
    if (wide)
        return look_twice64(first, words + at[1] + part * VEC_LANES);
    return vi_add(vi_load(first), vi_load(first));
}

/* Is any word of an accumulated unsigned minimum twice a magnitude below `limit`? */
VEC bool look_below(vi least, uint32_t limit)
{
    const vi below = vi_all((int)(2 * limit - 1));
    return vm_any(vi_eq(vi_min_u(least, below), least));
}

/* Is any half or byte of an accumulated unsigned maximum above `limit`? */
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

/* -2 * x, in words, halves or bytes. */
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

/* Two maxima are accumulated, because each step depends on the one before. */
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

/* Binary64: high words distinguish zeros and subnormal numbers from others. */
VEC bool small_wide(const uint32_t *image, unsigned words, unsigned stride)
{
    vi most = vi_all(0), least = vi_all(-1);
    for (unsigned w = 1; w < words; w += 2)
        for (unsigned lane = 0; lane < stride; lane += VEC_LANES) {
            const vi high = vi_load(image + w * stride + lane);
            least = vi_min_u(least, vi_add(high, high));
        }
    if (!look_below(least, LEAST_NORMAL64))
        return false;
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

/* The halves of a run are accumulated separately, because each step depends on the one before. */
enum { HALVES = LW_PANEL / VEC_LANES };

/* Binary64, except SUBNORMAL: high words suffice. */
VEC bool runs_key(const uint32_t *words, const uint16_t *at, unsigned runs, bool wide, look_kind kind)
{
    const uint32_t normal = wide ? LEAST_NORMAL64 : LEAST_NORMAL, infinite = wide ? INFINITE64 : INFINITE;
    vi most[HALVES];
    for (int h = 0; h < HALVES; h++)
        most[h] = vi_all(0);
    for (unsigned run = 0; run < runs; run += wide ? 2 : 1)
        for (int h = 0; h < HALVES; h++) {
            const vi high = vi_load(words + at[wide ? run + 1 : run] + h * VEC_LANES);
            const vi twice =
                wide && kind == LOOK_SUBNORMAL ? look_twice(words, at + run, h, true) : vi_add(high, high);
            most[h] = vi_max_u(most[h], look_key(twice, kind, normal));
        }
    return look_reaches(vi_max_u(most[0], most[HALVES - 1]), kind, normal, infinite);
}

#ifdef VEC_HAS_CLASSES

VEC vm look_class(const uint32_t *words, look_kind kind)
{
    const vf x = vf_load(words);
    switch (kind) {
    case LOOK_LOW:
        return vf_is_low(x);
    case LOOK_TOP:
        return vf_is_top(x);
    case LOOK_ODD:
        return vf_is_odd(x);
    default:
        return vf_is_subnormal(x);
    }
}

VEC bool runs_single(const uint32_t *words, const uint16_t *at, unsigned runs, look_kind kind)
{
    vm found = vm_none();
    unsigned run = 0;
    for (; run + 4 <= runs; run += 4) {
        const vm low = vm_join(look_class(words + at[run], kind), look_class(words + at[run + 1], kind)),
                 high = vm_join(look_class(words + at[run + 2], kind), look_class(words + at[run + 3], kind));
        found = vm_join(found, vm_join(low, high));
    }
    for (; run < runs; run++)
        found = vm_join(found, look_class(words + at[run], kind));
    return vm_any(found);
}

#else

VEC bool runs_single(const uint32_t *words, const uint16_t *at, unsigned runs, look_kind kind)
{
    return runs_key(words, at, runs, false, kind);
}

#endif

VEC bool runs_have(const uint32_t *words, const uint16_t *at, unsigned runs, bool wide, look_kind kind)
{
    if (!wide)
        return runs_single(words, at, runs, kind);
    if (kind == LOOK_SUBNORMAL && !runs_key(words, at, runs, true, LOOK_LOW))
        return false;
    return runs_key(words, at, runs, true, kind);
}

static bool look_odd(const uint32_t *words, const uint16_t *at, unsigned runs, bool wide)
{
    return runs_have(words, at, runs, wide, LOOK_ODD);
}

static bool runs_subnormal(const uint32_t *words, const uint16_t *at, unsigned runs, bool wide)
{
    return runs_have(words, at, runs, wide, LOOK_SUBNORMAL);
}

static bool runs_top(const uint32_t *words, const uint16_t *at, unsigned runs, bool wide)
{
    return runs_have(words, at, runs, wide, LOOK_TOP);
}

static unsigned look_results(const lw_panels *p, unsigned runs, bool wide, unsigned wanted)
{
    enum { BOTH = LW_SEEN_LOW | LW_SEEN_TOP };
    if ((wanted & BOTH) == BOTH)
        return runs_have(p->d, p->d_at, runs, wide, LOOK_ODD) ? BOTH : 0;
    if (wanted & LW_SEEN_LOW)
        return runs_have(p->d, p->d_at, runs, wide, LOOK_LOW) ? LW_SEEN_LOW : 0;
    return (wanted & LW_SEEN_TOP) && runs_top(p->d, p->d_at, runs, wide) ? LW_SEEN_TOP : 0;
}

VEC bool side_subnormal(const lw_format *f, const uint32_t *image, unsigned words, unsigned stride)
{
    return look_small(image, words, stride, f->bits, f->bits == 64 ? 0 : UINT32_C(1) << f->frac_bits);
}

static unsigned look_first(const lw_panel_shape *s, const lw_panels *p, unsigned runs, unsigned c_runs,
                           unsigned wanted)
{
    const bool wide = s->s->bits == 64;
    const unsigned blocks = s->blocks;
    unsigned seen = look_results(p, runs, wide, wanted);
    if ((wanted & LW_SEEN_SIDES) && (side_subnormal(s->s, p->s, blocks * s->s_words, s->s_stride) ||
                                     side_subnormal(s->v, p->v, blocks * s->v_words, s->v_count)))
        seen |= LW_SEEN_SIDES;
    if ((wanted & LW_SEEN_C) && runs_subnormal(p->c, p->c_at, c_runs, wide))
        seen |= LW_SEEN_C;
    return seen;
}

/* Is it plainly zero: are D and C +0, and is the row of S or the lane of V unused (all +0)? */
VEC vm plainly_zero(const uint32_t *c, const uint32_t *d, vi used)
{
    return vi_eq(vi_or(vi_or(vi_load(c), vi_load(d)), used), vi_all(0));
}

/* The least of D doubled, part h of a run, without plain zeros. */
VEC vi least_of(const lw_panels *p, unsigned run, int part, vi used, bool wide)
{
    const uint32_t *c = p->c + part * VEC_LANES, *d = p->d + part * VEC_LANES;
    vm plain = plainly_zero(c + p->c_at[run], d + p->d_at[run], used);
    if (wide)
        plain = vm_and(plain, plainly_zero(c + p->c_at[run + 1], d + p->d_at[run + 1], used));
    return vi_pick(plain, vi_all(-1), look_twice(p->d, p->d_at + run, part, wide));
}

/* The sides of a block: used rows of S, used lanes of V. */
typedef struct look_used {
    _Alignas(64) uint32_t s[2 * LW_PANEL], v[2 * LW_PANEL];
} look_used;

VEC void used_sides(const lw_panel_shape *s, const lw_panels *p, unsigned block, look_used *used)
{
    used_rows(p->s + (size_t)block * s->s_words * s->s_stride, s->s_words, s->s_stride, used->s);
    used_rows(p->v + (size_t)block * s->v_words * s->v_count, s->v_words, s->v_count, used->v);
}

VEC unsigned zeros_of(const lw_panel_shape *s, const lw_panels *p, bool wide)
{
    look_used used;
    vi all = vi_all(-1);
    unsigned run = 0;
    for (unsigned block = 0; block < s->blocks; block++) {
        used_sides(s, p, block, &used);
        for (unsigned i = 0; i < s->s_count; i++)
            for (unsigned lane = 0; lane < s->v_count; lane += LW_PANEL, run += wide ? 2 : 1) {
                vi least[HALVES];
                for (int h = 0; h < HALVES; h++)
                    least[h] = least_of(
                        p, run, h, vi_and(vi_each(&used.s[i]), vi_load(used.v + lane + h * VEC_LANES)), wide);
                all = vi_min_u(all, vi_min_u(least[0], least[HALVES - 1]));
            }
    }
    const unsigned top = runs_top(p->d, p->d_at, run, wide) ? LW_SEEN_TOP : 0;
    if (!look_below(all, wide ? LEAST_NORMAL64 : LEAST_NORMAL))
        return top;
    return top | (vm_any(vi_eq(all, vi_all(0))) ? LW_SEEN_ODD_ZERO : 0u) |
           (runs_subnormal(p->d, p->d_at, run, wide) ? LW_SEEN_SUBNORMAL : 0u);
}

/* The key of LOOK_ODD for part h of a run of D; 0 where D is plainly zero. */
VEC vi odd_but_plain_key(const lw_panels *p, unsigned run, int part, vi used, bool wide)
{
    const uint32_t *c = p->c + part * VEC_LANES, *d = p->d + part * VEC_LANES;
    const vi high = vi_load(d + p->d_at[wide ? run + 1 : run]);
    vm plain = plainly_zero(c + p->c_at[run], d + p->d_at[run], used);
    if (wide)
        plain = vm_and(plain, plainly_zero(c + p->c_at[run + 1], d + p->d_at[run + 1], used));
    const vi key = look_key(vi_add(high, high), LOOK_ODD, wide ? LEAST_NORMAL64 : LEAST_NORMAL);
    return vi_pick(plain, vi_all(0), key);
}

VEC vi odd_key(const lw_panels *p, unsigned run, int part, bool wide)
{
    const vi high = vi_load(p->d + p->d_at[wide ? run + 1 : run] + part * VEC_LANES);
    return look_key(vi_add(high, high), LOOK_ODD, wide ? LEAST_NORMAL64 : LEAST_NORMAL);
}

/* The bitwise or of C and D, part h of a run. */
VEC vi joined(const lw_panels *p, unsigned run, int part, bool wide)
{
    vi all = vi_all(0);
    for (unsigned i = run; i < run + (wide ? 2 : 1); i++)
        all = vi_or(all, vi_or(vi_load(p->c + p->c_at[i] + part * VEC_LANES),
                               vi_load(p->d + p->d_at[i] + part * VEC_LANES)));
    return all;
}

/*
 * Is D odd anywhere except where it is plainly zero? Also true if an unused row has anything but zeros. *low:
 * there are unused rows or lanes.
 */
VEC bool odd_but_plain(const lw_panel_shape *s, const lw_panels *p, bool wide, bool *low)
{
    const uint32_t normal = wide ? LEAST_NORMAL64 : LEAST_NORMAL, infinite = wide ? INFINITE64 : INFINITE;
    const unsigned step = wide ? 2 : 1;
    _Alignas(64) uint32_t used[2 * LW_PANEL];
    vi most[HALVES], rest = vi_all(0);
    unsigned run = 0;
    for (int h = 0; h < HALVES; h++)
        most[h] = vi_all(0);
    for (unsigned block = 0; block < s->blocks; block++) {
        const uint64_t row =
            rows_used(p->s + (size_t)block * s->s_words * s->s_stride, s->s_words, s->s_stride);
        used_rows(p->v + (size_t)block * s->v_words * s->v_count, s->v_words, s->v_count, used);
        bool full = true;
        for (unsigned lane = 0; lane < s->v_count; lane += VEC_LANES)
            full &= !vm_any(vi_eq(vi_load(used + lane), vi_all(0)));
        *low |= !full;
        for (unsigned i = 0; i < s->s_count; i++) {
            const bool is_used = row >> i & 1;
            *low |= !is_used;
            for (unsigned lane = 0; lane < s->v_count; lane += LW_PANEL, run += step)
                for (int h = 0; h < HALVES; h++)
                    if (!is_used)
                        rest = vi_or(rest, joined(p, run, h, wide));
                    else if (full)
                        most[h] = vi_max_u(most[h], odd_key(p, run, h, wide));
                    else
                        most[h] =
                            vi_max_u(most[h], odd_but_plain_key(p, run, h,
                                                                vi_load(used + lane + h * VEC_LANES), wide));
        }
    }
    return look_reaches(vi_max_u(most[0], most[HALVES - 1]), LOOK_ODD, normal, infinite) ||
           vm_any(vm_not(vi_eq(rest, vi_all(0))));
}

static unsigned zeros_single(const lw_panel_shape *s, const lw_panels *p)
{
    bool low = false;
    const unsigned seen = odd_but_plain(s, p, false, &low) ? LW_SEEN_LOW | zeros_of(s, p, false) : 0;
    return seen | (low ? LW_SEEN_LOW : 0u);
}

static unsigned zeros_wide(const lw_panel_shape *s, const lw_panels *p)
{
    bool low = false;
    const unsigned seen = odd_but_plain(s, p, true, &low) ? LW_SEEN_LOW | zeros_of(s, p, true) : 0;
    return seen | (low ? LW_SEEN_LOW : 0u);
}

static unsigned look_zeros(const lw_panel_shape *s, const lw_panels *p)
{
    return s->s->bits == 64 ? zeros_wide(s, p) : zeros_single(s, p);
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

static const lw_look looks = { look_small, look_odd, look_first, look_zeros, look_near_zero, look_wrapped };

#endif
