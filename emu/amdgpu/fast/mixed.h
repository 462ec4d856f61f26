/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of fused multiply-adds that widen their factors: v_fma_mix, and the dot products of two f16 or
 * bf16 numbers of gfx950, which are two of them (vdot.c). Other generations' dot products are a step of a
 * matrix unit or flush, and the general handlers'.
 */
#ifndef LW_EMU_AMDGPU_FAST_MIXED_H
#define LW_EMU_AMDGPU_FAST_MIXED_H

#include "emu/amdgpu/fast/convert.h"
#include "isa_tables/amdgpu/traits.h"

#if VEC_HAS_FMA32

/* ---- v_fma_mix ---- */

enum { MIX_UPPER = 1, MIX_HALF = 2 /* bits of an operand's pick */ };

typedef struct mix_source {
    row from;
    vi keep, flip;
    uint8_t pick;
} mix_source;

VEC mix_source mix_read(const lw_wave *w, const lw_hot *hot, unsigned i, row_room *room)
{
    const lw_opnd *o = &hot->in->src[i];
    return (mix_source){ row_source(w, hot, i, 0, room), vi_all(o->abs ? INT32_MAX : -1),
                         vi_all(o->neg ? INT32_MIN : 0), o->pick };
}

VEC vi mix_at(const mix_source *s, unsigned n)
{
    vi x = row_at(s->from, n);
    if (s->pick & MIX_HALF)
        x = lane_f32_of_f16(s->pick & MIX_UPPER ? vi_shr(x, 16) : x, vi_all(0));
    return vi_and_xor(x, s->keep, s->flip);
}

/* Sources are not flushed. */
VEC bool mix_keeps(const lw_wave *w)
{
    const uint32_t both = LW_DENORM_IN_KEPT << LW_MODE_DENORM_F32_SHIFT | LW_DENORM_IN_KEPT
                                                                              << LW_MODE_DENORM_F64_SHIFT;
    return (w->mode & both) == both;
}

static lw_step hot_v_fma_mix_f32(lw_wave *w, const lw_hot *hot)
{
    static const float_op op = { &format_f32, 3, ARITHMETIC, LW_VD_FULL };
    row_room room[3];
    if (!mix_keeps(w) || !float_is_plain(w, &op))
        return lw_hot_general(w, hot);
    const vi quiet = quiet_of(w, F32);
    const mix_source a = mix_read(w, hot, 0, &room[0]), b = mix_read(w, hot, 1, &room[1]);
    const mix_source c = mix_read(w, hot, 2, &room[2]);
    const row_result r = row_open(w, hot, false, 0, NULL);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(r, n, lane_fma_f32(mix_at(&a, n), mix_at(&b, n), mix_at(&c, n), quiet));
    return LW_STEP_NEXT;
}

#ifdef __AVX512F__ /* vf_sum_to_odd takes any factors; elsewhere their product must be exact */
/* To f16 by way of a sum rounded to odd, which leaves every f16 rounding right. NaNs are in doubt. */
VEC vi mix_half(vi a, vi b, vi c, vm *doubt)
{
    const vf sum = vf_sum_to_odd(vf_from_bits(a), vf_from_bits(b), vf_from_bits(c));
    *doubt = vf_is_nan(sum);
    return vi_f16_of(sum);
}
#else
/*
 * To f16 by way of f32. Rounding twice is rounding once, unless the f32 number lies in the middle between two
 * f16 numbers; normal ones have 13 bits less. Numbers below those, and NaNs, are in doubt too.
 */
VEC vi mix_half(vi a, vi b, vi c, vm *doubt)
{
    enum { REST = 0x1fff, MIDDLE = 0x1000, LEAST = 0x38800000 };
    const vf sum = vf_fma(vf_from_bits(a), vf_from_bits(b), vf_from_bits(c));
    const vi bits = vf_bits(sum), size = size_of(F32, bits);
    const vm middle = vi_eq(vi_and(bits, vi_all(REST)), vi_all(MIDDLE));
    const vm low = vm_and(vi_gt(vi_all(LEAST), size), vm_not(vi_eq(size, vi_all(0))));
    *doubt = vm_or(middle, vm_or(low, vf_is_nan(sum)));
    return vi_f16_of(sum);
}
#endif

/* The other half of the register is kept. */
VEC lw_step mix_to_half(lw_wave *w, const lw_hot *hot, bool high)
{
    row_room room[3];
    uint32_t r[LW_LANES];
    uint64_t doubts = 0;
    if (!mix_keeps(w) || !f16_is_plain(w))
        return lw_hot_general(w, hot);
    const mix_source a = mix_read(w, hot, 0, &room[0]), b = mix_read(w, hot, 1, &room[1]);
    const mix_source c = mix_read(w, hot, 2, &room[2]);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        vm doubt;
        vi_store(r + n * VEC_LANES, mix_half(mix_at(&a, n), mix_at(&b, n), mix_at(&c, n), &doubt));
        doubts |= (uint64_t)vm_bits(doubt) << n * VEC_LANES;
    }
    if (doubts & lw_wave_exec(w))
        return lw_hot_general(w, hot);
    const row_result to = row_open(w, hot, false, 0, NULL);
    const vi kept = vi_all(high ? 0xffff : (int)UINT32_C(0xffff0000));
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vi half = vi_load(r + n * VEC_LANES), old = vi_and(vi_load(to.at + n * VEC_LANES), kept);
        row_put(to, n, vi_or(high ? vi_shl(half, 16) : half, old));
    }
    return LW_STEP_NEXT;
}

static lw_step hot_v_fma_mixlo_f16(lw_wave *w, const lw_hot *hot)
{
    return mix_to_half(w, hot, false);
}

static lw_step hot_v_fma_mixhi_f16(lw_wave *w, const lw_hot *hot)
{
    return mix_to_half(w, hot, true);
}

/* Constants are f32; those read as f16 are left to the general handler, except zero. */
static lw_hot_fn take_mix(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    (void)hot;
    for (unsigned i = 0; i < 3; i++)
        if (in->src[i].kind == LW_OPND_INLINE && in->src[i].pick & MIX_HALF && in->src[i].value)
            return NULL;
    return in->sub == LW_SUB_NONE && !in->clamp && !in->omod && !in->dst.sel ? form->fn[0] : NULL;
}

/* ---- Dot products of gfx950 ---- */

VEC vi dot_wide(vi x, bool upper, bool is_bf16)
{
    if (is_bf16)
        return upper ? vi_and(x, vi_all((int)UINT32_C(0xffff0000))) : vi_shl(x, 16);
    return lane_f32_of_f16(upper ? vi_shr(x, 16) : x, vi_all(0));
}

/* Element k of a source, with its sign. */
VEC vi dot_factor(vi x, const lw_opnd *o, bool picks, unsigned k, bool is_bf16)
{
    const vi wide = dot_wide(x, picks ? (o->pick >> k & 1) != 0 : k != 0, is_bf16);
    return vi_xor(wide, vi_all(o->neg >> k & 1 ? INT32_MIN : 0));
}

/* Whatever MODE says, sums are rounded to the nearest and nothing is flushed. */
VEC lw_step dots_wide(lw_wave *w, const lw_hot *hot, bool is_bf16, bool old)
{
    const lw_amdgpu_traits *traits = lw_amdgpu_traits_of(w->arch);
    const lw_opnd *o = hot->in->src;
    const bool picks = !old;
    row_room room[3];
    if (traits->dot2_flushes || (is_bf16 ? traits->dot2_bf16 : traits->dot2_f16))
        return lw_hot_general(w, hot);
    const vi quiet = quiet_of(w, F32);
    const vi keep = vi_all(!old && o[2].neg & 2 ? INT32_MAX : -1),
             flip = vi_all(!old && o[2].neg & 1 ? INT32_MIN : 0);
    const row a = row_source(w, hot, 0, 0, &room[0]), b = row_source(w, hot, 1, 0, &room[1]);
    const row c = old ? (row){ row_of_result(w, hot), VEC_LANES } : row_source(w, hot, 2, 0, &room[2]);
    const row_result r = row_open(w, hot, false, 0, NULL);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vi x = row_at(a, n), y = row_at(b, n);
        vi sum = vi_and_xor(row_at(c, n), keep, flip);
        for (unsigned k = 0; k < 2; k++)
            sum = lane_fma_f32(dot_factor(x, &o[0], picks, k, is_bf16),
                               dot_factor(y, &o[1], picks, k, is_bf16), sum, quiet);
        row_put(r, n, sum);
    }
    return LW_STEP_NEXT;
}

#define DOT_WIDE(name, ...)                                                                                  \
    static lw_step hot_##name(lw_wave *w, const lw_hot *hot)                                                 \
    {                                                                                                        \
        return dots_wide(w, hot, __VA_ARGS__);                                                               \
    }

DOT_WIDE(v_dot2_f32_f16, false, false)
DOT_WIDE(v_dot2_f32_bf16, true, false)
DOT_WIDE(v_dot2c_f32_f16, false, true)
DOT_WIDE(v_dot2c_f32_bf16, true, true)

/* form->kind: VOP2, which has no sign modifiers and no choice of halves. */
static lw_hot_fn take_wide_dot(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    (void)hot;
    if (!is_plain(in) || in->clamp || in->omod || (in->enc != LW_ENC_VOP3P) != form->kind)
        return NULL;
    return form->kind && lw_decoded_has_signs(in) ? NULL : form->fn[0];
}

/* clang-format off */
#define MIXED_FORMS                                                                                          \
    { lw_sem_v_fma_mix_f32, take_mix, { hot_v_fma_mix_f32 }, 0 },                                            \
    { lw_sem_v_fma_mixlo_f16, take_mix, { hot_v_fma_mixlo_f16 }, 0 },                                        \
    { lw_sem_v_fma_mixhi_f16, take_mix, { hot_v_fma_mixhi_f16 }, 0 },                                        \
    { lw_sem_v_dot2_f32_f16, take_wide_dot, { hot_v_dot2_f32_f16 }, 0 },                                     \
    { lw_sem_v_dot2_f32_bf16, take_wide_dot, { hot_v_dot2_f32_bf16 }, 0 },                                   \
    { lw_sem_v_dot2c_f32_f16, take_wide_dot, { hot_v_dot2c_f32_f16 }, 1 },                                   \
    { lw_sem_v_dot2c_f32_bf16, take_wide_dot, { hot_v_dot2c_f32_bf16 }, 1 },
/* clang-format on */

#else
#define MIXED_FORMS
#endif

#endif
