/* SPDX-License-Identifier: MIT */
/* Fast forms of v_cmp_class and v_cmpx_class: is a number of one of the classes that a mask names? */
#ifndef LW_EMU_AMDGPU_FAST_CLASSES_H
#define LW_EMU_AMDGPU_FAST_CLASSES_H

#include "emu/amdgpu/fast/masks.h"
#include "emu/amdgpu/fast/numbers.h"

/* The bit of a number's class: NaNs, then classes from -Inf up to +Inf (fp_select.c, lw_fp_class). */
VEC vi class_of(const float_format *f, vi x)
{
    const vi size = size_of(f, x);
    vi above = vi_pick(vi_gt(vi_all(f->least), size), vi_all(1), vi_all(2)); /* from zero outwards */
    above = vi_pick(vi_eq(size, vi_all(0)), vi_all(0), above);
    above = vi_pick(is_inf(f, x), vi_all(3), above);
    const vm positive = vi_eq(vi_and(x, vi_all(f->sign)), vi_all(0));
    const vi number = vi_pick(positive, vi_add(vi_all(6), above), vi_sub(vi_all(5), above));
    const vm signalling = vi_eq(vi_and(x, vi_all(f->quiet)), vi_all(0));
    return vi_pick(is_nan(f, x), vi_pick(signalling, vi_all(0), vi_all(1)), number);
}

/* The number keeps its raw encoding, apart from sign modifiers; it is not flushed. */
VEC lw_step classify(lw_wave *w, const lw_hot *hot, bool edited, const float_format *f)
{
    row_room room[2];
    uint64_t mask = 0;
    const lw_vkind bits = f == F16 ? LW_V_B16 : LW_V_B32;
    const row a = edited ? row_edit(w, hot, 0, f->kind, false, &room[0]) : row_source(w, hot, 0, 0, &room[0]);
    const row b = row_read(w, hot, 1, edited, bits, &room[1]);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vi named = vi_and(vi_shrv(row_at(b, n), class_of(f, row_at(a, n))), vi_all(1));
        mask |= (uint64_t)vm_bits(vi_eq(named, vi_all(1))) << n * VEC_LANES;
    }
    mask &= row_active(w, hot, edited);
    lw_wave_set_mask(w, hot->dst, mask);
    if (hot->offset & ORDER_EXEC)
        lw_wave_set_mask(w, LW_SGPR_EXEC, mask);
    return LW_STEP_NEXT;
}

FORM(classify, v_cmp_class_f32, F32)
FORM(classify, v_cmp_class_f16, F16)

/* Halves are extracted from their registers, which requires editing. */
/* clang-format off */
#define CLASSES_FORMS                                                                                        \
    { lw_sem_v_cmp_class_f32, take_compare, { hot_v_cmp_class_f32, edit_v_cmp_class_f32 }, 0 },              \
    { lw_sem_v_cmpx_class_f32, take_compare, { hot_v_cmp_class_f32, edit_v_cmp_class_f32 }, ORDER_EXEC },    \
    { lw_sem_v_cmp_class_f16, take_compare, { NULL, edit_v_cmp_class_f16 }, 0 },                             \
    { lw_sem_v_cmpx_class_f16, take_compare, { NULL, edit_v_cmp_class_f16 }, ORDER_EXEC }
/* clang-format on */

#endif
