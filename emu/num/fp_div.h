/* SPDX-License-Identifier: MIT */
/*
 * The division support operations and V_TRIG_PREOP_F64. Thresholds and factors are those measured on gfx1100
 * and gfx1201 silicon; the pseudo-code printed in the manuals differs from it in several places.
 */
#ifndef LW_EMU_NUM_FP_DIV_H
#define LW_EMU_NUM_FP_DIV_H

#include "emu/num/fp.h"

/* Scales `value` (denominator d or numerator n) for division; *post says whether v_div_fmas must rescale. */
uint64_t lw_fp_div_scale(const lw_format *f, const lw_fp_env *e, uint64_t value, uint64_t d, uint64_t n,
                         bool *post);
/* fma(a, b, c) times 2^64 or 2^-64 if `post` says so (f64: 2^128 or 2^-128), with one rounding. Sources are
 * not flushed. */
uint64_t lw_fp_div_fmas(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c,
                        bool post);
/* Replaces the quotient q where d and n are special. */
uint64_t lw_fp_div_fixup(const lw_format *f, const lw_fp_env *e, uint64_t q, uint64_t d, uint64_t n);
/* 53 bits of 2/pi as an f64, the part that matters for argument x and segment[4:0]. */
uint64_t lw_fp_trig_preop(uint64_t x, uint32_t segment);

#endif
