/* SPDX-License-Identifier: MIT */
/* The rest of vec_avx512.h: classes of numbers, each told by one instruction (panel_quiet.h, panel_look.h).
 */
#ifndef LW_EMU_FAST_VEC_AVX512_CLASSES_H
#define LW_EMU_FAST_VEC_AVX512_CLASSES_H

#include "emu/fast/vec_avx512.h"

#define VEC_HAS_CLASSES

/* vm_or that keeps masks in mask registers. */
VEC vm vm_join(vm a, vm b)
{
    return _kor_mask16(a, b);
}
VEC vm vf_is_subnormal(vf a)
{
    return _mm512_fpclass_ps_mask(a, 0x20);
}
/* Zeros and subnormal numbers. */
VEC vm vf_is_low(vf a)
{
    return _mm512_fpclass_ps_mask(a, 0x26);
}
/* Infinities and NaNs. */
VEC vm vf_is_top(vf a)
{
    return _mm512_fpclass_ps_mask(a, 0x99);
}
/* All of these. */
VEC vm vf_is_odd(vf a)
{
    return _mm512_fpclass_ps_mask(a, 0xbf);
}
/* Subnormal numbers, infinities, NaNs and -0. */
VEC vm vf_is_doubtful(vf a)
{
    return _mm512_fpclass_ps_mask(a, 0xbd);
}

#endif
