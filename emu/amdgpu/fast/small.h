/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of the conversions to and from 8- and 4-bit floats, two at a time. Every source is converted to
 * f32 bits, exactly; one lane expression then serves all formats, whose parameters come from emu/num/small.h.
 */
#ifndef LW_EMU_AMDGPU_FAST_SMALL_H
#define LW_EMU_AMDGPU_FAST_SMALL_H

#include "emu/amdgpu/fast/floats.h"
#include "emu/num/small.h"
#include "isa_tables/amdgpu/traits.h"

enum { F32_FRAC_BITS = 23, F32_FRAC = 0x7fffff, F32_BIAS = 127, F32_TOP = 255, SCALE_ONE = 127 };

/* The exponent field of a scale operand. */
VEC vi scale_field(vi scale)
{
    return vi_and(vi_shr(scale, F32_FRAC_BITS), vi_all(F32_TOP));
}

/* The magnitude `size` (f32 bits) as if exponents had no lower end; zero is far below all others. */
VEC vi without_subnormals(vi size)
{
    const vi units = vf_bits(vf_from_int(size)); /* of 2^-149 */
    const vi value = vi_sub(units, vi_all((F32_BIAS - 1 + F32_FRAC_BITS) << F32_FRAC_BITS));
    return vi_pick(vi_gt(vi_all(format_f32.least), size), value, size);
}

/* The magnitude `size` (f32 bits) divided by the scale; zero if far too small. */
VEC vi scaled_down(vi size, vi field)
{
    const vi value = without_subnormals(size);
    const vi exp = vi_sub(vi_add(vi_sar(value, F32_FRAC_BITS), vi_all(SCALE_ONE)), field);
    const vi bounded = vi_shl(vi_min(exp, vi_all(F32_TOP - 1)), F32_FRAC_BITS);
    const vm zero = vm_or(vi_eq(size, vi_all(0)), vi_gt(vi_all(1), exp));
    return vi_pick(zero, vi_all(0), vi_or(vi_and(value, vi_all(F32_FRAC)), bounded));
}

/*
 * To nearest even, with an unbounded exponent. Below the normal range, adding a power of two whose last place
 * is the format's smallest number does the rounding.
 */
VEC vi round_to_small(const lw_format *f, vi v)
{
    const int cut = F32_FRAC_BITS - f->frac_bits, least = (F32_BIAS + 1 - f->bias) << F32_FRAC_BITS;
    const vi big = vi_all((F32_BIAS + F32_FRAC_BITS + 1 - f->bias - f->frac_bits) << F32_FRAC_BITS);
    const vi rest = vi_sub(v, vi_all((F32_BIAS - f->bias) << F32_FRAC_BITS));
    const vi odd = vi_and(vi_shr(rest, cut), vi_all(1));
    const vi normal = vi_shr(vi_add(rest, vi_add(odd, vi_all((1 << (cut - 1)) - 1))), cut);
    const vi small = vi_sub(vf_bits(vf_add(vf_from_bits(v), vf_from_bits(big))), big);
    return vi_pick(vi_gt(vi_all(least), v), small, normal);
}

/* lw_small_narrow for f32 bits. */
VEC vi lane_narrow(const lw_small *to, bool ovfl, vi x, bool scales, vi field)
{
    const bool fnuz = to->fmt->top == LW_TOP_FNUZ;
    const int sign = 1 << (to->fmt->exp_bits + to->fmt->frac_bits);
    const vi size = size_of(F32, x), inf = vi_all(format_f32.inf);
    vi code = round_to_small(to->fmt, scales ? scaled_down(size, field) : size);
    code = vi_pick(vi_gt(code, vi_all(to->max)), vi_all(ovfl ? to->max : to->overflow), code);
    code = vi_pick(vi_eq(size, inf), vi_all(ovfl && fnuz ? to->max : to->inf), code);
    const vm nan = scales ? vm_or(vi_gt(size, inf), vi_eq(field, vi_all(F32_TOP))) : vi_gt(size, inf);
    code = vi_pick(nan, vi_all(to->nan), code);
    const vi signed_code = vi_or(code, vi_and(vi_sar(x, 31), vi_all(sign)));
    if (!fnuz)
        return signed_code;
    return vi_pick(vm_or(vi_eq(code, vi_all(0)), vi_eq(code, vi_all(sign))), code, signed_code);
}

/* lw_small_widen to f32 bits. Multiplying in two steps rounds once, because the first gives a normal
 * number. */
VEC vi lane_widen(const lw_small *from, vi code, vi field, vi nan)
{
    const lw_format *f = from->fmt;
    const int cut = F32_FRAC_BITS - f->frac_bits, top = f->exp_bits + f->frac_bits;
    const int magnitude = (1 << top) - 1, inf = magnitude & ~((1 << f->frac_bits) - 1);
    const vi size = vi_and(code, vi_all(magnitude)), sign = vi_shl(vi_shr(code, top), 31);
    const vi normal = vi_add(vi_shl(size, cut), vi_all((F32_BIAS - f->bias) << F32_FRAC_BITS));
    const vi unit = vi_all((F32_BIAS + 1 - f->bias) << F32_FRAC_BITS); /* 2^emin */
    const vi small = vf_bits(vf_sub(vf_from_bits(vi_or(vi_shl(size, cut), unit)), vf_from_bits(unit)));
    const vi value = vi_pick(vi_gt(vi_all(1 << f->frac_bits), size), small, normal);
    const vi exp = vi_sub(field, vi_all(SCALE_ONE)), half = vi_sar(exp, 1);
    const vi one = vi_all(F32_BIAS);
    const vf first = vf_from_bits(vi_shl(vi_add(half, one), F32_FRAC_BITS));
    const vf second = vf_from_bits(vi_shl(vi_add(vi_sub(exp, half), one), F32_FRAC_BITS));
    vi r = vf_bits(vf_mul(vf_mul(vf_from_bits(value), first), second));
    vm is_nan = vi_eq(field, vi_all(F32_TOP));
    if (f->top == LW_TOP_IEEE) {
        r = vi_pick(vi_eq(size, vi_all(inf)), vi_all(format_f32.inf), r);
        is_nan = vm_or(is_nan, vi_gt(size, vi_all(inf)));
    } else if (f->top == LW_TOP_NAN) {
        is_nan = vm_or(is_nan, vi_eq(size, vi_all(magnitude)));
    } else if (f->top == LW_TOP_FNUZ) {
        const vm only = vi_eq(code, vi_all(1 << top));
        is_nan = vm_or(is_nan, only);
    }
    return vi_or(vi_pick(is_nan, nan, r), sign);
}

/* ---- Shapes ---- */

typedef enum small_wide { SMALL_F32, SMALL_F16, SMALL_BF16 } small_wide;

/* A conversion: its small format (for fp8 and bf8, the generation's), the other format, the source that is
 * the scale, and the number of elements. */
typedef struct small_op {
    const lw_small *small, *fnuz;
    small_wide wide;
    int8_t scale;
    uint8_t count;
} small_op;

VEC const lw_small *small_of(const lw_wave *w, const small_op *op)
{
    return op->fnuz && lw_amdgpu_traits_of(w->arch)->fp8_fnuz ? op->fnuz : op->small;
}

VEC int small_bits(const lw_small *s)
{
    return s->fmt->exp_bits + s->fmt->frac_bits + 1;
}

/* The low or high half of a word as f32 bits. */
VEC vi half_as_f32(small_wide wide, vi x, int high)
{
    if (wide == SMALL_BF16)
        return high ? vi_and(x, vi_all((int)UINT32_C(0xffff0000))) : vi_shl(x, 16);
    return vf_bits(vf_from_f16(high ? vi_shr(x, 16) : vi_and(x, vi_all(0xffff))));
}

VEC vi small_scale_at(const small_op *op, row scale, unsigned n)
{
    return op->scale < 0 ? vi_all(SCALE_ONE) : scale_field(row_at(scale, n));
}

/* Writes the bits in `field` of the result. */
VEC lw_step small_put(const lw_wave *w, const lw_hot *hot, vi field, const uint32_t r[LW_LANES])
{
    const row_result to = row_open(w, hot, false, 0, NULL);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(to, n, vi_choose_bits(field, vi_load(r + n * VEC_LANES), vi_load(to.at + n * VEC_LANES)));
    return LW_STEP_NEXT;
}

VEC lw_step narrow_pair(lw_wave *w, const lw_hot *hot, const small_op *op)
{
    const lw_small *to = small_of(w, op);
    const bool ovfl = w->mode & LW_MODE_FP16_OVFL, scales = op->scale >= 0;
    const int bits = small_bits(to), op_sel = hot->in->op_sel;
    const int shift = bits == 8 ? 16 * (op_sel >> 3 & 1) : 8 * (op_sel >> 2 & 3);
    const vi field = vi_all((int)(((UINT32_C(1) << 2 * bits) - 1) << shift));
    row_room room[3];
    uint32_t r[LW_LANES];
    const row a = row_source(w, hot, 0, 0, &room[0]);
    const row b = op->wide == SMALL_F32 ? row_source(w, hot, 1, 0, &room[1]) : a;
    const row s = op->scale < 0 ? a : row_source(w, hot, (unsigned)op->scale, 0, &room[2]);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vi scale = small_scale_at(op, s, n), pair = row_at(a, n);
        const vi x = op->wide == SMALL_F32 ? pair : half_as_f32(op->wide, pair, 0);
        const vi y = op->wide == SMALL_F32 ? row_at(b, n) : half_as_f32(op->wide, pair, 1);
        const vi both = vi_or(lane_narrow(to, ovfl, x, scales, scale),
                              vi_shl(lane_narrow(to, ovfl, y, scales, scale), bits));
        vi_store(r + n * VEC_LANES, vi_shl(both, shift));
    }
    return small_put(w, hot, field, r);
}

/* From f32 bits, whose NaNs are 7fc00000 or 7fff0000 with a sign, to 16 bits. */
VEC vi half_of_f32(small_wide wide, vi x)
{
    const vi odd = vi_and(vi_shr(x, 16), vi_all(1)), nan = vi_shr(x, 16);
    const vi rounded =
        wide == SMALL_F16 ? vi_f16_of(vf_from_bits(x)) : vi_shr(vi_add(x, vi_add(odd, vi_all(0x7fff))), 16);
    return vi_pick(is_nan(F32, x), nan, rounded);
}

VEC lw_step widen_codes(lw_wave *w, const lw_hot *hot, const small_op *op)
{
    const lw_small *from = small_of(w, op);
    const int bits = small_bits(from), op_sel = hot->in->op_sel;
    const int width = bits * op->count, sel = op->scale < 0 ? 0 : width == 16 ? op_sel & 1 : op_sel & 3;
    const vi low = vi_all((1 << bits) - 1), nan = vi_all(op->wide == SMALL_F32 ? 0x7fc00000 : 0x7fff0000);
    row_room room[2];
    const row a = row_source(w, hot, 0, 0, &room[0]);
    const row s = op->scale < 0 ? a : row_source(w, hot, (unsigned)op->scale, 0, &room[1]);
    const row_result r = row_open(w, hot, false, 0, NULL), r2 = row_open(w, hot, false, 1, NULL);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vi scale = small_scale_at(op, s, n), codes = vi_shr(row_at(a, n), width * sel);
        const vi x = lane_widen(from, vi_and(codes, low), scale, nan);
        if (op->count == 1) {
            row_put(r, n, x);
            continue;
        }
        const vi y = lane_widen(from, vi_and(vi_shr(codes, bits), low), scale, nan);
        if (op->wide != SMALL_F32) {
            row_put(r, n, vi_or(half_of_f32(op->wide, x), vi_shl(half_of_f32(op->wide, y), 16)));
            continue;
        }
        row_put(r, n, x);
        row_put(r2, n, y);
    }
    return LW_STEP_NEXT;
}

/* Signs, also of two f32 sources, and parts are left to the general handler. */
static lw_hot_fn take_small(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    (void)hot;
    const bool plain = in->sub == LW_SUB_NONE && !in->clamp && !in->omod && !lw_decoded_has_signs(in);
    return plain && !in->src[0].sel && !in->src[1].sel && !in->src[2].sel ? form->fn[0] : NULL;
}

#define SMALL(shape, name, ...)                                                                              \
    static lw_step hot_##name(lw_wave *w, const lw_hot *hot)                                                 \
    {                                                                                                        \
        return shape(w, hot, &(const small_op){ __VA_ARGS__ });                                              \
    }

SMALL(narrow_pair, v_cvt_pk_fp8_f32, &lw_small_fp8, &lw_small_fp8_fnuz, SMALL_F32, -1, 2)
SMALL(narrow_pair, v_cvt_pk_bf8_f32, &lw_small_bf8, &lw_small_bf8_fnuz, SMALL_F32, -1, 2)
SMALL(narrow_pair, v_cvt_scalef32_pk_fp8_f16, &lw_small_fp8, NULL, SMALL_F16, 1, 2)
SMALL(narrow_pair, v_cvt_scalef32_pk_bf8_f16, &lw_small_bf8, NULL, SMALL_F16, 1, 2)
SMALL(narrow_pair, v_cvt_scalef32_pk_fp4_f16, &lw_small_fp4, NULL, SMALL_F16, 1, 2)
SMALL(narrow_pair, v_cvt_scalef32_pk_fp8_bf16, &lw_small_fp8, NULL, SMALL_BF16, 1, 2)
SMALL(narrow_pair, v_cvt_scalef32_pk_bf8_bf16, &lw_small_bf8, NULL, SMALL_BF16, 1, 2)
SMALL(narrow_pair, v_cvt_scalef32_pk_fp8_f32, &lw_small_fp8, NULL, SMALL_F32, 2, 2)
SMALL(narrow_pair, v_cvt_scalef32_pk_bf8_f32, &lw_small_bf8, NULL, SMALL_F32, 2, 2)
SMALL(narrow_pair, v_cvt_scalef32_pk_fp4_f32, &lw_small_fp4, NULL, SMALL_F32, 2, 2)
SMALL(widen_codes, v_cvt_f32_fp8, &lw_small_fp8, &lw_small_fp8_fnuz, SMALL_F32, -1, 1)
SMALL(widen_codes, v_cvt_f32_bf8, &lw_small_bf8, &lw_small_bf8_fnuz, SMALL_F32, -1, 1)
SMALL(widen_codes, v_cvt_pk_f32_fp8, &lw_small_fp8, &lw_small_fp8_fnuz, SMALL_F32, -1, 2)
SMALL(widen_codes, v_cvt_pk_f32_bf8, &lw_small_bf8, &lw_small_bf8_fnuz, SMALL_F32, -1, 2)
SMALL(widen_codes, v_cvt_scalef32_f32_fp8, &lw_small_fp8, NULL, SMALL_F32, 1, 1)
SMALL(widen_codes, v_cvt_scalef32_f32_bf8, &lw_small_bf8, NULL, SMALL_F32, 1, 1)
SMALL(widen_codes, v_cvt_scalef32_pk_f32_fp8, &lw_small_fp8, NULL, SMALL_F32, 1, 2)
SMALL(widen_codes, v_cvt_scalef32_pk_f32_bf8, &lw_small_bf8, NULL, SMALL_F32, 1, 2)
SMALL(widen_codes, v_cvt_scalef32_pk_f32_fp4, &lw_small_fp4, NULL, SMALL_F32, 1, 2)
SMALL(widen_codes, v_cvt_scalef32_pk_f16_fp8, &lw_small_fp8, NULL, SMALL_F16, 1, 2)
SMALL(widen_codes, v_cvt_scalef32_pk_f16_bf8, &lw_small_bf8, NULL, SMALL_F16, 1, 2)
SMALL(widen_codes, v_cvt_scalef32_pk_f16_fp4, &lw_small_fp4, NULL, SMALL_F16, 1, 2)
SMALL(widen_codes, v_cvt_scalef32_pk_bf16_fp8, &lw_small_fp8, NULL, SMALL_BF16, 1, 2)
SMALL(widen_codes, v_cvt_scalef32_pk_bf16_bf8, &lw_small_bf8, NULL, SMALL_BF16, 1, 2)
SMALL(widen_codes, v_cvt_scalef32_pk_bf16_fp4, &lw_small_fp4, NULL, SMALL_BF16, 1, 2)

#define CONVERTS(name)                                                                                       \
    {                                                                                                        \
        .general = lw_sem_##name, .take = take_small, .fn = { hot_##name }                                   \
    }

/* clang-format off */
#define SMALL_FORMS                                                                                          \
    CONVERTS(v_cvt_pk_fp8_f32), CONVERTS(v_cvt_pk_bf8_f32), CONVERTS(v_cvt_scalef32_pk_fp8_f16),             \
    CONVERTS(v_cvt_scalef32_pk_bf8_f16), CONVERTS(v_cvt_scalef32_pk_fp4_f16),                                \
    CONVERTS(v_cvt_scalef32_pk_fp8_bf16), CONVERTS(v_cvt_scalef32_pk_bf8_bf16),                              \
    CONVERTS(v_cvt_scalef32_pk_fp8_f32),                                                                     \
    CONVERTS(v_cvt_scalef32_pk_bf8_f32), CONVERTS(v_cvt_scalef32_pk_fp4_f32), CONVERTS(v_cvt_f32_fp8),       \
    CONVERTS(v_cvt_f32_bf8), CONVERTS(v_cvt_pk_f32_fp8), CONVERTS(v_cvt_pk_f32_bf8),                         \
    CONVERTS(v_cvt_scalef32_f32_fp8), CONVERTS(v_cvt_scalef32_f32_bf8),                                      \
    CONVERTS(v_cvt_scalef32_pk_f32_fp8), CONVERTS(v_cvt_scalef32_pk_f32_bf8),                                \
    CONVERTS(v_cvt_scalef32_pk_f32_fp4), CONVERTS(v_cvt_scalef32_pk_f16_fp8),                                \
    CONVERTS(v_cvt_scalef32_pk_f16_bf8), CONVERTS(v_cvt_scalef32_pk_f16_fp4),                                \
    CONVERTS(v_cvt_scalef32_pk_bf16_fp8), CONVERTS(v_cvt_scalef32_pk_bf16_bf8),                              \
    CONVERTS(v_cvt_scalef32_pk_bf16_fp4)
/* clang-format on */

#endif
