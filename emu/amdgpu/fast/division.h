/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of v_ldexp_f32 and of what compilers divide f32 numbers with (fp_integral.c, fp_div.c). Modes
 * that flush subnormals, CLAMP and OMOD of the division's operations are the general handlers'.
 */
#ifndef LW_EMU_AMDGPU_FAST_DIVISION_H
#define LW_EMU_AMDGPU_FAST_DIVISION_H

#include "emu/amdgpu/fast/floats.h"

VEC vi field_of_f32(vi x)
{
    return vi_shr(size_of(F32, x), format_f32.frac_bits);
}

/*
 * x * 2^n, rounded once. Subnormal sources are made normal first, which is exact; a result with an exponent
 * field below 1 is the host's product of a normal number and 2^-64.
 */
VEC vi lane_ldexp_f32(vi x, vi n, vi c, vi quiet)
{
    enum { FAR = 1000, UP = 32, DOWN = 64, SIGN_AND_FRACTION = (int)0x807fffffu };
    (void)c;
    const vi sign = vi_and(x, vi_all(INT32_MIN)), one = vi_all(1), inf = vi_all(format_f32.inf);
    const vm small = vi_eq(field_of_f32(x), vi_all(0));
    const vi step = vi_min(vi_max(n, vi_all(-FAR)), vi_all(FAR));
    const vi from = vi_pick(small, vf_bits(vf_mul(vf_from_bits(x), vf_all(0x1p32f))), x);
    const vi top = vi_add(field_of_f32(from), vi_sub(step, vi_pick(small, vi_all(UP), vi_all(0))));
    const vi rest = vi_and(from, vi_all(SIGN_AND_FRACTION));
    const vi above = vi_or(rest, vi_shl(vi_max(vi_add(top, vi_all(DOWN)), one), format_f32.frac_bits));
    const vi below = vf_bits(vf_mul(vf_from_bits(above), vf_all(0x1p-64f)));
    vi r = vi_or(rest, vi_shl(top, format_f32.frac_bits));
    r = vi_pick(vi_gt(top, vi_all(format_f32.top - 1)), vi_or(sign, inf), r);
    r = vi_pick(vi_gt(one, top), below, r);
    r = vi_pick(vm_or(is_zero(F32, x), is_inf(F32, x)), x, r);
    return vi_pick(is_nan(F32, x), vi_or(x, quiet), r);
}

/* The quotient, unless the numerator or the denominator determines the result. */
VEC vi lane_div_fixup_f32(vi q, vi d, vi n, vi quiet)
{
    enum { TOO_FAR = 127 + 23 };
    (void)quiet;
    const vi sign = vi_and(vi_xor(n, d), vi_all(INT32_MIN)), inf = vi_all(format_f32.inf);
    const vi bit = vi_all(format_f32.quiet), size = size_of(F32, q);
    const vm zero_d = is_zero(F32, d), zero_n = is_zero(F32, n);
    const vm inf_d = is_inf(F32, d), inf_n = is_inf(F32, n);
    const vm low = vi_gt(vi_sub(field_of_f32(d), field_of_f32(n)), vi_all(TOO_FAR));
    vi r = vi_or(sign, vi_min(size, inf));
    r = vi_pick(vm_or(low, vm_or(zero_n, inf_d)), sign, r);
    r = vi_pick(vm_or(zero_d, inf_n), vi_or(sign, inf), r);
    r = vi_pick(vm_or(vm_and(zero_d, zero_n), vm_and(inf_d, inf_n)), vi_all(format_f32.made), r);
    r = vi_pick(is_nan(F32, d), vi_or(d, bit), r);
    return vi_pick(is_nan(F32, n), vi_or(n, bit), r);
}

FORM_FLOAT(v_ldexp_f32, lane_ldexp_f32, F32, 2, ARITHMETIC | OP_COUNT, LW_VD_FULL)
FORM_FLOAT(v_div_fixup_f32, lane_div_fixup_f32, F32, 3, ARITHMETIC | OP_KEEPS, LW_VD_FULL)

/* Sign modifiers of an integer have no effect. */
static lw_hot_fn take_ldexp(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    return in->src[1].neg || in->src[1].abs ? NULL : take_float(form, in, hot);
}

/* ---- v_div_scale: the number by which a source is multiplied, and whether v_div_fmas has to undo it ---- */

typedef struct div_scales {
    vi power;
    vm post;
} div_scales;

VEC div_scales div_scales_of(vi value, vi d, vi n)
{
    enum { FAR = 96, LARGE = 2 * 127 - 1, SMALL = 24 };
    const vi e_d = field_of_f32(d), e_n = field_of_f32(n), apart = vi_sub(e_n, e_d);
    const vi zero = vi_all(0), up = vi_all(64), down = vi_all(-64);
    const vm is_d = vi_eq(value, d), large = vi_gt(e_d, vi_all(LARGE - 1)), none = vi_eq(e_d, zero);
    const vm above = vi_gt(apart, vi_all(FAR - 1)), below = vi_gt(vi_all(1 - FAR), apart);
    vi power = vi_pick(vi_gt(e_n, vi_all(SMALL)), zero, up);
    power = vi_pick(below, vi_pick(is_d, zero, up), power);
    power = vi_pick(large, vi_pick(vm_and(below, vm_not(is_d)), zero, down), power);
    power = vi_pick(none, up, power);
    power = vi_pick(above, vi_pick(is_d, up, zero), power);
    return (div_scales){ power, vm_or(above, vm_and(below, vm_not(none))) };
}

VEC vi div_scaled(vi value, vi d, vi n, vi power, vi quiet)
{
    const vi r = lane_ldexp_f32(value, power, power, quiet);
    return vi_pick(vm_or(is_zero(F32, d), is_zero(F32, n)), vi_all(format_f32.made), r);
}

static lw_step hot_v_div_scale_f32(lw_wave *w, const lw_hot *hot)
{
    static const float_op op = { &format_f32, 3, ARITHMETIC, LW_VD_FULL };
    row_room room[3];
    const vi quiet = quiet_of(w, F32);
    uint64_t mask = 0;
    if (!float_is_plain(w, &op))
        return lw_hot_general(w, hot);
    const float_source a = float_read(w, hot, &op, 0, &room[0]), b = float_read(w, hot, &op, 1, &room[1]);
    const float_source c = float_read(w, hot, &op, 2, &room[2]);
    const row_result r = row_open(w, hot, false, 0, NULL);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vi value = float_at(&a, n, &op, WAY_SIGNED), d = float_at(&b, n, &op, WAY_SIGNED);
        const vi above = float_at(&c, n, &op, WAY_SIGNED);
        const div_scales scales = div_scales_of(value, d, above);
        row_put(r, n, div_scaled(value, d, above, scales.power, quiet));
        mask |= (uint64_t)vm_bits(scales.post) << n * VEC_LANES;
    }
    lw_vwrite_mask(w, hot->in, mask & r.active);
    return LW_STEP_NEXT;
}

static lw_hot_fn take_division(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    (void)hot;
    return is_plain(in) && !in->clamp && !in->omod ? form->fn[0] : NULL;
}

/* ---- v_div_fmas: where no lane needs rescaling, a fused multiply-add ---- */

#if VEC_HAS_FMA32
static lw_step hot_v_div_fmas_f32(lw_wave *w, const lw_hot *hot)
{
    if (lw_wave_mask(w, LW_SGPR_VCC) & lw_wave_exec(w) || !float_keeps(w, F32))
        return lw_hot_general(w, hot);
    return sign_v_fma_f32(w, hot);
}
#define FMAS_FORMS                                                                                           \
    ,                                                                                                        \
    {                                                                                                        \
        lw_sem_v_div_fmas_f32, take_division, { hot_v_div_fmas_f32 }, 0                                      \
    }
#else
#define FMAS_FORMS
#endif

/* clang-format off */
#define DIVISION_FORMS                                                                                       \
    { lw_sem_v_ldexp_f32, take_ldexp,                                                                        \
      { hot_v_ldexp_f32, sign_v_ldexp_f32, limit_v_ldexp_f32, edit_v_ldexp_f32 }, 0 },                       \
    FLOAT(v_div_fixup_f32), { lw_sem_v_div_scale_f32, take_division, { hot_v_div_scale_f32 }, 0 } FMAS_FORMS
/* clang-format on */

#endif
