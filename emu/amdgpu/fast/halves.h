/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of f16 arithmetic, one number or two a lane. Lane expressions work on numbers in the low halves
 * of lanes, the upper ones zero, and are exact in f32: sums and products of two f16 numbers rounded to f32
 * round to f16 as if once (24 >= 2 * 11 + 2 bits; products fit 22), and the fused operation corrects its sum
 * to odd. Modes that flush, saturate or do not round to nearest are the general handler's.
 */
#ifndef LW_EMU_AMDGPU_FAST_HALVES_H
#define LW_EMU_AMDGPU_FAST_HALVES_H

#include "emu/amdgpu/fast/floats.h"

enum { F16_INF = 0x7c00, F16_QUIET = 0x0200, F16_ONE = 0x3c00, F16_SIZE = 0x7fff, F16_MADE_NAN = 0xfe00 };

VEC bool f16_is_plain(const lw_wave *w)
{
    const uint32_t kept = 3 << LW_MODE_DENORM_F64_SHIFT, round = 3 << LW_MODE_ROUND_F64_SHIFT;
    return (w->mode & (round | kept | LW_MODE_FP16_OVFL)) == kept;
}

/* ---- One number a lane ---- */

VEC vi f16_quiet(const lw_wave *w)
{
    return vi_all(w->mode & LW_MODE_IEEE ? F16_QUIET : 0);
}

VEC vi f16_size(vi a)
{
    return vi_and(a, vi_all(F16_SIZE));
}

VEC vm f16_is_nan(vi a)
{
    return vi_gt(f16_size(a), vi_all(F16_INF));
}

VEC vm f16_is_inf(vi a)
{
    return vi_eq(f16_size(a), vi_all(F16_INF));
}

VEC vm f16_is_zero(vi a)
{
    return vi_eq(f16_size(a), vi_all(0));
}

/* The same order of NaNs as of f32. */
static LW_APART vi f16_nan_of_fma(vi a, vi b, vi c, vi quiet)
{
    const vi made = vi_all(F16_MADE_NAN);
    const vm none = vm_or(vm_and(f16_is_zero(a), f16_is_inf(b)), vm_and(f16_is_inf(a), f16_is_zero(b)));
    vi r = vi_pick(f16_is_nan(c), vi_or(c, quiet), made);
    r = vi_pick(f16_is_nan(b), vi_or(b, quiet), r);
    r = vi_pick(f16_is_nan(a), vi_or(a, quiet), r);
    return vi_pick(none, made, r);
}

/* Rounded, but for NaNs, which are those of a * b + c. */
VEC vi f16_or_nan(vf r, vi a, vi b, vi c, vi quiet)
{
    const vm nan = vf_is_nan(r);
    const vi rounded = vi_f16_of(r);
    return vm_any(nan) ? vi_pick(nan, f16_nan_of_fma(a, b, c, quiet), rounded) : rounded;
}

VEC vi lane_add_f16(vi a, vi b, vi quiet)
{
    return f16_or_nan(vf_add(vf_from_f16(a), vf_from_f16(b)), a, vi_all(F16_ONE), b, quiet);
}

VEC vi lane_sub_f16(vi a, vi b, vi quiet)
{
    return f16_or_nan(vf_sub(vf_from_f16(a), vf_from_f16(b)), a, vi_all(F16_ONE), b, quiet);
}

VEC vi lane_subrev_f16(vi a, vi b, vi quiet)
{
    return f16_or_nan(vf_sub(vf_from_f16(b), vf_from_f16(a)), a, vi_all(F16_ONE), b, quiet);
}

VEC vi lane_mul_f16(vi a, vi b, vi quiet)
{
    return f16_or_nan(vf_mul(vf_from_f16(a), vf_from_f16(b)), a, b, vi_all(0), quiet);
}

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

VEC vi lane_pk_min(vi a, vi b, vi quiet)
{
    return pair_or_nan(a, b, pair_min(a, b), quiet);
}

VEC vi lane_pk_max(vi a, vi b, vi quiet)
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

/* ---- Two numbers a lane: arithmetic, half by half ---- */

VEC vi low_half(vi a)
{
    return vi_and(a, vi_all(0xffff));
}

#define PAIRED_2(name, lane)                                                                                 \
    VEC vi name(vi a, vi b, vi quiet)                                                                        \
    {                                                                                                        \
        const vi high = lane(vi_shr(a, 16), vi_shr(b, 16), quiet);                                           \
        return vi_or(lane(low_half(a), low_half(b), quiet), vi_shl(high, 16));                               \
    }

PAIRED_2(lane_pk_add, lane_add_f16)
PAIRED_2(lane_pk_mul, lane_mul_f16)

VEC vi lane_pk_fma(vi a, vi b, vi c, vi quiet)
{
    const vi high = lane_fma_f16(vi_shr(a, 16), vi_shr(b, 16), vi_shr(c, 16), quiet);
    return vi_or(lane_fma_f16(low_half(a), low_half(b), low_half(c), quiet), vi_shl(high, 16));
}

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

VEC lw_step pairs_2(lw_wave *w, const lw_hot *hot, bool chosen, vi (*lane)(vi, vi, vi))
{
    row_room room[2];
    if (!f16_is_plain(w))
        return lw_hot_general(w, hot);
    const vi quiet = vi_all(w->mode & LW_MODE_IEEE ? hot->offset : 0);
    const pair_source a = pair_read(w, hot, 0, &room[0]), b = pair_read(w, hot, 1, &room[1]);
    const row_result r = row_open(w, hot, false, 0, NULL);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(r, n, lane(pair_at(a, n, chosen), pair_at(b, n, chosen), quiet));
    return LW_STEP_NEXT;
}

VEC lw_step pairs_3(lw_wave *w, const lw_hot *hot, bool chosen, vi (*lane)(vi, vi, vi, vi))
{
    row_room room[3];
    if (!f16_is_plain(w))
        return lw_hot_general(w, hot);
    const vi quiet = vi_all(w->mode & LW_MODE_IEEE ? hot->offset : 0);
    const pair_source a = pair_read(w, hot, 0, &room[0]), b = pair_read(w, hot, 1, &room[1]);
    const pair_source c = pair_read(w, hot, 2, &room[2]);
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

/* One number a lane; sources and result always edited. */
VEC lw_step halves_2(lw_wave *w, const lw_hot *hot, lw_vdst_kind kind, vi (*lane)(vi, vi, vi))
{
    row_room room[2];
    uint32_t r[LW_LANES];
    if (!f16_is_plain(w))
        return lw_hot_general(w, hot);
    const vi quiet = f16_quiet(w);
    const row a = row_edit(w, hot, 0, LW_V_F16, false, &room[0]);
    const row b = row_edit(w, hot, 1, LW_V_F16, false, &room[1]);
    for (unsigned n = 0; n < row_vectors(w); n++)
        vi_store(r + n * VEC_LANES, lane(row_at(a, n), row_at(b, n), quiet));
    return row_place(w, hot, kind, r);
}

VEC lw_step halves_3(lw_wave *w, const lw_hot *hot, lw_vdst_kind kind, bool accumulates,
                     vi (*lane)(vi, vi, vi, vi))
{
    row_room room[3];
    uint32_t r[LW_LANES];
    if (!f16_is_plain(w))
        return lw_hot_general(w, hot);
    const vi quiet = f16_quiet(w);
    const row a = row_edit(w, hot, 0, LW_V_F16, false, &room[0]);
    const row b = row_edit(w, hot, 1, LW_V_F16, false, &room[1]);
    const row old = { row_of_result(w, hot), VEC_LANES };
    const row c = accumulates ? old : row_edit(w, hot, 2, LW_V_F16, false, &room[2]);
    for (unsigned n = 0; n < row_vectors(w); n++)
        vi_store(r + n * VEC_LANES, lane(row_at(a, n), row_at(b, n), low_half(row_at(c, n)), quiet));
    return row_place(w, hot, kind, r);
}

static lw_hot_fn take_halves(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    return in->clamp || in->omod || !is_editable(in, hot) ? NULL : form->fn[0];
}

/* Selections of one number are those of two, of which the upper ones are zeros. */
#define HALVES_2(name, lane)                                                                                 \
    static lw_step hot_##name(lw_wave *w, const lw_hot *hot)                                                 \
    {                                                                                                        \
        return halves_2(w, hot, LW_VD_FULL, lane);                                                           \
    }
#define HALVES_3(name, kind, accumulates, lane)                                                              \
    static lw_step hot_##name(lw_wave *w, const lw_hot *hot)                                                 \
    {                                                                                                        \
        return halves_3(w, hot, kind, accumulates, lane);                                                    \
    }
#define PAIRS(shape, name, lane)                                                                             \
    static lw_step hot_##name(lw_wave *w, const lw_hot *hot)                                                 \
    {                                                                                                        \
        return shape(w, hot, false, lane);                                                                   \
    }                                                                                                        \
    static lw_step edit_##name(lw_wave *w, const lw_hot *hot)                                                \
    {                                                                                                        \
        return shape(w, hot, true, lane);                                                                    \
    }

PAIRS(pairs_2, v_pk_add_f16, lane_pk_add)
PAIRS(pairs_2, v_pk_mul_f16, lane_pk_mul)
PAIRS(pairs_2, v_pk_min_f16, lane_pk_min)
PAIRS(pairs_2, v_pk_max_f16, lane_pk_max)
PAIRS(pairs_3, v_pk_fma_f16, lane_pk_fma)
PAIRS(pairs_3, v_pk_minimum3_f16, lane_pk_minimum3)
PAIRS(pairs_3, v_pk_maximum3_f16, lane_pk_maximum3)
HALVES_2(v_add_f16, lane_add_f16)
HALVES_2(v_sub_f16, lane_sub_f16)
HALVES_2(v_subrev_f16, lane_subrev_f16)
HALVES_2(v_mul_f16, lane_mul_f16)
HALVES_2(v_min_f16, lane_pk_min)
HALVES_2(v_max_f16, lane_pk_max)
HALVES_3(v_mac_f16, LW_VD_LOW, true, lane_mad_f16)
HALVES_3(v_mad_f16, LW_VD_SEL, false, lane_mad_f16)
HALVES_3(v_fma_f16, LW_VD_SEL, false, lane_fma_f16)

#define PAIR(name, quiet_bits)                                                                               \
    {                                                                                                        \
        .general = lw_sem_##name, .take = take_pairs, .fn = { hot_##name, edit_##name }, .kind = quiet_bits  \
    }
#define HALF(name)                                                                                           \
    {                                                                                                        \
        .general = lw_sem_##name, .take = take_halves, .fn = { hot_##name }                                  \
    }

/* clang-format off */
#define HALVES_FORMS                                                                                         \
    PAIR(v_pk_add_f16, F16_QUIET), PAIR(v_pk_mul_f16, F16_QUIET), PAIR(v_pk_fma_f16, F16_QUIET),             \
    PAIR(v_pk_min_f16, PAIR_QUIET), PAIR(v_pk_max_f16, PAIR_QUIET), PAIR(v_pk_minimum3_f16, PAIR_QUIET),     \
    PAIR(v_pk_maximum3_f16, PAIR_QUIET), HALF(v_add_f16), HALF(v_sub_f16), HALF(v_subrev_f16),               \
    HALF(v_mul_f16), HALF(v_min_f16), HALF(v_max_f16), HALF(v_mac_f16), HALF(v_mad_f16), HALF(v_fma_f16)
/* clang-format on */

#endif
