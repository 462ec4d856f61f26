/* SPDX-License-Identifier: MIT */
/*
 * AVX512-FP16 as an instruction set of the host: AVX-512 with arithmetic of binary16 numbers. Forms of f16
 * instructions use it; everything else is AVX-512's.
 */
#ifndef LW_EMU_FAST_FP16_H
#define LW_EMU_FAST_FP16_H

#include "emu/fast/panel.h"

enum {
    LW_FAST_AVX512FP16 = LW_FAST_AVX512 + 1, /* a value of lw_fast_isa */
    LW_FAST_PANEL_ISAS = LW_FAST_AVX512 + 1, /* instruction sets with matrix kernels of their own */
};

/* The instruction set whose matrix kernels and forms of PTX an instruction set uses. */
static inline lw_fast_isa lw_fast_isa_base(lw_fast_isa isa)
{
    return (int)isa == LW_FAST_AVX512FP16 ? LW_FAST_AVX512 : isa;
}

#endif
