/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of f32 arithmetic: the host's operations, to nearest even. Which NaN results is never the host's
 * choice: lanes with a NaN are computed again with selections.
 */
#ifndef LW_EMU_AMDGPU_FAST_FLOATS_H
#define LW_EMU_AMDGPU_FAST_FLOATS_H

#include "emu/amdgpu/fast/masks.h"
#include "emu/amdgpu/fast/numbers.h"

static LW_APART vi f32_nan_of_fma(vi a, vi b, vi c, vi quiet)
{
    return nan_of_fma(F32, a, b, c, quiet);
}

/* What the host computed, except for NaNs, which are those of a * b + c. */
VEC vi f32_or_nan(vf r, vi a, vi b, vi c, vi quiet)
{
    const vm nan = vf_is_nan(r);
    return vm_any(nan) ? vi_pick(nan, f32_nan_of_fma(a, b, c, quiet), vf_bits(r)) : vf_bits(r);
}

ARITHMETIC_OF(f32, vf_from_bits)

#if VEC_HAS_FMA32
VEC vi lane_fma_f32(vi a, vi b, vi c, vi quiet)
{
    return f32_or_nan(vf_fma(vf_from_bits(a), vf_from_bits(b), vf_from_bits(c)), a, b, c, quiet);
}
#endif

/* ---- Arithmetic of numbers: a NaN results if a source is one or the operation is invalid ---- */

VEC vi f32_doubted(vf r, vm *doubt)
{
    *doubt = vm_or(*doubt, vf_is_nan(r));
    return vf_bits(r);
}

VEC vi raw_add_f32(vi a, vi b, vi c, vm *doubt)
{
    (void)c;
    return f32_doubted(vf_add(vf_from_bits(a), vf_from_bits(b)), doubt);
}

VEC vi raw_sub_f32(vi a, vi b, vi c, vm *doubt)
{
    (void)c;
    return f32_doubted(vf_sub(vf_from_bits(a), vf_from_bits(b)), doubt);
}

VEC vi raw_subrev_f32(vi a, vi b, vi c, vm *doubt)
{
    return raw_sub_f32(b, a, c, doubt);
}

VEC vi raw_mul_f32(vi a, vi b, vi c, vm *doubt)
{
    (void)c;
    return f32_doubted(vf_mul(vf_from_bits(a), vf_from_bits(b)), doubt);
}

#if VEC_HAS_FMA32
VEC vi raw_fma_f32(vi a, vi b, vi c, vm *doubt)
{
    return f32_doubted(vf_fma(vf_from_bits(a), vf_from_bits(b), vf_from_bits(c)), doubt);
}
#endif

/* ---- Selection: NaNs lose, except that signalling ones may win (fp_select.c) ---- */

VEC vi lesser(vi a, vi b)
{
    return vf_bits(vf_min_number(vf_from_bits(a), vf_from_bits(b)));
}

VEC vi greater(vi a, vi b)
{
    return vf_bits(vf_max_number(vf_from_bits(a), vf_from_bits(b)));
}

/* The result for a pair with a NaN: the number or, if `quiet` is not zero, a signalling NaN, quieted. */
static LW_APART vi nan_of_pair(vi a, vi b, vi r, vi quiet)
{
    const vi bit = vi_all(format_f32.quiet), zero = vi_all(0);
    const vm signals = vm_not(vi_eq(quiet, zero));
    const vm nan_a = is_nan(F32, a), nan_b = is_nan(F32, b);
    const vm signal_a = vm_and(signals, vm_and(nan_a, vi_eq(vi_and(a, bit), zero)));
    const vm signal_b = vm_and(signals, vm_and(nan_b, vi_eq(vi_and(b, bit), zero)));
    r = vi_pick(nan_b, a, r);
    r = vi_pick(nan_a, b, r);
    r = vi_pick(signal_b, vi_or(b, bit), r);
    return vi_pick(signal_a, vi_or(a, bit), r);
}

VEC vi min_f32(vi a, vi b, vi quiet)
{
    const vi r = lesser(a, b);
    return vm_any(vf_unordered(vf_from_bits(a), vf_from_bits(b))) ? nan_of_pair(a, b, r, quiet) : r;
}

VEC vi max_f32(vi a, vi b, vi quiet)
{
    const vi r = greater(a, b);
    return vm_any(vf_unordered(vf_from_bits(a), vf_from_bits(b))) ? nan_of_pair(a, b, r, quiet) : r;
}

VEC vi lane_min3_f32(vi a, vi b, vi c, vi quiet)
{
    return min_f32(min_f32(a, b, quiet), c, quiet);
}

VEC vi lane_max3_f32(vi a, vi b, vi c, vi quiet)
{
    return max_f32(max_f32(a, b, quiet), c, quiet);
}

VEC vi raw_min_f32(vi a, vi b, vi c, vm *doubt)
{
    (void)c;
    *doubt = vm_or(*doubt, vf_unordered(vf_from_bits(a), vf_from_bits(b)));
    return lesser(a, b);
}

VEC vi raw_max_f32(vi a, vi b, vi c, vm *doubt)
{
    (void)c;
    *doubt = vm_or(*doubt, vf_unordered(vf_from_bits(a), vf_from_bits(b)));
    return greater(a, b);
}

VEC vm any_is_nan(vi a, vi b, vi c)
{
    return vm_or(vf_unordered(vf_from_bits(a), vf_from_bits(b)), vf_is_nan(vf_from_bits(c)));
}

VEC vi raw_min3_f32(vi a, vi b, vi c, vm *doubt)
{
    *doubt = vm_or(*doubt, any_is_nan(a, b, c));
    return lesser(lesser(a, b), c);
}

VEC vi raw_max3_f32(vi a, vi b, vi c, vm *doubt)
{
    *doubt = vm_or(*doubt, any_is_nan(a, b, c));
    return greater(greater(a, b), c);
}

VEC vi raw_med3_f32(vi a, vi b, vi c, vm *doubt)
{
    *doubt = vm_or(*doubt, any_is_nan(a, b, c));
    return greater(lesser(a, b), lesser(greater(a, b), c));
}

VEC vi lane_med3_f32(vi a, vi b, vi c, vi quiet)
{
    const vi r = greater(lesser(a, b), lesser(greater(a, b), c));
    const vm nan = any_is_nan(a, b, c);
    return vm_any(nan) ? vi_pick(nan, lane_min3_f32(a, b, c, quiet), r) : r;
}

static LW_APART vi f32_first_nan(vi a, vi b, vi c, vi r)
{
    return first_nan(F32, a, b, c, r);
}

VEC vi lane_minimum3_f32(vi a, vi b, vi c, vi quiet)
{
    (void)quiet;
    const vi r = lesser(lesser(a, b), c);
    return vm_any(any_is_nan(a, b, c)) ? f32_first_nan(a, b, c, r) : r;
}

VEC vi lane_maximum3_f32(vi a, vi b, vi c, vi quiet)
{
    (void)quiet;
    const vi r = greater(greater(a, b), c);
    return vm_any(any_is_nan(a, b, c)) ? f32_first_nan(a, b, c, r) : r;
}

/* ---- Selection of gfx11 and gfx12: numbers win against NaNs, or lose (fp_select.c, number, propagating3)
 * ---- */

static LW_APART vi nan_of_numbers(vi a, vi b, vi r)
{
    const vm nan_a = is_nan(F32, a), nan_b = is_nan(F32, b);
    r = vi_pick(nan_a, b, vi_pick(nan_b, a, r));
    return vi_pick(vm_and(nan_a, nan_b), vi_or(a, vi_all(format_f32.quiet)), r);
}

VEC vi min_num_f32(vi a, vi b, vi quiet)
{
    (void)quiet;
    const vi r = lesser(a, b);
    return vm_any(vf_unordered(vf_from_bits(a), vf_from_bits(b))) ? nan_of_numbers(a, b, r) : r;
}

VEC vi max_num_f32(vi a, vi b, vi quiet)
{
    (void)quiet;
    const vi r = greater(a, b);
    return vm_any(vf_unordered(vf_from_bits(a), vf_from_bits(b))) ? nan_of_numbers(a, b, r) : r;
}

VEC vi minimum_f32(vi a, vi b, vi quiet)
{
    return lane_minimum3_f32(a, b, b, quiet);
}

VEC vi maximum_f32(vi a, vi b, vi quiet)
{
    return lane_maximum3_f32(a, b, b, quiet);
}

/* One operation after the other. */
#define LANE_THEN(name, first, second)                                                                       \
    VEC vi lane_##name(vi a, vi b, vi c, vi quiet)                                                           \
    {                                                                                                        \
        return second(first(a, b, quiet), c, quiet);                                                         \
    }

LANE_THEN(min3_num_f32, min_num_f32, min_num_f32)
LANE_THEN(max3_num_f32, max_num_f32, max_num_f32)
LANE_THEN(minmax_num_f32, min_num_f32, max_num_f32)
LANE_THEN(maxmin_num_f32, max_num_f32, min_num_f32)
LANE_THEN(minimummaximum_f32, minimum_f32, maximum_f32)
LANE_THEN(maximumminimum_f32, maximum_f32, minimum_f32)
LANE_THEN(minmax_f32, min_f32, max_f32)
LANE_THEN(maxmin_f32, max_f32, min_f32)

VEC vi lane_med3_num_f32(vi a, vi b, vi c, vi quiet)
{
    const vi r = greater(lesser(a, b), lesser(greater(a, b), c));
    const vm nan = any_is_nan(a, b, c);
    return vm_any(nan) ? vi_pick(nan, lane_min3_num_f32(a, b, c, quiet), r) : r;
}

VEC vi raw_minmax_f32(vi a, vi b, vi c, vm *doubt)
{
    *doubt = vm_or(*doubt, any_is_nan(a, b, c));
    return greater(lesser(a, b), c);
}

VEC vi raw_maxmin_f32(vi a, vi b, vi c, vm *doubt)
{
    *doubt = vm_or(*doubt, any_is_nan(a, b, c));
    return lesser(greater(a, b), c);
}

/* ---- Integral parts: below 2^23 the host rounds to nearest; the rest is a step of one ---- */

VEC vf nearest(vf a)
{
    const vf large = vf_all(0x1p23f), size = vf_abs(a), near = vf_sub(vf_add(size, large), large);
    const vi sign = vi_and(vf_bits(a), vi_all(INT32_MIN));
    return vf_pick(vf_less(size, large), vf_from_bits(vi_or(vf_bits(near), sign)), a);
}

/* Adds the step where `over` says so and keeps the sign of zero; NaNs are passed on. */
VEC vi integral(vi x, vf near, vm over, float step, vi quiet)
{
    const vi sign = vi_and(x, vi_all(INT32_MIN));
    const vf stepped = vf_pick(over, vf_add(near, vf_all(step)), near);
    return vi_pick(is_nan(F32, x), vi_or(x, quiet), vi_or(vf_bits(stepped), sign));
}

VEC vi floor_f32(vi x, vi quiet)
{
    const vf a = vf_from_bits(x), near = nearest(a);
    return integral(x, near, vf_less(a, near), -1.0f, quiet);
}

VEC vi ceil_f32(vi x, vi quiet)
{
    const vf a = vf_from_bits(x), near = nearest(a);
    return integral(x, near, vf_less(near, a), 1.0f, quiet);
}

VEC vi trunc_f32(vi x, vi quiet)
{
    const vi sign = vi_and(x, vi_all(INT32_MIN));
    return vi_or(floor_f32(size_of(F32, x), quiet), sign);
}

VEC vi rndne_f32(vi x, vi quiet)
{
    const vf a = vf_from_bits(x);
    return integral(x, nearest(a), vm_none(), 0.0f, quiet);
}

LANE_1(floor_f32)
LANE_1(ceil_f32)
LANE_1(trunc_f32)
LANE_1(rndne_f32)
LANE_2(min_f32)
LANE_2(max_f32)
LANE_2(min_num_f32)
LANE_2(max_num_f32)
LANE_2(minimum_f32)
LANE_2(maximum_f32)

FORM_CHECKED(v_add_f32, lane_add_f32, raw_add_f32, F32, 2, ARITHMETIC, LW_VD_FULL)
FORM_CHECKED(v_sub_f32, lane_sub_f32, raw_sub_f32, F32, 2, ARITHMETIC, LW_VD_FULL)
FORM_CHECKED(v_subrev_f32, lane_subrev_f32, raw_subrev_f32, F32, 2, ARITHMETIC, LW_VD_FULL)
FORM_CHECKED(v_mul_f32, lane_mul_f32, raw_mul_f32, F32, 2, ARITHMETIC, LW_VD_FULL)
FORM_CHECKED(v_min_f32, lane_min_f32, raw_min_f32, F32, 2, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_max_f32, lane_max_f32, raw_max_f32, F32, 2, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_min3_f32, lane_min3_f32, raw_min3_f32, F32, 3, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_max3_f32, lane_max3_f32, raw_max3_f32, F32, 3, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_med3_f32, lane_med3_f32, raw_med3_f32, F32, 3, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_minimum3_f32, lane_minimum3_f32, raw_min3_f32, F32, 3, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_maximum3_f32, lane_maximum3_f32, raw_max3_f32, F32, 3, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_min_num_f32, lane_min_num_f32, raw_min_f32, F32, 2, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_max_num_f32, lane_max_num_f32, raw_max_f32, F32, 2, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_minimum_f32, lane_minimum_f32, raw_min_f32, F32, 2, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_maximum_f32, lane_maximum_f32, raw_max_f32, F32, 2, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_min3_num_f32, lane_min3_num_f32, raw_min3_f32, F32, 3, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_max3_num_f32, lane_max3_num_f32, raw_max3_f32, F32, 3, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_med3_num_f32, lane_med3_num_f32, raw_med3_f32, F32, 3, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_minmax_f32, lane_minmax_f32, raw_minmax_f32, F32, 3, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_maxmin_f32, lane_maxmin_f32, raw_maxmin_f32, F32, 3, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_minmax_num_f32, lane_minmax_num_f32, raw_minmax_f32, F32, 3, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_maxmin_num_f32, lane_maxmin_num_f32, raw_maxmin_f32, F32, 3, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_minimummaximum_f32, lane_minimummaximum_f32, raw_minmax_f32, F32, 3, SELECTION, LW_VD_FULL)
FORM_CHECKED(v_maximumminimum_f32, lane_maximumminimum_f32, raw_maxmin_f32, F32, 3, SELECTION, LW_VD_FULL)
FORM_FLOAT(v_floor_f32, lane_floor_f32, F32, 1, SELECTION, LW_VD_FULL)
FORM_FLOAT(v_ceil_f32, lane_ceil_f32, F32, 1, SELECTION, LW_VD_FULL)
FORM_FLOAT(v_trunc_f32, lane_trunc_f32, F32, 1, SELECTION, LW_VD_FULL)
FORM_FLOAT(v_rndne_f32, lane_rndne_f32, F32, 1, SELECTION, LW_VD_FULL)
#if VEC_HAS_FMA32
FORM_CHECKED(v_fma_f32, lane_fma_f32, raw_fma_f32, F32, 3, ARITHMETIC, LW_VD_FULL)
FORM_CHECKED(v_fmac_f32, lane_fma_f32, raw_fma_f32, F32, 3, ARITHMETIC | OP_OLD, LW_VD_FULL)
#define FMA_FORMS                                                                                            \
    , FLOAT(v_fma_f32), FLOAT(v_fmac_f32), FLOAT_ROW(v_fmamk_f32, v_fma_f32, 0),                             \
        FLOAT_ROW(v_fmaak_f32, v_fma_f32, 0)
#else
#define FMA_FORMS
#endif

/* clang-format off */
#define FLOATS_FORMS                                                                                         \
    FLOAT(v_add_f32), FLOAT(v_sub_f32), FLOAT(v_subrev_f32), FLOAT(v_mul_f32), FLOAT(v_min_f32),             \
    FLOAT(v_max_f32), FLOAT(v_min3_f32), FLOAT(v_max3_f32), FLOAT(v_med3_f32), FLOAT(v_minimum3_f32),        \
    FLOAT(v_min_num_f32), FLOAT(v_max_num_f32), FLOAT(v_minimum_f32), FLOAT(v_maximum_f32),                  \
    FLOAT(v_min3_num_f32), FLOAT(v_max3_num_f32), FLOAT(v_med3_num_f32), FLOAT(v_minmax_f32),                \
    FLOAT(v_maxmin_f32), FLOAT(v_minmax_num_f32), FLOAT(v_maxmin_num_f32),                                   \
    FLOAT(v_minimummaximum_f32), FLOAT(v_maximumminimum_f32),                                                \
    FLOAT(v_maximum3_f32), FLOAT(v_floor_f32), FLOAT(v_ceil_f32), FLOAT(v_trunc_f32), FLOAT(v_rndne_f32)     \
    FMA_FORMS
/* clang-format on */

#endif
