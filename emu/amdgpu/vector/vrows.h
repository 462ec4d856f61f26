/* SPDX-License-Identifier: MIT */
/*
 * Whole rows of f32 and f64 arithmetic on the host's floating-point unit, whose results equal the device's
 * when rounding to nearest. Lanes whose result is a NaN or at the limit of the output flush are computed by
 * emu/num, as is everything in other rounding modes. In r, only the lanes of `active` are defined.
 */
#ifndef LW_EMU_AMDGPU_VROWS_H
#define LW_EMU_AMDGPU_VROWS_H

#include "emu/amdgpu/control/wave.h"
#include "emu/num/fp.h"

void lw_row_add_f32(const lw_fp_env *e, uint64_t active, const uint32_t *a, const uint32_t *b, uint32_t *r);
void lw_row_sub_f32(const lw_fp_env *e, uint64_t active, const uint32_t *a, const uint32_t *b, uint32_t *r);
void lw_row_subrev_f32(const lw_fp_env *e, uint64_t active, const uint32_t *a, const uint32_t *b,
                       uint32_t *r);
void lw_row_mul_f32(const lw_fp_env *e, uint64_t active, const uint32_t *a, const uint32_t *b, uint32_t *r);
void lw_row_fma_f32(const lw_fp_env *e, uint64_t active, const uint32_t *a, const uint32_t *b,
                    const uint32_t *c, uint32_t *r);

/* The sum as computed by hosts without a fused multiply-add: rows of f32 bits, to nearest even, with the
 * host's NaNs. */
void lw_row_fma_f32_portable(const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *r);

void lw_row_add_f64(const lw_fp_env *e, uint64_t active, const uint64_t *a, const uint64_t *b, uint64_t *r);
void lw_row_mul_f64(const lw_fp_env *e, uint64_t active, const uint64_t *a, const uint64_t *b, uint64_t *r);
void lw_row_fma_f64(const lw_fp_env *e, uint64_t active, const uint64_t *a, const uint64_t *b,
                    const uint64_t *c, uint64_t *r);

#endif
