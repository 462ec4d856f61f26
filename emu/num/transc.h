/* SPDX-License-Identifier: MIT */
/*
 * AMD's transcendental operations: fixed-point models whose coefficients AMD's rocjitsu published. Captures
 * of a gfx1100 and a gfx1201 cover f32 rcp, rsq, log and exp, of a gfx1201 sqrt and f16 rcp, sin and cos
 * (tests/num/test_captured.c); the f64 forms are as AMD measured them there; sin and cos of f32 are its model
 * of captures, which does not claim all inputs. That gfx9 uses the same tables is our inference
 * (isa_tables/amdgpu/labels.inc). The f32 models of exp, log and the roots ignore MODE: subnormals count as
 * zero and are never returned, NaNs are quieted.
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
uint32_t lw_through_f32(const lw_fp_env *e, uint32_t x, uint32_t (*model)(uint32_t));
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
