/* SPDX-License-Identifier: MIT */
/* Fast forms of 32-bit integer and bit operations: a lane expression combined with a shape. */
#ifndef LW_EMU_AMDGPU_FAST_INTS_H
#define LW_EMU_AMDGPU_FAST_INTS_H

#include "emu/amdgpu/fast/row.h"

/* NEG and ABS mean nothing for integers; CLAMP is left to the general handler. */
static lw_hot_fn take_bits(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    if (in->clamp || in->omod)
        return NULL;
    return is_plain(in) ? form->fn[0] : is_editable(in, hot) ? form->fn[1] : NULL;
}

VEC lw_step ints_1(lw_wave *w, const lw_hot *hot, bool edited, vi (*lane)(vi))
{
    row_room room;
    uint32_t apart[LW_LANES];
    const row a = row_read(w, hot, 0, edited, LW_V_B32, &room);
    const row_result r = row_open(w, hot, edited, 0, apart);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(r, n, lane(row_at(a, n)));
    return row_close(w, hot, edited, LW_VD_FULL, r);
}

VEC lw_step ints_2(lw_wave *w, const lw_hot *hot, bool edited, vi (*lane)(vi, vi))
{
    row_room room[2];
    uint32_t apart[LW_LANES];
    const row a = row_read(w, hot, 0, edited, LW_V_B32, &room[0]);
    const row b = row_read(w, hot, 1, edited, LW_V_B32, &room[1]);
    const row_result r = row_open(w, hot, edited, 0, apart);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(r, n, lane(row_at(a, n), row_at(b, n)));
    return row_close(w, hot, edited, LW_VD_FULL, r);
}

/* Source 0 is the same in all lanes, source 1 a row. */
VEC lw_step ints_2_even(lw_wave *w, const lw_hot *hot, vi (*lane)(vi, vi))
{
    const vi a = vi_each(hot->from[0] == LW_FROM_SGPR ? &w->sgpr[hot->at[0]] : &hot->at[0]);
    const uint32_t *b = w->vgpr + hot->at[1];
    const row_result r = row_open(w, hot, false, 0, NULL);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(r, n, lane(a, vi_load(b + n * VEC_LANES)));
    return LW_STEP_NEXT;
}

static lw_hot_fn take_two(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    const lw_hot_fn fn = take_bits(form, in, hot);
    const bool even = hot->from[0] > LW_FROM_AGPR && hot->from[1] == LW_FROM_VGPR;
    return fn == form->fn[0] && even ? form->fn[2] : fn;
}

VEC lw_step ints_3(lw_wave *w, const lw_hot *hot, bool edited, vi (*lane)(vi, vi, vi))
{
    row_room room[3];
    uint32_t apart[LW_LANES];
    const row a = row_read(w, hot, 0, edited, LW_V_B32, &room[0]);
    const row b = row_read(w, hot, 1, edited, LW_V_B32, &room[1]);
    const row c = row_read(w, hot, 2, edited, LW_V_B32, &room[2]);
    const row_result r = row_open(w, hot, edited, 0, apart);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(r, n, lane(row_at(a, n), row_at(b, n), row_at(c, n)));
    return row_close(w, hot, edited, LW_VD_FULL, r);
}

VEC vi low_five(vi n)
{
    return vi_and(n, vi_all(31));
}

VEC vi lane_same(vi a)
{
    return a;
}

VEC vi lane_not(vi a)
{
    return vi_xor(a, vi_all(-1));
}

VEC vi lane_xnor(vi a, vi b)
{
    return lane_not(vi_xor(a, b));
}

VEC vi lane_subrev(vi a, vi b)
{
    return vi_sub(b, a);
}

VEC vi lane_lshlrev(vi a, vi b)
{
    return vi_shlv(b, low_five(a));
}

VEC vi lane_lshrrev(vi a, vi b)
{
    return vi_shrv(b, low_five(a));
}

VEC vi lane_ashrrev(vi a, vi b)
{
    return vi_sarv(b, low_five(a));
}

VEC vi lane_bfm(vi a, vi b)
{
    const vi one = vi_all(1);
    return vi_shlv(vi_sub(vi_shlv(one, low_five(a)), one), low_five(b));
}

/* 24-bit multiplications ignore the upper byte of their sources. */
VEC vi low24(vi a)
{
    return vi_and(a, vi_all(0xffffff));
}

VEC vi signed24(vi a)
{
    return vi_sar(vi_shl(a, 8), 8);
}

VEC vi lane_mul_u24(vi a, vi b)
{
    return vi_mul(low24(a), low24(b));
}

VEC vi lane_mul_i24(vi a, vi b)
{
    return vi_mul(signed24(a), signed24(b));
}

VEC vi lane_mul_hi_u24(vi a, vi b)
{
    return vi_mul_hi_u(low24(a), low24(b));
}

VEC vi lane_mul_hi_i24(vi a, vi b)
{
    return vi_mul_hi_i(signed24(a), signed24(b));
}

VEC vi lane_cvt_pk_u16(vi a, vi b)
{
    const vi most = vi_all(0xffff);
    return vi_or(vi_min_u(a, most), vi_shl(vi_min_u(b, most), 16));
}

VEC vi lane_cvt_pk_i16(vi a, vi b)
{
    const vi low = vi_all(INT16_MIN), high = vi_all(INT16_MAX);
    return vi_or(vi_and(vi_min(vi_max(a, low), high), vi_all(0xffff)),
                 vi_shl(vi_min(vi_max(b, low), high), 16));
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

VEC vi lane_xad(vi a, vi b, vi c)
{
    return vi_add(vi_xor(a, b), c);
}

VEC vi lane_lshl_add(vi a, vi b, vi c)
{
    return vi_add(vi_shlv(a, low_five(b)), c);
}

VEC vi lane_add_lshl(vi a, vi b, vi c)
{
    return vi_shlv(vi_add(a, b), low_five(c));
}

VEC vi lane_lshl_or(vi a, vi b, vi c)
{
    return vi_or(vi_shlv(a, low_five(b)), c);
}

VEC vi lane_bfi(vi a, vi b, vi c)
{
    return vi_or(vi_and(a, b), vi_without(a, c));
}

VEC vi lane_bfe_u(vi a, vi b, vi c)
{
    const vi one = vi_all(1), low = vi_sub(vi_shlv(one, low_five(c)), one);
    return vi_and(vi_shrv(a, low_five(b)), low);
}

/* The field's top bit is the sign; beyond bit 31 the source's sign continues. No bits: zero. */
VEC vi lane_bfe_i(vi a, vi b, vi c)
{
    const vi none = vi_sub(vi_all(32), low_five(c)); /* 32: no bits, for which shlv gives zero */
    return vi_sarv(vi_shlv(vi_sarv(a, low_five(b)), none), none);
}

/* The 32 bits of {a, b} from bit n (0 to 31) on. */
VEC vi lane_align(vi a, vi b, vi n)
{
    return vi_or(vi_shrv(b, n), vi_shlv(a, vi_sub(vi_all(32), n)));
}

VEC vi lane_alignbit(vi a, vi b, vi c)
{
    return lane_align(a, b, low_five(c));
}

VEC vi lane_alignbyte(vi a, vi b, vi c)
{
    return lane_align(a, b, vi_shl(vi_and(c, vi_all(3)), 3));
}

/* The least, the greatest and the middle of three. */
#define OF_THREE(type, min, max)                                                                             \
    VEC vi lane_min3_##type(vi a, vi b, vi c)                                                                \
    {                                                                                                        \
        return min(min(a, b), c);                                                                            \
    }                                                                                                        \
    VEC vi lane_max3_##type(vi a, vi b, vi c)                                                                \
    {                                                                                                        \
        return max(max(a, b), c);                                                                            \
    }                                                                                                        \
    VEC vi lane_med3_##type(vi a, vi b, vi c)                                                                \
    {                                                                                                        \
        return max(min(a, b), min(max(a, b), c));                                                            \
    }

OF_THREE(u, vi_min_u, vi_max_u)
OF_THREE(i, vi_min, vi_max)

VEC vi lane_mad_u24(vi a, vi b, vi c)
{
    return vi_add(lane_mul_u24(a, b), c);
}

VEC vi lane_mad_i24(vi a, vi b, vi c)
{
    return vi_add(lane_mul_i24(a, b), c);
}

#if VEC_HAS_SHUFFLE
/* The bytes that `at` selects in each lane: from a if the top bit of `first` is set, otherwise from b. */
VEC vi perm_bytes(vi a, vi b, vi first, vi at)
{
    static const uint32_t places[4] = { 0, 0x04040404, 0x08080808, 0x0c0c0c0c };
    const vi n = vi_or(at, vi_four(places));
    return vi_pick8(first, vi_bytes_of(a, n), vi_bytes_of(b, n));
}

/* Selectors 0 to 3 are bytes of b, 4 to 7 of a. */
VEC vi lane_perm_bytes(vi a, vi b, vi sel)
{
    return perm_bytes(a, b, vi_shl(sel, 5), vi_and(sel, vi_all(0x03030303)));
}

/* Selectors 8 to 11 are signs: of the low and high halves of b, then of a; 12 is zero, higher ones are all
 * ones. */
VEC vi lane_perm(vi a, vi b, vi sel)
{
    enum { NO = 0x80 }; /* an index that gives zero */
    static const uint8_t bytes[16] = { 0, 1, 2, 3, 0, 1, 2, 3, 1, 3, 1, 3, NO, NO };
    static const uint8_t first[16] = { 0, 0, 0, 0, 0x80, 0x80, 0x80, 0x80, 0, 0, 0x80, 0x80 };
    const vi most = vi_min_u8(sel, vi_all(0x0d0d0d0d));
    const vi byte = perm_bytes(a, b, vi_lookup(first, most), vi_lookup(bytes, most));
    const vi named = vi_pick8(vi_gt8(most, vi_all(0x07070707)), vi_gt8(vi_all(0), byte), byte);
    return vi_or(named, vi_eq8(most, vi_all(0x0d0d0d0d)));
}

/* Usually all selectors name bytes. */
VEC lw_step perms(lw_wave *w, const lw_hot *hot, bool edited)
{
    row_room room[3];
    uint32_t apart[LW_LANES];
    const row a = row_read(w, hot, 0, edited, LW_V_B32, &room[0]);
    const row b = row_read(w, hot, 1, edited, LW_V_B32, &room[1]);
    const row sel = row_read(w, hot, 2, edited, LW_V_B32, &room[2]);
    const row_result r = row_open(w, hot, edited, 0, apart);
    vi all = row_at(sel, 0);
    for (unsigned n = 1; n < row_vectors(w) && sel.step; n++)
        all = vi_or(all, row_at(sel, n));
    if (vi_is_zero(vi_and(all, vi_all((int)UINT32_C(0xf8f8f8f8)))))
        for (unsigned n = 0; n < row_vectors(w); n++)
            row_put(r, n, lane_perm_bytes(row_at(a, n), row_at(b, n), row_at(sel, n)));
    else
        for (unsigned n = 0; n < row_vectors(w); n++)
            row_put(r, n, lane_perm(row_at(a, n), row_at(b, n), row_at(sel, n)));
    return row_close(w, hot, edited, LW_VD_FULL, r);
}
#endif

/* ---- Tables of three bits ---- */

/* Bit k of the table is the result where the sources' bits spell k = 4*a + 2*b + c. */
VEC vi of_table(uint32_t table, vi a, vi b, vi c)
{
    vi r = vi_all(0);
    for (unsigned k = 0; k < 8; k++) {
        const vi term = vi_and(vi_xor(a, vi_all(k & 4 ? 0 : -1)), vi_xor(b, vi_all(k & 2 ? 0 : -1)));
        const vi all = vi_and(term, vi_xor(c, vi_all(k & 1 ? 0 : -1)));
        r = vi_or(r, vi_and(all, vi_all(table >> k & 1 ? -1 : 0)));
    }
    return r;
}

VEC lw_step tables(lw_wave *w, const lw_hot *hot, bool edited, lw_vkind kind, lw_vdst_kind place)
{
    row_room room[3];
    uint32_t apart[LW_LANES];
    const uint32_t table = hot->in->imm;
    const row a = row_read(w, hot, 0, edited, kind, &room[0]),
              b = row_read(w, hot, 1, edited, kind, &room[1]);
    const row c = row_read(w, hot, 2, edited, kind, &room[2]);
    const row_result r = row_open(w, hot, edited, 0, apart);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(r, n, of_table(table, row_at(a, n), row_at(b, n), row_at(c, n)));
    return row_close(w, hot, edited, place, r);
}

/* ---- Lanes below the current one ---- */
VEC vi bits_set(vi v)
{
    const vi low = vi_all(0x33333333);
    v = vi_sub(v, vi_and(vi_shr(v, 1), vi_all(0x55555555)));
    v = vi_add(vi_and(v, low), vi_and(vi_shr(v, 2), low));
    v = vi_and(vi_add(v, vi_shr(v, 4)), vi_all(0x0f0f0f0f));
    return vi_shr(vi_mul(v, vi_all(0x01010101)), 24);
}

/* Counts the lanes from `first` on whose bit is set in a mask, below each lane; EXEC has no influence. */
VEC lw_step counts(lw_wave *w, const lw_hot *hot, bool edited, int first)
{
    static const uint32_t numbers[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    row_room room[2];
    uint32_t apart[LW_LANES];
    const row a = row_read(w, hot, 0, edited, LW_V_B32, &room[0]);
    const row b = row_read(w, hot, 1, edited, LW_V_B32, &room[1]);
    const row_result r = row_open(w, hot, edited, 0, apart);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vi at = vi_add(vi_load(numbers), vi_all((int)(n * VEC_LANES) - first)), one = vi_all(1);
        const vi below = vi_pick(vi_gt(vi_all(0), at), vi_all(0), vi_sub(vi_shlv(one, at), one));
        row_put(r, n, vi_add(bits_set(vi_and(row_at(a, n), below)), row_at(b, n)));
    }
    return row_close(w, hot, edited, LW_VD_FULL, r);
}

VEC vi lane_bcnt(vi a, vi b)
{
    return vi_add(bits_set(a), b);
}

/* ---- Moves within rows ---- */

static lw_step dpp_v_mov_b32(lw_wave *w, const lw_hot *hot)
{
    row_room room;
    const bool all = lw_wave_exec(w) == ~(uint64_t)0;
    const uint64_t fed = all ? dpp_rows(hot->extra) : dpp_fed(w, hot);
    const uint64_t written = all ? (uint64_t)hot->at[2] << 32 | hot->at[1] : dpp_written(w, hot, fed);
    dpp_move(hot, row_source(w, hot, 0, 0, &room), fed, written, row_of_result(w, hot));
    return LW_STEP_NEXT;
}

static lw_hot_fn take_move(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    const bool moves = in->sub == LW_SUB_DPP && is_editable(in, hot) && !in->clamp && !in->omod;
    if (moves) {
        const uint64_t written = dpp_lanes(hot, in, dpp_rows(hot->extra)); /* where all lanes are active */
        hot->at[1] = (uint32_t)written;
        hot->at[2] = (uint32_t)(written >> 32);
    }
    return moves ? form->fn[2] : take_bits(form, in, hot);
}

/* With a third function, for a scalar or constant source 0. */
#define FORM_TWO(name, lane)                                                                                 \
    FORM(ints_2, name, lane)                                                                                 \
    static lw_step even_##name(lw_wave *w, const lw_hot *hot)                                                \
    {                                                                                                        \
        return ints_2_even(w, hot, lane);                                                                    \
    }

FORM(ints_1, v_mov_b32, lane_same)
FORM(ints_1, v_not_b32, lane_not)
FORM_TWO(v_and_b32, vi_and)
FORM_TWO(v_or_b32, vi_or)
FORM_TWO(v_xor_b32, vi_xor)
FORM_TWO(v_xnor_b32, lane_xnor)
FORM_TWO(v_add_u32, vi_add)
FORM_TWO(v_sub_u32, vi_sub)
FORM_TWO(v_subrev_u32, lane_subrev)
FORM_TWO(v_lshlrev_b32, lane_lshlrev)
FORM_TWO(v_lshrrev_b32, lane_lshrrev)
FORM_TWO(v_ashrrev_i32, lane_ashrrev)
FORM_TWO(v_min_u32, vi_min_u)
FORM_TWO(v_max_u32, vi_max_u)
FORM_TWO(v_min_i32, vi_min)
FORM_TWO(v_max_i32, vi_max)
FORM_TWO(v_mul_lo_u32, vi_mul)
FORM_TWO(v_mul_hi_u32, vi_mul_hi_u)
FORM_TWO(v_mul_hi_i32, vi_mul_hi_i)
FORM_TWO(v_mul_u32_u24, lane_mul_u24)
FORM_TWO(v_mul_i32_i24, lane_mul_i24)
FORM_TWO(v_mul_hi_u32_u24, lane_mul_hi_u24)
FORM_TWO(v_mul_hi_i32_i24, lane_mul_hi_i24)
FORM_TWO(v_bfm_b32, lane_bfm)
FORM_TWO(v_cvt_pk_u16_u32, lane_cvt_pk_u16)
FORM_TWO(v_cvt_pk_i16_i32, lane_cvt_pk_i16)
FORM(ints_3, v_bfe_u32, lane_bfe_u)
FORM(ints_3, v_bfe_i32, lane_bfe_i)
FORM(ints_3, v_bfi_b32, lane_bfi)
FORM(ints_3, v_alignbit_b32, lane_alignbit)
FORM(ints_3, v_alignbyte_b32, lane_alignbyte)
FORM(ints_3, v_min3_u32, lane_min3_u)
FORM(ints_3, v_max3_u32, lane_max3_u)
FORM(ints_3, v_med3_u32, lane_med3_u)
FORM(ints_3, v_min3_i32, lane_min3_i)
FORM(ints_3, v_max3_i32, lane_max3_i)
FORM(ints_3, v_med3_i32, lane_med3_i)
FORM(ints_3, v_lshl_add_u32, lane_lshl_add)
FORM(ints_3, v_add_lshl_u32, lane_add_lshl)
FORM(ints_3, v_lshl_or_b32, lane_lshl_or)
FORM(ints_3, v_and_or_b32, lane_and_or)
FORM(ints_3, v_or3_b32, lane_or3)
FORM(ints_3, v_add3_u32, lane_add3)
FORM(ints_3, v_xad_u32, lane_xad)
FORM(ints_3, v_mad_u32_u24, lane_mad_u24)
FORM(ints_3, v_mad_i32_i24, lane_mad_i24)
#if VEC_HAS_SHUFFLE
static lw_step hot_v_perm_b32(lw_wave *w, const lw_hot *hot)
{
    return perms(w, hot, false);
}

static LW_APART lw_step edit_v_perm_b32(lw_wave *w, const lw_hot *hot)
{
    return perms(w, hot, true);
}
#define PERM_FORMS BITS(v_perm_b32),
#else
#define PERM_FORMS
#endif
FORM_TWO(v_bcnt_u32_b32, lane_bcnt)
FORM(counts, v_mbcnt_lo_u32_b32, 0)
FORM(counts, v_mbcnt_hi_u32_b32, 32)
FORM(tables, v_bitop3_b32, LW_V_B32, LW_VD_FULL)
/* v_mov between the register files */
FORM(ints_1, v_accvgpr_read_b32, lane_same)
FORM(ints_1, v_accvgpr_write_b32, lane_same)
FORM(ints_1, v_accvgpr_mov_b32, lane_same)

/* A row of the table; `take` chooses between a form's two functions. */
#define TAKEN(name, taker)                                                                                   \
    {                                                                                                        \
        .general = lw_sem_##name, .take = taker, .fn = { hot_##name, edit_##name }                           \
    }
#define BITS(name) TAKEN(name, take_bits)
#define TWO_ROW(sem, name)                                                                                   \
    {                                                                                                        \
        .general = lw_sem_##sem, .take = take_two, .fn = { hot_##name, edit_##name, even_##name }            \
    }
#define TWO(name) TWO_ROW(name, name)

/* clang-format off */
#define INTS_FORMS                                                                                           \
    PERM_FORMS                                                                                               \
    { .general = lw_sem_v_mov_b32, .take = take_move,                                                        \
      .fn = { hot_v_mov_b32, edit_v_mov_b32, dpp_v_mov_b32 } },                                              \
    TWO(v_bcnt_u32_b32), BITS(v_mbcnt_lo_u32_b32), BITS(v_mbcnt_hi_u32_b32), BITS(v_bitop3_b32),            \
    TWO_ROW(v_add_i32, v_add_u32),                                   \
    TWO_ROW(v_sub_i32, v_sub_u32),                                   \
    BITS(v_not_b32), TWO(v_and_b32), TWO(v_or_b32), TWO(v_xor_b32), TWO(v_xnor_b32),    \
    TWO(v_add_u32), TWO(v_sub_u32), TWO(v_subrev_u32), TWO(v_lshlrev_b32), TWO(v_lshrrev_b32),          \
    TWO(v_ashrrev_i32), TWO(v_min_u32), TWO(v_max_u32), TWO(v_min_i32), TWO(v_max_i32),                 \
    TWO(v_mul_lo_u32), TWO(v_mul_hi_u32), TWO(v_mul_hi_i32), TWO(v_mul_u32_u24), TWO(v_mul_i32_i24),    \
    TWO(v_mul_hi_u32_u24), TWO(v_mul_hi_i32_i24), TWO(v_bfm_b32), TWO(v_cvt_pk_u16_u32),                 \
    TWO(v_cvt_pk_i16_i32), BITS(v_bfe_u32), BITS(v_bfe_i32), BITS(v_bfi_b32), BITS(v_alignbit_b32),         \
    BITS(v_alignbyte_b32), BITS(v_min3_u32), BITS(v_max3_u32), BITS(v_med3_u32), BITS(v_min3_i32),           \
    BITS(v_max3_i32), BITS(v_med3_i32), BITS(v_lshl_add_u32), BITS(v_add_lshl_u32), BITS(v_lshl_or_b32),     \
    BITS(v_and_or_b32), BITS(v_or3_b32), BITS(v_add3_u32), BITS(v_xad_u32), BITS(v_mad_u32_u24),             \
    BITS(v_mad_i32_i24), BITS(v_accvgpr_read_b32), BITS(v_accvgpr_write_b32),              \
    BITS(v_accvgpr_mov_b32)
/* clang-format on */

#endif
