/* SPDX-License-Identifier: MIT */
/*
 * Rounding to f16, of numbers that stay binary32. Included after a vec_*.h.
 *
 * An integer is rounded once: it first becomes a binary32 number on the same side of everything where f16
 * rounds differently.
 */
#ifndef LW_EMU_FAST_PANEL_HALF_H
#define LW_EMU_FAST_PANEL_HALF_H

/* Exponent fields of binary32 for f16's least normal number, and what adding 1.5 * 2^(e + 13) rounds to f16's
 * 11 bits below 2^(e + 1). */
enum { HALF_LEAST = 127 - 14, HALF_WIDER = 13, F32_FIELD = 0x7f800000 };

/* The exponent field, in its place, of a number or of f16's least normal one if that is larger. */
VEC vi half_field(vf x)
{
    /* The lower halves are zeros. */
    return vi_max16(vi_and(vf_bits(x), vi_all(F32_FIELD)), vi_all(HALF_LEAST << 23));
}

/* f16's nearest number, ties to even; 65536 instead of infinity. Zeros keep their sign. field: half_field. */
VEC vf half_nearest_at(vf x, vi field)
{
    const vf big = vf_from_bits(vi_add(field, vi_all(HALF_WIDER << 23 | 0x00400000)));
    const vf near = vf_sub(vf_add(x, big), big);
    return vf_from_bits(vi_or(vf_bits(near), vi_and(vf_bits(x), vi_all(INT32_MIN))));
}

VEC vf half_nearest(vf x)
{
    return half_nearest_at(x, half_field(x));
}

/* Towards zero, with the last bit set where that is not exact. */
VEC vf float_to_odd(vi units)
{
    const vf cut = vf_from_int_cut(units);
    const vi odd = vi_pick(vi_eq(vf_cut(cut), units), vi_all(0), vi_all(1));
    return vf_from_bits(vi_or(vf_bits(cut), odd));
}

/*
 * A number that half_nearest, after a multiplication by a power of two, rounds as it would round `units`. The
 * nearest one is good unless it is a number of f16 or halfway between two, which have no bits in the last
 * twelve: units then lie on the same side of all such numbers.
 */
VEC vf float_for_half(vi units)
{
    const vf near = vf_from_int(units);
    const vm round = vi_eq(vi_shl(vf_bits(near), 32 - (HALF_WIDER - 1)), vi_all(0));
    return vm_any(round) ? float_to_odd(units) : near;
}

#endif
