/* SPDX-License-Identifier: MIT */
/* Fast forms of 32-bit integer and bit operations: a lane expression joined to a shape. */
#ifndef LW_EMU_AMDGPU_FAST_INTS_H
#define LW_EMU_AMDGPU_FAST_INTS_H

#include "emu/amdgpu/fast/row.h"

/* No DPP, no SDWA, no parts of registers, no modifiers. */
VEC bool is_plain(const lw_decoded *in)
{
    return in->sub == LW_SUB_NONE && !in->clamp && !in->omod && !in->dst.sel && !lw_decoded_has_signs(in) &&
           !in->src[0].sel && !in->src[1].sel && !in->src[2].sel;
}

static lw_hot_fn take_plain(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    (void)hot;
    return is_plain(in) ? form->fn[0] : NULL;
}

VEC lw_step ints_1(lw_wave *w, const lw_hot *hot, vi (*lane)(vi))
{
    row a = row_source(w, hot, 0);
    for (unsigned n = 0; n < ROW_VECTORS; n++)
        a.v[n] = lane(a.v[n]);
    return row_finish(w, hot, a);
}

VEC lw_step ints_2(lw_wave *w, const lw_hot *hot, vi (*lane)(vi, vi))
{
    row a = row_source(w, hot, 0);
    const row b = row_source(w, hot, 1);
    for (unsigned n = 0; n < ROW_VECTORS; n++)
        a.v[n] = lane(a.v[n], b.v[n]);
    return row_finish(w, hot, a);
}

VEC lw_step ints_3(lw_wave *w, const lw_hot *hot, vi (*lane)(vi, vi, vi))
{
    row a = row_source(w, hot, 0);
    const row b = row_source(w, hot, 1), c = row_source(w, hot, 2);
    for (unsigned n = 0; n < ROW_VECTORS; n++)
        a.v[n] = lane(a.v[n], b.v[n], c.v[n]);
    return row_finish(w, hot, a);
}

#define INTS(shape, name, lane)                                                                              \
    static lw_step hot_##name(lw_wave *w, const lw_hot *hot)                                                 \
    {                                                                                                        \
        return shape(w, hot, lane);                                                                          \
    }

VEC vi lane_same(vi a)
{
    return a;
}

VEC vi lane_subrev(vi a, vi b)
{
    return vi_sub(b, a);
}

VEC vi lane_not(vi a)
{
    return vi_xor(a, vi_all(-1));
}

VEC vi lane_and_or(vi a, vi b, vi c)
{
    return vi_or(vi_and(a, b), c);
}

VEC vi lane_or3(vi a, vi b, vi c)
{
    return vi_or(vi_or(a, b), c);
}

VEC vi lane_add3(vi a, vi b, vi c)
{
    return vi_add(vi_add(a, b), c);
}

INTS(ints_1, v_mov_b32, lane_same)
INTS(ints_1, v_not_b32, lane_not)
INTS(ints_2, v_and_b32, vi_and)
INTS(ints_2, v_or_b32, vi_or)
INTS(ints_2, v_xor_b32, vi_xor)
INTS(ints_2, v_add_u32, vi_add)
INTS(ints_2, v_sub_u32, vi_sub)
INTS(ints_2, v_subrev_u32, lane_subrev)
INTS(ints_3, v_and_or_b32, lane_and_or)
INTS(ints_3, v_or3_b32, lane_or3)
INTS(ints_3, v_add3_u32, lane_add3)

#define PLAIN(name)                                                                                          \
    {                                                                                                        \
        lw_sem_##name, take_plain,                                                                           \
        {                                                                                                    \
            hot_##name                                                                                       \
        }                                                                                                    \
    }

#define INTS_FORMS                                                                                           \
    PLAIN(v_mov_b32), PLAIN(v_not_b32), PLAIN(v_and_b32), PLAIN(v_or_b32), PLAIN(v_xor_b32),                 \
        PLAIN(v_add_u32), PLAIN(v_sub_u32), PLAIN(v_subrev_u32), PLAIN(v_and_or_b32), PLAIN(v_or3_b32),      \
        PLAIN(v_add3_u32)

#endif
