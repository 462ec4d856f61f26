/* SPDX-License-Identifier: MIT */
/*
 * The fast form of v_cvt_scalef32_pk_fp4_bf16: both numbers of a lane at once, in halves. Codes of e2m1 are
 * 0, 0.5, 1, 1.5, 2, 3, 4, 6; larger numbers and NaNs become 6 (lw_small_fp4).
 */
#ifndef LW_EMU_AMDGPU_FAST_SMALL4_H
#define LW_EMU_AMDGPU_FAST_SMALL4_H

#include "emu/amdgpu/fast/small.h"

/* Scale exponents up to FP4_MOST are supported for all numbers; those below FP4_LEAST only for zeros and
 * normal ones. */
enum { FP4_MOST = 250, FP4_LEAST = 3, BF16_SIZE = 0x7fff7fff, BF16_NORMAL = 0x0080 };

/* A number, in both halves. */
VEC vi both_halves(int n)
{
    return vi_all((int)((uint32_t)n * UINT32_C(0x00010001)));
}

/*
 * The codes of two magnitudes. `u` is each magnitude divided by the scale, with its exponent reduced by 124;
 * numbers below 2^-3 become 0, and those above the range the last code. Normal results keep one fraction bit,
 * rounded to nearest even; below 0.75, there are two.
 */
VEC vi fp4_codes(vi size, vi exponent)
{
    const vi less = vi_shl16(vi_sub16(exponent, both_halves(3)), 7), one = both_halves(1);
    const vi u = vi_max16(vi_sub16_saturated(size, less), vi_all(0));
    const vi odd = vi_and(vi_shr16(u, 6), one);
    const vi rounded =
        vi_shr16(vi_add16(vi_min16(u, both_halves(0x2ff)), vi_add16(odd, both_halves(0x1f))), 6);
    const vi normal = vi_min16(vi_sub16(rounded, both_halves(4)), both_halves(7));
    const vi low =
        vi_sub16(vi_all(0), vi_add16(vi_gt16(u, both_halves(0x80)), vi_gt16(u, both_halves(0x13f))));
    return vi_choose(vi_gt16(u, both_halves(0x17f)), normal, low);
}

/* Must the general handler compute an active lane? */
static LW_APART bool fp4_is_hard(const lw_wave *w, row a, row scale)
{
    uint64_t hard = 0;
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vi size = vi_and(row_at(a, n), vi_all(BF16_SIZE)), e = scale_field(row_at(scale, n));
        const vi zero = vi_eq16(size, vi_all(0)), subnormal = vi_gt16(both_halves(BF16_NORMAL), size);
        const vm some = vm_not(vi_eq(vi_without(zero, subnormal), vi_all(0)));
        const vm bad = vm_or(vi_gt(e, vi_all(FP4_MOST)), vm_and(some, vi_gt(vi_all(FP4_LEAST), e)));
        hard |= (uint64_t)vm_bits(bad) << n * VEC_LANES;
    }
    return hard & lw_wave_exec(w);
}

static lw_step hot_v_cvt_scalef32_pk_fp4_bf16(lw_wave *w, const lw_hot *hot)
{
    row_room room[2];
    uint32_t r[LW_LANES];
    const row a = row_source(w, hot, 0, 0, &room[0]), scale = row_source(w, hot, 1, 0, &room[1]);
    const int shift = 8 * (hot->in->op_sel >> 2 & 3);
    vi least = vi_all(F32_TOP), most = vi_all(0);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vi x = row_at(a, n), size = vi_and(x, vi_all(BF16_SIZE)), e = scale_field(row_at(scale, n));
        const vi codes = fp4_codes(size, vi_or(e, vi_shl(e, 16)));
        const vi live = vi_without(vi_eq16(size, vi_all(0)), codes);
        const vi pair = vi_or(live, vi_and(vi_shr16(x, 12), both_halves(8)));
        least = vi_min(least, e);
        most = vi_max(most, e);
        vi_store(r + n * VEC_LANES, vi_shl(vi_or(pair, vi_shr(pair, 12)), shift));
    }
    const vm far = vm_or(vi_gt(vi_all(FP4_LEAST), least), vi_gt(most, vi_all(FP4_MOST)));
    if (vm_any(far) && fp4_is_hard(w, a, scale))
        return lw_hot_general(w, hot);
    return small_put(w, hot, vi_all((int)(UINT32_C(0xff) << shift)), r);
}

#define SMALL4_FORMS CONVERTS(v_cvt_scalef32_pk_fp4_bf16)

#endif
