/* SPDX-License-Identifier: MIT */
/* Fast forms of 16-bit integer operations, with one or two numbers per lane. CLAMP is left to the general
 * handler. */
#ifndef LW_EMU_AMDGPU_FAST_INTS16_H
#define LW_EMU_AMDGPU_FAST_INTS16_H

#include "emu/amdgpu/fast/halves.h"

/* ---- One number in the low half; the result's upper half is ignored ---- */

typedef vi (*int16_lane)(vi a, vi b, vi c);

VEC vi signed16(vi a)
{
    return vi_sar(vi_shl(a, 16), 16);
}

VEC vi low_four(vi n)
{
    return vi_and(n, vi_all(15));
}

/* A lane expression of two sources. */
#define INT16_LANE(name, expression)                                                                         \
    VEC vi name(vi a, vi b, vi c)                                                                            \
    {                                                                                                        \
        (void)c;                                                                                             \
        return expression;                                                                                   \
    }

VEC vi lane_mov_16(vi a, vi b, vi c)
{
    (void)b;
    (void)c;
    return a;
}

INT16_LANE(lane_add_16, vi_add(a, b))
INT16_LANE(lane_sub_16, vi_sub(a, b))
INT16_LANE(lane_subrev_16, vi_sub(b, a))
INT16_LANE(lane_mul_16, vi_mul(a, b))
INT16_LANE(lane_min_u16, vi_min(a, b))
INT16_LANE(lane_max_u16, vi_max(a, b))
INT16_LANE(lane_min_i16, vi_min(signed16(a), signed16(b)))
INT16_LANE(lane_max_i16, vi_max(signed16(a), signed16(b)))
INT16_LANE(lane_shl_16, vi_shlv(b, low_four(a)))
INT16_LANE(lane_shr_16, vi_shrv(b, low_four(a)))
INT16_LANE(lane_sar_16, vi_sarv(signed16(b), low_four(a)))

VEC vi lane_mad_16(vi a, vi b, vi c)
{
    return vi_add(vi_mul(a, b), c);
}

VEC lw_step ints16(lw_wave *w, const lw_hot *hot, bool edited, unsigned sources, lw_vdst_kind place,
                   int16_lane lane)
{
    row_room room[3];
    uint32_t apart[LW_LANES];
    const row a = row_read(w, hot, 0, edited, LW_V_B16, &room[0]);
    const row b = row_read(w, hot, 1, edited, LW_V_B16, &room[1]);
    const row c = sources == 3 ? row_read(w, hot, 2, edited, LW_V_B16, &room[2]) : a;
    const row_result r = row_open(w, hot, edited, 0, apart);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(r, n, low_half(lane(low_half(row_at(a, n)), low_half(row_at(b, n)), low_half(row_at(c, n)))));
    return row_close(w, hot, edited, place, r);
}

FORM(ints16, v_add_u16, 2, LW_VD_FULL, lane_add_16)
FORM(ints16, v_sub_u16, 2, LW_VD_FULL, lane_sub_16)
FORM(ints16, v_subrev_u16, 2, LW_VD_FULL, lane_subrev_16)
FORM(ints16, v_mul_lo_u16, 2, LW_VD_FULL, lane_mul_16)
FORM(ints16, v_lshlrev_b16, 2, LW_VD_FULL, lane_shl_16)
FORM(ints16, v_lshrrev_b16, 2, LW_VD_FULL, lane_shr_16)
FORM(ints16, v_ashrrev_i16, 2, LW_VD_FULL, lane_sar_16)
FORM(ints16, v_min_u16, 2, LW_VD_FULL, lane_min_u16)
FORM(ints16, v_max_u16, 2, LW_VD_FULL, lane_max_u16)
FORM(ints16, v_min_i16, 2, LW_VD_FULL, lane_min_i16)
FORM(ints16, v_max_i16, 2, LW_VD_FULL, lane_max_i16)
FORM(ints16, v_mad_legacy_u16, 3, LW_VD_FULL, lane_mad_16)
FORM(ints16, v_mad_legacy_i16, 3, LW_VD_FULL, lane_mad_16)
FORM(ints16, v_mov_b16, 2, LW_VD_SEL, lane_mov_16)
FORM(ints16, v_add_i16, 2, LW_VD_SEL, lane_add_16)
FORM(ints16, v_sub_i16, 2, LW_VD_SEL, lane_sub_16)
FORM(ints16, v_mad_u16, 3, LW_VD_SEL, lane_mad_16)
FORM(ints16, v_mad_i16, 3, LW_VD_SEL, lane_mad_16)
FORM(tables, v_bitop3_b16, LW_V_B16, LW_VD_SEL)

/* Operations that keep the other half of their register are always edited. */
static lw_hot_fn take_kept(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    return in->clamp || in->omod || !is_editable(in, hot) ? NULL : form->fn[1];
}

/* ---- Two numbers per lane ---- */

VEC vi pair_of(vi low, vi high)
{
    return vi_or(low_half(low), vi_shl(high, 16));
}

INT16_LANE(lane_pk_add16, vi_add16(a, b))
INT16_LANE(lane_pk_sub16, vi_sub16(a, b))
INT16_LANE(lane_pk_mul16, vi_mul16(a, b))
INT16_LANE(lane_pk_min16, vi_min16(a, b))
INT16_LANE(lane_pk_max16, vi_max16(a, b))
INT16_LANE(lane_pk_min_u16, vi_min_u16(a, b))
INT16_LANE(lane_pk_max_u16, vi_max_u16(a, b))

VEC vi lane_pk_mad16(vi a, vi b, vi c)
{
    return vi_add16(vi_mul16(a, b), c);
}

VEC vi lane_pk_shl16(vi a, vi b, vi c)
{
    return pair_of(lane_shl_16(a, b, c), lane_shl_16(vi_shr(a, 16), vi_shr(b, 16), c));
}

VEC vi lane_pk_shr16(vi a, vi b, vi c)
{
    return pair_of(lane_shr_16(a, low_half(b), c), lane_shr_16(vi_shr(a, 16), vi_shr(b, 16), c));
}

VEC vi lane_pk_sar16(vi a, vi b, vi c)
{
    return pair_of(lane_sar_16(a, b, c), lane_sar_16(vi_shr(a, 16), vi_shr(b, 16), c));
}

VEC lw_step pairs16(lw_wave *w, const lw_hot *hot, bool chosen, unsigned sources, int16_lane lane)
{
    row_room room[3];
    const pair_source a = pair_read(w, hot, 0, &room[0]), b = pair_read(w, hot, 1, &room[1]);
    const pair_source c = pair_read(w, hot, sources == 3 ? 2 : 0, &room[2]);
    const row_result r = row_open(w, hot, false, 0, NULL);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(r, n, lane(pair_at(a, n, chosen), pair_at(b, n, chosen), pair_at(c, n, chosen)));
    return LW_STEP_NEXT;
}

FORM(pairs16, v_pk_add_u16, 2, lane_pk_add16)
FORM(pairs16, v_pk_sub_u16, 2, lane_pk_sub16)
FORM(pairs16, v_pk_mul_lo_u16, 2, lane_pk_mul16)
FORM(pairs16, v_pk_mad_u16, 3, lane_pk_mad16)
FORM(pairs16, v_pk_min_i16, 2, lane_pk_min16)
FORM(pairs16, v_pk_max_i16, 2, lane_pk_max16)
FORM(pairs16, v_pk_min_u16, 2, lane_pk_min_u16)
FORM(pairs16, v_pk_max_u16, 2, lane_pk_max_u16)
FORM(pairs16, v_pk_lshlrev_b16, 2, lane_pk_shl16)
FORM(pairs16, v_pk_lshrrev_b16, 2, lane_pk_shr16)
FORM(pairs16, v_pk_ashrrev_i16, 2, lane_pk_sar16)

/* Signs are left to the general handler, which refuses them. */
static lw_hot_fn take_pairs16(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    return lw_decoded_has_signs(in) ? NULL : take_pairs(form, in, hot);
}

#define ROW16(sem, name, taker)                                                                              \
    {                                                                                                        \
        .general = lw_sem_##sem, .take = taker, .fn = { hot_##name, edit_##name }                            \
    }

/* clang-format off */
#define INTS16_FORMS                                                                                         \
    BITS(v_add_u16), BITS(v_sub_u16), BITS(v_subrev_u16), BITS(v_mul_lo_u16), BITS(v_lshlrev_b16),           \
    BITS(v_lshrrev_b16), BITS(v_ashrrev_i16), BITS(v_min_u16), BITS(v_max_u16), BITS(v_min_i16),             \
    BITS(v_max_i16), BITS(v_mad_legacy_u16), BITS(v_mad_legacy_i16), TAKEN(v_add_i16, take_kept),            \
    TAKEN(v_sub_i16, take_kept), TAKEN(v_mov_b16, take_kept), TAKEN(v_mad_u16, take_kept), TAKEN(v_mad_i16, take_kept),                   \
    TAKEN(v_bitop3_b16, take_kept),                                                                          \
    ROW16(v_pk_add_u16, v_pk_add_u16, take_pairs16), ROW16(v_pk_add_i16, v_pk_add_u16, take_pairs16),        \
    ROW16(v_pk_sub_u16, v_pk_sub_u16, take_pairs16), ROW16(v_pk_sub_i16, v_pk_sub_u16, take_pairs16),        \
    ROW16(v_pk_mul_lo_u16, v_pk_mul_lo_u16, take_pairs16),                                                   \
    ROW16(v_pk_mad_u16, v_pk_mad_u16, take_pairs16), ROW16(v_pk_mad_i16, v_pk_mad_u16, take_pairs16),        \
    ROW16(v_pk_min_i16, v_pk_min_i16, take_pairs16), ROW16(v_pk_max_i16, v_pk_max_i16, take_pairs16),        \
    ROW16(v_pk_min_u16, v_pk_min_u16, take_pairs16), ROW16(v_pk_max_u16, v_pk_max_u16, take_pairs16),        \
    ROW16(v_pk_lshlrev_b16, v_pk_lshlrev_b16, take_pairs16),                                                 \
    ROW16(v_pk_lshrrev_b16, v_pk_lshrrev_b16, take_pairs16),                                                 \
    ROW16(v_pk_ashrrev_i16, v_pk_ashrrev_i16, take_pairs16)
/* clang-format on */

#endif
