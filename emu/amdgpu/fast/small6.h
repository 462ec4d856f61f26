/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of gfx950's conversions of 32 numbers of a lane to and from 6-bit floats: number i is at bit 6i
 * of six registers (vector/vsmall32.c). Stochastic rounding is left to the general handlers.
 */
#ifndef LW_EMU_AMDGPU_FAST_SMALL6_H
#define LW_EMU_AMDGPU_FAST_SMALL6_H

#include "emu/amdgpu/fast/small.h"

enum { SIX_COUNT = 32, SIX_BITS = 6, SIX_WORDS = SIX_COUNT * SIX_BITS / 32, SIX_LAST = 32 - SIX_BITS };

/* Number i of the wide sources as f32 bits; f32 numbers alternate between two sources of 16. */
VEC vi six_number(const lw_wave *w, const lw_hot *hot, small_wide wide, unsigned i, unsigned n)
{
    row_room room;
    const unsigned source = wide == SMALL_F32 ? i & 1 : 0;
    return wide == SMALL_F32 ? row_at(row_source(w, hot, source, i / 2, &room), n)
                             : half_as_f32(wide, row_at(row_source(w, hot, 0, i / 2, &room), n), i & 1);
}

/* Six words of vector n. */
VEC void six_narrowed(const lw_wave *w, const lw_hot *hot, const small_op *op, vi scale, unsigned n,
                      vi word[SIX_WORDS])
{
    for (unsigned i = 0; i < SIX_WORDS; i++)
        word[i] = vi_all(0);
    for (unsigned i = 0; i < SIX_COUNT; i++) {
        const unsigned at = SIX_BITS * i / 32, shift = SIX_BITS * i % 32;
        const vi x = six_number(w, hot, op->wide, i, n);
        const vi code = lane_narrow(op->small, false, x, true, scale);
        word[at] = vi_or(word[at], vi_shl(code, (int)shift));
        if (shift > SIX_LAST)
            word[at + 1] = vi_shr(code, (int)(32 - shift));
    }
}

VEC lw_step narrow_six(lw_wave *w, const lw_hot *hot, const small_op *op)
{
    row_room room;
    uint32_t r[SIX_WORDS][LW_LANES];
    const row s = row_source(w, hot, (unsigned)op->scale, 0, &room);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        vi word[SIX_WORDS];
        six_narrowed(w, hot, op, small_scale_at(op, s, n), n, word);
        for (unsigned i = 0; i < SIX_WORDS; i++)
            vi_store(r[i] + n * VEC_LANES, word[i]);
    }
    for (unsigned i = 0; i < SIX_WORDS; i++) {
        const row_result to = row_open(w, hot, false, i, NULL);
        for (unsigned n = 0; n < row_vectors(w); n++)
            row_put(to, n, vi_load(r[i] + n * VEC_LANES));
    }
    return LW_STEP_NEXT;
}

/* Code i of six words. */
VEC vi six_code(const vi word[SIX_WORDS], unsigned i)
{
    const unsigned at = SIX_BITS * i / 32, shift = SIX_BITS * i % 32;
    vi code = vi_shr(word[at], (int)shift);
    if (shift > SIX_LAST)
        code = vi_or(code, vi_shl(word[at + 1], (int)(32 - shift)));
    return vi_and(code, vi_all((1 << SIX_BITS) - 1));
}

/* Results may overlap sources, in lanes that have been read. */
VEC lw_step widen_six(lw_wave *w, const lw_hot *hot, const small_op *op)
{
    row_room room[2];
    const bool wide = op->wide == SMALL_F32;
    const vi nan = vi_all(wide ? 0x7fc00000 : 0x7fff0000);
    const row s = row_source(w, hot, (unsigned)op->scale, 0, &room[1]);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vi scale = small_scale_at(op, s, n);
        vi word[SIX_WORDS];
        for (unsigned i = 0; i < SIX_WORDS; i++)
            word[i] = row_at(row_source(w, hot, 0, i, &room[0]), n);
        for (unsigned i = 0; i < SIX_COUNT; i += 2) {
            const vi x = lane_widen(op->small, six_code(word, i), scale, nan);
            const vi y = lane_widen(op->small, six_code(word, i + 1), scale, nan);
            if (wide) {
                row_put(row_open(w, hot, false, i, NULL), n, x);
                row_put(row_open(w, hot, false, i + 1, NULL), n, y);
            } else {
                const vi pair = vi_or(half_of_f32(op->wide, x), vi_shl(half_of_f32(op->wide, y), 16));
                row_put(row_open(w, hot, false, i / 2, NULL), n, pair);
            }
        }
    }
    return LW_STEP_NEXT;
}

/* The numbers and codes are in registers. */
static lw_hot_fn take_six(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    const bool apart = form->kind != 0; /* source 1 holds numbers, too */
    if (hot->from[0] > LW_FROM_AGPR || (apart && hot->from[1] > LW_FROM_AGPR) || hot->to > LW_FROM_AGPR)
        return NULL;
    return take_small(form, in, hot);
}

SMALL(narrow_six, v_cvt_scalef32_2xpk16_fp6_f32, &lw_small_fp6, NULL, SMALL_F32, 2, 32)
SMALL(narrow_six, v_cvt_scalef32_2xpk16_bf6_f32, &lw_small_bf6, NULL, SMALL_F32, 2, 32)
SMALL(narrow_six, v_cvt_scalef32_pk32_fp6_f16, &lw_small_fp6, NULL, SMALL_F16, 1, 32)
SMALL(narrow_six, v_cvt_scalef32_pk32_bf6_f16, &lw_small_bf6, NULL, SMALL_F16, 1, 32)
SMALL(narrow_six, v_cvt_scalef32_pk32_fp6_bf16, &lw_small_fp6, NULL, SMALL_BF16, 1, 32)
SMALL(narrow_six, v_cvt_scalef32_pk32_bf6_bf16, &lw_small_bf6, NULL, SMALL_BF16, 1, 32)
SMALL(widen_six, v_cvt_scalef32_pk32_f32_fp6, &lw_small_fp6, NULL, SMALL_F32, 1, 32)
SMALL(widen_six, v_cvt_scalef32_pk32_f32_bf6, &lw_small_bf6, NULL, SMALL_F32, 1, 32)
SMALL(widen_six, v_cvt_scalef32_pk32_f16_fp6, &lw_small_fp6, NULL, SMALL_F16, 1, 32)
SMALL(widen_six, v_cvt_scalef32_pk32_f16_bf6, &lw_small_bf6, NULL, SMALL_F16, 1, 32)
SMALL(widen_six, v_cvt_scalef32_pk32_bf16_fp6, &lw_small_fp6, NULL, SMALL_BF16, 1, 32)
SMALL(widen_six, v_cvt_scalef32_pk32_bf16_bf6, &lw_small_bf6, NULL, SMALL_BF16, 1, 32)

#define SIX(name, apart)                                                                                     \
    {                                                                                                        \
        .general = lw_sem_##name, .take = take_six, .fn = { hot_##name }, .kind = apart                      \
    }

/* clang-format off */
#define SMALL6_FORMS                                                                                         \
    SIX(v_cvt_scalef32_2xpk16_fp6_f32, 1), SIX(v_cvt_scalef32_2xpk16_bf6_f32, 1),                            \
    SIX(v_cvt_scalef32_pk32_fp6_f16, 0), SIX(v_cvt_scalef32_pk32_bf6_f16, 0),                                \
    SIX(v_cvt_scalef32_pk32_fp6_bf16, 0), SIX(v_cvt_scalef32_pk32_bf6_bf16, 0),                              \
    SIX(v_cvt_scalef32_pk32_f32_fp6, 0), SIX(v_cvt_scalef32_pk32_f32_bf6, 0),                                \
    SIX(v_cvt_scalef32_pk32_f16_fp6, 0), SIX(v_cvt_scalef32_pk32_f16_bf6, 0),                                \
    SIX(v_cvt_scalef32_pk32_bf16_fp6, 0), SIX(v_cvt_scalef32_pk32_bf16_bf6, 0)
/* clang-format on */

#endif
