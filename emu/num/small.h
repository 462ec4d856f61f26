/* SPDX-License-Identifier: MIT */
/*
 * Conversions to and from the 8-, 6- and 4-bit formats, plain and with a power-of-two scale.
 * Sources: AMD CDNA3 and CDNA4 ISA manuals; AMD's host reference of the OCP conversions in the HIP headers
 * for what the manual leaves open; published gfx1201 captures for the stochastic alignment.
 */
#ifndef LW_EMU_NUM_SMALL_H
#define LW_EMU_NUM_SMALL_H

#include "emu/num/fp.h"

/* A small format, and what values that it cannot represent become. Codes without sign; FNUZ results have
 * none. */
typedef struct lw_small {
    const lw_format *fmt;
    uint8_t max;      /* largest finite code, the result of an overflow when FP16_OVFL is set */
    uint8_t overflow; /* result of a finite overflow otherwise */
    uint8_t inf;      /* result of infinity; with FP16_OVFL also, except in FNUZ formats */
    uint8_t nan;      /* result of NaN, or of a NaN scale */
} lw_small;

extern const lw_small lw_small_fp8, lw_small_bf8, lw_small_fp8_fnuz, lw_small_bf8_fnuz;
/* gfx12: every NaN becomes the negative one (gfx1201 silicon, rocjitsu). */
extern const lw_small lw_small_fp8_rdna, lw_small_bf8_rdna;
extern const lw_small lw_small_fp6, lw_small_bf6, lw_small_fp4;

/* The scale of V_CVT_SCALEF32_*: a power of two, or NaN. */
enum { LW_SCALE_NAN = 128 };

/* log2 of a scale operand: exponent field minus 127, sign and mantissa ignored; field 255 is a NaN. */
static inline int lw_scale_of_f32(uint32_t bits)
{
    return (int)(bits >> 23 & 0xff) - 127;
}

/* x * 2^-scale rounded once to nearest even. `from` is f32, f16 or bf16. */
uint32_t lw_small_narrow(const lw_small *to, bool ovfl, const lw_format *from, uint64_t x, int scale);
/* The same with stochastic rounding: the top bits of `seed` are added below the result's last place. */
uint32_t lw_small_narrow_sr(const lw_small *to, bool ovfl, const lw_format *from, uint64_t x, int scale,
                            uint32_t seed);
/* q * 2^scale rounded once to nearest even; overflow gives infinity. `to` is f32, f16 or bf16. */
uint64_t lw_small_widen(const lw_small *from, uint32_t code, int scale, const lw_format *to);

/* f32 to f16 or bf16 with stochastic rounding (v_cvt_sr_f16_f32, v_cvt_sr_bf16_f32). */
uint64_t lw_fp_convert_sr(const lw_format *to, const lw_fp_env *e, uint32_t x, uint32_t seed);

/* The next state of the random generator of v_prng_b32 (CDNA4 ISA manual). 0 stays 0. */
static inline uint32_t lw_prng(uint32_t x)
{
    return x << 1 ^ (x >> 31 ? 0xc5u : 0);
}

#endif
