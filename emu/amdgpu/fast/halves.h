/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of f16 arithmetic, one number or two a lane. It is exact in f32: sums and products of two f16
 * numbers rounded to f32 round to f16 as if once (24 >= 2 * 11 + 2 bits; products fit 22), and the fused
 * operation corrects its sum to odd. Of two numbers a lane, modes that flush, saturate or do not round to
 * nearest are the general handler's.
 */
#ifndef LW_EMU_AMDGPU_FAST_HALVES_H
#define LW_EMU_AMDGPU_FAST_HALVES_H

#include "emu/amdgpu/fast/floats.h"

/* What the operations on two numbers a lane need of MODE. */
VEC bool f16_is_plain(const lw_wave *w)
{
    static const float_op any = { &format_f16, 2, ARITHMETIC, LW_VD_FULL };
    return float_is_plain(w, &any);
}

/* ---- One number a lane ---- */

static LW_APART vi f16_nan_of_fma(vi a, vi b, vi c, vi quiet)
{
    return nan_of_fma(F16, a, b, c, quiet);
}

/* Rounded, but for NaNs, which are those of a * b + c. */
VEC vi f16_or_nan(vf r, vi a, vi b, vi c, vi quiet)
{
    const vm nan = vf_is_nan(r);
    const vi rounded = vi_f16_of(r);
    return vm_any(nan) ? vi_pick(nan, f16_nan_of_fma(a, b, c, quiet), rounded) : rounded;
}

ARITHMETIC_OF(f16, vf_from_f16)

/*
 * x * y + z: the product is exact; the sum's error (TwoSum) moves the sum to the odd neighbour, so that the
 * rounding to f16 is the only one that counts.
 */
VEC vf f16_sum_to_odd(vf x, vf y, vf z)
{
    const vf p = vf_mul(x, y), s = vf_add(p, z), back = vf_sub(s, p);
    const vf error = vf_add(vf_sub(p, vf_sub(s, back)), vf_sub(z, back));
    const vf zero = vf_all(0);
    const vi one = vi_all(1), sum = vf_bits(s);
    const vm inexact = vm_or(vf_less(error, zero), vf_less(zero, error));
    const vm moves = vm_and(inexact, vi_eq(vi_and(sum, one), vi_all(0)));
    const vi away = vi_or(vi_sar(vi_xor(vf_bits(error), sum), 31), one); /* 1, or -1 where signs differ */
    return vf_from_bits(vi_pick(moves, vi_add(sum, away), sum));
}

VEC vi lane_fma_f16(vi a, vi b, vi c, vi quiet)
{
    return f16_or_nan(f16_sum_to_odd(vf_from_f16(a), vf_from_f16(b), vf_from_f16(c)), a, b, c, quiet);
}

/* Product and sum rounded apart; NaNs as of the fused operation. */
VEC vi lane_mad_f16(vi a, vi b, vi c, vi quiet)
{
    const vf product = vf_from_f16(vi_f16_of(vf_mul(vf_from_f16(a), vf_from_f16(b))));
    return f16_or_nan(vf_add(product, vf_from_f16(c)), a, b, c, quiet);
}

/* ---- Two numbers a lane: selection by integers ---- */

enum {
    PAIR_SIZE = 0x7fff7fff,
    PAIR_INF = 0x7c007c00,
    PAIR_QUIET = 0x02000200,
};

VEC vi pair_rank(vi a)
{
    return vi_xor(a, vi_and(vi_sar16(a, 15), vi_all(PAIR_SIZE)));
}

VEC vi pair_min(vi a, vi b)
{
    return pair_rank(vi_min16(pair_rank(a), pair_rank(b)));
}

VEC vi pair_max(vi a, vi b)
{
    return pair_rank(vi_max16(pair_rank(a), pair_rank(b)));
}

/* All ones in halves that are NaNs. */
VEC vi pair_nan(vi a)
{
    return vi_gt16(vi_and(a, vi_all(PAIR_SIZE)), vi_all(PAIR_INF));
}

/* m ? a : b, bit by bit. */
VEC vi bits_pick(vi m, vi a, vi b)
{
    return vi_or(vi_and(m, a), vi_without(m, b));
}

/* As nan_of_pair of floats.h. */
static LW_APART vi pair_nan_of_two(vi a, vi b, vi r, vi quiet)
{
    const vi bit = vi_all(PAIR_QUIET), nan_a = pair_nan(a), nan_b = pair_nan(b);
    const vi signals = vi_pick(vi_eq(quiet, vi_all(0)), vi_all(0), vi_all(-1));
    const vi quiet_a = vi_eq16(vi_and(a, bit), bit), quiet_b = vi_eq16(vi_and(b, bit), bit);
    const vi signal_a = vi_and(signals, vi_without(quiet_a, nan_a));
    const vi signal_b = vi_and(signals, vi_without(quiet_b, nan_b));
    r = bits_pick(nan_b, a, r);
    r = bits_pick(nan_a, b, r);
    r = bits_pick(signal_b, vi_or(b, bit), r);
    return bits_pick(signal_a, vi_or(a, bit), r);
}

VEC vi pair_or_nan(vi a, vi b, vi r, vi quiet)
{
    return vi_is_zero(vi_or(pair_nan(a), pair_nan(b))) ? r : pair_nan_of_two(a, b, r, quiet);
}

VEC vi pk_min(vi a, vi b, vi quiet)
{
    return pair_or_nan(a, b, pair_min(a, b), quiet);
}

VEC vi pk_max(vi a, vi b, vi quiet)
{
    return pair_or_nan(a, b, pair_max(a, b), quiet);
}

VEC vi pair_first_nan(vi a, vi b, vi c, vi r)
{
    const vi bit = vi_all(PAIR_QUIET);
    r = bits_pick(pair_nan(c), vi_or(c, bit), r);
    r = bits_pick(pair_nan(b), vi_or(b, bit), r);
    return bits_pick(pair_nan(a), vi_or(a, bit), r);
}

VEC vi pair3_or_nan(vi a, vi b, vi c, vi r)
{
    const vi size = vi_all(PAIR_SIZE);
    const vi most = vi_max16(vi_max16(vi_and(a, size), vi_and(b, size)), vi_and(c, size));
    return vi_is_zero(vi_gt16(most, vi_all(PAIR_INF))) ? r : pair_first_nan(a, b, c, r);
}

VEC vi lane_pk_minimum3(vi a, vi b, vi c, vi quiet)
{
    (void)quiet;
    return pair3_or_nan(a, b, c, pair_min(pair_min(a, b), c));
}

VEC vi lane_pk_maximum3(vi a, vi b, vi c, vi quiet)
{
    (void)quiet;
    return pair3_or_nan(a, b, c, pair_max(pair_max(a, b), c));
}

/* ---- Two numbers a lane: arithmetic, on as many numbers at once as there are lanes ---- */

VEC vi low_half(vi a)
{
    return vi_and(a, vi_all(0xffff));
}

static LW_APART vi pair_nan_of_fma(vi a, vi b, vi c, vi quiet, vi rounded)
{
    const vi low = nan_of_fma(F16, low_half(a), low_half(b), low_half(c), quiet);
    const vi high = nan_of_fma(F16, vi_shr(a, 16), vi_shr(b, 16), vi_shr(c, 16), quiet);
    return bits_pick(pair_nan(rounded), vi_or(low, vi_shl(high, 16)), rounded);
}

VEC vi pair_rounded(vf low, vf high, vi a, vi b, vi c, vi quiet)
{
    const vi rounded = vi_f16_join(low, high);
    return vm_any(vf_unordered(low, high)) ? pair_nan_of_fma(a, b, c, quiet, rounded) : rounded;
}

VEC vi pk_add(vi a, vi b, vi quiet)
{
    const vf low = vf_add(vf_f16_part(a, 0), vf_f16_part(b, 0));
    const vf high = vf_add(vf_f16_part(a, 1), vf_f16_part(b, 1));
    return pair_rounded(low, high, a, vi_all(0x3c003c00), b, quiet);
}

VEC vi pk_mul(vi a, vi b, vi quiet)
{
    const vf low = vf_mul(vf_f16_part(a, 0), vf_f16_part(b, 0));
    const vf high = vf_mul(vf_f16_part(a, 1), vf_f16_part(b, 1));
    return pair_rounded(low, high, a, b, vi_all(0), quiet);
}

VEC vi lane_pk_fma(vi a, vi b, vi c, vi quiet)
{
    const vf low = f16_sum_to_odd(vf_f16_part(a, 0), vf_f16_part(b, 0), vf_f16_part(c, 0));
    const vf high = f16_sum_to_odd(vf_f16_part(a, 1), vf_f16_part(b, 1), vf_f16_part(c, 1));
    return pair_rounded(low, high, a, b, c, quiet);
}

LANE_2(pk_min)
LANE_2(pk_max)
LANE_2(pk_add)
LANE_2(pk_mul)

/* ---- Shapes ---- */

/* The halves that op_sel and op_sel_hi name, with their signs. */
typedef struct pair_source {
    row from;
    vi flip;
    uint8_t pick;
} pair_source;

enum { PICK_IN_ORDER = 2 };

VEC pair_source pair_read(const lw_wave *w, const lw_hot *hot, unsigned i, row_room *room)
{
    const lw_opnd *o = &hot->in->src[i];
    const uint32_t flip = (o->neg & 1 ? 0x8000 : 0) | (o->neg & 2 ? UINT32_C(0x80000000) : 0);
    return (pair_source){ row_source(w, hot, i, 0, room), vi_all((int)flip), o->pick & 3 };
}

VEC vi pair_at(pair_source s, unsigned n, bool chosen)
{
    const vi x = row_at(s.from, n);
    if (!chosen)
        return x;
    const vi low = s.pick & 1 ? vi_shr(x, 16) : low_half(x);
    const vi high = s.pick & 2 ? vi_and(x, vi_all((int)UINT32_C(0xffff0000))) : vi_shl(x, 16);
    return vi_xor(vi_or(low, high), s.flip);
}

VEC lw_step pairs(lw_wave *w, const lw_hot *hot, bool chosen, unsigned sources, float_lane lane)
{
    row_room room[3];
    if (!f16_is_plain(w))
        return lw_hot_general(w, hot);
    const vi quiet = vi_all(w->mode & LW_MODE_IEEE ? hot->offset : 0);
    const pair_source a = pair_read(w, hot, 0, &room[0]), b = pair_read(w, hot, 1, &room[1]);
    const pair_source c = pair_read(w, hot, sources == 3 ? 2 : 0, &room[2]);
    const row_result r = row_open(w, hot, false, 0, NULL);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(r, n, lane(pair_at(a, n, chosen), pair_at(b, n, chosen), pair_at(c, n, chosen), quiet));
    return LW_STEP_NEXT;
}

/* CLAMP is the general handler's. form->kind: the quiet bits of a lane. */
static lw_hot_fn take_pairs(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    bool in_order = true;
    for (unsigned i = 0; i < 3; i++)
        in_order = in_order &&
                   (in->src[i].kind == LW_OPND_NONE || (in->src[i].pick == PICK_IN_ORDER && !in->src[i].neg));
    hot->offset = form->kind;
    if (in->clamp || in->omod || in->sub != LW_SUB_NONE || in->enc != LW_ENC_VOP3P)
        return NULL;
    return form->fn[in_order ? 0 : 1];
}

FORM(pairs, v_pk_add_f16, 2, lane_pk_add)
FORM(pairs, v_pk_mul_f16, 2, lane_pk_mul)
FORM(pairs, v_pk_min_f16, 2, lane_pk_min)
FORM(pairs, v_pk_max_f16, 2, lane_pk_max)
FORM(pairs, v_pk_fma_f16, 3, lane_pk_fma)
FORM(pairs, v_pk_minimum3_f16, 3, lane_pk_minimum3)
FORM(pairs, v_pk_maximum3_f16, 3, lane_pk_maximum3)
/* Selections of one number are those of two, of which the upper ones are zeros. */
FORM_FLOAT(v_add_f16, lane_add_f16, F16, 2, ARITHMETIC, LW_VD_FULL)
FORM_FLOAT(v_sub_f16, lane_sub_f16, F16, 2, ARITHMETIC, LW_VD_FULL)
FORM_FLOAT(v_subrev_f16, lane_subrev_f16, F16, 2, ARITHMETIC, LW_VD_FULL)
FORM_FLOAT(v_mul_f16, lane_mul_f16, F16, 2, ARITHMETIC, LW_VD_FULL)
FORM_FLOAT(v_min_f16, lane_pk_min, F16, 2, SELECTION, LW_VD_FULL)
FORM_FLOAT(v_max_f16, lane_pk_max, F16, 2, SELECTION, LW_VD_FULL)
FORM_FLOAT(v_mac_f16, lane_mad_f16, F16, 3, ARITHMETIC | OP_OLD | OP_KEEPS, LW_VD_LOW)
FORM_FLOAT(v_mad_f16, lane_mad_f16, F16, 3, ARITHMETIC | OP_KEEPS, LW_VD_SEL)
FORM_FLOAT(v_fma_f16, lane_fma_f16, F16, 3, ARITHMETIC, LW_VD_SEL)

#define PAIR(name, quiet_bits)                                                                               \
    {                                                                                                        \
        .general = lw_sem_##name, .take = take_pairs, .fn = { hot_##name, edit_##name }, .kind = quiet_bits  \
    }

/* clang-format off */
#define HALVES_FORMS                                                                                         \
    PAIR(v_pk_add_f16, 0x0200), PAIR(v_pk_mul_f16, 0x0200), PAIR(v_pk_fma_f16, 0x0200),                      \
    PAIR(v_pk_min_f16, PAIR_QUIET), PAIR(v_pk_max_f16, PAIR_QUIET), PAIR(v_pk_minimum3_f16, PAIR_QUIET),     \
    PAIR(v_pk_maximum3_f16, PAIR_QUIET), FLOAT(v_add_f16), FLOAT(v_sub_f16), FLOAT(v_subrev_f16),            \
    FLOAT(v_mul_f16), FLOAT(v_min_f16), FLOAT(v_max_f16), FLOAT_ROW(v_mac_f16, v_mac_f16, 1),                \
    FLOAT_ROW(v_mad_f16, v_mad_f16, 1), FLOAT_ROW(v_fma_f16, v_fma_f16, 1)
/* clang-format on */

#endif
