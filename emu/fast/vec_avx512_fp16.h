/* SPDX-License-Identifier: MIT */
/* 32 binary16 numbers to a vector: AVX512-FP16, which never flushes, whatever MXCSR says. */
#ifndef LW_EMU_FAST_VEC_AVX512_FP16_H
#define LW_EMU_FAST_VEC_AVX512_FP16_H

#include "emu/fast/vec_avx512_lanes.h"

#define VEC_HAS_FP16 1

typedef __m512h vh;

VEC vh vh_from_bits(vi a)
{
    return _mm512_castsi512_ph(a);
}
VEC vi vh_bits(vh a)
{
    return _mm512_castph_si512(a);
}
VEC vh vh_add(vh a, vh b)
{
    return _mm512_add_ph(a, b);
}
VEC vh vh_sub(vh a, vh b)
{
    return _mm512_sub_ph(a, b);
}
VEC vh vh_mul(vh a, vh b)
{
    return _mm512_mul_ph(a, b);
}
/* a * b + c, rounded once. */
VEC vh vh_fma(vh a, vh b, vh c)
{
    return _mm512_fmadd_ph(a, b, c);
}
/* Is a number of either vector a NaN? */
VEC bool vh_any_nan(vh a, vh b)
{
    return _mm512_mask_cmp_ph_mask(UINT32_MAX, a, b, _CMP_UNORD_Q) != 0;
}

#endif
