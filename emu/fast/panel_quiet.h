/* SPDX-License-Identifier: MIT */
/*
 * What a kernel finds out about C and D while it has them in registers (lw_panel_quiet), and the means of
 * examining numbers that panel_look.h uses too. Included after vec_avx2_lanes.h or the like.
 *
 * Doubling a code drops its sign. The negative of that, as an unsigned number, orders magnitudes backwards,
 * except that zero stays the least: the largest one belongs to the least magnitude other than zero. For a
 * binary64 number, its high word is doubled, and the lowest bit is set if the low word is not zero.
 */
#ifndef LW_EMU_FAST_PANEL_QUIET_H
#define LW_EMU_FAST_PANEL_QUIET_H

#include "emu/fast/panel.h"

enum {
    LEAST_NORMAL = 0x00800000,
    LEAST_NORMAL64 = 0x00100000,
    INFINITE = 0x7f800000,
    INFINITE64 = 0x7ff00000
};

/* Does any word of an accumulated unsigned maximum belong to a magnitude below `least`? */
VEC bool look_found(vi most, uint32_t least)
{
    const vi limit = vi_all((int)(1u - 2 * least));
    return vm_any(vi_eq(vi_max_u(most, limit), most));
}

/* Is any word of an accumulated unsigned maximum twice a magnitude of at least `limit`? */
VEC bool look_reached(vi most, uint32_t limit)
{
    const vi least = vi_all((int)(2 * limit));
    return vm_any(vi_eq(vi_max_u(most, least), most));
}

/* What is looked for among numbers. */
typedef enum look_kind {
    LOOK_LOW, /* zeros, subnormal numbers */
    LOOK_TOP, /* infinities, NaNs */
    LOOK_ODD, /* all of these */
    LOOK_SUBNORMAL,
} look_kind;

/* Of a doubled number: a key that is largest, as unsigned, for numbers of that kind. */
VEC vi look_key(vi twice, look_kind kind, uint32_t normal)
{
    switch (kind) {
    case LOOK_LOW:
        return vi_sub(vi_all(-1), twice);
    case LOOK_TOP:
        return twice;
    case LOOK_ODD:
        return vi_sub(twice, vi_all((int)(2 * normal)));
    default:
        return vi_sub(vi_all(0), twice);
    }
}

VEC bool look_reaches(vi most, look_kind kind, uint32_t normal, uint32_t infinite)
{
    switch (kind) {
    case LOOK_LOW: /* -1 - 2x >= -1 - (2 * normal - 2), in halves */
        return look_reached(most, -normal);
    case LOOK_TOP:
        return look_reached(most, infinite);
    case LOOK_ODD:
        return look_reached(most, infinite - normal);
    default:
        return look_found(most, normal);
    }
}

/* The words of VEC_LANES rows of an image, joined. */
VEC vi joined_words(const uint32_t *image, unsigned words, unsigned stride)
{
    vi any = vi_load(image);
    unsigned w = 1;
    for (; w + 4 <= words; w += 4, image += 4 * stride)
        any = vi_or(vi_or(any, vi_or(vi_load(image + stride), vi_load(image + 2 * stride))),
                    vi_or(vi_load(image + 3 * stride), vi_load(image + 4 * stride)));
    for (; w < words; w++, image += stride)
        any = vi_or(any, vi_load(image + stride));
    return any;
}

/* For each row of an image: zero if all its codes are +0, otherwise all ones. */
VEC void used_rows(const uint32_t *image, unsigned words, unsigned stride, uint32_t *rows)
{
    for (unsigned lane = 0; lane < stride; lane += VEC_LANES) {
        const vi any = joined_words(image + lane, words, stride);
        vi_store(rows + lane, vi_pick(vi_eq(any, vi_all(0)), vi_all(0), vi_all(-1)));
    }
}

/* One bit per row of an image: set if it is not all +0. */
VEC uint64_t rows_used(const uint32_t *image, unsigned words, unsigned stride)
{
    uint64_t used = 0;
    for (unsigned lane = 0; lane < stride; lane += VEC_LANES) {
        const vi any = joined_words(image + lane, words, stride);
        used |= (uint64_t)(vm_bits(vi_eq(any, vi_all(0))) ^ ((1u << VEC_LANES) - 1)) << lane;
    }
    return used;
}

/* Accumulated over numbers of one kind. */
#ifdef VEC_HAS_CLASSES

typedef vm heed;

VEC heed heed_none(void)
{
    return vm_none();
}

VEC heed heed_odd(heed h, vf x)
{
    return vm_join(h, vf_is_odd(x));
}

VEC heed heed_small(heed h, vf x)
{
    return vm_join(h, vf_is_subnormal(x));
}

VEC heed heed_both(heed a, heed b)
{
    return vm_join(a, b);
}

/* What was accumulated, but for some lanes. */
VEC heed heed_without(heed h, vm lanes)
{
    return vm_and(h, vm_not(lanes));
}

/* Subnormal numbers, infinities and NaNs; with SUSPECTS_MINUS, -0 too. */
enum { SUSPECTS_MINUS = 1 };
typedef vm suspects;

VEC suspects suspects_none(void)
{
    return vm_none();
}

/* asked: are subnormal numbers looked for? */
VEC suspects suspects_add(suspects d, vf x, bool asked)
{
    (void)asked;
    return vm_join(d, vf_is_doubtful(x));
}

VEC bool suspects_found(suspects d)
{
    return vm_any(d);
}

VEC bool heed_found(heed h, look_kind kind)
{
    (void)kind;
    return vm_any(h);
}

#else

typedef vi heed;

VEC heed heed_none(void)
{
    return vi_all(0);
}

VEC heed heed_kind(heed h, vf x, look_kind kind)
{
    const vi bits = vf_bits(x);
    return vi_max_u(h, look_key(vi_add(bits, bits), kind, LEAST_NORMAL));
}

VEC heed heed_odd(heed h, vf x)
{
    return heed_kind(h, x, LOOK_ODD);
}

VEC heed heed_small(heed h, vf x)
{
    return heed_kind(h, x, LOOK_SUBNORMAL);
}

VEC heed heed_both(heed a, heed b)
{
    return vi_max_u(a, b);
}

VEC heed heed_without(heed h, vm lanes)
{
    return vi_pick(lanes, vi_all(0), h);
}

enum { SUSPECTS_MINUS = 0 };
/* With unsigned maxima as above; or, where those take many steps, the bits of subnormal numbers, joined, and
 * the largest upper half of a magnitude. */
typedef struct suspects {
    vi small, top;
} suspects;

VEC suspects suspects_none(void)
{
    return (suspects){ vi_all(0), vi_all(0) };
}

VEC suspects suspects_add(suspects d, vf x, bool asked)
{
    if (!VEC_HAS_MIN8) {
        const vi size = vf_bits(vf_abs(x));
        return (suspects){ asked ? vi_or(d.small, vi_and(size, vi_gt(vi_all(LEAST_NORMAL), size))) : d.small,
                           vi_max16(d.top, size) };
    }
    const vi twice = vi_add(vf_bits(x), vf_bits(x));
    return (suspects){ vi_max_u(d.small, vi_sub(vi_all(0), twice)), vi_max_u(d.top, twice) };
}

VEC bool suspects_found(suspects d)
{
    if (!VEC_HAS_MIN8)
        return vm_any(vi_or(vi_gt(d.top, vi_all(INFINITE - 1)), vi_gt(d.small, vi_all(0))));
    return look_found(d.small, LEAST_NORMAL) || look_reached(d.top, INFINITE);
}

VEC bool heed_found(heed h, look_kind kind)
{
    return look_reaches(h, kind, LEAST_NORMAL, INFINITE);
}

#endif

/* What a kernel accumulates over a block, all of it in registers. */
typedef struct heeds {
    heed d;
    vi rest;                /* C and D of unused rows of S, joined */
    uint64_t s_used;        /* rows of S that are not all +0 */
    const uint32_t *v_used; /* by lane of V: zero if all its codes are +0; NULL: all are taken to be used */
} heeds;

/* By row of S and lane of V: zero if all codes are +0. */
typedef struct used_lanes {
    _Alignas(64) uint32_t s[2 * LW_PANEL], v[2 * LW_PANEL];
} used_lanes;

/* A bit for each of the first `count` lanes: set if the word is not zero. */
VEC uint64_t used_bits(const uint32_t *words, unsigned count)
{
    uint64_t used = 0;
    for (unsigned lane = 0; lane < count; lane += VEC_LANES)
        used |= (uint64_t)vm_bits(vm_not(vi_eq(vi_load(words + lane), vi_all(0)))) << lane;
    return used;
}

/* Before a block; s_used, v_used: as in used_lanes, read as far as `padded` requires it. */
VEC void heeds_begin(const lw_panel_shape *s, lw_panel_padded padded, const uint32_t *s_used,
                     const uint32_t *v_used, heeds *h)
{
    h->d = heed_none();
    h->rest = vi_all(0);
    h->s_used = UINT64_MAX;
    h->v_used = NULL;
    if (padded == LW_PADDED_NOT)
        return;
    h->s_used = used_bits(s_used, s->s_count);
    if (padded == LW_PADDED_ROWS)
        return;
    for (unsigned lane = 0; lane < s->v_count; lane += VEC_LANES)
        if (vm_any(vi_eq(vi_load(v_used + lane), vi_all(0))))
            h->v_used = v_used;
}

/* What is accumulated for VEC_LANES lanes of V, over the used rows of S. */
typedef struct heed_lanes {
    heed d;
    vi all; /* C and D joined, if there are unused lanes */
} heed_lanes;

VEC heed_lanes heed_lanes_none(void)
{
    return (heed_lanes){ heed_none(), vi_all(0) };
}

/* C and D of a row of S, which may be unused; `padded`: where D is plainly zero, it does not count. */
VEC void heeds_add(heeds *h, bool used, vf c, vf d, bool padded, heed_lanes *own)
{
    if (padded && !used) {
        h->rest = vi_or(h->rest, vi_or(vf_bits(c), vf_bits(d)));
        return;
    }
    if (padded && h->v_used)
        own->all = vi_or(own->all, vi_or(vf_bits(c), vf_bits(d)));
    own->d = heed_odd(own->d, d);
}

/* After the last row, for the lanes from `lane` on. Unused lanes without a number in C and D are plain. */
VEC void heeds_end(heeds *h, int lane, bool padded, const heed_lanes *own)
{
    heed d = own->d;
    if (padded && h->v_used)
        d = heed_without(d, vi_eq(vi_or(own->all, vi_load(h->v_used + lane)), vi_all(0)));
    h->d = heed_both(h->d, d);
}

/* Is there anything but +0 in C or D of unused rows? */
VEC bool heeds_rest(const heeds *h)
{
    return vm_any(vm_not(vi_eq(h->rest, vi_all(0))));
}

/* Is D odd, except for plain zeros? Also true if an unused row has anything but zeros. */
VEC bool heeds_odd(const heeds *h)
{
    return heed_found(h->d, LOOK_ODD) || heeds_rest(h);
}

/* What there is of padding. */
VEC lw_panel_padded heeds_padded(const lw_panel_shape *s, const heeds *h)
{
    if (h->v_used)
        return LW_PADDED_LANES;
    return ~h->s_used & ((UINT64_C(1) << s->s_count) - 1) ? LW_PADDED_ROWS : LW_PADDED_NOT;
}

#endif
