/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of dot products of a register's integers. Sums wrap. CLAMP, and signs (which mean nothing here
 * or are refused), are left to the general handler.
 */
#ifndef LW_EMU_AMDGPU_FAST_DOTS_H
#define LW_EMU_AMDGPU_FAST_DOTS_H

#include "emu/amdgpu/fast/ints.h"

VEC vi dot_element(vi x, int width, int k, bool is_signed)
{
    if (is_signed)
        return vi_sar(vi_shl(x, 32 - width * (k + 1)), 32 - width);
    return vi_and(vi_shr(x, width * k), vi_all((1 << width) - 1));
}

/* The signs of the two sources are independent. Factors of any width fit in 16 bits, and only 32 bits of the
 * sum are kept. */
VEC vi dot_lane(vi a, vi b, vi c, int width, bool sign_a, bool sign_b)
{
    for (int k = 0; k < 32 / width; k++)
        c = vi_add(c, vi_mul(dot_element(a, width, k, sign_a), dot_element(b, width, k, sign_b)));
    return c;
}

/* `old`: the addend is the old content of the result's register. */
VEC lw_step dots(lw_wave *w, const lw_hot *hot, int width, bool sign_a, bool sign_b, bool old)
{
    row_room room[3];
    const row a = row_source(w, hot, 0, 0, &room[0]), b = row_source(w, hot, 1, 0, &room[1]);
    const row c = old ? (row){ row_of_result(w, hot), VEC_LANES } : row_source(w, hot, 2, 0, &room[2]);
    const row_result r = row_open(w, hot, false, 0, NULL);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(r, n, dot_lane(row_at(a, n), row_at(b, n), row_at(c, n), width, sign_a, sign_b));
    return LW_STEP_NEXT;
}

#define DOT(name, ...)                                                                                       \
    static lw_step hot_##name(lw_wave *w, const lw_hot *hot)                                                 \
    {                                                                                                        \
        return dots(w, hot, __VA_ARGS__);                                                                    \
    }

DOT(v_dot2_i32_i16, 16, true, true, false)
DOT(v_dot2_u32_u16, 16, false, false, false)
DOT(v_dot4_i32_i8, 8, true, true, false)
DOT(v_dot4_u32_u8, 8, false, false, false)
DOT(v_dot8_i32_i4, 4, true, true, false)
DOT(v_dot8_u32_u4, 4, false, false, false)
DOT(v_dot2c_i32_i16, 16, true, true, true)
DOT(v_dot4c_i32_i8, 8, true, true, true)
DOT(v_dot8c_i32_i4, 4, true, true, true)
DOT(v_dot4_i32_iu8_first, 8, true, false, false)
DOT(v_dot4_i32_iu8_second, 8, false, true, false)
DOT(v_dot8_i32_iu4_first, 4, true, false, false)
DOT(v_dot8_i32_iu4_second, 4, false, true, false)

VEC bool dot_is_whole(const lw_decoded *in)
{
    return is_plain(in) && !in->clamp && !in->omod;
}

/* form->kind: which halves each of the two-element sources must select, low one first; 0: they cannot
 * select. */
static lw_hot_fn take_dot(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    const int pick = form->kind;
    (void)hot;
    if (!dot_is_whole(in) || lw_decoded_has_signs(in))
        return NULL;
    if (pick && in->enc == LW_ENC_VOP3P && (in->src[0].pick != pick || in->src[1].pick != pick))
        return NULL;
    return form->fn[0];
}

/* neg_lo says which source is signed. */
static lw_hot_fn take_mixed_dot(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    (void)hot;
    if (!dot_is_whole(in) || in->src[2].neg || (in->src[0].neg | in->src[1].neg) & 2)
        return NULL;
    return form->fn[(in->src[0].neg & 1) | (in->src[1].neg & 1) << 1];
}

#define DOT_ROW(name, pick)                                                                                  \
    {                                                                                                        \
        .general = lw_sem_##name, .take = take_dot, .fn = { hot_##name }, .kind = pick                       \
    }
#define MIXED_DOT_ROW(name, none, both)                                                                      \
    {                                                                                                        \
        .general = lw_sem_##name, .take = take_mixed_dot, .fn = {                                            \
            hot_##none,                                                                                      \
            hot_##name##_first,                                                                              \
            hot_##name##_second,                                                                             \
            hot_##both                                                                                       \
        }                                                                                                    \
    }

/* clang-format off */
#define DOTS_FORMS                                                                                           \
    DOT_ROW(v_dot2_i32_i16, 2), DOT_ROW(v_dot2_u32_u16, 2), DOT_ROW(v_dot4_i32_i8, 0),                       \
    DOT_ROW(v_dot4_u32_u8, 0), DOT_ROW(v_dot8_i32_i4, 0), DOT_ROW(v_dot8_u32_u4, 0),                         \
    DOT_ROW(v_dot2c_i32_i16, 0), DOT_ROW(v_dot4c_i32_i8, 0), DOT_ROW(v_dot8c_i32_i4, 0),                     \
    MIXED_DOT_ROW(v_dot4_i32_iu8, v_dot4_u32_u8, v_dot4_i32_i8),                                             \
    MIXED_DOT_ROW(v_dot8_i32_iu4, v_dot8_u32_u4, v_dot8_i32_i4)
/* clang-format on */

#endif
