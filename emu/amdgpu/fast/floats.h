/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of f32 arithmetic: the host's operations, to nearest even. Which NaN comes out is never the
 * host's choice: lanes with a NaN are computed again by selects. MODE says at each execution whether plain
 * sources can be used (subnormals kept on both sides); else, and for DPP, SDWA, CLAMP and OMOD, the edited
 * way computes the row apart; other roundings are the general handler's.
 */
#ifndef LW_EMU_AMDGPU_FAST_FLOATS_H
#define LW_EMU_AMDGPU_FAST_FLOATS_H

#include "emu/amdgpu/fast/masks.h"

enum { F32_INF = 0x7f800000, F32_QUIET = 0x00400000, F32_LEAST = 0x00800000, F32_ONE = 0x3f800000 };

/* What f32 arithmetic is told of MODE. */
enum {
    F32_ROUND_BITS = 3 << LW_MODE_ROUND_F32_SHIFT,
    F32_KEPT_BITS = 3 << LW_MODE_DENORM_F32_SHIFT,
};

VEC bool f32_rounds_to_nearest(const lw_wave *w)
{
    return !(w->mode & F32_ROUND_BITS);
}

VEC bool f32_is_plain(const lw_wave *w)
{
    return (w->mode & (F32_ROUND_BITS | F32_KEPT_BITS)) == F32_KEPT_BITS;
}

/* The bit that a passed NaN gets: none with IEEE off. */
VEC vi f32_quiet(const lw_wave *w)
{
    return vi_all(w->mode & LW_MODE_IEEE ? F32_QUIET : 0);
}

VEC vi f32_size(vi a)
{
    return vi_and(a, vi_all(INT32_MAX));
}

VEC vm f32_is_nan(vi a)
{
    return vi_gt(f32_size(a), vi_all(F32_INF));
}

VEC vm f32_is_inf(vi a)
{
    return vi_eq(f32_size(a), vi_all(F32_INF));
}

VEC vm f32_is_zero(vi a)
{
    return vi_eq(f32_size(a), vi_all(0));
}

/* The order of NaNs: 0 * Inf, then the first NaN source, then what the sum makes (fp.c, fma_special). */
static LW_APART vi nan_of_fma(vi a, vi b, vi c, vi quiet)
{
    const vi made = vi_all((int)UINT32_C(0xffc00000));
    const vm none = vm_or(vm_and(f32_is_zero(a), f32_is_inf(b)), vm_and(f32_is_inf(a), f32_is_zero(b)));
    vi r = vi_pick(f32_is_nan(c), vi_or(c, quiet), made);
    r = vi_pick(f32_is_nan(b), vi_or(b, quiet), r);
    r = vi_pick(f32_is_nan(a), vi_or(a, quiet), r);
    return vi_pick(none, made, r);
}

/* A sum is a fused operation with the factor one. */
VEC vi nan_of_sum(vi a, vi b, vi quiet)
{
    return nan_of_fma(a, vi_all(F32_ONE), b, quiet);
}

VEC vi f32_or_nan(vf r, vi nan)
{
    return vi_pick(vf_is_nan(r), nan, vf_bits(r));
}

VEC vi lane_add_f32(vi a, vi b, vi quiet)
{
    const vf r = vf_add(vf_from_bits(a), vf_from_bits(b));
    return vm_any(vf_is_nan(r)) ? f32_or_nan(r, nan_of_sum(a, b, quiet)) : vf_bits(r);
}

/* NaNs of differences keep their sign. */
VEC vi lane_sub_f32(vi a, vi b, vi quiet)
{
    const vf r = vf_sub(vf_from_bits(a), vf_from_bits(b));
    return vm_any(vf_is_nan(r)) ? f32_or_nan(r, nan_of_sum(a, b, quiet)) : vf_bits(r);
}

VEC vi lane_subrev_f32(vi a, vi b, vi quiet)
{
    const vf r = vf_sub(vf_from_bits(b), vf_from_bits(a));
    return vm_any(vf_is_nan(r)) ? f32_or_nan(r, nan_of_sum(a, b, quiet)) : vf_bits(r);
}

VEC vi lane_mul_f32(vi a, vi b, vi quiet)
{
    const vf r = vf_mul(vf_from_bits(a), vf_from_bits(b));
    return vm_any(vf_is_nan(r)) ? f32_or_nan(r, nan_of_fma(a, b, vi_all(0), quiet)) : vf_bits(r);
}

#if VEC_HAS_FMA32
VEC vi lane_fma_f32(vi a, vi b, vi c, vi quiet)
{
    const vf r = vf_fma(vf_from_bits(a), vf_from_bits(b), vf_from_bits(c));
    return vm_any(vf_is_nan(r)) ? f32_or_nan(r, nan_of_fma(a, b, c, quiet)) : vf_bits(r);
}
#endif

/* ---- Results that are flushed, limited or scaled ---- */

/* v_clamp: NaNs become zero with DX10_CLAMP, -0 becomes +0. */
VEC vi lane_clamp_f32(vi x, bool nan_is_zero)
{
    const vi limited = vi_min(vi_max(x, vi_all(0)), vi_all(F32_ONE));
    return vi_pick(f32_is_nan(x), nan_is_zero ? vi_all(0) : x, limited);
}

/*
 * Times 2, 4 or a half (fp_integral.c, lw_fp_omod): NaNs and infinities pass, zeros lose their sign. It works
 * only where results are flushed, so that halves below the normal range are zeros with their sign.
 */
VEC vi lane_omod_f32(vi x, unsigned omod)
{
    const vf times = vf_all(omod == 1 ? 2.0f : omod == 2 ? 4.0f : 0.5f);
    const vi field = vi_and(x, vi_all(F32_FIELD)), scaled = vf_bits(vf_mul(vf_from_bits(x), times));
    const vi sign = vi_and(x, vi_all(F32_SIGN));
    const vi tiny = vi_pick(vi_gt(vi_all(F32_LEAST), f32_size(scaled)), sign, scaled);
    const vi r = vi_pick(vi_eq(field, vi_all(0)), vi_all(0), tiny);
    return vi_pick(vi_eq(field, vi_all(F32_FIELD)), x, r);
}

/* False: a result is the least normal number, and may have been less before it was rounded. */
static bool flush_results(uint32_t r[LW_LANES], uint64_t active)
{
    uint64_t odd = 0;
    for (unsigned n = 0; n < LW_LANES / VEC_LANES; n++) {
        const vi x = vi_load(r + n * VEC_LANES);
        odd |= (uint64_t)vm_bits(vi_eq(f32_size(x), vi_all(F32_LEAST))) << n * VEC_LANES;
        vi_store(r + n * VEC_LANES, lane_flush(x, F32_FIELD, F32_SIGN));
    }
    return !(odd & active);
}

/* What follows the rounding, or a selection. False: the general handler has to begin anew. */
static LW_APART bool f32_output(const lw_wave *w, const lw_decoded *in, bool rounds, uint32_t r[LW_LANES])
{
    const bool flush = !(w->mode >> LW_MODE_DENORM_F32_SHIFT & LW_DENORM_OUT_KEPT);
    const unsigned omod = flush && !(w->mode & LW_MODE_IEEE) ? in->omod : 0;
    if (flush && rounds && !flush_results(r, lw_wave_exec(w)))
        return false;
    for (unsigned n = 0; n < LW_LANES / VEC_LANES && (omod || in->clamp); n++) {
        vi x = vi_load(r + n * VEC_LANES);
        if (omod)
            x = lane_omod_f32(x, omod);
        if (in->clamp)
            x = lane_clamp_f32(x, w->mode & LW_MODE_DX10_CLAMP);
        vi_store(r + n * VEC_LANES, x);
    }
    return true;
}

static LW_APART lw_step f32_place(lw_wave *w, const lw_hot *hot, bool rounds, uint32_t r[LW_LANES])
{
    if (!f32_output(w, hot->in, rounds, r))
        return lw_hot_general(w, hot);
    return row_place(w, hot, LW_VD_FULL, r);
}

/* ---- Shapes ---- */

/* Plain sources with their signs edited on the way: what to keep and what to flip. */
typedef struct f32_signs {
    vi keep, flip;
} f32_signs;

VEC f32_signs signs_of(const lw_hot *hot, unsigned i)
{
    return (f32_signs){ vi_all(hot->abs >> i & 1 ? INT32_MAX : -1),
                        vi_all(hot->neg >> i & 1 ? INT32_MIN : 0) };
}

VEC vi signed_at(row r, unsigned n, bool has_signs, f32_signs s)
{
    const vi x = row_at(r, n);
    return has_signs ? vi_xor(vi_and(x, s.keep), s.flip) : x;
}

VEC lw_step f32_2_edited(lw_wave *w, const lw_hot *hot, bool rounds, vi (*lane)(vi, vi, vi))
{
    row_room room[2];
    uint32_t r[LW_LANES] = { 0 };
    const vi quiet = f32_quiet(w);
    if (!f32_rounds_to_nearest(w))
        return lw_hot_general(w, hot);
    const row a = row_edit(w, hot, 0, LW_V_F32, true, &room[0]);
    const row b = row_edit(w, hot, 1, LW_V_F32, true, &room[1]);
    for (unsigned n = 0; n < row_vectors(w); n++)
        vi_store(r + n * VEC_LANES, lane(row_at(a, n), row_at(b, n), quiet));
    return f32_place(w, hot, rounds, r);
}

VEC lw_step f32_2(lw_wave *w, const lw_hot *hot, bool has_signs, vi (*lane)(vi, vi, vi))
{
    row_room room[2];
    const vi quiet = f32_quiet(w);
    const f32_signs sa = signs_of(hot, 0), sb = signs_of(hot, 1);
    const row a = row_source(w, hot, 0, 0, &room[0]), b = row_source(w, hot, 1, 0, &room[1]);
    const row_result r = row_open(w, hot, false, 0, NULL);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(r, n, lane(signed_at(a, n, has_signs, sa), signed_at(b, n, has_signs, sb), quiet));
    return LW_STEP_NEXT;
}

/* The third source, or the result's old value. */
VEC row f32_third(const lw_wave *w, const lw_hot *hot, bool edited, bool accumulates, row_room *room)
{
    if (!accumulates)
        return edited ? row_edit(w, hot, 2, LW_V_F32, true, room) : row_source(w, hot, 2, 0, room);
    const row old = { row_of_result(w, hot), VEC_LANES };
    if (!edited)
        return old;
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vi x = row_at(old, n);
        vi_store(room->lanes + n * VEC_LANES,
                 row_flushes(w, LW_V_F32) ? lane_flush(x, F32_FIELD, F32_SIGN) : x);
    }
    return (row){ room->lanes, VEC_LANES };
}

VEC lw_step f32_3_edited(lw_wave *w, const lw_hot *hot, bool rounds, bool accumulates,
                         vi (*lane)(vi, vi, vi, vi))
{
    row_room room[3];
    uint32_t r[LW_LANES] = { 0 };
    const vi quiet = f32_quiet(w);
    if (!f32_rounds_to_nearest(w))
        return lw_hot_general(w, hot);
    const row a = row_edit(w, hot, 0, LW_V_F32, true, &room[0]);
    const row b = row_edit(w, hot, 1, LW_V_F32, true, &room[1]);
    const row c = f32_third(w, hot, true, accumulates, &room[2]);
    for (unsigned n = 0; n < row_vectors(w); n++)
        vi_store(r + n * VEC_LANES, lane(row_at(a, n), row_at(b, n), row_at(c, n), quiet));
    return f32_place(w, hot, rounds, r);
}

VEC lw_step f32_3(lw_wave *w, const lw_hot *hot, bool has_signs, bool accumulates, vi (*lane)(vi, vi, vi, vi))
{
    row_room room[3];
    const vi quiet = f32_quiet(w);
    const f32_signs sa = signs_of(hot, 0), sb = signs_of(hot, 1), sc = signs_of(hot, 2);
    const row a = row_source(w, hot, 0, 0, &room[0]), b = row_source(w, hot, 1, 0, &room[1]);
    const row c = f32_third(w, hot, false, accumulates, &room[2]);
    const row_result r = row_open(w, hot, false, 0, NULL);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(r, n,
                lane(signed_at(a, n, has_signs, sa), signed_at(b, n, has_signs, sb),
                     signed_at(c, n, has_signs && !accumulates, sc), quiet));
    return LW_STEP_NEXT;
}

/* An operation's three functions: plain sources, with signs, and everything else. Selections do not round. */
#define FORM_F32_2(name, rounds, lane)                                                                       \
    static lw_step edit_##name(lw_wave *w, const lw_hot *hot)                                                \
    {                                                                                                        \
        return f32_2_edited(w, hot, rounds, lane);                                                           \
    }                                                                                                        \
    static lw_step hot_##name(lw_wave *w, const lw_hot *hot)                                                 \
    {                                                                                                        \
        return f32_is_plain(w) ? f32_2(w, hot, false, lane) : edit_##name(w, hot);                           \
    }                                                                                                        \
    static lw_step sign_##name(lw_wave *w, const lw_hot *hot)                                                \
    {                                                                                                        \
        return f32_is_plain(w) ? f32_2(w, hot, true, lane) : edit_##name(w, hot);                            \
    }
#define FORM_F32_3(name, rounds, accumulates, lane)                                                          \
    static lw_step edit_##name(lw_wave *w, const lw_hot *hot)                                                \
    {                                                                                                        \
        return f32_3_edited(w, hot, rounds, accumulates, lane);                                              \
    }                                                                                                        \
    static lw_step hot_##name(lw_wave *w, const lw_hot *hot)                                                 \
    {                                                                                                        \
        return f32_is_plain(w) ? f32_3(w, hot, false, accumulates, lane) : edit_##name(w, hot);              \
    }                                                                                                        \
    static lw_step sign_##name(lw_wave *w, const lw_hot *hot)                                                \
    {                                                                                                        \
        return f32_is_plain(w) ? f32_3(w, hot, true, accumulates, lane) : edit_##name(w, hot);               \
    }

static lw_hot_fn take_f32(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    if (is_plain(in) && !in->clamp && !in->omod)
        return form->fn[lw_decoded_has_signs(in) ? 1 : 0];
    return is_editable(in, hot) ? form->fn[2] : NULL;
}

#define F32(name)                                                                                            \
    {                                                                                                        \
        .general = lw_sem_##name, .take = take_f32, .fn = { hot_##name, sign_##name, edit_##name }           \
    }

/* ---- Selection: NaNs lose, or signalling ones win (fp_select.c) ---- */

/* Signed integers in the order of the numbers, -0 below +0; its own inverse. */
VEC vi f32_rank(vi a)
{
    return vi_xor(a, vi_and(vi_sar(a, 31), vi_all(INT32_MAX)));
}

VEC vi ranked_min(vi a, vi b)
{
    return f32_rank(vi_min(f32_rank(a), f32_rank(b)));
}

VEC vi ranked_max(vi a, vi b)
{
    return f32_rank(vi_max(f32_rank(a), f32_rank(b)));
}

/* Of a pair with a NaN: the number, or, quiet not zero, a signalling NaN made quiet. */
static LW_APART vi nan_of_pair(vi a, vi b, vi r, vi quiet)
{
    const vi bit = vi_all(F32_QUIET), zero = vi_all(0);
    const vm signals = vm_not(vi_eq(quiet, zero));
    const vm nan_a = f32_is_nan(a), nan_b = f32_is_nan(b);
    const vm signal_a = vm_and(signals, vm_and(nan_a, vi_eq(vi_and(a, bit), zero)));
    const vm signal_b = vm_and(signals, vm_and(nan_b, vi_eq(vi_and(b, bit), zero)));
    r = vi_pick(nan_b, a, r);
    r = vi_pick(nan_a, b, r);
    r = vi_pick(signal_b, vi_or(b, bit), r);
    return vi_pick(signal_a, vi_or(a, bit), r);
}

VEC vi lane_min_f32(vi a, vi b, vi quiet)
{
    const vi r = ranked_min(a, b);
    return vm_any(vf_unordered(vf_from_bits(a), vf_from_bits(b))) ? nan_of_pair(a, b, r, quiet) : r;
}

VEC vi lane_max_f32(vi a, vi b, vi quiet)
{
    const vi r = ranked_max(a, b);
    return vm_any(vf_unordered(vf_from_bits(a), vf_from_bits(b))) ? nan_of_pair(a, b, r, quiet) : r;
}

VEC vi lane_min3_f32(vi a, vi b, vi c, vi quiet)
{
    return lane_min_f32(lane_min_f32(a, b, quiet), c, quiet);
}

VEC vi lane_max3_f32(vi a, vi b, vi c, vi quiet)
{
    return lane_max_f32(lane_max_f32(a, b, quiet), c, quiet);
}

VEC vm any_is_nan(vi a, vi b, vi c)
{
    return vm_or(vf_unordered(vf_from_bits(a), vf_from_bits(b)), vf_is_nan(vf_from_bits(c)));
}

VEC vi lane_med3_f32(vi a, vi b, vi c, vi quiet)
{
    const vi r = ranked_max(ranked_min(a, b), ranked_min(ranked_max(a, b), c));
    const vm nan = any_is_nan(a, b, c);
    return vm_any(nan) ? vi_pick(nan, lane_min3_f32(a, b, c, quiet), r) : r;
}

/* NaNs win, the first one, made quiet whatever MODE says. */
VEC vi first_nan(vi a, vi b, vi c, vi r)
{
    const vi bit = vi_all(F32_QUIET);
    r = vi_pick(f32_is_nan(c), vi_or(c, bit), r);
    r = vi_pick(f32_is_nan(b), vi_or(b, bit), r);
    return vi_pick(f32_is_nan(a), vi_or(a, bit), r);
}

VEC vi lane_minimum3_f32(vi a, vi b, vi c, vi quiet)
{
    (void)quiet;
    const vi r = ranked_min(ranked_min(a, b), c);
    return vm_any(any_is_nan(a, b, c)) ? first_nan(a, b, c, r) : r;
}

VEC vi lane_maximum3_f32(vi a, vi b, vi c, vi quiet)
{
    (void)quiet;
    const vi r = ranked_max(ranked_max(a, b), c);
    return vm_any(any_is_nan(a, b, c)) ? first_nan(a, b, c, r) : r;
}

FORM_F32_2(v_add_f32, true, lane_add_f32)
FORM_F32_2(v_sub_f32, true, lane_sub_f32)
FORM_F32_2(v_subrev_f32, true, lane_subrev_f32)
FORM_F32_2(v_mul_f32, true, lane_mul_f32)
FORM_F32_2(v_min_f32, false, lane_min_f32)
FORM_F32_2(v_max_f32, false, lane_max_f32)
FORM_F32_3(v_min3_f32, false, false, lane_min3_f32)
FORM_F32_3(v_max3_f32, false, false, lane_max3_f32)
FORM_F32_3(v_med3_f32, false, false, lane_med3_f32)
FORM_F32_3(v_minimum3_f32, false, false, lane_minimum3_f32)
FORM_F32_3(v_maximum3_f32, false, false, lane_maximum3_f32)
#if VEC_HAS_FMA32
FORM_F32_3(v_fma_f32, true, false, lane_fma_f32)
FORM_F32_3(v_fmac_f32, true, true, lane_fma_f32)
#define FMA_FORMS                                                                                            \
    , F32(v_fma_f32), F32(v_fmac_f32),                                                                       \
        { .general = lw_sem_v_fmamk_f32,                                                                     \
          .take = take_f32,                                                                                  \
          .fn = { hot_v_fma_f32, sign_v_fma_f32, edit_v_fma_f32 } },                                         \
    {                                                                                                        \
        .general = lw_sem_v_fmaak_f32, .take = take_f32, .fn = {                                             \
            hot_v_fma_f32,                                                                                   \
            sign_v_fma_f32,                                                                                  \
            edit_v_fma_f32                                                                                   \
        }                                                                                                    \
    }
#else
#define FMA_FORMS
#endif

/* clang-format off */
#define FLOATS_FORMS                                                                                         \
    F32(v_add_f32), F32(v_sub_f32), F32(v_subrev_f32), F32(v_mul_f32), F32(v_min_f32), F32(v_max_f32),       \
    F32(v_min3_f32), F32(v_max3_f32), F32(v_med3_f32), F32(v_minimum3_f32), F32(v_maximum3_f32) FMA_FORMS
/* clang-format on */

#endif
