/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of f16 arithmetic, with one or two numbers per lane. f32 is sufficient: sums and products of two
 * f16 numbers, rounded to f32 and then to f16, are as if rounded once (24 >= 2 * 11 + 2 bits; products fit in
 * 22), and the fused operation rounds its sum to odd. Hosts with FP16 instructions use those, on 32 numbers
 * at a time; NaNs are selected here, too. With two numbers per lane, modes that flush, saturate or do not
 * round to nearest are left to the general handler.
 */
#ifndef LW_EMU_AMDGPU_FAST_HALVES_H
#define LW_EMU_AMDGPU_FAST_HALVES_H

#include "emu/amdgpu/fast/floats.h"

/* What the operations on two numbers per lane require of MODE. */
VEC bool f16_is_plain(const lw_wave *w)
{
    static const float_op any = { &format_f16, 2, ARITHMETIC, LW_VD_FULL };
    return float_is_plain(w, &any);
}

/* ---- One number per lane ---- */

static LW_APART vi f16_nan_of_fma(vi a, vi b, vi c, vi quiet)
{
    return nan_of_fma(F16, a, b, c, quiet);
}

#if VEC_HAS_FP16

/* The host's number, except for NaNs, which are those of a * b + c. Upper halves are zero, and stay so. */
VEC vi f16_or_nan(vh r, vi a, vi b, vi c, vi quiet)
{
    const vi x = vh_bits(r);
    return vh_any_nan(r, r) ? vi_pick(is_nan(F16, x), f16_nan_of_fma(a, b, c, quiet), x) : x;
}

#define HALF_ARITHMETIC(name, first, op, second, factor_b, addend)                                           \
    VEC vi lane_##name##_f16(vi a, vi b, vi c, vi quiet)                                                     \
    {                                                                                                        \
        (void)c;                                                                                             \
        return f16_or_nan(op(vh_from_bits(first), vh_from_bits(second)), a, factor_b, addend, quiet);        \
    }

/* NaNs as in ARITHMETIC_OF. */
HALF_ARITHMETIC(add, a, vh_add, b, vi_all(format_f16.one), b)
HALF_ARITHMETIC(sub, a, vh_sub, b, vi_all(format_f16.one), b)
HALF_ARITHMETIC(subrev, b, vh_sub, a, vi_all(format_f16.one), b)
HALF_ARITHMETIC(mul, a, vh_mul, b, b, vi_all(0))

VEC vi lane_fma_f16(vi a, vi b, vi c, vi quiet)
{
    return f16_or_nan(vh_fma(vh_from_bits(a), vh_from_bits(b), vh_from_bits(c)), a, b, c, quiet);
}

/* Product and sum rounded separately; NaNs are those of the fused operation. */
VEC vi lane_mad_f16(vi a, vi b, vi c, vi quiet)
{
    const vh product = vh_mul(vh_from_bits(a), vh_from_bits(b));
    return f16_or_nan(vh_add(product, vh_from_bits(c)), a, b, c, quiet);
}

#else

/* Rounded, except for NaNs, which are those of a * b + c. */
VEC vi f16_or_nan(vf r, vi a, vi b, vi c, vi quiet)
{
    const vm nan = vf_is_nan(r);
    const vi rounded = vi_f16_of(r);
    return vm_any(nan) ? vi_pick(nan, f16_nan_of_fma(a, b, c, quiet), rounded) : rounded;
}

ARITHMETIC_OF(f16, vf_from_f16)

VEC vi lane_fma_f16(vi a, vi b, vi c, vi quiet)
{
    return f16_or_nan(vf_sum_to_odd(vf_from_f16(a), vf_from_f16(b), vf_from_f16(c)), a, b, c, quiet);
}

/* Product and sum rounded separately; NaNs are those of the fused operation. */
VEC vi lane_mad_f16(vi a, vi b, vi c, vi quiet)
{
    const vf product = vf_from_f16(vi_f16_of(vf_mul(vf_from_f16(a), vf_from_f16(b))));
    return f16_or_nan(vf_add(product, vf_from_f16(c)), a, b, c, quiet);
}

#endif

/* ---- Two numbers per lane: selection with integers ---- */

enum {
    PAIR_SIZE = 0x7fff7fff,
    PAIR_INF = 0x7c007c00,
    PAIR_QUIET = 0x02000200,
    PAIR_SIGNALLING = 0x7dff7dff, /* the largest signalling NaN */
};

/* For numbers, with -0 below +0: as integers, negative ones are ordered backwards. */
VEC vi pair_min(vi a, vi b)
{
    return vi_pick16(vi_and(a, b), vi_max16(a, b), vi_min16(a, b));
}

VEC vi pair_max(vi a, vi b)
{
    return vi_pick16(vi_and(a, b), vi_min16(a, b), vi_max16(a, b));
}

/* All ones in halves that are NaNs. */
VEC vi pair_nan(vi a)
{
    return vi_gt16(vi_and(a, vi_all(PAIR_SIZE)), vi_all(PAIR_INF));
}

/* As nan_of_pair of floats.h; `signals`: all ones if signalling NaNs win, otherwise zeros. Of two NaNs it is
 * the first if `first`. */
VEC vi pair_nan_of_two(vi a, vi b, vi r, vi signals, bool first)
{
    const vi bit = vi_all(PAIR_QUIET), inf = vi_all(PAIR_INF), last = vi_all(PAIR_SIGNALLING);
    const vi size_a = vi_and(a, vi_all(PAIR_SIZE)), size_b = vi_and(b, vi_all(PAIR_SIZE));
    const vi nan_a = vi_gt16(size_a, inf), nan_b = vi_gt16(size_b, inf);
    const vi signal_a = vi_and(signals, vi_without(vi_gt16(size_a, last), nan_a));
    const vi signal_b = vi_and(signals, vi_without(vi_gt16(size_b, last), nan_b));
    r = vi_choose(first ? vi_without(nan_b, nan_a) : nan_a, b, vi_choose(nan_b, a, r));
    r = vi_choose(signal_b, vi_or(b, bit), r);
    return vi_choose(signal_a, vi_or(a, bit), r);
}

VEC vi pair_signals(vi quiet)
{
    return vi_pick(vi_eq(quiet, vi_all(0)), vi_all(0), vi_all(-1));
}

VEC vi pk_min(vi a, vi b, vi quiet)
{
    return pair_nan_of_two(a, b, pair_min(a, b), pair_signals(quiet), false);
}

VEC vi pk_max(vi a, vi b, vi quiet)
{
    return pair_nan_of_two(a, b, pair_max(a, b), pair_signals(quiet), false);
}

VEC vi pair_first_nan(vi a, vi b, vi c, vi r)
{
    const vi bit = vi_all(PAIR_QUIET);
    r = vi_choose(pair_nan(c), vi_or(c, bit), r);
    r = vi_choose(pair_nan(b), vi_or(b, bit), r);
    return vi_choose(pair_nan(a), vi_or(a, bit), r);
}

/* ---- Two numbers per lane: arithmetic on as many numbers at a time as there are lanes ---- */

VEC vi low_half(vi a)
{
    return vi_and(a, vi_all(0xffff));
}

/* As nan_of_fma of numbers.h, in halves where `rounded` is a NaN. */
VEC vi pair_nan_of_fma(vi a, vi b, vi c, vi quiet, vi rounded)
{
    const vi made = vi_all((int)UINT32_C(0xfe00fe00)), inf = vi_all(PAIR_INF), zero = vi_all(0);
    const vi size_a = vi_and(a, vi_all(PAIR_SIZE)), size_b = vi_and(b, vi_all(PAIR_SIZE));
    const vi none = vi_or(vi_and(vi_eq16(size_a, zero), vi_eq16(size_b, inf)),
                          vi_and(vi_eq16(size_a, inf), vi_eq16(size_b, zero)));
    vi r = vi_choose(pair_nan(c), vi_or(c, quiet), made);
    r = vi_choose(vi_gt16(size_b, inf), vi_or(b, quiet), r);
    r = vi_choose(vi_gt16(size_a, inf), vi_or(a, quiet), r);
    return vi_choose(pair_nan(rounded), vi_choose(none, made, r), rounded);
}

#if VEC_HAS_FP16

VEC vi pair_sum(vi a, vi b)
{
    return vh_bits(vh_add(vh_from_bits(a), vh_from_bits(b)));
}

VEC vi pair_product(vi a, vi b)
{
    return vh_bits(vh_mul(vh_from_bits(a), vh_from_bits(b)));
}

VEC vi pair_fused(vi a, vi b, vi c)
{
    return vh_bits(vh_fma(vh_from_bits(a), vh_from_bits(b), vh_from_bits(c)));
}

#else

VEC vi pair_sum(vi a, vi b)
{
    return vi_f16_join(vf_add(vf_f16_part(a, 0), vf_f16_part(b, 0)),
                       vf_add(vf_f16_part(a, 1), vf_f16_part(b, 1)));
}

VEC vi pair_product(vi a, vi b)
{
    return vi_f16_join(vf_mul(vf_f16_part(a, 0), vf_f16_part(b, 0)),
                       vf_mul(vf_f16_part(a, 1), vf_f16_part(b, 1)));
}

VEC vi pair_fused(vi a, vi b, vi c)
{
    const vf low = vf_sum_to_odd(vf_f16_part(a, 0), vf_f16_part(b, 0), vf_f16_part(c, 0));
    return vi_f16_join(low, vf_sum_to_odd(vf_f16_part(a, 1), vf_f16_part(b, 1), vf_f16_part(c, 1)));
}

#endif

/* ---- Results that are right for numbers; *most: the largest magnitude so far, including NaNs ---- */

VEC vi pair_noted(vi a, vi *most)
{
    *most = vi_max16(*most, vi_and(a, vi_all(PAIR_SIZE)));
    return a;
}

VEC vi raw_pk_min(vi a, vi b, vi c, vi *most)
{
    (void)c;
    return pair_min(pair_noted(a, most), pair_noted(b, most));
}

VEC vi raw_pk_max(vi a, vi b, vi c, vi *most)
{
    (void)c;
    return pair_max(pair_noted(a, most), pair_noted(b, most));
}

VEC vi raw_pk_minimum3(vi a, vi b, vi c, vi *most)
{
    return pair_min(raw_pk_min(a, b, c, most), pair_noted(c, most));
}

VEC vi raw_pk_maximum3(vi a, vi b, vi c, vi *most)
{
    return pair_max(raw_pk_max(a, b, c, most), pair_noted(c, most));
}

VEC vi raw_pk_add(vi a, vi b, vi c, vi *most)
{
    (void)c;
    return pair_noted(pair_sum(a, b), most);
}

VEC vi raw_pk_mul(vi a, vi b, vi c, vi *most)
{
    (void)c;
    return pair_noted(pair_product(a, b), most);
}

VEC vi raw_pk_fma(vi a, vi b, vi c, vi *most)
{
    return pair_noted(pair_fused(a, b, c), most);
}

/* ---- Results for NaNs; `r` is the result for numbers ---- */

typedef vi (*pair_raw)(vi a, vi b, vi c, vi *most);
typedef vi (*pair_nans)(vi a, vi b, vi c, vi r, vi quiet);

VEC vi nan_of_pk_select(vi a, vi b, vi c, vi r, vi quiet)
{
    (void)c;
    return pair_nan_of_two(a, b, r, pair_signals(quiet), true);
}

VEC vi nan_of_pk_three(vi a, vi b, vi c, vi r, vi quiet)
{
    (void)quiet;
    return pair_first_nan(a, b, c, r);
}

VEC vi nan_of_pk_add(vi a, vi b, vi c, vi r, vi quiet)
{
    (void)c;
    return pair_nan_of_fma(a, vi_all(0x3c003c00), b, quiet, r);
}

VEC vi nan_of_pk_mul(vi a, vi b, vi c, vi r, vi quiet)
{
    (void)c;
    return pair_nan_of_fma(a, b, vi_all(0), quiet, r);
}

VEC vi nan_of_pk_fma(vi a, vi b, vi c, vi r, vi quiet)
{
    return pair_nan_of_fma(a, b, c, quiet, r);
}

LANE_2(pk_min)
LANE_2(pk_max)

/* ---- Shapes ---- */

/* The halves that op_sel and op_sel_hi select, with their signs. */
typedef struct pair_source {
    row from;
    vi flip;
    uint8_t pick;
} pair_source;

enum { PICK_IN_ORDER = 2, PAIRS_CHECKED = 2 /* vectors between two checks for NaNs */ };

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

/* Must results be computed again for NaNs? `made`: those of arithmetic are NaNs themselves. */
VEC bool pairs_doubted(bool made, const vi x[PAIRS_CHECKED], vi most)
{
#if VEC_HAS_FP16
    if (made)
        return vh_any_nan(vh_from_bits(x[0]), vh_from_bits(x[1]));
#endif
    (void)made;
    (void)x;
    return vi_any_gt16(most, vi_all(PAIR_INF));
}

VEC lw_step pairs(lw_wave *w, const lw_hot *hot, bool chosen, unsigned sources, bool made, pair_raw raw,
                  pair_nans nans)
{
    row_room room[3];
    if (!f16_is_plain(w))
        return lw_hot_general(w, hot);
    const vi quiet = vi_all(w->mode & LW_MODE_IEEE ? PAIR_QUIET : 0);
    const pair_source a = pair_read(w, hot, 0, &room[0]), b = pair_read(w, hot, 1, &room[1]);
    const pair_source c = pair_read(w, hot, sources == 3 ? 2 : 0, &room[2]);
    const row_result r = row_open(w, hot, false, 0, NULL);
    for (unsigned n = 0; n < LW_LANES / VEC_LANES; n += PAIRS_CHECKED) {
        vi x[PAIRS_CHECKED], most = vi_all(0);
        for (unsigned i = 0; i < PAIRS_CHECKED; i++)
            x[i] =
                raw(pair_at(a, n + i, chosen), pair_at(b, n + i, chosen), pair_at(c, n + i, chosen), &most);
        if (pairs_doubted(made, x, most))
            for (unsigned i = 0; i < PAIRS_CHECKED; i++)
                x[i] = nans(pair_at(a, n + i, chosen), pair_at(b, n + i, chosen), pair_at(c, n + i, chosen),
                            x[i], quiet);
        for (unsigned i = 0; i < PAIRS_CHECKED; i++)
            row_put(r, n + i, x[i]);
    }
    return LW_STEP_NEXT;
}

/* CLAMP is left to the general handler. */
static lw_hot_fn take_pairs(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    bool in_order = true;
    for (unsigned i = 0; i < 3; i++)
        in_order = in_order &&
                   (in->src[i].kind == LW_OPND_NONE || (in->src[i].pick == PICK_IN_ORDER && !in->src[i].neg));
    (void)hot;
    if (in->clamp || in->omod || in->sub != LW_SUB_NONE || in->enc != LW_ENC_VOP3P)
        return NULL;
    return form->fn[in_order ? 0 : 1];
}

FORM(pairs, v_pk_add_f16, 2, true, raw_pk_add, nan_of_pk_add)
FORM(pairs, v_pk_mul_f16, 2, true, raw_pk_mul, nan_of_pk_mul)
FORM(pairs, v_pk_min_f16, 2, false, raw_pk_min, nan_of_pk_select)
FORM(pairs, v_pk_max_f16, 2, false, raw_pk_max, nan_of_pk_select)
FORM(pairs, v_pk_fma_f16, 3, true, raw_pk_fma, nan_of_pk_fma)
FORM(pairs, v_pk_minimum3_f16, 3, false, raw_pk_minimum3, nan_of_pk_three)
FORM(pairs, v_pk_maximum3_f16, 3, false, raw_pk_maximum3, nan_of_pk_three)
/* ---- One number per lane, in halves that SDWA or op_sel select: in one pass ---- */

VEC bool is_half(const lw_opnd *o)
{
    return (!o->sel || o->sel == LW_SEL_WORD_0 || o->sel == LW_SEL_WORD_1) && !(o->flags & LW_OPND_F_SEXT);
}

/* Are there only registers and constants, halves and signs? */
VEC bool has_halves_only(const lw_wave *w, const lw_decoded *in, const float_op *op)
{
    return in->sub != LW_SUB_DPP && !in->omod && !in->clamp && is_half(&in->src[0]) && is_half(&in->src[1]) &&
           is_half(&in->src[2]) && float_is_plain(w, op);
}

typedef struct half_source {
    row from;
    int shift;
    vi keep, flip;
} half_source;

VEC half_source half_read(const lw_wave *w, const lw_hot *hot, const float_op *op, unsigned i, row_room *room)
{
    const bool old = op->flags & OP_OLD && i + 1u == op->sources;
    const lw_opnd *o = &hot->in->src[i < op->sources && !old ? i : 0];
    const vi keep = vi_all(!old && o->abs ? op->f->size : op->f->size | op->f->sign);
    if (old)
        return (half_source){ { row_of_result(w, hot), VEC_LANES }, old_shift(hot->in), keep, vi_all(0) };
    return (half_source){ row_source(w, hot, i < op->sources ? i : 0, 0, room),
                          o->sel == LW_SEL_WORD_1 ? 16 : 0, keep, vi_all(o->neg ? op->f->sign : 0) };
}

VEC vi half_at(const half_source *s, unsigned n)
{
    return vi_and_xor(vi_shr(row_at(s->from, n), s->shift), s->keep, s->flip);
}

VEC lw_step float_halves(lw_wave *w, const lw_hot *hot, const float_op *op, float_lane lane)
{
    row_room room[3];
    const row_field f = field_of(hot, op->place);
    const vi quiet = quiet_of(w, op->f), kept = vi_all(f.keeps ? ~f.field : 0);
    const half_source a = half_read(w, hot, op, 0, &room[0]), b = half_read(w, hot, op, 1, &room[1]);
    const half_source c = half_read(w, hot, op, 2, &room[2]);
    const row_result r = row_open(w, hot, false, 0, NULL);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vi old = vi_and(vi_load(r.at + n * VEC_LANES), kept);
        row_put(r, n,
                vi_or(vi_shl(lane(half_at(&a, n), half_at(&b, n), half_at(&c, n), quiet), f.shift), old));
    }
    return LW_STEP_NEXT;
}

/* Fields of 16 bits or whole registers, which are not sign-extended. */
VEC bool float_takes_halves(const lw_wave *w, const lw_hot *hot, const float_op *op)
{
    const lw_decoded *in = hot->in;
    if (op->f != F16 || !(op->flags & OP_FLUSHES) || op->flags & OP_COUNT || !has_halves_only(w, in, op))
        return false;
    const row_field f = field_of(hot, op->place);
    return !f.sign && (f.field == -1 || (uint32_t)f.field >> f.shift == 0xffff);
}

/* As FORM_FLOAT, with that pass where it is possible. */
#define FORM_HALF(name, lane, ...)                                                                           \
    static const float_op op_##name = { __VA_ARGS__ };                                                       \
    static LW_APART lw_step edit_##name(lw_wave *w, const lw_hot *hot)                                       \
    {                                                                                                        \
        return float_takes_halves(w, hot, &op_##name) ? float_halves(w, hot, &op_##name, lane)               \
                                                      : float_edited(w, hot, &op_##name, lane);              \
    }                                                                                                        \
    FORM_FLOAT_WAY(hot, name, float_run(w, hot, &op_##name, 0, WAY_PLAIN, lane), edit)                       \
    FORM_FLOAT_WAY(sign, name, float_run(w, hot, &op_##name, 0, WAY_SIGNED, lane), edit)                     \
    FORM_FLOAT_WAY(limit, name, float_run(w, hot, &op_##name, 0, WAY_LIMITED, lane), edit)

/* The minimum or maximum of one number is that of two, with zeros as the upper ones. */
FORM_HALF(v_add_f16, lane_add_f16, F16, 2, ARITHMETIC, LW_VD_FULL)
FORM_HALF(v_sub_f16, lane_sub_f16, F16, 2, ARITHMETIC, LW_VD_FULL)
FORM_HALF(v_subrev_f16, lane_subrev_f16, F16, 2, ARITHMETIC, LW_VD_FULL)
FORM_HALF(v_mul_f16, lane_mul_f16, F16, 2, ARITHMETIC, LW_VD_FULL)
FORM_HALF(v_min_f16, lane_pk_min, F16, 2, SELECTION, LW_VD_FULL)
FORM_HALF(v_max_f16, lane_pk_max, F16, 2, SELECTION, LW_VD_FULL)
FORM_HALF(v_mac_f16, lane_mad_f16, F16, 3, ARITHMETIC | OP_OLD | OP_KEEPS, LW_VD_LOW)
FORM_HALF(v_mad_f16, lane_mad_f16, F16, 3, ARITHMETIC | OP_KEEPS, LW_VD_SEL)
FORM_HALF(v_fma_f16, lane_fma_f16, F16, 3, ARITHMETIC, LW_VD_SEL)
FORM_HALF(v_fmac_f16, lane_fma_f16, F16, 3, ARITHMETIC | OP_OLD, LW_VD_SEL)

/* clang-format off */
#define HALVES_FORMS                                                                                         \
    TAKEN(v_pk_add_f16, take_pairs), TAKEN(v_pk_mul_f16, take_pairs), TAKEN(v_pk_fma_f16, take_pairs),                      \
    TAKEN(v_pk_min_f16, take_pairs), TAKEN(v_pk_max_f16, take_pairs), TAKEN(v_pk_minimum3_f16, take_pairs),     \
    TAKEN(v_pk_maximum3_f16, take_pairs), FLOAT(v_add_f16), FLOAT(v_sub_f16), FLOAT(v_subrev_f16),            \
    FLOAT(v_mul_f16), FLOAT(v_min_f16), FLOAT(v_max_f16), FLOAT_ROW(v_mac_f16, v_mac_f16, 1),                \
    FLOAT_ROW(v_mad_f16, v_mad_f16, 1), FLOAT_ROW(v_fma_f16, v_fma_f16, 1),                               \
    FLOAT_ROW(v_fmac_f16, v_fmac_f16, 1), FLOAT_ROW(v_fmamk_f16, v_fma_f16, 1), FLOAT_ROW(v_fmaak_f16, v_fma_f16, 1)
/* clang-format on */

#endif
