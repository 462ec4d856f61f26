/* SPDX-License-Identifier: MIT */
/* Fast forms of conversions between f32, f16, bf16 and integers. */
#ifndef LW_EMU_AMDGPU_FAST_CONVERT_H
#define LW_EMU_AMDGPU_FAST_CONVERT_H

#include "emu/amdgpu/fast/halves.h"

/* What an operation requires of MODE; other modes use the general handler. */
typedef enum convert_needs { NEEDS_NOTHING, NEEDS_F32_NEAREST, NEEDS_F16_PLAIN } convert_needs;

VEC bool convert_fits(const lw_wave *w, convert_needs needs)
{
    return needs == NEEDS_NOTHING ||
           (needs == NEEDS_F16_PLAIN ? f16_is_plain(w) : float_rounds_to_nearest(w, F32));
}

/* ---- Lane expressions; `quiet` is the bit set in a NaN that is passed on ---- */

/* Towards zero; NaNs give 0, and numbers that are out of range give the nearest integer. */
VEC vi lane_i32_of_f32(vi x, vi quiet)
{
    (void)quiet;
    const vf a = vf_from_bits(x);
    const vi cut = vi_pick(vf_less(a, vf_all(0x1p31f)), vf_cut(a), vi_all(INT32_MAX));
    return vi_pick(vf_is_nan(a), vi_all(0), cut);
}

VEC vi lane_u32_of_f32(vi x, vi quiet)
{
    (void)quiet;
    const vf a = vf_from_bits(x), half = vf_all(0x1p31f);
    const vi upper = vi_xor(vf_cut(vf_sub(a, half)), vi_all(INT32_MIN));
    const vi r =
        vi_pick(vf_less(a, half), vf_cut(a), vi_pick(vf_less(a, vf_all(0x1p32f)), upper, vi_all(-1)));
    return vi_pick(vf_less(vf_all(0), a), r, vi_all(0)); /* false for NaNs */
}

VEC vi lane_f32_of_i32(vi x, vi quiet)
{
    (void)quiet;
    return vf_bits(vf_from_int(x));
}

/* Two exact parts, joined with one rounding. */
VEC vi lane_f32_of_u32(vi x, vi quiet)
{
    (void)quiet;
    const vf high = vf_mul(vf_from_int(vi_shr(x, 16)), vf_all(0x1p16f));
    return vf_bits(vf_add(high, vf_from_int(vi_and(x, vi_all(0xffff)))));
}

#define BYTE_TO_F32(at)                                                                                      \
    VEC vi lane_f32_of_byte##at(vi x, vi quiet)                                                              \
    {                                                                                                        \
        (void)quiet;                                                                                         \
        return vf_bits(vf_from_int(vi_and(vi_shr(x, 8 * at), vi_all(0xff))));                                \
    }

BYTE_TO_F32(0)
BYTE_TO_F32(1)
BYTE_TO_F32(2)
BYTE_TO_F32(3)

/* NaNs keep their fraction bits. */
VEC vi lane_f32_of_f16(vi word, vi quiet)
{
    const vi x = low_half(word), sign = vi_shl(vi_shr(x, 15), 31);
    const vi nan = vi_or(vi_or(sign, vi_all(format_f32.inf)), vi_or(vi_shl(size_of(F16, x), 13), quiet));
    return vi_pick(is_nan(F16, x), nan, vf_bits(vf_from_f16(x)));
}

/* The host keeps the top fraction bits of a NaN and quiets it, like the reference. */
VEC vi lane_f16_of_f32(vi x, vi quiet)
{
    (void)quiet;
    return vi_f16_of(vf_from_bits(x));
}

VEC vi lane_pk_f16_of_f32(vi a, vi b)
{
    return vi_or(vi_f16_of(vf_from_bits(a)), vi_shl(vi_f16_of(vf_from_bits(b)), 16));
}

/* Towards zero: the nearest number, or the one before it towards zero. */
VEC vi f16_cut(vi x)
{
    const vi near = vi_f16_of(vf_from_bits(x));
    const vm over = vf_less(vf_abs(vf_from_bits(x)), vf_abs(vf_from_f16(near)));
    return vi_sub(near, vi_pick(over, vi_all(1), vi_all(0)));
}

VEC vi lane_pkrtz(vi a, vi b)
{
    return vi_or(f16_cut(a), vi_shl(f16_cut(b), 16));
}

VEC vi lane_f32_of_bf16(vi x, vi quiet)
{
    (void)quiet;
    return vi_shl(x, 16);
}

/* A signed 4-bit number divided by 16. */
VEC vi lane_off_f32(vi x, vi quiet)
{
    (void)quiet;
    return vf_bits(vf_mul(vf_from_int(vi_sar(vi_shl(x, 28), 28)), vf_all(0.0625f)));
}

VEC vi bf16_of(vi x)
{
    const vi odd = vi_and(vi_shr(x, 16), vi_all(1));
    const vi rounded = vi_shr(vi_add(x, vi_add(odd, vi_all(0x7fff))), 16);
    return vi_pick(is_nan(F32, x), vi_or(vi_shr(x, 16), vi_all(0x40)), rounded);
}

VEC vi lane_pk_bf16_of_f32(vi a, vi b)
{
    return vi_or(bf16_of(a), vi_shl(bf16_of(b), 16));
}

/* ---- Shapes ---- */

VEC lw_step convert_1(lw_wave *w, const lw_hot *hot, bool edited, lw_vkind kind, convert_needs needs,
                      vi (*lane)(vi, vi))
{
    row_room room;
    uint32_t apart[LW_LANES];
    if (!convert_fits(w, needs))
        return lw_hot_general(w, hot);
    edited = edited || row_flushes(w, kind);
    const vi quiet = quiet_of(w, F32);
    const row a = row_read(w, hot, 0, edited, kind, &room);
    const row_result r = row_open(w, hot, edited, 0, apart);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(r, n, lane(row_at(a, n), quiet));
    return row_close(w, hot, edited, LW_VD_FULL, r);
}

/* Two f32 sources to two halves. */
VEC lw_step convert_2(lw_wave *w, const lw_hot *hot, bool edited, bool flush, convert_needs needs,
                      vi (*lane)(vi, vi))
{
    row_room room[2];
    uint32_t apart[LW_LANES];
    if (!convert_fits(w, needs))
        return lw_hot_general(w, hot);
    edited = edited || (flush && row_flushes(w, LW_V_F32));
    const row a =
        edited ? row_edit(w, hot, 0, LW_V_F32, flush, &room[0]) : row_source(w, hot, 0, 0, &room[0]);
    const row b =
        edited ? row_edit(w, hot, 1, LW_V_F32, flush, &room[1]) : row_source(w, hot, 1, 0, &room[1]);
    const row_result r = row_open(w, hot, edited, 0, apart);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(r, n, lane(row_at(a, n), row_at(b, n)));
    return row_close(w, hot, edited, LW_VD_FULL, r);
}

static lw_hot_fn take_convert(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    if (in->clamp || in->omod)
        return NULL;
    if (is_plain(in) && !lw_decoded_has_signs(in))
        return form->fn[0];
    return is_editable(in, hot) ? form->fn[1] : NULL;
}

FORM(convert_1, v_cvt_i32_f32, LW_V_F32, NEEDS_NOTHING, lane_i32_of_f32)
FORM(convert_1, v_cvt_u32_f32, LW_V_F32, NEEDS_NOTHING, lane_u32_of_f32)
FORM(convert_1, v_cvt_f32_i32, LW_V_B32, NEEDS_F32_NEAREST, lane_f32_of_i32)
FORM(convert_1, v_cvt_f32_u32, LW_V_B32, NEEDS_F32_NEAREST, lane_f32_of_u32)
FORM(convert_1, v_cvt_f32_ubyte0, LW_V_B32, NEEDS_NOTHING, lane_f32_of_byte0)
FORM(convert_1, v_cvt_f32_ubyte1, LW_V_B32, NEEDS_NOTHING, lane_f32_of_byte1)
FORM(convert_1, v_cvt_f32_ubyte2, LW_V_B32, NEEDS_NOTHING, lane_f32_of_byte2)
FORM(convert_1, v_cvt_f32_ubyte3, LW_V_B32, NEEDS_NOTHING, lane_f32_of_byte3)
FORM(convert_1, v_cvt_f32_f16, LW_V_F16, NEEDS_NOTHING, lane_f32_of_f16)
FORM(convert_1, v_cvt_f16_f32, LW_V_F32, NEEDS_F16_PLAIN, lane_f16_of_f32)
FORM(convert_2, v_cvt_pk_f16_f32, true, NEEDS_F16_PLAIN, lane_pk_f16_of_f32)
FORM(convert_2, v_cvt_pkrtz_f16_f32, true, NEEDS_F16_PLAIN, lane_pkrtz)
FORM(convert_1, v_cvt_f32_bf16, LW_V_B16, NEEDS_NOTHING, lane_f32_of_bf16)
FORM(convert_1, v_cvt_off_f32_i4, LW_V_B32, NEEDS_NOTHING, lane_off_f32)
FORM(convert_2, v_cvt_pk_bf16_f32, false, NEEDS_NOTHING, lane_pk_bf16_of_f32)

/* clang-format off */
/* NEG and ABS of bf16 are left to the general handler. */
static lw_hot_fn take_unsigned(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    return lw_decoded_has_signs(in) ? NULL : take_convert(form, in, hot);
}

#define CONVERT_FORMS                                                                                        \
    TAKEN(v_cvt_pkrtz_f16_f32, take_convert), TAKEN(v_cvt_f32_bf16, take_unsigned),                          \
    TAKEN(v_cvt_off_f32_i4, take_unsigned),                                                                  \
    TAKEN(v_cvt_i32_f32, take_convert), TAKEN(v_cvt_u32_f32, take_convert),                                  \
    TAKEN(v_cvt_f32_i32, take_convert), TAKEN(v_cvt_f32_u32, take_convert),                                  \
    TAKEN(v_cvt_f32_ubyte0, take_convert), TAKEN(v_cvt_f32_ubyte1, take_convert),                            \
    TAKEN(v_cvt_f32_ubyte2, take_convert), TAKEN(v_cvt_f32_ubyte3, take_convert),                            \
    TAKEN(v_cvt_f32_f16, take_convert), TAKEN(v_cvt_f16_f32, take_convert),                                  \
    TAKEN(v_cvt_pk_f16_f32, take_convert), TAKEN(v_cvt_pk_bf16_f32, take_convert)
/* clang-format on */

#endif
