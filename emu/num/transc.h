/* SPDX-License-Identifier: MIT */
/*
 * The transcendental operations. The f32 forms of exp, log, sqrt and rcp are the fixed-point models that
 * AMD's rocjitsu published for gfx1201 (sqrt and rcp for gfx1100 too): exp, log and sqrt were verified there
 * on all inputs, rcp on 99.97 % of mantissas (the rest is one unit off). That gfx9 uses the same tables is
 * our inference. These models ignore MODE: subnormals count as zero and are never returned.
 * rsq, which has no published table, is correctly rounded. The f64 forms promise only 2^29 ulp: we round the
 * exact value to 24 significant bits. Outside the small range, sin and cos are the exact value cut to f32.
 */
#ifndef LW_EMU_NUM_TRANSC_H
#define LW_EMU_NUM_TRANSC_H

#include "emu/num/fp.h"

uint32_t lw_exp2_f32(uint32_t x);
uint32_t lw_log2_f32(uint32_t x);
uint32_t lw_sqrt_f32(uint32_t x);
uint32_t lw_rcp_f32(uint32_t x);
uint32_t lw_rsq_f32(uint32_t x);

/* f16: the f32 model of the promoted source, rounded to nearest even; denormals and FP16_OVFL as in `e`. */
uint32_t lw_exp2_f16(const lw_fp_env *e, uint32_t x);
uint32_t lw_log2_f16(const lw_fp_env *e, uint32_t x);
uint32_t lw_sqrt_f16(const lw_fp_env *e, uint32_t x);
uint32_t lw_rcp_f16(const lw_fp_env *e, uint32_t x);
uint32_t lw_rsq_f16(const lw_fp_env *e, uint32_t x);

uint64_t lw_sqrt_f64(const lw_fp_env *e, uint64_t x);
uint64_t lw_rcp_f64(const lw_fp_env *e, uint64_t x);
uint64_t lw_rsq_f64(const lw_fp_env *e, uint64_t x);

/* Sine and cosine of x turns. From 2^23 turns on: +0 and 1. */
uint32_t lw_sin_f32(const lw_fp_env *e, uint32_t x);
uint32_t lw_cos_f32(const lw_fp_env *e, uint32_t x);
uint32_t lw_sin_f16(const lw_fp_env *e, uint32_t x);
uint32_t lw_cos_f16(const lw_fp_env *e, uint32_t x);

#endif
